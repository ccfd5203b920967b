//! Files that were cut, lost, flipped or put there by somebody else.

use std::fs;

use super::{add, folder, key, keys_of, open, pending};
use crate::seen::manifest::Numbered;
use crate::seen::{SeenFile, SeenKey, SeenSet, error};

/// The bytes of a file, cut at every length: what was answered before the last record is there, and the set
/// goes on.
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

/// Long files without content, whose headers claim what they have.
#[test]
fn a_record_that_claims_gigabytes_is_not_read_into_memory() {
    let (_directory, path) = folder();
    let mut set = open(&path);
    add(&mut set, &[1, 2, 3], 16);
    drop(set);
    let log = Numbered::Log.path(&path, 1);
    let whole = fs::read(&log).expect("reads");
    let before = urlid_testing::memory::peak(std::process::id());
    for (claimed, len, opens) in [
        // More than any writer writes, and as much as the length says.
        (Some(u32::MAX), whole.len() as u64 + 12 + u64::from(u32::MAX), false),
        (Some(u32::MAX), whole.len() as u64 + 20, false),
        // What a writer may have begun before the power failed: the checksum of zeros is not 1.
        (Some(250 << 20), whole.len() as u64 + 12 + (250 << 20), true),
        (Some(250 << 20), 3 << 30, true),
        (None, 3 << 30, true),
    ] {
        let mut header = claimed.map_or([0; 4], u32::to_le_bytes).to_vec();
        header.extend([1, 0, 0, 0]);
        header.extend(crc32fast::hash(&header).to_le_bytes());
        header.truncate(if claimed.is_some() { 12 } else { 0 });
        fs::write(&log, [&whole[..], &header].concat()).expect("writes");
        fs::File::options().write(true).open(&log).and_then(|file| file.set_len(len)).expect("has room");
        match SeenSet::open(&path, &keys_of(16)) {
            Ok(set) => assert!(opens && set.len() == 3, "{claimed:?} of {len}"),
            Err(error) => assert!(!opens && error.is(error::DAMAGED), "{claimed:?} of {len}: {error}"),
        }
    }
    if let (Some(before), Some(after)) = (before, urlid_testing::memory::peak(std::process::id())) {
        assert!(after - before < 64 << 20, "{} MiB", (after - before) >> 20);
    }
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

/// Every bit of every file of a set decides something, and none that is flipped gives a wrong answer in
/// silence.
#[test]
fn every_flipped_bit_is_found() {
    let (_directory, path) = folder();
    let mut set = open(&path);
    let numbers: Vec<u64> = (0..700).collect();
    for part in numbers.chunks(50) {
        add(&mut set, part, 16);
    }
    set.close().expect("closes");
    let keys: Vec<SeenKey> = numbers.iter().map(|number| key(*number, 16)).collect();
    let mut files = 0;
    for entry in fs::read_dir(&path).expect("lists") {
        let file = entry.expect("lists").path();
        let whole = fs::read(&file).expect("reads");
        files += usize::from(!whole.is_empty());
        // Every byte of the short ones, one bit each; primes, so that every part of a page and of a record is
        // met.
        for at in (0..whole.len()).step_by(if whole.len() > 2048 { 61 } else { 1 }) {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(&file, &flipped).expect("writes");
            let faults = SeenFile::verify(&path).map(|verified| verified.faults.len());
            assert!(!matches!(faults, Ok(0)), "{}: byte {at}", file.display());
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

/// Files of two sets under one name, each intact, of as many keys.
#[test]
fn a_set_does_not_read_the_file_of_a_different_set() {
    let sets = [0, 1000].map(|start| {
        let (directory, path) = folder();
        let mut set = open(&path);
        add(&mut set, &(start..start + 100).collect::<Vec<_>>(), 16);
        set.compact().expect("compacts");
        set.close().expect("closes");
        (directory, path)
    });
    let [mine, other] = [0, 1].map(|index| {
        let is_run = |path: &std::path::PathBuf| path.extension().is_some_and(|extension| extension == "run");
        let files = fs::read_dir(&sets[index].1).expect("lists").map(|entry| entry.expect("lists").path());
        files.filter(is_run).collect::<Vec<_>>()
    });
    assert_eq!((mine.len(), other.len()), (1, 1));
    fs::copy(&other[0], &mine[0]).expect("copies");
    let error = SeenSet::open(&sets[0].1, &keys_of(16)).expect_err("is another file");
    assert!(error.to_string().contains("does not name"), "{error}");
    assert_eq!(SeenFile::verify(&sets[0].1).expect("reads").faults.len(), 1);
}

#[test]
fn a_foreign_folder_is_unchanged() {
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
