//! Experiment 37: lines of `uniq --seen` whose reader or writer dies at a random time.
//!
//! All lines are new and printed in order, so the output of a run is known: first the pending lines, then
//! the lines that are not stored. The reader of a killed run reads everything that the run wrote. A reader
//! that closes its pipe leaves the rest in it.

use std::io::Read;
use std::path::Path;
use std::process::{ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use super::child::Running;
use super::program::{Bench, Outcome, expect, is_killed, text, timed};

/// The maximum bytes in a pipe that its reader has not read.
const PIPE: usize = 64 << 10;

/// The number of lines. The lines of half a megabyte of input are stored together.
const LINES: u64 = 100_000;

/// The maximum number of lines that are stored together. The lines of [`Bench::urls`] have at least 26
/// bytes.
const BATCH: usize = (512 << 10) / 26;

/// Prepares `urlid uniq --seen SET FILE`.
fn printing_new(bench: &Bench, set: &Path, urls: &Path) -> Command {
    let mut command = Command::new(&bench.urlid);
    command.args(["uniq", "--seen"]).arg(set).arg(urls).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The results of the runs.
#[derive(Default)]
struct Figures {
    kills: u64,
    closed: u64,
    /// Runs that ended before they were killed, or before the reader closed the pipe.
    done: u64,
    /// Lines that were printed again, in total and at most after one run.
    again: usize,
    most_again: usize,
    /// Lines that readers left in the pipe.
    left: usize,
}

pub(super) fn cut_short(bench: &mut Bench) -> Result<Outcome, String> {
    let urls = bench.urls("urls", LINES)?;
    let whole = std::fs::read_to_string(&urls).map_err(|e| e.to_string())?;
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let set = bench.path("seen");
    let (_, took) = timed(|| super::child::output(&mut printing_new(bench, &set, &urls)))?;
    remove(&set)?;
    let (mut figures, cuts) = (Figures::default(), bench.times(8, 200));
    let mut next = 0;
    while figures.kills.min(figures.closed) < cuts {
        next = cut(bench, &set, &urls, &lines, (next, took), &mut figures)?;
        if next == lines.len() {
            stored(bench, &set)?;
            remove(&set)?;
            next = 0;
        }
    }
    let Figures { kills, closed, done, again, most_again, left } = figures;
    Ok(Outcome::Seen(format!(
        "{kills} kills, {closed} closed pipes, {done} runs to the end: no line lost, {again} printed again, \
         at most {most_again} after one of them, {left} left in pipes by their readers"
    )))
}

/// Starts a run that must print the lines from `next` on, cuts it short, and returns the first line of the
/// next run.
fn cut(
    bench: &mut Bench,
    set: &Path,
    urls: &Path,
    lines: &[&str],
    (next, took): (usize, Duration),
    figures: &mut Figures,
) -> Result<usize, String> {
    let is_killed_here = bench.random.below(2) == 0;
    let mut command = printing_new(bench, set, urls);
    let mut running = Running::start(command.arg("--resume").stdout(Stdio::piped()))?;
    let out = running.stdout()?;
    let whole_len: usize = lines.iter().map(|line| line.len()).sum();
    let read = if is_killed_here {
        let reader = thread::spawn(move || take(out, usize::MAX));
        thread::sleep(Duration::from_micros(bench.random.below(took.as_micros() as u64)));
        let status = running.kill()?;
        match status.code() {
            None if is_killed(status) => figures.kills += 1,
            Some(0) => figures.done += 1,
            _ => return Err(format!("{status} before it was killed")),
        }
        reader.join().map_err(|_| "a thread failed".to_owned())?
    } else {
        let read = take(out, bench.random.below(whole_len as u64) as usize);
        let output = running.finish()?;
        match output.status.code() {
            Some(4) => figures.closed += 1,
            _ => {
                expect(&output, 0)?;
                figures.done += 1;
            }
        }
        read
    };
    let read = read.map_err(|e| e.to_string())?;
    let expected = lines[next..].concat();
    if !expected.as_bytes().starts_with(&read) {
        return Err(format!("other lines than those from {next} on: {}", text(&read[..read.len().min(200)])));
    }
    // A set exists if it has its description.
    let (stored, pending) = match set.join("seen.json").exists() {
        true => (stored(bench, set)? as usize, number(bench, set, "pending")? as usize),
        false => (0, 0),
    };
    if pending > BATCH {
        return Err(format!("{pending} lines are pending, which is more than a batch"));
    }
    // Lines are stored in order, so the pending ones, which the next run prints first, are the last stored
    // lines.
    let begin = stored - pending;
    // A partial line does not count as read.
    let taken = next + text(&read).matches('\n').count();
    if begin > taken {
        let lost: usize = lines[taken..begin].iter().map(|line| line.len()).sum();
        if is_killed_here || lost > PIPE {
            return Err(format!("{} lines are stored, not pending and were not printed", begin - taken));
        }
        figures.left += begin - taken;
    }
    let again = taken.saturating_sub(begin);
    figures.again += again;
    figures.most_again = figures.most_again.max(again);
    Ok(begin)
}

/// Reads this many bytes, or fewer at the end.
fn take(mut out: ChildStdout, limit: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut block = [0; 4096];
    while bytes.len() < limit {
        let room = block.len().min(limit - bytes.len());
        match out.read(&mut block[..room])? {
            0 => break,
            len => bytes.extend_from_slice(&block[..len]),
        }
    }
    Ok(bytes)
}

/// Returns the number of lines that are stored, after `verify` found nothing.
fn stored(bench: &Bench, set: &Path) -> Result<u64, String> {
    of_seen(bench, set, "verify")?;
    number(bench, set, "keys")
}

fn remove(set: &Path) -> Result<(), String> {
    std::fs::remove_dir_all(set).map_err(|e| e.to_string())
}

/// Runs `urlid seen VERB SET` and expects exit 0.
fn of_seen(bench: &Bench, set: &Path, verb: &str) -> Result<String, String> {
    let mut command = Command::new(&bench.urlid);
    expect(&super::child::output(command.args(["seen", verb]).arg(set))?, 0)
}

/// Returns a number that `seen show` prints, or 0.
fn number(bench: &Bench, set: &Path, name: &str) -> Result<u64, String> {
    let shown = of_seen(bench, set, "show")?;
    let row = shown.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix("\t\t"));
    row.map_or(Ok(0), |count| count.parse().map_err(|_| format!("no number: {count}")))
}
