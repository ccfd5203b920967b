//! URLs in URLs with users, and near misses, combined from pieces that are known to be secret or not.

use crate::Choices;

/// A text, and the ranges of the users in it, without their `@`.
#[derive(Debug, Default)]
pub struct Nested {
    /// The text.
    pub text: String,
    /// In the order of the text.
    pub users: Vec<core::ops::Range<usize>>,
}

impl Nested {
    /// Returns the text with each user replaced.
    pub fn with_users_replaced(&self, by: &str) -> String {
        let mut text = self.text.clone();
        for user in self.users.iter().rev() {
            text.replace_range(user.clone(), by);
        }
        text
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn push_user(&mut self, user: &str) {
        self.users.push(self.text.len()..self.text.len() + user.len());
        self.push(user);
    }
}

/// The position at which a URL is written, which decides the meaning of a `&` in it.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Path,
    Query,
    Fragment,
}

/// Returns up to four nested URLs.
pub fn nested_url(choices: &mut Choices<'_>) -> Nested {
    let mut url = Nested::default();
    let start = choices.one(&[
        "https://",
        "http:",
        "HTTPS:/",
        "https:\\\\",
        "//",
        "\\\\",
        "foo://",
        "wss:///",
        "file://",
    ]);
    url.push(start);
    let mut place = Place::Path;
    // `https://https://…`: the inner URL is at the position of the outer one's host.
    if choices.is(4) {
        url.push(choices.one(&["https://", "http:/", "//", "foo://", "x:/"]));
    }
    authority(&mut url, place, choices);
    for _ in 0..choices.below(4) {
        let Some(inner) = between(&mut url, place, choices) else { break };
        place = inner;
        if choices.is(3) {
            encoded(&mut url, choices);
            continue;
        }
        url.push(choices.one(&[
            "https://",
            "http:/",
            "https:",
            "Http:\\\\",
            "//",
            "///",
            "foo://",
            "ftp:\\",
            "x:/",
            "file:///",
        ]));
        authority(&mut url, place, choices);
    }
    url.push(choices.one(&["", "/", "/a@b", "/x/@h:9/", "/mailto:a@b"]));
    url
}

/// Writes the text between two URLs, optionally with a text that only looks like a user.
fn between(url: &mut Nested, place: Place, choices: &mut Choices<'_>) -> Option<Place> {
    if place != Place::Path {
        let next = if place == Place::Query { "/?a=x@y&u=" } else { "/#b/" };
        url.push(choices.one(&["/", "/a/", "/a@b/", "/?u=", "/;", next, "/%2540/"]));
        return Some(place);
    }
    let (text, place) = choices.one(&[
        ("/", Place::Path),
        ("/web/2026/", Place::Path),
        ("/@scope/a:b/", Place::Path),
        ("/a@b/", Place::Path),
        ("/c:d@e/", Place::Path),
        ("/?u=", Place::Query),
        ("?u=", Place::Query),
        ("/?e=a@b&u=", Place::Query),
        ("/?e=a:b@c&u=", Place::Query),
        ("/?", Place::Query),
        ("#", Place::Fragment),
        ("/#!/", Place::Fragment),
        ("/#a@b/u=", Place::Fragment),
        ("/https%253A%252F%252Fme%253Ax%2540h/", Place::Path),
    ]);
    url.push(text);
    Some(place)
}

/// Writes a host, often with a user. A `&` belongs to the password if a parameter cannot start there.
fn authority(url: &mut Nested, place: Place, choices: &mut Choices<'_>) {
    if choices.is(11) {
        let user =
            choices.one(&["me", "me:", ":x", "me:SECRET", "me:a:b", "me@a:b", "a%20b:c", "a;b:c,d", "é:é"]);
        let more = choices.one(&["", "", "&x", "&&", "&x:y"]);
        let pair = if place == Place::Query { "" } else { choices.one(&["", "&x=y"]) };
        url.push_user(&format!("{user}{more}{pair}"));
        url.push("@");
    }
    url.push(choices.one(&["h.example", "127.0.0.1", "h.example:8080", "[::1]", "localhost"]));
}

/// Writes a URL in percent-encoding, like a value.
fn encoded(url: &mut Nested, choices: &mut Choices<'_>) {
    let mut inner = Nested::default();
    inner.push(choices.one(&["https://", "//", "http:/", "ftp:", "foo://", "http:\\\\"]));
    authority(&mut inner, Place::Path, choices);
    if choices.is(6) {
        inner.push(choices.one(&["/a@b/", "/"]));
        inner.push(choices.one(&["https://", "//", "http:/"]));
        authority(&mut inner, Place::Path, choices);
    }
    // Some encoders keep these characters, which then have the same meaning as in an unencoded URL.
    let kept = choices.one(&["", ":", ";"]);
    let encode = |text: &str| {
        let mut out = String::new();
        for byte in text.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte.into()),
                _ if kept.bytes().any(|kept| kept == byte) => out.push(byte.into()),
                _ if byte % 2 == 0 => out += &format!("%{byte:02X}"),
                _ => out += &format!("%{byte:02x}"),
            }
        }
        out
    };
    let mut copied = 0;
    for user in inner.users {
        url.push(&encode(&inner.text[copied..user.start]));
        url.push_user(&encode(&inner.text[user.clone()]));
        copied = user.end;
    }
    url.push(&encode(&inner.text[copied..]));
}
