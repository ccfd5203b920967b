//! Python, JavaScript and the page have every condition as the table has it.
//!
//! ```sh
//! URLID_WRITE_DOCS=1 cargo test --package urlid-store --test surfaces
//! ```
//!
//! The program and `urlid_find` of SQLite read the table itself.

use urlid_store::question::{Compared, Condition, Question};
use urlid_testing::{check_page, check_part};

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
        format!("  /** {}. */\n  {}?: {of};\n", condition.help(), camel_case(condition.name()))
    };
    check_part(
        "bindings/js/package/search.d.ts",
        "export interface Question {",
        "}",
        &Condition::ALL.map(member).concat(),
    );
}

#[test]
fn the_page_has_a_field_for_every_condition() {
    let field = |condition: Condition| {
        let (name, label) = (camel_case(condition.name()), condition.label());
        format!(r#"  {{ "name": "{name}", "label": "{label}", "example": "{}" }}"#, condition.example())
    };
    let fields = Condition::ALL.map(field).join(",\n");
    check_page("web/src/index/conditions.json", &format!("[\n{fields}\n]\n"));
}

#[test]
fn the_example_of_a_condition_is_a_value_of_it() {
    for condition in Condition::ALL {
        assert!(Question::new([(condition, condition.example())]).is_ok(), "{condition}");
        assert_eq!(Condition::from_name(condition.name()), Some(condition));
    }
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_ascii_uppercase() + &word[1..])
}
