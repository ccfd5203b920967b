//! Every combination of one to three conditions against the parts that the URLs were put together from.
//!
//! Conditions that exclude each other are among them: their answer is that there is none.

use std::ops::ControlFlow;

use urlid_store::file::{Index, add_slice_indexes};
use urlid_store::question::{Condition, Question, SliceIndex};

use crate::{fresh, load};

/// The parts of a URL as they were put together.
#[derive(Debug)]
struct Parts {
    scheme: &'static str,
    /// Sub, domain and tld; an address has none of them.
    host: (&'static str, [&'static str; 3]),
    port: &'static str,
    path: &'static str,
    query: &'static str,
    fragment: &'static str,
}

const SCHEMES: [&str; 3] = ["https", "http", "wss"];
const HOSTS: [(&str, [&str; 3]); 8] = [
    ("google.com", ["", "google", "com"]),
    ("www.google.com", ["www", "google", "com"]),
    ("www.google.co.uk", ["www", "google", "co.uk"]),
    ("co.uk", ["", "", "co.uk"]),
    ("github.io", ["", "", "github.io"]),
    ("a.b.github.io", ["a", "b", "github.io"]),
    ("notgithub.io", ["", "notgithub", "io"]),
    ("1.2.3.4", ["", "", ""]),
];

/// Every condition with values that some URLs have, and a few that none has.
const CONDITIONS: [(Condition, &str); 44] = [
    (Condition::Scheme, "https"),
    (Condition::Scheme, "wss"),
    (Condition::Scheme, "mailto"),
    (Condition::Host, "google.com"),
    (Condition::Host, "www.google.com"),
    (Condition::Host, "1.2.3.4"),
    (Condition::Host, ""),
    (Condition::Under, "com"),
    (Condition::Under, "uk"),
    (Condition::Under, ".co.uk"),
    (Condition::Under, "github.io"),
    (Condition::Under, "www.google.co.uk"),
    (Condition::Under, "1.2.3.4"),
    (Condition::Under, "4"),
    (Condition::RegisteredDomain, "google.com"),
    (Condition::RegisteredDomain, "co.uk"),
    (Condition::RegisteredDomain, "www.google.com"),
    (Condition::Tld, "com"),
    (Condition::Tld, "co.uk"),
    (Condition::Domain, "google"),
    (Condition::Domain, ""),
    (Condition::Sub, "www"),
    (Condition::Sub, ""),
    (Condition::Port, "80"),
    (Condition::Port, "81"),
    (Condition::Path, "/"),
    (Condition::Path, "/search"),
    (Condition::PathPrefix, "/"),
    (Condition::PathPrefix, "/s"),
    (Condition::Query, "q"),
    (Condition::Query, "x"),
    (Condition::Query, ""),
    (Condition::Fragment, "f"),
    (Condition::Fragment, ""),
    (Condition::Has, "sub"),
    (Condition::Has, "query"),
    (Condition::Has, "fragment"),
    (Condition::Has, "port"),
    (Condition::Has, "sub,query,fragment,port"),
    (Condition::Lacks, "sub"),
    (Condition::Lacks, "query"),
    (Condition::Lacks, "fragment"),
    (Condition::Lacks, "port"),
    (Condition::Lacks, "sub,query,fragment,port"),
];

impl Parts {
    /// Every URL that the parts allow.
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for scheme in SCHEMES {
            for host in HOSTS {
                for bits in 0..16 {
                    let part = |bit: u32, text: &'static str| if bits >> bit & 1 == 1 { text } else { "" };
                    let path = if bits & 1 == 1 { "/search" } else { "/" };
                    let (port, query, fragment) = (part(1, "80"), part(2, "q"), part(3, "f"));
                    all.push(Self { scheme, host, port, path, query, fragment });
                }
            }
        }
        let (host, path) = (("", [""; 3]), "a@b");
        all.push(Self { scheme: "mailto", host, port: "", path, query: "", fragment: "" });
        all
    }

    fn url(&self) -> String {
        let marked =
            |mark: &str, text: &str| if text.is_empty() { String::new() } else { [mark, text].concat() };
        let slashes = if self.host.0.is_empty() { "" } else { "//" };
        [
            self.scheme,
            ":",
            slashes,
            self.host.0,
            &marked(":", self.port),
            self.path,
            &marked("?", self.query),
            &marked("#", self.fragment),
        ]
        .concat()
    }

    fn meets(&self, condition: Condition, value: &str) -> bool {
        let (host, [sub, domain, tld]) = self.host;
        let is_there = |part: &str| {
            !match part {
                "sub" => sub,
                "query" => self.query,
                "fragment" => self.fragment,
                _ => self.port,
            }
            .is_empty()
        };
        match condition {
            Condition::Scheme => self.scheme == value,
            Condition::Host => host == value,
            Condition::Under => {
                let name = value.trim_start_matches('.');
                host == name || !tld.is_empty() && host.ends_with(&format!(".{name}"))
            }
            Condition::RegisteredDomain => !domain.is_empty() && format!("{domain}.{tld}") == value,
            Condition::Tld => tld == value,
            Condition::Domain => domain == value,
            Condition::Sub => sub == value,
            Condition::Port => self.port == value,
            Condition::Path => self.path == value,
            Condition::PathPrefix => self.path.starts_with(value),
            Condition::Query => self.query == value,
            Condition::Fragment => self.fragment == value,
            Condition::Has => value.split(',').all(is_there),
            Condition::Lacks => !value.split(',').any(is_there),
            other => panic!("{other} is not in the sweep"),
        }
    }
}

/// Returns every combination of one to three different conditions.
fn combinations() -> Vec<Vec<(Condition, &'static str)>> {
    let mut combinations: Vec<Vec<_>> = CONDITIONS.iter().map(|one| vec![*one]).collect();
    let mut begin = 0;
    for _ in 1..3 {
        let end = combinations.len();
        for shorter in begin..end {
            let shorter = combinations[shorter].clone();
            // Each set of conditions once, in the order of the table.
            let later = |next: &&(Condition, _)| shorter.iter().all(|(condition, _)| *condition < next.0);
            let longer = CONDITIONS.iter().filter(later).map(|next| [shorter.as_slice(), &[*next]].concat());
            combinations.extend(longer);
        }
        begin = end;
    }
    combinations
}

#[test]
fn every_combination_of_three_conditions_is_answered() {
    let (_directory, path) = fresh("index");
    let all = Parts::all();
    let urls: Vec<String> = all.iter().map(Parts::url).collect();
    load(&path, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(CONDITIONS.iter().all(|(condition, value)| {
        let answers = all.iter().filter(|parts| parts.meets(*condition, value)).count();
        answers > 0
            || ["81", "x", "4"].contains(value)
            || [Condition::Host, Condition::RegisteredDomain].contains(condition)
    }));
    let questions: Vec<(Vec<(Condition, &str)>, Question)> = combinations()
        .into_iter()
        // A host whole and in parts, and a part in both `has` and `lacks`, are rejected as questions.
        .filter_map(|conditions| Some((conditions.clone(), Question::new(conditions).ok()?)))
        .collect();
    assert!(questions.len() > 3_054, "{} questions", questions.len());
    for indexes in [&[][..], &SliceIndex::ALL] {
        add_slice_indexes(&path, indexes).expect("makes");
        let index = Index::open(&path).expect("opens");
        let mut without_answer = 0;
        for (conditions, question) in &questions {
            let is_met =
                |parts: &&Parts| conditions.iter().all(|(condition, value)| parts.meets(*condition, value));
            let mut expected: Vec<String> = all.iter().filter(is_met).map(Parts::url).collect();
            let mut found = Vec::new();
            let answered = index.find(question, &mut |row| {
                found.push(row.url.to_owned());
                ControlFlow::Continue(())
            });
            let plan = index.plan(question).expect("is planned");
            assert!(answered.is_ok(), "{conditions:?}: {plan}: {answered:?}");
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{conditions:?}: {plan}");
            without_answer += usize::from(found.is_empty());
        }
        assert!(without_answer > 1_000, "{without_answer} questions have no answer");
    }
}
