//! The description of stored URLs: the program, the snapshot and the canonical form of an index, a dataset or
//! a seen-set.
//!
//! All three stores use the same entries. An index has them as rows of `meta`, a folder as members of a JSON
//! object, and a Parquet file as metadata. The file with the JSON object marks a folder as a dataset or a
//! seen-set, and it ends with its own checksum.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Map, Value, json};
use urlid::internal::decode_hex;
use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList};
use urlid::{Error, ErrorCode, ErrorKind, hex};
use urlid_canonical::{Form, Rules};

use crate::question::About;
use crate::question::schema::APPLICATION_ID;

/// A canonical form is empty. Some forms return an empty text for white space instead of an error, and all
/// such URLs would become one.
pub const EMPTY_FORM: ErrorKind =
    ErrorKind::new(ErrorCode::UrlParse, "canonical form is empty: expected an absolute URL");
/// Stored URLs depend on a suffix list or Unicode data other than the expected ones.
pub const SNAPSHOT: ErrorKind =
    ErrorKind::new(ErrorCode::Snapshot, "snapshots differ: found {found} in {subject}, expected {expected}");
/// Stored URLs are in a canonical form other than the expected one.
pub const FORM: ErrorKind = ErrorKind::new(
    ErrorCode::CanonMixed,
    "canonical forms differ: found {found} in {subject}, expected {expected}",
);
/// The rules of sites of stored URLs differ from the expected ones of the same name.
pub const RULES: ErrorKind = ErrorKind::new(
    ErrorCode::CanonMixed,
    "rules of sites differ: found SHA-256 {found} in {subject}, expected {expected}",
);
/// The name of the canonical form is unknown: a later version of the library wrote it, or it names a list
/// that is not given.
pub const FORM_NAME: ErrorKind =
    ErrorKind::new(ErrorCode::CanonName, "canonical form of {subject} is unknown");

/// The program, as files and descriptions name it.
pub(crate) const TOOL: &str = concat!("urlid ", env!("CARGO_PKG_VERSION"));
/// The file that marks a folder as a dataset.
pub(crate) const OF_DATASET: &str = "_urlid.json";
/// The file that marks a folder as a seen-set.
pub(crate) const OF_SEEN_SET: &str = "seen.json";
/// The longest description, suffix list and text of rules that is read, in bytes. A small frame of zstd can
/// decompress to gigabytes.
pub(crate) const MOST_BYTES: u64 = 64 << 20;

/// The properties that stored URLs have in common.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The version of the format.
    pub format: u32,
    /// The program that made the store, as in `urlid 0.1.0`.
    pub tool: String,
    /// The suffix list and Unicode data that identifiers and host parts depend on.
    pub snapshot: Snapshot,
    /// The name of the canonical form of the URLs; `None` if they are stored as they came.
    pub canonical_form: Option<String>,
    /// The SHA-256 of the rules of sites that the form names; their text is stored separately.
    pub rules_sha256: Option<[u8; 32]>,
}

impl Description {
    /// The names of all entries.
    pub(crate) const ENTRIES: [&'static str; 5] =
        ["format", "tool", "snapshot", "canonical_form", "rules_sha256"];

    pub(crate) fn new(format: u32, list: &SuffixList, form: Option<&Form>) -> Self {
        Self {
            format,
            tool: TOOL.to_owned(),
            snapshot: Snapshot::new(list),
            canonical_form: form.map(Form::to_string),
            rules_sha256: form.and_then(Form::rules).map(Rules::sha256),
        }
    }

    /// Returns the entries as texts. A form that is `None` is empty, and a digest that is `None` is left out.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'static str, String)> {
        let values = [
            Some(self.format.to_string()),
            Some(self.tool.clone()),
            Some(self.snapshot.to_string()),
            Some(self.canonical_form.clone().unwrap_or_default()),
            self.rules_sha256.map(|sha256| hex::encode(&sha256)),
        ];
        Self::ENTRIES.into_iter().zip(values).filter_map(|(name, value)| Some((name, value?)))
    }

    /// Reads the entries of a format. Fails with the name of the first entry that is missing or malformed.
    pub(crate) fn read(
        format: u32,
        entry: impl Fn(&'static str) -> Option<String>,
    ) -> Result<Self, &'static str> {
        let text = |name| entry(name).ok_or(name);
        if text("format")? != format.to_string() {
            return Err("format");
        }
        Ok(Self {
            format,
            tool: text("tool")?,
            snapshot: text("snapshot")?.parse().map_err(|_| "snapshot")?,
            canonical_form: Some(text("canonical_form")?).filter(|name| !name.is_empty()),
            rules_sha256: match entry("rules_sha256") {
                None => None,
                Some(digits) => Some(decode_hex(&digits).ok_or("rules_sha256")?),
            },
        })
    }

    /// Returns the properties that answers depend on.
    #[cfg(any(feature = "sqlite", feature = "parquet"))]
    pub(crate) fn about(&self, suffixes: &SuffixList) -> About {
        About {
            snapshot: self.snapshot.clone(),
            suffixes: suffixes.clone(),
            canonical_form: self.canonical_form.clone(),
        }
    }

    /// Fails unless URLs with this description, which is the one at `path`, can be mixed with URLs that have
    /// the expected one.
    pub(crate) fn check_like(&self, expected: &Self, path: &Path) -> Result<(), Error> {
        let differ = |kind: ErrorKind, found: String, expected: String| {
            Err(kind.error().with_path(path).with_shown(found).with_expected(expected))
        };
        let [found_form, form] = [self, expected].map(|one| one.canonical_form.as_deref().unwrap_or("none"));
        if self.snapshot != expected.snapshot {
            return differ(SNAPSHOT, self.snapshot.to_string(), expected.snapshot.to_string());
        }
        if found_form != form {
            return differ(FORM, found_form.to_owned(), form.to_owned());
        }
        self.check_rules(expected.rules_sha256, path)
    }

    /// Fails unless the rules that the form names have this SHA-256. The name has only its first digits.
    fn check_rules(&self, expected: Option<[u8; 32]>, path: &Path) -> Result<(), Error> {
        if self.rules_sha256 == expected {
            return Ok(());
        }
        let [found, expected] = [self.rules_sha256, expected]
            .map(|sha256| sha256.map_or("none".to_owned(), |sha256| hex::encode(&sha256)));
        Err(RULES.error().with_path(path).with_shown(found).with_expected(expected))
    }

    /// Returns the canonical form. `given` is used if it has the stored name: a form that contains a list of
    /// the user cannot be made from its name alone. `rules` returns the stored rules.
    pub(crate) fn form(
        &self,
        given: Option<&Form>,
        path: &Path,
        rules: impl FnOnce() -> Result<Option<Rules>, Error>,
    ) -> Result<Option<Form>, Error> {
        let Some(name) = &self.canonical_form else { return Ok(None) };
        if let Some(form) = given.filter(|form| form.to_string() == *name) {
            self.check_rules(form.rules().map(Rules::sha256), path)?;
            return Ok(Some(form.clone()));
        }
        let unknown = |source: Error| FORM_NAME.error().with_path(path).with_source(source);
        let form = Form::parse_with_rules(name, &[], rules()?.as_ref()).map_err(unknown)?;
        // A name that a user may type, such as `web+rules`, is never stored.
        match form.to_string() == *name {
            true => Ok(Some(form)),
            false => Err(FORM_NAME.error().with_path(path)),
        }
    }

    /// Returns the compiled suffix list if the snapshot names it. This saves decompressing and parsing the
    /// stored list each time a store is opened. `verify` checks the stored list.
    pub(crate) fn compiled_suffixes(&self) -> Option<&'static SuffixList> {
        self.sections().map(SuffixList::compiled_with).filter(|list| self.is_by(list))
    }

    /// Returns the suffix list of a packed text, if it is the one that the snapshot names.
    pub(crate) fn suffixes(&self, packed: &[u8]) -> Option<SuffixList> {
        let list = SuffixList::parse(&unpack(packed)?, self.sections()?).ok();
        list.filter(|list| self.is_by(list))
    }

    /// Returns the rules of a packed text, if they are the ones that the form names. Their aliases stay in
    /// the registered domains of `list`.
    pub(crate) fn rules(&self, packed: &[u8], list: &SuffixList) -> Option<Rules> {
        let rules = Rules::parse_with(&unpack(packed)?, list).ok();
        rules.filter(|rules| Some(rules.sha256()) == self.rules_sha256)
    }

    fn sections(&self) -> Option<Sections> {
        [Sections::Icann, Sections::All].into_iter().find(|one| one.name() == self.snapshot.psl_sections)
    }

    fn is_by(&self, list: &SuffixList) -> bool {
        self.snapshot.psl_sha256 == hex::encode(&list.sha256())
    }
}

/// Compresses the text of a suffix list or of rules.
pub(crate) fn pack(text: &str) -> io::Result<Vec<u8>> {
    zstd::encode_all(text.as_bytes(), 9)
}

/// Decompresses a text; `None` if the frame is damaged, not UTF-8, or longer than [`MOST_BYTES`].
pub(crate) fn unpack(packed: &[u8]) -> Option<String> {
    let mut text = String::new();
    // One byte more distinguishes a text that is too long from one of exactly the limit.
    zstd::Decoder::new(packed).ok()?.take(MOST_BYTES + 1).read_to_string(&mut text).ok()?;
    (text.len() as u64 <= MOST_BYTES).then_some(text)
}

/// The separator before the checksum, the last member of a description in JSON.
const CHECKSUM: &str = ",\n  \"checksum\": ";

/// A kind of store that is a folder: the name of its description, and its errors.
pub(crate) struct FolderKind {
    pub(crate) name: &'static str,
    pub(crate) format: u32,
    pub(crate) read: ErrorKind,
    pub(crate) write: ErrorKind,
    pub(crate) foreign: ErrorKind,
    pub(crate) newer: ErrorKind,
    pub(crate) damaged: ErrorKind,
}

impl FolderKind {
    /// Returns the error of reading a file or folder.
    pub(crate) fn unread(&self, path: &Path, source: io::Error) -> Error {
        self.read.error().with_path(path).with_source(source)
    }

    /// Returns the error of writing a file or folder.
    pub(crate) fn unwritten(&self, path: &Path, source: io::Error) -> Error {
        self.write.error().with_path(path).with_source(source)
    }

    /// Returns the error of damage in a file.
    pub(crate) fn damaged(&self, path: &Path, what: impl Display) -> Error {
        self.damaged.error().with_shown(what).with_path(path)
    }

    /// Returns the error of a path that does not hold this kind. It names the kind that was found.
    pub(crate) fn foreign(&self, path: &Path) -> Error {
        let found = StoredKind::of_path(path);
        let found = found.map_or_else(|| format!("no {}", self.name), |found| found.name().to_owned());
        self.foreign.error().with_shown(found).with_path(path)
    }

    /// Reads a small file of a folder.
    pub(crate) fn read_file(&self, path: &Path) -> Result<Vec<u8>, Error> {
        read_at_most(path).map_err(|error| self.unread(path, error))
    }

    /// Opens a file that the description names.
    pub(crate) fn open_named(&self, path: &Path) -> Result<File, Error> {
        open_regular(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => self.damaged(path, "no file").with_source(error),
            _ => self.unread(path, error),
        })
    }

    /// Reads the text of the description of a folder. A folder without a description is reported as the kind
    /// that it is.
    pub(crate) fn read_description(&self, folder: &Path) -> Result<Vec<u8>, Error> {
        let path = folder.join(self.name);
        read_at_most(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if folder.exists() => self.foreign(folder),
            _ => self.unread(if folder.is_dir() { &path } else { folder }, error),
        })
    }

    /// Parses the text of a description, and returns it with all members of the object. `path` is the origin
    /// of the text, for messages.
    pub(crate) fn parse(&self, text: &[u8], path: &Path) -> Result<(Description, Map<String, Value>), Error> {
        let members: Map<String, Value> = serde_json::from_slice(text).map_err(|error| {
            self.damaged(path, "a description that is not a JSON object").with_source(error)
        })?;
        let format = members.get("format").and_then(Value::as_u64);
        if let Some(format) = format.filter(|format| *format > self.format.into()) {
            return Err(self.newer.error().with_shown(format).with_path(path));
        }
        let body = str::from_utf8(text).ok().and_then(|text| text.rsplit_once(CHECKSUM));
        if body.is_none_or(|(body, _)| sealed(body).as_bytes() != text) {
            return Err(self.missing(path, "checksum"));
        }
        let entry = |name: &'static str| match members.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let description = Description::read(self.format, entry).map_err(|name| self.missing(path, name))?;
        Ok((description, members))
    }

    /// Returns the error of a member that is missing or malformed.
    pub(crate) fn missing(&self, path: &Path, name: &str) -> Error {
        self.damaged(path, format_args!("no usable `{name}`"))
    }
}

/// Returns the text of a description in JSON, with more members.
pub(crate) fn to_json<const N: usize>(description: &Description, more: [(&'static str, Value); N]) -> String {
    let entries = description.entries().map(|(name, value)| (name, json!(value)));
    // Sorted here, because the order of `Map` depends on a feature that any crate of the build can turn on.
    let mut members: BTreeMap<&str, Value> = entries.chain(more).collect();
    members.insert("format", json!(description.format));
    let text = serde_json::to_string_pretty(&members).unwrap_or_default();
    sealed(text.strip_suffix("\n}").unwrap_or(&text))
}

/// Ends a JSON object with the CRC-32 of its text so far. It detects damage, not forgery: whoever can change
/// the description can compute the checksum.
fn sealed(body: &str) -> String {
    format!("{body}{CHECKSUM}{}\n}}\n", crc32fast::hash(body.as_bytes()))
}

/// A kind of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredKind {
    /// An index of URLs in one SQLite file.
    Index,
    /// A folder of sorted Parquet files.
    Dataset,
    /// A folder of keys of the URLs that were seen.
    SeenSet,
}

impl StoredKind {
    /// Returns the kind of store at a path; `None` if it is not a store, or cannot be read.
    pub fn of_path(path: &Path) -> Option<Self> {
        if path.join(OF_DATASET).is_file() {
            Some(StoredKind::Dataset)
        } else if path.join(OF_SEEN_SET).is_file() {
            Some(StoredKind::SeenSet)
        } else {
            is_index(path).then_some(StoredKind::Index)
        }
    }

    /// Returns the noun for messages, with its article.
    pub fn name(self) -> &'static str {
        match self {
            StoredKind::Index => "an index",
            StoredKind::Dataset => "a dataset",
            StoredKind::SeenSet => "a seen-set",
        }
    }
}

/// Returns whether a regular file is a SQLite database with the `application_id` of an index, which is at
/// byte 68.
fn is_index(path: &Path) -> bool {
    let mut header = [0; 72];
    let has_header = open_regular(path).and_then(|mut file| file.read_exact(&mut header)).is_ok();
    has_header && header.starts_with(b"SQLite format 3\0") && header[68..] == APPLICATION_ID.to_be_bytes()
}

/// Opens a regular file.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Fails unless the path is a regular file. Opening a FIFO would block until a process opens its other end.
pub(crate) fn check_regular(path: &Path) -> io::Result<()> {
    match path.metadata()?.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// Reads a file, and fails if it is longer than [`MOST_BYTES`].
fn read_at_most(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST_BYTES {
        true => Err(io::Error::new(io::ErrorKind::InvalidData, "it is too long")),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_damaged_or_too_long_is_not_unpacked() {
        assert_eq!(unpack(&zstd::bulk::compress(b"a", 1).expect("packs")).as_deref(), Some("a"));
        assert_eq!(unpack(b"not zstd"), None);
        assert_eq!(unpack(&zstd::bulk::compress(b"\xff", 1).expect("packs")), None);
        let bomb = zstd::bulk::compress(&vec![b' '; MOST_BYTES as usize + 1], 1).expect("packs");
        assert!(bomb.len() < 100_000);
        assert_eq!(unpack(&bomb), None);
    }
}
