//! Compares the index with a brute-force model, with identifiers that nearly always collide.
//!
//! Every slice keeps four bits, so most candidates are collisions, and only the comparison with each row's
//! own URL keeps the answers right. A failing run prints its seed. `URLID_MODEL_SEED` and `URLID_MODEL_STEPS`
//! repeat or lengthen it.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use crate::question::slice_value::weak;
use crate::question::{Condition, Question, SliceIndex, StoredUrl};
use urlid::suffix::SuffixList;
use urlid_generators::Seeded;

use crate::file::load::parse::Lines;
use crate::file::load::{Load, LoadOptions};
use crate::file::maintain::{self, set_aside};
use crate::file::query::Index;
use crate::file::query::find::find;
use crate::file::row::{Id, NO_ID, RowKey, stored_row};

const TLDS: [&str; 5] = ["com", "co.uk", "sc", "tax", "github.io"];
const DOMAINS: [&str; 6] = ["a", "b", "example", "google", "x1", "x2"];
const SUBS: [&str; 4] = ["", "www", "a.b", "api"];
const PORTS: [&str; 4] = ["", ":80", ":8080", ":1"];
const PATHS: [&str; 6] = ["/", "/a", "/b", "/a/b", "/index.html", "//"];
const QUERIES: [&str; 5] = ["", "q", "id=1", "id=2", "?"];
const FRAGMENTS: [&str; 4] = ["", "f", "g", "#"];

/// URLs without an SXURL.
const OTHERS: [&str; 10] = [
    "http://1.2.3.4:8080/a?q#f",
    "https://[::1]/",
    "https://www.example.com./a",
    "https://google.co.uk./?id=1",
    "wss://a.b.x1.tax/a/b",
    "ssh://GitHub.io/a",
    "ws://a.com:80/",
    "mailto:a@b",
    "file:///a",
    "data:,a",
];

fn url(random: &mut Seeded) -> String {
    if random.below(8) == 0 {
        return random.one(&OTHERS).to_owned();
    }
    let scheme = random.one(&["https", "http", "ftp"]);
    let (sub, domain, tld) = (random.one(&SUBS), random.one(&DOMAINS), random.one(&TLDS));
    let dot = if sub.is_empty() { "" } else { "." };
    let host = if random.below(20) == 0 { tld.to_owned() } else { format!("{sub}{dot}{domain}.{tld}") };
    let (port, path) = (random.one(&PORTS), random.one(&PATHS));
    let (query, fragment) = (random.one(&QUERIES), random.one(&FRAGMENTS));
    let mark = |mark, text: &str| if text.is_empty() { String::new() } else { format!("{mark}{text}") };
    format!("{scheme}://{host}{port}{path}{}{}", mark('?', query), mark('#', fragment))
}

fn conditions(random: &mut Seeded) -> Vec<(Condition, &'static str)> {
    let is_whole_host = random.below(8) == 0;
    let domain = if random.below(8) == 0 { "" } else { random.one(&DOMAINS) };
    let all = [
        (Condition::Scheme, random.one(&["https", "http", "ftp", "ws", "mailto"])),
        (Condition::Tld, random.one(&TLDS)),
        (Condition::Domain, domain),
        (Condition::Sub, random.one(&SUBS)),
        (Condition::Port, random.one(&["80", "8080", "1", "2"])),
        (Condition::Path, random.one(&PATHS)),
        (Condition::Query, random.one(&QUERIES)),
        (Condition::Fragment, random.one(&FRAGMENTS)),
    ];
    let is_of_host = |condition| matches!(condition, Condition::Tld | Condition::Domain | Condition::Sub);
    let mut conditions: Vec<_> = all
        .into_iter()
        .filter(|(condition, _)| random.below(4) == 0 && !(is_whole_host && is_of_host(*condition)))
        .collect();
    if is_whole_host {
        let hosts =
            ["www.example.com", "google.co.uk", "github.io", "a.b.x1.tax", "1.2.3.4", "example.com.", ""];
        conditions.push((Condition::Host, random.one(&hosts)));
    }
    conditions
}

/// The expected content of the index: keys and texts in order.
type Model = BTreeSet<(Id, String)>;

fn row_of(url: &str) -> (Id, String) {
    StoredUrl::read(url, SuffixList::compiled(), |url, _| stored_row(url)).expect("is a URL")
}

fn answers(model: &Model, question: &Question) -> Vec<String> {
    let list = SuffixList::compiled();
    let urls = model.iter().map(|(id, text)| RowKey::new(id, text).url());
    urls.filter(|url| question.matches(url, list)).map(str::to_owned).collect()
}

fn found(index: &Index, question: &Question) -> Vec<String> {
    let mut urls = Vec::new();
    let found = find(&index.file, question, &mut |row, _| {
        urls.push(row.url.to_owned());
        ControlFlow::Continue(())
    });
    assert_eq!(found.expect("is answered").rows, urls.len() as u64);
    urls
}

/// Adds a batch of random URLs to the index and to the model.
fn add(path: &Path, model: &mut Model, random: &mut Seeded) {
    let options = LoadOptions { transaction_lines: 1 + random.below(40) as usize, ..LoadOptions::default() };
    let list = SuffixList::compiled();
    let mut load = Load::begin_with(path, list, options, Lines::AsGiven).expect("begins");
    let before = model.len();
    for _ in 0..random.below(100) {
        let url = url(random);
        load.push(&url).expect("goes on");
        model.insert(row_of(&url));
    }
    let loaded = load.finish().expect("ends");
    assert_eq!(loaded.new, (model.len() - before) as u64);
}

fn delete(path: &Path, model: &mut Model, random: &mut Seeded) {
    let mut conditions = conditions(random);
    conditions.retain(|(condition, _)| *condition != Condition::Path);
    conditions.push((Condition::Path, random.one(&PATHS)));
    let question = Question::new(conditions).expect("is possible");
    let doomed = answers(model, &question);
    let found = set_aside::delete(path, &question).expect("deletes");
    assert_eq!(found.rows, doomed.len() as u64);
    model.retain(|(id, text)| !doomed.iter().any(|url| url == RowKey::new(id, text).url()));
}

fn look(path: &Path, model: &Model, random: &mut Seeded) {
    let index = Index::open(path).expect("opens");
    for _ in 0..10 {
        let question = Question::new(conditions(random)).expect("is possible");
        assert_eq!(found(&index, &question), answers(model, &question), "{question:?}");
        let url = url(random);
        let row = row_of(&url);
        let lookup = index.get_url(&url, None).expect("is looked up");
        let shares_id = |other: &&(Id, String)| other.0 == row.0 && row.0 != NO_ID && **other != row;
        let expected = (model.contains(&row), model.iter().filter(shares_id).count() as u64);
        assert_eq!((lookup.is_stored, lookup.others), expected, "{url}");
    }
    let seen = index
        .verify_with(&mut |finding| panic!("{finding}"), &mut |_| ControlFlow::Continue(()))
        .expect("is verified");
    assert_eq!(seen.rows, model.len() as u64);
}

fn variable(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn random_work_gives_what_a_set_would() {
    weak::turn_on();
    let seed = variable("URLID_MODEL_SEED", 0x5eed_1dea);
    let steps = variable("URLID_MODEL_STEPS", 150);
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("model.urlid");
    let (mut random, mut model) = (Seeded::new(seed), Model::new());
    let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        add(&path, &mut model, &mut random);
        for _ in 0..steps {
            match random.below(10) {
                0..4 => add(&path, &mut model, &mut random),
                4 => delete(&path, &mut model, &mut random),
                5 => maintain::add_slice_indexes(&path, &SliceIndex::ALL[..random.below(5) as usize])
                    .expect("indexes"),
                6 => maintain::drop_slice_indexes(&path, &SliceIndex::ALL[random.below(5) as usize..])
                    .expect("drops"),
                7 if random.below(2) == 0 => maintain::seal(&path).expect("seals"),
                7 => maintain::compact(&path).expect("compacts"),
                _ => look(&path, &model, &mut random),
            }
        }
        look(&path, &model, &mut random);
    }));
    assert!(run.is_ok(), "failed with URLID_MODEL_SEED={seed}");
}
