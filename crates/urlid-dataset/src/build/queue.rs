//! Results of threads, in order.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Condvar, Mutex, PoisonError};

use super::encode::EncodedGroup;
use super::shared::lock;

/// Results that are made in any order and taken in theirs.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    taken: usize,
    ready: BTreeMap<usize, io::Result<Vec<EncodedGroup>>>,
    is_closed: bool,
}

impl Queue {
    /// Waits until fewer than `most` results before this one are not taken yet; returns false if none is taken any more.
    pub(super) fn wait_for_turn(&self, number: usize, most: usize) -> bool {
        let state = lock(&self.state);
        let is_early = |state: &mut State| !state.is_closed && number >= state.taken + most;
        let state = self.changed.wait_while(state, is_early).unwrap_or_else(PoisonError::into_inner);
        !state.is_closed
    }

    pub(super) fn put(&self, number: usize, result: io::Result<Vec<EncodedGroup>>) {
        lock(&self.state).ready.insert(number, result);
        self.changed.notify_all();
    }

    pub(super) fn take(&self, number: usize) -> io::Result<Vec<EncodedGroup>> {
        let state = lock(&self.state);
        let is_missing = |state: &mut State| !state.ready.contains_key(&number);
        let mut state = self.changed.wait_while(state, is_missing).unwrap_or_else(PoisonError::into_inner);
        state.taken = number + 1;
        let result = state.ready.remove(&number);
        self.changed.notify_all();
        result.unwrap_or_else(|| Err(io::Error::other("a range was taken twice")))
    }

    pub(super) fn close(&self) {
        lock(&self.state).is_closed = true;
        self.changed.notify_all();
    }
}
