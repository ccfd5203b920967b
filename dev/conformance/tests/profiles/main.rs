//! Compares canonical forms with the outputs of the implementations that they freeze, for each line of a
//! corpus of real URLs.
//!
//! An output is a line, and `\N` stands for an error.

mod digests;
mod live;
mod page;
mod urlcanon;

use urlid_canonical::{Form, Profile};

/// The profiles that have outputs, each with its number of errors.
const PROFILES: [(&str, usize); 8] = [
    ("surt-0.3.1", 11),
    ("ia-surt-1.3", 29),
    ("w3lib-2.5", 67),
    ("w3lib-2.4", 57),
    ("scrapy-2.7/w3lib-2.5", 67),
    ("url-normalize-3.1", 58),
    ("urlcanon-semantic-0.3.1", 0),
    ("safe-browsing-v4", 22),
];

/// The maximum number of shown differences.
const SHOWN: usize = 20;

#[test]
fn profiles_agree_with_the_implementations_that_they_freeze() {
    for (name, errors) in PROFILES {
        let file = format!("profiles/{}.txt.zst", name.replace('/', "_"));
        let outputs =
            urlid_testing::conformance("recorded outputs of frozen packages (800,000 forms)", &file);
        let corpus = outputs.as_ref().and_then(|_| urlid_testing::crawl("mixed_100k.txt.zst"));
        if let (Some(outputs), Some(corpus)) = (outputs, corpus) {
            compare(name, &corpus, &outputs, errors);
        }
    }
}

fn compare(name: &str, corpus: &str, outputs: &str, expected_errors: usize) {
    let form: Form = name.parse().expect("the profile is in the list");
    let mut canonicalizer = form.canonicalizer();
    let (mut errors, mut differences) = (0, Vec::new());
    let mut form = String::new();
    for (text, output) in lines(corpus).zip(lines(outputs)) {
        form.clear();
        if canonicalizer.canonicalize_into(text, &mut form).is_err() {
            errors += 1;
            form.push_str("\\N");
        }
        if form != output {
            differences.push(format!("{text:?}\n  expected {output}\n  found    {form}"));
        }
    }
    assert_eq!(lines(corpus).count(), lines(outputs).count(), "{name}: another number of lines");
    let shown = &differences[..differences.len().min(SHOWN)];
    assert!(differences.is_empty(), "{name}: {} differences\n{}", differences.len(), shown.join("\n"));
    assert_eq!(errors, expected_errors, "{name}: another number of errors");
}

#[test]
fn the_form_of_a_form_is_the_form_where_a_profile_says_so() {
    let corpora: Vec<String> = urlid_testing::corpora().collect();
    for profile in Profile::all().iter().filter(|profile| profile.is_idempotent) {
        let form = Form::from(*profile);
        let lines = corpora.iter().flat_map(|corpus| lines(corpus));
        for once in lines.filter_map(|text| form.canonicalize(text).ok()) {
            assert_eq!(form.canonicalize(&once).as_ref(), Ok(&once), "{}", profile.name);
        }
    }
}

#[test]
fn a_trace_ends_in_the_form() {
    let form: Form = "web+drop-fragment+https".parse().expect("the form is known");
    let text = "HTTP://WWW.Example.com:8080/a/../%7Eb?d&c#e";
    let trace = form.canonicalizer().trace(text);
    assert_eq!(trace.result, form.canonicalize(text));
    assert_eq!(trace.changes.last().map(|change| change.after.clone()), trace.result.ok());
}

/// A trace applies the rules. Plain URLs get their forms without them.
#[test]
fn plain_urls_have_the_forms_that_the_rules_give() {
    let corpora: Vec<String> = urlid_testing::corpora().collect();
    let real = corpora.iter().flat_map(|corpus| lines(corpus).step_by(8)).map(str::to_owned);
    let texts: Vec<String> =
        real.chain(conformance::live::generated_urls(10_000)).chain(nearly_plain()).collect();
    for profile in Profile::all() {
        let form = Form::from(*profile);
        let mut canonicalizer = form.canonicalizer();
        for text in &texts {
            let by_rules = canonicalizer.trace(text).result;
            assert_eq!(form.canonicalize(text), by_rules, "{}: {text:?}", profile.name);
        }
    }
}

/// Every text of a few pieces: plain pieces, and pieces that only look plain.
fn nearly_plain() -> Vec<String> {
    let starts = ["http://", "https://", "ftp://", "http://http://"];
    let hosts = [
        "www.h.x",
        "www2.www.h.x",
        "www.x",
        "a..b",
        ".a.b",
        "h.x.",
        "1.2.3.x1",
        "0x7f.1",
        "www.",
        "a_b.c:0",
        "h:80",
        "h:443",
        "h:21",
    ];
    let paths = [
        "",
        "/",
        "/A/",
        "/a//b",
        "/a/..",
        "/.a",
        "/a.",
        "/a;B",
        "/(s(abcdefghijklmnopqrstuvwx))/x.aspx",
        "/a|[b]",
        "/!$&'*+,=:@~",
        "/%C3%A9/%ff%20",
        "/%41",
        "/%2e%2E/a",
        "/%25%32",
        "/a%2Fb%",
        "/%23%7f%7E",
        "/a%3Fb%25/",
        "/x%28s(abcdefghijklmnopqrstuvwx))/x.aspx",
    ];
    let queries = [
        "",
        "?",
        "?a",
        "?b&a",
        "?B=1&a=2&A",
        "?a&&b",
        "?&",
        "?b=2=3",
        "?c+d=e&c-d",
        "?a=/",
        "?x?y",
        "?%E4=%20&%c3%A9=1",
        "?b=%2541&a=%26",
        "?a=%%31&%",
        "?b=%0a&%23",
        "?b%3D2%26a%3d1&%41=%3f",
        "?x&JSESSION%49D=abcdefghijklmnopqrstuvwxyz012345&y",
        "?%2535&%32%25%35",
        "?sid=abcdefghijklmnopqrstuvwxyz012345",
        "?x&JSESSIONID=abcdefghijklmnopqrstuvwxyz012345&y",
        "?cfid=1&cftoken=23",
        "?aspsessionidabcdefgh=abcdefghijklmnopqrstuvwx",
    ];
    let mut texts = Vec::new();
    for start in starts {
        for host in hosts {
            for path in paths {
                texts.extend(queries.map(|query| [start, host, path, query].concat()));
                texts.push([start, host, path, "#f?"].concat());
            }
        }
    }
    texts
}

/// After an intended change: `URLID_WRITE_DOCS=1 cargo test --package conformance --test profiles`.
#[test]
fn the_page_of_canonical_forms_shows_every_profile_unchanged() {
    urlid_testing::check_page("docs/canonical-forms.md", &page::page());
}

/// Returns the lines unchanged. A carriage return is part of a line.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n')
}
