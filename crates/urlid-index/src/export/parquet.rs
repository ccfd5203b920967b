//! Export of an index as Parquet files.
//!
//! Typed, signed slice columns in the order of domains, so that engines skip what they need not read; Bloom filters for domain
//! and path, page indexes for all columns but the URLs, and the snapshot in each file's metadata. URLs without an SXURL come
//! last, in row groups of their own. Files appear when they are complete.

use std::error::Error as StdError;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use urlid::Error;
use urlid_io::files::{Existing, NewFile};
use urlid_io::tables::NewParquetFile;
use urlid_plan::{Plan, Question, Row, StoredUrl};

use super::groups::{EncodedGroup, Groups, RawGroup, encode_groups};
use super::layout::Format;
use super::order::by_domain;
use crate::error;
use crate::id::Id;
use crate::query::index::Index;

/// Rows between two calls of the caller's `tick`, which reports progress and may stop the export.
const ROWS_BETWEEN_LOOKS: u64 = 10_000;

/// Options of a Parquet export.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// # let mut load = urlid_index::Load::begin(&path, SuffixList::compiled(), urlid_index::LoadOptions::default())?;
/// # load.push("https://docs.rs/serde?all#top")?;
/// # load.push("http://192.0.2.1/")?;
/// # load.finish()?;
/// use urlid_index::{Index, ParquetOptions, export_parquet};
///
/// let target = directory.path().join("urls.parquet");
/// let options = ParquetOptions { rows_per_file: None, with_id: true };
/// let exported = export_parquet(&Index::open(&path)?, &target, options)?;
/// assert!(target.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ParquetOptions {
    /// The number of rows after which another file begins; `None` puts all rows into one file.
    pub rows_per_file: Option<u64>,
    /// Whether to write the column `id`. The slice columns contain the same bits.
    pub with_id: bool,
}

/// A file of an export.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// # let mut load = urlid_index::Load::begin(&path, SuffixList::compiled(), urlid_index::LoadOptions::default())?;
/// # load.push("https://docs.rs/serde?all#top")?;
/// # load.push("http://192.0.2.1/")?;
/// # load.finish()?;
/// use urlid_index::{Index, ParquetOptions, export_parquet};
///
/// let target = directory.path().join("urls.parquet");
/// let options = ParquetOptions { rows_per_file: None, with_id: true };
/// let exported = export_parquet(&Index::open(&path)?, &target, options)?;
/// assert_eq!((exported.files[0].path.as_path(), exported.files[0].rows), (target.as_path(), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The number of its rows.
    pub rows: u64,
}

/// The result of an export.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// # let mut load = urlid_index::Load::begin(&path, SuffixList::compiled(), urlid_index::LoadOptions::default())?;
/// # load.push("https://docs.rs/serde?all#top")?;
/// # load.push("http://192.0.2.1/")?;
/// # load.finish()?;
/// use urlid_index::{Index, ParquetOptions, export_parquet};
///
/// let target = directory.path().join("urls.parquet");
/// let options = ParquetOptions { rows_per_file: None, with_id: true };
/// let exported = export_parquet(&Index::open(&path)?, &target, options)?;
/// assert_eq!(exported.files.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// The files, in the order of their rows.
    pub files: Vec<ExportedFile>,
}

/// Writes all rows of an index to Parquet files and returns their names.
///
/// One file is `target` itself; several are `target` with a number before its extension, from 0. An existing file is an error.
///
/// # Errors
/// If the rows cannot be read or written.
pub fn export_parquet(index: &Index, target: &Path, options: ParquetOptions) -> Result<Exported, Error> {
    export_parquet_with(index, target, options, &mut |_| ControlFlow::Continue(()))
}

/// Does what [`export_parquet`] does, and calls `tick` with the number of rows written, which returns whether to continue.
///
/// # Errors
/// As [`export_parquet`], and [`EXPORT_STOPPED`](crate::error::EXPORT_STOPPED) when `tick` returns `Break`.
pub fn export_parquet_with(
    index: &Index,
    target: &Path,
    options: ParquetOptions,
    tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Exported, Error> {
    index.file.read(|view| {
        let format =
            Format::of(&view.description, options.with_id).map_err(|source| wrong(target, source))?;
        let mut files = Files { format: &format, target, options, file: None, done: Exported::default() };
        let mut damaged = 0;
        let take = &mut |group, ends_file| files.push(group, ends_file);
        encode_groups(&format, view.suffixes(), options.with_id, take, |groups| {
            let mut rows = Rows { groups, group: RawGroup::default(), options, in_file: 0, read: 0 };
            let mut end = Ok(());
            let read = by_domain(view.conn(), &mut |id, url| {
                end = rows.push(Some(id), url, tick);
                flow_of(&end)
            });
            end?;
            damaged = read.map_err(|e| view.error(e))?;
            // These rows get groups of their own: their slices are all null, so a query on a slice skips the whole group.
            rows.end_group(false)?;
            let mut end = Ok(());
            let each = &mut |row: Row<'_>, _: &StoredUrl<'_>| {
                end = rows.push(None, row.url, tick);
                flow_of(&end)
            };
            let others =
                urlid_plan::search(view, &Plan::of_others(), &Question::default(), view.suffixes(), each);
            end?;
            damaged += others.map_err(|e| view.error(e))?.damaged;
            rows.end_group(false)
        })?;
        if damaged > 0 {
            return Err(error::DAMAGED_ROW.error());
        }
        files.finish()
    })
}

fn flow_of(result: &Result<(), Error>) -> ControlFlow<()> {
    if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// The rows that are read, on their way into groups.
struct Rows<'r, 'g> {
    groups: &'r mut Groups<'g>,
    group: RawGroup,
    options: ParquetOptions,
    /// The rows of the file that the current group belongs to.
    in_file: u64,
    read: u64,
}

impl Rows<'_, '_> {
    fn push(
        &mut self,
        id: Option<&Id>,
        url: &str,
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.group.push(id, url);
        self.in_file += 1;
        self.read += 1;
        let ends_file = Some(self.in_file) == self.options.rows_per_file;
        if ends_file || self.group.is_full() {
            self.end_group(ends_file)?;
        }
        match self.read.is_multiple_of(ROWS_BETWEEN_LOOKS) && tick(self.read).is_break() {
            true => Err(error::EXPORT_STOPPED.error()),
            false => Ok(()),
        }
    }

    fn end_group(&mut self, ends_file: bool) -> Result<(), Error> {
        if ends_file {
            self.in_file = 0;
        }
        match self.group.len() {
            0 => Ok(()),
            _ => self.groups.send(std::mem::take(&mut self.group), ends_file),
        }
    }
}

/// The files of an export.
struct Files<'e> {
    format: &'e Format,
    target: &'e Path,
    options: ParquetOptions,
    file: Option<OpenFile>,
    done: Exported,
}

impl Files<'_> {
    fn push(&mut self, group: EncodedGroup, ends_file: bool) -> Result<(), Error> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let file = OpenFile::create(self.format, self.name())?;
                self.file.insert(file)
            }
        };
        file.push(group)?;
        if ends_file { self.close_file() } else { Ok(()) }
    }

    fn finish(mut self) -> Result<Exported, Error> {
        if self.done.files.is_empty() && self.file.is_none() {
            // An empty index still gives a file with the schema and the snapshot.
            self.file = Some(OpenFile::create(self.format, self.name())?);
        }
        self.close_file()?;
        Ok(self.done)
    }

    /// Returns the name of the next file.
    fn name(&self) -> PathBuf {
        // Five digits, so that the names sort in the order of the rows.
        if self.options.rows_per_file.is_none() {
            return self.target.to_owned();
        }
        let mut name = self.target.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{:05}", self.done.files.len()));
        if let Some(extension) = self.target.extension() {
            name.push(".");
            name.push(extension);
        }
        self.target.with_file_name(name)
    }

    fn close_file(&mut self) -> Result<(), Error> {
        if let Some(file) = self.file.take() {
            self.done.files.push(file.close()?);
        }
        Ok(())
    }
}

fn wrong(path: &Path, source: impl StdError + Send + Sync + 'static) -> Error {
    error::WRITE.error().with_path(path).with_source(source)
}

/// A file that is being written under its temporary name.
struct OpenFile {
    path: PathBuf,
    new: NewFile,
    file: NewParquetFile,
    rows: u64,
}

impl OpenFile {
    fn create(format: &Format, path: PathBuf) -> Result<Self, Error> {
        let failed = |source| error::FILE.error().with_path(&path).with_source(source);
        let new = NewFile::create(&path, Existing::Keep).map_err(failed)?;
        let file = new.file().try_clone().map_err(failed)?;
        let file = NewParquetFile::begin(file, &format.schema, &format.properties);
        let file = file.map_err(|source| wrong(&path, source))?;
        Ok(Self { path, new, file, rows: 0 })
    }

    fn push(&mut self, group: EncodedGroup) -> Result<(), Error> {
        self.file.push(group.columns).map_err(|source| wrong(&self.path, source))?;
        self.rows += group.rows;
        Ok(())
    }

    fn close(self) -> Result<ExportedFile, Error> {
        let Self { path, new, file, rows } = self;
        file.finish([]).map_err(|source| wrong(&path, source))?;
        new.publish().map_err(|source| error::FILE.error().with_path(&path).with_source(source))?;
        Ok(ExportedFile { path, rows })
    }
}
