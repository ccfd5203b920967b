//! Laws of ord, upto, goto and goto' (docs/spec/theory.md): L3 to L6 of the design.

use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq, prop_assume};
use urlid::reference::{
    Class, Context, NoUrl, Reference, ReferenceBuf, Token, TokenKind, TokensError, check_structure,
};
use urlid_generators::{Choices, Kind, hostile_text, tokens, web_url};

use super::check_all;

/// Returns generated tokens as the library's.
pub(super) fn to_tokens(tokens: Vec<(Kind, &'static str)>) -> Vec<Token<'static>> {
    tokens.into_iter().map(|(kind, text)| Token::new(TokenKind::ALL[kind as usize], text)).collect()
}

/// Returns a URL, or rejects the case: made of tokens where a text can hold them, or a valid one among hostile texts.
///
/// Not a text with `\` or a name like a drive: which tokens those are depends on where they are read, and goto takes
/// them as they were read (T-10).
fn url(choices: &mut Choices<'_>) -> Result<ReferenceBuf, TestCaseError> {
    let reject = || TestCaseError::reject("no URL");
    let url = match choices.is(6) {
        true => {
            let text = if choices.is(8) { hostile_text(choices) } else { web_url(choices) };
            let class = choices.one(&[Class::Generic, Class::Web, Class::File]);
            ReferenceBuf::parse(text, Context::Whatwg(class)).map_err(|_| reject())?
        }
        false => {
            let tokens = to_tokens(tokens(choices));
            let is_file =
                |token: &Token<'_>| token.kind == TokenKind::Drive || token.text.eq_ignore_ascii_case("file");
            let class = if tokens.iter().any(is_file) { Class::File } else { Class::Generic };
            ReferenceBuf::from_tokens(Context::Whatwg(class), tokens).map_err(|_| reject())?
        }
    };
    let reads_alike = !url.as_str().contains('\\') && !url.as_reference().tokens().any(looks_like_a_drive);
    match url.as_reference().is_valid() && reads_alike {
        true => Ok(url),
        false => Err(reject()),
    }
}

/// Returns whether a name would be a drive if it were read in another class.
fn looks_like_a_drive(token: Token<'_>) -> bool {
    matches!(token.kind, TokenKind::Directory | TokenKind::File)
        && matches!(token.text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

fn goto(a: &ReferenceBuf, b: &ReferenceBuf) -> Result<ReferenceBuf, NoUrl> {
    a.as_reference().goto(&b.as_reference())
}

fn goto_nonstrict(a: &ReferenceBuf, b: &ReferenceBuf) -> Result<ReferenceBuf, NoUrl> {
    a.as_reference().goto_nonstrict(&b.as_reference())
}

fn empty() -> ReferenceBuf {
    parse("", Class::Generic)
}

fn parse(text: &str, class: Class) -> ReferenceBuf {
    ReferenceBuf::parse(text.to_owned(), Context::Whatwg(class)).expect("the text is short")
}

fn has_same_tokens(a: &ReferenceBuf, b: &ReferenceBuf) -> bool {
    a.as_reference().tokens().eq(b.as_reference().tokens())
}

/// goto on tokens, from the specification's words alone: prefix, a root only if without it there is no URL, postfix.
fn model<'a>(base: &Reference<'a>, reference: &[Token<'a>]) -> Option<Vec<Token<'a>>> {
    let order = reference.first().map_or(TokenKind::Fragment, |token| token.kind);
    let belongs = |token: &Token<'_>| {
        token.kind < order || (token.kind == TokenKind::Directory && order >= TokenKind::Directory)
    };
    let prefix: Vec<Token<'a>> = base.tokens().filter(belongs).collect();
    let root = [Token::new(TokenKind::Root, "/")];
    let candidates = [[&prefix[..], reference].concat(), [&prefix, &root[..], reference].concat()];
    candidates.into_iter().find(|tokens| check_structure(tokens.iter().copied()).is_ok())
}

/// Demands that the operation on texts is the one on tokens: where it is undefined, there is no such URL, or no text
/// reads as it.
fn agrees(
    base: &Reference<'_>,
    wanted: Option<Vec<Token<'_>>>,
    found: Result<ReferenceBuf, NoUrl>,
) -> Result<(), TestCaseError> {
    match (wanted, found) {
        (Some(wanted), Ok(found)) => {
            prop_assert!(
                found.as_reference().tokens().eq(wanted.iter().copied()),
                "{found:?}, expected {wanted:?}"
            );
        }
        (Some(wanted), Err(NoUrl::ReadsDifferently)) => {
            let has_drive = wanted.iter().any(|token| token.kind == TokenKind::Drive);
            let context = if has_drive { Context::Whatwg(Class::File) } else { base.context() };
            let made = ReferenceBuf::from_tokens(context, wanted.iter().copied());
            prop_assert!(matches!(made, Err(TokensError::NotRepresentable { .. })), "{base:?} to {made:?}");
        }
        (None, Err(NoUrl::DriveOutsideFile | NoUrl::FileAuthority)) => {}
        (wanted, found) => return Err(TestCaseError::fail(format!("{found:?}, expected {wanted:?}"))),
    }
    Ok(())
}

#[test]
fn goto_on_texts_is_goto_on_tokens() {
    check_all(|choices| {
        let (a, b) = (url(choices)?, url(choices)?);
        let reference: Vec<Token<'_>> = b.as_reference().tokens().collect();
        agrees(&a.as_reference(), model(&a.as_reference(), &reference), goto(&a, &b))
    });
}

#[test]
fn nonstrict_goto_on_texts_is_nonstrict_goto_on_tokens() {
    check_all(|choices| {
        let (a, b) = (url(choices)?, url(choices)?);
        let mut reference: Vec<Token<'_>> = b.as_reference().tokens().collect();
        if let (Some(own), Some(other)) = (a.as_reference().scheme(), b.as_reference().scheme())
            && own.eq_ignore_ascii_case(other)
        {
            reference.remove(0);
        }
        agrees(&a.as_reference(), model(&a.as_reference(), &reference), goto_nonstrict(&a, &b))
    });
}

#[test]
fn the_order_of_a_goto_is_the_least_of_both() {
    check_all(|choices| {
        let (a, b) = (url(choices)?, url(choices)?);
        let least = a.as_reference().ord().min(b.as_reference().ord());
        for result in [goto(&a, &b), goto_nonstrict(&a, &b)].into_iter().flatten() {
            prop_assert_eq!(result.as_reference().ord(), least);
        }
        Ok(())
    });
}

#[test]
fn the_result_of_a_goto_is_a_url() {
    check_all(|choices| {
        let (a, b) = (url(choices)?, url(choices)?);
        for result in [goto(&a, &b), goto_nonstrict(&a, &b)].into_iter().flatten() {
            prop_assert!(result.as_reference().is_valid(), "{result:?}");
        }
        Ok(())
    });
}

#[test]
fn the_empty_url_is_a_left_identity() {
    check_all(|choices| {
        let url = url(choices)?;
        prop_assert_eq!(goto(&empty(), &url), Ok(url.clone()));
        prop_assert_eq!(goto_nonstrict(&empty(), &url), Ok(url));
        Ok(())
    });
}

#[test]
fn going_to_the_empty_url_drops_the_fragment_and_nothing_else() {
    check_all(|choices| {
        let url = url(choices)?;
        let rest = ReferenceBuf::from(url.as_reference().upto(TokenKind::Fragment));
        for result in [goto(&url, &empty()), goto_nonstrict(&url, &empty())] {
            let result = result.map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert!(has_same_tokens(&result, &rest));
            prop_assert_eq!(has_same_tokens(&result, &url), url.as_reference().fragment().is_none());
        }
        Ok(())
    });
}

#[test]
fn the_reference_is_a_postfix_of_a_goto() {
    check_all(|choices| {
        let (a, b) = (url(choices)?, url(choices)?);
        let Ok(result) = goto(&a, &b) else { return Ok(()) };
        let result: Vec<Token<'_>> = result.as_reference().tokens().collect();
        let postfix: Vec<Token<'_>> = b.as_reference().tokens().collect();
        prop_assert!(result.ends_with(&postfix), "{result:?}");
        Ok(())
    });
}

#[test]
fn goto_is_associative_wherever_both_sides_are_defined() {
    check_all(|choices| {
        let (a, b, c) = (url(choices)?, url(choices)?, url(choices)?);
        let left = goto(&a, &b).and_then(|ab| goto(&ab, &c));
        let right = goto(&b, &c).and_then(|bc| goto(&a, &bc));
        prop_assume!(left.is_ok() && right.is_ok());
        prop_assert!(has_same_tokens(&left?, &right?));
        Ok(())
    });
}

#[test]
fn goto_is_never_defined_on_the_left_alone() {
    check_all(|choices| {
        let (a, b, c) = (url(choices)?, url(choices)?, url(choices)?);
        let left = goto(&a, &b).and_then(|ab| goto(&ab, &c));
        let right = goto(&b, &c).and_then(|bc| goto(&a, &bc));
        prop_assert!(left.is_err() || right.is_ok(), "{left:?} but {right:?}");
        Ok(())
    });
}

#[test]
fn nonstrict_goto_is_associative_where_the_first_or_the_last_has_no_scheme() {
    check_all(|choices| {
        let (a, b, c) = (url(choices)?, url(choices)?, url(choices)?);
        prop_assume!(a.as_reference().scheme().is_none() || c.as_reference().scheme().is_none());
        let left = goto_nonstrict(&a, &b).and_then(|ab| goto_nonstrict(&ab, &c));
        let right = goto_nonstrict(&b, &c).and_then(|bc| goto_nonstrict(&a, &bc));
        prop_assume!(left.is_ok() && right.is_ok());
        prop_assert!(has_same_tokens(&left?, &right?));
        Ok(())
    });
}

/// Shows both sides of associativity as texts.
fn sides(
    operation: fn(&ReferenceBuf, &ReferenceBuf) -> Result<ReferenceBuf, NoUrl>,
    [a, b, c]: [&ReferenceBuf; 3],
) -> [Result<String, NoUrl>; 2] {
    let left = operation(a, b).and_then(|ab| operation(&ab, c));
    let right = operation(b, c).and_then(|bc| operation(a, &bc));
    [left, right].map(|side| side.map(ReferenceBuf::into_string))
}

#[test]
fn nonstrict_goto_is_not_associative() {
    let [a, b, c] = ["http://h/x", "y", "http:#f"].map(|text| parse(text, Class::Web));
    let [left, right] = sides(goto_nonstrict, [&a, &b, &c]);
    assert_eq!(left.as_deref(), Ok("http://h/y#f"));
    assert_eq!(right.as_deref(), Ok("http://h/x#f"));
}

#[test]
fn goto_can_be_defined_on_the_right_alone() {
    let [a, b, c] = ["http:", "/C:/", "//h"].map(|text| parse(text, Class::File));
    let [left, right] = sides(goto, [&a, &b, &c]);
    assert_eq!(left, Err(NoUrl::DriveOutsideFile));
    assert_eq!(right.as_deref(), Ok("http://h"));

    let [a, b, c] = ["file:", "//u@h", "//h"].map(|text| parse(text, Class::File));
    let [left, right] = sides(goto, [&a, &b, &c]);
    assert_eq!(left, Err(NoUrl::FileAuthority));
    assert_eq!(right.as_deref(), Ok("file://h"));
}

#[test]
fn prefix_and_postfix_do_not_overlap() {
    let [base, reference] = ["a/", "a/f"].map(|text| parse(text, Class::Generic));
    assert_eq!(goto(&base, &reference).map(ReferenceBuf::into_string).as_deref(), Ok("a/a/f"));
}

#[test]
fn the_reference_need_not_be_a_postfix_of_a_nonstrict_goto() {
    let [base, reference] = ["s:f", "s:"].map(|text| parse(text, Class::Generic));
    assert_eq!(goto_nonstrict(&base, &reference).map(ReferenceBuf::into_string).as_deref(), Ok("s:f"));
}

#[test]
fn a_result_that_would_read_as_other_tokens_is_none() {
    let base = parse("file:", Class::File);
    let reference = parse("/d:", Class::Web);
    assert_eq!(goto(&base, &reference), Err(NoUrl::ReadsDifferently));
}
