//! What every verb has, and the vectors of the repository.

use std::collections::{BTreeMap, BTreeSet};

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

/// Returns the options below each heading of a text, whose lines `heading` and `option` recognise.
fn sections(
    text: &str,
    heading: impl Fn(&str) -> Option<String>,
    option: impl Fn(&str) -> Option<String>,
) -> BTreeMap<String, BTreeSet<String>> {
    let (mut sections, mut last) = (BTreeMap::<String, BTreeSet<String>>::new(), None);
    for line in text.lines() {
        if let Some(name) = heading(line) {
            last = Some(name);
        } else if let (Some(name), Some(option)) = (&last, option(line)) {
            sections.entry(name.clone()).or_default().insert(option);
        }
    }
    sections
}

#[test]
fn the_page_of_a_verb_has_the_headings_and_options_of_its_help() {
    let mut headings = BTreeSet::new();
    for verb in verbs(&[]) {
        let words = || verb.iter().map(String::as_str);
        let help = sections(
            &urlid(words().chain(["--help"])).out,
            |line| line.strip_suffix(':').filter(|name| !name.starts_with(' ')).map(str::to_uppercase),
            |line| {
                let names = line.trim_start();
                let is_option =
                    line.starts_with("  ") && !line.starts_with("          ") && names.starts_with('-');
                let mut words = names.split([' ', ',', '[']).filter(|_| is_option);
                words.find(|word| word.starts_with("--")).map(str::to_owned)
            },
        );
        let page = urlid(["man"].into_iter().chain(words())).out.replace("\\-", "-");
        let lines: Vec<&str> = page.lines().collect();
        let is_option = |line: &str| line.starts_with("\\fB-");
        let without_text = lines.windows(2).filter(|pair| is_option(pair[0]) && pair[1].trim().is_empty());
        assert_eq!(without_text.collect::<Vec<_>>(), Vec::<&[&str]>::new(), "man {verb:?}");
        let page = sections(
            &page,
            |line| Some(line.strip_prefix(".SH ")?.trim_matches('"').to_owned()),
            |line| {
                let mut words = line.split("\\fB").filter(|_| line.starts_with("\\fB-"));
                words.find(|word| word.starts_with("--"))?.split("\\f").next().map(str::to_owned)
            },
        );
        assert_eq!(page, help, "man {verb:?}");
        headings.extend(help.into_keys());
    }
    let expected = [
        "CONDITIONS",
        "GLOBAL OPTIONS",
        "HASHED URIS",
        "INPUT",
        "LIMITS",
        "OPTIONS",
        "OUTPUT",
        "REQUEST FINGERPRINTS",
        "TABLES",
    ];
    assert_eq!(headings, expected.map(str::to_owned).into());
}

/// Returns the values that the help of a verb names for each option.
fn values_of_options(help: &str) -> BTreeMap<String, BTreeSet<String>> {
    let (mut values, mut option) = (BTreeMap::<String, BTreeSet<String>>::new(), String::new());
    for line in help.lines() {
        let text = line.trim_start();
        // Options have an indent of two, or six without a letter.
        if line.len() - text.len() <= 6 && text.starts_with('-') {
            let name = text.split([' ', ',', '[']).find(|word| word.starts_with("--"));
            option = name.unwrap_or_default().to_owned();
        } else if let Some(value) = text.strip_prefix("- ") {
            let value = value.split(':').next().unwrap_or_default();
            values.entry(option.clone()).or_default().insert(value.to_owned());
        }
        if let Some((_, listed)) = text.split_once("[possible values: ") {
            let listed = listed.trim_end_matches(']').split(", ").map(str::to_owned);
            values.entry(option.clone()).or_default().extend(listed);
        }
    }
    values
}

#[test]
fn stable_names_match_the_program() {
    let mut known = BTreeMap::<String, BTreeSet<String>>::new();
    for verb in verbs(&[]) {
        // Wide, so that no list of values is on two lines.
        let mut command = crate::support::command();
        command.args(&verb).arg("--help").env("COLUMNS", "1000");
        for (option, values) in values_of_options(&crate::support::finish(&mut command).out) {
            known.entry(option).or_default().extend(values);
        }
    }
    let page = crate::pages::text_of("docs/stability.md");
    let (_, names) = page.split_once("\n## Names\n").expect("a section");
    let (names, _) = names.split_once("\n## ").expect("a section behind it");
    let rows =
        names.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "));
    let quoted =
        |text: &str| -> Vec<String> { text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let (mut options, mut parts) = (0, 0);
    for (of, names) in rows {
        if let Some(option) = of.strip_prefix('`').and_then(|of| of.strip_suffix('`')) {
            let known = known.get(option).unwrap_or_else(|| panic!("{option} has no values"));
            assert_eq!(*known, quoted(names).into_iter().collect::<BTreeSet<_>>(), "{option}");
            options += 1;
        }
        for part in quoted(names).iter().filter(|_| of == "parts") {
            for part in [part.clone(), part.replace('_', "-")] {
                assert_eq!(urlid(["parts", "--get", &part, "https://a.example/"]).code, Some(0), "{part}");
            }
            parts += 1;
        }
    }
    assert!(options > 15 && parts == 15, "{options} {parts}");
    // The words for the same thing are options of a verb.
    let help: String =
        verbs(&[]).iter().map(|verb| urlid(verb.iter().chain([&"--help".to_owned()])).out).collect();
    let named = quoted(names).into_iter().filter(|name| name.starts_with("--") && !name.contains(' '));
    let missing: Vec<_> = named.filter(|name| !help.contains(&format!(" {name}"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
