//! The budget of work: the allowed cost of every operation on a text, counted in instructions and in bytes
//! of memory.
//!
//! A hostile text can have any shape. Its cost must not grow faster than its length. For one text, CPU ≤ a +
//! b·n, or a + b·n·log n if something is sorted, and memory ≤ c + d·n, where n is the number of its bytes
//! and of the bytes written for it. Every operation is run on every shape that fits it, at four lengths that
//! double. Callgrind counts instructions on the portable path, so the result does not depend on a clock or
//! the load. `law` defines the bounds, and `operations` has the table.
//!
//! ```text
//! cargo test --package conformance --test budget -- --include-ignored
//! URLID_BUDGET_TABLE=1 cargo test --package conformance --test budget -- --include-ignored --nocapture   # prints what each operation costs
//! URLID_BUDGET_TABLE=all URLID_BUDGET_ONLY=surt …   # the same by shape and length, for operations with this in their name
//! ```

#![cfg(unix)]

mod callgrind;
mod law;
mod operations;
mod runs;
mod worker;

use std::collections::BTreeMap;

use law::{Cost, Series, Unit, Verdict};

#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// The second process, which runs every operation. Without its variables, it does nothing.
#[test]
fn worker() {
    worker::run_if_asked();
}

#[test]
#[ignore = "at length: .ci/run"]
fn no_operation_works_longer_than_its_budget() {
    let Some(counted) = callgrind::count() else { return };
    check(&counted, Unit::Instructions);
}

#[test]
fn no_operation_uses_more_memory_than_its_budget() {
    check(&worker::measure_memory(), Unit::Memory);
}

/// Checks that everything is within its budget, except the operations that are built to breach it.
fn check(series: &[Series], unit: Unit) {
    match std::env::var("URLID_BUDGET_TABLE").as_deref() {
        Ok("all") => print_all(series, unit),
        Ok(_) => print_table(series, unit),
        Err(_) => {}
    }
    let built = format!("breach of {unit}");
    let (known, others): (Vec<&Series>, Vec<&Series>) = series
        .iter()
        .filter(|one| !one.is_built_to_breach() || one.operation == built)
        .partition(|one| one.is_built_to_breach());
    let breaches: Vec<String> = others
        .iter()
        .filter_map(|series| match series.verdict(unit) {
            Verdict::Within => None,
            verdict => Some(format!("{series}: {verdict}: {:?}", series.costs)),
        })
        .collect();
    assert!(breaches.is_empty(), "over budget, {unit}:\n{}", breaches.join("\n"));
    assert_eq!(known.len(), 1, "one operation is built to breach the budget");
    assert!(matches!(known[0].verdict(unit), Verdict::Grows(_)), "the check must find {}", known[0]);
}

/// Prints the maximum cost of a byte for each operation, and its shape.
#[expect(clippy::print_stdout, reason = "the table is what was asked for")]
fn print_table(series: &[Series], unit: Unit) {
    let mut most: BTreeMap<&str, (f64, f64, u64, &Series)> = BTreeMap::new();
    for one in series {
        let (per_byte, growth) = (one.per_byte(), one.growth(unit));
        let entry = most.entry(&one.operation).or_insert((per_byte, growth, 0, one));
        if per_byte > entry.0 {
            entry.0 = per_byte;
            entry.3 = one;
        }
        entry.1 = entry.1.max(growth);
        entry.2 += one.costs.iter().map(|cost| cost.cost).sum::<u64>();
    }
    println!("{:40} {unit} a byte, growth, all; shape that costs most", "operation");
    for (operation, (per_byte, growth, all, one)) in most {
        let Cost { bytes, cost } = one.costs[one.costs.len() - 1];
        println!(
            "{operation:40} {per_byte:16.1} {growth:6.2} {all:12}  {} ({cost} for {bytes} bytes)",
            one.shape
        );
    }
}

/// Prints the cost of each operation on each shape.
#[expect(clippy::print_stdout, reason = "the table is what was asked for")]
fn print_all(series: &[Series], unit: Unit) {
    println!("bytes: {unit}");
    for one in series {
        let costs: Vec<String> =
            one.costs.iter().map(|cost| format!("{}: {}", cost.bytes, cost.cost)).collect();
        println!("{one}: {}", costs.join(", "));
    }
}
