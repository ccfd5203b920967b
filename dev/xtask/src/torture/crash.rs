//! Experiments 1 to 4 and 33: programs that are killed or interrupted at a random time.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use super::child::Running;
use super::program::{Bench, Outcome, expect, show, text, timed, wait_for};

/// Adds a file to an index that contains a different file, and kills the program.
fn killed_adding(bench: &mut Bench, base: &Path, urls: &Path, limit: Duration) -> Result<PathBuf, String> {
    let index = bench.path("index");
    std::fs::copy(base, &index).map_err(|e| e.to_string())?;
    bench.kill_within(&mut bench.adding(&index, urls, &[]), limit)?;
    Ok(index)
}

/// Fails unless an index is in its state before or after the file was added.
fn one_of(bench: &Bench, index: &Path, states: &[String; 2]) -> Result<(), String> {
    bench.verified(index)?;
    if states.contains(&bench.rows(index)?) { Ok(()) } else { Err("rows are lost, or came half".to_owned()) }
}

/// Makes an index, adds a file to a copy of it, and returns the index, the file, the rows before and after,
/// and the duration.
fn prepare(bench: &Bench) -> Result<(PathBuf, PathBuf, [String; 2], Duration), String> {
    let (seed, urls) = (bench.urls("seed", 5_000)?, bench.urls("urls", 25_000)?);
    let (base, whole) = (bench.path("base"), bench.path("whole"));
    bench.add(&base, &seed)?;
    let before = bench.rows(&base)?;
    std::fs::copy(&base, &whole).map_err(|e| e.to_string())?;
    let (_, took) = timed(|| bench.add(&whole, &urls))?;
    let states = [before, bench.rows(&whole)?];
    Ok((base, urls, states, took))
}

pub(super) fn adding(bench: &mut Bench) -> Result<Outcome, String> {
    let (base, urls, states, took) = prepare(bench)?;
    let (mut kept, rounds) = (0, bench.times(15, 200));
    for _ in 0..rounds {
        let index = killed_adding(bench, &base, &urls, took)?;
        one_of(bench, &index, &states)?;
        kept += u64::from(bench.rows(&index)? == states[1]);
        bench.add(&index, &urls)?;
        if bench.rows(&index)? != states[1] {
            return Err("the second run did not complete to the same rows".to_owned());
        }
        remove(&index)?;
    }
    Ok(Outcome::Seen(format!("{rounds} kills without a lost row, {kept} after the commit")))
}

pub(super) fn recovering(bench: &mut Bench) -> Result<Outcome, String> {
    let (base, urls, states, took) = prepare(bench)?;
    let rounds = bench.times(10, 100);
    for _ in 0..rounds {
        let index = killed_adding(bench, &base, &urls, took)?;
        for _ in 0..3 {
            let mut command = bench.index([OsStr::new("verify"), index.as_os_str()]);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            bench.kill_within(&mut command, Duration::from_millis(30))?;
        }
        one_of(bench, &index, &states)?;
        remove(&index)?;
    }
    Ok(Outcome::Seen(format!("{rounds} rounds of up to 4 kills without a lost row")))
}

pub(super) fn first_load(bench: &mut Bench) -> Result<Outcome, String> {
    let urls = bench.urls("urls", 60_000)?;
    let whole = bench.path("whole");
    let (_, took) = timed(|| bench.add(&whole, &urls))?;
    let expected = bench.rows(&whole)?;
    let (mut absent, rounds) = (0, bench.times(15, 200));
    for _ in 0..rounds {
        let index = bench.path("index");
        bench.kill_within(&mut bench.adding(&index, &urls, &[]), took * 11 / 10)?;
        if index.exists() {
            if bench.rows(&index)? != expected {
                return Err("the name is there and the rows are not".to_owned());
            }
        } else {
            absent += 1;
            bench.add(&index, &urls)?;
            if bench.rows(&index)? != expected {
                return Err("the second run did not complete to the same rows".to_owned());
            }
        }
        if bench.path("index.loading").exists() {
            return Err("a file that a killed load left was not removed by the next".to_owned());
        }
        bench.verified(&index)?;
        remove(&index)?;
    }
    Ok(Outcome::Seen(format!("{rounds} kills, {absent} times absent, {} times whole", rounds - absent)))
}

pub(super) fn caring(bench: &mut Bench) -> Result<Outcome, String> {
    let (urls, more) = (bench.urls("urls", 30_000)?, bench.urls("more", 45_000)?);
    let (base, other) = (bench.path("base"), bench.path("other"));
    bench.add(&base, &urls)?;
    bench.add(&other, &more)?;
    let expected = bench.rows(&base)?;
    let rounds = bench.times(4, 50);
    for _ in 0..rounds {
        for verb in ["seal", "compact", "export", "merge"] {
            let index = bench.path("index");
            std::fs::copy(&base, &index).map_err(|e| e.to_string())?;
            let out = bench.path("out.db");
            let mut args = vec![OsStr::new(verb), index.as_os_str()];
            match verb {
                "export" => args.extend([
                    OsStr::new("--format"),
                    OsStr::new("sqlite"),
                    OsStr::new("--out"),
                    out.as_os_str(),
                ]),
                "merge" => args.push(other.as_os_str()),
                _ => {}
            }
            let mut command = bench.index(args);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            bench.kill_within(&mut command, Duration::from_millis(250))?;
            let rows = bench.verified(&index)?;
            let is_whole = if verb == "merge" { rows >= 30_000 } else { bench.rows(&index)? == expected };
            if !is_whole {
                return Err(format!("{verb}: rows are lost, {rows} left"));
            }
            if out.exists() {
                std::fs::remove_file(&out).map_err(|e| e.to_string())?;
            }
            remove(&index)?;
        }
    }
    Ok(Outcome::Seen(format!("{rounds} kills of each, every index whole")))
}

pub(super) fn asked_to_stop(bench: &mut Bench) -> Result<Outcome, String> {
    let urls = bench.urls("urls", 400_000)?;
    let small = bench.urls("small", 1)?;
    let whole = bench.path("whole");
    let (_, took) = timed(|| bench.add(&whole, &urls))?;
    let expected = bench.rows(&whole)?;
    let (mut stopped, rounds) = (0, bench.times(1, 10));
    for (name, code) in [("INT", 130), ("TERM", 143)].repeat(rounds as usize) {
        for begun in ["index.loading", "index-wal"] {
            let index = bench.path("index");
            if begun == "index-wal" {
                bench.add(&index, &small)?;
            }
            let mut command = bench.adding(&index, &urls, &[]);
            let load = Running::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))?;
            // From here on the load has a file, and must report its progress.
            wait_for(|| bench.path(begun).exists())?;
            std::thread::sleep(Duration::from_micros(bench.random.below(took.as_micros() as u64 / 2)));
            load.signal(name)?;
            let output = load.finish()?;
            stopped += u64::from(has_stopped(&output, code)?);
            if begun == "index-wal" {
                bench.verified(&index)?;
            } else if bench.path(begun).exists() {
                return Err("it left its new file".to_owned());
            }
            bench.add(&index, &urls)?;
            if bench.rows(&index)? != expected {
                return Err("the second run did not complete to the same rows".to_owned());
            }
            remove(&index)?;
        }
    }
    Ok(Outcome::Seen(format!(
        "stopped {stopped} of {} times before the end, each said how far and was completed by a second run",
        4 * rounds
    )))
}

/// Returns whether a load was stopped and reported it, or ended before the signal. Everything else is an
/// error.
fn has_stopped(output: &Output, code: i32) -> Result<bool, String> {
    if text(&output.stdout).contains(" new") {
        // The load was complete when the signal arrived.
        return if [Some(0), Some(code)].contains(&output.status.code()) {
            Ok(false)
        } else {
            Err(show(output))
        };
    }
    expect(output, code)?;
    let message = text(&output.stderr);
    if message.contains("stopped") {
        Ok(true)
    } else {
        Err(format!("it does not say how far it came: {message}"))
    }
}

/// Removes an index and the files that SQLite keeps next to it.
pub(super) fn remove(index: &Path) -> Result<(), String> {
    for suffix in ["", "-wal", "-shm", "-journal", ".loading"] {
        let mut name = index.as_os_str().to_owned();
        name.push(suffix);
        match std::fs::remove_file(&name) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.to_string()),
            _ => {}
        }
    }
    Ok(())
}
