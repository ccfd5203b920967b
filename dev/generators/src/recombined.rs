//! URLs recombined from the parts of real ones.

use std::collections::{BTreeSet, HashMap};

use crate::mix;

/// One URL of this many has a query.
const QUERY_EVERY: u64 = 6;

/// Many distinct URLs made from the parts of few. Each has the scheme and host of one line, the path of a
/// second one and sometimes the query of a third.
pub struct Recombined<'t> {
    /// For each line the scheme with the host, the number of lines that have it, and the number of these
    /// before this line.
    origins: Vec<(&'t str, u64, u64)>,
    paths: Vec<&'t str>,
    queries: Vec<&'t str>,
}

impl<'t> Recombined<'t> {
    /// Splits lines of URLs with `://` into their parts. Returns `None` if they have fewer than two queries,
    /// from which URLs are made.
    pub fn new(text: &'t str) -> Option<Self> {
        let (mut origins, mut counts) = (Vec::new(), HashMap::new());
        let (mut paths, mut queries) = (BTreeSet::new(), BTreeSet::new());
        for line in text.lines() {
            let Some(host) = line.find("://").map(|end| end + 3) else { continue };
            let end = line[host..].find(['/', '?', '#']).map_or(line.len(), |end| host + end);
            let rest = line[end..].split('#').next().unwrap_or_default();
            let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
            let count = counts.entry(&line[..end]).or_insert(0);
            origins.push((&line[..end], 0, *count));
            *count += 1;
            paths.insert(if path.is_empty() { "/" } else { path });
            queries.insert(query);
        }
        origins.iter_mut().for_each(|(origin, all, _)| *all = counts[origin]);
        queries.remove("");
        (queries.len() >= 2).then(|| Self {
            origins,
            paths: paths.into_iter().collect(),
            queries: queries.into_iter().collect(),
        })
    }

    /// Appends the URL with a number. Each number gives a different URL, because each line of a host has
    /// different pairs of path and query. Hosts are as frequent as in the lines, and about as many URLs have
    /// a query.
    pub fn push(&self, number: u64, out: &mut String) {
        let lines = self.origins.len() as u64;
        let (origin, all, before) = self.origins[scattered(number % lines, lines, 0) as usize];
        let pair = number / lines * all + before;
        let (paths, queries) = (self.paths.len() as u64, self.queries.len() as u64);
        let host =
            mix(origin.len() as u64 ^ origin.bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte))));
        // Queries with even numbers are for every sixth pair, and the others for pairs beyond the number of
        // paths.
        let plain = (pair - pair / QUERY_EVERY).saturating_sub(1);
        let (number, query) = match pair.is_multiple_of(QUERY_EVERY) {
            true => (pair / QUERY_EVERY, Some(0)),
            false if plain < paths => (plain, None),
            false => (plain - paths, Some(1)),
        };
        out.push_str(origin);
        out.push_str(self.paths[scattered(number % paths, paths, host) as usize]);
        if let Some(odd) = query {
            let query = scattered(number / paths % (queries / 2), queries / 2, host) * 2 + odd;
            out.push('?');
            out.push_str(self.queries[query as usize]);
        }
    }
}

/// Returns a different number below `count` for each number below it.
fn scattered(number: u64, count: u64, offset: u64) -> u64 {
    // Any odd prime that does not divide the count.
    let step = [1_000_003, 1_000_033, 1_000_037].into_iter().find(|prime| !count.is_multiple_of(*prime));
    (number * step.unwrap_or(1) + offset % count) % count
}
