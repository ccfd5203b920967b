//! Where lines come from and how they are cut.

use urlid_testing::{gzip, zstd};

use crate::support::{DOCS, DOCS_ID, Folder, urlid, urlid_on};

#[test]
fn compressed_input_is_recognised_by_its_content() {
    let folder = Folder::new();
    for (name, stored) in [
        ("a.txt", gzip(DOCS.as_bytes())),
        ("b.gz", zstd(DOCS.as_bytes())),
        ("c", [gzip(b"https://docs"), gzip(b".rs/\n")].concat()),
        ("d", [zstd(b"https://docs"), zstd(b".rs/\n")].concat()),
        ("e.zst", DOCS.into()),
    ] {
        let path = folder.file(name, &stored);
        urlid([std::ffi::OsStr::new("id"), path.as_os_str()]).is_quiet(0, &format!("{DOCS_ID}\n"));
        urlid_on(&stored, ["id"]).is_quiet(0, &format!("{DOCS_ID}\n"));
    }
}

#[test]
fn truncated_input_is_an_error_after_the_good_lines() {
    let lines: String =
        (0..5000).map(|n| format!("https://docs.rs/{:x}\n", u64::from(n as u32) * 0x9e37_79b9)).collect();
    for (stored, name) in [(gzip(lines.as_bytes()), "gzip"), (zstd(lines.as_bytes()), "zstd")] {
        let ran = urlid_on(&stored[..stored.len() - 1], ["canon", "--as", "web"]);
        assert_eq!(ran.code, Some(4));
        let said = format!("urlid: -: ERR_COMPRESSED: {name} data ends too early: ");
        assert!(ran.err.starts_with(&said), "{}", ran.err);
        assert!(!ran.out.is_empty() && lines.starts_with(&ran.out), "only whole lines are given");
    }
}

#[test]
fn a_line_is_answered_before_the_next_one_comes() {
    use std::io::{BufRead, BufReader, Write};
    let mut child = crate::support::command()
        .arg("id")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program is there");
    let mut input = child.stdin.take().expect("it is a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("it is a pipe"));
    for _ in 0..3 {
        writeln!(input, "{DOCS}").expect("it reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("it answers");
        assert_eq!(line.trim_end(), DOCS_ID);
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn the_fast_way_prints_and_rejects_like_the_plain_one() {
    let folder = Folder::new();
    let mut lines = b"\xef\xbb\xbf".to_vec();
    let long = "z".repeat(3000);
    for n in 0..40_000_u64 {
        let line = match n % 11 {
            0 => String::new(),
            1 => format!("http://u:p@h{n}.example.co.uk:{}/a?b#c\r", n % 70_000),
            2 => format!("HTTPS://B\u{fc}cher.de/{n}"),
            3 if n % 3 == 0 => format!("https://h/{long}"),
            4 if n % 5 == 0 => format!("ws://h/{n}"),
            _ => format!("https://www.example{}.com/{n}?q={n}", n % 100),
        };
        lines.extend(line.bytes());
        if n % 1000 == 999 {
            lines.extend(b" \xff");
        }
        lines.push(b'\n');
    }
    lines.extend(b"https://docs.rs/");
    let path = folder.file("urls", &lines);
    let compressed = folder.file("urls.zst", zstd(&lines));
    for (kind, options) in [
        ("sxurl", &["--max-line", "2k"][..]),
        ("url-hash", &["--max-line", "2k"]),
        ("url-hash", &["--max-line", "2k", "--words"]),
    ] {
        let run = |kinds: &str, file: &std::path::Path| {
            let rejected_lines = folder.path().join("rejected");
            let args = [
                "id".as_ref(),
                "-k".as_ref(),
                kinds.as_ref(),
                "--rejects".as_ref(),
                rejected_lines.as_os_str(),
            ];
            let options = options.iter().map(std::ffi::OsStr::new);
            let ran = urlid(args.into_iter().chain(options).chain([file.as_os_str()]));
            let rejected_lines = std::fs::read_to_string(rejected_lines).expect("it was written");
            let name = file.to_str().expect("it is UTF-8");
            (ran.code, ran.out, ran.err.replace(name, "FILE"), rejected_lines.replace(name, "FILE"))
        };
        let fast = run(kind, &path);
        assert_eq!(fast.0, Some(3), "{}", fast.2);
        let mut plain = run(&format!("{kind},{kind}"), &path);
        plain.1 =
            plain.1.lines().map(|line| format!("{}\n", line.split('\t').next().unwrap_or(""))).collect();
        assert!(plain == fast, "{kind} {options:?}: {} and {}", plain.2, fast.2);
        assert!(run(kind, &compressed) == fast, "{kind} {options:?} compressed");
    }
}

#[test]
fn with_records_none_every_line_is_a_text() {
    let lines = ["WARC/1.0", "com,h)/ 20260101000000 {\"url\": \"http://h/\"}", " CDX a", "!meta 0 {}"];
    let texts: Vec<String> = lines.iter().map(|first| format!("{first}\nhttp://h/\n")).collect();
    for text in &texts {
        let ran =
            urlid_on(text.as_bytes(), ["canon", "--as", "web", "--records", "none", "--invalid", "ignore"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "\nhttp://h/\n"), "{text}: {}", ran.err);
    }
    let ran = urlid(["cdx", "make", "--records", "none", "x.warc"]);
    assert!(ran.code == Some(2) && ran.err.contains("an index needs records"), "{}", ran.err);
}
