//! The arguments of a call. Each is its length, as four little-endian bytes, and that many bytes.
//!
//! The length 2³² − 1 stands for a missing argument. Texts are UTF-8. Some arguments are one of a fixed set
//! of words, and any other word is an error that lists these words.

use urlid::reference::{Class, Context, TokenKind};
use urlid::suffix::Sections;
use urlid::sxurl::Slice;

use crate::output::Fault;

/// The length of a missing argument.
const NOTHING: usize = u32::MAX as usize;

/// The arguments that are not yet read.
pub(crate) struct Arguments<'a> {
    rest: &'a [u8],
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Reads bytes that may be missing.
    pub(crate) fn optional_bytes(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        match u32::from_le_bytes(*length) as usize {
            NOTHING => None,
            length => {
                let (argument, rest) = rest.split_at_checked(length)?;
                self.rest = rest;
                Some(argument)
            }
        }
    }

    /// Reads the next argument, which can be any bytes.
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Fault> {
        self.optional_bytes().ok_or(Fault::Missing)
    }

    /// Reads a text that may be missing.
    pub(crate) fn optional_text(&mut self) -> Result<Option<&'a str>, Fault> {
        let text = self.optional_bytes().map(str::from_utf8);
        text.transpose().map_err(|_| Fault::Wrong("an argument is not UTF-8".to_owned()))
    }

    /// Reads the next argument, which is UTF-8.
    pub(crate) fn text(&mut self) -> Result<&'a str, Fault> {
        self.optional_text()?.ok_or(Fault::Missing)
    }

    /// Reads a flag, which is set if the argument is present.
    pub(crate) fn flag(&mut self) -> bool {
        self.optional_bytes().is_some()
    }
}

/// The contexts in which a reference is read.
pub(crate) const CONTEXTS: [(&str, Context); 4] = [
    ("generic", Context::Whatwg(Class::Generic)),
    ("web", Context::Whatwg(Class::Web)),
    ("file", Context::Whatwg(Class::File)),
    ("rfc3986", Context::Rfc3986),
];

/// Returns the value for `word`. Any other word is an error that lists all words.
pub(crate) fn choose<T: Clone>(what: &str, word: &str, choices: &[(&str, T)]) -> Result<T, Fault> {
    let found = choices.iter().find(|(name, _)| *name == word);
    found.map(|(_, value)| value.clone()).ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        Fault::Wrong(format!("unknown {what}: found {word:?}, expected one of {}", words.join(", ")))
    })
}

/// Returns the word for a value.
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
