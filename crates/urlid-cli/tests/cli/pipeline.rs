//! Every kind of input reaches every verb by the same way: the same URLs give the same values, the same
//! rejected texts, the same counts and the same exit codes, on one core and on all.
//!
//! Places differ by kind: a line, an argument, a row or a record has a number of its own.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use urlid_io::tables::ParquetColumn;
use urlid_testing::{gzip, warc_record_of};

use crate::support::{Folder, Ran, command, finish, urlid_on};

/// How a command receives URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Lines,
    Arguments,
    SlowPipe,
    Warc,
    Csv,
    Ndjson,
    Parquet,
}

const KINDS: [Kind; 7] =
    [Kind::Lines, Kind::Arguments, Kind::SlowPipe, Kind::Warc, Kind::Csv, Kind::Ndjson, Kind::Parquet];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cores {
    One,
    All,
}

/// Returns URLs and texts that no verb takes for one, more than fit in a batch. They need no quotes in CSV.
fn texts(count: usize) -> Vec<String> {
    let text = |n: usize| match n % 17 {
        3 => format!("https://[::1/{n}"),
        5 => format!("HTTPS://www.Example{}.CO.UK:443/a/../b?id={}#top", n % 40, n % 300),
        7 => format!("http://a b{n}/"),
        11 => format!("https://h{n}.example:99999/"),
        13 => format!("http://user:secret@example{}.com/{}", n % 7, n % 90),
        _ => format!("https://example{}.com/a/rather/long/path/for/one/page/{}", n % 50, n % 2_000),
    };
    (0..count).map(text).collect()
}

/// Writes the texts as a file of this kind, if it has one, with a column `url` in tables.
fn write(folder: &Folder, kind: Kind, texts: &[String]) {
    let joined = |line: &dyn Fn((usize, &String)) -> String| -> String {
        texts.iter().enumerate().map(line).collect()
    };
    match kind {
        Kind::Lines => drop(folder.file("urls.txt", joined(&|(_, text)| format!("{text}\n")))),
        Kind::Csv => {
            let rows = joined(&|(n, text)| format!("{n},{text}\n"));
            folder.file("urls.csv", format!("n,url\n{rows}"));
        }
        Kind::Ndjson => {
            let rows = joined(&|(n, text)| format!("{{\"n\":{n},\"url\":\"{text}\"}}\n"));
            folder.file("urls.ndjson", rows);
        }
        Kind::Warc => {
            let records: Vec<_> = texts.iter().map(|url| warc_record_of("response", url, b"")).collect();
            folder.file("urls.warc", records.concat());
        }
        Kind::Parquet => write_parquet(&folder.path().join("urls.parquet"), texts),
        Kind::Arguments | Kind::SlowPipe => {}
    }
}

/// Writes three row groups of several pages.
fn write_parquet(path: &Path, texts: &[String]) {
    write_pages(path, texts, 3, 1_000);
}

fn write_pages(path: &Path, texts: &[String], groups: usize, page_rows: usize) {
    let schema = parse_message_type("message rows { required binary url (STRING); }").expect("is a schema");
    let properties =
        WriterProperties::builder().set_data_page_row_count_limit(page_rows).set_write_batch_size(100);
    let file = File::create(path).expect("there is room");
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties.build()))
        .expect("is a file of Parquet");
    for texts in texts.chunks(texts.len().div_ceil(groups)) {
        let mut group = writer.next_row_group().expect("begins");
        let mut column = group.next_column().expect("begins").expect("is there");
        let values: Vec<_> = texts.iter().map(|text| ByteArray::from(text.as_str())).collect();
        column.typed::<ByteArrayType>().write_batch(&values, None, None).expect("writes");
        column.close().expect("ends");
        group.close().expect("ends");
    }
    writer.close().expect("ends");
}

/// Returns the command of a verb on an input of this kind.
fn command_on(folder: &Folder, kind: Kind, cores: Cores, verb: &[&str], texts: &[String]) -> Command {
    let mut command = match cores {
        Cores::All => command(),
        Cores::One => {
            let mut one = Command::new("taskset");
            one.args(["-c", "0", env!("CARGO_BIN_EXE_urlid")]).stdin(Stdio::null());
            one
        }
    };
    command.current_dir(folder.path()).args(verb);
    if verb[0] == "uniq" && matches!(kind, Kind::Csv | Kind::Ndjson | Kind::Parquet) {
        // Not the rows, which differ by kind.
        command.arg("--values");
    }
    match kind {
        Kind::Lines => command.arg("urls.txt"),
        Kind::Arguments => command.args(texts),
        Kind::SlowPipe => command.arg("-"),
        Kind::Warc => command.arg("urls.warc"),
        Kind::Csv => command.args(["--column", "url", "urls.csv"]),
        Kind::Ndjson => command.args(["--column", "url", "urls.ndjson"]),
        Kind::Parquet => command.args(["--column", "url", "urls.parquet"]),
    };
    command
}

/// Runs a verb on an input of this kind.
fn run(folder: &Folder, kind: Kind, cores: Cores, verb: &[&str], texts: &[String]) -> Ran {
    let mut command = command_on(folder, kind, cores, verb, texts);
    if kind != Kind::SlowPipe {
        return finish(&mut command);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program is there");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    let bytes: String = texts.iter().map(|text| format!("{text}\n")).collect();
    let writer = std::thread::spawn(move || {
        // Pieces end within lines.
        for piece in bytes.as_bytes().chunks(bytes.len() / 7 + 1) {
            stdin.write_all(piece)?;
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok::<(), std::io::Error>(())
    });
    let output = child.wait_with_output().expect("it was started");
    writer.join().expect("writing does not panic").expect("all is read");
    let text = |bytes| String::from_utf8(bytes).expect("all output of these tests is UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Returns the codes of rejected texts in the order in which they are printed, and the line with their
/// counts.
fn rejections(err: &str) -> Vec<String> {
    let code = |line: &str| match line.strip_prefix("urlid: ") {
        Some(counts) => counts.contains(" rejected").then(|| counts.to_owned()),
        None => line.split(": ").find(|part| part.starts_with("ERR_")).map(str::to_owned),
    };
    err.lines().filter_map(code).collect()
}

/// Returns the only value that a verb makes of each text.
fn values(folder: &Folder, kind: Kind, ran: &Ran) -> Vec<String> {
    let last = |line: &str| match kind {
        // A line that is matched stands before its value.
        Kind::Lines | Kind::Arguments | Kind::SlowPipe | Kind::Warc => {
            line.rsplit_once('\t').map_or(line, |(_, value)| value).to_owned()
        }
        Kind::Csv => line.rsplit_once(',').map_or("", |(_, value)| value).to_owned(),
        _ => {
            let value = line.rsplit_once("\":").map_or("", |(_, value)| value.trim_end_matches('}'));
            if value == "null" { String::new() } else { value.trim_matches('"').to_owned() }
        }
    };
    match kind {
        Kind::Csv => ran.out.lines().skip(1).map(last).collect(),
        Kind::Parquet => {
            let file = File::open(folder.path().join("out.parquet")).expect("it is there");
            let column = ParquetColumn::open(file, &urlid_io::tables::ColumnChoice::Number(2));
            let (column, mut values) = (column.expect("it has texts"), Vec::new());
            let mut each = |value: Option<&[u8]>| {
                values.push(String::from_utf8_lossy(value.unwrap_or_default()).into_owned());
                ControlFlow::Continue(())
            };
            column.each_value(&mut each).expect("it is whole");
            values
        }
        _ => ran.out.lines().map(last).collect(),
    }
}

/// Checks that a verb that makes a value of each text makes the same of every kind of input.
fn check_values(verb: &[&str]) {
    let mut texts = texts(9_000);
    if verb == ["redact"] {
        // A line with a blank may be one of a log, unlike an argument or a value.
        texts.iter_mut().for_each(|text| *text = text.replace(' ', ""));
    }
    let folder = Folder::new();
    let list = ["list", "make", "-o", "bad.list", "https://example7.com/a/rather/long/path/for/one/page/7"];
    assert_eq!(finish(command().current_dir(folder.path()).args(list)).code, Some(0));
    let mut expected = None;
    for kind in KINDS {
        write(&folder, kind, &texts);
        for cores in [Cores::One, Cores::All] {
            let options: &[&str] = match kind {
                Kind::Parquet => &["-o", "out.parquet"],
                // A table keeps all its rows; of lines, only hits are printed.
                Kind::Csv | Kind::Ndjson => &[],
                _ if verb.starts_with(&["list", "match"]) => &["--all"],
                _ => &[],
            };
            let ran = run(&folder, kind, cores, &[verb, options].concat(), &texts);
            let found = (ran.code, rejections(&ran.err), values(&folder, kind, &ran));
            assert_eq!(found.2.len(), texts.len(), "{verb:?} {kind:?} {cores:?}: {}", ran.err);
            // Ten are shown, and all are counted. A text that is not a URL has no secrets to hide.
            assert!(found.1.len() == 11 || verb == ["redact"], "{verb:?} {kind:?} {cores:?}: {}", ran.err);
            let expected = expected.get_or_insert_with(|| found.clone());
            assert!(*expected == found, "{verb:?} {kind:?} {cores:?}: {}", ran.err);
        }
    }
}

#[test]
fn values_do_not_depend_on_the_kind_of_input_id() {
    check_values(&["id"]);
}

#[test]
fn values_do_not_depend_on_the_kind_of_input_canon() {
    check_values(&["canon", "--as", "web"]);
}

#[test]
fn values_do_not_depend_on_the_kind_of_input_parts() {
    check_values(&["parts", "--get", "{registered_domain}"]);
}

#[test]
fn values_do_not_depend_on_the_kind_of_input_redact() {
    check_values(&["redact"]);
}

#[test]
fn values_do_not_depend_on_the_kind_of_input_match() {
    check_values(&["list", "match", "bad.list"]);
}

/// Checks that a verb that prints some of the texts, or counts of them, prints the same for every kind of
/// input. `then` is a command on what the verb made.
fn check_texts(verb: &[&str], then: &[&str]) {
    let texts = texts(9_000);
    let mut expected = None;
    for kind in KINDS {
        for cores in [Cores::One, Cores::All] {
            let folder = Folder::new();
            write(&folder, kind, &texts);
            let ran = run(&folder, kind, cores, verb, &texts);
            let made = (!then.is_empty()).then(|| finish(command().current_dir(folder.path()).args(then)));
            let found = (ran.code, rejections(&ran.err), ran.out, made);
            assert_eq!((found.0, found.1.len()), (Some(3), 11), "{verb:?} {kind:?} {cores:?}: {}", ran.err);
            let expected = expected.get_or_insert_with(|| found.clone());
            assert!(*expected == found, "{verb:?} {kind:?} {cores:?}: {}", ran.err);
        }
    }
}

#[test]
fn texts_do_not_depend_on_the_kind_of_input_uniq() {
    check_texts(&["uniq"], &[]);
    check_texts(&["uniq", "--as", "web+drop-fragment", "--counts", "--memory", "64K"], &[]);
}

#[test]
fn texts_do_not_depend_on_the_kind_of_input_uniq_choices() {
    check_texts(&["uniq", "--sample", "70"], &[]);
    check_texts(&["uniq", "--per", "host", "--limit", "3"], &[]);
}

#[test]
fn texts_do_not_depend_on_the_kind_of_input_seen() {
    check_texts(&["uniq", "--seen", "seen"], &["index", "verify", "seen"]);
}

#[test]
fn texts_do_not_depend_on_the_kind_of_input_count() {
    check_texts(&["count"], &[]);
    check_texts(&["count", "--by", "host"], &[]);
}

#[test]
fn texts_do_not_depend_on_the_kind_of_input_index_add() {
    check_texts(&["index", "add", "urls.db"], &["index", "export", "urls.db"]);
}

#[test]
fn texts_do_not_depend_on_the_kind_of_input_index_match() {
    let stored: String = texts(4_000).iter().map(|text| format!("{text}\n")).collect();
    let folder = Folder::new();
    let (file, dataset) = (folder.path().join("urls.db"), folder.path().join("urls"));
    for (verb, store) in [("add", &file), ("build", &dataset)] {
        let args = ["index".as_ref(), verb.as_ref(), store.as_os_str(), "-".as_ref()];
        assert_eq!(urlid_on(stored.as_bytes(), args).code, Some(3), "{verb}");
        let store = store.to_str().expect("it is UTF-8");
        check_texts(&["index", "match", store], &[]);
        check_texts(&["index", "match", "--invert", "--count", store], &[]);
    }
}

#[test]
fn texts_do_not_depend_on_the_kind_of_input_index_build() {
    check_texts(&["index", "build", "urls"], &["index", "export", "urls"]);
}

/// With an assumed scheme, lines and values are worked on by all cores too.
#[test]
fn an_assumed_scheme_applies_to_every_kind_of_input() {
    let texts: Vec<String> = texts(9_000)
        .iter()
        .map(|text| text.split_once("://").map_or("", |(_, rest)| rest).to_owned())
        .collect();
    for verb in [
        &["uniq", "--assume", "https"][..],
        &["count", "--by", "host", "--assume", "https"],
        &["uniq", "--assume", "https", "--per", "host", "--limit", "2"],
    ] {
        let mut expected = None;
        for kind in KINDS.into_iter().filter(|kind| *kind != Kind::Warc) {
            for cores in [Cores::One, Cores::All] {
                let folder = Folder::new();
                write(&folder, kind, &texts);
                let ran = run(&folder, kind, cores, verb, &texts);
                let found = (ran.code, rejections(&ran.err), ran.out);
                let expected = expected.get_or_insert_with(|| found.clone());
                assert!(*expected == found, "{verb:?} {kind:?} {cores:?}: {}", ran.err);
            }
        }
    }
}

/// A file that ends too early gives the texts before the cut, on one core and on all.
#[test]
fn a_file_that_is_cut_gives_what_is_before_the_cut() {
    let texts = texts(20_000);
    let folder = Folder::new();
    for (kind, name) in [(Kind::Lines, "urls.txt"), (Kind::Csv, "urls.csv"), (Kind::Warc, "urls.warc")] {
        write(&folder, kind, &texts);
        let path = folder.path().join(name);
        let packed = gzip(&std::fs::read(&path).expect("it was written"));
        std::fs::write(&path, &packed).expect("there is room");
        for verb in [&["canon", "--as", "web"][..], &["uniq"], &["count", "--by", "host"]] {
            let whole = run(&folder, kind, Cores::All, verb, &texts);
            std::fs::write(&path, &packed[..packed.len() / 2]).expect("there is room");
            let [one, all] = [Cores::One, Cores::All].map(|cores| run(&folder, kind, cores, verb, &texts));
            std::fs::write(&path, &packed).expect("there is room");
            assert_eq!(one, all, "{verb:?} {kind:?}");
            assert_eq!(all.code, Some(4), "{verb:?} {kind:?}");
            let is_prefix = whole.out.starts_with(&all.out) && all.out.len() > whole.out.len() / 4;
            assert!(
                (is_prefix && all.out.len() < whole.out.len()) || verb[0] == "count",
                "{verb:?} {kind:?}"
            );
        }
    }
}

/// A program that writes some URLs and waits for their answers gets them, whatever the kind of input.
#[test]
fn a_writer_that_waits_gets_its_answers() {
    let csv = ["n,url\n1,https://a.example/\n2,https://b.example/\n", "3,https://c.example/\n"];
    let ndjson = [
        "{\"url\":\"https://a.example/\"}\n{\"url\":\"https://b.example/\"}\n",
        "{\"url\":\"https://c.example/\"}\n",
    ];
    let lines = ["https://a.example/\nhttps://b.example/\n", "https://c.example/\n"];
    let column = &["--column", "url", "-"][..];
    for (pieces, input, header) in [(lines, &["-"][..], 0), (csv, column, 1), (ndjson, column, 0)] {
        for verb in [&["canon", "--as", "web"][..], &["uniq"], &["uniq", "--seen", "seen"], &["id"]] {
            let folder = Folder::new();
            let mut child = command()
                .current_dir(folder.path())
                .args(verb)
                .args(input)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("the program is there");
            let mut stdin = child.stdin.take().expect("it is a pipe");
            let mut answers = BufReader::new(child.stdout.take().expect("it is a pipe"));
            for (piece, count) in pieces.into_iter().zip([2 + header, 1]) {
                stdin.write_all(piece.as_bytes()).expect("it reads");
                for _ in 0..count {
                    let mut answer = String::new();
                    answers.read_line(&mut answer).expect("it answers");
                    assert!(answer.ends_with('\n'), "{verb:?} {input:?}: {answer:?}");
                }
            }
            drop(stdin);
            assert!(child.wait().expect("it was started").success(), "{verb:?} {input:?}");
        }
    }
}

/// A page of a few bytes may have any number of values. They are worked on in pieces, and none is left out.
#[test]
fn a_page_with_very_many_values_is_read_in_pieces() {
    let count = (1 << 20) + 7;
    let texts = vec!["https://example.com/a".to_owned(); count];
    let folder = Folder::new();
    write_pages(&folder.path().join("urls.parquet"), &texts, 1, usize::MAX);
    for cores in [Cores::One, Cores::All] {
        run(&folder, Kind::Parquet, cores, &["count"], &[]).is_quiet(0, &format!("{count}\n"));
        run(&folder, Kind::Parquet, cores, &["uniq"], &[]).is_quiet(0, "https://example.com/a\n");
    }
}
