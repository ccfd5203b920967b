//! Keys of lists that are written.

use std::fs;

use super::*;

#[cfg(unix)]
#[test]
fn a_pair_of_keys_is_there_as_a_whole_or_not_at_all() {
    let folder = Folder::new();
    let key = |before: &str, public: &str| {
        let script = format!("{before} && exec \"$0\" list key --secret s --public {public}");
        let mut shell = std::process::Command::new("sh");
        finish(shell.args(["-c", &script, env!("CARGO_BIN_EXE_urlid")]).current_dir(folder.path()))
    };
    let names = || fs::read_dir(folder.path()).expect("it is there").count();
    // No file can have a byte, and the other one cannot be made.
    for (before, public) in [("ulimit -f 0", "p"), ("true", "none/p")] {
        let ran = key(before, public);
        assert_eq!((ran.code, names()), (Some(4), 0), "{before}: {}", ran.err);
    }
    assert_eq!((key("umask 0", "p").code, names()), (Some(0), 2));
    let mode = std::os::unix::fs::PermissionsExt::mode;
    assert_eq!(
        mode(&fs::metadata(folder.path().join("s")).expect("it is there").permissions()) & 0o777,
        0o600
    );
    for public in ["p", "q"] {
        let ran = key("true", public);
        assert!(ran.code == Some(4) && ran.err.contains("keys are not replaced"), "{}", ran.err);
    }
}
