//! iri-string: RFC 3986 resolution and the split into parts, on every text that it accepts as a URI.

use iri_string::format::ToDedicatedString;
use iri_string::types::{UriAbsoluteStr, UriReferenceStr};
use urlid::generic::{Mode, resolve};
use urlid_generators::{hostile_text, uri};

use super::{compare_all, generic};

#[test]
fn references_resolve_as_iri_string_resolves_them() {
    let mut compared = 0_u64;
    compare_all(|choices| {
        let base = uri(choices);
        let text = if choices.is(8) { hostile_text(choices) } else { uri(choices) };
        let (Ok(their_base), Ok(their_reference)) = (UriAbsoluteStr::new(&base), UriReferenceStr::new(&text))
        else {
            return Ok(None);
        };
        compared += 1;
        let theirs = their_reference.resolve_against(their_base).to_dedicated_string();
        let ours = resolve(&base, &text, Mode::Strict).map_err(|error| error.to_string())?;
        if ours == theirs.as_str() {
            Ok(None)
        } else {
            known_difference(&base, &text, theirs.as_str())
                .map(Some)
                .ok_or_else(|| format!("{text:?} onto {base:?}: {ours}, iri-string says {theirs}"))
        }
    });
    assert!(compared > 1000, "{compared} pairs were URIs");
}

/// iri-string treats `%2E` as a dot. RFC 3986 does so only after its normalisation of escapes.
fn known_difference(base: &str, text: &str, theirs: &str) -> Option<&'static str> {
    let decode = |text: &str| text.replace("%2e", ".").replace("%2E", ".");
    let ours = resolve(&decode(base), &decode(text), Mode::Strict).ok()?;
    ((decode(text) != text || decode(base) != base) && ours == decode(theirs)).then_some("an escaped dot")
}

#[test]
fn references_split_as_iri_string_splits_them() {
    let mut compared = 0_u64;
    compare_all(|choices| {
        let text = if choices.is(8) { hostile_text(choices) } else { uri(choices) };
        let Ok(theirs) = UriReferenceStr::new(&text) else { return Ok(None) };
        compared += 1;
        let ours = generic(&text);
        let ours = (ours.scheme(), ours.authority_text(), ours.path(), ours.query(), ours.fragment());
        let theirs = (
            theirs.scheme_str(),
            theirs.authority_str(),
            theirs.path_str(),
            theirs.query().map(|query| query.as_str()),
            theirs.fragment().map(|fragment| fragment.as_str()),
        );
        if ours == theirs { Ok(None) } else { Err(format!("{text:?}: {ours:?}, iri-string says {theirs:?}")) }
    });
    assert!(compared > 1000, "{compared} texts were URIs");
}
