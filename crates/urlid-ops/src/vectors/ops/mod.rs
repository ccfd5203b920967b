//! The operations of vectors, each with the inputs that it reads, and the library as a surface.
//!
//! Each operation is a function in the file of its system. It returns every value that it can, and a vector
//! expects only the values that it tests. The surface runs most operations. Composed operations are made of
//! them, so they are the same for every surface.

mod composed;
mod identifiers;
mod texts;
mod theory;

use super::surface::{Input, Surface, Values, VectorFault};

/// An operation.
pub struct Op {
    /// The name in vectors.
    pub name: &'static str,
    /// The inputs that it reads. Any other input is a failure, because it would have no effect.
    pub inputs: &'static [&'static str],
    run: Runner,
}

/// The part of the program that runs an operation.
enum Runner {
    /// The surface runs it. This function runs it for the library.
    Own(fn(&Input<'_>) -> Result<Values, VectorFault>),
    /// This crate runs it, with other operations of the surface.
    Composed(fn(&dyn Surface, &Input<'_>) -> Result<Values, VectorFault>),
}

use Runner::{Composed, Own};

/// Every operation, by system.
pub const ALL: &[Op] = &[
    Op { name: "theory.valid", inputs: &["url"], run: Own(theory::valid) },
    Op { name: "theory.upto", inputs: &["url", "order"], run: Own(theory::upto) },
    Op { name: "theory.goto", inputs: &["url1", "url2"], run: Own(theory::goto) },
    Op { name: "theory.goto_nonstrict", inputs: &["url1", "url2"], run: Own(theory::goto_nonstrict) },
    Op { name: "theory.parse", inputs: &["text", "context", "base"], run: Own(theory::parse) },
    Op {
        name: "theory.property",
        inputs: &["property", "operation", "url1", "url2", "url3"],
        run: Composed(composed::property),
    },
    Op { name: "web.parse", inputs: &["url", "base"], run: Own(texts::web) },
    Op { name: "resolve", inputs: &["base", "reference", "mode"], run: Own(texts::resolve) },
    Op { name: "generic.normalise", inputs: &["uri"], run: Own(texts::normal) },
    Op { name: "generic.remove_dot_segments", inputs: &["path"], run: Own(texts::dots) },
    Op { name: "canon", inputs: &["text", "form", "rules"], run: Own(texts::canon) },
    Op { name: "no_vary_search", inputs: &["field", "syntax", "a", "b"], run: Own(texts::no_vary_search) },
    Op { name: "rules", inputs: &["text"], run: Own(texts::rules) },
    Op { name: "split", inputs: &["text", "sections"], run: Own(texts::split) },
    Op { name: "detect", inputs: &["text"], run: Own(texts::detect) },
    Op { name: "urlhash", inputs: &["url"], run: Own(identifiers::url_hash) },
    Op { name: "urlhash.crate", inputs: &["url"], run: Own(identifiers::url_hash_crate) },
    Op {
        name: "hashed.make",
        inputs: &["uri", "base", "alg", "keep_query", "keep_frag", "variant"],
        run: Own(identifiers::hashed_make),
    },
    Op { name: "hashed.parse", inputs: &["text"], run: Own(identifiers::hashed_parse) },
    Op { name: "hashed.match", inputs: &["hashed", "uri", "variant"], run: Own(identifiers::hashed_matches) },
    Op { name: "sxurl.encode", inputs: &["url"], run: Own(identifiers::sxurl) },
    Op { name: "sxurl.decode", inputs: &["id"], run: Own(identifiers::sxurl_decode) },
    Op { name: "sxurl.slice", inputs: &["label", "value", "bits"], run: Own(identifiers::sxurl_slice) },
    Op { name: "sxurl.field", inputs: &["url", "field"], run: Own(identifiers::sxurl_field) },
    Op { name: "sxurl.layout", inputs: &["field"], run: Own(identifiers::sxurl_layout) },
    Op { name: "sxurl.match", inputs: &["url", "label", "value"], run: Own(identifiers::sxurl_matches) },
    Op { name: "sxurl.crate", inputs: &["url", "version"], run: Own(identifiers::sxurl_crate) },
    Op { name: "snapshot.parse", inputs: &["text"], run: Own(texts::snapshot) },
    Op { name: "explain", inputs: &["text"], run: Own(texts::explain) },
    Op { name: "diff", inputs: &["a", "b", "form", "rules"], run: Own(texts::diff) },
    Op { name: "function", inputs: &["name", "arguments"], run: Own(texts::function) },
    Op {
        name: "differ",
        // `why` is a note to the reader, and systems ignore it.
        inputs: &["system", "a", "b", "base", "context", "variant", "why"],
        run: Composed(composed::differ),
    },
];

/// Returns the operation with a name.
pub(crate) fn find(name: &str) -> Option<&'static Op> {
    ALL.iter().find(|op| op.name == name)
}

impl Op {
    pub(crate) fn run_on(&self, surface: &dyn Surface, input: &Values) -> Result<Values, VectorFault> {
        match self.run {
            Own(_) => surface.run(self.name, input),
            Composed(run) => run(surface, &Input::new(input)),
        }
    }
}

/// The library itself.
pub(crate) struct Library;

impl Surface for Library {
    fn run(&self, op: &str, input: &Values) -> Result<Values, VectorFault> {
        let input = Input::new(input);
        match find(op).map(|op| &op.run) {
            Some(Own(run)) => run(&input),
            Some(Composed(run)) => run(self, &input),
            None => Err(VectorFault::Failed(format!("op `{}` is unknown", op.escape_debug()))),
        }
    }
}
