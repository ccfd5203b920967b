//! Compares the suffix split with the `psl` crate and with a plain implementation of publicsuffix.org's
//! algorithm.
//!
//! Both are compared on every rule of the list and its neighbours. The plain algorithm is also compared on
//! random hosts, whose seed is printed. The plain algorithm has its own reader of the list and depends only
//! on `idna`.

use std::collections::{BTreeSet, HashMap};

use urlid::suffix::{Sections, Split, SuffixList};
use urlid_generators::{Seeded, cases, seed};

/// The hosts that `psl` 2.1.247 splits differently, sorted. Its list is a day younger (2026-10-23) and has
/// the same rules. If a wildcard's child has its own wildcard (`*.replit.dev` and `*.teams.replit.dev`),
/// `psl` does not treat the child as a suffix.
const KNOWN_DIFFERENCES: &[&str] = &[
    "ap-north-1.r.cloud.int.apple",
    "ap-south-1.r.cloud.int.apple",
    "ap-south-2.r.cloud.int.apple",
    "eu-central-1.r.cloud.int.apple",
    "eu-north-1.r.cloud.int.apple",
    "ex.futurecms.at",
    "in.futurecms.at",
    "mtls.run.app",
    "oci.customer-oci.com",
    "ocp.customer-oci.com",
    "ocs.customer-oci.com",
    "privatelink.snowflake.app",
    "r.cloud.int.apple",
    "svc.firenet.ch",
    "teams.replit.dev",
    "us-central-1.r.cloud.int.apple",
    "us-central-2.r.cloud.int.apple",
    "us-east-1.r.cloud.int.apple",
    "us-east-2.r.cloud.int.apple",
    "us-west-1.r.cloud.int.apple",
    "us-west-2.r.cloud.int.apple",
    "us-west-3.r.cloud.int.apple",
];

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Icann,
    Private,
}

/// The rules of a list by their text in ASCII, including marks.
struct Plain {
    rules: HashMap<String, Part>,
}

impl Plain {
    fn read(text: &str) -> Plain {
        let mut rules = HashMap::new();
        let mut part = None;
        for line in text.lines() {
            if line.contains("===BEGIN ICANN DOMAINS===") {
                part = Some(Part::Icann);
            } else if line.contains("===BEGIN PRIVATE DOMAINS===") {
                part = Some(Part::Private);
            }
            if line.is_empty() || line.starts_with("//") {
                continue;
            }
            let (mark, name) = line.split_at(line.len() - line.trim_start_matches(['!', '*', '.']).len());
            let name = idna::domain_to_ascii(name).expect("the list's names are valid");
            rules.insert(format!("{mark}{name}"), part.expect("each rule is in a section"));
        }
        assert!(rules.len() > 10_000, "the list has {} rules", rules.len());
        Plain { rules }
    }

    fn has(&self, rule: &str, sections: Sections) -> bool {
        self.rules.get(rule).is_some_and(|&part| sections == Sections::All || part == Part::Icann)
    }

    /// The algorithm's six steps, for one host.
    fn split<'h>(&self, host: &'h str, sections: Sections) -> Split<'h> {
        let starts: Vec<usize> =
            (0..host.len()).filter(|&at| at == 0 || host.as_bytes()[at - 1] == b'.').collect();
        let labels = starts.len();
        let mut suffix_labels = 1;
        for (index, &start) in starts.iter().enumerate() {
            let (name, count) = (&host[start..], labels - index);
            if self.has(&format!("!{name}"), sections) {
                suffix_labels = count - 1;
                break;
            }
            let wildcard = starts
                .get(index + 1)
                .is_some_and(|&next| self.has(&format!("*.{}", &host[next..]), sections));
            if wildcard || self.has(name, sections) {
                suffix_labels = suffix_labels.max(count);
            }
        }
        let at = |count: usize| if count == 0 { host.len() } else { starts[labels - count] };
        let tld = &host[at(suffix_labels)..];
        if labels == suffix_labels {
            return Split { sub: "", domain: "", tld };
        }
        let domain = &host[at(suffix_labels + 1)..host.len() - tld.len() - 1];
        let sub = host[..at(suffix_labels + 1)].trim_end_matches('.');
        Split { sub, domain, tld }
    }

    /// Hosts at, below, above and next to the name of a rule.
    fn neighbours(rule: &str) -> Vec<String> {
        let name = rule.trim_start_matches(['!', '*', '.']);
        let mut hosts = vec![name.to_owned()];
        hosts.extend(["a", "b.a", "c.b.a", "*", "www"].map(|below| format!("{below}.{name}")));
        for (dot, _) in name.match_indices('.') {
            let above = &name[dot + 1..];
            hosts.push(above.to_owned());
            hosts.extend(["beside", "a.beside", "b.a.beside"].map(|sibling| format!("{sibling}.{above}")));
        }
        // Names that differ from a rule's name in one byte, or in the start of a label.
        hosts.extend([
            format!("x{name}"),
            format!("{name}x"),
            name.replacen('.', "", 1),
            format!("a.{}", &name[1..]),
        ]);
        hosts.retain(|host| !host.starts_with('.') && !host.contains(".."));
        hosts
    }
}

#[test]
fn the_split_is_the_plain_algorithms_at_every_rule_and_around_it() {
    let plain = Plain::read(urlid_psl::DAT);
    let mut hosts = 0;
    for rule in plain.rules.keys() {
        for host in Plain::neighbours(rule) {
            for sections in [Sections::All, Sections::Icann] {
                assert_eq!(
                    SuffixList::compiled_with(sections).split_normal(&host),
                    plain.split(&host, sections),
                    "{host} {sections:?}"
                );
                hosts += 1;
            }
        }
    }
    assert!(hosts > 50_000, "too few hosts were compared: {hosts}");
}

#[test]
fn a_list_read_at_run_time_splits_like_the_compiled_one() {
    let rules = Plain::read(urlid_psl::DAT).rules;
    for sections in [Sections::All, Sections::Icann] {
        let compiled = SuffixList::compiled_with(sections);
        let parsed = SuffixList::parse(compiled.text(), sections).expect("the list is valid");
        for host in rules.keys().flat_map(|rule| Plain::neighbours(rule)) {
            assert_eq!(parsed.split_normal(&host), compiled.split_normal(&host), "{host} {sections:?}");
        }
    }
}

#[test]
fn the_split_is_the_plain_algorithms_for_random_hosts() {
    let plain = Plain::read(urlid_psl::DAT);
    let mut random = Seeded::new(seed());
    let labels: Vec<&str> = {
        let all: BTreeSet<&str> =
            plain.rules.keys().flat_map(|rule| rule.split('.')).filter(|&label| label != "*").collect();
        all.into_iter().chain(["a", "www", "example", "*", "x_y", "xn--nothing"]).collect()
    };
    let mut names: Vec<&str> =
        plain.rules.keys().map(|rule| rule.trim_start_matches(['!', '*', '.'])).collect();
    names.sort_unstable();
    for _ in 0..cases(100_000) {
        let mut parts: Vec<&str> = (0..1 + random.below(3)).map(|_| random.one(&labels)).collect();
        if random.below(4) != 0 {
            parts.push(random.one(&names));
        }
        let host = parts.join(".");
        for sections in [Sections::All, Sections::Icann] {
            assert_eq!(
                SuffixList::compiled_with(sections).split_normal(&host),
                plain.split(&host, sections),
                "seed {}: {host} {sections:?}",
                seed()
            );
        }
    }
}

#[test]
fn the_split_matches_the_psl_crate_except_for_the_known_hosts() {
    let plain = Plain::read(urlid_psl::DAT);
    let list = SuffixList::compiled();
    let mut differing = BTreeSet::new();
    for rule in plain.rules.keys() {
        for host in Plain::neighbours(rule) {
            let ours = list.split_normal(&host);
            let theirs = psl::suffix_str(&host).expect("every host has a suffix");
            let same_domain = match psl::domain_str(&host) {
                Some(domain) => domain == format!("{}.{}", ours.domain, ours.tld),
                None => ours.domain.is_empty(),
            };
            if ours.tld != theirs || !same_domain {
                differing.insert(host);
            }
        }
    }
    assert_eq!(differing.into_iter().collect::<Vec<_>>(), KNOWN_DIFFERENCES);
}
