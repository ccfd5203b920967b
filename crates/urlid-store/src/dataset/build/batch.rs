//! Rows in memory, which are sorted before they are written as a run.

use std::collections::HashMap;

use crate::question::host_key;

use crate::dataset::key::{PlaceRow, UrlPlace, UrlSplit};

/// The most bytes of texts in a batch. They are addressed with 32 bits, and the longest line must still fit.
const MOST_TEXT: usize = 2 << 30;

/// Rows in the order of arrival.
#[derive(Debug, Default)]
pub(super) struct Batch {
    texts: Vec<u8>,
    rows: Vec<BatchRow>,
    /// The number of each host, and the key of each number. Hosts repeat, so rows are first sorted by the
    /// rank of their host.
    hosts: HashMap<String, u32>,
    keys: Vec<String>,
    /// The last host and its number. Neighbouring lines of a crawl often share their host.
    last: Option<(String, u32)>,
    /// The bytes that the rows would have as a run.
    run_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct BatchRow {
    start: u32,
    len: u32,
    host: u32,
    split: UrlSplit,
}

/// A prefix of the sort order, which decides most comparisons, and the number of the row.
type PrefixedRow = (u128, u32);

impl Batch {
    /// Adds the stored text of a URL.
    pub(super) fn push(&mut self, text: &str, host: &str, split: UrlSplit) {
        let host = self.number_of(host);
        // Both fit, because `bytes` limits a batch, and the length of lines is limited.
        let row = BatchRow { start: self.texts.len() as u32, len: text.len() as u32, host, split };
        self.texts.extend_from_slice(text.as_bytes());
        self.rows.push(row);
        self.run_bytes += PlaceRow::HEAD + self.keys[host as usize].len() + text.len();
    }

    fn number_of(&mut self, host: &str) -> u32 {
        if let Some((last, number)) = &self.last
            && last == host
        {
            return *number;
        }
        let number = match self.hosts.get(host) {
            Some(number) => *number,
            None => {
                let number = self.keys.len() as u32;
                self.keys.push(host_key(host));
                self.hosts.insert(host.to_owned(), number);
                number
            }
        };
        let (last, last_number) = self.last.get_or_insert_default();
        host.clone_into(last);
        *last_number = number;
        number
    }

    /// Returns roughly the memory of the batch in bytes, including the memory for sorting it.
    pub(super) fn bytes(&self) -> usize {
        // A host: the headers of its two strings, its number in the table, and about 60 bytes for both texts.
        let hosts = self.keys.len() * (2 * 24 + 8 + 60);
        // The `u32` of each row is its place in the order of hosts, which is allocated only when the batch is
        // sorted.
        self.texts.len() + self.rows.len() * (size_of::<BatchRow>() + size_of::<u32>()) + hosts
    }

    /// Returns the bytes of the batch as a run, if no row is repeated.
    pub(super) fn run_bytes(&self) -> usize {
        self.run_bytes
    }

    /// Returns whether the batch is full.
    pub(super) fn is_full(&self, memory: usize) -> bool {
        self.bytes() >= memory || self.texts.len() >= MOST_TEXT || self.rows.len() >= u32::MAX as usize
    }

    /// Calls `each` with the rows in their order, each once, and empties the batch.
    pub(super) fn drain_sorted<E>(
        &mut self,
        mut each: impl FnMut(UrlPlace<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (rows, ends) = self.by_host();
        let mut entries: Vec<PrefixedRow> = Vec::new();
        let mut start = 0;
        for end in ends {
            // A host has few rows, so their texts are fetched once and are still in the cache when they are
            // compared and written. Sorting all rows at once would wait for memory at nearly every
            // comparison.
            entries.clear();
            entries.extend(rows[start..end].iter().map(|number| (self.prefix(*number), *number)));
            start = end;
            // An unstable sort is enough. Rows that compare equal have equal texts, and only one of them is
            // kept.
            entries.sort_unstable_by(|a, b| {
                a.0.cmp(&b.0).then_with(|| self.place(a.1).cmp_within_host(&self.place(b.1)))
            });
            let mut last: Option<&[u8]> = None;
            for (_, number) in &entries {
                let place = self.place(*number);
                // Equal texts are neighbours, because the text is the last part of the order.
                if last != Some(place.text) {
                    each(place)?;
                }
                last = Some(place.text);
            }
        }
        self.clear();
        Ok(())
    }

    fn clear(&mut self) {
        self.texts.clear();
        self.rows.clear();
        self.hosts.clear();
        self.keys.clear();
        self.last = None;
        self.run_bytes = 0;
    }

    /// Returns the numbers of the rows in the order of their host keys, and where each key ends.
    fn by_host(&self) -> (Vec<u32>, Vec<usize>) {
        let (ranks, count) = self.ranks();
        let rank = |row: &BatchRow| ranks[row.host as usize] as usize;
        // These are first the number of rows of each rank, then the start of each rank, and then, while rows
        // are placed, the end.
        let mut ends = vec![0; count];
        self.rows.iter().for_each(|row| ends[rank(row)] += 1);
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let mut rows = vec![0; self.rows.len()];
        for (number, row) in self.rows.iter().enumerate() {
            let end = &mut ends[rank(row)];
            // `is_full` ends a batch before the number of a row exceeds 32 bits.
            rows[*end] = number as u32;
            *end += 1;
        }
        (rows, ends)
    }

    /// Returns the rank of each host's key, and the number of different keys. Several hosts may share a key.
    fn ranks(&self) -> (Vec<u32>, usize) {
        let mut order: Vec<u32> = (0..self.keys.len() as u32).collect();
        let key = |host: u32| &self.keys[host as usize];
        order.sort_unstable_by(|a, b| key(*a).cmp(key(*b)));
        let mut ranks = vec![0; order.len()];
        let mut count = 0;
        for hosts in order.chunk_by(|a, b| key(*a) == key(*b)) {
            hosts.iter().for_each(|host| ranks[*host as usize] = count);
            count += 1;
        }
        (ranks, count as usize)
    }

    /// Returns the port and the start of the path as a number. The paths decide between rows with equal
    /// numbers.
    fn prefix(&self, number: u32) -> u128 {
        let row = &self.rows[number as usize];
        let path = row.split.path(&self.texts[row.start as usize..][..row.len as usize]);
        let mut start = [0; 16];
        // The number is big-endian, so it sorts like these bytes. The port plus one needs three bytes, which
        // leaves 13 for the path.
        start[..3].copy_from_slice(&row.split.port.to_be_bytes()[1..]);
        let len = path.len().min(13);
        // A short path is padded with zeros, which sort before every other byte. Zeros in a path make two
        // numbers equal, and then the paths decide.
        start[3..3 + len].copy_from_slice(&path[..len]);
        u128::from_be_bytes(start)
    }

    fn place(&self, number: u32) -> UrlPlace<'_> {
        let BatchRow { start, len, host, split } = self.rows[number as usize];
        let text = &self.texts[start as usize..][..len as usize];
        UrlPlace { host_key: self.keys[host as usize].as_bytes(), split, text }
    }
}
