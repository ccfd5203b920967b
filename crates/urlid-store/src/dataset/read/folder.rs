//! An open folder of a dataset, with its files and the pages that can hold answers.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use urlid::Error;
use urlid::suffix::SuffixList;
use urlid_canonical::{Form, Rules};

use super::part::{PageNumber, Part, places_of};
use crate::dataset::error::DATASET;
use crate::dataset::key::least_of_host;
use crate::dataset::manifest::{DESCRIPTION_FILE, Manifest, PartEntry, RULES_FILE, SUFFIX_LIST_FILE};
use crate::question::{Question, StoredUrl};

/// One folder of a dataset that is open.
#[derive(Debug)]
pub(super) struct DatasetFolder {
    path: PathBuf,
    pub(super) manifest: Manifest,
    pub(super) suffixes: SuffixList,
    parts: Vec<OnceLock<Result<Part, Error>>>,
}

impl DatasetFolder {
    pub(super) fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(DESCRIPTION_FILE);
        let manifest = Manifest::parse(&DATASET.read_description(folder)?, &path)?;
        let suffixes = match manifest.description.compiled_suffixes() {
            Some(compiled) => compiled.clone(),
            None => stored_suffixes(folder, &manifest)?,
        };
        // Lengths are cheap to compare and reveal an interrupted copy. Contents are checked page by page when
        // they are read.
        for part in &manifest.parts {
            let path = folder.join(&part.name);
            match fs::metadata(&path) {
                Ok(found) if found.len() == part.bytes => {}
                Ok(found) => {
                    let what = format!("{} bytes, expected {}", found.len(), part.bytes);
                    return Err(DATASET.damaged(&path, what));
                }
                Err(error) => return Err(DATASET.unread(&path, error)),
            }
        }
        for entry in fs::read_dir(folder).map_err(|error| DATASET.unread(folder, error))? {
            let name = entry.map_err(|error| DATASET.unread(folder, error))?.file_name();
            let is_hidden = name.to_string_lossy().starts_with(['_', '.']);
            if !is_hidden && !manifest.parts.iter().any(|part| *part.name == *name) {
                return Err(DATASET.damaged(&folder.join(name), "a file that is not of the dataset"));
            }
        }
        let parts = manifest.parts.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { path: folder.to_owned(), manifest, suffixes, parts })
    }

    /// Checks that the suffix list in the folder is the one that the snapshot names.
    pub(super) fn check_suffix_list(&self) -> Result<(), Error> {
        stored_suffixes(&self.path, &self.manifest).map(drop)
    }

    /// Returns the rules of sites that the canonical form names, or `None` if it does not name any.
    pub(super) fn site_rules(&self) -> Result<Option<Rules>, Error> {
        if self.manifest.description.rules_sha256.is_none() {
            return Ok(None);
        }
        let path = self.path.join(RULES_FILE);
        let rules = self.manifest.description.rules(&DATASET.read_file(&path)?, &self.suffixes);
        rules.map(Some).ok_or_else(|| DATASET.damaged(&path, "rules that the description does not name"))
    }

    /// Returns the canonical form of the URLs. `given` is needed if the form contains a list that is not part
    /// of the library.
    pub(super) fn form(&self, given: Option<&Form>) -> Result<Option<Form>, Error> {
        self.manifest.description.form(given, &self.path, || self.site_rules())
    }

    /// Returns the paths of the files, in the order of their rows.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.manifest.parts.iter().map(|part| self.path_of(part))
    }

    /// Returns the path of a file.
    pub(super) fn path_of(&self, part: &PartEntry) -> PathBuf {
        self.path.join(&part.name)
    }

    /// Reads the text of the description again.
    pub(super) fn manifest_text(&self) -> Result<Vec<u8>, Error> {
        DATASET.read_description(&self.path)
    }

    /// Returns one line about the data that is read to answer a question.
    pub(super) fn plan(&self, question: &Question) -> String {
        let (pages, _) = self.pages_of(question);
        let ranges = question.host_keys(&self.suffixes).map(|ranges| ranges.len());
        let what = match ranges {
            None => "scan of every page".to_owned(),
            Some(1) => "1 range of hosts".to_owned(),
            Some(ranges) => format!("{ranges} ranges of hosts"),
        };
        let pages = if pages.len() == 1 { "1 page".to_owned() } else { format!("{} pages", pages.len()) };
        format!("{what}, {pages}; every candidate is compared with its own URL")
    }

    pub(super) fn part(&self, number: usize) -> Result<&Part, Error> {
        // The file is opened once, by the first thread that needs it. An error is kept as well, so every
        // later question reports it.
        let open = || Part::open(&self.path, &self.manifest.parts[number]);
        self.parts[number].get_or_init(open).as_ref().map_err(Error::clone)
    }

    /// Returns the pages that can hold answers, in order. If a file cannot be opened, its error is returned
    /// with the pages of the other files.
    pub(super) fn pages_of(&self, question: &Question) -> (Vec<PageNumber>, Option<Error>) {
        match question.host_keys(&self.suffixes) {
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
    pub(super) fn pages_between(
        &self,
        from: &[u8],
        behind: Option<&[u8]>,
    ) -> (Vec<PageNumber>, Option<Error>) {
        let parts = &self.manifest.parts;
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
    pub(super) fn manifest_path(&self) -> PathBuf {
        self.path.join(DESCRIPTION_FILE)
    }

    /// Passes the answers in pages to `step`, and returns the first error.
    pub(super) fn read_pages(
        &self,
        pages: &[PageNumber],
        question: &Question,
        step: &mut dyn FnMut(&str, &StoredUrl<'_>),
    ) -> Option<Error> {
        let mut damage = None;
        for (part, page) in pages {
            let read = self.part(*part).and_then(|part| {
                // The filter tests raw bytes, so that most rows of a scan are neither validated nor parsed.
                let may_be_met = |text: &[u8]| question.may_be_met_by(text);
                part.each_text_of(&part.pages[*page], &may_be_met, &mut |text| {
                    if let Some(url) = StoredUrl::of_text(text, &self.suffixes)
                        && question.is_met(&url)
                    {
                        step(text, &url);
                    }
                    ControlFlow::Continue(())
                })
            });
            damage = damage.or(read.err());
        }
        damage
    }
}

/// Returns the suffix list of a folder.
fn stored_suffixes(folder: &Path, manifest: &Manifest) -> Result<SuffixList, Error> {
    let path = folder.join(SUFFIX_LIST_FILE);
    let list = manifest.description.suffixes(&DATASET.read_file(&path)?);
    list.ok_or_else(|| DATASET.damaged(&path, "a suffix list that the snapshot does not name"))
}
