//! `redact`: URLs without their secrets. What is a secret is in `vectors/functions.json`.

use crate::support::{Folder, urlid, urlid_on};

/// A line with a user, one without a secret, a blank one, and one that is not a URL.
const LINES: &[u8] = b"https://me:hunter2@h.example/?sig=hunter2&a=1\n/a?b\n\nhttp://me:hunter2@h:x/\n";

#[test]
fn no_format_prints_a_secret_or_a_refused_line() {
    let shown = "https://REDACTED:REDACTED@h.example/?sig=REDACTED&a=1";
    let said = "-:4: ERR_URL_PARSE: text is not a URL reference, by the URL Standard or RFC 3986\n\
                urlid: 1 line refused: 1 ERR_URL_PARSE\n";
    for (format, out) in [
        ("text", format!("{shown}\n/a?b\n\n\n")),
        ("tsv", format!("redacted\terror\n{shown}\t\n/a?b\t\n\t\n\tERR_URL_PARSE\n")),
        (
            "ndjson",
            format!(
                "{{\"line\":1,\"redacted\":\"{shown}\",\"error\":null}}\n\
                 {{\"line\":2,\"redacted\":\"/a?b\",\"error\":null}}\n\
                 {{\"line\":3,\"redacted\":null,\"error\":null}}\n\
                 {{\"line\":4,\"redacted\":null,\"error\":\"ERR_URL_PARSE\"}}\n"
            ),
        ),
    ] {
        let ran = urlid_on(LINES, ["redact", "--format", format]);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(3), out.as_str(), said), "{format}");
    }
}

#[test]
fn no_hint_quotes_a_line() {
    let ran = urlid_on(b"localhost:8080/?sig=hunter2\nh.example:80x/?sig=hunter2\n", ["redact"]);
    assert!(!format!("{ran:?}").contains("hunter2"), "{ran:?}");
}

#[test]
fn an_argument_that_is_not_a_file_is_not_shown() {
    for argument in ["h.example/?sig=hunter2", "?sig=hunter2", "./a?sig=hunter2", "c:?sig=hunter2", "hunter2"]
    {
        let ran = urlid(["redact", argument]);
        assert!(ran.code == Some(4) && !format!("{ran:?}").contains("hunter2"), "{ran:?}");
    }
    for options in [["--file"].as_slice(), &["--column", "url"]] {
        let ran = urlid([&["redact"], options, &["http://h/?sig=hunter2"]].concat());
        assert!(ran.code == Some(4) && !format!("{ran:?}").contains("hunter2"), "{ran:?}");
    }
}

#[test]
fn columns_get_a_column_beside_them() {
    urlid_on(b"n,url\n1,//u@h/\n", ["redact", "--column", "url", "-"])
        .is_quiet(0, "n,url,url_redacted\n1,//u@h/,//REDACTED:REDACTED@h/\n");
}

#[test]
fn names_are_those_of_a_file() {
    let folder = Folder::new();
    let names = folder.file("names", b"token\r\n\nb c\n");
    let url = "http://h/?sig=1&token=2&b+c=3&b%20c=4#token=5";
    let names = names.to_str().expect("a name of a test");
    urlid(["redact", "--names", names, url])
        .is_quiet(0, "http://h/?sig=1&token=REDACTED&b+c=REDACTED&b%20c=REDACTED#token=REDACTED\n");
    urlid(["redact", "--names", names, "--list"]).is_quiet(0, &format!("{names}\ttoken\n{names}\tb c\n"));
    let list = urlid(["redact", "--list"]).out;
    assert!(list.lines().all(|line| line.starts_with("otel-1.44\t")) && list.contains("\tsig\n"), "{list}");
}

#[test]
fn names_are_read_as_lines_of_urls_are_and_there_must_be_one() {
    let folder = Folder::new();
    let url = "http://h/?token=1&k=2";
    for (names, shown) in [
        ("\u{feff}token", "http://h/?token=REDACTED&k=2"),
        ("\u{feff}token\r\nk\r\n", "http://h/?token=REDACTED&k=REDACTED"),
        ("token \n\t k\t\n", "http://h/?token=REDACTED&k=REDACTED"),
        ("token\rk\r", "http://h/?token=REDACTED&k=REDACTED"),
        ("\n\n k", "http://h/?token=1&k=REDACTED"),
    ] {
        let path = folder.file("names", names);
        let ran = urlid(["redact".as_ref(), "--names".as_ref(), path.as_os_str(), url.as_ref()]);
        ran.is_quiet(0, &format!("{shown}\n"));
    }
    for names in ["", "\n", "\u{feff}", " \r\n\t\n"] {
        let path = folder.file("names", names);
        let ran = urlid(["redact".as_ref(), "--names".as_ref(), path.as_os_str(), url.as_ref()]);
        assert!(ran.code == Some(4) && ran.out.is_empty() && ran.err.contains("ERR_LIST_LINE"), "{ran:?}");
    }
}

/// The digests of Python's `hmac`, under 32 bytes of 0x0b, of the texts `Hi%20There`, `x` and the empty one.
const HI_THERE: &str = "1b7fe3cad3e7ee7a003f2f0f2228b5a51ad83ebac8dfa588c3cfe70741ecd6a0";
const X: &str = "5d3c3c93c9a27bfd54d01463b747001843b127c1c7e1f86e6e5ab932dc0db762";
const EMPTY: &str = "5177e637aaac0b50e5dca8bb05b0b571444bd59b9b0d834d50681af21fc14b1e";

#[test]
fn equal_secrets_stay_equal_under_a_key() {
    let folder = Folder::new();
    let key = folder.file("key", [0x0b; 32]);
    let key = key.to_str().expect("a name of a test");
    let ran = urlid(["redact", "--keyed", key, "http://Hi%20There:x@h/?sig=x&a", "http://x@h/"]);
    ran.is_quiet(0, &format!("http://{HI_THERE}:{X}@h/?sig={X}&a\nhttp://{X}:{EMPTY}@h/\n"));

    let long = folder.file("long", [b'k'; 33]);
    let ran = urlid(["redact".as_ref(), "--keyed".as_ref(), long.as_os_str(), "http://u@h/".as_ref()]);
    let said = "ERR_KEY: key has the wrong length: found 33 bytes, expected 32\n";
    assert!(ran.code == Some(4) && ran.out.is_empty() && ran.err.ends_with(said), "{ran:?}");
}
