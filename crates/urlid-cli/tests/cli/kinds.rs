//! Files that are not lines of URLs: those of a known other kind are rejected by name, and those that only
//! look wrong get a hint.

use std::ffi::OsStr;

use urlid_testing::{gzip, zstd};

use crate::support::{DOCS, DOCS_ID, Folder, Ran, urlid, urlid_on};

const KINDS: [(&[u8], &str); 7] = [
    (b"7z\xbc\xaf\x27\x1c\0\nhttp://evil.example/\n", "a 7z archive"),
    (b"\x04\x22\x4d\x18\nhttp://evil.example/\n", "LZ4 data"),
    (b"PAR1\x15\x04\nhttp://evil.example/\n", "a Parquet file"),
    (b"PARE\x15\x04\nhttp://evil.example/\n", "an encrypted Parquet file"),
    (b"%PDF-1.7\nhttp://evil.example/\n", "a PDF file"),
    (b"\x7fELF\x02\nhttp://evil.example/\n", "an ELF file"),
    (b"SQLite format 3\0\nhttp://evil.example/\n", "a SQLite database"),
];

fn run(folder: &Folder, args: &[&str]) -> Ran {
    crate::support::finish(crate::support::command().current_dir(folder.path()).args(args))
}

#[test]
fn line_inputs_reject_other_kinds_of_files_by_name() {
    let folder = Folder::new();
    let good = format!("{DOCS}\n");
    folder.file("good", &good);
    for (bytes, name) in KINDS {
        for stored in [bytes.to_vec(), gzip(bytes), zstd(bytes)] {
            folder.file("bad", &stored);
            let said = format!("bad: ERR_FILE_KIND: not lines of text: found {name}");
            let check = |args: &[&str], out: &str| {
                let ran = run(&folder, args);
                assert_eq!((ran.code, ran.out.as_str()), (Some(4), out), "{args:?}: {name}: {}", ran.err);
                assert!(ran.err.contains(&said), "{args:?}: {}", ran.err);
            };
            check(&["id", "bad", "good"], &format!("{DOCS_ID}\n"));
            check(&["canon", "--as", "web", "bad", "good"], &good);
            check(&["parts", "--get", "{host}", "bad", "good"], "docs.rs\n");
            check(&["uniq", "--seen", "seen", "bad"], "");
            let nothing = "lines,blank,rejected,taken,new,without_sxurl,credentials_removed\n0,0,0,0,0,0,0\n";
            check(&["index", "add", "urls.db", "bad", "--format", "csv"], nothing);
            check(&["list", "make", "-q", "bad"], "");
            assert!(!folder.path().join("urls.db").exists() && !folder.path().join("seen").exists());
            let ran = urlid_on(&stored, ["id"]);
            assert!(
                ran.code == Some(4)
                    && ran.err.contains(&format!("-: ERR_FILE_KIND: not lines of text: found {name}"))
            );
        }
        // What is good beside it is done.
        let ran = run(&folder, &["index", "add", "both.db", "bad", "good", "--format", "csv"]);
        assert!(ran.code == Some(4) && ran.out.ends_with("1,0,0,1,1,0,0\n"), "{ran:?}");
        std::fs::remove_file(folder.path().join("both.db")).expect("it is there");
        // As lines they can be had.
        let ran = run(&folder, &["canon", "--as", "web", "--records", "none", "--invalid", "skip", "bad"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.contains("http://evil.example/"), "{}", ran.out);
    }
}

#[test]
fn a_different_kind_of_table_is_rejected_by_name() {
    let folder = Folder::new();
    for (bytes, name) in KINDS.into_iter().filter(|(bytes, _)| !bytes.starts_with(b"PAR1")) {
        folder.file("bad", bytes);
        for args in
            [&["id", "--column", "url", "bad"][..], &["uniq", "--seen", "seen", "--column", "url", "bad"]]
        {
            let ran = run(&folder, args);
            assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{args:?}: {}", ran.err);
            assert!(
                ran.err.contains(&format!("ERR_FILE_KIND: not lines of text: found {name}")),
                "{}",
                ran.err
            );
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("lists").count(), 1);
}

/// Returns the hints on standard error.
fn hints(ran: &Ran) -> Vec<&str> {
    ran.err.lines().filter_map(|line| line.strip_prefix("urlid: hint: ")).collect()
}

#[test]
fn a_text_whose_lines_are_mostly_rejected_gets_one_hint() {
    let folder = Folder::new();
    let lines = |good: usize, bad: usize| {
        let line =
            |number: usize| if number < good { format!("{DOCS}\n") } else { "some words\n".to_owned() };
        // The good ones first, so that the hint needs them all.
        (0..good + bad).map(line).collect::<String>()
    };
    let most = "most of its first 1000 lines are rejected";
    for (good, bad, reason) in [
        (499, 501, most),
        (499, 5_000, most),
        (500, 5_000, ""),
        (1_000, 5_000, ""),
        (9, 11, "11 of its 20 lines are rejected"),
        (11, 11, ""),
        (0, 10, ""),
    ] {
        let path = folder.file("notes.txt", lines(good, bad));
        let path = path.to_str().expect("is text");
        let more = folder.file("more.txt", lines(good, bad));
        let more = more.to_str().expect("is text");
        let expected: Vec<String> = match reason {
            "" => vec![],
            reason => vec![format!("{path} may not be a list of URLs: {reason}")],
        };
        let index = folder.path().join("urls.db");
        let index = index.to_str().expect("is text");
        let seen = folder.path().join("seen");
        let seen = seen.to_str().expect("is text");
        for args in [
            &["id", path, more][..],
            &["canon", "--as", "web", "--invalid", "skip", path],
            &["parts", "--assume", "https", "--get", "{host}", "-f", path],
            &["index", "add", index, path, more],
            &["uniq", "--seen", seen, path],
        ] {
            let ran = urlid(args);
            assert_eq!(hints(&ran), expected, "{good} {bad} {args:?}");
        }
        assert_eq!(hints(&urlid(["id", "--quiet", path])), [""; 0]);
    }
}

#[test]
fn a_text_with_control_bytes_gets_one_hint() {
    let folder = Folder::new();
    for (text, line) in [
        ("https://docs.rs/\0\nhttps://docs.rs/\u{1b}\n".to_owned(), Some(1)),
        (format!("{DOCS}\n\thttps://docs.rs/\r\n{DOCS}\u{7f}\n"), Some(3)),
        (format!("{DOCS}\n\thttps://docs.rs/\r\n"), None),
        (format!("{}\0\n", format!("{DOCS}\n").repeat(999)), Some(1_000)),
        (format!("{}\0\n", format!("{DOCS}\n").repeat(1_000)), None),
    ] {
        let path = folder.file("urls", text);
        let said = line.map(|line| {
            format!("{} may not be a list of URLs: line {line} has control bytes", path.display())
        });
        let index = folder.path().join("urls.db");
        for args in [
            &[OsStr::new("id"), path.as_os_str()][..],
            &[OsStr::new("index"), "add".as_ref(), index.as_os_str(), path.as_os_str(), path.as_os_str()],
        ] {
            let ran = urlid(args.iter().chain(&[OsStr::new("--invalid"), "skip".as_ref()]));
            assert_eq!(hints(&ran), said.iter().map(String::as_str).collect::<Vec<_>>(), "{args:?}");
        }
    }
    // Texts of other kinds may have anything.
    assert_eq!(hints(&urlid_on(b"a\0b\n", ["parts", "--of", "id"])), [""; 0]);
}
