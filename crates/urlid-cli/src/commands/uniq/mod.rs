//! `urlid uniq`: the first line of each canonical form.
//!
//! `durable` is what was seen on disk, and here in memory.

mod durable;

use std::env;
use std::path::PathBuf;

use clap::Args;
use urlid_canonical::Form;
use urlid_io::lines::{Chunk, Line};
use urlid_io::sort::{Digest, Seen, Sight, Tally, TallyOrder};
use urlid_seen::Digester;

use super::canon::form::{FormName, TrackingArg, form_names, parse_form};
use super::count::sort_failure;
use crate::column_values;
use crate::columns::ColumnArgs;
use crate::exit::{Exit, Failure};
use crate::input::{Inputs, UrlInputs, parse_size};
use crate::output::{OutArg, Output};
use crate::pipeline::{Made, Taken, Worker};
use crate::refusals::{Place, Refusal};
use crate::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::session::Session;
use crate::signals;

/// Print the first line of each URL: two lines are the same URL if they have the same canonical form
///
/// Lines are printed as they came and in their order, each as soon as it is read while the forms before it fit in memory.
/// Blank lines and refused lines are not printed.
///
/// Example: urlid uniq urls.txt.zst
///
/// Example: urlid uniq --as surt-0.3.1 --count crawl.warc.gz
///
/// Example: urlid uniq --seen seen --resume urls.txt
#[derive(Debug, Args)]
pub(crate) struct UniqArgs {
    #[command(flatten)]
    urls: UrlInputs,

    #[command(flatten)]
    columns: ColumnArgs,

    /// The canonical form, by default `web`, or that of the seen-set; `urlid canon --list` prints the names
    #[arg(long = "as", value_name = "FORM", value_parser = form_names(parse_form), hide_possible_values = true)]
    form: Option<FormName>,

    #[command(flatten)]
    tracking: TrackingArg,

    /// Print how many lines have the form too, at the end of the input
    #[arg(short, long)]
    count: bool,

    /// Keep what was seen in this folder, 16 bytes for each URL, and print the lines that were not seen in earlier runs either
    ///
    /// The folder is made if it does not exist. Lines are printed once they are stored. A line is delivered when the output has
    /// taken it and is still open after the lines that are stored together with it; --resume prints the others. One process at a
    /// time writes to it; `urlid index show`, `verify` and `compact` work on it.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["count", "out"])]
    seen: Option<PathBuf>,

    /// With --seen, first print the lines that earlier runs stored and did not deliver because they were killed, or their output
    /// was closed or full; a line may be printed twice, none is lost
    #[arg(long, requires = "seen")]
    resume: bool,

    /// The memory for what was seen; the suffixes K, M and G are powers of 1024. What does not fit goes to files that are
    /// deleted at the end, and is printed then
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_size)]
    memory: usize,

    #[command(flatten)]
    format: FormatArg,

    #[command(flatten)]
    out: OutArg,
}

/// Prints the first line of each form.
pub(crate) fn run(args: &UniqArgs) -> Result<Exit, Failure> {
    if let Some(folder) = &args.seen {
        return durable::run(args, folder);
    }
    let form = args.form()?;
    let others = args.tracking.path();
    let make = || Digests::new(&form);
    let mut session;
    let mut kept;
    if args.columns.is_given() {
        session = Session::begin_with(args.urls.files()?, &args.urls, others.as_slice(), args.out.path())?;
        kept = Kept::begin(args, &mut session.out)?;
        let mut digests = make();
        let mut each = |session: &mut Session, place: Place<'_>, line: &Line<'_>| match digests.of(line) {
            Ok(Some(digest)) => kept.take_line(&mut session.out, digest, line),
            Ok(None) => Ok(()),
            Err(refusal) => session.refuse(place, line.bytes, &refusal),
        };
        column_values::each_value(&mut session, &args.columns, &mut each)?;
    } else {
        session = Session::begin(&args.urls, others.as_slice(), args.out.path())?;
        kept = Kept::begin(args, &mut session.out)?;
        session.each_made(make, |out, made, of| kept.take(out, made, of))?;
    }
    kept.finish(&mut session.out)?;
    session.finish(Exit::Done)
}

impl UniqArgs {
    /// Returns the form that is given, or `web`.
    fn form(&self) -> Result<Form, Failure> {
        let form = self.tracking.optional_form(self.form.as_ref())?;
        form.map_or_else(|| Ok("web".parse()?), Ok)
    }
}

/// The bytes that a worker makes of a line: its digest, little-endian.
const DIGEST_LEN: usize = size_of::<Digest>();

/// In place of the digest, a line that is blank or refused.
const NONE: Digest = 0;

/// Makes the digests of the canonical forms of lines.
struct Digests<'f>(Digester<'f>);

impl<'f> Digests<'f> {
    fn new(form: &'f Form) -> Self {
        Self(Digester::new(form))
    }

    fn of(&mut self, line: &Line<'_>) -> Result<Option<Digest>, Refusal> {
        match line.text? {
            "" => Ok(None),
            text => Ok(Some(self.0.digest(text)?)),
        }
    }

    fn push(&mut self, line: &Line<'_>, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let digest = self.of(line);
        let written = digest.as_ref().map_or(NONE, |digest| digest.unwrap_or(NONE));
        out.extend_from_slice(&written.to_le_bytes());
        digest.map(drop)
    }
}

impl Worker for Digests<'_> {
    fn chunk(&mut self, chunk: &Chunk, first: u64, made: &mut Made) {
        for (index, line) in chunk.lines(first).enumerate() {
            if let Err(refusal) = self.push(&line, &mut made.out) {
                made.refused.push((index, refusal));
            }
        }
    }

    fn line(&mut self, line: &Line<'_>, _: bool, out: &mut Vec<u8>) -> Result<(), Refusal> {
        self.push(line, out)
    }
}

/// Returns the digests that a worker made, and their lines. The bytes are as they came: an assumed scheme is only in the text.
fn with_digests<'l>(made: &[u8], of: &'l Taken<'_>) -> (Vec<Digest>, Vec<&'l [u8]>) {
    let digests = made.as_chunks::<DIGEST_LEN>().0.iter().map(|digest| Digest::from_le_bytes(*digest));
    let is_made = |(digest, _): &(Digest, &[u8])| *digest != NONE;
    match of {
        Taken::Line(line) => digests.zip([line.bytes]).filter(is_made).unzip(),
        Taken::Chunk(chunk) => digests.zip(chunk.raw_lines()).filter(is_made).unzip(),
    }
}

/// The lines that are printed.
struct Kept {
    rows: Rows,
    format: Format,
    /// `None` if lines are counted, and printed at the end.
    seen: Option<Seen>,
    /// The lines that are printed at the end.
    later: Tally,
    /// How many lines were taken.
    taken: u64,
    counts: bool,
}

impl Kept {
    fn begin(args: &UniqArgs, out: &mut Output) -> Result<Self, Failure> {
        let format = args.format.format;
        let columns = ["url", "rows"].map(|name| Column { name, shown: Shown::Always });
        let columns = if args.count { &columns[..] } else { &columns[..1] };
        let rows = Rows::begin(out, format, columns)?;
        // Half for what was seen, half for what is printed at the end.
        let (seen, later) = match args.count {
            true => (None, args.memory),
            false => (Some(Seen::new(args.memory / 2)), args.memory / 2),
        };
        let later = Tally::new(env::temp_dir(), later);
        Ok(Kept { rows, format, seen, later, taken: 0, counts: args.count })
    }

    /// Takes what a worker made: the digests of lines.
    fn take(&mut self, out: &mut Output, made: &[u8], of: &Taken<'_>) -> Result<(), Failure> {
        let is_plain = matches!(of, Taken::Chunk(_)) && self.format == Format::Text && !out.is_terminal();
        let (digests, lines) = with_digests(made, of);
        self.take_lines(out, &digests, &lines, is_plain)
    }

    fn take_line(&mut self, out: &mut Output, digest: Digest, line: &Line<'_>) -> Result<(), Failure> {
        // The bytes as they came: an assumed scheme is only in the text.
        self.take_lines(out, &[digest], &[line.bytes], false)
    }

    /// Takes lines that have a form, with their digests. `is_plain` is whether a line is printed without a look at its bytes.
    fn take_lines(
        &mut self,
        out: &mut Output,
        digests: &[Digest],
        lines: &[&[u8]],
        is_plain: bool,
    ) -> Result<(), Failure> {
        let Self { rows, seen, later, taken, .. } = self;
        let mut print = |index: usize, sight| {
            let line = lines[index];
            *taken += 1;
            match sight {
                Sight::Again => Ok(()),
                Sight::First if is_plain => {
                    out.write(line)?;
                    out.write(b"\n")
                }
                Sight::First => rows.write(out, &[Value::Line(line)]),
                // A line with a form is text.
                Sight::Unknown => str::from_utf8(line).map_or(Ok(()), |line| {
                    later.add(digests[index], *taken, 1, line).map_err(|error| sort_failure(&error))
                }),
            }
        };
        match seen {
            Some(seen) => seen.see(digests, print),
            None => (0..lines.len()).try_for_each(|index| print(index, Sight::Unknown)),
        }
    }

    /// Prints what was not printed.
    fn finish(mut self, out: &mut Output) -> Result<(), Failure> {
        // Frees its memory before that of the sort is needed.
        drop(self.seen.take());
        let mut later = self.later.finish(TallyOrder::First).map_err(|error| sort_failure(&error))?;
        while let Some((count, line)) = later.next_text().map_err(|error| sort_failure(&error))? {
            if signals::is_stopping() {
                return Err(Failure::Stopped);
            }
            let values = [Value::Text(line), Value::Number(count)];
            self.rows.write(out, if self.counts { &values } else { &values[..1] })?;
        }
        Ok(())
    }
}
