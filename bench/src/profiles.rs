//! `bench profiles [PYTHON]`: canonical forms beside the Python packages that they freeze, on one core.
//!
//! The packages are those that `cargo xtask oracles` installs. PYTHON is an interpreter that has the wheel and pyarrow; without it the
//! wheel is not measured. The figures of Google's client are recorded ones, of another machine: it is a program in Go.

use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use urlid_canonical::{Form, HostSuffixes, RequestFingerprinter, W3lib, expressions};

use crate::arguments::Arguments;
use crate::corpus::{self, Corpus};
use crate::peers::Target;
use crate::race::{Race, Time};
use crate::record::{Bound, Fact, Figure, Record, Target as Limit};

const ROUNDS: usize = 7;
/// Lines of a corpus: Python needs a second for a round of all works.
const LINES: usize = 20_000;

// The works of the race, by the names under which records keep them.
const SURT_ONE: &str = "urlid: surt-0.3.1, one at a time";
const SURT_LINES: &str = "urlid: surt-0.3.1, lines";
const W3LIB_LINES: &str = "urlid: w3lib-2.5, lines";
const FINGERPRINT_LINES: &str = "urlid: fingerprint of Scrapy, lines";
const CANONICAL: &str = "urlid: safe-browsing-v4";
const EXPRESSIONS: &str = "urlid: expressions of safe-browsing-v4, hashed";
const SURT_LIST: &str = "wheel: surt-0.3.1 of a list of texts, through Arrow";
const SURT_CALLS: &str = "wheel: surt-0.3.1, a call each";
const PEER_SURT: &str = "surt 0.3.1";
const PEER_W3LIB: &str = "w3lib 2.5";
const PEER_FINGERPRINT: &str = "Scrapy 2.19: Request, fingerprint";

/// The packages in Python, and the works of the wheel, by their names in `profiles.py`.
const PEERS: [(&str, &str); 3] = [(PEER_SURT, "surt"), (PEER_W3LIB, "w3lib"), (PEER_FINGERPRINT, "scrapy")];
const WHEEL: [(&str, &str); 2] = [(SURT_LIST, "urlid-list"), (SURT_CALLS, "urlid-calls")];

#[rustfmt::skip]
const TARGETS: [Target; 6] = [
    Target { work: SURT_ONE, against: PEER_SURT, must: [30.0; 2], aim: [30.0; 2] },
    Target { work: SURT_LINES, against: PEER_SURT, must: [100.0; 2], aim: [100.0; 2] },
    Target { work: SURT_LIST, against: PEER_SURT, must: [15.0; 2], aim: [15.0; 2] },
    Target { work: SURT_CALLS, against: PEER_SURT, must: [15.0; 2], aim: [15.0; 2] },
    Target { work: W3LIB_LINES, against: PEER_W3LIB, must: [50.0; 2], aim: [50.0; 2] },
    Target { work: FINGERPRINT_LINES, against: PEER_FINGERPRINT, must: [50.0; 2], aim: [50.0; 2] },
];

/// Works whose peer was measured once: nanoseconds a URL of Google's client `webrisk` c93dde6.
const RECORDED: [(&str, f64); 2] = [(CANONICAL, 6_500.0), (EXPRESSIONS, 20_000.0)];

/// Measures, prints the table and writes the record.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let peers =
        urlid_testing::oracle("w3lib-2.5").ok_or("no packages to compare with: run cargo xtask oracles")?;
    let wheel = Arguments(arguments).path(0);
    let corpora = corpus::standard()?;
    let mut record = Record::begin("profiles");
    let mut times = Vec::new();
    for corpus in &corpora {
        let lines: Vec<&str> = corpus.lines().into_iter().take(LINES).collect();
        times.push(race(&lines, &peers, wheel.as_deref())?);
        let found = lines.iter().filter_map(|line| expressions(line, HostSuffixes::LastSevenLabels).ok());
        let (urls, count) = found.fold((0, 0), |(urls, count), found| (urls + 1, count + found.len()));
        record.facts.push(Fact::new(
            format!("{}: expressions of a URL", corpus.name),
            count as f64 / f64::from(urls),
            "",
        ));
    }
    let times: [Vec<Time>; 2] = times.try_into().map_err(|_| "expected two corpora")?;
    for (Corpus { name, .. }, times) in corpora.iter().zip(&times) {
        for Time { name: work, nanoseconds } in times {
            let (corpus, work) = (name.clone(), (*work).to_owned());
            if let Some((_, recorded)) = RECORDED.iter().find(|(recorded, _)| *recorded == work) {
                record.targets.push(Limit {
                    what: format!("{corpus}: {work}: times as fast as the recorded figure of webrisk"),
                    must: Bound::AtLeast(10.0),
                    reached: recorded / nanoseconds,
                });
            }
            record.figures.push(Figure { corpus, work, nanoseconds: *nanoseconds });
        }
    }
    let is_measured = |target: &&Target| times[0].iter().any(|time| time.name == target.work);
    record.rows = TARGETS.iter().filter(is_measured).map(|target| target.row(&times)).collect();
    record.print();
    record.write(arguments)
}

/// Lets all works take turns over lines.
fn race(lines: &[&str], peers: &Path, wheel: Option<&Path>) -> Result<Vec<Time>, String> {
    let [surt, w3lib, browsing] = ["surt-0.3.1", "w3lib-2.5", "safe-browsing-v4"]
        .map(|name| name.parse::<Form>().expect("it is a profile"));
    let mut race = Race::over(lines.len());
    race.add(SURT_ONE, |range| {
        lines[range].iter().map(|line| surt.canonicalize(line).map_or(0, |key| key.len() as u64)).sum()
    });
    for (name, form) in [(SURT_LINES, &surt), (W3LIB_LINES, &w3lib), (CANONICAL, &browsing)] {
        let (mut canonicalizer, mut out) = (form.canonicalizer(), String::new());
        race.add(name, move |range| {
            out.clear();
            for line in &lines[range] {
                // A text without a form is an empty line.
                let _ = canonicalizer.canonicalize_into(line, &mut out);
                out.push('\n');
            }
            out.len() as u64
        });
    }
    let mut fingerprinter = RequestFingerprinter::new(W3lib::V2_5);
    race.add(FINGERPRINT_LINES, move |range| {
        let of = |line: &&str| {
            fingerprinter.fingerprint(line, "GET", b"").map_or(0, |digest| u64::from(digest[0]))
        };
        lines[range].iter().map(of).sum()
    });
    race.add(EXPRESSIONS, |range| {
        let found =
            lines[range].iter().filter_map(|line| expressions(line, HostSuffixes::LastSevenLabels).ok());
        found.flatten().map(|expression| u64::from(expression.hash()[0])).sum()
    });
    add_python(&mut race, peers, lines, &PEERS)?;
    if let Some(python) = wheel {
        add_python(&mut race, python, lines, &WHEEL)?;
    }
    Ok(race.run(ROUNDS))
}

/// Adds works that one process of Python does.
fn add_python<'a>(
    race: &mut Race<'a>,
    python: &Path,
    lines: &[&str],
    works: &[(&'static str, &'static str)],
) -> Result<(), String> {
    for (name, work) in works {
        let mut process = Process::start(python, work, lines)?;
        race.add_timed(name, move |range| process.measure(range).expect("the process answers"));
    }
    Ok(())
}

/// A process that works through lines and measures itself. It stays on the core of this one, which waits for it.
struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    fn start(python: &Path, work: &str, lines: &[&str]) -> Result<Self, String> {
        let failed = |error| format!("{}: {error}", python.display());
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("profiles.py");
        let mut command = Command::new(python);
        command.arg(script).arg(work).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (mut input, output) = input.zip(output).ok_or("a process has pipes")?;
        writeln!(input, "{}\n{}", lines.len(), lines.join("\n")).map_err(failed)?;
        Ok(Process { child, input, output: BufReader::new(output) })
    }

    /// Returns how long the work took for a range of lines.
    fn measure(&mut self, range: Range<usize>) -> Result<Duration, String> {
        writeln!(self.input, "{} {}", range.start, range.end).map_err(|error| error.to_string())?;
        let mut answer = String::new();
        self.output.read_line(&mut answer).map_err(|error| error.to_string())?;
        answer.trim_end().parse().map(Duration::from_nanos).map_err(|_| format!("no number: {answer:?}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
