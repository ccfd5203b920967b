//! Datasets compared with sets of URLs in memory: answers, orders, damage.

mod join;
mod several;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use urlid::suffix::{Sections, SuffixList};
use urlid::{Error, ErrorCode};
use urlid_canonical::Form;
use urlid_generators::{Choices, Seeded, cases, seed, sxurl_url, uri, web_url};
use urlid_store::dataset::error::DAMAGED;
use urlid_store::dataset::{Added, BuildOptions, Builder, Dataset, DatasetFault};
use urlid_store::question::{Condition, GroupBy, Question, StoredUrl, host_key};

/// A dataset of some lines, made by three adders.
fn build(folder: &Path, lines: &[String], list: &SuffixList, form: Option<Form>) -> PathBuf {
    let options = BuildOptions { form, ..BuildOptions::default() };
    build_as(&folder.join("urls"), lines, list, options)
}

fn build_as(path: &Path, lines: &[String], list: &SuffixList, options: BuildOptions) -> PathBuf {
    let path = path.to_owned();
    let options = BuildOptions { threads: NonZeroUsize::new(2).expect("is not 0"), ..options };
    let builder = Builder::begin(&path, list, options).expect("begins");
    let mut adders: Vec<_> = (0..3).map(|_| builder.adder()).collect();
    for (first, adder) in adders.iter_mut().enumerate() {
        // Neighbouring parts overlap, so that repeats are found within a run and between runs.
        for line in lines.iter().skip(first).step_by(2) {
            adder.push(line).expect("there is room");
        }
    }
    drop(adders);
    builder.finish().expect("is built");
    path
}

/// The order of the rows, as docs/datasets.md says it.
type Key = (String, Option<u16>, String, String, String);

fn key_of(url: &StoredUrl<'_>) -> Key {
    (host_key(url.host()), url.port(), url.path().to_owned(), url.query().to_owned(), url.to_text())
}

/// The rows that a dataset of some lines has, in order.
fn rows_of(lines: &[String], list: &SuffixList) -> Vec<String> {
    let read = |line: &String| StoredUrl::read(line, list, |url, _| key_of(url)).ok();
    lines.iter().filter_map(read).collect::<BTreeSet<Key>>().into_iter().map(|key| key.4).collect()
}

fn generated(count: usize, seed: u64) -> Vec<String> {
    let mut random = Seeded::new(seed);
    let make = |number| {
        let bytes = random.bytes(64);
        let choices = &mut Choices::new(&bytes);
        match number % 4 {
            0 => web_url(choices),
            1 => sxurl_url(choices),
            2 => uri(choices),
            // Few hosts and paths, so that rows share parts.
            _ => {
                let host = choices.one(&[
                    "a.com",
                    "www.a.com",
                    "a.co.uk",
                    "b.github.io",
                    "com",
                    "1.2.3.4",
                    "a.com.",
                ]);
                let path =
                    choices.one(&["/", "/a", "/a/b", "/ab", "/a?q", "/a?q#f", "/\u{1}a", ":8080/a", ":80/a"]);
                format!("{}://{host}{path}", choices.one(&["http", "https", "foo"]))
            }
        }
    };
    (0..count).map(make).collect()
}

fn find(dataset: &Dataset, question: &Question) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    dataset.find(question, false, &mut |row| {
        found.push(row.url.to_owned());
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

/// The conditions that a URL meets.
fn conditions_of(url: &str, list: &SuffixList) -> Vec<(Condition, String)> {
    let parts = StoredUrl::read(url, list, |url, _| {
        let own = Condition::ALL
            .into_iter()
            .filter_map(|condition| Some((condition, url.part(condition)?.into_owned())));
        let prefix =
            url.path().char_indices().nth(2).map_or(url.path(), |(end, _)| &url.path()[..end]).to_owned();
        own.chain([(Condition::PathPrefix, prefix), (Condition::Under, url.tld().to_owned())]).collect()
    });
    parts.expect("is a URL")
}

#[test]
fn answers_match_a_scan() {
    let other = "com\nuk\nco.uk\na.com\n*.io\n";
    let other = SuffixList::parse(other, Sections::All).expect("is a list");
    for (round, list) in [SuffixList::compiled(), &other].into_iter().enumerate() {
        let directory = tempfile::tempdir().expect("a directory");
        let lines = generated(cases(2_000) as usize, seed() + round as u64);
        let dataset = Dataset::open(&build(directory.path(), &lines, list, None), &[]).expect("opens");
        let rows = rows_of(&lines, list);
        assert_eq!(dataset.verify_rows(), (rows.len() as u64, Vec::new()));
        assert!(
            find(&dataset, &Question::default()).expect("is whole") == rows,
            "other rows, or another order"
        );
        let mut asked = BTreeSet::new();
        for url in rows.iter().step_by(7) {
            let conditions = conditions_of(url, list);
            for (number, one) in conditions.iter().enumerate() {
                for two in &conditions[number..] {
                    let pair = [one, two].map(|(condition, value)| (*condition, value.as_str()));
                    let pair = if one == two { &pair[..1] } else { &pair[..] };
                    let Ok(question) = Question::new(pair.iter().copied()) else { continue };
                    if asked.insert(format!("{pair:?}")) && asked.len() < 3_000 {
                        let expected: Vec<&String> =
                            rows.iter().filter(|url| question.matches(url, list)).collect();
                        let found = find(&dataset, &question).expect("is whole");
                        assert!(
                            found.iter().collect::<Vec<_>>() == expected,
                            "{pair:?}: {found:?}, not {expected:?}"
                        );
                        assert_eq!(dataset.count(&question).expect("is whole").rows, expected.len() as u64);
                    }
                }
            }
        }
        for part in GroupBy::ALL {
            let mut expected = BTreeMap::new();
            for url in &rows {
                let name =
                    StoredUrl::read(url, list, |url, _| part.name_of(url).into_owned()).expect("is a URL");
                *expected.entry(name).or_insert(0) += 1;
            }
            let (groups, total) = dataset.group(&Question::default(), part).expect("is whole");
            assert!(groups.is_sorted_by(|a, b| (b.rows, &a.name) < (a.rows, &b.name)));
            let groups: BTreeMap<String, u64> =
                groups.into_iter().map(|group| (group.name, group.rows)).collect();
            assert_eq!((groups, total.rows), (expected, rows.len() as u64), "{part:?}");
        }
        let stats = dataset.stats().expect("is whole");
        let bytes: usize = rows.iter().map(String::len).sum();
        assert_eq!((stats.rows, stats.url_bytes), (rows.len() as u64, bytes as u64));
        assert_eq!(stats.tlds, dataset.group(&Question::default(), GroupBy::Tld).expect("is whole").0);
        for url in &rows {
            let answer = dataset.get_url(url, None).expect("is whole");
            assert!(answer.is_stored && answer.url == *url, "{url}");
            let other = format!("{url}x");
            if let Ok(answer) = dataset.get_url(&other, None) {
                assert_eq!(answer.is_stored, rows.contains(&answer.url), "{other}");
            }
        }
    }
}

#[test]
fn reading_stops_where_the_caller_does() {
    let directory = tempfile::tempdir().expect("a directory");
    let lines: Vec<String> = (0..50_000).map(|number| format!("https://a.com/{number}")).collect();
    let path = build(directory.path(), &lines, SuffixList::compiled(), None);
    let dataset = Dataset::open(&path, &[]).expect("opens").with_threads(NonZeroUsize::MIN);
    let mut left = 3;
    let found = dataset.find(&Question::default(), true, &mut |row| {
        left -= 1;
        assert_eq!(
            row.id.map(|id| id.to_hex()),
            Some(urlid::Sxurl::encode(row.url).expect("is a URL").to_hex())
        );
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(found.expect("is whole").rows, 3);
}

#[test]
fn urls_are_kept_in_the_form_of_the_dataset() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("urls");
    let form: Form = "web+drop-fragment".parse().expect("is a form");
    let options = BuildOptions { form: Some(form), ..BuildOptions::default() };
    let builder = Builder::begin(&path, SuffixList::compiled(), options).expect("begins");
    let mut adder = builder.adder();
    for (line, is_taken) in [("HTTP://A.com/b/../c#d", true), ("http://a.com/c", true), ("no URL", false)] {
        let added = adder.push(line).expect("there is room");
        assert_eq!(matches!(added, Added::Taken), is_taken, "{line}");
        assert_eq!(matches!(added, Added::Rejected(_)), !is_taken, "{line}");
    }
    assert_eq!(adder.push("").expect("there is room"), Added::Blank);
    assert_eq!(adder.push_stored("http://u:p@a.com/d#e").expect("there is room"), Added::Taken);
    drop(adder);
    let built = builder.finish().expect("is built");
    assert_eq!((built.lines, built.taken, built.rows, built.credentials), (5, 3, 2, 1));
    assert_eq!((built.blank, built.rejected), (1, 1));
    let dataset = Dataset::open(&path, &[]).expect("opens");
    assert_eq!(
        find(&dataset, &Question::default()).expect("is whole"),
        ["http://a.com/c", "http://a.com/d#e"]
    );
    assert_eq!(dataset.about().expect("is open").canonical_form.as_deref(), Some("web+drop-fragment"));
    assert!(dataset.get_url("http://a.com/c#x", None).expect("is whole").is_stored);
    assert_eq!(dataset.get_url("no URL", None).expect_err("is none").code(), ErrorCode::UrlParse);
}

#[test]
fn an_empty_dataset_has_no_rows() {
    let directory = tempfile::tempdir().expect("a directory");
    let dataset =
        Dataset::open(&build(directory.path(), &[], SuffixList::compiled(), None), &[]).expect("opens");
    assert_eq!(dataset.verify_rows(), (0, Vec::new()));
    assert_eq!(find(&dataset, &Question::default()).expect("is whole"), [""; 0]);
    let question = Question::new([(Condition::Host, "a.com")]).expect("is possible");
    assert_eq!(dataset.count(&question).expect("is whole").rows, 0);
    assert!(!dataset.get_url("http://a.com/", None).expect("is whole").is_stored);
}

#[test]
fn missing_and_foreign_files_are_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = build(directory.path(), &["http://a.com/".to_owned()], SuffixList::compiled(), None);
    let open = || Dataset::open(&path, &[]).map(drop);
    let (part, manifest) = (path.join("part-00000.parquet"), path.join("_urlid.json"));
    fs::write(path.join("_SUCCESS"), "").expect("there is room");
    open().expect("engines pass over such names");
    let foreign = path.join("part-00001.parquet");
    fs::write(&foreign, "").expect("there is room");
    let error = open().expect_err("engines would read it");
    assert!(error.is(DAMAGED) && error.to_string().contains("part-00001.parquet"), "{error}");
    fs::remove_file(foreign).expect("it was there");
    let bytes = fs::read(&part).expect("it is there");
    fs::write(&part, &bytes[1..]).expect("there is room");
    assert!(open().expect_err("it is shorter").is(DAMAGED));
    fs::remove_file(&part).expect("it was there");
    let error = open().expect_err("it is missing");
    assert!(error.code() == ErrorCode::Io && error.to_string().contains("part-00000.parquet"), "{error}");
    fs::write(&part, bytes).expect("there is room");
    fs::remove_file(manifest).expect("it was there");
    assert_eq!(open().expect_err("it has no description").code(), ErrorCode::IndexFormat);
    assert_eq!(Dataset::open(&part, &[]).map(drop).expect_err("is a file").code(), ErrorCode::IndexFormat);
}

#[test]
fn no_flipped_bit_gives_a_wrong_answer() {
    let directory = tempfile::tempdir().expect("a directory");
    let lines: Vec<String> =
        (0..40).map(|number| format!("https://h{}.com/{number}?q", number % 9)).collect();
    let path = build(directory.path(), &lines, SuffixList::compiled(), None);
    let rows = rows_of(&lines, SuffixList::compiled());
    let one = Question::new([(Condition::Host, "h4.com")]).expect("is possible");
    let expected: Vec<String> =
        rows.iter().filter(|url| one.matches(url, SuffixList::compiled())).cloned().collect();
    let mut errors = 0;
    for name in ["part-00000.parquet", "_urlid.json"] {
        let file = path.join(name);
        let bytes = fs::read(&file).expect("it is there");
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << (place % 8);
            fs::write(&file, &changed).expect("there is room");
            let answers = Dataset::open(&path, &[]).and_then(|dataset| {
                // Whatever it finds, it does not panic.
                let _ = dataset.verify_rows();
                Ok((find(&dataset, &Question::default())?, find(&dataset, &one)?))
            });
            match answers {
                Ok((all, some)) => assert!(all == rows && some == expected, "byte {place} of {name}"),
                Err(_) => errors += 1,
            }
        }
        fs::write(&file, bytes).expect("there is room");
    }
    assert!(errors > 100, "{errors} changes were noticed");
}

#[test]
fn pages_of_long_urls_start_at_the_listed_offsets() {
    let directory = tempfile::tempdir().expect("a directory");
    // A megabyte of them is fewer rows than a page has, and neighbours share nearly all of their text.
    let lines: Vec<String> = (0..20_000)
        .map(|number| format!("https://a.com/{}/{number:05}", "x".repeat(140 + number % 3)))
        .collect();
    let dataset =
        Dataset::open(&build(directory.path(), &lines, SuffixList::compiled(), None), &[]).expect("opens");
    assert_eq!(dataset.verify_rows(), (20_000, Vec::new()));
    for url in lines.iter().step_by(997) {
        assert!(dataset.get_url(url, None).expect("is whole").is_stored, "{url}");
    }
}

#[test]
fn a_suffix_list_that_the_snapshot_does_not_name_is_found() {
    let directory = tempfile::tempdir().expect("a directory");
    let lines = ["https://docs.rs/".to_owned()];
    let path = build(directory.path(), &lines, SuffixList::compiled(), None);
    let list = path.join("_public_suffix_list.dat.zst");
    let other = zstd::bulk::compress(b"com\n", 3).expect("is short");
    for content in [Some(&b""[..]), Some(&other), None] {
        match content {
            Some(bytes) => fs::write(&list, bytes).expect("there is room"),
            None => fs::remove_file(&list).expect("is there"),
        }
        let (rows, faults) = Dataset::open(&path, &[]).expect("opens").verify_rows();
        assert!(rows == 1 && faults.len() == 1, "{faults:?}");
        let DatasetFault(error) = &faults[0];
        assert!(error.to_string().contains("_public_suffix_list.dat.zst"), "{error}");
    }
}

/// As docs/datasets.md says it, so that others can write and verify a description.
#[test]
fn the_checksum_of_a_description_is_over_the_documented_bytes() {
    let folder = tempfile::tempdir().expect("there is room");
    let form = "web+drop-fragment".parse().expect("the form is known");
    let path = build(folder.path(), &generated(500, seed()), SuffixList::compiled(), Some(form));
    let text = fs::read_to_string(path.join("_urlid.json")).expect("a dataset has a description");
    let description: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let (before, last) = text.rsplit_once(",\n").expect("it has several lines");
    let checksum = crc32fast::hash(before.as_bytes());
    assert_eq!(last, format!("  \"checksum\": {checksum}\n}}\n"));
    assert_eq!(description["checksum"], checksum);
}
