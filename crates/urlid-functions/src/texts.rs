//! Functions of canonical forms and hashed URIs.

use urlid::canonical::Form;
use urlid::hashed_uri::{Algorithm, HashedUri, Hasher, Keep, Variant, canonicalize};

use crate::error::ArgumentError;
use crate::function::Evaluate;
use crate::names::{Parsed, choose};
use crate::value::{Output, Value};

pub(crate) fn canon() -> Evaluate {
    let mut form = Parsed::default();
    Box::new(move |arguments| match arguments {
        [Value::Text(url), Value::Text(name)] => {
            Ok(form.get(name, parse_form)?.canonicalize(url).ok().into())
        }
        _ => Ok(Output::Null),
    })
}

fn parse_form(name: &str) -> Result<Form, ArgumentError> {
    name.parse().map_err(ArgumentError::Form)
}

pub(crate) fn hashed() -> Evaluate {
    let (mut hasher, mut variant) = (Parsed::default(), Parsed::default());
    Box::new(move |arguments| match arguments {
        [Value::Text(url), Value::Text(algorithm), Value::Text(variant_name)] => {
            let hasher = hasher.get(algorithm, parse_hasher)?;
            let variant = *variant.get(variant_name, parse_variant)?;
            let canonical = canonicalize(url, None, Keep::default(), variant);
            let hashed = canonical.map(|canonical| HashedUri::from_canonical(&canonical, hasher).to_string());
            Ok(hashed.ok().into())
        }
        _ => Ok(Output::Null),
    })
}

fn parse_hasher(name: &str) -> Result<Hasher, ArgumentError> {
    let algorithm: Algorithm = name.parse().map_err(ArgumentError::Algorithm)?;
    Hasher::new(&algorithm, None).map_err(ArgumentError::Hasher)
}

fn parse_variant(name: &str) -> Result<Variant, ArgumentError> {
    let all = [("none", Variant::None), ("n", Variant::N), ("p", Variant::P)];
    choose("variant", &name.to_ascii_lowercase(), all)
}

pub(crate) fn matches() -> Evaluate {
    let mut last = Parsed::default();
    Box::new(move |arguments| match arguments {
        [Value::Text(hashed), Value::Text(url)] => {
            let hashed = last.get(hashed, |text| Ok(text.parse::<HashedUri>().ok()))?;
            Ok(hashed.as_ref().and_then(|hashed| hashed.matches(url, Variant::N).ok()).into())
        }
        _ => Ok(Output::Null),
    })
}
