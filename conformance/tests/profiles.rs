//! Canonical forms against the outputs of the implementations that they freeze, for each line of a corpus of real URLs.
//!
//! An output is a line; `\N` stands for an error.

use urlid::canonical::Form;

/// The profiles that have outputs, each with how many of them are errors.
const PROFILES: [(&str, usize); 6] = [
    ("surt-0.3.1", 11),
    ("ia-surt-1.3", 29),
    ("w3lib-2.5", 67),
    ("w3lib-2.4", 57),
    ("scrapy-2.7/w3lib-2.5", 67),
    ("safe-browsing-v4", 22),
];

/// Differences past this many are not shown.
const SHOWN: usize = 20;

#[test]
fn profiles_agree_with_the_implementations_that_they_freeze() {
    let Some(corpus) = urlid_testing::corpus("mixed_100k.txt.zst") else { return };
    for (name, errors) in PROFILES {
        if let Some(outputs) =
            urlid_testing::conformance(&format!("profiles/{}.txt.zst", name.replace('/', "_")))
        {
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

/// Returns the lines as they stand: a carriage return is part of one.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n')
}
