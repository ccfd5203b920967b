//! The properties that the Theory lists, checked where a vector names URLs, or over a finite universe where it does not.
//!
//! A property is a statement about the two sides of an equation. For given URLs both sides are computed and shown; an
//! undefined side is null. Without URLs it is checked for every pair or triple of the universe, and what is shown is
//! whether it holds for all. What is known beyond the finite check is told in docs/spec/theory.md.

use serde_json::{Value, json};
use urlid::reference::{TokenKind, TokenUrl, TypedToken};

use super::{Found, found, tokens};
use crate::input::{Fault, Input};

pub(super) fn property(input: &Input<'_>) -> Result<Found, Fault> {
    let property = input.named("property", Property::from_name)?;
    let operation = input.named("operation", Operation::from_name)?;
    let names = ["url1", "url2", "url3"];
    let given: Vec<TokenUrl> =
        names.iter().filter_map(|name| input.get(name)).map(tokens::read).collect::<Result<_, _>>()?;
    if given.is_empty() {
        return Ok(found([("holds", json!(property.holds_everywhere(operation)))]));
    }
    let Some(urls) = given.get(..property.arity()).filter(|urls| urls.len() == given.len()) else {
        return Err(Fault::Input(format!("this property is about {} URLs", property.arity())));
    };
    let urls: Vec<&TokenUrl> = urls.iter().collect();
    let sides = property.sides(operation, &urls);
    Ok(found([
        ("left", sides.left.show()),
        ("right", sides.right.show()),
        ("holds", json!(property.holds(&sides))),
    ]))
}

/// A statement about an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Property {
    /// ord (url1 op url2) is the least of ord url1 and ord url2, wherever the operation is defined.
    Ord,
    /// (url1 op url2) op url3 = url1 op (url2 op url3), wherever both sides are defined.
    Associative,
    /// Where (url1 op url2) op url3 is defined, url1 op (url2 op url3) is.
    RightDefinedWhereLeftIs,
    /// Where url1 op (url2 op url3) is defined, (url1 op url2) op url3 is.
    LeftDefinedWhereRightIs,
    /// empty op url1 = url1.
    LeftIdentity,
    /// url1 op empty = url1.
    RightIdentity,
    /// url1 op empty = url1 without its fragment.
    DropsFragment,
    /// url2 is a postfix of url1 op url2, wherever the operation is defined.
    Postfix,
}

/// An operation on two URLs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Goto,
    GotoNonstrict,
    /// goto as the specification words it: the shortest URL with that prefix and that postfix, which may overlap.
    ShortestGoto,
}

/// One side of an equation.
#[derive(PartialEq, Eq)]
enum Side {
    Url(TokenUrl),
    Order(TokenKind),
    Undefined,
}

struct Sides {
    left: Side,
    right: Side,
}

impl Property {
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "ord" => Some(Self::Ord),
            "associative" => Some(Self::Associative),
            "right defined where left is" => Some(Self::RightDefinedWhereLeftIs),
            "left defined where right is" => Some(Self::LeftDefinedWhereRightIs),
            "left identity" => Some(Self::LeftIdentity),
            "right identity" => Some(Self::RightIdentity),
            "drops the fragment" => Some(Self::DropsFragment),
            "postfix" => Some(Self::Postfix),
            _ => None,
        }
    }

    fn arity(self) -> usize {
        match self {
            Self::LeftIdentity | Self::RightIdentity | Self::DropsFragment => 1,
            Self::Ord | Self::Postfix => 2,
            Self::Associative | Self::RightDefinedWhereLeftIs | Self::LeftDefinedWhereRightIs => 3,
        }
    }

    fn sides(self, operation: Operation, urls: &[&TokenUrl]) -> Sides {
        let op = |a: Side, b: Side| operation.apply(a, b);
        let url = |index: usize| Side::Url(urls[index].clone());
        let [left, right] = match self {
            Self::Ord => {
                let least = urls[0].ord().min(urls[1].ord());
                match op(url(0), url(1)) {
                    Side::Url(result) => [Side::Order(result.ord()), Side::Order(least)],
                    _ => [Side::Undefined, Side::Order(least)],
                }
            }
            Self::Associative | Self::RightDefinedWhereLeftIs | Self::LeftDefinedWhereRightIs => {
                [op(op(url(0), url(1)), url(2)), op(url(0), op(url(1), url(2)))]
            }
            Self::LeftIdentity => [op(Side::empty(), url(0)), url(0)],
            Self::RightIdentity => [op(url(0), Side::empty()), url(0)],
            Self::DropsFragment => [op(url(0), Side::empty()), Side::Url(urls[0].upto(TokenKind::Fragment))],
            Self::Postfix => [op(url(0), url(1)), url(1)],
        };
        Sides { left, right }
    }

    fn holds(self, sides: &Sides) -> bool {
        let (left, right) = (&sides.left, &sides.right);
        match self {
            Self::Ord => !left.is_defined() || left == right,
            Self::Associative => !left.is_defined() || !right.is_defined() || left == right,
            Self::RightDefinedWhereLeftIs => !left.is_defined() || right.is_defined(),
            Self::LeftDefinedWhereRightIs => !right.is_defined() || left.is_defined(),
            Self::LeftIdentity | Self::RightIdentity | Self::DropsFragment => left == right,
            Self::Postfix => match (left, right) {
                (Side::Url(whole), Side::Url(end)) => whole.tokens().ends_with(end.tokens()),
                _ => true,
            },
        }
    }

    /// Checks every tuple of the universe.
    fn holds_everywhere(self, operation: Operation) -> bool {
        let longest = if self.arity() == 3 { 2 } else { 4 };
        let universe = universe(longest);
        let holds = |urls: &[&TokenUrl]| self.holds(&self.sides(operation, urls));
        universe.iter().all(|a| match self.arity() {
            1 => holds(&[a]),
            2 => universe.iter().all(|b| holds(&[a, b])),
            _ => universe.iter().all(|b| universe.iter().all(|c| holds(&[a, b, c]))),
        })
    }
}

impl Operation {
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "goto" => Some(Self::Goto),
            "goto_nonstrict" => Some(Self::GotoNonstrict),
            "shortest_goto" => Some(Self::ShortestGoto),
            _ => None,
        }
    }

    fn apply(self, a: Side, b: Side) -> Side {
        let (Side::Url(a), Side::Url(b)) = (a, b) else { return Side::Undefined };
        let result = match self {
            Self::Goto => a.goto(&b).ok(),
            Self::GotoNonstrict => a.goto_nonstrict(&b).ok(),
            Self::ShortestGoto => shortest_goto(&a, &b),
        };
        result.map_or(Side::Undefined, Side::Url)
    }
}

/// The shortest URL that has (base upto (ord reference)) as a prefix and reference as a postfix: the longest overlap
/// that is a URL, and goto where nothing overlaps.
fn shortest_goto(base: &TokenUrl, reference: &TokenUrl) -> Option<TokenUrl> {
    let (prefix, postfix) = (base.upto(reference.ord()), reference.tokens());
    let prefix = prefix.tokens();
    (1..=prefix.len().min(postfix.len()))
        .rev()
        .filter(|&overlap| prefix.ends_with(&postfix[..overlap]))
        .find_map(|overlap| TokenUrl::new([prefix, &postfix[overlap..]].concat()).ok())
        .or_else(|| base.goto(reference).ok())
}

impl Side {
    fn empty() -> Self {
        Self::Url(TokenUrl::default())
    }

    fn is_defined(&self) -> bool {
        *self != Self::Undefined
    }

    fn show(&self) -> Value {
        match self {
            Self::Url(url) => tokens::to_json(url),
            Self::Order(order) => json!(order.name()),
            Self::Undefined => Value::Null,
        }
    }
}

/// Values that meet every rule about schemes, files and roots: two schemes, one of them `file`, and two authorities, one of
/// them with a user.
const VALUES: [(TokenKind, &str); 11] = [
    (TokenKind::Scheme, "s"),
    (TokenKind::Scheme, "file"),
    (TokenKind::Authority, "h"),
    (TokenKind::Authority, "u@h"),
    (TokenKind::Drive, "c:"),
    (TokenKind::Root, "/"),
    (TokenKind::Directory, "a"),
    (TokenKind::Directory, "b"),
    (TokenKind::File, "f"),
    (TokenKind::Query, "q"),
    (TokenKind::Fragment, "z"),
];

/// Returns every URL of at most `longest` tokens with those values.
fn universe(longest: usize) -> Vec<TokenUrl> {
    // Whatever a URL begins with is a URL, so each is made from one that is shorter by a token.
    let values = VALUES.iter().filter_map(|&(kind, text)| TypedToken::from_text(kind, text).ok());
    let values: Vec<TypedToken> = values.collect();
    let mut urls = vec![TokenUrl::default()];
    let mut from = 0;
    for _ in 0..longest {
        let to = urls.len();
        for index in from..to {
            let longer =
                values.iter().map(|value| [urls[index].tokens(), std::slice::from_ref(value)].concat());
            let longer: Vec<TokenUrl> = longer.filter_map(|tokens| TokenUrl::new(tokens).ok()).collect();
            urls.extend(longer);
        }
        from = to;
    }
    urls
}
