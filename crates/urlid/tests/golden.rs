//! Answers that never change: every identifier of 2,000 URLs, as on the day when they were written down.
//!
//! A difference here is a broken promise, and the file must not be renewed: if any byte of an output changes,
//! it is a new profile with a new name. The URLs were made for this project and have every feature of URLs.
//! `conformance` shows that the answers are right, because other implementations give the same.

use urlid::compat::{CrateFormat, CrateSxurl, CrateUrlHash};
use urlid::hashed_uri::{HashedUri, Options, Variant};
use urlid::sxurl::Sxurl;
use urlid::url_hash::UrlHash;

const URLS: &str = include_str!("golden/urls.txt");
const IDS: &str = include_str!("golden/ids.tsv");

/// The columns of `ids.tsv`. An answer that equals the previous one in the row is written `=`, and a
/// rejection is written as its code.
const COLUMNS: [&str; 9] = [
    "sxurl",
    "sxurl-crate-0",
    "sxurl-crate-1.0",
    "sxurl-crate-1.1",
    "url-hash",
    "url-hash-0.1",
    "hashed:sha1 none",
    "hashed:sha1 n",
    "hashed:sha1 p",
];

#[test]
fn no_identifier_of_any_url_has_changed() {
    assert_eq!((URLS.lines().count(), IDS.lines().count()), (2000, 2001));
    assert_eq!(IDS.lines().next(), Some(COLUMNS.join("\t").as_str()));
    let changed: Vec<String> = URLS
        .lines()
        .zip(IDS.lines().skip(1))
        .flat_map(|(url, row)| {
            let found = ids(&unescape(url));
            let wanted: Vec<&str> = row.split('\t').collect();
            assert_eq!(wanted.len(), COLUMNS.len(), "{url}");
            let changes = COLUMNS
                .iter()
                .zip(found.into_iter().zip(wanted))
                .filter(|(_, (found, wanted))| found != wanted);
            changes
                .map(|(column, (found, wanted))| format!("{column} of {url}: {found}, was {wanted}"))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(changed.is_empty(), "{} identifiers changed:\n{}", changed.len(), changed.join("\n"));
}

/// Returns the row of a URL.
fn ids(url: &str) -> [String; 9] {
    let crate_id = |format| {
        CrateSxurl::encode(url, format).map_or_else(|error| error.code().to_string(), |id| id.to_hex())
    };
    let hashed = |variant| {
        let hashed = HashedUri::encode_with(url, &Options { variant, ..Options::default() });
        hashed.map_or_else(
            |error| error.code().to_string(),
            |hashed| hashed.to_string().replace("hashed:sha1=", ""),
        )
    };
    let [v0, v1_0, v1_1] = CrateFormat::ALL.map(crate_id);
    let mut row = [
        Sxurl::encode(url).map_or_else(|error| error.code().to_string(), |id| id.to_hex()),
        v0,
        v1_0,
        v1_1,
        UrlHash::encode(url).map_or_else(|error| error.code().to_string(), |hash| hash.to_hex()),
        CrateUrlHash::encode(url).map_or_else(|error| error.code().to_string(), |hash| hash.to_hex()),
        hashed(Variant::None),
        hashed(Variant::N),
        hashed(Variant::P),
    ];
    for index in (1..row.len()).rev() {
        if row[index] == row[index - 1] {
            row[index] = "=".into();
        }
    }
    row
}

/// Reads `\u{…}`, the notation for an invisible character in the file.
fn unescape(line: &str) -> String {
    let mut pieces = line.split("\\u{");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (digits, rest) = piece.split_once('}').expect("an escape is closed");
        let code = u32::from_str_radix(digits, 16).expect("an escape is hexadecimal");
        text.push(char::from_u32(code).expect("an escape is a character"));
        text += rest;
    }
    text
}
