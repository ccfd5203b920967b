//! CSV, TSV and ndjson: rejected rows, errors, many rows and waiting readers.

use std::io::{Read, Write};
use std::process::Stdio;

use super::run;
use crate::support::{DOCS, DOCS_ID, Folder, command, urlid, urlid_on};

#[track_caller]
fn check(verb: &[&str], input: &[u8], code: i32, expected: &str) {
    let ran = urlid_on(input, verb.iter().chain(&["--column", "url", "-"]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(code), expected), "{verb:?}: {}", ran.err);
}

#[test]
fn rejected_rows_have_nulls_and_are_reported_by_line() {
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
    let reported = run(&["id"], &["--column", "url", "--invalid", "ignore"], &table);
    assert_eq!((reported.code, reported.out, reported.err), (Some(0), ran.out, ran.err));
    run(&["id"], &["--column", "url", "--invalid", "skip"], &table).is(
        0,
        &format!("url,n,url_sxurl\n{DOCS},1,{DOCS_ID}\n{DOCS},4,{DOCS_ID}\n"),
        "urlid: 2 lines skipped: 1 ERR_INVALID_SCHEME, 1 ERR_PORT\n",
    );
    let rejected_lines = folder.path().join("rejected");
    run(&["id"], &["--column", "url", "--rejects", rejected_lines.to_str().expect("it is UTF-8")], &table);
    let rejected_lines = std::fs::read_to_string(rejected_lines).expect("it was written");
    assert!(
        rejected_lines.ends_with(&format!("{name}\t4\tERR_INVALID_SCHEME\tx\\x0ay\n")),
        "{rejected_lines}"
    );
    // Values that are not text or too long.
    let args = ["id", "--column", "url", "--max-line", "9", "--invalid", "skip", "-"];
    let said = "urlid: 2 lines skipped: 1 ERR_LINE_LEN, 1 ERR_UTF8\n";
    urlid_on(b"url\n\xff\nlonglonglong\n\n", args).is(0, "url,url_sxurl\n,\n", said);
}

#[test]
fn bad_columns_and_malformed_tables_are_errors() {
    let two = format!("url,url\n{DOCS},{DOCS}\n");
    let table: &[(&[&str], &[u8], i32, &str)] = &[
        (&["--column", "URL"], b"id,url\n", 4, "ERR_COLUMN: no column `URL`: found `id`, `url`"),
        (&["--column", "url"], two.as_bytes(), 4, "ERR_COLUMN: column `url` is named twice"),
        (&["--column", "url"], b"url,url_sxurl\n", 4, "ERR_COLUMN: column `url_sxurl` exists already"),
        (&["--column", "url"], b"", 4, "ERR_TABLE: names of columns are missing: found an empty input"),
        (&["--column", "url"], b"url\n\"a", 4, "ERR_TABLE: quote is not closed"),
        (&["--column", "url"], b"id,url\n1\n", 4, "ERR_TABLE: record of line 2 has 1 fields: expected 2"),
        (&["--column", "url"], b"{\"a\":1}\n", 4, "ERR_COLUMN: no object has the member `url`"),
        (&["--column-number", "1"], b"{\"a\":1}\n", 4, "ERR_COLUMN: columns of ndjson have no numbers"),
        (&["--column-number", "0"], b"a\n", 2, "expected a number of 1 or more"),
        (
            &["--column", "url", "--format", "csv"],
            b"url\n",
            2,
            "--format cannot be used with --column, because a table keeps its format",
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
fn a_checked_table_says_what_was_rejected() {
    let folder = Folder::new();
    let list = folder.file("list", urlid(["list", "make", DOCS]).out);
    let list = list.to_str().expect("it is UTF-8");
    let input = format!("url\nhttps://good.example/\nhttps://h:x/\n{DOCS}\n");
    for (option, code) in [("--invalid=report", 3), ("--invalid-as=match", 0), ("--invalid-as=no-match", 0)] {
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
