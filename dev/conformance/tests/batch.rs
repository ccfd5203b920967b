//! Compares the batch encoder with encoding each text separately, on every CPU path, for corpora, every text
//! of the vectors, and generated texts.
//!
//! 20,000 generated texts of three kinds. Ten million of each, with a different seed:
//!
//! ```text
//! URLID_CASES=10000000 URLID_SEED=7 cargo test --release --package conformance --test batch
//! ```

use serde_json::Value;
use urlid::ErrorCode;
use urlid::Sxurl;
use urlid::batch::{Cpu, Encoder, HostCacheKey, Identifier, Kernels, Outcome};
use urlid::hashed_uri::{HashedUri, Keep};
use urlid::suffix::SuffixList;
use urlid::url_hash::UrlHash;
use urlid_generators::{Choices, Seeded, cases, hostile_text, seed, sxurl_url, web_url};
use urlid_testing::{corpora, root};

#[test]
fn corpora_have_the_same_ids() {
    corpora().for_each(|text| check(&text.lines().map(str::to_owned).collect::<Vec<_>>()));
}

#[test]
fn every_text_of_the_vectors_has_the_same_ids() {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(root().join("vectors")).expect("the repository has vectors") {
        let path = entry.expect("a folder that is read to its end").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = std::fs::read_to_string(&path).expect("vectors are UTF-8");
            gather(&serde_json::from_str(&text).expect("vectors are JSON"), &mut texts);
        }
    }
    assert!(texts.len() > 1000, "found {} texts", texts.len());
    check(&texts);
}

/// Collects every string of a value.
fn gather(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| gather(value, texts)),
        Value::Object(fields) => fields.values().for_each(|value| gather(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn generated_texts_have_the_same_ids() {
    let mut random = Seeded::new(seed());
    let mut bytes = [0; 64];
    let mut left = cases(20_000);
    while left > 0 {
        let count = left.min(20_000);
        let mut texts = Vec::new();
        for _ in 0..count {
            random.fill(&mut bytes);
            texts.push(hostile_text(&mut Choices::new(&bytes)));
            texts.push(web_url(&mut Choices::new(&bytes)));
            texts.push(sxurl_url(&mut Choices::new(&bytes)));
        }
        check(&texts);
        left -= count;
    }
}

/// Compares the encoders of every CPU path with encoding each text separately.
fn check(texts: &[String]) {
    let list = SuffixList::compiled();
    let sxurls =
        texts.iter().map(|text| Sxurl::encode(text).map_err(|error| error.code())).collect::<Vec<_>>();
    let hashes =
        texts.iter().map(|text| UrlHash::encode(text).map_err(|error| error.code())).collect::<Vec<_>>();
    let hashed =
        texts.iter().map(|text| HashedUri::encode(text).map_err(|error| error.code())).collect::<Vec<_>>();
    for kernels in Cpu::available().filter_map(Kernels::new) {
        compare(Encoder::<Sxurl>::with_kernels(list, HostCacheKey([seed(), 1]), kernels), texts, &sxurls);
        compare(Encoder::<UrlHash>::with_kernels(kernels), texts, &hashes);
        compare(Encoder::<HashedUri>::with_kernels(Keep::NONE, kernels), texts, &hashed);
    }
}

/// Compares in every layout of the texts: one at a time, as a column without separators, and as lines.
fn compare<I: Identifier + PartialEq + Clone + std::fmt::Debug>(
    mut encoder: Encoder<I>,
    texts: &[String],
    expected: &[Result<I, ErrorCode>],
) {
    let mut found = Vec::with_capacity(texts.len());
    encoder.encode_all(texts.iter().map(String::as_str), |batch| found.extend(batch.outcomes()));
    judge(texts, &found, expected, "one by one");

    found.clear();
    let mut offsets = vec![0];
    offsets.extend(texts.iter().scan(0, |end, text| {
        *end += text.len();
        Some(*end)
    }));
    encoder.encode_column(texts.concat().as_bytes(), offsets, |batch| found.extend(batch.outcomes()));
    judge(texts, &found, expected, "column");

    // A text that contains a line feed, or ends in a carriage return, is not a line.
    found.clear();
    let is_line = |text: &str| !text.contains('\n') && !text.ends_with('\r');
    let lines = texts.iter().zip(expected).filter(|(text, _)| is_line(text));
    let (lines, expected): (Vec<String>, Vec<_>) =
        lines.map(|(text, id)| (text.clone() + "\n", id.clone())).unzip();
    encoder.encode_lines(lines.concat().as_bytes(), |batch| found.extend(batch.outcomes()));
    let lines: Vec<String> = lines.iter().map(|line| line.trim_end_matches('\n').to_owned()).collect();
    judge(&lines, &found, &expected, "lines");
}

fn judge<I: PartialEq + Clone + std::fmt::Debug>(
    texts: &[String],
    found: &[Outcome<I>],
    expected: &[Result<I, ErrorCode>],
    layout: &str,
) {
    assert_eq!(found.len(), texts.len(), "{layout}");
    for ((text, found), expected) in texts.iter().zip(found).zip(expected) {
        let expected = match expected {
            _ if text.is_empty() => Outcome::Blank,
            Ok(id) => Outcome::Id(id.clone()),
            Err(code) => Outcome::Rejected(*code),
        };
        assert_eq!(*found, expected, "{layout}, seed {}: {text:?}", seed());
    }
}
