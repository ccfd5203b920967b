//! URLs in text: where they start and end.

use proptest::prop_assert;
use urlid::text::{CharacterReferences, find_urls};
use urlid_generators::{hostile_text, secret_line};
use urlid_testing::check_all;

#[track_caller]
fn check(line: impl AsRef<[u8]>, expected: &[&str]) {
    let line = line.as_ref();
    let found: Vec<_> = find_urls(line, CharacterReferences::default()).collect();
    let texts: Vec<&str> = found.iter().map(|url| &*url.text).collect();
    assert_eq!(texts, expected, "{}", line.escape_ascii());
}

#[test]
fn urls_end_as_prose_ends_them() {
    check("see https://a.example/, or https://b.example.", &["https://a.example/", "https://b.example"]);
    check("(https://a.example/b_(c)) and https://a.example/b_(c)!", &["https://a.example/b_(c)"; 2]);
    check("(see https://a.example/).", &["https://a.example/"]);
    check("[x](https://a.example/b)[y](https://b.example/)", &["https://a.example/b", "https://b.example/"]);
    check("<https://a.example/b>; 'https://c.example/d'", &["https://a.example/b", "https://c.example/d"]);
    check("|https://a.example/|https://b.example/|", &["https://a.example/", "https://b.example/"]);
    check("“https://a.example/” «https://b.example/»", &["https://a.example/", "https://b.example/"]);
    check("**https://a.example/**", &["https://a.example/"]);
    check("https://a.example/?x=a|b&y='c'&z={d}", &["https://a.example/?x=a|b&y='c'&z={d}"]);
    check("http://[::1]:80/a [http://[::1]/]", &["http://[::1]:80/a", "http://[::1]/"]);
    check("https://u:p)w@a.example/", &["https://u:p)w@a.example/"]);
    check("URL:https://a.example/ end.http://b.example", &["https://a.example/", "http://b.example"]);
    check(
        "git+ssh://a.example/ view-source:https://b.example/",
        &["git+ssh://a.example/", "https://b.example/"],
    );
    check(
        "https://a.example/\u{a0}b https://漢.example/字。",
        &["https://a.example/", "https://漢.example/字"],
    );
}

#[test]
fn quotes_around_a_url_are_left_out_and_apostrophes_are_not() {
    check(
        "https://a.example/it's and https://a.example/cats'",
        &["https://a.example/it's", "https://a.example/cats'"],
    );
    check("'see https://a.example/b'", &["https://a.example/b"]);
    check("'see https://a.example/b'.", &["https://a.example/b"]);
    check(
        "it's 'at https://a.example/b', it isn't https://b.example/c'",
        &["https://a.example/b", "https://b.example/c'"],
    );
    check("'it's https://a.example/it's'", &["https://a.example/it's"]);
    check("don't open https://a.example/b'", &["https://a.example/b'"]);
    check(
        "curl -d 'x' 'a https://a.example/?b=c' https://b.example/?d='e'",
        &["https://a.example/?b=c", "https://b.example/?d='e'"],
    );
    check("'say https://a.example/?b='c''", &["https://a.example/?b='c'"]);
    check("https://a.example/?b=''", &["https://a.example/?b=''"]);
    check("''see https://a.example/b'' '''see https://a.example/b'''", &["https://a.example/b"; 2]);
    check(
        "‘see https://a.example/b’ https://a.example/cats’",
        &["https://a.example/b", "https://a.example/cats’"],
    );
    check("‘don’t see https://a.example/b’", &["https://a.example/b"]);
    check("‚siehe https://a.example/b‘ ‘https://c.example/’", &["https://a.example/b", "https://c.example/"]);
    check("„siehe https://a.example/b“ “see https://a.example/b”", &["https://a.example/b"; 2]);
    check("»https://a.example/b« «see https://a.example/b»", &["https://a.example/b"; 2]);
    check("`see https://a.example/b` ``https://a.example/b``", &["https://a.example/b"; 2]);
    check("'https://a.example/b'c \"https://a.example/b\"c", &["https://a.example/b"; 2]);
    check("〝https://a.example/b〟＂https://a.example/b＂", &["https://a.example/b"; 2]);
}

#[test]
fn other_texts_are_not_found_as_urls() {
    check("http:// ://h 1://h http://... //h /a mailto:a@b.example C:\\x a:b", &[]);
    check("<a href=\"/relative\">", &[]);
    check("", &[]);
}

#[test]
fn escapes_are_decoded() {
    check(
        r#"{"a":"https:\/\/a.example\/?x=1\u0026y=2","b":"https://b.example/\nx"}"#,
        &["https://a.example/?x=1&y=2", "https://b.example/"],
    );
    check(r#"{"m":"{\"u\":\"https:\\/\\/a.example\\/?x\\u003d1\"}"}"#, &["https://a.example/?x=1"]);
    check(r#"{"u":"https://a.example/\ud83d\ude00\u0022"}"#, &["https://a.example/😀"]);
    check(r#"{"u":"https://a.example/\ud83d"}"#, &["https://a.example/\\ud83d"]);
    check(r#""GET http://a.example/\xE9\x22 HTTP/1.1""#, &["http://a.example/%E9%22"]);
    check("<a href=\"https://a.example/?x=1&amp;y=2&#38;z\">", &["https://a.example/?x=1&y=2&z"]);
    check("<p>&quot;https://a.example/&quot;</p>", &["https://a.example/"]);
    check(
        "https://a.example/?x=1&amp;y=2 <https://b.example/>",
        &["https://a.example/?x=1&amp;y=2", "https://b.example/"],
    );
    check(b"\xff https://a.example/\xff\xe9/b \xff", &["https://a.example/%FF%E9/b"]);
    let line = b"https://a.example/?x=1&amp;y=2";
    let mut urls = find_urls(line, CharacterReferences::InAllLines);
    assert!(urls.next().is_some_and(|url| url.text == "https://a.example/?x=1&y=2"));
}

#[test]
fn urls_are_in_order_and_each_is_found_again_by_itself() {
    check_all(|choices| {
        let line = match choices.is(8) {
            true => secret_line(choices).bytes,
            false => {
                format!("https://{} http://a.{}", hostile_text(choices), hostile_text(choices)).into_bytes()
            }
        };
        let mut end = 0;
        for url in find_urls(&line, CharacterReferences::default()) {
            prop_assert!(
                end <= url.range.start && url.range.start < url.range.end,
                "{:?}",
                line.escape_ascii()
            );
            end = url.range.end;
            // Decoded characters may be marks of prose, which end a URL that is not escaped.
            if url.text.as_bytes() == &line[url.range.clone()] {
                let alone: Vec<_> = find_urls(url.text.as_bytes(), CharacterReferences::default()).collect();
                prop_assert!(alone.len() == 1 && alone[0].text == url.text, "{:?}", url.text);
            }
        }
        prop_assert!(end <= line.len());
        Ok(())
    });
}
