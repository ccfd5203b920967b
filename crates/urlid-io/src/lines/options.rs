//! Options of reading lines.

use urlid_archives::Records;

/// Options of reading lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineOptions {
    /// The most bytes of a line, without its line end. 1 MiB by default, at most [`LineOptions::MOST`].
    pub max_line: usize,
    /// The size of a chunk in bytes, 1 MiB by default. A chunk is larger if a longer line needs it.
    pub chunk: usize,
    /// The treatment of web archives, which are read as their URLs by default.
    pub archives: Archives,
    /// The treatment of text after a URL. It applies to lines that do not come from an archive, its index, a
    /// sitemap or bookmarks. Such text is kept by default.
    pub trailing_text: TrailingText,
    /// The documents of sitemaps whose entries are read, all by default.
    pub sitemaps: Sitemaps,
    /// Whether a line of a sitemap, a feed or robots.txt is a JSON object instead of a URL. Its members are
    /// `url`, `kind` (`page`, or `sitemap` for one of an index), `lastmod` and `alternates`.
    pub has_sitemap_rows: bool,
    /// Whether lines keep every byte. Then only an LF ends a line, and a byte order mark is kept. Only
    /// readers of streams do so.
    pub as_written: bool,
}

/// Which entries of sitemaps are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sitemaps {
    /// All.
    #[default]
    All,
    /// Sitemaps that an index of sitemaps or robots.txt names.
    Index,
    /// Pages of sitemaps, and the links of feeds.
    Pages,
}

impl Sitemaps {
    /// Returns whether entries are read that are sitemaps, or pages.
    pub(crate) fn contains(self, is_sitemap: bool) -> bool {
        match self {
            Sitemaps::All => true,
            Sitemaps::Index => is_sitemap,
            Sitemaps::Pages => !is_sitemap,
        }
    }
}

/// The treatment of text after a URL, such as further columns of a table (docs/spec/lines.md, "Text after a
/// URL").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrailingText {
    /// It is part of the line.
    #[default]
    Keep,
    /// A line with such text is rejected.
    Reject,
    /// The same, for lines that are read as URLs even without a scheme.
    RejectWithoutScheme,
    /// Only a line that is one URL is read. A line of a log would pass as a relative reference, so one with a
    /// blank, a TAB, `"`, `<`, `>`, `{` or `}` is rejected.
    OnlyUrls,
}

/// The treatment of web archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Archives {
    /// As URLs: one line for each of these records of a WARC file, or for each line of a CDX or CDXJ index.
    /// Sitemaps and bookmarks are also read as URLs.
    Urls(Records),
    /// As text, like any other file.
    Text,
}

impl LineOptions {
    /// The largest value of each option, in bytes. Larger ones are reduced to it.
    pub const MOST: usize = 1 << 30;

    pub(crate) fn clamped(self) -> Self {
        LineOptions { max_line: self.max_line.min(Self::MOST), chunk: self.chunk.min(Self::MOST), ..self }
    }
}

impl Default for LineOptions {
    fn default() -> Self {
        LineOptions {
            max_line: 1 << 20,
            chunk: 1 << 20,
            archives: Archives::Urls(Records::default()),
            trailing_text: TrailingText::Keep,
            sitemaps: Sitemaps::All,
            has_sitemap_rows: false,
            as_written: false,
        }
    }
}
