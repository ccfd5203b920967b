//! Generates URLs from bytes, with one generator for the laws, the comparisons with other implementations
//! and the fuzz targets.
//!
//! Every generator reads its decisions from [`Choices`], a string of bytes. The same bytes give the same
//! value, so a finding of any of the three can be repeated in the others. A shorter string makes a simpler
//! value, so shrinking the bytes shrinks the value. The crate has no dependencies, so that it cannot agree
//! with the library by sharing its code.

#![forbid(unsafe_code)]

mod archived;
mod choices;
mod corpus;
mod nested;
mod parts;
mod recombined;
mod secret_lines;
mod seeded;
pub mod shapes;
mod text;
mod tokens;
mod uri;

pub use archived::archived_url;
pub use choices::Choices;
pub use corpus::{CORPUS_LINES, CORPUS_SHA256, corpus};
pub use nested::{Nested, nested_url};
pub use recombined::Recombined;
pub use secret_lines::{SecretLine, secret_line};
pub use seeded::{Seeded, cases, mix, seed};
pub use text::{hostile_text, id_text, web_url};
pub use tokens::{Kind, tokens};
pub use uri::{http_uri, sxurl_url, uri};
