//! `cargo xtask proof compilers [NAME…]`: checks that builds by other compilers, with other libraries and
//! for other platforms give the same bytes.
//!
//! Each build is a small program of only the library (`dev/conformance/probe`), because it has all forms,
//! identifiers and vectors, and a standard library is built with it. The others are compared with the build
//! of this toolchain.

mod builds;
mod differences;
mod patched;

use std::path::Path;

use builds::{BUILDS, Build, Probe};

use crate::command::{cache, report, root};

/// Runs all builds, or the named ones.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let folder = cache()?.join("compilers");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let is_wanted = |build: &&Build| args.is_empty() || args.iter().any(|name| name == build.name);
    let baseline = builds::baseline(&folder)?;
    let mut failed = Vec::new();
    for build in BUILDS.iter().filter(is_wanted) {
        report(&format!("== {}: {}", build.name, build.about));
        if let Err(message) = compare(build, &baseline, &folder) {
            report(&message);
            failed.push(build.name);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("other bytes, or not run: {}", failed.join(", "))) }
}

fn compare(build: &Build, baseline: &Probe, folder: &Path) -> Result<(), String> {
    let probe = (build.make)(folder)?;
    let one_in = one_in(build)?;
    let mut found = differences::of_digests(baseline, &probe, one_in)?;
    found.extend(differences::of_vectors(baseline, &probe, &vectors()?)?);
    let Some(expected) = build.expected else {
        return if found.is_empty() {
            report(&format!("{}: the same bytes, of one code point in {one_in}", build.name));
            Ok(())
        } else {
            Err(found.join("\n"))
        };
    };
    differences::check(&root()?.join(expected), &found)
}

/// Returns the number of code points of which one is compared. The build or `URLID_ONE_IN` sets it.
fn one_in(build: &Build) -> Result<u32, String> {
    match std::env::var("URLID_ONE_IN") {
        Ok(text) => text.parse().map_err(|error| format!("URLID_ONE_IN: {error}")),
        Err(_) => Ok(build.one_in),
    }
}

/// Returns the files of vectors, as arguments that are relative to the root.
fn vectors() -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(root()?.join("vectors")).map_err(|error| format!("vectors: {error}"))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut files: Vec<String> =
        names.filter(|name| name.ends_with(".json")).map(|name| format!("vectors/{name}")).collect();
    files.sort();
    Ok(files)
}
