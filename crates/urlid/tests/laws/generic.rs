//! Laws of RFC 3986: resolution, dot segments and the syntax-based normal form.

use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq, prop_assume};
use urlid::ErrorCode;
use urlid::generic::{Mode, normalise, remove_dot_segments, resolve};
use urlid::reference::{Context, Reference};
use urlid_generators::{Choices, hostile_text, uri};

use urlid_testing::{check_all, skip};

const MODES: [Mode; 3] = [Mode::Strict, Mode::Nonstrict, Mode::Rfc2396];

fn fail(error: impl std::fmt::Display) -> TestCaseError {
    TestCaseError::fail(error.to_string())
}

#[test]
fn removing_dot_segments_twice_is_removing_them_once() {
    check_all(|choices| {
        let path = hostile_text(choices);
        let removed = remove_dot_segments(&path);
        prop_assert_eq!(remove_dot_segments(&removed), removed.as_ref());
        let is_dots = |segment: &str| segment == "." || segment == "..";
        prop_assert!(!removed.split('/').any(is_dots), "{removed}");
        Ok(())
    });
}

#[test]
fn a_resolved_text_is_absolute_in_the_scheme_of_base_or_reference() {
    check_all(|choices| {
        let (base, reference) = (uri(choices), hostile_text(choices));
        prop_assume!(MODES.iter().any(|mode| resolve(&base, &reference, *mode).is_ok()));
        for mode in MODES {
            let Ok(target) = resolve(&base, &reference, mode) else { continue };
            let scheme = |text| Reference::parse(text, Context::Rfc3986).ok().and_then(|url| url.scheme());
            // goto' keeps the base's scheme as it was written, which may be in a different case.
            let same = |a: Option<&str>, b: Option<&str>| {
                a.map(str::to_ascii_lowercase) == b.map(str::to_ascii_lowercase)
            };
            prop_assert!(same(scheme(&target), scheme(&reference).or(scheme(&base))), "{target}");
        }
        Ok(())
    });
}

#[test]
fn strict_resolution_of_an_absolute_reference_ignores_the_base() {
    check_all(|choices| {
        let (a, b, reference) = (uri(choices), uri(choices), uri(choices));
        prop_assume!(has_scheme(&a) && has_scheme(&b) && has_scheme(&reference));
        prop_assert_eq!(resolve(&a, &reference, Mode::Strict), resolve(&b, &reference, Mode::Strict));
        Ok(())
    });
}

#[test]
fn the_modes_agree_where_the_schemes_differ() {
    check_all(|choices| {
        let (base, reference) = (uri(choices), hostile_text(choices));
        let scheme = |text| Reference::parse(text, Context::Rfc3986).ok().and_then(|url| url.scheme());
        let is_same =
            matches!((scheme(&base), scheme(&reference)), (Some(a), Some(b)) if a.eq_ignore_ascii_case(b));
        prop_assume!(!is_same);
        prop_assert_eq!(
            resolve(&base, &reference, Mode::Strict).ok(),
            resolve(&base, &reference, Mode::Nonstrict).ok()
        );
        Ok(())
    });
}

#[test]
fn a_normal_form_is_its_own_normal_form() {
    check_all(|choices| {
        let uri = uri(choices);
        let Ok(normal) = normalise(&uri) else { return skip() };
        prop_assert_eq!(normalise(&normal).map_err(fail)?, normal);
        Ok(())
    });
}

#[test]
fn an_absolute_normal_form_resolves_to_itself() {
    check_all(|choices| {
        let (base, uri) = (uri(choices), uri(choices));
        let Ok(normal) = normalise(&uri) else { return skip() };
        prop_assume!(has_scheme(&base) && has_scheme(&normal));
        prop_assert_eq!(resolve(&base, &normal, Mode::Strict).map_err(fail)?, normal);
        Ok(())
    });
}

#[test]
fn a_reference_and_its_normal_form_lead_to_the_same_uri() {
    check_all(|choices| {
        let base = choices.one(&[
            "http://h",
            "http://h/",
            "http://h/a/b/c/d?q",
            "s:/a//b",
            "s:/",
            "http://h/a/../b/",
        ]);
        let reference = relative_reference(choices);
        prop_assume!(!has_scheme(&reference));
        let Ok(normal) = normalise(&reference) else { return skip() };
        let target = |reference: &str| resolve(base, reference, Mode::Strict).map_err(fail);
        prop_assert_eq!(
            normalise(&target(&normal)?),
            normalise(&target(&reference)?),
            "{} of {}",
            normal,
            reference
        );
        prop_assert_eq!(normalise(&normal), Ok(normal));
        Ok(())
    });
}

/// Returns a reference without a scheme, made of hazardous segments.
fn relative_reference(choices: &mut Choices<'_>) -> String {
    // Escaped dots are left out, because they are plain text to `resolve` and dot segments to the normal
    // form.
    let names = ["a", ".", "..", "", "x:y", "b%7e", "c:", "%61"];
    let mut reference = choices.one(&["", "", "", "/", "//h/", "//H:80"]).to_owned();
    for index in 0..choices.below(7) {
        if index > 0 {
            reference.push('/');
        }
        reference += choices.one(&names);
    }
    reference + choices.one(&["", "/", "?", "?q", "#f", "/?a/../b"])
}

fn has_scheme(text: &str) -> bool {
    Reference::parse(text, Context::Rfc3986).is_ok_and(|url| url.scheme().is_some())
}

#[test]
fn a_relative_reference_has_a_normal_form() {
    for (reference, normal) in [
        ("", ""),
        ("?q#f", "?q#f"),
        (".", "./"),
        ("./", "./"),
        ("..", "../"),
        ("a/..", "./"),
        ("a/../..", "../"),
        ("../../a/./b/", "../../a/b/"),
        ("./x:y", "./x:y"),
        ("a/../x:y", "./x:y"),
        ("a/x:y", "a/x:y"),
        (".//a", ".//a"),
        ("a/..//b", ".//b"),
        ("/../a", "/a"),
        ("/.//a", "/.//a"),
        ("//H/%7e/..?%7e", "//h/?~"),
        ("%7ea/%2e%2E/b%2f", "b%2F"),
    ] {
        assert_eq!(normalise(reference).as_deref(), Ok(normal), "{reference}");
    }
}

#[test]
fn a_first_segment_with_a_colon_is_not_a_reference() {
    for text in ["1:2", "%61:b", ":"] {
        assert_eq!(normalise(text).map_err(|error| error.code()), Err(ErrorCode::NotUri), "{text}");
    }
}
