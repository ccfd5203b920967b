//! Rejected rows of Parquet files: every verb does with them what it does with those of CSV.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::Field;
use parquet::schema::parser::parse_message_type;

use crate::support::{Folder, Ran, urlid};

/// Rows of two columns with URLs and one with other text; `None` is null.
const ROWS: [[Option<&str>; 3]; 9] = [
    [Some("https://a.example/"), Some("https://b.example/1"), Some("one")],
    [Some("no url"), Some("https://b.example/2"), Some("two")],
    [None, Some("https://b.example/3"), Some("three")],
    [Some("https://a.example/#top"), Some("https://h:0x/"), Some("four")],
    // Both rows of a row group.
    [Some("https://h:0x/"), Some("no url"), Some("five")],
    [Some("https://h:99999/"), None, None],
    [Some(""), Some("https://b.example/"), Some("seven")],
    [Some("https://www.c.example.co.uk/x?y=1"), Some("https://b.example/"), Some("eight")],
    [Some("https://listed.example/"), Some("https://b.example/"), Some("nine")],
];

const NAMES: [&str; 3] = ["url", "other", "note"];

/// Writes the rows to a Parquet file, two in each row group.
fn write_parquet(path: &Path, rows: &[[Option<&str>; 3]]) {
    let schema = "message m { optional binary url (UTF8); optional binary other (UTF8); optional binary note (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).expect("it is a schema"));
    let properties = Arc::new(WriterProperties::builder().build());
    let file = File::create(path).expect("there is room");
    let mut writer = SerializedFileWriter::new(file, schema, properties).expect("it is a schema");
    for group in rows.chunks(2) {
        let mut group_writer = writer.next_row_group().expect("there is room");
        for place in 0..3 {
            let mut column = group_writer.next_column().expect("there is room").expect("there are three");
            let levels: Vec<i16> = group.iter().map(|row| i16::from(row[place].is_some())).collect();
            let values: Vec<ByteArray> =
                group.iter().filter_map(|row| row[place].map(ByteArray::from)).collect();
            column
                .typed::<ByteArrayType>()
                .write_batch(&values, Some(&levels), None)
                .expect("they are texts");
            column.close().expect("there is room");
        }
        group_writer.close().expect("there is room");
    }
    writer.close().expect("there is room");
}

/// Returns the rows of a Parquet file as lines of CSV, after their names.
fn read_parquet(path: &Path) -> String {
    let reader = SerializedFileReader::new(File::open(path).expect("it is there")).expect("it is Parquet");
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names: Vec<String> = schema.columns().iter().map(|column| column.name().to_owned()).collect();
    let rows = reader.get_row_iter(None).expect("it has rows").map(|row| {
        let row = row.expect("it is whole");
        let fields = row.get_column_iter().map(|(_, field)| match field {
            Field::Null => String::new(),
            Field::Str(text) if text.is_empty() || text.contains(',') => format!("\"{text}\""),
            Field::Str(text) => text.clone(),
            other => other.to_string(),
        });
        fields.collect::<Vec<_>>().join(",")
    });
    [names.join(",")].into_iter().chain(rows).map(|line| line + "\n").collect()
}

/// The files of one comparison.
struct Files {
    folder: Folder,
    list: String,
    index: String,
}

impl Files {
    fn new() -> Self {
        let folder = Folder::new();
        let field = |field: &Option<&str>| match field {
            None => String::new(),
            Some("") => "\"\"".to_owned(),
            Some(text) => (*text).to_owned(),
        };
        let lines = ROWS.iter().map(|row| row.iter().map(field).collect::<Vec<_>>().join(",") + "\n");
        folder.file("t.csv", [NAMES.join(",") + "\n"].into_iter().chain(lines).collect::<String>());
        write_parquet(&folder.path().join("t.parquet"), &ROWS);
        let list = folder.file("list", urlid(["list", "make", "https://listed.example/"]).out);
        let index = folder.path().join("urls.db");
        let text = |path: &Path| path.to_str().expect("it is UTF-8").to_owned();
        assert_eq!(urlid(["index", "add", &text(&index), "https://a.example/"]).code, Some(0));
        Files { list: text(&list), index: text(&index), folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().expect("it is UTF-8").to_owned()
    }

    /// Runs a verb on a table; returns the rejected rows that it wrote to a file, too.
    fn run(&self, verb: &str, options: &[&str], table: &str) -> (Ran, String) {
        let rejects = self.path("rejects");
        let verb = verb.replace("LIST", &self.list).replace("INDEX", &self.index);
        // What a verb makes has a name of its own for each table.
        let verb = verb.replace("NEW", &self.path(&format!("new-of-{table}")));
        let table = self.path(table);
        let args = verb.split(' ').chain(options.iter().copied()).chain(["--rejects", &rejects, &table]);
        (urlid(args), fs::read_to_string(&rejects).unwrap_or_default())
    }

    /// Runs a verb on both tables and compares its messages and its rejected rows; returns both runs.
    #[track_caller]
    fn compare(&self, verb: &str, how: &[&str], outs: [&[&str]; 2]) -> [Ran; 2] {
        let run = |table, out: &[&str]| self.run(verb, &[how, out].concat(), table);
        let (csv, csv_rejects) = run("t.csv", outs[0]);
        let (parquet, parquet_rejects) = run("t.parquet", outs[1]);
        assert_eq!(parquet.code, csv.code, "{verb} {how:?}: {} and {}", csv.err, parquet.err);
        assert_ne!(csv.code, Some(2), "{verb} {how:?}: {}", csv.err);
        // A row of CSV is one line behind, because of the header.
        let (name, csv_name) = (self.path("t.parquet"), self.path("t.csv"));
        let of_csv = |line: &str, separator: char| {
            let Some(rest) = line.strip_prefix(&format!("{name}{separator}")) else {
                return line.replace("t.parquet", "t.csv");
            };
            let (row, rest) = rest.split_once(separator).expect("a number");
            let row: u64 = row.parse().expect("a number");
            format!("{csv_name}{separator}{}{separator}{rest}", row + 1)
        };
        let sorted = |lines: Vec<String>| {
            let mut lines = lines;
            lines.sort();
            lines
        };
        // Where several columns are read, those of Parquet come one after the other.
        let lines =
            |text: &str, separator: char| sorted(text.lines().map(|line| of_csv(line, separator)).collect());
        let plain = |text: &str| sorted(text.lines().map(str::to_owned).collect());
        assert_eq!(lines(&parquet.err, ':'), plain(&csv.err), "{verb} {how:?}");
        assert_eq!(lines(&parquet_rejects, '\t'), plain(&csv_rejects), "{verb} {how:?}");
        [csv, parquet]
    }
}

const ONE: &[&str] = &["--column", "url"];
const TWO: &[&str] = &["--column", "url", "--column", "other"];

#[test]
fn rows_with_new_columns_are_reported_or_left_out_as_in_csv() {
    let files = Files::new();
    let out = files.path("out.parquet");
    for verb in [
        "canon",
        "canon --as surt-0.3.1",
        "id",
        "id --kind url-hash,sxurl",
        "id --as web+drop-fragment",
        "parts",
        "parts --get host",
        "parts --of host",
        "parts --of text",
        "redact",
        "list match LIST",
        "list match --invalid-as no-match LIST",
    ] {
        for columns in [ONE, TWO] {
            for how in ["report", "ignore", "skip"] {
                let how = [columns, &["--invalid", how]].concat();
                let is_rejecting = !verb.contains("--invalid-as");
                let [csv, parquet] = if is_rejecting {
                    files.compare(verb, &how, [&[], &["--out", &out]])
                } else {
                    // Without rejected rows, --rejects is an error.
                    let run = |table: &str, more: &[&str]| {
                        let verb = verb.replace("LIST", &files.list);
                        let table = files.path(table);
                        urlid(
                            verb.split(' ')
                                .chain(how.iter().copied())
                                .chain(more.iter().copied())
                                .chain([&*table]),
                        )
                    };
                    [run("t.csv", &[]), run("t.parquet", &["--out", &out])]
                };
                assert_eq!(parquet.out, "", "{verb} {how:?}");
                let rows = read_parquet(Path::new(&out));
                // CSV has the quotes of an empty text where the text is one.
                assert_eq!(rows, csv.out, "{verb} {how:?}");
                let is_left_out = how.contains(&"skip") && csv.err.contains("skipped");
                assert_eq!(rows.lines().count() < ROWS.len() + 1, is_left_out, "{verb} {how:?}: {rows}");
            }
        }
    }
}

#[test]
fn values_are_reported_or_left_out_as_in_csv() {
    let files = Files::new();
    for verb in [
        "count",
        "count --by registered_domain",
        "uniq --values",
        "uniq --values --counts",
        "uniq --values --sample 3",
        "uniq --values --seen NEW",
        "uniq --count",
        "index match INDEX",
        "index match --all INDEX",
        "index match -v INDEX",
        "index add NEW --format csv",
        "index build NEW --format csv",
    ] {
        for how in ["report", "ignore", "skip"] {
            let how = [ONE, &["--invalid", how]].concat();
            let [csv, parquet] = files.compare(verb, &how, [&[], &[]]);
            assert_eq!(parquet.out, csv.out, "{verb} {how:?}");
            for name in ["new-of-t.csv", "new-of-t.parquet"] {
                let path = files.path(name);
                let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
            }
        }
    }
}

#[test]
fn rows_of_uniq_are_reported_or_left_out_as_in_csv() {
    let files = Files::new();
    let out = files.path("out.parquet");
    for verb in ["uniq", "uniq --counts", "uniq --per host --limit 1", "uniq --sample 2"] {
        for how in ["report", "ignore", "skip"] {
            let how = [ONE, &["--invalid", how]].concat();
            let [csv, _] = files.compare(verb, &how, [&[], &["--out", &out]]);
            assert_eq!(read_parquet(Path::new(&out)), csv.out, "{verb} {how:?}");
        }
    }
}

#[test]
fn without_rejected_rows_the_file_is_the_same() {
    let folder = Folder::new();
    let (table, out, skipped) =
        (folder.path().join("t.parquet"), folder.path().join("out"), folder.path().join("skipped"));
    write_parquet(&table, &ROWS[7..]);
    for (how, out) in [("report", &out), ("skip", &skipped)] {
        let options = ["--column", "url", "--invalid", how, "--out", out.to_str().expect("it is UTF-8")];
        super::run(&["id"], &options, &table).is_quiet(0, "");
    }
    assert_eq!(fs::read(&out).expect("it is there"), fs::read(&skipped).expect("it is there"));
    // All rows are left out.
    write_parquet(&table, &ROWS[4..6]);
    let options = ["--column", "url", "--invalid", "skip", "--out", out.to_str().expect("it is UTF-8")];
    let ran = super::run(&["id"], &options, &table);
    assert_eq!((ran.code, &*read_parquet(&out)), (Some(0), "url,other,note,url_sxurl\n"), "{}", ran.err);
}
