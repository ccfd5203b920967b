//! Runs files of test vectors over the JavaScript surface. Crate `urlid-ops` runs and compares, and calls
//! back for each operation.

use std::cell::RefCell;

use serde_json::{Value, json};
use urlid_ops::vectors::{Surface, Values, VectorFault};

use crate::arguments::Arguments;
use crate::output::{self, Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[("run_vectors", run)];

#[link(wasm_import_module = "urlid")]
unsafe extern "C" {
    /// Runs an operation of a vector, `{"op": …, "input": …}`, and calls `answer_room` for its answer.
    safe fn surface(start: *const u8, length: usize);
}

thread_local! {
    static ANSWER: RefCell<Vec<u8>> = RefCell::default();
}

/// Returns the address of space for an answer of `length` bytes: `{"values": …}`, `{"code": …}` or
/// `{"failed": …}`.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
extern "C" fn answer_room(length: usize) -> *mut u8 {
    ANSWER.with_borrow_mut(|answer| {
        answer.resize(length, 0);
        answer.as_mut_ptr()
    })
}

/// Argument: the text of a file. Returns the number of passed vectors, and the id and the reason of each
/// failed one.
fn run(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let report = urlid_ops::vectors::run_over(&JavaScript, arguments.text()?);
    let failures =
        report.failures().iter().map(|failure| json!({ "id": failure.id, "reason": failure.reason }));
    Ok(output::json(&json!({ "passed": report.passed(), "failures": failures.collect::<Vec<_>>() })))
}

struct JavaScript;

impl Surface for JavaScript {
    fn run(&self, op: &str, input: &Values) -> Result<Values, VectorFault> {
        let question = json!({ "op": op, "input": input }).to_string();
        surface(question.as_ptr(), question.len());
        let answer: Value = serde_json::from_slice(&ANSWER.take())
            .map_err(|error| VectorFault::Failed(format!("the answer is not JSON: {error}")))?;
        match (&answer["values"], &answer["code"]) {
            (Value::Object(values), _) => Ok(values.clone()),
            (_, Value::String(code)) => Err(VectorFault::Rejected(code.clone())),
            _ => Err(VectorFault::Failed(answer["failed"].to_string())),
        }
    }
}
