//! Compares urlid with outside test suites and other implementations.
//!
//! Only this crate builds the competitors. `urlid-testing` reads the suites, which are not part of this
//! repository. The test of a missing suite is recorded as not run.

pub mod cases;
pub mod digests;
pub mod live;
pub mod parallel;
pub mod ratchet;
