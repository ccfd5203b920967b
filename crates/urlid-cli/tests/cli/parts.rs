//! Parts of URLs, templates, hosts at their suffix, and texts without a scheme.

use serde_json::{Value, json};

use crate::support::{DOCS, DOCS_ID, Folder, Ran, urlid, urlid_on};

const URL: &str = "HTTPS://us%65r:secret@www.Example.co.uk:8443/a/./b c?q=1&utm_source=%C3%A9+x#f";

const COLUMNS: [&str; 14] = [
    "scheme",
    "user",
    "host",
    "host_kind",
    "port",
    "sub",
    "domain",
    "tld",
    "registered_domain",
    "path",
    "file",
    "query",
    "fragment",
    "origin",
];

fn parts(args: &[&str]) -> Value {
    let ran = urlid(["parts", "--format", "ndjson"].iter().chain(args));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    serde_json::from_str(&ran.out).expect("it is an object")
}

#[test]
fn parts_are_those_of_the_normal_form_in_every_format() {
    let values = [
        "https",
        "us%65r",
        "www.example.co.uk",
        "domain",
        "8443",
        "www",
        "example",
        "co.uk",
        "example.co.uk",
        "/a/b%20c",
        "b%20c",
        "q=1&utm_source=%C3%A9+x",
        "f",
        "https://www.example.co.uk:8443",
    ];
    urlid(["parts", URL]).is_quiet(0, &format!("{}\n", values.join("\t")));
    for (format, separator) in [("csv", ","), ("tsv", "\t")] {
        let names = COLUMNS.join(separator);
        let expected = format!(
            "url{separator}{names}{separator}error\n{URL}{separator}{}{separator}\n",
            values.join(separator)
        );
        urlid(["parts", "--format", format, URL]).is_quiet(0, &expected);
    }
    let object = parts(&[URL]);
    for (name, value) in COLUMNS.iter().zip(values) {
        let expected = if *name == "port" { json!(8443) } else { json!(value) };
        assert_eq!(object[name], expected, "{name}");
    }
    assert_eq!(object["query_pairs"], json!([["q", "1"], ["utm_source", "é x"]]));
}

#[test]
fn parts_in_the_columns_of_common_crawl() {
    let object = parts(&["--as", "cc-host-2026-05", "http://A.b.kawasaki.jp:80/"]);
    assert_eq!(object["url_host_name"], "a.b.kawasaki.jp");
    assert_eq!(object["url_host_registered_domain"], "a.b.kawasaki.jp");
    assert_eq!((&object["url_port"], &object["url_query"]), (&json!(80), &Value::Null));
    let ran = urlid(["parts", "--as", "cc-host-2026-05", "--raw", URL]);
    assert!(ran.code == Some(2) && ran.err.contains("cannot be used with"), "{}", ran.err);
    let ran = urlid(["parts", "--as", "cc-host-2026-05", "--format", "csv", "http://h:x/ y"]);
    assert!(ran.code == Some(3) && ran.err.contains("ERR_CANON: "), "{}", ran.err);
}

#[test]
fn parts_that_are_not_there_are_null() {
    let has = |url: &str| {
        let object = parts(&[url]);
        let names = COLUMNS.iter().filter(|name| !object[name].is_null());
        names
            .map(|name| format!("{name}={}", object[name].as_str().unwrap_or("number")))
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (url, expected) in [
        ("mailto:a@b", "scheme=mailto path=a@b"),
        ("file:///c:/x/", "scheme=file path=/c:/x/"),
        (
            "http://127.1:80?#",
            "scheme=http host=127.0.0.1 host_kind=ipv4 path=/ query= fragment= origin=http://127.0.0.1",
        ),
        ("ws://[::1]/x", "scheme=ws host=[::1] host_kind=ipv6 path=/x file=x origin=ws://[::1]"),
        ("ssh://git@Host/r", "scheme=ssh user=git host=Host host_kind=opaque path=/r file=r"),
        ("http://co.uk", "scheme=http host=co.uk host_kind=domain tld=co.uk path=/ origin=http://co.uk"),
        (
            "http://a.com./",
            "scheme=http host=a.com. host_kind=domain domain=a tld=com registered_domain=a.com path=/ origin=http://a.com.",
        ),
        ("http://a..com/", "scheme=http host=a..com host_kind=domain path=/ origin=http://a..com"),
    ] {
        assert_eq!(has(url), expected, "{url}");
    }
    let ran = urlid(["parts", "/relative", "--assume", "https"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "https\t\trelative\tdomain\t\t\t\trelative\t\t/\t\t\t\thttps://relative\n")
    );
    urlid(["parts", "https://h:99999/"]).is(
        3,
        &format!("{}\n", "\t".repeat(13)),
        "argument:1: ERR_URL_PARSE: port is out of range: found `99999`, expected 0 to 65535\nurlid: 1 line refused: 1 ERR_URL_PARSE\n",
    );
}

#[test]
fn raw_parts_are_as_written() {
    let object = parts(&["--raw", URL]);
    for (name, value) in [
        ("scheme", "HTTPS"),
        ("user", "us%65r"),
        ("host", "www.Example.co.uk"),
        ("sub", "www"),
        ("registered_domain", "example.co.uk"),
        ("path", "/a/./b c"),
        ("file", "b c"),
        ("origin", "https://www.example.co.uk:8443"),
    ] {
        assert_eq!(object[name], value, "{name}");
    }
    assert_eq!(parts(&["--raw", "https://h:443"])["port"], "443");
    assert_eq!(parts(&["--raw", "https:\\\\h:0443"])["port"], "0443");
    urlid(["parts", "--raw", "--get", "{host}|{port}|{path}|{query:utm_source}", URL])
        .is_quiet(0, "www.Example.co.uk|8443|/a/./b c|%C3%A9+x\n");
}

#[test]
fn a_template_names_parts_and_parameters() {
    urlid(["parts", "--get", "{host} {tld} {query:utm_source}", URL])
        .is_quiet(0, "www.example.co.uk co.uk é x\n");
    urlid(["parts", "--get", r"{user}\t{{{port}}}", URL, DOCS]).is_quiet(0, "us%65r\t{8443}\n\t{}\n");
    // A value cannot forge a line.
    // The line ends of a template are line ends.
    urlid(["parts", "--get", r"{scheme}\n{host}", DOCS]).is_quiet(0, "https\ndocs.rs\n");
    urlid(["parts", "--get", "{query:a}", "https://h/?a=%0A%1b%c2%85"]).is_quiet(0, "%0A%1B%C2%85\n");
    urlid(["parts", "--format", "ndjson", "--get", "{url}", "https://H"])
        .is_quiet(0, "{\"line\":1,\"url\":\"https://H\",\"get\":\"https://h/\",\"error\":null}\n");
    let ran = urlid(["parts", "--get", "{hots}", DOCS]);
    let names = COLUMNS.join(", ");
    let expected = format!("unknown name {{hots}}: expected one of url, {names}, query:NAME");
    assert!(ran.code == Some(2) && ran.err.replace('\n', " ").contains(&expected), "{}", ran.err);
}

#[test]
fn parts_of_a_file_are_those_of_arguments() {
    let folder = Folder::new();
    let lines: Vec<String> =
        (0..30_000).map(|n| format!("https://u@h{}.example.co.uk/{n}?q={n}", n % 100)).collect();
    let path = folder.file("urls", lines.join("\n") + "\n\nno url\n");
    let path = path.to_str().expect("it is UTF-8");
    for format in ["text", "csv", "ndjson"] {
        let ran = urlid(["parts", "--format", format, path]);
        let by_line = urlid(["parts", "--format", format, path, "https:"]);
        let last = by_line.out.lines().next_back().expect("the argument has a row");
        let rows = by_line.out.strip_suffix(&format!("{last}\n")).expect("it is the last row");
        assert!(ran.code == Some(3) && ran.out == rows, "{format}");
    }
}

#[test]
fn split_takes_urls_and_every_host() {
    for (text, row) in [
        ("https://user@www.Example.co.uk:8443/a", "www,example,co.uk,example.co.uk,domain"),
        ("www.example.co.uk.", "www,example,co.uk,example.co.uk,domain"),
        ("http://b\u{fc}cher.de./", ",xn--bcher-kva,de,xn--bcher-kva.de,domain"),
        ("co.uk", ",,co.uk,,domain"),
        ("127.0.0.1", ",,,,ipv4"),
        ("0x7f.1.", ",,,,ipv4"),
        ("http://1.2.3.4:80/", ",,,,ipv4"),
        ("::1", ",,,,ipv6"),
        ("[2001:DB8::1]", ",,,,ipv6"),
        ("ssh://Host/", ",,,,opaque"),
        ("file:///a", ",,,,"),
    ] {
        let header = "host,sub,domain,tld,registered_domain,host_kind,error";
        urlid(["parts", "--of", "host", "--format", "csv", text])
            .is_quiet(0, &format!("{header}\n{text},{row},\n"));
    }
    for text in
        ["[::1]:80", "1.2.3.4:80", "[::1", "1.2.3.4/8", "a\tb", "https://a..b/", "https://h:x/", "1.2.3.4.5"]
    {
        let ran = urlid(["parts", "--of", "host", text]);
        assert!(ran.code == Some(3) && ran.err.starts_with("argument:1: ERR_"), "{text}: {}", ran.err);
    }
}

#[test]
fn a_name_without_a_scheme_may_be_a_url() {
    let ran = urlid(["id", "docs.rs"]);
    assert!(
        ran.code == Some(4) && ran.err.ends_with(" (no scheme: did you mean https://docs.rs?)\n"),
        "{}",
        ran.err
    );
    let ran = urlid(["id", "urls.txt"]);
    assert!(
        ran.code == Some(4)
            && ran.err.ends_with(" (a URL begins with its scheme; a reference is read from a file or `-`)\n"),
        "{}",
        ran.err
    );
    assert_eq!(urlid(["id", "--assume", "no scheme", "docs.rs"]).code, Some(2));
}

#[test]
fn a_scheme_can_be_assumed_by_every_verb() {
    let folder = Folder::new();
    let list = urlid(["list", "make", DOCS]).out;
    let list = folder.file("list", list);
    let list = list.to_str().expect("it is UTF-8");
    let hashed = urlid(["id", "--kind", "hashed-uri", DOCS]).out;
    let verbs: &[&[&str]] = &[
        &["id"],
        &["id", "--kind", "url-hash"],
        &["id", "--kind", "sxurl,hashed-uri"],
        &["canon", "--as", "surt-0.3.1"],
        &["canon", "diff", "--from", "web", "--to", "surt-0.3.1"],
        &["parts"],
        &["canon", "expressions"],
        &["list", "match", "--urls", hashed.trim_end()],
        &["psl", "diff", "compiled", "compiled"],
        &["list", "make"],
        &["list", "match", list],
        &["list", "audit", list],
    ];
    for verb in verbs {
        let run = |url: &str| urlid(verb.iter().chain(&["--assume", "https", url]));
        let (without, with) = (run("docs.rs/"), run(DOCS));
        let rest = |ran: &Ran| ran.out.replace(DOCS, "").replace("docs.rs/", "");
        let same = rest(&without) == rest(&with);
        assert!(
            same && without.code == with.code && without.code != Some(3),
            "{verb:?}: {without:?} {with:?}"
        );
        let piped = urlid_on(b"docs.rs/\n", verb.iter().chain(&["--assume", "https", "-"]));
        assert_eq!((piped.code, piped.out), (without.code, without.out), "{verb:?}");
    }
    let path = folder.file("urls", "docs.rs\n\nhttp://docs.rs\n");
    let ran = urlid(["id", "--assume", "https", "--file", path.to_str().expect("it is UTF-8")]);
    let http = urlid(["id", "http://docs.rs"]).out;
    ran.is_quiet(0, &format!("{DOCS_ID}\n\n{http}"));
    let index = folder.path().join("urls.db");
    let index = index.to_str().expect("it is UTF-8");
    let verb = ["index", "add", index, "-", "--assume", "https"];
    assert_eq!(urlid_on(b"docs.rs\n", verb).code, Some(0));
    urlid(["index", "find", index]).is_quiet(0, &format!("{DOCS}\n"));
    let ran = urlid_on(b"a,u\n1,docs.rs/x\n", verb.iter().chain(&["--column", "u"]));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    urlid(["index", "count", index]).is_quiet(0, "2\n");
}
