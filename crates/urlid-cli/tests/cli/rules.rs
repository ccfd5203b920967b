//! Rules of sites: `--rules FILE` on the verbs that take a form, and stores that carry the rules.

use crate::support::{Folder, Ran, command, finish, urlid, urlid_on};

/// The form has the first digits of the SHA-256 of the canonical text, which is this text without the
/// comment.
const RULES: &str = "urlid-rules 1\n[v.example] # of hand\nalias m.v.example\nkeep v\n";
const FORM: &str = "web+rules@rules-d9bf2261";
const URLS: &str = "https://m.v.example/w?v=1&t=2\nhttps://v.example/w?t=3&v=1\nhttps://v.example/w?v=2\n";

fn text(path: &std::path::Path) -> &str {
    path.to_str().expect("is text")
}

fn has(ran: &Ran, code: i32, said: &str) {
    assert!(ran.code == Some(code) && ran.err.contains(said), "{:?}: {}{}", ran.code, ran.out, ran.err);
}

#[test]
fn rules_are_given_by_a_file() {
    let folder = Folder::new();
    let (rules, other) =
        (folder.file("site.rules", RULES), folder.file("other", "urlid-rules 1\n[h]\ndropp a\n"));
    let url = "https://m.v.example/w?v=1&t=2";
    let verbs: [&[&str]; 5] = [
        &["canon", "--as", FORM],
        &["canon", "diff", "--to", "web", "--from", FORM],
        &["id", "--as", FORM],
        &["explain", "--as", FORM],
        &["uniq", "--as", FORM],
    ];
    for verb in verbs {
        let with = |file| urlid([verb, &["--rules", text(file), url]].concat());
        let ran = with(&rules);
        assert!(ran.code == Some(0) && !ran.out.is_empty(), "{verb:?}: {}", ran.err);
        urlid([verb, &[url]].concat()).is(
            2,
            "",
            "urlid: ERR_CANON_NAME: rules of sites are not given: found `rules-d9bf2261`, expected a file of rules\n\
             urlid: --rules FILE gives the rules\n",
        );
        has(
            &with(&other),
            4,
            "ERR_LIST_LINE: rule at line 3 is unknown: found `dropp`, expected one such as drop",
        );
    }
    let canon = |form: &str| urlid(["canon", "--as", form, "--rules", text(&rules), url]);
    canon("web+rules@rules-00000000").is(
        2,
        "",
        "urlid: ERR_CANON_NAME: rules of sites are not those that the form names: found `rules-d9bf2261`, expected \
         rules-00000000\n",
    );
    canon("web+rules+https").is_quiet(0, "https://v.example/w?v=1\n");
    canon("web").is(2, "", "urlid: --rules: the form has no step +rules, which uses them\n");
    has(
        &canon("web+rules+strip-www"),
        2,
        "step strip-www cannot follow rules: expected `alias` in the file of rules",
    );
    has(&canon("surt-0.3.1+rules"), 2, "ERR_CANON_NAME");
    has(
        &urlid(["uniq", "--rules", text(&rules), url]),
        2,
        "--rules goes with --as, and a form with the step +rules",
    );
}

#[test]
fn explain_and_diff_print_the_lines_that_decided() {
    let folder = Folder::new();
    let rules = folder.file("site.rules", RULES);
    let with = ["--rules", text(&rules), "--as", "web+rules"];
    let (a, b) = ("https://m.v.example/w?v=1&t=2", "https://v.example/w?v=1");
    let ran = urlid([&["explain", a][..], &with].concat());
    let said = "  +rules@rules-d9bf2261  Apply the rules of the site.\n    line 3: [v.example] alias m.v.example\n    \
                line 4: [v.example] keep v\n";
    assert!(ran.code == Some(0) && ran.out.contains(said), "{}{}", ran.out, ran.err);
    let ran = urlid([&["explain", "--format", "json", a][..], &with].concat());
    let said = r#""decided_by":[{"line":3,"rule":"[v.example] alias m.v.example"},{"line":4,"rule":"[v.example] keep v"}]"#;
    assert!(ran.out.contains(said), "{}", ran.out);
    let ran = urlid([&["diff", a, b][..], &with].concat());
    let said = "same under web+rules@rules-d9bf2261: ignores host, query\n    line 3: [v.example] alias m.v.example\n    \
                line 4: [v.example] keep v\n";
    assert!(ran.code == Some(0) && ran.out.contains(said), "{}{}", ran.out, ran.err);
}

#[test]
fn a_field_of_http_decides_in_place_of_a_form() {
    let diff = |field: &str, a: &str, b: &str| urlid(["diff", "--no-vary-search", field, a, b]);
    let [a, b] = ["https://h.example/?a=1&b=2&utm_source=x", "https://h.example/?b=2&a=%31"];
    let ran = diff("params=(\"utm_source\"), key-order", a, b);
    let said =
        "same under web+no-vary-search-05=params%3D%28%22utm_source%22%29%2C%20key-order: ignores query\n";
    assert!(ran.code == Some(0) && ran.out.contains(said), "{}{}", ran.out, ran.err);
    assert_eq!(diff("params=(\"utm_source\")", a, b).code, Some(1));
    assert_eq!(diff("params, except=(\"b\")", a, b).code, Some(1));
    let browsers = ["diff", "--browser-syntax", "--no-vary-search", "params, except=(\"b\")", a, b];
    assert_eq!(urlid(browsers).code, Some(0));
    assert_eq!(diff("key-order", a, "no url").code, Some(3));
    assert_eq!(urlid(["diff", "--as", "web", "--no-vary-search", "key-order", a, b]).code, Some(2));
}

/// A host that is honest, one whose field joins two pages, one whose field is not valid, and one without.
#[test]
fn what_hosts_declare_is_compared_with_their_captures() {
    let record = |url: &str, fields: &str, body: &str| {
        let message = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n{fields}\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
             Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{message}\r\n\r\n",
            message.len()
        )
    };
    let [honest, split] = [
        "No-Vary-Search: params=(\"s\"), key-order\r\n",
        "No-Vary-Search: params=(\"s\")\r\nno-vary-search: key-order\r\n",
    ];
    let lying = "No-Vary-Search: except=(\"q\")\r\n";
    let warc = [
        record("http://honest.example/?a=1&b=2&s=x", honest, "one"),
        record("http://honest.example/?b=2&a=1", split, "one"),
        record("http://honest.example/?b=2&a=3", honest, "two"),
        record("http://lying.example/?q=1&id=1", lying, "first"),
        record("http://lying.example/?q=1&id=2", lying, "second"),
        record("http://lying.example/?q=1&id=3", "", "without the field"),
        record("http://broken.example/?q", "No-Vary-Search: params=1\r\n", "text"),
        record("http://silent.example/?q", "", "text"),
    ];
    let folder = Folder::new();
    let path = folder.file("h.warc", warc.concat());
    let args = ["rules", "test", "--quiet", "--as", "web", text(&path)];
    let ran = urlid(args);
    let declared: Vec<&str> = ran.out.lines().skip_while(|line| !line.contains(" declares ")).collect();
    let expected = [
        "broken.example declares No-Vary-Search: params=1: 1 capture, not valid or without effect",
        "honest.example declares No-Vary-Search: params=(\"s\"), key-order: 3 captures, 1 judged, 0 wrong",
        "lying.example declares No-Vary-Search: except=(\"q\"): 2 captures, 1 judged, 1 wrong",
        "                 http://lying.example/?q=1&id=1 != http://lying.example/?q=1&id=2",
    ];
    assert_eq!(declared, expected, "{}{}", ran.out, ran.err);

    let page = folder.path().join("h.html");
    let ran = urlid([&args[..], &["--format", "json", "--html", text(&page)]].concat());
    let lie = r#"{"host":"lying.example","field":"except=(\"q\")","says_something":true,"captures":2,"judged":1,"wrong":1,"#;
    assert!(ran.out.contains(lie), "{}{}", ran.out, ran.err);
    let page = std::fs::read_to_string(page).expect("it was written");
    assert!(page.contains(
        "<td><code>except=(&quot;q&quot;)</code><td>2 captures, 1 judged, 1 wrong<div class=wrong>"
    ));
}

#[test]
fn stores_carry_the_rules_of_their_form() {
    let folder = Folder::new();
    let rules = folder.file("site.rules", RULES);
    // Other rules have another name.
    let other = folder.file("other.rules", "urlid-rules 1\n[v.example]\nkeep v\n");
    let lines = folder.file("urls.txt", URLS);
    let [index, dataset, seen] = ["urls.db", "urls", "seen"].map(|name| folder.path().join(name));
    let [index, dataset, seen] = [&index, &dataset, &seen].map(|path| text(path));
    let with = ["--as", "web+rules", "--rules", text(&rules)];
    for args in [&["index", "add", index][..], &["index", "build", dataset]] {
        let ran = urlid([args, &with, &[text(&lines)]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
    let uniq = |args: &[&str], input: &str| {
        urlid_on(input.as_bytes(), [&["uniq", "--seen", seen][..], args].concat())
    };
    uniq(&with, URLS).is_quiet(0, "https://m.v.example/w?v=1&t=2\nhttps://v.example/w?v=2\n");
    // The file is lost.
    std::fs::remove_file(&rules).expect("it is there");
    for store in [index, dataset] {
        let shown = urlid(["index", "show", store]);
        assert!(shown.out.contains(FORM), "{}{}", shown.out, shown.err);
        urlid(["index", "get", store, "https://m.v.example/w?x&v=2"])
            .is_quiet(0, "https://v.example/w?v=2\n");
        assert_eq!(urlid(["index", "verify", store]).code, Some(0));
        let get = urlid(["index", "get", store, "https://v.example/", "--rules", text(&other)]);
        has(&get, 4, "rules of sites are not those that the form names: found `rules-");
    }
    let add = urlid_on(b"https://v.example/w?v=3&t\n", ["index", "add", index]);
    assert_eq!(add.code, Some(0), "{}", add.err);
    urlid(["index", "get", index, "https://v.example/w?v=3"]).is_quiet(0, "https://v.example/w?v=3\n");
    uniq(&[], "https://v.example/w?v=2&t\nhttps://v.example/w?v=3&t\n")
        .is_quiet(0, "https://v.example/w?v=3&t\n");
    assert_eq!(urlid(["index", "verify", seen]).code, Some(0));
    // Without them the keys could not be made any more.
    std::fs::write(std::path::Path::new(seen).join("rules.zst"), b"").expect("writes");
    has(
        &uniq(&[], URLS),
        4,
        "ERR_INDEX_DAMAGED: seen-set is damaged: rules that the description does not name",
    );
    assert_eq!(urlid(["index", "verify", seen]).code, Some(1));
}

/// The columns of captures: URL, digest, status, redirect and time. Of thirty pages each has four names; one
/// host leads to the other, and what is not there has one content.
fn captures() -> Vec<[String; 5]> {
    let mut rows = Vec::new();
    let mut add = |url: String, digest: &str, status: &str, redirect: &str| {
        let time = (20_260_101_000_000 + rows.len()).to_string();
        rows.push([url, digest.to_owned(), status.to_owned(), redirect.to_owned(), time]);
    };
    for id in 1..=30 {
        let (page, digest) = (format!("http://h.example/t?id={id}"), format!("{id:032}"));
        for src in ["", "&src=a", "&src=b'<c>", "&src=d"] {
            // Twice, so that the digests can be judged.
            (0..2).for_each(|_| add(format!("{page}{src}"), &digest, "200", "-"));
        }
        add(format!("http://www.h.example/t?id={id}"), "MOVED", "301", &page);
        add(format!("http://h.example/gone?x={id}"), "GONE", "404", "-");
    }
    rows
}

#[test]
fn tables_teach_what_an_index_teaches() {
    let (folder, rows) = (Folder::new(), captures());
    let lines = |head: &str, line: &dyn Fn(&[String; 5]) -> String| {
        let lines: String = rows.iter().map(|row| line(row) + "\n").collect();
        format!("{head}\n{lines}")
    };
    let cdx = lines(" CDX N b a m s k r V g", &|[url, digest, status, redirect, time]| {
        format!("x {time} {url} text/html {status} {digest} {redirect} 0 f.warc.gz")
    });
    let csv = lines("url,digest,status,redirect,time", &|row| row.join(","));
    let tsv =
        lines("time\tredirect\turl\tother\tdigest\tstatus", &|[url, digest, status, redirect, time]| {
            [time.as_str(), redirect, url, "7", digest, status].join("\t")
        });
    let ndjson = lines("", &|[url, digest, status, redirect, time]| {
        format!(
            r#"{{"status":{status},"url":"{url}","time":"{time}","digest":"{digest}","redirect":"{redirect}"}}"#
        )
    });
    let learned = urlid(["learn", "--quiet", text(&folder.file("t.cdx", cdx))]);
    assert_eq!(learned.code, Some(0), "{}", learned.err);
    let rules: Vec<_> =
        learned.out.lines().filter_map(|line| line.split_once("  #")).map(|(rule, _)| rule).collect();
    assert_eq!(rules, ["alias www.h.example", "drop src"]);
    for (name, table) in [("t.csv", csv), ("t.tsv", tsv), ("t.ndjson", ndjson.trim_start().to_owned())] {
        let table = folder.file(name, table);
        let learn = ["learn", "--quiet", "--column", "url", "--content", "digest", text(&table)];
        urlid(learn).is_quiet(0, &learned.out);
    }
    // A URL that is a number is none.
    let number = folder.file("number", "{\"url\":7,\"digest\":1}\n");
    let ran = urlid(["learn", "--column", "url", "--content", "digest", text(&number)]);
    assert!(ran.code == Some(3) && ran.err.contains("number:1: ERR_COLUMN"), "{:?} {}", ran.code, ran.err);
    // A row without a URL is refused by its line, and the others teach.
    let bad =
        std::fs::read_to_string(folder.path().join("t.csv")).expect("it is there") + "no url,D,200,-,1\n";
    let bad = folder.file("bad.csv", bad);
    let ran = urlid(["learn", "--column", "url", "--content", "digest", text(&bad)]);
    assert_eq!((ran.code, ran.out), (Some(3), learned.out));
    assert!(ran.err.contains("bad.csv:302: ERR_URL_PARSE"), "{}", ran.err);
}

#[test]
fn rules_are_tested_and_compared_on_a_table() {
    let folder = Folder::new();
    let table: String = captures().iter().map(|row| row.join(",") + "\n").collect();
    folder.file("t.csv", format!("url,digest,status,redirect,time\n{table}"));
    folder.file("old", "urlid-rules 1\n[h.example]\ndrop src\n");
    folder.file("new", "urlid-rules 1\n[h.example]\nalias www.h.example\ndrop src\n");
    folder.file("bad", "urlid-rules 1\n[h.example]\ndrop id src\n");
    let rules = |words: &str| {
        let columns = ["--column", "url", "--content", "digest", "t.csv"];
        let mut command = command();
        command.arg("rules").args(words.split(' ')).args(columns).current_dir(folder.path());
        finish(&mut command)
    };
    let moved =
        "  http://www.h.example/t?id=1\n    http://www.h.example/t?id=1\n    http://h.example/t?id=1\n";
    let ran = rules("diff old new");
    let said = format!("+ [h.example] alias www.h.example\n30 of 180 URLs get another key\n{moved}");
    assert!(ran.code == Some(1) && ran.out.starts_with(&said), "{:?} {}", ran.code, ran.out);
    let ran = rules("diff old new --format json");
    let said =
        r#"{"lost":[],"gained":["[h.example] alias www.h.example"],"urls":180,"moved":30,"examples":[["#;
    assert!(ran.code == Some(1) && ran.out.starts_with(said), "{:?} {}", ran.code, ran.out);

    let ran = rules("test old --min-precision 1 --html good.html");
    let said =
        "180 URLs, 90 skipped, 90 judged, 0 wrong: precision 1.0000, reduction 0.7500, 0 contents lost\n";
    assert!(ran.code == Some(0) && ran.out.contains(said), "{:?} {}", ran.code, ran.out);
    let ran = rules("test bad --min-precision 0.999 --html bad.html");
    assert!(ran.code == Some(1) && ran.out.contains(" wrong: precision 0."), "{:?} {}", ran.code, ran.out);
    let page = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("it was written");
    assert!(!page("good.html").contains(" class=wrong"));
    let bad = page("bad.html");
    assert!(bad.contains("<code>[h.example] drop id</code>") && bad.contains(" class=wrong"), "{bad}");
    // Nothing of a URL is markup, on either page.
    assert!(!bad.contains("<c>") && !page("good.html").contains("<c>"));
    for share in ["2", "-1", "x", "NaN"] {
        let ran = rules(&format!("test old --min-precision={share}"));
        assert!(
            ran.code == Some(2) && ran.err.contains("expected a number from 0 to 1"),
            "{share}: {}",
            ran.err
        );
    }
}
