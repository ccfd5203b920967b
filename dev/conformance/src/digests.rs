//! Compares the library's results for every code point with the committed digests in
//! `dev/conformance/digests`.
//!
//! Live implementations gave the same answers as these digests (`cargo xtask proof profiles`).

use std::path::PathBuf;
use std::sync::Mutex;

use sweep::{Block, Reach, Record, SHAPES, Shape, digest};
use urlid_canonical::{Form, Profile};

use crate::live::{CodePoints, Selection, has_one_of};
use crate::parallel;

/// The number of turns. Each commit tests one of this many groups of the shapes that are not parts of a URL.
const TURNS: usize = 8;

/// Returns the profiles, shapes and blocks whose answers differ from the recorded ones. The parts of a URL
/// are compared for all code points, and the other shapes if it is their turn in this commit.
///
/// # Panics
/// Panics if a record is missing or damaged.
pub fn differences() -> Vec<String> {
    let shapes = shapes_of_this_run();
    let differences = Mutex::new(Vec::new());
    parallel::for_each(frozen(), |profile| {
        let found = differences_of(profile, &shapes);
        differences.lock().expect("no thread panics while it has the lock").extend(found);
    });
    differences.into_inner().expect("no thread panics while it has the lock")
}

/// Records the answers of this build for the profiles whose names contain one of these parts, or for all
/// profiles without parts.
///
/// # Panics
/// Panics if a record cannot be written.
pub fn write(parts: &[String]) {
    parallel::for_each(frozen().filter(|name| has_one_of(parts, name)), write_one);
}

/// Returns the profiles that freeze a different implementation. The other profiles follow specifications,
/// and `web` and `sxurl` also the Unicode data of the snapshot.
fn frozen() -> impl Iterator<Item = &'static str> + Send {
    Profile::all().iter().filter(|profile| profile.runtime.is_some()).map(|profile| profile.name)
}

/// Returns the parts of a URL, and the other shapes whose turn it is. In the proof, returns all shapes.
fn shapes_of_this_run() -> Vec<&'static Shape> {
    let turn = match Selection::of_this_commit().code_points {
        CodePoints::Sample(number) => Some(number as usize % TURNS),
        CodePoints::All | CodePoints::Assigned => None,
    };
    let is_wanted = |(index, shape): &(usize, &Shape)| {
        shape.reach == Reach::Every || turn.is_none_or(|turn| index % TURNS == turn)
    };
    SHAPES.iter().enumerate().filter(is_wanted).map(|(_, shape)| shape).collect()
}

fn differences_of(profile: &str, shapes: &[&Shape]) -> Vec<String> {
    let path = path(profile);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let record: Record = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut differences = Vec::new();
    each_digest(profile, shapes, |shape, block, found| {
        if record.digest(shape.name, block) != Some(found) {
            differences.push(format!("{profile}, {}: {block}", shape.name));
        }
    });
    differences
}

fn write_one(profile: &str) {
    let mut record = Record::default();
    let shapes: Vec<&Shape> = SHAPES.iter().collect();
    each_digest(profile, &shapes, |shape, block, digest| record.push(shape.name, block, digest));
    let path = path(profile);
    std::fs::create_dir_all(path.parent().expect("a record is in a folder")).expect("the folder can be made");
    std::fs::write(path, record.to_string()).expect("the record can be written");
}

fn each_digest(profile: &str, shapes: &[&Shape], mut each: impl FnMut(&Shape, Block, u32)) {
    let form: Form = profile.parse().expect("the profile is in the list");
    let mut canonicalizer = form.canonicalizer();
    let mut answer = |text: &str, form: &mut String| canonicalizer.canonicalize_into(text, form).is_ok();
    for shape in shapes {
        for block in blocks(profile, shape.reach) {
            each(shape, block, digest(shape, block.code_points(), &mut answer));
        }
    }
}

/// Returns the blocks that have digests. A fingerprint is a digest itself, so all blocks of fingerprints
/// differ, and they are recorded by planes.
fn blocks(profile: &str, reach: Reach) -> Box<dyn Iterator<Item = Block>> {
    if profile.starts_with("scrapy-") { Box::new(Block::planes(reach)) } else { Box::new(Block::all(reach)) }
}

fn path(profile: &str) -> PathBuf {
    urlid_testing::root().join(format!("dev/conformance/digests/{}.txt", profile.replace('/', "_")))
}
