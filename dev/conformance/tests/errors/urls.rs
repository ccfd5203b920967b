//! Errors of texts that should be URLs: the Theory, WHATWG, the generic syntax, the interop with `url`.

use urlid::generic::{Mode, normalise, resolve};
use urlid::redact::Redactor;
use urlid::reference::{Class, Context, Reference, ReferenceBuf, Token, TokenKind};
use urlid::web::Url;

use crate::example::{Example, example};

pub(crate) fn examples() -> Vec<Example> {
    [web(), goto(), tokens(), generic(), redaction()].into_iter().flatten().collect()
}

fn web() -> Vec<Example> {
    let mut examples: Vec<Example> = [
        "/a",
        "http://",
        "foo://u@/",
        "file://u@h/",
        "http://h:65536/",
        "http://a b/",
        "http://%ff/",
        "http://ab\u{200d}c.example/",
        "http://\u{ad}/",
        "http://1.2.3.256/",
        "http://[::1/",
        "http://a\u{1b}[2J\u{202e}b/",
    ]
    .map(|text| example!(shown(text), Url::parse(text)))
    .into();
    let base = Url::parse("mailto:a").expect("it is a URL");
    examples.push(example!("`x` onto `mailto:a`", base.join("x")));
    examples
}

/// Returns a text as the page shows it.
fn shown(text: &'static str) -> &'static str {
    match text {
        "/a" => "`/a`",
        "http://" => "`http://`",
        "foo://u@/" => "`foo://u@/`",
        "file://u@h/" => "`file://u@h/`",
        "http://h:65536/" => "`http://h:65536/`",
        "http://a b/" => "`http://a b/`",
        "http://%ff/" => "`http://%ff/`",
        "http://1.2.3.256/" => "`http://1.2.3.256/`",
        "http://[::1/" => "`http://[::1/`",
        "http://ab\u{200d}c.example/" => "a host with a joiner where a joiner is not allowed",
        "http://\u{ad}/" => "a host of only a soft hyphen",
        _ => "a host with controls in it",
    }
}

fn goto() -> Vec<Example> {
    let goto = |from, base: &str, text: &str, class| {
        let base = Reference::parse(base, Context::Whatwg(class)).expect("it is short");
        let reference = Reference::parse(text, Context::Whatwg(class)).expect("it is short");
        example!(from, base.goto(&reference))
    };
    let different = {
        let base = Reference::parse("file:", Context::Whatwg(Class::File)).expect("it is short");
        let reference = Reference::parse("/d:", Context::Whatwg(Class::Web)).expect("it is short");
        example!("`file:` goto `/d:`, read as a file", base.goto(&reference))
    };
    vec![
        goto("`http:` goto `/C:`, read as a drive", "http:", "/C:", Class::File),
        goto("`file:` goto `//u@h`", "file:", "//u@h", Class::File),
        different,
    ]
}

fn tokens() -> Vec<Example> {
    use TokenKind::{Authority, Drive, File, Fragment, Query, Scheme};
    let tokens = |from, tokens: &[(TokenKind, &'static str)]| {
        let tokens = tokens.iter().map(|&(kind, text)| Token::new(kind, text));
        example!(from, ReferenceBuf::from_tokens(Context::Whatwg(Class::File), tokens))
    };
    let authority = urlid::reference::Authority { user: None, password: Some("p"), host: "h", port: None };
    vec![
        tokens("tokens: a fragment, a query", &[(Fragment, "f"), (Query, "q")]),
        tokens("tokens: two queries", &[(Query, "q"), (Query, "q")]),
        tokens("tokens: authority `h`, file `f`", &[(Authority, "h"), (File, "f")]),
        tokens("tokens: scheme `http`, drive `c:`", &[(Scheme, "http"), (Drive, "c:")]),
        tokens("tokens: scheme `file`, authority `u@h`", &[(Scheme, "file"), (Authority, "u@h")]),
        tokens("tokens: authority `u@`", &[(Authority, "u@")]),
        tokens("tokens: authority `h:65536`", &[(Authority, "h:65536")]),
        tokens("tokens: file `a/b`", &[(File, "a/b")]),
        example!("an authority with only a password", authority.check()),
    ]
}

fn generic() -> Vec<Example> {
    vec![
        example!("`b` onto `a`", resolve("a", "b", Mode::Strict)),
        example!("`1:2` in its normal form", normalise("1:2")),
        example!("`http://h/a b` in its normal form", normalise("http://h/a b")),
    ]
}

fn redaction() -> Vec<Example> {
    vec![example!("`http://u@h h/` without its secrets", Redactor::default().redact("http://u@h h/"))]
}
