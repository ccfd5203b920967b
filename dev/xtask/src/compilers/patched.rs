//! A standard library whose Unicode tables are empty outside ASCII.
//!
//! Code that reads case, white space or digits from the compiler gives different bytes with it. Two releases
//! of the compiler differ in only a few letters a year, and two releases at hand may not differ at all.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::finish;

const TABLES: &str = "library/core/src/unicode/unicode_data.rs";

/// Properties and their patched answers. The property of grapheme clusters is unchanged, because it affects
/// only the display of texts.
const PROPERTIES: [&str; 7] =
    ["alphabetic", "case_ignorable", "cased", "lowercase", "n", "uppercase", "white_space"];
const MAPPINGS: [&str; 3] = ["to_lower", "to_upper", "to_title"];

/// Returns a copy of an unpacked compiler with patched sources. Other files are linked, not copied.
pub(super) fn copy(compiler: &Path, folder: &Path) -> Result<PathBuf, String> {
    let in_place = |error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(in_place)?;
    }
    finish(Command::new("cp").args(["--archive", "--link"]).arg(compiler).arg(folder))?;
    let tables = folder.join("usr/lib/rustlib/src/rust").join(TABLES);
    let text = std::fs::read_to_string(&tables).map_err(|error| format!("{}: {error}", tables.display()))?;
    // The link is removed first, so that the original is not changed.
    std::fs::remove_file(&tables).map_err(in_place)?;
    std::fs::write(&tables, patch(&text)?).map_err(in_place)?;
    Ok(folder.to_owned())
}

/// Inserts an early return into each function.
fn patch(text: &str) -> Result<String, String> {
    let mut text = text.to_owned();
    for module in PROPERTIES {
        insert(&mut text, &format!("pub mod {module} {{"), "fn lookup(c: char) -> bool {", "return false;")?;
    }
    for function in MAPPINGS {
        let signature = format!("pub fn {function}(c: char) -> [char; 3] {{");
        insert(&mut text, "pub mod conversions {", &signature, "return [c, '\\0', '\\0'];")?;
    }
    Ok(text)
}

/// Inserts an answer for non-ASCII characters after a signature, the first one in its module.
fn insert(text: &mut String, module: &str, signature: &str, answer: &str) -> Result<(), String> {
    let start = text.find(module).ok_or_else(|| format!("{TABLES} has no `{module}`"))?;
    let found = text[start..].find(signature).ok_or_else(|| format!("{module} has no `{signature}`"))?;
    text.insert_str(start + found + signature.len(), &format!(" if !c.is_ascii() {{ {answer} }}"));
    Ok(())
}

#[test]
fn functions_return_early_for_what_is_not_ascii() {
    let mut text = "pub mod a { fn f(c: char) {} } pub mod b { fn f(c: char) { x() } }".to_owned();
    assert_eq!(insert(&mut text, "pub mod b {", "fn f(c: char) {", "return;"), Ok(()));
    assert!(text.ends_with("pub mod b { fn f(c: char) { if !c.is_ascii() { return; } x() } }"), "{text}");
    assert!(insert(&mut text, "pub mod c {", "fn f(", "return;").is_err());
}
