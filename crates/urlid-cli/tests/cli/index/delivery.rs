//! `index add --only-new`: what was stored and not delivered is printed again.
#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use urlid_generators::Seeded;

use super::Index;
use crate::support::{DOCS, Folder, command, finish};

fn lines(count: u32) -> String {
    (0..count).map(|number| format!("https://example.com/{number:06}\n")).collect()
}

/// An index that is not there, and a file of lines.
struct Run {
    index: Index,
    file: std::path::PathBuf,
}

impl Run {
    fn of(count: u32) -> Self {
        let folder = Folder::new();
        let file = folder.file("lines", lines(count));
        let path = folder.path().join("seen.db");
        Run { index: Index { folder, path }, file }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = command();
        command.args(self.index.args("add", &["--only-new"])).args(args).arg(&self.file);
        command
    }

    fn start(&self, args: &[&str]) -> Child {
        let mut command = self.command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program is there")
    }

    fn stored(&self) -> usize {
        let ran = self.index.run("count", &[]);
        ran.out.trim_end().parse().expect("it is a number")
    }

    fn pending(&self) -> usize {
        let ran = self.index.run("show", &["--limit", "0"]);
        let row = ran.out.lines().find_map(|line| line.strip_prefix("pending\t\t"));
        row.map_or(0, |count| count.parse().expect("it is a number"))
    }
}

fn message(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().expect("it was started");
    (output.status.code(), String::from_utf8(output.stderr).expect("it is UTF-8"))
}

#[test]
fn what_a_closed_pipe_did_not_take_is_printed_by_the_next_run() {
    let run = Run::of(10_000);
    let mut child = run.start(&["--batch", "3000"]);
    let mut out = BufReader::with_capacity(1, child.stdout.take().expect("it is a pipe"));
    let mut first = String::new();
    out.read_line(&mut first).expect("there is a line");
    drop(out);
    let (code, err) = message(child);
    assert_eq!((code, run.stored(), run.pending()), (Some(4), 3_000, 3_000), "{err}");
    assert_eq!(
        err,
        "urlid: ERR_IO: cannot write the output: its reader has closed it\n\
         urlid: 3000 lines are stored and not delivered: --resume prints what is not delivered first\n"
    );
    // Without --resume they stay, and are not forgotten.
    let said = "urlid: 3000 lines of earlier runs are stored and not delivered: --resume prints what is not delivered first\n";
    let whole = lines(10_000);
    let (given, rest) = whole.split_at(3_000 * LINE_LEN);
    let ran = finish(run.command(&["--quiet"]).stdin(Stdio::null()));
    ran.is(0, rest, said);
    let ran = finish(&mut run.command(&["--resume"]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), given), "{}", ran.err);
    assert_eq!(ran.err, "urlid: 3000 of earlier runs, 0 new, 0 without SXURL, 0 credentials removed\n");
    finish(&mut run.command(&["--resume"])).is(
        0,
        "",
        "urlid: 0 new, 0 without SXURL, 0 credentials removed\n",
    );
    assert_eq!(run.pending(), 0);
    let names = std::fs::read_dir(run.index.folder.path()).expect("lists").count();
    assert_eq!(names, 2, "the index and the lines");
}

/// The bytes of each line.
const LINE_LEN: usize = "https://example.com/000000\n".len();

#[test]
fn for_a_pipe_that_is_closed_nothing_is_stored() {
    let run = Run::of(100);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let ran = finish(run.command(&[]).stdout(writer).stderr(Stdio::piped()));
    ran.is(4, "", "urlid: ERR_IO: cannot write the output: its reader has closed it\n");
    assert!(!run.index.path.exists());
    let ran = finish(&mut run.command(&["--resume"]));
    assert_eq!((ran.code, ran.out), (Some(0), lines(100)), "{}", ran.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_keeps_the_batch() {
    let run = Run::of(2_000);
    let full = File::options().write(true).open("/dev/full").expect("there is one");
    let ran = finish(run.command(&["--batch", "500"]).stdout(full).stderr(Stdio::piped()));
    assert_eq!(ran.code, Some(4));
    assert!(ran.err.starts_with("urlid: ERR_IO: cannot write the output: No space left"), "{}", ran.err);
    assert!(ran.err.contains("500 lines are stored and not delivered"), "{}", ran.err);
    let again = File::options().write(true).open("/dev/full").expect("there is one");
    let ran = finish(run.command(&["--batch", "500", "--resume"]).stdout(again).stderr(Stdio::piped()));
    assert_eq!((ran.code, run.pending(), run.stored()), (Some(4), 500, 500), "{}", ran.err);
    let ran = finish(&mut run.command(&["--resume"]));
    assert_eq!((ran.code, ran.out), (Some(0), lines(2_000)), "{}", ran.err);
}

#[test]
fn lines_are_given_again_as_they_came() {
    let folder = Folder::new();
    let file = folder.file("lines", "HTTPS://Docs.rs\nmailto:x\nhttps://a.com/\t?q\r\r\n");
    let path = folder.path().join("seen.db");
    let run = Run { index: Index { folder, path }, file };
    let mut child = run.start(&["--as", "web"]);
    drop(child.stdout.take());
    assert_eq!(message(child).0, Some(4));
    let ran = finish(&mut run.command(&["--resume", "--as", "web"]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "HTTPS://Docs.rs\nmailto:x\nhttps://a.com/\t?q\r\n"));
}

#[test]
fn resume_needs_no_input_and_goes_with_only_new() {
    let run = Run::of(1);
    assert_eq!(run.index.run("add", &["--resume", DOCS]).code, Some(2));
    let args = ["--only-new", "--resume"];
    assert_eq!(run.index.run("add", &args).code, Some(0));
    assert_eq!(run.stored(), 0);
}

#[test]
fn two_at_once_print_each_line_once() {
    let run = Run::of(20_000);
    assert_eq!(run.index.run("add", &[DOCS]).code, Some(0));
    let children = [(); 2].map(|()| run.start(&["--batch", "500", "--resume"]));
    let mut printed: Vec<String> = Vec::new();
    let readers = children.map(|child| std::thread::spawn(move || child.wait_with_output()));
    for reader in readers {
        let output = reader.join().expect("no panic").expect("it was started");
        let err = String::from_utf8_lossy(&output.stderr);
        // Locks are not fair: one may have waited too long, and what it printed is stored.
        assert!(output.status.success() || err.contains("index is locked"), "{err}");
        printed.extend(String::from_utf8(output.stdout).expect("it is UTF-8").lines().map(str::to_owned));
    }
    printed.sort_unstable();
    assert!(printed.is_sorted_by(|a, b| a < b), "a line was printed twice");
    assert_eq!((printed.len(), run.pending()), (20_000, 0));
}

/// Reads what is there until the end of the pipe or for so many bytes.
fn read(mut out: impl Read, limit: usize) -> Vec<u8> {
    let mut bytes = vec![0; limit];
    let mut len = 0;
    while len < limit {
        match out.read(&mut bytes[len..]).expect("it is a pipe") {
            0 => break,
            n => len += n,
        }
    }
    bytes.truncate(len);
    bytes
}

/// The same at length, with kills of the program as it is released, is `cargo xtask torture --long 36`.
#[test]
fn runs_that_are_cut_short_at_random_lose_no_line() {
    const COUNT: u32 = 10_000;
    const BATCH: usize = 300;
    let mut random = Seeded::new(7);
    let whole = lines(COUNT);
    for _ in 0..3 {
        let run = Run::of(COUNT);
        let (mut expected, mut given) = (whole.clone(), 0);
        while given < whole.len() {
            let mut child = run.start(&["--batch", "300", "--resume"]);
            let out = child.stdout.take().expect("it is a pipe");
            let read = read(out, 1 + random.below(whole.len() as u64) as usize);
            let (code, err) = message(child);
            assert!(expected.as_bytes().starts_with(&read), "{err}");
            let (stored, pending) = (run.stored(), run.pending());
            assert!(pending <= BATCH && [Some(0), Some(4)].contains(&code), "{code:?} {pending} {err}");
            // What the next run has to print: the lines that are pending, then those that are not stored.
            let rest = (stored - pending) * LINE_LEN;
            // Those before it were taken by the pipe, which holds 64 KiB.
            let given_now = whole.len() - expected.len() + read.len();
            assert!(rest <= given_now + (64 << 10), "{rest} {given_now}");
            given = rest;
            expected = whole[rest..].to_owned();
        }
        assert_eq!((run.stored(), run.pending()), (COUNT as usize, 0));
    }
}
