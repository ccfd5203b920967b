//! `uniq --per`: at most so many lines of each site, the first ones.
//!
//! The lines of sites that no longer fit in memory are sorted at the end.

use std::borrow::Cow;
use std::collections::HashMap;
use std::{env, io};

use urlid::suffix::SuffixList;
use urlid::web::{Part, assume_scheme};
use urlid_store::seen::digest;
use urlid_store::sort::{RowSorter, RowsInOrder, TextDigest};

use super::compared::RowKey;

/// The bytes of memory that a site takes at most, while its table grows.
const SITE_LEN: usize = 96;

/// The rule for the sites of lines.
pub(super) struct Sites<'l> {
    pub(super) list: Cow<'l, SuffixList>,
    pub(super) part: Part,
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
        digest(&part(self.part).or_else(|| part(Part::Host)).unwrap_or_default())
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
