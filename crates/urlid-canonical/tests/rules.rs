//! Laws of rules of sites, over generated files and URLs. `URLID_CASES=1000000` is the long form.

use urlid::suffix::SuffixList;
use urlid::web::Url;
use urlid_canonical::{Form, Rules};
use urlid_generators::{Seeded, cases, seed};

const HOSTS: [&str; 10] = [
    "a.example",
    "m.a.example",
    "www.a.example",
    "x.m.a.example",
    "b.example",
    "www.b.example",
    "[::1]",
    "127.0.0.1",
    "u.github.io",
    "\u{fc}.a.example",
];
const SEGMENTS: [&str; 14] = [
    "a",
    "A",
    "b",
    "index.html",
    "Index.html",
    "x;s=1",
    "x;S=1;s=",
    "..;s=1",
    "%2e;s=2;t=3",
    "%41",
    "%c3%9c",
    ";s=1",
    "",
    "a;t=%2F",
];
const NAMES: [&str; 12] = ["a", "A", "b", "ab", "id", "utm_a", "utm_b", "%C3%BC", "a+b", "%61", "page", ""];
const PATTERNS: [&str; 12] =
    ["a", "A", "b", "a*", "id", "utm_*", "utm_a", "\u{fc}", "a%20b", "page", "*", "index.html"];
const VALUES: [&str; 6] = ["", "=", "=1", "=2", "=%31", "=a+b"];

/// Further steps, in their order, each with the rules or without.
const STEPS: [&str; 6] = [
    "+drop-fragment",
    "+drop-anchor",
    "+sort-query",
    "+drop-query=b,utm_*",
    "+drop-tracking@firefox-46740ded",
    "+https",
];

fn url(random: &mut Seeded) -> String {
    let scheme = random.one(&["http", "https", "http", "HTTP", "ftp", "s"]);
    let user = random.one(&["", "", "", "u@", "u:p@", ":p@", "a%40b:c@"]);
    let mut text =
        format!("{scheme}://{user}{}{}", random.one(&HOSTS), random.one(&["", "", ":80", ":8080"]));
    for _ in 0..random.below(5) {
        text += "/";
        text += random.one(&SEGMENTS);
    }
    text += random.one(&["", "/", "//", "/index.html"]);
    for number in 0..random.below(6) {
        text += if number == 0 { "?" } else { "&" };
        text += random.one(&NAMES);
        text += random.one(&VALUES);
    }
    text + random.one(&["", "", "#", "#f?a=1&utm_a#"])
}

/// The lines of a file, each a scope and a rule.
fn lines(random: &mut Seeded) -> Vec<(String, String)> {
    let count = 1 + random.below(8);
    (0..count)
        .map(|_| {
            let host = random.one(&HOSTS);
            let scope = match random.below(4) {
                0 => random.one(&["*", "*.a.example", "*.example", "*.m.a.example"]).to_owned(),
                1 => {
                    let depth = 1 + random.below(2);
                    let prefix: Vec<&str> =
                        (0..depth).map(|_| random.one(&["a", "A", "b", "x", "%c3%9c", "a;t=%2F"])).collect();
                    format!("{host}/{}/", prefix.join("/"))
                }
                _ => host.to_owned(),
            };
            let kinds = [
                "alias", "https", "case", "slash", "order", "index", "session", "drop", "default", "keep",
                "hold", "drop",
            ];
            let rule = match random.one(&kinds) {
                "alias" => format!("alias {}", random.one(&HOSTS)),
                "default" => format!("default {}={}", random.one(&PATTERNS), random.one(&["", "1", "a%20b"])),
                "session" => format!("session {}", random.one(&["s", "t", "*"])),
                kind @ ("https" | "case" | "slash" | "order") => kind.to_owned(),
                kind => format!("{kind} {}", random.one(&PATTERNS)),
            };
            (scope, rule)
        })
        .collect()
}

fn text(lines: &[(String, String)]) -> String {
    let lines = lines.iter().map(|(scope, rule)| format!("[{scope}]\n{rule}\n"));
    format!("urlid-rules 1\n{}", lines.collect::<String>())
}

/// Returns rules of lines, of which those that the file before them contradicts are left out, and the lines.
fn rules(random: &mut Seeded) -> (Rules, Vec<(String, String)>) {
    let mut kept = Vec::new();
    let mut rules = Rules::parse("urlid-rules 1").expect("the head is a file");
    for line in lines(random) {
        kept.push(line);
        match Rules::parse(&text(&kept)) {
            Ok(more) => rules = more,
            Err(_) => drop(kept.pop()),
        }
    }
    (rules, kept)
}

fn shuffle<T>(random: &mut Seeded, items: &mut [T]) {
    for place in (1..items.len()).rev() {
        items.swap(place, random.below(place as u64 + 1) as usize);
    }
}

fn registered_domain(url: &Url) -> Option<String> {
    url.registered_domain(SuffixList::compiled()).or(url.host_str()).map(str::to_owned)
}

#[test]
fn rules_are_idempotent_closed_and_independent_of_the_order_of_lines() {
    let mut random = Seeded::new(seed());
    let (mut changed, mut files) = (0, 0);
    for _ in 0..cases(40_000) / 8 {
        let (rules, mut lines) = rules(&mut random);
        files += usize::from(!lines.is_empty());
        shuffle(&mut random, &mut lines);
        let shuffled = Rules::parse(&text(&lines)).expect("the order does not matter");
        assert_eq!((shuffled.name(), shuffled.text()), (rules.name(), rules.text()));
        let again = Rules::parse(rules.text()).expect("the canonical text is a file");
        assert_eq!((again.text(), again.sha256()), (rules.text(), rules.sha256()));

        let steps: String = STEPS.into_iter().filter(|_| random.below(2) == 0).collect();
        let form = |rules: &Rules| {
            Form::parse_with_rules(&format!("web+rules{steps}"), &[], Some(rules)).expect("it is a form")
        };
        let (form, other, alone) = (form(&rules), form(&shuffled), form_of(&rules));
        for _ in 0..8 {
            let text = url(&mut random);
            let Ok(before) = Url::parse(&text) else { continue };
            let shown = || format!("{text} under {steps} and\n{}", rules.text());
            let once = form.canonicalize(&text).unwrap_or_else(|error| panic!("{error}: {}", shown()));
            assert_eq!(form.canonicalize(&once).as_deref(), Ok(&*once), "{}", shown());
            assert_eq!(other.canonicalize(&text).as_deref(), Ok(&*once), "{}", shown());
            let after = Url::parse(&once).unwrap_or_else(|error| panic!("{error}: {once} of {}", shown()));
            assert_eq!(after.as_str(), once, "not in the form web: {}", shown());
            assert_eq!(registered_domain(&after), registered_domain(&before), "{once} of {}", shown());
            assert_eq!(
                (after.username(), after.password(), after.port()),
                (before.username(), before.password(), before.port()),
                "{once} of {}",
                shown()
            );

            let only = alone.canonicalize(&text).expect("it is a URL");
            assert_eq!(
                Url::parse(&only).expect("so is its form").fragment(),
                before.fragment(),
                "{}",
                shown()
            );
            let trace = alone.canonicalizer().trace(&text);
            let has_lines = trace.changes.iter().any(|change| !change.decided_by.is_empty());
            assert_eq!(has_lines, only != before.as_str(), "{}", shown());
            changed += usize::from(has_lines);
        }
    }
    assert!(files > 1_000 && changed > 1_000, "{changed} forms of {files} files differ from their URLs");
}

fn form_of(rules: &Rules) -> Form {
    Form::parse_with_rules("web+rules", &[], Some(rules)).expect("it is a form")
}

/// Any bytes: an error or rules, never a panic; what is read can be read again.
#[test]
fn any_text_is_a_file_or_an_error_of_a_line() {
    let mut random = Seeded::new(seed());
    let pieces = [
        "urlid-rules 1",
        "\n",
        "\n",
        " ",
        "#",
        "[",
        "]",
        "[a.example]",
        "[*]",
        "[a.example/b/]",
        "[*.a.example]",
        "drop ",
        "hold ",
        "keep ",
        "default ",
        "alias ",
        "m.a.example",
        "https",
        "case",
        "a=",
        "*",
        "%2B",
        "%",
        "\u{fc}",
        "\t",
        "\r",
        "\0",
        "a",
        "b",
    ];
    let mut read = 0;
    for _ in 0..cases(40_000) {
        let mut text = String::from("urlid-rules 1\n");
        (0..random.below(14)).for_each(|_| text += random.one(&pieces));
        match Rules::parse(&text) {
            Ok(rules) => {
                read += 1;
                assert_eq!(
                    Rules::parse(rules.text()).map(|again| again.sha256()),
                    Ok(rules.sha256()),
                    "{text:?}"
                );
            }
            Err(error) => assert!(error.place().is_some(), "{text:?}: {error}"),
        }
    }
    assert!(read > 100, "{read} files of pieces");
}
