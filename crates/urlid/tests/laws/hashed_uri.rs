//! Laws of hashed URIs and their canonical forms.

use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq};
use urlid::Error;
use urlid::hashed_uri::{Algorithm, HashedUri, HashedUriWriter, Keep, Options, Variant, canonicalize};
use urlid_generators::{Choices, http_uri, id_text, uri};

use urlid_testing::{check_all, skip};

fn any_uri(choices: &mut Choices<'_>) -> String {
    if choices.is(8) { http_uri(choices) } else { uri(choices) }
}

/// Returns the canonical text, or rejects the case.
fn canonical(uri: &str, keep: Keep, variant: Variant) -> Result<String, TestCaseError> {
    match canonicalize(uri, None, keep, variant) {
        Ok(canonical) => Ok(canonical.into_string()),
        Err(_) => Err(TestCaseError::reject("no canonical form")),
    }
}

#[test]
fn variants_none_and_n_are_idempotent() {
    check_all(|choices| {
        let uri = any_uri(choices);
        let keep = choices.one(&Keep::EACH);
        for variant in [Variant::None, Variant::N] {
            let once = canonical(&uri, keep, variant)?;
            prop_assert_eq!(canonical(&once, keep, variant)?, once, "{:?}", variant);
        }
        Ok(())
    });
}

/// Rule (8) leaves an empty last segment, and rule (6) of the next pass removes it. All other text stays.
#[test]
fn variant_p_is_idempotent_but_where_it_left_an_empty_last_segment() {
    check_all(|choices| {
        let uri = any_uri(choices);
        let once = canonical(&uri, Keep::NONE, Variant::P)?;
        let twice = canonical(&once, Keep::NONE, Variant::P)?;
        prop_assert!(once == twice || once.ends_with('/'), "{once} became {twice}");
        Ok(())
    });
}

#[test]
fn variant_p_is_not_idempotent_where_it_left_an_empty_last_segment() {
    let p = |uri: &str| canonicalize(uri, None, Keep::NONE, Variant::P).map(|text| text.into_string());
    assert_eq!(p("http://h/a/index.html").as_deref(), Ok("http://h/a/"));
    assert_eq!(p("http://h/a/").as_deref(), Ok("http://h/a"));
}

#[test]
fn variant_p_can_separate_uris_that_variant_n_joins() {
    let form =
        |uri: &str, variant| canonicalize(uri, None, Keep::NONE, variant).map(|text| text.into_string());
    let (a, b) = ("http://h/a/", "http://h/a/index.html");
    assert_eq!(form(a, Variant::N), form(b, Variant::N));
    assert_ne!(form(a, Variant::P), form(b, Variant::P));
}

fn encode(uri: &str, algorithm: &Algorithm, keep: Keep, variant: Variant) -> Result<HashedUri, Error> {
    let algorithm = algorithm.clone();
    HashedUri::encode_with(uri, &Options { algorithm, keep, variant, ..Options::default() })
}

#[test]
fn printed_uris_are_read_back() {
    check_all(|choices| {
        let uri = any_uri(choices);
        let (keep, variant) =
            (choices.one(&Keep::EACH), choices.one(&[Variant::None, Variant::N, Variant::P]));
        for algorithm in Algorithm::KNOWN.iter().filter(|algorithm| !algorithm.is_keyed()) {
            let Ok(hashed) = encode(&uri, algorithm, keep, variant) else { return skip() };
            let text = hashed.to_string();
            prop_assert_eq!(HashedUri::parse(&text), Ok(hashed.clone()));
            prop_assert_eq!(HashedUri::parse(&text.to_uppercase()), Ok(hashed));
        }
        Ok(())
    });
}

/// Returns a text that is usually a hashed URI. `id_text` by itself is one too rarely.
fn hashed_text(choices: &mut Choices<'_>) -> String {
    if choices.is(6) {
        return id_text(choices);
    }
    let scheme = choices.one(&["hashed:", "HASHED:", "Hashed:"]);
    let (algorithm, digits) =
        choices.one(&[("sha1", 40), ("MD5", 32), ("x-sha256", 64), ("X-new", 2), ("x-new", 6)]);
    let digest: String = (0..digits).map(|_| choices.one(b"0123456789abcdefABCDEF") as char).collect();
    let flags =
        choices.one(&["", "+frag", "+query", "+frag+query", "+query+frag", "+FRAG", "+QUERY+frag", "+"]);
    [scheme, algorithm, "=", &digest, flags].concat()
}

#[test]
fn parsed_uris_are_printed_in_lower_case_and_read_back() {
    check_all(|choices| {
        let text = hashed_text(choices);
        let Ok(hashed) = HashedUri::parse(&text) else { return skip() };
        let written = hashed.to_string();
        prop_assert_eq!(&written, &written.to_ascii_lowercase());
        prop_assert_eq!(HashedUri::parse(&written), Ok(hashed));
        prop_assert!(text.to_ascii_lowercase().starts_with(written.split('+').next().unwrap_or_default()));
        Ok(())
    });
}

#[test]
fn a_uri_matches_what_was_made_of_it() {
    check_all(|choices| {
        let uri = any_uri(choices);
        let (keep, variant) =
            (choices.one(&Keep::EACH), choices.one(&[Variant::None, Variant::N, Variant::P]));
        let Ok(hashed) = encode(&uri, &Algorithm::Sha1, keep, variant) else { return skip() };
        prop_assert_eq!(hashed.matches(&uri, variant), Ok(true));
        Ok(())
    });
}

#[test]
fn a_canonical_form_of_n_or_p_matches_what_the_uri_matches() {
    check_all(|choices| {
        let uri = any_uri(choices);
        let Ok(hashed) = HashedUri::encode(&uri) else {
            return skip();
        };
        let form = canonical(&uri, Keep::NONE, Variant::N)?;
        prop_assert_eq!(hashed.matches(&form, Variant::N), Ok(true));
        Ok(())
    });
}

#[test]
fn a_canonical_form_is_ascii_and_has_a_scheme_in_lower_case() {
    check_all(|choices| {
        let uri = any_uri(choices);
        for variant in [Variant::None, Variant::N, Variant::P] {
            let form = canonical(&uri, Keep::ALL, variant)?;
            let scheme = form.split(':').next().unwrap_or_default();
            prop_assert!(form.is_ascii() && scheme == scheme.to_ascii_lowercase(), "{form}");
        }
        Ok(())
    });
}

#[test]
fn a_writer_writes_what_is_made_one_by_one() {
    check_all(|choices| {
        let options = Options {
            algorithm: choices.one(&[&Algorithm::Sha1, &Algorithm::Md5, &Algorithm::XSha512]).clone(),
            keep: choices.one(&Keep::EACH),
            variant: choices.one(&[Variant::None, Variant::N, Variant::P]),
            base: choices.is(2).then_some("http://h/a/b?q"),
            ..Options::default()
        };
        let mut writer = HashedUriWriter::new(&options).expect("the algorithms need no key");
        let mut text = String::new();
        for _ in 0..3 {
            text.clear();
            let uri = any_uri(choices);
            let expected = HashedUri::encode_with(&uri, &options);
            let written = writer.write(&uri, &mut text);
            prop_assert_eq!(written.map(|()| text.clone()), expected.map(|uri| uri.to_string()));
        }
        Ok(())
    });
}
