//! The tables of docs/spec that map a specification to the API: every command in them runs, every name in
//! them exists.

use std::path::Path;

use crate::support::{command, finish};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The specifications as they are read, each with a table of all it says.
const PAGES: [&str; 4] = ["theory", "url-hash", "hashed-uri", "sxurl"];

#[test]
fn the_commands_of_the_tables_print_what_the_tables_show() {
    for name in PAGES {
        for [what, _, command_cell, _] in rows(name) {
            let (line, shown) =
                example(&command_cell).unwrap_or_else(|| panic!("{name}: {what} has no command"));
            let ran = finish(command().current_dir(ROOT).args(words(line)));
            let printed = ran.out + &ran.err;
            assert!(printed.contains(&shown.replace('⇥', "\t")), "{name}: `{line}` prints {printed}");
        }
    }
}

#[test]
fn the_names_of_the_tables_are_names_of_rust() {
    let sources: String = ["urlid", "urlid-canonical", "urlid-lists", "urlid-store"]
        .map(|name| sources(&format!("crates/{name}")))
        .concat();
    let defines = |name: &str| {
        let items = ["fn", "struct", "enum", "trait", "mod", "const", "type", "pub"];
        let variants = [format!("    {name},\n"), format!("    {name}("), format!("    {name} {{")];
        let is_item = |item: &&str| {
            [" ", "(", "<", ":", ";", "{"].iter().any(|end| sources.contains(&format!("{item} {name}{end}")))
        };
        items.iter().any(is_item) || variants.iter().any(|text| sources.contains(text))
    };
    for name in PAGES {
        for [what, items, ..] in rows(name) {
            assert!(!items.is_empty(), "{name}: {what}");
            for path in names(&items).filter(|path| path.bytes().all(is_path_byte)) {
                let last = path.rsplit("::").next().unwrap_or(path);
                let is_of_std = ["Display", "FromStr", "Eq", "Hash", "Ord", "Copy"].contains(&last);
                assert!(is_of_std || defines(last), "{name}: {what}: no `{path}`");
            }
        }
    }
}

/// Returns the rows of the last table of a page: what the specification says, items of Rust, a command, names
/// of Python.
fn rows(name: &str) -> Vec<[String; 4]> {
    let path = Path::new(ROOT).join(format!("docs/spec/{name}.md"));
    let page = std::fs::read_to_string(&path).expect("there is a page for each specification");
    let (_, table) = page.split_once("## Everything in the specification").expect("the page has the table");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = |row: &str| -> [String; 4] {
        let cells: Vec<String> = row.split(" | ").map(str::to_owned).collect();
        cells.try_into().unwrap_or_else(|cells| panic!("{name}: {cells:?} are not four cells"))
    };
    let rows: Vec<_> = rows.skip(2).map(cells).collect();
    assert!(rows.len() >= 20, "{name}: {} rows", rows.len());
    rows
}

/// Returns the command of a cell, without its first word, and what it prints: `` `urlid ref ord //h` →
/// `authority` ``.
fn example(cell: &str) -> Option<(&str, &str)> {
    cell.strip_prefix("`urlid ")?.strip_suffix('`')?.split_once("` → `")
}

/// Returns what stands between backquotes.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':')
}

/// Returns the sources of a crate and its tests, one after the other.
fn sources(folder: &str) -> String {
    let mut folders = vec![Path::new(ROOT).join(folder)];
    let mut sources = String::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder can be listed") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources += &std::fs::read_to_string(&path).expect("a source is text");
            }
        }
    }
    sources
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
