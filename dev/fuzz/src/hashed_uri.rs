//! The Hashed URI: canonical forms are idempotent where the draft makes them so, and a URI matches its
//! hashed URI.

use urlid::hashed_uri::{HashedUri, Keep, Options, Variant, canonicalize};

use crate::text::texts;

/// Reads a URI and a base.
pub fn target(data: &[u8]) {
    let [uri, base] = texts(data);
    for keep in Keep::EACH {
        for variant in [Variant::None, Variant::N, Variant::P] {
            check(&uri, keep, variant);
            // With a base any answer is right.
            let _ = canonicalize(&uri, Some(&base), keep, variant);
        }
    }
}

fn check(uri: &str, keep: Keep, variant: Variant) {
    let Ok(canonical) = canonicalize(uri, None, keep, variant) else { return };
    let text = canonical.as_str();
    let again = canonicalize(text, None, keep, variant).expect("a canonical form is a URI");
    // Rule (8) of variant P can leave an empty last segment, which rule (6) removes in the next pass.
    let is_known_exception =
        variant == Variant::P && text.split(['?', '#']).next().is_some_and(|path| path.ends_with('/'));
    assert!(again.as_str() == text || is_known_exception, "{text:?} became {:?}", again.as_str());

    let options = Options { keep, variant, ..Options::default() };
    let hashed = HashedUri::encode_with(uri, &options).expect("it has a canonical form");
    assert_eq!(HashedUri::parse(&hashed.to_string()), Ok(hashed.clone()));
    assert_eq!(hashed.matches(uri, variant), Ok(true), "{uri:?}");
}
