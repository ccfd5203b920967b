//! `bench program [PROGRAM] [--record [FILE]]`: the program beside `url`, in one run.
//!
//! Millions of real lines go through `urlid id` from a file and from a pipe, in every format; its wall time is compared with
//! what one core takes to do no more than parse them with `url`. The program is the one beside this one unless it is named, and uses
//! the cores that it finds.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use urlid_testing::memory;

use crate::corpus::{self, Corpus};
use crate::machine;
use crate::race::Race;
use crate::record::{Bound, Fact, Record, Row, Target};

/// The lines of a corpus are repeated until there are so many.
const LINES: usize = 5_000_000;
const ROUNDS: usize = 7;
const STARTS: usize = 100;

type Failure = Box<dyn std::error::Error>;

/// Measures, prints the record and writes it.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let named = arguments.first().filter(|argument| !argument.starts_with("--")).map(PathBuf::from);
    let program = named.or_else(beside_this_one).ok_or("the program is not here: build it, or name it")?;
    let record = measure(&program).map_err(|error| error.to_string())?;
    record.print();
    record.write(arguments)
}

fn beside_this_one() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join("urlid")).filter(|path| path.exists())
}

fn measure(program: &Path) -> Result<Record, Failure> {
    let mut record = Record::begin("program");
    let folder = tempfile::tempdir_in(".")?;
    let corpora = corpus::standard()?;
    let mut ratios = [0.0; 2];
    for (place, corpus) in corpora.iter().enumerate() {
        let run =
            Run { program, input: folder.path().join(&corpus.name), lines: repeat(corpus, folder.path())? };
        let parse = url_alone(corpus);
        record.facts.push(Fact::new(
            format!("{}: url 2.5, parse, one core", corpus.name),
            parse,
            "ns a line",
        ));
        let sxurl = run.best(&["--kind", "sxurl"], false, &mut record, &corpus.name)?;
        ratios[place] = parse / sxurl;
        run.best(&["--kind", "url-hash"], false, &mut record, &corpus.name)?;
        run.best(&["--kind", "sxurl"], true, &mut record, &corpus.name)?;
        for format in ["ndjson", "csv", "tsv"] {
            let formatted =
                run.best(&["--kind", "sxurl", "--format", format], false, &mut record, &corpus.name)?;
            let what = format!("{}: {format}, times the speed of bare lines", corpus.name);
            record.targets.push(Target { what, must: Bound::AtLeast(0.5), reached: sxurl / formatted });
        }
        let what = format!("{}: peak of memory, MiB", corpus.name);
        record.targets.push(Target { what, must: Bound::AtMost(64.0), reached: run.peak_mib()? });
    }
    record.rows.push(Row {
        work: "urlid id, SXURL lines, all cores".to_owned(),
        against: "url 2.5: parse".to_owned(),
        must: [6.0; 2],
        aim: [9.0; 2],
        reached: ratios,
    });
    let start = start_of(program)?.as_secs_f64() * 1e3;
    record.targets.push(Target {
        what: "one URL, from start to end, ms".to_owned(),
        must: Bound::AtMost(5.0),
        reached: start,
    });
    Ok(record)
}

/// Writes the lines of a corpus to a file named as it is, again and again, and returns how many there are.
fn repeat(corpus: &Corpus, folder: &Path) -> io::Result<usize> {
    let each = corpus.lines().len();
    let mut file = File::create(folder.join(&corpus.name))?;
    let times = LINES.div_ceil(each);
    for _ in 0..times {
        file.write_all(corpus.text.as_bytes())?;
    }
    Ok(times * each)
}

/// Returns what one core takes to parse a line with `url`, in nanoseconds.
fn url_alone(corpus: &Corpus) -> f64 {
    let work = || {
        // Where pinning is not allowed the scheduler decides.
        let _ = machine::pin(0);
        let lines = corpus.lines();
        let mut race = Race::over(lines.len());
        race.add("url", |range| {
            lines[range]
                .iter()
                .map(|line| url::Url::parse(line).map_or(0, |url| url.as_str().len() as u64))
                .sum()
        });
        race.run(20).first().map_or(f64::NAN, |time| time.nanoseconds)
    };
    // A thread of its own, as the pinning stays with the thread and goes to its children.
    std::thread::scope(|scope| scope.spawn(work).join().unwrap_or(f64::NAN))
}

/// The program and its lines.
struct Run<'p> {
    program: &'p Path,
    input: PathBuf,
    lines: usize,
}

impl Run<'_> {
    /// Returns the best wall time for a line, in nanoseconds.
    fn best(
        &self,
        options: &[&str],
        is_pipe: bool,
        record: &mut Record,
        corpus: &str,
    ) -> Result<f64, Failure> {
        let mut best = Duration::MAX;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let mut feeder = None;
            let input = match is_pipe {
                true => {
                    let mut cat = Command::new("cat").arg(&self.input).stdout(Stdio::piped()).spawn()?;
                    let pipe = cat.stdout.take().map_or_else(Stdio::null, Stdio::from);
                    feeder = Some(cat);
                    pipe
                }
                false => File::open(&self.input)?.into(),
            };
            let code = self.start(options, input)?.wait()?.code();
            feeder.map(|mut cat| cat.wait()).transpose()?;
            // 3: some lines have no identifier.
            if !matches!(code, Some(0 | 3)) {
                return Err(format!("{} ended with {code:?}", self.program.display()).into());
            }
            best = best.min(start.elapsed());
        }
        let nanoseconds = best.as_nanos() as f64 / self.lines as f64;
        let from = if is_pipe { "a pipe" } else { "a file" };
        let what = format!("{corpus}: urlid id {}, from {from}", options.join(" "));
        record.facts.push(Fact::new(what, nanoseconds, "ns a line"));
        Ok(nanoseconds)
    }

    fn start(&self, options: &[&str], input: Stdio) -> io::Result<Child> {
        let mut command = Command::new(self.program);
        command.arg("id").args(options).stdin(input).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    }

    /// Returns the most memory that the program was seen with.
    fn peak_mib(&self) -> Result<f64, Failure> {
        let mut child = self.start(&["--kind", "sxurl"], File::open(&self.input)?.into())?;
        let mut peak = 0;
        while child.try_wait()?.is_none() {
            peak = peak.max(memory::peak(child.id()).unwrap_or_default());
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(peak as f64 / f64::from(1 << 20))
    }
}

/// Returns the best time of the program with one URL.
fn start_of(program: &Path) -> io::Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..STARTS {
        let start = Instant::now();
        Command::new(program).args(["id", "https://docs.rs/"]).stdout(Stdio::null()).status()?;
        best = best.min(start.elapsed());
    }
    Ok(best)
}
