//! Sets beside a model, and several users of one folder. Sorted files have 64 keys and more here.
//!
//! `damage` is what was done to files. At the end the disk fails at each place where it can: answered keys
//! are there, lines that were not acknowledged are pending.

mod damage;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use urlid::Error;
use urlid_canonical::Form;

use crate::seen::fault::{Faults, inherit};
use crate::seen::{Keys, SeenFile, SeenKey, SeenSet, digest, error};

fn keys_of(width: usize) -> Keys {
    match width {
        16 => Keys::of_form(&"web".parse::<Form>().expect("a form")),
        _ => Keys::fingerprints("test"),
    }
}

/// The key of a number, spread as a digest is.
fn key(number: u64, width: usize) -> SeenKey {
    let halves = [digest(&number.to_string()), digest(&format!("{number}b"))].map(u128::to_le_bytes);
    SeenKey::new(&halves.as_flattened()[..width]).expect("16 or 20 bytes")
}

/// Makes a place for a set, in memory where the system has such a folder: the tests sync some ten thousand
/// times.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let memory = tempfile::tempdir_in("/dev/shm");
    let directory = memory.or_else(|_| tempfile::tempdir()).expect("a directory");
    let path = directory.path().join("seen");
    (directory, path)
}

fn open(path: &Path) -> SeenSet {
    SeenSet::open(path, &keys_of(16)).expect("opens").at_least_once()
}

/// Adds numbers, and returns those that were new.
fn add(set: &mut SeenSet, numbers: &[u64], width: usize) -> Vec<u64> {
    try_add(set, numbers, width).expect("adds")
}

/// Adds numbers as keys of 16 bytes, and returns those that were new.
fn add_some(set: &mut SeenSet, numbers: std::ops::Range<u64>) -> Result<Vec<u64>, Error> {
    try_add(set, &numbers.collect::<Vec<_>>(), 16)
}

fn try_add(set: &mut SeenSet, numbers: &[u64], width: usize) -> Result<Vec<u64>, Error> {
    let keys: Vec<SeenKey> = numbers.iter().map(|number| key(*number, width)).collect();
    let texts: Vec<String> = numbers.iter().map(u64::to_string).collect();
    let (mut new, mut next) = (Vec::new(), 0);
    set.add(&keys, |index| &texts[index], &mut |index, is_new| {
        assert_eq!(index, next);
        next += 1;
        if is_new {
            new.push(numbers[index]);
        }
    })?;
    assert_eq!(next, numbers.len());
    Ok(new)
}

fn pending(set: &mut SeenSet) -> Vec<String> {
    let mut lines = Vec::new();
    let count = set.pending(&mut |line| lines.push(line.to_owned())).expect("reads");
    assert_eq!(count, lines.len() as u64);
    lines
}

/// A step of a user of a set.
#[derive(Clone, Debug)]
enum Step {
    Add(Vec<u64>),
    Acknowledge,
    Pending,
    Compact,
    Close,
    Kill,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => prop::collection::vec(0_u64..2000, 0..200).prop_map(Step::Add),
        2 => Just(Step::Acknowledge),
        1 => Just(Step::Pending),
        1 => Just(Step::Compact),
        1 => Just(Step::Close),
        2 => Just(Step::Kill),
    ];
    prop::collection::vec(step, 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// A set answers as a set in memory does, and what is not acknowledged is pending.
    #[test]
    fn matches_the_model(steps in steps(), width in prop::sample::select(vec![16, 20])) {
        let (_directory, path) = folder();
        let open = || SeenSet::open(&path, &keys_of(width)).expect("opens").at_least_once();
        let mut set = open();
        let mut known = HashSet::new();
        // Lines of this set, lines that it did not take over, and those that are acknowledged and perhaps not
        // recorded.
        let (mut due, mut left, mut unsure): (Vec<String>, Vec<String>, Vec<String>) = Default::default();
        for step in steps {
            match step {
                Step::Add(numbers) => {
                    let expected: Vec<u64> =
                        numbers.iter().copied().filter(|number| known.insert(*number)).collect();
                    prop_assert_eq!(add(&mut set, &numbers, width), &expected[..]);
                    if !expected.is_empty() {
                        unsure.clear();
                    }
                    due.extend(expected.iter().map(u64::to_string));
                }
                Step::Acknowledge => {
                    set.acknowledge();
                    unsure.append(&mut due);
                }
                Step::Pending => {
                    prop_assert_eq!(set.undelivered(&mut |_| {}).expect("reads"), left.len() as u64);
                    due.append(&mut left);
                    let mut found = pending(&mut set);
                    found.sort();
                    due.sort();
                    prop_assert_eq!(&found, &due);
                }
                Step::Compact => set.compact().expect("compacts"),
                Step::Close => {
                    std::mem::replace(&mut set, SeenSet::open(&path.with_extension("other"), &keys_of(width)).expect("opens"))
                        .close()
                        .expect("closes");
                    set = open();
                    left.append(&mut due);
                    unsure.clear();
                }
                Step::Kill => {
                    drop(std::mem::replace(&mut set, SeenSet::open(&path.with_extension("other"), &keys_of(width)).expect("opens")));
                    set = open();
                    left.append(&mut due);
                    // Nobody can know whether those were recorded: what is pending is all that is due, and
                    // some of these.
                    let mut found = Vec::new();
                    set.pending(&mut |line| found.push(line.to_owned())).expect("reads");
                    for line in &left {
                        prop_assert!(found.contains(line), "{line} is lost");
                    }
                    prop_assert!(found.iter().all(|line| left.contains(line) || unsure.contains(line)));
                    unsure.clear();
                    left.clear();
                    due = found;
                }
            }
            prop_assert_eq!(set.len(), known.len() as u64);
        }
        let file = SeenFile::open(&path).expect("opens beside the writer");
        let all: Vec<SeenKey> = (0..2000).map(|number| key(number, width)).collect();
        let found = file.contains(&all).expect("reads");
        prop_assert!((0..2000).zip(found).all(|(number, is_known)| is_known == known.contains(&number)));
        let certain = (due.len() + left.len()) as u64;
        prop_assert!((certain..=certain + unsure.len() as u64).contains(&file.pending_lines()));
        let verified = SeenFile::verify(&path).expect("reads");
        prop_assert_eq!((verified.keys, verified.faults), (known.len() as u64, vec![]));
    }
}

#[test]
fn a_second_writer_is_rejected() {
    let (_directory, path) = folder();
    let set = open(&path);
    let error = SeenSet::open(&path, &keys_of(16)).expect_err("is in use");
    assert!(error.is(error::IN_USE), "{error}");
    drop(set);
    open(&path);
}

#[test]
fn other_keys_are_not_added() {
    let (_directory, path) = folder();
    drop(open(&path));
    for other in [Keys::of_form(&"surt-0.3.1".parse().expect("a form")), Keys::fingerprints("web")] {
        let error = SeenSet::open(&path, &other).expect_err("is of another form");
        assert!(error.is(error::MIXED), "{error}");
    }
    let mut later = keys_of(16);
    later.description.snapshot.psl_sha256 = "0".repeat(64);
    drop(SeenSet::open(&path, &later).expect("the form needs no suffix list"));
    later.description.snapshot.host_mapping = "0123456789abcdef".to_owned();
    let error = SeenSet::open(&path, &later).expect_err("has other hosts");
    assert!(error.is(error::SNAPSHOT), "{error}");
}

#[test]
fn keys_are_looked_up_and_files_are_read_while_keys_are_added() {
    let (_directory, path) = folder();
    let mut set = open(&path);
    let lookup = set.lookup();
    std::thread::scope(|scope| {
        let (answered, last) = std::sync::mpsc::channel::<u64>();
        let readers = scope.spawn(move || {
            for last in last {
                let keys: Vec<SeenKey> = (0..last).map(|number| key(number, 16)).collect();
                assert!(lookup.contains(&keys).expect("reads").into_iter().all(|is_known| is_known));
                if last.is_multiple_of(400) {
                    let file = SeenFile::open(&path).expect("opens");
                    assert!(file.contains(&keys).expect("reads").into_iter().all(|is_known| is_known));
                }
            }
        });
        for start in (0..6000).step_by(40) {
            assert_eq!(add(&mut set, &(start..start + 40).collect::<Vec<_>>(), 16).len(), 40);
            set.acknowledge();
            answered.send(start + 40).expect("is read");
        }
        drop(answered);
        readers.join().expect("no panic");
    });
    // Old logs and merged files are gone.
    set.compact().expect("compacts");
    set.close().expect("closes");
}

#[test]
fn a_compacted_set_is_one_file_of_little_more_than_its_keys() {
    for (width, most) in [(16, 24), (20, 28)] {
        let (_directory, path) = folder();
        let mut set = SeenSet::open(&path, &keys_of(width)).expect("opens");
        for start in (0..60_000).step_by(5000) {
            add(&mut set, &(start..start + 5000).collect::<Vec<_>>(), width);
        }
        set.compact().expect("compacts");
        set.close().expect("closes");
        let files = fs::read_dir(&path).expect("lists").map(|entry| entry.expect("lists").path());
        let files: Vec<PathBuf> = files.collect();
        let bytes: u64 = files.iter().map(|file| file.metadata().expect("is there").len()).sum();
        assert!(bytes < 60_000 * most, "{bytes} bytes: {files:?}");
        assert_eq!(SeenFile::open(&path).expect("opens").files(), 1);
    }
}

/// Works with a set whose disk fails at some places, once or from then on. Returns whether it did.
fn work(failing: std::ops::Range<u64>) -> bool {
    let (_directory, path) = folder();
    // Files of earlier keys, so that some merges are under way from the first batch on.
    let mut set = open(&path);
    for start in (0..320).step_by(80) {
        add_some(&mut set, start..start + 80).expect("the disk works");
    }
    set.acknowledge();
    set.close().expect("the disk works");
    let (mut answered, mut due) = ((0..320).collect::<HashSet<u64>>(), HashSet::new());
    let faults = Faults::begin(failing.clone());
    if let Ok(set) = SeenSet::open(&path, &keys_of(16)) {
        let mut set = set.at_least_once();
        for start in (300..900).step_by(30) {
            // After a failure the set goes on or says that it does not.
            if let Ok(new) = add_some(&mut set, start..start + 30) {
                due.extend(new);
                answered.extend(start..start + 30);
            }
            if start % 90 == 0 {
                set.acknowledge();
                due.clear();
            }
            if start == 600 {
                let _ = set.compact();
            }
            assert_eq!(set.lookup().contains(&[key(start, 16)]).expect("reads"), [answered.contains(&start)]);
        }
        if failing.start.is_multiple_of(2) {
            let _ = set.close();
        }
    }
    let has_failed = faults.have_happened();
    inherit(None);
    let verified = SeenFile::verify(&path).expect("reads");
    assert_eq!(verified.faults, [], "{failing:?}");
    let mut set = open(&path);
    let found = pending(&mut set);
    for line in due.iter().map(u64::to_string) {
        assert!(found.contains(&line), "{line} is lost: {failing:?}");
    }
    let mut again: Vec<u64> = add_some(&mut set, 0..1000).expect("the disk works");
    again.retain(|number| answered.contains(number));
    assert!(again.is_empty(), "{again:?} were answered and are not stored: {failing:?}");
    // Whatever the other set left is removed: a file that is named by nobody would be a finding, or stay for
    // ever.
    set.close().expect("the disk works");
    let files = std::fs::read_dir(&path).expect("lists").count();
    let named = SeenFile::open(&path).expect("opens");
    assert_eq!(files, named.manifest.logs.len() + named.manifest.runs.len() + 2, "{failing:?}");
    has_failed
}

#[test]
fn answers_survive_a_disk_failure_at_any_point() {
    let mut places = 0;
    while work(places..places + 1) | work(places..u64::MAX) {
        places += 1;
    }
    // Logs, pages, syncs and descriptions of twenty batches.
    assert!(places > 60, "{places}");
}
