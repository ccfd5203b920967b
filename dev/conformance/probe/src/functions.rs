//! The compared functions: every canonical form, and every kind of identifier.

use std::fmt::Display;

use urlid::compat::{CrateFormat, CrateSxurl, CrateUrlHash};
use urlid::hashed_uri::{Algorithm, HashedUri, Hasher, Keep, Variant, canonicalize};
use urlid::sxurl::Sxurl;
use urlid::url_hash::UrlHash;
use urlid::web::Url;
use urlid_canonical::{Form, Profile};

/// Appends an answer to a URL, or returns false for an error.
type Answer = Box<dyn FnMut(&str, &mut String) -> bool>;

/// A function of a URL.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) answer: Answer,
}

/// Returns a function for each canonical form, each identifier and each format of a published crate.
pub(crate) fn functions() -> Vec<Function> {
    let forms = Profile::all().iter().map(|profile| {
        let form = Form::from(*profile);
        let answer =
            move |url: &str, out: &mut String| form.canonicalizer().canonicalize_into(url, out).is_ok();
        Function { name: format!("form {}", profile.name), answer: Box::new(answer) }
    });
    let crates = CrateFormat::ALL
        .map(|format| id(format.name(), move |url| Some(CrateSxurl::encode(url, format).ok()?.to_hex())));
    forms
        .chain([
            id("sxurl", |url| Some(Sxurl::encode(url).ok()?.to_hex())),
            id("url-hash", |url| Some(UrlHash::encode(url).ok()?.to_hex())),
            id("url-hash-0.1", |url| Some(CrateUrlHash::from(&Url::parse(url).ok()?).to_hex())),
            id("hashed-uri n", hashed(Variant::N)),
            id("hashed-uri p", hashed(Variant::P)),
        ])
        .chain(crates)
        .collect()
}

/// Returns the function that hashes the complete URI.
fn hashed(variant: Variant) -> impl Fn(&str) -> Option<HashedUri> {
    let hasher = Hasher::new(&Algorithm::Sha1, None).expect("SHA-1 is unkeyed");
    let keep = Keep::ALL;
    move |url| Some(HashedUri::from_canonical(&canonicalize(url, None, keep, variant).ok()?, &hasher))
}

fn id<T: Display>(name: &str, make: impl Fn(&str) -> Option<T> + 'static) -> Function {
    let answer = move |url: &str, out: &mut String| match make(url) {
        Some(id) => {
            *out += &id.to_string();
            true
        }
        None => false,
    };
    Function { name: format!("id {name}"), answer: Box::new(answer) }
}
