//! What the help of the verbs shows.

use crate::support::{command, finish, urlid, verbs};

#[test]
fn the_help_lists_the_options_of_a_verb_before_those_of_tables_and_conditions() {
    for (verb, option, heading) in [
        ("add", "--format", "Tables:"),
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
        assert!(options(&help).is_superset(&options(&short)) && help.contains("--psl-sections"), "{verb:?}");
    }
}

#[test]
fn verbs_stand_in_groups() {
    let help = urlid(["-h"]).out;
    let groups = ["Ask:", "Many:", "Archives:", "References:", "Tools:"];
    let places: Vec<_> = groups.iter().map(|group| help.find(group).expect(group)).collect();
    assert!(places.is_sorted(), "{help}");
}
