//! Files of rules that are taken and rejected, and what rules do with URLs.

use super::*;
use crate::{Form, NO_RULES};
use urlid::Place;

fn rules(body: &str) -> Rules {
    Rules::parse(&format!("urlid-rules 1\n{body}")).expect("rules")
}

fn check(body: &str, table: &[(&str, &str)]) {
    let rules = rules(body);
    for (url, expected) in table {
        let form = rules.apply(url, |_| ());
        assert_eq!(form, *expected, "{url}");
        assert_eq!(rules.apply(&form, |_| ()), form, "{url}");
    }
}

#[test]
fn each_kind_changes_what_it_says() {
    check(
        "[h.example]\nalias m.h.example\nalias h.example.\nhttps",
        &[
            ("http://m.h.example:8080/?q", "http://h.example:8080/?q"),
            ("http://u:p@m.h.example/#f", "https://u:p@h.example/#f"),
            ("http://h.example./", "https://h.example/"),
            ("http://x.m.h.example/", "http://x.m.h.example/"),
            ("ftp://m.h.example/", "ftp://m.h.example/"),
        ],
    );
    check(
        "[*]\nhttps\n[[::1]]\ncase",
        &[("http://[::1]/A", "https://[::1]/a"), ("http://[::1]:8/A", "http://[::1]:8/a")],
    );
    check(
        "[h.example]\ncase\nindex index.html default*\nslash\nsession sid",
        &[
            ("http://h.example/A%C3%9C/INDEX.html", "http://h.example/a%c3%9c"),
            ("http://h.example/a/index.html/index%2Ehtml//", "http://h.example/a"),
            ("http://h.example//", "http://h.example/"),
            ("http://h.example/;sid=1", "http://h.example/"),
            ("http://h.example/a;sid=1/b;x=1;%73id=2;sid=", "http://h.example/a/b;x=1"),
            ("http://h.example/a;sid/b;SID=1", "http://h.example/a;sid/b"),
            ("http://h.example/a/..;sid=1/%2E;sid=2/b", "http://h.example/a/..;sid=1/%2e;sid=2/b"),
            ("http://h.example/default.asp", "http://h.example/"),
        ],
    );
    check(
        "[h.example]\norder\ndrop a b%2B c* [x]\ndefault page=1\ndefault q=\ndefault v=%25%2A",
        &[
            ("http://h.example/?b=2&%61=1&b=1", "http://h.example/?b=2&b=1"),
            ("http://h.example/?z=2&y&z=1&&%79=3", "http://h.example/?&y&%79=3&z=2&z=1"),
            ("http://h.example/?b%2B&cc&[x]=1&%5Bx]=2", "http://h.example/"),
            ("http://h.example/?page=1&page=2&page=%31&page", "http://h.example/?page=2&page"),
            ("http://h.example/?q&q=&q=1", "http://h.example/?q=1"),
            ("http://h.example/?v=%25*&v=", "http://h.example/?v="),
            ("http://h.example/?a&", "http://h.example/"),
            ("http://h.example/?", "http://h.example/?"),
        ],
    );
}

#[test]
fn the_longest_scope_that_says_something_of_a_field_decides() {
    check(
        "[*]\ndrop utm_* s\ndefault d=1\n[h.example]\nhold utm_id\nkeep v s\n[h.example/a/]\ndefault s=0\n[h.example/a/b/]\nhold x d",
        &[
            ("http://g.example/?utm_id=1&s=1&d=1&x=1", "http://g.example/?x=1"),
            ("http://h.example/?utm_id=1&utm_x=1&s=1&d=2&v", "http://h.example/?utm_id=1&s=1&v"),
            ("http://h.example/a?s=0", "http://h.example/a?s=0"),
            ("http://h.example/a/?s=0&s=1&d", "http://h.example/a/?s=1"),
            ("http://h.example/a/b/?s=0&x&d=1&e", "http://h.example/a/b/?x&d=1"),
            ("http://h.example/a/bb/?x", "http://h.example/a/bb/"),
        ],
    );
    // A page of default 1 is dropped, another is not among those that are kept.
    check("[h.example]\nkeep v\ndefault page=1", &[("http://h.example/?page=2&v", "http://h.example/?v")]);
}

#[test]
fn a_domain_has_all_hosts_below_it() {
    check(
        "[*]\ndrop s\n[*.h.example]\nhold s\ndrop d\n[*.b.h.example]\ndrop s\nhold d\n[a.h.example]\ndrop e\n[a.h.example/x/]\nhold d",
        &[
            ("http://g.example/?s&d&e", "http://g.example/?d&e"),
            ("http://xh.example/?s&d&e", "http://xh.example/?d&e"),
            ("http://h.example/?s&d&e", "http://h.example/?s&e"),
            ("http://y.z.h.example/?s&d&e", "http://y.z.h.example/?s&e"),
            ("http://a.h.example/?s&d&e", "http://a.h.example/?s"),
            ("http://a.h.example/x/?s&d&e", "http://a.h.example/x/?s&d"),
            ("http://b.h.example/?s&d&e", "http://b.h.example/?d&e"),
            ("http://a.b.h.example/?s&d&e", "http://a.b.h.example/?d&e"),
            ("http://h.example./?s&d", "http://h.example./?d"),
        ],
    );
    check("[*.\u{fc}.example]\nhttps", &[("http://x.xn--tda.example/", "https://x.xn--tda.example/")]);
    // Rules of the host that an alias gives.
    check(
        "[h.example]\nalias m.h.example\n[*.m.h.example]\ndrop a\n[*.h.example]\ndrop b",
        &[
            ("http://m.h.example/?a&b", "http://h.example/?a"),
            ("http://x.m.h.example/?a&b", "http://x.m.h.example/"),
        ],
    );
    for scope in [
        "*.",
        "*.h.example/",
        "*.h.example/a/",
        "*.1.2.3.4",
        "*.[::1]",
        "*h.example",
        "*.*.h.example",
        "a.*.h.example",
        "*.h.example:80",
    ] {
        let text = format!("urlid-rules 1\n[{scope}]\ndrop a");
        assert_eq!(Rules::parse(&text).expect_err(scope).place(), Some(Place::Number(2)), "{scope}");
    }
    let error = Rules::parse("urlid-rules 1\n[*.h.example]\nalias m.h.example").expect_err("not a host");
    assert!(error.to_string().contains("expected a host"), "{error}");
}

#[test]
fn the_scope_is_looked_up_again_when_the_path_changes() {
    check(
        "[h.example]\ncase\nslash\ndrop q\n[h.example/a/]\nhold q\nindex i\nsession t\n[h.example/A/]\nhold r\ndrop q",
        &[
            ("http://h.example/A/?q&r", "http://h.example/a?r"),
            ("http://h.example/A/b?q&r", "http://h.example/a/b?q&r"),
            ("http://h.example/A/I?q", "http://h.example/a"),
            ("http://h.example/A/x;t=1?q", "http://h.example/a/x?q"),
            ("http://h.example/a", "http://h.example/a"),
            ("http://h.example/i?q", "http://h.example/i"),
        ],
    );
    check(
        "[h.example/x/]\nsession s\n[h.example]\nsession r",
        &[("http://h.example/x;r=1/y;s=2", "http://h.example/x/y")],
    );
    // Prefixes between others, of which one that is not a prefix of the path comes right before it.
    let scopes =
        "[h.example/a/]\nhold q\n[h.example/a/b/c/]\nhold r\n[h.example/a/b/]\ndrop r\n[h.example]\ndrop q r";
    check(
        scopes,
        &[
            ("http://h.example/a/b/d/?q&r", "http://h.example/a/b/d/?q"),
            ("http://h.example/a/b/c/d?q&r", "http://h.example/a/b/c/d?q&r"),
            ("http://h.example/b/?q&r", "http://h.example/b/"),
            ("http://h.example/A?q&r", "http://h.example/A"),
        ],
    );
}

#[test]
fn a_name_depends_only_on_the_rules() {
    let text = "urlid-rules 1\n[h.example/%C3%BC/]\ndrop a\ndrop b\n[xn--m-eha.example]\nkeep v%23\nkeep w\n";
    for body in [
        "# of hand\n[H.example/%C3%BC/]\ndrop b a # why\n\n[m\u{fc}.example]\n\t keep  v%23\tw #\n[x.example]\n",
        "[xn--m-eha.example]\nkeep w\nkeep w v%23\n[h.example/\u{fc}/]\ndrop b\n[h.example/\u{fc}/]\ndrop a",
        text.strip_prefix("urlid-rules 1\n").expect("it is the head"),
    ] {
        assert_eq!(rules(body).text(), text);
    }
    let rules = rules("");
    assert_eq!((rules.name(), rules.text()), ("rules-f2d27b73", "urlid-rules 1\n"));
    assert_eq!(Rules::parse("urlid-rules 1 rules-f2d27b73 # of today").as_ref(), Ok(&rules));
    assert_eq!(rules.apply("http://h.example/?q", |_| ()), "http://h.example/?q");
}

/// Rules for all hosts, for one, and for so many prefixes in one another.
fn nested_scopes(prefixes: usize) -> String {
    let scopes = (1..=prefixes).map(|length| format!("[h{}/]\ncase\n", "/a".repeat(length)));
    "[*]\norder\n[h]\nslash\n".to_owned() + &scopes.collect::<String>()
}

#[test]
fn a_malformed_rules_file_is_an_error_with_its_line() {
    let error = |text: &str| Rules::parse(text).expect_err(text);
    for (text, line, expected) in [
        ("", 1, "file of rules has a different first line: found ``, expected urlid-rules 1"),
        (
            "urlid-rules 2\n",
            1,
            "file of rules has a different first line: found `urlid-rules 2`, expected urlid-rules 1",
        ),
        (
            "urlid-rules 1 a b\n",
            1,
            "file of rules has a different first line: found `urlid-rules 1 a b`, expected urlid-rules 1",
        ),
        (
            "urlid-rules 1 rules-7d2bf1f8",
            1,
            "rules at line 1 have a different name: found `rules-7d2bf1f8`, expected rules-f2d27b73",
        ),
    ] {
        let error = error(text);
        assert_eq!((error.to_string().as_str(), error.place()), (expected, Some(Place::Number(line))));
    }
    for (body, line, expected) in [
        (
            "drop a",
            2,
            "rule at line 2 is not in a scope: found `drop a`, expected a line such as [example.org] before it",
        ),
        ("[h.example]\r\n", 2, "line 2 ends with a carriage return: expected a line feed"),
        ("[h]\ndropp a", 3, "rule at line 3 is unknown: found `dropp`, expected one such as drop"),
        ("[h]\ndrop # a", 3, "drop at line 3 has too few or too many words: found 0 words, expected names"),
        ("[h]\nslash a", 3, "slash at line 3 has too few or too many words: found 1 words, expected no word"),
        (
            "[h]\ndefault a=1 b=2",
            3,
            "default at line 3 has too few or too many words: found 2 words, expected one NAME=VALUE",
        ),
        ("[h]\ndefault a", 3, "name at line 3 is not in canonical form: found `a`, expected NAME=VALUE"),
        ("[h]\ndefault =1", 3, "name at line 3 is not in canonical form: found ``, expected a name"),
        ("[h]\ndefault a=*", 3, "name at line 3 is not in canonical form: found `*`, expected %2A"),
        ("[h]\ndrop a+b*", 3, "name at line 3 is not in canonical form: found `a+b*`, expected a%2Bb*"),
        ("[h]\n\nkeep %61 b", 4, "name at line 4 is not in canonical form: found `%61`, expected a"),
        (
            "[h/a/]\nhttps",
            3,
            "https at line 3 is in a scope that cannot have it: found `h/a/`, expected a host or *",
        ),
        ("[*]\nalias h", 3, "alias at line 3 is in a scope that cannot have it: found `*`, expected a host"),
        (
            "[a.example]\nalias b.example",
            3,
            "alias at line 3 is not valid: found `b.example`, expected a host of the registered domain a.example",
        ),
        (
            "[a.github.io]\nalias b.github.io",
            3,
            "alias at line 3 is not valid: found `b.github.io`, expected a host of the registered domain a.github.io",
        ),
        (
            "[a.example]\nalias 127.0.0.1",
            3,
            "alias at line 3 is not valid: found `127.0.0.1`, expected a host of the registered domain a.example",
        ),
        (
            "[127.0.0.1]\nalias a.example",
            3,
            "alias at line 3 is not valid: found `a.example`, expected a scope with a registered domain, which 127.0.0.1 lacks",
        ),
        (
            "[a.local]\nalias b.a.local",
            3,
            "alias at line 3 is not valid: found `b.a.local`, expected a scope with a registered domain, which a.local lacks",
        ),
        (
            "[a.example]\nalias b.a.example:80",
            3,
            "alias at line 3 is not valid: found `b.a.example:80`, expected a host",
        ),
        (
            "[a.example]\nalias A.example",
            3,
            "alias at line 3 is not valid: found `A.example`, expected a host that differs from the scope",
        ),
        (
            "[b.a.example]\nalias a.example\n[c.a.example]\nalias b.a.example",
            3,
            "alias at line 3 is not valid: found `a.example`, expected a scope that is not itself an alias",
        ),
        (
            "[a.example]\nalias b.a.example\n[c.a.example]\nalias b.a.example",
            5,
            "alias at line 5 is not valid: found `b.a.example`, expected a host that no other scope has as an alias",
        ),
        (
            "[h]\ndrop a\nhold a",
            4,
            "rules contradict each other at line 4: found `hold a`, expected only the rule `drop a` of line 3",
        ),
        (
            "[h]\nhold utm_a\ndrop utm_*",
            4,
            "rules contradict each other at line 4: found `drop utm_*`, expected only the rule `hold utm_a` \
             of line 3",
        ),
        (
            "[h]\ndefault a=1\ndefault a=2",
            4,
            "rules contradict each other at line 4: found `default a=2`, expected only the rule `default a=1` \
             of line 3",
        ),
        (
            "[h]\nkeep a\ndrop b",
            4,
            "rules contradict each other at line 4: found `drop b`, expected only the rule `keep a` of line 3",
        ),
        (
            &nested_scopes(32),
            69,
            "scope of the rule at line 69 is within too many others: found 33, expected at most 32",
        ),
    ] {
        let error = error(&format!("urlid-rules 1\n{body}"));
        assert_eq!(
            (error.to_string().as_str(), error.place()),
            (expected, Some(Place::Number(line))),
            "{body}"
        );
        assert_eq!(error.code(), urlid::ErrorCode::ListLine);
    }
    for scope in [
        "[]", "[h", "[h] x", "[h:80]", "[h:]", "[u@h]", "[h/a]", "[h/]", "[h/a b/]", "[*h]", "[h/?/]",
        "[h/#/]", "[h\\a/]", "[a..%]",
    ] {
        let error = error(&format!("urlid-rules 1\n{scope}\n"));
        let expected = "expected [HOST], [HOST/PREFIX/], [*.DOMAIN] or [*], without a port";
        assert!(
            error.to_string().ends_with(expected) && error.place() == Some(Place::Number(2)),
            "{scope}: {error}"
        );
    }
    assert!(Rules::parse(&format!("urlid-rules 1\n{}", nested_scopes(31))).is_ok());
    let long = " ".repeat(Rules::MOST_BYTES + 1);
    assert_eq!(error(&long).code(), urlid::ErrorCode::LineLen);
}

/// Pairs of names, with and without a star, of which some say something of one field.
#[test]
fn a_pattern_contradicts_the_names_that_it_covers() {
    let names = ["a", "a*", "ab", "ab*", "abc", "b", "*"];
    let covers = |pattern: &str, name: &str| match pattern.strip_suffix('*') {
        Some(start) => name.trim_end_matches('*').starts_with(start),
        None => pattern == name,
    };
    for first in names {
        for second in names {
            let text = format!("urlid-rules 1\n[h]\ndrop x {first} y\nhold {second} z\n");
            let expected = covers(first, second) || covers(second, first);
            assert_eq!(Rules::parse(&text).is_err(), expected || first == "*" || second == "*", "{text}");
        }
    }
}

#[test]
fn the_step_goes_with_web_and_steps_that_leave_host_and_path() {
    let rules = rules("[h.example]\ndrop a");
    let form = |name: &str| Form::parse_with_rules(name, &[], Some(&rules)).map(|form| form.to_string());
    let name = format!("web+rules@{}", rules.name());
    for steps in ["", "+drop-fragment+sort-query+drop-query=q+drop-tracking@firefox-46740ded+https"] {
        let full = format!("{name}{steps}");
        assert_eq!((form(&full), form(&format!("web+rules{steps}"))), (Ok(full.clone()), Ok(full)));
    }
    for (name, expected) in [
        ("web+rules+strip-www", "step strip-www cannot follow rules: expected `alias` in the file of rules"),
        (
            "web+rules+trailing-slash",
            "step trailing-slash cannot follow rules: expected `slash` in the file of rules",
        ),
        ("generic+rules", "step rules cannot follow `generic`: expected web or page-1"),
        (
            "web+rules=x",
            "step of the canonical form is unknown: found `rules=x`, expected one of rules@NAME, \
             no-vary-search-05=FIELD, drop-fragment, drop-anchor, sort-query, drop-query=NAMES, drop-tracking@LIST, \
             drop-session, drop-values, strip-www, trailing-slash, https",
        ),
    ] {
        assert_eq!(form(name).map_err(|error| error.to_string()), Err(expected.to_owned()));
    }
    assert_eq!(form("web+drop-fragment+rules"), Ok(format!("{name}+drop-fragment")));
    assert!(form("web+rules+rules").is_err());
    let other =
        format!("rules of sites do not match the form: found `{}`, expected rules-00000000", rules.name());
    assert_eq!(form("web+rules@rules-00000000").map_err(|error| error.to_string()), Err(other));
    for name in ["web+rules", &name] {
        assert!(name.parse::<Form>().expect_err(name).is(NO_RULES));
    }
}

#[test]
fn a_trace_lists_each_line_once_in_the_order_of_the_stages() {
    let rules = rules("[h.example]\norder\ndrop a\n");
    let form = Form::parse_with_rules("web+rules", &[], Some(&rules)).expect("a form");
    let trace = form.canonicalizer().trace("http://h.example/?c&a=1&b&a=2");
    assert_eq!(trace.result.as_deref(), Ok("http://h.example/?b&c"));
    let lines: Vec<(u32, &str)> =
        trace.changes[0].decided_by.iter().map(|by| (by.line, by.rule.as_str())).collect();
    assert_eq!(lines, [(4, "[h.example] drop a"), (3, "[h.example] order")]);
}
