//! Experiments 1 to 4 and 33: killed and interrupted at a random time.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use super::Outcome;
use super::program::{Bench, expect, orderly, show, signal, text, timed};

/// Adds with `--only-new`, which prints a line once it is kept, and kills it; returns the lines printed whole.
fn acknowledged(
    bench: &mut Bench,
    index: &Path,
    urls: &Path,
    limit: Duration,
) -> Result<Vec<String>, String> {
    let out = bench.path("acknowledged");
    let child = bench
        .index([
            OsStr::new("add"),
            index.as_os_str(),
            urls.as_os_str(),
            OsStr::new("--only-new"),
            OsStr::new("--batch"),
            OsStr::new("500"),
        ])
        .stdout(File::create(&out).map_err(|e| e.to_string())?)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| e.to_string())?;
    bench.kill_after(child, limit)?;
    let printed = text(&std::fs::read(&out).map_err(|e| e.to_string())?);
    let whole = printed.rfind('\n').map_or("", |end| &printed[..end]);
    Ok(whole.lines().map(str::to_owned).collect())
}

fn all_there(bench: &Bench, index: &Path, lines: &[String]) -> Result<(), String> {
    if lines.is_empty() {
        return Ok(());
    }
    let rows = bench.rows(index)?;
    let rows: std::collections::HashSet<&str> = rows.lines().collect();
    let lost = lines.iter().filter(|line| !rows.contains(line.as_str())).count();
    if lost == 0 { Ok(()) } else { Err(format!("{lost} acknowledged rows are lost")) }
}

pub(super) fn adding(bench: &mut Bench) -> Result<Outcome, String> {
    let count = 20_000;
    let urls = bench.urls("urls", count)?;
    let whole = bench.path("whole");
    let (_, took) = timed(|| {
        bench.done([
            OsStr::new("add"),
            whole.as_os_str(),
            urls.as_os_str(),
            OsStr::new("--only-new"),
            OsStr::new("--batch"),
            OsStr::new("500"),
        ])
    })?;
    let expected = bench.rows(&whole)?;
    let (mut kept, rounds) = (0, bench.times(15, 200));
    for _ in 0..rounds {
        let index = bench.path("index");
        let lines = acknowledged(bench, &index, &urls, took)?;
        kept += lines.len();
        if index.exists() {
            all_there(bench, &index, &lines)?;
            bench.verified(&index)?;
        } else if !lines.is_empty() {
            return Err("rows were acknowledged and there is no index".to_owned());
        }
        bench.add(&index, &urls)?;
        if bench.rows(&index)? != expected {
            return Err("the second run did not complete to the same rows".to_owned());
        }
        remove(&index)?;
    }
    Ok(Outcome::Seen(format!("{rounds} kills, {kept} acknowledged rows, none lost")))
}

pub(super) fn recovering(bench: &mut Bench) -> Result<Outcome, String> {
    let urls = bench.urls("urls", 20_000)?;
    let (mut kept, rounds) = (0, bench.times(10, 100));
    for _ in 0..rounds {
        let index = bench.path("index");
        let lines = acknowledged(bench, &index, &urls, Duration::from_millis(800))?;
        kept += lines.len();
        for _ in 0..3 {
            let child = bench
                .index([OsStr::new("verify"), index.as_os_str()])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
            bench.kill_after(child.map_err(|e| e.to_string())?, Duration::from_millis(30))?;
        }
        if index.exists() {
            all_there(bench, &index, &lines)?;
            bench.verified(&index)?;
        }
        remove(&index)?;
    }
    Ok(Outcome::Seen(format!("{rounds} rounds of 4 kills, {kept} acknowledged rows, none lost")))
}

pub(super) fn first_load(bench: &mut Bench) -> Result<Outcome, String> {
    let urls = bench.urls("urls", 60_000)?;
    let whole = bench.path("whole");
    let (_, took) = timed(|| bench.add(&whole, &urls))?;
    let expected = bench.rows(&whole)?;
    let (mut absent, rounds) = (0, bench.times(15, 200));
    for _ in 0..rounds {
        let index = bench.path("index");
        let child = bench
            .index([OsStr::new("add"), index.as_os_str(), urls.as_os_str()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        bench.kill_after(child.map_err(|e| e.to_string())?, took * 11 / 10)?;
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
            let out = bench.path("out.parquet");
            let mut args = vec![OsStr::new(verb), index.as_os_str()];
            match verb {
                "export" => args.extend([
                    OsStr::new("--format"),
                    OsStr::new("parquet"),
                    OsStr::new("--out"),
                    out.as_os_str(),
                ]),
                "merge" => args.push(other.as_os_str()),
                _ => {}
            }
            let child = bench
                .index(args)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .map_err(|e| e.to_string())?;
            bench.kill_after(child, Duration::from_millis(250))?;
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
    let mut told = Vec::new();
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        for is_there in [false, true] {
            let index = bench.path("index");
            if is_there {
                bench.add(&index, &small)?;
            }
            let child = bench
                .index([OsStr::new("add"), index.as_os_str(), urls.as_os_str()])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn();
            let child = child.map_err(|e| e.to_string())?;
            std::thread::sleep(took / 3);
            signal(&child, name)?;
            let output = child.wait_with_output().map_err(|e| e.to_string())?;
            if output.status.code() != Some(0) {
                expect(&output, code)?;
                let message = text(&output.stderr);
                // Without a word it ended before the load began, and there is nothing to tell.
                let has_begun = !message.is_empty();
                if has_begun && !message.contains("stopped") {
                    return Err(format!("it does not say how far it came: {message}"));
                }
                if !has_begun && !is_there && index.exists() {
                    return Err("it ended without a word and left an index".to_owned());
                }
                told.push(name);
            }
            orderly_or_stopped(&output, code)?;
            if is_there {
                bench.verified(&index)?;
            }
            bench.add(&index, &urls)?;
            let rows = bench.rows(&index)?;
            if !is_there && rows != expected {
                return Err("the second run did not complete to the same rows".to_owned());
            }
            remove(&index)?;
        }
    }
    Ok(Outcome::Seen(format!(
        "stopped {} of 4 times before the end, each completed by a second run",
        told.len()
    )))
}

fn orderly_or_stopped(output: &std::process::Output, code: i32) -> Result<(), String> {
    match output.status.code() {
        Some(found) if found == code => Ok(()),
        Some(_) => orderly(output).map(|_| ()),
        None => Err(show(output)),
    }
}

/// Removes an index and what SQLite keeps beside it.
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
