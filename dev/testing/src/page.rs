//! Files of the repository that are generated from the code, completely or in part.

use std::path::Path;

/// Compares a page of the repository with its text, line by line. With `URLID_WRITE_DOCS` in the
/// environment, first writes the page.
///
/// # Panics
/// Panics if the page differs from the text, or cannot be read or written.
pub fn check_page(path: &str, page: &str) {
    let path = crate::root().join(path);
    if is_written() {
        write(&path, page);
    }
    let written = read(&path);
    for (written, wanted) in written.lines().zip(page.lines()) {
        assert_eq!(written, wanted, "{}: URLID_WRITE_DOCS=1 writes it", path.display());
    }
    assert_eq!(written.lines().count(), page.lines().count());
}

/// Does the same for a part of a file, between the first line that is `after`, apart from its indentation,
/// and the next line that is `before`. The rest of the file is written by hand.
///
/// # Panics
/// Panics if the part differs from the text, if the file lacks one of the two lines, or if it cannot be read
/// or written.
pub fn check_part(path: &str, after: &str, before: &str, part: &str) {
    let text = read(&crate::root().join(path));
    let lines: Vec<&str> = text.lines().collect();
    let place = |from: usize, wanted: &str| {
        let found = lines[from..].iter().position(|line| line.trim_start() == wanted);
        from + found.unwrap_or_else(|| panic!("{path} lacks the line: {wanted}"))
    };
    let start = place(0, after) + 1;
    let end = place(start, before);
    let whole: Vec<&str> =
        lines[..start].iter().copied().chain(part.lines()).chain(lines[end..].iter().copied()).collect();
    check_page(path, &format!("{}\n", whole.join("\n")));
}

fn is_written() -> bool {
    std::env::var_os("URLID_WRITE_DOCS").is_some()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file is there")
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the file can be written");
}
