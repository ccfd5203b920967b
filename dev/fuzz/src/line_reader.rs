//! The line reader. Plain bytes are split like by a plain function, for all sizes. Compressed ones end or
//! are an error, and their lines are not compared. An archive gives URLs or an error.

use std::io::{Cursor, Read};

use urlid_archives::cdx::CdxLayout;
use urlid_io::lines::{Input, LineError, LineOptions};

/// Reads sizes and the bytes of an input.
pub fn target(data: &[u8]) {
    let Some((sizes, bytes)) = data.split_at_checked(2) else { return };
    let options = LineOptions {
        max_line: usize::from(sizes[0]),
        chunk: usize::from(sizes[1]),
        ..LineOptions::default()
    };
    let is_compressed = bytes.starts_with(&[0x1f, 0x8b])
        || bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
        || is_skippable_frame(bytes)
        // UTF-16 and UTF-32.
        || [&[0xff, 0xfe][..], &[0xfe, 0xff], &[0, 0, 0xfe, 0xff]].iter().any(|mark| bytes.starts_with(mark));
    let is_archive = plain_lines(bytes, options.max_line)
        .first()
        .is_some_and(|line| line.as_ref().is_ok_and(|line| CdxLayout::recognise(line.as_bytes()).is_some()));
    // The start of WARC, a sitemap, a feed, robots.txt or bookmarks, possibly after a mark or line ends. The
    // lines of these formats differ from the lines of the file.
    let lower = bytes.to_ascii_lowercase();
    let has = |name: &[u8]| lower.windows(name.len()).any(|bytes| bytes == name);
    let is_archive = is_archive
        || has(b"warc/")
        || has(b"urlset")
        || has(b"sitemapindex")
        || has(b"sitemap")
        || has(b"<rss")
        || has(b"2005/atom")
        || has(b"<dl><p>")
        || has(b" time_added=\"")
        || has(b"netscape-bookmark-file-1");
    let Ok(input) = Input::from_reader(Slow(Cursor::new(bytes.to_vec()))) else { return };

    let mut reader = input.lines(options);
    let mut lines = Vec::new();
    loop {
        match reader.next_line() {
            Ok(Some(line)) => {
                assert_eq!(line.number as usize, lines.len() + 1);
                lines.push(
                    line.text.map(str::to_owned).map_err(|error| matches!(error, LineError::TooLong { .. })),
                );
            }
            Ok(None) => break,
            Err(_) => {
                assert!(is_compressed || is_archive, "only a decoder or a record can fail here");
                return;
            }
        }
    }
    if !is_compressed && !is_archive {
        assert_eq!(lines, plain_lines(bytes, options.max_line));
    }
}

/// A zstd input may start with empty frames.
fn is_skippable_frame(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// The lines of an input, as their text, or as whether their length is the error.
fn plain_lines(bytes: &[u8], max_line: usize) -> Vec<Result<String, bool>> {
    let mut bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes).to_vec();
    // A single CR also ends a line.
    for index in 0..bytes.len() {
        if bytes[index] == b'\r' && bytes.get(index + 1) != Some(&b'\n') {
            bytes[index] = b'\n';
        }
    }
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let ends_with_line_feed = lines.last().is_some_and(|line| line.is_empty());
    if ends_with_line_feed {
        lines.pop();
    }
    let count = lines.len();
    let text = |(index, line): (usize, &[u8])| {
        let has_line_feed = ends_with_line_feed || index + 1 < count;
        let line = match line.strip_suffix(b"\r") {
            Some(line) if has_line_feed => line,
            _ => line,
        };
        if line.len() > max_line { Err(true) } else { String::from_utf8(line.to_vec()).map_err(|_| false) }
    };
    lines.into_iter().enumerate().map(text).collect()
}

/// A reader that returns a few bytes at a time.
struct Slow(Cursor<Vec<u8>>);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(7);
        self.0.read(&mut buffer[..most])
    }
}
