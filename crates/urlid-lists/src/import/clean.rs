//! The entries of lists as text: merged, without repeats, and sorted.
//!
//! A format of text says itself what its lines cover, so it cannot express every entry: a file of hosts has
//! exact hosts, and the others have hosts with those below them. What it cannot express is left out by name,
//! or approximated and counted.

use std::io;

use super::exceptions::{concerning, is_below, key_of, topmost};
use super::kept::Kept;
use super::reach::{self, Meaning, is_url};
use super::report::{ImportReport, Reason};
use super::{ListFormat, ListImport, Widening, is_own_name};
use crate::rules::Covers;

/// The choices for a list of text.
#[derive(Clone, Copy, Debug)]
pub struct CleanRules {
    /// The format: `domains`, `hosts`, `abp` or `dnsmasq`; of the others, each line is a name.
    pub format: ListFormat,
    /// What entries of hosts cover, instead of what their sources mean.
    pub covers: Option<Covers>,
    /// Whether entries that others cover are left out.
    pub is_compact: bool,
}

impl CleanRules {
    /// Returns what a host in the list covers.
    fn written(self) -> Covers {
        if self.format == ListFormat::Hosts { Covers::Directory } else { Covers::Subdomains }
    }
}

/// A list of text.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid_lists::{CleanRules, ListFormat, ListImport, ListRules};
///
/// let mut import = ListImport::new(ListFormat::Abp, ListRules::default(), SuffixList::compiled());
/// for (number, line) in (1..).zip(["||b.example^", "||a.example^", "@@||b.example^"]) {
///     import.keep(number, line)?;
/// }
/// let rules = CleanRules { format: ListFormat::Dnsmasq, covers: None, is_compact: false };
/// let (list, _) = import.clean(rules);
/// let mut text = Vec::new();
/// list.write(&mut text)?;
/// assert_eq!(text, b"local=/a.example/\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CleanList {
    format: ListFormat,
    kept: Kept,
    /// The indexes of the hosts that are written, sorted by name.
    hosts: Vec<usize>,
    /// Filters of URLs, and exceptions.
    filters: Vec<String>,
    covered: u64,
}

impl ListImport<'_> {
    /// Returns the entries that were kept as a list of text, and the report.
    pub fn clean(mut self, rules: CleanRules) -> (CleanList, ImportReport) {
        let keeps_exact = rules.format == ListFormat::Hosts || rules.covers == Some(Covers::Directory);
        let exceptions = self.settle(None, keeps_exact);
        let meant = rules.covers.unwrap_or(Covers::Subdomains);
        let approximates = self.widening == Widening::Approximate;
        self.count_without_apex(|name| {
            let has_below = !reach::is_address(name);
            approximates || reach::change(has_below, meant, rules.written()).is_none()
        });
        let mut kept = core::mem::take(&mut self.kept);
        let is_abp = rules.format == ListFormat::Abp;
        let mut filters = Vec::new();
        for url in core::mem::take(&mut kept.urls) {
            self.report.place = url.place;
            let filter = Some(&url.text).filter(|_| is_abp).and_then(|text| filter_of(text, url.meaning));
            let is_name = !url.host.is_empty() && reach::is_dns_name(&url.host);
            match filter {
                Some(filter) => {
                    let path = url.text.splitn(4, '/').nth(3).unwrap_or_default();
                    let is_exact = matches!(url.meaning, Meaning::Entry | Meaning::Exact);
                    if is_exact && path.bytes().any(|byte| byte.is_ascii_alphabetic()) {
                        self.report.add(Reason::AnyCase, &url.shown);
                    }
                    if is_exact && url.text.contains('#') {
                        self.report.add(Reason::Fragment, &url.shown);
                    }
                    filters.push(filter + if url.is_important { "$important" } else { "" });
                    self.report.taken += 1;
                }
                None if self.widening == Widening::Approximate && is_url(&url.text) && is_name => {
                    core::mem::swap(&mut self.kept, &mut kept);
                    self.keep_host(&url.host, &url.shown, Covers::Url);
                    core::mem::swap(&mut self.kept, &mut kept);
                }
                None => self.report.add(Reason::UrlEntry, &url.shown),
            }
        }
        let mut hosts: Vec<usize> = (0..kept.hosts.len()).collect();
        hosts.retain(|&index| self.writes_host(&kept, index, rules));
        let name = |index: &usize| kept.texts(*index).0;
        // An important entry comes first of its name, and stays.
        hosts.sort_by_cached_key(|index| (name(index), !kept.hosts[*index].is_important));
        hosts.dedup_by(|one, other| name(one) == name(other));
        let all = hosts.len() + filters.len();
        if rules.is_compact && rules.format != ListFormat::Hosts {
            hosts = topmost_hosts(&hosts, &name);
            if !filters.is_empty() {
                let above = topmost(hosts.iter().map(|index| key_of(name(index))));
                filters.retain(|filter| host_of(filter).is_none_or(|host| !is_below(&key_of(&host), &above)));
            }
        }
        let covered = (all - hosts.len() - filters.len()) as u64;
        let hosts_of_filters: Vec<String> = filters.iter().filter_map(|filter| host_of(filter)).collect();
        let listed: Vec<&str> =
            hosts.iter().map(name).chain(hosts_of_filters.iter().map(String::as_str)).collect();
        for (line, place) in concerning(exceptions, &listed) {
            self.report.place = place;
            match is_abp && line.starts_with("@@") {
                true => filters.push(line),
                false => self.report.add(Reason::Exception, &line),
            }
        }
        filters.sort_unstable();
        filters.dedup();
        (CleanList { format: rules.format, kept, hosts, filters, covered }, self.report)
    }

    /// Returns whether a host is written, and counts what it covers more or less.
    fn writes_host(&mut self, kept: &Kept, index: usize, rules: CleanRules) -> bool {
        let (host, shown) = kept.texts(index);
        let own = kept.hosts[index].covers;
        self.report.place = kept.hosts[index].place;
        let (meant, has_below) = (rules.covers.unwrap_or(own), !reach::is_address(host));
        let written = rules.written();
        let reason = match rules.format {
            _ if self.leaves_out(Some(host), if meant == Covers::Subdomains { meant } else { written }) => {
                Some(Reason::PublicSuffix)
            }
            _ if has_below && !reach::has_dns_lengths(host) => Some(Reason::Malformed),
            ListFormat::Hosts if is_own_name(host) => Some(Reason::OwnName),
            ListFormat::Abp => None,
            _ => host.starts_with('[').then_some(Reason::Ipv6),
        };
        let change = reach::change(has_below, meant, written);
        let reason =
            reason.or(change.filter(|_| self.widening == Widening::LeaveOut).map(|_| Reason::Coverage));
        if let Some(reason) = reason {
            self.report.add(reason, shown);
            return false;
        }
        // Together, so that an entry that is widened and narrowed again counts as what it is now.
        if own == Covers::Url {
            self.report.add(Reason::Widened, shown);
        } else if let Some(reason) = reach::change(has_below, own, written) {
            self.report.add(reason, shown);
        }
        self.report.taken += 1;
        true
    }
}

/// Returns the hosts without those that are below another one, sorted as they were.
fn topmost_hosts<'k>(hosts: &[usize], name: &impl Fn(&usize) -> &'k str) -> Vec<usize> {
    let mut keyed: Vec<(Vec<u8>, usize)> = hosts.iter().map(|index| key_of(name(index))).zip(0..).collect();
    keyed.sort_unstable();
    keyed.dedup_by(|(key, _), (above, _)| key.starts_with(above));
    // By their places in `hosts`, which is sorted by names.
    let mut top: Vec<usize> = keyed.into_iter().map(|(_, place)| place).collect();
    top.sort_unstable();
    top.into_iter().map(|place| hosts[place]).collect()
}

/// Returns the filter of a URL, if it has no character that means something else in filters. Requests have no
/// fragment and no user information, and their hosts are in ASCII.
fn filter_of(url: &str, meaning: Meaning) -> Option<String> {
    let parsed = urlid::web::Url::parse(url).ok()?;
    let url = match meaning {
        Meaning::Entry | Meaning::Exact => {
            let mut sent = parsed.as_str().split('#').next().unwrap_or_default().to_owned();
            sent.replace_range(parsed.user_and_host().0, "");
            sent
        }
        _ => url.to_owned(),
    };
    let is_plain =
        url.is_ascii() && !url.contains(['*', '^', '|', '$']) && !url.contains(char::is_whitespace);
    // `filters` reads no shorter one.
    if !is_plain || !is_url(&url) || url.ends_with("://") {
        return None;
    }
    Some(match meaning {
        Meaning::Entry | Meaning::Exact | Meaning::Filter => format!("|{url}|"),
        Meaning::Prefix => format!("|{url}"),
        Meaning::Part => url,
    })
}

/// Returns the host of the filter of a URL.
fn host_of(filter: &str) -> Option<String> {
    let text = filter.trim_matches('|').trim_end_matches("|$important");
    let url = urlid::web::Url::parse(text).ok()?;
    url.host_str().map(str::to_owned)
}

impl CleanList {
    /// Returns the number of lines.
    pub fn len(&self) -> usize {
        self.hosts.len() + self.filters.len()
    }

    /// Returns whether there are no lines, or exceptions only.
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty() && self.filters.iter().all(|filter| filter.starts_with("@@"))
    }

    /// Returns how many entries were left out because others cover them.
    pub fn covered(&self) -> u64 {
        self.covered
    }

    /// Writes a line for each entry, sorted.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        for &index in &self.hosts {
            let host = self.kept.texts(index).0;
            let important = if self.kept.hosts[index].is_important { "$important" } else { "" };
            match self.format {
                ListFormat::Hosts => writeln!(out, "0.0.0.0 {host}")?,
                ListFormat::Abp => writeln!(out, "||{host}^{important}")?,
                ListFormat::Dnsmasq => writeln!(out, "local=/{host}/")?,
                _ => writeln!(out, "{host}")?,
            }
        }
        self.filters.iter().try_for_each(|filter| writeln!(out, "{filter}"))
    }
}
