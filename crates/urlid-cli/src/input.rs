//! The lines that a command works on: arguments, files and standard input, one after the other.
//!
//! Knows how the command line names its inputs; how lines are cut is known by `urlid-lines`.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid_lines::{Input, Line, Options, ReadError};

use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::message;
use crate::progress::Progress;
use crate::refusals::{Place, Refusals};
use urlid::Coded;

/// Inputs of a command whose arguments may be URLs or files.
#[derive(Debug, Args)]
pub(crate) struct UrlInputs {
    /// URLs, or names of files with a URL on each line
    ///
    /// An argument that begins with a scheme of two letters or more and a colon is a URL, any other is the name of a
    /// file, and `-` is standard input. Files compressed by gzip or zstd are recognised by their content. Without any
    /// input, standard input is read.
    #[arg(value_name = "URL|FILE")]
    inputs: Vec<OsString>,

    #[command(flatten)]
    lines: LineInputs,
}

/// Inputs of a command whose arguments are texts.
#[derive(Debug, Args)]
pub(crate) struct TextInputs {
    /// The texts; `-` is standard input, which is also read if there is no input at all
    #[arg(value_name = "TEXT")]
    texts: Vec<OsString>,

    #[command(flatten)]
    lines: LineInputs,
}

/// What all commands that read lines have in common.
#[derive(Debug, Args)]
pub(crate) struct LineInputs {
    /// Read lines from this file too, whatever its name; may be repeated
    #[arg(short, long, value_name = "FILE")]
    file: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: LineRules,
}

/// How lines are taken.
#[derive(Debug, Args)]
pub(crate) struct LineRules {
    /// Refuse lines of more bytes; K, M and G stand for their powers of 1024
    #[arg(long, value_name = "BYTES", default_value = "1M", value_parser = parse_size)]
    pub(crate) max_line: usize,

    /// Write every refused line to this file: file, line number, code and escaped text, tab-separated
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,
}

impl LineRules {
    /// Returns the options of the line reader.
    pub(crate) fn options(&self) -> Options {
        Options { max_line: self.max_line, ..Options::default() }
    }
}

/// Where lines come from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The command line: each argument is a line.
    Arguments(Vec<OsString>),
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
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

    /// Opens the source.
    pub(crate) fn open(&self) -> Result<Opened<'_>, ReadError> {
        match self {
            Source::Arguments(texts) => Ok(Opened::Texts(texts)),
            Source::File(path) => Input::open(path).map(Opened::Input),
            Source::Stdin => Input::stdin().map(Opened::Input),
        }
    }
}

/// A source that is open.
pub(crate) enum Opened<'s> {
    /// Texts of the command line, each a line.
    Texts(&'s [OsString]),
    /// What lines are read from.
    Input(Input),
}

/// The sources of a command, in the order in which they were given.
#[derive(Debug)]
pub(crate) struct Sources(pub(crate) Vec<Source>);

impl UrlInputs {
    /// Whether any input was named.
    pub(crate) fn is_given(&self) -> bool {
        !self.inputs.is_empty() || !self.lines.file.is_empty()
    }

    /// Returns what to read.
    pub(crate) fn sources(&self) -> Result<Sources, Failure> {
        Sources::of(&self.inputs, has_scheme, &self.lines.file)
    }

    /// Returns how lines are taken.
    pub(crate) fn rules(&self) -> &LineRules {
        &self.lines.rules
    }
}

impl TextInputs {
    /// Returns what to read.
    pub(crate) fn sources(&self) -> Result<Sources, Failure> {
        Sources::of(&self.texts, |_| true, &self.lines.file)
    }

    /// Returns how lines are taken.
    pub(crate) fn rules(&self) -> &LineRules {
        &self.lines.rules
    }
}

impl Sources {
    /// Whether some lines are arguments.
    pub(crate) fn has_arguments(&self) -> bool {
        self.0.iter().any(|source| matches!(source, Source::Arguments(_)))
    }

    /// Returns files and `-`, or standard input where there is none.
    pub(crate) fn of_files(files: &[PathBuf]) -> Result<Self, Failure> {
        let names: Vec<_> = files.iter().map(|file| file.clone().into_os_string()).collect();
        Sources::of(&names, |_| false, &[])
    }

    fn of(
        arguments: &[OsString],
        is_text: impl Fn(&[u8]) -> bool,
        files: &[PathBuf],
    ) -> Result<Self, Failure> {
        let mut sources = Vec::new();
        for argument in arguments {
            match sources.last_mut() {
                _ if argument == "-" => sources.push(Source::Stdin),
                _ if !is_text(argument.as_encoded_bytes()) => sources.push(Source::File(argument.into())),
                Some(Source::Arguments(texts)) => texts.push(argument.clone()),
                _ => sources.push(Source::Arguments(vec![argument.clone()])),
            }
        }
        sources.extend(files.iter().cloned().map(Source::File));
        if sources.is_empty() {
            if std::io::stdin().is_terminal() {
                return Err(Failure::usage(
                    "nothing to read: give an argument, a file or a pipe (`-` reads the terminal)",
                ));
            }
            sources.push(Source::Stdin);
        }
        Ok(Sources(sources))
    }

    /// Begins to show how much of all sources was read; `None` if the size of one is not known.
    pub(crate) fn progress(&self) -> Progress {
        let size = |source: &Source| match source {
            Source::Arguments(_) => Some(0),
            Source::File(path) => {
                path.metadata().ok().filter(std::fs::Metadata::is_file).map(|data| data.len())
            }
            Source::Stdin => None,
        };
        match self.0.iter().map(size).sum::<Option<u64>>() {
            Some(0) => Progress::hidden(),
            total => Progress::bytes(total),
        }
    }
}

/// What takes the lines of the sources.
pub(crate) trait LineSink {
    /// Takes a line, which may be one that cannot be read as text.
    fn line(&mut self, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure>;

    /// Is told that the next line has to be waited for.
    fn pause(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// Gives the lines of all sources to `sink`. A source that cannot be read is told about, and the next one is read.
pub(crate) fn each_line(
    sources: &Sources,
    options: Options,
    progress: &Progress,
    sink: &mut impl LineSink,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut before = 0;
    for source in &sources.0 {
        let name = source.name();
        let input = match source.open() {
            Ok(Opened::Input(input)) => input,
            Ok(Opened::Texts(texts)) => {
                arguments(name, texts, sink)?;
                continue;
            }
            Err(error) => {
                exit = exit.max(cannot_read(source, &error, progress));
                continue;
            }
        };
        let read = input.bytes_read();
        let mut lines = input.lines(options);
        loop {
            if !lines.has_line() {
                progress.set(before + read.get());
                sink.pause()?;
            }
            match lines.next_line() {
                Ok(Some(line)) => sink.line(Place { input: name, line: line.number }, &line)?,
                Ok(None) => break,
                Err(error) => {
                    exit = exit.max(cannot_read(source, &error, progress));
                    break;
                }
            }
        }
        before += read.get();
    }
    Ok(exit)
}

fn arguments(name: &Path, texts: &[OsString], sink: &mut impl LineSink) -> Result<(), Failure> {
    for (number, text) in (1..).zip(texts) {
        sink.line(Place { input: name, line: number }, &Line::of(number, text.as_encoded_bytes()))?;
    }
    Ok(())
}

/// Says why a source cannot be read, or not to its end.
pub(crate) fn cannot_read(source: &Source, error: &ReadError, progress: &Progress) -> Exit {
    let name = Escaped::path(source.name());
    let is_missing = matches!(error, ReadError::Io(error) if error.kind() == std::io::ErrorKind::NotFound);
    let hint = if is_missing { " (a URL begins with its scheme)" } else { "" };
    progress.suspend(|| message::say(&format!("{name}: {error}{hint}")));
    Exit::Failed
}

/// Returns the text of a line, or refuses the line.
pub(crate) fn text_of<'a>(
    place: Place<'_>,
    line: &Line<'a>,
    refusals: &mut Refusals,
) -> Result<Option<&'a str>, Failure> {
    match line.text {
        Ok(text) => Ok(Some(text)),
        Err(error) => {
            refusals.refuse(place, error.code(), &error.to_string(), line.bytes)?;
            Ok(None)
        }
    }
}

/// Whether a text begins like a URL: a scheme of two characters or more, so that no drive letter is one, and a colon.
fn has_scheme(text: &[u8]) -> bool {
    let Some(end) = text.iter().position(|&byte| byte == b':') else { return false };
    let scheme = &text[..end];
    scheme.len() > 1
        && scheme[0].is_ascii_alphabetic()
        && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
}

/// Reads a number of bytes.
pub(crate) fn parse_size(text: &str) -> Result<usize, String> {
    let (digits, shift) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 10),
        None => match text.strip_suffix(['m', 'M']) {
            Some(digits) => (digits, 20),
            None => text.strip_suffix(['g', 'G']).map_or((text, 0), |digits| (digits, 30)),
        },
    };
    let expected = || format!("expected 1 to {}M", Options::MOST >> 20);
    let number: usize = digits.parse().map_err(|_| expected())?;
    let size = number.checked_mul(1 << shift).ok_or_else(expected)?;
    if (1..=Options::MOST).contains(&size) { Ok(size) } else { Err(expected()) }
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
            ("c:/urls.txt", false),
            ("urls.txt", false),
            ("./http:urls", false),
            ("1http://h/", false),
            (":", false),
            ("", false),
        ] {
            assert_eq!(has_scheme(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("10"), Ok(10));
        assert_eq!(parse_size("2k"), Ok(2048));
        assert_eq!(parse_size("1M"), Ok(1 << 20));
        assert_eq!(parse_size("1G"), Ok(1 << 30));
        for bad in ["0", "2G", "-1", "", "M", "1x", "99999999999999999999G"] {
            assert_eq!(parse_size(bad), Err("expected 1 to 1024M".to_owned()), "{bad}");
        }
    }

    #[test]
    fn arguments_files_and_standard_input_keep_their_order() {
        let given = ["https://a/", "https://b/", "file.txt", "-", "https://c/"].map(OsString::from);
        let Sources(sources) =
            Sources::of(&given, has_scheme, &["http:odd".into()]).expect("inputs are given");
        let texts = |texts: &[&str]| Source::Arguments(texts.iter().map(OsString::from).collect());
        let expected = [
            texts(&["https://a/", "https://b/"]),
            Source::File("file.txt".into()),
            Source::Stdin,
            texts(&["https://c/"]),
            Source::File("http:odd".into()),
        ];
        assert_eq!(sources, expected);
    }
}
