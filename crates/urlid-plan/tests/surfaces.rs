//! Python and JavaScript declare every condition as the table has it.
//!
//! ```sh
//! URLID_WRITE_DOCS=1 cargo test --package urlid-plan --test surfaces
//! ```
//!
//! The program, `urlid_find` of SQLite and the page read the table itself.

use urlid_plan::{Compared, Condition, Question};
use urlid_testing::check_part;

#[test]
fn type_checkers_of_python_see_every_condition() {
    let keyword = |condition: Condition| {
        let of = if condition.compared() == Compared::Number { "int" } else { "str" };
        format!("    {}: {of} | None\n", condition.name().replace('-', "_"))
    };
    check_part(
        "bindings/python/python/urlid/_types.pyi",
        r#""""The parts of a URL that a question names: see `urlid.Question`.""""#,
        "class HashedUriOptions(TypedDict, total=False):",
        &format!("\n{}\n\n", Condition::ALL.map(keyword).concat()),
    );
}

#[test]
fn type_checkers_of_javascript_see_every_condition() {
    let member = |condition: Condition| {
        let of = if condition.compared() == Compared::Number { "number | string" } else { "string" };
        let mut words = condition.name().split('-');
        let first = words.next().unwrap_or_default().to_owned();
        let name = words.fold(first, |name, word| name + &word[..1].to_ascii_uppercase() + &word[1..]);
        format!("  /** {}. */\n  {name}?: {of};\n", condition.help())
    };
    check_part(
        "bindings/js/package/search.d.ts",
        "export interface Question {",
        "}",
        &Condition::ALL.map(member).concat(),
    );
}

#[test]
fn the_example_of_a_condition_is_a_value_of_it() {
    for condition in Condition::ALL {
        assert!(Question::new([(condition, condition.example())]).is_ok(), "{condition}");
        assert_eq!(Condition::from_name(condition.name()), Some(condition));
    }
}
