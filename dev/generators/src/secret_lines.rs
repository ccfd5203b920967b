//! Lines of logs and text with secrets, put together from a context, separators, an encoding and secrets, of which
//! the range of each is known; and near misses, which are none.

use core::ops::Range;

use crate::Choices;

/// A line, and its secrets.
#[derive(Debug, Default)]
pub struct SecretLine {
    /// The line, which may not be UTF-8.
    pub bytes: Vec<u8>,
    /// The secrets in order, and whether each is user information.
    pub secrets: Vec<(Range<usize>, bool)>,
}

/// How the URLs of a line are written.
#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Plain,
    /// JSON whose slashes are escaped.
    JsonSlashes,
    /// JSON whose `&`, `=` and `<` are escaped.
    JsonUnicode,
    /// JSON in a string of JSON.
    JsonTwice,
    Html,
    HtmlNumbers,
}

impl SecretLine {
    /// Returns the line with exactly its secrets replaced.
    pub fn with_secrets_replaced(&self) -> Vec<u8> {
        let (mut out, mut copied) = (Vec::new(), 0);
        for (range, is_user) in &self.secrets {
            out.extend_from_slice(&self.bytes[copied..range.start]);
            out.extend_from_slice(if *is_user { b"REDACTED:REDACTED" } else { b"REDACTED" });
            copied = range.end;
        }
        out.extend_from_slice(&self.bytes[copied..]);
        out
    }

    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn push_encoded(&mut self, text: &str, encoding: Encoding) {
        for character in text.chars() {
            let written = match (encoding, character) {
                (Encoding::JsonSlashes, '/') => "\\/",
                (Encoding::JsonUnicode, '&') => "\\u0026",
                (Encoding::JsonUnicode, '=') => "\\u003D",
                (Encoding::JsonTwice, '/') => "\\\\/",
                (Encoding::JsonTwice, '&') => "\\\\u0026",
                (Encoding::Html, '&') => "&amp;",
                (Encoding::HtmlNumbers, '&') => "&#38;",
                (Encoding::HtmlNumbers, '/') => "&#x2f;",
                _ => {
                    self.bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                    continue;
                }
            };
            self.push(written);
        }
    }

    fn push_secret(&mut self, secret: &str, encoding: Encoding, is_user: bool) {
        let start = self.bytes.len();
        self.push_encoded(secret, encoding);
        self.secrets.push((start..self.bytes.len(), is_user));
    }
}

/// Values that no punctuation ends.
const VALUES: [&str; 11] = [
    "SECRET",
    "a",
    "0f==",
    "a.b-c_d~e",
    "x+y:z",
    "p%2Fq",
    "%C3%A9",
    "a!b$c*d,e",
    "é漢x",
    "1234-5678",
    "it's'",
];

const SECRET_NAMES: [&str; 10] = [
    "token",
    "ACCESS_TOKEN",
    "access-token",
    "apiKey",
    "sig",
    "X-Amz-Signature",
    "code",
    "%74oken",
    "password",
    "client_secret",
];

/// Names that are on no list, though similar.
const OTHER_NAMES: [&str; 7] = ["q", "tokens", "xtoken", "sign_in", "page", "codec", "utm_source"];

/// Returns a line with up to four URLs, targets or headers.
pub fn secret_line(choices: &mut Choices<'_>) -> SecretLine {
    let mut line = SecretLine::default();
    for _ in 0..=choices.below(4) {
        match choices.below(12) {
            0 => near_miss(&mut line, choices),
            1 => in_context(&mut line, choices, ["see ", ""], &[Encoding::Plain]),
            2 => in_context(&mut line, choices, ["[text](", ")"], &[Encoding::Plain]),
            3 => in_context(&mut line, choices, ["(see ", ")."], &[Encoding::Plain]),
            4 => in_context(&mut line, choices, ["<", ">"], &[Encoding::Plain]),
            5 => {
                let context = choices.one(&[["'", "',"], ["'see ", "'."], ["‘see ", "’"]]);
                in_context(&mut line, choices, context, &[Encoding::Plain]);
            }
            6 => in_context(&mut line, choices, ["url=", ""], &[Encoding::Plain]),
            7 => {
                let json =
                    [Encoding::Plain, Encoding::JsonSlashes, Encoding::JsonUnicode, Encoding::JsonTwice];
                let context = choices.one(&[
                    ["{\"url\":\"", "\",\"n\":1}"],
                    ["\"x\":\"go to ", "\\nnow\""],
                    ["{\\\"u\\\":\\\"", "\\\"}"],
                ]);
                in_context(&mut line, choices, context, &json);
            }
            8 => {
                let html = [Encoding::Html, Encoding::HtmlNumbers];
                let context = choices.one(&[["<a href=\"", "\">x</a>"], ["<loc>", "</loc>"]]);
                in_context(&mut line, choices, context, &html);
            }
            9 => header(&mut line, choices),
            _ => request(&mut line, choices),
        }
        line.push(choices.one(&[" ", "\t", " - ", " \u{a0}"]));
    }
    line
}

fn near_miss(line: &mut SecretLine, choices: &mut Choices<'_>) {
    line.push(choices.one(&[
        "token=abc",
        "password: hunter2",
        "&token=abc",
        "me@example.com",
        "/img@2x.png",
        "/a?token",
        "/a?tokens=1&q=2",
        "Bearer abc",
        "Authorization: Digest abc",
        "Authorization is Bearer abc",
        "Authorizations: Bearer abc",
        "https://h.example/a/@me?q=x@y",
        "12:30:01//x",
        "C:\\a\\b",
        "a=b;c=d",
        "?#=@",
        "Authorization: Bearer\"",
    ]));
    if choices.is(4) {
        line.bytes.extend_from_slice(b" \xff\xfe");
    }
}

fn in_context(
    line: &mut SecretLine,
    choices: &mut Choices<'_>,
    [before, after]: [&str; 2],
    encodings: &[Encoding],
) {
    let encoding = choices.one(encodings);
    line.push(before);
    url(line, choices, encoding);
    line.push(after);
    if after.is_empty() {
        line.push(choices.one(&["", ".", ",", "!", ")", ".\""]));
    }
}

fn url(line: &mut SecretLine, choices: &mut Choices<'_>, encoding: Encoding) {
    line.push_encoded(choices.one(&["https://", "http://", "HTTPS://", "ftp://", "git+ssh://"]), encoding);
    if choices.is(5) {
        let user = choices.one(&["me:pass", "me", ":p", "a:b:c", "u:p)w", "é:%40", "x@y:z"]);
        // A bracket ends the URL only where an opening one is before it.
        let user = if line.bytes.ends_with(b"(http://") { "me:pass" } else { user };
        let is_in_brackets = user == "u:p)w" && encoding == Encoding::Plain && line.bytes.contains(&b'(');
        line.push_secret(if is_in_brackets { "me:pass" } else { user }, encoding, true);
        line.push("@");
    }
    line.push(choices.one(&["h.example", "[::1]:8080", "192.0.2.1", "xn--bcher-kva.example"]));
    target(line, choices, encoding);
}

/// Appends a path with its query and fragment.
fn target(line: &mut SecretLine, choices: &mut Choices<'_>, encoding: Encoding) {
    line.push_encoded(choices.one(&["/", "/a/b", "/a_(b)", "/wiki/é", "/%7Eme"]), encoding);
    if encoding == Encoding::Plain && choices.is(2) {
        line.bytes.extend_from_slice(b"\xff");
    }
    if choices.is(1) {
        line.push_encoded("go/https%3A%2F%2F", encoding);
        line.push_secret("me%3ASECRET", encoding, true);
        line.push("%40h.example");
    }
    for mark in ["?", "#"] {
        if choices.is(if mark == "?" { 13 } else { 4 }) {
            line.push(mark);
            parameters(line, choices, encoding);
        }
    }
}

fn parameters(line: &mut SecretLine, choices: &mut Choices<'_>, encoding: Encoding) {
    for index in 0..=choices.below(4) {
        if index > 0 {
            line.push_encoded("&", encoding);
        }
        match choices.below(4) {
            0 => {
                line.push_encoded(choices.one(&OTHER_NAMES), encoding);
                line.push_encoded("=", encoding);
                let value = secret_value(line, choices);
                line.push_encoded(value, encoding);
                if choices.is(3) {
                    // Older readers end a parameter there.
                    line.push(";token");
                    line.push_encoded("=", encoding);
                    line.push_secret("SECRET", encoding, false);
                }
            }
            1 => nested(line, choices, encoding),
            _ => {
                line.push(choices.one(&SECRET_NAMES));
                line.push_encoded("=", encoding);
                let value = secret_value(line, choices);
                line.push_secret(value, encoding, false);
            }
        }
    }
}

/// Returns a value, with an apostrophe only where no quote may be open.
fn secret_value(line: &SecretLine, choices: &mut Choices<'_>) -> &'static str {
    let value = choices.one(&VALUES);
    if value.contains('\'') && line.bytes.contains(&b'\'') { "SECRET" } else { value }
}

/// Appends a parameter whose value is a URL, percent-encoded once.
fn nested(line: &mut SecretLine, choices: &mut Choices<'_>, encoding: Encoding) {
    line.push("next");
    line.push_encoded("=", encoding);
    line.push(choices.one(&["https%3A%2F%2F", "http%3a%2f%2f"]));
    if choices.is(6) {
        line.push_secret(choices.one(&["me%3Apass", "me"]), encoding, true);
        line.push("%40");
    }
    line.push("h.example%2Fa");
    if choices.is(10) {
        line.push("%3Fq%3D1%26");
        line.push(choices.one(&["token", "Api%5FKey"]));
        line.push("%3D");
        line.push_secret("SECRET", encoding, false);
        line.push("%26b%3D2");
    }
}

fn header(line: &mut SecretLine, choices: &mut Choices<'_>) {
    line.push(choices.one(&[
        "Authorization: ",
        "authorization:",
        "AUTHORIZATION: ",
        "\"Authorization\":\"",
        "\"authorization\": \"",
        "{\"name\":\"Authorization\",\"value\":\"",
        "\\\"Authorization\\\":\\\"",
        "-H 'Authorization: ",
        "\"Proxy-Authorization\":[\"",
    ]));
    line.push(choices.one(&["Bearer ", "bearer ", "BASIC ", "Basic  "]));
    line.push_secret(
        choices.one(&["abc", "eyJh.eyJz.c2ln", "bWU6cGFzcw==", "a\\/b+c", "x|y"]),
        Encoding::Plain,
        false,
    );
    line.push(choices.one(&["\"", "'", " ", "\",", "\\\""]));
}

fn request(line: &mut SecretLine, choices: &mut Choices<'_>) {
    line.push(choices.one(&["\"GET ", "\"path\":\"", "POST ", "uri=", "\t"]));
    target(line, choices, Encoding::Plain);
    line.push(choices.one(&[" HTTP/1.1\" 200 5", "\",", " 200", "\t-"]));
}
