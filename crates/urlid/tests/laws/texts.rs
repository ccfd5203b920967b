//! Laws of texts as URLs of the Theory: goto on texts is goto on tokens, and written tokens are read back.

use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq};
use urlid::reference::{
    Class, Context, NoUrl, ReferenceBuf, Token, TokenKind, TokenUrl, TypedToken, Violation,
};
use urlid::{Error, ErrorCode, Place};
use urlid_generators::{Choices, hostile_text, web_url};

use super::reference::CONTEXTS;
use super::theory::token_url;
use urlid_testing::check_all;

/// Returns a text that is a URL, or rejects the case. It is made of tokens that a text can hold, or is a
/// hostile text.
///
/// Texts with `\` or a name like a drive are excluded. Their tokens depend on the place where they are read,
/// and goto uses the tokens as they were read (T-10).
fn url(choices: &mut Choices<'_>) -> Result<(ReferenceBuf, TokenUrl), TestCaseError> {
    let reject = || TestCaseError::reject("no URL");
    let text = if choices.is(6) {
        let text = if choices.is(8) { hostile_text(choices) } else { web_url(choices) };
        let class = choices.one(&[Class::Generic, Class::Web, Class::File]);
        ReferenceBuf::parse(text, Context::Whatwg(class)).map_err(|_| reject())?
    } else {
        let url = token_url(choices);
        let class = if is_file(&url) { Class::File } else { Class::Generic };
        url.to_reference(Context::Whatwg(class)).map_err(|_| reject())?
    };
    let url = TokenUrl::try_from(text.as_reference()).map_err(|_| reject())?;
    let reads_alike = !text.as_str().contains('\\') && !text.as_reference().tokens().any(looks_like_a_drive);
    if reads_alike { Ok((text, url)) } else { Err(reject()) }
}

/// Returns whether a URL has a drive or the scheme `file`.
fn is_file(url: &TokenUrl) -> bool {
    url.tokens().iter().any(|token| match token {
        TypedToken::Scheme(scheme) => scheme.eq_ignore_ascii_case("file"),
        other => other.kind() == TokenKind::Drive,
    })
}

/// Returns whether a name or an authority would be a drive if it were read in a different class.
fn looks_like_a_drive(token: Token<'_>) -> bool {
    matches!(token.kind, TokenKind::Authority | TokenKind::Directory | TokenKind::File)
        && matches!(token.text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Returns whether an error says that every text reads as different tokens.
fn reads_differently(error: &Error) -> bool {
    error.code() == ErrorCode::NoUrl && error.place().is_some()
}

/// Demands that the operation on texts equals the operation on tokens. If it is undefined, there is no such
/// URL, or the URL cannot be written as a text.
fn agrees(
    base: &ReferenceBuf,
    on_tokens: Result<TokenUrl, Violation>,
    on_texts: Result<ReferenceBuf, NoUrl>,
) -> Result<(), TestCaseError> {
    match (on_tokens, on_texts) {
        (Ok(wanted), Ok(found)) => prop_assert_eq!(TokenUrl::try_from(found.as_reference()), Ok(wanted)),
        (Ok(wanted), Err(NoUrl::ReadsDifferently)) => {
            let has_drive = wanted.tokens().iter().any(|token| token.kind() == TokenKind::Drive);
            let base = base.as_reference();
            let context = if has_drive { Context::Whatwg(Class::File) } else { base.context() };
            let made = wanted.to_reference(context);
            prop_assert!(made.as_ref().is_err_and(reads_differently), "{base:?} to {made:?}");
        }
        (Err(Violation::DriveOutsideFile), Err(NoUrl::DriveOutsideFile))
        | (Err(Violation::FileAuthority), Err(NoUrl::FileAuthority)) => {}
        (wanted, found) => return Err(TestCaseError::fail(format!("{found:?}, expected {wanted:?}"))),
    }
    Ok(())
}

fn goto(a: &ReferenceBuf, b: &ReferenceBuf) -> Result<ReferenceBuf, NoUrl> {
    a.as_reference().goto(&b.as_reference())
}

#[test]
fn goto_on_texts_is_goto_on_tokens() {
    check_all(|choices| {
        let ((a, a_tokens), (b, b_tokens)) = (url(choices)?, url(choices)?);
        agrees(&a, a_tokens.goto(&b_tokens), goto(&a, &b))
    });
}

#[test]
fn nonstrict_goto_on_texts_is_nonstrict_goto_on_tokens() {
    check_all(|choices| {
        let ((a, a_tokens), (b, b_tokens)) = (url(choices)?, url(choices)?);
        let found = a.as_reference().goto_nonstrict(&b.as_reference());
        agrees(&a, a_tokens.goto_nonstrict(&b_tokens), found)
    });
}

#[test]
fn goto_on_texts_is_never_defined_only_on_the_left() {
    check_all(|choices| {
        let ((a, _), (b, _), (c, _)) = (url(choices)?, url(choices)?, url(choices)?);
        let left = goto(&a, &b).and_then(|ab| goto(&ab, &c));
        let right = goto(&b, &c).and_then(|bc| goto(&a, &bc));
        prop_assert!(left.is_err() || right.is_ok(), "{left:?} but {right:?}");
        Ok(())
    });
}

#[test]
fn a_result_that_would_read_as_other_tokens_is_none() {
    let parse = |text: &str, class| ReferenceBuf::parse(text.to_owned(), Context::Whatwg(class));
    let base = parse("file:", Class::File).expect("the text is short");
    let reference = parse("/d:", Class::Web).expect("the text is short");
    assert_eq!(goto(&base, &reference), Err(NoUrl::ReadsDifferently));
}

#[test]
fn a_printed_url_is_read_back_as_the_url() {
    check_all(|choices| {
        let (url, context) = (token_url(choices), choices.one(&CONTEXTS));
        if let Ok(text) = url.to_reference(context) {
            prop_assert_eq!(TokenUrl::try_from(text.as_reference()), Ok(url.clone()));
            prop_assert_eq!(text.as_str(), url.to_string());
        }
        Ok(())
    });
}

#[test]
fn every_text_that_is_a_url_can_be_written_again() {
    check_all(|choices| {
        let text = if choices.is(8) { hostile_text(choices) } else { web_url(choices) };
        let text = ReferenceBuf::parse(text, choices.one(&CONTEXTS)).expect("the text is short");
        if let Ok(url) = TokenUrl::try_from(text.as_reference()) {
            prop_assert!(url.to_reference(text.as_reference().context()).is_ok(), "{url:?}");
        }
        Ok(())
    });
}

#[test]
fn a_guarded_text_has_one_more_directory_and_only_where_it_is_needed() {
    check_all(|choices| {
        let (url, context) = (token_url(choices), choices.one(&CONTEXTS));
        match (url.to_reference(context), url.to_guarded_reference(context)) {
            (Ok(exact), guarded) => prop_assert_eq!(guarded, Ok(exact)),
            (Err(_), Ok(guarded)) => {
                let read = TokenUrl::try_from(guarded.as_reference())?;
                let mut tokens = read.into_tokens();
                let first = tokens.iter().position(|token| token.kind() == TokenKind::Directory);
                let dot = first.map(|index| tokens.remove(index));
                prop_assert_eq!(dot, Some(TypedToken::Directory(".".to_owned())));
                prop_assert_eq!(TokenUrl::new(tokens), Ok(url));
            }
            (Err(error), guarded) => prop_assert_eq!(guarded, Err(error)),
        }
        Ok(())
    });
}

#[test]
fn a_dot_guards_what_would_read_as_a_scheme_a_root_an_authority_or_a_drive() {
    let web = Context::Whatwg(Class::Web);
    let file = Context::Whatwg(Class::File);
    let name = |text: &str| TypedToken::File(text.to_owned());
    let directory = |text: &str| TypedToken::Directory(text.to_owned());
    let root = || TypedToken::Root("/".to_owned());
    for (tokens, context, expected) in [
        (vec![name("x:y")], web, Ok("./x:y")),
        (vec![name("x:y")], file, Ok("./x:y")),
        (vec![name("c|")], web, Ok("c|")),
        (vec![name("c|")], file, Ok("./c|")),
        (vec![root(), directory("c:")], file, Ok("/./c:/")),
        (vec![directory(""), name("a")], web, Ok(".//a")),
        (vec![root(), directory(""), name("a")], web, Ok("/.//a")),
        (vec![name("")], web, Err(Some(Place::Number(0)))),
        (vec![directory("a/b")], web, Err(Some(Place::Number(0)))),
        (vec![directory("a"), name("b?c")], web, Err(Some(Place::Number(1)))),
    ] {
        let url = TokenUrl::new(tokens).expect("the sequence satisfies the constraints");
        let text = url.to_guarded_reference(context).map(ReferenceBuf::into_string);
        assert_eq!(text.as_deref().map_err(Error::place), expected, "{url:?}");
    }
}
