//! What SXURLs hold: decode, probe, and the check that an id fails.

use crate::support::urlid;

const ID: &str = "13e62fe9cee73c091a1a7baa4cd029005098911d78458033269b3218b290e78f";

#[test]
fn decode_prints_version_scheme_flags_port_and_slices() {
    let row = "1\thttp\ttrue\ttrue\ttrue\ttrue\t80\t62fe\t9cee73c091a1a7b\taa4cd029\t98911d784580332\t69b3218b2\t90e78f\n";
    urlid(["parts", "--of", "id", ID]).is_quiet(0, row);
    let docs = "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356";
    let row = "1\thttps\tfalse\tfalse\tfalse\tfalse\t\t2397\tf4018b8efa86c31\t440f00a9\t98911d784580332\tc354b043a\t29e356\n";
    urlid(["parts", "--of", "id", docs]).is_quiet(0, row);
    let out = urlid(["parts", "--of", "id", "--format", "ndjson", ID]);
    let flags = r#""version":1,"scheme":"http","has_sub":true,"has_params":true,"has_frag":true,"has_port":true,"port":80"#;
    assert!(out.out.contains(flags), "{}", out.out);
    assert!(out.out.contains(r#""tld_number":25342,"domain_number":706756436580506235,"#), "{}", out.out);
}

#[test]
fn a_bad_id_is_refused_by_the_check_that_it_fails() {
    let with = |start: &str, port: &str| format!("{start}{}{port}{}", &ID[start.len()..30], &ID[34..]);
    for (id, code) in [
        (ID[1..].to_owned(), "ERR_ID_LENGTH"),
        (ID.replace("62fe", "62fg"), "ERR_ID_HEX"),
        (with("2", "0050"), "ERR_ID_VERSION"),
        (with("1e", "0050"), "ERR_INVALID_SCHEME"),
        (with("13f", "0050"), "ERR_ID_RESERVED"),
        (with("13e", "0000"), "ERR_PORT"),
    ] {
        let out = urlid(["parts", "--of", "id", &id]);
        assert_eq!(out.code, Some(3), "{id}");
        assert!(out.err.contains(&format!(": {code}: ")), "{id}: {}", out.err);
    }
}

#[test]
fn detect_and_explain_show_the_check_that_an_id_fails() {
    let reserved = ID.replacen("13e", "13f", 1);
    urlid(["parts", "--of", "text", &reserved])
        .is_quiet(0, "sxurl-crate-0 url-hash url-hash-0.1 (no sxurl: ERR_ID_RESERVED)\n");
    let out = urlid(["explain", &reserved]);
    assert!(out.out.contains("sxurl                ERR_ID_RESERVED: "), "{}", out.out);
    let out = urlid(["explain", &ID[1..]]);
    assert_eq!(out.code, Some(3));
    assert!(out.err.contains("ERR_ID_LENGTH"), "{}", out.err);
    let out = urlid(["parts", "--of", "text", &ID[1..]]);
    assert_eq!((out.code, out.out.as_str()), (Some(1), "(no sxurl: ERR_ID_LENGTH)\n"));
}

#[test]
fn probe_prints_the_hash_of_a_value_and_the_ranges_of_ids() {
    urlid(["probe", "domain", "GOOGLE"]).is_quiet(0, "03e9505795e1d08\n");
    let csv = "slice,value,digits,number,hex_start,hex_end\npath,/search,239f9d65dd89753,160433960841156435,34,49\n";
    urlid(["probe", "--format", "csv", "path", "/search"]).is_quiet(0, csv);
    let out = urlid(["probe", "domain", "google", "--ranges", "--tld", "com"]);
    assert_eq!(out.out.lines().count(), 48);
    let first = format!("10062fe03e9505795e1d08{}\t10062fe03e9505795e1d08{}", "0".repeat(42), "f".repeat(42));
    assert_eq!(out.out.lines().next(), Some(first.as_str()));
    let out = urlid(["probe", "tld", "com", "--ranges"]);
    assert_eq!(out.out.lines().count(), 48);
    let first = format!("10062fe{}\t10062fe{}", "0".repeat(57), "f".repeat(57));
    assert_eq!(out.out.lines().next(), Some(first.as_str()));
    for refused in
        [&["tld", "com", "--tld", "com"][..], &["domain", "google", "--ranges"], &["path", "/", "--ranges"]]
    {
        assert_eq!(urlid(["probe"].iter().chain(refused)).code, Some(2), "{refused:?}");
    }
    assert_eq!(urlid(["probe", "domain", "a b"]).code, Some(2));
}

#[test]
fn probe_takes_a_port() {
    urlid(["probe", "port", "8443"]).is_quiet(0, "20fb\n");
    urlid(["probe", "port", "80", "--format", "csv"])
        .is_quiet(0, "slice,value,digits,number,hex_start,hex_end\nport,80,0050,80,30,34\n");
    for port in ["0", "65536", "x", ""] {
        let out = urlid(["probe", "port", port]);
        assert!(out.code == Some(2) && out.err.contains("ERR_PORT"), "{out:?}");
    }
}

#[test]
fn probe_has_hints_for_values_that_no_url_has() {
    for (slice, value, hint) in [
        (
            "domain",
            "google.com",
            "domain is one label: found `google.com`, expected `google` with tld `com`, or `google.com` as host",
        ),
        ("tld", "google.com", "`google.com` is no public suffix: its suffix is `com`"),
        ("path", "search", "path is no path: found `search`, expected a slash first"),
        ("path", "", "an empty path counts as `/`"),
        ("params", "?a=1", "params is written without its `?`: try params 'a=1'"),
        ("frag", "#f", "frag is written without its `#`: try frag 'f'"),
        ("path", "/a?b", "`?` ends the part of path: try path '/a'"),
        ("path", "/a#b?c", "`#` ends the part of path: try path '/a'"),
        ("params", "a#b", "`#` ends the part of params: try params 'a'"),
    ] {
        let out = urlid(["probe", slice, value]);
        assert_eq!((out.code, out.err), (Some(0), format!("urlid: hint: {hint}\n")), "{slice} {value}");
    }
    for tld in ["127", "0x1f"] {
        let err = urlid(["probe", "tld", tld]).err;
        assert!(err.starts_with("urlid: hint: ") && err.lines().count() == 1, "{tld}: {err}");
    }
    for (slice, value) in
        [("sub", ""), ("frag", "a#b?"), ("params", "a?b"), ("path", "/%"), ("tld", "xn--p1ai")]
    {
        assert_eq!(urlid(["probe", slice, value]).err, "", "{slice} {value}");
    }
    let out = urlid(["probe", "tld", ".ai"]);
    assert!(out.code == Some(2) && out.err.contains("urlid: try tld ai\n"), "{out:?}");
    assert_eq!(
        urlid(["--psl", "none", "probe", "tld", "co.uk"]).err,
        "urlid: hint: `co.uk` is no public suffix: its suffix is `uk`\n"
    );
}
