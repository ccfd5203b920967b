//! `urlid index match`: which URLs an index has.
//!
//! A chunk of lines is looked up at once, in the order of the index.

use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::Args;
use urlid::{Error, ErrorCode};
use urlid_canonical::Form;
use urlid_store::Urls;

use super::conditions::StoreArgs;
use crate::commands::canon::form::{FormLists, index_failure};
use crate::input::UrlInputs;
use crate::input::batch::{BatchText, RefusedTexts};
use crate::input::driver::Work;
use crate::input::line_run::LineRun;
use crate::output::OutArg;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::Refusal;

/// Print the URLs that an index has
///
/// Each URL is looked up as it would be stored, in the canonical form of the index; lines are printed as they
/// came and in their order. Exits with 0 if any was printed or counted, with 1 if none was, and with 3 if any
/// was refused.
///
/// Example: urlid index match urls.db crawl.txt.zst
///
/// Example: urlid index match --invert urls https://docs.rs/ https://example.com/
#[derive(Debug, Args)]
pub(crate) struct IndexMatchArgs {
    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    urls: UrlInputs,

    /// Print the URLs that it lacks
    #[arg(short = 'v', long)]
    invert: bool,

    /// Print only how many there are
    #[arg(short, long)]
    count: bool,

    #[command(flatten)]
    lists: FormLists,

    #[command(flatten)]
    format: FormatArg,

    #[command(flatten)]
    out: OutArg,
}

/// Prints the lines that are selected.
pub(crate) fn run(args: &IndexMatchArgs) -> Result<Exit, Failure> {
    let index = args.store.index.as_path();
    let form = args.lists.form_of(index)?;
    let files = FilesInUse::reading([index].into_iter().chain(args.lists.paths()));
    let mut run = LineRun::begin(args.urls.lines()?, files, args.out.path())?;
    let lookups = Lookups {
        store: Mutex::new(args.store.open().map_err(index_failure)?),
        form,
        failed: Mutex::default(),
    };
    let column = if args.count { "rows" } else { "url" };
    let columns = [Column { name: column, shown: Shown::Always }];
    let mut rows = Rows::begin(&mut run.out, args.format.format, &columns)?;
    let wanted = if args.invert { LACKING } else { STORED };
    let mut selected = 0;
    let make = || -> Work<'_, Vec<u8>> {
        Box::new(|batch, answers, refused| {
            answers.clear();
            *refused = lookups.look_up(&batch.texts().collect::<Vec<_>>(), answers);
        })
    };
    run.each_batch(&make, &mut |run, batch, answers| {
        let (mut answers, mut written) = (answers.iter(), Ok(()));
        batch.each_raw_text(|text| {
            if answers.next() == Some(&wanted) && written.is_ok() {
                selected += 1;
                if !args.count {
                    written = rows.write(&mut run.out, &[Value::Line(text)]);
                }
            }
        });
        written?;
        // Workers can only refuse texts. An index that cannot be read is not the fault of a text, and ends
        // the command.
        match lookups.failed().take() {
            Some(error) => Err(Failure::from(error).into()),
            None => Ok(()),
        }
    })?;
    if args.count {
        rows.write(&mut run.out, &[Value::Number(selected)])?;
    }
    run.finish(if selected > 0 { Exit::Done } else { Exit::Nothing })
}

/// The output of a worker for a line: a byte.
const STORED: u8 = b'+';
const LACKING: u8 = b'-';
/// Of a line that is blank or refused, or that could not be looked up.
const NEITHER: u8 = b' ';

/// Looks up lines. All workers share the store, which works on all cores itself.
struct Lookups {
    store: Mutex<Urls>,
    form: Option<Form>,
    /// The first error of the store.
    failed: Mutex<Option<Error>>,
}

impl Lookups {
    fn failed(&self) -> MutexGuard<'_, Option<Error>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends a byte for each line, and returns which are refused.
    fn look_up(&self, lines: &[BatchText<'_>], out: &mut Vec<u8>) -> RefusedTexts {
        let texts = lines.iter().filter_map(|line| line.text.as_deref().ok());
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let stored = store.are_stored(&texts, self.form.as_ref());
        // Released early, so that another chunk can be looked up while the answers to this one are put in
        // order.
        drop(store);
        let stored = stored.unwrap_or_else(|error| {
            self.failed().get_or_insert(error);
            Vec::new()
        });
        let (mut stored, mut refused) = (stored.into_iter(), Vec::new());
        for (index, line) in lines.iter().enumerate() {
            let answer = match line.text.as_deref() {
                Ok("") => Ok(NEITHER),
                Ok(_) => match stored.next() {
                    Some(Ok(is_stored)) => Ok(if is_stored { STORED } else { LACKING }),
                    Some(Err(error)) if is_about_the_store(&error) => {
                        self.failed().get_or_insert(error);
                        Ok(NEITHER)
                    }
                    Some(Err(error)) => Err(Refusal::from(error)),
                    // The lookup as a whole failed, and its error is kept above.
                    None => Ok(NEITHER),
                },
                Err(error) => Err(error.clone().into()),
            };
            // A byte for every line, also where nothing was looked up: the bytes are paired with the lines of
            // the chunk.
            out.push(*answer.as_ref().unwrap_or(&NEITHER));
            refused.extend(answer.err().map(|refusal| (index, refusal)));
        }
        refused
    }
}

fn is_about_the_store(error: &Error) -> bool {
    matches!(
        error.code(),
        ErrorCode::Io | ErrorCode::InUse | ErrorCode::IndexFormat | ErrorCode::IndexDamaged
    )
}
