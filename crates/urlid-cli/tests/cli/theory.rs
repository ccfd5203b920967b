//! The verbs of the Theory of URLs: goto, upto, ord, and the picture of what survives.

use crate::support::urlid;

#[test]
fn goto_prints_where_references_lead() {
    let base = "http://h/a/b?q#f";
    let targets = "http://h/a/../c?q\nhttp://g\nhttp://h/a/b?q#x\nhttp:d\n";
    urlid(["ref", "goto", base, "../c?q", "//g", "#x", "http:d"]).is_quiet(0, targets);
    urlid(["ref", "goto", "--mode", "nonstrict", base, "HTTP:d"]).is_quiet(0, "http://h/a/d\n");
    urlid(["ref", "goto", "a/b", "c"]).is_quiet(0, "a/c\n");
    urlid(["ref", "goto", "--context", "rfc3986", "file:///x/y", r"\z"]).is_quiet(0, "file:///x/\\z\n");
    let row = r#"{"line":1,"reference":"c","url":"a/c","error":null}"#;
    urlid(["ref", "goto", "--format", "ndjson", "a/b", "c"]).is_quiet(0, &format!("{row}\n"));
}

#[test]
fn goto_refuses_what_leads_to_no_url() {
    let out = urlid(["ref", "goto", "file:///a", "//u@h", "b"]);
    assert_eq!((out.code, out.out.as_str()), (Some(3), "\nfile:///b\n"));
    assert!(out.err.contains("ERR_NO_URL"), "{}", out.err);
}

#[test]
fn ord_and_upto_print_orders_and_prefixes() {
    urlid(["ref", "ord", "http:", "//h", "/a", "a/b", "b", "?", "#", ""])
        .is_quiet(0, "scheme\nauthority\nroot\ndirectory\nfile\nquery\nfragment\nfragment\n");
    urlid(["ref", "upto", "query", "http://h/a/b?q#f", "b#f"]).is_quiet(0, "http://h/a/b\nb\n");
    urlid(["ref", "upto", "directory", "a/b/c"]).is_quiet(0, "a/b/\n");
    urlid(["ref", "ord", "--context", "file", "C|/a"]).is_quiet(0, "drive\n");
    assert_eq!(urlid(["ref", "upto", "path", "a"]).code, Some(2));
}

#[test]
fn the_empty_url_is_a_base() {
    urlid(["explain", "", "--goto", "c"])
        .is_quiet(0, "goto\n             file\n  base\n  reference  c\n\n  target     c\n");
    urlid(["ref", "goto", "", "c"]).is_quiet(0, "c\n");
    urlid(["explain", ""]).is_quiet(0, "");
}

#[test]
fn parse_names_the_kind_of_a_host() {
    let hosts = [
        ("h", "domain"),
        ("1.2.3.4", "ipv4"),
        ("01.2.3.4", "domain"),
        ("[::1]", "ipv6"),
        ("a%20", "opaque"),
        ("", "empty"),
    ];
    for (host, kind) in hosts {
        let out = urlid(["ref", "parse", "--format", "ndjson", &format!("//{host}/")]).out;
        assert!(out.contains(&format!("\"host\":\"{host}\",\"host_kind\":\"{kind}\",")), "{out}");
    }
}

#[test]
fn explain_shows_which_tokens_survive_a_goto() {
    let picture = "\
goto
             scheme  authority  root  directory  directory  file  query  fragment
  base       http    h          /     a                     (b)   (q)    (f)
  reference                                      ..         c            ''

  target     http://h/a/../c#
";
    urlid(["explain", "http://h/a/b?q#f", "--goto", "../c#"]).is_quiet(0, picture);
    let out = urlid(["explain", "--format", "json", "s:f", "--goto", "S:", "--mode", "nonstrict"]);
    let json = r#"{"base":[{"kind":"scheme","text":"s","survives":true},{"kind":"file","text":"f","survives":true}],"reference":[{"kind":"scheme","text":"S","survives":false}],"target":"s:f"}"#;
    out.is_quiet(0, &format!("{json}\n"));
}
