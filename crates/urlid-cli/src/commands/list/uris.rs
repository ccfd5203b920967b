//! The URIs that a list is made of or guessed with: each is taken, or refused with its reason.

use urlid::Coded;
use urlid::hashed_uri::CanonicalError;
use urlid_lines::Line;

use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::input::{self, LineSink, UrlInputs};
use crate::refusals::{Place, Refusals};

/// Gives `take` each URI of the inputs, and returns how reading ended and what was refused, which is still to be summed up.
pub(super) fn each(
    urls: &UrlInputs,
    take: impl FnMut(&str) -> Result<(), CanonicalError>,
) -> Result<(Exit, Refusals), Failure> {
    let sources = urls.sources()?;
    let progress = sources.progress();
    let refusals = Refusals::new(urls.rules().rejects.as_deref(), progress.clone())?;
    let mut taker = Taker { take, refusals };
    let read = input::each_line(&sources, urls.rules().options(), &progress, &mut taker);
    progress.finish();
    Ok((read?, taker.refusals))
}

struct Taker<F> {
    take: F,
    refusals: Refusals,
}

impl<F: FnMut(&str) -> Result<(), CanonicalError>> LineSink for Taker<F> {
    fn line(&mut self, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        let Some(text) = input::text_of(place, line, &mut self.refusals)? else { return Ok(()) };
        if text.is_empty() {
            return Ok(());
        }
        match (self.take)(text) {
            Ok(()) => Ok(()),
            Err(error) => {
                let message = Escaped(error.to_string().as_bytes()).to_string();
                self.refusals.refuse(place, error.code(), &message, line.bytes)
            }
        }
    }
}
