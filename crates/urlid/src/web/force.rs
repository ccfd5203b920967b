//! force: what the URL standard adds to the text of a special URL before it looks at it (docs/spec/web.md).
//!
//! An edit of the text, done once, before dots are removed and bytes are encoded. `http:/h`, `http:h` and
//! `http:////h` get the authority `h`; `file:x` gets an empty authority and a root.

use super::error::ParseError;
use crate::reference::{Class, Context, Reference, ReferenceBuf, is_slash};

/// Returns the forced form of an absolute reference, or nothing if it is that already.
pub(super) fn force(reference: &Reference<'_>) -> Result<Option<ReferenceBuf>, ParseError> {
    let scheme = reference.scheme().unwrap_or_default();
    let forced = match reference.class() {
        Class::Generic => return Ok(None),
        Class::Web if reference.authority_text().is_some_and(|text| !text.is_empty()) => return Ok(None),
        Class::Web => {
            let rest = reference.after_scheme();
            let slashes = rest.bytes().take_while(|&byte| is_slash(byte, Class::Web)).count();
            let rest = &rest[slashes..];
            if rest.is_empty() || rest.starts_with(['?', '#']) {
                return Err(ParseError::HostMissing);
            }
            [scheme, "://", rest].concat()
        }
        Class::File => {
            let is_rooted = reference.path().starts_with(['/', '\\']);
            if reference.authority().is_some() && (is_rooted || reference.path().is_empty()) {
                return Ok(None);
            }
            let authority = reference.authority_text().unwrap_or_default();
            let root = if is_rooted { "" } else { "/" };
            let rest = &reference.as_str()[reference.path_start()..];
            [scheme, "://", authority, root, rest].concat()
        }
    };
    Ok(Some(ReferenceBuf::parse(forced, Context::Whatwg(reference.class()))?))
}
