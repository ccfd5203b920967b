//! The disk fails at each place where it can: what was answered is there, what was not acknowledged is
//! pending.

use std::collections::HashSet;

use super::{add_some, folder, key, keys_of, open, pending};
use crate::seen::fault::{Faults, inherit};
use crate::seen::{SeenFile, SeenSet};

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
fn what_was_answered_outlasts_a_disk_that_fails_at_any_place() {
    let mut places = 0;
    while work(places..places + 1) | work(places..u64::MAX) {
        places += 1;
    }
    // Logs, pages, syncs and descriptions of twenty batches.
    assert!(places > 60, "{places}");
}
