//! Rules of a site, with evidence. They are learned from crawls, tested on crawls, and compared.
//!
//! ```text
//!  record, line of CDX, row ─▶ Found ─▶ CaptureLines ─ sorted by the caller ─▶ DomainLines
//!  DomainLines ─▶ Domain::learn ─▶ RuleBook ─▶ text of a file     (a registered domain is learned alone)
//!              └▶ Judge::judge ─▶ JudgeReport
//! ```
//!
//! `urlid-canonical` defines the file and the effect of rules. Two URLs have the same content if their
//! digests are equal. For archives this is the digest of the visible text ([`text`]), and for indexes and
//! tables the digest that they contain. The caller handles files, sorting and threads.
//!
//! ```
//! use urlid::suffix::{Sections, SuffixList};
//! use urlid_canonical::Form;
//! use urlid_learn::{CaptureLines, PageContent, Domain, DomainLines, Found, RuleBook, Wide};
//!
//! let web: Form = "web".parse()?;
//! let mut lines = CaptureLines::new(&web, SuffixList::compiled_with(Sections::All));
//! let mut all = Vec::new();
//! for page in 0..8 {
//!     let url = format!("http://a.example/?id={page}");
//!     for url in [format!("{url}&sid=x{page}"), url] {
//!         let mut line = String::new();
//!         let content = PageContent::of_digest(&format!("digest {page}"));
//!         lines.push(&Found { url: &url, content, ..Found::default() }, &mut line)?;
//!         all.push(line);
//!     }
//! }
//! all.sort();
//! let mut domain = DomainLines::new(1_000);
//! all.iter().for_each(|line| domain.push(line));
//! let mut book = RuleBook::new(Wide::default());
//! book.add(Domain::learn(&domain.captures(), book.wide_names()));
//! let (_, rules) = book.finish()?;
//! assert_eq!(rules.apply("http://a.example/?sid=y&id=9", |_| {}), "http://a.example/?id=9");
//! # Ok::<(), urlid::Error>(())
//! ```

#![forbid(unsafe_code)]

mod accept;
mod book;
mod capture;
mod compare;
mod contents;
mod domains;
mod evidence;
mod hash;
mod index;
mod judge;
mod learn;
mod message;
mod parts;
mod records;
mod shown;
mod templates;
pub mod text;

pub use book::{RuleBook, Wide};
pub use capture::{Answer, Capture, CaptureLines, Found, PageContent};
pub use compare::{Changes, Moves};
pub use domains::DomainLines;
pub use index::IndexLines;
pub use judge::{Counts, Declared, Judge, JudgeReport, Pair, RuleReport};
pub use learn::{Domain, TRACKING};
pub use message::{MOST_BODY, Message};
pub use records::{RecordLines, StoredCapture};
pub use shown::shown;
pub use templates::{FEWEST_URLS, HostSample, HostTemplates, LearnedTemplate, TemplateUrls, Trap};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
