//! The program as its users meet it: every test runs the real `urlid` and looks at its output and exit code.
//!
//! Values of identifiers are those of the specifications and of `vectors/`; that all of them are right is the
//! business of `urlid vectors`, which is run here over every file.

mod archive_formats;
mod archives;
mod cdx;
mod contract;
#[cfg(unix)]
mod descriptors;
mod diff;
mod explain;
mod files;
mod formats;
mod help;
mod hostile;
mod index;
mod inputs;
mod kinds;
mod list;
mod many;
mod pages;
mod parts;
#[cfg(target_os = "linux")]
mod pipeline;
mod rejections;
mod seen;
mod shell_crawl;
mod sitemaps;
mod specifications;
mod support;
mod surroundings;
mod tables;
mod terminal;
mod trailing_text;
mod transcripts;
mod verbs;
mod ways;
