//! Recognising the content of a stream by its first bytes.

use crate::lines::kind::{self, Content, MOST_HEAD};
use crate::lines::stream::ByteStream;
use urlid::Error;

/// Recognises the content of a stream from as few bytes as possible, and returns them too.
pub(crate) fn recognise(stream: &mut dyn ByteStream) -> Result<(Vec<u8>, Content), Error> {
    let (mut head, mut room) = (Vec::new(), [0; MOST_HEAD]);
    loop {
        if let Some(content) =
            kind::of_start(&head).or_else(|| (head.len() >= MOST_HEAD).then(|| kind::of_whole(&head)))
        {
            return Ok((head, content));
        }
        // A writer that sends a blank line and waits for its answer does not send a file of another kind.
        if !head.is_empty() && head.trim_ascii().is_empty() && stream.is_idle() {
            return Ok((head, Content::Lines));
        }
        // As much as there is, so that a long head is examined a few times only; never more than is examined
        // of a file.
        let more = head.len().max(64).min(MOST_HEAD - head.len());
        match stream.read(&mut room[..more])? {
            0 => {
                let content = kind::of_whole(&head);
                return Ok((head, content));
            }
            n => head.extend_from_slice(&room[..n]),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::*;
    use crate::lines::kind::FileKind;
    use crate::lines::stream::ReaderStream;

    /// A pipe whose writer waits after each of its writes.
    struct Waits(Vec<&'static [u8]>);

    impl ByteStream for Waits {
        fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
            let Some(next) = self.0.pop() else { return Ok(0) };
            room[..next.len()].copy_from_slice(next);
            Ok(next.len())
        }

        fn is_ready(&mut self) -> bool {
            false
        }
    }

    #[test]
    fn an_empty_line_is_not_waited_after() {
        for (first, content) in [(&b"\r\n"[..], Content::Lines), (b"\r\nWAR", Content::Warc)] {
            let mut stream = Waits(vec![b"WARC/1.0".strip_prefix(&first[2..]).unwrap_or_default(), first]);
            let (_, found) = recognise(&mut stream).expect("memory can be read");
            assert_eq!(found, content);
        }
    }

    /// As of a file, however many bytes a read returns.
    #[test]
    fn only_the_first_bytes_decide() {
        let begins = |count: usize, start: &str, end: &str| {
            [start, &"x".repeat(count - start.len() - end.len()), end, "\nhttp://a/"].concat().into_bytes()
        };
        for (start, end, kind) in
            [("<!--", "--><urlset>", FileKind::Sitemap), ("filedesc://", " ", FileKind::Arc)]
        {
            for (bytes, content) in [
                (begins(MOST_HEAD, start, end), Content::Other(kind)),
                (begins(MOST_HEAD + 1, start, end), Content::Lines),
                (begins(2 * MOST_HEAD, start, end), Content::Lines),
            ] {
                for step in [1, 63, 100, 3_000, MOST_HEAD - 1, MOST_HEAD, 2 * MOST_HEAD] {
                    let mut pipe = bytes
                        .chunks(step)
                        .fold(Box::new(io::empty()) as Box<dyn Read + Send>, |pipe, part| {
                            Box::new(pipe.chain(io::Cursor::new(part.to_vec())))
                        });
                    let mut stream = ReaderStream(&mut pipe);
                    let (head, found) = recognise(&mut stream).expect("memory can be read");
                    assert!(found == content && head.len() <= MOST_HEAD, "{start}: {step}");
                }
            }
        }
    }

    #[test]
    fn a_line_that_may_be_a_header_is_read_up_to_a_limit() {
        let long = [&b"filedesc://"[..], &[b'x'; MOST_HEAD]].concat();
        let mut stream = ReaderStream(std::io::Cursor::new(long));
        let (head, content) = recognise(&mut stream).expect("memory can be read");
        assert!(content == Content::Lines && head.len() == MOST_HEAD);
    }
}
