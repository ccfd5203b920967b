//! Operations that are composed of other operations of the surface: pairs that must stay distinct, and the
//! properties that the Theory lists.
//!
//! A pair is compared under one system, by identifier and by canonical form. For `theory` the form is the
//! sequence of tokens, after goto if there is a base, and there is no identifier. If one text of a pair is
//! rejected, so is the pair.
//!
//! A property is a statement about the two sides of an equation. For given URLs, both sides are computed and
//! shown, and an undefined side is null. Without URLs, the property is checked for every pair or triple of
//! the universe, and the result is whether it holds for all of them. docs/spec/theory.md states what is known
//! beyond the finite check.

use std::collections::HashMap;

use serde_json::{Value, json};
use urlid::reference::TokenKind;

use crate::vectors::surface::{Input, Surface, Values, VectorFault, values};

/// The canonical form of a text by a system, and the identifier if the system has identifiers.
struct Identity {
    id: Value,
    form: Value,
}

pub(super) fn differ(surface: &dyn Surface, input: &Input<'_>) -> Result<Values, VectorFault> {
    let identity = input.named("system", |system| match system {
        "theory" => {
            Some(theory_identity as fn(&dyn Surface, &Input<'_>, &str) -> Result<Identity, VectorFault>)
        }
        "urlhash" => Some(url_hash_identity),
        "hashed" => Some(hashed_uri_identity),
        "sxurl" => Some(sxurl_identity),
        _ => None,
    })?;
    let a = identity(surface, input, input.text("a")?)?;
    let b = identity(surface, input, input.text("b")?)?;
    // A missing identifier does not equal a missing identifier.
    let same_id = if a.id.is_null() { Value::Null } else { json!(a.id == b.id) };
    Ok(values([("same_form", json!(a.form == b.form)), ("same_id", same_id), ("id", a.id)]))
}

fn theory_identity(surface: &dyn Surface, input: &Input<'_>, text: &str) -> Result<Identity, VectorFault> {
    let context = input.optional_text("context")?.unwrap_or("rfc3986");
    let given = [("text", json!(text)), ("context", json!(context)), ("base", json!(input.get("base")))];
    let found = surface.run("theory.parse", &values(given))?;
    Ok(Identity { id: Value::Null, form: found["url"].clone() })
}

fn url_hash_identity(surface: &dyn Surface, _: &Input<'_>, text: &str) -> Result<Identity, VectorFault> {
    let found = surface.run("urlhash", &values([("url", json!(text))]))?;
    Ok(Identity { id: found["hex"].clone(), form: found["canonical"].clone() })
}

/// All kept parts count, including the flags.
fn hashed_uri_identity(
    surface: &dyn Surface,
    input: &Input<'_>,
    text: &str,
) -> Result<Identity, VectorFault> {
    let given = values([
        ("uri", json!(text)),
        ("base", json!(input.get("base"))),
        ("variant", json!(input.text("variant")?)),
        // Dropping query or fragment is an option of the caller. Texts that differ there must stay distinct.
        ("keep_query", json!(true)),
        ("keep_frag", json!(true)),
    ]);
    let found = surface.run("hashed.make", &given)?;
    // The digest covers only the canonical text, so the flags of the kept parts are compared with it.
    let flags = found["hashed"].as_str().and_then(|text| text.split_once('+')).map(|(_, flags)| flags);
    Ok(Identity { id: found["hashed"].clone(), form: json!([found["canonical"], flags]) })
}

fn sxurl_identity(surface: &dyn Surface, _: &Input<'_>, text: &str) -> Result<Identity, VectorFault> {
    let found = surface.run("sxurl.encode", &values([("url", json!(text))]))?;
    Ok(Identity { id: found["id"].clone(), form: found["text"].clone() })
}

pub(super) fn property(surface: &dyn Surface, input: &Input<'_>) -> Result<Values, VectorFault> {
    let property =
        input.named("property", |name| PROPERTIES.iter().find(|property| property.name == name))?;
    let operation = input.named("operation", |name| match name {
        "goto" => Some((|algebra, a, b| algebra.goto("theory.goto", a, b)) as Operation),
        "goto_nonstrict" => Some(|algebra, a, b| algebra.goto("theory.goto_nonstrict", a, b)),
        "shortest_goto" => Some(|algebra, a, b| algebra.shortest_goto(a, b)),
        _ => None,
    })?;
    let mut algebra = Algebra::new(surface, operation);
    let given: Vec<&Value> = ["url1", "url2", "url3"].iter().filter_map(|name| input.get(name)).collect();
    if given.is_empty() {
        return Ok(values([("holds", json!(property.holds_everywhere(&mut algebra)?))]));
    }
    // A surplus URL would have no effect, and that must not look like a pass.
    if given.len() != property.arity {
        return Err(VectorFault::Failed(format!("this property is about {} URLs", property.arity)));
    }
    let urls: Vec<Side> = given.into_iter().map(|url| Side::Url(algebra.number(url.clone()))).collect();
    let [left, right] = (property.sides)(&mut algebra, &urls)?;
    let holds = (property.holds)(&algebra, left, right);
    Ok(values([("left", algebra.show(left)), ("right", algebra.show(right)), ("holds", json!(holds))]))
}

/// The number of a URL in the algebra.
type Url = usize;

/// The URL without tokens, which is the first one of every algebra.
const EMPTY: Side = Side::Url(0);

/// One side of an equation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Url(Url),
    Order(TokenKind),
    Undefined,
}

/// A statement about an operation.
struct Property {
    name: &'static str,
    /// The number of URLs in the statement.
    arity: usize,
    sides: fn(&mut Algebra<'_>, &[Side]) -> Result<[Side; 2], VectorFault>,
    holds: fn(&Algebra<'_>, Side, Side) -> bool,
}

/// The properties. `u` are the URLs. In the comments, `op` is the operation.
const PROPERTIES: [Property; 8] = [
    // ord (url1 op url2) is the least of ord url1 and ord url2, wherever the operation is defined.
    Property {
        name: "ord",
        arity: 2,
        sides: |algebra, u| {
            let least = algebra.order(u[0])?.min(algebra.order(u[1])?);
            let target = algebra.apply(u[0], u[1])?;
            Ok([algebra.order(target)?, least])
        },
        holds: |_, left, right| left == Side::Undefined || left == right,
    },
    // (url1 op url2) op url3 = url1 op (url2 op url3), wherever both sides are defined.
    Property {
        name: "associative",
        arity: 3,
        sides: both_orders,
        holds: |_, left, right| left == right || [left, right].contains(&Side::Undefined),
    },
    Property {
        name: "right defined where left is",
        arity: 3,
        sides: both_orders,
        holds: |_, left, right| left == Side::Undefined || right != Side::Undefined,
    },
    Property {
        name: "left defined where right is",
        arity: 3,
        sides: both_orders,
        holds: |_, left, right| right == Side::Undefined || left != Side::Undefined,
    },
    // empty op url1 = url1.
    Property {
        name: "left identity",
        arity: 1,
        sides: |algebra, u| Ok([algebra.apply(EMPTY, u[0])?, u[0]]),
        holds: |_, left, right| left == right,
    },
    // url1 op empty = url1.
    Property {
        name: "right identity",
        arity: 1,
        sides: |algebra, u| Ok([algebra.apply(u[0], EMPTY)?, u[0]]),
        holds: |_, left, right| left == right,
    },
    // url1 op empty = url1 without its fragment.
    Property {
        name: "drops the fragment",
        arity: 1,
        sides: |algebra, u| Ok([algebra.apply(u[0], EMPTY)?, algebra.upto(u[0], TokenKind::Fragment)?]),
        holds: |_, left, right| left == right,
    },
    // url2 is a postfix of url1 op url2, wherever the operation is defined.
    Property {
        name: "postfix",
        arity: 2,
        sides: |algebra, u| Ok([algebra.apply(u[0], u[1])?, u[1]]),
        holds: |algebra, left, right| {
            left == Side::Undefined || algebra.tokens(left).ends_with(algebra.tokens(right))
        },
    },
];

/// `(url1 op url2) op url3` and `url1 op (url2 op url3)`.
fn both_orders(algebra: &mut Algebra<'_>, u: &[Side]) -> Result<[Side; 2], VectorFault> {
    let (first, last) = (algebra.apply(u[0], u[1])?, algebra.apply(u[1], u[2])?);
    Ok([algebra.apply(first, u[2])?, algebra.apply(u[0], last)?])
}

impl Property {
    /// Checks every tuple of the universe.
    fn holds_everywhere(&self, algebra: &mut Algebra<'_>) -> Result<bool, VectorFault> {
        // Sequences have 4, 3 or 2 tokens for one, two or three URLs, so the number of tuples stays in the
        // millions.
        let universe = algebra.universe(5 - self.arity)?;
        // A statement about all elements of an empty set is true, which would be a pass without a check.
        if universe.is_empty() {
            return Err(VectorFault::Failed(
                "the surface rejects every URL, so nothing was checked".to_owned(),
            ));
        }
        let mut tuple = vec![0; self.arity];
        loop {
            let urls: Vec<Side> = tuple.iter().map(|&index| universe[index]).collect();
            let [left, right] = (self.sides)(algebra, &urls)?;
            if !(self.holds)(algebra, left, right) {
                return Ok(false);
            }
            // This increments the tuple like the digits of a counter.
            let Some(place) = tuple.iter().rposition(|&index| index + 1 < universe.len()) else {
                return Ok(true);
            };
            tuple[place] += 1;
            tuple[place + 1..].fill(0);
        }
    }
}

/// An operation on two URLs, or `None` where it is undefined.
type Operation = fn(&mut Algebra<'_>, Url, Url) -> Result<Option<Url>, VectorFault>;

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
        let (urls, numbers) = (vec![json!([])], HashMap::from([("[]".to_owned(), 0)]));
        Self { surface, operation, urls, numbers, orders: HashMap::new(), results: HashMap::new() }
    }

    /// Returns the number of the URL with these tokens.
    fn number(&mut self, tokens: Value) -> Url {
        *self.numbers.entry(tokens.to_string()).or_insert_with(|| {
            self.urls.push(tokens);
            self.urls.len() - 1
        })
    }

    fn tokens(&self, side: Side) -> &[Value] {
        let Side::Url(url) = side else { return &[] };
        self.urls[url].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    fn show(&self, side: Side) -> Value {
        match side {
            Side::Url(url) => self.urls[url].clone(),
            Side::Order(order) => json!(order.name()),
            Side::Undefined => Value::Null,
        }
    }

    fn apply(&mut self, a: Side, b: Side) -> Result<Side, VectorFault> {
        let (Side::Url(a), Side::Url(b)) = (a, b) else { return Ok(Side::Undefined) };
        let result = match self.results.get(&[a, b]) {
            Some(result) => *result,
            None => {
                let result = (self.operation)(self, a, b)?;
                // The result is computed before the entry is borrowed, because an operation may add URLs to
                // the algebra.
                *self.results.entry([a, b]).or_insert(result)
            }
        };
        Ok(result.map_or(Side::Undefined, Side::Url))
    }

    fn goto(&mut self, op: &str, a: Url, b: Url) -> Result<Option<Url>, VectorFault> {
        let given = values([("url1", self.urls[a].clone()), ("url2", self.urls[b].clone())]);
        match self.surface.run(op, &given) {
            Ok(mut found) => Ok(Some(self.number(found["url"].take()))),
            // A rejection is the result "undefined". Any other fault is a failure of the surface and ends the
            // check.
            Err(VectorFault::Rejected(_)) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Computes goto with the wording of the specification: the shortest URL that has (base upto (ord
    /// reference)) as a prefix and reference as a postfix, which may overlap. This is the longest overlap
    /// that is a URL, or goto if there is no overlap.
    fn shortest_goto(&mut self, base: Url, reference: Url) -> Result<Option<Url>, VectorFault> {
        let order = self.order_of(reference)?;
        let prefix = self.upto(Side::Url(base), order)?;
        let (prefix, postfix) = (self.tokens(prefix).to_vec(), self.tokens(Side::Url(reference)).to_vec());
        // The loop starts with the longest overlap, because it gives the shortest URL.
        for overlap in (1..=prefix.len().min(postfix.len())).rev() {
            let whole = Value::from([&prefix[..], &postfix[overlap..]].concat());
            if prefix.ends_with(&postfix[..overlap]) && self.is_url(&whole)? {
                return Ok(Some(self.number(whole)));
            }
        }
        self.goto("theory.goto", base, reference)
    }

    fn order(&mut self, side: Side) -> Result<Side, VectorFault> {
        let Side::Url(url) = side else { return Ok(side) };
        self.order_of(url).map(Side::Order)
    }

    fn order_of(&mut self, url: Url) -> Result<TokenKind, VectorFault> {
        if let Some(order) = self.orders.get(&url) {
            return Ok(*order);
        }
        // `upto` returns the order for any argument, and `scheme` is valid for every URL.
        let found = self.run_upto(&self.urls[url], "scheme")?;
        let order = found["ord"].as_str().and_then(TokenKind::from_name);
        let order = order.ok_or_else(|| VectorFault::Failed(format!("ord is {}", found["ord"])))?;
        Ok(*self.orders.entry(url).or_insert(order))
    }

    fn upto(&mut self, side: Side, order: TokenKind) -> Result<Side, VectorFault> {
        let Side::Url(url) = side else { return Ok(side) };
        let mut found = self.run_upto(&self.urls[url], order.name())?;
        Ok(Side::Url(self.number(found["upto"].take())))
    }

    /// Returns whether tokens are a URL that a text can represent. Every operation rejects other tokens.
    fn is_url(&self, tokens: &Value) -> Result<bool, VectorFault> {
        match self.run_upto(tokens, "scheme") {
            Ok(_) => Ok(true),
            Err(VectorFault::Rejected(_)) => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    fn run_upto(&self, tokens: &Value, order: &str) -> Result<Values, VectorFault> {
        self.surface.run("theory.upto", &values([("url", tokens.clone()), ("order", json!(order))]))
    }

    /// Returns every URL of at most `longest` tokens with the values of `VALUES`.
    fn universe(&mut self, longest: usize) -> Result<Vec<Side>, VectorFault> {
        let mut sequences: Vec<Vec<Value>> = vec![Vec::new()];
        let mut from = 0;
        // Sequences that are not a URL are also extended, because a longer one may be a URL.
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
                universe.push(Side::Url(self.number(tokens)));
            }
        }
        Ok(universe)
    }
}

/// Values that are needed for every rule about schemes, files and roots: two schemes, one of them `file`, and
/// two authorities, one of them with a user.
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
