//! WACZ files: ZIP archives of WARC files, their indexes and lists of pages
//! (<https://specs.webrecorder.net/wacz/latest/>).
//!
//! The names in a ZIP archive select entries and are never used as paths of files.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use urlid::Error;
use zip::{CompressionMethod, ZipArchive};

use crate::error;
use crate::range::Range;

/// The first bytes of a ZIP archive: the start of an entry, or the end of an empty archive.
const MAGICS: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
/// The most bytes that are read for the directory of a ZIP archive. Each of them costs some bytes of memory.
const MAX_DIRECTORY: u64 = 8 << 20;

/// A part of a WACZ file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WaczPart {
    /// The WARC files in `archive/`.
    #[default]
    Archive,
    /// The CDX and CDXJ files in `indexes/`.
    Indexes,
    /// The lists of pages in `pages/`.
    Pages,
}

impl WaczPart {
    /// Returns whether an entry with this name is of the part.
    fn has(self, name: &str) -> bool {
        let of =
            |folder: &str| name.strip_prefix(folder).filter(|name| !name.is_empty() && !name.ends_with('/'));
        let plain = |name: &str| name.strip_suffix(".gz").unwrap_or(name).to_owned();
        match self {
            WaczPart::Archive => of("archive/").is_some(),
            WaczPart::Indexes => of("indexes/")
                .map(plain)
                .is_some_and(|name| name.ends_with(".cdx") || name.ends_with(".cdxj")),
            WaczPart::Pages => of("pages/").map(plain).is_some_and(|name| name.ends_with(".jsonl")),
        }
    }

    /// Returns the files of the part, for messages.
    fn files(self) -> &'static str {
        match self {
            WaczPart::Archive => "WARC files in `archive/`",
            WaczPart::Indexes => "indexes in `indexes/`",
            WaczPart::Pages => "lists of pages in `pages/`",
        }
    }
}

/// An opened WACZ file.
#[derive(Debug)]
pub struct Wacz {
    source: Range,
    zip: ZipArchive<Budgeted>,
}

/// A file in a WACZ file.
#[derive(Clone, Debug)]
pub struct WaczEntry {
    /// The name, which is not a path.
    pub name: String,
    start: u64,
    stored: u64,
    size: u64,
    crc: u32,
    is_deflated: bool,
}

impl WaczEntry {
    /// Returns the last part of the name, as indexes name WARC files.
    pub fn file_name(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// Returns whether the entry is stored uncompressed, so that its offsets are offsets of the file.
    pub fn is_plain(&self) -> bool {
        !self.is_deflated
    }
}

impl Wacz {
    /// Returns whether these are the first bytes of a ZIP archive.
    pub fn begins(head: &[u8]) -> bool {
        MAGICS.iter().any(|magic| head.starts_with(magic))
    }

    /// Opens a ZIP archive.
    ///
    /// # Errors
    /// If its directory cannot be read, is longer than 8 MiB, or has entries that overlap or have one name.
    pub fn open(source: Range) -> Result<Self, Error> {
        let zip = directory_of(source.clone(), MAX_DIRECTORY)?;
        Ok(Wacz { source, zip })
    }

    /// Returns the files of a part, in the order of the archive. The files of nested WACZ files follow,
    /// because a package of WACZ files (<https://specs.webrecorder.net/multi-wacz/latest/>) is one
    /// collection.
    ///
    /// # Errors
    /// If the part lacks files, if the archive or a nested WACZ file is damaged, or if a nested file is
    /// compressed.
    pub fn entries(&mut self, part: WaczPart) -> Result<Vec<WaczEntry>, Error> {
        let is_wacz = |name: &str| name.ends_with(".wacz");
        let mut entries = entries_of(&mut self.zip, &|name| part.has(name) && !is_wacz(name))?;
        let members = entries_of(&mut self.zip, &is_wacz)?;
        if members.is_empty() && entries.is_empty() && self.names_wacz_files() {
            return Err(error::MULTI_WACZ.error());
        }
        // All nested archives share one budget, because many small directories would add up.
        let mut left = MAX_DIRECTORY;
        for member in members {
            // The entries of a compressed archive lack offsets at which they could be read directly.
            if member.is_deflated {
                let found = "it is compressed: expected it uncompressed, or extracted from the package";
                return Err(error::ENTRY.error().with_subject(member.name).with_shown(found));
            }
            let mut zip = directory_of(self.source.part(member.start, member.stored), left)?;
            entries.extend(entries_of(&mut zip, &|name| part.has(name))?.into_iter().map(|entry| {
                WaczEntry {
                    name: format!("{}/{}", member.name, entry.name),
                    start: member.start + entry.start,
                    ..entry
                }
            }));
            left = zip.into_inner().left;
        }
        if entries.is_empty() {
            return Err(error::NO_WACZ.error().with_expected(part.files()));
        }
        Ok(entries)
    }

    /// Returns whether the archive describes a package of WACZ files.
    fn names_wacz_files(&mut self) -> bool {
        const MOST: u64 = 1 << 20;
        let mut package = Vec::new();
        self.zip.by_name("datapackage.json").is_ok_and(|entry| {
            // An error does not matter, because the bytes read before it decide.
            let _ = entry.take(MOST).read_to_end(&mut package);
            memchr::memmem::find(&package, b"multi-wacz-package").is_some()
        })
    }

    /// Returns the content of an entry.
    pub fn content(&self, entry: &WaczEntry) -> WaczContent {
        let range = self.source.part(entry.start, entry.stored);
        let source = if entry.is_deflated {
            Source::Deflated(Box::new(DeflateDecoder::new(BufReader::with_capacity(64 << 10, range))))
        } else {
            Source::Stored(range)
        };
        WaczContent { source, entry: entry.clone(), crc: Some(Crc::new()), made: 0 }
    }
}

/// Reads the directory of a ZIP archive, at most `left` bytes.
fn directory_of(range: Range, left: u64) -> Result<ZipArchive<Budgeted>, Error> {
    let mut zip = ZipArchive::new(Budgeted { range, left }).map_err(damaged)?;
    // A bomb that decompresses the same bytes for each of many entries.
    if zip.has_overlapping_entries().map_err(damaged)? {
        return Err(error::ZIP.error().with_shown("two entries overlap"));
    }
    // Readers disagree about which of two entries with one name counts.
    if zip.has_duplicate_names() {
        return Err(error::ZIP.error().with_shown("two entries have the same name"));
    }
    Ok(zip)
}

/// Returns the files with wanted names, in the order of the archive.
fn entries_of(
    zip: &mut ZipArchive<Budgeted>,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<WaczEntry>, Error> {
    let mut entries = Vec::new();
    for index in 0..zip.len() {
        let entry = zip.by_index_raw(index).map_err(damaged)?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        if !is_wanted(&name) {
            continue;
        }
        let of = |found: &str| error::ENTRY.error().with_subject(name.clone()).with_shown(found);
        let is_deflated = match entry.compression() {
            _ if entry.encrypted() => return Err(of("it is encrypted")),
            CompressionMethod::STORE => false,
            CompressionMethod::DEFLATE => true,
            _ => return Err(of("expected it stored or deflated")),
        };
        let start = entry.data_start().ok_or_else(|| of("it has no place"))?;
        let (stored, size, crc) = (entry.compressed_size(), entry.size(), entry.crc32());
        entries.push(WaczEntry { name, start, stored, size, crc, is_deflated });
    }
    Ok(entries)
}

fn damaged(error: zip::result::ZipError) -> Error {
    match error {
        zip::result::ZipError::Io(error) if error.raw_os_error().is_some() => error::read(error),
        error => {
            let text = error.to_string().to_lowercase();
            error::ZIP.error().with_shown(text.trim_start_matches("invalid zip archive: "))
        }
    }
}

/// The content of an entry of a WACZ file. Its size and checksum are compared at its end.
pub struct WaczContent {
    source: Source,
    entry: WaczEntry,
    /// `None` after a seek, and after the end.
    crc: Option<Crc>,
    made: u64,
}

enum Source {
    Stored(Range),
    Deflated(Box<DeflateDecoder<BufReader<Range>>>),
}

impl std::fmt::Debug for WaczContent {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("WaczContent").field("entry", &self.entry).finish_non_exhaustive()
    }
}

impl WaczContent {
    fn damaged(&self, found: &str) -> io::Error {
        let name = self.entry.name.escape_debug().to_string();
        error::wrapped(error::ENTRY.error().with_subject(name).with_shown(found))
    }
}

impl Read for WaczContent {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if room.is_empty() {
            return Ok(0);
        }
        let read = match &mut self.source {
            Source::Stored(range) => range.read(room),
            Source::Deflated(decoder) => decoder.read(room),
        };
        let n = match read {
            // Errors of the decoder lack an error code of the operating system.
            Err(error) if error.raw_os_error().is_none() && error.kind() != io::ErrorKind::Interrupted => {
                return Err(self.damaged(&error.to_string().to_lowercase()));
            }
            read => read?,
        };
        self.made += n as u64;
        let Some(crc) = &mut self.crc else { return Ok(n) };
        crc.update(&room[..n]);
        // Compared at every read, so that a bomb ends at the size that it states.
        if self.made > self.entry.size {
            return Err(self.damaged("it is larger than stated"));
        }
        if n == 0 {
            let is_whole = self.made == self.entry.size;
            let is_same = crc.sum() == self.entry.crc;
            self.crc = None;
            match (is_whole, is_same) {
                (false, _) => return Err(self.damaged("it is smaller than stated")),
                (true, false) => return Err(self.damaged("its checksum differs")),
                (true, true) => {}
            }
        }
        Ok(n)
    }
}

impl Seek for WaczContent {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        // The checksum needs all bytes in their order, so after a seek it cannot be compared.
        self.crc = None;
        match &mut self.source {
            Source::Stored(range) => range.seek(to),
            Source::Deflated(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

/// A range with a limit on the number of bytes read.
#[derive(Debug)]
struct Budgeted {
    range: Range,
    left: u64,
}

impl Read for Budgeted {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !room.is_empty() {
            return Err(io::Error::other(format!(
                "its directory is longer than {} MiB",
                MAX_DIRECTORY >> 20
            )));
        }
        let len = self.left.min(room.len() as u64) as usize;
        let n = self.range.read(&mut room[..len])?;
        self.left -= n as u64;
        Ok(n)
    }
}

impl Seek for Budgeted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.range.seek(to)
    }
}
