//! `urlid uniq`: the first line of each canonical form.
//!
//! The forms that were seen are in memory here. `durable` keeps them on disk for `--seen`, and `choices` has the
//! digests of forms and the other choices of lines: `--sample`, `--minus`, `--both` and `--per`.

mod arguments;
mod choices;
mod durable;

use std::{env, io};

use urlid_store::sort::{DigestSet, RowsInOrder, Sight, TallyOrder, TextDigest, TextTally};

pub(crate) use self::arguments::UniqArgs;
use self::choices::{Chosen, Compared, Digests, Per, PerSite, Sample, Sites};
use super::count::sort_failure;
use crate::args::Globals;
use crate::input::line_run::LineRun;
use crate::input::sources::{Source, Sources};
use crate::output::Output;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, Format, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::signals;

/// Prints the first line of each form.
pub(crate) fn run(args: &UniqArgs, globals: &Globals) -> Result<Exit, Failure> {
    if let Some(folder) = &args.seen {
        return durable::run(args, folder);
    }
    let form = args.form()?;
    if args.templates.templates.is_some() != (args.per == Some(Per::Template)) {
        return Err(Failure::usage("--per template and --templates FILE go together"));
    }
    let sites = match args.per {
        None => None,
        Some(part) => {
            let assumed_scheme = args.urls.url_lines().assume.as_deref();
            let templates = args.templates.read()?;
            Some(Sites { list: globals.psl.list()?, part, templates, assumed_scheme })
        }
    };
    let psl = if sites.is_some() { globals.psl.path() } else { None };
    let files = FilesInUse::reading(
        args.lists.paths().into_iter().chain(psl).chain(args.templates.templates.as_deref()),
    );
    let mut inputs = args.urls.lines_or_values(&args.columns)?.of_form(&form);
    let other_file = args.other_file();
    let mut first_sources = 0;
    if let Some((option, path, _)) = other_file {
        // Before the other sources, so that it is protected and counted as they are.
        let mut sources = match args.columns.is_given() {
            true => Sources::from_tables(&[path.into()], &[])?,
            false => Sources::from_files(&[path.into()])?,
        };
        if sources.0.contains(&Source::Stdin) && inputs.sources.0.contains(&Source::Stdin) {
            return Err(Failure::usage(format!(
                "standard input cannot be both the file of {option} and the URLs"
            )));
        }
        first_sources = sources.0.len();
        sources.0.append(&mut inputs.sources.0);
        inputs.sources = sources;
    }
    let mut run = LineRun::begin(inputs, files, args.out.path())?;
    let mut compared = None;
    if let Some((_, _, wanted)) = other_file {
        let inputs = Sources(run.sources.0.split_off(first_sources));
        let compared = compared.insert(Compared::new(wanted, args.memory));
        run.each_batch(&|| Digests::work(&form), &mut |_, _, made| {
            let mut digests = made.digests.iter();
            let taken = digests.try_for_each(|digest| compared.take_of_file(*digest));
            Ok(taken.map_err(|error| sort_failure(&error))?)
        })?;
        if run.has_unread() {
            // Without all of the file, what it lacks is not known, so nothing is written, not even an empty
            // file. `finish` returns the exit code of that.
            run.out = Output::stdout()?;
            return run.finish(Exit::Done);
        }
        run.sources = inputs;
    }
    let mut kept = Kept::begin(args, sites, compared, &mut run.out)?;
    run.each_batch(&|| Digests::work(&form), &mut |run, batch, made| {
        Ok(kept.take_lines(&mut run.out, &made.digests, &made.texts(batch), batch.has_lines())?)
    })?;
    kept.finish(&mut run.out)?;
    run.finish(Exit::Done)
}

/// The lines that are printed.
struct Kept<'l> {
    rows: Rows,
    format: Format,
    counts: bool,
    choice: Choice<'l>,
}

/// Which lines are printed, and what is known for that.
enum Choice<'l> {
    First(First, Option<PerSite<'l>>),
    Sample(Sample),
    Compared(Compared),
}

/// The first line of each form.
struct First {
    /// `None` if lines are counted, and printed at the end.
    seen: Option<DigestSet>,
    /// The lines that are printed at the end.
    later: TextTally,
}

impl<'l> Kept<'l> {
    fn begin(
        args: &UniqArgs,
        sites: Option<Sites<'l>>,
        compared: Option<Compared>,
        out: &mut Output,
    ) -> Result<Self, Failure> {
        let format = args.format.format;
        let columns = ["url", "rows"].map(|name| Column { name, shown: Shown::Always });
        let columns = if args.count { &columns[..] } else { &columns[..1] };
        let rows = Rows::begin(out, format, columns)?;
        // Half for the sites, if they are counted.
        let per_site = sites.zip(args.limit).map(|(sites, most)| PerSite::new(sites, most, args.memory / 2));
        let memory = if per_site.is_some() { args.memory / 2 } else { args.memory };
        // The command line has at most one of these options.
        let choice = match (compared, args.sample) {
            (Some(compared), _) => Choice::Compared(compared),
            (None, Some(most)) => Choice::Sample(Sample::new(most)),
            (None, None) => Choice::First(First::new(args.count, memory), per_site),
        };
        Ok(Kept { rows, format, counts: args.count, choice })
    }

    /// Takes lines that have a form, with their digests.
    fn take_lines(
        &mut self,
        out: &mut Output,
        digests: &[TextDigest],
        lines: &[&[u8]],
        are_lines: bool,
    ) -> Result<(), Failure> {
        // A line has no line end, so it is printed without a look at its bytes.
        let is_plain = are_lines && self.format == Format::Text && !out.is_terminal();
        let Self { rows, choice, .. } = self;
        match choice {
            Choice::Sample(sample) => {
                digests.iter().zip(lines).for_each(|(digest, line)| sample.take(*digest, line));
                Ok(())
            }
            Choice::Compared(compared) => digests.iter().zip(lines).try_for_each(|(digest, line)| {
                compared.take(*digest, text_of(line)).map_err(|error| sort_failure(&error))
            }),
            Choice::First(first, per_site) => first.take(digests, lines, &mut |line| {
                let is_chosen = per_site.as_mut().map_or(Ok(Chosen::Now), |sites| sites.take(text_of(line)));
                match is_chosen.map_err(|error| sort_failure(&error))? {
                    Chosen::Later | Chosen::No => Ok(()),
                    Chosen::Now if is_plain => {
                        out.write(line)?;
                        out.write(b"\n")
                    }
                    Chosen::Now => rows.write(out, &[Value::Line(line)]),
                }
            }),
        }
    }

    /// Prints the remaining lines.
    fn finish(self, out: &mut Output) -> Result<(), Failure> {
        let Self { mut rows, counts, choice, .. } = self;
        match choice {
            Choice::Sample(sample) => {
                sample.finish().try_for_each(|line| rows.write(out, &[Value::Line(&line)]))
            }
            Choice::Compared(compared) => {
                let lines = compared.finish().map_err(|error| sort_failure(&error))?;
                print_rows(&mut rows, out, lines)
            }
            Choice::First(First { seen, later, .. }, mut per_site) => {
                // Frees its memory before that of the sort is needed.
                drop(seen);
                let mut later = later.finish(TallyOrder::First).map_err(|error| sort_failure(&error))?;
                while let Some((count, line)) = later.next_text().map_err(|error| sort_failure(&error))? {
                    check_stopping()?;
                    let is_chosen = per_site.as_mut().map_or(Ok(Chosen::Now), |sites| sites.take(line));
                    if is_chosen.map_err(|error| sort_failure(&error))? == Chosen::Now {
                        let values = [Value::Text(line), Value::Number(count)];
                        rows.write(out, if counts { &values } else { &values[..1] })?;
                    }
                }
                let last = per_site.map(PerSite::finish).transpose().map_err(|error| sort_failure(&error))?;
                last.flatten().map_or(Ok(()), |lines| print_rows(&mut rows, out, lines))
            }
        }
    }
}

impl First {
    fn new(counts: bool, memory: usize) -> Self {
        // Half for what was seen, half for what is printed at the end.
        let (seen, later) = match counts {
            true => (None, memory),
            false => (Some(DigestSet::new(memory / 2)), memory / 2),
        };
        First { seen, later: TextTally::new(env::temp_dir(), later) }
    }

    /// Passes the lines that are the first of their form to `print`, as far as memory allows.
    fn take(
        &mut self,
        digests: &[TextDigest],
        lines: &[&[u8]],
        print: &mut dyn FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Self { seen, later } = self;
        let mut take = |index: usize, sight| {
            let line = lines[index];
            match sight {
                Sight::Again => Ok(()),
                Sight::First => print(line),
                // The set is full and lacks it: the sort at the end finds which of its lines is the first.
                Sight::Unknown => {
                    later.add(digests[index], 1, text_of(line)).map_err(|error| sort_failure(&error))
                }
            }
        };
        match seen {
            Some(seen) => seen.see(digests, take),
            // With --count every line goes to the sort, which counts those of each form.
            None => (0..lines.len()).try_for_each(|index| take(index, Sight::Unknown)),
        }
    }
}

/// Returns the text of a line that has a form, and so is text.
fn text_of(line: &[u8]) -> &str {
    str::from_utf8(line).unwrap_or_default()
}

fn check_stopping() -> Result<(), Failure> {
    if signals::is_stopping() { Err(Failure::Stopped) } else { Ok(()) }
}

/// Prints the texts of rows.
fn print_rows(rows: &mut Rows, out: &mut Output, mut lines: RowsInOrder) -> Result<(), Failure> {
    while let Some((_, line)) = lines.next_row().map_err(|error: io::Error| sort_failure(&error))? {
        check_stopping()?;
        rows.write(out, &[Value::Text(line)])?;
    }
    Ok(())
}
