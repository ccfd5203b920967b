//! A hint that an input may not be a list of URLs but was given by mistake, printed once.
//!
//! Files of a known other kind are an error of `urlid_io::lines`; the inputs here are read in any case.

use std::path::{Path, PathBuf};

use urlid_io::lines::{Line, is_control};

use crate::escape::Escaped;
use crate::message;
use crate::progress::Progress;
use crate::refusals::{PRINTED, Place};

/// The number of lines of each input that are examined.
const FIRST_LINES: u64 = 1_000;

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
}

impl Doubt {
    pub(crate) fn new(progress: Progress) -> Self {
        Doubt { inputs: Vec::new(), is_said: false, progress }
    }

    /// Examines lines of an input, in order.
    pub(crate) fn read<'l>(&mut self, input: &Path, lines: impl IntoIterator<Item = Line<'l>>) {
        for line in lines.into_iter().take_while(|line| line.number <= FIRST_LINES) {
            self.first_lines(input).lines += 1;
            if line.bytes.iter().copied().any(is_control) {
                self.say(input, &format!("line {} has control bytes", line.number));
            }
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
        if let Some(FirstLines { input, lines, refused }) = self.inputs.iter().find(is_doubtful) {
            let (input, reason) = (input.clone(), format!("{refused} of its {lines} lines are refused"));
            self.say(&input, &reason);
        }
    }

    fn first_lines(&mut self, input: &Path) -> &mut FirstLines {
        let index = self.inputs.iter().rposition(|first| first.input == input).unwrap_or_else(|| {
            self.inputs.push(FirstLines { input: input.to_owned(), lines: 0, refused: 0 });
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
