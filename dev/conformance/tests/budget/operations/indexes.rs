//! Index files: storing and looking up URLs, operations on all rows, and files with a hostile suffix list.

use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;
use urlid_generators::shapes::{LINES, SUFFIX_LISTS};
use urlid_store::file::{Index, Load, LoadOptions, delete, export_sqlite, merge, seal};
use urlid_store::question::{Condition, GroupBy, Question};
use urlid_store::seen::{Digester, Keys, SeenSet};

use super::operation::{DEAR, Operation, only};
use crate::law::Order;

pub(super) fn operations() -> Vec<Operation> {
    // One shape for each part of a URL, because SQLite's work costs more than the text.
    let shapes = only(&["one long path segment", "different parameters", "labels", "escapes"]);
    // Made once, because making an index costs more than reading a list.
    let small = OnceCell::new();
    let suffix_lists =
        Operation::prepared("index with a suffix list", SUFFIX_LISTS, Order::Sorting, move |list| {
            let file = File::copy(&small);
            replace_list(&file.path(), &list);
            Box::new(move || usize::from(Index::open(&file.path()).and_then(|index| index.about()).is_ok()))
        });
    vec![
        Operation::sorting("index of a URL", shapes, |text| {
            let file = File::of([text]);
            let index = file.open();
            let found = index.find(&question(), &mut |_| ControlFlow::Continue(()));
            usize::from(found.is_ok()) + usize::from(index.get_url(text, None).is_ok())
        }),
        Operation::sorting("index, made", &LINES[..2], |text| {
            let file = File::of(text.lines());
            std::fs::metadata(file.path()).map_or(0, |_| 0)
        }),
        on_file("index, questions", |index| {
            let found = index.find(&question(), &mut |_| ControlFlow::Continue(()));
            let groups = index.group(&Question::default(), GroupBy::RegisteredDomain);
            let written = groups.map_or(0, |(groups, _)| groups.iter().map(|group| group.name.len()).sum());
            written + usize::from(found.is_ok()) + usize::from(index.stats().is_ok())
        }),
        on_file("index, verified", |index| {
            let mut findings = 0;
            index.verify(&mut |_| findings += 1).map_or(0, |_| findings)
        }),
        changing("index, sealed", |file| usize::from(seal(&file.path()).is_ok())),
        changing("index, deleted", |file| usize::from(delete(&file.path(), &question()).is_ok())),
        changing("index, merged", |file| {
            let target = file.folder.path().join("target.db");
            usize::from(merge(&target, &[&file.path()], LoadOptions::default()).is_ok())
        }),
        changing("index, exported", |file| {
            let target = file.folder.path().join("target.sqlite");
            usize::from(export_sqlite(&file.open(), &target).is_ok())
        }),
        Operation::sorting("seen-set", &LINES[..2], |text| {
            let folder = tempfile::tempdir().expect("there is room for a small file");
            let form = "web".parse().expect("it is a canonical form");
            let mut digester = Digester::new(&form);
            let (keys, lines): (Vec<_>, Vec<_>) =
                text.lines().filter_map(|line| Some((digester.key(line).ok()?, line))).unzip();
            let set = SeenSet::open(&folder.path().join("seen"), &Keys::of_form(&form));
            let added =
                set.and_then(|set| set.at_least_once().add(&keys, |index| lines[index], &mut |_, _| {}));
            usize::from(added.is_ok())
        }),
    ]
    .into_iter()
    .map(|operation| operation.from(DEAR))
    .chain([suffix_lists])
    .collect()
}

/// An operation on an index of lines, which it does not change.
fn on_file(name: &str, work: fn(&Index) -> usize) -> Operation {
    changing(name, move |file| work(&file.open()))
}

/// An operation on an index of lines.
fn changing(name: &str, work: impl Fn(&File) -> usize + Clone + 'static) -> Operation {
    // One shape, because every run first makes an index, which costs more than everything else.
    Operation::prepared(name, &LINES[..1], Order::Sorting, move |text| {
        let (file, work) = (File::of(text.lines()), work.clone());
        Box::new(move || work(&file))
    })
}

fn question() -> Question {
    Question::new([(Condition::Domain, "example")]).expect("it is a label")
}

/// An index in a separate folder.
struct File {
    folder: TempDir,
}

impl File {
    /// Makes an index of URLs, without URLs that have no entry.
    fn of<'u>(urls: impl IntoIterator<Item = &'u str>) -> Self {
        let file = Self { folder: tempfile::tempdir().expect("there is room for a small file") };
        let list = SuffixList::compiled();
        let mut load = Load::begin(&file.path(), list, LoadOptions::default()).expect("it is new");
        for url in urls {
            load.push(url).expect("it is taken or rejected");
        }
        load.finish().expect("there is room for a small file");
        file
    }

    /// Copies the first file, which is made if it does not exist.
    fn copy(first: &OnceCell<Self>) -> Self {
        let first = first.get_or_init(|| Self::of(["https://example.com/"]));
        let file = Self { folder: tempfile::tempdir().expect("there is room for a small file") };
        std::fs::copy(first.path(), file.path()).expect("there is room for a small file");
        file
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("urls.db")
    }

    fn open(&self) -> Index {
        Index::open(&self.path()).expect("it was made")
    }
}

/// Replaces the suffix list of an index, as the maker of a hostile index could.
fn replace_list(path: &Path, list: &str) {
    let mut snapshot = Snapshot::new(SuffixList::compiled());
    snapshot.psl_sha256 = urlid::hex::encode(&Sha256::digest(list));
    let index = Connection::open(path).expect("it is a database");
    let mut update = index.prepare("UPDATE meta SET value = ?2 WHERE key = ?1").expect("it has the table");
    update.execute(("snapshot", snapshot.to_string())).expect("it can be written");
    update.execute(("suffix_list", urlid_testing::zstd(list.as_bytes()))).expect("it can be written");
}
