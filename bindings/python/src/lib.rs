//! `urlid._urlid`: the library as a Python module.
//!
//! It has thin classes with an `inner` value of crate `urlid`, functions that forward their arguments, one
//! conversion of errors (`error`), and Arrow kernels (`arrow`). The crates implement the rules of the
//! specifications. Code in Python, such as the helpers for Spark, DuckDB, Polars and pandas, is in
//! `python/urlid` and depends only on this module.

#![forbid(unsafe_code)]

mod arrow;
mod border;
mod canon;
mod choice;
mod compat;
mod components;
mod dataset;
mod error;
mod explain;
mod fingerprint_set;
mod functions;
mod generic;
mod hashed_uri;
mod hidden_list;
mod hosts;
mod index;
mod no_vary_search;
mod open_set;
mod packages;
mod question;
mod reference;
mod seen_set;
mod sharded_list;
mod suffix;
mod suffix_tree;
mod surt;
mod sxurl;
mod templates;
mod text;
mod texts;
mod token_url;
mod tracking;
mod url_hash;
mod vectors;
mod web;

/// The compiled part of urlid.
#[pyo3::pymodule]
mod _urlid {
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;
    use urlid::sxurl::{Field, Slice};

    use crate::border::make_panics_errors;

    #[pymodule_export]
    use crate::border::panic;
    #[pymodule_export]
    use crate::canon::{canon, expressions, forms, redact, scrapy_fingerprint};
    #[pymodule_export]
    use crate::compat::{PyCrateSxurl, crate_url_hash, detect};
    #[pymodule_export]
    use crate::components::{PyComponents, components};
    #[pymodule_export]
    use crate::dataset::join;
    #[pymodule_export]
    use crate::explain::{diff, explain};
    #[pymodule_export]
    use crate::fingerprint_set::PyFingerprintSet;
    #[pymodule_export]
    use crate::functions::{PyFunction, functions};
    #[pymodule_export]
    use crate::generic::{normalise, remove_dot_segments, resolve};
    #[pymodule_export]
    use crate::hashed_uri::PyHashedUri;
    #[pymodule_export]
    use crate::hidden_list::PyHiddenList;
    #[pymodule_export]
    use crate::hosts::{host, registered_domain, split};
    #[pymodule_export]
    use crate::index::PyIndex;
    #[pymodule_export]
    use crate::no_vary_search::PyNoVarySearch;
    #[pymodule_export]
    use crate::packages::{canonicalize_url, unparse_url, url_normalize};
    #[pymodule_export]
    use crate::question::{PyQuestion, question};
    #[pymodule_export]
    use crate::reference::{PyReference, check_tokens, goto};
    #[pymodule_export]
    use crate::seen_set::PySeenSet;
    #[pymodule_export]
    use crate::sharded_list::PyShardedList;
    #[pymodule_export]
    use crate::suffix::{PySnapshot, PySuffixList, snapshot};
    #[pymodule_export]
    use crate::suffix_tree::PySuffixTree;
    #[pymodule_export]
    use crate::surt::{archive, bytes, google, parse, surt};
    #[pymodule_export]
    use crate::sxurl::{PySxurl, field_digits, key_ranges, probe, probe_hex, slice_hash};
    #[pymodule_export]
    use crate::templates::PyTemplates;
    #[pymodule_export]
    use crate::token_url::PyTokenUrl;
    #[pymodule_export]
    use crate::tracking::{PyRules, PyTrackingList};
    #[pymodule_export]
    use crate::url_hash::{PyUrlHash, PyUrlShortHash, PyUrlVeryShortHash};
    #[pymodule_export]
    use crate::vectors::run_vectors;
    #[pymodule_export]
    use crate::web::PyUrl;

    #[pymodule_export]
    use crate::arrow::canon::canon as canon_column;
    #[pymodule_export]
    use crate::arrow::columns::{PyColumn, PyColumns, column, columns};
    #[pymodule_export]
    use crate::arrow::hashed::hashed;
    #[pymodule_export]
    use crate::arrow::hosts::split_host;
    #[pymodule_export]
    use crate::arrow::ids::ids;
    #[pymodule_export]
    use crate::arrow::listed::listed;
    #[pymodule_export]
    use crate::arrow::matches::matches;
    #[pymodule_export]
    use crate::arrow::parts::parts;
    #[pymodule_export]
    use crate::arrow::room::set_most_bytes;
    #[pymodule_export]
    use crate::arrow::slices::slices;
    #[pymodule_export]
    use crate::arrow::sort_keys::sort_keys;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        make_panics_errors(module.py())?;
        module.add("FIELDS", PyTuple::new(module.py(), Field::ALL.map(Field::name))?)?;
        module.add("SLICES", PyTuple::new(module.py(), Slice::ALL.map(Slice::label))?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
