//! Hashed URIs that URLs are matched with, instead of a list.

use std::ffi::OsStr;
use std::path::Path;

use urlid::hashed_uri::{HashedUri, Hasher, Key, Variant};
use urlid_io::lines::{Input, LineOptions};
use urlid_lists::{HiddenList, Intake, ListRules};

use crate::input::UrlSources;
use crate::input::sources::is_url;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::progress::Progress;
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::{Invalid, Place, Rejection, Rejections};

/// Returns whether an argument is meant as a hashed URI, and not as the name of a list.
pub(super) fn is_uri(argument: &OsStr) -> bool {
    is_url(argument)
}

/// Reads the hashed URI of an argument.
pub(super) fn parse(argument: &OsStr) -> Result<HashedUri, Failure> {
    let hashed = argument.to_string_lossy().parse();
    let hashed: HashedUri = hashed.map_err(|error: urlid::Error| Failure::new(Exit::Usage, &error))?;
    check_algorithm(&hashed).map_err(|error| Failure::new(Exit::Usage, &error))?;
    Ok(hashed)
}

/// Reads the hashed URIs of a file that is read in addition to the URLs.
pub(super) fn read(path: &Path, urls: &UrlSources) -> Result<(Vec<HashedUri>, Exit), Failure> {
    read_uris(path, urls.open_beside(path, "the hashed URIs")?)
}

/// Makes a list of hashed URIs.
pub(super) fn list(uris: Vec<HashedUri>, variant: Variant, key: Option<&Key>) -> Result<HiddenList, Failure> {
    // The intake of the draft, because a hashed URI does not name an intake.
    let rules = ListRules { variant, intake: Intake::Rfc3986, ..ListRules::default() };
    HiddenList::from_hashed_uris(uris, rules, key).map_err(|error| Failure::new(Exit::Usage, &error))
}

/// Reads hashed URIs, one on each line. Lines that are not a hashed URI, or whose algorithm cannot be
/// computed, are rejected and reported.
fn read_uris(path: &Path, input: Input) -> Result<(Vec<HashedUri>, Exit), Failure> {
    let mut rejections = Rejections::new(Invalid::Report, None, FilesInUse::default(), Progress::hidden())?;
    let mut lines = input.lines(LineOptions::default());
    let mut uris = Vec::new();
    while let Some(line) = lines.next_line().map_err(|error| Failure::of_file(path, &error))? {
        // The rules of a list are in its header, which the options of this command do not repeat.
        if line.number == 1 && line.bytes.starts_with(b"# urlid-list:") {
            let message =
                format!("{}: ERR_LIST_HEADER: found a list, expected only hashed URIs", Escaped::path(path));
            return Err(Failure::failed(message).with_hint("`urlid list match LIST` reads lists"));
        }
        let place = Place::in_file(path, line.number);
        match line.text.map_err(Rejection::from).and_then(read_uri) {
            Ok(uri) => uris.extend(uri),
            Err(rejection) => rejections.reject(place, line.bytes, &rejection)?,
        }
    }
    Ok((uris, rejections.finish()?))
}

/// Reads a hashed URI that can be matched. Returns `None` for a blank line and a comment.
fn read_uri(text: &str) -> Result<Option<HashedUri>, Rejection> {
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let uri = HashedUri::parse(text)?;
    check_algorithm(&uri)?;
    Ok(Some(uri))
}

/// Checks that the library computes the algorithm. The key is checked for all hashed URIs at once.
fn check_algorithm(uri: &HashedUri) -> Result<(), urlid::Error> {
    match uri.is_known() {
        true => Ok(()),
        false => Hasher::new(uri.algorithm(), None).map(drop),
    }
}
