//! `urlid cdx`: indexes of web archives.

mod output;

pub(crate) use output::IndexOutput;
