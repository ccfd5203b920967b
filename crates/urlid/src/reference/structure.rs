//! The structural constraints that make a sequence of tokens a URL (Theory of URLs, "URLs" and "File URLs").
//!
//! `Reference`, `ReferenceBuf` and `TokenUrl` use the same function over tokens. It checks only the
//! structure, not the values of names (T-4).

use core::cmp::Ordering;

use super::authority::{Authority, Presence};
use super::error::Violation;
use super::token::{Token, TokenKind};

/// The properties of a token that the constraints depend on.
pub(super) enum Shape<'a> {
    Scheme(&'a str),
    Authority(Presence),
    Other(TokenKind),
}

impl Shape<'_> {
    fn kind(&self) -> TokenKind {
        match self {
            Self::Scheme(_) => TokenKind::Scheme,
            Self::Authority(_) => TokenKind::Authority,
            Self::Other(kind) => *kind,
        }
    }
}

/// Checks every structural constraint of the specification, including the two file constraints.
///
/// # Errors
/// The first [`Violation`].
pub fn check_structure<'a>(tokens: impl IntoIterator<Item = Token<'a>>) -> Result<(), Violation> {
    check_shapes(tokens.into_iter().map(|token| match token.kind {
        TokenKind::Scheme => Shape::Scheme(token.text),
        TokenKind::Authority => Shape::Authority(Authority::split(token.text).presence()),
        kind => Shape::Other(kind),
    }))
}

/// Checks every structural constraint on the properties of each token.
pub(super) fn check_shapes<'a>(shapes: impl Iterator<Item = Shape<'a>>) -> Result<(), Violation> {
    let mut last = None;
    let (mut scheme, mut needs_root, mut has_root) = (None, false, false);
    for shape in shapes {
        let kind = shape.kind();
        // `None` sorts before every type.
        match last.cmp(&Some(kind)) {
            Ordering::Greater => return Err(Violation::Order),
            Ordering::Equal if kind != TokenKind::Directory => return Err(Violation::Repeated),
            _ => last = Some(kind),
        }
        let is_file = |scheme: &str| scheme.eq_ignore_ascii_case("file");
        match shape {
            Shape::Scheme(text) => scheme = Some(text),
            Shape::Authority(parts) => {
                needs_root = true;
                parts.check()?;
                // Types ascend, so the scheme was seen before the authority, if there is one.
                if scheme.is_some_and(is_file) && parts.has_more_than_host() {
                    return Err(Violation::FileAuthority);
                }
            }
            Shape::Other(TokenKind::Drive) => {
                needs_root = true;
                if scheme.is_some_and(|scheme| !is_file(scheme)) {
                    return Err(Violation::DriveOutsideFile);
                }
            }
            Shape::Other(TokenKind::Root) => has_root = true,
            Shape::Other(TokenKind::Directory | TokenKind::File) => {
                if needs_root && !has_root {
                    return Err(Violation::RootMissing);
                }
            }
            Shape::Other(_) => {}
        }
    }
    Ok(())
}
