//! What the help of the verbs shows.

use crate::support::urlid;

#[test]
fn the_help_lists_the_options_of_a_verb_before_those_of_tables_and_conditions() {
    for (verb, option, heading) in [
        ("add", "--only-new", "Tables:"),
        ("find", "--limit", "Conditions:"),
        ("delete", "--all", "Conditions:"),
    ] {
        let help = urlid(["index", verb, "-h"]).out;
        let (own, others) = help.split_once(heading).expect(heading);
        assert!(own.contains("\nOptions:\n  ") && own.contains(option), "{help}");
        assert!(!others.contains(&format!(" {option}")), "{help}");
    }
}
