//! Standard descriptors that were closed before the program started, and `/dev/null`, which is no mistake.

use std::process::Command;

use crate::support::{Folder, Ran, finish};

/// Runs a command line of the shell in a folder, in which `urlid` is the program.
fn shell(folder: &Folder, line: &str) -> Ran {
    let script = format!("urlid() {{ \"$PROGRAM\" \"$@\"; }}; {line}");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder.path()).env("PROGRAM", env!("CARGO_BIN_EXE_urlid"));
    finish(&mut command)
}

/// Command lines of every verb that prints to standard output.
const PRINTING: &[&str] = &[
    "id urls",
    "id --column url table.csv",
    "canon --as web urls",
    "parts urls",
    "count urls",
    "uniq urls",
    "uniq --counts urls",
    "uniq --seen seen urls",
    "explain https://a.example/",
    "diff https://a.example/ https://b.example/",
    "resolve https://a.example/ b",
    "probe tld com",
    "index add urls.db urls",
    "index find urls.db",
    "index count urls.db",
    "index show urls.db",
    "index build folder urls",
    "list make urls",
    "list match list urls",
    "list show list",
    "canon --list",
    "psl show",
    "man",
    "completions bash",
    "--version",
    "--help",
    "id --help",
    "help index",
];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("urls", "https://a.example/\nhttps://b.example/\n");
    folder.file("table.csv", "url\nhttps://a.example/\n");
    let made = shell(&folder, "urlid index add --quiet urls.db urls && urlid list make --quiet urls -o list");
    assert_eq!(made.code, Some(0), "{made:?}");
    folder
}

#[test]
fn a_closed_standard_output_is_an_error_where_something_is_printed() {
    for line in PRINTING {
        let folder = folder();
        let ran = shell(&folder, &format!("urlid {line} >&-"));
        assert!(ran.code == Some(4) && ran.err.contains("standard output is closed"), "{line}: {ran:?}");
        // Nothing else has its descriptor, so nothing is mixed into a file.
        assert_eq!(shell(&folder, "cat urls").out, "https://a.example/\nhttps://b.example/\n", "{line}");
    }
    let folder = folder();
    for (line, code) in [
        ("urlid list match list https://other.example/", 1),
        ("urlid index find urls.db --host other.example", 1),
        ("urlid canon --as web urls -o out", 0),
        ("printf '' | urlid canon --as web", 0),
    ] {
        let ran = shell(&folder, &format!("{line} >&-"));
        assert_eq!(ran.code, Some(code), "{line} prints nothing: {ran:?}");
    }
}

#[test]
fn lines_are_not_delivered_to_a_closed_standard_output() {
    let folder = folder();
    let ran = shell(&folder, "urlid uniq --seen seen urls >&-");
    assert_eq!(ran.code, Some(4), "{ran:?}");
    let ran = shell(&folder, "urlid uniq --seen seen --resume urls");
    assert_eq!(ran.out, "https://a.example/\nhttps://b.example/\n", "{ran:?}");
}

#[test]
fn a_discarded_output_is_not_an_error() {
    for line in PRINTING {
        let usual = shell(&folder(), &format!("urlid {line}")).code;
        for to in [">/dev/null", "1<>/dev/null", "-"] {
            let folder = folder();
            let code = match to {
                // As the `subprocess.DEVNULL` of Python.
                "-" => {
                    let mut command = Command::new(env!("CARGO_BIN_EXE_urlid"));
                    command.args(line.split(' ')).current_dir(folder.path());
                    command.stdout(std::process::Stdio::null()).status().expect("it runs").code()
                }
                to => shell(&folder, &format!("urlid {line} {to}")).code,
            };
            assert_eq!(code, usual, "{line} {to}");
        }
    }
}

#[test]
fn a_closed_standard_input_is_empty_and_noted() {
    let note = "urlid: standard input is closed and read as empty\n";
    let folder = folder();
    for (line, out) in [
        ("id", ""),
        ("canon --as web", ""),
        ("count", "0\n"),
        ("uniq", ""),
        ("list match list", ""),
        ("list match - urls", ""),
    ] {
        let ran = shell(&folder, &format!("urlid {line} <&-"));
        assert!(ran.out == out && ran.err.contains(note), "{line}: {ran:?}");
    }
    let ran = shell(&folder, "urlid canon --as web urls <&-");
    assert_eq!((ran.out.lines().count(), ran.err.as_str()), (2, ""), "it is not read");
    let ran = shell(&folder, "urlid canon --as web </dev/null");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}
