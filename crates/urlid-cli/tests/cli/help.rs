//! The help of the verbs, and the completions that shells offer.

use std::path::Path;
use std::process::Command;

use urlid_testing::not_run;

use crate::support::{Folder, command, finish, urlid, verbs};
use crate::transcripts::shell;

#[test]
fn the_help_lists_the_options_of_a_verb_before_those_of_tables_and_conditions() {
    for (verb, option, heading) in [
        ("add", "--index", "Tables:"),
        ("find", "--limit", "Conditions:"),
        ("delete", "--all", "Conditions:"),
    ] {
        let help = urlid(["index", verb, "-h"]).out;
        let (own, others) = help.split_once(heading).expect(heading);
        assert!(own.contains("\nOptions:\n  ") && own.contains(option), "{help}");
        assert!(!others.contains(&format!(" {option}")), "{help}");
    }
}

#[test]
fn headings_have_the_same_order_in_each_verb() {
    const ORDER: [&str; 10] = [
        "Options:",
        "Input:",
        "Hashed URIs:",
        "Request fingerprints:",
        "Tables:",
        "Conditions:",
        "Output:",
        "Limits:",
        "Global options:",
        "Examples:",
    ];
    for verb in verbs(&[]) {
        for option in ["-h", "--help"] {
            let help = urlid(verb.iter().map(String::as_str).chain([option])).out;
            let place = |line: &str| ORDER.iter().position(|heading| *heading == line);
            let is_heading = |line: &&str| {
                line.ends_with(':')
                    && !line.starts_with(' ')
                    && !["Usage:", "Commands:", "Arguments:"].contains(line)
            };
            let places: Vec<_> = help.lines().filter(is_heading).map(place).collect();
            assert!(places.is_sorted() && !places.contains(&None), "{verb:?} {option}: {help}");
        }
    }
}

#[test]
fn short_help_fits_a_screen() {
    for verb in [vec![vec![]], verbs(&[])].concat() {
        for columns in ["80", "100"] {
            let help = finish(command().args(&verb).arg("-h").env("COLUMNS", columns));
            let lines = help.out.lines().count();
            assert!(
                (5..=45).contains(&lines),
                "{verb:?} -h has {lines} lines at {columns} columns:\n{}",
                help.out
            );
            let width = help.out.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            assert!(width <= columns.parse().expect("a number"), "{verb:?} -h is {width} columns wide");
        }
    }
}

#[test]
fn examples_are_command_lines() {
    for verb in verbs(&[]) {
        let help = finish(command().args(&verb).arg("--help")).out;
        let Some((_, examples)) = help.split_once("\nExamples:") else { continue };
        for example in examples.split("\n  urlid ").skip(1) {
            // The manual and the completions of the user are not touched.
            if example.contains(['~', '|']) {
                continue;
            }
            let ran = shell(&format!("urlid {}", example.trim().replace("\n  ", " ")), &Folder::new());
            let said = String::from_utf8_lossy(&ran.stderr);
            // Their files are missing.
            assert!(!said.starts_with("error:") && !said.contains("Usage:"), "{example}: {said}");
        }
    }
}

#[test]
fn long_help_says_all() {
    for verb in verbs(&[]) {
        let help = urlid(verb.iter().map(String::as_str).chain(["--help"])).out;
        let short = urlid(verb.iter().map(String::as_str).chain(["-h"])).out;
        let is_option = |word: &&str| {
            word.starts_with('-') && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let options = |help: &str| {
            let words = help.lines().filter_map(|line| {
                line.trim_start().split([' ', ',']).next().filter(is_option).map(str::to_owned)
            });
            words.collect::<std::collections::BTreeSet<_>>()
        };
        assert!(options(&help).is_superset(&options(&short)) && help.contains("--color"), "{verb:?}");
    }
}

#[test]
fn verbs_are_grouped() {
    let help = urlid(["-h"]).out;
    let groups = ["URLs:", "Sets of URLs:", "Archives:", "Sites:", "Specifications:", "Tools:"];
    let places: Vec<_> = groups.iter().map(|group| help.find(group).expect(group)).collect();
    assert!(places.is_sorted(), "{help}");
}

/// The names that are offered after `--as`, in a shell that runs the script.
fn offered(words: &str) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_urlid");
    let script = format!(
        "source <('{program}' completions bash); COMP_WORDS=({words} ''); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
         _urlid urlid '' \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let output = Command::new("bash").args(["-c", &script]).output().expect("there is bash");
    let out = String::from_utf8(output.stdout).expect("it is text");
    out.lines().map(str::to_owned).collect()
}

#[test]
fn bash_offers_the_forms_and_the_verbs() {
    for verb in ["canon", "explain", "cdx find", "cdx rekey --from web --to"] {
        let words =
            if verb.ends_with("--to") { format!("urlid {verb}") } else { format!("urlid {verb} --as") };
        let forms = offered(&words);
        assert!(
            ["web", "surt-0.3.1", "w3lib-2.5"].iter().all(|form| forms.iter().any(|name| name == form)),
            "{verb}: {forms:?}"
        );
    }
    // Identifiers are made of URLs, so keys are not offered.
    let forms = offered("urlid id --as");
    assert!(forms.contains(&"web".to_owned()) && !forms.contains(&"surt-0.3.1".to_owned()), "{forms:?}");
    let verbs = offered("urlid");
    assert!(verbs.contains(&"ref".to_owned()) && !verbs.contains(&"goto".to_owned()), "{verbs:?}");
    let verbs = offered("urlid ref");
    assert!(verbs.contains(&"goto".to_owned()), "{verbs:?}");
}

/// Returns what another shell prints, or nothing if there is no such shell.
fn printed_by(shell: &str, args: &[&str]) -> Option<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_urlid")).parent().expect("it is in a folder");
    let path = std::env::var("PATH").expect("there is one");
    let path = format!("{}:{path}", program.display());
    let home = Folder::new();
    let output = Command::new(shell).args(args).env("PATH", path).env("HOME", home.path()).output();
    let Ok(output) = output else {
        not_run(&format!("completion in {shell}: it is not installed"));
        return None;
    };
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn fish_offers_the_forms_and_the_verbs() {
    let offered = |line: &str| {
        let script = format!("urlid completions fish | source; complete -C '{line}'");
        printed_by("fish", &["--no-config", "--command", &script])
    };
    for line in ["urlid canon --as ", "urlid explain --as ", "urlid cdx rekey --from web --to "] {
        let Some(out) = offered(line) else { return };
        let forms: Vec<&str> = out.lines().collect();
        assert!(["web", "surt-0.3.1", "w3lib-2.5"].iter().all(|form| forms.contains(form)), "{line}: {out}");
    }
    let Some(out) = offered("urlid ref ") else { return };
    assert!(out.lines().any(|line| line.starts_with("goto\t")), "{out}");
}

#[test]
fn zsh_offers_the_forms_and_the_verbs() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/offered.zsh");
    let script = script.to_str().expect("a path in UTF-8");
    let table: [(&str, &[&str]); 3] = [
        ("urlid canon --as ", &["web", "surt-0.3.1", "w3lib-2.5"]),
        ("urlid cdx rekey --from web --to ", &["surt-0.3.1", "w3lib-2.5"]),
        ("urlid ref ", &["goto", "upto"]),
    ];
    for (line, expected) in table {
        let Some(out) = printed_by("zsh", &["-f", script, line]) else { return };
        assert!(expected.iter().all(|name| out.contains(name)), "{line}: {out}");
    }
}
