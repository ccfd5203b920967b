//! Export of an index as Parquet files.
//!
//! Typed, signed slice columns in the order of domains, so that engines skip what they need not read; Bloom filters for domain
//! and path, page indexes for all columns but the URLs, and the snapshot in each file's metadata. URLs without an SXURL come
//! last, in row groups of their own. Files appear when they are complete.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use urlid::Error;
use urlid::sxurl::{Components, Sxurl};
use urlid_io::files::{Existing, NewFile};
use urlid_plan::{Plan, Question, Row, StoredUrl};

use super::layout::{GROUP_BYTES, GROUP_ROWS, properties, schema};
use super::order::by_domain;
use super::row_group::RowGroup;
use crate::error;
use crate::file::open::View;
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
        let mut export = Export { view, target, options, file: None, done: Exported::default(), rows: 0 };
        let mut end = Ok(());
        let damaged = by_domain(view.conn(), &mut |id, url| {
            end = export.sxurl_row(id, url).and_then(|()| export.look(tick));
            flow_of(&end)
        });
        end?;
        let mut damaged = damaged.map_err(|e| view.error(e))?;
        if view.description.has_other() {
            // These rows get groups of their own: their slices are all null, so a query on a slice skips the whole group.
            export.end_group()?;
            let mut end = Ok(());
            let each = &mut |row: Row<'_>, url: &StoredUrl<'_>| {
                end = export.row(row.url, url, None).and_then(|()| export.look(tick));
                flow_of(&end)
            };
            let others =
                urlid_plan::search(view, &Plan::of_others(), &Question::default(), view.suffixes(), each);
            end?;
            damaged += others.map_err(|e| view.error(e))?.damaged;
        }
        if damaged > 0 {
            return Err(error::DAMAGED_ROW.error());
        }
        if export.done.files.is_empty() && export.file.is_none() {
            // An empty index still gives a file with the schema and the snapshot.
            export.file = Some(OpenFile::create(view, export.name(), options.with_id)?);
        }
        export.close_file()?;
        Ok(export.done)
    })
}

struct Export<'e> {
    view: &'e View<'e>,
    target: &'e Path,
    options: ParquetOptions,
    file: Option<OpenFile>,
    done: Exported,
    rows: u64,
}

fn flow_of(result: &Result<(), Error>) -> ControlFlow<()> {
    if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

impl Export<'_> {
    fn sxurl_row(&mut self, id: &Id, url: &str) -> Result<(), Error> {
        // A row under another URL's key would be missed by statistics and filters, so the export fails instead.
        let components =
            Components::parse(url, self.view.suffixes()).ok().filter(|parts| parts.encode().as_bytes() == id);
        match (Sxurl::from_bytes(*id), components) {
            (Ok(id), Some(components)) => self.row(url, &StoredUrl::Sxurl(components), Some(&id)),
            _ => Err(error::DAMAGED_ROW.error()),
        }
    }

    fn row(&mut self, text: &str, url: &StoredUrl<'_>, id: Option<&Sxurl>) -> Result<(), Error> {
        if self.file.is_none() {
            self.file = Some(OpenFile::create(self.view, self.name(), self.options.with_id)?);
        }
        if let Some(file) = &mut self.file {
            file.group.push(text, url, id);
            file.rows += 1;
            if file.group.len() >= GROUP_ROWS || file.group.bytes() >= GROUP_BYTES {
                file.write_group()?;
            }
            if Some(file.rows) == self.options.rows_per_file {
                self.close_file()?;
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// Calls `tick` after every [`ROWS_BETWEEN_LOOKS`] rows.
    fn look(&self, tick: &mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<(), Error> {
        match self.rows.is_multiple_of(ROWS_BETWEEN_LOOKS) && tick(self.rows).is_break() {
            true => Err(error::EXPORT_STOPPED.error()),
            false => Ok(()),
        }
    }

    fn end_group(&mut self) -> Result<(), Error> {
        match &mut self.file {
            Some(file) if file.group.len() > 0 => file.write_group(),
            _ => Ok(()),
        }
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

fn wrong(path: &Path, source: ParquetError) -> Error {
    error::WRITE.error().with_path(path).with_source(source)
}

/// A file that is being written under its temporary name.
struct OpenFile {
    path: PathBuf,
    new: NewFile,
    writer: SerializedFileWriter<File>,
    group: RowGroup,
    rows: u64,
}

impl OpenFile {
    fn create(view: &View<'_>, path: PathBuf, with_id: bool) -> Result<Self, Error> {
        let failed = |source| error::FILE.error().with_path(&path).with_source(source);
        let new = NewFile::create(&path, Existing::Keep).map_err(failed)?;
        let file = new.file().try_clone().map_err(failed)?;
        let wrong = |source| wrong(&path, source);
        let schema = schema(with_id).map_err(wrong)?;
        let properties = properties(&view.description).map_err(wrong)?;
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).map_err(wrong)?;
        Ok(Self { path, new, writer, group: RowGroup::new(with_id), rows: 0 })
    }

    fn wrong(&self, source: ParquetError) -> Error {
        wrong(&self.path, source)
    }

    fn write_group(&mut self) -> Result<(), Error> {
        let Self { writer, group, .. } = self;
        let written = group.write(writer);
        // Cleared on failure too: the rows must not be written again with the next ones.
        group.clear();
        written.map_err(|e| self.wrong(e))
    }

    fn close(mut self) -> Result<ExportedFile, Error> {
        if self.group.len() > 0 {
            self.write_group()?;
        }
        self.writer.finish().map_err(|e| self.wrong(e))?;
        let Self { path, new, rows, .. } = self;
        new.publish().map_err(|source| error::FILE.error().with_path(&path).with_source(source))?;
        Ok(ExportedFile { path, rows })
    }
}
