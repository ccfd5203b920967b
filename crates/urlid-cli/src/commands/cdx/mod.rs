//! `urlid cdx`: indexes of web archives.

mod check;
mod find;
mod output;
mod rekey;

use clap::{Args, Subcommand};
use urlid_archives::cdx::{CdxError, Layout};
use urlid_lines::{Archives, Options};

use crate::exit::{Exit, Failure};
use crate::refusals::Place;
use crate::session::Session;
use crate::signals;
use crate::sources::Opened;

pub(crate) use output::IndexOutput;

/// Check, search and rekey the indexes of web archives: CDX, CDXJ and ZipNum
///
/// `urlid cdxj` makes an index. Every verb that reads URLs reads those of an index too.
#[derive(Debug, Args)]
pub(crate) struct CdxVerb {
    #[command(subcommand)]
    command: CdxCommand,
}

#[derive(Debug, Subcommand)]
enum CdxCommand {
    Check(check::CheckArgs),
    Rekey(rekey::RekeyArgs),
    Find(find::FindArgs),
}

/// Runs the verb.
pub(crate) fn run(args: &CdxVerb) -> Result<Exit, Failure> {
    match &args.command {
        CdxCommand::Check(args) => check::run(args),
        CdxCommand::Rekey(args) => rekey::run(args),
        CdxCommand::Find(args) => find::run(args),
    }
}

/// Gives every line of the indexes that is text to `take`, with the layout of its index.
fn each_line(
    session: &mut Session,
    mut take: impl FnMut(&mut Session, Place<'_>, Layout, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    session.each_source(|session, source| {
        let Opened::Input(input) = source.open()? else { return Ok(0) };
        let read = input.bytes_read();
        let mut lines = input.lines(Options { archives: Archives::Text, ..session.options() });
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
                    let recognised = layout.or_else(|| Layout::recognise(text.as_bytes()));
                    layout = Some(recognised.ok_or(CdxError::NoIndex)?);
                    take(session, place, recognised.ok_or(CdxError::NoIndex)?, text)?;
                }
                Err(error) => session.refuse(place, line.bytes, &error.into())?,
            }
        }
    })
}
