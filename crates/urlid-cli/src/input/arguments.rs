//! The kinds of arguments: URLs, files or other texts. One rule for all verbs that read lines.
//!
//! `-` is standard input, a text with a scheme is a URL, and the name of a file is that file. The verb decides the kind of any
//! other argument. An argument that could be two kinds is noted on standard error, once.

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use urlid::compat::{Format, detect};

use crate::input::assume::{lacks_scheme, meant_url};
use crate::input::sources::{Argument, Sources};
use crate::output::escape::Escaped;
use crate::report::exit::Failure;
use crate::report::message;

/// The kind of an argument that neither begins with a scheme nor is the name of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Otherwise {
    /// The name of a file, which is missing.
    File,
    /// A URL of a web page without its scheme, if it can be one.
    Url,
    /// The same, and else a text.
    UrlOrText,
    /// Any text, which is a line of input itself.
    Text,
}

/// Returns the sources of lines that arguments name, and the other files. If a scheme is assumed, a text without a scheme that is
/// not the name of a file is a URL.
pub(crate) fn sources(
    arguments: &[OsString],
    otherwise: Otherwise,
    is_assumed: bool,
    files: &[PathBuf],
) -> Result<Sources, Failure> {
    let rule = ArgumentRule::new(if is_assumed { Otherwise::Text } else { otherwise });
    Sources::new(arguments, |argument| rule.sort(argument), files)
}

/// Returns texts as URLs: those that lack only the scheme as `https://`, which is noted.
pub(crate) fn urls<const N: usize>(texts: [&str; N]) -> [String; N] {
    texts.map(|text| {
        if lacks_scheme(text) {
            message::print(&format!("{0}: read as https://{0}", Escaped(text.as_bytes())));
            format!("https://{text}")
        } else {
            text.to_owned()
        }
    })
}

/// Sorts the arguments of a verb.
#[derive(Debug)]
pub(crate) struct ArgumentRule {
    otherwise: Otherwise,
    is_noted: Cell<bool>,
}

impl ArgumentRule {
    pub(crate) fn new(otherwise: Otherwise) -> Self {
        ArgumentRule { otherwise, is_noted: Cell::new(false) }
    }

    /// Returns what an argument is.
    pub(crate) fn sort(&self, argument: &OsStr) -> Argument {
        let is_file = names_file(Path::new(argument));
        let text = argument.to_str().unwrap_or_default();
        let completes = matches!(self.otherwise, Otherwise::Url | Otherwise::UrlOrText);
        match self.otherwise {
            _ if is_file && is_url(argument) => {
                self.note(argument, "read as a URL; the file of this name is ./");
                return Argument::Text;
            }
            Otherwise::Text if is_file => self.note(argument, "read as the file of this name"),
            _ if is_file && meant_url(text).is_some() => {
                self.note(argument, "read as the file of this name; the URL is https://");
            }
            _ => {}
        }
        if is_file {
            return Argument::File;
        }
        if completes && lacks_scheme(text) && !is_identifier(text) {
            let url = format!("https://{text}");
            self.note(argument, "read as https://");
            return Argument::Url(url.into());
        }
        match self.otherwise {
            _ if is_url(argument) => Argument::Text,
            Otherwise::File | Otherwise::Url => Argument::File,
            Otherwise::Text | Otherwise::UrlOrText => Argument::Text,
        }
    }

    /// Prints how an argument is read, once for all arguments. A note that ends with a prefix is followed by the argument.
    fn note(&self, argument: &OsStr, how: &str) {
        if self.is_noted.replace(true) {
            return;
        }
        let argument = Escaped(argument.as_encoded_bytes());
        let named = if how.ends_with('/') { argument.to_string() } else { String::new() };
        message::print(&format!("{argument}: {how}{named}"));
    }
}

/// Returns whether a path is that of something that can be read as a file.
fn names_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| !data.is_dir())
}

/// Returns whether a text is an identifier, or digits that were meant as one.
pub(crate) fn is_identifier(text: &str) -> bool {
    // The shortest identifier is a very short url-hash: 16 digits.
    let are_digits = text.len() >= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    are_digits || detect(text).iter().any(|format| *format != Format::Url)
}

/// Returns whether an argument is a URL: it begins with a scheme and a colon. One letter and a colon is a drive, unless `//`
/// follows.
pub(crate) fn is_url(argument: &OsStr) -> bool {
    let argument = argument.as_encoded_bytes();
    let Some(end) = argument.iter().position(|&byte| byte == b':') else { return false };
    let (scheme, rest) = argument.split_at(end);
    let is_drive = scheme.len() == 1 && !rest.starts_with(b"://");
    scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
        && !is_drive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_begins_with_a_scheme_and_a_drive_does_not() {
        for (text, expected) in [
            ("https://h/", true),
            ("mailto:a@b", true),
            ("hashed:sha1:0", true),
            ("h://.", true),
            ("w://x:0", true),
            ("c:/urls.txt", false),
            (r"c:\\urls.txt", false),
            ("urls.txt", false),
            ("./http:urls", false),
            ("1http://h/", false),
            ("://", false),
            (":", false),
            ("", false),
        ] {
            assert_eq!(is_url(text.as_ref()), expected, "{text}");
        }
    }

    #[test]
    fn what_else_an_argument_is_is_chosen_by_the_verb() {
        let url = |text: &str| Argument::Url(format!("https://{text}").into());
        for (text, expected) in [
            ("https://h/", [Argument::Text, Argument::Text, Argument::Text]),
            ("example.com", [Argument::File, url("example.com"), Argument::Text]),
            ("localhost:3000", [Argument::Text, url("localhost:3000"), Argument::Text]),
            ("/p", [Argument::File, Argument::File, Argument::Text]),
            (r"C:\", [Argument::File, Argument::File, Argument::Text]),
            ("tel:911", [Argument::Text, Argument::Text, Argument::Text]),
        ] {
            let sorted = [Otherwise::File, Otherwise::Url, Otherwise::Text]
                .map(|otherwise| ArgumentRule::new(otherwise).sort(text.as_ref()));
            assert_eq!(sorted, expected, "{text}");
        }
    }

    #[test]
    fn an_identifier_is_not_a_host() {
        let id = "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356";
        let rule = ArgumentRule::new(Otherwise::UrlOrText);
        for id in [id, &id[1..], "6665717970336401-17144348346964290110"] {
            assert_eq!(rule.sort(id.as_ref()), Argument::Text, "{id}");
        }
        assert_eq!(rule.sort("cafe.de".as_ref()), Argument::Url("https://cafe.de".into()));
    }
}
