//! The law of redaction in text: a line without its secrets, and no other byte changed.

use proptest::prop_assert_eq;
use urlid::redact::{NameList, Redactor};
use urlid::text::CharacterReferences;
use urlid_generators::{hostile_text, secret_line};
use urlid_testing::check_all;

fn redacted(line: &[u8], list: NameList) -> Vec<u8> {
    let mut out = Vec::new();
    let redactor = Redactor::default().with_list(list);
    redactor.redact_line(line, &[], CharacterReferences::default(), &mut out);
    out
}

#[track_caller]
fn check(line: &str, expected: &str) {
    let redacted = redacted(line.as_bytes(), NameList::Common1);
    assert_eq!(String::from_utf8_lossy(&redacted), expected);
}

#[test]
fn exactly_the_secrets_of_a_line_are_replaced() {
    check_all(|choices| {
        let line = secret_line(choices);
        let (redacted, expected) = (redacted(&line.bytes, NameList::Common1), line.with_secrets_replaced());
        let [redacted, expected] = [redacted, expected].map(|line| line.escape_ascii().to_string());
        prop_assert_eq!(redacted, expected, "{}", line.bytes.escape_ascii());
        Ok(())
    });
}

#[test]
fn a_redacted_line_is_its_own_redaction() {
    check_all(|choices| {
        let line = secret_line(choices).bytes;
        let once = redacted(&line, NameList::Common1);
        prop_assert_eq!(redacted(&once, NameList::Common1), once);
        Ok(())
    });
}

#[test]
fn any_text_is_redacted_without_a_panic() {
    check_all(|choices| {
        let text = hostile_text(choices);
        redacted(text.as_bytes(), NameList::Otel144);
        Ok(())
    });
}

#[test]
fn json_stays_json() {
    check_all(|choices| {
        let line = secret_line(choices).bytes;
        let text = String::from_utf8_lossy(&line);
        // As writers of JSON escape a text, with and without escaped slashes.
        for slash in ["/", "\\/"] {
            let written =
                text.replace('\\', "\\\\").replace('"', "\\\"").replace('\t', "\\t").replace('/', slash);
            let json = format!("\"{written}\"");
            let redacted = redacted(json.as_bytes(), NameList::Common1);
            let escapes = String::from_utf8_lossy(&redacted).replace("\\\\", "").replace("\\\"", "");
            prop_assert_eq!(escapes.matches('"').count(), 2, "{}", json);
        }
        Ok(())
    });
}

#[test]
fn uncovered_secrets_are_kept() {
    for line in [
        "Cookie: session=SECRET; token=SECRET",
        "Set-Cookie: sid=SECRET",
        "https://h.example/reset/SECRET",
        "https://h.example/a;jsessionid=SECRET?q=1",
        "my password is SECRET",
        "password=SECRET",
        "{\"password\":\"SECRET\"}",
        "X-Api-Key: SECRET",
        "Authorization: Digest username=\"me\", response=\"SECRET\"",
        "Authorization: SECRET",
        "href=3D\"https://h.example/?tok=",
        "en=3DSECRET\"",
        "aHR0cHM6Ly9tZTpwYXNzQGguZXhhbXBsZS8=",
        "https://h.example/?u=https%253A%252F%252Fme%253ASECRET%2540h.example",
        "https://h.example/?data=token%253DSECRET",
    ] {
        check(line, line);
    }
}

#[test]
fn a_url_that_is_encoded_in_a_path_has_a_user() {
    check("GET /https%3A%2F%2Fme%3ASECRET%40h%2F x", "GET /https%3A%2F%2FREDACTED:REDACTED%40h%2F x");
}

#[test]
fn a_token_ends_at_the_quote_around_its_header() {
    check("-H 'Authorization: Bearer SECRET'x", "-H 'Authorization: Bearer REDACTED'x");
}

#[test]
fn only_a_bracket_right_before_a_target_ends_it() {
    check("(/a?token=SECRET)x", "(/a?token=REDACTED)x");
    check("(see /a?token=SECRET)x", "(see /a?token=REDACTED");
    check("(\u{a0}/a?token=SECRET)x", "(\u{a0}/a?token=REDACTED");
}

#[test]
fn escapes_end_a_target_only_where_they_are_escapes() {
    check("/a?token=SECRET&#x2f;b", "/a?token=REDACTED&#x2f;b");
    check("<p>/a?token=SECRET&#x2f;b", "<p>/a?token=REDACTED");
    check(r#""a\nhttp:me:SECRET@h.example/""#, r#""a\nhttp:REDACTED:REDACTED@h.example/""#);
}

#[test]
fn targets_that_are_known_are_read_whole() {
    let line = br#"1.2.3.4 "GET /a b?q=\"x\"&token=y z HTTP/1.1" 200"#;
    let mut out = Vec::new();
    let redactor = Redactor::default().with_list(NameList::Common1);
    redactor.redact_line(line, std::slice::from_ref(&(13..35)), CharacterReferences::default(), &mut out);
    assert_eq!(String::from_utf8_lossy(&out), r#"1.2.3.4 "GET /a b?q=\"x\"&token=REDACTED HTTP/1.1" 200"#);
}

#[test]
fn bad_bytes_do_not_stop_a_line() {
    let redacted = redacted(b"\xff /a\xfe?q=\xff&token=S\xfd \xff?sig=S", NameList::Common1);
    assert_eq!(redacted, b"\xff /a\xfe?q=\xff&token=REDACTED \xff?sig=REDACTED");
}

#[test]
fn a_list_compares_its_names_in_its_own_way() {
    for (list, line, expected) in [
        (NameList::Otel144, "/a?sig=1&SIG=1&token=1", "/a?sig=REDACTED&SIG=1&token=1"),
        (NameList::Common1, "/a?sig=1&S-I_G=1&x=1", "/a?sig=REDACTED&S-I_G=REDACTED&x=1"),
    ] {
        assert_eq!(redacted(line.as_bytes(), list), expected.as_bytes());
    }
    let redactor = Redactor::default().with_list(NameList::Common1).and_names(["My-Name".to_owned()]);
    let redacted = redactor.redact("/a?my_name=1&token=1");
    assert_eq!(redacted.as_deref(), Ok("/a?my_name=REDACTED&token=REDACTED"));
    let redacted =
        redactor.with_names(["my-name".to_owned()]).redact("/a?MYNAME=1&token=1").map(String::from);
    assert_eq!(redacted.as_deref(), Ok("/a?MYNAME=REDACTED&token=1"));
    let otel = Redactor::default().and_names(["token".to_owned()]);
    assert_eq!(
        otel.redact("/a?token=1&Token=1&sig=1").as_deref(),
        Ok("/a?token=REDACTED&Token=1&sig=REDACTED")
    );
}

#[test]
fn the_lists_are_frozen() {
    let count = |list: NameList| (list.names().count(), list.names().map(str::len).sum::<usize>());
    assert_eq!(count(NameList::Otel144), (7, 93));
    assert_eq!(count(NameList::Common1), (64, 590));
    assert!(NameList::BY_NAME.iter().all(|(name, list)| list.name() == *name));
}
