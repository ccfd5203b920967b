//! What is asked: an index in one file, or datasets in folders.

use std::path::{Path, PathBuf};

use clap::Args;
use urlid::Error;
use urlid_store::dataset::{Datasets, is_dataset};
use urlid_store::file::{Index, Store};

/// The index or the datasets that a command asks.
#[derive(Debug, Args)]
pub(super) struct StoreArgs {
    /// The index, or the folder of a dataset
    #[arg(value_name = "INDEX")]
    pub(super) index: PathBuf,

    /// Ask this dataset too, if INDEX is a dataset; a URL that several have is one answer. May be repeated
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    also: Vec<PathBuf>,
}

impl StoreArgs {
    /// Opens what is asked.
    pub(super) fn open(&self) -> Result<Box<dyn Store>, Error> {
        open_store(&self.index, &self.also)
    }
}

/// Opens what a path names, and the datasets that are to answer with it.
pub(super) fn open_store(path: &Path, also: &[PathBuf]) -> Result<Box<dyn Store>, Error> {
    Ok(match also.is_empty() && !is_dataset(path) {
        true => Box::new(Index::open(path)?),
        false => Box::new(Datasets::open(path, also)?),
    })
}
