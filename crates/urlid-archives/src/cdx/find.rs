//! Binary search for lines in a sorted index: a plain file, or the blocks of a ZipNum index. The blocks can
//! also be listed without being read.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use flate2::bufread::MultiGzDecoder;
use memchr::memchr;
use serde::Deserialize;
use urlid::Error;

use super::keys::LineRange;
use super::layout::CdxLayout;
use crate::error;
use crate::warc::excerpt;

/// The most bytes of a line. A longer one is an error.
const MAX_LINE: usize = 1 << 20;
/// The size in bytes of a range that is read line by line instead of being halved again.
const SMALL: u64 = 16 << 10;

/// Called with each line found. Returns whether to continue.
pub type Take<'t> = dyn FnMut(&[u8]) -> ControlFlow<()> + 't;

/// Calls `take` with the lines of a sorted index that are in `range`. For a ZipNum index, `open` opens a file
/// of blocks by name.
///
/// # Errors
/// If the files cannot be read or do not form an index.
pub fn find<R: Read + Seek, P: Read + Seek>(
    index: R,
    range: &LineRange,
    open: &mut dyn FnMut(&str) -> io::Result<P>,
    take: &mut Take<'_>,
) -> Result<(), Error> {
    let (mut index, first) = begin(index)?;
    let (is_empty, first) = (first.is_none(), first.unwrap_or_default());
    let meta = Meta::parse(&first);
    if meta.is_none() && IndexBlock::parse(&first, None).is_none() {
        // A list of pages lacks keys, so it cannot be searched.
        let layout = CdxLayout::recognise(&first).filter(|layout| *layout != CdxLayout::Pages);
        if !is_empty && layout.is_none() {
            return Err(error::NO_INDEX.error().with_shown(excerpt(&first)));
        }
        // Only for an empty index, in which any layout finds zero lines.
        let layout = layout.unwrap_or(CdxLayout::Cdxj);
        if !has_keys(layout, &first) {
            return Err(error::NO_KEYS.error().with_shown(excerpt(&first)));
        }
        check_order(&mut index, layout)?;
        let range = range.styled(layout);
        seek_before(&mut index, &range.start, layout)?;
        return scan(&mut index, &range, layout, take).map(|_| ());
    }
    each_block(&mut index, meta.as_ref(), range, &mut |block| scan_block(block, range, open, take))
}

/// Adds the blocks of a ZipNum index that may have lines in `range` to `blocks`, sorted by file and offset.
/// The blocks are not read. Blocks that overlap or follow each other in a file are joined.
///
/// # Errors
/// If the index cannot be read, is not sorted or not a ZipNum index, or a line that may be in the range does
/// not name a block. The blocks before it are added.
pub fn plan<R: Read + Seek>(index: R, range: &LineRange, blocks: &mut Vec<IndexBlock>) -> Result<(), Error> {
    let (mut index, Some(first)) = begin(index)? else { return Ok(()) };
    let meta = Meta::parse(&first);
    if meta.is_none() && IndexBlock::parse(&first, None).is_none() {
        return Err(error::NO_BLOCK.error().with_shown(excerpt(&first)));
    }
    let found = each_block(&mut index, meta.as_ref(), range, &mut |block| {
        if !blocks.last_mut().is_some_and(|last| last.takes(&block)) {
            blocks.push(block);
        }
        Ok(ControlFlow::Continue(()))
    });
    blocks.sort();
    blocks.dedup_by(|block, last| last.takes(block));
    found
}

/// Returns whether the first line of a file is the one of a ZipNum index, which names its blocks.
pub fn is_zipnum(first: &[u8]) -> bool {
    Meta::parse(first).is_some() || IndexBlock::parse(first, None).is_some()
}

/// Starts to read an index, and returns its first line, if it has one.
fn begin<R: Read>(index: R) -> Result<(BufReader<R>, Option<Vec<u8>>), Error> {
    let mut index = BufReader::with_capacity(SMALL as usize, index);
    let mut first = Vec::new();
    let is_line = read_line(&mut index, &mut first)?;
    Ok((index, is_line.then_some(first)))
}

/// Calls `take` with each block that may have lines in the range.
fn each_block<R: Read + Seek>(
    index: &mut BufReader<R>,
    meta: Option<&Meta>,
    range: &LineRange,
    take: &mut dyn FnMut(IndexBlock) -> Result<ControlFlow<()>, Error>,
) -> Result<(), Error> {
    check_order(index, CdxLayout::Cdxj)?;
    let mut read_block = |line: &[u8]| match IndexBlock::parse(line, meta) {
        Some(block) => take(block),
        None if line.starts_with(b"!meta ") => Ok(ControlFlow::Continue(())),
        None => Err(error::NO_BLOCK.error().with_shown(excerpt(line))),
    };
    // The index has the first line of each block. The last block that starts before the range may also
    // contain lines of the range, so it is read.
    seek_before(index, &range.start, CdxLayout::Cdxj)?;
    let (mut line, mut before) = (Vec::new(), Vec::new());
    loop {
        let is_line = read_line(index, &mut line)?;
        if is_line && line < range.start {
            std::mem::swap(&mut line, &mut before);
            continue;
        }
        if !before.is_empty() && read_block(&std::mem::take(&mut before))?.is_break() {
            return Ok(());
        }
        if !is_line || line >= range.end || read_block(&line)?.is_break() {
            return Ok(());
        }
    }
}

/// Returns whether the first column of an index is a key. A header for an index without keys starts with a
/// different letter.
fn has_keys(layout: CdxLayout, first: &[u8]) -> bool {
    let first = sorted_by(layout, first);
    let header = [&b" CDX "[..], b"\tCDX\t"].iter().find_map(|start| first.strip_prefix(*start));
    header.is_none_or(|names| matches!(names, [b'N' | b'A', b' ' | b'\t', ..]))
}

/// The size in bytes up to which every line of an index is compared with the previous one, which takes a
/// fraction of a second.
const WHOLE: u64 = 64 << 20;
/// The number of lines that are compared in a larger index, at equal distances. At its end, where lines are
/// appended, all lines in `WHOLE / 64` bytes are compared.
const SAMPLES: u64 = 4096;

/// Returns an error if an index is found not to be sorted by its keys, so that a search would miss lines.
fn check_order<R: Read + Seek>(file: &mut BufReader<R>, layout: CdxLayout) -> Result<(), Error> {
    let size = file.seek(SeekFrom::End(0)).map_err(error::read)?;
    let (mut line, mut key, mut before) = (Vec::new(), Vec::new(), Vec::new());
    let mut compare = |line: &[u8]| {
        let text = sorted_by(layout, line);
        // Headers, blank lines and the frame of rows are anywhere.
        if text.is_empty() || matches!(text[0], b'!' | b' ' | b'\t') {
            return Ok(());
        }
        key.clear();
        // Only keys are compared, because a search does not depend on the order of the lines of one key.
        key.extend_from_slice(text.split(|byte| matches!(byte, b' ' | b'\t')).next().unwrap_or_default());
        if key < before {
            return Err(error::UNSORTED.error().with_shown(excerpt(&key)).with_expected(excerpt(&before)));
        }
        std::mem::swap(&mut key, &mut before);
        Ok(())
    };
    let tail = if size > WHOLE { size - WHOLE / 64 } else { 0 };
    let samples = (0..if tail > 0 { SAMPLES } else { 0 }).map(|sample| tail / SAMPLES * sample);
    for offset in samples {
        seek_line(file, offset)?;
        if read_line(file, &mut line)? {
            compare(&line)?;
        }
    }
    seek_line(file, tail)?;
    while read_line(file, &mut line)? {
        compare(&line)?;
    }
    Ok(())
}

/// Moves to the first line that starts at `offset` or after it, and returns its offset.
fn seek_line<R: Read + Seek>(file: &mut BufReader<R>, offset: u64) -> Result<u64, Error> {
    // The search starts at the byte before. If that is an LF, a line starts at `offset` and is not skipped.
    let before = offset.saturating_sub(1);
    file.seek(SeekFrom::Start(before)).map_err(error::read)?;
    Ok(if offset == 0 { 0 } else { before + skip_line(file).map_err(error::read)? })
}

/// Calls `take` with the lines of a block that are in the range. Returns `Break` at the end of the range, or
/// if `take` does.
fn scan_block<P: Read + Seek>(
    block: IndexBlock,
    range: &LineRange,
    open: &mut dyn FnMut(&str) -> io::Result<P>,
    take: &mut Take<'_>,
) -> Result<ControlFlow<()>, Error> {
    let name = || block.part.escape_debug().to_string();
    let unread = |source| error::PART.error().with_subject(name()).with_source(source);
    let mut part = open(&block.part).map_err(unread)?;
    part.seek(SeekFrom::Start(block.offset)).map_err(unread)?;
    let mut lines = BufReader::new(MultiGzDecoder::new(BufReader::new(part.take(block.length))));
    scan(&mut lines, range, CdxLayout::Cdxj, take).map_err(|error| match error::system_error(&error) {
        // Errors of the decoder are `io::Error`s without a code of the operating system.
        Some(source) if source.raw_os_error().is_none() => {
            let damaged = error::BLOCK.error().with_subject(name()).with_number(block.offset);
            damaged.with_shown(source.to_string().to_lowercase())
        }
        Some(_) => error.with_kind(error::PART).with_subject(name()),
        None => error,
    })
}

/// Calls `take` with the lines that are in the range. Returns `Break` at the end of the range, or if `take`
/// does.
fn scan(
    lines: &mut impl BufRead,
    range: &LineRange,
    layout: CdxLayout,
    take: &mut Take<'_>,
) -> Result<ControlFlow<()>, Error> {
    let mut line = Vec::new();
    while read_line(lines, &mut line)? {
        let text = sorted_by(layout, &line);
        if *text >= *range.end {
            return Ok(ControlFlow::Break(()));
        }
        if *text >= *range.start && take(&line).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Returns the text by which a line is sorted. A malformed row of JSON is returned unchanged.
fn sorted_by(layout: CdxLayout, line: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    layout.plain(line).unwrap_or(std::borrow::Cow::Borrowed(line))
}

/// Seeks to a line before `start`, or to the first line, such that few lines are between the two.
fn seek_before<R: Read + Seek>(
    file: &mut BufReader<R>,
    start: &[u8],
    layout: CdxLayout,
) -> Result<(), Error> {
    let (mut low, mut high) = (0, file.seek(SeekFrom::End(0)).map_err(error::read)?);
    let mut line = Vec::new();
    while high - low > SMALL {
        let middle = low + (high - low) / 2;
        let begin = seek_line(file, middle)?;
        // The first line from `high` on is not less than `start`, so a line after `high` is not read again.
        let is_before = begin < high && read_line(file, &mut line)? && *sorted_by(layout, &line) < *start;
        // `low` is the start of a line. `high` may be within a line, so it is set to the middle instead of
        // `begin`.
        if is_before { low = begin } else { high = middle }
    }
    file.seek(SeekFrom::Start(low)).map_err(error::read)?;
    Ok(())
}

/// Skips the rest of a line, whatever its length, and returns the number of bytes.
fn skip_line(file: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let there = file.fill_buf()?;
        let end = memchr(b'\n', there);
        let len = end.map_or(there.len(), |end| end + 1);
        file.consume(len);
        skipped += len as u64;
        if end.is_some() || len == 0 {
            return Ok(skipped);
        }
    }
}

/// Reads a line without its line end. Returns whether there is one.
fn read_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, Error> {
    line.clear();
    // The limit and two bytes, for CR and LF.
    let n = file.take(MAX_LINE as u64 + 2).read_until(b'\n', line).map_err(error::read)?;
    let text =
        line.strip_suffix(b"\n").map_or(line.len(), |text| text.strip_suffix(b"\r").unwrap_or(text).len());
    line.truncate(text);
    if line.len() > MAX_LINE {
        Err(error::LONG_LINE.error().with_expected(MAX_LINE.to_string()))
    } else {
        Ok(n > 0)
    }
}

/// The first line of the ZipNum index of a WACZ file: `!meta 0 {"format": "cdxj-gzip-1.0", "filename": …}`.
#[derive(Debug, Deserialize)]
struct Meta {
    filename: String,
}

impl Meta {
    fn parse(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line.strip_prefix(b"!meta 0 ")?).ok()
    }
}

/// The place of a block, or of several that follow each other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexBlock {
    /// The name of its file, which is in the folder of the index.
    pub part: String,
    /// Its start in the file, in bytes.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u64,
}

/// The place of a block in JSON.
#[derive(Deserialize)]
struct ByteRange {
    offset: u64,
    length: u64,
}

impl IndexBlock {
    /// Extends this block by a block that starts in it or at its end. Returns whether it did.
    fn takes(&mut self, block: &IndexBlock) -> bool {
        let ends = self.offset.checked_add(self.length).zip(block.offset.checked_add(block.length));
        let Some((end, other_end)) = ends else { return false };
        let is_taken = self.part == block.part && (self.offset..=end).contains(&block.offset);
        if is_taken {
            self.length = end.max(other_end) - self.offset;
        }
        is_taken
    }

    /// Parses a line: `key time`, file, offset and length, separated by tabs. With `meta`, a line has key,
    /// time and a JSON object instead.
    fn parse(line: &[u8], meta: Option<&Meta>) -> Option<Self> {
        let line = str::from_utf8(line).ok()?;
        let (part, ByteRange { offset, length }) = match meta {
            Some(meta) => (meta.filename.as_str(), serde_json::from_str(line.splitn(3, ' ').nth(2)?).ok()?),
            None => {
                let mut fields = line.split('\t').skip(1);
                let part = fields.next()?;
                (
                    part,
                    ByteRange { offset: fields.next()?.parse().ok()?, length: fields.next()?.parse().ok()? },
                )
            }
        };
        let is_beside = !part.is_empty() && part != ".." && !part.contains(['/', '\\']);
        // Only names in the folder of the index are accepted, so that an untrusted index cannot choose the
        // files that are read.
        is_beside.then(|| IndexBlock { part: part.to_owned(), offset, length })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use urlid::ErrorCode;

    use super::*;
    use crate::cdxj::ZipNumWriter;

    fn found(index: &[u8], parts: &[u8], range: &LineRange) -> Result<Vec<String>, Error> {
        let mut lines = Vec::new();
        find(Cursor::new(index), range, &mut |_| Ok(Cursor::new(parts)), &mut |line| {
            lines.push(String::from_utf8_lossy(line).into_owned());
            ControlFlow::Continue(())
        })?;
        Ok(lines)
    }

    /// Returns the lines of the range in the bytes that are planned for it, which are one piece.
    fn in_planned(index: &[u8], parts: &[u8], range: &LineRange) -> Vec<String> {
        let mut planned = Vec::new();
        plan(Cursor::new(index), range, &mut planned).expect("it can be read");
        assert!(planned.len() <= 1, "{planned:?}");
        let mut text = String::new();
        for block in &planned {
            let (start, end) = (block.offset as usize, (block.offset + block.length) as usize);
            MultiGzDecoder::new(&parts[start..end]).read_to_string(&mut text).expect("the blocks are whole");
        }
        let is_in = |line: &&str| line.as_bytes() >= &*range.start && line.as_bytes() < &*range.end;
        text.lines().filter(is_in).map(str::to_owned).collect()
    }

    #[test]
    fn a_plan_is_the_block_before_the_range_and_those_in_it() {
        let line = |key: &str, part: &str, offset: u64, length: u64| {
            format!("{key} 20260102030405\t{part}\t{offset}\t{length}\t1\n")
        };
        let index = [
            line("com,a)/", "cdx-0.gz", 0, 10),
            line("com,b)/", "cdx-0.gz", 10, 5),
            line("com,c)/", "cdx-0.gz", 15, 5),
            line("com,d)/", "cdx-1.gz", 0, 7),
            line("com,e)/", "cdx-1.gz", 9, 7),
        ]
        .concat();
        let planned = |index: &str, start: &str, end: &str| {
            let range = LineRange { start: start.into(), end: end.into() };
            let mut blocks = Vec::new();
            let result = plan(Cursor::new(index), &range, &mut blocks);
            let places: Vec<_> = blocks
                .iter()
                .map(|block| format!("{} {} {}", block.part, block.offset, block.length))
                .collect();
            (places.join(", "), result.err().map(|found| found.is(error::NO_BLOCK)))
        };
        for (start, end, expected) in [
            ("com,a", "com,a)/ 1", ""),
            ("com,a", "com,a)/ 3", "cdx-0.gz 0 10"),
            ("com,a)/ 3", "com,b", "cdx-0.gz 0 10"),
            ("com,b)/", "com,b)0", "cdx-0.gz 0 15"),
            ("com,b,x)/", "com,b,x)0", "cdx-0.gz 10 5"),
            ("com,b)/x", "com,d)/z", "cdx-0.gz 10 10, cdx-1.gz 0 7"),
            ("com,d)/x", "com,z", "cdx-1.gz 0 7, cdx-1.gz 9 7"),
            ("com,z", "com,zz", "cdx-1.gz 9 7"),
        ] {
            assert_eq!(planned(&index, start, end), (expected.to_owned(), None), "{start} to {end}");
        }
        let damaged =
            index.replace("com,c)/ 20260102030405\tcdx-0.gz\t15", "com,c)/ 20260102030405\tcdx-0.gz\t?");
        assert_eq!(planned(&damaged, "com,a", "com,z"), ("cdx-0.gz 0 15".to_owned(), Some(true)));
        assert_eq!(planned(&damaged, "com,d)/", "com,z").1, Some(true));
        assert_eq!(planned(&damaged, "com,a", "com,b"), ("cdx-0.gz 0 10".to_owned(), None));
        let mut twice = Vec::new();
        for (start, end) in [("com,d)/x", "com,z"), ("com,b)/x", "com,c"), ("com,a)/x", "com,b)/z")] {
            let range = LineRange { start: start.into(), end: end.into() };
            plan(Cursor::new(&index), &range, &mut twice).expect("it can be read");
        }
        let lengths: Vec<_> = twice.iter().map(|block| (&*block.part, block.offset, block.length)).collect();
        assert_eq!(lengths, [("cdx-0.gz", 0, 15), ("cdx-1.gz", 0, 7), ("cdx-1.gz", 9, 7)]);
        let huge = [line("a", "x", u64::MAX - 1, 1), line("b", "x", u64::MAX, 1)].concat();
        assert_eq!(planned(&huge, "a", "c").0, "x 18446744073709551614 1, x 18446744073709551615 1");
        assert_eq!(planned("com,a)/ 1 {}\n", "a", "z"), (String::new(), Some(true)));
        assert_eq!(planned("", "a", "z"), (String::new(), None));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]
        #[test]
        fn lines_in_the_range_are_found(
            lines in prop::collection::btree_set("[a-c]{1,4} 20260102030405 [{]x{0,900}", 0..200),
            start in "[a-c]{0,3}",
            end in "[a-d]{0,3}",
            each in 1_usize..9
        ) {
            let range = LineRange { start: start.into_bytes(), end: end.into_bytes() };
            let is_in = |line: &&String| line.as_bytes() >= &*range.start && line.as_bytes() < &*range.end;
            let expected: Vec<_> = lines.iter().filter(is_in).cloned().collect();
            let plain: String = lines.iter().map(|line| format!("{line}\n")).collect();
            prop_assert_eq!(found(plain.as_bytes(), b"", &range).expect("it can be read"), expected.clone());

            let mut writer = ZipNumWriter::new(Vec::new(), Vec::new(), "a.gz".to_owned(), each);
            lines.iter().for_each(|line| writer.push(line).expect("there is room"));
            let (blocks, index) = writer.finish().expect("there is room");
            prop_assert_eq!(found(&index, &blocks, &range).expect("it can be read"), expected.clone());
            prop_assert_eq!(in_planned(&index, &blocks, &range), expected.clone());

            let places = String::from_utf8(index).expect("it is text");
            let wacz = places.lines().map(|line| {
                let fields: Vec<_> = line.split('\t').collect();
                format!("{} {{\"offset\": {}, \"length\": {}}}\n", fields[0], fields[2], fields[3])
            });
            let wacz: String = std::iter::once("!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"a.gz\"}\n".to_owned()).chain(wacz).collect();
            prop_assert_eq!(found(wacz.as_bytes(), &blocks, &range).expect("it can be read"), expected.clone());
            prop_assert_eq!(in_planned(wacz.as_bytes(), &blocks, &range), expected);
        }
    }

    #[test]
    fn an_index_that_a_search_would_miss_lines_of_is_an_error() {
        let range = LineRange { start: b"a".to_vec(), end: b"z".to_vec() };
        let line = |key: &str| format!("{key} 20260102030405 {{\"url\": \"http://h/\"}}\n");
        let index = |keys: &[&str]| keys.iter().map(|key| line(key)).collect::<String>();
        for (index, kind) in [
            (index(&["a", "c", "b"]), error::UNSORTED),
            (index(&["b", "a"]), error::UNSORTED),
            (format!("{}!meta 0 {{}}\n{}", index(&["b", "d"]), index(&["a"])), error::UNSORTED),
            ("a 1\tx.gz\t0\t9\t1\nc 1\tx.gz\t0\t9\t2\nb 1\tx.gz\t0\t9\t3\n".to_owned(), error::UNSORTED),
            (" CDX a b a m s k r M V g u\n".to_owned(), error::NO_KEYS),
            (" CDX b N a\n".to_owned(), error::NO_KEYS),
            ("\tCDX\ta\tb\n".to_owned(), error::NO_KEYS),
            ("[[\"original\",\"timestamp\"],\n".to_owned(), error::NO_KEYS),
        ] {
            let error = found(index.as_bytes(), b"", &range).expect_err(&index);
            assert!(error.is(kind), "{index}: {error}");
        }
        let later = |key: &str| line(key).replace("2026", "2025");
        let times = [line("a"), later("a"), line("a/"), line("aa"), line("b")].concat();
        assert_eq!(found(times.as_bytes(), b"", &range).expect("it is sorted by keys").len(), 5);
    }

    #[test]
    fn a_large_index_is_compared_at_many_places_and_to_its_end() {
        let range = LineRange { start: b"x".to_vec(), end: b"y".to_vec() };
        let line = |number: u64| format!("k{number:07} 20260102030405 {{{}}}\n", "x".repeat(500));
        let count = (WHOLE + (WHOLE >> 4)) / line(0).len() as u64;
        let sorted: String = (0..count).map(line).collect();
        assert!(found(sorted.as_bytes(), b"", &range).is_ok());
        for wrong in [format!("{sorted}{}", line(count - 2)), [&sorted[sorted.len() / 2..], &sorted].concat()]
        {
            let lines = &wrong[wrong.find('k').expect("a line")..];
            let error = found(lines.as_bytes(), b"", &range).expect_err("it is not sorted");
            assert!(error.is(error::UNSORTED), "{error}");
        }
    }

    #[test]
    fn hostile_indexes_are_errors() {
        let range = LineRange { start: b"a".to_vec(), end: b"z".to_vec() };
        let error = |index: &str, parts: &[u8]| {
            found(index.as_bytes(), parts, &range).expect_err("it is wrong").code()
        };
        assert_eq!(
            error("a 1\tx.gz\t0\t9\t1\nb 1\t../x.gz\t0\t9\t2\n", &urlid_testing::gzip(b"a 1\n")),
            ErrorCode::Compressed
        );
        assert_eq!(
            error("a 1\tx.gz\t0\t99\t1\nb 1\t../x.gz\t0\t9\t2\n", &urlid_testing::gzip(b"a 1\n")),
            ErrorCode::Archive
        );
        for index in ["http://h/\n", "a 1\n", "a 1\tx.gz\t-1\t9\t1\n", "a 1\t../x.gz\t0\t9\t1\n", "\n"] {
            assert_eq!(error(index, b""), ErrorCode::Archive, "{index:?}");
        }
        assert_eq!(found(b"", b"", &range).expect("it has no lines"), Vec::<String>::new());
        assert_eq!(error(&format!("a{}\n", "x".repeat(MAX_LINE)), b""), ErrorCode::LineLen);
    }
}
