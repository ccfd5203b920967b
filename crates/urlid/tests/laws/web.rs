//! Laws of the WHATWG normal form and of joining.

use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq, prop_assume};
use urlid::reference::{Class, Context, Reference};
use urlid::web::{self, Url, force};
use urlid_generators::{Choices, hostile_text, web_url};

use urlid_testing::{check_all, skip};

fn text(choices: &mut Choices<'_>) -> String {
    if choices.is(8) { hostile_text(choices) } else { web_url(choices) }
}

/// Returns a URL, or rejects the case.
fn url(choices: &mut Choices<'_>) -> Result<Url, TestCaseError> {
    Url::parse(&text(choices)).map_err(|_| TestCaseError::reject("no URL"))
}

#[test]
fn a_normal_form_is_ascii_and_its_own_normal_form() {
    check_all(|choices| {
        let url = url(choices)?;
        prop_assert!(url.as_str().is_ascii());
        // The offsets of all parts are compared as well as the text.
        prop_assert_eq!(Url::parse(url.as_str()), Ok(url));
        Ok(())
    });
}

#[test]
fn cleaning_a_normal_form_changes_nothing() {
    check_all(|choices| {
        let url = url(choices)?;
        prop_assert_eq!(web::clean(url.as_str()), url.as_str());
        Ok(())
    });
}

#[test]
fn the_parts_make_the_text() {
    check_all(|choices| {
        let url = url(choices)?;
        let mut text = format!("{}:", url.scheme());
        if let Some(host) = url.host_str() {
            text += "//";
            text += url.username();
            if let Some(password) = url.password() {
                text = text + ":" + password;
            }
            if !url.username().is_empty() || url.password().is_some() {
                text += "@";
            }
            text += host;
            text += &url.port().map(|port| format!(":{port}")).unwrap_or_default();
        } else if url.path().starts_with("//") {
            text += "/.";
        }
        text += url.path();
        text += &url.query().map(|query| format!("?{query}")).unwrap_or_default();
        text += &url.fragment().map(|fragment| format!("#{fragment}")).unwrap_or_default();
        prop_assert_eq!(text, url.as_str());
        Ok(())
    });
}

#[test]
fn the_parts_match_the_reference() {
    check_all(|choices| {
        let url = url(choices)?;
        let reference = url.as_reference();
        prop_assert_eq!(reference.scheme(), Some(url.scheme()));
        prop_assert_eq!(reference.query(), url.query());
        prop_assert_eq!(reference.fragment(), url.fragment());
        prop_assert_eq!(reference.authority().map(|authority| authority.host), url.host_str());
        prop_assert_eq!(
            reference
                .path()
                .strip_prefix("/.")
                .filter(|_| url.path().starts_with("//"))
                .unwrap_or(reference.path()),
            url.path()
        );
        Ok(())
    });
}

#[test]
fn joining_is_the_same_with_cleaned_text() {
    check_all(|choices| {
        let url = url(choices)?;
        let text = text(choices);
        prop_assert_eq!(url.join(&text), url.join(&web::clean(&text)));
        prop_assert_eq!(Url::parse(&text), Url::parse(&web::clean(&text)));
        Ok(())
    });
}

#[test]
fn an_absolute_url_is_joined_as_itself_unless_it_has_the_scheme_of_the_base() {
    check_all(|choices| {
        let (base, text) = (url(choices)?, text(choices));
        let Ok(url) = Url::parse(&text) else { return skip() };
        prop_assume!(url.scheme() != base.scheme());
        prop_assert_eq!(base.join(&text), Ok(url));
        Ok(())
    });
}

/// join is goto, or goto' for a special scheme, followed by a parse.
#[test]
fn joining_is_goto_and_parsing() {
    check_all(|choices| {
        let (base, text) = (url(choices)?, text(choices));
        let cleaned = web::clean(&text);
        let base_reference = base.as_reference();
        let reference = Reference::parse(&cleaned, Context::Whatwg(base_reference.class()))
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assume!(!base_reference.is_opaque());
        let target = match reference.class() {
            Class::Generic => base_reference.goto(&reference),
            Class::Web | Class::File => base_reference.goto_nonstrict(&reference),
        };
        let composed = target.ok().and_then(|target| Url::parse(target.as_str()).ok());
        prop_assert_eq!(base.join(&text).ok(), composed);
        Ok(())
    });
}

#[test]
fn joining_nothing_drops_the_fragment() {
    check_all(|choices| {
        let base = url(choices)?;
        prop_assume!(!base.as_reference().is_opaque());
        let joined = base.join("").map_err(|error| TestCaseError::fail(error.to_string()))?;
        let rest = base.as_str().split('#').next().unwrap_or_default();
        prop_assert_eq!(joined.as_str(), rest);
        Ok(())
    });
}

#[test]
fn a_joined_normal_form_is_itself() {
    check_all(|choices| {
        let (base, url) = (url(choices)?, url(choices)?);
        prop_assert_eq!(base.join(url.as_str()), Ok(url));
        Ok(())
    });
}

/// In special schemes `\` is `/` up to the query.
#[test]
fn backslashes_are_slashes_in_special_schemes() {
    check_all(|choices| {
        let base = url(choices)?;
        prop_assume!(base.as_reference().class().is_special());
        let text = text(choices);
        let cleaned = web::clean(&text).into_owned();
        let reference = Reference::parse(&cleaned, Context::Whatwg(base.as_reference().class()))
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assume!(reference.class().is_special());
        let end = cleaned.find(['?', '#']).unwrap_or(cleaned.len());
        let slashes = cleaned[..end].replace('\\', "/") + &cleaned[end..];
        prop_assert_eq!(base.join(&text), base.join(&slashes));
        Ok(())
    });
}

#[test]
fn a_forced_reference_has_an_authority_and_a_rooted_path_and_is_its_own_forced_form() {
    check_all(|choices| {
        let text = text(choices);
        let class = choices.one(&[Class::Generic, Class::Web, Class::File]);
        let reference = Reference::parse(&text, Context::Whatwg(class)).expect("the text is short");
        let Ok(forced) = force(&reference) else { return skip() };
        let is_special = reference.scheme().is_some() && reference.class().is_special();
        prop_assert!(is_special || forced.as_str() == text, "{forced}");
        if is_special {
            let parts = forced.as_reference();
            let needs_host = reference.class() == Class::Web;
            prop_assert!(
                parts.authority_text().is_some_and(|text| !(needs_host && text.is_empty())),
                "{forced}"
            );
            prop_assert!(parts.path().is_empty() || parts.path().starts_with(['/', '\\']), "{forced}");
        }
        prop_assert_eq!(force(&forced.as_reference()), Ok(forced));
        Ok(())
    });
}
