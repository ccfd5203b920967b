//! Learns the rules of one registered domain, in rounds. URLs that a rule has joined show which further
//! differences do not matter.

use std::collections::{BTreeSet, HashMap, HashSet};

use urlid_canonical::{RuleFile, RuleKind, Rules, escape_rule_word};

use crate::accept::{Learned, by_subject};
use crate::capture::{Capture, group_of};
use crate::contents::{Page, merge, unite};
use crate::evidence::{Evidence, MaskScope};
use crate::parts::Parts;
use crate::shown::shown;

/// The most rounds. Each round except the first needs a rule of the previous one.
const ROUNDS: usize = 4;

/// The names that `--with tracking` drops on all hosts where they do not matter.
pub const TRACKING: [&str; 8] =
    ["utm_source", "utm_medium", "utm_campaign", "fbclid", "gclid", "_", "ref", "PHPSESSID"];

/// A rule as written in a file, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleLine {
    pub(crate) scope: String,
    pub(crate) kind: RuleKind,
    /// Empty for kinds without a word.
    pub(crate) word: String,
    pub(crate) evidence: String,
}

impl RuleLine {
    /// Returns the words after the kind, which are at most one.
    pub(crate) fn words(&self) -> &[String] {
        if self.word.is_empty() { &[] } else { std::slice::from_ref(&self.word) }
    }
}

/// The learned rules of one registered domain, with its statistics.
#[derive(Clone, Debug, Default)]
pub struct Domain {
    /// The registered domain, or the host if it has none.
    pub name: String,
    /// The number of different URLs that were captured with a content.
    pub urls: usize,
    /// The number of URLs that remain under the rules.
    pub left: usize,
    /// The number of different contents.
    pub contents: usize,
    /// The URLs that were captured more than once.
    pub repeated: usize,
    /// The repeated URLs that had different contents.
    pub volatile: usize,
    /// Whether a digest was computed from a visible text.
    pub(crate) has_text: bool,
    pub(crate) rules: Vec<RuleLine>,
}

impl Domain {
    /// Learns from the captures of one registered domain, which must be in the order of their lines.
    ///
    /// `wide` are the names that rules for all hosts drop, unless this domain has evidence against them.
    #[must_use]
    pub fn learn(captures: &[Capture<'_>], wide: &[&str]) -> Self {
        let seen = unite(captures);
        let repeated = seen.iter().filter(|seen| seen.captures > 1);
        let mut domain = Domain {
            name: captures.first().map(|capture| capture.domain.to_owned()).unwrap_or_default(),
            urls: seen.len(),
            has_text: seen.iter().any(|seen| seen.captures > 0 && seen.is_text),
            repeated: repeated.clone().count(),
            volatile: repeated.filter(|seen| seen.digests > 1).count(),
            ..Domain::default()
        };
        let mut contents: Vec<u64> = seen.iter().flat_map(|seen| seen.contents.iter().copied()).collect();
        crate::contents::sort_once(&mut contents);
        domain.contents = contents.len();
        let pages = seen.into_iter().map(|seen| Page { url: seen.url.to_owned(), contents: seen.contents });
        let mut pages: Vec<Page> = pages.collect();
        let mut rules: Vec<Learned> = Vec::new();
        let mut holds = Vec::new();
        for round in 0..ROUNDS {
            let evidence = Evidence::gather(&pages);
            let new = evidence.rules(&pages, &rules);
            // In the first round the names for all hosts may join URLs without any new rule.
            let is_last = new.is_empty() && (round > 0 || wide.is_empty());
            rules.extend(new);
            // Vetoes are kept from the first round on. Once a name is dropped, later rounds see less evidence
            // against it.
            rules.extend(evidence.vetoes(&pages, &rules, wide));
            rules = consistent(&rules);
            holds = evidence.holds(&pages, &rules);
            if is_last {
                break;
            }
            let Some(applied) = rules_of(&rules, wide, captures) else { break };
            pages = apply(&applied, pages);
        }
        rules.extend(holds);
        domain.left = pages.len();
        let dropped = rules.iter().filter(|rule| rule.kind == RuleKind::Drop);
        let dropped: HashSet<&str> = dropped.map(|rule| rule.word.as_str()).collect();
        domain.rules = in_hosts(&rules, captures).iter().map(|rule| rule.line(&dropped)).collect();
        domain
    }

    /// Returns the number of rules that join URLs.
    #[must_use]
    pub fn joining(&self) -> usize {
        self.rules.iter().filter(|rule| rule.kind != RuleKind::Hold).count()
    }
}

impl Learned {
    /// Returns the rule as written in a file. It has the numbers of contents that agree and of contexts that
    /// do not, and an example without the values of fields that rules of the domain drop.
    fn line(&self, all_dropped: &HashSet<&str>) -> RuleLine {
        let is_dropped =
            |name: &str| TRACKING.contains(&name) || all_dropped.contains(escape_rule_word(name).as_str());
        let mut evidence = format!("n={} k={}", self.agreeing, self.against);
        if let Some((one, other)) =
            self.example.as_ref().map(|(one, other)| (shown(one, is_dropped), shown(other, is_dropped)))
            && one != other
        {
            let sign = if self.kind == RuleKind::Hold { " != " } else { " = " };
            evidence.extend([" ", &one, sign, &other]);
        }
        RuleLine { scope: self.scope.text(), kind: self.kind, word: self.word.clone(), evidence }
    }
}

/// Removes rules that wider ones replace, and holds of fields that have a different rule in their scope.
fn consistent(rules: &[Learned]) -> Vec<Learned> {
    let about = by_subject(rules);
    let is_left = |rule: &&Learned| !about[&rule.subject()].iter().any(|other| other.replaces(rule));
    rules.iter().filter(is_left).cloned().collect()
}

/// Returns the rules for each host from the rules of its group, except for hosts that an alias replaces.
fn in_hosts(rules: &[Learned], captures: &[Capture<'_>]) -> Vec<Learned> {
    // Aliases are applied first, so a rule of a replaced host would never be used.
    let replaced: BTreeSet<&str> =
        rules.iter().filter(|rule| rule.kind == RuleKind::Alias).map(|rule| rule.word.as_str()).collect();
    let hosts = captures.iter().filter_map(|capture| Parts::parse(capture.url)).map(|parts| parts.host);
    let hosts: BTreeSet<&str> = hosts.filter(|host| !replaced.contains(host)).collect();
    let mut groups: HashMap<&str, Vec<&str>> = HashMap::new();
    for host in hosts {
        groups.entry(group_of(host)).or_default().push(host);
    }
    let mut all = Vec::new();
    for rule in rules {
        if rule.kind == RuleKind::Alias {
            all.push(rule.clone());
            continue;
        }
        for host in groups.get(rule.scope.group.as_str()).into_iter().flatten() {
            let scope = MaskScope { group: (*host).to_owned(), ..rule.scope.clone() };
            all.push(Learned { scope, ..rule.clone() });
        }
    }
    all
}

/// Returns rules that can be applied.
fn rules_of(rules: &[Learned], wide: &[&str], captures: &[Capture<'_>]) -> Option<Rules> {
    let mut file = RuleFile::new();
    for rule in in_hosts(rules, captures) {
        let line = rule.line(&HashSet::new());
        file.push(&line.scope, line.kind, line.words(), "");
    }
    if !wide.is_empty() {
        file.push("*", RuleKind::Drop, wide, "");
    }
    Rules::parse(&file.to_text("")).ok()
}

/// Unites pages that are equal under rules.
fn apply(rules: &Rules, pages: Vec<Page>) -> Vec<Page> {
    merge(pages.into_iter().map(|page| Page { url: rules.apply(&page.url, |_| {}), ..page }).collect())
}
