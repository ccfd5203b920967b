//! The tokens of a base and of a reference that survive in the target of goto.

use serde::{Serialize, Serializer};
use urlid::reference::{Class, Context, NoUrl, Reference, ReferenceBuf, TokenKind};

use super::Fact;

/// The definition of goto.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GotoMode {
    /// goto: a reference with a scheme replaces the base.
    #[default]
    Strict,
    /// goto': if the reference has the scheme of the base, its scheme is ignored.
    Nonstrict,
}

impl GotoMode {
    /// Returns the target of `reference` from `base`.
    ///
    /// # Errors
    /// [`NoUrl`] if goto is undefined.
    pub fn goto(self, base: &Reference<'_>, reference: &Reference<'_>) -> Result<ReferenceBuf, NoUrl> {
        match self {
            GotoMode::Strict => base.goto(reference),
            GotoMode::Nonstrict => base.goto_nonstrict(reference),
        }
    }
}

/// The tokens of a base and a reference, and the target of the reference.
///
/// ```
/// use urlid_ops::explain::{Goto, GotoMode};
///
/// let goto = Goto::new("https://h/a/b", "../c", GotoMode::Strict)?;
/// let kept = goto.base.iter().filter(|fate| fate.survives).map(|fate| fate.text.as_str());
/// assert_eq!(kept.collect::<Vec<_>>(), ["https", "h", "/", "a"]);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Goto {
    /// The tokens of the base.
    pub base: Vec<Fate>,
    /// The tokens of the reference.
    pub reference: Vec<Fate>,
    /// The target of the reference.
    pub target: Fact,
}

/// A token, and whether it is part of the target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fate {
    /// The type of the token.
    #[serde(serialize_with = "as_name")]
    pub kind: TokenKind,
    /// The token as written, without its delimiters.
    pub text: String,
    /// Whether it is part of the target.
    pub survives: bool,
}

impl Goto {
    /// Computes goto from `base` to `reference`, which is parsed relative to the base.
    ///
    /// # Errors
    /// `ERR_LINE_LEN` if one of the texts is 4 GiB or longer.
    pub fn new(base: &str, reference: &str, mode: GotoMode) -> Result<Self, urlid::Error> {
        let base = Reference::parse(base, Context::Whatwg(Class::Web))?;
        let reference = Reference::parse(reference, base.context())?;
        let has_equal_scheme = base.scheme().zip(reference.scheme());
        let has_equal_scheme = has_equal_scheme.is_some_and(|(a, b)| a.eq_ignore_ascii_case(b));
        // goto' drops a scheme that equals the scheme of the base (Theory of URLs; RFC 3986, 5.2.2, the
        // non-strict parser).
        let skipped = usize::from(mode == GotoMode::Nonstrict && has_equal_scheme);
        // The type of the reference's first token decides how much of the base stays. An empty reference
        // keeps everything except the fragment.
        let order = reference.tokens().nth(skipped).map_or(TokenKind::Fragment, |token| token.kind);
        let kept = base.upto(order).tokens().count();
        Ok(Goto {
            base: fates(&base, |index| index < kept),
            reference: fates(&reference, |index| index >= skipped),
            target: Fact::from_result(mode.goto(&base, &reference).map(ReferenceBuf::into_string)),
        })
    }
}

fn fates(reference: &Reference<'_>, survives: impl Fn(usize) -> bool) -> Vec<Fate> {
    let tokens = reference.tokens().enumerate();
    let fate = |(index, token): (usize, urlid::reference::Token<'_>)| Fate {
        kind: token.kind,
        text: token.text.to_owned(),
        survives: survives(index),
    };
    tokens.map(fate).collect()
}

fn as_name<S: Serializer>(kind: &TokenKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}
