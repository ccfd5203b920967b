//! Exporting an index as Parquet files.
//!
//! Typed, signed slice columns in the order of domains, so that engines skip what they need not read; bloom filters for domain and
//! path, page indexes for all but the URLs, and the snapshot in each file's metadata. Files appear when they are whole.

use std::fmt;
use std::fs::{File, Permissions};
use std::io;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use tempfile::NamedTempFile;
use urlid::sxurl::{Components, Sxurl};
use urlid::{Coded, ErrorCode};

use super::layout::{COLUMNS, GROUP_BYTES, GROUP_ROWS, LARGE, SMALL, properties, schema};
use super::order::by_domain;
use crate::file::create::directory_of;
use crate::file::error::IndexError;
use crate::file::open::View;
use crate::id::Id;
use crate::query::index::Index;

/// Rows between two looks at whether to stop.
const ROWS_BETWEEN_LOOKS: u64 = 10_000;

/// What an export is to be like.
#[derive(Clone, Copy, Debug)]
pub struct ParquetOptions {
    /// Another file is begun after this many rows; one file takes all if nothing is given.
    pub rows_per_file: Option<u64>,
    /// Whether there is a column `id`; the slices say the same.
    pub with_id: bool,
}

/// A file that an export made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    /// Its name.
    pub path: PathBuf,
    /// Its rows.
    pub rows: u64,
}

/// What an export made.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// The files, in the order of their rows.
    pub files: Vec<ExportedFile>,
}

/// Why an export ended early; files that were finished before stay.
#[non_exhaustive]
#[derive(Debug)]
pub enum ExportError {
    /// The index cannot be read.
    Index(IndexError),
    /// The index holds rows that no loader wrote.
    Damaged,
    /// A file cannot be made, or something has its name.
    File {
        /// Its name.
        path: PathBuf,
        /// What the operating system reported.
        source: io::Error,
    },
    /// A file cannot be written as Parquet.
    Parquet {
        /// Its name.
        path: PathBuf,
        /// What the writer reported.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The caller said stop.
    Stopped,
}

impl Coded for ExportError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Index(error) => error.code(),
            Self::Damaged => ErrorCode::IndexDamaged,
            Self::File { .. } | Self::Parquet { .. } | Self::Stopped => ErrorCode::Io,
        }
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(error) => error.fmt(f),
            Self::Damaged => f.write_str("index is damaged: found a row that no loader wrote"),
            Self::File { path, .. } => write!(f, "file cannot be made: {}", path.display()),
            Self::Parquet { path, .. } => write!(f, "file cannot be written: {}", path.display()),
            Self::Stopped => f.write_str("export was stopped"),
        }
    }
}

impl std::error::Error for ExportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Index(error) => error.source(),
            Self::File { source, .. } => Some(source),
            Self::Parquet { source, .. } => Some(source.as_ref()),
            Self::Damaged | Self::Stopped => None,
        }
    }
}

impl From<IndexError> for ExportError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

/// Writes all rows of an index into Parquet files and returns their names.
///
/// One file is `target` itself; several are `target` with a number before its extension, from 0. Nothing is replaced.
///
/// # Errors
/// Whatever keeps the rows from being read or written.
pub fn export_parquet(
    index: &Index,
    target: &Path,
    options: ParquetOptions,
    tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Exported, ExportError> {
    index.file.read(|view| {
        let mut export = Export { view, target, options, file: None, done: Exported::default(), rows: 0 };
        let mut end = Ok(());
        let damaged = by_domain(view.conn(), &mut |id, url| {
            end = export.row(id, url);
            if end.is_ok() && export.rows.is_multiple_of(ROWS_BETWEEN_LOOKS) && tick(export.rows).is_break() {
                end = Err(ExportError::Stopped);
            }
            if end.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        end?;
        if damaged.map_err(|e| view.error(e))? > 0 {
            return Err(ExportError::Damaged);
        }
        if export.done.files.is_empty() && export.file.is_none() {
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

impl Export<'_> {
    fn row(&mut self, id: &Id, url: &str) -> Result<(), ExportError> {
        // A row whose key is not its URL's would spoil every filter of the file.
        let is_whole =
            Components::parse(url, self.view.suffixes()).is_ok_and(|parts| parts.encode().as_bytes() == id);
        let Some(sxurl) = Sxurl::from_bytes(*id).ok().filter(|_| is_whole) else {
            return Err(ExportError::Damaged);
        };
        if self.file.is_none() {
            self.file = Some(OpenFile::create(self.view, self.name(), self.options.with_id)?);
        }
        if let Some(file) = &mut self.file {
            file.group.push(&sxurl, url);
            file.rows += 1;
            if file.group.len() >= GROUP_ROWS || file.group.bytes >= GROUP_BYTES {
                file.write_group()?;
            }
            if Some(file.rows) == self.options.rows_per_file {
                self.close_file()?;
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// Returns the name of the next file.
    fn name(&self) -> PathBuf {
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

    fn close_file(&mut self) -> Result<(), ExportError> {
        if let Some(file) = self.file.take() {
            self.done.files.push(file.close()?);
        }
        Ok(())
    }
}

/// A file that is being written under another name.
struct OpenFile {
    path: PathBuf,
    temporary: NamedTempFile,
    writer: SerializedFileWriter<File>,
    group: RowGroup,
    rows: u64,
}

impl OpenFile {
    fn create(view: &View<'_>, path: PathBuf, with_id: bool) -> Result<Self, ExportError> {
        let failed = |source| ExportError::File { path: path.clone(), source };
        if path.symlink_metadata().is_ok() {
            return Err(failed(io::ErrorKind::AlreadyExists.into()));
        }
        // What the umask leaves of the usual mode, which is what the finished file has.
        let usual = Permissions::from_mode(0o666);
        let temporary =
            tempfile::Builder::new().permissions(usual).tempfile_in(directory_of(&path)).map_err(failed)?;
        let file = temporary.as_file().try_clone().map_err(failed)?;
        let wrong =
            |source: ParquetError| ExportError::Parquet { path: path.clone(), source: Box::new(source) };
        let schema = schema(with_id).map_err(wrong)?;
        let properties = properties(&view.description).map_err(wrong)?;
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).map_err(wrong)?;
        Ok(Self { path, temporary, writer, group: RowGroup::new(with_id), rows: 0 })
    }

    fn wrong(&self, source: ParquetError) -> ExportError {
        ExportError::Parquet { path: self.path.clone(), source: Box::new(source) }
    }

    fn write_group(&mut self) -> Result<(), ExportError> {
        let Self { writer, group, .. } = self;
        let written = group.write(writer);
        group.clear();
        written.map_err(|e| self.wrong(e))
    }

    fn close(mut self) -> Result<ExportedFile, ExportError> {
        if self.group.len() > 0 {
            self.write_group()?;
        }
        self.writer.finish().map_err(|e| self.wrong(e))?;
        let Self { path, temporary, rows, .. } = self;
        let failed = |source| ExportError::File { path: path.clone(), source };
        temporary.as_file().sync_all().map_err(failed)?;
        temporary.persist_noclobber(&path).map_err(|e| failed(e.error))?;
        File::open(directory_of(&path)).and_then(|directory| directory.sync_all()).map_err(failed)?;
        Ok(ExportedFile { path, rows })
    }
}

/// The rows of a row group, by column.
struct RowGroup {
    with_id: bool,
    /// Bytes of the URLs.
    bytes: usize,
    ids: Vec<ByteArray>,
    urls: Vec<ByteArray>,
    small: [Vec<i32>; 4],
    large: [Vec<i64>; 4],
}

impl RowGroup {
    fn new(with_id: bool) -> Self {
        Self {
            with_id,
            bytes: 0,
            ids: Vec::new(),
            urls: Vec::new(),
            small: Default::default(),
            large: Default::default(),
        }
    }

    fn len(&self) -> usize {
        self.urls.len()
    }

    fn push(&mut self, id: &Sxurl, url: &str) {
        if self.with_id {
            self.ids.push(ByteArray::from(id.as_bytes().to_vec()));
        }
        self.bytes += url.len();
        self.urls.push(ByteArray::from(url.as_bytes().to_vec()));
        for (column, (_, field)) in self.small.iter_mut().zip(SMALL) {
            column.push(id.field(field) as i32);
        }
        for (column, (_, field)) in self.large.iter_mut().zip(LARGE) {
            column.push(id.field(field) as i64);
        }
    }

    fn clear(&mut self) {
        self.bytes = 0;
        self.ids.clear();
        self.urls.clear();
        self.small.iter_mut().for_each(Vec::clear);
        self.large.iter_mut().for_each(Vec::clear);
    }

    fn write(&self, writer: &mut SerializedFileWriter<File>) -> Result<(), ParquetError> {
        let mut group = writer.next_row_group()?;
        if self.with_id {
            put::<ByteArrayType>(&mut group, &self.ids)?;
        }
        put::<ByteArrayType>(&mut group, &self.urls)?;
        for name in COLUMNS {
            if let Some(number) = SMALL.iter().position(|(small, _)| *small == name) {
                put::<Int32Type>(&mut group, &self.small[number])?;
            } else if let Some(number) = LARGE.iter().position(|(large, _)| *large == name) {
                put::<Int64Type>(&mut group, &self.large[number])?;
            }
        }
        group.close()?;
        Ok(())
    }
}

fn put<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("the schema has fewer columns than the rows".to_owned()));
    };
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}
