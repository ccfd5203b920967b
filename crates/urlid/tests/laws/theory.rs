//! Laws of the Theory of URLs, on sequences of tokens: the properties of ord, upto, goto and goto', for every
//! URL, including URLs that a text cannot represent.

use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq, prop_assume};
use urlid::reference::{Class, Context, Reference, TokenKind, TokenUrl, TypedToken, Violation};
use urlid::web::force;
use urlid_generators::{Choices, Kind, tokens};

use urlid_testing::check_all;

/// Returns a URL with values of any kind.
pub(super) fn token_url(choices: &mut Choices<'_>) -> TokenUrl {
    url(&tokens(choices))
}

fn url(tokens: &[(Kind, &str)]) -> TokenUrl {
    let typed = |&(kind, text): &(Kind, &str)| TypedToken::from_text(TokenKind::ALL[kind as usize], text);
    let tokens: Result<Vec<TypedToken>, Violation> = tokens.iter().map(typed).collect();
    tokens.and_then(TokenUrl::new).expect("the sequence satisfies the constraints")
}

fn scheme(url: &TokenUrl) -> Option<&str> {
    match url.tokens().first() {
        Some(TypedToken::Scheme(scheme)) => Some(scheme),
        _ => None,
    }
}

type Operation = fn(&TokenUrl, &TokenUrl) -> Result<TokenUrl, Violation>;

const OPERATIONS: [Operation; 2] = [TokenUrl::goto, TokenUrl::goto_nonstrict];

/// Returns both sides of associativity.
fn sides(operation: Operation, [a, b, c]: [&TokenUrl; 3]) -> [Result<TokenUrl, Violation>; 2] {
    let left = operation(a, b).and_then(|ab| operation(&ab, c));
    let right = operation(b, c).and_then(|bc| operation(a, &bc));
    [left, right]
}

#[test]
fn upto_is_the_shortest_prefix_with_the_smaller_tokens_and_the_directories() {
    check_all(|choices| {
        let url = token_url(choices);
        for order in TokenKind::ALL {
            let prefix = url.upto(order);
            let belongs = |token: &TypedToken| {
                let kind = token.kind();
                kind < order || (kind == TokenKind::Directory && kind <= order)
            };
            prop_assert!(url.tokens().starts_with(prefix.tokens()));
            let rest = &url.tokens()[prefix.tokens().len()..];
            prop_assert!(prefix.tokens().iter().all(belongs) && !rest.iter().any(belongs), "{order}");
        }
        Ok(())
    });
}

#[test]
fn goto_joins_the_prefix_and_the_reference_with_a_root_between_if_required() {
    check_all(|choices| {
        let (a, b) = (token_url(choices), token_url(choices));
        let prefix = a.upto(b.ord());
        let with = |between: &[TypedToken]| TokenUrl::new([prefix.tokens(), between, b.tokens()].concat());
        let root = [TypedToken::Root("/".to_owned())];
        prop_assert_eq!(a.goto(&b).ok(), with(&[]).or_else(|_| with(&root)).ok());
        Ok(())
    });
}

#[test]
fn nonstrict_goto_is_goto_without_an_equal_scheme() {
    check_all(|choices| {
        let (a, b) = (token_url(choices), token_url(choices));
        let is_equal = scheme(&a).zip(scheme(&b)).is_some_and(|(a, b)| a.eq_ignore_ascii_case(b));
        let rest = TokenUrl::new(b.tokens()[usize::from(is_equal)..].to_vec())?;
        prop_assert_eq!(a.goto_nonstrict(&b), a.goto(&rest));
        Ok(())
    });
}

#[test]
fn goto_is_only_undefined_for_the_file_constraints() {
    check_all(|choices| {
        let (a, b) = (token_url(choices), token_url(choices));
        for operation in OPERATIONS {
            let error = operation(&a, &b).err();
            prop_assert!(
                matches!(error, None | Some(Violation::DriveOutsideFile | Violation::FileAuthority)),
                "{error:?}"
            );
        }
        Ok(())
    });
}

#[test]
fn the_order_of_a_goto_is_the_least_of_both() {
    check_all(|choices| {
        let (a, b) = (token_url(choices), token_url(choices));
        for result in OPERATIONS.iter().filter_map(|operation| operation(&a, &b).ok()) {
            prop_assert_eq!(result.ord(), a.ord().min(b.ord()));
        }
        Ok(())
    });
}

#[test]
fn the_empty_url_is_a_left_identity() {
    check_all(|choices| {
        let url = token_url(choices);
        for operation in OPERATIONS {
            prop_assert_eq!(operation(&TokenUrl::default(), &url), Ok(url.clone()));
        }
        Ok(())
    });
}

#[test]
fn going_to_the_empty_url_drops_the_fragment_and_nothing_else() {
    check_all(|choices| {
        let url = token_url(choices);
        for operation in OPERATIONS {
            let result = operation(&url, &TokenUrl::default())?;
            let has_fragment = url.tokens().iter().any(|token| token.kind() == TokenKind::Fragment);
            prop_assert_eq!(&result, &url.upto(TokenKind::Fragment));
            prop_assert_eq!(result == url, !has_fragment);
        }
        Ok(())
    });
}

#[test]
fn the_reference_is_a_postfix_of_a_goto() {
    check_all(|choices| {
        let (a, b) = (token_url(choices), token_url(choices));
        if let Ok(result) = a.goto(&b) {
            prop_assert!(result.tokens().ends_with(b.tokens()), "{result:?}");
        }
        Ok(())
    });
}

#[test]
fn goto_is_associative_wherever_both_sides_are_defined() {
    check_all(|choices| {
        let (a, b, c) = (token_url(choices), token_url(choices), token_url(choices));
        let [left, right] = sides(TokenUrl::goto, [&a, &b, &c]);
        prop_assume!(left.is_ok() && right.is_ok());
        prop_assert_eq!(left, right);
        Ok(())
    });
}

#[test]
fn goto_is_total_and_associative_without_the_file_constraints() {
    check_all(|choices| {
        let urls = [token_url(choices), token_url(choices), token_url(choices)];
        let is_file = |url: &TokenUrl| {
            let has_drive = url.tokens().iter().any(|token| token.kind() == TokenKind::Drive);
            has_drive || scheme(url).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"))
        };
        prop_assume!(!urls.iter().any(is_file));
        let [left, right] = sides(TokenUrl::goto, urls.each_ref());
        prop_assert!(left.is_ok());
        prop_assert_eq!(left, right);
        Ok(())
    });
}

#[test]
fn goto_is_never_defined_only_on_the_left() {
    check_all(|choices| {
        let (a, b, c) = (token_url(choices), token_url(choices), token_url(choices));
        let [left, right] = sides(TokenUrl::goto, [&a, &b, &c]);
        prop_assert!(left.is_err() || right.is_ok(), "{left:?} but {right:?}");
        Ok(())
    });
}

#[test]
fn nonstrict_goto_is_associative_if_the_first_or_the_last_lacks_a_scheme() {
    check_all(|choices| {
        let (a, b, c) = (token_url(choices), token_url(choices), token_url(choices));
        prop_assume!(scheme(&a).is_none() || scheme(&c).is_none());
        let [left, right] = sides(TokenUrl::goto_nonstrict, [&a, &b, &c]);
        prop_assume!(left.is_ok() && right.is_ok());
        prop_assert_eq!(left, right);
        Ok(())
    });
}

#[test]
fn nonstrict_goto_is_not_associative() {
    let s_to_f = [(Kind::Scheme, "s"), (Kind::File, "f")];
    let [s, f] = s_to_f.map(|token| url(&[token]));
    let [left, right] = sides(TokenUrl::goto_nonstrict, [&s, &f, &s]);
    assert_eq!(left, Ok(url(&s_to_f)));
    assert_eq!(right, Ok(s.clone()));

    let t = url(&[(Kind::Scheme, "t")]);
    let [left, right] = sides(TokenUrl::goto_nonstrict, [&url(&s_to_f), &t, &s]);
    assert_eq!(left, Ok(s));
    assert_eq!(right, Ok(url(&s_to_f)));
}

#[test]
fn goto_can_be_defined_only_on_the_right() {
    let file = url(&[(Kind::Scheme, "file")]);
    let host = url(&[(Kind::Authority, "h")]);
    let [left, right] = sides(TokenUrl::goto, [&file, &url(&[(Kind::Authority, "u@h")]), &host]);
    assert_eq!(left, Err(Violation::FileAuthority));
    assert_eq!(right, Ok(url(&[(Kind::Scheme, "file"), (Kind::Authority, "h")])));

    let [http, drive] = [(Kind::Scheme, "http"), (Kind::Drive, "c:")].map(|token| url(&[token]));
    let [left, right] = sides(TokenUrl::goto, [&http, &drive, &file]);
    assert_eq!(left, Err(Violation::DriveOutsideFile));
    assert_eq!(right, Ok(file));
}

#[test]
fn prefix_and_postfix_do_not_overlap() {
    let directory = url(&[(Kind::Directory, "d")]);
    assert_eq!(directory.goto(&directory), Ok(url(&[(Kind::Directory, "d"), (Kind::Directory, "d")])));
}

#[test]
fn the_reference_need_not_be_a_postfix_of_a_nonstrict_goto() {
    let whole = url(&[(Kind::Scheme, "s"), (Kind::File, "f")]);
    assert_eq!(whole.goto_nonstrict(&url(&[(Kind::Scheme, "S")])), Ok(whole.clone()));
}

#[test]
fn schemes_are_equal_without_case_ports_as_numbers_and_addresses_as_addresses() -> Result<(), TestCaseError> {
    let authority = |text| url(&[(Kind::Authority, text)]);
    for (a, b, is_equal) in [
        (url(&[(Kind::Scheme, "HTTP")]), url(&[(Kind::Scheme, "http")]), true),
        (url(&[(Kind::File, "A")]), url(&[(Kind::File, "a")]), false),
        (authority("h:80"), authority("h:0080"), true),
        (authority("h"), authority("h:"), true),
        (authority("h"), authority("h:0"), false),
        (authority("@h"), authority("h"), false),
        (authority("u:@h"), authority("u@h"), false),
        (authority("[::1]"), authority("[0:0::0001]"), true),
        (authority("1.2.3.4"), authority("1.2.3.04"), false),
        (authority("H"), authority("h"), false),
    ] {
        prop_assert_eq!(a == b, is_equal, "{:?} and {:?}", a, b);
        let hash = |url: &TokenUrl| {
            use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
            BuildHasherDefault::<DefaultHasher>::default().hash_one(url)
        };
        prop_assert!(!is_equal || hash(&a) == hash(&b), "{:?} and {:?}", a, b);
    }
    Ok(())
}

/// Three equalities that do not hold in general by the later URL Specification (0.10.1, "Force Properties").
#[test]
fn force_and_goto_do_not_commute() -> Result<(), urlid::Error> {
    let web = |text| Reference::parse(text, Context::Whatwg(Class::Web));
    let (a, b) = (web("http:a")?, web("b")?);
    let (forced_a, forced_b) = (force(&a)?, force(&b)?);
    let after =
        |a: &Reference<'_>, b: &Reference<'_>| force(&a.goto(b)?.as_reference()).map(|url| url.to_string());

    assert_eq!(after(&a, &b)?, "http://b");
    assert_eq!(after(&a, &forced_b.as_reference())?, "http://b");
    assert_eq!(after(&forced_a.as_reference(), &b)?, "http://a/b");
    assert_eq!(after(&forced_a.as_reference(), &forced_b.as_reference())?, "http://a/b");
    Ok(())
}
