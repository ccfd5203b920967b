//! Loads the URLs of standard input into an index, then prints those of one domain and the three largest
//! domains.
//!
//! `cargo run --release --package urlid-store --features sqlite --example ask_an_index -- urls.db debian org
//! < urls.txt`

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::path::Path;

use urlid::suffix::SuffixList;
use urlid_store::file::{Index, Load, LoadOptions};
use urlid_store::question::{Condition, GroupBy, Question};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, domain, tld] = &arguments[..] else {
        return Err("usage: ask_an_index FILE DOMAIN TLD".into());
    };
    run(Path::new(path), domain, tld, io::stdin().lock(), &mut io::stdout().lock())
}

pub(crate) fn run(
    path: &Path,
    domain: &str,
    tld: &str,
    input: impl BufRead,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let mut load = Load::begin(path, SuffixList::compiled(), LoadOptions::default())?;
    for line in input.lines() {
        load.push(&line?)?;
    }
    let loaded = load.finish()?;
    writeln!(out, "{} of {} lines are new", loaded.new, loaded.lines)?;

    let index = Index::open(path)?;
    let question = Question::new([(Condition::Domain, domain), (Condition::Tld, tld)])?;
    let mut urls = Vec::new();
    index.find(&question, &mut |row| {
        urls.push(row.url.to_owned());
        ControlFlow::Continue(())
    })?;
    urls.iter().try_for_each(|url| writeln!(out, "{url}"))?;

    let (groups, _) = index.group(&Question::default(), GroupBy::RegisteredDomain)?;
    groups.iter().take(3).try_for_each(|group| writeln!(out, "{} {}", group.rows, group.name))?;
    Ok(())
}
