//! Canonical forms against the Python packages that they freeze, on generated and hostile URLs.
//!
//! At length: `cargo xtask proof profiles`. A difference has a class, which is listed here, or is a failure; a class
//! that no longer occurs at length is a failure too.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use urlid::canonical::Form;
use urlid_generators::{Choices, Seeded, archived_url, cases, hostile_text, seed, web_url};

/// The profiles, each with the environment of its package.
const PROFILES: [(&str, &str); 7] = [
    ("surt-0.3.1", "w3lib-2.5"),
    ("w3lib-2.5", "w3lib-2.5"),
    ("w3lib-2.4", "w3lib-2.4"),
    ("scrapy-2.7/w3lib-2.5", "w3lib-2.5"),
    ("scrapy-2.7/w3lib-2.4", "w3lib-2.4"),
    ("url-normalize-3.1", "w3lib-2.5"),
    ("urlcanon-semantic-0.3.1", "w3lib-2.5"),
];

/// A known class of differences: a profile, and which texts are in the class.
struct Class {
    profile: &'static str,
    name: &'static str,
    contains: fn(&str) -> bool,
}

const CLASSES: &[Class] = &[];

/// From this many cases on, every class has to occur.
const MANY: u64 = 100_000;

/// Differences past this many are not shown.
const SHOWN: usize = 20;

#[test]
fn live_packages_give_the_same_forms() {
    let urls = urls(cases(2_000));
    for (profile, environment) in PROFILES {
        if let Some(python) = urlid_testing::oracle(environment) {
            compare(profile, &urls, &outputs(&python, profile, &urls));
        }
    }
}

/// Half of the URLs are made for canonical forms, and half are those of other comparisons.
pub(crate) fn urls(count: u64) -> Vec<String> {
    let mut random = Seeded::new(seed());
    let mut bytes = [0; 96];
    let mut url = |case: u64| {
        random.fill(&mut bytes);
        let choices = &mut Choices::new(&bytes);
        let url = match case % 4 {
            0 => hostile_text(choices),
            1 => web_url(choices),
            _ => archived_url(choices),
        };
        url.replace('\n', "\t")
    };
    (0..count).map(&mut url).collect()
}

fn outputs(python: &Path, profile: &str, urls: &[String]) -> String {
    let mut child = Command::new(python)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/profiles/oracle.py"))
        .arg(profile)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let mut input = child.stdin.take().expect("standard input is a pipe");
    // The script reads all of its input before it prints.
    input.write_all(urls.join("\n").as_bytes()).expect("the script reads its input");
    drop(input);
    let output = child.wait_with_output().expect("the script ends");
    assert!(output.status.success(), "{profile}: the script failed");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn compare(profile: &str, urls: &[String], outputs: &str) {
    let form: Form = profile.parse().expect("the profile is in the list");
    let mut canonicalizer = form.canonicalizer();
    let classes: Vec<&Class> = CLASSES.iter().filter(|class| class.profile == profile).collect();
    let mut counts = vec![0; classes.len()];
    let mut differences = Vec::new();
    assert_eq!(super::lines(outputs).count(), urls.len(), "{profile}: another number of lines");
    for (url, output) in urls.iter().zip(super::lines(outputs)) {
        let mut found = String::new();
        if canonicalizer.canonicalize_into(url, &mut found).is_err() {
            found.push_str("\\N");
        }
        if found == output {
            continue;
        }
        match classes.iter().position(|class| (class.contains)(url)) {
            Some(index) => counts[index] += 1,
            None => differences.push(format!("{url:?}\n  expected {output}\n  found    {found}")),
        }
    }
    let shown = differences[..differences.len().min(SHOWN)].join("\n");
    assert!(differences.is_empty(), "seed {}, {profile}: {} differences\n{shown}", seed(), differences.len());
    for (class, count) in classes.iter().zip(counts) {
        report(&format!("{profile}: {count} of the class: {}", class.name));
        assert!(count > 0 || cases(0) < MANY, "{profile}: no difference is of the class: {}", class.name);
    }
    report(&format!("{profile}: {} URLs compared, seed {}", urls.len(), seed()));
}

#[expect(clippy::print_stderr, reason = "the output of a test run shows how much was compared")]
fn report(line: &str) {
    eprintln!("{line}");
}
