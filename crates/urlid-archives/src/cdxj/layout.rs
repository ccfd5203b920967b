//! The layouts of an index, as cdxj-indexer writes them.

/// The layout of the lines of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexLayout {
    /// Key, time and JSON.
    Cdxj,
    /// Nine fields, without the length.
    Cdx9,
    /// Eleven fields, with robot flags and the length of the record.
    Cdx11,
}

impl IndexLayout {
    /// Returns the first line of an index, if it has one of its own.
    pub fn header(self) -> Option<&'static str> {
        match self {
            IndexLayout::Cdxj => None,
            IndexLayout::Cdx9 => Some(" CDX N b a m s k r V g"),
            IndexLayout::Cdx11 => Some(" CDX N b a m s k r M S V g"),
        }
    }

    /// Returns the names of the fields behind key and time. `redirect` and `meta` are always empty; CDXJ leaves out what is empty.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            IndexLayout::Cdxj => &["url", "mime", "status", "digest", "length", "offset", "filename"],
            IndexLayout::Cdx9 => &["url", "mime", "status", "digest", "redirect", "offset", "filename"],
            IndexLayout::Cdx11 => {
                &["url", "mime", "status", "digest", "redirect", "meta", "length", "offset", "filename"]
            }
        }
    }
}
