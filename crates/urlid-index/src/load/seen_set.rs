//! An index as the seen-set of a crawler: which of these URLs are new?
//!
//! Lines are answered in their order after the commit, so an answered line is durable. A set that delivers at least once also
//! stores new lines until they are acknowledged: if it is killed between commit and answer, the next set delivers them again.

use std::path::{Path, PathBuf};

use urlid::Error;
use urlid::suffix::SuffixList;
use urlid_canonical::Form;
use urlid_io::sort::RowBatch;

use super::delivery::Delivery;
use super::insert::{Deleter, Inserter};
use super::parse::{EncoderOptions, LineOutcome, Lines, Parser};
use crate::file::create::NewFile;
use crate::file::meta::Basis;
use crate::file::open::{IndexFile, check_form};
use crate::file::store::Access;
use crate::id::Ids;

/// The most bytes of rows in memory, and so in one transaction. Two transactions write most pages twice; tests use a small
/// value so that there are several.
const MOST_BATCH: usize = if cfg!(test) { 1 << 10 } else { 256 << 20 };

/// SQLite's cache, in KiB. Rows come in the order of their keys, so a page that was left is not needed again soon. In a large
/// cache pages wait for the commit, and have left the processor's cache by then; 64 MiB took up to half more CPU time.
const CACHE_KIB: i64 = 2048;

/// The answer for one line of a batch.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// use urlid_index::{EncoderOptions, Seen, SeenSet};
///
/// let mut set = SeenSet::open(&path, SuffixList::compiled(), None, EncoderOptions::default())?;
/// let mut new = Vec::new();
/// set.add(&["https://docs.rs/", "https://docs.rs/", "no URL"], &mut |line, seen| {
///     if matches!(seen, Seen::New) {
///         new.push(line);
///     }
/// })?;
/// assert_eq!(new, [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The URL was not in the index, and is now.
    New,
    /// The URL was in the index, or earlier in the batch.
    Known,
    /// The line is empty and was skipped.
    Blank,
    /// The line is not stored.
    Refused(Error),
}

/// An index with one operation for lookup and insertion.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid_index::{EncoderOptions, Seen, SeenSet};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.urlid");
/// let mut set = SeenSet::open(&path, SuffixList::compiled(), None, EncoderOptions::default())?;
/// let mut seen = Vec::new();
/// set.add(&["https://docs.rs/", "HTTPS://docs.rs"], &mut |_, answer| seen.push(answer))?;
/// assert_eq!(seen, [Seen::New, Seen::Known]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SeenSet {
    file: IndexFile,
    path: PathBuf,
    basis: Basis,
    parser: Parser,
    /// The state of delivery, if lines are stored until they are acknowledged.
    delivery: Option<Delivery>,
}

impl SeenSet {
    /// Opens an index, or makes an empty one if nothing has that name. If another load is making it, waits for it, 10 seconds
    /// at most.
    ///
    /// # Errors
    /// Rejects what is not an index, and an index of another snapshot than that of `list` or of another canonical form than the
    /// one given.
    pub fn open(
        path: &Path,
        list: &SuffixList,
        form: Option<&Form>,
        encoder: EncoderOptions,
    ) -> Result<Self, Error> {
        check_form(form)?;
        let basis = Basis { list: list.clone(), form: form.cloned() };
        if let Some(new) = NewFile::unless_there(path, &basis)? {
            new.publish()?;
        }
        let file = IndexFile::open(path, Access::Write)?;
        let basis = file.begin_adding(list, form.cloned())?;
        file.store().pragma("cache_size", -CACHE_KIB)?;
        let parser = Parser::new(&basis, Ids::default(), encoder, Lines::AsGiven);
        Ok(Self { file, path: path.to_owned(), basis, parser, delivery: None })
    }

    /// Stores every line that is answered as new until it is acknowledged. If the set is killed in between,
    /// [`pending`](Self::pending) of another set returns the line.
    ///
    /// A file `NAME.delivery-N` exists beside the index as long as such a set is open.
    ///
    /// ```
    /// use urlid::suffix::SuffixList;
    /// use urlid_index::{EncoderOptions, SeenSet};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("urls.urlid");
    /// let open = || SeenSet::open(&path, SuffixList::compiled(), None, EncoderOptions::default())?.at_least_once();
    /// let mut set = open()?;
    /// set.add(&["https://docs.rs/#a", "https://docs.rs/#b"], &mut |_, _| {})?;
    /// drop(set); // It is killed before it can act on the answers.
    ///
    /// let mut set = open()?;
    /// let mut lines = Vec::new();
    /// set.pending(&mut |line| lines.push(line.to_owned()))?;
    /// assert_eq!(lines, ["https://docs.rs/#a", "https://docs.rs/#b"]);
    /// set.acknowledge();
    /// set.close()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails when that file cannot be made, or SQLite does.
    pub fn at_least_once(mut self) -> Result<Self, Error> {
        self.delivery = Some(Delivery::begin(&self.file, &self.path)?);
        Ok(self)
    }

    /// Calls `each` with every line that is not acknowledged, and returns their number: its own lines and those of sets that
    /// are gone, which it takes over. Without [`at_least_once`](Self::at_least_once) there are none.
    ///
    /// A line is the text that was added, even if its URL was deleted since. Lines of other open sets, in this process or
    /// another, are not included.
    ///
    /// # Errors
    /// Fails when SQLite does, or when the index is damaged.
    pub fn pending(&mut self, each: &mut dyn FnMut(&str)) -> Result<u64, Error> {
        self.record()?;
        let Some(delivery) = &mut self.delivery else { return Ok(0) };
        delivery.take(&self.file, &self.path)?;
        self.file.read(|view| delivery.each(view, each))
    }

    /// Returns the number of lines left by sets that are gone, which [`pending`](Self::pending) would take over.
    ///
    /// # Errors
    /// Fails when SQLite does, or when the index is damaged.
    pub fn left_behind(&self) -> Result<u64, Error> {
        self.delivery.as_ref().map_or(Ok(0), |delivery| delivery.left(&self.file, &self.path))
    }

    /// Marks all lines as delivered that were answered as new, or returned by [`pending`](Self::pending), until now.
    ///
    /// This is recorded with the next batch, or by [`close`](Self::close). If the set is killed before, the lines are delivered
    /// again.
    pub fn acknowledge(&mut self) {
        if let Some(delivery) = &mut self.delivery {
            delivery.acknowledge();
        }
    }

    /// Adds lines and calls `each` with the index and the answer of each line, in order, after the commit.
    ///
    /// Large batches are faster, because they are sorted before insertion. A batch is one transaction, or several if it has
    /// more than
    /// 256 MiB.
    ///
    /// # Errors
    /// On failure, lines that were not answered are not stored.
    pub fn add(&mut self, lines: &[&str], each: &mut dyn FnMut(usize, Seen)) -> Result<(), Error> {
        let (mut outcomes, mut first) = (Vec::new(), 0);
        for line in lines {
            outcomes.push(self.parser.push(line));
            if self.parser.rows().bytes() >= MOST_BATCH {
                let count = outcomes.len();
                self.answer(first, lines, &mut outcomes, each)?;
                first += count;
            }
        }
        self.answer(first, lines, &mut outcomes, each)
    }

    /// Deletes URLs in one transaction, and returns how many existed. Lines that are not URLs are skipped.
    ///
    /// # Errors
    /// Fails when SQLite does.
    pub fn delete(&mut self, lines: &[&str]) -> Result<u64, Error> {
        let counts = self.parser.counts.clone();
        lines.iter().for_each(|line| drop(self.parser.push(line)));
        // Lines to delete do not count as added.
        self.parser.counts = counts;
        let mut batch = self.parser.take_batch();
        batch.sort();
        let count = self.file.add(&self.basis, |view| {
            let delete = || -> rusqlite::Result<u64> {
                let mut deleter = Deleter::new(view.conn())?;
                batch.iter().try_for_each(|(id, text)| deleter.delete(id, text))?;
                deleter.finish()
            };
            delete().map_err(|e| view.error(e))
        })?;
        batch.clear();
        self.parser.reuse(batch);
        Ok(count)
    }

    /// Stores the lines parsed so far and answers them. `first` is the index of the first one in `lines`.
    fn answer(
        &mut self,
        first: usize,
        lines: &[&str],
        outcomes: &mut Vec<LineOutcome>,
        each: &mut dyn FnMut(usize, Seen),
    ) -> Result<(), Error> {
        let mut batch = self.parser.take_batch();
        // The rows of the batch are those of the taken lines, in their order, and so are the answers.
        let taken =
            outcomes.iter().zip(&lines[first..]).filter(|(outcome, _)| **outcome == LineOutcome::Taken);
        let mut is_new = self.insert(&batch, taken.map(|(_, line)| *line))?.into_iter();
        for (index, outcome) in outcomes.drain(..).enumerate() {
            let seen = match outcome {
                LineOutcome::Taken if is_new.next() == Some(true) => Seen::New,
                LineOutcome::Taken => Seen::Known,
                LineOutcome::Blank => Seen::Blank,
                LineOutcome::Refused(error) => Seen::Refused(error),
            };
            each(first + index, seen);
        }
        batch.clear();
        self.parser.reuse(batch);
        Ok(())
    }

    /// Returns the number of URLs with credentials, which were left out.
    #[must_use]
    pub fn credentials(&self) -> u64 {
        self.parser.counts.credentials
    }

    /// Returns the number of URLs without an SXURL, known ones included.
    #[must_use]
    pub fn without_sxurl(&self) -> u64 {
        self.parser.counts.without_sxurl
    }

    /// Records acknowledged lines, copies the log into the file and closes it.
    ///
    /// # Errors
    /// Fails when SQLite does. Answered lines are stored even then.
    pub fn close(mut self) -> Result<(), Error> {
        self.record()?;
        self.file.checkpoint()
    }

    /// Deletes acknowledged lines from the file.
    fn record(&mut self) -> Result<(), Error> {
        let Some(delivery) = self.delivery.as_mut().filter(|delivery| delivery.is_behind()) else {
            return Ok(());
        };
        self.file.change(|view| delivery.record(view.conn()).map_err(|e| view.error(e)))?;
        delivery.recorded(delivery.next());
        Ok(())
    }

    /// Inserts the batch in the order of its keys. Returns for each row, in the order of arrival, whether it was new. `lines`
    /// are the lines of the rows.
    fn insert<'l>(
        &mut self,
        batch: &RowBatch,
        lines: impl Iterator<Item = &'l str>,
    ) -> Result<Vec<bool>, Error> {
        let mut is_new = vec![false; batch.len()];
        if batch.is_empty() {
            return Ok(is_new);
        }
        let delivery = &self.delivery;
        let behind = self.file.add(&self.basis, |view| {
            let insert = || -> rusqlite::Result<Option<u64>> {
                let mut inserter = Inserter::new(view.conn())?;
                for row in batch.order() {
                    let (id, url) = batch.get(row);
                    is_new[row as usize] = inserter.insert(id, url)?;
                }
                inserter.finish()?;
                let Some(delivery) = delivery else { return Ok(None) };
                // In one transaction with the rows: a URL that is stored without its line would never be delivered.
                delivery.record(view.conn())?;
                let mut marker = delivery.marker(view.conn())?;
                let new = lines.zip(&is_new).filter(|(_, is_new)| **is_new);
                new.map(|(line, _)| line).try_for_each(|line| marker.mark(line))?;
                marker.finish().map(Some)
            };
            insert().map_err(|e| view.error(e))
        })?;
        if let (Some(delivery), Some(behind)) = (&mut self.delivery, behind) {
            delivery.recorded(behind);
        }
        Ok(is_new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::index::Index;

    #[test]
    fn a_large_batch_is_stored_in_parts_and_answered_in_order() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("index");
        let list = SuffixList::compiled();
        let mut seen = SeenSet::open(&path, list, None, EncoderOptions::default()).expect("opens");
        let urls: Vec<String> = (0..100).map(|n| format!("https://example.com/{n:0100}")).collect();
        let lines: Vec<&str> = urls.iter().map(String::as_str).collect();
        let (mut next, mut first_part) = (0, 0);
        seen.add(&lines, &mut |index, answer| {
            if index == 0 {
                first_part = Index::open(&path).and_then(|index| index.rows()).expect("counts");
            }
            assert_eq!((index, answer), (next, Seen::New));
            next += 1;
        })
        .expect("adds");
        assert_eq!(next, 100);
        assert!((1..100).contains(&first_part), "{first_part} rows");
    }
}
