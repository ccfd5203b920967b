//! The store that a verb reads: an index in one file, or datasets in folders.

use std::path::PathBuf;

use clap::Args;
use urlid::Error;
use urlid_store::Urls;

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
    pub(super) fn open(&self) -> Result<Urls, Error> {
        Urls::open(&self.index, &self.also)
    }
}
