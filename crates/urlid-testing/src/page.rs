//! Pages of the documentation that are generated from the code.

/// Compares a page of the repository with its text, line by line. With `URLID_WRITE_DOCS` in the environment the page is
/// written first.
///
/// # Panics
/// If the page is not the text, or cannot be read or written.
pub fn check_page(path: &str, page: &str) {
    let path = crate::root().join(path);
    if std::env::var_os("URLID_WRITE_DOCS").is_some() {
        std::fs::write(&path, page).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&path).expect("the page is there");
    for (written, wanted) in written.lines().zip(page.lines()) {
        assert_eq!(written, wanted);
    }
    assert_eq!(written.lines().count(), page.lines().count());
}
