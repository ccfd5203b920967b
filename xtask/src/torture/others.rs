//! Experiments 10 and 13 to 15: cut files, and several processes at one index.

use std::ffi::OsStr;
use std::process::Stdio;
use std::time::Duration;

use super::child::Running;
use super::program::{Bench, Outcome, expect, is_killed, orderly, show, text};

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
    let given = std::fs::read_to_string(&urls).map_err(|e| e.to_string())?;
    let start = || {
        let mut command = bench.adding_new(&index, &urls, 5_000);
        Running::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
    };
    let loaders = [start()?, start()?];
    let outputs = loaders.map(|loader| std::thread::spawn(move || loader.finish()));
    let (mut printed, mut ended_well) = (Vec::new(), 0);
    for output in outputs {
        let output = output.join().map_err(|_| "a thread failed".to_owned())??;
        // Locks are not fair: one of the two may fail because it waited too long; the lines it printed are stored.
        let is_locked_out =
            output.status.code() == Some(4) && text(&output.stderr).contains("index is locked");
        ended_well += u64::from(!is_locked_out);
        printed.push(if is_locked_out { text(&output.stdout) } else { expect(&output, 0)? });
    }
    if ended_well == 0 {
        return Err("both loaders were locked out".to_owned());
    }
    let mut new: Vec<&str> = printed.iter().flat_map(|text| text.lines()).collect();
    new.sort_unstable();
    // All were given twice and are different; the first was there before.
    let mut expected: Vec<&str> = given.lines().skip(1).collect();
    expected.sort_unstable();
    let rows = bench.verified(&index)?;
    let mut log = index.as_os_str().to_owned();
    log.push("-wal");
    let log = std::fs::metadata(log).map_or(0, |log| log.len());
    if new != expected || rows != expected.len() as u64 + 1 {
        let (printed, given) = (new.len(), expected.len());
        return Err(format!("{printed} lines printed as new, expected {given} others, and {rows} rows"));
    }
    Ok(Outcome::Seen(format!(
        "{} + {} new, {rows} rows, {ended_well} ended well, log of {log} bytes",
        printed[0].lines().count(),
        printed[1].lines().count()
    )))
}

pub(super) fn reading_meanwhile(bench: &mut Bench) -> Result<Outcome, String> {
    let (seed, urls) = (bench.urls("seed", 1)?, bench.urls("urls", 60_000)?);
    let index = bench.path("index");
    bench.add(&index, &seed)?;
    let mut loader = Running::start(&mut bench.adding_new(&index, &urls, 1_000))?;
    let read = |before: u64| match bench.count(&index)? {
        rows if rows < before || rows % 1_000 > 1 => {
            Err(format!("{rows} rows after {before}: no committed state"))
        }
        rows => Ok(rows),
    };
    let (mut rows, mut rises, mut reads) = (1, 0, 0);
    let half = bench.times(12, 100);
    while rises < half && loader.is_running()? {
        let before = rows;
        rows = read(before)?;
        reads += 1;
        rises += u64::from(rows > before && loader.is_running()?);
    }
    let status = loader.kill()?;
    if rises == 0 {
        return Err(format!("{rows} rows: they never rose while the loader worked, {status}"));
    }
    if status.success() {
        rows = read(60_000)?;
    } else if !is_killed(status) {
        return Err(format!("the loader was not killed: {status}"));
    }
    // What a reader finds first may have been kept after the last read; from then on nobody writes.
    rows = read(rows)?;
    for _ in 0..half {
        let again = read(rows)?;
        if again != rows {
            return Err(format!("{again} rows after {rows}, and nobody writes"));
        }
    }
    bench.verified(&index)?;
    Ok(Outcome::Seen(format!(
        "{} reads, {rises} rises beside the loader, up to {rows} rows, none an error",
        reads + 1 + half
    )))
}

pub(super) fn standing_writer(bench: &mut Bench) -> Result<Outcome, String> {
    let (seed, urls) = (bench.urls("seed", 1)?, bench.urls("urls", 200_000)?);
    let index = bench.path("index");
    bench.add(&index, &seed)?;
    for _ in 0..20 {
        let first = Running::start(&mut bench.adding_new(&index, &urls, 200_000))?;
        std::thread::sleep(Duration::from_millis(50 + bench.random.below(500)));
        first.signal("STOP")?;
        let second =
            bench.run([OsStr::new("add"), index.as_os_str(), seed.as_os_str(), OsStr::new("--only-new")]);
        first.kill()?;
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
