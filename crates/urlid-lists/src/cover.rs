//! Which entries of a list are covered by others: every candidate that matches them matches an entry above
//! them, too.
//!
//! That follows from the text of an entry where a candidate that reaches it has the same directories and
//! hosts above it: in variant N with the intake `web`, for `http` and `https`. The URL Standard removes dot
//! segments and maps hosts before the ladder is cut, and N decodes nothing that divides a path or a host. By
//! RFC 3986 `/a/../b` is `/b` only after it was cut, and variant P makes one text of different paths.

use super::ladder::Candidate;
use super::rules::{Intake, Ladder, Rules};
use crate::error;
use urlid::Error;
use urlid::hashed_uri::{Canonical, Keep, Variant};

/// Checks that covered entries of a list can be found.
pub(super) fn check_coverable(rules: Rules) -> Result<(), Error> {
    match rules {
        Rules { ladder: Ladder::None, .. } => Err(error::setting("none", "path or hosts")),
        Rules { variant: Variant::N, intake: Intake::Web(_), .. } => Ok(()),
        Rules { intake: Intake::Rfc3986, .. } => Err(error::setting("rfc3986", "web")),
        Rules { variant: Variant::P, .. } => Err(error::setting("p", "n")),
        Rules { variant: Variant::None, .. } => Err(error::setting("none", "n")),
    }
}

/// Returns whether an entry is covered by one that is `listed`.
///
/// Only entries without flags are above others. A shorter text is asked for, so that no two entries cover
/// each other.
pub(super) fn is_covered(entry: &Canonical, rules: Rules, is_listed: &dyn Fn(&Canonical) -> bool) -> bool {
    let text = entry.as_str();
    if !text.starts_with("http://") && !text.starts_with("https://") {
        return false;
    }
    // The intake was applied already.
    let Ok(candidate) = Candidate::new(text, None, Rules { intake: Intake::Rfc3986, ..rules }) else {
        return false;
    };
    let rungs = candidate.hosts().flat_map(|host| candidate.rungs(host, Keep::NONE));
    let parents = rungs
        .filter_map(|rung| candidate.canonical(String::new(), &mut String::new(), rung, Keep::NONE).ok());
    parents.into_iter().any(|parent| parent.as_str().len() < text.len() && is_listed(&parent))
}
