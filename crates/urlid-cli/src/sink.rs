//! What takes the lines of a session.

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
