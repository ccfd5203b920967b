//! The advice for a file that a verb cannot use: its kind, and the command that reads it or converts it.
//!
//! The libraries recognise kinds (`Input::kind`, `StoredKind`, the first bytes of a list). This module
//! distinguishes only the lines of a table, JSON and HTML, by the first line.

use std::path::Path;

use urlid_archives::cdx::{CdxLayout, is_zipnum};
use urlid_io::lines::{FileKind, Input, InputKind};
use urlid_store::StoredKind;

use crate::output::escape::Escaped;
use crate::report::exit::{Exit, Failure};
use crate::report::hints::{LIST_START, is_json, is_markup, table_columns};

/// The content that a verb needs from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Lines or columns with URLs, of every kind of input.
    Urls,
    /// An index of URLs or a dataset.
    Index,
    /// An index of URLs, to change it.
    IndexFile,
    SeenSet,
    /// A hidden list.
    List,
    /// An index of archives that can be searched.
    CdxIndex,
    /// Lines of an index of archives.
    CdxLines,
    /// Web archives.
    Archives,
}

/// A kind of file or folder, as far as messages distinguish them.
enum Kind {
    Stored(StoredKind),
    List,
    /// A WARC, ARC or WACZ file, by its name in messages.
    Archive(&'static str),
    Cdx(CdxLayout),
    ZipNum,
    Pages,
    Parquet,
    /// A table in text, by its first line.
    Table(String),
    Json,
    Html,
    Lines,
}

impl Failure {
    /// Adds the advice for the file that the verb was given, if its kind differs from the kind that the verb
    /// reads. An existing hint stays.
    pub(crate) fn with_way_on(self, path: &Path, needs: Needs) -> Self {
        match (&self, on(path, needs)) {
            (Failure::Reported { exit: Exit::Failed, hint: None, .. }, Some(way)) => {
                self.with_hint(format!("{} {way}", Escaped::path(path)))
            }
            _ => self,
        }
    }
}

/// Returns the kind of a file and the advice for it, as the rest of a sentence. Returns `None` if the verb
/// reads such files, so that its error has a different reason, or if the kind is unknown.
pub(crate) fn on(path: &Path, needs: Needs) -> Option<String> {
    let kind = Kind::of(path)?;
    let name = Escaped::path(path).to_string();
    let way = kind.way(&name, needs)?;
    Some(format!("is {}: {way}", kind.noun()))
}

/// Returns whether a file is an index of archives, which is read as lines of URLs.
pub(crate) fn has_urls(path: &Path) -> bool {
    matches!(Kind::of(path), Some(Kind::Cdx(_) | Kind::Pages))
}

impl Kind {
    fn of(path: &Path) -> Option<Self> {
        if let Some(stored) = StoredKind::of_path(path) {
            return Some(Kind::Stored(stored));
        }
        // A pipe or device may have been read already, and waits for its writer when it is opened.
        let mut input = path.is_file().then(|| Input::open(path).ok())??;
        if input.begins_with(&urlid_lists::MAGIC).ok()? {
            return Some(Kind::List);
        }
        match input.kind().ok()? {
            InputKind::Warc => Some(Kind::Archive("a WARC file")),
            InputKind::Other(FileKind::Arc) => Some(Kind::Archive("an ARC file")),
            InputKind::Other(FileKind::Zip) => Some(Kind::Archive("a ZIP archive, as WACZ files are")),
            InputKind::Other(FileKind::Parquet) => Some(Kind::Parquet),
            InputKind::Index(CdxLayout::Pages, _) => Some(Kind::Pages),
            InputKind::Index(layout, _) => Some(Kind::Cdx(layout)),
            InputKind::Lines(first) => Some(Kind::of_lines(&first)),
            _ => None,
        }
    }

    /// Returns the kind of lines of text by the first of them.
    fn of_lines(first: &[u8]) -> Self {
        match table_columns(first) {
            _ if first.starts_with(LIST_START) => Kind::List,
            _ if is_zipnum(first) => Kind::ZipNum,
            _ if is_json(first) => Kind::Json,
            _ if is_markup(first) => Kind::Html,
            Some(names) => Kind::Table(names),
            None => Kind::Lines,
        }
    }

    fn noun(&self) -> String {
        match self {
            Kind::Stored(StoredKind::Index) => "an index of URLs".to_owned(),
            Kind::Stored(stored) => stored.name().to_owned(),
            Kind::List => "a hidden list".to_owned(),
            Kind::Archive(name) => (*name).to_owned(),
            Kind::Cdx(layout) => format!("an index of archives, {layout}"),
            Kind::ZipNum => "the .idx file of a ZipNum index".to_owned(),
            Kind::Pages => "a list of pages of WACZ".to_owned(),
            Kind::Parquet => "a Parquet file".to_owned(),
            Kind::Table(columns) => format!("a table with the columns {}", Escaped(columns.as_bytes())),
            Kind::Json => "JSON".to_owned(),
            Kind::Html => "HTML or XML".to_owned(),
            Kind::Lines => "lines of text".to_owned(),
        }
    }

    /// Returns the advice for the file, or `None` if it is what the verb needs.
    fn way(&self, name: &str, needs: Needs) -> Option<String> {
        Some(match (self, needs) {
            (Kind::Stored(StoredKind::Index | StoredKind::Dataset), Needs::Index)
            | (Kind::Stored(StoredKind::Index), Needs::IndexFile)
            | (Kind::Stored(StoredKind::SeenSet), Needs::SeenSet)
            | (Kind::List, Needs::List)
            | (Kind::Cdx(_), Needs::CdxIndex | Needs::CdxLines | Needs::Urls)
            | (Kind::ZipNum, Needs::CdxIndex)
            | (Kind::Archive(_), Needs::Archives | Needs::Urls)
            | (Kind::Pages | Kind::Lines, Needs::Urls) => return None,
            (Kind::Stored(StoredKind::SeenSet), _) => {
                format!("`urlid seen show {name}` describes it, and `urlid uniq --seen {name}` adds to it")
            }
            (Kind::Stored(StoredKind::Dataset), Needs::Urls) => "--column url reads its URLs".to_owned(),
            (Kind::Stored(StoredKind::Index), Needs::Urls) => {
                format!("`urlid index export {name} --format urls` prints its URLs")
            }
            (Kind::Stored(StoredKind::Dataset), Needs::IndexFile) => {
                format!("it never changes, but `urlid index build NEW {name} MORE` makes a new one")
            }
            (Kind::Stored(_), _) => format!("`urlid index find {name}` searches it"),
            (Kind::List, _) => format!("`urlid list match {name} URL` finds URLs in it"),
            (Kind::Cdx(_), Needs::Archives) => {
                format!("`urlid cdx find {name} URL` searches it, and `urlid cdx merge` merges indexes")
            }
            (Kind::Cdx(_), _) => format!("`urlid cdx find {name} URL` searches it"),
            (Kind::ZipNum, _) => {
                format!("`urlid cdx find {name} URL` searches it; its lines are in the .gz file next to it")
            }
            (Kind::Archive(_), Needs::CdxIndex | Needs::CdxLines) => {
                format!("`urlid cdx make {name} -o index.cdxj` makes an index of it")
            }
            (Kind::Html, _) => "extract its links first, one per line".to_owned(),
            (Kind::Parquet | Kind::Table(_) | Kind::Json, Needs::Urls) => {
                "--column NAME reads the URLs of a column".to_owned()
            }
            (
                Kind::Parquet | Kind::Table(_) | Kind::Json,
                Needs::Index | Needs::IndexFile | Needs::Archives,
            ) => {
                format!("`urlid index add urls.db --column NAME {name}` makes an index of its URLs")
            }
            (Kind::Parquet | Kind::Table(_) | Kind::Json, Needs::CdxIndex | Needs::CdxLines) => {
                format!(
                    "`urlid cdx make` makes an index of WARC files; `urlid index add urls.db --column NAME {name}` makes one of URLs"
                )
            }
            (Kind::Parquet | Kind::Table(_) | Kind::Json, Needs::SeenSet) => {
                format!("`urlid uniq --seen FOLDER --column NAME {name}` makes a seen-set of its URLs")
            }
            (Kind::Parquet | Kind::Table(_) | Kind::Json, Needs::List) => {
                "`urlid list make` makes a list of its URLs, one per line".to_owned()
            }
            (Kind::Archive(_) | Kind::Pages | Kind::Lines, Needs::Index | Needs::IndexFile) => {
                format!("`urlid index add urls.db {name}` makes an index of its URLs")
            }
            (Kind::Archive(_) | Kind::Pages | Kind::Lines, Needs::SeenSet) => {
                format!("`urlid uniq --seen FOLDER {name}` makes a seen-set of its URLs")
            }
            (Kind::Archive(_) | Kind::Pages | Kind::Lines, Needs::List) => {
                format!("`urlid list make {name} -o new.list` makes a hidden list of its URLs")
            }
            (Kind::Pages | Kind::Lines, _) => {
                format!(
                    "`urlid cdx make` makes an index of WARC files; `urlid index add urls.db {name}` makes one of URLs"
                )
            }
        })
    }
}
