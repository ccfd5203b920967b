//! How the command line names what a hashed URI is made with.

use clap::builder::TypedValueParser;
use urlid::hashed_uri::{Keep, Variant};

use crate::choice::choice;

/// Returns the parser of a variant.
pub(crate) fn variant() -> impl TypedValueParser<Value = Variant> {
    choice([
        ("none", Variant::None, "No canonicalisation"),
        ("n", Variant::N, "The normal rules"),
        ("p", Variant::P, "The permissive rules"),
    ])
}

/// Returns the parser of a part of a URI that is kept.
pub(crate) fn kept_part() -> impl TypedValueParser<Value = Keep> {
    choice([
        ("query", Keep { query: true, ..Keep::NONE }, "The query"),
        ("fragment", Keep { fragment: true, ..Keep::NONE }, "The fragment"),
    ])
}

/// Takes parts that are kept together.
pub(crate) fn union(parts: &[Keep]) -> Keep {
    parts.iter().fold(Keep::NONE, |keep, part| keep.union(*part))
}
