//! Reading a dataset: its folders, pages, questions, and verification.

mod folder;
mod lookup;
mod part;
mod scan;
#[cfg(test)]
mod tests;
pub(crate) mod verify;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;

use urlid::Error;
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;
use urlid_canonical::{Form, Rules};

use crate::dataset::manifest::DESCRIPTION_FILE;
use crate::description::Description;
use crate::question::{
    About, Candidates, Group, GroupBy, Question, Row, Stats, StatsTally, StoredUrl, Tally,
};
use folder::DatasetFolder;

/// Returns whether a path names a folder with the description of a dataset.
#[must_use]
pub fn is_dataset(path: &Path) -> bool {
    path.join(DESCRIPTION_FILE).exists()
}

/// A dataset that is open for questions. It has one folder, or several with the same suffix list and
/// canonical form. A URL in several folders is returned once.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let [old, new] = ["old", "new"].map(|name| directory.path().join(name));
/// use urlid::suffix::SuffixList;
/// use urlid_store::dataset::{BuildOptions, Builder, Dataset};
/// use urlid_store::question::Question;
///
/// for (path, urls) in [(&old, ["http://a/1", "http://a/2"]), (&new, ["http://a/2", "http://a/3"])] {
///     let builder = Builder::begin(path, SuffixList::compiled(), BuildOptions::default())?;
///     let mut adder = builder.adder();
///     urls.into_iter().try_for_each(|url| adder.push(url).map(drop))?;
///     drop(adder);
///     builder.finish()?;
/// }
/// assert_eq!(Dataset::open(&old, &[])?.count(&Question::default())?.rows, 2);
/// assert_eq!(Dataset::open(&old, &[new])?.count(&Question::default())?.rows, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Dataset {
    /// At least one.
    folders: Vec<DatasetFolder>,
    threads: NonZeroUsize,
}

impl Dataset {
    /// Opens a folder together with other folders.
    ///
    /// # Errors
    /// If a folder cannot be read or is not a dataset, or if a file is missing or has a different length than
    /// the description states. If a folder contains files that do not belong to the dataset, because engines
    /// would read them as well. If the folders differ in their suffix list, Unicode data or canonical form.
    pub fn open(folder: &Path, also: &[PathBuf]) -> Result<Self, Error> {
        let mut folders = vec![DatasetFolder::open(folder)?];
        for path in also {
            let other = DatasetFolder::open(path)?;
            other.manifest.description.check_like(&folders[0].manifest.description, path)?;
            folders.push(other);
        }
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Ok(Self { folders, threads })
    }

    /// Returns the dataset with a different number of threads for reading. The default is one for each core.
    ///
    /// ```no_run
    /// use std::num::NonZeroUsize;
    /// use std::path::Path;
    ///
    /// use urlid_store::dataset::Dataset;
    ///
    /// let dataset = Dataset::open(Path::new("urls"), &[])?.with_threads(NonZeroUsize::MIN);
    /// # Ok::<(), urlid::Error>(())
    /// ```
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Returns the description of the first folder. The other folders can differ from it only in the program.
    #[must_use]
    pub fn describe(&self) -> &Description {
        &self.folders[0].manifest.description
    }

    /// Returns whether the files of all folders have columns of identifiers and their slices.
    #[must_use]
    pub fn has_ids(&self) -> bool {
        self.folders.iter().all(|folder| folder.manifest.has_ids)
    }

    /// Returns the paths of the files of each folder, in the order of their rows.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.folders.iter().flat_map(DatasetFolder::files)
    }

    /// Returns the rules of sites that the canonical form names, or `None` if it does not name any.
    ///
    /// # Errors
    /// If they are damaged or cannot be read.
    pub fn site_rules(&self) -> Result<Option<Rules>, Error> {
        self.folders[0].site_rules()
    }

    fn list(&self) -> &SuffixList {
        &self.folders[0].suffixes
    }

    /// Returns the canonical form of the URLs, which is the same in all folders. `given` is needed if it
    /// contains a list that is not part of the library.
    fn form(&self, given: Option<&Form>) -> Result<Option<Form>, Error> {
        self.folders[0].form(given)
    }

    /// Returns the properties that answers depend on.
    ///
    /// # Errors
    /// It does not fail today, because the descriptions were read when the dataset was opened.
    pub fn about(&self) -> Result<About, Error> {
        Ok(self.describe().about(self.list()))
    }

    /// Returns the number of rows.
    ///
    /// # Errors
    /// If several folders are open and one of them is damaged. Counting reads all of them then.
    pub fn rows(&self) -> Result<u64, Error> {
        self.count(&Question::default()).map(|found| found.rows)
    }

    /// Returns one line about the data that is read to answer a question.
    #[must_use]
    pub fn plan(&self, question: &Question) -> String {
        self.folders.iter().map(|folder| folder.plan(question)).collect::<Vec<_>>().join(" + ")
    }

    /// Calls `each` with every answer, in the order of the rows, until it returns `Break`. Identifiers are
    /// computed only if `with_ids` is set.
    ///
    /// # Errors
    /// If there were rows that cannot be read. This is reported at the end.
    pub fn find(
        &self,
        question: &Question,
        with_ids: bool,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Candidates, Error> {
        let mut found = Candidates::default();
        let step = |rows: &mut FoundRows, text: &str, url: &StoredUrl<'_>| {
            let id = if with_ids { url.id() } else { None };
            rows.push(Row { id, url: text });
        };
        self.answers(question, &FoundRows::default, &step, &mut |rows| {
            rows.each(&mut |row| {
                found.rows += 1;
                each(row)
            })
        })?;
        Ok(found)
    }

    /// Counts the answers to a question.
    ///
    /// # Errors
    /// If there are rows that cannot be read.
    pub fn count(&self, question: &Question) -> Result<Candidates, Error> {
        let mut found = Candidates::default();
        // Folders may share rows, which count once. Only the number of a single folder is known without
        // reading.
        match self.folders.as_slice() {
            [only] if question.is_unconditional() => found.rows = only.manifest.rows(),
            _ => {
                let step = |rows: &mut u64, _: &str, _: &StoredUrl<'_>| *rows += 1;
                self.answers(question, &u64::default, &step, &mut |rows| {
                    found.rows += rows;
                    ControlFlow::Continue(())
                })?;
            }
        }
        Ok(found)
    }

    /// Counts the answers to a question by a part. The largest groups come first, and equal ones are sorted
    /// by name. Memory grows with the number of groups.
    ///
    /// # Errors
    /// The same as [`count`](Self::count).
    pub fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, Candidates), Error> {
        let mut total = Tally::new(part);
        let step = |tally: &mut Tally, _: &str, url: &StoredUrl<'_>| tally.add(url);
        self.answers(question, &|| Tally::new(part), &step, &mut |tally| {
            total.merge(tally);
            ControlFlow::Continue(())
        })?;
        let groups = total.sorted();
        let rows = groups.iter().map(|group| group.rows).sum();
        Ok((groups, Candidates { rows, ..Candidates::default() }))
    }

    /// Counts everything in one pass over the rows.
    ///
    /// # Errors
    /// The same as [`count`](Self::count).
    pub fn stats(&self) -> Result<Stats, Error> {
        let mut total = StatsTally::default();
        let step = |tally: &mut StatsTally, text: &str, url: &StoredUrl<'_>| tally.add(text, url);
        self.answers(&Question::default(), &StatsTally::default, &step, &mut |tally| {
            total.merge(tally);
            ControlFlow::Continue(())
        })?;
        Ok(total.finish())
    }

    /// Calls `each` with every URL of an identifier until it returns `Break`, and returns the number of
    /// calls. Every row is read.
    ///
    /// # Errors
    /// The same as [`find`](Self::find).
    pub fn get_id(&self, id: &Sxurl, each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>) -> Result<u64, Error> {
        let mut found = 0;
        self.find(&Question::default(), true, &mut |row| {
            if row.id.as_ref() != Some(id) {
                return ControlFlow::Continue(());
            }
            found += 1;
            each(row)
        })?;
        Ok(found)
    }
}

/// The rows of a piece, kept until the pieces before it are done. Their texts are stored one after the other.
#[derive(Debug, Default)]
struct FoundRows {
    text: String,
    /// The end of each text, and the identifier.
    rows: Vec<(usize, Option<Sxurl>)>,
}

impl FoundRows {
    /// Appends a row.
    fn push(&mut self, row: Row<'_>) {
        self.text.push_str(row.url);
        self.rows.push((self.text.len(), row.id));
    }

    /// Calls `each` with every row until it returns `Break`.
    fn each(&self, each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut start = 0;
        self.rows.iter().try_for_each(|&(end, id)| {
            let url = &self.text[start..end];
            start = end;
            each(Row { id, url })
        })
    }
}
