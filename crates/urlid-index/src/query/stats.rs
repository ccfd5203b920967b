//! Statistics of an index: the number of rows, and the largest domains and public suffixes by name.

use std::ops::ControlFlow;

use urlid::Error;
use urlid_plan::{GroupBy, Question};

use super::find::search;
use super::group::{Group, Tally};
use super::index::Index;
use crate::id::Ids;

/// Statistics of an index.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// # let mut load = urlid_index::Load::begin(&path, SuffixList::compiled(), urlid_index::LoadOptions::default())?;
/// # load.push("https://docs.rs/serde?all#top")?;
/// # load.push("http://192.0.2.1/")?;
/// # load.finish()?;
/// use urlid_index::Index;
///
/// let stats = Index::open(&path)?.stats()?;
/// assert_eq!((stats.rows, stats.without_sxurl), (2, 1));
/// assert_eq!(stats.schemes.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// The counted rows of both tables.
    pub rows: u64,
    /// The rows whose URLs lack an SXURL.
    pub without_sxurl: u64,
    /// The total length of all URLs in bytes.
    pub url_bytes: u64,
    /// Public suffixes in use, the largest first.
    pub tlds: Vec<Group>,
    /// Registrable domains in use, the largest first; a host without one stands for itself.
    pub domains: Vec<Group>,
    /// Schemes in use, the largest first.
    pub schemes: Vec<Group>,
}

impl Index {
    /// Counts everything in one pass over the rows.
    ///
    /// # Errors
    /// Fails when SQLite does, and if there are rows that no loader wrote.
    pub fn stats(&self) -> Result<Stats, Error> {
        let (mut tlds, mut domains) = (Tally::new(GroupBy::Tld), Tally::new(GroupBy::RegisteredDomain));
        let mut schemes = Tally::new(GroupBy::Scheme);
        let (mut url_bytes, mut without_sxurl) = (0, 0);
        let found = self.file.read(|view| {
            search(view, &Question::default(), Ids::default(), &mut |row, url| {
                tlds.add(url);
                domains.add(url);
                schemes.add(url);
                url_bytes += row.url.len() as u64;
                without_sxurl += u64::from(row.id.is_none());
                ControlFlow::Continue(())
            })
        })?;
        let (tlds, domains, schemes) = (tlds.sorted(), domains.sorted(), schemes.sorted());
        Ok(Stats { rows: found.rows, without_sxurl, url_bytes, tlds, domains, schemes })
    }
}
