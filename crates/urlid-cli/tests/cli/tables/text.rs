//! CSV, TSV and ndjson: rows keep their bytes, and new values follow them.

use std::io::{Read, Write};
use std::process::Stdio;

use urlid_testing::{gzip, zstd};

use super::run;
use crate::support::{DOCS, DOCS_ID, Folder, command, urlid, urlid_on};

const SPLIT: &str =
    "url_host_sub,url_host_domain,url_host_private_suffix,url_host_private_domain,url_host_kind";

#[track_caller]
fn check(verb: &[&str], input: &[u8], code: i32, expected: &str) {
    let ran = urlid_on(input, verb.iter().chain(&["--column", "url", "-"]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(code), expected), "{verb:?}: {}", ran.err);
}

#[test]
fn rows_keep_every_byte_and_line_end() {
    let input = "\u{feff}id,\"url\",note\r\n1,https://docs.rs/,\"a \"\"quoted\"\"\nnote\"\r\n2,,x\n\n\"3\",\"https://docs.rs/\",\"\"\n4,https://docs.rs/, y";
    let expected = format!(
        "\u{feff}id,\"url\",note,url_sxurl\r\n1,https://docs.rs/,\"a \"\"quoted\"\"\nnote\",{DOCS_ID}\r\n2,,x,\n\n\"3\",\"https://docs.rs/\",\"\",{DOCS_ID}\n4,https://docs.rs/, y,{DOCS_ID}"
    );
    check(&["id"], input.as_bytes(), 0, &expected);
    check(&["id"], &gzip(input.as_bytes()), 0, &expected);
    check(&["id"], &zstd(input.as_bytes()), 0, &expected);
}

#[test]
fn each_verb_names_its_columns() {
    let folder = Folder::new();
    let list = folder.file("list", urlid(["list", "make", DOCS]).out);
    let list = list.to_str().expect("it is UTF-8");
    let parts = "url_protocol,url_user,url_host_name,url_host_kind,url_port,url_host_sub,url_host_domain,url_host_private_suffix,url_host_private_domain,url_path,url_file,url_query,url_fragment,url_origin";
    let icann =
        parts.replace("private_suffix", "registry_suffix").replace("private_domain", "registered_domain");
    let entry = urlid(["list", "match", list, DOCS]).out;
    let entry = entry.trim_end().rsplit('\t').next().expect("an entry");
    let table: &[(&[&str], &str, &str)] = &[
        (&["id"], "url_sxurl", DOCS_ID),
        (&["id", "-k", "sxurl,url-very-short-hash"], "url_sxurl,url_url_very_short_hash", ""),
        (&["canon", "--as", "web"], "url_canonical", DOCS),
        (&["canon", "--as", "ia-surt-1.3"], "url_surtkey", "\"rs,docs)/\""),
        (&["parts"], parts, "https,,docs.rs,domain,,,docs,rs,docs.rs,/,,,,https://docs.rs"),
        (
            &["parts", "--psl-sections", "icann"],
            &icann,
            "https,,docs.rs,domain,,,docs,rs,docs.rs,/,,,,https://docs.rs",
        ),
        (&["parts", "--get", "{host}"], "url_get", "docs.rs"),
        (&["parts", "--of", "host"], SPLIT, ",docs,rs,docs.rs,domain"),
        (&["parts", "--of", "text"], "url_formats", "url"),
        (&["list", "match", list], "url_list_entry", entry),
    ];
    for (verb, names, values) in table {
        let ran = urlid_on(format!("url\n{DOCS}\n").as_bytes(), verb.iter().chain(&["--column", "url", "-"]));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{verb:?}");
        let (header, row) = ran.out.split_once('\n').expect("two lines");
        assert_eq!(header, format!("url,{names}"), "{verb:?}");
        assert!(values.is_empty() || row == format!("{DOCS},{values}\n"), "{verb:?}: {row}");
    }
}

#[test]
fn refused_rows_have_nulls_and_are_reported_by_line() {
    let folder = Folder::new();
    let input = format!("url,n\n{DOCS},1\n\"https://h:0/\",2\n\"x\ny\",3\n{DOCS},4\n");
    let table = folder.file("t.csv", &input);
    let name = table.display();
    let ran = run(&["id"], &["--column", "url"], &table);
    let expected = format!(
        "url,n,url_sxurl\n{DOCS},1,{DOCS_ID}\n\"https://h:0/\",2,\n\"x\ny\",3,\n{DOCS},4,{DOCS_ID}\n"
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), expected.as_str()));
    assert!(ran.err.starts_with(&format!("{name}:3: ERR_PORT: ")), "{}", ran.err);
    assert!(ran.err.contains(&format!("\n{name}:4: ERR_INVALID_SCHEME: ")), "{}", ran.err);
    let reported = run(&["id"], &["--column", "url", "--on-refused", "report"], &table);
    assert_eq!((reported.code, reported.out, reported.err), (Some(0), ran.out, ran.err));
    run(&["id"], &["--column", "url", "--on-refused", "skip"], &table).is(
        0,
        &format!("url,n,url_sxurl\n{DOCS},1,{DOCS_ID}\n{DOCS},4,{DOCS_ID}\n"),
        "urlid: 2 lines skipped: 1 ERR_INVALID_SCHEME, 1 ERR_PORT\n",
    );
    let refused_lines = folder.path().join("refused");
    run(&["id"], &["--column", "url", "--refused", refused_lines.to_str().expect("it is UTF-8")], &table);
    let refused_lines = std::fs::read_to_string(refused_lines).expect("it was written");
    assert!(refused_lines.ends_with(&format!("{name}\t4\tERR_INVALID_SCHEME\tx\\x0ay\n")), "{refused_lines}");
    // Values that are not text or too long.
    let args = ["id", "--column", "url", "--max-line", "9", "--on-refused", "skip", "-"];
    let said = "urlid: 2 lines skipped: 1 ERR_LINE_LEN, 1 ERR_UTF8\n";
    urlid_on(b"url\n\xff\nlonglonglong\n\n", args).is(0, "url,url_sxurl\n,\n", said);
}

#[test]
fn tsv_and_ndjson_stay_what_they_are() {
    check(
        &["id"],
        format!("id\turl\r\n1\t{DOCS}\r\na\\tb\t\n").as_bytes(),
        0,
        &format!("id\turl\turl_sxurl\r\n1\t{DOCS}\t{DOCS_ID}\r\na\\tb\t\t\n"),
    );
    let input = format!(
        "{{ \"a\" : [1, {{\"url\": 2}}], \"url\":\"https:\\/\\/docs.rs/\" }} \r\n\n{{\"url\":null}}\n{{}}\n{{\"url\":\"{DOCS}\"}}"
    );
    let expected = format!(
        "{{ \"a\" : [1, {{\"url\": 2}}], \"url\":\"https:\\/\\/docs.rs/\" ,\"url_sxurl\":\"{DOCS_ID}\"}} \r\n\n{{\"url\":null,\"url_sxurl\":null}}\n{{\"url_sxurl\":null}}\n{{\"url\":\"{DOCS}\",\"url_sxurl\":\"{DOCS_ID}\"}}"
    );
    check(&["id"], input.as_bytes(), 0, &expected);
    let ran = urlid_on(b"{\"url\":\"http://h:81/?a=%20\"}\n", ["parts", "--column", "url", "-"]);
    let row: serde_json::Value = serde_json::from_str(&ran.out).expect("it is an object");
    assert_eq!(
        (&row["url_port"], &row["url_query_pairs"][0][1]),
        (&serde_json::json!(81), &serde_json::json!(" "))
    );
    // What is not an object, and what has no text, is refused alone.
    let ran = urlid_on(
        format!("{{\"url\":1}}\n[\n{{\"url\":\"{DOCS}\"}}\n").as_bytes(),
        ["id", "--column", "url", "--input-format", "ndjson", "-"],
    );
    assert_eq!(ran.code, Some(3));
    assert_eq!(
        ran.out,
        format!("{{\"url\":1,\"url_sxurl\":null}}\n[\n{{\"url\":\"{DOCS}\",\"url_sxurl\":\"{DOCS_ID}\"}}\n")
    );
    assert!(
        ran.err.contains("-:1: ERR_COLUMN: member `url` is no text") && ran.err.contains("-:2: ERR_TABLE: "),
        "{}",
        ran.err
    );
}

#[test]
fn several_columns_and_columns_by_number_have_names_of_their_own() {
    let input = format!("a,b\n{DOCS},\n,{DOCS}\n");
    let verb = ["id", "--column", "b", "--column", "a", "-"];
    let row = format!("a,b,b_sxurl,a_sxurl\n{DOCS},,,{DOCS_ID}\n,{DOCS},{DOCS_ID},\n");
    urlid_on(input.as_bytes(), verb).is_quiet(0, &row);
    urlid_on(input.as_bytes(), ["id", "--column-number", "2", "-"])
        .is_quiet(0, &format!("a,b,b_sxurl\n{DOCS},,\n,{DOCS},{DOCS_ID}\n"));
    urlid_on(format!("x,{DOCS}\n").as_bytes(), ["id", "--column-number", "2", "--no-header", "-"])
        .is_quiet(0, &format!("x,{DOCS},{DOCS_ID}\n"));
    urlid_on(input.as_bytes(), ["id", "--column", "a", "--prefix", "page", "-"])
        .is_quiet(0, &format!("a,b,page_sxurl\n{DOCS},,{DOCS_ID}\n,{DOCS},\n"));
    urlid_on(b"host\ndocs.rs\n", ["id", "--column", "host", "--assume", "https", "-"])
        .is_quiet(0, &format!("host,host_sxurl\ndocs.rs,{DOCS_ID}\n"));
    check(
        &["parts", "--of", "host"],
        b"url\nexample.com.\nhttp://1.2.3.4/\n",
        0,
        &format!("url,{SPLIT}\nexample.com.,,example,com,example.com,domain\nhttp://1.2.3.4/,,,,,ipv4\n"),
    );
}

#[test]
fn what_cannot_be_done_is_an_error() {
    let two = format!("url,url\n{DOCS},{DOCS}\n");
    let table: &[(&[&str], &[u8], i32, &str)] = &[
        (&["--column", "URL"], b"id,url\n", 4, "ERR_COLUMN: no column `URL`: found `id`, `url`"),
        (&["--column", "url"], two.as_bytes(), 4, "ERR_COLUMN: column `url` is named twice"),
        (&["--column", "url"], b"url,url_sxurl\n", 4, "ERR_COLUMN: column `url_sxurl` is there already"),
        (&["--column", "url"], b"", 4, "ERR_TABLE: no column is named: found an empty input"),
        (&["--column", "url"], b"url\n\"a", 4, "ERR_TABLE: quote is not closed"),
        (&["--column", "url"], b"id,url\n1\n", 4, "ERR_TABLE: record of line 2 has 1 fields: expected 2"),
        (&["--column", "url"], b"{\"a\":1}\n", 4, "ERR_COLUMN: no object has the member `url`"),
        (&["--column-number", "1"], b"{\"a\":1}\n", 4, "ERR_COLUMN: columns of ndjson have no numbers"),
        (&["--column-number", "0"], b"a\n", 2, "expected a number from 1"),
        (
            &["--column", "url", "--format", "csv"],
            b"url\n",
            2,
            "--format: a table is written in its own format",
        ),
        (&["--column", "url", "-f", "other"], b"url\n", 2, "--column: expected one table"),
        (&["--no-header", "--column", "url"], b"url\n", 2, ""),
    ];
    for (options, input, code, message) in table {
        let ran = urlid_on(input, ["id", "-"].iter().chain(*options));
        assert!(ran.code == Some(*code) && ran.err.contains(message), "{options:?}: {ran:?}");
    }
    // Rows before what is wrong are written.
    let ran = urlid_on(format!("id,url\n1,{DOCS}\n2\n").as_bytes(), ["id", "--column", "url", "-"]);
    assert_eq!((ran.code, ran.out), (Some(4), format!("id,url,url_sxurl\n1,{DOCS},{DOCS_ID}\n")));
    check(&["id"], b"url\n", 0, "url,url_sxurl\n");
    check(&["id"], b"url", 0, "url,url_sxurl");
}

#[test]
fn a_file_appears_when_the_table_is_whole() {
    let folder = Folder::new();
    let out = folder.path().join("out.csv");
    let out = out.to_str().expect("it is UTF-8");
    let good = folder.file("good.csv", format!("url\n{DOCS}\n"));
    run(&["id"], &["--column", "url", "--out", out], &good).is_quiet(0, "");
    assert_eq!(
        std::fs::read_to_string(out).expect("it was written"),
        format!("url,url_sxurl\n{DOCS},{DOCS_ID}\n")
    );
    let bad = folder.file("bad.csv", format!("url\n{DOCS}\n\"x"));
    assert_eq!(run(&["parts", "--of", "host"], &["--column", "url", "--out", out], &bad).code, Some(4));
    assert!(std::fs::read_to_string(out).expect("it is still there").contains("url_sxurl"));
    let ran = run(&["id"], &["--column", "url", "--out", bad.to_str().expect("it is UTF-8")], &bad);
    assert!(ran.code == Some(2) && ran.err.contains("the command reads this file"), "{}", ran.err);
    let ran = run(&["id"], &["--column", "url", "--out", out, "--refused", out], &good);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let names = std::fs::read_dir(folder.path()).expect("it is there").count();
    assert_eq!(names, 3, "no temporary file is left");
}

#[test]
fn large_tables_keep_their_order_on_every_core() {
    let folder = Folder::new();
    let mut table = "id,url,note\n".to_owned();
    let mut expected = "id,url,note,url_canonical\n".to_owned();
    for n in 0..60_000 {
        let note = if n % 7 == 0 { format!("\"a\n{n},\"\"\"") } else { "x".repeat(n % 50) };
        let row = format!("{n},https://H{n}.example/,{note}");
        table.push_str(&format!("{row}\n"));
        expected.push_str(&format!("{row},https://h{n}.example/\n"));
    }
    let file = folder.file("t.csv", &table);
    let ran = run(&["canon", "--as", "web"], &["--column", "url"], &file);
    assert!(ran.code == Some(0) && ran.out == expected, "{}", ran.err);
}

#[test]
fn a_row_is_answered_before_the_next_one_comes_and_a_closed_pipe_is_quiet() {
    for (options, header, row) in [
        (&["--column", "url"][..], "url\n", DOCS.to_owned()),
        (&["--column", "url"], "", format!("{{\"url\":\"{DOCS}\"}}")),
        (&["--column-number", "1", "--no-header"], "", DOCS.to_owned()),
    ] {
        each_row_is_answered(options, header, &row);
    }
}

fn each_row_is_answered(options: &[&str], header: &str, row: &str) {
    let mut child = command()
        .args(["id", "-"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program is there");
    let mut input = child.stdin.take().expect("it is a pipe");
    let mut output = child.stdout.take().expect("it is a pipe");
    input.write_all(header.as_bytes()).expect("it reads");
    for _ in 0..3 {
        writeln!(input, "{row}").expect("it reads");
        let mut text = String::new();
        while !(text.contains(DOCS_ID) && text.ends_with('\n')) {
            let mut byte = [0];
            output.read_exact(&mut byte).expect("it answers");
            text.push(char::from(byte[0]));
        }
    }
    drop(output);
    let rows = format!("{row}\n").repeat(100_000);
    // The program stops reading when nobody reads what it writes.
    let _ = input.write_all(rows.as_bytes());
    drop(input);
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!((ended.status.code(), ended.stderr), (Some(0), Vec::new()));
}

#[test]
fn an_index_takes_columns_of_every_kind_of_table() {
    let folder = Folder::new();
    let index = folder.path().join("index.db");
    let index = index.to_str().expect("it is UTF-8");
    for (number, (table, column)) in [
        ("a,url\n1,https://h/1\n2,\n", &["--column", "url"][..]),
        ("a\turl\n1\thttps://h/2\n", &["--column", "url"]),
        ("{\"url\":\"https://h/3\"}\n{}\n", &["--column", "url"]),
        ("https://h/4,https://h/5\n", &["--column-number", "1", "--column-number", "2", "--no-header"]),
    ]
    .into_iter()
    .enumerate()
    {
        let ran = urlid_on(table.as_bytes(), ["index", "add", index, "-"].iter().chain(column));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{number}: {}", ran.out);
    }
    urlid(["index", "count", index]).is_quiet(0, "5\n");
}

#[test]
fn a_checked_table_says_what_was_refused() {
    let folder = Folder::new();
    let list = folder.file("list", urlid(["list", "make", DOCS]).out);
    let list = list.to_str().expect("it is UTF-8");
    let input = format!("url\nhttps://good.example/\nhttps://h:x/\n{DOCS}\n");
    for (option, code) in [("--on-refused=fail", 3), ("--refused-as=match", 0), ("--refused-as=no-match", 0)]
    {
        let verb = ["list", "match", list, "--column", "url", option, "-"];
        let ran = urlid_on(input.as_bytes(), verb);
        let rows: Vec<&str> = ran.out.lines().collect();
        assert!(
            ran.code == Some(code) && rows[1].ends_with("/,") && rows[2] == "https://h:x/,!ERR_URL_PARSE",
            "{ran:?}"
        );
        assert!(rows[3].contains("hashed:sha1="), "{ran:?}");
    }
    assert_eq!(urlid_on(b"url\nhttps://h/\n", ["list", "match", list, "--column", "url", "-"]).code, Some(1));
    assert_eq!(urlid_on(b"url\n", ["list", "match", list, "--column", "url", "-c", "-"]).code, Some(2));
}

#[test]
fn a_table_is_not_written_over_a_file_that_is_read() {
    let folder = Folder::new();
    let urls = folder.file("urls.csv", format!("url\n{DOCS}\n"));
    let list = folder.file("list", urlid(["list", "make", DOCS]).out);
    let key = folder.file("key", [7; 32]);
    let suffixes = folder.file("suffixes.dat", "rs\n");
    let tracking = r#"{"global":{"queryParams":["utm_source"],"topLevelSites":["*"]}}"#;
    let tracking = folder.file("tracking.json", tracking);
    let text = |path: &std::path::Path| path.to_str().expect("it is UTF-8").to_owned();
    let hashed = ["id", "--kind", "hashed-uri", "--alg", "x-hmac-sha256", "--key"].map(str::to_owned);
    let canon = ["canon", "--as", "web+drop-tracking@firefox-d12c2bc8", "--tracking-list"].map(str::to_owned);
    let runs = [
        (vec!["id".to_owned()], &urls),
        (vec!["list".to_owned(), "match".to_owned(), text(&list)], &list),
        (hashed.into_iter().chain([text(&key)]).collect(), &key),
        (vec!["parts".to_owned(), "--psl".to_owned(), text(&suffixes)], &suffixes),
        (canon.into_iter().chain([text(&tracking)]).collect(), &tracking),
    ];
    for (verb, path) in runs {
        let before = std::fs::read(path).expect("it is there");
        let verb: Vec<&str> = verb.iter().map(String::as_str).collect();
        let ran = run(&verb, &["--column", "url", "--out", &text(path)], &urls);
        let said = format!("urlid: --out {}: the command reads this file\n", path.display());
        assert_eq!((ran.code, ran.err), (Some(2), said), "{verb:?}");
        assert!(std::fs::read(path).expect("it is there") == before, "{verb:?}");
    }
}
