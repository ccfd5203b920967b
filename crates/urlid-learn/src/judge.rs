//! Judges a form by a crawl: which URLs it joins, and whether their contents were the same.
//!
//! A crawler that meets the URLs in order of time skips a URL if it has seen its key. The skip is right if
//! the contents of the two URLs were the same. Only differences that the digest can detect are judged. This
//! excludes a URL with captures of two digests, and a host where most URLs that were captured twice have two.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use urlid_canonical::{Canonicalizer, NoVarySearch, Rules};

use crate::capture::Capture;
use crate::contents::{Seen, unite};
use crate::parts::Parts;
use crate::shown::{differing, dropped, shown};

/// The most examples and counter-examples of a rule.
const SHOWN: usize = 3;

/// The effect of a form on URLs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The URLs with a content.
    pub urls: u64,
    /// The URLs with the key of an earlier URL.
    pub skipped: u64,
    /// The skips that the digest can judge.
    pub judged: u64,
    /// The judged skips of URLs with a different content.
    pub wrong: u64,
    /// The URLs with the content of an earlier URL.
    pub removable: u64,
    /// The contents that no remaining URL has.
    pub lost: u64,
}

impl Counts {
    /// Returns the share of judged skips that are right, or `None` if no skip was judged.
    #[must_use]
    pub fn precision(&self) -> Option<f64> {
        (self.judged > 0).then(|| (self.judged - self.wrong) as f64 / self.judged as f64)
    }

    /// Returns the recall, which is the skipped share of the duplicate pages. Returns `None` if there are no
    /// duplicates.
    #[must_use]
    pub fn recall(&self) -> Option<f64> {
        (self.removable > 0).then(|| (self.judged - self.wrong) as f64 / self.removable as f64)
    }

    fn add(&mut self, other: &Counts) {
        self.urls += other.urls;
        self.skipped += other.skipped;
        self.judged += other.judged;
        self.wrong += other.wrong;
        self.removable += other.removable;
        self.lost += other.lost;
    }
}

/// A pair of URLs with one key, in the form for reports. The first one is kept.
pub type Pair = (String, String);

/// The effect of one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleReport {
    /// The judged skips that the rule took part in.
    pub judged: u64,
    /// The wrong skips among them.
    pub wrong: u64,
    /// Some of the right skips.
    pub examples: Vec<Pair>,
    /// Some of the wrong skips.
    pub counters: Vec<Pair>,
}

/// The captures of a host with one field `No-Vary-Search`, compared with the field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// The captures that have the field.
    pub captures: u64,
    /// The URLs that the field makes equivalent to an earlier one. Both must have the field and must be
    /// judgeable.
    pub judged: u64,
    /// The judged URLs with a different content.
    pub wrong: u64,
    /// Some of the wrong pairs.
    pub counters: Vec<Pair>,
}

/// The effect of a form on all hosts.
#[derive(Clone, Debug, Default)]
pub struct JudgeReport {
    /// The effect on each host that was judged, by name.
    pub hosts: BTreeMap<String, Counts>,
    /// The number of URLs on each host that this digest cannot judge.
    pub unjudged: BTreeMap<String, u64>,
    /// The effect of each rule, by its index in the file.
    pub rules: BTreeMap<usize, RuleReport>,
    /// The declarations by host and field. The field is in canonical form. An invalid field, which declares
    /// nothing, is unchanged.
    pub declared: BTreeMap<(String, String), Declared>,
    /// Some wrong skips, for a form without rules that they could be listed under.
    pub counters: Vec<Pair>,
}

impl JudgeReport {
    /// Returns the sum of all hosts.
    #[must_use]
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.hosts.values().for_each(|counts| total.add(counts));
        total
    }

    /// Adds the report of a different domain.
    pub fn add(&mut self, other: JudgeReport) {
        for (host, counts) in other.hosts {
            self.hosts.entry(host).or_default().add(&counts);
        }
        self.unjudged.extend(other.unjudged);
        for (rule, report) in other.rules {
            let sum = self.rules.entry(rule).or_default();
            sum.judged += report.judged;
            sum.wrong += report.wrong;
            take_some(&mut sum.examples, report.examples);
            take_some(&mut sum.counters, report.counters);
        }
        // Different domains have different hosts.
        self.declared.extend(other.declared);
        take_some(&mut self.counters, other.counters);
    }
}

fn take_some(pairs: &mut Vec<Pair>, more: Vec<Pair>) {
    pairs.extend(more);
    pairs.truncate(SHOWN);
}

/// A form and the settings for judging it.
#[derive(Debug)]
pub struct Judge<'f> {
    /// The judged form.
    pub keys: Canonicalizer<'f>,
    /// The rules in the form, if it has some.
    pub rules: Option<&'f Rules>,
    /// Whether values in examples are shown unchanged.
    pub shows_values: bool,
}

impl Judge<'_> {
    /// Judges the captures of one registered domain, which must be in the order of their lines.
    pub fn judge(&mut self, captures: &[Capture<'_>]) -> JudgeReport {
        let mut seen = unite(captures);
        // This is the order in which a crawler would have met them.
        seen.sort_by_key(|seen| (seen.time, seen.url));
        let mut report = JudgeReport::default();
        let judged = judged_hosts(&seen, &mut report);
        let mut domain = Skips::default();
        for page in &seen {
            let host = host_of(page.url);
            if judged.contains(host) {
                self.page(page, &mut domain, &mut report);
            }
        }
        // A content is lost if every page with it was skipped.
        for (content, host) in &domain.wanted {
            let is_lost = !domain.kept.contains(content);
            report.hosts.entry((*host).to_owned()).or_default().lost += u64::from(is_lost);
        }
        self.declared(captures, &seen, &judged, &mut report);
        report
    }

    /// Judges the declarations of hosts. URLs with a field should have one content if the field makes them
    /// equivalent.
    fn declared(
        &self,
        captures: &[Capture<'_>],
        seen: &[Seen<'_>],
        judged: &HashSet<&str>,
        report: &mut JudgeReport,
    ) {
        let mut fields: BTreeMap<(&str, String), (NoVarySearch, HashSet<&str>)> = BTreeMap::new();
        for capture in captures.iter().filter(|capture| !capture.no_vary_search.is_empty()) {
            let field = NoVarySearch::parse(capture.no_vary_search);
            let name = match field.is_default() {
                true => capture.no_vary_search.to_owned(),
                false => field.to_string(),
            };
            let host = host_of(capture.url);
            report.declared.entry((host.to_owned(), name.clone())).or_default().captures += 1;
            fields.entry((host, name)).or_insert_with(|| (field, HashSet::new())).1.insert(capture.url);
        }
        // The default makes no URLs equivalent, so it cannot be judged.
        fields.retain(|(host, _), (field, _)| judged.contains(host) && !field.is_default());
        for ((host, name), (field, urls)) in fields {
            let declared = report.declared.entry((host.to_owned(), name)).or_default();
            let form = field.to_form();
            let mut firsts: HashMap<String, &Seen<'_>> = HashMap::new();
            let pages = seen.iter().filter(|page| urls.contains(page.url) && page.is_judged());
            for (page, key) in pages.filter_map(|page| Some((page, form.canonicalize(page.url).ok()?))) {
                let first = match firsts.entry(key) {
                    Entry::Occupied(first) => *first.get(),
                    Entry::Vacant(place) => {
                        place.insert(page);
                        continue;
                    }
                };
                declared.judged += 1;
                if !page.shares_content(first) {
                    declared.wrong += 1;
                    if declared.counters.len() < SHOWN {
                        declared.counters.push(self.pair(first.url, page.url, None));
                    }
                }
            }
        }
    }

    fn page<'s>(&mut self, page: &'s Seen<'s>, domain: &mut Skips<'s>, report: &mut JudgeReport) {
        let host = host_of(page.url);
        let counts = report.hosts.entry(host.to_owned()).or_default();
        counts.urls += 1;
        let mut key = String::new();
        if self.keys.canonicalize_into(page.url, &mut key).is_err() {
            return;
        }
        // The index exists, because `unite` returns only pages with contents.
        let content = page.contents[0];
        let is_judged = page.is_judged();
        if is_judged {
            // A form that is never wrong can skip only these pages.
            counts.removable += u64::from(domain.seen.contains(&content));
            domain.wanted.entry(content).or_insert(host);
        }
        domain.seen.extend(&page.contents);
        let first = match domain.firsts.entry(key) {
            Entry::Occupied(first) => *first.get(),
            Entry::Vacant(place) => {
                place.insert(page);
                domain.kept.extend(&page.contents);
                return;
            }
        };
        counts.skipped += 1;
        // Skipping a page that does not exist is harmless, and a digest that changes each time proves
        // nothing.
        if !is_judged || first.digests > 1 {
            return;
        }
        counts.judged += 1;
        let is_wrong = !page.shares_content(first);
        counts.wrong += u64::from(is_wrong);
        let pair = || self.pair(first.url, page.url, self.rules);
        let mut by = Vec::new();
        if let Some(rules) = self.rules {
            rules.apply(first.url, |rule| by.push(rule));
            rules.apply(page.url, |rule| by.push(rule));
            // A rule that changed both URLs counts once.
            by.sort_unstable();
            by.dedup();
        } else if is_wrong && report.counters.len() < SHOWN {
            report.counters.push(pair());
        }
        for rule in by {
            let found = report.rules.entry(rule).or_default();
            found.judged += 1;
            found.wrong += u64::from(is_wrong);
            let pairs = if is_wrong { &mut found.counters } else { &mut found.examples };
            if pairs.len() < SHOWN {
                pairs.push(pair());
            }
        }
    }

    /// Returns two URLs in the form for reports. The values of fields that the rules drop are hidden. For a
    /// form without rules, the values of fields in which the URLs differ are hidden.
    fn pair(&self, one: &str, other: &str, rules: Option<&Rules>) -> Pair {
        if self.shows_values {
            return (one.to_owned(), other.to_owned());
        }
        let hidden = match rules {
            Some(rules) => &dropped(one, rules) | &dropped(other, rules),
            None => differing(one, other),
        };
        let show = |url: &str| shown(url, |name| hidden.contains(name));
        (show(one), show(other))
    }
}

/// The state of a crawler in one registered domain.
#[derive(Default)]
struct Skips<'s> {
    /// The first page of each key.
    firsts: HashMap<String, &'s Seen<'s>>,
    /// The contents that were met, and the contents of kept pages.
    seen: HashSet<u64>,
    kept: HashSet<u64>,
    /// The contents of judged pages, and the host that each was first met on.
    wanted: HashMap<u64, &'s str>,
}

/// Returns the hosts that the digest can judge, and reports the others. If no URL was captured twice, a
/// payload digest may be different each time.
fn judged_hosts<'s>(seen: &[Seen<'s>], report: &mut JudgeReport) -> HashSet<&'s str> {
    let mut hosts: BTreeMap<&str, (u64, u64, u64, bool)> = BTreeMap::new();
    for page in seen {
        let (urls, repeated, differing, is_text) = hosts.entry(host_of(page.url)).or_insert((0, 0, 0, true));
        *urls += 1;
        *repeated += u64::from(page.captures > 1);
        *differing += u64::from(page.digests > 1);
        *is_text &= page.is_text;
    }
    let (mut judged, mut report_unjudged) = (HashSet::new(), BTreeMap::new());
    for (host, (urls, repeated, differing, is_text)) in hosts {
        if (repeated > 0 || is_text) && differing * 2 <= repeated {
            judged.insert(host);
        } else {
            report_unjudged.insert(host.to_owned(), urls);
        }
    }
    report.unjudged = report_unjudged;
    judged
}

fn host_of(url: &str) -> &str {
    Parts::parse(url).map_or("", |parts| parts.host)
}
