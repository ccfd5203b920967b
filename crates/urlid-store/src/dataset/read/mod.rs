//! Reading a dataset: its folder, the pages that can hold answers, questions, and verification of every row.

mod lookup;
mod part;
mod scan;
pub(crate) mod several;
#[cfg(test)]
mod tests;
pub(crate) mod verify;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;

use urlid::Error;
use urlid::suffix::SuffixList;
use urlid_canonical::{Form, Rules};

use crate::dataset::error::{FORM_NAME, RULES, damaged, unread};
use crate::dataset::key::least_of_host;
use crate::dataset::manifest::{self, DESCRIPTION_FILE, DatasetDescription};
use crate::question::Question;
use part::{PageNumber, Part, places_of};

/// A dataset that is open. [`Datasets`](crate::dataset::Datasets) answers questions, of one or of several.
///
/// ```
/// use std::path::Path;
/// use urlid::ErrorCode;
/// use urlid_store::dataset::Dataset;
///
/// assert_eq!(Dataset::open(Path::new("no-such-folder")).unwrap_err().code(), ErrorCode::Io);
/// ```
#[derive(Debug)]
pub struct Dataset {
    folder: PathBuf,
    description: DatasetDescription,
    parts: Vec<OnceLock<Result<Part, Error>>>,
    threads: NonZeroUsize,
}

/// Returns whether a path names a folder with the description of a dataset.
#[must_use]
pub fn is_dataset(path: &Path) -> bool {
    path.join(DESCRIPTION_FILE).exists()
}

impl Dataset {
    /// Opens a dataset.
    ///
    /// # Errors
    /// If the folder cannot be read or is not a dataset, if a file is missing or has another length, and if
    /// there are files that do not belong to the dataset: engines would read them too.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let description = manifest::read(folder)?;
        // Lengths are cheap to compare and reveal an interrupted copy; contents are checked page by page when
        // they are read.
        for part in &description.parts {
            let path = folder.join(&part.name);
            match fs::metadata(&path) {
                Ok(found) if found.len() == part.bytes => {}
                Ok(found) => {
                    return Err(damaged(&path, &format!("{} bytes, expected {}", found.len(), part.bytes)));
                }
                Err(error) => return Err(unread(&path, error)),
            }
        }
        for entry in fs::read_dir(folder).map_err(|error| unread(folder, error))? {
            let name = entry.map_err(|error| unread(folder, error))?.file_name();
            let is_hidden = name.to_string_lossy().starts_with(['_', '.']);
            if !is_hidden && !description.parts.iter().any(|part| *part.name == *name) {
                return Err(damaged(&folder.join(name), "a file that is not of the dataset"));
            }
        }
        let parts = description.parts.iter().map(|_| OnceLock::new()).collect();
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Ok(Self { folder: folder.to_owned(), description, parts, threads })
    }

    /// Returns the dataset with a different number of threads for reading. The default is one for each core.
    ///
    /// ```no_run
    /// use std::num::NonZeroUsize;
    /// use std::path::Path;
    ///
    /// use urlid_store::dataset::Dataset;
    ///
    /// let dataset = Dataset::open(Path::new("urls"))?.with_threads(NonZeroUsize::MIN);
    /// # Ok::<(), urlid::Error>(())
    /// ```
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Checks that the suffix list in the folder is the one that the snapshot names.
    fn check_suffix_list(&self) -> Result<(), Error> {
        manifest::stored_suffixes(&self.folder, &self.description.snapshot).map(drop)
    }

    /// Returns the rules of sites that the canonical form names; none if it names none.
    ///
    /// # Errors
    /// If they are damaged or cannot be read.
    pub fn site_rules(&self) -> Result<Option<Rules>, Error> {
        manifest::stored_rules(&self.folder, &self.description)
    }

    /// Returns the description of the folder.
    #[must_use]
    pub fn describe(&self) -> &DatasetDescription {
        &self.description
    }

    /// Returns the paths of the files, in the order of their rows.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.description.parts.iter().map(|part| self.folder.join(&part.name))
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.description.rows
    }

    /// Returns one line about what is read to answer a question.
    fn plan(&self, question: &Question) -> String {
        let (pages, _) = self.pages_of(question);
        let ranges = question.host_keys(self.list()).map(|ranges| ranges.len());
        let what = match ranges {
            None => "scan of every page".to_owned(),
            Some(1) => "1 range of hosts".to_owned(),
            Some(ranges) => format!("{ranges} ranges of hosts"),
        };
        let pages = if pages.len() == 1 { "1 page".to_owned() } else { format!("{} pages", pages.len()) };
        format!("{what}, {pages}; every candidate is compared with its own URL")
    }

    fn threads(&self) -> NonZeroUsize {
        self.threads
    }

    fn list(&self) -> &SuffixList {
        &self.description.suffixes
    }

    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn part(&self, number: usize) -> Result<&Part, Error> {
        // Opened once, by the first thread that needs the file. An error is kept as well, so every later
        // question reports it too.
        let open = || Part::open(&self.folder, &self.description.parts[number]);
        self.parts[number].get_or_init(open).as_ref().map_err(Error::clone)
    }

    /// Returns the canonical form of the URLs. `given` is needed if the form contains a list that is not part
    /// of the library.
    fn form(&self, given: Option<&Form>) -> Result<Option<Form>, Error> {
        let Some(name) = &self.description.canonical_form else { return Ok(None) };
        match given.filter(|form| form.to_string() == *name) {
            Some(form) if form.rules().map(Rules::sha256) != self.description.rules_sha256 => {
                Err(RULES.error().with_subject(self.folder.display().to_string()))
            }
            Some(form) => Ok(Some(form.clone())),
            None => {
                Form::parse_with_rules(name, &[], self.site_rules()?.as_ref()).map(Some).map_err(|error| {
                    FORM_NAME.error().with_subject(self.folder.display().to_string()).with_source(error)
                })
            }
        }
    }

    /// Returns the pages that can hold answers, in order. A file that cannot be opened is an error, which is
    /// returned with the pages of all others.
    fn pages_of(&self, question: &Question) -> (Vec<PageNumber>, Option<Error>) {
        match question.host_keys(self.list()) {
            None => self.pages_between(&[], None),
            Some(ranges) => {
                let (mut pages, mut damage) = (Vec::new(), None);
                for (first, behind) in ranges {
                    let behind = least_of_host(&behind);
                    let (more, failed) = self.pages_between(&least_of_host(&first), Some(&behind));
                    // Neighbouring ranges may share a page.
                    let last = pages.last().copied();
                    pages.extend(more.into_iter().filter(|page| Some(*page) > last));
                    damage = damage.or(failed);
                }
                (pages, damage)
            }
        }
    }

    /// Returns the pages that can hold the keys of a range.
    fn pages_between(&self, from: &[u8], behind: Option<&[u8]>) -> (Vec<PageNumber>, Option<Error>) {
        let parts = &self.description.parts;
        let (mut pages, mut damage) = (Vec::new(), None);
        for number in places_of(parts, |part, key| part.first.as_slice() < key, from, behind) {
            match self.part(number) {
                Ok(part) => {
                    let range = places_of(&part.pages, |page, key| page.first.as_slice() < key, from, behind);
                    pages.extend(range.map(|page| (number, page)));
                }
                Err(error) => damage = damage.or(Some(error)),
            }
        }
        (pages, damage)
    }

    /// Returns the path of the description, for messages.
    fn manifest_path(&self) -> PathBuf {
        self.folder.join(DESCRIPTION_FILE)
    }
}
