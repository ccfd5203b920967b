//! What is asked: an index in one file, or a dataset in a folder.

use std::path::Path;

use urlid::Error;
use urlid_dataset::{Dataset, is_dataset};
use urlid_index::{Index, Store};

/// Opens what a path names.
pub(super) fn open_store(path: &Path) -> Result<Box<dyn Store>, Error> {
    Ok(match is_dataset(path) {
        true => Box::new(Dataset::open(path)?),
        false => Box::new(Index::open(path)?),
    })
}
