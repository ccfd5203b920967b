//! Laws of hidden lists: a listed URI always matches.

use proptest::{prop_assert, prop_assert_eq};
use urlid::hashed_uri::{Algorithm, Keep, Variant};
use urlid::list::{Intake, IntakeError, Ladder, ListBuilder, ListMatcher, Rules, Scratch};
use urlid::web::Url;
use urlid_generators::{Choices, hostile_text, http_uri, uri, web_url};

use super::{check_all, skip};

const LADDERS: [Ladder; 3] = [Ladder::None, Ladder::Path, Ladder::Hosts];

fn any_text(choices: &mut Choices<'_>) -> String {
    match choices.below(4) {
        0 => http_uri(choices),
        1 => uri(choices),
        2 => web_url(choices),
        _ => hostile_text(choices),
    }
}

fn any_rules(choices: &mut Choices<'_>) -> Rules {
    let (variant, intake) = choices.one(&[
        (Variant::N, Intake::Web),
        (Variant::P, Intake::Web),
        (Variant::N, Intake::Rfc3986),
        (Variant::P, Intake::Rfc3986),
        (Variant::None, Intake::Rfc3986),
    ]);
    Rules { variant, intake, keep: choices.one(&Keep::EACH), ladder: choices.one(&LADDERS) }
}

/// Makes a list of one text.
fn list_of(text: &str, rules: Rules) -> Result<ListMatcher, IntakeError> {
    let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).expect("the rules are compatible");
    builder.add(text, None)?;
    Ok(ListMatcher::new(&builder.finish(), None).expect("the list is not keyed"))
}

#[test]
fn every_line_of_a_list_matches_it() {
    check_all(|choices| {
        let (rules, text) = (any_rules(choices), any_text(choices));
        let Ok(matcher) = list_of(&text, rules) else { return skip() };
        let scratch = &mut Scratch::default();
        prop_assert!(matches!(matcher.find(scratch, &text, None), Ok(Some(_))), "{rules:?}: {text:?}");
        let mut found = Vec::new();
        matcher.find_many(scratch, &[&text], None, &mut found);
        prop_assert!(matches!(found[..], [Ok(Some(_))]), "{rules:?}: {text:?}");
        Ok(())
    });
}

#[test]
fn the_web_intake_refuses_exactly_the_texts_that_are_not_urls() {
    check_all(|choices| {
        let (rules, text) = (any_rules(choices), any_text(choices));
        if rules.intake != Intake::Web {
            return skip();
        }
        prop_assert_eq!(list_of(&text, rules).is_ok(), Url::parse(&text).is_ok(), "{:?}: {:?}", rules, text);
        Ok(())
    });
}

/// A list whose intake is `web` matches a URL by its normal form and by every text that a browser reads as that.
#[test]
fn the_web_intake_treats_a_text_like_its_normal_form() {
    check_all(|choices| {
        let (rules, text) = (any_rules(choices), any_text(choices));
        let Some(url) = Url::parse(&text).ok().filter(|_| rules.intake == Intake::Web) else { return skip() };
        for (listed, candidate) in [(text.as_str(), url.as_str()), (url.as_str(), text.as_str())] {
            let matcher = list_of(listed, rules).expect("it is a URL");
            let found = matcher.find(&mut Scratch::default(), candidate, None);
            prop_assert!(matches!(found, Ok(Some(_))), "{rules:?}: {listed:?} and {candidate:?}");
        }
        Ok(())
    });
}
