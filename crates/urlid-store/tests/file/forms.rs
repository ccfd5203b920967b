//! An index that stores URLs in a canonical form keeps to it.

use std::path::Path;

use crate::{all, fresh, load, load_with};
use urlid::suffix::SuffixList;
use urlid::{Error, ErrorCode};
use urlid_canonical::{Form, FormStep, Profile, TrackingList};
use urlid_store::file::{Index, Load, LoadOptions, delete, error, merge};

fn form(name: &str) -> Form {
    name.parse().expect(name)
}

fn options(name: &str) -> LoadOptions {
    LoadOptions { form: Some(form(name)), ..LoadOptions::default() }
}

fn begin(path: &Path, options: LoadOptions) -> Result<(), Error> {
    Load::begin(path, SuffixList::compiled(), options).map(drop)
}

#[test]
fn urls_are_stored_and_looked_up_in_the_form() {
    let (_directory, path) = fresh("index");
    let lines = ["HTTP://Example.com:80/a/../b#f", "http://example.com/b#g", "http://1.2.3.4:80/#x", "x"];
    let loaded = load_with(&path, &lines, options("web+drop-fragment"));
    assert_eq!((loaded.taken, loaded.new, loaded.rejected.values().sum::<u64>()), (3, 2, 1));
    assert_eq!(all(&path), ["http://example.com/b", "http://1.2.3.4/"]);
    let index = Index::open(&path).expect("opens");
    assert_eq!(index.describe().expect("describes").canonical_form.as_deref(), Some("web+drop-fragment"));
    assert!(index.get_url("http://EXAMPLE.com/./b#anything", None).expect("is looked up").is_stored);
    // A later load needs no form: that of the index holds.
    assert_eq!(load(&path, &["http://example.com/b#h", "http://example.com/c#h"]).new, 1);
}

/// url-normalize makes an empty text of white space, which is its answer and not an error.
#[test]
fn an_empty_form_is_rejected() {
    let (_directory, path) = fresh("index");
    let loaded = load_with(&path, &["http://h.com", " \t", ""], options("url-normalize-3.1"));
    assert_eq!((loaded.taken, loaded.blank, loaded.rejected.get(&ErrorCode::UrlParse)), (1, 1, Some(&1)));
    assert_eq!(all(&path), ["http://h.com/"]);
    let index = Index::open(&path).expect("opens");
    for text in ["", " "] {
        let error = index.get_url(text, None).expect_err("the form is empty");
        assert_eq!(error.code(), ErrorCode::UrlParse);
        assert_eq!(error.to_string(), "canonical form is empty: expected an absolute URL");
    }
}

#[test]
fn another_form_is_rejected_unless_the_index_is_empty() {
    let directory = tempfile::tempdir().expect("a directory");
    let at = |name: &str| directory.path().join(name);
    load_with(&at("web"), &["https://example.com/#f"], options("web"));
    load(&at("plain"), &["https://example.com/"]);
    let message = |path: &Path, found: &str, expected: &str| {
        format!("canonical forms differ: found {found} in {}, expected {expected}", path.display())
    };
    for (name, found) in [("web", "web"), ("plain", "none")] {
        let before = std::fs::read(at(name)).expect("reads");
        let error = begin(&at(name), options("w3lib-2.5")).expect_err(name);
        assert_eq!(error.code(), ErrorCode::CanonMixed);
        assert_eq!(error.to_string(), message(&at(name), found, "w3lib-2.5"));
        assert_eq!(std::fs::read(at(name)).expect("reads"), before);
    }
    begin(&at("web"), options("web")).expect("is the same form");

    delete(&at("plain"), &Default::default()).expect("deletes");
    assert_eq!(load_with(&at("plain"), &["https://example.com/#f"], options("web+drop-fragment")).new, 1);
    assert_eq!(all(&at("plain")), ["https://example.com/"]);
    let error = begin(&at("plain"), options("web")).expect_err("is not empty");
    assert_eq!(error.to_string(), message(&at("plain"), "web+drop-fragment", "web"));

    let sources = [at("web"), at("plain")];
    let sources: Vec<&Path> = sources.iter().map(AsRef::as_ref).collect();
    let error = merge(&at("both"), &sources, LoadOptions::default()).expect_err("differ");
    assert!(error.is(error::FORM), "{error}");
    merge(&at("both"), &sources[1..], LoadOptions::default()).expect("merges");
    let both = Index::open(&at("both")).expect("opens");
    let form = both.describe().expect("describes").canonical_form.clone();
    assert_eq!(form.as_deref(), Some("web+drop-fragment"));
}

#[test]
fn a_form_that_gives_keys_is_rejected() {
    let (directory, path) = fresh("index");
    let error = begin(&path, options("surt-0.3.1")).expect_err("gives keys");
    assert_eq!(error.code(), ErrorCode::CanonName);
    assert_eq!(error.to_string(), "surt-0.3.1 gives keys: expected a canonical form that gives URLs");
    assert_eq!(std::fs::read_dir(directory.path()).expect("lists").count(), 0);
}

#[test]
fn a_list_that_the_form_names_is_given_each_time() {
    let (directory, path) = fresh("index");
    let list = |parameter: &str| {
        let text = format!(r#"{{"all": {{"queryParams": ["{parameter}"], "topLevelSites": ["*"]}}}}"#);
        TrackingList::parse(&text).expect("a list")
    };
    let with = |list: TrackingList| {
        Form::new(Profile::named("web").expect("there"), vec![FormStep::DropTracking(list)]).expect("a form")
    };
    let ours = with(list("ref"));
    let given = || LoadOptions { form: Some(ours.clone()), ..LoadOptions::default() };
    assert_eq!(load_with(&path, &["https://a.example/?ref=1", "https://a.example/?q"], given()).new, 2);
    assert_eq!(load_with(&path, &["https://a.example/?ref=2"], given()).new, 0);
    let index = Index::open(&path).expect("opens");
    assert!(index.get_url("https://a.example/?ref=3", Some(&ours)).expect("is given").is_stored);
    assert!(index.get_url("https://a.example/?b", Some(&with(list("b")))).is_err());
    let error = index.get_url("https://a.example/?ref=3", None).expect_err("is not given");
    assert_eq!(error.code(), ErrorCode::CanonName);
    let error = begin(&path, LoadOptions::default()).expect_err("is not given");
    assert_eq!(error.code(), ErrorCode::CanonName);
    let other = LoadOptions { form: Some(with(list("b"))), ..LoadOptions::default() };
    assert_eq!(begin(&path, other).expect_err("is another").code(), ErrorCode::CanonMixed);

    let target = directory.path().join("both");
    merge(&target, &[&path], LoadOptions::default()).expect_err("is not given");
    merge(&target, &[&path], given()).expect("merges");
    assert_eq!(all(&target), all(&path));
}

#[test]
fn a_form_that_is_unknown_is_named() {
    let (_directory, path) = fresh("index");
    load(&path, &["https://example.com/"]);
    let sql = "UPDATE meta SET value = 'web-3000' WHERE key = 'canonical_form'";
    rusqlite::Connection::open(&path).expect("opens").execute(sql, []).expect("updates");
    assert_eq!(all(&path), ["https://example.com/"]);
    let error =
        Index::open(&path).expect("opens").get_url("https://example.com/", None).expect_err("is unknown");
    assert_eq!(error.code(), ErrorCode::CanonName);
    assert_eq!(begin(&path, LoadOptions::default()).expect_err("is unknown").code(), ErrorCode::CanonName);
}
