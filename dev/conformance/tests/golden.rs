//! Compares the golden identifiers of `crates/urlid` with the implementations that define them: ada's normal
//! form and SHA-256, and the published crates wherever `url`, on which they are built, agrees with the
//! standard.

use sha2::{Digest, Sha256};
use urlid_testing::root;

/// A URL of the golden files with its row, "=" filled in.
struct Row {
    url: String,
    ids: Vec<String>,
}

const SXURL_0: usize = 1;
const SXURL_1_1: usize = 3;
const URL_HASH: usize = 4;
const URL_HASH_0_1: usize = 5;

fn rows() -> Vec<Row> {
    let read = |name: &str| {
        std::fs::read_to_string(root().join("crates/urlid/tests/golden").join(name))
            .expect("the golden files are there")
    };
    let (urls, ids) = (read("urls.txt"), read("ids.tsv"));
    urls.lines()
        .zip(ids.lines().skip(1))
        .map(|(url, ids)| Row { url: unescape(url), ids: fill(ids) })
        .collect()
}

fn fill(row: &str) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for id in row.split('\t') {
        ids.push(match (id, ids.last()) {
            ("=", Some(last)) => last.clone(),
            _ => id.to_owned(),
        });
    }
    ids
}

/// Reads `\u{…}`.
fn unescape(line: &str) -> String {
    let mut pieces = line.split("\\u{");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| {
        let (digits, rest) = piece.split_once('}').expect("an escape is closed");
        let code = u32::from_str_radix(digits, 16).expect("an escape is hexadecimal");
        format!("{text}{}{rest}", char::from_u32(code).expect("an escape is a character"))
    })
}

fn ada(url: &str) -> Option<String> {
    ada_url::Url::parse(url, None).ok().map(|url| url.href().to_owned())
}

/// Returns the normal form if `url` and ada agree on it, so that the crates built on `url` can be compared.
fn agreed(url: &str) -> Option<url::Url> {
    let normal = url::Url::parse(url).ok()?;
    (ada(url).as_deref() == Some(normal.as_str())).then_some(normal)
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn golden_url_hashes_are_digests_of_the_normal_form_of_ada() {
    for Row { url, ids } in rows() {
        let expected =
            ada(&url).map_or_else(|| "ERR_URL_PARSE".to_owned(), |href| hex(&Sha256::digest(href)));
        assert_eq!(ids[URL_HASH], expected, "{url:?}");
    }
}

#[test]
fn golden_identifiers_of_published_crates_are_theirs() {
    let mut compared = [0; 3];
    for Row { url, ids } in rows() {
        let Some(normal) = agreed(&url) else { continue };
        let bytes = url_hash::UrlHash::from(normal).to_string();
        let words: Vec<u8> = bytes
            .split('-')
            .flat_map(|word| word.parse::<u64>().expect("a word is a number").to_le_bytes())
            .collect();
        assert_eq!(ids[URL_HASH_0_1], hex(&words), "{url:?}");
        compared[0] += 1;
        for (index, encoded, column) in [
            (1, sxurl_0::encode_url_to_hex(&url).ok(), SXURL_0),
            (2, sxurl_1::encode_url_to_hex(&url).ok(), SXURL_1_1),
        ] {
            let golden = Some(ids[column].clone()).filter(|id| !id.starts_with("ERR_"));
            assert_eq!(golden, encoded, "{url:?}");
            compared[index] += u32::from(golden.is_some());
        }
    }
    assert!(compared.iter().all(|&count| count > 900), "{compared:?}");
}
