//! Arguments with a fixed set of words: how they are read, and the error for any other word.

use urlid::reference::{Class, Context, TokenKind};
use urlid::suffix::Sections;
use urlid::sxurl::Slice;

use crate::output::Fault;

/// The contexts in which a reference is read.
pub(crate) const CONTEXTS: [(&str, Context); 4] = [
    ("generic", Context::Whatwg(Class::Generic)),
    ("web", Context::Whatwg(Class::Web)),
    ("file", Context::Whatwg(Class::File)),
    ("rfc3986", Context::Rfc3986),
];

/// Returns the value that goes with `word`; any other word is an error that lists all of them.
pub(crate) fn choose<T: Clone>(what: &str, word: &str, choices: &[(&str, T)]) -> Result<T, Fault> {
    let found = choices.iter().find(|(name, _)| *name == word);
    found.map(|(_, value)| value.clone()).ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        Fault::Wrong(format!("unknown {what}: found {word:?}, expected one of {}", words.join(", ")))
    })
}

/// Returns the word that goes with a value.
pub(crate) fn word_of<T: PartialEq>(value: &T, choices: &[(&'static str, T)]) -> &'static str {
    choices.iter().find(|(_, other)| other == value).map_or("", |(name, _)| name)
}

pub(crate) fn context(word: &str) -> Result<Context, Fault> {
    choose("context", word, &CONTEXTS)
}

/// Returns the sections of the suffix list that count.
pub(crate) fn sections(word: &str) -> Result<Sections, Fault> {
    choose("sections", word, &[("all", Sections::All), ("icann", Sections::Icann)])
}

pub(crate) fn token_kind(word: &str) -> Result<TokenKind, Fault> {
    choose("kind of token", word, &TokenKind::ALL.map(|kind| (kind.name(), kind)))
}

pub(crate) fn slice(word: &str) -> Result<Slice, Fault> {
    choose("slice", word, &Slice::ALL.map(|slice| (slice.label(), slice)))
}
