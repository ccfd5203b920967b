//! The exit codes: 4, 2, 3, 1, the first that applies.

use crate::support::{DOCS, Folder, urlid, urlid_on};

#[test]
fn the_exit_code_says_what_happened() {
    let missing = "/nowhere/at/all";
    let table: &[(&[&str], &[u8], i32)] = &[
        (&["id", DOCS], b"", 0),
        (&["id"], b"", 0),
        (&["id", "-"], b"\n\n", 0),
        (&["--help"], b"", 0),
        (&["id", "--help"], b"", 0),
        (&["-V"], b"", 0),
        (&["parts", "--of", "text", "nothing"], b"", 1),
        (&[], b"", 2),
        (&["nonsense"], b"", 2),
        (&["id", "--nonsense"], b"", 2),
        (&["id", "--kind", "nonsense"], b"", 2),
        (&["id", "--format", "nonsense"], b"", 2),
        (&["id", "--max-line", "0"], b"", 2),
        (&["canon", DOCS], b"", 2),
        (&["resolve", "no base", "x"], b"", 2),
        (&["index", "add", missing, "--as", "surt-0.3.1"], b"", 2),
        (&["id", "--column", "url", "--records", "all", missing], b"", 2),
        (&["list", "diff", "-", "-"], b"", 2),
        (&["list", "merge", "-", missing, "-"], b"", 2),
        (&["id", "--key", missing, DOCS], b"", 2),
        (&["id", "--hex", DOCS], b"", 2),
        (&["id", "--keep", "query", "--kind", "url-hash", DOCS], b"", 2),
        (&["id", "--body", "x", DOCS], b"", 2),
        (&["id", "--tracking-list", missing, DOCS], b"", 2),
        (&["explain", "--tracking-list", missing, DOCS], b"", 2),
        (&["canon", "--as", "web", "--keep", "query", DOCS], b"", 2),
        (&["index", "add", missing, "--tracking-list", missing], b"", 2),
        (&["uniq", "--resume", DOCS], b"", 2),
        (&["uniq", "--wait", DOCS], b"", 2),
        (&["uniq", "--seen", missing, "--count", DOCS], b"", 2),
        (&["uniq", "--limit", "1", DOCS], b"", 2),
        (&["uniq", "--per", "host", DOCS], b"", 2),
        (&["uniq", "--per", "host", "--limit", "0", DOCS], b"", 2),
        (&["uniq", "--per", "host", "--limit", "1", "--psl", "none", DOCS], b"", 2),
        (&["uniq", "--per", "host", "--limit", "1", "--seen", missing, DOCS], b"", 2),
        (&["uniq", "--per", "host", "--limit", "1", "--sample", "1", DOCS], b"", 2),
        (&["uniq", "--sample", "0", DOCS], b"", 2),
        (&["uniq", "--sample", "1", "--count", DOCS], b"", 2),
        (&["uniq", "--minus", missing, "--both", missing, DOCS], b"", 2),
        (&["uniq", "--minus", missing, "--seen", missing, DOCS], b"", 2),
        (&["uniq", "--minus", "-"], b"", 2),
        (&["id", "ws:y"], b"", 3),
        (&["id", "-"], b"x\n", 3),
        (&["resolve", "mailto:a", "x"], b"", 3),
        (&["id", missing], b"", 4),
        (&["id", missing, "ws:y"], b"", 4),
        (&["id", "ws:y", missing, DOCS], b"", 4),
        (&["id", "/"], b"", 4),
        (&["id", "--psl", missing, DOCS], b"", 4),
        (&["id", "--refused", missing, DOCS], b"", 4),
        (&["vectors", missing], b"", 4),
        (&["index", "find", missing], b"", 4),
        (&["index", "get", missing, DOCS], b"", 4),
        (&["index", "show", missing], b"", 4),
        (&["man", "--out", missing], b"", 4),
    ];
    for (args, input, code) in table {
        let ran = urlid_on(input, *args);
        assert_eq!(ran.code, Some(*code), "{args:?}: {}", ran.err);
    }
}

#[test]
fn good_inputs_are_done_beside_bad_ones() {
    let ran = urlid(["id", "-k", "sxurl-crate-1.0", "/nowhere", "ws:y", DOCS]);
    let id = "004817c7e16ca8efb818406f000000000001bb35884d71189f90000000000000";
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), format!("\n{id}\n").as_str()), "{}", ran.err);
    assert!(ran.err.contains("urlid: /nowhere: ERR_IO: cannot read: "), "{}", ran.err);
    assert!(urlid(["id", ""]).err.starts_with("urlid: '': ERR_IO: cannot read: "));
}

#[test]
fn an_unknown_cpu_is_a_usage_error() {
    for (cpu, code) in [("portable", 0), ("", 0), ("nonsense", 2)] {
        let ran = crate::support::finish(crate::support::command().env("URLID_CPU", cpu).args(["id", DOCS]));
        assert_eq!(ran.code, Some(code), "{cpu}: {}", ran.err);
        assert_eq!(ran.err.contains("expected one of portable"), code != 0, "{}", ran.err);
    }
}

#[test]
fn a_damaged_list_is_named_with_its_line() {
    let folder = Folder::new();
    let path = folder.file("list.dat", "com\n!bad\n");
    let ran = urlid([std::ffi::OsStr::new("--psl"), path.as_os_str(), "id".as_ref(), DOCS.as_ref()]);
    assert_eq!(ran.code, Some(4));
    assert!(ran.err.contains("list.dat: ERR_LIST_LINE: "), "{}", ran.err);
}
