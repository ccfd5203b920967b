//! A sorted file of keys.
//!
//! It has pages of keys, the first key of each page, a Bloom filter, and a footer. The first keys and the
//! filter are in memory while the file is open. A lookup of an absent key therefore rarely reads from the
//! disk, and a lookup of a present key reads one page.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use urlid::Error;
use urlid_io::files::{directory_of, read_exact_at, sync_directory};

use crate::seen::error::SEEN_SET;
use crate::seen::fault;
use crate::seen::filter::{BLOCK, Filter};
use crate::seen::key::SeenKey;

const MAGIC: &[u8; 16] = b"urlid seen run 1";
/// The bytes of a footer: the magic, five numbers of eight bytes, the checksum of the first keys and the
/// filter, and the checksum of the footer.
const FOOTER: usize = 16 + 5 * 8 + 8;
/// Filters that are looked up together.
const BATCH_KEYS: usize = 32;
/// Pages that are read together in a pass over the whole file.
const READ: usize = 32;

/// An open sorted file.
#[derive(Debug)]
pub(crate) struct KeyRun {
    path: PathBuf,
    file: File,
    width: usize,
    keys: u64,
    checksum: u32,
    /// The first key of each page.
    first: Vec<SeenKey>,
    filter: Filter,
}

/// A key that is looked up, and its place in the batch.
pub(crate) type WantedKey = (SeenKey, u32);

impl KeyRun {
    /// Opens a file. `keys` and `checksum` are the number of its keys and the checksum of its footer, from
    /// the description.
    pub(crate) fn open(path: &Path, width: usize, keys: u64, checksum: u32) -> Result<Self, Error> {
        let failed = |error| SEEN_SET.unread(path, error);
        let file = SEEN_SET.open_named(path)?;
        let len = file.metadata().map_err(failed)?.len();
        let mut bytes = [0; FOOTER];
        let start = len.checked_sub(FOOTER as u64).ok_or_else(|| SEEN_SET.damaged(path, "no footer"))?;
        read_exact_at(&file, &mut bytes, start).map_err(failed)?;
        let footer = Footer::parse(&bytes).ok_or_else(|| SEEN_SET.damaged(path, "no footer"))?;
        let is_recorded = (footer.width, footer.keys, footer.sum()) == (width as u64, keys, checksum);
        if !is_recorded || !footer.is_of(len) {
            return Err(SEEN_SET.damaged(path, "a footer that the description does not name"));
        }
        let mut hasher = crc32fast::Hasher::new();
        // This does not overflow, because `is_of` has computed this product, and larger ones, with checks.
        let mut at = footer.pages * PAGE as u64;
        let mut read = |bytes: &mut [u8]| {
            read_exact_at(&file, bytes, at).map_err(failed)?;
            hasher.update(bytes);
            at += bytes.len() as u64;
            Ok::<(), Error>(())
        };
        let mut first = Vec::new();
        let (mut left, mut bytes) = (footer.pages, Vec::new());
        while left > 0 {
            // The bytes are read in pieces, so that all bytes and all the keys made of them are never in
            // memory together.
            let pages = left.min(4096);
            bytes.resize(pages as usize * width, 0);
            read(&mut bytes)?;
            first.extend(bytes.chunks_exact(width).map(SeenKey::padded));
            left -= pages;
        }
        let filter = Filter::read(footer.blocks, &mut read)?;
        // `page_of` relies on the order of the first keys.
        if hasher.finalize() != footer.contents || !first.is_sorted() {
            return Err(SEEN_SET.damaged(path, "a wrong checksum of its filter"));
        }
        Ok(Self { path: path.to_owned(), file, width, keys, checksum, first, filter })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn keys(&self) -> u64 {
        self.keys
    }

    pub(crate) fn checksum(&self) -> u32 {
        self.checksum
    }

    pub(crate) fn may_have(&self, key: &SeenKey) -> bool {
        self.filter.may_have(key)
    }

    /// Removes the keys that the file has from `wanted`, which is sorted.
    pub(crate) fn take_known(&self, wanted: &mut Vec<WantedKey>) -> Result<(), Error> {
        let mut page = [0; PAGE];
        let mut loaded = None;
        // Wanted keys and pages are both in order, so each page is read at most once. Keys that are missing
        // here move to the front. After a failure reading stops and all other keys stay, and the caller
        // reports the error.
        let (mut kept, mut from, mut failure) = (0, 0, None);
        for start in (0..wanted.len()).step_by(BATCH_KEYS) {
            let end = wanted.len().min(start + BATCH_KEYS);
            // The reads do not depend on each other, so the processor has all of them under way when the
            // lookups start.
            black_box(wanted[start..end].iter().fold(0, |read, (key, _)| read ^ self.filter.touch(key)));
            for index in start..end {
                let key = wanted[index].0;
                let is_known = failure.is_none() && self.filter.may_have(&key) && {
                    from = self.page_of(&key, from);
                    if loaded != Some(from) {
                        loaded = Some(from);
                        failure = self.read_page(from, &mut page).err();
                    }
                    failure.is_none() && has_key(&page, self.width, self.count(from), &key)
                };
                if !is_known {
                    wanted[kept] = wanted[index];
                    kept += 1;
                }
            }
        }
        wanted.truncate(kept);
        failure.map_or(Ok(()), Err)
    }

    /// Returns the page where a key would be, which is `from` or a later one.
    fn page_of(&self, key: &SeenKey, from: usize) -> usize {
        // The steps double, because keys come in order and the next page is rarely far.
        let rest = &self.first[from..];
        let mut step = 1;
        while step < rest.len() && rest[step] <= *key {
            step *= 2;
        }
        let low = step / 2;
        let high = rest.len().min(step + 1);
        // First keys before `low` are not greater than the key, and first keys from `high` on are greater.
        // The page is the last one whose first key is not greater. A key before all pages is looked up in the
        // first page, which lacks it.
        (from + low + rest[low..high].partition_point(|first| first <= key)).saturating_sub(1).max(from)
    }

    /// Returns how many keys a page has.
    fn count(&self, page: usize) -> usize {
        let full = keys_of_page(self.width) as u64;
        // This does not underflow, because the number of pages is the number of keys divided by `full`,
        // rounded up, and `page` is one of them.
        usize::try_from((self.keys - page as u64 * full).min(full)).unwrap_or(0)
    }

    fn read_page(&self, index: usize, page: &mut [u8; PAGE]) -> Result<(), Error> {
        let at = (index * PAGE) as u64;
        read_exact_at(&self.file, page, at).map_err(|error| SEEN_SET.unread(&self.path, error))?;
        match is_whole(page) {
            true => Ok(()),
            false => Err(SEEN_SET.damaged(&self.path, format_args!("a wrong checksum of page {index}"))),
        }
    }

    pub(crate) fn pages(&self) -> usize {
        self.first.len()
    }

    /// Passes the keys of a page to `each`, and returns its first key from the index of pages.
    pub(crate) fn each_of_page(&self, index: usize, mut each: impl FnMut(SeenKey)) -> Result<SeenKey, Error> {
        let mut page = [0; PAGE];
        self.read_page(index, &mut page)?;
        (0..self.count(index)).for_each(|at| each(key_at(&page, self.width, at)));
        Ok(self.first[index])
    }
}

/// Reads the keys of a file in order.
pub(crate) struct RunKeys<'r> {
    run: &'r KeyRun,
    bytes: Vec<u8>,
    /// The pages in `bytes`.
    pages: std::ops::Range<usize>,
    /// The page that is read, and the index of the next key in it.
    at: (usize, usize),
}

impl<'r> RunKeys<'r> {
    pub(crate) fn new(run: &'r KeyRun) -> Self {
        Self { run, bytes: Vec::new(), pages: 0..0, at: (0, 0) }
    }

    pub(crate) fn next(&mut self) -> Result<Option<SeenKey>, Error> {
        let run = self.run;
        // This is not called again after `None`, because `count` accepts only pages that exist.
        if self.at.1 == run.count(self.at.0) {
            self.at = (self.at.0 + 1, 0);
        }
        let (page, index) = self.at;
        if page >= run.first.len() {
            return Ok(None);
        }
        if page >= self.pages.end {
            self.pages = page..run.first.len().min(page + READ);
            self.bytes.resize(self.pages.len() * PAGE, 0);
            let at = (page * PAGE) as u64;
            read_exact_at(&run.file, &mut self.bytes, at)
                .map_err(|error| SEEN_SET.unread(&run.path, error))?;
            for (number, page) in self.pages.clone().zip(self.bytes.as_chunks().0) {
                if !is_whole(page) {
                    return Err(
                        SEEN_SET.damaged(&run.path, format_args!("a wrong checksum of page {number}"))
                    );
                }
            }
        }
        self.at.1 += 1;
        let start = (page - self.pages.start) * PAGE + index * run.width;
        Ok(Some(SeenKey::padded(&self.bytes[start..][..run.width])))
    }
}

/// Writes a sorted file. Until the description names the file, the next writer would remove it.
pub(crate) struct KeyRunWriter {
    path: PathBuf,
    file: BufWriter<File>,
    width: usize,
    page: [u8; PAGE],
    in_page: usize,
    keys: u64,
    first: Vec<SeenKey>,
    filter: Filter,
}

impl KeyRunWriter {
    /// Starts a file for at most `most` keys.
    pub(crate) fn create(path: &Path, width: usize, most: u64) -> Result<Self, Error> {
        let file = fault::point()
            .and_then(|()| File::create(path))
            .map_err(|error| SEEN_SET.unwritten(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            file: BufWriter::with_capacity(256 << 10, file),
            width,
            page: [0; PAGE],
            in_page: 0,
            keys: 0,
            first: Vec::new(),
            filter: Filter::for_keys(most),
        })
    }

    /// Appends a key, which must be greater than all keys before it.
    pub(crate) fn push(&mut self, key: &SeenKey) -> Result<(), Error> {
        if self.in_page == keys_of_page(self.width) {
            self.write_page()?;
        }
        if self.in_page == 0 {
            self.first.push(*key);
        }
        self.page[self.in_page * self.width..][..self.width].copy_from_slice(key.bytes(self.width));
        self.in_page += 1;
        self.keys += 1;
        self.filter.insert(key);
        Ok(())
    }

    fn write_page(&mut self) -> Result<(), Error> {
        seal(&mut self.page);
        let written = fault::point().and_then(|()| self.file.write_all(&self.page));
        written.map_err(|error| SEEN_SET.unwritten(&self.path, error))?;
        self.page = [0; PAGE];
        self.in_page = 0;
        Ok(())
    }

    /// Syncs the file and opens it.
    pub(crate) fn finish(mut self) -> Result<KeyRun, Error> {
        if self.in_page > 0 {
            self.write_page()?;
        }
        let Self { path, mut file, width, keys, first, filter, .. } = self;
        let failed = |error| SEEN_SET.unwritten(&path, error);
        let mut hasher = crc32fast::Hasher::new();
        let mut write = |bytes: &[u8]| {
            hasher.update(bytes);
            file.write_all(bytes)
        };
        first.iter().try_for_each(|key| write(key.bytes(width))).map_err(failed)?;
        filter.write(&mut write).map_err(failed)?;
        let (pages, blocks) = (first.len() as u64, filter.blocks());
        let footer = Footer { width: width as u64, keys, pages, blocks, contents: hasher.finalize() };
        file.write_all(&footer.bytes()).map_err(failed)?;
        // Writes the buffered bytes and reports the error, which dropping the buffer would ignore.
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        fault::point().and_then(|()| file.sync_all()).map_err(failed)?;
        drop(file);
        // The name is synced before the description names the file. After a power cut the description never
        // lacks its file.
        sync_directory(directory_of(&path)).map_err(failed)?;
        // The file is opened again, because `create` opens it only for writing.
        let file = File::open(&path).map_err(failed)?;
        Ok(KeyRun { file, width, keys, checksum: footer.sum(), first, filter, path })
    }
}

/// The end of a file.
struct Footer {
    width: u64,
    keys: u64,
    pages: u64,
    blocks: u64,
    /// The CRC-32 of the first keys and the filter.
    contents: u32,
}

impl Footer {
    fn parse(bytes: &[u8; FOOTER]) -> Option<Self> {
        let number = |index: usize| bytes[16 + index * 8..].first_chunk().map(|n| u64::from_le_bytes(*n));
        let footer = Self {
            width: number(0)?,
            keys: number(1)?,
            pages: number(2)?,
            blocks: number(3)?,
            contents: u32::try_from(number(4)?).ok()?,
        };
        // The footer is encoded again and compared, which also checks the magic and the checksum.
        (footer.bytes() == *bytes).then_some(footer)
    }

    fn bytes(&self) -> [u8; FOOTER] {
        let mut bytes = self.without_sum();
        bytes[FOOTER - 8..].copy_from_slice(&u64::from(self.sum()).to_le_bytes());
        bytes
    }

    fn without_sum(&self) -> [u8; FOOTER] {
        let mut bytes = [0; FOOTER];
        bytes[..16].copy_from_slice(MAGIC);
        let numbers = [self.width, self.keys, self.pages, self.blocks, u64::from(self.contents)];
        for (to, number) in bytes[16..].chunks_exact_mut(8).zip(numbers) {
            to.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    fn sum(&self) -> u32 {
        // The sum leaves out the checksum itself: bytes followed by their own CRC-32 all have the same
        // CRC-32.
        crc32fast::hash(&self.without_sum()[..FOOTER - 8])
    }

    /// Returns whether a file of this length has these pages and this filter, and the pages have these keys.
    fn is_of(&self, len: u64) -> bool {
        let parts = || {
            let pages = self.pages.checked_mul(PAGE as u64 + self.width)?;
            pages.checked_add(self.blocks.checked_mul(BLOCK as u64)?)?.checked_add(FOOTER as u64)
        };
        // The caller has compared the width with the description, so this does not divide by zero.
        let full = keys_of_page(self.width as usize) as u64;
        self.blocks > 0 && parts() == Some(len) && self.keys.div_ceil(full) == self.pages
    }
}

/// The bytes of a page. The last four are the CRC-32 of the others.
const PAGE: usize = 4096;

/// Returns how many keys a page has, unless it is the last.
const fn keys_of_page(width: usize) -> usize {
    (PAGE - 4) / width
}

/// Writes the checksum after the keys of a page.
fn seal(page: &mut [u8; PAGE]) {
    let sum = crc32fast::hash(&page[..PAGE - 4]);
    page[PAGE - 4..].copy_from_slice(&sum.to_le_bytes());
}

/// Returns whether the checksum of a page is right.
fn is_whole(page: &[u8; PAGE]) -> bool {
    page[PAGE - 4..] == crc32fast::hash(&page[..PAGE - 4]).to_le_bytes()
}

/// Returns the key at an index.
fn key_at(page: &[u8; PAGE], width: usize, index: usize) -> SeenKey {
    SeenKey::padded(&page[index * width..][..width])
}

/// Returns whether one of the first `count` keys of a page is this one.
fn has_key(page: &[u8; PAGE], width: usize, count: usize, key: &SeenKey) -> bool {
    let wanted = key.bytes(width);
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        match page[middle * width..][..width].cmp(wanted) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    false
}
