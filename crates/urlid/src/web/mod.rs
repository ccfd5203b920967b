//! WHATWG URLs: parses a text to its normal form, as defined by the URL Standard.
//!
//! The module writes the standard's state machine as a composition of operations of the Theory of URLs:
//!
//! ```text
//! clean ─▶ parse ─▶ goto base ─▶ force ─▶ normalise ─▶ Url
//! ```
//!
//! Each step is a small file. `plain` is the short path for a text that is its own normal form. Identifiers
//! are in other modules: `url_hash` hashes the text that this module returns.

mod error;
mod normalise;
mod parse;
mod part;
mod path;
mod plain;
mod url;
mod view;

pub use normalise::clean;
pub use parse::{assume_scheme, force};
pub use part::{Part, UrlParts};
pub use url::{QueryPairs, Url};

pub(crate) use parse::has_scheme;
#[doc(hidden)]
pub use parse::{is_port, is_scheme};
#[doc(hidden)]
pub use plain::push_normal;
pub(crate) use plain::{PlainForm, form_of_line};
pub(crate) use url::decode as decode_form;
pub(crate) use view::dns_name;
