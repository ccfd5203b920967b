//! The other file of `--not-in` and `--also-in`: lines, an archive, a table, or a store, which is compared
//! under its recorded form.

use std::ops::ControlFlow;
use std::path::Path;

use urlid_canonical::Form;
use urlid_io::lines::{FileKind, Input, InputKind};
use urlid_store::Urls;
use urlid_store::dataset::is_dataset;
use urlid_store::question::Question;
use urlid_store::seen::{Digester, Keys, SeenFile, SeenKey, digest, is_seen_set};
use urlid_store::sort::TextDigest;

use super::arguments::UniqArgs;
use super::choices::{Compared, Wanted};
use super::digests::Digests;
use crate::commands::count::sort_failure;
use crate::input::sources::Sources;
use crate::output::escape::Escaped;
use crate::report::exit::Failure;
use crate::report::signals;

/// The source with which lines are compared.
pub(super) enum Other {
    /// Files that are read as the other inputs are, or as lines although these are tables.
    Inputs { sources: Sources, are_lines: bool },
    /// An index or a dataset.
    Urls(Box<Urls>),
    /// A seen-set.
    Seen(Box<SeenFile>),
}

impl Other {
    /// Opens the file or store of an option, and returns the form of the comparison.
    pub(super) fn open(args: &UniqArgs, option: &str, path: &Path) -> Result<(Self, Form), Failure> {
        if is_seen_set(path) {
            let set = SeenFile::open(path)?;
            let form = match &args.form {
                // Compared with the recorded form below.
                Some(_) => args.form()?,
                None => args.lists.form_of_seen(path)?.map_or_else(|| args.form(), Ok)?,
            };
            set.check_keys(&Keys::of_form(&form))?;
            return Ok((Other::Seen(Box::new(set)), form));
        }
        let kind = kind_of(path);
        if is_dataset(path) || kind == Some(InputKind::Other(FileKind::Sqlite)) {
            let urls = Urls::open(path, &[])?;
            let form = match args.lists.form_of_store(&urls, args.form.is_some())? {
                None => args.form()?,
                Some(recorded) => {
                    match args.given_form()?.filter(|given| given.to_string() != recorded.to_string()) {
                        None => recorded,
                        Some(given) => {
                            return Err(Failure::failed(format!(
                                "ERR_CANON_MIXED: {option} {}: the stored URLs have the canonical form `{recorded}`, --as names `{given}`",
                                Escaped::path(path)
                            )));
                        }
                    }
                }
            };
            return Ok((Other::Urls(Box::new(urls)), form));
        }
        // With --column a text may be a table, unlike an archive.
        let is_text = |kind: &InputKind| {
            matches!(kind, InputKind::Empty | InputKind::Lines(_) | InputKind::Other(FileKind::Parquet))
        };
        let are_lines = args.columns.is_given() && kind.is_some_and(|kind| !is_text(&kind));
        Ok((Other::Inputs { sources: Sources::from_files(&[path.into()])?, are_lines }, args.form()?))
    }
}

/// Returns the kind of a regular file. A file that cannot be read is reported when it is read.
fn kind_of(path: &Path) -> Option<InputKind> {
    // Opening a pipe here would consume its first bytes.
    path.metadata().ok().filter(|data| data.is_file())?;
    Input::open(path).ok()?.kind().ok()
}

/// Adds the forms of the URLs of an index or dataset.
pub(super) fn take_stored(compared: &mut Compared, urls: &Urls, form: &Form) -> Result<(), Failure> {
    let is_canonical = urls.about()?.canonical_form.is_some();
    let mut digester = Digester::new(form);
    let mut taken = Ok(());
    urls.find(&Question::new([])?, false, &mut |row| {
        // A URL without a form does not equal any of the lines, which have one.
        let digest = if is_canonical { Some(digest(row.url)) } else { digester.digest(row.url).ok() };
        taken = match digest {
            _ if signals::is_stopping() => Err(Failure::Stopped),
            Some(digest) => compared.take_of_file(digest).map_err(|error| sort_failure(&error)),
            None => Ok(()),
        };
        if taken.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    taken
}

/// Keeps the records whose forms are wanted after a look-up in a seen-set.
pub(super) fn retain_wanted(set: &SeenFile, wanted: Wanted, made: &mut Digests) -> Result<(), Failure> {
    let keys: Vec<SeenKey> = made.digests.iter().copied().map(<SeenKey as From<TextDigest>>::from).collect();
    let mut keeps = set.contains(&keys)?;
    if wanted == Wanted::NotIn {
        keeps.iter_mut().for_each(|keeps| *keeps = !*keeps);
    }
    made.retain(&keeps);
    Ok(())
}
