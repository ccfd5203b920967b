//! Recognising the content of a stream by its first bytes.

use crate::lines::kind::{self, Content, MOST_HEAD};
use crate::lines::stream::ByteStream;
use urlid::Error;

/// Recognises the content of a stream from as few bytes as possible, and returns them too.
pub(crate) fn recognise(stream: &mut dyn ByteStream) -> Result<(Vec<u8>, Content), Error> {
    let (mut head, mut room) = (Vec::new(), [0; 64]);
    loop {
        if let Some(content) =
            kind::of_start(&head).or_else(|| (head.len() >= MOST_HEAD).then(|| kind::of_whole(&head)))
        {
            return Ok((head, content));
        }
        match stream.read(&mut room)? {
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
    use super::*;
    use crate::lines::stream::ReaderStream;

    #[test]
    fn a_line_that_may_be_a_header_is_read_up_to_a_limit() {
        let long = [&b"filedesc://"[..], &[b'x'; MOST_HEAD]].concat();
        let mut stream = ReaderStream(std::io::Cursor::new(long));
        let (head, content) = recognise(&mut stream).expect("memory can be read");
        assert!(content == Content::Lines && head.len() <= MOST_HEAD + 64);
    }
}
