//! Laws of texts and tokens: parsing, printing, the accessors and `upto`.

use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq};
use urlid::reference::{
    Authority, Class, Context, Reference, ReferenceBuf, Token, TokenKind, Violation, check_structure,
};
use urlid_generators::{Choices, Kind, hostile_text, tokens, uri, web_url};

use urlid_testing::check_all;

pub(super) const CONTEXTS: [Context; 4] = [
    Context::Rfc3986,
    Context::Whatwg(Class::Generic),
    Context::Whatwg(Class::Web),
    Context::Whatwg(Class::File),
];

/// Returns a text of any generator, and a context.
fn text(choices: &mut Choices<'_>) -> (String, Context) {
    let context = choices.one(&CONTEXTS);
    let text = match choices.below(4) {
        0 => uri(choices),
        1 => web_url(choices),
        _ => hostile_text(choices),
    };
    (text, context)
}

/// Converts generated tokens to tokens of the library.
fn to_tokens(tokens: Vec<(Kind, &'static str)>) -> Vec<Token<'static>> {
    tokens.into_iter().map(|(kind, text)| Token::new(TokenKind::ALL[kind as usize], text)).collect()
}

fn parse(text: &str, context: Context) -> Reference<'_> {
    Reference::parse(text, context).expect("the text is shorter than 4 GiB")
}

/// Writes tokens, using only the specification's table.
fn print(tokens: impl Iterator<Item = Token<'static>>) -> String {
    tokens.fold(String::new(), |text, token| push(text, token))
}

fn push(text: String, token: Token<'_>) -> String {
    let value = token.text;
    match token.kind {
        TokenKind::Scheme => format!("{text}{value}:"),
        TokenKind::Authority => format!("{text}//{value}"),
        TokenKind::Drive => format!("{text}/{value}"),
        TokenKind::Root | TokenKind::File => text + value,
        TokenKind::Directory => format!("{text}{value}/"),
        TokenKind::Query => format!("{text}?{value}"),
        TokenKind::Fragment => format!("{text}#{value}"),
    }
}

#[test]
fn printing_what_was_parsed_gives_the_text() {
    check_all(|choices| {
        let (text, context) = text(choices);
        let reference = parse(&text, context);
        prop_assert_eq!(reference.as_str(), &text);

        // The tokens by themselves also give the text, except for the kind of each slash and the presence of
        // a slash before a drive.
        let printed = reference.tokens().fold(String::new(), push);
        let path = reference.path();
        let is_exact =
            reference.class() == Class::Generic || !(path.contains('\\') || reference.drive().is_some());
        let has_backslash_authority = reference.authority().is_some() && !text.contains("//");
        if is_exact && !has_backslash_authority && !text.contains('\\') {
            prop_assert_eq!(printed, text);
        } else {
            let again = parse(&printed, reference.context());
            prop_assert!(again.tokens().eq(reference.tokens()), "{printed} reads differently");
        }
        Ok(())
    });
}

#[test]
fn every_parse_gives_tokens_in_order_that_have_their_root() {
    check_all(|choices| {
        let (text, context) = text(choices);
        match check_structure(parse(&text, context).tokens()) {
            Err(
                violation @ (Violation::Order
                | Violation::Repeated
                | Violation::RootMissing
                | Violation::DriveOutsideFile
                | Violation::PasswordWithoutUser),
            ) => Err(TestCaseError::fail(format!("{text:?} in {context:?}: {violation}"))),
            // Real texts that are not URLs by the Theory: a port out of range, a user without a host.
            _ => Ok(()),
        }
    });
}

#[test]
fn the_accessors_give_the_tokens() {
    check_all(|choices| {
        let (text, context) = text(choices);
        let reference = parse(&text, context);
        let only = |kind| reference.tokens().find(|token| token.kind == kind).map(|token| token.text);
        prop_assert_eq!(only(TokenKind::Scheme), reference.scheme());
        prop_assert_eq!(only(TokenKind::Authority), reference.authority_text());
        prop_assert_eq!(only(TokenKind::Authority).map(Authority::split), reference.authority());
        prop_assert_eq!(only(TokenKind::Drive), reference.drive());
        prop_assert_eq!(only(TokenKind::Query), reference.query());
        prop_assert_eq!(only(TokenKind::Fragment), reference.fragment());

        let names = |kind| reference.tokens().filter(move |token| token.kind == kind).map(|token| token.text);
        let segments: Vec<&str> = reference.segments().collect();
        let mut from_tokens: Vec<&str> = names(TokenKind::Directory).collect();
        if !segments.is_empty() {
            from_tokens.push(only(TokenKind::File).unwrap_or(""));
        }
        prop_assert_eq!(from_tokens, segments);
        Ok(())
    });
}

#[test]
fn an_authority_is_printed_as_it_was_split() {
    check_all(|choices| {
        let text = hostile_text(choices);
        prop_assert_eq!(Authority::split(&text).to_string(), text);
        Ok(())
    });
}

#[test]
fn a_reference_parses_the_same_in_its_own_context() {
    check_all(|choices| {
        let (text, context) = text(choices);
        let reference = parse(&text, context);
        prop_assert_eq!(parse(&text, reference.context()), reference);
        Ok(())
    });
}

#[test]
fn upto_is_the_shortest_prefix_of_the_tokens() {
    check_all(|choices| {
        let (text, context) = text(choices);
        let reference = parse(&text, context);
        for order in TokenKind::ALL {
            let prefix = reference.upto(order);
            let belongs = |token: &Token<'_>| {
                token.kind < order || (token.kind == TokenKind::Directory && order >= TokenKind::Directory)
            };
            prop_assert!(prefix.tokens().eq(reference.tokens().filter(belongs)), "{order}: {prefix:?}");
            prop_assert!(text.starts_with(prefix.as_str()));
            // The accessors of a prefix return only parts of the prefix.
            prop_assert_eq!(
                prefix.query().is_some(),
                prefix.tokens().any(|token| token.kind == TokenKind::Query)
            );
            prop_assert_eq!(prefix.fragment(), None);
        }
        Ok(())
    });
}

#[test]
fn tokens_are_accepted_exactly_if_their_text_reads_as_them() {
    check_all(|choices| {
        let context = choices.one(&CONTEXTS);
        let tokens: Vec<Token<'static>> = to_tokens(tokens(choices));
        let printed = print(tokens.iter().copied());
        let reads_as_them = parse(&printed, context).tokens().eq(tokens.iter().copied());
        match ReferenceBuf::from_tokens(context, tokens.iter().copied()) {
            Ok(made) => {
                prop_assert!(reads_as_them);
                prop_assert!(made.as_reference().is_valid());
                prop_assert_eq!(made.as_str(), printed);
            }
            Err(error) if error.place().is_some() => prop_assert!(!reads_as_them, "{printed}"),
            Err(error) => return Err(TestCaseError::fail(format!("{error}: {tokens:?}"))),
        }
        Ok(())
    });
}

#[test]
fn every_valid_text_can_be_made_from_its_tokens() {
    check_all(|choices| {
        let (text, context) = text(choices);
        let reference = parse(&text, context);
        let made = ReferenceBuf::from_tokens(reference.context(), reference.tokens());
        match check_structure(reference.tokens()) {
            Ok(()) => {
                let made = made.map_err(|error| TestCaseError::fail(error.to_string()))?;
                prop_assert!(made.as_reference().tokens().eq(reference.tokens()));
            }
            Err(violation) => prop_assert_eq!(made, Err(violation.into())),
        }
        Ok(())
    });
}

/// Decision T-10: the text is a path for a web base, and a drive for a file base.
#[test]
fn one_text_in_two_readings_is_two_references() {
    let [web, file] = [Class::Web, Class::File].map(|class| parse("/d:", Context::Whatwg(class)));
    assert_ne!(web, file);
    assert_ne!(file, parse("/e:", Context::Whatwg(Class::File)));
}

#[test]
fn a_reference_without_a_fragment_is_its_prefix_up_to_the_fragment() {
    check_all(|choices| {
        let (text, context) = text(choices);
        let reference = parse(&text, context);
        let prefix = reference.upto(TokenKind::Fragment);
        prop_assert_eq!(prefix == reference, reference.fragment().is_none(), "{:?}", text);
        Ok(())
    });
}
