//! The digests of the forms of texts, which workers make, and the choices of `urlid uniq` other than the first
//! line of each form: the smallest digests (`--sample`), the comparison with a file (`--minus`, `--both`), and
//! the first lines of each site (`--per`).
//!
//! A sample stays in memory. The others sort what does not fit, so their inputs may be larger than memory.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::{env, io};

use urlid::suffix::SuffixList;
use urlid::web::{Part, assume_scheme};
use urlid_canonical::{Form, Templates};
use urlid_store::seen::{Digester, digest};
use urlid_store::sort::{RowSorter, RowsInOrder, SortKey, TextDigest};

use crate::input::batch::{Batch, RejectedTexts};
use crate::input::driver::Work;

/// The digests of the texts of a batch that have a form.
#[derive(Default)]
pub(super) struct Digests {
    pub(super) digests: Vec<TextDigest>,
    /// The index of each text in the batch, ascending.
    indexes: Vec<usize>,
}

impl Digests {
    /// Makes the digests on the thread of a worker.
    pub(super) fn work(form: &Form) -> Work<'_, Digests> {
        let mut digester = Digester::new(form);
        Box::new(move |batch: &Batch, made: &mut Digests, rejected: &mut RejectedTexts| {
            made.digests.clear();
            made.indexes.clear();
            let mut index = 0;
            batch.each_text(rejected, |text| {
                index += 1;
                let text = text.text?;
                if !text.is_empty() {
                    made.digests.push(digester.digest(&text)?);
                    made.indexes.push(index - 1);
                }
                Ok(())
            });
        })
    }

    /// Returns the texts of the digests as they came: an assumed scheme is only in what is digested.
    pub(super) fn texts<'b>(&self, batch: &'b Batch) -> Vec<&'b [u8]> {
        let (mut texts, mut indexes) =
            (Vec::with_capacity(self.indexes.len()), self.indexes.iter().peekable());
        let mut index = 0;
        batch.each_raw_text(|text| {
            if indexes.next_if_eq(&&index).is_some() {
                texts.push(text);
            }
            index += 1;
        });
        texts
    }
}

/// The lines so far whose forms have the smallest digests, with the place of each. A digest depends on the
/// form alone, so the forms are the same in any order of the input, and a sample of fewer lines is a part of
/// one of more.
pub(super) struct Sample {
    most: usize,
    place: u64,
    /// By the bytes of the digest, as BLAKE3 gives them.
    lines: BTreeMap<[u8; 16], (u64, Box<[u8]>)>,
}

impl Sample {
    pub(super) fn new(most: usize) -> Self {
        Sample { most, place: 0, lines: BTreeMap::new() }
    }

    pub(super) fn take(&mut self, digest: TextDigest, line: &[u8]) {
        let digest = digest.to_le_bytes();
        self.place += 1;
        let is_full = self.lines.len() >= self.most;
        if is_full && self.lines.last_key_value().is_none_or(|(last, _)| *last < digest) {
            return;
        }
        // The first line of a form stays. One that was removed never comes back: from then on the largest
        // digest is smaller.
        self.lines.entry(digest).or_insert_with(|| (self.place, line.into()));
        if self.lines.len() > self.most {
            self.lines.pop_last();
        }
    }

    /// Returns the lines in the order of the input.
    pub(super) fn finish(self) -> impl Iterator<Item = Box<[u8]>> {
        let mut lines: Vec<_> = self.lines.into_values().collect();
        lines.sort_unstable();
        lines.into_iter().map(|(_, line)| line)
    }
}

/// Which lines are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those whose form the file lacks.
    Minus,
    /// Those whose form it has.
    Both,
}

/// The order of the rows of one digest.
// The file sorts first, so that one pass has met its row before those of the input.
const OF_FILE: u8 = 0;
const OF_INPUT: u8 = 1;

/// The forms of the file, and the lines of the input.
pub(super) struct Compared {
    wanted: Wanted,
    rows: RowSorter,
    place: u64,
    memory: usize,
}

impl Compared {
    /// Begins to compare with about `memory` bytes, in addition to the longest line.
    pub(super) fn new(wanted: Wanted, memory: usize) -> Self {
        // Half, because `finish` has a second sorter while the rows of this one are read.
        Compared { wanted, rows: RowSorter::new(env::temp_dir(), memory / 2), place: 0, memory }
    }

    /// Takes a form of the file.
    pub(super) fn take_of_file(&mut self, digest: TextDigest) -> io::Result<()> {
        // Without its text and place, which nothing prints: the sorter then keeps one row for each form.
        self.rows.push(&RowKey { digest, kind: OF_FILE, place: 0 }.to_key(), "")
    }

    /// Takes a line of the input.
    pub(super) fn take(&mut self, digest: TextDigest, line: &str) -> io::Result<()> {
        self.place += 1;
        self.rows.push(&RowKey { digest, kind: OF_INPUT, place: self.place }.to_key(), line)
    }

    /// Returns the first line of each form that is wanted, in the order of the input.
    pub(super) fn finish(self) -> io::Result<RowsInOrder> {
        let mut chosen = RowSorter::new(env::temp_dir(), self.memory / 2);
        let mut rows = self.rows.finish()?;
        // The row of the file comes first of its digest, then the first line of the input.
        let mut last: Option<RowKey> = None;
        while let Some((key, line)) = rows.next_row()? {
            let row = RowKey::from_key(key);
            let before = last.replace(row).filter(|last| last.digest == row.digest);
            let is_chosen = match before.map(|before| before.kind) {
                _ if row.kind == OF_FILE => false,
                None => self.wanted == Wanted::Minus,
                Some(OF_FILE) => self.wanted == Wanted::Both,
                Some(_) => false,
            };
            if is_chosen {
                // Rows come by digest here; a second sort restores the order of the input.
                chosen.push(&RowKey::of_place(row.place).to_key(), line)?;
            }
        }
        chosen.finish()
    }
}

/// Where `kind` is in a key.
const KIND: usize = size_of::<TextDigest>();
const PLACE: usize = KIND + 1;

/// The key of a row, ordered by the digest, then by the kind, then by the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RowKey {
    digest: TextDigest,
    kind: u8,
    /// The number of its line.
    place: u64,
}

impl RowKey {
    /// Returns the key of a row that is sorted by its place alone.
    fn of_place(place: u64) -> Self {
        RowKey { digest: 0, kind: 0, place }
    }

    fn to_key(self) -> SortKey {
        let mut key = [0; 32];
        key[..KIND].copy_from_slice(&self.digest.to_le_bytes());
        key[KIND] = self.kind;
        // Big-endian: keys are compared as bytes, and places have to sort as numbers.
        key[PLACE..PLACE + 8].copy_from_slice(&self.place.to_be_bytes());
        key
    }

    fn from_key(key: &SortKey) -> Self {
        RowKey {
            digest: key.first_chunk().map_or(0, |digest| TextDigest::from_le_bytes(*digest)),
            kind: key[KIND],
            place: key[PLACE..PLACE + 8].try_into().map_or(0, u64::from_be_bytes),
        }
    }
}

/// The bytes of memory that a site takes at most, while its table grows.
const SITE_LEN: usize = 96;

/// The part of a URL that is a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Per {
    Part(Part),
    Template,
}

/// The rule for the sites of lines.
pub(super) struct Sites<'l> {
    pub(super) list: Cow<'l, SuffixList>,
    pub(super) part: Per,
    pub(super) templates: Option<Templates>,
    /// The scheme of lines without one.
    pub(super) assumed_scheme: Option<&'l str>,
}

impl Sites<'_> {
    /// Returns the digest of the site of a URL: of the part, of the host if it has none, or of nothing.
    fn of(&self, line: &str) -> TextDigest {
        let text = match self.assumed_scheme {
            Some(scheme) => assume_scheme(line, scheme),
            None => Cow::Borrowed(line),
        };
        let part = |part: Part| part.of(&text, &self.list).ok().flatten().filter(|part| !part.is_empty());
        // Of hosts only the digest is kept, so that each takes the same memory, however long it is.
        let site = match self.part {
            Per::Part(name) => part(name),
            Per::Template => {
                let assign = |templates: &Templates| templates.assign(&text).ok().flatten().map(Cow::Owned);
                self.templates.as_ref().and_then(assign)
            }
        };
        digest(&site.or_else(|| part(Part::Host)).unwrap_or_default())
    }
}

/// Whether a line is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    Now,
    /// At the end, if it is among the first of its site.
    Later,
    No,
}

/// Takes different lines in their order.
pub(super) struct PerSite<'l> {
    sites: Sites<'l>,
    most: u64,
    counts: HashMap<TextDigest, u64>,
    most_sites: usize,
    memory: usize,
    /// `None` while all sites fit in memory.
    later: Option<Box<Later>>,
}

/// The lines after the first one whose site did not fit in memory.
struct Later {
    /// By site and place, of sites that are not counted.
    uncounted: RowSorter,
    /// By place, of those that are printed.
    chosen: RowSorter,
    place: u64,
}

impl<'l> PerSite<'l> {
    /// Begins to choose with about `memory` bytes, in addition to the longest line.
    pub(super) fn new(sites: Sites<'l>, most: u64, memory: usize) -> Self {
        // Half for the counts, a quarter for each of the two sorters.
        let most_sites = memory / 2 / SITE_LEN;
        PerSite { sites, most, counts: HashMap::new(), most_sites, memory, later: None }
    }

    pub(super) fn take(&mut self, line: &str) -> io::Result<Chosen> {
        let site = self.sites.of(line);
        let has_room = self.later.is_none() && self.counts.len() < self.most_sites;
        let is_counted = match self.counts.get_mut(&site) {
            Some(count) if *count >= self.most => return Ok(Chosen::No),
            Some(count) => {
                *count += 1;
                true
            }
            None if has_room => {
                self.counts.insert(site, 1);
                true
            }
            None => false,
        };
        // Once a line waits, all later ones do, or the output would not be in the order of the input.
        if is_counted && self.later.is_none() {
            return Ok(Chosen::Now);
        }
        let sorter = || RowSorter::new(env::temp_dir(), self.memory / 4);
        let later = self
            .later
            .get_or_insert_with(|| Box::new(Later { uncounted: sorter(), chosen: sorter(), place: 0 }));
        match is_counted {
            true => later.chosen.push(&RowKey::of_place(later.place).to_key(), line)?,
            false => {
                let key = RowKey { digest: site, kind: 0, place: later.place };
                later.uncounted.push(&key.to_key(), line)?;
            }
        }
        later.place += 1;
        Ok(Chosen::Later)
    }

    /// Returns the lines that are printed at the end.
    pub(super) fn finish(self) -> io::Result<Option<RowsInOrder>> {
        let Some(later) = self.later else { return Ok(None) };
        let Later { uncounted, mut chosen, .. } = *later;
        // Frees half of the memory before the merge allocates its buffers.
        drop(self.counts);
        let mut rows = uncounted.finish()?;
        // The site of the last row, and how many rows it has so far.
        let mut last = (0, 0);
        while let Some((key, line)) = rows.next_row()? {
            let RowKey { digest: site, place, .. } = RowKey::from_key(key);
            last = if last.0 == site { (site, last.1 + 1) } else { (site, 1) };
            if last.1 <= self.most {
                chosen.push(&RowKey::of_place(place).to_key(), line)?;
            }
        }
        chosen.finish().map(Some)
    }
}
