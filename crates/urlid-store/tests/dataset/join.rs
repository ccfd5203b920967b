//! Datasets of ranges of keys, joined: the same rows as a dataset that is built at once.

use std::fs;
use std::path::{Path, PathBuf};

use urlid::ErrorCode;
use urlid::suffix::{Sections, SuffixList};
use urlid_canonical::Form;
use urlid_store::dataset::{
    BuildOptions, Builder, DESCRIPTION_FILE, Dataset, SUFFIX_LIST_FILE, join, sort_key,
};
use urlid_store::question::Question;

use crate::{build_as, find, generated};

fn build(path: &Path, lines: &[String], options: BuildOptions) {
    let builder = Builder::begin(path, SuffixList::compiled(), options).expect("begins");
    let mut adder = builder.adder();
    for line in lines {
        adder.push(line).expect("there is room");
    }
    drop(adder);
    builder.finish().expect("is built");
}

fn description(folder: &Path) -> Vec<u8> {
    fs::read(folder.join(DESCRIPTION_FILE)).expect("is read")
}

/// Moves the files of datasets into one.
fn join_into(target: &Path, folders: &[PathBuf]) {
    let texts: Vec<_> = folders.iter().map(|folder| description(folder)).collect();
    let joined = join(&texts).expect("are alike");
    fs::create_dir(target).expect("is made");
    for file in &joined.files {
        let old = folders[file.dataset].join(&file.old_name);
        fs::rename(old, target.join(&file.new_name)).expect("is moved");
    }
    fs::copy(folders[0].join(SUFFIX_LIST_FILE), target.join(SUFFIX_LIST_FILE)).expect("is copied");
    fs::write(target.join(DESCRIPTION_FILE), &joined.description).expect("is written");
    assert_eq!(Dataset::open(target, &[]).and_then(|joined| joined.rows()), Ok(joined.rows));
}

#[test]
fn joined_ranges_have_the_rows_of_one_build_in_the_same_order() {
    let list = SuffixList::compiled();
    for form in [None, Some("web+drop-fragment".parse::<Form>().expect("a form"))] {
        let directory = tempfile::tempdir().expect("a directory");
        let options = || BuildOptions { form: form.clone(), ..BuildOptions::default() };
        let mut lines = generated(3_000, 7);
        lines.retain(|line| sort_key(line, list, form.as_ref()).is_ok());
        // Equal rows have equal keys, so a range has all of them.
        lines.extend_from_within(..500);
        lines.sort_by_key(|line| sort_key(line, list, form.as_ref()).expect("was kept"));
        let key = |index: usize| sort_key(&lines[index], list, form.as_ref()).ok();
        let mut bounds = vec![0, 0, 1, lines.len() / 3, lines.len() - 1, lines.len()];
        for bound in &mut bounds {
            while *bound > 0 && *bound < lines.len() && key(*bound) == key(*bound - 1) {
                *bound += 1;
            }
        }
        let mut folders = Vec::new();
        for (number, ends) in bounds.windows(2).enumerate() {
            let folder = directory.path().join(number.to_string());
            build(&folder, &lines[ends[0]..ends[1]], options());
            folders.push(folder);
        }
        folders.reverse();
        let (joined, whole) = (directory.path().join("joined"), directory.path().join("whole"));
        join_into(&joined, &folders);
        build_as(&whole, &lines, list, options());
        let dataset = |path| Dataset::open(path, &[]).expect("opens");
        let rows = |path| find(&dataset(path), &Question::default()).expect("is whole");
        let found = rows(&joined);
        assert!(found.len() > 1_000 && found == rows(&whole));
        let joined = Dataset::open(&joined, &[]).expect("opens");
        assert_eq!(joined.verify_rows(), (found.len() as u64, Vec::new()));
    }
}

#[test]
fn ranges_without_rows_are_one_empty_dataset() {
    let directory = tempfile::tempdir().expect("a directory");
    let folders = ["a", "b"].map(|name| directory.path().join(name));
    for folder in &folders {
        build(folder, &[], BuildOptions::default());
    }
    let target = directory.path().join("urls");
    join_into(&target, &folders);
    assert_eq!(Dataset::open(&target, &[]).expect("opens").verify_rows(), (0, Vec::new()));
}

#[test]
fn datasets_that_differ_are_not_joined() {
    let directory = tempfile::tempdir().expect("a directory");
    let line = "https://docs.rs/".to_owned();
    let make = |name: &str, options| {
        let folder = directory.path().join(name);
        build(&folder, std::slice::from_ref(&line), options);
        description(&folder)
    };
    let plain = make("plain", BuildOptions::default());
    let form = Some("web".parse().expect("a form"));
    let in_form = make("form", BuildOptions { form, ..BuildOptions::default() });
    let with_ids = make("ids", BuildOptions { with_ids: true, ..BuildOptions::default() });
    let icann = directory.path().join("icann");
    let list = SuffixList::compiled_with(Sections::Icann);
    build_as(&icann, std::slice::from_ref(&line), list, BuildOptions::default());
    let icann = description(&icann);

    let code = |texts: &[&[u8]]| join(texts).expect_err("they differ").code();
    assert_eq!(code(&[&plain, &icann]), ErrorCode::Snapshot);
    assert_eq!(code(&[&plain, &in_form]), ErrorCode::CanonMixed);
    assert_eq!(code(&[&plain, &with_ids]), ErrorCode::IndexDamaged);
    assert_eq!(code(&[&plain, b"{}"]), ErrorCode::IndexDamaged);
    assert_eq!(code(&[]), ErrorCode::IndexDamaged);
    // One byte of a text that its checksum is of.
    let changed =
        String::from_utf8(plain.clone()).expect("is text").replacen("\"rows\": 1", "\"rows\": 2", 2);
    assert_eq!(code(&[changed.as_bytes()]), ErrorCode::IndexDamaged);
}
