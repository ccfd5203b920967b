//! Loads under limits of the system: missing files, little memory, few open files, other loads.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use urlid_testing::zstd_of;

use super::Index;
#[cfg(target_os = "linux")]
use crate::support::as_somebody;
use crate::support::{DOCS, Folder, Ran, command, finish, urlid_on};

fn new() -> Index {
    let folder = Folder::new();
    let path = folder.path().join("urls.db");
    Index { folder, path }
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).expect("it is there");
    entries.map(|entry| entry.expect("it is there").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn an_unreadable_file_does_not_leave_an_index() {
    for more in [&[][..], &["--index", "path"], &["--column", "url"]] {
        let index = new();
        let ran = index.run("add", &[&["no-such-file", "."], more].concat());
        assert_eq!(ran.code, Some(4), "{more:?}: {}", ran.err);
        assert!(ran.err.contains("urlid: no-such-file: ERR_IO: cannot read: "), "{}", ran.err);
        assert!(names(&index.folder).is_empty(), "{more:?}: {:?}", names(&index.folder));
    }
    // What can be read beside it is done, and an index that is there stays.
    let index = new();
    assert_eq!(index.run("add", &["no-such-file", DOCS]).code, Some(4));
    assert_eq!(index.run("add", &["no-such-file"]).code, Some(4));
    index.run("count", &[]).is_quiet(0, "1\n");
    // An input without lines makes an index without rows.
    let index = new();
    assert_eq!(index.add(b"", &[]).code, Some(0));
    index.run("count", &[]).is_quiet(1, "0\n");
}

/// Runs the program after a command of a shell, in a folder.
fn after(limit: &str, folder: &Folder, arguments: &str) -> Ran {
    let script = format!("{limit} && exec \"$0\" {arguments}");
    let mut shell = Command::new("sh");
    finish(shell.args(["-c", &script, env!("CARGO_BIN_EXE_urlid")]).current_dir(folder.path()))
}

#[cfg(target_os = "linux")]
#[test]
fn long_lines_fill_no_memory() {
    // 300 MB in lines of a megabyte, of which a batch of 100,000 lines would hold all.
    let folder = Folder::new();
    let line = |number: u32| {
        let head = std::io::Cursor::new(format!("https://h{number}.example/"));
        head.chain(std::io::repeat(b'a').take(1_000_000)).chain(&b"\n"[..])
    };
    let mut lines = Vec::new();
    for number in 0..30 {
        line(number).read_to_end(&mut lines).expect("memory can be read");
    }
    // Ten times the same lines: only the first are new, so the index stays small.
    let again = std::iter::repeat_n(lines.as_slice(), 10);
    let whole: Box<dyn Read> = again
        .fold(Box::new(std::io::empty()) as Box<dyn Read>, |before, lines| Box::new(before.chain(lines)));
    folder.file("lines.zst", zstd_of(whole));
    for command in ["uniq --seen seen lines.zst > new", "index add urls.db --memory 16M lines.zst"] {
        let ran = after("ulimit -v 450000", &folder, command);
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.err);
    }
    after("true", &folder, "index count urls.db").is_quiet(0, "30\n");
    after("true", &folder, "uniq --seen seen new").is_quiet(0, "");
    assert_eq!(std::fs::read(folder.path().join("new")).expect("it was written"), lines);
}

#[test]
fn a_sort_of_many_runs_works_with_few_open_files() {
    // About sixty runs of the sort.
    let folder = Folder::new();
    let lines: String = (0..300_000).map(|n| format!("https://www.site{n}.com/{:030}\n", n)).collect();
    folder.file("lines", lines);
    let ran = after("ulimit -n 32", &folder, "index add urls.db lines --memory 1M --format csv");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.out.lines().nth(1), Some("300000,0,0,300000,300000,0,0"));
}

#[cfg(unix)]
#[test]
fn a_commit_succeeds_even_if_the_log_cannot_be_copied() {
    let lines: String = (0..2_000).map(|n| format!("https://h{n}.co.uk/{}\n", n % 100)).collect();
    let more: String = (0..30).map(|n| format!("https://docs{n}.rs/\n")).collect();
    for (verb, out, rows) in [
        ("index delete urls.db --path /7", "", "1980\n"),
        ("--psl none index migrate urls.db", "https://h1999.co.uk/99\tco.uk\tuk\n", "2000\n"),
        ("index add urls.db more --format csv", "30,0,0,30,30,", "2030\n"),
    ] {
        let index = Index::new(&lines);
        index.folder.file("more", &more);
        after("true", &index.folder, "index seal urls.db").is_quiet(0, "");
        // The log is shorter than the file, to the end of which it cannot be copied. The unit is 512 bytes.
        let units = std::fs::metadata(&index.path).expect("it is there").len() / 512;
        let ran = after(&format!("ulimit -f {}", units * 7 / 10), &index.folder, verb);
        assert_eq!(ran.code, Some(0), "{verb}: {}", ran.err);
        assert!(ran.out.contains(out), "{verb}: {}", ran.out);
        after("true", &index.folder, "index count urls.db").is_quiet(0, rows);
        assert_eq!(index.run("verify", &[]).code, Some(0), "{verb}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_thread_that_cannot_be_started_is_an_error_and_no_panic() {
    use std::os::unix::fs::PermissionsExt;
    let lines: String = (0..3_000).map(|n| format!("https://www.site{n}.com/{n:0300}\n")).collect();
    let index = Index::new(&lines);
    index.folder.file("lines", &lines);
    let open = std::fs::Permissions::from_mode(0o777);
    for path in [index.folder.path(), &index.path] {
        std::fs::set_permissions(path, open.clone()).expect("it is ours");
    }
    // Threads are counted by user, so no other test may run as this one, and a user with processes has none
    // left: only the superuser can change to one.
    if as_somebody(54_321, &index.folder, "[ $(id -u) = 54321 ]").code != Some(0) {
        return;
    }
    for threads in 1..=3 {
        for verb in [
            "index add new.db lines",
            "index add urls.db lines --memory 1M",
            "index verify urls.db",
            "index build new lines",
            "index merge other.db urls.db",
            "uniq lines",
        ] {
            let ran =
                as_somebody(54_321, &index.folder, &format!("ulimit -u {threads}; exec ./urlid {verb}"));
            let is_reported = ran.code == Some(4) && ran.err.contains("ERR_IO");
            assert!(ran.code == Some(0) || is_reported, "{threads} {verb}: {:?} {}", ran.code, ran.err);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn every_output_can_be_written_to_a_folder_that_cannot_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let index = Index::new(DOCS);
    index.folder.file("lines", DOCS);
    let drop = index.folder.path().join("drop");
    std::fs::create_dir(&drop).expect("there is room");
    let set_mode = |mode| {
        std::fs::set_permissions(&drop, std::fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    set_mode(0o333);
    for verb in [
        "uniq lines --invalid skip --out drop/out",
        "index add drop/urls.db lines",
        "index build drop/dataset lines",
        "list make lines --out drop/list",
        "list key --secret drop/secret --public drop/public",
        "uniq lines --seen drop/seen",
    ] {
        let ran = as_somebody(65_534, &index.folder, &format!("./urlid {verb}"));
        assert_eq!(ran.code, Some(0), "{verb}: {}", ran.err);
    }
    set_mode(0o755);
    assert_eq!(std::fs::read_dir(&drop).expect("it is there").count(), 7);
}

#[test]
fn a_reader_that_waits_does_not_stop_a_writer() {
    let lines: String = (0..5_000).map(|n| format!("https://example.com/{n:030}\n")).collect();
    let index = Index::new(&lines);
    // In the first round the index was never written to, in the second it was.
    for round in 0..2 {
        let mut reader = command()
            .args(index.args("find", &[]))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program is there");
        let mut out = BufReader::new(reader.stdout.take().expect("it is a pipe"));
        let mut first = String::new();
        out.read_line(&mut first).expect("there is a line");
        let ran =
            urlid_on(format!("https://new.example/{round}\n").as_bytes(), index.args("add", &["--quiet"]));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "round {round}");
        let rest = out.lines().count();
        assert_eq!(rest, 5_000 + round - 1, "the reader goes on with its own state");
        let output = reader.wait_with_output().expect("it was started");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    }
}

#[test]
fn simultaneous_first_loads_of_an_index_all_succeed() {
    let folder = Folder::new();
    let index = folder.path().join("urls.db");
    let begin = |_| {
        let mut command = command();
        command.args(["index", "add"]).arg(&index).arg("-");
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        pipes.spawn().expect("the program is there")
    };
    let mut loads: Vec<_> = (0..8).map(begin).collect();
    // The one that makes the index is among those whose lines come last, if it is one of them.
    std::thread::sleep(std::time::Duration::from_secs(1));
    for (number, load) in loads.iter_mut().enumerate() {
        let mut input = load.stdin.take().expect("it is a pipe");
        writeln!(input, "https://example.com/\nhttps://example.com/{number}").expect("it is read");
    }
    for load in loads {
        let output = load.wait_with_output().expect("it was started");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let ran = urlid_on(b"", ["index".as_ref(), "count".as_ref(), index.as_os_str()]);
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "9"));
}
