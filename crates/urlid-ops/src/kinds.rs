//! The kinds of identifiers, by the names that command lines, headers and columns give them.

/// A kind of identifier. A new one does not compile until every surface makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the table describes each")]
pub enum IdKind {
    Sxurl,
    UrlHash,
    UrlShortHash,
    UrlVeryShortHash,
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

/// Every kind, with its name and what it is, in the order of the documentation.
pub const ID_KINDS: [(IdKind, &str, &str); 13] = [
    (Sxurl, "sxurl", "SXURL: 64 hexadecimal digits, with a slice for each part of the URL"),
    (UrlHash, "url-hash", "url-hash of the WHATWG normal form"),
    (UrlShortHash, "url-short-hash", "The first half of a url-hash"),
    (UrlVeryShortHash, "url-very-short-hash", "The first quarter of a url-hash"),
    (
        HashedUri,
        "hashed-uri",
        "Hashed URI of draft 03; by default sha1 and variant N, without query and fragment",
    ),
    (
        CrateUrlHash,
        "url-hash-0.1",
        "The output of crate url-hash 0.1.0, which differs from its specification",
    ),
    (CrateUrlShortHash, "url-short-hash-0.1", "The first half of that"),
    (CrateUrlVeryShortHash, "url-very-short-hash-0.1", "The first quarter of that"),
    (CrateSxurl0, "sxurl-crate-0", "The output of crate sxurl 0.1.0 and 0.2.0"),
    (CrateSxurl1_0, "sxurl-crate-1.0", "The output of crate sxurl 1.0.0"),
    (CrateSxurl1_1, "sxurl-crate-1.1", "The output of crate sxurl 1.1.0"),
    (ScrapyW3lib2_5, "scrapy-2.7/w3lib-2.5", "The request fingerprint of Scrapy 2.7 to 2.19 with w3lib 2.5"),
    (
        ScrapyW3lib2_4,
        "scrapy-2.7/w3lib-2.4",
        "The request fingerprint of Scrapy 2.7 to 2.19 with w3lib 2.0 to 2.4",
    ),
];

impl IdKind {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        ID_KINDS[self as usize].1
    }

    /// Returns the kind with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        ID_KINDS.iter().find(|(_, other, _)| *other == name).map(|(kind, ..)| *kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_kinds_in_their_order() {
        for (index, (kind, name, _)) in ID_KINDS.iter().enumerate() {
            assert_eq!((*kind as usize, IdKind::from_name(name)), (index, Some(*kind)));
        }
    }
}
