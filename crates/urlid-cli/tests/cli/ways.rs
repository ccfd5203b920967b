//! Every verb is given every kind of file. Where it cannot use one, the message names the kind and a command.

use std::path::Path;
use std::process::Command;

use urlid_testing::{gzip, warc_record_of};

use crate::support::{DOCS, Folder, Ran, command, finish};

/// The kinds of files and folders, with what a message calls each.
const KINDS: [(&str, &str); 14] = [
    ("lines", "lines of text"),
    ("table.csv", "a table with the columns url,n"),
    ("rows.ndjson", "JSON"),
    ("rows.parquet", "a Parquet file"),
    ("crawl.warc.gz", "a WARC file"),
    ("crawl.wacz", "a ZIP archive, as WACZ files are"),
    ("index.cdxj", "an index of archives, CDXJ"),
    ("cluster.idx", "the .idx file of a ZipNum index"),
    ("hidden.list", "a hidden list"),
    ("plain.list", "lines of text"),
    ("urls.db", "an index of URLs"),
    ("dataset", "a dataset"),
    ("seen", "a seen-set"),
    ("page.html", "HTML or XML"),
];

/// The verbs with a file in the place of `F`, and the kinds that each can use.
const VERBS: &[(&str, &[&str])] = &[
    ("index find F", &["urls.db", "dataset"]),
    ("index count F", &["urls.db", "dataset"]),
    ("index get F 00", &["urls.db", "dataset"]),
    ("index match F https://docs.rs/", &["urls.db", "dataset"]),
    ("index show F", &["urls.db", "dataset"]),
    ("index verify F", &["urls.db", "dataset"]),
    ("index seal F", &["urls.db"]),
    ("index compact F", &["urls.db"]),
    ("index migrate F", &["urls.db"]),
    ("index delete F --all --dry-run", &["urls.db"]),
    ("index export F --format csv", &["urls.db", "dataset"]),
    ("index merge new.db F", &["urls.db"]),
    ("index add F https://docs.rs/", &["urls.db"]),
    ("seen show F", &["seen"]),
    ("seen verify F", &["seen"]),
    ("seen compact F", &["seen"]),
    ("uniq --seen F https://docs.rs/", &["seen"]),
    ("list match F https://docs.rs/", &["hidden.list"]),
    ("list compile F -o new", &["hidden.list"]),
    ("list audit F https://docs.rs/", &["hidden.list"]),
    ("list show F", &["hidden.list"]),
    ("list diff F hidden.list", &["hidden.list"]),
    ("list merge F", &["hidden.list"]),
    ("list delta F hidden.list -o new", &["hidden.list"]),
    ("list apply F delta -o new", &["hidden.list"]),
    ("list update F delta", &["hidden.list"]),
    ("list shards F --bits 1 --out shards", &["hidden.list"]),
    ("cdx find F https://docs.rs/", &["index.cdxj", "cluster.idx", "crawl.wacz"]),
    ("cdx verify F", &["index.cdxj"]),
    ("cdx merge F", &["index.cdxj"]),
    ("cdx rekey --from surt-0.3.1 --to web F", &["index.cdxj"]),
    ("cdx make F", &["crawl.warc.gz", "crawl.wacz"]),
    ("explain F", URLS),
    ("diff --hosts F", URLS),
    ("id F", URLS),
    ("parts F", URLS),
    ("canon --as web F", URLS),
    ("canon diff --from web --to surt-0.3.1 F", URLS),
    ("canon expressions F", URLS),
    ("redact F", URLS),
    ("uniq F", URLS),
    ("count F", URLS),
    ("index add new.db F", URLS),
    ("index build new F", STORES_OR_URLS),
    ("list make F", URLS),
];

/// The kinds that are read as URLs. A table is read by its column.
const URLS: &[&str] = &["lines", "crawl.warc.gz", "crawl.wacz", "index.cdxj", "plain.list"];
const STORES_OR_URLS: &[&str] =
    &["lines", "crawl.warc.gz", "crawl.wacz", "index.cdxj", "plain.list", "urls.db", "dataset"];

fn run(folder: &Path, words: &str) -> Ran {
    finish(command().current_dir(folder).args(words.split(' ')))
}

/// Makes a file of each kind.
fn files() -> Folder {
    let folder = Folder::new();
    folder.file("lines", format!("{DOCS}\nhttps://a.example/\n"));
    folder.file("plain.list", "https://bad.example/\nhttps://worse.example/\n");
    folder.file("table.csv", format!("url,n\n{DOCS},1\n"));
    folder.file("rows.ndjson", format!("{{\"url\": \"{DOCS}\", \"n\": 1}}\n"));
    folder.file("page.html", format!("<!DOCTYPE html>\n<a href=\"{DOCS}\">docs</a>\n"));
    folder.file("crawl.warc.gz", gzip(&warc_record_of("response", DOCS, b"HTTP/1.1 200 OK\r\n\r\n")));
    folder.file("delta", "any");
    let wacz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../urlid-io/tests/files/crawl.wacz");
    std::fs::copy(wacz, folder.path().join("crawl.wacz")).expect("there is room");
    for words in [
        "cdx make crawl.warc.gz -o index.cdxj",
        "cdx make crawl.warc.gz --zipnum 1 -o cluster.cdxj",
        "list make lines -o hidden.list",
        "index add urls.db lines",
        "index build dataset lines",
        "uniq --seen seen lines",
    ] {
        let ran = run(folder.path(), words);
        assert_eq!(ran.code, Some(0), "{words}: {ran:?}");
    }
    std::fs::copy(folder.path().join("dataset/part-00000.parquet"), folder.path().join("rows.parquet"))
        .expect("there is room");
    folder
}

#[test]
fn a_file_that_a_verb_cannot_use_is_named_with_the_next_command() {
    let folder = files();
    let mut wrong = Vec::new();
    for (verb, usable) in VERBS {
        // Some verbs change what they are given.
        let copy = tempfile::tempdir().expect("there is room");
        let copied = Command::new("cp").arg("-r").arg(folder.path().join(".")).arg(copy.path()).status();
        assert!(copied.expect("there is cp").success());
        for (name, kind) in KINDS {
            let words = verb.replace('F', name);
            let ran = run(copy.path(), &words);
            for made in ["new", "new.db"].map(|made| copy.path().join(made)) {
                let _ = std::fs::remove_file(&made).or_else(|_| std::fs::remove_dir_all(&made));
            }
            let is_done = ran.code.is_some_and(|code| matches!(code, 0 | 1 | 3));
            if usable.contains(&name) {
                // The delta of `apply` is not one.
                if !is_done && !words.contains(" delta") {
                    wrong.push(format!("{words}: {ran:?}"));
                }
                continue;
            }
            // Lines of a table, of JSON and so on are lines as well: they are rejected, with a hint.
            let has_kind = ran.err.contains(kind) || ran.err.contains("hint: ") && usable.contains(&"lines");
            let has_command = ["`urlid ", "--column", "one per line"].iter().any(|way| ran.err.contains(way));
            if !(has_kind && has_command) {
                wrong.push(format!("{words}: {ran:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
