//! The sources of lines: arguments, files and standard input, in the order in which they were given.
//!
//! All verbs that read lines use one rule: `-` is standard input, a text with a scheme is a URL, and the name
//! of a file is that file. The verb decides the kind of any other argument. A note on standard error reports,
//! once, an argument that could have two kinds.

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use urlid::Error;
use urlid::compat::{Format, detect};
use urlid_io::lines::Input;
use urlid_stdio::Standard;
use urlid_store::StoredKind;
use urlid_store::dataset::{Dataset, is_dataset};

use crate::input::assume::{lacks_scheme, meant_url};
use crate::output::escape::Escaped;
use crate::output::progress::Progress;
use crate::report::exit::Failure;
use crate::report::message;
use crate::report::signals;

/// The kind of an argument.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// A text, used unchanged.
    Text,
    /// The name of a file.
    File,
    /// A text without a scheme, and the URL that it is read as.
    Url(OsString),
}

/// One origin of lines.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The command line, of which each argument is a line.
    Arguments(Vec<OsString>),
    /// A file, whose lines are decompressed.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// A source that is open.
pub(crate) enum Opened<'s> {
    /// Texts of the command line, each a line.
    Texts(&'s [OsString]),
    /// A file or stream of lines.
    Input(Input),
}

impl Source {
    /// Returns the name of the source in messages.
    pub(crate) fn name(&self) -> &Path {
        match self {
            Source::Arguments(_) => Path::new("argument"),
            Source::File(path) => path,
            Source::Stdin => Path::new("-"),
        }
    }

    /// Returns the path of a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Source::File(path) => Some(path),
            Source::Arguments(_) | Source::Stdin => None,
        }
    }

    /// Returns the path of a file or of standard input, which is `-`.
    pub(crate) fn file(&self) -> Option<&Path> {
        Some(self.name()).filter(|_| !matches!(self, Source::Arguments(_)))
    }

    /// Opens the source.
    pub(crate) fn open(&self) -> Result<Opened<'_>, Error> {
        match self {
            Source::Arguments(texts) => Ok(Opened::Texts(texts)),
            Source::File(path) => {
                Input::open_interruptible(path, signals::read_interrupt()).map(Opened::Input)
            }
            Source::Stdin => {
                note_closed_stdin();
                Input::stdin_interruptible(signals::read_interrupt()).map(Opened::Input)
            }
        }
    }

    /// Returns whether the source is a regular file, which is complete from the start.
    pub(crate) fn is_regular_file(&self) -> bool {
        matches!(self, Source::File(path) if path.metadata().is_ok_and(|data| data.is_file()))
    }

    /// Returns the number of bytes in the source, if that is known before it is read.
    fn size(&self) -> Option<u64> {
        match self {
            Source::Arguments(_) => Some(0),
            Source::File(path) => path.metadata().ok().filter(Metadata::is_file).map(|data| data.len()),
            Source::Stdin => None,
        }
    }
}

/// Prints a note if standard input was closed when the program started. It is read as empty.
pub(crate) fn note_closed_stdin() {
    if Standard::Input.was_closed() {
        message::print("standard input is closed and read as empty");
    }
}

/// The sources of a command.
#[derive(Debug, Default)]
pub(crate) struct Sources(pub(crate) Vec<Source>);

impl Sources {
    /// Returns the sources of lines that arguments name, and the other files. If a scheme is assumed, a text
    /// without a scheme that is not the name of a file is a URL.
    pub(crate) fn from_arguments(
        arguments: &[OsString],
        bare: BareArgument,
        is_assumed: bool,
        files: &[PathBuf],
    ) -> Result<Self, Failure> {
        let rule = ArgumentRule::new(if is_assumed { BareArgument::Text } else { bare });
        Sources::new(arguments, |argument| rule.sort(argument), files)
    }

    /// Sorts arguments into texts, files and `-`, followed by the other files. Without any of them, standard
    /// input is read.
    fn new(
        arguments: &[OsString],
        sort: impl Fn(&OsStr) -> Argument,
        files: &[PathBuf],
    ) -> Result<Self, Failure> {
        let mut sources = Vec::new();
        for argument in arguments {
            if argument == "-" {
                sources.push(Source::Stdin);
                continue;
            }
            let text = match sort(argument) {
                Argument::File => {
                    sources.push(Source::File(argument.into()));
                    continue;
                }
                Argument::Text => argument.clone(),
                Argument::Url(url) => url,
            };
            match sources.last_mut() {
                Some(Source::Arguments(texts)) => texts.push(text),
                _ => sources.push(Source::Arguments(vec![text])),
            }
        }
        sources.extend(files.iter().cloned().map(Source::File));
        if sources.is_empty() {
            if std::io::stdin().is_terminal() {
                return Err(Failure::usage(
                    "input is missing: give an argument, a file or a pipe (`-` reads the terminal)",
                ));
            }
            sources.push(Source::Stdin);
        }
        Ok(Sources(sources))
    }

    /// Returns files and `-`, or standard input if the list is empty.
    pub(crate) fn from_files(files: &[PathBuf]) -> Result<Self, Failure> {
        let names: Vec<_> = files.iter().map(|file| file.clone().into_os_string()).collect();
        Sources::new(&names, |_| Argument::File, &[])
    }

    /// Returns the files of tables, and `-`. The folder of a dataset stands for its files, in their order.
    pub(crate) fn from_tables(arguments: &[OsString], files: &[PathBuf]) -> Result<Self, Failure> {
        let mut tables = Vec::new();
        for source in Sources::new(arguments, |_| Argument::File, files)?.0 {
            match source.path().filter(|path| is_dataset(path)) {
                Some(folder) => tables.extend(Dataset::open(folder, &[])?.files().map(Source::File)),
                None => tables.push(source),
            }
        }
        Ok(Sources(tables))
    }

    /// Starts to show how much of all sources was read.
    pub(crate) fn progress(&self) -> Progress {
        match self.0.iter().map(Source::size).sum::<Option<u64>>() {
            Some(0) => Progress::hidden(),
            total => Progress::bytes(total),
        }
    }
}

/// The kind of an argument that neither starts with a scheme nor names a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BareArgument {
    /// The name of a file, which is missing.
    File,
    /// A URL of a web page without its scheme, if it can be one.
    Url,
    /// The same, and else a text.
    UrlOrText,
    /// Any text, which is a line of input itself.
    Text,
}

/// Returns texts as URLs. Texts that lack only the scheme become `https://`, which is noted.
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
    otherwise: BareArgument,
    is_noted: Cell<bool>,
}

impl ArgumentRule {
    pub(crate) fn new(otherwise: BareArgument) -> Self {
        ArgumentRule { otherwise, is_noted: Cell::new(false) }
    }

    /// Returns the kind of an argument.
    pub(crate) fn sort(&self, argument: &OsStr) -> Argument {
        let is_file = names_file(Path::new(argument));
        let text = argument.to_str().unwrap_or_default();
        let completes = matches!(self.otherwise, BareArgument::Url | BareArgument::UrlOrText);
        match self.otherwise {
            _ if is_file && is_url(argument) => {
                self.note(argument, "read as a URL; the file of this name is ./");
                return Argument::Text;
            }
            BareArgument::Text if is_file => self.note(argument, "read as the file of this name"),
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
            BareArgument::File | BareArgument::Url => Argument::File,
            BareArgument::Text | BareArgument::UrlOrText => Argument::Text,
        }
    }

    /// Prints how an argument is read, once for all arguments. A note that ends with a prefix is followed by
    /// the argument.
    fn note(&self, argument: &OsStr, how: &str) {
        if self.is_noted.replace(true) {
            return;
        }
        let argument = Escaped(argument.as_encoded_bytes());
        let named = if how.ends_with('/') { argument.to_string() } else { String::new() };
        message::print(&format!("{argument}: {how}{named}"));
    }
}

/// Returns whether a path names something that can be read as a file, or the folder of a store. Such a name
/// is not meant as a host.
fn names_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| !data.is_dir() || StoredKind::of_path(path).is_some())
}

/// Returns whether a text is an identifier, or digits that were meant as one.
pub(crate) fn is_identifier(text: &str) -> bool {
    // The shortest identifier is a very short url-hash with 16 digits.
    let are_digits = text.len() >= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    are_digits || detect(text).iter().any(|format| *format != Format::Url)
}

/// Returns whether an argument is a URL, which starts with a scheme and a colon. A single letter and a colon
/// are a drive, unless `//` follows.
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
    fn a_url_starts_with_a_scheme_and_a_drive_does_not() {
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
    fn the_verb_decides_how_arguments_that_are_not_urls_are_read() {
        let url = |text: &str| Argument::Url(format!("https://{text}").into());
        for (text, expected) in [
            ("https://h/", [Argument::Text, Argument::Text, Argument::Text]),
            ("example.com", [Argument::File, url("example.com"), Argument::Text]),
            ("localhost:3000", [Argument::Text, url("localhost:3000"), Argument::Text]),
            ("/p", [Argument::File, Argument::File, Argument::Text]),
            (r"C:\", [Argument::File, Argument::File, Argument::Text]),
            ("tel:911", [Argument::Text, Argument::Text, Argument::Text]),
        ] {
            let sorted = [BareArgument::File, BareArgument::Url, BareArgument::Text]
                .map(|otherwise| ArgumentRule::new(otherwise).sort(text.as_ref()));
            assert_eq!(sorted, expected, "{text}");
        }
    }

    #[test]
    fn an_identifier_is_not_a_host() {
        let id = "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356";
        let rule = ArgumentRule::new(BareArgument::UrlOrText);
        for id in [id, &id[1..], "6665717970336401-17144348346964290110"] {
            assert_eq!(rule.sort(id.as_ref()), Argument::Text, "{id}");
        }
        assert_eq!(rule.sort("cafe.de".as_ref()), Argument::Url("https://cafe.de".into()));
    }
}
