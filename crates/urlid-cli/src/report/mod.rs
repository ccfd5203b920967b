//! Messages on standard error, and the exit code.

pub(crate) mod exit;
pub(crate) mod hints;
pub(crate) mod lost;
pub(crate) mod message;
pub(crate) mod rejections;
pub(crate) mod signals;
pub(crate) mod ways;
