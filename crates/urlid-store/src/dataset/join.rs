//! Joins datasets of disjoint ranges of keys, such as those made by the tasks of an engine, into one.

use std::path::Path;

use urlid::Error;

use crate::dataset::error::DATASET;
use crate::dataset::manifest::{DESCRIPTION_FILE, Manifest, PartEntry, file_name};

/// Several datasets as one: the origin of its files, and its description.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// The files, in order.
    pub files: Vec<JoinedFile>,
    /// The text of its `_urlid.json`.
    pub description: String,
    /// The number of rows.
    pub rows: u64,
    /// The total length of the files in bytes.
    pub bytes: u64,
}

/// A file of a dataset that is joined.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedFile {
    /// The index of its dataset among the joined ones.
    pub dataset: usize,
    /// Its name in that dataset.
    pub old_name: String,
    /// Its name in the joined dataset.
    pub new_name: String,
}

/// Joins datasets with ranges of keys that do not overlap, by the texts of their descriptions. No file is
/// read.
///
/// The caller must divide rows by [`sort_key`](crate::dataset::sort_key), so that the ranges of the datasets
/// do not interleave. The caller then moves the files, and copies the suffix list of one dataset, and its
/// rules if it has some, into the folder. It writes the description last, because a folder without it is not
/// a dataset.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// use std::fs;
/// use urlid::suffix::SuffixList;
/// use urlid_store::dataset::{BuildOptions, Builder, DESCRIPTION_FILE, SUFFIX_LIST_FILE, Dataset, join};
///
/// let folders = ["z", "a"].map(|name| directory.path().join(name));
/// for folder in &folders {
///     let builder = Builder::begin(folder, SuffixList::compiled(), BuildOptions::default())?;
///     let host = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
///     builder.adder().push(&format!("https://{host}.example/"))?;
///     builder.finish()?;
/// }
/// let texts = folders.iter().map(|folder| fs::read(folder.join(DESCRIPTION_FILE)));
/// let texts: Vec<_> = texts.collect::<Result<_, _>>()?;
/// let joined = join(&texts)?;
/// let target = directory.path().join("urls");
/// fs::create_dir(&target)?;
/// for file in &joined.files {
///     fs::rename(folders[file.dataset].join(&file.old_name), target.join(&file.new_name))?;
/// }
/// fs::rename(folders[0].join(SUFFIX_LIST_FILE), target.join(SUFFIX_LIST_FILE))?;
/// fs::write(target.join(DESCRIPTION_FILE), &joined.description)?;
/// assert_eq!(Dataset::open(&target, &[])?.verify_rows(), (2, vec![]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If `descriptions` is empty, if a text is not a description, or if they differ in their suffix list,
/// Unicode data, canonical form or columns.
pub fn join(descriptions: &[impl AsRef<[u8]>]) -> Result<Joined, Error> {
    let path = Path::new(DESCRIPTION_FILE);
    let all: Vec<Manifest> =
        descriptions.iter().map(|text| Manifest::parse(text.as_ref(), path)).collect::<Result<_, _>>()?;
    let Some(first) = all.first() else { return Err(DATASET.damaged(path, "no description")) };
    for one in &all {
        one.description.check_like(&first.description, path)?;
        if one.has_ids != first.has_ids {
            return Err(DATASET.damaged(path, "identifiers in some of the datasets only"));
        }
    }
    let parts =
        all.iter().enumerate().flat_map(|(dataset, one)| one.parts.iter().map(move |part| (dataset, part)));
    // A range without rows has a file for its schema. Only a dataset without any rows needs such a file.
    let (mut with_rows, empty): (Vec<_>, Vec<_>) = parts.partition(|(_, part)| part.rows > 0);
    if with_rows.is_empty() {
        with_rows.extend(empty.first());
    }
    // Ranges do not overlap by contract, so the first keys determine the order. `verify` reports datasets
    // with ranges that overlap.
    with_rows.sort_by(|(_, one), (_, other)| one.first.cmp(&other.first));
    let (mut files, mut renamed) = (Vec::new(), Vec::new());
    for (number, (dataset, part)) in with_rows.into_iter().enumerate() {
        let name = file_name(number);
        files.push(JoinedFile { dataset, old_name: part.name.clone(), new_name: name.clone() });
        renamed.push(PartEntry { name, ..part.clone() });
    }
    let joined = Manifest { parts: renamed, ..first.clone() };
    let sums = joined.checked_sums();
    let (rows, bytes) =
        sums.ok_or_else(|| DATASET.damaged(path, "more rows or bytes than a dataset can have"))?;
    Ok(Joined { files, description: joined.to_text(), rows, bytes })
}
