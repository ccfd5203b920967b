//! Framing of a buffer into whole lines, with an empty line in place of each line over the cap.
//!
//! Streams and splits share it, so that the cap has one meaning.

use memchr::{memchr, memchr_iter, memrchr};

use crate::lines::chunk::RefusedLine;
use crate::lines::line::{HEAD, LineError};

/// Whether more bytes follow a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// The input ends: bytes after the last LF are a line too.
    End,
    /// More bytes may follow: bytes after the last LF may be part of a line.
    More,
}

/// The result of framing a buffer.
#[derive(Debug)]
pub(crate) struct Framed {
    /// The length of the lines in bytes; they are at the start of the buffer.
    pub(crate) lines: usize,
    /// The offset of the unfinished line, which extends to the end of the buffer.
    pub(crate) rest: usize,
    /// Whether the last line is over the cap and continues after the buffer.
    pub(crate) skips: bool,
    /// The lines over the cap.
    pub(crate) refused: Vec<RefusedLine>,
}

/// Returns the number of bytes without an LF that prove a line to be over the cap: the text, a CR, and one
/// more that is not the LF.
pub(crate) fn decisive_len(limit: usize) -> usize {
    limit.saturating_add(2)
}

/// Turns each CR into an LF that ends a line alone: one without an LF after it, and not the last byte, which
/// an LF may follow.
pub(crate) fn end_lines_at_cr(data: &mut [u8]) {
    let mut from = 0;
    while let Some(index) = memchr(b'\r', &data[from..]).map(|index| from + index) {
        if data.get(index + 1).is_some_and(|&next| next != b'\n') {
            data[index] = b'\n';
        }
        from = index + 1;
    }
}

/// Frames `data` into lines of at most `limit` bytes without their ends. Lines after one that was left out
/// move up.
pub(crate) fn frame(data: &mut [u8], limit: usize, after: After) -> Framed {
    let mut done = Framed { lines: 0, rest: 0, skips: false, refused: Vec::new() };
    let (mut index, mut counted) = (0, 0);
    while done.rest < data.len() {
        let left = &data[done.rest..];
        if let Some(len) = fitting_lines(left, limit) {
            // Moves nothing as long as no line was left out: both offsets are equal.
            data.copy_within(done.rest..done.rest + len, done.lines);
            done.rest += len;
            done.lines += len;
            continue;
        }
        let decided = left.len() >= decisive_len(limit);
        if after == After::More && !decided {
            return done;
        }
        if !decided && left.len() <= limit {
            // The last line of all, without its LF.
            data.copy_within(done.rest.., done.lines);
            done.lines += data.len() - done.rest;
            done.rest = data.len();
            return done;
        }
        let end = memchr(b'\n', left);
        let head = left[..left.len().min(HEAD).min(end.unwrap_or(HEAD))].into();
        // Lines are counted here only: inputs without a line over the cap are not.
        index += memchr_iter(b'\n', &data[counted..done.lines]).count();
        counted = done.lines;
        done.refused.push(RefusedLine { index, head, error: LineError::TooLong { limit } });
        data[done.lines] = b'\n';
        done.lines += 1;
        done.skips = end.is_none() && after == After::More;
        done.rest = end.map_or(data.len(), |end| done.rest + end + 1);
    }
    done
}

/// Returns the length of lines at the start of `left`, at least one, that are all within the cap, or `None`
/// if the first is not.
///
/// A line that ends within the first `limit + 1` bytes is within the cap, so finding the last LF among them
/// checks many lines at once, by one backward search instead of one search for each line.
fn fitting_lines(left: &[u8], limit: usize) -> Option<usize> {
    let window = &left[..left.len().min(limit.saturating_add(1))];
    if let Some(end) = memrchr(b'\n', window) {
        return Some(end + 1);
    }
    // A text of exactly `limit` bytes may have a CR before its LF.
    let end = limit.checked_add(1)?;
    (left.get(end) == Some(&b'\n') && left.get(limit) == Some(&b'\r')).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(
        input: &[u8],
        limit: usize,
        after: After,
        lines: &[u8],
        rest: &[u8],
        long: &[usize],
        skips: bool,
    ) {
        let mut data = input.to_vec();
        let done = frame(&mut data, limit, after);
        assert_eq!(&data[..done.lines], lines, "lines");
        assert_eq!(&data[done.rest..], rest, "rest");
        assert_eq!(done.refused.iter().map(|line| line.index).collect::<Vec<_>>(), long, "long");
        assert_eq!(done.skips, skips, "skips");
    }

    #[test]
    fn lines_within_the_cap_stay_as_they_are() {
        check(b"ab\ncd\nef", 2, After::More, b"ab\ncd\n", b"ef", &[], false);
        check(b"ab\ncd\nef", 2, After::End, b"ab\ncd\nef", b"", &[], false);
        check(b"ab\r\ncd\r\n", 2, After::More, b"ab\r\ncd\r\n", b"", &[], false);
        check(b"\n\n\n", 0, After::More, b"\n\n\n", b"", &[], false);
        check(b"", 5, After::End, b"", b"", &[], false);
    }

    #[test]
    fn a_line_over_the_cap_becomes_an_empty_line() {
        check(b"ab\nlong\ncd\n", 2, After::More, b"ab\n\ncd\n", b"", &[1], false);
        check(b"abc\nxyz\nab\n", 2, After::More, b"\n\nab\n", b"", &[0, 1], false);
        check(b"ab\nlong", 2, After::More, b"ab\n\n", b"", &[1], true);
        check(b"ab\nlong", 2, After::End, b"ab\n\n", b"", &[1], false);
    }

    #[test]
    fn the_line_end_does_not_count() {
        check(b"abc\r\n", 2, After::More, b"\n", b"", &[0], false);
        check(b"ab\r\n", 2, After::More, b"ab\r\n", b"", &[], false);
        // Three bytes: the third may be the CR of a line end, or one too many.
        check(b"ab\r", 2, After::More, b"", b"ab\r", &[], false);
        check(b"ab\r", 2, After::End, b"\n", b"", &[0], false);
    }
}
