//! Tests which doc comments repeat the name of their item.

use tidy::repeats::repeats;

fn check(comment: &str, item: &str, expected: bool) {
    let text = format!("struct Before;\n\n    /// {comment}\n    #[inline]\n    {item}\n");
    assert_eq!(
        repeats(&text).collect::<Vec<_>>(),
        if expected { vec![3] } else { vec![] },
        "{comment} {item}"
    );
}

#[test]
fn a_comment_that_is_the_name_is_found() {
    for (comment, item) in [
        ("The key.", "key: Key,"),
        ("The host keys.", "pub(crate) host_key: String,"),
        ("Returns the bytes.", "pub fn as_bytes(&self) -> &[u8] {"),
        ("Makes a run.", "pub(super) const fn run(start: u32) -> Run {"),
        ("Options of a build.", "pub struct BuildOptions {"),
        ("A text.", "Text(String),"),
    ] {
        check(comment, item, true);
    }
}

#[test]
fn a_comment_that_says_more_is_not() {
    for (comment, item) in [
        ("The key, in bytes.", "key: Key,"),
        ("Returns the bytes of the digest.", "pub fn as_bytes(&self) -> &[u8] {"),
        ("The index", "index: PathBuf,"),
        ("`key`.", "key: Key,"),
        ("All of them.", "Any,"),
        ("The key.\n    /// It is never empty.", "key: Key,"),
    ] {
        check(comment, item, false);
    }
}
