//! Files that the commands write: never one that they read, and each once.

use std::fs;

use super::*;

/// Returns a folder with a list `l`, its routes `r`, a secret key `k`, URLs `in` and a folder `d` of shards.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("in", "http://bad.example/\nhttp://worse.example/x\n");
    folder.file("key", [7; 40]);
    for words in [
        "key --secret k --public p",
        "make --covers=subdomains in --routes r -o l",
        "shards l --routes r --bits 1 --out d",
    ] {
        let ran = in_folder(&folder, words);
        assert_eq!(ran.code, Some(0), "{words}: {}", ran.err);
    }
    folder
}

/// Checks that the command is refused with these words.
fn is_refused(folder: &Folder, words: &str, said: &str) {
    let ran = in_folder(folder, words);
    assert!(ran.code == Some(2) && ran.err.contains(said), "{words}: {}", ran.err);
}

#[test]
fn what_a_command_reads_is_never_replaced() {
    let folder = folder();
    let contents =
        || ["in", "key", "k", "p", "l", "r", "d/index"].map(|name| fs::read(folder.path().join(name)).ok());
    let before = contents();
    for words in [
        "make in -o in",
        "make in --routes in -o x",
        "make in --key key --alg x-hmac-sha256 -o key",
        "make in --key key --alg x-hmac-sha256 --routes key -o x",
        "make in --sign k -o k",
        "merge l l -o l",
        "compile l --sign k -o k",
        "shards d/index --bits 1 --out d",
        "shards l --routes d/index --bits 1 --out d",
    ] {
        is_refused(&folder, words, "the command reads this file");
        assert_eq!(contents(), before, "{words}");
    }
}

#[test]
fn two_outputs_are_two_files() {
    let folder = folder();
    for words in [
        "key --secret same --public same",
        "key --secret same --public ./same",
        "make in -o x --routes x",
        "make in -o x --routes x.minisig --sign k",
    ] {
        is_refused(&folder, words, "writes something else to this file");
        assert!(["same", "x"].iter().all(|name| !folder.path().join(name).exists()), "{words}");
    }
}

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

#[test]
fn a_gap_before_the_newest_delta_is_an_error() {
    let folder = Folder::new();
    for number in 1..=4 {
        folder.file("in", format!("http://{number}.example/\n"));
        for words in [
            format!("make in --sequence {number} -o text"),
            format!("compile text -o {number}"),
            format!("delta {} {number} -o {number}.delta", number - 1),
        ] {
            let ran = in_folder(&folder, &words);
            assert!(ran.code == Some(0) || number == 1, "{words}: {}", ran.err);
        }
    }
    let second = fs::read(folder.path().join("2")).expect("is there");
    // Nothing leads from 1; then 2 is reached, and 4 is not.
    for (deltas, sequence) in [("3.delta", 1), ("2.delta 4.delta", 2)] {
        let ran = in_folder(&folder, &format!("update 1 {deltas}"));
        assert!(
            ran.code == Some(4) && ran.err.contains("ERR_LIST_DELTA: delta leads to a newer list"),
            "{deltas}: {}",
            ran.err
        );
        assert_eq!(fs::read(folder.path().join("1")).expect("is there") == second, sequence == 2);
    }
    assert_eq!(in_folder(&folder, "update 1 3.delta 4.delta").code, Some(0));
    assert_eq!(in_folder(&folder, "update 1 2.delta").code, Some(0), "an old delta is no gap");
}

#[test]
fn lines_of_another_format_get_no_scheme() {
    let folder = Folder::new();
    folder.file("in", "bad.example\n");
    is_refused(&folder, "make --from domains --assume https in", "cannot be used with");
    folder.file("in", "bad.example worse.example\n0.0.0.0 bad.example\nfe80::1%lo0 worse.example\n");
    let ran = in_folder(&folder, "make --from hosts in");
    assert!(ran.code == Some(0) && ran.err.contains("1 line without an address"), "{}", ran.err);
    assert!(ran.err.contains("1 name beside an address that blocks nothing"), "{}", ran.err);
    assert!(ran.out.contains("# count: 2\n"), "{}", ran.out);
}

#[test]
fn a_second_file_of_compile_is_an_error_and_not_written() {
    let folder = folder();
    for words in ["compile l in", "compile -q l in", "compile l in -o new", "compile l"] {
        let before = bytes(&folder, "in");
        assert_eq!(in_folder(&folder, words).code, Some(2), "{words}");
        assert!(bytes(&folder, "in") == before && !folder.path().join("new").exists(), "{words}");
    }
}
