//! Counts instructions by callgrind, a tool of valgrind. It is an emulator, so the count does not depend on
//! a clock or the load.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};

use urlid_testing::not_run;

use crate::law::{Series, Unit};
use crate::{runs, worker};

/// Runs the worker under callgrind and returns the number of instructions of each run. If valgrind is missing,
/// records that the check was not run.
///
/// A profile starts with an operation and ends when `end_of_operation` returns. One file has all profiles,
/// one after the other.
pub(crate) fn count() -> Option<Vec<Series>> {
    let is_there = std::process::Command::new("valgrind").arg("--version").output().is_ok();
    if !is_there {
        not_run("valgrind, a package of most distributions");
        return None;
    }
    let folder = tempfile::tempdir().expect("there is room for profiles");
    let path = folder.path().join("profiles");
    let file = format!("--callgrind-out-file={}", path.display());
    let runner = [
        "valgrind",
        "--tool=callgrind",
        "--dump-after=*end_of_operation*",
        "--combine-dumps=yes",
        "--dump-line=no",
        "--compress-strings=no",
        "--compress-pos=no",
        &file,
    ];
    let report = worker::run_worker(&runner, Unit::Instructions);
    let profiles = profiles(std::fs::File::open(path).expect("callgrind wrote it"));
    Some(worker::series(&report, |operation, run, _| profiles[operation][&run]))
}

/// Reads the instructions of each run from each profile.
///
/// A function is a paragraph of the profile. It has `fn=` and its name, and for every called function
/// `cfn=`, `calls=`, and a line with the position and the cost of the call.
fn profiles(file: impl Read) -> Vec<HashMap<usize, u64>> {
    let (mut profiles, mut caller, mut run, mut is_cost) = (Vec::new(), String::new(), None, false);
    for line in BufReader::new(file).lines() {
        let line = line.expect("callgrind writes text");
        if line.starts_with("part: ") {
            profiles.push(HashMap::new());
        } else if let Some(name) = line.strip_prefix("fn=") {
            name.clone_into(&mut caller);
        } else if let Some(name) = line.strip_prefix("cfn=") {
            run = runs::number(&caller, name);
        } else if line.starts_with("calls=") {
            is_cost = true;
        } else if std::mem::take(&mut is_cost)
            && let (Some(run), Some(profile)) = (run.take(), profiles.last_mut())
        {
            let cost = line.rsplit(' ').next().and_then(|cost| cost.parse().ok());
            profile.insert(run, cost.expect("a cost is a number"));
        }
    }
    profiles
}
