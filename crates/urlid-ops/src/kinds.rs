//! The kinds of identifiers, with their names on command lines, in headers and in columns.

/// A kind of identifier. A new variant does not compile until every surface makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the table describes each")]
pub enum IdKind {
    Sxurl,
    UrlHash,
    UrlShortHash,
    UrlVeryShortHash,
    UrlVeryShortHashInt64,
    HashedUri,
    CrateUrlHash,
    CrateUrlShortHash,
    CrateUrlVeryShortHash,
    CrateSxurl0,
    CrateSxurl1_0,
    CrateSxurl1_1,
    ScrapyW3lib2_5,
    ScrapyW3lib2_4,
}

use IdKind::*;

/// The name of every kind, and what it is, in the order of the documentation.
pub const ID_KINDS: [(&str, IdKind, &str); 14] = [
    ("sxurl", Sxurl, "SXURL: 64 hexadecimal digits, with a slice for each part of the URL"),
    ("url-hash", UrlHash, "url-hash of the WHATWG normal form"),
    ("url-short-hash", UrlShortHash, "The first half of a url-hash"),
    ("url-very-short-hash", UrlVeryShortHash, "The first quarter of a url-hash"),
    (
        "url-very-short-hash-int64",
        UrlVeryShortHashInt64,
        "The url-very-short-hash as a number from -2^63 to 2^63 - 1, little-endian, for joins",
    ),
    (
        "hashed-uri",
        HashedUri,
        "Hashed URI of draft 03; by default sha1 and variant N, without query and fragment",
    ),
    (
        "url-hash-0.1",
        CrateUrlHash,
        "The output of crate url-hash 0.1.0, which differs from its specification",
    ),
    ("url-short-hash-0.1", CrateUrlShortHash, "The first half of a url-hash-0.1"),
    ("url-very-short-hash-0.1", CrateUrlVeryShortHash, "The first quarter of a url-hash-0.1"),
    ("sxurl-crate-0", CrateSxurl0, "The output of crate sxurl 0.1.0 and 0.2.0"),
    ("sxurl-crate-1.0", CrateSxurl1_0, "The output of crate sxurl 1.0.0"),
    ("sxurl-crate-1.1", CrateSxurl1_1, "The output of crate sxurl 1.1.0"),
    ("scrapy-2.7/w3lib-2.5", ScrapyW3lib2_5, "The request fingerprint of Scrapy 2.7 to 2.19 with w3lib 2.5"),
    (
        "scrapy-2.7/w3lib-2.4",
        ScrapyW3lib2_4,
        "The request fingerprint of Scrapy 2.7 to 2.19 with w3lib 2.0 to 2.4",
    ),
];

impl IdKind {
    /// Returns the name on command lines and in headers. In names of columns, `_` replaces `-`, `.` and `/`.
    pub fn name(self) -> &'static str {
        // The table is in the order of the variants, which a test checks.
        ID_KINDS[self as usize].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_kinds_in_their_order() {
        for (name, kind, _) in ID_KINDS {
            assert_eq!(kind.name(), name);
        }
    }
}
