//! The index opener: any file is an index or is rejected with an error, and a question to a damaged index
//! ends.

use std::ops::ControlFlow;

use urlid::suffix::SuffixList;
use urlid_store::file::{Index, Load, LoadOptions};
use urlid_store::question::{Condition, Question};

/// Reads changes to a small index, or the bytes of a whole file.
pub fn target(data: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room for a small file");
    let path = folder.path().join("urls.db");
    match data.split_first() {
        Some((0, file)) => std::fs::write(&path, file).expect("there is room for a small file"),
        Some((_, changes)) => {
            let mut file = small_index();
            for change in changes.chunks_exact(4) {
                let offset = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize % file.len();
                file[offset] ^= change[3];
            }
            std::fs::write(&path, file).expect("there is room for a small file");
        }
        None => return,
    }
    let Ok(index) = Index::open(&path) else { return };
    let question = Question::new([(Condition::Domain, "example")]).expect("it is a label");
    let _ = index.rows();
    let _ = index.stats();
    let _ = index.find(&question, &mut |_| ControlFlow::Continue(()));
    let _ = index.get_url("https://example.com/", None);
}

/// Returns the bytes of an index of four URLs.
fn small_index() -> Vec<u8> {
    static FILE: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    FILE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("there is room for a small file");
        let path = folder.path().join("urls.db");
        let mut load = Load::begin(&path, SuffixList::compiled(), LoadOptions::default()).expect("it is new");
        for url in [
            "https://example.com/",
            "http://www.example.org:8080/a?b#c",
            "ftp://example.net/x",
            "http://1.2.3.4/",
        ] {
            load.push(url).expect("it is a URL");
        }
        load.finish().expect("there is room for a small file");
        std::fs::read(&path).expect("the index was written")
    })
    .clone()
}
