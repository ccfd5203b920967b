//! Keeping an index: verifying, sealing, compacting, deleting, merging, migrating, and asking which URLs are
//! new.

use std::ops::ControlFlow;
use std::path::Path;

use crate::{PAIRS, all, find, fresh, load, question};
use rusqlite::Connection;
use urlid::ErrorCode;
use urlid::suffix::{Sections, SuffixList};
use urlid_generators::{Seeded, seed};
use urlid_store::file::{
    Finding, Index, Load, LoadOptions, compact, delete, error, merge, migrate, migrate_with, seal,
};
use urlid_store::question::{Condition, SliceIndex};

fn findings(path: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    Index::open(path).expect("opens").verify(&mut |finding| findings.push(finding)).expect("is verified");
    findings
}

fn many(count: u32) -> Vec<String> {
    (0..count).map(|n| format!("https://h{}.example{}.com/{n}?{}", n % 7, n % 13, n % 3)).collect()
}

fn load_many(path: &Path, count: u32) {
    load(path, &many(count).iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn a_good_index_passes_and_each_kind_of_damage_has_a_specific_finding() {
    let table = [
        ("UPDATE url SET id = x'00' WHERE url LIKE '%/7?%'", "row 1 has a key that is not 32 bytes long"),
        (
            "UPDATE url SET url = 'x' WHERE url LIKE '%/7?%'",
            "has `x`, which cannot have an SXURL: scheme is missing: expected https, http or ftp",
        ),
        (
            "UPDATE url SET url = upper(url) WHERE url LIKE '%/7?%'",
            "is not in normal form: found `HTTPS://H0.EXAMPLE7.COM/7?1`",
        ),
        (
            "UPDATE url SET url = url || '1' WHERE url LIKE '%/7?%'",
            "has an id that does not match `https://h0.example7.com/7?11`",
        ),
        (
            "UPDATE url SET url = CAST(x'68747470733a2f2fff' AS TEXT) WHERE url LIKE '%/7?%'",
            "has a text that is not UTF-8",
        ),
        (
            "DELETE FROM url WHERE url LIKE '%/7?%'",
            "number of rows was changed outside the program: found 99, expected 100",
        ),
        (
            "UPDATE meta SET value = (SELECT substr(value, 1, 100) FROM meta WHERE key = 'suffix_list') WHERE key = 'suffix_list'",
            "suffix list does not match the snapshot",
        ),
    ];
    let directory = tempfile::tempdir().expect("a directory");
    let good = directory.path().join("good");
    load_many(&good, 100);
    assert_eq!(findings(&good), []);
    for (damage, message) in table {
        let path = directory.path().join("damaged");
        std::fs::copy(&good, &path).expect("copies");
        Connection::open(&path).expect("opens").execute_batch(damage).expect(damage);
        let found: Vec<String> = findings(&path).iter().map(ToString::to_string).collect();
        assert!(found.iter().any(|text| text.ends_with(message)), "{message}: {found:?}");
    }
}

#[test]
fn every_flipped_bit_that_changes_a_row_is_found() {
    let directory = tempfile::tempdir().expect("a directory");
    let good = directory.path().join("good");
    load_many(&good, 3000);
    let bytes = std::fs::read(&good).expect("reads");
    let rows = all(&good);
    let path = directory.path().join("flipped");
    let mut random = Seeded::new(seed());
    let mut changed = 0;
    let flips = std::env::var("URLID_FLIPS").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    for _ in 0..flips {
        let bit = random.below(bytes.len() as u64 * 8) as usize;
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, &flipped).expect("writes");
        let Ok(index) = Index::open(&path) else { continue };
        let mut found = 0;
        index.verify(&mut |_| found += 1).expect("damage is a finding");
        drop(index);
        if raw_rows(&path).as_deref() != Some(&rows[..]) {
            changed += 1;
            assert!(found > 0, "bit {bit} changed a row and was not found");
        }
    }
    assert!(changed > flips / 3, "the flips hit rows: {changed}");
}

/// Reads the texts as any program would, or nothing if SQLite itself complains; a changed key is a change
/// too.
fn raw_rows(path: &Path) -> Option<Vec<String>> {
    let conn = Connection::open(path).ok()?;
    let mut statement = conn.prepare("SELECT id, url FROM url").ok()?;
    let rows = statement.query_map([], |row| {
        let (id, url): (Vec<u8>, String) = (row.get(0)?, row.get(1)?);
        let is_its_id = urlid::sxurl::Sxurl::encode(&url).is_ok_and(|own| own.as_bytes().as_slice() == id);
        Ok(if is_its_id { url } else { "another key".to_owned() })
    });
    rows.ok()?.collect::<Result<_, _>>().ok()
}

#[test]
fn a_sealed_index_is_one_file_that_reads_where_nothing_can_be_written() {
    let (directory, path) = fresh("index");
    load_many(&path, 100);
    load(&path, &["https://example.com/later"]);
    let journal = |path: &Path| std::fs::read(path).expect("reads")[18..20].to_vec();
    assert_eq!(journal(&path), [2, 2], "in use with a log");
    seal(&path).expect("seals");
    assert_eq!(journal(&path), [1, 1], "sealed");
    assert_eq!(std::fs::read_dir(directory.path()).expect("lists").count(), 1);
    assert_eq!(all(&path).len(), 101);
}

#[test]
fn an_index_that_is_read_elsewhere_is_not_sealed_under_its_reader() {
    let (_directory, path) = fresh("index");
    load_many(&path, 10);
    load(&path, &["https://example.com/later"]);
    let index = Index::open(&path).expect("opens");
    let mut urls = 0;
    index
        .find(&urlid_store::question::Question::default(), &mut |_| {
            if urls == 0 {
                let error = seal(&path).expect_err("is being read");
                assert_eq!(error.code(), ErrorCode::InUse);
                assert!(error.to_string().starts_with("index is in use"), "{error}");
            }
            urls += 1;
            ControlFlow::Continue(())
        })
        .expect("reads on");
    assert_eq!(urls, 11);
}

#[test]
fn compacting_keeps_rows_and_gives_space_back() {
    let (_directory, path) = fresh("index");
    load_many(&path, 5000);
    let ask = &[(Condition::Query, "1")];
    let deleted = delete(&path, &question(ask)).expect("deletes");
    let rows = all(&path);
    assert_eq!(deleted.rows + rows.len() as u64, 5000);
    let before = std::fs::metadata(&path).expect("is there").len();
    compact(&path).expect("compacts");
    assert!(std::fs::metadata(&path).expect("is there").len() < before * 3 / 4);
    assert_eq!(all(&path), rows);
    assert_eq!(findings(&path), []);
}

#[test]
fn deleting_removes_the_answers_and_keeps_the_collisions() {
    let (_directory, path) = fresh("index");
    let urls: Vec<&str> = PAIRS.iter().flat_map(|(one, other, _)| [*one, *other]).collect();
    load(&path, &urls);
    let deleted = delete(&path, &question(&[(Condition::Tld, "sc")])).expect("deletes");
    assert_eq!((deleted.rows, deleted.dropped), (1, 1));
    let deleted = delete(&path, &question(&[(Condition::Query, "id=27901")])).expect("deletes");
    assert_eq!((deleted.rows, deleted.dropped), (1, 1));
    let rows = all(&path);
    assert_eq!(rows.len(), urls.len() - 2);
    assert!(rows.contains(&"https://example.tax/".to_owned()));
    assert!(rows.contains(&"https://example.com/item?id=107826".to_owned()));
    assert_eq!(findings(&path), []);
    assert_eq!(load(&path, &urls).new, 2);
}

#[test]
fn optional_indexes_do_not_change_answers() {
    let (_directory, path) = fresh("index");
    let mut urls = many(500);
    urls.extend(PAIRS.iter().flat_map(|(one, other, _)| [(*one).to_owned(), (*other).to_owned()]));
    load(&path, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    let asks: [&[(Condition, &str)]; 9] = [
        &[(Condition::Path, "/aa1bc0670ee7201")],
        &[(Condition::Query, "1")],
        &[(Condition::Query, "id=27901"), (Condition::Path, "/item")],
        &[(Condition::Query, "")],
        &[(Condition::Fragment, "s2087")],
        &[(Condition::Fragment, "")],
        &[(Condition::Sub, "h3")],
        &[(Condition::Sub, "u47858"), (Condition::Tld, "com")],
        &[(Condition::Sub, "")],
    ];
    let answers = || asks.map(|ask| find(&Index::open(&path).expect("opens"), ask));
    let without = answers();
    urlid_store::file::add_slice_indexes(&path, &SliceIndex::ALL).expect("makes");
    let index = Index::open(&path).expect("opens");
    assert_eq!(index.slice_indexes().expect("describes"), SliceIndex::ALL);
    let plan = index.plan(&question(asks[0])).expect("plans").to_string();
    assert!(plan.starts_with("index on path"), "{plan}");
    drop(index);
    assert_eq!(answers(), without);
    assert_eq!(findings(&path), []);
    urlid_store::file::drop_slice_indexes(&path, &SliceIndex::ALL).expect("drops");
    assert_eq!(answers(), without);
}

#[test]
fn merging_is_the_union() {
    let directory = tempfile::tempdir().expect("a directory");
    let at = |name: &str| directory.path().join(name);
    let urls = many(300);
    let lines: Vec<&str> = urls.iter().map(String::as_str).collect();
    load(&at("one"), &lines[..200]);
    load(&at("two"), &lines[100..]);
    let sources = [at("one"), at("two")];
    let sources: Vec<&Path> = sources.iter().map(AsRef::as_ref).collect();
    let merged = merge(&at("both"), &sources, LoadOptions::default()).expect("merges");
    assert_eq!((merged.taken, merged.new), (400, 300));
    load(&at("whole"), &lines);
    assert_eq!(all(&at("both")), all(&at("whole")));
    let again = merge(&at("both"), &sources, LoadOptions::default()).expect("merges");
    assert_eq!(again.new, 0);
    let error = merge(&at("one"), &sources, LoadOptions::default()).expect_err("is its own source");
    assert!(error.is(error::SAME), "{error}");
    assert_eq!(all(&at("one")).len(), 200);
}

fn other_list() -> SuffixList {
    let text = "// ===BEGIN ICANN DOMAINS===\ncom\nuk\nco.uk\nio\n// ===END ICANN DOMAINS===\n\
                // ===BEGIN PRIVATE DOMAINS===\n// ===END PRIVATE DOMAINS===\n";
    SuffixList::parse(text, Sections::All).expect("is a list")
}

#[test]
fn migrating_rewrites_the_rows_whose_split_changed_and_names_them() {
    let (_directory, path) = fresh("index");
    load(
        &path,
        &[
            "https://a.github.io/x",
            "https://example.co.uk/",
            "https://www.example.com/",
            "https://b.github.io/",
        ],
    );

    let mut moved = Vec::new();
    let done = migrate(&path, &other_list(), &mut |row| moved.push(format!("{row:?}"))).expect("migrates");
    assert_eq!((done.rows, done.moved, moved.len()), (4, 2, 2));
    assert!(moved.iter().any(|row| {
        row == "Moved { url: \"https://a.github.io/x\", old_tld: \"github.io\", new_tld: \"io\" }"
    }));
    let index = Index::open(&path).expect("opens");
    assert_eq!(index.rows().expect("counts"), 4);
    let ask = &[(Condition::Domain, "github"), (Condition::Tld, "io")];
    assert_eq!(find(&index, ask).0.len(), 2);
    drop(index);
    assert_eq!(findings(&path), []);

    let error = Load::begin(&path, SuffixList::compiled(), LoadOptions::default()).expect_err("mixes");
    assert!(error.is(error::SNAPSHOT), "{error}");
    let back = migrate(&path, SuffixList::compiled(), &mut |_| ()).expect("migrates back");
    assert_eq!(back.moved, 2);
    assert_eq!(load(&path, &["https://a.github.io/x"]).new, 0);
    assert_eq!(findings(&path), []);
}

#[test]
fn a_migration_that_is_stopped_changes_nothing() {
    let (_directory, path) = fresh("index");
    let urls: Vec<String> = (0..20_001).map(|n| format!("https://h{n}.github.io/")).collect();
    load(&path, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    let error = migrate_with(&path, &other_list(), &mut |_| (), &mut |rows| {
        if rows >= 20_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(error.is_err_and(|error| error.is(error::CHANGE_STOPPED)));
    assert_eq!(load(&path, &["https://h1.github.io/"]).new, 0);
    assert_eq!(findings(&path), []);
}

#[test]
fn two_writers_do_not_lose_or_duplicate_rows() {
    let (_directory, path) = fresh("index");
    load(&path, &["https://example.com/"]);
    let urls = many(4000);
    let new: u64 = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let options = LoadOptions { transaction_lines: 300, ..LoadOptions::default() };
                    let lines: Vec<&str> = urls.iter().map(String::as_str).collect();
                    crate::load_with(&path, &lines, options).new
                })
            })
            .collect();
        writers.into_iter().map(|writer| writer.join().expect("ends well")).sum()
    });
    assert_eq!(new, 4000);
    assert_eq!(all(&path).len(), 4001);
    assert_eq!(findings(&path), []);
}

/// Keys that the format does not name, such as those of lines that an earlier program had still to deliver.
#[test]
fn other_keys_of_meta_change_no_answer() {
    let directory = tempfile::tempdir().expect("a directory");
    let [path, plain, target] = ["index", "plain", "target"].map(|name| directory.path().join(name));
    for path in [&path, &plain] {
        load(path, &["https://a.com/", "mailto:x"]);
    }
    let rows = "INSERT INTO meta(key, value) VALUES('pending.00000000.0000000000000000', '14:https://b.com/' || char(10)),
                ('pending.00000001.0000000000000000', x'ff'), ('zzz', NULL)";
    Connection::open(&path).and_then(|connection| connection.execute_batch(rows)).expect("writes");
    let check = |count: usize| {
        assert_eq!(findings(&path), []);
        assert_eq!(all(&path), all(&plain));
        assert_eq!(all(&path).len(), count);
    };
    check(2);
    // A URL that is only in such a line is new.
    for path in [&path, &plain] {
        assert_eq!(load(path, &["https://a.com/", "https://b.com/"]).new, 1);
    }
    check(3);
    assert_eq!(merge(&target, &[&path], LoadOptions::default()).expect("merges").new, 3);
    assert_eq!(all(&target), all(&plain));
    compact(&path).expect("compacts");
    seal(&path).expect("seals");
    check(3);
    assert_eq!(delete(&path, &question(&[(Condition::Domain, "b")])).expect("deletes").rows, 1);
    assert_eq!(all(&path).len(), 2);
}
