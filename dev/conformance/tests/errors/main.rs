//! Checks the exact message of every error, and makes the page that lists them, `docs/errors.md`, from the
//! same examples.
//!
//! Each example causes an error as a user would, and shows its code and its line. After an intended change
//! of wording:
//!
//! ```text
//! URLID_WRITE_DOCS=1 cargo test --package conformance --test errors
//! ```

mod canonical;
mod example;
mod files;
mod functions;
mod identifiers;
mod lists;
mod urls;

use std::collections::BTreeSet;
use std::fmt::Write;

use urlid::ErrorCode;

use self::example::Example;

const HEAD: &str = "\
# Errors

Look up the code of an error here to see its cause and example messages. Every error has a code, which never changes, and a message, which may change.
A message is one lowercase line with the found text, its place and the expected text. If a specification names a code, urlid uses this code. This page
is generated from `urlid::ErrorCode` and from errors that a test provokes (`dev/conformance/tests/errors`).

Messages show at most a short excerpt of the input, with control characters escaped. `FILE` and `FOLDER` represent paths.
";

fn examples() -> Vec<Example> {
    [
        urls::examples(),
        canonical::examples(),
        identifiers::examples(),
        lists::examples(),
        files::examples(),
        functions::examples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn the_page_of_errors_shows_every_message_unchanged() {
    urlid_testing::check_page("docs/errors.md", &page(&examples()));
}

#[test]
fn every_message_is_one_lowercase_line() {
    for Example { from, message, .. } in examples() {
        let is_one_line = !message.is_empty() && !message.chars().any(char::is_control);
        let first = message.chars().next().unwrap_or(' ');
        // Not even a name may be the first word if it has a capital letter.
        let is_lowercase = !first.is_uppercase();
        assert!(is_one_line && is_lowercase && !message.ends_with('.'), "{from}: {message:?}");
    }
}

#[test]
fn every_code_has_an_example() {
    let shown: BTreeSet<ErrorCode> = examples().iter().map(|example| example.code).collect();
    assert_eq!(shown, BTreeSet::from(ErrorCode::ALL));
}

/// Writes the page: the codes in the order of [`ErrorCode::ALL`], each with its meaning and its examples.
fn page(examples: &[Example]) -> String {
    let mut page = HEAD.to_owned();
    for code in ErrorCode::ALL {
        let _ = write!(page, "\n## {code}\n\n{}\n\n| from | message |\n|---|---|\n", code.meaning());
        for Example { from, message, .. } in examples.iter().filter(|example| example.code == code) {
            let _ = writeln!(page, "| {} | {} |", cell(from), cell(message));
        }
    }
    page
}

/// Escapes characters that would end a cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
