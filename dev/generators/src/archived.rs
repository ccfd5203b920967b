//! URLs as archives and crawlers meet them: texts that canonical forms treat differently, and texts that
//! break them.

use crate::choices::Choices;

const SCHEMES: [&str; 14] = [
    "http",
    "https",
    "HTTP",
    "ftp",
    "Http",
    "dns",
    "mailto",
    "x",
    "ws",
    "file",
    "httpx",
    "javascript",
    "data",
    "about",
];

const USERINFO: [&str; 14] =
    ["", "u@", "u:p@", "a@b@", "%40:%3a@", "u:@", ":@", "é:ü@", "[x]@", "[@", "@", "aẞ:²@", "a:b:c@", "ꟜΣ@"];

const HOSTS: [&str; 81] = [
    "a.com",
    "v1.x",
    "v1.x]",
    "WWW.Example.COM",
    "www2.x.org",
    "www.www.x",
    "[::1]",
    "[::1",
    "[1:2::ffff:1.2.3.4]",
    "[v1.x]",
    "127.0.0.1",
    "1.2.3",
    "0x7f.1",
    "0177.1",
    "4294967297",
    "09.1.1.1",
    "256.1.1.1",
    "é.fr",
    "BÜCHER.de",
    "faß.de",
    "😀.la",
    "☃.net",
    "a..b",
    "..a...b.",
    "a.",
    "%41.com",
    "%C3%A9.fr",
    "%FF.x",
    "a%2eb",
    "a%2Fb",
    "a%40b",
    "a b.c",
    "a_b.c",
    "xn--9ca",
    "ａ．com",
    "１.２.３.４",
    "a\u{378}.x",
    "x\u{200d}y.com",
    "",
    "a%00b",
    "a%25b.c",
    "-a-.c",
    "%zz.x",
    "a\\b.c",
    "1.1.1.1 .x",
    "℀.com",
    "a。b",
    "שלום.x",
    "aש.x",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.x",
    "STRAẞE.de",
    "xᎠy.com",
    "ⰀⱠ.com",
    "a\u{1c89}b.com",
    "\u{a7dc}\u{a7ce}.x",
    "Ა\u{10400}\u{1e900}.x",
    "ΑΣ.gr",
    "ΑΣ\u{301}Α.gr",
    "xn--",
    "xn--a",
    "xn--zzzzzzzzzz.é.x",
    "XN--9CA.fr",
    "xn--é.x",
    "a.xn--99999999.b",
    "xn--a-ecp.ru",
    "１２７。0．0.١",
    "१.२.३.४",
    "\u{1d7d8}x7f.1",
    "a.%0A",
    "a%2e%0ab",
    "%E1%BA%9E.de",
    "%80",
    "a%A0.x",
    "a₞b.com",
    "e\u{301}\u{323}.x",
    "가\u{11a8}.x",
    "א١.x",
    "1א.x",
    "[v1F.X]",
    "[::ffff:1.2.3.4",
    "[::1%25x]",
];

const PORTS: [&str; 23] = [
    "",
    ":80",
    ":443",
    ":8080",
    ":0",
    ":",
    ":65535",
    ":65536",
    ":x",
    ":+80",
    ":0080",
    ":８０",
    ":8 0",
    ":-1",
    ":99999999999",
    ":80:90",
    ":²",
    ":٨٠",
    ":８\u{1d7d8}",
    ":\u{1d7d8}",
    ":8²",
    ":８０x",
    ":①",
];

const SEGMENTS: [&str; 64] = [
    "",
    "a",
    "B",
    "..",
    ".",
    "%2e",
    "%2E%2e",
    "%2f",
    "%3F",
    "%23",
    "%25",
    "%2541",
    "%41",
    "%7e",
    "~",
    "é",
    "%c3%a9",
    "%FF",
    "%zz",
    "a b",
    "+",
    "[",
    "]",
    "|",
    ";",
    ";a=b",
    "%3b",
    "&",
    "=",
    "'",
    "\"",
    "<",
    ">",
    "`",
    "{",
    "^",
    "\\",
    "(s(abcdefghijklmnopqrstuvwx))",
    "(abcdefghijklmnopqrstuvwx)",
    "x.aspx",
    "\u{7f}",
    "%7F",
    "😀",
    "%00",
    "*",
    "!",
    "$",
    ":",
    "@",
    "%",
    "..;",
    "index.html",
    "%E2%80%8B",
    "\u{a0}",
    "%C3",
    "%252F",
    "Ꞌ",
    "ẞ",
    "İ",
    "ΑΣ",
    "\u{1c89}",
    "\u{85}",
    "\u{2028}",
    "１",
];

const NAMES: [&str; 32] = [
    "a",
    "b",
    "A",
    "jsessionid",
    "PHPSESSID",
    "sid",
    "aspsessionidabcdefgh",
    "cfid",
    "cftoken",
    "utm_source",
    "%41",
    "é",
    "%C3%A9",
    "a+b",
    "a%20b",
    "a%2Bb",
    "%26",
    "%3d",
    "",
    "[",
    "'",
    "/",
    "%",
    "%zz",
    "%25",
    "#!",
    "%00",
    "~",
    "ẞ",
    "\u{a7dc}",
    "jsessionid١",
    "cfid１",
];

const VALUES: [&str; 21] = [
    "",
    "1",
    "2",
    "B",
    "abcdefghijklmnopqrstuvwxyz012345",
    "abcdefghijklmnopqrstuvwx",
    "%2B",
    "+",
    "x=y",
    "%FF",
    "é",
    "=",
    "%2541",
    "a b",
    "%23",
    "|",
    "/",
    ";c=d",
    "\u{10d50}",
    "²",
    "0123456789abcdef0123456789abcde１",
];

const FRAGMENTS: [&str; 10] = ["", "f", "!a", "é", "?", "%41", "a#b", "~", "!k=v&x", "%C3%A9"];

const STRAY: [&str; 18] = [
    "\t", " ", "\u{a0}", "\0", "\u{1f}", "\u{2028}", "\u{b}", "\r", "\u{85}", "\u{3000}", "%", "\\", "@",
    ":", "[", "]", "?", "é",
];

/// Returns a URL, or almost one, without a line feed.
pub fn archived_url(choices: &mut Choices<'_>) -> String {
    let mut url = start(choices);
    for _ in 0..choices.below(5) {
        url += "/";
        url += choices.one(&SEGMENTS);
        if choices.is(4) {
            url += choices.one(&SEGMENTS);
        }
    }
    if choices.is(2) {
        url += "/";
    }
    if choices.is(6) {
        url += &query(choices);
    }
    if choices.is(2) {
        url += "#";
        url += choices.one(&FRAGMENTS);
    }
    if choices.is(1) {
        let offset = choices.below(url.chars().count() + 1);
        let byte = url.char_indices().nth(offset).map_or(url.len(), |(byte, _)| byte);
        url.insert_str(byte, choices.one(&STRAY));
    }
    url
}

/// Usually scheme and authority, otherwise only one of them, or neither.
fn start(choices: &mut Choices<'_>) -> String {
    let scheme = if choices.is(9) { choices.one(&SCHEMES[..2]) } else { choices.one(&SCHEMES) };
    match choices.below(18) {
        0..=11 => {
            let userinfo = if choices.is(4) { choices.one(&USERINFO) } else { "" };
            let port = if choices.is(5) { choices.one(&PORTS) } else { "" };
            [scheme, "://", userinfo, choices.one(&HOSTS), port].concat()
        }
        12 => [scheme, choices.one(&[":", ":/", ":///"])].concat(),
        13 => ["//", choices.one(&HOSTS)].concat(),
        14 => [choices.one(&HOSTS), choices.one(&PORTS)].concat(),
        15 => {
            let address = choices.one(&["[::1]", "[1:2::ffff:1.2.3.4]", "[v1.x]", "[::1", "[]"]);
            [scheme, "://", choices.one(&USERINFO), address, choices.one(&PORTS)].concat()
        }
        16 => {
            [choices.one(&[":", ":/", "://", ": ", ":80/", "::", ":@", " :", "\u{a0}:"]), choices.one(&HOSTS)]
                .concat()
        }
        _ => choices
            .one(&["http://http://x.y", "https://http://", "hTTp://http://a", "http://https:/b", ""])
            .to_owned(),
    }
}

fn query(choices: &mut Choices<'_>) -> String {
    let separator = choices.one(&["&", "&", "&", ";", "&&"]);
    let mut query = choices.one(&["?", "?", "?", "?&"]).to_owned();
    for index in 0..choices.below(5) {
        if index > 0 {
            query += separator;
        }
        query += choices.one(&NAMES);
        if choices.is(12) {
            query += "=";
            query += choices.one(&VALUES);
        }
    }
    query + choices.one(&["", "", "", "&"])
}
