//! Outside test suites and other implementations, compared with urlid.
//!
//! Nothing else builds the competitors. The suites are not part of this repository: they are read from a `shared`
//! folder beside it, or from the `ada-url` package, which ships them. Without them a test says "not run"; with
//! `URLID_REQUIRE_DATA=1`, as the gate sets it, that is a failure.

pub mod cases;
pub mod data;
pub mod ratchet;
