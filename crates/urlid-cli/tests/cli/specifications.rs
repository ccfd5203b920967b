//! The tables of docs/spec that map a specification to the API: every command in them runs.

use std::path::Path;

use crate::support::{command, finish};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn the_commands_of_the_tables_print_what_the_tables_show() {
    for name in ["theory", "url-hash", "hashed-uri", "sxurl"] {
        let path = Path::new(ROOT).join(format!("docs/spec/{name}.md"));
        let page = std::fs::read_to_string(&path).expect("there is a page for each specification");
        let examples: Vec<_> = page.lines().filter_map(example).collect();
        assert!(examples.len() >= 5, "{name}: the page shows {} commands", examples.len());
        for (line, shown) in examples {
            let ran = finish(command().current_dir(ROOT).args(words(line)));
            let printed = ran.out + &ran.err;
            assert!(printed.contains(&shown.replace('⇥', "\t")), "{name}: `{line}` prints {printed}");
        }
    }
}

/// Returns the command of a row, without its first word, and what it prints: `` `urlid ord //h` → `authority` ``.
fn example(row: &str) -> Option<(&str, &str)> {
    let (_, rest) = row.strip_prefix('|')?.split_once("| `urlid ")?;
    let (line, rest) = rest.split_once("` → `")?;
    Some((line, rest.split_once('`')?.0))
}

/// Splits a line into words; a word in single quotes may be of any characters.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let (word, after) = match first {
            '\'' => rest[1..].split_once('\'').expect("the quote is closed"),
            _ => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word);
        rest = after.trim_start();
    }
    words
}
