//! A file that is not an index of this format is rejected with the reason, and never written to.

use std::path::{Path, PathBuf};

use crate::{all, fresh, load, with_causes};
use rusqlite::Connection;
use urlid::ErrorCode;
use urlid::suffix::{Sections, SuffixList};
use urlid_store::file::{APPLICATION_ID, FORMAT_VERSION, Index, Load, LoadOptions};
use urlid_store::question::Condition;

/// A list that differs from the compiled one.
const OTHER_LIST: &str = "// ===BEGIN ICANN DOMAINS===\ncom\n// ===END ICANN DOMAINS===\n// ===BEGIN PRIVATE DOMAINS===\n// ===END PRIVATE DOMAINS===\n";

fn begin(path: &Path) -> Result<(), (String, ErrorCode)> {
    match Load::begin(path, SuffixList::compiled(), LoadOptions::default()) {
        Ok(_) => Ok(()),
        Err(error) => Err((with_causes(&error), error.code())),
    }
}

/// Asserts that neither a question nor a load opens the file, both for the same reason, and that its bytes
/// stay.
fn rejected(path: &Path, code: ErrorCode, message: &str) {
    let before = std::fs::read(path).ok();
    let neighbours = names(path);
    let question = Index::open(path).expect_err(message);
    assert_eq!((with_causes(&question).as_str(), question.code()), (message, code));
    assert_eq!(begin(path), Err((message.to_owned(), question.code())));
    assert_eq!(std::fs::read(path).ok(), before, "{message}");
    assert_eq!(names(path), neighbours, "{message}");
}

fn names(path: &Path) -> Vec<PathBuf> {
    let directory = path.parent().expect("is in a directory");
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(directory).expect("lists").map(|entry| entry.expect("is read").path()).collect();
    names.sort();
    names
}

#[test]
fn other_files_are_not_an_index() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name);

    let empty = path("empty");
    std::fs::write(&empty, b"").expect("writes");
    rejected(
        &empty,
        ErrorCode::IndexFormat,
        &format!("not an index: found an empty file at {}", empty.display()),
    );

    for (name, bytes) in [("short", b"SQLite format 3\0".to_vec()), ("text", vec![b'x'; 5000])] {
        let file = path(name);
        std::fs::write(&file, bytes).expect("writes");
        let message = format!("not an index: {} is not a SQLite database", file.display());
        rejected(&file, ErrorCode::IndexFormat, &message);
    }

    let other = path("other.db");
    let conn = Connection::open(&other).expect("opens");
    conn.execute_batch("PRAGMA journal_mode = wal; CREATE TABLE url(id, url); PRAGMA user_version = 1")
        .expect("makes");
    drop(conn);
    let message =
        format!("not an index: found application_id 0x00000000 in {}, expected 0x55524c49", other.display());
    rejected(&other, ErrorCode::IndexFormat, &message);

    let folder = path("folder");
    std::fs::create_dir(&folder).expect("makes");
    let message = format!("not an index: found a directory at {}, expected a regular file", folder.display());
    rejected(&folder, ErrorCode::IndexFormat, &message);

    let fifo = path("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo is there");
    assert!(made.success());
    let message = format!("not an index: found a FIFO at {}, expected a regular file", fifo.display());
    let question = Index::open(&fifo).expect_err("is a FIFO");
    assert_eq!(question.to_string(), message);
    assert_eq!(begin(&fifo), Err((message, ErrorCode::IndexFormat)));

    let question = Index::open(Path::new("/dev/zero")).expect_err("is a device");
    assert_eq!(question.to_string(), "not an index: found a device at /dev/zero, expected a regular file");
}

#[test]
fn a_missing_file_is_not_an_empty_index() {
    let (_directory, path) = fresh("none");
    let error = Index::open(&path).expect_err("is not there");
    assert_eq!(error.code(), ErrorCode::Io);
    assert!(!path.exists());
}

/// Makes a good index and lets `spoil` change it through plain SQLite.
fn spoiled(path: &Path, spoil: &str) {
    load(path, &["https://example.com/"]);
    let conn = Connection::open(path).expect("opens");
    conn.execute_batch(spoil).expect(spoil);
}

#[test]
fn headers_of_others() {
    let directory = tempfile::tempdir().expect("a directory");
    let newer = directory.path().join("newer");
    spoiled(&newer, &format!("PRAGMA user_version = {}", FORMAT_VERSION + 1));
    let message = format!("index is of a newer format: found version 2 in {}, expected 1", newer.display());
    rejected(&newer, ErrorCode::IndexFormat, &message);

    let unversioned = directory.path().join("unversioned");
    spoiled(&unversioned, "PRAGMA user_version = 0");
    let message = format!("not an index: found user_version 0 in {}, expected 1", unversioned.display());
    rejected(&unversioned, ErrorCode::IndexFormat, &message);

    let foreign = directory.path().join("foreign");
    spoiled(&foreign, "PRAGMA application_id = 7");
    let message = format!(
        "not an index: found application_id 0x00000007 in {}, expected {APPLICATION_ID:#010x}",
        foreign.display()
    );
    rejected(&foreign, ErrorCode::IndexFormat, &message);
}

#[test]
fn schemas_of_others() {
    let table = [
        ("DROP VIEW url_hex", "url_hex"),
        ("DROP VIEW url_hex; CREATE VIEW url_hex(id_hex, url) AS SELECT hex(id), url FROM url", "url_hex"),
        ("CREATE TRIGGER evil AFTER INSERT ON url BEGIN DELETE FROM meta; END", "evil"),
        ("CREATE TABLE notes(x)", "notes"),
        ("DROP TABLE other", "other"),
        ("CREATE INDEX url_path ON url(substr(id, 18, 8))", "url_path"),
        (
            "DROP TABLE url; CREATE TABLE url(id BLOB, url TEXT CHECK(random() < 0), PRIMARY KEY(id, url)) STRICT",
            "url",
        ),
    ];
    for (spoil, object) in table {
        let (_directory, path) = fresh("spoiled");
        spoiled(&path, spoil);
        let message = format!(
            "not an index: `{object}` in {} is missing, altered or not part of the format",
            path.display()
        );
        rejected(&path, ErrorCode::IndexFormat, &message);
    }
}

#[test]
fn statistics_and_optional_indexes_are_no_reason() {
    let (_directory, path) = fresh("analysed");
    spoiled(&path, "CREATE INDEX url_path ON url(substr(id, 18, 7)); ANALYZE");
    assert_eq!(all(&path), ["https://example.com/"]);
}

#[test]
fn descriptions_that_cannot_be_used() {
    let table = [
        ("DELETE FROM meta WHERE key = 'rows'", "`rows` in meta is missing or not valid"),
        ("DELETE FROM meta WHERE key = 'other_rows'", "`other_rows` in meta is missing or not valid"),
        ("UPDATE meta SET value = 'x' WHERE key = 'snapshot'", "`snapshot` in meta is missing or not valid"),
        ("UPDATE meta SET value = 2 WHERE key = 'format'", "`format` in meta is missing or not valid"),
    ];
    for (spoil, message) in table {
        let (_directory, path) = fresh("spoiled");
        spoiled(&path, spoil);
        let message = format!("index is damaged: {}: {message}", path.display());
        rejected(&path, ErrorCode::IndexDamaged, &message);
    }
}

#[test]
fn two_snapshots_do_not_mix_and_both_are_named() {
    let (_directory, path) = fresh("old");
    let list = SuffixList::parse(OTHER_LIST, Sections::All).expect("is a list");
    let mut load = Load::begin(&path, &list, LoadOptions::default()).expect("begins");
    load.push("https://a.b.co.uk/").expect("takes");
    load.finish().expect("ends");

    let before = std::fs::read(&path).expect("reads");
    let error = Load::begin(&path, SuffixList::compiled(), LoadOptions::default()).expect_err("mixes");
    assert_eq!(error.code(), ErrorCode::Snapshot);
    let index = Index::open(&path).expect("questions go on");
    let ours = urlid::snapshot::Snapshot::new(SuffixList::compiled());
    assert_ne!(index.describe().expect("describes").snapshot, ours);
    let message = error.to_string();
    assert!(
        message.contains(&index.describe().expect("describes").snapshot.to_string())
            && message.contains(&ours.to_string()),
        "{message}"
    );
    assert_eq!(std::fs::read(&path).expect("reads"), before);

    // Questions are answered by the list of the index: `co.uk` is no suffix in it.
    let ask = &[(Condition::Domain, "co"), (Condition::Tld, "uk")];
    assert_eq!(crate::find(&index, ask).0, ["https://a.b.co.uk/"]);
}

#[test]
fn a_truncated_index_is_an_error_and_no_signal() {
    let (directory, path) = fresh("whole");
    let urls: Vec<String> = (0..2000).map(|n| format!("https://h{n}.example.com/{n}")).collect();
    load(&path, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    let whole = std::fs::read(&path).expect("reads");
    for len in [0, 50, 99, 100, whole.len() / 100, whole.len() / 2, whole.len() * 99 / 100, whole.len() - 1] {
        let cut = directory.path().join(format!("cut{len}"));
        std::fs::write(&cut, &whole[..len]).expect("writes");
        let codes = [ErrorCode::IndexDamaged, ErrorCode::IndexFormat];
        match Index::open(&cut) {
            Err(error) => {
                assert!(codes.contains(&error.code()), "{len}: {error}");
                assert!(begin(&cut).is_err(), "{len}");
            }
            Ok(index) => {
                let error = index.stats().expect_err("misses pages");
                assert_eq!(error.code(), ErrorCode::IndexDamaged, "{len}: {error}");
            }
        }
    }
}
