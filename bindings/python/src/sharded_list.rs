//! `urlid.ShardedList`: a hidden list in shards, which the caller fetches (docs/lists.md).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use urlid_lists::{InvalidAs, Scratch, Shard, ShardIndex, ShardMatcher, rejection_marker};

use crate::choice::choose;
use crate::error::raise;
use crate::hashed_uri::read_key;
use crate::hidden_list::INVALID_AS;
use crate::text::Text;

/// A hidden list in shards. A URI is looked up in the few files that can contain it.
///
/// `index` is the bytes of the index. `shard(number, file)` returns the bytes of a shard from any source.
/// Each shard is verified against the index, kept, and not fetched again. Bytes of a different shard raise
/// ERR_LIST_SHARD. Exceptions of `shard` pass through, so a shard that cannot be fetched is never a miss. A
/// keyed list needs its key.
///
/// >>> from urlid import HiddenList, ShardedList
/// >>> files = HiddenList.make(["http://example.com/secret"]).shards(4, pad=True)
/// >>> hidden = ShardedList(files["index"], lambda number, file: files[file])
/// >>> hidden.find("http://EXAMPLE.com/secret")[1]
/// 'http://example.com/secret'
/// >>> hidden.find("http://example.com/public") is None
/// True
#[pyclass(name = "ShardedList", module = "urlid", frozen)]
pub(crate) struct PyShardedList {
    matcher: ShardMatcher,
    shard: Py<PyAny>,
    read: Mutex<BTreeMap<u32, Arc<Shard>>>,
}

#[pymethods]
impl PyShardedList {
    #[new]
    #[pyo3(signature = (index, shard, *, key = None))]
    fn new(index: &[u8], shard: Py<PyAny>, key: Option<&[u8]>) -> PyResult<Self> {
        let index = ShardIndex::from_bytes(index).map_err(raise)?;
        let matcher = ShardMatcher::new(index, read_key(key)?.as_ref()).map_err(raise)?;
        Ok(Self { matcher, shard, read: Mutex::default() })
    }

    /// Returns the shards that a look-up of a URI needs: their numbers and the names of their files.
    fn asks(&self, uri: Text<'_>) -> PyResult<Vec<(u32, String)>> {
        let asked = self.matcher.asks(&mut Scratch::default(), &uri, None).map_err(raise)?;
        Ok(asked.into_iter().map(|number| (number, self.matcher.index().file_name(number))).collect())
    }

    /// Returns the first entry that matches a URI, and the canonical text that the entry is the digest of.
    /// Returns None if no entry matches, like `HiddenList.find`.
    #[pyo3(signature = (uri, *, invalid_as = "error"))]
    fn find(&self, py: Python<'_>, uri: Text<'_>, invalid_as: &str) -> PyResult<Option<(String, String)>> {
        let mut scratch = Scratch::default();
        let asked = match (
            self.matcher.asks(&mut scratch, &uri, None),
            choose("invalid_as", invalid_as, INVALID_AS)?,
        ) {
            (Ok(asked), _) => asked,
            (Err(error), InvalidAs::Error) => return Err(raise(error)),
            (Err(error), InvalidAs::Match) => {
                return Ok(Some((rejection_marker(error.code()), uri.to_string())));
            }
            (Err(_), InvalidAs::NoMatch) => return Ok(None),
        };
        let shards = asked.into_iter().map(|number| self.fetch(py, number)).collect::<PyResult<Vec<_>>>()?;
        let shards: Vec<&Shard> = shards.iter().map(|shard| &**shard).collect();
        let found = self.matcher.find(&mut scratch, &uri, None, &shards).map_err(raise)?;
        Ok(found.map(|found| (found.entry.to_string(), found.canonical)))
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.matcher.index().header().count()).unwrap_or(usize::MAX)
    }

    fn __repr__(&self) -> String {
        format!("<ShardedList of {} entries>", self.matcher.index().header().count())
    }
}

impl PyShardedList {
    fn fetch(&self, py: Python<'_>, number: u32) -> PyResult<Arc<Shard>> {
        // A shard is inserted as a whole, so a panic elsewhere leaves a valid map.
        let read = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shard) = read().get(&number).cloned() {
            return Ok(shard);
        }
        // Not under the lock, because the function may itself look up URIs.
        let bytes = self.shard.call1(py, (number, self.matcher.index().file_name(number)))?;
        let bytes = bytes.bind(py).cast::<PyBytes>()?.as_bytes().to_vec();
        let shard = Arc::new(self.matcher.index().read(number, bytes).map_err(raise)?);
        // A different thread may have inserted it by now. The bytes are the same, because the index verified
        // both.
        read().insert(number, Arc::clone(&shard));
        Ok(shard)
    }
}
