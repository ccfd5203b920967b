//! Every committed input goes through its target, and every target has some.

use std::path::Path;

#[test]
fn every_committed_input_passes_its_target() {
    for (name, target) in super::TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let paths: Vec<_> = entries.map(|entry| entry.expect("the folder is readable").path()).collect();
        assert!(!paths.is_empty(), "{name} has no inputs");
        for path in paths {
            target(&std::fs::read(&path).expect("the input is readable"));
        }
    }
}

#[test]
fn every_target_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_targets");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder is readable")
        .map(|entry| entry.expect("the folder is readable").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    assert_eq!(names, super::TARGETS.map(|(name, _)| name));
}
