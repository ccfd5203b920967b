//! The export to a SQLite file with readable columns.

use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;

use crate::{fresh, load};
use rusqlite::Connection;
use urlid::sxurl::Sxurl;
use urlid_store::file::{Index, error, export_sqlite, export_sqlite_with};

const URLS: [&str; 5] = [
    "https://www.example.co.uk:8443/a?q#f",
    "http://1.2.3.4/",
    "mailto:a@b.example",
    "wss://www.example.co.uk/",
    "https://com/",
];

#[test]
fn every_row_is_there_with_an_integer_key_and_its_parts() {
    let directory = tempfile::tempdir().expect("a directory");
    let (path, out) = (directory.path().join("index"), directory.path().join("readable.db"));
    load(&path, &URLS);
    let index = Index::open(&path).expect("opens");
    assert_eq!(export_sqlite(&index, &out).expect("exports"), 5);
    let conn = Connection::open(&out).expect("opens");
    let text = |sql: &str| -> String { conn.query_row(sql, [], |row| row.get(0)).expect(sql) };
    let columns = "group_concat(concat_ws('|', scheme, host, tld, registered_domain, sub, port, path, query, fragment), ' ')";
    let rows = text(&format!("SELECT {columns} FROM (SELECT * FROM urls ORDER BY url_text)"));
    let expected = "http|1.2.3.4|/ https|com|com||/ \
                    https|www.example.co.uk|co.uk|example.co.uk|www|8443|/a|q|f mailto|a@b.example \
                    wss|www.example.co.uk|co.uk|example.co.uk|www|/";
    assert_eq!(rows, expected);
    assert_eq!(text("SELECT min(id) || ',' || max(id) || ',' || count(*) FROM urls"), "1,5,5");
    let id = text("SELECT sxurl FROM urls WHERE url_text = 'https://com/'");
    assert_eq!(id, Sxurl::encode("https://com/").expect("has one").to_hex());
    assert_eq!(text("SELECT count(*) || '' FROM urls WHERE sxurl IS NULL"), "3");
    // A name has a sub, which may be empty; an address has none.
    assert_eq!(text("SELECT count(*) || '' FROM urls WHERE registered_domain IS NULL"), "3");
    assert_eq!(text("SELECT group_concat(host) FROM urls WHERE sub IS NULL"), "1.2.3.4");
    let domain = "SELECT registered_domain || count(*) FROM urls WHERE registered_domain IS NOT NULL GROUP BY registered_domain";
    assert_eq!(text(domain), "example.co.uk2");
    let snapshot = index.describe().expect("describes").snapshot.to_string();
    assert_eq!(text("SELECT value FROM about WHERE key = 'snapshot'"), snapshot);
    assert_eq!(text("PRAGMA integrity_check"), "ok");
    let mode = |path| std::fs::metadata(path).expect("is there").permissions().mode();
    assert_eq!(mode(&out), mode(&path));
}

#[test]
fn files_are_not_replaced_and_a_stopped_export_leaves_no_files() {
    let directory = tempfile::tempdir().expect("a directory");
    let (path, out) = (directory.path().join("index"), directory.path().join("readable.db"));
    let urls: Vec<String> = (0..10_001).map(|n| format!("https://example.com/{n}")).collect();
    load(&path, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    let index = Index::open(&path).expect("opens");
    let names = || std::fs::read_dir(directory.path()).expect("lists").count();
    let before = names();
    let stopped = export_sqlite_with(&index, &out, &mut |_| ControlFlow::Break(()));
    assert!(stopped.is_err_and(|error| error.is(error::EXPORT_STOPPED)));
    assert_eq!(names(), before);
    std::fs::write(&out, "mine").expect("writes");
    let error = export_sqlite(&index, &out).expect_err("is taken");
    assert!(error.is(error::FILE), "{error}");
    assert_eq!(std::fs::read_to_string(&out).expect("reads"), "mine");
}

#[test]
fn obstructing_links_and_files_are_not_followed_or_written_to() {
    let directory = tempfile::tempdir().expect("a directory");
    let (path, victim) = (directory.path().join("index"), directory.path().join("victim"));
    load(&path, &URLS);
    let index = Index::open(&path).expect("opens");
    std::fs::write(&victim, "precious").expect("writes");
    let at = |name: &str| directory.path().join(name);
    std::os::unix::fs::symlink(&victim, at("link.db")).expect("links");
    std::os::unix::fs::symlink(at("nowhere"), at("dangling.db")).expect("links");
    std::fs::hard_link(&victim, at("hard.db")).expect("links");
    std::fs::create_dir(at("folder")).expect("makes");
    let names = || std::fs::read_dir(directory.path()).expect("lists").count();
    let before = names();
    for name in ["link.db", "dangling.db", "hard.db", "folder", "folder/../link.db", "none/x.db"] {
        let error = export_sqlite(&index, &at(name)).expect_err(name);
        assert!(error.is(error::FILE), "{error}");
        assert_eq!(error.subject(), at(name).to_str());
    }
    assert_eq!(std::fs::read_to_string(&victim).expect("reads"), "precious");
    assert_eq!(names(), before, "nothing is left behind");
    export_sqlite(&index, &at("folder/../beside.db")).expect("exports");
    assert!(at("beside.db").exists());
}

#[test]
fn a_key_that_no_loader_wrote_is_damage_wherever_it_sorts() {
    for key in ["x''", "x'00'", "x'1002'", "x'ff'", "zeroblob(32)", "zeroblob(33)"] {
        let (directory, path) = fresh("index");
        load(&path, &URLS);
        let conn = Connection::open(&path).expect("opens");
        let sql = format!("INSERT INTO url(id, url) VALUES ({key}, 'https://h.example/')");
        conn.execute_batch(&sql).expect("inserts");
        drop(conn);
        let (index, out) = (Index::open(&path).expect("opens"), directory.path().join("readable.db"));
        let error = export_sqlite(&index, &out).expect_err(key);
        assert!(error.is(error::DAMAGED_ROWS), "{key}: {error}");
        assert!(!out.exists());
    }
}
