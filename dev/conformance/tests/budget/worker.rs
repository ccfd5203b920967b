//! The process whose work is measured. It runs every operation on every shape at four lengths, in the order
//! of the table.
//!
//! It is this test program again, with variables for the counted unit and the file of its report. Its
//! address space and processor time are limited, so that a breach ends the worker and not the machine.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use urlid_generators::shapes::Shape;

use crate::law::{Cost, Series, Unit};
use crate::operations::{Operation, all};
use crate::{MEMORY, runs};

/// The number of lengths, each twice the previous one.
const LENGTHS: usize = 4;

const UNIT: &str = "URLID_BUDGET_UNIT";
const REPORT: &str = "URLID_BUDGET_REPORT";
/// A part of the names of the operations to run, to find the reason of a breach.
const ONLY: &str = "URLID_BUDGET_ONLY";

/// Returns the factor of text lengths. Memory needs no emulator, and long texts show costs that are small
/// compared with a constant.
const fn factor(unit: Unit) -> usize {
    match unit {
        Unit::Instructions => 1,
        Unit::Memory => 4,
    }
}

/// Returns the worker's maximum address space in KiB. The emulator itself needs most of it.
const fn most_memory(unit: Unit) -> usize {
    match unit {
        Unit::Instructions => 8 << 20,
        Unit::Memory => 2 << 20,
    }
}

/// The maximum seconds of processor time for the worker, some ten times its need. It only ends work that
/// would not end.
const MOST_SECONDS: usize = 1_000;

/// Makes a command that runs the worker, optionally under a runner.
fn command(runner: &[&str], unit: Unit, report: &Path) -> Command {
    let program = std::env::current_exe().expect("this program has a path");
    let limited = format!("ulimit -v {}; ulimit -t {MOST_SECONDS}; exec \"$@\"", most_memory(unit));
    let mut command = Command::new("sh");
    command.args(["-c", &limited, "sh"]).args(runner).arg(program);
    command.args(["--exact", "worker", "--nocapture", "--test-threads=1"]);
    command.env(UNIT, unit.to_string()).env(REPORT, report);
    command
}

/// Returns the operations to run.
fn operations() -> Vec<Operation> {
    let mut operations = all();
    if let Ok(part) = std::env::var(ONLY) {
        operations
            .retain(|operation| operation.name.contains(&part) || operation.name.starts_with("breach of "));
    }
    operations
}

/// Runs every operation and writes the report, if this process is the worker.
pub(crate) fn run_if_asked() {
    let (Ok(unit), Some(report)) = (std::env::var(UNIT), std::env::var_os(REPORT)) else { return };
    let units = [Unit::Instructions, Unit::Memory];
    let unit = units.into_iter().find(|one| one.to_string() == unit).expect("it is one of them");
    let mut report = std::fs::File::create(report).expect("the report can be written");
    let mut texts = Texts::default();
    for operation in operations() {
        assert!(operation.shapes.len() * LENGTHS <= runs::MOST, "{} has too many shapes", operation.name);
        let from = operation.from * factor(unit);
        for (number, shape) in operation.shapes.iter().enumerate() {
            // Values that the first text of a shape makes once are not a cost of a text.
            (operation.prepare)(texts.get(shape, from).to_owned())();
            for doubling in 0..LENGTHS {
                let text = texts.get(shape, from << doubling);
                let (bytes, memory) = run(&operation, number * LENGTHS + doubling, text);
                // Written at once, so that the report of a killed worker shows its position.
                let (operation, shape) = (&operation.name, shape.name);
                writeln!(report, "{bytes}\t{memory}\t{operation}\t{shape}")
                    .expect("the report can be written");
            }
        }
        runs::end_of_operation();
    }
}

/// The texts of shapes, which are made once.
#[derive(Default)]
struct Texts(HashMap<(*const Shape, usize), String>);

impl Texts {
    fn get(&mut self, shape: &'static Shape, length: usize) -> &str {
        self.0.entry((shape, length)).or_insert_with(|| shape.text(length))
    }
}

/// Runs one operation on one text. Returns the bytes read and written, and the maximum memory.
fn run(operation: &Operation, number: usize, text: &str) -> (usize, usize) {
    let mut work = (operation.prepare)(text.to_owned());
    let mut written = 0;
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    runs::run(number, &mut || written = std::hint::black_box(work()));
    (text.len() + written, MEMORY.peak_usage().saturating_sub(before))
}

/// Combines the costs of a report with their operations. `cost` receives the number of an operation, the
/// number of its run, and its memory.
pub(crate) fn series(report: &str, cost: impl Fn(usize, usize, u64) -> u64) -> Vec<Series> {
    let mut lines = report.lines();
    let mut series = Vec::new();
    for (number, operation) in operations().into_iter().enumerate() {
        for (place, shape) in operation.shapes.iter().enumerate() {
            let costs: Vec<Cost> = (0..LENGTHS)
                .map_while(|doubling| {
                    let mut fields = lines.next()?.split('\t').map_while(|field| field.parse().ok());
                    let (bytes, memory) = (fields.next()?, fields.next()?);
                    Some(Cost { bytes, cost: cost(number, place * LENGTHS + doubling, memory) })
                })
                .collect();
            assert_eq!(costs.len(), LENGTHS, "the worker stopped at {} of {}", operation.name, shape.name);
            let (operation, shape, order) = (operation.name.clone(), shape.name.to_owned(), operation.order);
            series.push(Series { operation, shape, order, costs });
        }
    }
    series
}

/// Runs the worker, optionally under a runner, and returns its report.
pub(crate) fn run_worker(runner: &[&str], unit: Unit) -> String {
    let folder = tempfile::tempdir().expect("there is room for a report");
    let path = folder.path().join("report");
    let output = command(runner, unit, &path).output().expect("the worker starts");
    let report = std::fs::read_to_string(path).unwrap_or_default();
    if !output.status.success() {
        let last = report.lines().last().unwrap_or_default();
        panic!("{} after {last:?}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    report
}

/// Measures memory. The worker runs without a runner, with its own allocator.
pub(crate) fn measure_memory() -> Vec<Series> {
    series(&run_worker(&[], Unit::Memory), |_, _, memory| memory)
}
