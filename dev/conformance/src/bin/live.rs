//! Compares canonical forms with the implementations that they freeze, for every code point at every
//! position and for generated URLs.
//!
//! `cargo run --package conformance --bin live -- --profiles surt,w3lib --shapes host --code-points assigned --urls 0`

use conformance::digests;
use conformance::live::{Findings, Selection, compare_code_points, compare_generated};

const USAGE: &str = "\
usage: live [OPTION VALUE]...
  --profiles NAMES      profiles whose names contain one of these parts, separated by commas
  --shapes NAMES        shapes of URLs, in the same way
  --code-points WHICH   `all`, `assigned` (planes 0 to 3 and 14) or a sample, 0 to 63; `assigned` by default
  --urls COUNT          generated URLs; 10000 by default
or:    live write-digests [NAME]...  record the answers of this build, once nothing differs; of profiles with such names
       live check-digests            compare them with what is recorded";

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("write-digests") => digests::write(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("check-digests") => end(&digests::differences()),
        _ => compare(),
    }
}

fn compare() {
    let (selection, urls) = arguments().unwrap_or_else(|message| fail(&format!("{message}\n{USAGE}"), 2));
    let findings = Findings::default();
    selection.each_oracle(|oracle| {
        compare_generated(oracle, urls, &findings);
        compare_code_points(oracle, &selection, &findings);
    });
    end(&findings.list());
}

/// Reports the differences, and ends the program.
fn end(found: &[String]) {
    if !found.is_empty() {
        fail(&found.join("\n"), 1);
    }
}

fn arguments() -> Result<(Selection, u64), String> {
    let (mut selection, mut urls) = (Selection::of_assigned(), 10_000);
    let mut args = std::env::args().skip(1);
    while let Some(option) = args.next() {
        let value = args.next().ok_or_else(|| format!("{option} lacks a value"))?;
        let words = || value.split(',').map(str::to_owned).collect();
        match option.as_str() {
            "--profiles" => selection.profiles = words(),
            "--shapes" => selection.shapes = words(),
            "--code-points" => selection.code_points = value.parse()?,
            "--urls" => urls = value.parse().map_err(|error| format!("{value}: {error}"))?,
            _ => return Err(format!("unknown option: {option}")),
        }
    }
    Ok((selection, urls))
}

#[expect(clippy::print_stderr, reason = "a program for developers")]
fn fail(message: &str, status: i32) -> ! {
    eprintln!("{message}");
    std::process::exit(status)
}
