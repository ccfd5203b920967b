//! `bench program [PROGRAM] [--record [FILE]]`: the program compared with `url`, in one run.
//!
//! Millions of real lines go through `urlid id` from a file and from a pipe, in every format, and through
//! other verbs. The wall time is compared with the time that one core needs in memory only to parse them
//! with `url` or `ada-url`, or to hash them. The default program is the one next to this one. It uses the
//! cores that it finds.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use urlid_testing::memory;

use crate::corpus::{self, Corpus};
use crate::machine;
use crate::own::{self, SXURL_BATCH};
use crate::peers::{self, PEER_ADA, PEER_HASHED, PEER_URL};
use crate::race::{Race, Time};
use crate::record::{Bound, Fact, Record, Row, Target};

/// The lines of a corpus are repeated up to this number.
const LINES: usize = 5_000_000;
const ROUNDS: usize = 7;
const STARTS: usize = 100;

/// A work of the program and the work in memory to compare it with, with targets for crawl, then mixed.
struct Work {
    arguments: &'static [&'static str],
    is_on_one_core: bool,
    against: &'static str,
    must: f64,
    aim: f64,
}

#[rustfmt::skip]
const WORKS: [Work; 7] = [
    Work { arguments: &["id", "--kind", "sxurl"], is_on_one_core: false, against: PEER_URL, must: 6.0, aim: 9.0 },
    Work { arguments: &["id", "--kind", "sxurl"], is_on_one_core: true, against: SXURL_BATCH, must: 0.75, aim: 0.9 },
    Work { arguments: &["id", "--kind", "hashed-uri"], is_on_one_core: true, against: PEER_HASHED, must: 3.0, aim: 6.0 },
    Work { arguments: &["canon", "--as", "web"], is_on_one_core: false, against: PEER_ADA, must: 1.6, aim: 2.4 },
    Work { arguments: &["parts", "--of", "host"], is_on_one_core: false, against: PEER_URL, must: 3.0, aim: 5.0 },
    Work { arguments: &["parts"], is_on_one_core: false, against: PEER_URL, must: 3.0, aim: 5.0 },
    Work { arguments: &["resolve", "https://www.example.com/a/b"], is_on_one_core: false, against: PEER_URL, must: 3.0, aim: 5.0 },
];

impl Work {
    fn row(&self, reached: [f64; 2]) -> Row {
        let cores = if self.is_on_one_core { Cores::One } else { Cores::All };
        Row {
            work: format!("urlid {}, {cores}", self.arguments.join(" ")),
            against: self.against.to_owned(),
            must: [self.must; 2],
            aim: [self.aim; 2],
            reached,
        }
    }
}

/// The source of the program's lines.
#[derive(Clone, Copy)]
enum Source {
    File,
    Pipe,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::File => "a file",
            Source::Pipe => "a pipe",
        })
    }
}

/// The cores on which the program may run.
#[derive(Clone, Copy)]
enum Cores {
    One,
    All,
}

impl fmt::Display for Cores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cores::One => "one core",
            Cores::All => "all cores",
        })
    }
}

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
    let mut reached = WORKS.map(|_| [0.0; 2]);
    for (place, corpus) in corpora.iter().enumerate() {
        let run =
            Run { program, input: folder.path().join(&corpus.name), lines: repeat(corpus, folder.path())? };
        let peers = peers_alone(corpus);
        for peer in &peers {
            let what = format!("{}: {}, one core, in memory", corpus.name, peer.name);
            record.facts.push(Fact::new(what, peer.nanoseconds, "ns a line"));
        }
        for (work, reached) in WORKS.iter().zip(&mut reached) {
            let peer =
                peers.iter().find(|peer| peer.name == work.against).ok_or("a peer that did not run")?;
            let cores = if work.is_on_one_core { Cores::One } else { Cores::All };
            let took = run.best(work.arguments, Source::File, cores, &mut record, &corpus.name)?;
            reached[place] = peer.nanoseconds / took;
        }
        run.best(&["id", "--kind", "url-hash"], Source::File, Cores::All, &mut record, &corpus.name)?;
        run.best(&["id", "--kind", "sxurl"], Source::Pipe, Cores::All, &mut record, &corpus.name)?;
        let bare =
            run.best(&["id", "--kind", "sxurl"], Source::File, Cores::All, &mut record, &corpus.name)?;
        for format in ["ndjson", "csv", "tsv"] {
            let arguments = ["id", "--kind", "sxurl", "--format", format];
            let formatted = run.best(&arguments, Source::File, Cores::All, &mut record, &corpus.name)?;
            let what = format!("{}: {format}, times the speed of bare lines", corpus.name);
            record.targets.push(Target { what, must: Bound::AtLeast(0.5), reached: bare / formatted });
        }
        let what = format!("{}: peak of memory, MiB", corpus.name);
        record.targets.push(Target { what, must: Bound::AtMost(64.0), reached: run.peak_mib()? });
    }
    record.rows.extend(WORKS.iter().zip(reached).map(|(work, reached)| work.row(reached)));
    let start = start_of(program)?.as_secs_f64() * 1e3;
    record.targets.push(Target {
        what: "one URL, from start to end, ms".to_owned(),
        must: Bound::AtMost(5.0),
        reached: start,
    });
    Ok(record)
}

/// Writes the lines of a corpus repeatedly to a file with its name, and returns their number.
fn repeat(corpus: &Corpus, folder: &Path) -> io::Result<usize> {
    let each = corpus.lines().len();
    let mut file = File::create(folder.join(&corpus.name))?;
    let times = LINES.div_ceil(each);
    for _ in 0..times {
        file.write_all(corpus.text.as_bytes())?;
    }
    Ok(times * each)
}

/// Returns the time that one core needs for a line in memory, without the program.
fn peers_alone(corpus: &Corpus) -> Vec<Time> {
    let work = || {
        // If pinning is not allowed, the scheduler decides.
        let _ = machine::pin(0);
        let (lines, offsets) = (&corpus.lines(), &corpus.offsets());
        let text = corpus.text.as_bytes();
        let mut race = Race::over(lines.len());
        let mut encode_lines = own::sxurl_lines();
        race.add(SXURL_BATCH, move |range| encode_lines(&text[offsets[range.start]..offsets[range.end]]));
        race.add(PEER_URL, |range| own::each(lines, range, peers::parse_by_url));
        race.add(PEER_ADA, |range| own::each(lines, range, peers::parse_by_ada));
        race.add(PEER_HASHED, |range| own::each(lines, range, peers::hash_plainly));
        race.run(20)
    };
    // A separate thread, because the pinning stays with the thread.
    std::thread::scope(|scope| scope.spawn(work).join().unwrap_or_default())
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
        arguments: &[&str],
        from: Source,
        cores: Cores,
        record: &mut Record,
        corpus: &str,
    ) -> Result<f64, Failure> {
        let mut best = Duration::MAX;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let mut feeder = None;
            let input = match from {
                Source::Pipe => {
                    let mut cat = Command::new("cat").arg(&self.input).stdout(Stdio::piped()).spawn()?;
                    let pipe = cat.stdout.take().map_or_else(Stdio::null, Stdio::from);
                    feeder = Some(cat);
                    pipe
                }
                Source::File => File::open(&self.input)?.into(),
            };
            let code = self.start(arguments, cores, input)?.wait()?.code();
            feeder.map(|mut cat| cat.wait()).transpose()?;
            // 3: some lines have no identifier.
            if !matches!(code, Some(0 | 3)) {
                return Err(format!("{} ended with {code:?}", self.program.display()).into());
            }
            best = best.min(start.elapsed());
        }
        let nanoseconds = best.as_nanos() as f64 / self.lines as f64;
        let what = format!("{corpus}: urlid {}, from {from}, {cores}", arguments.join(" "));
        record.facts.push(Fact::new(what, nanoseconds, "ns a line"));
        Ok(nanoseconds)
    }

    fn start(&self, arguments: &[&str], cores: Cores, input: Stdio) -> io::Result<Child> {
        let mut command = Command::new(self.program);
        command.args(arguments).stdin(input).stdout(Stdio::null()).stderr(Stdio::null());
        match cores {
            Cores::All => command.spawn(),
            // A separate thread, because the pinning stays with the thread and is inherited by its children.
            Cores::One => std::thread::scope(|scope| {
                let start = || machine::pin(0).map_err(io::Error::from).and_then(|()| command.spawn());
                scope.spawn(start).join().unwrap_or_else(|_| Err(io::Error::other("the thread panicked")))
            }),
        }
    }

    /// Returns the maximum observed memory of the program.
    fn peak_mib(&self) -> Result<f64, Failure> {
        let mut child =
            self.start(&["id", "--kind", "sxurl"], Cores::All, File::open(&self.input)?.into())?;
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
