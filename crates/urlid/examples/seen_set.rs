//! A crawler's memory: prints each URL of the standard input that differs from all lines before it.
//!
//! Two URLs are equal if the URL Standard gives them the same normal form. Sixteen bytes are kept for each
//! URL.
//!
//! `cargo run --release --example seen_set < urls.txt`

use std::collections::HashSet;
use std::io::{self, BufRead, Write};

use urlid::url_hash::UrlShortHash;

fn main() -> io::Result<()> {
    run(io::stdin().lock(), &mut io::stdout().lock())
}

pub(crate) fn run(input: impl BufRead, out: &mut impl Write) -> io::Result<()> {
    let mut seen = HashSet::new();
    for line in input.lines() {
        let url = line?;
        match UrlShortHash::encode(&url) {
            Ok(hash) if seen.insert(hash) => writeln!(out, "{url}")?,
            Ok(_) => {}
            Err(error) => writeln!(out, "# {}: {error}", error.code())?,
        }
    }
    Ok(())
}
