//! A hint that an input may not be a list of URLs but was given by mistake, printed once.
//!
//! Files of a known other kind are an error of `urlid_io::lines`; the inputs here are read in any case.

use std::path::{Path, PathBuf};

use memchr::memmem;

use urlid::web::is_scheme;
use urlid_io::lines::{Line, is_control};

use crate::output::escape::Escaped;
use crate::output::progress::Progress;
use crate::report::message;
use crate::report::refusals::{PRINTED, Place};

/// The number of lines of each input that are examined.
pub(crate) const FIRST_LINES: u64 = 1_000;

/// The first lines of the inputs so far, and whether the hint was printed.
pub(crate) struct Doubt {
    inputs: Vec<FirstLines>,
    is_said: bool,
    progress: Progress,
}

/// The first lines of one input.
struct FirstLines {
    input: PathBuf,
    lines: u64,
    refused: u64,
    /// Whether a line was not blank.
    is_begun: bool,
}

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns whether a URL and a blank begin a line, and text follows.
fn has_text_after(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let first = line.split(|&byte| byte == b' ').next().unwrap_or_default();
    let scheme = memmem::find(first, b"://").and_then(|end| str::from_utf8(&first[..end]).ok());
    first.len() < line.len() && scheme.is_some_and(is_scheme)
}

/// Returns whether a line begins with a tag, a comment or a declaration of HTML or XML, and not with a URL in angle brackets.
fn is_markup(line: &[u8]) -> bool {
    let Some(name) = line.trim_ascii_start().strip_prefix(b"<") else { return false };
    let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(name.len());
    matches!(name, [b'!' | b'?', ..]) || end > 0 && matches!(name[end..], [] | [b' ' | b'>' | b'/', ..])
}

/// Returns whether a line begins with an array or an object of JSON, and not with an IPv6 address.
fn is_json(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_open = matches!(line.first(), Some(b'[' | b'{'));
    is_open && matches!(line[1..].trim_ascii_start(), [] | [b'"' | b'{' | b'[', ..])
}

impl Doubt {
    pub(crate) fn new(progress: Progress) -> Self {
        Doubt { inputs: Vec::new(), is_said: false, progress }
    }

    /// Examines one of the first lines of an input. `keeps_text` is whether text after a URL is meant to be part of it.
    pub(crate) fn read(&mut self, input: &Path, line: &Line<'_>, keeps_text: bool) {
        let first = self.first_lines(input);
        first.lines += 1;
        let is_begun = first.is_begun;
        first.is_begun |= !line.bytes.is_empty();
        let reason = match line.bytes {
            bytes if bytes.iter().copied().any(is_control) => "has control bytes",
            bytes if !keeps_text && line.text.is_ok() && has_text_after(bytes) => {
                "has text after its URL, which is read as part of it"
            }
            bytes if !is_begun && is_markup(bytes) => {
                "begins like HTML or XML, whose URLs are to be taken out first, one a line"
            }
            bytes if !is_begun && is_json(bytes) => {
                "begins like JSON: --column NAME reads a member of objects, one a line (ndjson)"
            }
            _ => return self.joined(Place::in_file(input, line.number), line.bytes),
        };
        self.say(input, &format!("line {} {reason}", line.number));
    }

    /// Examines a line that may be the first one of a file that was joined to others.
    pub(crate) fn joined(&mut self, place: Place<'_>, line: &[u8]) {
        if place.line > 1 && line.starts_with(MARK) {
            let (number, advice) = (place.line, "as joined files have; remove it first");
            self.say(place.input, &format!("line {number} begins with a byte order mark, {advice}"));
        }
    }

    /// Counts a refused line. The lines of a batch are refused some time after they were read, so their input may not be the
    /// last one.
    pub(crate) fn refused(&mut self, place: Place<'_>) {
        if place.is_argument || place.line > FIRST_LINES {
            return;
        }
        let first = self.first_lines(place.input);
        first.refused += 1;
        if first.refused > FIRST_LINES / 2 {
            self.say(place.input, &format!("most of its first {FIRST_LINES} lines are refused"));
        }
    }

    /// Examines inputs that ended before the first lines were complete.
    pub(crate) fn finish(mut self) {
        let is_doubtful = |first: &&FirstLines| {
            // Up to `PRINTED` refused lines, each has a message of its own, which says enough.
            first.refused > PRINTED && 2 * first.refused > first.lines && first.lines > 0
        };
        if let Some(FirstLines { input, lines, refused, .. }) = self.inputs.iter().find(is_doubtful) {
            let (input, reason) = (input.clone(), format!("{refused} of its {lines} lines are refused"));
            self.say(&input, &reason);
        }
    }

    fn first_lines(&mut self, input: &Path) -> &mut FirstLines {
        let index = self.inputs.iter().rposition(|first| first.input == input).unwrap_or_else(|| {
            self.inputs.push(FirstLines { input: input.to_owned(), lines: 0, refused: 0, is_begun: false });
            self.inputs.len() - 1
        });
        &mut self.inputs[index]
    }

    fn say(&mut self, input: &Path, reason: &str) {
        if !std::mem::replace(&mut self.is_said, true) {
            let line = format!("hint: {} may not be a list of URLs: {reason}", Escaped::path(input));
            self.progress.suspend(|| message::print(&line));
        }
    }
}
