//! Hidden lists. Here is what the tests share.

mod forms;
mod matches;
mod outputs;
mod protocol;

use std::path::Path;

use urlid_testing::gzip;

use crate::support::{Folder, Ran, command, finish, urlid_on};

/// A header that states the digest of other entries.
fn header(count: usize) -> String {
    format!(
        "# urlid-list: 1\n# variant: n\n# intake: rfc3986\n# user-info: keep\n# algorithms: sha1\n# keep: none\n# covers: url\n\
         # count: {count}\n# digest: {}\n# snapshot: none\n",
        "0".repeat(64)
    )
}

/// The draft's own example, section 4.4.
const THUS: &str = "http://www.thus.net";
const THUS_ENTRY: &str = "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481";

fn run(args: &[&str], paths: &[&Path]) -> Ran {
    finish(command().arg("list").args(args).args(paths))
}

/// Runs `urlid list` with words, in a folder.
fn in_folder(folder: &Folder, words: &str) -> Ran {
    finish(command().arg("list").args(words.split(' ')).current_dir(folder.path()))
}

/// Runs it, and checks that it ended well.
fn done(folder: &Folder, words: &str) -> Ran {
    let ran = in_folder(folder, words);
    assert!(matches!(ran.code, Some(0 | 1)), "{words}: {}", ran.err);
    ran
}

fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.path().join(name)).expect("it was written")
}

/// Makes a list of `urls` in `folder`, in both forms.
fn lists(folder: &Folder, args: &[&str], urls: &str) -> [std::path::PathBuf; 2] {
    let made = urlid_on(urls.as_bytes(), ["list", "make"].iter().chain(args));
    assert_eq!(made.code, Some(0), "{}", made.err);
    let text = folder.file("text", &made.out);
    let compiled = folder.path().join("compiled");
    assert_eq!(run(&["compile", "-o"], &[&compiled, &text]).code, Some(0));
    [text, compiled]
}

/// URLs that a browser opens and RFC 3986 rejects.
const BROWSER_ONLY: &str = "http://evil.example/malware/?|";
