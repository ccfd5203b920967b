//! `urlid index match`: the URLs that an index has.
//!
//! The texts of a batch are looked up together, in the order of the index.

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::Args;
use urlid::{Error, ErrorCode};
use urlid_canonical::Form;
use urlid_store::Urls;

use super::conditions::StoreArgs;
use crate::commands::canon::form::{FormLists, index_failure};
use crate::input::UrlInputs;
use crate::input::batch::{Batch, BatchText, RejectedTexts};
use crate::input::columns::{ColumnArgs, LogBaseArg};
use crate::input::driver::Work;
use crate::input::line_run::LineRun;
use crate::output::OutArg;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::output::table::{place_columns, place_in_text};
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::Rejection;

/// Print the given URLs that are in an index
///
/// Each URL is looked up in the canonical form of the index. Lines are printed unchanged and in input order. A
/// line that cannot be checked is printed with a tab, `!` and its error code. Exits with 0 if a URL was found
/// (with --invert: was missing), with 1 if not, and with 3 if a line could not be checked.
///
/// Example: urlid index match urls.db crawl.txt.zst
///
/// Example: urlid index match --invert urls https://docs.rs/ https://example.com/
///
/// Example: urlid index match urls.db crawl.csv --column url
#[derive(Debug, Args)]
pub(crate) struct IndexMatchArgs {
    #[command(flatten)]
    pub(super) store: StoreArgs,

    #[command(flatten)]
    urls: UrlInputs,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    base: LogBaseArg,

    /// Print only the URLs that the index lacks
    #[arg(short = 'v', long)]
    invert: bool,

    /// Print only the number of URLs
    #[arg(short, long)]
    count: bool,

    /// Print every line, with `true` if the index has its URL and `false` if not
    #[arg(short, long, conflicts_with_all = ["invert", "count"])]
    all: bool,

    #[command(flatten)]
    lists: FormLists,

    #[command(flatten)]
    format: FormatArg,

    #[command(flatten)]
    out: OutArg,
}

/// Prints the texts that are selected.
pub(crate) fn run(args: &IndexMatchArgs) -> Result<Exit, Failure> {
    let index = args.store.index.as_path();
    let form = args.lists.form_of(index)?;
    let files = FilesInUse::reading([index].into_iter().chain(args.lists.paths()));
    let mut run = LineRun::begin(
        args.urls.lines_or_values(&args.columns)?.of_base(&args.base),
        files,
        args.out.path(),
    )?;
    let wanted = if args.invert { Stored::No } else { Stored::Yes };
    let lookups = Lookups { args: &args.store, form, stores: Mutex::default(), failed: Mutex::default() };
    // An index that cannot be opened is reported before the output starts.
    lookups.give_back(lookups.take().map_err(index_failure)?);
    let mut rows = MatchRows::begin(&mut run, args)?;
    let mut selected = 0;
    let has_places = rows.has_places;
    let make = || -> Work<'_, Vec<Stored>> {
        Box::new(|batch, stored, rejected| lookups.look_up(batch, stored, rejected))
    };
    run.each_batch(&make, &mut |run, batch, stored| {
        let (mut stored, mut written) = (stored.iter(), Ok(()));
        let mut take = |text: &[u8], place: &[Value<'_>]| {
            let stored = stored.next().unwrap_or(&Stored::Unknown);
            selected += u64::from(*stored == wanted);
            if written.is_ok() {
                written = rows.write(run, text, place, *stored);
            }
        };
        if has_places {
            let file = batch.origin.name.to_string_lossy();
            batch.texts().for_each(|text| take(text.bytes, &place_in_text(&file, text.number, text.column)));
        } else {
            batch.each_raw_text(|text| take(text, &[]));
        }
        written?;
        // Work can only reject texts. An index that cannot be read is not the fault of a text, and ends the
        // command.
        match lookups.failed().take() {
            Some(error) => Err(Failure::from(error).into()),
            None => Ok(()),
        }
    })?;
    // A count of zero is left out if an input could not be read.
    if args.count && !(selected == 0 && run.has_unread()) {
        rows.rows.write(&mut run.out, &[Value::Number(selected)])?;
    }
    run.finish(if selected > 0 { Exit::Done } else { Exit::Nothing })
}

/// Whether the index has a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    Yes,
    No,
    /// The text cannot be checked, for this reason.
    Uncheckable(ErrorCode),
    /// The text is empty, or could not be looked up.
    Unknown,
}

/// The rows of texts that are printed.
struct MatchRows<'a> {
    args: &'a IndexMatchArgs,
    rows: Rows,
    /// Whether rows start with the place of their URL in text.
    has_places: bool,
    /// The rows of texts next to their answers, in the format `text`.
    answered: Rows,
}

impl<'a> MatchRows<'a> {
    fn begin(run: &mut LineRun, args: &'a IndexMatchArgs) -> Result<Self, Failure> {
        let column = |name, shown| Column { name, shown };
        let columns = match (args.count, args.all) {
            (true, _) => vec![column("rows", Shown::Always)],
            (_, false) if args.invert => vec![column("url", Shown::Always)],
            (_, false) => vec![column("url", Shown::Always), column("error", Shown::NotInText)],
            (_, true) => vec![
                column("url", Shown::Always),
                column("stored", Shown::Always),
                column("error", Shown::NotInText),
            ],
        };
        let has_places = run.is_prose && !args.count && args.format.format != Format::Text;
        let place = if has_places { place_columns(true) } else { Vec::new() };
        let columns = [place, columns].concat();
        let rows = Rows::begin(&mut run.out, args.format.format, &columns)?;
        let answered = ["url", "stored"].map(|name| column(name, Shown::Always));
        let answered = Rows::begin(&mut run.out, Format::Text, &answered)?;
        Ok(MatchRows { args, rows, has_places, answered })
    }

    /// Writes the row of a text with its place, if it is printed.
    fn write(
        &mut self,
        run: &mut LineRun,
        text: &[u8],
        place: &[Value<'_>],
        stored: Stored,
    ) -> Result<(), Failure> {
        let IndexMatchArgs { invert, count, all, .. } = *self.args;
        let text = Value::Line(text);
        let code;
        let (answer, error) = match stored {
            _ if count => return Ok(()),
            Stored::Yes | Stored::No if !all && (stored == Stored::No) != invert => return Ok(()),
            Stored::Yes => (Value::Json("true"), Value::Null),
            Stored::No => (Value::Json("false"), Value::Null),
            Stored::Uncheckable(found) if !invert && !run.leaves_rejected_out() => {
                code = found.to_string();
                if self.args.format.format == Format::Text {
                    let row = [text, Value::Text(&format!("!{code}"))];
                    return self.answered.write(&mut run.out, &row);
                }
                (Value::Null, Value::Text(code.as_str()))
            }
            Stored::Uncheckable(_) | Stored::Unknown => return Ok(()),
        };
        let values = if all { &[text, answer, error][..] } else { &[text, error] };
        self.rows.write(&mut run.out, &[place, values].concat())
    }
}

/// Looks up texts on several threads.
struct Lookups<'a> {
    args: &'a StoreArgs,
    form: Option<Form>,
    /// Open stores that are not used by a thread. Each thread needs its own, because a connection of SQLite
    /// is used by one thread at a time.
    stores: Mutex<Vec<Urls>>,
    /// The first error of the store.
    failed: Mutex<Option<Error>>,
}

impl Lookups<'_> {
    fn failed(&self) -> MutexGuard<'_, Option<Error>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a store for one thread.
    fn take(&self) -> Result<Urls, Error> {
        let free = self.stores.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match free.map_or_else(|| self.args.open(), Ok)? {
            // One thread for each store, because the threads of the batches already use all cores.
            Urls::Folder(dataset) => Ok(Urls::Folder(dataset.with_threads(NonZeroUsize::MIN))),
            file => Ok(file),
        }
    }

    fn give_back(&self, store: Urls) {
        self.stores.lock().unwrap_or_else(PoisonError::into_inner).push(store);
    }

    /// Appends whether each text of a batch is stored.
    fn look_up(&self, batch: &Batch, stored: &mut Vec<Stored>, rejected: &mut RejectedTexts) {
        stored.clear();
        let texts: Vec<BatchText<'_>> = batch.texts().collect();
        let readable = texts.iter().filter_map(|text| text.text.as_deref().ok());
        let readable: Vec<&str> = readable.filter(|text| !text.is_empty()).collect();
        let found = self.take().and_then(|store| {
            let found = store.are_stored(&readable, self.form.as_ref());
            self.give_back(store);
            found
        });
        let mut found =
            found.map_err(|error| _ = self.failed().get_or_insert(error)).unwrap_or_default().into_iter();
        for (index, text) in texts.into_iter().enumerate() {
            let answer: Result<Stored, Rejection> = match text.text {
                Ok(text) if text.is_empty() => Ok(Stored::Unknown),
                Ok(_) => match found.next() {
                    Some(Ok(is_stored)) => Ok(if is_stored { Stored::Yes } else { Stored::No }),
                    Some(Err(error)) if is_about_the_store(&error) => {
                        self.failed().get_or_insert(error);
                        Ok(Stored::Unknown)
                    }
                    Some(Err(error)) => Err(error.into()),
                    // The lookup as a whole failed, and its error is kept above.
                    None => Ok(Stored::Unknown),
                },
                Err(error) => Err(error.into()),
            };
            // An answer for every text, because they are paired with the texts of the batch.
            stored.push(match &answer {
                Ok(answer) => *answer,
                Err(rejection) => Stored::Uncheckable(rejection.code()),
            });
            rejected.extend(answer.err().map(|rejection| (index, rejection)));
        }
    }
}

fn is_about_the_store(error: &Error) -> bool {
    matches!(
        error.code(),
        ErrorCode::Io | ErrorCode::InUse | ErrorCode::IndexFormat | ErrorCode::IndexDamaged
    )
}
