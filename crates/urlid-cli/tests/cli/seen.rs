//! `uniq --seen`: what was seen in earlier runs, kept as digests in a folder.
#![cfg(unix)]

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use urlid_generators::Seeded;

use crate::support::{DOCS, Folder, Ran, command, finish, urlid, urlid_on};

/// The bytes of each line of [`lines`].
const LINE_LEN: usize = "https://example.com/000000\n".len();

/// The bytes that a pipe holds.
const PIPE: usize = 64 << 10;

/// Lines that are stored together are those of a chunk of the input.
const MOST_TOGETHER: usize = (512 << 10) / LINE_LEN + 1;

fn lines(count: u32) -> String {
    (0..count).map(|number| format!("https://example.com/{number:06}\n")).collect()
}

/// A seen-set that is not there, and a file of lines.
pub(crate) struct Run {
    pub(crate) folder: Folder,
    pub(crate) set: PathBuf,
    file: PathBuf,
}

impl Run {
    pub(crate) fn new(lines: impl AsRef<[u8]>) -> Self {
        let folder = Folder::new();
        let (file, set) = (folder.file("lines", lines), folder.path().join("seen"));
        Self { folder, set, file }
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = command();
        command.args(["uniq", "--seen"]).arg(&self.set).args(args).arg(&self.file);
        command
    }

    pub(crate) fn start(&self, args: &[&str]) -> Child {
        let mut command = self.command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program is there")
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        finish(&mut self.command(args))
    }

    /// Runs a verb of seen-sets on the set.
    fn verb(&self, verb: &str) -> Ran {
        urlid(["seen".as_ref(), verb.as_ref(), self.set.as_os_str()])
    }

    /// The numbers of keys and of lines that are pending.
    pub(crate) fn shown(&self) -> (usize, usize) {
        let ran = self.verb("show");
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let number = |name: &str| {
            let row = ran.out.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix("\t\t"));
            row.map(|count| count.parse().expect("it is a number"))
        };
        (number("keys").expect("it has a number of keys"), number("pending").unwrap_or(0))
    }

    pub(crate) fn verified(&self, keys: usize) {
        let name = self.set.display();
        self.verb("verify").is(0, &format!("{name}: {keys} keys checked, 0 findings\n"), "");
    }
}

pub(crate) fn message(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().expect("it was started");
    (output.status.code(), String::from_utf8(output.stderr).expect("it is UTF-8"))
}

/// Runs over several files print what `uniq` prints of all of them, in any form and by any way to read them.
#[test]
fn runs_print_together_what_one_uniq_prints() {
    let hosts = ["a.example", "www.a.example", "A.example:80", "b.co.uk", "[::1]"];
    let mut random = Seeded::new(3);
    let mut line = || {
        let number = random.below(400) as usize;
        let scheme = ["http", "https"][number % 2];
        format!("{scheme}://{}/{}?y=2&x={}#{number}\n", hosts[number % 5], number % 7, number % 3)
    };
    let parts: Vec<String> = (0..6).map(|_| (0..150).map(|_| line()).collect()).collect();
    for form in ["web", "surt-0.3.1", "web+drop-fragment", "url-normalize-2.2+strict"] {
        if urlid(["canon", "--as", form, DOCS]).code != Some(0) {
            continue;
        }
        let whole = urlid_on(parts.concat().as_bytes(), ["uniq", "--as", form]).out;
        let set = Folder::new();
        let set = set.path().join("seen");
        let mut printed = String::new();
        for (number, part) in parts.iter().enumerate() {
            let mut args = vec!["uniq".as_ref(), "--seen".as_ref(), set.as_os_str()];
            // The form is recorded.
            if number % 2 == 0 {
                args.extend(["--as".as_ref(), std::ffi::OsStr::new(form)]);
            }
            let ran = match number {
                // A column is read value by value.
                4 => {
                    let table =
                        format!("n,url\n{}", part.replace("https", "1,https").replace("http:", "2,http:"));
                    args.extend(
                        ["--values", "--column", "url", "--input-format", "csv"].map(std::ffi::OsStr::new),
                    );
                    urlid_on(table.as_bytes(), args)
                }
                _ => urlid_on(part.as_bytes(), args),
            };
            assert_eq!(ran.code, Some(0), "{form}: {}", ran.err);
            printed += &ran.out;
        }
        assert_eq!(printed, whole, "{form}");
    }
}

#[test]
fn the_next_run_prints_the_rest_after_a_closed_pipe() {
    let run = Run::new(lines(40_000));
    let mut child = run.start(&[]);
    let mut out = BufReader::with_capacity(1, child.stdout.take().expect("it is a pipe"));
    out.read_line(&mut String::new()).expect("there is a line");
    drop(out);
    let (code, err) = message(child);
    let (stored, pending) = run.shown();
    assert_eq!((code, stored), (Some(4), pending), "{err}");
    assert!(pending > 0 && pending <= MOST_TOGETHER, "{pending}");
    let kept =
        |of| format!("urlid: {pending} lines{of} are stored but not delivered; --resume prints them first\n");
    assert_eq!(
        err,
        format!("urlid: ERR_IO: cannot write the output: its reader has closed it\n{}", kept(""))
    );
    // Without --resume they stay, and are not forgotten.
    let whole = lines(40_000);
    let (given, rest) = whole.split_at(pending * LINE_LEN);
    finish(run.command(&["--quiet"]).stdin(Stdio::null())).is(0, rest, &kept(" of earlier runs"));
    let ran = run.run(&["--resume"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), given), "{}", ran.err);
    run.run(&["--resume"]).is(0, "", "");
    assert_eq!(run.shown(), (40_000, 0));
    run.verified(40_000);
}

#[test]
fn for_a_pipe_that_is_closed_nothing_is_stored() {
    let run = Run::new(lines(100));
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let ran = finish(run.command(&[]).stdout(writer).stderr(Stdio::piped()));
    ran.is(4, "", "urlid: ERR_IO: cannot write the output: its reader has closed it\n");
    assert!(!run.set.exists());
    run.run(&["--resume"]).is(0, &lines(100), "");
}

#[cfg(target_os = "linux")]
#[test]
fn lines_that_a_full_output_did_not_accept_stay_undelivered() {
    let run = Run::new(lines(2_000));
    for args in [&[][..], &["--resume"]] {
        let full = File::options().write(true).open("/dev/full").expect("there is one");
        let ran = finish(run.command(args).stdout(full).stderr(Stdio::piped()));
        assert_eq!(ran.code, Some(4));
        assert!(ran.err.starts_with("urlid: ERR_IO: cannot write the output: No space left"), "{}", ran.err);
        assert!(ran.err.contains("2000 lines are stored but not delivered"), "{}", ran.err);
        assert_eq!(run.shown(), (2_000, 2_000));
    }
    run.run(&["--resume"]).is(0, &lines(2_000), "");
}

#[test]
fn lines_are_given_again_as_they_came() {
    let run = Run::new("HTTPS://Docs.rs\nmailto:x\nhttps://a.com/?q \r\nno url\n");
    let rejected = ["--invalid", "skip", "--quiet"];
    let mut child = run.start(&rejected);
    drop(child.stdout.take());
    assert_eq!(message(child).0, Some(4));
    let ran = run.run(&[&rejected[..], &["--resume"]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "HTTPS://Docs.rs\nmailto:x\nhttps://a.com/?q \n"));
}

/// The writer of the lines may wait for the answer to one before it writes the next, as a crawl does.
#[test]
fn each_line_of_a_pipe_is_answered_at_once() {
    let folder = Folder::new();
    for args in [&[][..], &["--assume", "https"]] {
        let mut command = command();
        command.args(["uniq", "--seen"]).arg(folder.path().join(format!("seen{}", args.len()))).args(args);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program is there");
        let mut stdin = child.stdin.take().expect("it is a pipe");
        let mut out = BufReader::new(child.stdout.take().expect("it is a pipe"));
        for line in ["https://a.example/\n", "https://b.example/\n"] {
            stdin.write_all(format!("https://a.example\n{line}").as_bytes()).expect("it is read");
            let mut answer = String::new();
            out.read_line(&mut answer).expect("it is a pipe");
            let expected = if line.contains("a.") { "https://a.example\n" } else { line };
            assert_eq!(answer, expected);
        }
        drop(stdin);
        assert!(child.wait().expect("it was started").success());
    }
}

#[test]
fn one_writer_at_a_time_and_concurrent_readers() {
    let run = Run::new(lines(10));
    let mut command = command();
    command.args(["uniq", "--seen"]).arg(&run.set).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut first = command.spawn().expect("the program is there");
    let mut stdin = first.stdin.take().expect("it is a pipe");
    stdin.write_all(lines(3).as_bytes()).expect("it is read");
    let mut out = BufReader::new(first.stdout.take().expect("it is a pipe"));
    out.read_line(&mut String::new()).expect("it is a pipe");
    let in_use =
        format!("urlid: ERR_IN_USE: seen-set is in use: a different writer has {} open\n", run.set.display());
    run.run(&[]).is(4, "", &in_use);
    run.verb("compact").is(4, "", &in_use);
    assert_eq!(run.shown().0, 3);
    run.verified(3);
    // One that waits begins when the first has ended, and a signal ends the wait.
    let waiting = "urlid: waiting for a different process, which is writing to the seen-set\n";
    let [waits, stopped] = [(); 2].map(|()| {
        let mut child = run.start(&["--wait"]);
        let mut said = [0; 8];
        child.stderr.as_mut().expect("it is a pipe").read_exact(&mut said).expect("it says that it waits");
        assert_eq!(said, waiting.as_bytes()[..8]);
        child
    });
    let script = format!("kill -TERM {}", stopped.id());
    assert!(Command::new("sh").args(["-c", &script]).status().expect("there is a shell").success());
    assert_eq!(message(stopped), (Some(143), format!("{}urlid: stopped\n", &waiting[8..])));
    drop((stdin, out));
    assert!(first.wait().expect("it was started").success());
    let output = waits.wait_with_output().expect("it was started");
    let rest = &lines(10)[3 * LINE_LEN..];
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), rest.as_bytes()));
    run.run(&["--wait"]).is(0, "", "");
    run.verb("compact").is(0, "", "");
    run.verified(10);
}

/// Nothing of a damaged set is used, and the error has the path of the file.
#[test]
fn damage_is_an_error_with_code_and_path() {
    let run = Run::new(lines(2_000));
    run.run(&[]).is(0, &lines(2_000), "");
    let mut files = fs::read_dir(&run.set).expect("lists").map(|entry| entry.expect("lists").path());
    let log = files.find(|path| path.extension().is_some_and(|extension| extension == "log"));
    let log = log.expect("there is a log");
    let mut bytes = fs::read(&log).expect("reads");
    bytes[5000] ^= 1;
    fs::write(&log, &bytes).expect("writes");
    let name = log.display();
    let ran = run.run(&[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""));
    let said = format!("ERR_INDEX_DAMAGED: seen-set is damaged: no record at byte 16 in {name}");
    assert!(ran.err.contains(&said), "{}", ran.err);
    let ran = run.verb("verify");
    assert!(ran.code == Some(1) && ran.out.contains(&name.to_string()), "{}{}", ran.out, ran.err);
    assert_eq!(fs::read(&log).expect("reads"), bytes);
}

/// Reads what is there until the end of the pipe or for so many bytes.
fn read(mut out: impl Read, limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    out.by_ref().take(limit as u64).read_to_end(&mut bytes).expect("it is a pipe");
    bytes
}

/// Kills of the program, and readers that go away: 200 by `URLID_KILLS=200`, and of the program as it is
/// released by `cargo xtask torture --long 37`.
#[test]
fn runs_that_are_cut_short_at_random_lose_no_line() {
    const COUNT: u32 = 60_000;
    let kills = std::env::var("URLID_KILLS").map_or(12, |kills| kills.parse().expect("it is a number"));
    let mut random = Seeded::new(7);
    let whole = lines(COUNT);
    let (mut cuts, mut run, mut given) = (0, Run::new(&whole), 0);
    let mut printed: HashSet<String> = HashSet::new();
    while cuts < kills {
        let mut child = run.start(&["--resume"]);
        let out = child.stdout.take().expect("it is a pipe");
        let is_killed = random.below(3) > 0;
        let took = if is_killed {
            // What it wrote before it was killed is taken.
            let reader = std::thread::spawn(move || read(out, usize::MAX));
            std::thread::sleep(Duration::from_millis(random.below(150)));
            child.kill().expect("it was started");
            reader.join().expect("no panic")
        } else {
            read(out, 1 + random.below(whole.len() as u64) as usize)
        };
        let (code, err) = message(child);
        cuts += usize::from(code != Some(0));
        assert!(matches!((is_killed, code), (true, None | Some(0)) | (false, Some(0 | 4))), "{code:?} {err}");
        let took = String::from_utf8(took).expect("it is text");
        // A line that is cut is not taken.
        printed.extend(took.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(str::to_owned));
        let (stored, pending) =
            if Path::new(&run.set).join("seen.json").exists() { run.shown() } else { (0, 0) };
        // Those before them were delivered, or left in the pipe by its reader.
        let delivered = &whole[..(stored - pending) * LINE_LEN];
        let lost = delivered.split_inclusive('\n').filter(|line| !printed.contains(*line)).count();
        let more = lost.saturating_sub(given) * LINE_LEN;
        assert!(more == 0 || !is_killed && more <= PIPE, "{lost} lines are lost, {given} before: {err}");
        given = lost;
        if stored == COUNT as usize && pending == 0 {
            run.verified(stored);
            (run, given) = (Run::new(&whole), 0);
            printed.clear();
        }
    }
}

#[test]
fn several_that_wait_print_each_line_once() {
    // Fewer than a pipe holds: the one that has the set must end before its output is read.
    let run = Run::new(lines(2_000));
    // All of them make the set, or wait for the one that does.
    let children: Vec<Child> = (0..6).map(|_| run.start(&["--wait", "--quiet"])).collect();
    let mut printed = Vec::new();
    for child in children {
        let output = child.wait_with_output().expect("it was started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let out = String::from_utf8(output.stdout).expect("it is UTF-8");
        printed.extend(out.lines().map(str::to_owned));
    }
    printed.sort_unstable();
    assert_eq!(printed.join("\n") + "\n", lines(2_000));
    run.verified(2_000);
}

/// Values are printed, whatever the table is, and the same ones are printed again by `--resume`.
#[test]
fn columns_of_tables_of_every_kind_are_one_list() {
    let folder = Folder::new();
    let parquet = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/tables/crawl-flat.parquet");
    let csv =
        "n,url\n1,https://a.example/\n2,\"https://b.example/?x=1,2\"\n3,\n4,https://a.example\n5,no url\n";
    let tables = [
        folder.file("table.csv", csv),
        folder.file("table.tsv", "url\tn\nhttps://c.example/\t1\nhttps://a.example/\t2\n"),
        folder.file(
            "table.ndjson",
            "{\"url\": \"https://d.example/\\nx\"}\n{\"url\": null}\n{\"url\":\"D.example/e\"}\n",
        ),
        parquet.into(),
    ];
    let args = |set: &Path, more: &[&str]| {
        let mut args: Vec<std::ffi::OsString> = vec!["uniq".into(), "--column".into(), "url".into()];
        args.extend(["--invalid", "skip", "--quiet", "--assume", "https"].map(Into::into));
        args.extend(["--seen".into(), set.into()]);
        args.extend(more.iter().map(Into::into));
        args.extend(tables.iter().map(Into::into));
        args
    };
    // What `uniq` prints of them without a set.
    let mut plain = args(Path::new(""), &[]);
    plain.drain(8..10);
    let expected = urlid(&plain).out;
    assert!(expected.starts_with("https://a.example/\nhttps://b.example/?x=1,2\n"), "{expected}");
    assert!(expected.contains("https://c.example/\nhttps://d.example/\\nx\nD.example/e\n"), "{expected}");
    assert!(expected.lines().count() > 5, "{expected}");
    for format in ["text", "ndjson", "csv", "tsv"] {
        let set = folder.path().join(format);
        let ran = urlid(args(&set, &["--format", format]));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        plain.extend(["--format", format].map(Into::into));
        assert_eq!(ran.out, urlid(&plain).out, "{format}");
        plain.truncate(plain.len() - 2);
        let again = urlid(args(&set, &[]));
        assert_eq!((again.code, again.out.as_str()), (Some(0), ""), "{format}: {}", again.err);
    }
    let set = folder.path().join("resumed");
    let mut command = command();
    let full = File::options().write(true).open("/dev/full").expect("there is one");
    let ran = finish(command.args(args(&set, &[])).stdout(full).stderr(Stdio::piped()));
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert_eq!(urlid(args(&set, &["--resume"])).out, expected);
}

#[test]
fn a_file_is_delivered_when_it_has_its_name() {
    let run = Run::new(lines(2_000));
    let out = run.folder.path().join("out");
    let name = out.to_str().expect("it is UTF-8");
    // A missing input keeps the file that is there, and its lines pending.
    fs::write(&out, "mine\n").expect("there is room");
    let missing = run.folder.path().join("missing");
    let missing = missing.to_str().expect("it is UTF-8");
    let ran = run.run(&["--out", name, missing]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert_eq!(fs::read_to_string(&out).expect("it is there"), "mine\n");
    assert_eq!(run.shown(), (2_000, 2_000));
    let ran = run.run(&["--out", name]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("2000 lines of earlier runs are stored"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&out).expect("it is there"), "");
    run.run(&["--out", name, "--resume"]).is(0, "", "");
    assert_eq!(fs::read_to_string(&out).expect("it is there"), lines(2_000));
    assert_eq!(run.shown(), (2_000, 0));
    run.run(&["--out", name, "--resume"]).is(0, "", "");
    assert_eq!(fs::read_to_string(&out).expect("it is there"), "");
}

#[test]
fn resume_without_other_arguments_does_not_read_input() {
    let run = Run::new(lines(10));
    let mut child = run.start(&[]);
    drop(child.stdout.take());
    let (code, err) = message(child);
    let pending = if run.set.exists() { run.shown().1 } else { Default::default() };
    assert!(matches!((code, pending), (Some(4), 0 | 10)), "{code:?} {pending} {err}");
    let args = ["uniq".as_ref(), "--seen".as_ref(), run.set.as_os_str(), "--resume".as_ref()];
    urlid(args).is(0, &lines(pending as u32), "");
}

/// Runs a command that appends to a file, and kills it after a time if one is given. Returns whether it ended
/// well.
pub(crate) fn append(command: &mut Command, file: &Path, killed_after: Option<Duration>) -> bool {
    let out = File::options().append(true).create(true).open(file).expect("there is room");
    let mut child = command.stdin(Stdio::null()).stdout(out).spawn().expect("the program is there");
    if let Some(time) = killed_after {
        std::thread::sleep(time);
        child.kill().expect("it was started");
    }
    child.wait().expect("it was started").success()
}

/// A run that was killed leaves half a line in its file. What is printed next must not become part of it, and
/// no URL may be in the file that was not in the input.
#[cfg(target_os = "linux")]
#[test]
fn half_a_line_at_the_end_of_the_output_is_completed() {
    let text = "https://a.example/\nhttps://a.example/b\nhttps://a.example/\"q\",\\r https\n";
    for format in ["text", "ndjson", "csv", "tsv"] {
        let whole = urlid_on(text.as_bytes(), ["uniq", "--format", format]).out;
        let header = if ["csv", "tsv"].contains(&format) { "url\n" } else { "" };
        let new = urlid_on(b"https://new.example/\n", ["uniq", "--format", format]).out;
        let step = if format == "text" { 3 } else { 11 };
        for end in (0..=whole.len()).step_by(step) {
            for args in [&["--resume"][..], &[]] {
                let run = Run::new(text);
                let full = File::options().write(true).open("/dev/full").expect("there is one");
                assert_eq!(
                    finish(run.command(&["--quiet"]).stdout(full).stderr(Stdio::piped())).code,
                    Some(4)
                );
                // As much as the run had written when it was killed.
                let out = run.folder.file("out", &whole[..end]);
                let mut command = run.command(args);
                command.args(["--format", format]).stderr(Stdio::null());
                let more = run.folder.file("more", "https://new.example/\n");
                assert!(append(command.arg(more), &out, None));
                let out = fs::read_to_string(out).expect("it is text");
                let rows: HashSet<&str> = whole.lines().chain(new.lines()).collect();
                // Half a header is no row, and is only ended.
                let begun = whole[..end.min(header.len())].trim_end();
                let is_ours = |row: &str| rows.contains(row) || !begun.is_empty() && row == begun;
                assert!(out.lines().all(is_ours), "{format} {end}: {out}");
                assert!(out.ends_with(new.strip_prefix(header).unwrap_or(&new)), "{format} {end}: {out}");
                let expected =
                    if args.is_empty() { whole[..end].lines().count() } else { whole.lines().count() };
                let there = whole.lines().filter(|row| out.lines().any(|line| line == *row)).count();
                assert!(
                    there >= expected.saturating_sub(usize::from(end < header.len())),
                    "{format} {end}: {out}"
                );
            }
        }
    }
    // What is not of a run is only ended; what is whole stays as it is.
    for (before, after) in [("mine", "mine\n"), ("mine\n", "mine\n"), ("", "")] {
        let run = Run::new(DOCS);
        let out = run.folder.file("out", before);
        assert!(append(&mut run.command(&[]), &out, None));
        assert_eq!(fs::read_to_string(out).expect("it is text"), format!("{after}{DOCS}\n"));
    }
}

/// `urlid uniq --seen seen --resume urls >> new.txt && urlid index add urls.db new.txt`, as the README has
/// it: each of the two is killed at random, and the line is run again until it succeeds.
#[cfg(target_os = "linux")]
#[test]
fn a_new_url_reaches_the_index_whatever_is_killed() {
    const COUNT: u32 = 20_000;
    let kills = std::env::var("URLID_KILLS").map_or(12, |kills| kills.parse().expect("it is a number"));
    let mut random = Seeded::new(11);
    let whole = lines(COUNT);
    let known: HashSet<&str> = whole.lines().collect();
    let mut killed = [0, 0];
    while killed.iter().any(|count| *count < kills) {
        let run = Run::new(&whole);
        let (new, index) = (run.folder.path().join("new.txt"), run.folder.path().join("urls.db"));
        let log = run.folder.path().join("log");
        let mut time = |most: u64| (random.below(4) > 0).then(|| Duration::from_millis(random.below(most)));
        loop {
            if !append(run.command(&["--resume"]).stderr(Stdio::null()), &new, time(250)) {
                killed[0] += 1;
                continue;
            }
            let mut add = command();
            add.args(["index", "add", "--quiet"]).arg(&index).arg(&new).stderr(Stdio::null());
            if append(&mut add, &log, time(600)) {
                break;
            }
            killed[1] += 1;
        }
        let new = fs::read_to_string(new).expect("it is text");
        assert!(new.ends_with('\n') && new.lines().all(|line| known.contains(line)), "killed: {killed:?}");
        let found = urlid(["index".as_ref(), "find".as_ref(), index.as_os_str()]);
        let found: HashSet<&str> = found.out.lines().collect();
        assert!(found == known, "{} of {COUNT} URLs are there, killed: {killed:?}", found.len());
        run.verified(COUNT as usize);
    }
}
