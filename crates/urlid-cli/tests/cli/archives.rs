//! Verbs for the indexes of web archives on a full disk, with a closed pipe and a signal.

use urlid_testing::{gzip, warc_record_of};

use crate::support::{DOCS, Folder};

/// A WARC file with a member for each record: two pages, a request, a visit of an address, and a name lookup.
fn crawl() -> Vec<u8> {
    let page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>hello";
    [
        warc_record_of("warcinfo", "", b"software: none\r\n"),
        warc_record_of("response", DOCS, page),
        warc_record_of("request", DOCS, b"GET / HTTP/1.1\r\n\r\n"),
        warc_record_of("response", "<https://www.debian.org/>", page),
        warc_record_of("revisit", "http://[::1]/", b""),
    ]
    .iter()
    .flat_map(|record| gzip(record))
    .collect()
}

/// Visits of pages in the order of their keys by `surt-0.3.1`.
fn sorted_index() -> String {
    let urls = [
        "http://[::1]/",
        "http://example.com/",
        "http://example.com/a?y&x",
        "http://sub.example.com/",
        "http://example.com:81/b",
        "http://www.example.org:0/",
    ];
    let form: urlid_canonical::Form = "surt-0.3.1".parse().expect("it is a form");
    let line = |url: &&str| {
        let key = form.canonicalize(url).expect("it has a key");
        format!("{key} 20260102030405 {{\"url\": \"{url}\", \"status\": \"200\"}}\n")
    };
    urls.iter().map(line).collect()
}

#[cfg(unix)]
#[test]
fn a_full_disk_and_a_closed_pipe_end_an_index_as_they_end_everything() {
    let folder = Folder::new();
    let (crawl, index) = (folder.file("crawl.warc.gz", crawl()), folder.file("index.cdxj", sorted_index()));
    let shell = |script: &str| {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_urlid")]).args([&crawl, &index]);
        crate::support::finish(&mut command)
    };
    for verb in [
        "cdx make \"$1\"",
        "cdx verify \"$2\"",
        "cdx rekey --from surt-0.3.1 --to surt-0.3.1 \"$2\"",
        "cdx merge \"$2\"",
        "cdx find \"$2\" com --match domain",
    ] {
        let ran = shell(&format!("\"$0\" {verb} > /dev/full"));
        assert_eq!(ran.code, Some(4), "{verb}: {}", ran.err);
        assert!(ran.err.contains("ERR_IO: cannot write"), "{verb}: {}", ran.err);
        let ran = shell(&format!("{{ sleep 0.05; \"$0\" --quiet {verb}; echo $? >&2; }} | true"));
        assert_eq!(ran.err, "0\n", "{verb}");
    }
    let ran = shell("\"$0\" cdx make \"$1\" -o /dev/full");
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("/dev/full: ERR_IO: cannot write"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_no_part_of_an_index() {
    let folder = Folder::new();
    let input = folder.path().join("input.cdxj");
    let made = std::process::Command::new("mkfifo").arg(&input).status().expect("there is mkfifo");
    assert!(made.success());
    let mut command = crate::support::command();
    let out = folder.path().join("out.cdxj");
    command.args(["cdx", "merge", "-o"]).args([&out, &input]);
    let mut child = command.stderr(std::process::Stdio::null()).spawn().expect("it is there");
    // The input is opened when both ends are, and stays open.
    let mut writer = std::fs::File::options().write(true).open(&input).expect("it is read");
    std::io::Write::write_all(&mut writer, sorted_index().as_bytes()).expect("it is read");
    let script = format!("kill -INT {}", child.id());
    let killed = std::process::Command::new("sh").args(["-c", &script]).status().expect("there is a shell");
    assert!(killed.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let names: Vec<_> = std::fs::read_dir(folder.path()).expect("it is there").collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[cfg(unix)]
#[test]
fn programs_that_add_to_one_index_wait_for_each_other() {
    for zipnum in [&[][..], &["--zipnum", "2"]] {
        let folder = Folder::new();
        let make = |name: &str, options: &[&str]| {
            let mut command = crate::support::command();
            command.current_dir(folder.path()).args(["cdx", "make", name, "-o", "index.cdxj"]);
            command.args(options).args(zipnum);
            command
        };
        let name = |number: usize| format!("{number}.warc");
        for number in 0..9 {
            folder.file(name(number), warc_record_of("response", &format!("http://h{number}.example/"), b""));
        }
        assert!(make(&name(0), &[]).status().expect("it is there").success());
        let mut children: Vec<_> =
            (1..9).map(|number| make(&name(number), &["--add"]).spawn().expect("it is there")).collect();
        assert!(children.iter_mut().all(|child| child.wait().expect("it ends").success()));
        let index = if zipnum.is_empty() { "index.cdxj" } else { "index.idx" };
        let args = ["cdx", "find", index, "*.example"];
        let found = crate::support::finish(crate::support::command().current_dir(folder.path()).args(args));
        assert_eq!((found.code, found.out.lines().count()), (Some(0), 9), "{found:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_kill_leaves_the_index_that_is_extended() {
    let folder = Folder::new();
    let (index, input) = (folder.file("index.cdxj", sorted_index()), folder.path().join("input.warc"));
    let made = std::process::Command::new("mkfifo").arg(&input).status().expect("there is mkfifo");
    assert!(made.success());
    for signal in ["KILL", "INT"] {
        let mut command = crate::support::command();
        command.args(["cdx", "make", "--add", "-o"]).args([&index, &input]);
        let mut child = command.stderr(std::process::Stdio::null()).spawn().expect("it is there");
        let mut writer = std::fs::File::options().write(true).open(&input).expect("it is read");
        let record = warc_record_of("response", DOCS, b"");
        std::io::Write::write_all(&mut writer, &record).expect("it is read");
        let script = format!("kill -{signal} {}", child.id());
        let killed =
            std::process::Command::new("sh").args(["-c", &script]).status().expect("there is a shell");
        assert!(killed.success() && !child.wait().expect("it ends").success());
        assert_eq!(std::fs::read_to_string(&index).expect("it is there"), sorted_index());
    }
}
