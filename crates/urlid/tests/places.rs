//! The 24 special cases in which the URL Standard is not a plain composition of its parts, one test each.
//!
//! Expected values are the standard's. `None` is failure.

use urlid::generic::{Mode, resolve};
use urlid::web::Url;

/// Checks rows of base, text and normal form. An empty base means that there is no base.
#[track_caller]
fn check(rows: &[(&str, &str, Option<&str>)]) {
    for &(base, text, expected) in rows {
        let url = match base {
            "" => Url::parse(text),
            base => Url::parse(base).expect("the base is a URL").join(text),
        };
        assert_eq!(url.as_ref().ok().map(Url::as_str), expected, "{text:?} onto {base:?}");
    }
}

#[test]
fn place_01_a_text_without_a_scheme_is_read_in_the_class_of_its_base() {
    check(&[
        ("http://h/a/b", "c\\d", Some("http://h/a/c/d")),
        ("foo://h/a/b", "c\\d", Some("foo://h/a/c\\d")),
        ("file:///a/b", "C|/d", Some("file:///C:/d")),
        ("http://h/a/b", "C|/d", Some("http://h/a/C|/d")),
    ]);
}

#[test]
fn place_02_an_equal_scheme_is_ignored_if_it_is_special_and_not_otherwise() {
    check(&[
        ("http://h/a/b", "http:c", Some("http://h/a/c")),
        ("http://h/a/b", "HTTP:c", Some("http://h/a/c")),
        ("http://h/a/b", "https:c", Some("https://c/")),
        ("foo://h/a/b", "foo:c", Some("foo:c")),
    ]);
}

#[test]
fn place_03_a_web_url_reads_its_host_from_the_first_segment_before_dots_are_removed() {
    check(&[
        ("", "http:/h", Some("http://h/")),
        ("", "http:h/x", Some("http://h/x")),
        ("", "http:////h", Some("http://h/")),
        ("", "http:///../x", Some("http://../x")),
        ("http://h/a", "///x", Some("http://x/")),
        ("http://h/a", "http:/x", Some("http://h/x")),
        ("", "http:", None),
        ("", "http:///", None),
        ("", "http://?q", None),
    ]);
}

#[test]
fn place_04_an_empty_host_with_a_user_or_port_fails_and_alone_only_in_web_urls() {
    check(&[
        ("", "http://u@/x", None),
        ("", "http://:80/x", None),
        ("", "foo://u@/x", None),
        ("", "foo://:80/x", None),
        ("", "foo:///x", Some("foo:///x")),
        ("", "file:///x", Some("file:///x")),
    ]);
}

#[test]
fn place_05_a_file_url_has_no_user_and_no_port() {
    check(&[
        ("", "file://u@h/x", None),
        ("", "file://h:80/x", None),
        ("", "file://hh:/x", None),
        ("", "file://h/x", Some("file://h/x")),
    ]);
}

#[test]
fn place_06_a_drive_can_be_in_the_place_of_an_authority() {
    check(&[
        ("", "file://C|/x", Some("file:///C:/x")),
        ("", "file://C:/x", Some("file:///C:/x")),
        ("file://h/a", "//C:/x", Some("file:///C:/x")),
        ("", "file://CC:/x", None),
    ]);
}

#[test]
fn place_07_a_drive_is_what_comes_first_in_the_path_as_built_so_far() {
    check(&[
        ("", "file:///./C|/x", Some("file:///C:/x")),
        ("", "file:///x/../D|/y", Some("file:///D:/y")),
        ("", "file:///C:/..", Some("file:///C:/")),
        ("", "file:///C:/../../x", Some("file:///C:/x")),
        ("", "file:///x/C|/y", Some("file:///x/C|/y")),
        ("", "file:///C|x", Some("file:///C|x")),
    ]);
}

#[test]
fn place_08_a_drive_replaces_the_path_but_not_the_host_and_a_root_keeps_the_drive() {
    check(&[
        ("file://h/a/b", "/C:/x", Some("file://h/C:/x")),
        ("file://h/a/b", "C|/x", Some("file://h/C:/x")),
        ("file://h/C:/a", "/x", Some("file://h/C:/x")),
        ("file://h/C:/a", "//x", Some("file://x/")),
        ("file:///C:/a", "/D:/x", Some("file:///D:/x")),
    ]);
}

#[test]
fn place_09_localhost_is_the_empty_host_in_file_urls_only() {
    check(&[
        ("", "file://localhost/x", Some("file:///x")),
        ("", "file://LOCAL%48ost/x", Some("file:///x")),
        ("", "file://loc%61lhost/x", Some("file:///x")),
        ("", "http://localhost/x", Some("http://localhost/x")),
        ("", "foo://localhost/x", Some("foo://localhost/x")),
    ]);
}

#[test]
fn place_10_a_path_that_would_read_as_an_authority_is_kept_apart() {
    check(&[
        ("", "foo:/.//x", Some("foo:/.//x")),
        ("", "foo:/a/..//x", Some("foo:/.//x")),
        ("foo:/a", "..//x", Some("foo:/.//x")),
    ]);
    assert_eq!(Url::parse("foo:/.//x").expect("it is a URL").path(), "//x");
    assert_eq!(Url::parse("foo:/.//x").expect("it is a URL").host_str(), None);
}

#[test]
fn place_11_an_opaque_path_has_no_structure() {
    check(&[
        ("", "mailto:a/../b c", Some("mailto:a/../b c")),
        ("", "mailto:a ?q", Some("mailto:a%20?q")),
        ("", "mailto:a  #f", Some("mailto:a %20#f")),
        ("mailto:a", "#f", Some("mailto:a#f")),
        ("mailto:a#b", "", None),
        ("mailto:a", "x", None),
        ("mailto:a", "?q", None),
        ("", "foo:é\"", Some("foo:%C3%A9\"")),
    ]);
}

#[test]
fn place_12_a_special_url_has_a_root_and_no_other_needs_one() {
    check(&[
        ("", "http://h?q", Some("http://h/?q")),
        ("", "foo://h", Some("foo://h")),
        ("", "foo://h?q", Some("foo://h?q")),
        ("foo://h", "x", Some("foo://h/x")),
        ("", "file:", Some("file:///")),
    ]);
}

#[test]
fn place_13_an_escaped_dot_is_a_dot_here_and_not_in_rfc_3986() {
    check(&[
        ("", "http://h/a/%2e%2E/b", Some("http://h/b")),
        ("", "http://h/a/.%2e/b", Some("http://h/b")),
        ("", "http://h/%2e/b", Some("http://h/b")),
        ("", "http://h/%2e%2e%2e/b", Some("http://h/%2e%2e%2e/b")),
    ]);
    assert_eq!(resolve("http://h/a/b", "%2e%2e/c", Mode::Strict).as_deref(), Ok("http://h/a/%2e%2e/c"));
}

#[test]
fn place_14_a_last_dot_segment_leaves_a_slash_and_two_dots_also_remove_empty_segments() {
    check(&[
        ("", "http://h/a/b/..", Some("http://h/a/")),
        ("", "http://h/a/b/.", Some("http://h/a/b/")),
        ("", "http://h/a//../b", Some("http://h/a/b")),
        ("", "http://h/..", Some("http://h/")),
    ]);
}

#[test]
fn place_15_tabs_and_newlines_vanish_everywhere() {
    check(&[
        ("", "ht\ntp://h\t/a\r", Some("http://h/a")),
        ("", "http://h/%4\n1", Some("http://h/%41")),
        ("", "http:/\t/h", Some("http://h/")),
        ("", "\u{0}http://h/\u{1f} ", Some("http://h/")),
    ]);
}

#[test]
fn place_16_a_backslash_is_a_slash_up_to_the_query_in_special_urls() {
    check(&[
        ("", "http:\\\\h\\a?b\\c#d\\e", Some("http://h/a?b\\c#d\\e")),
        ("", "http://h\\@x/", Some("http://h/@x/")),
        ("foo://foo/a", "\\b", Some("foo://foo/\\b")),
        ("", "foo:\\\\h", Some("foo:\\\\h")),
    ]);
}

#[test]
fn place_17_the_user_ends_at_the_last_at_sign_and_the_password_starts_at_the_first_colon() {
    check(&[
        ("", "http://a@b@h/", Some("http://a%40b@h/")),
        ("", "http://a:b:c@h/", Some("http://a:b%3Ac@h/")),
        ("", "http://:p@h/", Some("http://:p@h/")),
        ("", "http://u:@h/", Some("http://u@h/")),
        ("", "http://@h/", Some("http://h/")),
    ]);
}

#[test]
fn place_18_a_colon_in_brackets_does_not_start_a_port() {
    check(&[
        ("", "http://[::1]/", Some("http://[::1]/")),
        ("", "http://[::1]:8080/", Some("http://[::1]:8080/")),
        ("", "http://[0:0:0:0:0:0:0:1]:80/", Some("http://[::1]/")),
        ("", "http://[::1/", None),
        ("", "foo://[::1]:8080/", Some("foo://[::1]:8080/")),
        ("", "foo://[h]/", None),
    ]);
}

#[test]
fn place_19_a_special_host_is_decoded_then_mapped_then_checked_then_perhaps_an_address() {
    check(&[
        ("", "http://ex%61mple.com/", Some("http://example.com/")),
        ("", "http://fa%C3%9F.de/", Some("http://xn--fa-hia.de/")),
        ("", "http://a%20b/", None),
        ("", "http://%ff/", None),
        ("", "http://0x7f.1/", Some("http://127.0.0.1/")),
        ("", "http://0300.0250.1/", Some("http://192.168.0.1/")),
        ("", "http://1.2.3.4./", Some("http://1.2.3.4/")),
        ("", "http://0x/", Some("http://0.0.0.0/")),
        ("", "http://１２７.１/", Some("http://127.0.0.1/")),
        ("", "http://09/", None),
        ("", "http://1.2.3.4.5/", None),
        ("", "http://foo.0x4/", None),
        ("", "http://4294967296/", None),
    ]);
}

#[test]
fn place_20_an_ascii_host_is_accepted_even_with_punycode_that_means_nothing() {
    check(&[
        ("", "http://xn--a/", Some("http://xn--a/")),
        ("", "http://XN--A.example/", Some("http://xn--a.example/")),
        ("", "http://xn--/", Some("http://xn--/")),
        ("", "http://xn--a.ß/", None),
    ]);
}

#[test]
fn place_21_a_caret_is_escaped_in_paths_and_users_and_not_in_queries() {
    check(&[
        ("", "http://u^@h/a^?b^#c^", Some("http://u%5E@h/a%5E?b^#c^")),
        ("", "foo://h/a^", Some("foo://h/a%5E")),
    ]);
}

#[test]
fn place_22_an_apostrophe_is_escaped_in_queries_of_special_urls_only() {
    check(&[("", "http://h/'?'#'", Some("http://h/'?%27#'")), ("", "foo://h/'?'#'", Some("foo://h/'?'#'"))]);
}

#[test]
fn place_23_a_query_or_fragment_keeps_the_path_of_the_base_and_its_fragment_always_goes() {
    check(&[
        ("http://h/a/b?q#f", "?r", Some("http://h/a/b?r")),
        ("http://h/a/b?q#f", "#g", Some("http://h/a/b?q#g")),
        ("http://h/a/b?q#f", "", Some("http://h/a/b?q")),
        ("foo:/a/..//b#f", "?r", Some("foo:/.//b?r")),
    ]);
}

#[test]
fn place_24_a_letter_and_a_colon_are_a_scheme_and_a_letter_and_a_bar_a_drive() {
    check(&[
        ("file:///a", "C:/x", Some("c:/x")),
        ("file:///a", "C|/x", Some("file:///C:/x")),
        ("file:///a", "/C:/x", Some("file:///C:/x")),
        ("", "C|/x", None),
    ]);
}
