//! What takes the lines of a session.

use urlid::web::assume_scheme;
use urlid_io::lines::Line;

use crate::exit::Failure;
use crate::refusals::Place;
use crate::session::Session;

/// Takes the lines of a session.
pub(crate) trait LineSink {
    /// Takes a line, which may not be readable as text.
    fn line(&mut self, session: &mut Session, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure>;

    /// Is called before a read that may wait for the next line.
    fn before_wait(&mut self, session: &mut Session) -> Result<(), Failure> {
        // A program that writes a line and waits for its answer would otherwise wait forever.
        session.out.flush()
    }
}

impl<F> LineSink for F
where
    F: FnMut(&mut Session, Place<'_>, &Line<'_>) -> Result<(), Failure>,
{
    fn line(&mut self, session: &mut Session, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        self(session, place, line)
    }
}

/// Passes lines to a sink, with the assumed scheme if they lack one.
pub(crate) struct Completed<'s, S> {
    pub(crate) sink: &'s mut S,
    pub(crate) scheme: Option<String>,
}

impl<S: LineSink> LineSink for Completed<'_, S> {
    fn line(&mut self, session: &mut Session, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        match (&self.scheme, line.text) {
            (Some(scheme), Ok(text)) => {
                self.sink.line(session, place, &Line { text: Ok(&assume_scheme(text, scheme)), ..*line })
            }
            _ => self.sink.line(session, place, line),
        }
    }

    fn before_wait(&mut self, session: &mut Session) -> Result<(), Failure> {
        self.sink.before_wait(session)
    }
}
