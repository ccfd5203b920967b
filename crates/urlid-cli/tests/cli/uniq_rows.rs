//! `uniq --column` prints rows: the same as a model chooses, in every format of tables, with any memory.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::RowAccessor;
use parquet::schema::parser::parse_message_type;
use urlid_generators::{Seeded, cases, seed};

use crate::seen::{Run, append, message};
use crate::support::{Folder, Ran, command, finish};

/// A row as it is written in each format, and what the model knows of it.
struct ModelRow {
    number: usize,
    /// The URL; `None` for null.
    url: Option<String>,
    note: String,
}

impl ModelRow {
    fn random(number: usize, random: &mut Seeded) -> Self {
        let url = || {
            let (host, page) = (number * 7 % 5, number * number % 11);
            let fragment = ["", "#a", "#b"][number % 3];
            format!("https://h{host}.example/{page}{fragment}")
        };
        let url = match random.below(12) {
            0 => None,
            1 => Some(String::new()),
            2 => Some(format!("no url {number}")),
            _ => Some(url()),
        };
        let note = random.one(&["", "plain", "a, b", "\"", "x\ny", "x\r\ny", "é\t;", " } ", "\\"]);
        ModelRow { number, url, note: note.to_owned() }
    }

    /// The form of its URL, if it has one.
    fn form(&self) -> Option<&str> {
        let url = self.url.as_deref().filter(|url| url.starts_with("https://"))?;
        url.split('#').next()
    }

    fn host(&self) -> Option<&str> {
        self.form()?.split('/').nth(2)
    }

    /// The row as it is written, with its line end, and with a count before that.
    fn written(&self, format: &str, count: Option<usize>) -> String {
        let end = if self.number.is_multiple_of(4) { "\r\n" } else { "\n" };
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let escaped = |text: &str| {
            text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
        };
        let (number, url) = (self.number, self.url.as_deref().unwrap_or_default());
        let json = |text: &str| serde_json::to_string(text).expect("is JSON");
        let (fields, separator) = match format {
            "csv" => (vec![number.to_string(), url.to_owned(), quoted(&self.note)], ","),
            "semicolon" => (vec![quoted(&self.note), number.to_string(), quoted(url)], ";"),
            "tsv" => (vec![escaped(&self.note), url.to_owned(), number.to_string()], "\t"),
            _ => {
                let url = self.url.as_deref().map_or("null".to_owned(), json);
                let count = count.map_or(String::new(), |count| format!(",\"url_rows\":{count}"));
                return format!(
                    "{{ \"n\": {number},\"url\":{url}, \"note\":{} {count}}}{end}",
                    json(&self.note)
                );
            }
        };
        let fields: Vec<String> = fields.into_iter().chain(count.map(|count| count.to_string())).collect();
        format!("{}{end}", fields.join(separator))
    }
}

/// The options that choose rows.
#[derive(Clone, Copy, Debug, Default)]
struct Options {
    counts: bool,
    limit: Option<usize>,
    sample: Option<usize>,
    per_host: bool,
    /// Whether rows are wanted whose form the other file has, or lacks.
    other: Option<bool>,
}

impl Options {
    const ALL: [Options; 10] = {
        let none = Options { counts: false, limit: None, sample: None, per_host: false, other: None };
        [
            none,
            Options { counts: true, ..none },
            Options { sample: Some(3), ..none },
            Options { sample: Some(2), per_host: true, ..none },
            Options { limit: Some(2), per_host: true, ..none },
            Options { other: Some(true), ..none },
            Options { other: Some(false), ..none },
            Options { other: Some(false), sample: Some(4), ..none },
            Options { other: Some(true), sample: Some(1), per_host: true, ..none },
            Options { other: Some(false), limit: Some(1), per_host: true, ..none },
        ]
    };

    fn args(self, other: &Path) -> Vec<String> {
        let other = other.display().to_string();
        let mut args = Vec::new();
        let mut add = |words: &[&str]| args.extend(words.iter().map(|word| (*word).to_owned()));
        if self.counts {
            add(&["--counts"]);
        }
        if self.per_host {
            add(&["--per", "host"]);
        }
        if let Some(limit) = self.limit {
            add(&["--limit", &limit.to_string()]);
        }
        if let Some(sample) = self.sample {
            add(&["--sample", &sample.to_string()]);
        }
        if let Some(is_in) = self.other {
            add(&[if is_in { "--also-in" } else { "--not-in" }, &other]);
        }
        args
    }

    /// Returns the chosen rows, each with the number of rows of its form.
    fn chosen<'r>(self, rows: &'r [ModelRow], other: &HashSet<&str>) -> Vec<(&'r ModelRow, usize)> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut first: Vec<&ModelRow> = Vec::new();
        for row in rows {
            let Some(form) = row.form() else { continue };
            let count = counts.entry(form).or_default();
            *count += 1;
            if *count == 1 && self.other.is_none_or(|is_in| other.contains(form) == is_in) {
                first.push(row);
            }
        }
        let site = |row: &ModelRow| {
            if self.per_host { row.host().unwrap_or_default().to_owned() } else { String::new() }
        };
        let mut order: Vec<usize> = (0..first.len()).collect();
        if self.sample.is_some() {
            let digest = |index: &usize| {
                urlid_store::seen::digest(first[*index].form().unwrap_or_default()).to_le_bytes()
            };
            order.sort_by_key(digest);
        }
        let (mut taken, mut chosen): (BTreeMap<String, usize>, Vec<usize>) = Default::default();
        for index in order {
            let taken = taken.entry(site(first[index])).or_default();
            *taken += 1;
            if *taken <= self.sample.or(self.limit).unwrap_or(usize::MAX) {
                chosen.push(index);
            }
        }
        chosen.sort_unstable();
        chosen
            .into_iter()
            .map(|index| (first[index], counts[first[index].form().unwrap_or_default()]))
            .collect()
    }
}

fn header(format: &str, counts: bool) -> String {
    let header = match format {
        "csv" => "\u{feff}n,url,note",
        "semicolon" => "note;n;url",
        "tsv" => "note\turl\tn",
        _ => return String::new(),
    };
    let separator = match format {
        "csv" => ",",
        "semicolon" => ";",
        _ => "\t",
    };
    let counts = if counts { format!("{separator}url_rows") } else { String::new() };
    format!("{header}{counts}\r\n")
}

fn run(folder: &Folder, args: &[&str], more: &[String], tables: &[&str]) -> Ran {
    let mut command = command();
    command.current_dir(folder.path()).args(args).args(more).args(tables);
    finish(&mut command)
}

const SCHEMA: &str = "message rows {
    required int64 n;
    optional binary url (STRING);
    optional group notes (LIST) { repeated group list { required binary element (STRING); } }
}";

fn write_parquet(path: &Path, rows: &[ModelRow], group: usize) {
    let schema = Arc::new(parse_message_type(SCHEMA).expect("is a schema"));
    let properties =
        WriterProperties::builder().set_data_page_row_count_limit(7).set_write_batch_size(7).build();
    let file = File::create(path).expect("there is room");
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).expect("begins");
    for rows in rows.chunks(group) {
        let mut group = writer.next_row_group().expect("begins");
        let mut column = group.next_column().expect("begins").expect("is there");
        let numbers: Vec<i64> = rows.iter().map(|row| row.number as i64).collect();
        column.typed::<Int64Type>().write_batch(&numbers, None, None).expect("writes");
        column.close().expect("ends");
        let mut column = group.next_column().expect("begins").expect("is there");
        let urls: Vec<ByteArray> =
            rows.iter().filter_map(|row| row.url.as_deref().map(ByteArray::from)).collect();
        let levels: Vec<i16> = rows.iter().map(|row| i16::from(row.url.is_some())).collect();
        column.typed::<ByteArrayType>().write_batch(&urls, Some(&levels), None).expect("writes");
        column.close().expect("ends");
        let mut column = group.next_column().expect("begins").expect("is there");
        // As many notes as the number says: none is an empty list.
        let (mut notes, mut levels, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            let len = row.number % 3;
            notes.extend((0..len).map(|_| ByteArray::from(row.note.as_str())));
            levels.extend(vec![if len == 0 { 1 } else { 2 }; len.max(1)]);
            repetitions.extend((0..len.max(1)).map(|at| i16::from(at > 0)));
        }
        let typed = column.typed::<ByteArrayType>();
        typed.write_batch(&notes, Some(&levels), Some(&repetitions)).expect("writes");
        column.close().expect("ends");
        group.close().expect("ends");
    }
    writer.close().expect("ends");
}

/// The numbers of the rows of a Parquet file, and the text of each.
fn read_parquet(path: &Path) -> Vec<(i64, String)> {
    let reader = SerializedFileReader::new(File::open(path).expect("it is there")).expect("is Parquet");
    let rows = reader.get_row_iter(None).expect("it has rows");
    rows.map(|row| {
        let row = row.expect("it is whole");
        (row.get_long(0).expect("is a number"), row.to_string())
    })
    .collect()
}

#[test]
fn rows_match_a_model_in_every_format() {
    for case in 0..cases(4) {
        let mut random = Seeded::new(seed() ^ case);
        let folder = Folder::new();
        let count = random.one(&[0, 1, 40, 150]);
        let rows: Vec<ModelRow> = (0..count).map(|number| ModelRow::random(number, &mut random)).collect();
        let known: Vec<String> = (0..30).map(|n| format!("https://h{}.example/{}", n % 3, n % 7)).collect();
        let known: HashSet<&str> = known.iter().map(String::as_str).collect();
        let known_rows: String = known.iter().map(|url| format!("{url}#z,1\n")).collect();
        // A table for the tables of text, a seen-set for those of Parquet.
        let other = folder.file("other.csv", format!("url,x\n{known_rows}"));
        let lines: String = known.iter().map(|url| format!("{url}\n")).collect();
        folder.file("lines", lines);
        let ran = run(&folder, &["uniq", "--seen", "seen", "-o", "printed"], &[], &["lines"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let seen = folder.path().join("seen");
        // Several tables are one: the rows are cut into files, each with the header.
        let cut = rows.len() / 3;
        for format in ["csv", "semicolon", "tsv", "ndjson"] {
            if cut == 0 && format == "ndjson" {
                // An empty file is not a table of objects by its content.
                continue;
            }
            for (name, rows) in [("first", &rows[..cut]), ("second", &rows[cut..])] {
                let text: String = rows.iter().map(|row| row.written(format, None)).collect();
                // The last line may lack its end.
                let text = text.strip_suffix('\n').unwrap_or(&text);
                folder.file(format!("{name}.{format}"), format!("{}{text}", header(format, false)));
            }
            let tables = [format!("first.{format}"), format!("second.{format}")];
            let tables: Vec<&str> = tables.iter().map(String::as_str).collect();
            for options in Options::ALL {
                let chosen = options.chosen(&rows, &known);
                let written =
                    chosen.iter().map(|(row, count)| row.written(format, options.counts.then_some(*count)));
                let expected: String = [header(format, options.counts)].into_iter().chain(written).collect();
                let other = if format == "csv" || format == "ndjson" { &other } else { &seen };
                for memory in ["1", "2K", "256M"] {
                    let mut args =
                        vec!["uniq", "--column", "url", "--invalid", "skip", "-q", "--memory", memory];
                    args.extend(if format == "semicolon" { &["--delimiter", ";"][..] } else { &[] });
                    let ran = run(&folder, &args, &options.args(other), &tables);
                    assert_eq!(ran.code, Some(0), "{format} {options:?} {memory}: {}", ran.err);
                    assert_eq!(ran.out, expected, "{format} {options:?} {memory} of case {case}");
                }
            }
        }
        write_parquet(&folder.path().join("first.parquet"), &rows[..cut], 13);
        write_parquet(&folder.path().join("second.parquet"), &rows[cut..], 50);
        write_parquet(&folder.path().join("all.parquet"), &rows, rows.len().max(1));
        let texts: HashMap<i64, String> =
            read_parquet(&folder.path().join("all.parquet")).into_iter().collect();
        for options in Options::ALL {
            let expected: Vec<(i64, String)> = options
                .chosen(&rows, &known)
                .into_iter()
                .map(|(row, count)| {
                    let number = row.number as i64;
                    let text = texts[&number].clone();
                    let counted = format!("{}, url_rows: {count}}}", text.trim_end_matches('}'));
                    (number, if options.counts { counted } else { text })
                })
                .collect();
            for memory in ["1", "256M"] {
                let args =
                    ["uniq", "--column", "url", "--invalid", "skip", "-q", "--memory", memory, "-o", "out"];
                let ran = run(&folder, &args, &options.args(&seen), &["first.parquet", "second.parquet"]);
                assert_eq!(ran.code, Some(0), "{options:?} {memory}: {}", ran.err);
                assert_eq!(
                    read_parquet(&folder.path().join("out")),
                    expected,
                    "{options:?} {memory} of case {case}"
                );
            }
        }
    }
}

#[test]
fn tables_that_differ_print_their_urls_and_say_so() {
    let folder = Folder::new();
    folder.file("a.csv", "n,url\n1,https://a.example/\n");
    folder.file("b.csv", "url,n\nhttps://b.example/,1\n");
    folder.file("c.tsv", "n\turl\n1\thttps://c.example/\n");
    folder.file("d.ndjson", "{\"url\":\"https://d.example/\"}\n");
    for other in ["b.csv", "c.tsv", "d.ndjson"] {
        let ran = run(&folder, &["uniq", "--column", "url"], &[], &["a.csv", other]);
        let host = &other[..1];
        assert_eq!((ran.code, ran.out), (Some(0), format!("https://a.example/\nhttps://{host}.example/\n")));
        assert!(ran.err.contains("as with --values"), "{}", ran.err);
        let ran = run(&folder, &["uniq", "--values", "--column", "url"], &[], &["a.csv", other]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    }
    // Two columns of a row have two URLs.
    let ran =
        run(&folder, &["uniq", "--column", "url", "--column", "n", "--assume", "https"], &[], &["a.csv"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "https://a.example/\n1\n"));
}

#[test]
fn hostile_tables_are_errors_after_the_rows_before() {
    let folder = Folder::new();
    let run = |content: &[u8], args: &[&str]| {
        folder.file("t", content);
        run(&folder, &[&["uniq"], args].concat(), &[], &["t"])
    };
    let url = ["--column", "url"];
    // Ragged rows, quotes that are not closed, columns that are there twice.
    let ran = run(b"url,n\nhttps://a.example/,1\nhttps://b.example/\nhttps://c.example/,1\n", &url);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), "url,n\nhttps://a.example/,1\n"), "{}", ran.err);
    let ran = run(b"url,n\nhttps://a.example/,1\n\"https://b.example/,1\n", &url);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), "url,n\nhttps://a.example/,1\n"), "{}", ran.err);
    let ran = run(b"url,url\nhttps://a.example/,1\n", &url);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{}", ran.err);
    assert!(ran.err.contains("is named twice"), "{}", ran.err);
    let ran = run(b"url,n,n\nhttps://a.example/,1,2\nhttps://a.example/,,\n", &url);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "url,n,n\nhttps://a.example/,1,2\n"));
    // No header, a mark, no line end, a line end within quotes, nothing at all.
    let ran = run(b"1,https://a.example/\n2,https://a.example", &["--column-number", "2", "--no-header"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "1,https://a.example/\n"));
    let ran = run(b"\xef\xbb\xbf{\"url\":\"https://a.example/\"}", &url);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "\u{feff}{\"url\":\"https://a.example/\"}\n"));
    let ran = run(b"url,n\n\"https://a.example/\",\"1\n,\"\nhttps://a.example/,\"\n\"", &url);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "url,n\n\"https://a.example/\",\"1\n,\"\n"));
    let ran = run(b"url", &url);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "url\n"));
    assert_eq!(run(b"", &url).code, Some(4));
    // A column of counts that is there already, and a format that is not the one of the table.
    let ran = run(b"url,url_rows\nhttps://a.example/,1\n", &["--column", "url", "--counts"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{}", ran.err);
    assert_eq!(run(b"url\nhttps://a.example/\n", &["--column", "url", "--format", "ndjson"]).code, Some(2));
    // Bytes that are not UTF-8 stay.
    folder.file("latin", b"url,n\nhttps://a.example/,\xe9\n");
    let mut command = command();
    let output = command.current_dir(folder.path()).args(["uniq", "--column", "url", "latin"]).output();
    assert_eq!(output.expect("it runs").stdout, b"url,n\nhttps://a.example/,\xe9\n");
}

#[test]
fn parquet_that_is_damaged_gives_no_file() {
    let folder = Folder::new();
    let mut random = Seeded::new(5);
    let rows: Vec<ModelRow> = (0..60).map(|number| ModelRow::random(number, &mut random)).collect();
    let path = folder.path().join("t.parquet");
    write_parquet(&path, &rows, 20);
    let bytes = fs::read(&path).expect("it is there");
    let args = ["uniq", "--column", "url", "--invalid", "skip", "-q", "-o", "out"];
    for _ in 0..cases(40) {
        let mut damaged = bytes.clone();
        let at = random.below(damaged.len() as u64) as usize;
        damaged[at] ^= 1 << random.below(8);
        fs::write(&path, &damaged).expect("there is room");
        let ran = run(&folder, &args, &[], &["t.parquet"]);
        assert!(matches!(ran.code, Some(0 | 4)), "{at}: {:?} {}", ran.code, ran.err);
        // What has the name is whole.
        if folder.path().join("out").exists() {
            let reader =
                SerializedFileReader::new(File::open(folder.path().join("out")).expect("it is there"));
            reader.expect("is Parquet");
            fs::remove_file(folder.path().join("out")).expect("it is there");
        }
    }
}

/// A table whose rows have line ends and quotes, and the rows that are printed of it.
fn table(rows: u32) -> (String, Vec<String>) {
    let row =
        |number: u32| format!("{number},https://example.com/{number:06},\"a\nb \"\"{number}\"\" ,\"\r\n");
    let all =
        (0..rows).flat_map(|number| [row(number), format!("again,https://example.com/{number:06}#x,\n")]);
    (format!("n,url,note\r\n{}", all.collect::<String>()), (0..rows).map(row).collect())
}

#[test]
fn rows_are_stored_until_they_are_delivered() {
    let (text, rows) = table(3_000);
    let run = Run::new(&text);
    let column = ["--column", "url"];
    let mut child = run.start(&column);
    let mut out = BufReader::with_capacity(1, child.stdout.take().expect("it is a pipe"));
    // The header is written before the rows are stored.
    let mut read = || out.read_line(&mut String::new()).expect("there is a line");
    assert!(read() > 0 && read() > 0);
    drop(out);
    let (code, err) = message(child);
    assert_eq!(code, Some(4), "{err}");
    let (stored, pending) = run.shown();
    assert!(stored == pending && stored > 0, "{stored} {pending}");
    // Only a table with the same columns prints them: their header is its own.
    let other = run.folder.file("other.csv", "url,n\nhttps://example.com/000001,1\n");
    let lines = run.folder.file("urls.txt", "https://example.com/000001\n");
    for args in [&[lines.as_os_str()][..], &["--column".as_ref(), "url".as_ref(), other.as_os_str()]] {
        let mut command = command();
        let ran = finish(command.args(["uniq", "--resume", "--seen"]).arg(&run.set).args(args));
        assert_eq!(ran.code, Some(4), "{}", ran.err);
        assert!(ran.err.contains("came from other inputs"), "{}", ran.err);
        assert_eq!(run.shown(), (stored, pending));
    }
    let whole = format!("n,url,note\r\n{}", rows.concat());
    run.run(&[&column[..], &["--resume"]].concat()).is(0, &whole, "");
    run.run(&column).is(0, "n,url,note\r\n", "");
    assert_eq!(run.shown(), (3_000, 0));
    run.verified(3_000);
    // A row that is not text cannot be stored, and is reported.
    let bad =
        run.folder.file("bad.csv", b"n,url,note\n1,https://new.example/,\xff\n2,https://new.example/2,\n");
    let mut command = command();
    let ran = finish(command.args(["uniq", "--seen"]).arg(&run.set).args(column).arg(bad));
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), "n,url,note\n2,https://new.example/2,\n"));
    assert!(ran.err.contains("ERR_UTF8"), "{}", ran.err);
}

/// Adds the rows of an output, in which each run that appends wrote the header.
fn add_rows(printed: &str, known: &HashSet<&str>, there: &mut HashSet<String>) {
    for row in printed.replace("n,url,note\r\n", "").split_inclusive("\"\r\n") {
        assert!(known.contains(row), "{row:?}");
        there.insert(row.to_owned());
    }
}

/// Kills of runs over a table, to a file that is appended to and to one that is replaced: no row is lost, and
/// none is there in part.
#[cfg(target_os = "linux")]
#[test]
fn killed_runs_over_rows_do_not_lose_rows() {
    let kills: u32 = std::env::var("URLID_KILLS").map_or(12, |kills| kills.parse().expect("it is a number"));
    let (text, rows) = table(20_000);
    let known: HashSet<&str> = rows.iter().map(String::as_str).collect();
    let mut random = Seeded::new(19);
    for replaces in [false, true] {
        let mut killed = 0;
        while killed < kills {
            let run = Run::new(&text);
            let out = run.folder.path().join("out");
            let name = out.to_str().expect("it is UTF-8").to_owned();
            let args = ["--resume", "--column", "url", "--quiet", "--out", &name];
            let mut command = run.command(if replaces { &args } else { &args[..4] });
            let mut there = HashSet::new();
            loop {
                let time = (random.below(4) > 0).then(|| Duration::from_millis(random.below(250)));
                let appended = run.folder.path().join(if replaces { "none" } else { "out" });
                if append(command.stderr(Stdio::null()), &appended, time) {
                    break;
                }
                killed += 1;
                // A run that was killed after the file had its name has delivered its rows.
                if replaces && let Ok(printed) = fs::read_to_string(&out) {
                    add_rows(&printed, &known, &mut there);
                }
            }
            add_rows(&fs::read_to_string(&out).expect("it is text"), &known, &mut there);
            assert_eq!(there.len(), rows.len(), "{killed} kills");
            assert_eq!(run.shown(), (rows.len(), 0));
        }
    }
}
