//! Laws of redaction.

use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq, prop_assume};
use urlid::Url;
use urlid::redact::Redactor;
use urlid::reference::{Context, Reference};
use urlid_generators::{Choices, hostile_text, nested_url, web_url};

use urlid_testing::check_all;

/// Texts with many marks of secrets: users, secret names, and the separators of both.
fn text(choices: &mut Choices<'_>) -> String {
    const PIECES: [&str; 34] = [
        "http:",
        "https://",
        "foo://",
        "file:",
        "//",
        "/",
        "\\",
        "@",
        ":",
        "?",
        "#",
        "&",
        ";",
        "=",
        "sig",
        "%73ig",
        "a",
        "b",
        "h.example",
        "\t",
        "\n",
        " ",
        "://",
        "é",
        "%2F%2F",
        "%40",
        "%3A",
        "%26",
        "%3Fsig%3D",
        "%0A",
        "%23",
        ":/",
        "me:x@",
        "&a=",
    ];
    match choices.below(5) {
        0 => hostile_text(choices),
        1 => web_url(choices) + &text(choices),
        2 => nested_url(choices).text + &text(choices),
        _ => (0..choices.below(16)).map(|_| PIECES[choices.below(PIECES.len())]).collect(),
    }
}

/// Returns a text and its redacted form, or rejects the case.
fn redacted(choices: &mut Choices<'_>) -> Result<(String, String), TestCaseError> {
    let text = text(choices);
    let redacted =
        Redactor::default().redact(&text).map_err(|_| TestCaseError::reject("no URL"))?.into_owned();
    Ok((text, redacted))
}

#[test]
fn a_redacted_url_is_its_own_redaction() {
    check_all(|choices| {
        let (text, redacted) = redacted(choices)?;
        let again = Redactor::default().redact(&redacted);
        prop_assert_eq!(again.as_deref(), Ok(&*redacted), "{:?}", text);
        Ok(())
    });
}

#[test]
fn users_of_nested_urls_and_nothing_else_are_replaced() {
    check_all(|choices| {
        let url = nested_url(choices);
        let Ok(redacted) = Redactor::default().redact(&url.text) else {
            return Err(TestCaseError::reject("no URL"));
        };
        prop_assert_eq!(redacted, url.with_users_replaced("REDACTED:REDACTED"), "{:?}", url.text);
        Ok(())
    });
}

/// The text between secrets stays in this order, from its first byte to its last.
#[test]
fn only_secrets_change() {
    check_all(|choices| {
        let (text, redacted) = redacted(choices)?;
        prop_assume!(!text.contains("REDACTED"));
        let redacted = redacted.replace("REDACTED:REDACTED", "REDACTED");
        let pieces: Vec<&str> = redacted.split("REDACTED").collect();
        let (first, last) = (pieces[0], pieces[pieces.len() - 1]);
        prop_assert!(text.starts_with(first) && text.ends_with(last), "{:?}", text);
        if let [_, between @ .., _] = pieces.as_slice() {
            let mut rest = &text[first.len()..];
            for piece in between {
                let place = rest.find(piece);
                prop_assert!(place.is_some(), "{:?}", text);
                rest = &rest[place.unwrap_or(0) + piece.len()..];
            }
            prop_assert!(rest.len() >= last.len(), "{:?}", text);
        }
        Ok(())
    });
}

#[test]
fn no_specification_reads_a_user_in_a_redacted_url() {
    check_all(|choices| {
        let (text, redacted) = redacted(choices)?;
        let generic = Reference::parse(&redacted, Context::Rfc3986).ok().and_then(|url| url.authority());
        // Tabs next to a secret are still present.
        let read =
            generic.map(|authority| (authority.user.map(str::trim), authority.password.map(str::trim)));
        let is_shown = Some("REDACTED");
        prop_assert!(
            read.is_none_or(|read| read == (None, None) || read == (is_shown, is_shown)),
            "{:?}",
            text
        );
        let Ok(url) = Url::parse(&redacted) else { return Ok(()) };
        prop_assert!(matches!((url.username(), url.password()), ("", None) | ("REDACTED", Some("REDACTED"))));
        for (name, value) in url.query_pairs() {
            prop_assert!(name != "sig" || matches!(&*value, "" | "REDACTED"), "{:?}", text);
        }
        Ok(())
    });
}
