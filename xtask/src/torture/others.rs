//! Experiments 10 and 13 to 15: cut files, and several processes at one index.

use std::ffi::OsStr;
use std::process::Stdio;
use std::time::Duration;

use super::Outcome;
use super::program::{Bench, expect, orderly, show, signal, spawn, text};

pub(super) fn truncated(bench: &mut Bench) -> Result<Outcome, String> {
    let urls = bench.urls("urls", 5_000)?;
    let (whole, cut) = (bench.path("whole"), bench.path("cut"));
    bench.add(&whole, &urls)?;
    let bytes = std::fs::read(&whole).map_err(|e| e.to_string())?;
    let mut runs = 0;
    for len in [0, 50, bytes.len() / 100, bytes.len() / 2, bytes.len() * 99 / 100, bytes.len() - 1] {
        for verb in ["count", "stats", "verify", "find", "seal", "compact", "add"] {
            std::fs::write(&cut, &bytes[..len]).map_err(|e| e.to_string())?;
            let mut args = vec![OsStr::new(verb), cut.as_os_str()];
            if verb == "add" {
                args.push(urls.as_os_str());
            }
            let output = bench.run(args)?;
            if orderly(&output)? == 0 {
                return Err(format!("{verb} of {len} bytes: no error"));
            }
            runs += 1;
            super::crash::remove(&cut)?;
        }
    }
    Ok(Outcome::Seen(format!("{runs} runs, each an error")))
}

pub(super) fn two_loaders(bench: &mut Bench) -> Result<Outcome, String> {
    let (seed, urls) = (bench.urls("seed", 1)?, bench.urls("urls", bench.times(60_000, 1_000_000))?);
    let index = bench.path("index");
    bench.add(&index, &seed)?;
    let start = || {
        let mut command = bench.adding_new(&index, &urls, 5_000);
        spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
    };
    let loaders = [start()?, start()?];
    let outputs = loaders.map(|loader| std::thread::spawn(move || loader.wait_with_output()));
    let mut printed = Vec::new();
    for output in outputs {
        let output = output.join().map_err(|_| "a thread failed".to_owned())?.map_err(|e| e.to_string())?;
        // Locks are not handed out in turn: one of the two may be told that it waited too long, and keeps what it printed.
        let is_locked_out =
            output.status.code() == Some(4) && text(&output.stderr).contains("index is locked");
        printed.push(if is_locked_out { text(&output.stdout) } else { expect(&output, 0)? });
    }
    let new: Vec<&str> = printed.iter().flat_map(|text| text.lines()).collect();
    let distinct: std::collections::HashSet<&str> = new.iter().copied().collect();
    let rows = bench.verified(&index)?;
    let mut log = index.as_os_str().to_owned();
    log.push("-wal");
    let log = std::fs::metadata(log).map_or(0, |log| log.len());
    if new.len() != distinct.len() || new.len() as u64 + 1 != rows {
        return Err(format!("{} told new, {} distinct, {rows} rows", new.len(), distinct.len()));
    }
    Ok(Outcome::Seen(format!(
        "{} + {} new, {rows} rows, log of {log} bytes",
        printed[0].lines().count(),
        printed[1].lines().count()
    )))
}

pub(super) fn reading_meanwhile(bench: &mut Bench) -> Result<Outcome, String> {
    let (seed, urls) = (bench.urls("seed", 1)?, bench.urls("urls", 60_000)?);
    let index = bench.path("index");
    bench.add(&index, &seed)?;
    let mut loader = spawn(&mut bench.adding_new(&index, &urls, 1_000))?;
    let (mut before, mut reads) = (0, 0);
    let most = bench.times(25, 200);
    while reads < most {
        let rows = bench.count(&index)?;
        if rows < before || rows % 1000 > 1 {
            return Err(format!("{rows} rows after {before}: no committed state"));
        }
        before = rows;
        reads += 1;
        if reads == most / 2 {
            loader.kill().map_err(|e| e.to_string())?;
            loader.wait().map_err(|e| e.to_string())?;
        }
    }
    bench.verified(&index)?;
    Ok(Outcome::Seen(format!("{reads} reads, up to {before} rows, none an error")))
}

pub(super) fn standing_writer(bench: &mut Bench) -> Result<Outcome, String> {
    let (seed, urls) = (bench.urls("seed", 1)?, bench.urls("urls", 200_000)?);
    let index = bench.path("index");
    bench.add(&index, &seed)?;
    for _ in 0..20 {
        let mut first = spawn(&mut bench.adding_new(&index, &urls, 200_000))?;
        std::thread::sleep(Duration::from_millis(50 + bench.random.below(500)));
        signal(&first, "STOP")?;
        let second =
            bench.run([OsStr::new("add"), index.as_os_str(), seed.as_os_str(), OsStr::new("--only-new")]);
        first.kill().map_err(|e| e.to_string())?;
        first.wait().map_err(|e| e.to_string())?;
        let second = second?;
        bench.verified(&index)?;
        if second.status.code() == Some(4) {
            let message = text(&second.stderr);
            let is_said = message.contains("locked");
            return if is_said { Ok(Outcome::Seen(message.trim().to_owned())) } else { Err(show(&second)) };
        }
        orderly(&second)?;
        super::crash::remove(&index)?;
        bench.add(&index, &seed)?;
    }
    Ok(Outcome::NotRun("the first writer was never stopped within its transaction".to_owned()))
}
