//! The readers of hidden lists, deltas and shards: any bytes are rejected, or are written again unchanged.

use std::sync::LazyLock;

use urlid::hashed_uri::Algorithm;
use urlid::internal::digest::sha256;
use urlid_lists::{Delta, HiddenList, ListBuilder, ListReader, ListRules, Padding, ShardIndex};

/// The length of the checksum at the end of a binary file.
const CHECKSUM: usize = 32;

/// The index of the two shards of a list.
static INDEX: LazyLock<ShardIndex> = LazyLock::new(|| {
    let mut builder =
        ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None).expect("no key is needed");
    builder.add("http://h.example/", None).expect("it is a URL");
    let shards = builder.finish().shards(1, None, Padding::None).expect("it can be split");
    ShardIndex::from_bytes(shards.index()).expect("it was written")
});

/// Reads a file, both unchanged and with the correct checksum of its content, because otherwise few inputs
/// would pass that check.
pub fn target(data: &[u8]) {
    check(data);
    let content = &data[..data.len().saturating_sub(CHECKSUM)];
    check(&[content, &sha256(&[content])].concat());
    if let Ok(text) = str::from_utf8(data) {
        check_text(text);
    }
}

fn check(bytes: &[u8]) {
    let mut again = Vec::new();
    if let Ok(list) = HiddenList::from_compiled(bytes.to_vec()) {
        list.write_compiled(&mut again).expect("memory can be written");
        assert!(again == bytes && list.entries().count() as u64 == list.len());
        again.clear();
    }
    if let Ok(delta) = Delta::from_bytes(bytes) {
        delta.write(&mut again).expect("memory can be written");
        assert!(again == bytes);
    }
    let _ = ShardIndex::from_bytes(bytes);
    for number in 0..2 {
        let _ = INDEX.read(number, bytes.to_vec());
    }
}

/// Checks that a list that is read from text is written in one way, which is read as the same list.
fn check_text(text: &str) {
    let read = |text: &str| {
        let mut reader = ListReader::new();
        let is_read = text.lines().all(|line| reader.line(line).is_ok());
        is_read.then(|| reader.finish().ok()).flatten()
    };
    let written = |list: &HiddenList| {
        let mut text = Vec::new();
        list.write_text(&mut text).expect("memory can be written");
        String::from_utf8(text).expect("a list is ASCII, or names its publisher in UTF-8")
    };
    if let Some(list) = read(text) {
        let text = written(&list);
        assert_eq!(read(&text).map(|list| written(&list)), Some(text));
    }
}
