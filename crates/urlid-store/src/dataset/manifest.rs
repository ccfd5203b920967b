//! The description of a dataset: `_urlid.json` in its folder, and the files that accompany it.
//!
//! Engines skip names that start with an underscore.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use urlid::internal::decode_hex;
use urlid::suffix::SuffixList;
use urlid::{Error, hex};
use urlid_canonical::Rules;

use crate::dataset::error::DATASET;
use crate::description::{Description, OF_DATASET, pack, to_json};

/// The name of the description.
pub const DESCRIPTION_FILE: &str = OF_DATASET;
/// The name of the suffix list.
pub const SUFFIX_LIST_FILE: &str = "_public_suffix_list.dat.zst";
/// The name of the file with the rules of sites, which exists if the canonical form names rules.
pub const RULES_FILE: &str = "_rules.zst";

/// The content of `_urlid.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) description: Description,
    /// Whether there are columns of identifiers and their slices.
    pub(crate) has_ids: bool,
    pub(crate) parts: Vec<PartEntry>,
}

/// A file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartEntry {
    pub(crate) name: String,
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    pub(crate) sha256: [u8; 32],
    /// The key of its first row, which may be cut short.
    pub(crate) first: Vec<u8>,
}

/// Returns the name of a file from its index in the order. Five digits make names sort like rows.
pub(crate) fn file_name(number: usize) -> String {
    format!("part-{number:05}.parquet")
}

impl Manifest {
    /// Writes the description into a folder, with the suffix list and the rules that it names, and syncs
    /// them.
    pub(crate) fn write(&self, folder: &Path, list: &SuffixList, rules: Option<&Rules>) -> io::Result<()> {
        let rules = rules.map(|rules| pack(rules.text())).transpose()?.map(|rules| (RULES_FILE, rules));
        let described =
            [(SUFFIX_LIST_FILE, pack(list.text())?), (DESCRIPTION_FILE, self.to_text().into_bytes())];
        for (name, bytes) in rules.into_iter().chain(described) {
            let mut file = fs::File::create_new(folder.join(name))?;
            file.write_all(&bytes)?;
            file.sync_all()?;
        }
        Ok(())
    }

    pub(crate) fn to_text(&self) -> String {
        let file = |part: &PartEntry| {
            let PartEntry { name, rows, bytes, sha256, first } = part;
            let (sha256, first) = (hex::encode(sha256), STANDARD.encode(first));
            json!({ "bytes": bytes, "first_key": first, "name": name, "rows": rows, "sha256": sha256 })
        };
        let files: Vec<Value> = self.parts.iter().map(file).collect();
        let more = [("ids", json!(self.has_ids)), ("rows", json!(self.rows())), ("files", json!(files))];
        to_json(&self.description, more)
    }

    /// Parses the text of a description. `path` is the origin of the text, for messages.
    pub(crate) fn parse(text: &[u8], path: &Path) -> Result<Self, Error> {
        let (description, members) = DATASET.parse(text, path)?;
        let missing = |name: &str| DATASET.missing(path, name);
        let files = members.get("files").and_then(Value::as_array).ok_or_else(|| missing("files"))?;
        let parts: Option<Vec<PartEntry>> = files.iter().map(PartEntry::parse).collect();
        let has_ids = members.get("ids").and_then(Value::as_bool).ok_or_else(|| missing("ids"))?;
        let manifest = Self { description, has_ids, parts: parts.ok_or_else(|| missing("files"))? };
        let (rows, _) = manifest.checked_sums().ok_or_else(|| missing("rows"))?;
        if members.get("rows") == Some(&json!(rows)) { Ok(manifest) } else { Err(missing("rows")) }
    }

    /// Returns the numbers of rows and of bytes, or `None` if they overflow. They are untrusted.
    pub(crate) fn checked_sums(&self) -> Option<(u64, u64)> {
        let sum = |number: fn(&PartEntry) -> u64| {
            self.parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(number(part)))
        };
        Some((sum(|part| part.rows)?, sum(|part| part.bytes)?))
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> u64 {
        self.parts.iter().map(|part| part.rows).sum()
    }

    /// Returns the total length of the files in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes).sum()
    }
}

impl PartEntry {
    fn parse(file: &Value) -> Option<Self> {
        let text = |name: &str| file.get(name)?.as_str();
        let number = |name: &str| file.get(name)?.as_u64();
        let name = text("name")?.to_owned();
        // A name with a slash would lead out of the folder, and engines skip names that start with `.` or
        // `_`.
        let is_plain =
            name.ends_with(".parquet") && !name.contains(['/', '\\']) && !name.starts_with(['.', '_']);
        let first = STANDARD.decode(text("first_key")?).ok()?;
        let sha256 = decode_hex(text("sha256")?)?;
        is_plain.then_some(Self { name, rows: number("rows")?, bytes: number("bytes")?, sha256, first })
    }
}
