//! The text of some lines, with room around it, and where each line is in it.
//!
//! The room lets every phase read whole windows at any place of a line. It may hold anything: neighbouring lines, most often,
//! for only the first and the last lines of a text must be moved to get room.

use std::iter::Peekable;
use std::ops::Range;

use urlid_simd::{Kernels, Simd, Task, Window};

/// Bytes before the lines: a message's label is laid over what stands before its text.
pub(super) const ROOM_BEFORE: usize = 8;

/// Bytes behind the lines: two windows from the end of the last one.
pub(super) const ROOM_BEHIND: usize = 128;

/// As many bytes of lines are taken at once, unless one line is longer: they fit the nearest cache.
const PIECE: usize = 24 << 10;

/// The most bytes of lines that were given one by one, unless one line has more.
const ENOUGH: usize = 1 << 20;

/// A line of more bytes is not looked at, so that offsets fit in 32 bits.
const LONGEST: usize = 1 << 30;

/// Where a line is in the text, in bytes, its end not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Line {
    /// Returns the length in bytes.
    #[inline]
    pub(super) fn len(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// In place of a line that is too long.
const NOWHERE: Line = Line { start: ROOM_BEFORE as u32, end: ROOM_BEFORE as u32 };

/// Lines with room around them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    bytes: &'a [u8],
    lines: &'a [Line],
    is_utf8: bool,
    is_too_long: bool,
}

impl<'a> Text<'a> {
    /// Returns whether the text stands for one line of more than 1 GiB, which is not in it.
    pub(super) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// Returns the bytes, room included.
    #[inline]
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the lines.
    pub(super) fn lines(&self) -> &'a [Line] {
        self.lines
    }

    /// Returns the bytes of a line.
    #[inline]
    pub(super) fn line(&self, line: Line) -> &'a [u8] {
        &self.bytes[line.start as usize..line.end as usize]
    }

    /// Returns whether all lines are known to be UTF-8.
    #[inline]
    pub(super) fn is_utf8(&self) -> bool {
        self.is_utf8
    }

    /// Returns the 64 bytes from `offset` on, which is at most 64 bytes behind the end of a line.
    #[inline]
    pub(super) fn window(&self, offset: u32) -> &'a [u8; 64] {
        window(self.bytes, offset as usize)
    }
}

/// Finds lines, and gives them room.
#[derive(Debug)]
pub(super) struct Indexer {
    /// [`LONGEST`], but in tests.
    pub(super) longest: usize,
    /// Lines that had no room where they were.
    moved: Vec<u8>,
    lines: Vec<Line>,
    /// The offsets of line feeds; a scratch, only its first part in use.
    feeds: Vec<u32>,
}

impl Default for Indexer {
    fn default() -> Self {
        Indexer { longest: LONGEST, moved: Vec::new(), lines: Vec::new(), feeds: Vec::new() }
    }
}

impl Indexer {
    /// Takes up to `count` strings, each as a line of its own, whatever is in it.
    pub(super) fn strings<'u>(
        &mut self,
        strings: &mut Peekable<impl Iterator<Item = &'u str>>,
        count: usize,
    ) -> Text<'_> {
        self.lines.clear();
        clear(&mut self.moved);
        let Indexer { longest, moved, lines, .. } = self;
        moved.extend_from_slice(&[0; ROOM_BEFORE]);
        while lines.len() < count
            && let Some(string) = strings.next_if(|next| {
                next.len() <= *longest && (lines.is_empty() || moved.len() + next.len() <= ENOUGH)
            })
        {
            let start = moved.len() as u32;
            moved.extend_from_slice(string.as_bytes());
            lines.push(Line { start, end: moved.len() as u32 });
            // What stands behind a string must not look like more of it.
            moved.push(b'\n');
        }
        let is_too_long = lines.is_empty() && strings.next().is_some();
        if is_too_long {
            lines.push(NOWHERE);
        }
        moved.extend_from_slice(&[0; ROOM_BEHIND]);
        Text { bytes: moved, lines, is_utf8: true, is_too_long }
    }

    /// Takes up to `count` strings that stand one behind the other in `source` from `start` on, each up to its end and as a line
    /// of its own, whatever is in it, and returns where the last one ends.
    ///
    /// An end that is before the last one, or beyond the source, is moved to where one can be.
    pub(super) fn column<'a>(
        &'a mut self,
        source: &'a [u8],
        start: usize,
        ends: &mut Peekable<impl Iterator<Item = usize>>,
        count: usize,
    ) -> (Text<'a>, usize) {
        self.lines.clear();
        let place = |offset: usize| (ROOM_BEFORE + offset - start) as u32;
        let (mut end, mut are_chars_whole) = (start, true);
        while self.lines.len() < count
            && let Some(next) = ends.next_if(|next| {
                let next = (*next).clamp(end, source.len());
                next - end <= self.longest && (self.lines.is_empty() || next - start <= ENOUGH)
            })
        {
            let line_start = place(end);
            end = next.clamp(end, source.len());
            are_chars_whole &= source.get(end).is_none_or(|byte| byte & 0xc0 != 0x80);
            self.lines.push(Line { start: line_start, end: place(end) });
        }
        if self.lines.is_empty()
            && let Some(next) = ends.next()
        {
            return (self.too_long(), next.clamp(start, source.len()));
        }
        let piece = &source[start..end];
        let is_utf8 = are_chars_whole && (piece.is_ascii() || str::from_utf8(piece).is_ok());
        let bytes = with_room(&mut self.moved, source, start..end);
        (Text { bytes, lines: &self.lines, is_utf8, is_too_long: false }, end)
    }

    /// Returns the text that stands for one line of more than 1 GiB.
    fn too_long(&mut self) -> Text<'_> {
        self.lines.clear();
        self.lines.push(NOWHERE);
        let bytes = with_room(&mut self.moved, &[], 0..0);
        Text { bytes, lines: &self.lines, is_utf8: true, is_too_long: true }
    }

    /// Takes some whole lines of `source` from `start` on, and returns where they end.
    ///
    /// A line ends with LF, and one CR before that is no part of it; the last line may lack its LF.
    pub(super) fn piece<'a>(
        &'a mut self,
        source: &'a [u8],
        start: usize,
        kernels: Kernels,
    ) -> (Text<'a>, usize) {
        let end = start + piece_len(&source[start..]);
        let piece = &source[start..end];
        if piece.len() > PIECE {
            return (self.long_line(source, start..end), end);
        }
        let bytes = with_room(&mut self.moved, source, start..end);

        if self.feeds.len() < piece.len() + AT_ONCE {
            self.feeds.resize(PIECE + AT_ONCE, 0);
        }
        let found = kernels.run(FindFeeds { bytes, len: piece.len(), feeds: &mut self.feeds });
        self.lines.clear();
        let mut start = ROOM_BEFORE as u32;
        for &feed in &self.feeds[..found.feeds] {
            let end = feed - u32::from(feed > start && bytes[feed as usize - 1] == b'\r');
            self.lines.push(Line { start, end });
            start = feed + 1;
        }
        let last_end = (ROOM_BEFORE + piece.len()) as u32;
        if start < last_end {
            self.lines.push(Line { start, end: last_end });
        }
        let is_utf8 = found.is_ascii || str::from_utf8(piece).is_ok();
        (Text { bytes, lines: &self.lines, is_utf8, is_too_long: false }, end)
    }

    /// Takes a range that is one line of more than a piece.
    fn long_line<'a>(&'a mut self, source: &'a [u8], range: Range<usize>) -> Text<'a> {
        let piece = &source[range.clone()];
        let line = match piece {
            [line @ .., b'\r', b'\n'] | [line @ .., b'\n'] => line,
            line => line,
        };
        if line.len() > self.longest {
            return self.too_long();
        }
        self.lines.clear();
        let start = ROOM_BEFORE as u32;
        self.lines.push(Line { start, end: start + line.len() as u32 });
        let is_utf8 = str::from_utf8(line).is_ok();
        Text {
            bytes: with_room(&mut self.moved, source, range),
            lines: &self.lines,
            is_utf8,
            is_too_long: false,
        }
    }
}

/// Empties a buffer, and gives back the memory that a long line took.
fn clear(moved: &mut Vec<u8>) {
    moved.clear();
    moved.shrink_to(2 * ENOUGH);
}

/// Returns the 64 bytes from `offset` on.
#[inline(always)]
pub(super) fn window(bytes: &[u8], offset: usize) -> &[u8; 64] {
    bytes[offset..].first_chunk().expect("there is room for two windows behind every line")
}

/// Returns a range of `source` with room around it: where it is, if there is room, else moved.
fn with_room<'a>(moved: &'a mut Vec<u8>, source: &'a [u8], range: Range<usize>) -> &'a [u8] {
    let with_room =
        range.start.checked_sub(ROOM_BEFORE).and_then(|start| source.get(start..range.end + ROOM_BEHIND));
    with_room.unwrap_or_else(|| {
        clear(moved);
        moved.extend_from_slice(&[0; ROOM_BEFORE]);
        moved.extend_from_slice(&source[range]);
        moved.extend_from_slice(&[0; ROOM_BEHIND]);
        moved
    })
}

/// Returns how many bytes of whole lines to take: about a piece, or one line that is longer.
fn piece_len(source: &[u8]) -> usize {
    let Some(head) = source.get(..PIECE) else { return source.len() };
    match memchr::memrchr(b'\n', head) {
        Some(feed) => feed + 1,
        None => memchr::memchr(b'\n', &source[PIECE..]).map_or(source.len(), |feed| PIECE + feed + 1),
    }
}

/// Finds the line feeds among the `len` bytes behind the room; `feeds` has room for all and [`AT_ONCE`] more.
struct FindFeeds<'t> {
    bytes: &'t [u8],
    len: usize,
    feeds: &'t mut [u32],
}

/// What was found in a piece.
struct Found {
    /// The number of line feeds.
    feeds: usize,
    is_ascii: bool,
}

/// Line feeds of a window that are written without asking how many there are: seldom are there more.
const AT_ONCE: usize = 4;

impl Task for FindFeeds<'_> {
    type Output = Found;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Found {
        let (mut count, mut non_ascii) = (0, 0);
        for offset in (0..self.len).step_by(64) {
            let window = simd.window(window(self.bytes, ROOM_BEFORE + offset));
            let inside = !u64::MAX.unbounded_shl((self.len - offset).min(64) as u32);
            non_ascii |= window.non_ascii() & inside;
            let mut feeds = window.equal(b'\n') & inside;
            let base = (ROOM_BEFORE + offset) as u32;
            let end = count + feeds.count_ones() as usize;
            loop {
                for place in &mut self.feeds[count..count + AT_ONCE] {
                    *place = base + feeds.trailing_zeros();
                    feeds &= feeds.wrapping_sub(1);
                }
                count += AT_ONCE;
                if count >= end {
                    break;
                }
            }
            count = end;
        }
        Found { feeds: count, is_ascii: non_ascii == 0 }
    }
}

#[cfg(test)]
mod tests;
