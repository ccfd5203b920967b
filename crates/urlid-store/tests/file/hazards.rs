//! Effects of other processes and other files on an index: logs without an index, second names, migrations,
//! replaced files, damaged pages.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use urlid::suffix::{Sections, SuffixList};
use urlid::{ErrorCode, Place};
use urlid_store::file::{Index, Load, LoadOptions, delete, error, migrate};
use urlid_store::question::Condition;

use crate::{all, find, fresh, load, load_with, question};

/// Returns the name of a file beside an index.
fn beside(path: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", path.display()))
}

/// A list without `github.io`.
fn other_list() -> SuffixList {
    let text = "// ===BEGIN ICANN DOMAINS===\ncom\norg\nio\n// ===END ICANN DOMAINS===\n\
                // ===BEGIN PRIVATE DOMAINS===\n// ===END PRIVATE DOMAINS===\n";
    SuffixList::parse(text, Sections::All).expect("is a list")
}

#[test]
fn a_log_without_its_index_is_not_replayed_into_a_new_one() {
    for ending in ["-wal", "-journal"] {
        let (directory, path) = fresh("index");
        let log = beside(&path, ending);
        std::fs::write(&log, "rows of another index").expect("writes");
        let error =
            Load::begin(&path, SuffixList::compiled(), LoadOptions::default()).expect_err("is in the way");
        assert!(error.is(error::LOG_IN_THE_WAY), "{error}");

        std::fs::remove_file(&log).expect("removes");
        let load = Load::begin(&path, SuffixList::compiled(), LoadOptions::default()).expect("begins");
        std::fs::write(&log, "rows of another index").expect("writes");
        load.finish().expect_err("is in the way by now");
        assert_eq!(std::fs::read_to_string(&log).expect("is there"), "rows of another index");
        assert_eq!(std::fs::read_dir(directory.path()).expect("lists").count(), 1);
    }
}

/// A load into an index that exists, which has committed one line and stays open. The second line is handed
/// over when the first is committed.
fn open_writer(path: &Path, committed: &str, waiting: &str) -> Load {
    let options = LoadOptions { transaction_lines: 1, ..LoadOptions::default() };
    let mut load = Load::begin(path, SuffixList::compiled(), options).expect("begins");
    for line in [committed, waiting] {
        load.push(line).expect("takes");
    }
    load
}

#[test]
fn a_killed_writers_log_next_to_a_removed_index_is_an_error() {
    let directory = tempfile::tempdir().expect("a directory");
    let (path, kept) = (directory.path().join("index"), directory.path().join("kept"));
    load(&path, &["https://example.com/"]);
    let writer = open_writer(&path, "https://example.org/", "https://example.net/");
    std::fs::copy(beside(&path, "-wal"), &kept).expect("copies");
    drop(writer);
    std::fs::remove_file(&path).expect("removes");
    std::fs::rename(&kept, beside(&path, "-wal")).expect("renames");
    let error =
        Load::begin(&path, SuffixList::compiled(), LoadOptions::default()).expect_err("is in the way");
    assert_eq!(error.code(), ErrorCode::Io);
    assert!(error.to_string().contains("restore its index or remove the log"), "{error}");
}

#[test]
fn an_index_with_two_names_is_read_and_not_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let (path, second) = (directory.path().join("index"), directory.path().join("second"));
    load(&path, &["https://example.com/"]);
    let mut open = Load::begin(&path, SuffixList::compiled(), LoadOptions::default()).expect("begins");
    open.push("https://example.org/").expect("takes");
    std::fs::hard_link(&path, &second).expect("links");
    let error = open.finish().expect_err("has two names by now");
    assert!(error.is(error::LINKED) && error.found() == Some("2"), "{error}");
    for name in [&path, &second] {
        let error =
            Load::begin(name, SuffixList::compiled(), LoadOptions::default()).expect_err("has two names");
        assert!(error.is(error::LINKED) && error.found() == Some("2"), "{error}");
        assert_eq!(all(name), ["https://example.com/"]);
    }
    std::fs::remove_file(&second).expect("removes");
    assert_eq!(load(&path, &["https://example.org/"]).new, 1);
}

#[test]
fn a_replaced_file_is_noticed_and_its_log_is_unchanged() {
    let (_directory, path) = fresh("index");
    load(&path, &["https://example.com/"]);
    let index = Index::open(&path).expect("opens");
    let mut writer = Load::begin(&path, SuffixList::compiled(), LoadOptions::default()).expect("begins");
    writer.push("https://lost.example.com/").expect("takes");
    for ending in ["", "-wal", "-shm"] {
        std::fs::remove_file(beside(&path, ending)).expect("removes");
    }
    assert!(index.rows().is_err_and(|error| error.is(error::REPLACED)));
    load(&path, &["https://example.org/"]);
    let other = open_writer(&path, "https://example.net/", "https://example.net/waiting");
    assert!(writer.finish().is_err_and(|error| error.is(error::REPLACED)));
    assert!(index.count(&question(&[])).is_err_and(|error| error.is(error::REPLACED)));
    drop(index);
    assert!(beside(&path, "-wal").exists());
    drop(other);
    // The line that waited may be stored: a load that is dropped keeps what its writer has taken.
    let stored = all(&path);
    let is_stored = |url: &str| stored.iter().any(|stored| stored == url);
    assert!(is_stored("https://example.org/") && is_stored("https://example.net/"), "{stored:?}");
    assert!(!is_stored("https://lost.example.com/"), "{stored:?}");
}

#[test]
fn a_reader_that_is_open_follows_a_migration() {
    let (_directory, path) = fresh("index");
    let url = "https://user1.github.io/";
    load(&path, &[url, "https://example.com/"]);
    let index = Index::open(&path).expect("opens");
    assert_eq!(find(&index, &[(Condition::Host, "user1.github.io")]).0, [url]);
    migrate(&path, &other_list(), &mut |_| ()).expect("migrates");
    assert_eq!(find(&index, &[(Condition::Host, "user1.github.io")]).0, [url]);
    assert_eq!(find(&index, &[(Condition::Domain, "github"), (Condition::Sub, "user1")]).0, [url]);
    assert!(index.get_url(url, None).expect("is looked up").is_stored);
    assert_eq!(index.about().expect("describes").suffixes.text(), other_list().text());
    index.verify(&mut |finding| panic!("{finding}")).expect("is verified");
}

#[test]
fn an_optional_index_that_is_dropped_is_not_missed() {
    let (_directory, path) = fresh("index");
    load(&path, &["https://example.com/a"]);
    urlid_store::file::add_slice_indexes(&path, &urlid_store::question::SliceIndex::ALL).expect("makes");
    let index = Index::open(&path).expect("opens");
    urlid_store::file::drop_slice_indexes(&path, &urlid_store::question::SliceIndex::ALL).expect("drops");
    assert_eq!(find(&index, &[(Condition::Path, "/a")]).0.len(), 1);
}

#[test]
fn answers_under_every_suffix_are_of_one_state() {
    let (_directory, path) = fresh("index");
    let urls: Vec<String> =
        (0..50).flat_map(|n| ["https", "http"].map(|scheme| format!("{scheme}://foo.com/{n}"))).collect();
    load(&path, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    let index = Index::open(&path).expect("opens");
    let foo = question(&[(Condition::Domain, "foo")]);
    let mut rows = 0;
    let found = index.find(&foo, &mut |_| {
        if rows == 0 {
            assert_eq!(delete(&path, &foo).expect("deletes").rows, 100);
        }
        rows += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(found.expect("reads on").rows, 100);
    assert_eq!(index.count(&foo).expect("counts").rows, 0);
}

#[test]
fn a_reader_does_not_keep_writers_from_an_index_that_was_never_written_to() {
    let (_directory, path) = fresh("index");
    load(&path, &["https://example.com/", "https://example.org/"]);
    let index = Index::open(&path).expect("opens");
    let mut rows = 0;
    let found = index.find(&question(&[]), &mut |_| {
        rows += 1;
        assert_eq!(load(&path, &[&format!("https://example.net/{rows}")]).new, 1);
        ControlFlow::Continue(())
    });
    assert_eq!((found.expect("reads on").rows, rows), (2, 2));
    assert_eq!(all(&path).len(), 4);
}

#[test]
fn rows_that_moved_are_listed_when_no_lock_is_held() {
    let (_directory, path) = fresh("index");
    load(&path, &["https://a.github.io/", "https://b.github.io/"]);
    let mut listed = 0;
    let migrated = migrate(&path, &other_list(), &mut |row| {
        listed += 1;
        assert_eq!((row.old_tld, row.new_tld), ("github.io", "io"));
        let mut load = Load::begin(&path, &other_list(), LoadOptions::default()).expect("begins");
        load.push(&format!("https://example.com/{listed}")).expect("goes on");
        load.finish().expect("ends well");
    });
    assert_eq!((migrated.expect("migrates").moved, listed), (2, 2));
}

#[test]
fn a_trigger_under_a_name_of_the_format_is_rejected() {
    let (_directory, path) = fresh("index");
    load(&path, &["https://example.com/"]);
    let sql = "CREATE TRIGGER url AFTER INSERT ON url BEGIN DELETE FROM url; END";
    Connection::open(&path).expect("opens").execute_batch(sql).expect("creates");
    let error = Index::open(&path).expect_err("has a trigger");
    assert!(error.is(error::SCHEMA) && error.found() == Some("url"), "{error}");
}

#[test]
fn a_key_of_the_wrong_length_hides_no_rows_and_is_damage() {
    let (_directory, path) = fresh("index");
    load(&path, &["https://www.example.com/a", "https://example.org/"]);
    let conn = Connection::open(&path).expect("opens");
    let sql = "INSERT INTO url SELECT CAST(substr(id, 1, 11) || zeroblob(19) || x'01' AS BLOB), 'x' FROM url \
               WHERE url LIKE '%www%'";
    conn.execute_batch(sql).expect("inserts");
    drop(conn);
    let index = Index::open(&path).expect("opens");
    let conditions: [&[(Condition, &str)]; 3] =
        [&[], &[(Condition::Domain, "example")], &[(Condition::Sub, "www")]];
    for conditions in conditions {
        let mut urls = 0;
        let found = index.find(&question(conditions), &mut |_| {
            urls += 1;
            ControlFlow::Continue(())
        });
        let error = found.expect_err("is damaged");
        assert!(error.is(error::DAMAGED_ROWS), "{conditions:?}: {error}");
        assert_eq!(error.place(), Some(Place::Number(1)), "{conditions:?}");
        assert_eq!(urls, if conditions == [(Condition::Sub, "www")] { 1 } else { 2 }, "{conditions:?}");
    }
    assert!(index.stats().is_err_and(|error| error.is(error::DAMAGED_ROWS)));
    drop(index);
    let error = delete(&path, &question(&[(Condition::Domain, "example")])).expect_err("is damaged");
    assert_eq!(error.code(), ErrorCode::IndexDamaged);
    assert_eq!(Index::open(&path).expect("opens").rows().expect("counts"), 2);
}

#[test]
fn pages_that_lead_to_each_other_end_in_an_error() {
    const PAGE: usize = 4096;
    let (_directory, path) = fresh("index");
    let urls: Vec<String> = (0..3000).map(|n| format!("https://example{n}.com/")).collect();
    load(&path, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    let root: u32 = Connection::open(&path)
        .expect("opens")
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'url'", [], |row| row.get(0))
        .expect("is there");
    let root = root as usize;
    let mut bytes = std::fs::read(&path).expect("reads");
    let page = bytes[(root - 1) * PAGE..root * PAGE].to_vec();
    assert_eq!(page[0], 2, "the root has children");
    // Nine levels of pages, of which every child is the one page below: as many ways through them as cells to
    // the ninth.
    let cells = usize::from(u16::from_be_bytes([page[3], page[4]]));
    assert!(cells > 10);
    let last = u32::from_be_bytes([page[8], page[9], page[10], page[11]]);
    let first_new = bytes.len() / PAGE + 1;
    for level in 0..9 {
        let mut page = page.clone();
        let child = if level == 8 { last } else { (first_new + level) as u32 }.to_be_bytes();
        page[8..12].copy_from_slice(&child);
        for cell in 0..cells {
            let place = usize::from(u16::from_be_bytes([page[12 + 2 * cell], page[13 + 2 * cell]]));
            page[place..place + 4].copy_from_slice(&child);
        }
        if level == 0 {
            bytes[(root - 1) * PAGE..root * PAGE].copy_from_slice(&page);
        } else {
            bytes.extend_from_slice(&page);
        }
    }
    let pages = (bytes.len() / PAGE) as u32;
    bytes[28..32].copy_from_slice(&pages.to_be_bytes());
    std::fs::write(&path, &bytes).expect("writes");
    let index = Index::open(&path).expect("opens");
    let nowhere = question(&[(Condition::Path, "/nowhere")]);
    let error = index.count(&nowhere).expect_err("does not end");
    assert_eq!(error.code(), ErrorCode::IndexDamaged);
    drop(index);
    let error = urlid_store::file::compact(&path).expect_err("is damaged");
    assert_eq!(error.code(), ErrorCode::IndexDamaged);
}

#[test]
fn a_misplaced_page_does_not_silently_shorten_an_answer() {
    const PAGE: usize = 4096;
    let (_directory, path) = fresh("index");
    let urls: Vec<String> = (0..3000).map(|n| format!("https://a{n}.example.com/?q")).collect();
    load(&path, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    let bytes = std::fs::read(&path).expect("reads");
    let conditions: [&[(Condition, &str)]; 3] =
        [&[], &[(Condition::Has, "query")], &[(Condition::Domain, "example")]];
    let mut errors = 0;
    // The last child of each page with children.
    let places = (1..bytes.len() / PAGE).flat_map(|page| match bytes[page * PAGE] {
        2 => vec![page * PAGE + 10, page * PAGE + 11],
        _ => Vec::new(),
    });
    for (place, bit) in places.flat_map(|place| (0..8).map(move |bit| (place, bit))) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << bit;
        std::fs::write(&path, damaged).expect("writes");
        let index = Index::open(&path).expect("opens");
        for conditions in conditions {
            match index.count(&question(conditions)) {
                Ok(found) => assert_eq!(found.rows, 3000, "{conditions:?}: bit {bit} at {place}"),
                Err(error) => {
                    assert_eq!(error.code(), ErrorCode::IndexDamaged);
                    errors += 1;
                }
            }
        }
    }
    assert!(errors > 0);
    // A page of many rows with one less, which only reading all of them shows.
    let is_leaf = |page: &usize| bytes[*page] == 10 && bytes[*page + 4] > 20;
    let leaf = (1..bytes.len() / PAGE).map(|page| page * PAGE).find(is_leaf).expect("is there");
    let mut damaged = bytes.clone();
    damaged[leaf + 4] -= 1;
    std::fs::write(&path, damaged).expect("writes");
    let error = Index::open(&path).expect("opens").count(&question(&[])).expect_err("lacks a row");
    assert!(error.is(error::DAMAGED), "{error}");
}

#[test]
fn a_sort_of_many_runs_has_one_file_open() {
    let (directory, path) = fresh("index");
    let options = LoadOptions { transaction_lines: 1, ..LoadOptions::default() };
    let mut load = Load::begin(&path, SuffixList::compiled(), options.clone()).expect("begins");
    for number in 0..600 {
        load.push(&format!("https://example.com/{number}")).expect("goes on");
    }
    let is_ours = |link: &Path| link.starts_with(directory.path());
    let open = std::fs::read_dir("/proc/self/fd").expect("lists");
    let links = open.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
    // The new index by its lock and by SQLite, and the sorted rows.
    assert!(links.filter(|link| is_ours(link)).count() <= 4);
    assert_eq!(load.finish().expect("ends well").new, 600);
    assert_eq!(load_with(&path, &["https://example.com/7"], options).new, 0);
}
