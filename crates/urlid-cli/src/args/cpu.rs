//! The environment variable that chooses the instructions of the fast paths.

use urlid::batch::{Cpu, Kernels};

use crate::output::escape::Escaped;
use crate::report::exit::Failure;

/// Returns the kernels that `URLID_CPU` names, or the fastest ones of this machine.
pub(crate) fn kernels() -> Result<Kernels, Failure> {
    let Some(value) = std::env::var_os("URLID_CPU").filter(|value| !value.is_empty()) else {
        return Ok(Kernels::detect());
    };
    let wrong = |what: &str| {
        let value = Escaped(value.as_encoded_bytes());
        Failure::usage(format!("URLID_CPU is `{value}`: {what}"))
    };
    let cpu: Cpu = value
        .to_str()
        .and_then(|name| name.parse().ok())
        .ok_or_else(|| wrong(&format!("expected one of {}", available())))?;
    Kernels::new(cpu).ok_or_else(|| wrong("this machine cannot run that"))
}

/// Returns the names that this machine accepts.
fn available() -> String {
    Cpu::available().map(Cpu::name).collect::<Vec<_>>().join(", ")
}
