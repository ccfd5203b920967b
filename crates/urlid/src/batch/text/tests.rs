//! Lines are found and padded, one by one, in columns and in chunks. A line that is too long is a separate
//! text.

use super::*;
use urlid_simd::Cpu;

fn lines_of(source: &[u8], kernels: Kernels) -> (Vec<Vec<u8>>, bool) {
    let (mut indexer, mut start, mut lines, mut is_utf8) = (LineIndexer::default(), 0, Vec::new(), true);
    while start < source.len() {
        let (text, end) = indexer.chunk(source, start, kernels);
        lines.extend(text.lines().iter().map(|&line| text.line(line).to_vec()));
        is_utf8 &= text.is_utf8();
        start = end;
    }
    (lines, is_utf8)
}

fn check(source: &[u8]) {
    let unfinished = source.last().is_some_and(|&byte| byte != b'\n');
    let mut expected: Vec<Vec<u8>> = source.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let last = expected.pop().filter(|_| unfinished);
    for line in &mut expected {
        line.pop_if(|byte| *byte == b'\r');
    }
    expected.extend(last);
    for cpu in Cpu::available() {
        let kernels = Kernels::new(cpu).expect("an available path has kernels");
        assert_eq!(lines_of(source, kernels), (expected.clone(), str::from_utf8(source).is_ok()), "{cpu}");
    }
}

#[test]
fn a_line_that_is_too_long_gets_its_own_chunk_and_the_others_are_read() {
    let [short, long] = ["short", &"x".repeat(CHUNK + 100)];
    let taken = |text: Text<'_>| {
        let lengths = text.lines().iter().map(|&line| text.line(line).len()).collect::<Vec<_>>();
        (text.is_too_long(), lengths)
    };
    let expected = [(false, vec![5]), (true, vec![0]), (false, vec![5, 5]), (false, vec![])];
    let texts = [short, long, short, short];
    let mut indexer = LineIndexer { longest: CHUNK, ..LineIndexer::default() };

    let mut strings = texts.into_iter().peekable();
    assert_eq!([(); 4].map(|()| taken(indexer.strings(&mut strings, 512))), expected);

    let (joined, mut offset) = (texts.concat(), 0);
    let ends = [5, CHUNK + 105, CHUNK + 110, usize::MAX];
    let mut ends = ends.into_iter().peekable();
    let columns = [(); 4].map(|()| {
        let (text, end) = indexer.column(joined.as_bytes(), offset, &mut ends, 512);
        offset = end;
        taken(text)
    });
    assert_eq!(columns, expected);

    let (joined, mut offset) = (texts.join("\n"), 0);
    let kernels = Kernels::detect();
    let chunks = [(); 3].map(|()| {
        let (text, end) = indexer.chunk(joined.as_bytes(), offset, kernels);
        offset = end;
        taken(text)
    });
    assert_eq!(chunks, expected[..3]);
}

#[test]
fn lines_match_a_split_at_line_feeds() {
    check(b"");
    check(b"\n");
    check(b"\r\n\r\n\r");
    check(b"a\r\nb\n\n\nc\r");
    check(&b"\n".repeat(3 * CHUNK));
    check(&b"\r\n".repeat(CHUNK));
    check(&b"ab\r\n\n".repeat(CHUNK / 3));
    for len in [1, 63, 64, 65, 127, 200, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
        let line = vec![b'x'; len];
        check(&line);
        check(&[&line[..], b"\nshort\r\n", &line, b"\n"].concat());
    }
    check("grün\nblau \u{1f600}\n".as_bytes());
    check(b"good\nb\xffd\ngood\n");
}
