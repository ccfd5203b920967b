//! Sets beside a model, cut and damaged files, several users of one folder. Sorted files have 64 keys and more here.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use urlid_canonical::Form;

use crate::manifest::Numbered;
use crate::{Key, Keys, SeenFile, SeenSet, digest, error};

fn keys_of(width: usize) -> Keys {
    match width {
        16 => Keys::of_form(&"web".parse::<Form>().expect("a form")),
        _ => Keys::fingerprints("test"),
    }
}

/// The key of a number, spread as a digest is.
fn key(number: u64, width: usize) -> Key {
    let halves = [digest(&number.to_string()), digest(&format!("{number}b"))].map(u128::to_le_bytes);
    Key::new(&halves.as_flattened()[..width]).expect("16 or 20 bytes")
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("seen");
    (directory, path)
}

fn open(path: &Path) -> SeenSet {
    SeenSet::open(path, &keys_of(16)).expect("opens").at_least_once()
}

/// Adds numbers, and returns those that were new.
fn add(set: &mut SeenSet, numbers: &[u64], width: usize) -> Vec<u64> {
    let keys: Vec<Key> = numbers.iter().map(|number| key(*number, width)).collect();
    let texts: Vec<String> = numbers.iter().map(u64::to_string).collect();
    let (mut new, mut next) = (Vec::new(), 0);
    set.add(&keys, |index| &texts[index], &mut |index, is_new| {
        assert_eq!(index, next);
        next += 1;
        if is_new {
            new.push(numbers[index]);
        }
    })
    .expect("adds");
    assert_eq!(next, numbers.len());
    new
}

fn pending(set: &mut SeenSet) -> Vec<String> {
    let mut lines = Vec::new();
    let count = set.pending(&mut |line| lines.push(line.to_owned())).expect("reads");
    assert_eq!(count, lines.len() as u64);
    lines
}

/// What a user of a set does.
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
    fn a_set_is_as_its_model(steps in steps(), width in prop::sample::select(vec![16, 20])) {
        let (_directory, path) = folder();
        let open = || SeenSet::open(&path, &keys_of(width)).expect("opens").at_least_once();
        let mut set = open();
        let mut known = HashSet::new();
        // Lines of this set, lines that it did not take over, and those that are acknowledged and perhaps not recorded.
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
                    prop_assert_eq!(set.left_behind().expect("reads"), left.len() as u64);
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
                    // Nobody can know whether those were recorded: what is pending is all that is due, and some of these.
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
        let all: Vec<Key> = (0..2000).map(|number| key(number, width)).collect();
        let found = file.contains(&all).expect("reads");
        prop_assert!((0..2000).zip(found).all(|(number, is_known)| is_known == known.contains(&number)));
        let certain = (due.len() + left.len()) as u64;
        prop_assert!((certain..=certain + unsure.len() as u64).contains(&file.pending_lines()));
        let verified = SeenFile::verify(&path).expect("reads");
        prop_assert_eq!((verified.keys, verified.faults), (known.len() as u64, vec![]));
    }
}

/// The bytes of a file, cut at every length: what was answered before the last record is there, and the set goes on.
#[test]
fn a_log_that_was_cut_while_it_was_written_keeps_what_was_answered() {
    let (_directory, path) = folder();
    let mut set = open(&path);
    add(&mut set, &[1, 2, 3], 16);
    let log = Numbered::Log.path(&path, 1);
    let before = fs::read(&log).expect("reads").len();
    add(&mut set, &[4, 5], 16);
    let whole = fs::read(&log).expect("reads");
    drop(set);
    for len in before..=whole.len() {
        fs::write(&log, &whole[..len]).expect("writes");
        let mut set = open(&path);
        assert_eq!(set.len(), if len == whole.len() { 5 } else { 3 }, "{len}");
        assert_eq!(pending(&mut set).len() as u64, set.len());
        assert_eq!(add(&mut set, &[3, 6], 16), [6]);
        drop(set);
        assert_eq!(open(&path).len(), if len == whole.len() { 6 } else { 4 }, "{len}");
    }
    // A sector that never reached the disk is read as zeros.
    let mut set = open(&path);
    fs::write(&log, &whole[..before]).expect("writes");
    drop(set);
    set = open(&path);
    add(&mut set, &(100..160).collect::<Vec<_>>(), 16);
    drop(set);
    let mut torn = fs::read(&log).expect("reads");
    torn[1024..1536].fill(0);
    fs::write(&log, &torn).expect("writes");
    assert_eq!(open(&path).len(), 3);
}

/// A sector of zeros is no torn record if another one follows: what follows was answered.
#[test]
fn a_record_that_is_lost_amid_others_is_damage() {
    let (_directory, path) = folder();
    let mut set = open(&path);
    let log = Numbered::Log.path(&path, 1);
    let lens: Vec<usize> = [0_u64, 20, 40]
        .map(|start| {
            add(&mut set, &(start..start + 20).collect::<Vec<_>>(), 16);
            fs::read(&log).expect("reads").len()
        })
        .into();
    drop(set);
    let whole = fs::read(&log).expect("reads");
    // The header of the second record, its payload, or both.
    for lost in [lens[0]..lens[0] + 12, lens[0] + 12..lens[1], lens[0]..lens[1]] {
        let mut torn = whole.clone();
        torn[lost.clone()].fill(0);
        fs::write(&log, &torn).expect("writes");
        let error = SeenSet::open(&path, &keys_of(16)).expect_err("is damaged");
        assert!(error.is(error::DAMAGED), "{lost:?}: {error}");
        assert_eq!(fs::read(&log).expect("reads"), torn);
        // As the last record it was never answered.
        fs::write(&log, &torn[..lens[1]]).expect("writes");
        if lost.start == lens[0] {
            assert_eq!(SeenSet::open(&path, &keys_of(16)).expect("opens").len(), 20);
        }
    }
}

#[test]
fn a_log_that_is_cut_after_the_set_was_closed_is_damaged() {
    let (_directory, path) = folder();
    let mut set = open(&path);
    add(&mut set, &[1, 2, 3], 16);
    set.close().expect("closes");
    let log = Numbered::Log.path(&path, 1);
    let whole = fs::read(&log).expect("reads");
    for len in 0..whole.len() {
        fs::write(&log, &whole[..len]).expect("writes");
        let error = SeenSet::open(&path, &keys_of(16)).expect_err("is damaged");
        assert!(error.is(error::DAMAGED), "{len}: {error}");
    }
}

/// Every bit of every file of a set decides something, and none that is flipped gives a wrong answer in silence.
#[test]
fn every_flipped_bit_is_found() {
    let (_directory, path) = folder();
    let mut set = open(&path);
    let numbers: Vec<u64> = (0..700).collect();
    for part in numbers.chunks(50) {
        add(&mut set, part, 16);
    }
    set.close().expect("closes");
    let keys: Vec<Key> = numbers.iter().map(|number| key(*number, 16)).collect();
    let mut files = 0;
    for entry in fs::read_dir(&path).expect("lists") {
        let file = entry.expect("lists").path();
        let whole = fs::read(&file).expect("reads");
        files += usize::from(!whole.is_empty());
        // Every byte of the short ones, one bit each; primes, so that every part of a page and of a record is met.
        for at in (0..whole.len()).step_by(if whole.len() > 2048 { 61 } else { 1 }) {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(&file, &flipped).expect("writes");
            let faults = SeenFile::verify(&path).map(|verified| verified.faults.len());
            let is_blank = file.ends_with("seen.json")
                && flipped[at].is_ascii_whitespace()
                && whole[at].is_ascii_whitespace();
            assert!(is_blank || !matches!(faults, Ok(0)), "{}: byte {at}", file.display());
            if let Ok(answers) = SeenFile::open(&path).and_then(|set| set.contains(&keys)) {
                assert!(answers.iter().all(|is_known| *is_known), "{}: byte {at}", file.display());
            }
        }
        fs::write(&file, &whole).expect("writes");
    }
    assert!(files >= 4, "{files}");
    assert_eq!(SeenFile::verify(&path).expect("reads").faults, []);
}

#[test]
fn a_missing_or_foreign_file_is_named() {
    let (_directory, path) = folder();
    let mut set = open(&path);
    add(&mut set, &(0..100).collect::<Vec<_>>(), 16);
    add(&mut set, &(100..110).collect::<Vec<_>>(), 16);
    set.close().expect("closes");
    fs::write(path.join("notes.txt"), "mine").expect("writes");
    let faults = SeenFile::verify(&path).expect("reads").faults;
    assert!(faults.len() == 1 && faults[0].0.to_string().contains("notes.txt"), "{faults:?}");
    fs::remove_file(path.join("notes.txt")).expect("removes");
    for entry in fs::read_dir(&path).expect("lists") {
        let file = entry.expect("lists").path();
        let bytes = fs::read(&file).expect("reads");
        if bytes.is_empty() {
            continue;
        }
        fs::remove_file(&file).expect("removes");
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let error = SeenSet::open(&path, &keys_of(16)).expect_err("lacks a file");
        assert!(error.to_string().contains(&name), "{error}");
        fs::write(&file, &bytes).expect("writes");
    }
    open(&path).close().expect("closes");
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let (directory, path) = folder();
    fs::write(&path, "a file").expect("writes");
    let other = directory.path().join("other");
    fs::create_dir(&other).expect("makes");
    fs::write(other.join("thesis.txt"), "mine").expect("writes");
    for path in [&path, &other] {
        let error = SeenSet::open(path, &keys_of(16)).expect_err("is something else");
        assert!(error.is(error::FOREIGN), "{error}");
        assert!(SeenFile::open(path).is_err());
    }
    assert_eq!(fs::read_dir(&other).expect("lists").count(), 1);
}

#[test]
fn there_is_one_writer_and_it_says_so() {
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
    later.snapshot.psl_sha256 = "0".repeat(64);
    drop(SeenSet::open(&path, &later).expect("the form needs no suffix list"));
    later.snapshot.host_mapping = "0123456789abcdef".to_owned();
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
                let keys: Vec<Key> = (0..last).map(|number| key(number, 16)).collect();
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
