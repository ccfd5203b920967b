//! Writes row groups to files, in order.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use urlid::Error;
use urlid_io::tables::NewParquetFile;

use super::encode::{EncodedGroup, Format};
use crate::dataset::error::DATASET;
use crate::dataset::layout::{ENTRY_PREFIX, FILE_GROUPS, PAGES};
use crate::dataset::manifest::{PartEntry, file_name};
use crate::dataset::pages::{self, PageEntry};
use crate::description::Description;

/// Bytes of a file between two syncs.
const SYNC_BYTES: u64 = 16 << 20;

/// Writes the files of a dataset into a folder.
pub(super) struct Files<'f> {
    folder: &'f Path,
    format: &'f Format,
    /// The description that the metadata of every file contain.
    description: Description,
    open: Option<OpenFile>,
    parts: Vec<PartEntry>,
}

struct OpenFile {
    path: PathBuf,
    name: String,
    file: NewParquetFile,
    syncing: Option<JoinHandle<io::Result<()>>>,
    /// The length of the file when the last sync started.
    synced: u64,
    groups: usize,
    rows: u64,
    pages: Vec<PageEntry>,
}

impl<'f> Files<'f> {
    pub(super) fn new(folder: &'f Path, format: &'f Format, description: Description) -> Self {
        Self { folder, format, description, open: None, parts: Vec::new() }
    }

    /// Appends a row group.
    pub(super) fn push(&mut self, group: EncodedGroup) -> Result<(), Error> {
        let open = match &mut self.open {
            Some(open) => open,
            None => self.open.insert(OpenFile::create(self.folder, self.parts.len(), self.format)?),
        };
        open.push(group).map_err(|error| DATASET.unwritten(&open.path, error))?;
        if open.groups >= FILE_GROUPS { self.close() } else { Ok(()) }
    }

    /// Ends the last file and returns the entries of all files.
    pub(super) fn finish(mut self) -> Result<Vec<PartEntry>, Error> {
        self.close()?;
        if self.parts.is_empty() {
            // An empty dataset has one file with the schema, for engines that read the folder.
            self.open = Some(OpenFile::create(self.folder, 0, self.format)?);
            self.close()?;
        }
        Ok(self.parts)
    }

    fn close(&mut self) -> Result<(), Error> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let path = open.path.clone();
        self.parts.push(open.finish(&self.description).map_err(|error| DATASET.unwritten(&path, error))?);
        Ok(())
    }
}

impl OpenFile {
    fn create(folder: &Path, number: usize, format: &Format) -> Result<Self, Error> {
        let name = file_name(number);
        let path = folder.join(&name);
        let failed = |error| DATASET.unwritten(&path, error);
        let file = File::create_new(&path).map_err(failed)?;
        let file = NewParquetFile::begin(file, &format.schema, &format.properties).map_err(failed)?;
        Ok(Self { path, name, file, syncing: None, synced: 0, groups: 0, rows: 0, pages: Vec::new() })
    }

    fn push(&mut self, group: EncodedGroup) -> io::Result<()> {
        let start = self.file.bytes();
        let EncodedGroup { rows, columns, pages } = group;
        self.file.push(columns)?;
        // The URLs are the first column, so its first page is at the start of the row group.
        self.pages.extend(pages.into_iter().map(|page| PageEntry { offset: start + page.offset, ..page }));
        self.groups += 1;
        self.rows += rows;
        if self.file.bytes() - self.synced >= SYNC_BYTES { self.sync_behind() } else { Ok(()) }
    }

    /// Starts to sync the bytes written so far, on a separate thread. A single sync of the whole file at its
    /// end would block all threads.
    fn sync_behind(&mut self) -> io::Result<()> {
        self.end_sync()?;
        self.synced = self.file.bytes();
        // The sync covers only bytes that have left the buffer.
        let file = self.file.flushed()?.try_clone()?;
        self.syncing = Some(thread::Builder::new().spawn(move || file.sync_data())?);
        Ok(())
    }

    /// Waits for the running sync. Its error must not be ignored, because the system reports a failed
    /// write-back only once.
    fn end_sync(&mut self) -> io::Result<()> {
        let Some(syncing) = self.syncing.take() else { return Ok(()) };
        syncing.join().unwrap_or_else(|_| Err(io::Error::other("a thread that syncs has panicked")))
    }

    fn finish(mut self, description: &Description) -> io::Result<PartEntry> {
        self.end_sync()?;
        let entries = description.entries().map(|(name, value)| (format!("{ENTRY_PREFIX}{name}"), value));
        let pages = (PAGES.to_owned(), pages::encode(&self.pages)?);
        let (file, sha256) = self.file.finish(entries.chain([pages]))?;
        file.sync_all()?;
        let bytes = file.metadata()?.len();
        let first = self.pages.into_iter().next().map(|page| page.first).unwrap_or_default();
        Ok(PartEntry { name: self.name, rows: self.rows, bytes, sha256, first })
    }
}
