//! The query cookbook of the SXURL specification (section 11) and the statement of docs/index-format.md, as
//! they stand, in plain SQLite.
//!
//! Through the library that is built in, and through the `sqlite3` program if the machine has it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::load;
use urlid::sxurl::Slice;

/// The four blocks of section 11, word for word.
const COOKBOOK: [&str; 4] = [
    "WHERE SUBSTR(id_hex, 3+1, 4) = :h_tld_ai   -- hex[3..7)
",
    "WHERE SUBSTR(id_hex, 3+1, 4)  = :h_tld_com     -- [3..7)
    AND SUBSTR(id_hex, 7+1, 15) = :h_domain_g    -- [7..22)
    AND SUBSTR(id_hex,34+1, 15) = :h_path_s      -- [34..49)
",
    "WHERE SUBSTR(id_hex,30+1,4) = '20fb'          -- [30..34)
",
    "WHERE SUBSTR(id_hex,49+1,9) = :h_params_Q     -- [49..58)
",
];

const URLS: [&str; 7] = [
    "https://openai.ai/",
    "http://api.example.ai:8443/a/b?x=1#frag",
    "https://google.com/search?q=a",
    "https://google.com/search",
    "http://www.google.com/search",
    "https://google.com/searches",
    "https://google.de/search?q=a",
];

/// The URLs that each block must find, ordered by text.
const ANSWERS: [&[&str]; 4] = [
    &["http://api.example.ai:8443/a/b?x=1#frag", "https://openai.ai/"],
    &["http://www.google.com/search", "https://google.com/search", "https://google.com/search?q=a"],
    &["http://api.example.ai:8443/a/b?x=1#frag"],
    &["https://google.com/search?q=a", "https://google.de/search?q=a"],
];

fn parameters() -> Vec<(&'static str, String)> {
    let hex = |slice: Slice, value: &str| {
        format!("{:0width$x}", slice.hash(value), width = slice.bits() as usize / 4)
    };
    vec![
        (":h_tld_ai", hex(Slice::Tld, "ai")),
        (":h_tld_com", hex(Slice::Tld, "com")),
        (":h_domain_g", hex(Slice::Domain, "google")),
        (":h_path_s", hex(Slice::Path, "/search")),
        (":h_params_Q", hex(Slice::Params, "q=a")),
        (":tld", hex(Slice::Tld, "com")),
        (":domain", hex(Slice::Domain, "google")),
    ]
}

/// Returns the statement of docs/index-format.md, section 6.
fn ranges_statement() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/index-format.md");
    let text = std::fs::read_to_string(path).expect("the format's text is in the tree");
    let section = text.split("## 6.").nth(1).expect("has a section 6");
    let block = section.split("```sql\n").nth(1).and_then(|rest| rest.split("```").next());
    block.expect("has a statement").trim().trim_end_matches(';').to_owned()
}

/// Every statement with the answers it must give.
fn statements() -> Vec<(String, Vec<&'static str>)> {
    let mut statements: Vec<(String, Vec<&str>)> = COOKBOOK
        .iter()
        .zip(ANSWERS)
        .map(|(block, answers)| (format!("SELECT url FROM url_hex {block} ORDER BY url"), answers.to_vec()))
        .collect();
    let of_google = URLS.into_iter().filter(|url| url.contains("google.com"));
    let mut of_google: Vec<&str> = of_google.collect();
    of_google.sort_unstable();
    statements.push((format!("SELECT url FROM ({}) ORDER BY url", ranges_statement()), of_google));
    statements
}

fn index(directory: &Path) -> PathBuf {
    let path = directory.join("cookbook.urlid");
    load(&path, &URLS);
    path
}

#[test]
fn through_the_library() {
    let directory = tempfile::tempdir().expect("a directory");
    let conn = rusqlite::Connection::open(index(directory.path())).expect("opens");
    for (sql, answers) in statements() {
        let mut statement = conn.prepare(&sql).expect(&sql);
        for (name, value) in parameters() {
            if let Some(number) = statement.parameter_index(name).expect("has a name") {
                statement.raw_bind_parameter(number, value).expect("binds");
            }
        }
        let mut rows = statement.raw_query();
        let mut urls: Vec<String> = Vec::new();
        while let Some(row) = rows.next().expect("steps") {
            urls.push(row.get(0).expect("is text"));
        }
        assert_eq!(urls, answers, "{sql}");
    }
}

#[test]
fn through_the_program() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = index(directory.path());
    for (sql, answers) in statements() {
        let mut script = String::from(".bail on\n");
        for (name, value) in parameters() {
            script.push_str(&format!(".parameter set {name} \"'{value}'\"\n"));
        }
        script.push_str(&format!("{sql};\n"));
        let child = Command::new("sqlite3")
            .arg("-readonly")
            .arg(&path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = match child {
            Ok(child) => child,
            Err(error) => return urlid_testing::not_run(&format!("the program sqlite3: {error}")),
        };
        std::io::Write::write_all(&mut child.stdin.take().expect("is piped"), script.as_bytes())
            .expect("is read");
        let output = child.wait_with_output().expect("ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("is text");
        assert_eq!(text.lines().collect::<Vec<_>>(), answers, "{sql}");
    }
}
