//! Rows of URLs, and URLs that are refused; how an index stores a URL is in `urlid-plan`.

pub(crate) mod refused;
pub(crate) mod row;
