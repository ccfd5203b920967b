//! Laws: statements about every input, checked over generated inputs.

mod generic;
mod hashed_uri;
mod redact;
mod redact_lines;
mod reference;
mod sxurl;
mod text;
mod texts;
mod theory;
mod url_hash;
mod web;
