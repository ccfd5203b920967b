//! Options with a fixed list of names, each for a value of a library's own type.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Returns a parser of names. The help lists each name with its text.
pub(crate) fn choice<T, const N: usize>(
    choices: [(&'static str, T, &'static str); N],
) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let names = choices.iter().map(|(name, _, help)| {
        if help.is_empty() { PossibleValue::new(*name) } else { PossibleValue::new(*name).help(*help) }
    });
    PossibleValuesParser::new(names.collect::<Vec<_>>()).try_map(move |text| {
        let found = choices.iter().find(|(name, ..)| *name == text);
        found.map(|(_, value, _)| value.clone()).ok_or("no such name")
    })
}
