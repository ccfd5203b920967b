//! The README, and the pages of docs that work through a task: every command runs in a shell and prints what
//! the page shows.

use std::path::Path;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use urlid_testing::{gzip, root, warc_record, warc_record_of};

use crate::support::{Folder, verbs};
use crate::transcripts::{check_page, shell};

/// Returns the text of a page.
pub(crate) fn text_of(page: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    std::fs::read_to_string(path).expect("the page is there")
}

/// Returns the blocks of a language.
pub(crate) fn blocks<'t>(text: &'t str, language: &str) -> impl Iterator<Item = &'t str> {
    let start = format!("```{language}\n");
    text.match_indices(&start)
        .filter_map(|(place, start)| text[place + start.len()..].split("```").next())
        .collect::<Vec<_>>()
        .into_iter()
}

/// Runs the lines of the `sh` blocks of a page, whose output the page does not show. 1 is an answer, too.
fn run_scripts(page: &str, folder: &Folder) {
    let text = text_of(page);
    let lines: Vec<&str> = blocks(&text, "sh").flat_map(str::lines).collect();
    assert!(!lines.is_empty(), "{page} has no scripts");
    for line in lines {
        let output = shell(line, folder);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{page}: {line}: {said}");
        assert!(!said.contains("ERR_"), "{page}: {line}: {said}");
    }
}

/// A page in a record, made on a day of January 2026.
fn page(url: &str, day: u32) -> Vec<u8> {
    let date = format!("2026-01-{day:02}T03:04:05Z");
    let fields = [("WARC-Type", "response"), ("WARC-Target-URI", url), ("WARC-Date", &date)];
    gzip(&warc_record(&fields, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello"))
}

#[test]
fn readme() {
    check_page("README.md", &with_samples());
}

#[test]
fn pages_with_scripts() {
    let folder = Folder::new();
    let urls = "http://example.com/\nhttps://docs.rs/serde?utm_source=x\n";
    for name in ["urls.txt", "bad-urls.txt", "crawl.txt", "well-known-urls.txt", "popular-sites.txt"] {
        folder.file(name, urls);
    }
    folder.file("popular-domains.txt", "example.com\ndocs.rs\n");
    for name in ["old.list", "new.compiled", "monday.list", "tuesday.compiled"] {
        assert!(
            shell(&format!("urlid list make --covers directory urls.txt > {name}"), &folder).status.success()
        );
    }
    folder.file("crawl.warc.gz", page("http://example.com/", 2));
    for page in ["docs/lists.md", "docs/coming-from.md"] {
        run_scripts(page, &folder);
    }
}

/// A folder in which the samples of the repository are.
fn with_samples() -> Folder {
    let folder = Folder::new();
    let samples = folder.path().join("samples");
    std::fs::create_dir(&samples).expect("there is room");
    for entry in root().join("samples").read_dir().expect("they are there") {
        let entry = entry.expect("it is there");
        std::fs::copy(entry.path(), samples.join(entry.file_name())).expect("there is room");
    }
    folder
}

#[test]
fn seen_sets() {
    check_page("docs/seen-sets.md", &Folder::new());
}

#[test]
fn other_readings_of_the_host() {
    check_page("docs/spec/web.md", &Folder::new());
}

#[test]
fn the_tour() {
    check_page("docs/tour.md", &with_samples());
}

#[test]
fn rows_of_clickhouse() {
    check_page("docs/sql.md", &Folder::new());
}

#[test]
fn logs() {
    check_page("docs/logs.md", &Folder::new());
}

#[test]
fn tables() {
    check_page("docs/tables.md", &Folder::new());
}

#[test]
fn site_rules() {
    check_page("docs/site-rules.md", &with_samples());
}

#[test]
fn templates() {
    check_page("docs/templates.md", &with_samples());
}

#[test]
fn how_do_i() {
    let questions = text_of("docs/how-do-i.md").matches("\n### … ").count();
    assert!(questions >= 30, "{questions} questions");
    check_page("docs/how-do-i.md", &with_samples());
}

#[test]
fn every_verb_is_in_a_guide() {
    let docs = root()
        .join("docs")
        .read_dir()
        .expect("they are there")
        .map(|entry| entry.expect("it is there").path());
    let pages = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let guides: String = pages.map(|path| std::fs::read_to_string(path).expect("it is text")).collect();
    let words: Vec<&str> =
        guides.split(|character: char| !character.is_alphanumeric() && character != '-').collect();
    for verb in verbs(&[]) {
        let named: Vec<&str> = ["urlid"].into_iter().chain(verb.iter().map(String::as_str)).collect();
        assert!(words.windows(named.len()).any(|some| some == named), "{verb:?} is in no page of docs");
    }
}

/// The archive in `samples` is the one that is made here.
#[test]
fn the_sample_of_an_archive_is_current() {
    let record = |url: &str, day: u32, kind: &str, body: &str| {
        let date = format!("2026-01-{day:02}T03:04:05Z");
        let fields = [("WARC-Type", "response"), ("WARC-Target-URI", url), ("WARC-Date", &date)];
        let content = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}");
        warc_record(&fields, content.as_bytes())
    };
    let records = [
        record("http://example.com/", 2, "text/html", "<p>one"),
        record("https://www.example.com/about?b=2&a=1", 2, "text/html", "<p>two"),
        record("http://example.com:80/", 3, "text/html", "<p>three"),
        record("https://docs.rs/serde", 3, "application/json", "{}"),
    ];
    let text = String::from_utf8(records.concat()).expect("it is text");
    urlid_testing::check_page("samples/crawl.warc", &text);
}

#[test]
fn a_day_of_a_publisher_of_lists() {
    check_page("docs/publishing-lists.md", &Folder::new());
}

#[test]
fn lists() {
    check_page("docs/lists.md", &Folder::new());
}

#[test]
fn canonical_forms() {
    check_page("docs/canonical-forms.md", &Folder::new());
}

#[test]
fn the_page_on_identifiers() {
    check_page("docs/spec/url-hash.md", &Folder::new());
}

#[test]
fn web_archives() {
    let folder = Folder::new();
    let pages = [
        page("http://example.com/", 2),
        page("http://example.com/about?b&a", 2),
        page("http://example.com:80/", 3),
        page("http://sub.example.com/", 2),
        page("<http://www.example.org/page>", 2),
    ];
    folder.file("crawl.warc.gz", pages.concat());
    let mut broken = pages.clone();
    broken[1][20..40].fill(0xff);
    folder.file("broken.warc.gz", broken.concat());
    let url = "http://example.org/search";
    let request = b"POST /search HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 29\r\n\r\n{\"q\": \"archives\", \"on\": true}";
    let posts = [
        warc_record_of("response", url, b"HTTP/1.1 200 OK\r\n\r\n<p>found"),
        warc_record_of("request", url, request),
    ];
    folder.file("posts.warc.gz", posts.map(|record| gzip(&record)).concat());
    check_page("docs/web-archives.md", &folder);
}

/// Writes a table with some of the columns of the columnar index of Common Crawl.
fn columnar_index(urls: &[&str]) -> Vec<u8> {
    const COLUMNS: &str = "message spark_schema {
        required binary url_surtkey (UTF8);
        required binary url (UTF8);
        optional binary url_host_name (UTF8);
        optional int32 fetch_status;
        required binary warc_filename (UTF8);
    }";
    let form: urlid_canonical::Form = "ia-surt-1.3".parse().expect("it is a form");
    let texts = |text: &dyn Fn(&str) -> String| -> Vec<ByteArray> {
        urls.iter().map(|url| ByteArray::from(text(url).into_bytes())).collect()
    };
    let host = |url: &str| url.split('/').nth(2).unwrap_or_default().to_owned();
    let columns = [
        texts(&|url| form.canonicalize(url).expect("it has a key")),
        texts(&|url| url.to_owned()),
        texts(&host),
        texts(&|_| "crawl-data/CC-MAIN-00000.warc.gz".to_owned()),
    ];
    let levels = vec![1; urls.len()];
    let (mut bytes, mut columns) = (Vec::new(), columns.into_iter());
    let schema = Arc::new(parse_message_type(COLUMNS).expect("it is a schema"));
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).expect("it begins");
    let mut group = writer.next_row_group().expect("it begins");
    let mut number = 0;
    while let Some(mut column) = group.next_column().expect("it goes on") {
        let levels = (number == 2 || number == 3).then_some(levels.as_slice());
        let written = match number {
            3 => column.typed::<Int32Type>().write_batch(&vec![200; urls.len()], levels, None),
            _ => {
                let texts = columns.next().expect("there are four columns of texts");
                column.typed::<ByteArrayType>().write_batch(&texts, levels, None)
            }
        };
        assert_eq!(written.expect("it is written"), urls.len());
        column.close().expect("it ends");
        number += 1;
    }
    group.close().expect("it ends");
    writer.close().expect("it ends");
    bytes
}

#[test]
fn common_crawl() {
    let folder = Folder::new();
    let urls = [
        "https://www.example.com/about",
        "https://www.example.com/",
        "https://www.example.com/about",
        "http://example.com/",
        "http://example.org/",
        "http://1.2.3.4/",
    ];
    folder.file("part-00000.parquet", columnar_index(&urls));
    folder.file("CC-MAIN-00000.warc.gz", page("https://www.example.com/about", 2));
    let text = warc_record_of("conversion", "https://www.example.com/about", b"hello");
    folder.file("CC-MAIN-00000.warc.wet.gz", gzip(&text));
    let line = |key: &str, url: &str| {
        format!("{key} 20260102030405 {{\"url\": \"{url}\", \"filename\": \"CC-MAIN-00000.warc.gz\"}}\n")
    };
    let blocks = [
        line("com,example)/", "http://example.com/"),
        line("com,example)/about", "https://www.example.com/about"),
        line("org,example)/", "http://example.org/"),
    ];
    let blocks = blocks.map(|block| gzip(block.as_bytes()));
    let keys = ["com,example)/", "com,example)/about", "org,example)/"];
    let (mut index, mut offset) = (String::new(), 0);
    for (number, (key, block)) in (1..).zip(keys.iter().zip(&blocks)) {
        index.push_str(&format!("{key} 20260102030405\tcdx-00000.gz\t{offset}\t{}\t{number}\n", block.len()));
        offset += block.len();
    }
    folder.file("cluster.idx", index);
    folder.file("cdx-00000.gz", blocks.concat());
    check_page("docs/common-crawl.md", &folder);
}

#[test]
fn the_example_of_a_transcript_is_one() {
    let page = text_of("CONTRIBUTING.md");
    let example = blocks(&page, "text").find(|block| block.starts_with("## ")).expect("it has one");
    let file = text_of("crates/urlid-cli/tests/cli/console/rejected.console");
    assert!(file.starts_with(example), "CONTRIBUTING.md shows the first case of rejected.console");
}
