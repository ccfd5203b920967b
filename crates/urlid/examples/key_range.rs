//! Uses sorted identifiers as an index: prints the URLs of the standard input that are under one domain.
//!
//! All identifiers of a domain are in 48 ranges of keys, so any sorted store can find them. Slices collide,
//! so each URL that is found is compared with the requested domain.
//!
//! `cargo run --release --example key_range -- com google < urls.txt`

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, BufRead, Write};

use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, HostPart, key_ranges};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(tld), Some(domain)) = (arguments.next(), arguments.next()) else {
        return Err("usage: key_range TLD DOMAIN".into());
    };
    run(&tld, &domain, io::stdin().lock(), &mut io::stdout().lock())
}

pub(crate) fn run(
    tld: &str,
    domain: &str,
    input: impl BufRead,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let list = SuffixList::compiled();
    let mut store: BTreeMap<([u8; 32], String), ()> = BTreeMap::new();
    for line in input.lines() {
        let url = line?;
        // A line without an identifier is skipped.
        if let Ok(components) = Components::parse(&url, list) {
            let key = components.encode().to_bytes();
            store.insert((key, url), ());
        }
    }
    let (tld, domain) = (HostPart::map(tld)?, HostPart::map(domain)?);
    for range in key_ranges(&tld, Some(&domain)) {
        let from = (*range.start(), String::new());
        let candidates = store.range(from..).map(|((key, url), ())| (key, url));
        for (_, url) in candidates.take_while(|(key, _)| *key <= range.end()) {
            let components = Components::parse(url, list)?;
            if (components.tld(), components.domain()) == (tld.as_str(), domain.as_str()) {
                writeln!(out, "{url}")?;
            }
        }
    }
    Ok(())
}
