//! Lines of a seen-set that delivers at least once: given again, by the next set that is opened, until they are acknowledged.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::TempDir;
use urlid::suffix::{Sections, SuffixList};
use urlid_index::{
    Condition, EncoderOptions, Finding, Index, LoadOptions, Seen, SeenSet, compact, delete, merge, migrate,
    seal,
};

use crate::common::{all, load, question};

struct Files {
    directory: TempDir,
    path: PathBuf,
}

impl Files {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("seen");
        Self { directory, path }
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.directory.path()).expect("lists");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("is there").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

fn open(path: &Path) -> SeenSet {
    SeenSet::open(path, SuffixList::compiled(), None, EncoderOptions::default())
        .and_then(SeenSet::at_least_once)
        .expect("opens")
}

/// Adds lines and returns those that were new.
fn add(set: &mut SeenSet, lines: &[&str]) -> Vec<String> {
    let mut new = Vec::new();
    set.add(lines, &mut |index, answer| {
        if answer == Seen::New {
            new.push(lines[index].to_owned());
        }
    })
    .expect("adds");
    new
}

fn pending(set: &mut SeenSet) -> Vec<String> {
    let mut lines = Vec::new();
    let count = set.pending(&mut |line| lines.push(line.to_owned())).expect("reads");
    assert_eq!(count, lines.len() as u64);
    lines
}

fn is_whole(path: &Path) {
    let mut found = Vec::new();
    Index::open(path).expect("opens").verify(&mut |finding| found.push(finding)).expect("is verified");
    assert_eq!(found, []);
}

#[test]
fn new_lines_are_given_again_until_they_are_acknowledged() {
    let files = Files::new();
    load(&files.path, &["https://known.com/"]);
    let mut set = open(&files.path);
    let lines = [
        "HTTPS://Z.com",
        "https://known.com/",
        "no url",
        "",
        "mailto:x",
        "https://a.com/\n\0",
        "https://z.com/",
    ];
    let new = ["HTTPS://Z.com", "mailto:x", "https://a.com/\n\0"];
    assert_eq!(add(&mut set, &lines), new);
    assert_eq!(pending(&mut set), new, "its own are pending too");
    drop(set);
    assert_eq!(Index::open(&files.path).and_then(|index| index.pending_lines()).expect("counts"), 3);

    // Without being asked, the next set neither takes nor forgets them.
    let mut set = open(&files.path);
    assert_eq!(set.left_behind().expect("counts"), 3);
    assert_eq!(add(&mut set, &["https://z.com/", "https://b.com/"]), ["https://b.com/"]);
    set.acknowledge();
    set.close().expect("closes");

    let mut set = open(&files.path);
    assert_eq!(pending(&mut set), new);
    assert_eq!(set.left_behind().expect("counts"), 0);
    drop(set);
    let mut set = open(&files.path);
    assert_eq!(pending(&mut set), new, "they were given and not acknowledged");
    set.acknowledge();
    assert_eq!(pending(&mut set), [""; 0]);
    set.close().expect("closes");
    assert_eq!(open(&files.path).left_behind().expect("counts"), 0);
    is_whole(&files.path);
    assert_eq!(files.names(), ["seen"]);
}

#[test]
fn an_acknowledgement_is_recorded_with_the_next_batch() {
    let files = Files::new();
    let mut set = open(&files.path);
    add(&mut set, &["https://a.com/"]);
    set.acknowledge();
    add(&mut set, &["https://b.com/", "https://c.com/"]);
    drop(set);
    let mut set = open(&files.path);
    assert_eq!(pending(&mut set), ["https://b.com/", "https://c.com/"]);
    add(&mut set, &["https://d.com/"]);
    assert_eq!(pending(&mut set), ["https://b.com/", "https://c.com/", "https://d.com/"]);
    set.acknowledge();
    add(&mut set, &["https://e.com/"]);
    add(&mut set, &["https://f.com/"]);
    drop(set);
    // A set that only answers records nothing and takes nothing.
    let list = SuffixList::compiled();
    let mut plain = SeenSet::open(&files.path, list, None, EncoderOptions::default()).expect("opens");
    assert_eq!(add(&mut plain, &["https://g.com/"]), ["https://g.com/"]);
    assert_eq!(pending(&mut plain), [""; 0]);
    plain.acknowledge();
    plain.close().expect("closes");
    let mut set = open(&files.path);
    assert_eq!(pending(&mut set), ["https://e.com/", "https://f.com/"]);
    is_whole(&files.path);
}

#[test]
fn sets_that_are_open_keep_their_lines_to_themselves() {
    let files = Files::new();
    let (mut first, mut second) = (open(&files.path), open(&files.path));
    assert_eq!(add(&mut first, &["https://a.com/"]), ["https://a.com/"]);
    assert_eq!(add(&mut second, &["https://a.com/", "https://b.com/"]), ["https://b.com/"]);
    let mut third = open(&files.path);
    assert_eq!((third.left_behind().expect("counts"), pending(&mut third)), (0, vec![]));
    assert_eq!(files.names().iter().filter(|name| name.contains(".delivery-")).count(), 3);
    drop(first);
    assert_eq!(third.left_behind().expect("counts"), 1);
    assert_eq!(pending(&mut third), ["https://a.com/"]);
    // Whoever took them has them.
    let mut fourth = open(&files.path);
    assert_eq!(pending(&mut fourth), [""; 0]);
    assert_eq!(pending(&mut second), ["https://b.com/"]);
    drop(third);
    assert_eq!(pending(&mut fourth), ["https://a.com/"]);
    fourth.acknowledge();
    fourth.close().expect("closes");
    second.acknowledge();
    second.close().expect("closes");
    assert_eq!(Index::open(&files.path).and_then(|index| index.pending_lines()).expect("counts"), 0);
    assert_eq!(files.names(), ["seen"]);
}

#[test]
fn the_file_of_a_killed_set_is_no_obstacle() {
    let files = Files::new();
    let mut set = open(&files.path);
    add(&mut set, &["https://a.com/"]);
    drop(set);
    std::fs::write(files.directory.path().join("seen.delivery-0"), b"").expect("writes");
    let mut set = open(&files.path);
    assert_eq!(pending(&mut set), ["https://a.com/"]);
    set.acknowledge();
    set.close().expect("closes");
    assert_eq!(files.names(), ["seen"]);
}

fn other_list() -> SuffixList {
    let text = "// ===BEGIN ICANN DOMAINS===\ncom\nio\n// ===END ICANN DOMAINS===\n\
                // ===BEGIN PRIVATE DOMAINS===\n// ===END PRIVATE DOMAINS===\n";
    SuffixList::parse(text, Sections::All).expect("is a list")
}

#[test]
fn no_verb_loses_a_line_that_is_to_be_delivered() {
    let files = Files::new();
    let lines = ["https://a.github.io/", "https://b.com/", "HTTP://C.com"];
    let mut set = open(&files.path);
    add(&mut set, &lines);
    drop(set);
    let list = other_list();
    let check = |what: &str| {
        is_whole(&files.path);
        let count = Index::open(&files.path).and_then(|index| index.pending_lines()).expect("counts");
        assert_eq!(count, 3, "{what}");
    };
    seal(&files.path).expect("seals");
    check("seal");
    compact(&files.path).expect("compacts");
    check("compact");
    load(&files.path, &["https://d.com/"]);
    check("add");
    let deleted = delete(&files.path, &question(&[(Condition::Domain, "b")])).expect("deletes");
    assert_eq!(deleted.rows, 1);
    check("delete");
    assert_eq!(migrate(&files.path, &list, &mut |_| {}).expect("migrates").moved, 1);
    check("migrate");
    let merged = files.directory.path().join("merged");
    for target_is_there in [false, true] {
        let options = LoadOptions::default();
        merge(&merged, &[&files.path], options).expect("merges");
        check("merge");
        let set = SeenSet::open(&merged, &list, None, EncoderOptions::default());
        let mut set = set.and_then(SeenSet::at_least_once).expect("opens");
        assert_eq!(pending(&mut set), lines, "target is there: {target_is_there}");
        set.acknowledge();
        set.close().expect("closes");
        is_whole(&merged);
    }
    migrate(&files.path, SuffixList::compiled(), &mut |_| {}).expect("migrates");
    seal(&files.path).expect("seals");
    let mut set = open(&files.path);
    assert_eq!(pending(&mut set), lines);
    // What is new is answered from the rows alone.
    assert_eq!(add(&mut set, &lines), ["https://b.com/"]);
}

#[test]
fn rows_that_no_set_wrote_are_found() {
    let files = Files::new();
    load(&files.path, &["https://a.com/"]);
    let set = |key: &str, value: &str| {
        let connection = Connection::open(&files.path).expect("opens");
        let sql = format!("INSERT INTO meta(key, value) VALUES('{key}', {value})");
        connection.execute_batch(&sql).expect("writes");
    };
    let damaged = |key: &str| {
        let mut found = Vec::new();
        let index = Index::open(&files.path).expect("opens");
        index.verify(&mut |finding| found.push(finding)).expect("is verified");
        assert_eq!(found, [Finding::Pending { key: key.to_owned() }]);
        let delete = format!("DELETE FROM meta WHERE key = '{key}'");
        drop(index);
        let set = SeenSet::open(&files.path, SuffixList::compiled(), None, EncoderOptions::default());
        let given = set.and_then(SeenSet::at_least_once).and_then(|mut set| set.pending(&mut |_| {}));
        let error = given.expect_err("is damaged").to_string();
        assert!(error.starts_with("index is damaged"), "{error}");
        Connection::open(&files.path).expect("opens").execute_batch(&delete).expect("deletes");
    };
    for key in
        ["pending.1.1", "pending.00000000.000000000000000G", "pending.", "pending.0000000A.0000000000000000"]
    {
        set(key, "'14:https://x.com/' || char(10)");
        damaged(key);
    }
    for value in ["7", "x'ff'", "NULL", "CAST(x'ff' AS TEXT)", "'https://x.com/'", "'9:x' || char(10)"] {
        set("pending.00000001.0000000000000000", value);
        damaged("pending.00000001.0000000000000000");
    }
    assert_eq!(all(&files.path).len(), 1);
}
