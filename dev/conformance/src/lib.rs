//! Outside test suites and other implementations, compared with urlid.
//!
//! Nothing else builds the competitors. `urlid-testing` reads the suites, which are not part of this
//! repository; without one, its test is noted as not run.

pub mod cases;
pub mod digests;
pub mod live;
pub mod parallel;
pub mod ratchet;
