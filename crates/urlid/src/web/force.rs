//! force: adds the delimiters that a special URL may lack by the URL Standard.
//!
//! An edit of the text, done once, before dots are removed and bytes are encoded. `http:/h`, `http:h` and
//! `http:////h` get the authority `h`; `file:x` gets an empty authority and a root.

use crate::error::Error;
use crate::reference::{Class, Context, Reference, ReferenceBuf, is_slash};
use crate::web::error;

/// Returns the forced form of a reference: one with a special scheme gets an authority, and a root before its path. Any
/// other reference is unchanged.
///
/// ```
/// use urlid::reference::{Class, Context, Reference};
/// use urlid::web::force;
///
/// let forced = |text| force(&Reference::parse(text, Context::Whatwg(Class::Generic)).expect("the text is short"));
/// assert_eq!(forced("http:h/a/../b")?.as_str(), "http://h/a/../b");
/// assert_eq!(forced("file:c:/a")?.as_str(), "file:///c:/a");
/// assert_eq!(forced("mailto:a")?.as_str(), "mailto:a");
/// # Ok::<(), urlid::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if there is no text that could be the authority of a web URL.
pub fn force(reference: &Reference<'_>) -> Result<ReferenceBuf, Error> {
    Ok(force_if_needed(reference)?.unwrap_or_else(|| ReferenceBuf::from(*reference)))
}

/// Returns the forced form of a reference, or nothing if it is in that form.
pub(super) fn force_if_needed(reference: &Reference<'_>) -> Result<Option<ReferenceBuf>, Error> {
    let Some(scheme) = reference.scheme() else { return Ok(None) };
    let forced = match reference.class() {
        Class::Generic => return Ok(None),
        Class::Web if reference.authority_text().is_some_and(|text| !text.is_empty()) => return Ok(None),
        Class::Web => {
            let rest = reference.after_scheme();
            // However many slashes there are, what follows is the authority ("special authority ignore slashes state").
            let slashes = rest.bytes().take_while(|&byte| is_slash(byte, Class::Web)).count();
            let rest = &rest[slashes..];
            if rest.is_empty() || rest.starts_with(['?', '#']) {
                return Err(error::HOST_MISSING.error());
            }
            [scheme, "://", rest].concat()
        }
        Class::File => {
            let is_rooted = reference.path().starts_with(['/', '\\']);
            // An authority without a root before the path is the empty one before a drive: `file://c:/a`.
            if reference.authority().is_some() && (is_rooted || reference.path().is_empty()) {
                return Ok(None);
            }
            let authority = reference.authority_text().unwrap_or_default();
            let root = if is_rooted { "" } else { "/" };
            let rest = &reference.as_str()[reference.path_start()..];
            [scheme, "://", authority, root, rest].concat()
        }
    };
    ReferenceBuf::parse(forced, Context::Whatwg(reference.class())).map(Some).map_err(error::of_url)
}
