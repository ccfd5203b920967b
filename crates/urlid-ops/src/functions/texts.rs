//! Functions of canonical forms and hashed URIs.

use urlid::hashed_uri::{Algorithm, HashedUri, Hasher, Keep, Variant, canonicalize};
use urlid_canonical::Form;

use crate::functions::error::ArgumentError;
use crate::functions::evaluator::Named;
use crate::functions::names::choose;

pub(crate) fn canon(url: &str, form: &Form) -> Option<String> {
    form.canonicalize(url).ok()
}

pub(crate) fn hashed(url: &str, hasher: &Hasher, variant: &Variant) -> Option<String> {
    let canonical = canonicalize(url, None, Keep::default(), *variant).ok()?;
    Some(HashedUri::from_canonical(&canonical, hasher).to_string())
}

pub(crate) fn matches(Recognized(hashed): &Recognized, url: &str) -> Option<bool> {
    hashed.as_ref()?.matches(url, Variant::N).ok()
}

impl Named for Form {
    const NAME: &'static str = "form";

    fn parse(name: &str) -> Result<Self, ArgumentError> {
        name.parse().map_err(ArgumentError::Form)
    }
}

impl Named for Hasher {
    const NAME: &'static str = "algorithm";

    fn parse(name: &str) -> Result<Self, ArgumentError> {
        let algorithm: Algorithm = name.parse().map_err(ArgumentError::Algorithm)?;
        Hasher::new(&algorithm, None).map_err(ArgumentError::Hasher)
    }
}

impl Named for Variant {
    const NAME: &'static str = "variant";

    fn parse(name: &str) -> Result<Self, ArgumentError> {
        let all = [("none", Variant::None), ("n", Variant::N), ("p", Variant::P)];
        choose("variant", &name.to_ascii_lowercase(), all)
    }
}

/// A text that may be a hashed URI. One that is not matches no URL.
pub(crate) struct Recognized(Option<HashedUri>);

impl Named for Recognized {
    const NAME: &'static str = "hashed";
    const IS_CONSTANT: bool = false;

    fn parse(text: &str) -> Result<Self, ArgumentError> {
        Ok(Recognized(text.parse().ok()))
    }
}
