//! The lines of indexes as they are, of which other verbs read the URLs only.

use urlid_archives::cdx::{CdxError, CdxLayout};
use urlid_lines::{Archives, LineOptions};

use crate::exit::Failure;
use crate::refusals::Place;
use crate::session::Session;
use crate::signals;
use crate::sources::Opened;

/// Gives every line of the indexes that is text to `take`, with the layout of its index.
pub(super) fn each_line(
    session: &mut Session,
    mut take: impl FnMut(&mut Session, Place<'_>, CdxLayout, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    session.each_source(|session, source| {
        let Opened::Input(input) = source.open()? else { return Ok(0) };
        let read = input.bytes_read();
        let mut lines = input.lines(LineOptions { archives: Archives::Text, ..session.options() });
        let mut layout = None;
        loop {
            if !lines.has_line() {
                session.show_progress(read.get());
            }
            if signals::is_stopping() {
                return Err(Failure::Stopped.into());
            }
            let Some(line) = lines.next_line()? else { return Ok(read.get()) };
            let place = Place::in_file(source.name(), line.number);
            match line.text {
                Ok(text) => {
                    let recognised = layout.or_else(|| CdxLayout::recognise(text.as_bytes()));
                    layout = Some(recognised.ok_or(CdxError::NoIndex)?);
                    take(session, place, recognised.ok_or(CdxError::NoIndex)?, text)?;
                }
                Err(error) => session.refuse(place, line.bytes, &error.into())?,
            }
        }
    })
}
