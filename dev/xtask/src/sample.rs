//! `cargo xtask sample` writes `samples/forum.warc`, the small crawl of docs/site-rules.md.
//! `cargo xtask corpus` writes the lines that tests share.

use std::fmt::Write;

use crate::command::{root, target};

/// The threads of the forum, and the words that distinguish their texts.
const THREADS: u32 = 10;
const WORDS: [&str; 10] =
    ["hares", "kites", "lamps", "mills", "nests", "owls", "pears", "reeds", "stones", "tides"];

/// Writes the crawl, which is the same each time.
pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let mut warc = String::new();
    let mut second = 0;
    let mut visit = |url: &str, title: &str| {
        second += 1;
        push_record(&mut warc, url, title, second);
    };
    for thread in 1..=THREADS {
        let word = WORDS[thread as usize - 1];
        // Sixteen digits that look like a session id and differ.
        let session = |number: u32| {
            format!("{:016x}", u64::from(thread * 7 + number).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        };
        let (bare, www) = (
            format!("http://forum.example/t?id={thread}"),
            format!("http://www.forum.example/t?id={thread}"),
        );
        visit(&bare, word);
        visit(&www, word);
        visit(&format!("{bare}&page=1"), word);
        visit(&format!("{bare}&page=2"), &format!("more {word}"));
        visit(&format!("{bare}&PHPSESSID={}", session(1)), word);
        visit(&format!("{www}&PHPSESSID={}", session(2)), word);
        visit(&format!("{bare}&utm_source=mail&utm_medium=m{thread}"), word);
        visit(&format!("{bare}&page=2&PHPSESSID={}", session(3)), &format!("more {word}"));
        // A second visit to the first page, an hour later.
        visit(&bare, word);
    }
    std::fs::write("samples/forum.warc", warc).map_err(|error| format!("samples/forum.warc: {error}"))
}

/// Writes the corpus (`urlid_generators::corpus`) under the target folder, and prints its path.
#[expect(clippy::print_stdout, reason = "the path is the output")]
pub(crate) fn corpus(_: &[String]) -> Result<(), String> {
    let sample = root()?.join("samples/debian_homepages.txt");
    let sample =
        std::fs::read_to_string(&sample).map_err(|error| format!("{}: {error}", sample.display()))?;
    let file = target()?.join("corpus.txt");
    // Two lanes of tests may need it at the same time, so the file gets its name when it is complete.
    let beside = file.with_extension(std::process::id().to_string());
    std::fs::write(&beside, urlid_generators::corpus(&sample))
        .and_then(|()| std::fs::rename(&beside, &file))
        .map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{}", file.display());
    Ok(())
}

fn push_record(warc: &mut String, url: &str, title: &str, second: u32) {
    let page = format!(
        "<!DOCTYPE html><title>{title}</title><script>var nonce = {second};</script>\n\
         <h1>About {title}</h1><p>Seen {second} seconds ago.\n"
    );
    // The field is right about the names for tracking and wrong about `page`, which the tour shows.
    let content = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\
         No-Vary-Search: params=(\"page\" \"utm_medium\" \"utm_source\")\r\n\r\n{page}"
    );
    let _ = write!(
        warc,
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{second:012}>\r\n\
         WARC-Date: 2026-11-27T10:{:02}:{:02}Z\r\nWARC-Target-URI: {url}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{content}\r\n\r\n",
        second / 60,
        second % 60,
        content.len()
    );
}
