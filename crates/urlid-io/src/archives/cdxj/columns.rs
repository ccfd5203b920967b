//! The columns of an index of CDX, as cdxj-indexer writes it.

/// The columns of an index of CDX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CdxColumns {
    /// Nine, without the length.
    Nine,
    /// Eleven, with robot flags and the length of the record.
    Eleven,
}

impl CdxColumns {
    /// Returns the header of an index.
    pub fn header(self) -> &'static str {
        match self {
            CdxColumns::Nine => " CDX N b a m s k r V g",
            CdxColumns::Eleven => " CDX N b a m s k r M S V g",
        }
    }

    /// Returns the names of the columns after the key. `redirect` and `meta` are always empty.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            CdxColumns::Nine => {
                &["timestamp", "url", "mime", "status", "digest", "redirect", "offset", "filename"]
            }
            CdxColumns::Eleven => &[
                "timestamp",
                "url",
                "mime",
                "status",
                "digest",
                "redirect",
                "meta",
                "length",
                "offset",
                "filename",
            ],
        }
    }
}
