//! A hidden list: makes one of the URLs of a file, and prints which of the other arguments it matches.
//!
//! The list holds digests alone, so it can be given to readers who must not read it. Directories match what
//! is below them.
//!
//! `cargo run --release --example check_a_list -- bad.txt https://bad.example/page`

use std::error::Error;
use std::io::{self, Write};

use urlid::hashed_uri::Algorithm;
use urlid_lists::{Covers, HiddenList, ListBuilder, ListMatcher, ListRules, Scratch};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (path, candidates) = arguments.split_first().ok_or("usage: check_a_list FILE URL...")?;
    run(&std::fs::read_to_string(path)?, candidates, &mut io::stdout().lock())
}

pub(crate) fn run(entries: &str, candidates: &[String], out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let matcher = ListMatcher::new(&make(entries)?, None)?;
    let mut scratch = Scratch::default();
    for candidate in candidates {
        // A candidate that cannot be checked is not known to be harmless.
        match matcher.find(&mut scratch, candidate, None) {
            Ok(Some(found)) => writeln!(out, "listed as {}: {candidate}", found.canonical)?,
            Ok(None) => writeln!(out, "not listed: {candidate}")?,
            Err(error) => writeln!(out, "cannot be checked, {error}: {candidate}")?,
        }
    }
    Ok(())
}

fn make(entries: &str) -> Result<HiddenList, Box<dyn Error>> {
    let rules = ListRules { covers: Covers::Directory, ..ListRules::default() };
    let mut builder = ListBuilder::new(rules, &[Algorithm::XSha256], None)?;
    for entry in entries.lines() {
        builder.add(entry, None)?;
    }
    Ok(builder.finish())
}
