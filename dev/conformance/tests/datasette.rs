//! The SQLite export in Datasette: pages of a table, links to its rows, and facets by domain.
//!
//! Datasette links a row by its key. It cannot do so for the index, whose key is a blob.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use urlid::suffix::SuffixList;
use urlid_store::file::{Index, Load, LoadOptions, export_sqlite};

const URLS: [&str; 6] = [
    "https://www.debian.org/",
    "https://packages.debian.org/a?q=\u{fc}&x=%3Cb%3E#f",
    "wss://debian.org/",
    "http://1.2.3.4/",
    "mailto:a@b",
    "https://example.com/",
];

/// Returns the answer to a GET request, which must have the status 200.
fn get(python: &Path, file: &Path, request: &str) -> String {
    let ran = Command::new(python)
        .args(["-m", "datasette"])
        .arg(file)
        .args(["--get", request])
        .output()
        .expect("datasette starts");
    let text = String::from_utf8(ran.stdout).expect("a page is text");
    assert!(ran.status.success(), "{request}: {text}{}", String::from_utf8_lossy(&ran.stderr));
    text
}

#[test]
#[ignore = "at length: .ci/run"]
fn row_links_lead_to_rows_and_domains_are_facets() {
    let Some(python) = urlid_testing::oracle("datasette-0.65") else { return };
    let folder = tempfile::tempdir().expect("there is room for a small file");
    let (index, file) = (folder.path().join("urls.db"), folder.path().join("readable.db"));
    let mut load = Load::begin(&index, SuffixList::compiled(), LoadOptions::default()).expect("it is new");
    for url in URLS {
        load.push(url).expect("it is a URL");
    }
    load.finish().expect("there is room for a small file");
    let index = Index::open(&index).expect("it is an index");
    export_sqlite(&index, &file).expect("there is room for a small file");

    let table = get(&python, &file, "/readable/urls");
    let links: Vec<&str> = table.split("href=\"").filter_map(row_link).collect();
    assert_eq!(links.len(), URLS.len(), "{links:?}");
    for link in links {
        let row: Value = serde_json::from_str(&get(&python, &file, &format!("{link}.json?_shape=array")))
            .expect("it is JSON");
        let url = row[0]["url_text"].as_str().expect("every row has a URL");
        assert!(URLS.contains(&url), "{url}");
        assert!(get(&python, &file, link).contains("registered_domain"));
    }

    let facets = get(&python, &file, "/readable/urls.json?_facet=registered_domain&_facet=scheme&_size=0");
    let facets: Value = serde_json::from_str(&facets).expect("it is JSON");
    let domains =
        facets["facet_results"]["registered_domain"]["results"].as_array().expect("a facet has results");
    let largest = (domains[0]["value"].as_str(), domains[0]["count"].as_u64());
    assert_eq!(largest, (Some("debian.org"), Some(3)));
}

/// Returns the path of a link if it refers to a row of the table.
fn row_link(rest: &str) -> Option<&str> {
    let link = rest.split('"').next()?;
    let number = link.strip_prefix("/readable/urls/")?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some(link)
}
