//! Hostile input and surroundings: no panic, no signal, constant memory.
//!
//! `URLID_LONG=1` makes the inputs as large as an attacker would.

use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use urlid_testing::{gzip_of, memory, zstd_of};

use crate::support::{DOCS, DOCS_ID, command, finish, urlid_on};

const MIB: u64 = 1 << 20;

fn is_long() -> bool {
    std::env::var_os("URLID_LONG").is_some()
}

/// The program, waiting for more input.
struct Waiting {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Waiting {
    fn start(args: &[&str]) -> Self {
        let mut child = command()
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program is there");
        let input = child.stdin.take().expect("it is a pipe");
        let output = BufReader::new(child.stdout.take().expect("it is a pipe"));
        Waiting { child, input, output }
    }

    fn write(&mut self, mut input: impl Read) {
        io::copy(&mut input, &mut self.input).expect("it reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers");
        line.trim_end().to_owned()
    }

    /// The most memory that it ever had, in bytes.
    #[cfg(target_os = "linux")]
    fn peak_memory(&self) -> u64 {
        memory::peak(self.child.id()).expect("Linux reports it")
    }

    fn end(self) -> Option<i32> {
        let Waiting { mut child, input, .. } = self;
        drop(input);
        child.wait().expect("it ends").code()
    }
}

fn between_two_urls(middle: impl Read) -> impl Read {
    Cursor::new("https://docs.rs/\n").chain(middle).chain(Cursor::new("\nhttps://docs.rs/\n"))
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_flat_for_a_long_line() {
    let size = if is_long() { 1024 * MIB } else { 256 * MIB };
    let mut program = Waiting::start(&["id"]);
    program.write(between_two_urls(io::repeat(b'x').take(size)));
    assert_eq!([program.line(), program.line(), program.line()], [DOCS_ID, "", DOCS_ID]);
    assert!(program.peak_memory() < 64 * MIB, "{} MiB", program.peak_memory() / MIB);
    assert_eq!(program.end(), Some(3));
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_flat_for_bombs() {
    let size = if is_long() { 10 * 1024 * MIB } else { 128 * MIB };
    let bomb = || between_two_urls(io::repeat(0).take(size));
    for (name, stored) in [("gzip", gzip_of(bomb())), ("zstd", zstd_of(bomb()))] {
        let mut program = Waiting::start(&["id"]);
        program.write(Cursor::new(stored));
        assert_eq!([program.line(), program.line(), program.line()], [DOCS_ID, "", DOCS_ID], "{name}");
        assert!(program.peak_memory() < 64 * MIB, "{name}: {} MiB", program.peak_memory() / MIB);
        assert_eq!(program.end(), Some(3), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_flat_for_any_number_of_lines() {
    let count = if is_long() { 10_000_000 } else { 200_000 };
    type Line = fn(u64) -> String;
    let kinds: [(&str, Line, i32); 3] = [
        ("empty", |_| "\n".to_owned(), 0),
        ("rejected", |_| "\u{1b}\n".to_owned(), 3),
        ("every host new", |number| format!("https://{number}.example/\n"), 0),
    ];
    for (name, line, code) in kinds {
        let mut program = Waiting::start(&["id"]);
        let mut output = program.output;
        let drain = std::thread::spawn(move || {
            let mut line = Vec::new();
            for _ in 0..count {
                line.clear();
                output.read_until(b'\n', &mut line).expect("it answers");
            }
            output
        });
        for thousand in 0..count / 1000 {
            let lines: String = (0..1000).map(|number| line(1000 * thousand + number)).collect();
            program.input.write_all(lines.as_bytes()).expect("it reads");
        }
        program.output = drain.join().expect("reading does not panic");
        assert!(program.peak_memory() < 64 * MIB, "{name}: {} MiB", program.peak_memory() / MIB);
        assert_eq!(program.end(), Some(code), "{name}");
    }
}

#[test]
fn a_zstd_window_over_the_cap_is_rejected() {
    // A frame header (RFC 8878, 3.1.1.1) with a window of 2 GiB, then an empty last block.
    let ran = urlid_on(b"\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", ["id"]);
    ran.is(4, "", "urlid: -: ERR_COMPRESSED: zstd window is too large: expected at most 128 MiB\n");
}

#[test]
fn a_long_line_is_one_rejection_in_every_verb() {
    let mut lines = format!("{DOCS}\n").into_bytes();
    lines.extend(vec![b'y'; 100_000]);
    lines.extend(format!("\n{DOCS}\n").bytes());
    let verbs: [&[&str]; 7] = [
        &["id"],
        &["ref", "parse"],
        &["resolve", "http://h/"],
        &["canon", "--as", "web"],
        &["explain"],
        &["parts", "--of", "text"],
        &["parts", "--of", "host"],
    ];
    for verb in verbs {
        let ran = urlid_on(&lines, verb.iter().copied().chain(["--max-line", "64k"]));
        assert_eq!(ran.code, Some(3), "{verb:?}: {}", ran.err);
        let said = "-:2: ERR_LINE_LEN: line is too long: expected at most 65536 bytes\n";
        assert!(ran.err.contains(said), "{verb:?}: {}", ran.err);
    }
}

#[test]
fn hosts_of_any_length_are_rejected_without_work_on_them() {
    let labels = "xn--a-ecp.".repeat(50_000);
    for host in
        [labels, "\u{fc}".repeat(400_000), "a".repeat(1_000_000), "a@".repeat(400_000), "[".repeat(900_000)]
    {
        let ran = urlid_on(format!("https://{host}/\n{DOCS}\n").as_bytes(), ["id"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(3), format!("\n{DOCS_ID}\n").as_str()));
        assert!(ran.err.len() < 1000, "a message is short");
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::process::Command;

    fn shell(script: &str) -> crate::support::Ran {
        finish(Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_urlid")]))
    }

    #[test]
    fn a_closed_pipe_ends_quietly() {
        let mut child = command()
            .args(["canon", "--as", "web"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program is there");
        drop(child.stdout.take());
        let mut input = child.stdin.take().expect("it is a pipe");
        // It stops reading at its first write, so these may fail.
        let _ = (0..100_000).try_for_each(|_| input.write_all(b"https://docs.rs/\n"));
        drop(input);
        let output = child.wait_with_output().expect("it was started");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    }

    #[test]
    fn every_verb_handles_a_closed_pipe_and_a_full_disk() {
        for verb in [
            "--help",
            "--version --format json",
            "id https://docs.rs/",
            "ref parse a",
            "resolve http://h/ a",
            "canon --as web http://h/",
            "explain https://docs.rs/",
            "parts --of text http://h/",
            "parts --of host h",
            "psl show",
            "completions bash",
            "man",
        ] {
            let ran = shell(&format!("\"$0\" {verb} > /dev/full"));
            assert_eq!(ran.code, Some(4), "{verb}: {}", ran.err);
            assert!(ran.err.starts_with("urlid: ERR_IO: cannot write the output: "), "{verb}: {}", ran.err);
            // A pipe whose reader has gone before the program starts.
            let ran = shell(&format!("{{ sleep 0.05; \"$0\" {verb}; echo $? >&2; }} | true"));
            assert_eq!(ran.err, "0\n", "{verb}");
        }
    }

    #[test]
    fn a_file_size_limit_is_an_error_and_no_death() {
        let folder = crate::support::Folder::new();
        let path = folder.path().join("out").to_str().expect("it is UTF-8").to_owned();
        let ran = shell(&format!("ulimit -f 1; yes https://docs.rs/ | head -n 1000 | \"$0\" id > '{path}'"));
        assert_eq!(ran.code, Some(4));
        assert!(ran.err.starts_with("urlid: ERR_IO: cannot write the output: "), "{}", ran.err);
        assert!(std::fs::metadata(&path).expect("it is there").len() <= 1024);
    }

    #[test]
    fn signals_end_the_program_with_their_code() {
        for (signal, code) in [("INT", 130), ("TERM", 143)] {
            let mut program = Waiting::start(&["id"]);
            program.write(Cursor::new("https://docs.rs/\n"));
            assert_eq!(program.line(), DOCS_ID);
            let pid = program.child.id().to_string();
            let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {pid}")]).status();
            assert!(sent.expect("there is a shell").success());
            assert_eq!(program.child.wait().expect("it ends").code(), Some(code));
        }
    }

    #[test]
    fn a_load_that_is_told_to_stop_says_how_far_it_came() {
        let folder = crate::support::Folder::new();
        let index = folder.path().join("urls.db");
        let urls = |from: u32| -> Vec<u8> {
            (from..from + 20_000).flat_map(|n| format!("https://docs.rs/{n}\n").into_bytes()).collect()
        };
        let add = |lines: Vec<u8>| {
            let args = ["index".as_ref(), "add".as_ref(), index.as_os_str()];
            urlid_on(&lines, args)
        };
        for (round, kept) in [(0, None), (1, Some(20_000))] {
            if kept.is_some() {
                assert_eq!(add(urls(0)).code, Some(0));
            }
            let mut child = command()
                .args(["index", "add"])
                .arg(&index)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program is there");
            let mut input = child.stdin.take().expect("it is a pipe");
            // More than a pipe holds: when the last byte is written, the load has begun.
            input.write_all(&urls(100_000 * (round + 1))).expect("it reads");
            let kill = format!("kill -TERM {}", child.id());
            assert!(Command::new("sh").args(["-c", &kill]).status().expect("there is a shell").success());
            // The next line is where it notices.
            while input.write_all(b"https://docs.rs/last\n").is_ok() {}
            drop(input);
            let output = child.wait_with_output().expect("it was started");
            let said = String::from_utf8(output.stderr).expect("it is UTF-8");
            assert_eq!(output.status.code(), Some(143), "{said}");
            assert!(said.contains("urls.db: stopped: ") && said.ends_with("nothing was kept\n"), "{said}");
            match kept {
                None => assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 0),
                Some(rows) => {
                    let stats = finish(command().args(["index", "show", "--limit", "0"]).arg(&index));
                    assert!(stats.out.starts_with(&format!("rows\t\t{rows}\n")), "{stats:?}");
                }
            }
        }
    }
}
