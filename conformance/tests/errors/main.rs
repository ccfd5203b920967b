//! The exact message of every error, and the page that lists them: `docs/errors.md` is made of the same examples.
//!
//! Each example makes an error the way a user would and shows its code and its line. After a change of wording on purpose:
//!
//! ```text
//! URLID_WRITE_DOCS=1 cargo test --package conformance --test errors
//! ```

mod codes;
mod files;
mod identifiers;
mod lists;
mod urls;

use std::collections::BTreeSet;
use std::fmt::Write;

use conformance::data::root;

/// An error that was made on purpose.
struct Example {
    code: &'static str,
    /// What was done.
    from: &'static str,
    /// What the error says.
    message: String,
}

/// Makes an example of any error.
macro_rules! example {
    ($from:expr, $result:expr) => {{
        let error = $result.err().unwrap_or_else(|| panic!("{} is no error", $from));
        crate::Example { code: error.code(), from: $from, message: error.to_string() }
    }};
}
use example;

fn examples() -> Vec<Example> {
    [urls::examples(), identifiers::examples(), lists::examples(), files::examples()]
        .into_iter()
        .flatten()
        .collect()
}

#[test]
fn the_page_of_errors_shows_every_message_as_it_is() {
    let page = page(&examples());
    let path = root().join("docs/errors.md");
    if std::env::var_os("URLID_WRITE_DOCS").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&path).expect("the page is there");
    for (written, wanted) in written.lines().zip(page.lines()) {
        assert_eq!(written, wanted);
    }
    assert_eq!(written.lines().count(), page.lines().count());
}

#[test]
fn every_message_is_one_lowercase_line() {
    for Example { from, message, .. } in examples() {
        let is_one_line = !message.is_empty() && !message.chars().any(char::is_control);
        let first = message.chars().next().unwrap_or(' ');
        // A name that is written so begins in capitals.
        let is_lowercase = !first.is_uppercase();
        assert!(is_one_line && is_lowercase && !message.ends_with('.'), "{from}: {message:?}");
    }
}

#[test]
fn every_code_in_the_sources_is_on_the_page() {
    let listed: BTreeSet<&str> = codes::CODES.iter().map(|(code, _)| *code).collect();
    assert_eq!(listed.len(), codes::CODES.len(), "a code is listed twice");
    assert_eq!(codes_in_sources(), listed.iter().map(|code| (*code).to_owned()).collect());
    let shown: BTreeSet<&str> = examples().iter().map(|example| example.code).collect();
    assert_eq!(shown, listed, "every code has an example");
}

/// Returns every string of the sources that is a code and nothing else.
fn codes_in_sources() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let mut folders = vec![root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is readable") {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() && !path.ends_with("tests") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source is text");
                codes.extend(text.split('"').filter(|piece| is_code(piece)).map(str::to_owned));
            }
        }
    }
    codes
}

fn is_code(text: &str) -> bool {
    text.strip_prefix("ERR_").is_some_and(|rest| {
        !rest.is_empty()
            && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    })
}

/// Writes the page.
fn page(examples: &[Example]) -> String {
    let mut page = codes::HEAD.to_owned();
    for (code, meaning) in codes::CODES {
        let _ = write!(page, "\n## {code}\n\n{meaning}\n\n| from | message |\n|---|---|\n");
        for Example { from, message, .. } in examples.iter().filter(|example| example.code == code) {
            let _ = writeln!(page, "| {} | {} |", cell(from), cell(message));
        }
    }
    page
}

/// Escapes what would end a cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
