//! The container of all binary files of lists: compiled lists, deltas, indexes of shards, and shards.
//!
//! Numbers are little-endian. The kind of a file determines its number of sections and the meaning of the
//! number in its head: the bits of the shards for an index, its own number for a shard, otherwise 0.
//!
//! ```text
//! magic | version | kind | number | length of each section | the sections | SHA-256 of everything before
//! ```

use core::ops::Range;
use std::borrow::Cow;
use std::io;

use urlid::internal::digest;
use urlid::{Error, ErrorCode};

use crate::error;
use crate::header::VERSION;

/// The first bytes of every binary file of a list.
pub const MAGIC: [u8; 8] = *b"urlidbin";
/// The bytes of the magic and three numbers, before the lengths.
const HEAD: usize = 20;
const LENGTH: usize = 8;
const CHECKSUM: usize = 32;

/// The kind of a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    List = 1,
    Delta,
    Index,
    Shard,
}

impl FileKind {
    const EACH: [Self; 4] = [Self::List, Self::Delta, Self::Index, Self::Shard];

    fn name(self) -> &'static str {
        match self {
            Self::List => "compiled list",
            Self::Delta => "delta",
            Self::Index => "index of shards",
            Self::Shard => "shard",
        }
    }

    fn code(self) -> ErrorCode {
        match self {
            Self::List => ErrorCode::ListHeader,
            Self::Delta => ErrorCode::ListDelta,
            Self::Index | Self::Shard => ErrorCode::ListShard,
        }
    }

    /// Returns the error of a file of this kind that is cut short, changed, or contradicts itself.
    pub(super) fn damaged(self) -> Error {
        error::DAMAGED.error().with_code(self.code()).with_subject(self.name())
    }
}

/// A file under construction: its head and the parts of its sections.
pub(super) struct ContainerWriter<'p> {
    head: Vec<u8>,
    parts: Vec<Cow<'p, [u8]>>,
}

impl<'p> ContainerWriter<'p> {
    pub(super) fn new(kind: FileKind, number: u32) -> Self {
        let head = [&MAGIC[..], &[VERSION, kind as u32, number].map(u32::to_le_bytes).concat()].concat();
        Self { head, parts: Vec::new() }
    }

    /// Returns the number of bytes outside the sections of a file with this many sections.
    pub(super) const fn frame(sections: usize) -> usize {
        HEAD + sections * LENGTH + CHECKSUM
    }

    /// Adds a section.
    pub(super) fn section(self, content: impl Into<Cow<'p, [u8]>>) -> Self {
        self.joined([content.into()])
    }

    /// Adds a section of several parts, one after the other.
    pub(super) fn joined(mut self, parts: impl IntoIterator<Item = Cow<'p, [u8]>>) -> Self {
        let first = self.parts.len();
        self.parts.extend(parts);
        let length: usize = self.parts[first..].iter().map(|part| part.len()).sum();
        self.head.extend((length as u64).to_le_bytes());
        self
    }

    /// Returns the SHA-256 at the end of the file.
    pub(super) fn checksum(&self) -> [u8; CHECKSUM] {
        let parts = self.parts.iter().map(|part| &part[..]);
        digest::sha256(&[&self.head[..]].into_iter().chain(parts).collect::<Vec<_>>())
    }

    pub(super) fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        out.write_all(&self.head)?;
        self.parts.iter().try_for_each(|part| out.write_all(part))?;
        out.write_all(&self.checksum())
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        let checksum = self.checksum();
        let parts = self.parts.iter().map(|part| &part[..]);
        [&self.head[..]].into_iter().chain(parts).chain([&checksum[..]]).collect::<Vec<_>>().concat()
    }
}

/// The head of a file that was read. The sections fill the rest of the file.
pub(super) struct Container<const N: usize> {
    pub(super) number: u32,
    pub(super) sections: [Range<usize>; N],
}

impl<const N: usize> Container<N> {
    /// Reads the head of a file of this kind, which has `N` sections, and checks its SHA-256.
    pub(super) fn open(kind: FileKind, bytes: &[u8]) -> Result<Self, Error> {
        let failed = |error: Error| error.with_code(kind.code()).with_subject(kind.name());
        if !bytes.starts_with(&MAGIC) {
            return Err(failed(error::NOT_A_FILE.error()));
        }
        let damaged = || kind.damaged();
        let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or_else(damaged)?;
        let (head, lengths) = content.split_at_checked(HEAD).ok_or_else(damaged)?;
        let (numbers, _) = head[MAGIC.len()..].as_chunks::<4>();
        let [version, stated, number] = [0, 1, 2].map(|index| u32::from_le_bytes(numbers[index]));
        if version != VERSION {
            return Err(failed(error::FILE_VERSION.error().with_shown(version)));
        }
        if stated != kind as u32 {
            let other = FileKind::EACH.into_iter().find(|&other| other as u32 == stated);
            let found = other.map_or_else(|| format!("kind {stated}"), |kind| kind.name().to_owned());
            return Err(failed(error::FILE_KIND.error().with_shown(found)));
        }
        let (lengths, _) = lengths.as_chunks::<LENGTH>();
        let mut lengths = lengths.iter().map(|bytes| u64::from_le_bytes(*bytes));
        let mut end = HEAD + N * LENGTH;
        let mut sections = [const { 0..0 }; N];
        for section in &mut sections {
            let length = lengths.next().and_then(|length| usize::try_from(length).ok());
            let start = end;
            end = length.and_then(|length| start.checked_add(length)).ok_or_else(damaged)?;
            *section = start..end;
        }
        let is_numbered = number == 0 || matches!(kind, FileKind::Index | FileKind::Shard);
        match end == content.len() && is_numbered && digest::sha256(&[content]) == *checksum {
            true => Ok(Self { number, sections }),
            false => Err(damaged()),
        }
    }
}
