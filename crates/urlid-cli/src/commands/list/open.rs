//! Lists from files, pipes and standard input.

use std::io::Seek;
use std::path::{Path, PathBuf};

use urlid::Coded;
use urlid::ErrorCode;
use urlid_io::lines::{Input, LineOptions};
use urlid_lists::{Edition, HiddenList, ListMatcher, ListReader, MAGIC};

use super::trust::{TrustArgs, signature_beside};
use crate::args::hashed::KeyArg;
use crate::clock;
use crate::input::bounded::open_file;
use crate::input::{self, UrlSources};
use crate::output::escape::Escaped;
use crate::output::files::{FilesInUse, is_stdin};
use crate::output::progress::Progress;
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::rejections::{Invalid, Place, Rejections};

/// Reads a list in either form, compressed or not, from a file, standard input (`-`) or an open pipe of the
/// shell. Reports rejected lines, and returns the list with the exit code that they require.
pub(super) fn list(path: &Path) -> Result<(HiddenList, Exit), Failure> {
    read(path, open(path)?)
}

/// Reads a list that is separate from the input of URLs.
pub(super) fn list_beside(path: &Path, urls: &UrlSources) -> Result<(HiddenList, Exit), Failure> {
    read(path, if is_stdin(path) { urls.open_beside(path, "the list")? } else { open(path)? })
}

/// Opens a list. A named pipe or device is rejected, because it may lack an end or a writer.
fn open(path: &Path) -> Result<Input, Failure> {
    // `<(command)` of a shell is such a name.
    let is_open = ["/dev/fd", "/dev/stdin", "/proc/self/fd"].iter().any(|start| path.starts_with(start));
    if is_stdin(path) || is_open {
        return input::open(path);
    }
    let file = open_file(path).map_err(|error| Failure::read(path, &error))?;
    Input::from_file(file).map_err(|error| Failure::of_file(path, &error))
}

fn read(path: &Path, input: Input) -> Result<(HiddenList, Exit), Failure> {
    let progress = Progress::work("reading the list");
    let list = read_either(path, input);
    progress.finish();
    list
}

fn read_either(path: &Path, mut input: Input) -> Result<(HiddenList, Exit), Failure> {
    let failed = |error: &dyn Coded| Failure::of_file(path, error);
    let (list, exit) = match input.begins_with(&MAGIC).map_err(|error| failed(&error))? {
        true => {
            let bytes = input.bytes().map_err(|error| failed(&error))?;
            (HiddenList::from_compiled(bytes).map_err(|error| failed(&error))?, Exit::Done)
        }
        false => text_list(path, input)?,
    };
    report_not_checkable(path, &list);
    note_expired(path, list.header().edition());
    Ok((list, exit))
}

/// Prints a note that an edition has expired, if the lack of a key means that this is not an error.
pub(super) fn note_expired(path: &Path, edition: &Edition) {
    if let Some(expires) = edition.expires.filter(|expires| expires.seconds() <= clock::now()) {
        message::print(&format!("{}: list has expired: it was valid until {expires}", Escaped::path(path)));
    }
}

/// Reads a list that is separate from the input of URLs. If a key is given, the list must be trusted.
pub(super) fn trusted_beside(
    path: &Path,
    urls: &UrlSources,
    trust: &TrustArgs,
) -> Result<(HiddenList, Exit), Failure> {
    if !trust.is_given() {
        return list_beside(path, urls);
    }
    let failed = |error: &dyn Coded| Failure::of_file(path, error);
    let signature = signature_beside(path)?;
    let input = if is_stdin(path) {
        urls.open_beside(path, "the list")?
    } else {
        let mut file = open_file(path).map_err(|error| Failure::read(path, &error))?;
        // The file is verified as a stream first, so that an unsigned file does not fill the memory, whatever
        // its size. Its bytes are then read again from the same descriptor and verified again, because the
        // file may have been written to in between.
        let stream = file.try_clone().map_err(|error| Failure::read(path, &error))?;
        let stream = Input::from_file(stream).map_err(|error| failed(&error))?.content();
        trust.verify(path, stream, &signature)?;
        file.rewind().map_err(|error| Failure::read(path, &error))?;
        Input::from_file(file).map_err(|error| failed(&error))?
    };
    let bytes = input.bytes().map_err(|error| failed(&error))?;
    let list = trust.open(path, bytes, &signature)?;
    report_not_checkable(path, &list);
    Ok((list, Exit::Done))
}

/// Reports that a list is empty, so that it is not written: it would replace a list that blocks.
pub(super) fn empty_list(name: &str) -> Exit {
    message::print_error(&format!("{name} is empty, so the list is not written"));
    Exit::Nothing
}

/// Returns the compiled form of a list.
pub(super) fn compiled(list: &HiddenList) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    list.write_compiled(&mut bytes).map_err(|error| Failure::output(&error))?;
    Ok(bytes)
}

/// Makes the matcher of a list.
pub(super) fn matcher(path: &Path, list: &HiddenList, key: &KeyArg) -> Result<ListMatcher, Failure> {
    let key = key.read()?;
    ListMatcher::new(list, key.as_ref()).map_err(|error| match_failure(path, &error, key.is_some()))
}

/// Makes the failure of a list that cannot be matched with the given key.
pub(super) fn match_failure(path: &Path, error: &urlid::Error, has_key: bool) -> Failure {
    let failure = Failure::of_file(path, error);
    match error.code() {
        ErrorCode::Key if !has_key => failure.with_hint("--key names the file with the key"),
        _ => failure,
    }
}

/// Returns an error if standard input would be more than one of several lists.
pub(super) fn check_stdin<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<(), Failure> {
    match paths.into_iter().filter(|path| is_stdin(path)).count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::usage("standard input can be only one list")),
    }
}

fn text_list(path: &Path, input: Input) -> Result<(HiddenList, Exit), Failure> {
    let failed = |error: &dyn Coded| Failure::of_file(path, error);
    let mut reader = ListReader::new();
    // The exit code is then always 3. URLs pass that the publisher has listed, so the reader cannot choose to
    // ignore it.
    let mut rejections = Rejections::new(Invalid::Report, None, FilesInUse::default(), Progress::hidden())?;
    let mut lines = input.lines(LineOptions::default());
    while let Some(line) = lines.next_line().map_err(|error| failed(&error))? {
        let place = Place::in_file(path, line.number);
        let text = match line.text {
            Ok(text) => text,
            Err(error) => {
                reader.skip_line().map_err(|error| failed(&error))?;
                rejections.reject(place, line.bytes, &error.into())?;
                continue;
            }
        };
        match reader.line(text) {
            Ok(()) => {}
            Err(error) if error.code() == ErrorCode::ListLine => {
                rejections.reject(place, line.bytes, &error.into())?
            }
            Err(error) => return Err(failed(&error)),
        }
    }
    let list = reader.finish().map_err(|error| failed(&error))?;
    Ok((list, rejections.finish()?))
}

fn report_not_checkable(path: &Path, list: &HiddenList) {
    let unknown = list.not_checkable();
    let Some(first) = unknown.first() else { return };
    let entries = message::count(unknown.len() as u64, "entry");
    let path = Escaped::path(path);
    message::print(&format!(
        "{path}: {entries} by unknown algorithms cannot be checked, the first by {}",
        first.algorithm()
    ));
}
