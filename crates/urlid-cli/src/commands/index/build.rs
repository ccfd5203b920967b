//! `urlid index build`: a dataset of URLs, which is a large index as a folder of sorted Parquet files.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid_canonical::Form;
use urlid_store::dataset::error::{EXISTS, STOPPED};
use urlid_store::dataset::{Added, Adder, BuildOptions, Builder, Built, is_dataset};
use urlid_store::question::Question;

use super::add::{IndexedLines, print_counts};
use crate::args::Globals;
use crate::commands::canon::form::{FormLists, FormName, form_names, index_failure, parse_url_form};
use crate::input::batch::Batch;
use crate::input::driver::{SPARE_IN_PAUSES, Work};
use crate::input::line_run::LineRun;
use crate::input::{InputOptions, parse_memory};
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::progress::Progress;
use crate::output::rows::FormatArg;
use crate::report::exit::{Exit, Failure, ONE_FORM};
use crate::report::message;
use crate::report::signals;
use crate::report::ways::Needs;
use urlid_store::{StoredKind, Urls};

/// Build a dataset: a large index as a folder of sorted Parquet files, on all cores
///
/// A dataset has each URL once, and is a sixth of the size of an index. It never changes: to add URLs, build a
/// new dataset from the old one and the new URLs. `find`, `count`, `get`, `match`, `show`, `verify` and
/// `export` read a dataset like an index, and every program that reads Parquet can read its files. The folder
/// appears under its name when it is complete. A build leaves no folder if it is stopped, or if an input is
/// missing or cut short, unless --allow-missing or --recover permits it.
///
/// Example: urlid index build urls crawl.warc.gz urls.txt.zst
///
/// Example: urlid index build all urls urls.db more.txt
#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// The folder of the new dataset
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,

    /// URLs, files with one URL per line, archives, sitemaps, bookmarks, indexes and datasets
    ///
    /// Files may be compressed with gzip, zstd, bzip2 or xz. Archives are WARC, CDX and CDXJ files. An index or
    /// dataset must have the same canonical form. `-` or no argument is standard input.
    #[arg(value_name = "URL|FILE|INDEX")]
    inputs: Vec<OsString>,

    #[command(flatten)]
    lines: IndexedLines,

    /// Store URLs in this canonical form; `urlid canon --list` prints the names
    ///
    /// The form must give URLs.
    #[arg(long = "as", value_name = "NAME", value_parser = form_names(parse_url_form), hide_possible_values = true)]
    form: Option<FormName>,

    #[command(flatten)]
    lists: FormLists,

    /// Add columns of identifiers and their slices, about 24 bytes a URL, for engines that filter on them
    #[arg(long)]
    ids: bool,

    /// Use at most this much memory for sorting
    ///
    /// K, M and G are powers of 1024. The machine's memory is the maximum. Encoding uses about 64M more per
    /// core.
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = parse_memory)]
    memory: usize,

    /// Build the dataset even if an input cannot be read to its end
    ///
    /// The missing part is reported, and the exit code is 4.
    #[arg(long)]
    allow_missing: bool,

    #[command(flatten)]
    format: FormatArg,
}

impl BuildArgs {
    /// Returns the indexes and datasets among the arguments, and the other ones.
    fn stores_and_inputs(&self) -> (Vec<PathBuf>, Vec<OsString>) {
        let is_store = |argument: &&OsString| {
            matches!(StoredKind::of_path(Path::new(argument)), Some(StoredKind::Index | StoredKind::Dataset))
        };
        let (stores, inputs): (Vec<_>, Vec<_>) = self.inputs.iter().partition(is_store);
        (stores.into_iter().map(PathBuf::from).collect(), inputs.into_iter().cloned().collect())
    }

    /// Returns the lines or tables. If only stores are given, standard input is not read.
    fn lines(&self, stores: &[PathBuf], inputs: &[OsString]) -> Result<InputOptions<'_>, Failure> {
        let are_only_stores = inputs.is_empty() && !stores.is_empty();
        match self.lines.none().filter(|_| are_only_stores) {
            Some(none) => Ok(none),
            None => self.lines.of(inputs),
        }
    }
}

/// Builds the dataset and prints the counts.
pub(crate) fn run(args: &BuildArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let form = args.lists.optional_form(args.form.as_ref())?;
    let (stores, inputs) = args.stores_and_inputs();
    let read = stores.iter().map(PathBuf::as_path).chain(globals.psl.path()).chain(args.lists.paths());
    let mut run = LineRun::begin(args.lines(&stores, &inputs)?, FilesInUse::reading(read), None)?;
    signals::stop_gracefully();
    // Checked before the folder is made, because a dataset never changes, so a missing input could not be
    // added later.
    if !args.allow_missing && !run.need_all_sources() {
        return unbuilt(args, run);
    }
    let options = BuildOptions {
        form: form.clone(),
        with_ids: args.ids,
        memory: args.memory,
        ..BuildOptions::default()
    };
    let builder = Builder::begin(&args.folder, &list, options).map_err(|error| {
        let is_taken = error.is(EXISTS) && is_dataset(&args.folder);
        let failure = Failure::from(error);
        match is_taken {
            true => failure.with_way_on(&args.folder, Needs::IndexFile),
            false => failure,
        }
    })?;
    for path in &stores {
        match take_store(&builder, path, form.as_ref()) {
            Err(Failure::Stopped) => return Err(stopped(&args.folder)),
            taken => taken?,
        }
    }
    // An adder with a full memory sorts and writes it, while the others continue.
    run.spare = SPARE_IN_PAUSES;
    let check = &mut |_: &mut LineRun, _: &Batch, (): &mut ()| Ok(builder.check().map_err(Failure::from)?);
    match run.each_batch(&|| adding(builder.adder()), check) {
        Err(Failure::Stopped) => return Err(stopped(&args.folder)),
        // The program at the other end of the pipe may have been stopped together with this one, which also
        // ends the input.
        Ok(()) if signals::is_stopping() => return Err(stopped(&args.folder)),
        taken => taken?,
    }
    builder.check()?;
    let is_empty = stores.is_empty() && builder.lines() == 0;
    if (run.has_unread_source() && !args.allow_missing) || (run.has_unread() && is_empty) {
        // Dropping the builder removes its files.
        drop(builder);
        return unbuilt(args, run);
    }
    let progress = Progress::count(Some(0), "rows written");
    let built = builder.finish_with(&mut |rows, total| {
        progress.set_total(total);
        progress.advance(rows)
    });
    progress.finish();
    let built = match built {
        Err(error) if error.is(STOPPED) => return Err(stopped(&args.folder)),
        built => built?,
    };
    // The dataset has its name.
    signals::too_late();
    report(&mut run.out, args, &built)?;
    run.finish(Exit::Done)
}

/// Adds the URLs of an index or a dataset.
fn take_store(builder: &Builder, path: &Path, form: Option<&Form>) -> Result<(), Failure> {
    let store = Urls::open(path, &[]).map_err(index_failure)?;
    let (found, ours) = (store.about()?.canonical_form, form.map(Form::to_string));
    // Stored URLs are not converted again, because some forms are not idempotent, so the forms must be equal.
    if found != ours {
        let shown = |form: &Option<String>| form.clone().unwrap_or_else(|| "none".to_owned());
        let (name, found, ours) = (Escaped::path(path), shown(&found), shown(&ours));
        return Err(Failure::failed(format!(
            "ERR_CANON_MIXED: canonical forms differ: found {found} in {name}, expected {ours}"
        ))
        .with_hint(ONE_FORM));
    }
    let progress = Progress::count(store.rows().ok(), "rows read");
    let mut adder = builder.adder();
    let (mut rows, mut added) = (0, Ok(Added::Taken));
    let found = store.find(&Question::default(), false, &mut |row| {
        added = adder.push_stored(row.url);
        rows += 1;
        let flow = progress.advance(rows);
        if added.is_ok() { flow } else { ControlFlow::Break(()) }
    });
    progress.finish();
    // An error of the adder ended the search, so it is reported first.
    added?;
    found?;
    if signals::is_stopping() { Err(Failure::Stopped) } else { Ok(()) }
}

/// Adds the texts of batches.
fn adding<'b>(mut adder: Adder<'b>) -> Work<'b, ()> {
    Box::new(move |batch, (), rejected| {
        batch.each_text(rejected, |text| {
            let text = text.text.inspect_err(|_| adder.count_rejected())?;
            match adder.push(&text) {
                Ok(Added::Rejected(error)) => Err(error.into()),
                // The builder has the error, which is looked up after each batch.
                Ok(Added::Taken | Added::Blank) | Err(_) => Ok(()),
            }
        });
    })
}

/// Ends a build that lacks an input.
fn unbuilt(args: &BuildArgs, run: LineRun) -> Result<Exit, Failure> {
    let folder = Escaped::path(&args.folder);
    message::print_error(&format!("{folder}: not built, because an input could not be read to its end"));
    run.finish(Exit::Failed)
}

fn stopped(folder: &Path) -> Failure {
    Failure::failed(format!("{}: stopped: nothing was kept", Escaped::path(folder)))
}

/// Prints the counts of a build.
fn report(out: &mut Output, args: &BuildArgs, built: &Built) -> Result<(), Failure> {
    let facts = [
        ("lines", built.lines),
        ("blank", built.blank),
        ("rejected", built.rejected),
        ("taken", built.taken),
        ("rows", built.rows),
        ("credentials_removed", built.credentials),
        ("bytes", built.bytes),
    ];
    print_counts(out, args.format.format, &args.folder, &facts)
}
