//! The WARC reader: records and errors do not depend on the sizes of reads, and an error is the last result.

use std::io::Read;

use urlid_archives::{Record, WarcReader};

/// Reads the bytes of a file.
pub fn target(data: &[u8]) {
    let whole = records(data);
    assert_eq!(whole, records(ByteByByte(data)));
    let content: u64 = whole.0.iter().map(|(_, length)| length).sum();
    if whole.1.is_none() {
        assert!(content <= data.len() as u64, "no record has more than the file");
    }
}

/// The URL and the length of each record, and the error after them.
type Records = (Vec<(Option<Vec<u8>>, u64)>, Option<String>);

fn records(source: impl Read) -> Records {
    let (mut reader, mut record, mut found) = (WarcReader::new(source), Record::default(), Vec::new());
    loop {
        match reader.next_record(&mut record) {
            Ok(true) => found.push((record.url().map(<[u8]>::to_vec), record.length)),
            Ok(false) => return (found, None),
            Err(error) => {
                assert!(!reader.next_record(&mut record).expect("an error is reported once"));
                return (found, Some(error.to_string()));
            }
        }
    }
}

/// A reader that returns one byte at a time.
struct ByteByByte<'a>(&'a [u8]);

impl Read for ByteByByte<'_> {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        let most = room.len().min(1);
        self.0.read(&mut room[..most])
    }
}
