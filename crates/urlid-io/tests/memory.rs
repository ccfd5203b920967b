//! Memory stays flat for hostile inputs (its own binary, so that nothing else is measured).
//!
//! `URLID_LONG=1` makes the inputs as large as an attacker would.
#![cfg(target_os = "linux")]

use std::io::{self, Cursor, Read};

use urlid_io::lines::{Input, LineError, LineOptions};
use urlid_testing::{gzip_of, memory, zstd_of};

const MIB: u64 = 1 << 20;

/// The most memory that the process ever had, in bytes.
fn peak_memory() -> u64 {
    memory::peak(std::process::id()).expect("Linux reports it")
}

/// Numbers of lines: good ones, and the number of each rejected one.
fn read_all(input: Input) -> (Vec<String>, Vec<(u64, LineError)>, bool) {
    let mut lines = input.lines(LineOptions::default());
    let (mut good, mut rejected) = (Vec::new(), Vec::new());
    loop {
        match lines.next_line() {
            Ok(Some(line)) => match line.text {
                Ok("") => {}
                Ok(text) => good.push(text.to_owned()),
                Err(error) => rejected.push((line.number, error)),
            },
            Ok(None) => return (good, rejected, true),
            Err(_) => return (good, rejected, false),
        }
    }
}

fn between_two_lines(middle: impl Read + Send + 'static) -> impl Read + Send + 'static {
    Cursor::new("before\n").chain(middle).chain(Cursor::new("\nafter\n"))
}

#[test]
fn memory_is_flat_for_long_lines_empty_lines_and_bombs() {
    let (long, bomb_size, empty) = match std::env::var_os("URLID_LONG") {
        Some(_) => (1024 * MIB, 10 * 1024 * MIB, 10_000_000),
        None => (128 * MIB, 128 * MIB, 300_000),
    };
    let start = peak_memory();
    let expected = (
        vec!["before".to_owned(), "after".to_owned()],
        vec![(2, LineError::TooLong { limit: 1 << 20 })],
        true,
    );
    let line = Input::from_reader(between_two_lines(io::repeat(b'x').take(long))).expect("plain");
    assert_eq!(read_all(line), expected);
    let endless = Input::from_reader(io::repeat(0).take(long)).expect("plain");
    assert_eq!(read_all(endless).1, [(1, LineError::TooLong { limit: 1 << 20 })]);
    let nothing = Input::from_reader(between_two_lines(io::repeat(b'\n').take(empty))).expect("plain");
    assert_eq!(read_all(nothing), (expected.0.clone(), vec![], true));
    let long_text = || io::repeat(b'x').take(long);
    let sitemap = Cursor::new("<urlset><loc>before</loc><loc>").chain(long_text());
    let sitemap = sitemap.chain(Cursor::new("</loc><loc>after</loc></urlset>"));
    assert_eq!(read_all(Input::from_reader(sitemap).expect("plain")), expected);
    for markup in ["<!--", "<a b='", "<a>&", "<![CDATA["] {
        let sitemap = Cursor::new("<urlset>").chain(Cursor::new(markup)).chain(long_text());
        assert_eq!(
            read_all(Input::from_reader(sitemap).expect("plain")),
            (vec![], vec![], false),
            "{markup}"
        );
    }
    let bookmarks = Cursor::new("<!DOCTYPE NETSCAPE-Bookmark-file-1><A HREF=before>").chain(long_text());
    let bookmarks = bookmarks.chain(Cursor::new("<!--")).chain(long_text()).chain(Cursor::new("--><A HREF="));
    let bookmarks = bookmarks.chain(long_text()).chain(Cursor::new("><A HREF=after>"));
    assert_eq!(read_all(Input::from_reader(bookmarks).expect("plain")), expected);
    let for_lines = peak_memory() - start;
    assert!(for_lines < 32 * MIB, "{} MiB for long lines", for_lines / MIB);

    // Making the bombs takes memory too, so the peak is taken again after that.
    let bomb = || between_two_lines(io::repeat(0).take(bomb_size));
    let (gzip, zstd) = (gzip_of(bomb()), zstd_of(bomb()));
    let before_bombs = peak_memory();
    for stored in [gzip, zstd] {
        assert_eq!(read_all(Input::from_reader(Cursor::new(stored)).expect("opens")), expected);
    }
    // A zstd window of level 1 is at most 8 MiB.
    let for_bombs = peak_memory() - before_bombs;
    assert!(for_bombs < 32 * MIB, "{} MiB for bombs", for_bombs / MIB);
}
