//! Options that several verbs have, and what is made of them.

pub(crate) mod globals;
pub(crate) mod hashed;
pub(crate) mod theory;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Returns a parser of names, each for a value of a library's own type. The help lists each name with its text; other names of a value follow it, after a `|`, and are
/// not listed.
pub(crate) fn choice<T, const N: usize>(
    choices: [(&'static str, T, &'static str); N],
) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let names = choices.iter().map(|(names, _, help)| {
        let mut names = names.split('|');
        let value = PossibleValue::new(names.next().unwrap_or_default()).aliases(names);
        if help.is_empty() { value } else { value.help(*help) }
    });
    PossibleValuesParser::new(names.collect::<Vec<_>>()).try_map(move |text| {
        let found = choices.iter().find(|(names, ..)| names.split('|').any(|name| name == text));
        found.map(|(_, value, _)| value.clone()).ok_or("no such name")
    })
}
