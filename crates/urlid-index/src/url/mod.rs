//! Rows of URLs, and the error of a refused URL. The stored form of a URL is in `urlid-plan`.

pub(crate) mod refused;
pub(crate) mod row;
