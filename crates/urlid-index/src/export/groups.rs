//! Rows that one thread reads, encoded by all others, and back in order.

use std::collections::VecDeque;
use std::mem;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use parquet::data_type::ByteArray;
use urlid::Error;
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Sxurl};
use urlid_io::tables::EncodedColumn;
use urlid_io::threads::InOrder;
use urlid_plan::StoredUrl;

use super::layout::{Format, GROUP_BYTES, GROUP_ROWS};
use super::row_group::RowGroup;
use crate::error;
use crate::id::Id;

/// Groups beyond one for each thread that may wait.
const SPARE: usize = 2;

/// The rows of a row group as they were read.
#[derive(Default)]
pub(super) struct RawGroup {
    texts: Vec<u8>,
    ends: Vec<usize>,
    /// The identifier of each row; empty for rows that have none.
    ids: Vec<Id>,
}

impl RawGroup {
    /// Adds a row with an identifier, or without one; a group has rows of one kind.
    pub(super) fn push(&mut self, id: Option<&Id>, text: &str) {
        self.texts.extend_from_slice(text.as_bytes());
        self.ends.push(self.texts.len());
        self.ids.extend(id);
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.len() >= GROUP_ROWS || self.texts.len() >= GROUP_BYTES
    }

    /// Encodes the rows, after a check of their identifiers: a row under another URL's key would be missed by statistics and filters.
    fn encode(self, format: &Format, list: &SuffixList, with_id: bool) -> Result<EncodedGroup, Error> {
        let mut group = RowGroup::new(with_id);
        let rows = self.len() as u64;
        // Slices of one buffer, instead of an allocation for each URL.
        let all = ByteArray::from(self.texts);
        let (mut start, mut ids) = (0, self.ids.iter());
        for end in self.ends {
            let text = all.slice(start, end - start);
            start = end;
            let bytes = text.data();
            let url = str::from_utf8(bytes).map_err(|_| error::DAMAGED_ROW.error())?;
            let (url, id) = match ids.next() {
                Some(id) => {
                    let url = Components::parse(url, list).ok().filter(|url| url.encode().as_bytes() == id);
                    match (url, Sxurl::from_bytes(*id)) {
                        (Some(url), Ok(id)) => (StoredUrl::Sxurl(url), Some(id)),
                        _ => return Err(error::DAMAGED_ROW.error()),
                    }
                }
                None => (StoredUrl::of_text(url, list).ok_or_else(|| error::DAMAGED_ROW.error())?, None),
            };
            group.push(text.clone(), &url, id.as_ref());
        }
        let columns = group.encode(format);
        Ok(EncodedGroup {
            rows,
            columns: columns.map_err(|source| error::WRITE.error().with_source(source))?,
        })
    }
}

/// A row group that is ready to be appended to a file.
pub(super) struct EncodedGroup {
    pub(super) rows: u64,
    pub(super) columns: Vec<EncodedColumn>,
}

/// Called with each group in order, and whether it is the last one of its file.
type Take<'t> = &'t mut dyn FnMut(EncodedGroup, bool) -> Result<(), Error>;

/// Groups on their way from this thread through all others and back.
pub(super) struct Groups<'g> {
    send: SyncSender<(usize, RawGroup)>,
    results: &'g InOrder<Result<EncodedGroup, Error>>,
    /// Of the groups that are on their way, whether each is the last one of its file.
    ends_file: VecDeque<bool>,
    most: usize,
    taken: usize,
    take: Take<'g>,
}

/// Calls `read` with what takes groups, which are encoded on all threads and passed to `take` in order.
pub(super) fn encode_groups(
    format: &Format,
    list: &SuffixList,
    with_id: bool,
    take: Take<'_>,
    read: impl FnOnce(&mut Groups<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let results = InOrder::default();
    let most = threads + SPARE;
    let (send, receive) = sync_channel(most);
    let receive = Mutex::new(receive);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                // A thread that panics ends the waiting of the others.
                let close = results.close_on_drop();
                while let Some((number, group)) = next(&receive) {
                    results.put(number, group.encode(format, list, with_id));
                }
                // A thread that ends as usual leaves the queue open: others still have results for it.
                mem::forget(close);
            });
        }
        // The sender is dropped at the end, and the threads end when nobody sends any more.
        let mut groups = Groups { send, results: &results, ends_file: VecDeque::new(), most, taken: 0, take };
        read(&mut groups)?;
        while !groups.ends_file.is_empty() {
            groups.take_next()?;
        }
        Ok(())
    })
}

fn next(receive: &Mutex<Receiver<(usize, RawGroup)>>) -> Option<(usize, RawGroup)> {
    // One thread waits in the channel with the lock held, the others for the lock.
    receive.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

impl Groups<'_> {
    /// Sends a group, and takes results while too many are on their way.
    pub(super) fn send(&mut self, group: RawGroup, ends_file: bool) -> Result<(), Error> {
        while self.ends_file.len() >= self.most {
            self.take_next()?;
        }
        // Threads receive until the end, unless all have panicked, which the scope passes on.
        let _ = self.send.send((self.taken + self.ends_file.len(), group));
        self.ends_file.push_back(ends_file);
        Ok(())
    }

    fn take_next(&mut self) -> Result<(), Error> {
        let (group, ends_file) = (self.results.take(), self.ends_file.pop_front());
        self.taken += 1;
        match (group, ends_file) {
            (Some(group), Some(ends_file)) => (self.take)(group?, ends_file),
            // Missing only if a thread has panicked, which the scope passes on.
            _ => Err(error::EXPORT_STOPPED.error()),
        }
    }
}
