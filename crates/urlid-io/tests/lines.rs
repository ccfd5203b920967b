//! The lines of an input, through every way to read them.

use std::fs::File;
use std::io::{self, Cursor, Read, Write};
use urlid::{Coded, Error, ErrorCode};

use proptest::prelude::*;
use urlid_generators::Seeded;
use urlid_io::error;
use urlid_io::lines::{Archives, Chunk, Input, LineError, LineOptions, TrailingText};
use urlid_testing::{gzip, proptest_config, zstd};

/// A line as the tests compare it: its text, or the code of its rejection.
type Seen = (u64, Result<String, ErrorCode>);

fn seen(line: urlid_io::lines::Line<'_>) -> Seen {
    (line.number, line.text.map(str::to_owned).map_err(|error| error.code()))
}

/// The definition: drop the first byte order mark, take a CR without an LF after it for one, split at LF,
/// drop one CR.
fn naive(input: &[u8], max_line: usize, trailing_text: TrailingText) -> Vec<Seen> {
    let mut input = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input).to_vec();
    for index in 0..input.len() {
        if input[index] == b'\r' && input.get(index + 1) != Some(&b'\n') {
            input[index] = b'\n';
        }
    }
    let mut lines: Vec<&[u8]> = input.split(|&byte| byte == b'\n').collect();
    let last = lines.pop().expect("split gives one at least");
    let mut texts: Vec<&[u8]> = lines.iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
    if !last.is_empty() {
        texts.push(last);
    }
    let read = |text: &[u8]| match str::from_utf8(text) {
        _ if text.len() > max_line => Err(ErrorCode::LineLen),
        _ if trailing_text.find(text).is_some() => Err(ErrorCode::NotUri),
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Err(ErrorCode::Utf8),
    };
    texts.into_iter().enumerate().map(|(index, text)| (index as u64 + 1, read(text))).collect()
}

/// Gives at most `most` bytes at a time.
struct Dribble<R>(R, usize);

impl<R: Read> Read for Dribble<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let most = room.len().min(self.1);
        self.0.read(&mut room[..most])
    }
}

/// Returns the messages of an error and of its causes.
fn chain(error: &dyn std::error::Error) -> Vec<String> {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect()
}

fn by_line(input: Input, options: LineOptions) -> (Vec<Seen>, Option<Error>) {
    let mut lines = input.lines(options);
    let mut all = Vec::new();
    loop {
        match lines.next_line() {
            Ok(Some(line)) => all.push(seen(line)),
            Ok(None) => return (all, None),
            Err(error) => {
                assert!(lines.next_line().expect("an error comes once").is_none());
                return (all, Some(error));
            }
        }
    }
}

fn by_chunk(input: Input, options: LineOptions) -> Vec<Seen> {
    let mut chunks = input.chunks(options);
    let mut chunk = Chunk::new();
    let mut all: Vec<Seen> = Vec::new();
    while chunks.read(&mut chunk).expect("memory does not fail") {
        let before = all.len();
        all.extend(chunk.lines(before as u64 + 1).map(seen));
        assert_eq!(chunk.count_lines(), all.len() - before);
        assert_eq!(chunk.padded().len(), chunk.bytes().len() + 64 + 256);
    }
    all
}

fn by_split(file: File, options: LineOptions) -> Vec<Seen> {
    let splits = match Input::from_file(file).expect("opens").splits(options) {
        Ok(splits) => splits,
        Err(input) => return by_line(input, options).0,
    };
    let mut all: Vec<Seen> = Vec::new();
    let mut chunk = Chunk::new();
    for index in 0..splits.count() {
        splits.read(index, &mut chunk).expect("the file is there");
        all.extend(chunk.lines(all.len() as u64 + 1).map(seen));
    }
    all
}

fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().expect("a temporary file");
    file.write_all(bytes).expect("there is room");
    io::Seek::rewind(&mut file).expect("files rewind");
    file
}

fn memory(bytes: impl Into<Vec<u8>>) -> Input {
    Input::from_reader(Cursor::new(bytes.into())).expect("opens")
}

proptest! {
    #![proptest_config(proptest_config())]

    #[test]
    fn every_way_to_read_gives_the_lines_of_the_definition(
        parts in prop::collection::vec(prop_oneof![
            4 => "[a-z]{0,12}".prop_map(String::into_bytes),
            3 => Just(b"\n".to_vec()),
            1 => Just(b"\r\n".to_vec()),
            2 => Just(b"\r".to_vec()),
            2 => Just(b"http://a".to_vec()),
            1 => Just(b"\t".to_vec()),
            1 => Just(b" 7".to_vec()),
            1 => Just(b"\xef\xbb\xbf".to_vec()),
            1 => prop::collection::vec(any::<u8>(), 0..4),
        ], 0..60),
        max_line in 0_usize..20,
        chunk in 0_usize..40,
        dribble in 1_usize..9,
        trailing_text in prop_oneof![Just(TrailingText::Keep), Just(TrailingText::Reject), Just(TrailingText::OnlyUrls)],
    ) {
        let bytes = parts.concat();
        prop_assume!(![b"\xff\xfe", b"\xfe\xff", b"\0\0"].iter().any(|mark| bytes.starts_with(*mark)));
        let options = LineOptions { max_line, chunk, trailing_text, ..LineOptions::default() };
        let expected = naive(&bytes, max_line, trailing_text);
        prop_assert_eq!(&by_line(memory(&*bytes), options).0, &expected, "lines");
        let slow = Input::from_reader(Dribble(Cursor::new(bytes.clone()), dribble)).expect("opens");
        prop_assert_eq!(&by_chunk(slow, options), &expected, "chunks");
        prop_assert_eq!(&by_split(file_of(&bytes), options), &expected, "splits");
        prop_assert_eq!(&by_line(memory(gzip(&bytes)), options).0, &expected, "gzip");
        prop_assert_eq!(&by_line(memory(zstd(&bytes)), options).0, &expected, "zstd");
    }
}

#[test]
fn a_bad_line_is_rejected_alone_and_order_is_kept() {
    let mut bytes =
        b"\xef\xbb\xbffirst\n\nwith CR\r\nlone\rCR\n\xef\xbb\xbfmark\nNUL\0in\nbad \xff\n".to_vec();
    bytes.extend(b"overlong \xc0\xaf\nsurrogate \xed\xa0\x80\ttab\n");
    bytes.extend(vec![0xff; 1 << 20]);
    bytes.push(b'\n');
    bytes.extend((1..32).filter(|byte| !b"\r\n".contains(byte)));
    bytes.extend(b"\nlast");
    let controls: String = (1..32).filter(|byte| !b"\r\n".contains(byte)).map(char::from).collect();
    let expected: Vec<Seen> = [
        Ok("first"),
        Ok(""),
        Ok("with CR"),
        Ok("lone"),
        Ok("CR"),
        Ok("\u{feff}mark"),
        Ok("NUL\0in"),
        Err(ErrorCode::Utf8),
        Err(ErrorCode::Utf8),
        Err(ErrorCode::Utf8),
        Err(ErrorCode::Utf8),
        Ok(controls.as_str()),
        Ok("last"),
    ]
    .into_iter()
    .enumerate()
    .map(|(index, text)| (index as u64 + 1, text.map(str::to_owned)))
    .collect();
    assert_eq!(by_line(memory(bytes), LineOptions::default()).0, expected);
}

#[test]
fn a_rejection_says_where_and_keeps_the_start_of_the_line() {
    let mut lines = memory(&b"abc\xffdef\n0123456789\n"[..]).lines(LineOptions {
        max_line: 8,
        chunk: 0,
        ..LineOptions::default()
    });
    let bad = lines.next_line().expect("memory does not fail").expect("two lines");
    assert_eq!((bad.text, bad.bytes), (Err(LineError::Utf8 { offset: 3 }), &b"abc\xffdef"[..]));
    let long = lines.next_line().expect("memory does not fail").expect("two lines");
    assert_eq!((long.text, long.bytes), (Err(LineError::TooLong { limit: 8 }), &b"0123456789"[..]));
}

#[test]
fn all_members_and_frames_are_read() {
    for encode in [gzip, zstd] {
        let stored = [encode(b"one\ntw"), encode(b""), encode(b"o\nthree")].concat();
        let (lines, error) = by_line(memory(stored), LineOptions::default());
        let texts: Vec<_> = lines.into_iter().map(|(_, text)| text.expect("good")).collect();
        assert_eq!(texts, ["one", "two", "three"]);
        assert!(error.is_none());
    }
}

#[test]
fn skippable_zstd_frames_are_skipped() {
    let stored = [&b"\x50\x2a\x4d\x18\x03\0\0\0abc"[..], &zstd(b"one\n")].concat();
    assert_eq!(by_line(memory(stored), LineOptions::default()).0, [(1, Ok("one".to_owned()))]);
}

/// Lines that do not compress, so that a cut file still has some.
fn noise() -> Vec<u8> {
    let mut random = Seeded::new(1);
    let mut lines = Vec::new();
    for _ in 0..20_000 {
        writeln!(lines, "https://example.com/{:x}", random.word()).expect("memory does not fail");
    }
    lines
}

#[test]
fn truncated_data_is_an_error_after_the_good_lines() {
    let lines = noise();
    let expected = naive(&lines, 1 << 20, TrailingText::Keep);
    for (encode, name) in [(gzip as fn(&[u8]) -> Vec<u8>, "gzip"), (zstd, "zstd")] {
        let stored = encode(&lines);
        for cut in [stored.len() / 2, stored.len() - 1] {
            let (read, error) = by_line(memory(&stored[..cut]), LineOptions::default());
            let error = error.expect("the data is cut");
            assert!(error.is(error::TRUNCATED), "{error:?}");
            assert_eq!(error.code(), ErrorCode::Compressed);
            assert!(error.to_string().starts_with(&format!("{name} data ends too early: ")), "{error}");
            assert!(!read.is_empty(), "{name} cut at {cut}");
            assert_eq!(read[..], expected[..read.len()], "only whole lines are given");
        }
    }
}

#[test]
fn damaged_data_is_an_error_after_the_good_lines() {
    let lines = noise();
    for (encode, name) in [(gzip as fn(&[u8]) -> Vec<u8>, "gzip"), (zstd, "zstd")] {
        let mut stored = encode(&lines);
        stored.extend(b"something else");
        let (read, error) = by_line(memory(stored), LineOptions::default());
        assert_eq!(read, naive(&lines, 1 << 20, TrailingText::Keep));
        let message = error.expect("the data is damaged").to_string();
        assert!(message.starts_with(&format!("{name} data is damaged: ")), "{message}");
        assert!(message.ends_with(&format!(": {} bytes were decoded", lines.len())), "{message}");
    }
}

#[test]
fn a_zstd_window_over_the_cap_is_rejected() {
    // A frame header (RFC 8878, 3.1.1.1) with a window of 2 GiB, then an empty last block.
    let stored = b"\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00";
    let (lines, error) = by_line(memory(&stored[..]), LineOptions::default());
    assert!(lines.is_empty());
    let error = error.expect("the window is too large");
    assert_eq!(error.to_string(), "zstd window is too large: expected at most 128 MiB");
    assert_eq!(error.code(), ErrorCode::Compressed);
    // 128 MiB is allowed: exponent 17, mantissa 0.
    let stored = b"\x28\xb5\x2f\xfd\x00\x88\x01\x00\x00";
    assert!(by_line(memory(&stored[..]), LineOptions::default()).1.is_none());
}

#[test]
fn data_within_data_is_named() {
    for (stored, kind) in
        [(gzip(&gzip(b"a\n")), "gzip"), (gzip(&zstd(b"a\n")), "Zstandard"), (zstd(&gzip(b"a\n")), "gzip")]
    {
        let (lines, error) = by_line(memory(stored.clone()), LineOptions::default());
        let error = error.expect("it is not text");
        assert_eq!((lines.len(), error.code()), (0, ErrorCode::FileKind));
        assert_eq!(error.to_string(), format!("not lines of text: found {kind} data"));
        let options = LineOptions { archives: Archives::Text, ..LineOptions::default() };
        let (lines, error) = by_line(memory(stored), options);
        assert!(error.is_none() && lines.iter().any(|(_, text)| *text == Err(ErrorCode::Utf8)));
    }
}

#[test]
fn a_reader_that_fails_is_an_error_after_the_good_lines() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::from_raw_os_error(5))
        }
    }
    for text in ["a\nb\ncut", "a\rb\rcut", "a\nb\n", "a\r\nb\r", "a\rb\r", "\u{feff}a\nb\r\n"] {
        let input = Input::from_reader(Cursor::new(text).chain(Fails)).expect("opens");
        let (lines, error) = by_line(input, LineOptions::default());
        assert_eq!(lines, [(1, Ok("a".to_owned())), (2, Ok("b".to_owned()))], "{text:?}");
        let error = error.expect("the reader fails");
        assert_eq!(error.code(), ErrorCode::Io);
        assert_eq!((chain(&error)[0].as_str(), chain(&error).len()), ("cannot read", 2));
    }
}

#[test]
fn a_directory_and_a_missing_file_are_rejected() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for path in [folder.path().to_owned(), folder.path().join("missing")] {
        assert!(Input::open(path).is_err_and(|error| error.is(error::READ)));
    }
}

#[test]
fn a_file_that_was_begun_is_read_from_there() {
    let mut file = file_of(b"skipped\nread\n");
    file.read_exact(&mut [0; 8]).expect("it has more");
    assert_eq!(by_split(file, LineOptions::default()), [(1, Ok("read".to_owned()))]);
}

#[cfg(unix)]
#[test]
fn a_line_of_a_pipe_is_given_before_the_next_is_written() {
    let (reader, mut writer) = io::pipe().expect("a pipe");
    let input = std::thread::spawn(move || Input::from_file(File::from(std::os::fd::OwnedFd::from(reader))));
    writer.write_all(b"one\ntw").expect("the pipe is open");
    let mut lines = input.join().expect("no panic").expect("opens").lines(LineOptions::default());
    let one = lines.next_line().expect("the pipe is open").expect("a line").text.map(str::to_owned);
    assert_eq!(one, Ok("one".to_owned()));
    assert!(!lines.has_line());
    writer.write_all(b"o\n").expect("the pipe is open");
    drop(writer);
    assert_eq!(lines.next_line().expect("the pipe is open").expect("a line").text, Ok("two"));
    assert!(lines.next_line().expect("the pipe is open").is_none());
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_read_that_waits_and_every_later_one() {
    use urlid_io::lines::Interrupt;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fifo = folder.path().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("there is mkfifo");
    assert!(made.success());
    let interrupt = Interrupt::new().expect("there are descriptors");
    let reader = {
        let (fifo, interrupt) = (fifo.clone(), interrupt.clone());
        std::thread::spawn(move || Input::open_interruptible(fifo, &interrupt).map(drop))
    };
    // A pipe without a writer, and one whose writer says nothing.
    let is_interrupted = |result: Result<(), Error>| {
        let error = result.expect_err("it was interrupted");
        assert_eq!(chain(&error), ["cannot read", "reading was interrupted"]);
    };
    interrupt.trigger();
    is_interrupted(reader.join().expect("no panic"));
    is_interrupted(Input::open_interruptible(&fifo, &interrupt).map(drop));
    let file = folder.path().join("file");
    std::fs::write(&file, "a\n").expect("there is room");
    let regular = Input::open_interruptible(&file, &interrupt).expect("a regular file is read");
    assert_eq!(by_line(regular, LineOptions::default()).0, [(1, Ok("a".to_owned()))]);
}

#[cfg(unix)]
#[test]
fn a_pipe_that_can_be_interrupted_is_read_to_its_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fifo = folder.path().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("there is mkfifo");
    assert!(made.success());
    let writer = {
        let fifo = fifo.clone();
        std::thread::spawn(move || std::fs::write(fifo, "a\nb\n").expect("it is read"))
    };
    let interrupt = urlid_io::lines::Interrupt::new().expect("there are descriptors");
    let input = Input::open_interruptible(&fifo, &interrupt).expect("it has a writer");
    let (lines, error) = by_line(input, LineOptions::default());
    assert_eq!(lines, [(1, Ok("a".to_owned())), (2, Ok("b".to_owned()))]);
    assert!(error.is_none());
    writer.join().expect("no panic");
}

/// `https://example.com/` and a line end, by CPython's `bz2` and `lzma`.
const BZIP2: &[u8] = b"BZh91AY&SY\xcaV\xce\xa2\x00\x00\x05Y\x80\x00\x10\x00\x01\x80\x10*F\xcc@ \x001L\x00\x01\x04=COF\xa67#4\xb8u\xdb\xb3E\x08K\xe2\xeeH\xa7\n\x12\x19J\xd9\xd4@";
const XZ: &[u8] = b"\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4F\x02\x00!\x01\x16\x00\x00\x00t/\xe5\xa3\x01\x00\x14https://example.com/\n\x00\x00\x00\x00@{\xf3\x18\xf7\x15R\x99\x00\x01-\x15/\x0bqm\x1f\xb6\xf3}\x01\x00\x00\x00\x00\x04YZ";

#[test]
fn bzip2_and_xz_are_read_to_their_end() {
    for (stored, name) in [(BZIP2, "bzip2"), (XZ, "xz")] {
        let options = LineOptions::default();
        let plain = |times: usize| by_line(memory(b"https://example.com/\n".repeat(times)), options).0;
        for times in [1, 3] {
            let (lines, error) = by_line(memory(stored.repeat(times)), options);
            assert!(lines == plain(times) && error.is_none(), "{name} {times}: {error:?}");
        }
        // A cut or changed byte is an error, as is other data behind it, and no line comes twice.
        for len in 11..stored.len() {
            let (lines, error) = by_line(memory(stored[..len].to_vec()), options);
            let error = error.unwrap_or_else(|| panic!("{name}: {len} bytes are not all"));
            assert!(error.code() == ErrorCode::Compressed && lines.len() <= 1, "{name} {len}: {error}");
            assert!(error.to_string().starts_with(name), "{error}");
        }
        let followed = by_line(memory([stored, b"https://other.example/\n"].concat()), options);
        assert!(followed.0 == plain(1) && followed.1.is_some(), "{name}");
    }
}

#[test]
fn a_window_of_xz_over_the_cap_is_rejected() {
    // The head of a block says its window in one byte: 0x16 is 8 MiB, 0x1f 192 MiB. Its CRC follows.
    let mut stored = XZ.to_vec();
    stored[16] = 0x1f;
    let mut crc = flate2::Crc::new();
    crc.update(&stored[12..20]);
    stored[20..24].copy_from_slice(&crc.sum().to_le_bytes());
    let (lines, error) = by_line(memory(stored), LineOptions::default());
    let error = error.expect("is too large");
    assert!(lines.is_empty());
    assert_eq!(error.to_string(), "xz window is too large: expected at most 128 MiB");
}
