//! Entries that are kept until the end of a run, because an exception of a later input may remove them.
//!
//! The names of all hosts are in one text, so a list of 300,000 hosts needs some 20 MB.

use std::collections::HashSet;

use super::exceptions::Exception;
use super::reach::{self, Meaning};
use super::report::{LinePlace, Reason};
use crate::rules::Covers;
use urlid::hashed_uri::Canonical;

/// The state of a zone that affects its later lines.
#[derive(Default)]
pub(super) struct Zone {
    /// The parent of relative names, without a dot at its end. Empty if it is unknown.
    pub(super) origin: String,
    /// The owner of the last record. A line that starts with white space has the same owner.
    pub(super) owner: String,
    /// The number of open parentheses. A record continues until they are closed.
    pub(super) depth: usize,
    /// Names that are passed through.
    pub(super) exceptions: Vec<Exception>,
}

/// The entries of a run.
#[derive(Default)]
pub(super) struct Kept {
    text: String,
    pub(super) hosts: Vec<KeptHost>,
    pub(super) urls: Vec<KeptUrl>,
    /// Names that a zone has below `*.` only.
    pub(super) without_apex: Vec<(String, LinePlace)>,
}

/// The entry of a host: its name in the text, followed by the line or name as written, if that differs.
#[derive(Clone, Copy)]
pub(super) struct KeptHost {
    start: usize,
    host: u32,
    shown: u32,
    pub(super) place: LinePlace,
    pub(super) covers: Covers,
    is_below_only: bool,
    pub(super) is_important: bool,
}

/// The entry of a URL.
pub(super) struct KeptUrl {
    pub(super) place: LinePlace,
    pub(super) host: String,
    pub(super) text: String,
    /// The line of the source.
    pub(super) shown: String,
    pub(super) meaning: Meaning,
    pub(super) is_important: bool,
    /// The hashed text of a filter, and its differences from the filter.
    pub(super) canonical: Option<Canonical>,
    pub(super) reasons: Vec<Reason>,
}

impl KeptUrl {
    pub(super) fn new(text: String, meaning: Meaning, place: LinePlace) -> Self {
        let host = urlid::web::Url::parse(&text).ok().and_then(|url| {
            let (_, range) = url.user_and_host();
            url.as_str().get(range).map(|host| host.strip_suffix('.').unwrap_or(host).to_owned())
        });
        Self {
            place,
            host: host.unwrap_or_default(),
            shown: text.clone(),
            text,
            meaning,
            is_important: false,
            canonical: None,
            reasons: Vec::new(),
        }
    }
}

impl Kept {
    /// Adds the entry of a host. Returns whether its texts are short enough.
    pub(super) fn push_host(&mut self, host: &str, shown: &str, covers: Covers, place: LinePlace) -> bool {
        let shown = if shown == host { "" } else { shown };
        let (Ok(host_len), Ok(shown_len)) = (u32::try_from(host.len()), u32::try_from(shown.len())) else {
            return false;
        };
        let start = self.text.len();
        self.text.push_str(host);
        self.text.push_str(shown);
        self.hosts.push(KeptHost {
            start,
            host: host_len,
            shown: shown_len,
            place,
            covers,
            is_below_only: false,
            is_important: false,
        });
        true
    }

    /// Returns the name of a host, and the text of its line.
    pub(super) fn texts(&self, index: usize) -> (&str, &str) {
        self.texts_of(&self.hosts[index])
    }

    pub(super) fn texts_of(&self, host: &KeptHost) -> (&str, &str) {
        let end = host.start + host.host as usize;
        let name = &self.text[host.start..end];
        (name, if host.shown == 0 { name } else { &self.text[end..end + host.shown as usize] })
    }

    /// Marks the last host as important: an exception applies to it only if the exception is also important.
    pub(super) fn set_important(&mut self, is_important: bool) {
        self.hosts.last_mut().into_iter().for_each(|host| host.is_important = is_important);
    }

    /// Marks the last host as one whose source means only the names below it.
    pub(super) fn set_below_only(&mut self) {
        self.hosts.last_mut().into_iter().for_each(|host| host.is_below_only = true);
    }

    /// Returns the host of each entry. The host of a URL may be empty.
    pub(super) fn all_hosts(&self) -> impl Iterator<Item = &str> {
        let hosts = self.hosts.iter().map(|host| self.texts_of(host).0);
        hosts.chain(self.urls.iter().map(|url| url.host.as_str()))
    }

    /// Keeps the entries for which `keeps` returns `true`, given their host and whether they are important.
    pub(super) fn retain(&mut self, keeps: impl Fn(&str, bool) -> bool) {
        let mut hosts = core::mem::take(&mut self.hosts);
        hosts.retain(|host| keeps(self.texts_of(host).0, host.is_important));
        self.hosts = hosts;
        self.urls.retain(|url| keeps(&url.host, url.is_important));
    }

    /// Finds names that a zone has only below `*.`. Unless exact hosts are written, it also removes exact
    /// hosts that are listed together with the names below them, except for hosts that would be left out in
    /// that form.
    pub(super) fn join(&mut self, keeps_exact: bool, is_left_out: impl Fn(&str) -> bool) {
        let with_below = self.exact_and_below();
        let Some((exact, below)) = with_below else { return };
        let is_covered: Vec<bool> = self
            .hosts
            .iter()
            .map(|host| {
                let name = self.texts_of(host).0;
                let is_exact = !keeps_exact && host.covers == Covers::Directory;
                is_exact && below.contains(name) && !is_left_out(name)
            })
            .collect();
        let lacks_apex = |host: &&KeptHost| host.is_below_only && !exact.contains(self.texts_of(host).0);
        let without: Vec<_> = self
            .hosts
            .iter()
            .filter(lacks_apex)
            .map(|host| (self.texts_of(host).1.to_owned(), host.place))
            .collect();
        self.without_apex = without;
        let mut is_covered = is_covered.into_iter();
        self.hosts.retain(|_| !is_covered.next().unwrap_or_default());
    }

    /// Returns the names of hosts that sources mean themselves, and the names that they mean with the names
    /// below them. Returns `None` if these sets do not matter because every entry is the only one of its
    /// kind.
    fn exact_and_below(&self) -> Option<(HashSet<&str>, HashSet<&str>)> {
        let is_exact = |host: &&KeptHost| host.covers == Covers::Directory;
        if !self.hosts.iter().any(|host| host.is_below_only)
            && (self.hosts.iter().all(|host| is_exact(&host))
                || !self.hosts.iter().any(|host| is_exact(&host)))
        {
            return None;
        }
        let names = |hosts: &dyn Fn(&&KeptHost) -> bool| {
            self.hosts.iter().filter(|host| hosts(host)).map(|host| self.texts_of(host).0).collect()
        };
        Some((names(&|host| !host.is_below_only), names(&|host| !is_exact(host))))
    }

    /// Returns the coverage of the entries, each with the first source. `filters` is the place of the first
    /// filter.
    pub(super) fn coverage(&self, filters: Option<&LinePlace>) -> Vec<(Covers, usize)> {
        let below = self.exact_and_below().map(|(_, below)| below).unwrap_or_default();
        let hosts = self.hosts.iter().filter_map(|host| {
            // An address covers the same either way.
            let name = self.texts_of(host).0;
            let is_covered = host.covers == Covers::Directory && below.contains(name);
            (!is_covered && !reach::is_address(name)).then_some((host.covers, host.place.source))
        });
        let filters = filters.map(|place| (Covers::Subdomains, place.source));
        let urls = self.urls.first().map(|url| (Covers::Url, url.place.source));
        let mut found: Vec<(Covers, usize)> = Vec::new();
        for (covers, source) in hosts.chain(filters).chain(urls) {
            if found.iter().all(|(other, _)| *other != covers) {
                found.push((covers, source));
            }
        }
        if found.is_empty() {
            found.extend(self.hosts.first().map(|host| (host.covers, host.place.source)));
        }
        found
    }
}
