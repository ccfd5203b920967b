//! `bench profiles [PYTHON]`: canonical forms compared with the Python packages that they freeze, on one
//! core.
//!
//! `cargo xtask oracles` installs the packages. PYTHON is an interpreter that has the wheel and pyarrow.
//! Without it the wheel is not measured. The figures of Google's client, a program in Go, are recorded ones
//! from a different machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use urlid_canonical::{HostSuffixes, expressions};

use crate::arguments::Arguments;
use crate::corpus::{self, Corpus};
use crate::own::{
    EXPRESSIONS, FINGERPRINT_LINES, FORMS, Lines, SAFE_BROWSING, SURT_LINES, SURT_ONE, W3LIB_LINES,
};
use crate::process::Process;
use crate::race::{Race, Time};
use crate::record::{Bound, Fact, Figure, Record, Target as Limit};
use crate::target::Target;

const ROUNDS: usize = 7;
/// The number of lines of a corpus. Python needs a second for a round of all works.
const LINES: usize = 20_000;

// The works of the race that are not urlid's own, by their names in records.
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
const RECORDED: [(&str, f64); 2] = [(SAFE_BROWSING, 6_500.0), (EXPRESSIONS, 20_000.0)];

/// Measures, prints the table and writes the record.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let peers =
        urlid_testing::oracle("w3lib-2.5").ok_or("no packages to compare with: run cargo xtask oracles")?;
    let wheel = Arguments(arguments).path(0);
    let corpora = corpus::standard()?;
    let mut record = Record::begin("profiles");
    let mut times = Vec::new();
    for corpus in &corpora {
        let first = Corpus::of(&corpus.name, corpus.lines().into_iter().take(LINES).map(str::to_owned));
        let lines = first.lines();
        times.push(race(&first, &peers, wheel.as_deref())?);
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

/// Runs all works in turn over the lines of a corpus.
fn race(corpus: &Corpus, peers: &Path, wheel: Option<&Path>) -> Result<Vec<Time>, String> {
    let own = Lines::of(corpus);
    let lines = own.lines.as_slice();
    let mut race = Race::over(lines.len());
    for name in FORMS {
        race.add(name, own.work(name).expect("the name is one of these"));
    }
    add_python(&mut race, peers, lines, &PEERS)?;
    if let Some(python) = wheel {
        add_python(&mut race, python, lines, &WHEEL)?;
    }
    Ok(race.run(ROUNDS))
}

/// Adds works that one Python process performs.
fn add_python<'a>(
    race: &mut Race<'a>,
    python: &Path,
    lines: &[&str],
    works: &[(&'static str, &'static str)],
) -> Result<(), String> {
    for (name, work) in works {
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("profiles.py");
        let mut command = Command::new(python);
        command.arg(script).arg(work);
        let mut process = Process::start(command, lines)?;
        race.add_timed(name, move |range| process.measure(range).expect("the process answers"));
    }
    Ok(())
}
