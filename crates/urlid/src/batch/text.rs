//! The text of some lines with padding around it, and the range of each line.
//!
//! The padding lets every phase read whole windows at any offset of a line. It may have any bytes. Usually it
//! is the neighbouring lines, and only the first and the last lines of a text are copied to get padding.

use core::iter::Peekable;
use core::ops::Range;

use urlid_simd::{Kernels, Simd, Task, Window};

use crate::plain::window;

/// The number of bytes before the lines. A message's label has at most eight bytes, and overwrites a copy of
/// the bytes before its text.
pub(super) const PADDING_BEFORE: usize = 8;

/// The number of bytes after the lines: two windows from the end of the last line.
pub(super) const PADDING_BEHIND: usize = 128;

/// The maximum number of bytes of lines in a text, unless a single line is longer. This fits the nearest
/// cache.
const CHUNK: usize = 24 << 10;

/// The maximum number of bytes for lines that are copied one at a time.
const COPIED_CHUNK: usize = 1 << 20;

/// The length of the longest line that is encoded, so that offsets fit in 32 bits.
const LONGEST: usize = 1 << 30;

/// The range of a line in its text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineRange {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The range of a placeholder for a line that is too long.
const EMPTY_LINE: LineRange = LineRange { start: PADDING_BEFORE as u32, end: PADDING_BEFORE as u32 };

/// Lines with padding around them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    bytes: &'a [u8],
    lines: &'a [LineRange],
    /// The text that is encoded after this one, as far as it is available.
    next: &'a [u8],
    is_utf8: bool,
    is_too_long: bool,
}

impl<'a> Text<'a> {
    /// Returns whether the text is a placeholder for one line of more than 1 GiB.
    pub(super) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// Returns the bytes with the padding.
    #[inline]
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub(super) fn lines(&self) -> &'a [LineRange] {
        self.lines
    }

    #[inline]
    pub(super) fn line(&self, line: LineRange) -> &'a [u8] {
        &self.bytes[line.start as usize..line.end as usize]
    }

    /// Returns whether all lines are known to be UTF-8.
    #[inline]
    pub(super) fn is_utf8(&self) -> bool {
        self.is_utf8
    }

    /// Prefetches the byte of the next text that has the same offset from its start.
    #[inline(always)]
    pub(super) fn prefetch_next(&self, offset: u32) {
        if let Some(byte) = self.next.get(offset as usize) {
            urlid_simd::prefetch(byte);
        }
    }

    /// Returns the 64 bytes that start at `offset`, which is at most 64 bytes after the end of a line.
    #[inline]
    pub(super) fn window(&self, offset: u32) -> &'a [u8; 64] {
        window(self.bytes, offset)
    }
}

/// Finds lines, and copies those that lack padding.
#[derive(Debug)]
pub(super) struct LineIndexer {
    /// [`LONGEST`], except in tests.
    pub(super) longest: usize,
    /// A copy of the lines that lacked padding, with padding.
    copied: Vec<u8>,
    lines: Vec<LineRange>,
    /// Scratch: the offsets of line feeds. Only the first part is in use.
    line_feeds: Vec<u32>,
}

impl Default for LineIndexer {
    fn default() -> Self {
        LineIndexer { longest: LONGEST, copied: Vec::new(), lines: Vec::new(), line_feeds: Vec::new() }
    }
}

impl LineIndexer {
    /// Copies up to `count` strings. Each string is a line, and may have any bytes.
    pub(super) fn strings<'u>(
        &mut self,
        strings: &mut Peekable<impl Iterator<Item = &'u str>>,
        count: usize,
    ) -> Text<'_> {
        self.lines.clear();
        clear(&mut self.copied);
        let LineIndexer { longest, copied, lines, .. } = self;
        copied.extend_from_slice(&[0; PADDING_BEFORE]);
        while lines.len() < count
            && let Some(string) = strings.next_if(|next| {
                next.len() <= *longest && (lines.is_empty() || copied.len() + next.len() <= COPIED_CHUNK)
            })
        {
            // All strings fit in a chunk, or there is a single one of at most `LONGEST` bytes, so offsets fit
            // in 32 bits.
            let start = copied.len() as u32;
            copied.extend_from_slice(string.as_bytes());
            lines.push(LineRange { start, end: copied.len() as u32 });
            // Bytes after a string must not look like a part of it.
            copied.push(b'\n');
        }
        let is_too_long = lines.is_empty() && strings.next().is_some();
        if is_too_long {
            lines.push(EMPTY_LINE);
        }
        copied.extend_from_slice(&[0; PADDING_BEHIND]);
        Text { bytes: copied, lines, next: &[], is_utf8: true, is_too_long }
    }

    /// Reads up to `count` consecutive strings of `source` from `start` on. Each string is a line, and may
    /// have any bytes. Returns the end offset of the last string.
    ///
    /// An end that is before the previous end or beyond the source is replaced by the nearest valid offset.
    pub(super) fn column<'a>(
        &'a mut self,
        source: &'a [u8],
        start: usize,
        ends: &mut Peekable<impl Iterator<Item = usize>>,
        count: usize,
    ) -> (Text<'a>, usize) {
        self.lines.clear();
        // As in `strings`, the lines fit in a chunk or are one line of at most `LONGEST` bytes, so offsets
        // fit in 32 bits.
        let shifted = |offset: usize| (PADDING_BEFORE + offset - start) as u32;
        let (mut end, mut are_chars_whole) = (start, true);
        while self.lines.len() < count
            && let Some(next) = ends.next_if(|next| {
                let next = (*next).clamp(end, source.len());
                next - end <= self.longest && (self.lines.is_empty() || next - start <= COPIED_CHUNK)
            })
        {
            let line_start = shifted(end);
            end = next.clamp(end, source.len());
            // A byte 10xxxxxx continues a character. If no string starts with such a byte, the strings are
            // UTF-8 if the chunk is UTF-8, which is checked once for all of them.
            are_chars_whole &= source.get(end).is_none_or(|byte| byte & 0xc0 != 0x80);
            self.lines.push(LineRange { start: line_start, end: shifted(end) });
        }
        if self.lines.is_empty()
            && let Some(next) = ends.next()
        {
            return (self.too_long(), next.clamp(start, source.len()));
        }
        let chunk = &source[start..end];
        let is_utf8 = are_chars_whole && (chunk.is_ascii() || str::from_utf8(chunk).is_ok());
        let bytes = padded(&mut self.copied, source, start..end);
        (Text { bytes, lines: &self.lines, next: &source[end..], is_utf8, is_too_long: false }, end)
    }

    /// Returns a placeholder for one line of more than 1 GiB.
    fn too_long(&mut self) -> Text<'_> {
        self.lines.clear();
        self.lines.push(EMPTY_LINE);
        let bytes = padded(&mut self.copied, &[], 0..0);
        Text { bytes, lines: &self.lines, next: &[], is_utf8: true, is_too_long: true }
    }

    /// Reads some whole lines of `source` from `start` on, and returns their end offset.
    ///
    /// A line ends with LF. One CR before the LF is not part of the line. The last line may lack its LF.
    pub(super) fn chunk<'a>(
        &'a mut self,
        source: &'a [u8],
        start: usize,
        kernels: Kernels,
    ) -> (Text<'a>, usize) {
        let end = start + chunk_len(&source[start..]);
        let chunk = &source[start..end];
        if chunk.len() > CHUNK {
            return (self.long_line(source, start..end), end);
        }
        let bytes = padded(&mut self.copied, source, start..end);

        if self.line_feeds.len() < chunk.len() + AT_ONCE {
            self.line_feeds.resize(CHUNK + AT_ONCE, 0);
        }
        let found = kernels.run(FindLineFeeds { bytes, len: chunk.len(), offsets: &mut self.line_feeds });
        self.lines.clear();
        let mut start = PADDING_BEFORE as u32;
        self.lines.extend(self.line_feeds[..found.count].iter().map(|&end| {
            let line = LineRange { start, end };
            start = end + 1;
            line
        }));
        if found.has_returns {
            for line in self.lines.iter_mut().filter(|line| line.end > line.start) {
                line.end -= u32::from(bytes[line.end as usize - 1] == b'\r');
            }
        }
        // Pushed after the loop above, because a line without LF keeps its CR.
        let last_end = (PADDING_BEFORE + chunk.len()) as u32;
        if start < last_end {
            self.lines.push(LineRange { start, end: last_end });
        }
        let is_utf8 = found.is_ascii || str::from_utf8(chunk).is_ok();
        (Text { bytes, lines: &self.lines, next: &source[end..], is_utf8, is_too_long: false }, end)
    }

    /// Reads one line that is longer than a chunk.
    fn long_line<'a>(&'a mut self, source: &'a [u8], range: Range<usize>) -> Text<'a> {
        let chunk = &source[range.clone()];
        let line = match chunk {
            [line @ .., b'\r', b'\n'] | [line @ .., b'\n'] => line,
            line => line,
        };
        if line.len() > self.longest {
            return self.too_long();
        }
        self.lines.clear();
        let start = PADDING_BEFORE as u32;
        self.lines.push(LineRange { start, end: start + line.len() as u32 });
        let is_utf8 = str::from_utf8(line).is_ok();
        Text {
            bytes: padded(&mut self.copied, source, range),
            lines: &self.lines,
            next: &[],
            is_utf8,
            is_too_long: false,
        }
    }
}

/// Clears a buffer and frees the memory of a long line.
fn clear(copied: &mut Vec<u8>) {
    copied.clear();
    copied.shrink_to(2 * COPIED_CHUNK);
}

/// Returns a range of `source` with padding around it. The range is only copied if `source` has too few bytes
/// around it.
fn padded<'a>(copied: &'a mut Vec<u8>, source: &'a [u8], range: Range<usize>) -> &'a [u8] {
    let start = range.start.checked_sub(PADDING_BEFORE);
    start.and_then(|start| source.get(start..range.end + PADDING_BEHIND)).unwrap_or_else(|| {
        clear(copied);
        copied.extend_from_slice(&[0; PADDING_BEFORE]);
        copied.extend_from_slice(&source[range]);
        copied.extend_from_slice(&[0; PADDING_BEHIND]);
        copied
    })
}

/// Returns the length of the whole lines to read: up to a chunk, or a single longer line.
fn chunk_len(source: &[u8]) -> usize {
    let Some(head) = source.get(..CHUNK) else { return source.len() };
    match memchr::memrchr(b'\n', head) {
        Some(offset) => offset + 1,
        None => memchr::memchr(b'\n', &source[CHUNK..]).map_or(source.len(), |offset| CHUNK + offset + 1),
    }
}

/// Finds the line feeds in the `len` bytes after the padding. `offsets` has room for all of them and
/// [`AT_ONCE`] more.
struct FindLineFeeds<'t> {
    bytes: &'t [u8],
    len: usize,
    offsets: &'t mut [u32],
}

struct LineFeeds {
    count: usize,
    is_ascii: bool,
    /// Whether there is any CR.
    has_returns: bool,
}

/// The number of offsets that are written at once. Few windows have more line feeds.
const AT_ONCE: usize = 4;

impl Task for FindLineFeeds<'_> {
    type Output = LineFeeds;

    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) -> LineFeeds {
        let (mut count, mut non_ascii, mut returns) = (0, 0, 0);
        for offset in (0..self.len).step_by(64) {
            let base = (PADDING_BEFORE + offset) as u32;
            let window = simd.window(window(self.bytes, base));
            let inside = !u64::MAX.unbounded_shl((self.len - offset).min(64) as u32);
            non_ascii |= window.non_ascii() & inside;
            returns |= window.equal(b'\r') & inside;
            // Four offsets are written at a time, even if there are fewer line feeds. A loop that ends with
            // the last line feed would be mispredicted in most windows. `x & (x - 1)` clears the lowest set
            // bit. Once all bits are cleared, the loop writes invalid offsets, which the next window
            // overwrites.
            let mut line_feeds = window.equal(b'\n') & inside;
            let end = count + line_feeds.count_ones() as usize;
            loop {
                for offset in &mut self.offsets[count..count + AT_ONCE] {
                    *offset = base + line_feeds.trailing_zeros();
                    line_feeds &= line_feeds.wrapping_sub(1);
                }
                count += AT_ONCE;
                if count >= end {
                    break;
                }
            }
            count = end;
        }
        LineFeeds { count, is_ascii: non_ascii == 0, has_returns: returns != 0 }
    }
}

#[cfg(test)]
mod tests;
