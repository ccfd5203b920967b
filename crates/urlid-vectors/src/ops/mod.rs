//! The operations that a vector can name, each with the inputs that it reads.
//!
//! One function per operation, in the file of its system. An operation gives every value that it can; a vector expects those
//! that it is about.

mod differ;
mod hashed;
mod property;
mod resolve;
mod snapshot;
mod sxurl;
mod theory;
mod tokens;
mod url_hash;

use serde_json::{Map, Value};

use crate::input::{Fault, Input};

/// The values that an operation gave, by name.
pub(crate) type Found = Map<String, Value>;

/// An operation.
pub struct Op {
    /// The name that vectors use.
    pub name: &'static str,
    /// The inputs that it reads. Any other is a failure, for it would have no effect.
    pub inputs: &'static [&'static str],
    pub(crate) run: fn(&Input<'_>) -> Result<Found, Fault>,
}

/// Every operation, by system.
pub const ALL: &[Op] = &[
    Op { name: "theory.valid", inputs: &["url"], run: theory::valid },
    Op { name: "theory.upto", inputs: &["url", "order"], run: theory::upto },
    Op { name: "theory.goto", inputs: &["url1", "url2"], run: theory::goto },
    Op { name: "theory.goto_nonstrict", inputs: &["url1", "url2"], run: theory::goto_nonstrict },
    Op { name: "theory.parse", inputs: &["text", "context"], run: theory::parse },
    Op {
        name: "theory.property",
        inputs: &["property", "operation", "url1", "url2", "url3"],
        run: property::property,
    },
    Op { name: "web.parse", inputs: &["url", "base"], run: resolve::web },
    Op { name: "generic.resolve", inputs: &["base", "reference", "mode"], run: resolve::generic },
    Op { name: "generic.normalise", inputs: &["uri"], run: resolve::normal },
    Op { name: "generic.remove_dot_segments", inputs: &["path"], run: resolve::dots },
    Op { name: "urlhash", inputs: &["url"], run: url_hash::url_hash },
    Op { name: "urlhash.crate", inputs: &["url"], run: url_hash::url_hash_crate },
    Op {
        name: "hashed.make",
        inputs: &["uri", "base", "alg", "keep_query", "keep_frag", "variant"],
        run: hashed::make,
    },
    Op { name: "hashed.parse", inputs: &["text"], run: hashed::parse },
    Op { name: "hashed.match", inputs: &["hashed", "uri", "variant"], run: hashed::matches },
    Op { name: "sxurl.encode", inputs: &["url"], run: sxurl::encode },
    Op { name: "sxurl.decode", inputs: &["id"], run: sxurl::decode },
    Op { name: "sxurl.slice", inputs: &["label", "value", "bits"], run: sxurl::slice },
    Op { name: "sxurl.field", inputs: &["url", "field"], run: sxurl::field },
    Op { name: "sxurl.layout", inputs: &["field"], run: sxurl::layout },
    Op { name: "sxurl.match", inputs: &["url", "label", "value"], run: sxurl::matches },
    Op { name: "sxurl.crate", inputs: &["url", "version"], run: sxurl::sxurl_crate },
    Op { name: "snapshot.parse", inputs: &["text"], run: snapshot::parse },
    Op {
        name: "differ",
        inputs: &["system", "a", "b", "base", "context", "variant", "why"],
        run: differ::differ,
    },
];

/// Returns the operation with a name.
pub(crate) fn find(name: &str) -> Option<&'static Op> {
    ALL.iter().find(|op| op.name == name)
}

/// Collects named values.
fn found<const N: usize>(values: [(&str, Value); N]) -> Found {
    values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
