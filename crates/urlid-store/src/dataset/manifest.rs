//! The description of a dataset: `_urlid.json` in its folder, and the suffix list beside it.
//!
//! Engines skip names that begin with an underscore.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use urlid::internal::decode_hex;
use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList};
use urlid::{Error, ErrorKind, hex};
use urlid_canonical::{Form, Rules};

use crate::dataset::error::{FORM, NEWER, SNAPSHOT, damaged, foreign, unread};
use crate::dataset::layout::FORMAT;
use crate::kind::{OF_DATASET, TOOL, read_at_most, unpacked};

/// The name of the description.
pub const DESCRIPTION_FILE: &str = OF_DATASET;
/// The name of the suffix list.
pub const SUFFIX_LIST_FILE: &str = "_public_suffix_list.dat.zst";
/// The name of the rules of sites that the canonical form names, if it names some.
pub const RULES_FILE: &str = "_rules.zst";
/// The longest description that is read, in bytes. A file takes about 200.
const MOST: u64 = 64 << 20;
/// The longest suffix list that is read, in bytes of its text.
const MOST_LIST: u64 = 64 << 20;

/// The content of `_urlid.json`, with the suffix list that it names.
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct DatasetDescription {
    /// The version of the format.
    pub format: u64,
    /// The program that made it, as in `urlid 0.1.0`.
    pub tool: String,
    /// The suffix list and Unicode data that host parts depend on.
    pub snapshot: Snapshot,
    /// The suffix list.
    pub suffixes: SuffixList,
    /// The name of the canonical form of the URLs; `None` if they are stored as they came.
    pub canonical_form: Option<String>,
    /// The SHA-256 of the rules of sites that the form names; [`RULES_FILE`] has their text.
    pub rules_sha256: Option<[u8; 32]>,
    /// Whether there are columns of identifiers and their slices.
    pub has_ids: bool,
    /// The number of rows.
    pub rows: u64,
    /// The total length of the files in bytes.
    pub bytes: u64,
    pub(crate) parts: Vec<PartEntry>,
}

/// A file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartEntry {
    pub(crate) name: String,
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    /// The key of its first row, which may be cut.
    pub(crate) first: Vec<u8>,
}

/// Returns the name of a file by its place in the order. Five digits, so that names sort as rows do.
pub(crate) fn file_name(number: usize) -> String {
    format!("part-{number:05}.parquet")
}

/// Writes the description into a folder and syncs it.
pub(crate) fn write(
    folder: &Path,
    list: &SuffixList,
    form: Option<&Form>,
    has_ids: bool,
    parts: &[PartEntry],
) -> io::Result<()> {
    let rules = form.and_then(Form::rules);
    let name = form.map(Form::to_string);
    let form = FormOf { name: name.as_deref(), rules_sha256: rules.map(Rules::sha256) };
    let text = to_text(TOOL, &Snapshot::new(list), form, has_ids, parts);
    let list = zstd::encode_all(list.text().as_bytes(), 9)?;
    let rules = rules.map(|rules| zstd::encode_all(rules.text().as_bytes(), 9)).transpose()?;
    let rules = rules.as_ref().map(|rules| (RULES_FILE, rules.as_slice()));
    let described = [(SUFFIX_LIST_FILE, list.as_slice()), (DESCRIPTION_FILE, text.as_bytes())];
    for (name, bytes) in rules.into_iter().chain(described) {
        let mut file = fs::File::create_new(folder.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    Ok(())
}

/// The canonical form of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FormOf<'d> {
    pub(crate) name: Option<&'d str>,
    pub(crate) rules_sha256: Option<[u8; 32]>,
}

/// Returns the text of a description.
pub(crate) fn to_text(
    tool: &str,
    snapshot: &Snapshot,
    form: FormOf<'_>,
    has_ids: bool,
    parts: &[PartEntry],
) -> String {
    let files: Vec<Value> = parts
        .iter()
        .map(|part| {
            let PartEntry { name, rows, bytes, first } = part;
            json!({ "name": name, "rows": rows, "bytes": bytes, "first_key": STANDARD.encode(first) })
        })
        .collect();
    let snapshot = snapshot.to_string();
    let mut manifest = json!({
        "format": FORMAT,
        "tool": tool,
        "snapshot": snapshot,
        "canonical_form": form.name,
        "ids": has_ids,
        "rows": parts.iter().map(|part| part.rows).sum::<u64>(),
        "files": files,
        "checksum": checksum([tool, &snapshot, form.name.unwrap_or_default()], form.rules_sha256, has_ids, parts),
    });
    if let Some(sha256) = form.rules_sha256 {
        manifest["rules_sha256"] = json!(hex::encode(&sha256));
    }
    format!("{manifest:#}\n")
}

/// Returns the CRC-32 of the texts, the digest of the rules if there are some, the flag of identifiers, and
/// the name, rows, bytes and first key of each file, each after its length. A changed first key would hide
/// the rows of a file.
fn checksum(texts: [&str; 3], rules: Option<[u8; 32]>, has_ids: bool, parts: &[PartEntry]) -> u32 {
    // It detects damage, not forgery: whoever can change the description can compute the checksum.
    let mut hasher = crc32fast::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    texts.iter().for_each(|text| add(text.as_bytes()));
    rules.iter().for_each(|sha256| add(sha256));
    add(&[u8::from(has_ids)]);
    for PartEntry { name, rows, bytes, first } in parts {
        add(name.as_bytes());
        add(&rows.to_le_bytes());
        add(&bytes.to_le_bytes());
        add(first);
    }
    hasher.finalize()
}

/// The parsed text of a description.
pub(crate) struct Parsed {
    pub(crate) tool: String,
    pub(crate) snapshot: Snapshot,
    pub(crate) form: Option<String>,
    pub(crate) rules_sha256: Option<[u8; 32]>,
    pub(crate) has_ids: bool,
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    pub(crate) parts: Vec<PartEntry>,
}

/// Reads the description of a folder.
pub(crate) fn read(folder: &Path) -> Result<DatasetDescription, Error> {
    let path = folder.join(DESCRIPTION_FILE);
    // A folder without a description is something else, and reported as that; other failures are errors of
    // reading.
    let text = match read_at_most(&path, MOST) {
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
                && folder.exists() =>
        {
            return Err(foreign(folder));
        }
        read => read.map_err(|error| unread(if folder.is_dir() { &path } else { folder }, error))?,
    };
    let parsed = parse(&text, &path)?;
    let Parsed { tool, snapshot, form: canonical_form, rules_sha256, has_ids, rows, bytes, parts } = parsed;
    let suffixes = suffixes(folder, &snapshot)?;
    Ok(DatasetDescription {
        format: FORMAT,
        tool,
        snapshot,
        suffixes,
        canonical_form,
        rules_sha256,
        has_ids,
        rows,
        bytes,
        parts,
    })
}

/// Parses the text of a description; `path` is where it is from, for messages.
pub(crate) fn parse(text: &[u8], path: &Path) -> Result<Parsed, Error> {
    let wrong = |what: &str| damaged(path, what);
    let manifest: Map<String, Value> = serde_json::from_slice(text)
        .map_err(|error| wrong("a description that is no JSON object").with_source(error))?;
    let missing = |name: &str| wrong(&format!("no usable `{name}`"));
    let number = |map: &Map<String, Value>, name: &str| {
        map.get(name).and_then(Value::as_u64).ok_or_else(|| missing(name))
    };
    let format = number(&manifest, "format")?;
    // Version 0 was never written, so it is damage and not an old format.
    if format < FORMAT {
        return Err(missing("format"));
    }
    if format > FORMAT {
        return Err(NEWER.error().with_shown(format).with_subject(path.display().to_string()));
    }
    let text = |map: &Map<String, Value>, name: &str| {
        map.get(name).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| missing(name))
    };
    let (tool, snapshot) = (text(&manifest, "tool")?, text(&manifest, "snapshot")?);
    let files = manifest.get("files").and_then(Value::as_array).ok_or_else(|| missing("files"))?;
    let part = |file: &Value| {
        let file = file.as_object().ok_or_else(|| missing("files"))?;
        let name = text(file, "name")?;
        // A name with a slash would lead out of the folder, and engines skip names that begin with `.` or
        // `_`.
        let is_plain =
            name.ends_with(".parquet") && !name.contains(['/', '\\']) && !name.starts_with(['.', '_']);
        let first = STANDARD.decode(text(file, "first_key")?).map_err(|_| missing("first_key"))?;
        match is_plain {
            true => Ok(PartEntry { name, rows: number(file, "rows")?, bytes: number(file, "bytes")?, first }),
            false => Err(missing("name")),
        }
    };
    let parts = files.iter().map(part).collect::<Result<Vec<_>, _>>()?;
    let rows = number(&manifest, "rows")?;
    // The numbers are untrusted, so their sums may overflow.
    let sum = parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.rows));
    let bytes = parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.bytes));
    let (Some(_), Some(bytes)) = (sum.filter(|sum| *sum == rows), bytes) else { return Err(missing("rows")) };
    // The builder writes `null` without a form, so a missing key is damage.
    let form = match manifest.get("canonical_form") {
        Some(Value::Null) => None,
        Some(Value::String(form)) => Some(form.clone()),
        _ => return Err(missing("canonical_form")),
    };
    let has_ids = manifest.get("ids").and_then(Value::as_bool).ok_or_else(|| missing("ids"))?;
    let rules_sha256 = match manifest.get("rules_sha256") {
        // Written only where the form names rules, so a missing key is not damage.
        None => None,
        Some(digits) => Some(digits.as_str().and_then(decode_hex).ok_or_else(|| missing("rules_sha256"))?),
    };
    let sum =
        checksum([&tool, &snapshot, form.as_deref().unwrap_or_default()], rules_sha256, has_ids, &parts);
    if number(&manifest, "checksum")? != u64::from(sum) {
        return Err(missing("checksum"));
    }
    let snapshot = snapshot.parse().map_err(|_| missing("snapshot"))?;
    Ok(Parsed { tool, snapshot, form, rules_sha256, has_ids, rows, bytes, parts })
}

impl Parsed {
    pub(crate) fn form(&self) -> FormOf<'_> {
        FormOf { name: self.form.as_deref(), rules_sha256: self.rules_sha256 }
    }
}

impl DatasetDescription {
    pub(crate) fn form(&self) -> FormOf<'_> {
        FormOf { name: self.canonical_form.as_deref(), rules_sha256: self.rules_sha256 }
    }
}

/// Compares the snapshots and canonical forms of two datasets; `path` is that of the second, for messages.
pub(crate) fn check_alike(
    (our_snapshot, our_form): (&Snapshot, FormOf<'_>),
    (snapshot, form): (&Snapshot, FormOf<'_>),
    path: &Path,
) -> Result<(), Error> {
    let fail = |kind: ErrorKind, found: &dyn ToString, expected: &dyn ToString| {
        let error = kind.error().with_subject(path.display().to_string());
        Err(error.with_shown(found.to_string()).with_expected(expected.to_string()))
    };
    if snapshot != our_snapshot {
        return fail(SNAPSHOT, snapshot, our_snapshot);
    }
    if form != our_form {
        return fail(FORM, &form.name.unwrap_or("none"), &our_form.name.unwrap_or("none"));
    }
    Ok(())
}

/// Returns the suffix list that a snapshot names.
fn suffixes(folder: &Path, snapshot: &Snapshot) -> Result<SuffixList, Error> {
    let compiled = SuffixList::compiled();
    // The stored copy is not read then, so its damage shows only where the compiled list is another one, or
    // in `verify`.
    if is_of(snapshot, compiled) {
        return Ok(compiled.clone());
    }
    stored_suffixes(folder, snapshot)
}

/// Returns the suffix list that lies in the folder.
pub(crate) fn stored_suffixes(folder: &Path, snapshot: &Snapshot) -> Result<SuffixList, Error> {
    let path = folder.join(SUFFIX_LIST_FILE);
    let packed = read_at_most(&path, MOST_LIST).map_err(|error| unread(&path, error))?;
    let wrong = || damaged(&path, "a suffix list that the snapshot does not name");
    let sections = match snapshot.psl_sections.as_str() {
        "icann" => Sections::Icann,
        "all" => Sections::All,
        _ => return Err(wrong()),
    };
    let text = unpacked(&packed, MOST_LIST).map_err(|error| wrong().with_source(error))?;
    let list = SuffixList::parse(&text, sections).ok().filter(|list| is_of(snapshot, list));
    list.ok_or_else(wrong)
}

/// Returns the rules of sites that lie in the folder, if the form names some. Their aliases stay in the
/// registered domains of the dataset's suffix list.
pub(crate) fn stored_rules(folder: &Path, description: &DatasetDescription) -> Result<Option<Rules>, Error> {
    let Some(sha256) = description.rules_sha256 else { return Ok(None) };
    let path = folder.join(RULES_FILE);
    let packed = read_at_most(&path, MOST_LIST).map_err(|error| unread(&path, error))?;
    let wrong = || damaged(&path, "rules that the description does not name");
    let text = unpacked(&packed, MOST_LIST).map_err(|error| wrong().with_source(error))?;
    let rules =
        Rules::parse_with(&text, &description.suffixes).map_err(|error| wrong().with_source(error))?;
    if rules.sha256() == sha256 { Ok(Some(rules)) } else { Err(wrong()) }
}

/// Returns whether a snapshot names a list, by the SHA-256 of its text and the sections that are used.
fn is_of(snapshot: &Snapshot, list: &SuffixList) -> bool {
    let own = Snapshot::new(list);
    (&snapshot.psl_sha256, &snapshot.psl_sections) == (&own.psl_sha256, &own.psl_sections)
}
