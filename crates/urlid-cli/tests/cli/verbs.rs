//! What every verb has, and the vectors of the repository.

use urlid_testing::root;

use crate::support::{Folder, urlid, verbs};

#[test]
fn vectors_of_the_repository_pass() {
    let mut files: Vec<_> = std::fs::read_dir(root().join("vectors"))
        .expect("the repository has vectors")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .filter(|path| !path.ends_with("differ.json"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let ran = urlid(
        std::iter::once("vectors".into()).chain(files.into_iter().map(Into::<std::ffi::OsString>::into)),
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let last = ran.out.lines().last().expect("there is a sum");
    let passed: u32 = last.strip_suffix(" passed, 0 failed").expect("a sum").parse().expect("a number");
    assert!(passed > 400, "{last}");
}

#[test]
fn every_verb_has_help_a_page_and_completions() {
    let verbs = verbs(&[]);
    assert!(verbs.len() > 25, "{verbs:?}");
    for verb in &verbs {
        let words = || verb.iter().map(String::as_str);
        let help = urlid(["help"].into_iter().chain(words()));
        assert_eq!(help, urlid(words().chain(["--help"])), "help {verb:?}");
        let page = urlid(["man"].into_iter().chain(words()));
        assert!(
            page.code == Some(0) && page.out.contains(&format!("urlid\\-{}", verb.join("\\-"))),
            "man {verb:?}: {}",
            page.out
        );
    }
    assert!(urlid(["man"]).out.contains(".TH urlid"), "{}", urlid(["man"]).out);
    assert_eq!(urlid(["man", "nonsense"]).code, Some(2));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = urlid(["completions", shell]);
        assert!(script.code == Some(0) && script.out.contains("psl-sections"), "{shell}");
    }
    let folder = Folder::new();
    let ran = urlid([std::ffi::OsStr::new("man"), "--out".as_ref(), folder.path().as_os_str()]);
    ran.is_quiet(0, "");
    for verb in verbs {
        assert!(folder.path().join(format!("urlid-{}.1", verb.join("-"))).exists(), "{verb:?}");
    }
    assert!(!folder.path().join("urlid-help.1").exists());
}
