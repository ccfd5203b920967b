//! `urlid uniq`: the first line of each canonical form, or the first row.
//!
//! Workers make `digests` of lines, values, `rows` and `parquet_rows`. `kept` chooses records by them and prints
//! them, with the `choices` `--sample`, `--per`, `--not-in` and `--also-in`; the last two compare with an
//! `other` file or store. The forms that were seen are in memory here; `durable` keeps them on disk for
//! `--seen`.

mod arguments;
mod choices;
mod digests;
mod durable;
mod kept;
mod other;
mod parquet_rows;
mod rows;

use std::cell::RefCell;
use std::env;

use urlid_canonical::Form;
use urlid_store::seen::SeenFile;
use urlid_store::sort::RowSorter;

pub(crate) use self::arguments::UniqArgs;
use self::choices::{Compared, Wanted};
use self::digests::{DigestMaker, Digests, Sites};
use self::kept::{Kept, Sink, SinkKind};
use self::other::{Other, retain_wanted, take_stored};
use self::rows::{Content, RowHeader, RowReader};
use super::count::sort_failure;
use crate::args::Globals;
use crate::input::line_run::LineRun;
use crate::input::sources::{Source, Sources};
use crate::output::Output;
use crate::output::files::FilesInUse;
use crate::report::exit::{Exit, Failure};
use crate::report::ways::Needs;

/// Prints the first line or row of each form.
pub(crate) fn run(args: &UniqArgs, globals: &Globals) -> Result<Exit, Failure> {
    args.check()?;
    if let Some(folder) = &args.seen {
        return durable::run(args, folder).map_err(|failure| failure.with_way_on(folder, Needs::SeenSet));
    }
    let (mut other, form) = match args.other() {
        None => (None, args.form()?),
        Some((option, path, wanted)) => {
            let (other, form) = Other::open(args, option, path)?;
            (Some((other, wanted)), form)
        }
    };
    let sites = match args.per {
        None => None,
        Some(per) => Some(Sites { list: globals.psl.list()?, per, templates: args.templates.read()? }),
    };
    let psl = if sites.is_some() { globals.psl.path() } else { None };
    let other_path = args.other().map(|(_, path, _)| path);
    let others = psl.into_iter().chain(other_path).chain(args.templates.templates.as_deref());
    let files = FilesInUse::reading(args.lists.paths().into_iter().chain(others));
    let mut inputs = args.urls.lines_or_values(&args.columns)?.of_base(&args.base).of_form(&form);
    let own_sources = inputs.sources.0.len();
    if let (Some((Other::Inputs { sources, .. }, _)), Some((option, ..))) = (&mut other, args.other()) {
        if sources.0.contains(&Source::Stdin) && inputs.sources.0.contains(&Source::Stdin) {
            return Err(Failure::usage(format!(
                "standard input cannot be both the file of {option} and the URLs"
            )));
        }
        // Among the inputs, so that it is counted as they are.
        inputs.sources.0.append(&mut sources.0);
    }
    let mut run = LineRun::begin(inputs, files, args.out.path())?;
    let other_sources = Sources(run.sources.0.split_off(own_sources));
    let beside = match other {
        None => Beside::Nothing,
        Some((other, wanted)) => {
            let Some(beside) = read_other(args, &mut run, &form, other, other_sources, wanted)? else {
                // Without all of the file, what it lacks is not known, so nothing is written, not even an
                // empty file. `finish` returns the exit code of that.
                run.out = Output::stdout()?;
                return run.finish(Exit::Done);
            };
            beside
        }
    };
    let content = args.content(&run.sources.0)?;
    let sink = match content {
        Content::ParquetRows if run.out.is_terminal() => {
            return Err(Failure::usage("a Parquet file is not written to a terminal: --out names a file"));
        }
        Content::ParquetRows => SinkKind::Numbers(RowSorter::new(env::temp_dir(), args.memory / 8)),
        Content::Texts if !args.count => Sink::texts(args, &mut run.out)?,
        // The kind of rows is known when the first table is open.
        Content::Texts | Content::Rows => SinkKind::Count(0),
    };
    let (compared, set) = match beside {
        Beside::Nothing => (None, None),
        Beside::Compared(compared) => (Some(*compared), None),
        Beside::Seen(set, wanted) => (None, Some((set, wanted))),
    };
    let kept = Kept::new(args, &form, compared, Sink::new(sink, args.counts));
    let make = || DigestMaker::new(&form, sites.as_ref());
    let retain = |made: &mut Digests| match &set {
        Some((set, wanted)) => retain_wanted(set, *wanted, made),
        None => Ok(()),
    };
    read(args, &mut run, content, kept, &make, &retain)?;
    run.finish(Exit::Done)
}

/// What is known of the file or store that lines are compared with.
enum Beside {
    Nothing,
    /// Its forms, among which those of the inputs are sorted.
    Compared(Box<Compared>),
    /// A seen-set, in which they are looked up.
    Seen(Box<SeenFile>, Wanted),
}

/// Reads the other file or store; `None` if it cannot be read to its end.
fn read_other(
    args: &UniqArgs,
    run: &mut LineRun,
    form: &Form,
    other: Other,
    sources: Sources,
    wanted: Wanted,
) -> Result<Option<Beside>, Failure> {
    let mut compared = Compared::new(wanted, args.memory);
    match other {
        Other::Seen(set) => return Ok(Some(Beside::Seen(set, wanted))),
        Other::Urls(urls) => take_stored(&mut compared, &urls, form)?,
        Other::Inputs { are_lines, .. } => {
            let own_sources = std::mem::replace(&mut run.sources, sources);
            let own_columns = run.columns.clone();
            if are_lines {
                run.columns = None;
            }
            run.each_batch(&|| Digests::work(DigestMaker::new(form, None)), &mut |_, _, made| {
                let mut digests = made.digests.iter();
                let taken = digests.try_for_each(|digest| compared.take_of_file(*digest));
                Ok(taken.map_err(|error| sort_failure(&error))?)
            })?;
            (run.sources, run.columns) = (own_sources, own_columns);
            if run.has_unread() {
                return Ok(None);
            }
        }
    }
    Ok(Some(Beside::Compared(Box::new(compared))))
}

/// Reads the inputs, and prints the records that are kept.
fn read<'f>(
    args: &UniqArgs,
    run: &mut LineRun,
    content: Content,
    mut kept: Kept,
    make: &dyn Fn() -> DigestMaker<'f>,
    retain: &dyn Fn(&mut Digests) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut row_counts = Vec::new();
    match content {
        Content::Texts if matches!(kept.sink.kind, SinkKind::Places(_)) => {
            run.each_batch(&|| Digests::work_on_places(make()), &mut |run, _, made| {
                retain(made)?;
                Ok(kept.take(&mut run.out, made, &made.rows())?)
            })?;
        }
        Content::Texts => run.each_batch(&|| Digests::work(make()), &mut |run, batch, made| {
            retain(made)?;
            kept.sink.has_lines = batch.has_lines();
            Ok(kept.take(&mut run.out, made, &made.texts(batch))?)
        })?,
        Content::Rows => {
            let mut reader = RowReader::new(&args.columns, args.counts, false);
            // Both closures use it, one after the other.
            let kept = RefCell::new(&mut kept);
            run.each_source(&mut |run, source| {
                let begin = &mut |run: &mut LineRun, header: RowHeader| {
                    kept.borrow_mut().sink.kind = SinkKind::Rows(header.dialect, header.key);
                    run.out.lines(&header.bytes)
                };
                reader.read(run, source, make, begin, &mut |run, made| {
                    retain(made)?;
                    kept.borrow_mut().take(&mut run.out, made, &made.rows())
                })
            })?;
        }
        Content::ParquetRows => run.each_source(&mut |run, source| {
            let before: u64 = row_counts.iter().sum();
            row_counts.push(0);
            let batches = run.open_batches(source)?;
            if let Some(count) = row_counts.last_mut() {
                *count = parquet_rows::count(source, &args.columns)?;
            }
            run.drive(batches, &|| Digests::work_on_rows(make()), &mut |run, _, made| {
                retain(made)?;
                let numbers = made.rows().into_iter().map(|row| parquet_rows::number(row, before));
                let numbers: Vec<[u8; 8]> = numbers.collect();
                let numbers: Vec<&[u8]> = numbers.iter().map(<[u8; 8]>::as_slice).collect();
                Ok(kept.take(&mut run.out, made, &numbers)?)
            })
        })?,
    }
    match kept.finish(&mut run.out)? {
        SinkKind::Numbers(numbers) => {
            let numbers = numbers.finish().map_err(|error| sort_failure(&error))?;
            parquet_rows::write(run, args, &row_counts, numbers)
        }
        SinkKind::Count(count) if args.count && !run.has_unread_source() => run.out.line(&count.to_string()),
        _ => Ok(()),
    }
}
