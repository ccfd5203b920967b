//! The matcher of a list: its key, and the public suffix list by which its ladder climbs.

use std::path::Path;

use clap::Args;
use urlid::ErrorCode;
use urlid::suffix::{Sections, SuffixList};
use urlid_lists::{HiddenList, ListMatcher, OnOtherSuffixes};

use crate::escape::Escaped;
use crate::exit::Failure;
use crate::globals::Globals;
use crate::key::KeyArg;
use crate::message;

/// What a list is matched with.
#[derive(Debug, Args)]
pub(super) struct MatcherArgs {
    #[command(flatten)]
    pub(super) key: KeyArg,

    /// Also match a list that was made with another public suffix list: hosts climb to other domains then, and some
    /// that are listed are not found
    #[arg(long, hide_short_help = true)]
    other_suffix_list: bool,
}

impl MatcherArgs {
    /// Makes the matcher of a list.
    pub(super) fn matcher(
        &self,
        path: &Path,
        list: &HiddenList,
        globals: &Globals,
    ) -> Result<ListMatcher, Failure> {
        let key = self.key.read()?;
        let given = globals.psl.given()?;
        let on_other = match self.other_suffix_list {
            true => OnOtherSuffixes::Accept,
            false => OnOtherSuffixes::Fail,
        };
        let matcher = ListMatcher::with_suffixes(list, key.as_ref(), given.as_deref(), on_other);
        let matcher = matcher.map_err(|error| failure(path, &error, key.is_some()))?;
        // A different list that was accepted is still reported.
        let climbed_by =
            given.as_deref().or(list.suffixes()).unwrap_or(SuffixList::compiled_with(Sections::default()));
        if let Err(error) = list.clone().with_suffixes(climbed_by) {
            message::print(&format!("{}: {error}: some hosts climb to other domains", Escaped::path(path)));
        }
        Ok(matcher)
    }
}

/// Makes the failure of a list that cannot be matched with what was given.
pub(super) fn failure(path: &Path, error: &urlid::Error, has_key: bool) -> Failure {
    let failure = Failure::of_file(path, error);
    match error.code() {
        ErrorCode::Key if !has_key => failure.with_hint("--key names the file with the key"),
        ErrorCode::Snapshot => failure.with_hint(
            "--psl names the file with the suffix list that it was made with; --other-suffix-list matches it all the same",
        ),
        _ => failure,
    }
}

/// Returns a list with the public suffix list that it was made with, for a command that stores both.
pub(super) fn with_own_suffixes(
    path: &Path,
    list: HiddenList,
    globals: &Globals,
) -> Result<HiddenList, Failure> {
    let failed = |error: urlid::Error| {
        Failure::of_file(path, &error)
            .with_hint("--psl names the file with the suffix list that it was made with")
    };
    let list = match globals.psl.given()? {
        Some(given) => list.with_suffixes(&given).map_err(failed)?,
        None => list,
    };
    list.check_suffixes().map_err(failed)?;
    Ok(list)
}
