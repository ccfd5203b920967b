//! Formats of archives in the program, and damaged ones.

use std::path::{Path, PathBuf};

use urlid_testing::{gzip, warc_record_of};

use crate::support::{Folder, Ran, urlid, urlid_on};

/// A file that a program of others made (`crates/urlid-io/tests/files/make.py`).
fn made(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../urlid-io/tests/files").join(name)
}

fn run(args: &[&str], files: &[&Path]) -> Ran {
    urlid(args.iter().map(std::ffi::OsStr::new).chain(files.iter().map(|file| file.as_os_str())))
}

#[test]
fn an_index_is_made_of_every_format() {
    let names = ["members.warc.gz", "dictionary.warc.zst", "plain.arc", "heritrix.arc.gz", "line-ends.warc"];
    for name in names {
        let expected = std::fs::read_to_string(made(&format!("{name}.cdxj"))).expect("it is there");
        run(&["cdx", "make"], &[&made(name)]).is_quiet(0, &expected);
    }
    // The index names the file in the WACZ file, as its own index does.
    let expected = std::fs::read_to_string(made("members.warc.gz.cdxj")).expect("it is there");
    run(&["cdx", "make"], &[&made("crawl.wacz")]).is_quiet(0, &expected);
}

#[test]
fn captures_of_a_wacz_file_match_its_archives() {
    let folder = Folder::new();
    let (archive, wacz) = (made("members.warc.gz"), made("crawl.wacz"));
    let of_archive = run(&["learn"], &[&archive]);
    assert!(of_archive.out.contains("\n# urls=4 contents=4\n"), "{of_archive:?}");
    for files in [&[&*wacz][..], &[&wacz, &archive]] {
        let ran = run(&["learn"], files);
        assert_eq!((ran.code, ran.out, ran.err), (Some(1), of_archive.out.clone(), of_archive.err.clone()));
    }

    let mut damaged = std::fs::read(&wacz).expect("it is there");
    let name = b"archive/members.warc.gz";
    let start = damaged.windows(name.len()).position(|text| text == name).expect("an entry") + name.len();
    damaged[start + 60] ^= 0xff;
    let damaged = folder.file("damaged.wacz", &damaged);
    let ran = run(&["learn"], &[&damaged, &archive]);
    let said = format!("{}: ERR_COMPRESSED: ", damaged.join("archive/members.warc.gz").display());
    assert!(ran.code == Some(4) && ran.err.contains(&said), "{ran:?}");
    assert_eq!(ran.out, of_archive.out);

    let urls = folder.file("urls", "https://docs.rs/\n");
    for verb in [&["learn"][..], &["rules", "test", "--as", "web"]] {
        let ran = run(verb, &[&urls]);
        let said = "ERR_ARCHIVE: not a file of captures: found the first line `https://docs.rs/`, expected WARC, CDX or CDXJ,";
        assert!(ran.code == Some(4) && ran.err.contains(said), "{ran:?}");
    }
}

/// As other verbs, whatever ends the first line and is before it.
#[test]
fn captures_are_found_by_the_first_bytes_of_a_text() {
    let folder = Folder::new();
    let (header, row) =
        ("urlkey timestamp original statuscode digest", "com,a)/ 20260102030405 http://a.com/ 200 A");
    let array = |line: &str| format!("[\"{}\"]", line.replace(' ', "\",\""));
    let cdx = format!(" CDX N b a s k\n{row}\n");
    let rows = format!("[{},{}]", array(header), array(row));
    let archive = format!(
        "\r\n{}",
        String::from_utf8_lossy(&urlid_testing::warc_record_of(
            "response",
            "http://a.com/",
            b"HTTP/1.1 200 OK\r\n\r\nx"
        ))
    );
    for text in [&cdx, &cdx.replace('\n', "\r"), &rows, &rows.replace("],", "],\r"), &archive] {
        for mark in ["", "\u{feff}"] {
            let ran = run(&["learn"], &[&folder.file("captures", format!("{mark}{text}"))]);
            assert!(ran.out.contains("\n# urls=1 contents=1\n"), "{mark}{text}: {ran:?}");
        }
    }
}

#[test]
fn every_verb_reads_every_format() {
    let folder = Folder::new();
    for name in ["dictionary.warc.zst", "members.arc.gz", "crawl.wacz"] {
        let index = folder.path().join(format!("{name}.db"));
        let ran = run(&["index", "add"], &[&index, &made(name)]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        let found = run(&["index", "find", "--host", "sub.example.com"], &[&index]);
        let found = if found.code == Some(0) {
            found
        } else {
            urlid([
                "index".as_ref(),
                "find".as_ref(),
                index.as_os_str(),
                "--host".as_ref(),
                "sub.example.com".as_ref(),
            ])
        };
        assert_eq!(found.out, "https://sub.example.com/photo.jpg\n", "{name}: {}", found.err);
        assert_eq!(run(&["uniq"], &[&made(name), &made(name)]).out, run(&["uniq"], &[&made(name)]).out);
        assert_eq!(run(&["id", "--format", "csv"], &[&made(name)]).out, {
            let urls = run(&["uniq"], &[&made(name)]).out;
            urlid_on(urls.as_bytes(), ["id", "--format", "csv"]).out
        });
    }
    let indexed = run(&["canon", "--as", "web", "--records", "indexes"], &[&made("crawl.wacz")]);
    assert_eq!(indexed.out.lines().count(), 4, "{}", indexed.err);
    let piped = std::fs::read(made("crawl.wacz")).expect("it is there");
    let ran = urlid_on(&piped, ["id"]);
    assert_eq!(ran.code, Some(4));
    assert!(
        ran.err.contains("ERR_FILE_KIND: stream has a ZIP archive, whose directory is at its end"),
        "{}",
        ran.err
    );
}

#[test]
fn an_index_continues_after_damage() {
    let folder = Folder::new();
    let members: Vec<Vec<u8>> = (0..4)
        .map(|number| {
            gzip(&warc_record_of(
                "response",
                &format!("http://{number}.example/"),
                b"HTTP/1.1 200 OK\r\n\r\n",
            ))
        })
        .collect();
    let mut bytes = members.concat();
    let (start, end) = (members[0].len(), members[0].len() + members[1].len());
    bytes[start + 30] ^= 0x55;
    let path = folder.file("bad.warc.gz", &bytes);
    let lost = folder.path().join("lost.tsv");
    let without = run(&["cdx", "make"], &[&path]);
    assert_eq!((without.code, without.out.lines().count()), (Some(4), 1));
    let recover = |lost: &Path| run(&["cdx", "make", "--recover", "--lost"], &[lost, &path]);
    let ran = recover(&lost);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(4), 3), "{}", ran.err);
    assert!(ran.err.contains(&format!(": {} bytes from {start} to {end} lost", end - start)), "{}", ran.err);
    let rows = std::fs::read_to_string(&lost).expect("it was written");
    let row = format!("{}\t{start}\t{end}\tERR_COMPRESSED\t", path.display());
    assert!(rows.starts_with(&row) && rows.lines().count() == 1, "{rows}");
    // Wherever the archive is read.
    let urls = "http://0.example/\nhttp://2.example/\nhttp://3.example/\n";
    let new = folder.path().join("new.tsv");
    for verb in [&["uniq"][..], &["canon", "--as", "web"], &["id"]] {
        let ran = run(&[verb, &["--recover", "--lost"]].concat(), &[&new, &path]);
        assert_eq!(
            (ran.code, ran.out.lines().count()),
            (Some(4), urls.lines().count()),
            "{verb:?} {}",
            ran.err
        );
        assert_eq!(std::fs::read_to_string(&new).expect("it was written"), rows, "{verb:?}");
    }
    let index = folder.path().join("urls.db");
    let added = run(&["index", "add", "--recover"], &[&index, &path]);
    assert!(added.code == Some(4) && added.out.contains(": 3 lines"), "{} {}", added.out, added.err);
    for url in urls.lines() {
        let host = url.trim_start_matches("http://").trim_end_matches('/');
        let found =
            urlid(["index".as_ref(), "find".as_ref(), index.as_os_str(), "--host".as_ref(), host.as_ref()]);
        assert_eq!(found.out.trim_end(), url, "{}", found.err);
    }
    let ran = recover(&path);
    assert_eq!(ran.code, Some(2));
    assert_eq!(std::fs::read(&path).expect("it is there"), bytes);
}
