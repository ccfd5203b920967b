//! The properties that the Theory lists, checked where a vector names URLs, or over a finite universe where it does not.
//!
//! A property is a statement about the two sides of an equation. For given URLs both sides are computed and shown; an
//! undefined side is null. Without URLs it is checked for every pair or triple of the universe, and the result is
//! whether it holds for all. docs/spec/theory.md says what is known beyond the finite check.

use std::collections::HashMap;

use serde_json::{Value, json};
use urlid::reference::TokenKind;

use crate::vectors::input::Input;
use crate::vectors::surface::{Fault, Surface, Values, values};

pub(super) fn property(surface: &dyn Surface, input: &Input<'_>) -> Result<Values, Fault> {
    let property = input.named("property", Property::from_name)?;
    let operation = input.named("operation", Operation::from_name)?;
    let mut algebra = Algebra::new(surface, operation);
    let given: Vec<&Value> = ["url1", "url2", "url3"].iter().filter_map(|name| input.get(name)).collect();
    if given.is_empty() {
        return Ok(values([("holds", json!(property.holds_everywhere(&mut algebra)?))]));
    }
    if given.len() != property.arity() {
        return Err(Fault::Failed(format!("this property is about {} URLs", property.arity())));
    }
    let urls: Vec<Url> = given.into_iter().map(|url| algebra.number(url.clone())).collect();
    let [left, right] = property.sides(&mut algebra, &urls)?;
    let holds = property.holds(&algebra, &left, &right);
    Ok(values([("left", algebra.show(&left)), ("right", algebra.show(&right)), ("holds", json!(holds))]))
}

/// A URL by its number in the algebra.
type Url = usize;

/// One side of an equation.
#[derive(PartialEq, Eq)]
enum Side {
    Url(Url),
    Order(TokenKind),
    Undefined,
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

    fn sides(self, algebra: &mut Algebra<'_>, urls: &[Url]) -> Result<[Side; 2], Fault> {
        let empty = Side::Url(algebra.number(json!([])));
        let url = |index: usize| Side::Url(urls[index]);
        Ok(match self {
            Self::Ord => {
                let least = algebra.order(urls[0])?.min(algebra.order(urls[1])?);
                let order = match algebra.apply(&url(0), &url(1))? {
                    Side::Url(result) => Side::Order(algebra.order(result)?),
                    other => other,
                };
                [order, Side::Order(least)]
            }
            Self::Associative | Self::RightDefinedWhereLeftIs | Self::LeftDefinedWhereRightIs => {
                let (first, last) = (algebra.apply(&url(0), &url(1))?, algebra.apply(&url(1), &url(2))?);
                [algebra.apply(&first, &url(2))?, algebra.apply(&url(0), &last)?]
            }
            Self::LeftIdentity => [algebra.apply(&empty, &url(0))?, url(0)],
            Self::RightIdentity => [algebra.apply(&url(0), &empty)?, url(0)],
            Self::DropsFragment => {
                let rest = algebra.upto(urls[0], "fragment")?;
                [algebra.apply(&url(0), &empty)?, Side::Url(rest)]
            }
            Self::Postfix => [algebra.apply(&url(0), &url(1))?, url(1)],
        })
    }

    fn holds(self, algebra: &Algebra<'_>, left: &Side, right: &Side) -> bool {
        let is_defined = |side: &Side| *side != Side::Undefined;
        match self {
            Self::Ord => !is_defined(left) || left == right,
            Self::Associative => !is_defined(left) || !is_defined(right) || left == right,
            Self::RightDefinedWhereLeftIs => !is_defined(left) || is_defined(right),
            Self::LeftDefinedWhereRightIs => !is_defined(right) || is_defined(left),
            Self::LeftIdentity | Self::RightIdentity | Self::DropsFragment => left == right,
            Self::Postfix => match (left, right) {
                (Side::Url(whole), Side::Url(end)) => algebra.tokens(*whole).ends_with(algebra.tokens(*end)),
                _ => true,
            },
        }
    }

    /// Checks every tuple of the universe.
    fn holds_everywhere(self, algebra: &mut Algebra<'_>) -> Result<bool, Fault> {
        let universe = algebra.universe(5 - self.arity())?;
        if universe.is_empty() {
            return Err(Fault::Failed("the surface refuses every URL, so nothing was checked".to_owned()));
        }
        let mut tuple = vec![0; self.arity()];
        loop {
            let urls: Vec<Url> = tuple.iter().map(|&index| universe[index]).collect();
            let [left, right] = self.sides(algebra, &urls)?;
            if !self.holds(algebra, &left, &right) {
                return Ok(false);
            }
            // The next tuple, as a counter counts.
            let Some(place) = tuple.iter().rposition(|&index| index + 1 < universe.len()) else {
                return Ok(true);
            };
            tuple[place] += 1;
            tuple[place + 1..].fill(0);
        }
    }
}

/// An operation on two URLs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Goto,
    GotoNonstrict,
    /// goto as the specification words it: the shortest URL with that prefix and that postfix, which may overlap.
    ShortestGoto,
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
}

/// URLs of a surface and the results of an operation on them, each computed once.
struct Algebra<'s> {
    surface: &'s dyn Surface,
    operation: Operation,
    urls: Vec<Value>,
    numbers: HashMap<String, Url>,
    orders: HashMap<Url, TokenKind>,
    results: HashMap<[Url; 2], Option<Url>>,
}

impl<'s> Algebra<'s> {
    fn new(surface: &'s dyn Surface, operation: Operation) -> Self {
        let (urls, numbers) = (Vec::new(), HashMap::new());
        Self { surface, operation, urls, numbers, orders: HashMap::new(), results: HashMap::new() }
    }

    /// Returns the number of the URL with these tokens.
    fn number(&mut self, tokens: Value) -> Url {
        *self.numbers.entry(tokens.to_string()).or_insert_with(|| {
            self.urls.push(tokens);
            self.urls.len() - 1
        })
    }

    fn tokens(&self, url: Url) -> &[Value] {
        self.urls[url].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    fn show(&self, side: &Side) -> Value {
        match side {
            Side::Url(url) => self.urls[*url].clone(),
            Side::Order(order) => json!(order.name()),
            Side::Undefined => Value::Null,
        }
    }

    fn apply(&mut self, a: &Side, b: &Side) -> Result<Side, Fault> {
        let (&Side::Url(a), &Side::Url(b)) = (a, b) else { return Ok(Side::Undefined) };
        let result = match self.results.get(&[a, b]) {
            Some(result) => *result,
            None => {
                let result = match self.operation {
                    Operation::Goto => self.goto("theory.goto", a, b)?,
                    Operation::GotoNonstrict => self.goto("theory.goto_nonstrict", a, b)?,
                    Operation::ShortestGoto => self.shortest_goto(a, b)?,
                };
                *self.results.entry([a, b]).or_insert(result)
            }
        };
        Ok(result.map_or(Side::Undefined, Side::Url))
    }

    fn goto(&mut self, op: &str, a: Url, b: Url) -> Result<Option<Url>, Fault> {
        let given = values([("url1", self.urls[a].clone()), ("url2", self.urls[b].clone())]);
        match self.surface.run(op, &given) {
            Ok(mut found) => Ok(Some(self.number(found["url"].take()))),
            Err(Fault::Refused(_)) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// The shortest URL that has (base upto (ord reference)) as a prefix and reference as a postfix: the longest overlap
    /// that is a URL, and goto where nothing overlaps.
    fn shortest_goto(&mut self, base: Url, reference: Url) -> Result<Option<Url>, Fault> {
        let order = self.order(reference)?;
        let prefix = self.upto(base, order.name())?;
        let (prefix, postfix) = (self.tokens(prefix).to_vec(), self.tokens(reference).to_vec());
        for overlap in (1..=prefix.len().min(postfix.len())).rev() {
            let whole = Value::from([&prefix[..], &postfix[overlap..]].concat());
            if prefix.ends_with(&postfix[..overlap]) && self.is_url(&whole)? {
                return Ok(Some(self.number(whole)));
            }
        }
        self.goto("theory.goto", base, reference)
    }

    fn order(&mut self, url: Url) -> Result<TokenKind, Fault> {
        if let Some(order) = self.orders.get(&url) {
            return Ok(*order);
        }
        let found = self.run_upto(&self.urls[url], "scheme")?;
        let order = found["ord"].as_str().and_then(TokenKind::from_name);
        let order = order.ok_or_else(|| Fault::Failed(format!("ord is {}", found["ord"])))?;
        Ok(*self.orders.entry(url).or_insert(order))
    }

    fn upto(&mut self, url: Url, order: &str) -> Result<Url, Fault> {
        let mut found = self.run_upto(&self.urls[url], order)?;
        Ok(self.number(found["upto"].take()))
    }

    /// Returns whether tokens are a URL that a text can hold: every operation rejects any other.
    fn is_url(&self, tokens: &Value) -> Result<bool, Fault> {
        match self.run_upto(tokens, "scheme") {
            Ok(_) => Ok(true),
            Err(Fault::Refused(_)) => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    fn run_upto(&self, tokens: &Value, order: &str) -> Result<Values, Fault> {
        self.surface.run("theory.upto", &values([("url", tokens.clone()), ("order", json!(order))]))
    }

    /// Returns every URL of at most `longest` tokens with the values of `VALUES`.
    fn universe(&mut self, longest: usize) -> Result<Vec<Url>, Fault> {
        let mut sequences: Vec<Vec<Value>> = vec![Vec::new()];
        let mut from = 0;
        for _ in 0..longest {
            let to = sequences.len();
            for index in from..to {
                let extended =
                    VALUES.map(|(kind, text)| [&sequences[index][..], &[json!([kind, text])]].concat());
                sequences.extend(extended);
            }
            from = to;
        }
        let mut universe = Vec::new();
        for tokens in sequences.into_iter().map(Value::from) {
            if self.is_url(&tokens)? {
                universe.push(self.number(tokens));
            }
        }
        Ok(universe)
    }
}

/// Values that meet every rule about schemes, files and roots: two schemes, one of them `file`, and two authorities, one of
/// them with a user.
const VALUES: [(&str, &str); 11] = [
    ("scheme", "s"),
    ("scheme", "file"),
    ("authority", "h"),
    ("authority", "u@h"),
    ("drive", "c:"),
    ("root", "/"),
    ("directory", "a"),
    ("directory", "b"),
    ("file", "f"),
    ("query", "q"),
    ("fragment", "z"),
];
