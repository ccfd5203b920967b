//! `urlid uniq`: the first line of each canonical form, or the first row.
//!
//! `digests` are made by workers, of lines, values or `rows` (and `parquet_rows`); `kept` chooses records by them and prints them,
//! with the `choices` `--sample`, `--per`, `--not-in` and `--also-in`, which compare with an `other` file or
//! store. The forms that were seen are in memory here; `durable` keeps them on disk for `--seen`.

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

use urlid_store::sort::RowSorter;

pub(crate) use self::arguments::UniqArgs;
use self::choices::Compared;
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
use crate::output::rows::Format;
use crate::report::exit::{Exit, Failure};
use crate::report::ways::Needs;

/// Prints the first line or row of each form.
pub(crate) fn run(args: &UniqArgs, globals: &Globals) -> Result<Exit, Failure> {
    args.check()?;
    if let Some(folder) = &args.seen {
        return durable::run(args, folder).map_err(|failure| failure.with_way_on(folder, Needs::SeenSet));
    }
    let (other, form) = match args.other() {
        None => (None, args.form()?),
        Some((option, path, wanted)) => {
            let (other, form) = Other::open(args, option, path, wanted)?;
            (Some((other, option, path, wanted)), form)
        }
    };
    let sites = match args.per {
        None => None,
        Some(part) => Some(Sites { list: globals.psl.list()?, part }),
    };
    let psl = if sites.is_some() { globals.psl.path() } else { None };
    let store = other.as_ref().map(|(_, _, path, _)| *path);
    let files = FilesInUse::reading(args.lists.paths().into_iter().chain(psl).chain(store));
    let mut inputs = args.urls.lines_or_values(&args.columns)?.of_form(&form);
    let own_sources = inputs.sources.0.len();
    let other = match other {
        // Read as the inputs are, so that it is counted as they are.
        Some((Other::Inputs { sources, are_lines }, option, _, wanted)) => {
            if sources.0.contains(&Source::Stdin) && inputs.sources.0.contains(&Source::Stdin) {
                return Err(Failure::usage(format!(
                    "standard input cannot be both the file of {option} and the URLs"
                )));
            }
            inputs.sources.0.extend(sources.0);
            Some((Other::Inputs { sources: Sources::default(), are_lines }, wanted))
        }
        other => other.map(|(other, _, _, wanted)| (other, wanted)),
    };
    let mut run = LineRun::begin(inputs, files, args.out.path())?;
    let other_sources = Sources(run.sources.0.split_off(own_sources));
    let (mut compared, mut set) = (None, None);
    match other {
        None => {}
        Some((Other::Seen(seen, wanted), _)) => set = Some((seen, wanted)),
        Some((Other::Urls(urls), wanted)) => {
            take_stored(compared.insert(Compared::new(wanted, args.memory)), &urls, &form)?;
        }
        Some((Other::Inputs { are_lines, .. }, wanted)) => {
            let compared = compared.insert(Compared::new(wanted, args.memory));
            let own_sources = std::mem::replace(&mut run.sources, other_sources);
            let columns = run.columns.clone();
            run.columns = columns.clone().filter(|_| !are_lines);
            run.each_batch(&|| Digests::work(DigestMaker::new(&form, None)), &mut |_, _, made| {
                let mut digests = made.digests.iter();
                let taken = digests.try_for_each(|digest| compared.take_of_file(*digest));
                Ok(taken.map_err(|error| sort_failure(&error))?)
            })?;
            if run.has_unread() {
                // Without all of the file, what it lacks is not known, so nothing is written, not even an
                // empty file. `finish` returns the exit code of that.
                run.out = Output::stdout()?;
                return run.finish(Exit::Done);
            }
            (run.sources, run.columns) = (own_sources, columns);
        }
    }
    let content = match args.columns.is_given() && !args.values && !args.count {
        true => Content::of_tables(&args.columns, &run.sources.0),
        false => Content::Texts,
    };
    if content != Content::Texts && args.format.format != Format::Text {
        return Err(has_other_format());
    }
    let sink = match content {
        Content::ParquetRows if run.out.is_terminal() => {
            return Err(Failure::usage("a Parquet file is not written to a terminal: --out names a file"));
        }
        Content::ParquetRows => SinkKind::Numbers(RowSorter::new(env::temp_dir(), args.memory / 8)),
        Content::Texts if !args.count => Sink::texts(args, &mut run.out)?,
        // The kind of rows is known when the first table is open.
        Content::Texts | Content::Rows => SinkKind::Count(0),
    };
    let mut kept = Kept::new(args, &form, compared, Sink::new(sink, args.counts));
    let make = || DigestMaker::new(&form, sites.as_ref());
    let retain = |made: &mut Digests| match &set {
        Some((set, wanted)) => retain_wanted(set, *wanted, made),
        None => Ok(()),
    };
    let mut row_counts = Vec::new();
    match content {
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
                reader.read(run, source, &make, begin, &mut |run, made| {
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
                // Rows are numbered from 1 in each file, and from 0 in all of them.
                let numbers = made.rows().into_iter().map(|number| {
                    let number = number.try_into().map_or(0, u64::from_be_bytes);
                    (before + number.saturating_sub(1)).to_be_bytes()
                });
                let numbers: Vec<[u8; 8]> = numbers.collect();
                let numbers: Vec<&[u8]> = numbers.iter().map(<[u8; 8]>::as_slice).collect();
                Ok(kept.take(&mut run.out, made, &numbers)?)
            })
        })?,
    }
    match kept.finish(&mut run.out)? {
        SinkKind::Numbers(numbers) => {
            let numbers = numbers.finish().map_err(|error| sort_failure(&error))?;
            parquet_rows::write(&mut run, args, &row_counts, numbers)?;
        }
        SinkKind::Count(count) if args.count && !run.has_unread_source() => {
            run.out.line(&count.to_string())?;
        }
        _ => {}
    }
    run.finish(Exit::Done)
}

/// Returns the error for rows in a format of their own.
fn has_other_format() -> Failure {
    Failure::usage("--format: rows are printed in the format of their table; --values prints the URLs")
}
