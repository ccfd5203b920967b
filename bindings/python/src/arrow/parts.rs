//! `parts`: the parts of URLs in columns, the same as `urlid parts --column` adds to a table.
//!
//! The form `cc-host-2026-05` has the columns and the values of Common Crawl's URL index instead.

use std::sync::Arc;

use arrow_array::builder::Int32Builder;
use arrow_schema::{DataType, Field};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::suffix::{Sections, SuffixList};
use urlid::web::{Part, UrlParts};
use urlid_canonical::CrawlColumns;

use super::column::{Row, Texts};
use super::columns::PyColumns;
use super::rows::{NOT_UTF8, TextColumns, one_by_one};
use super::run;
use crate::choice::choose;
use crate::suffix::SECTIONS;

/// The index of the port's column in Common Crawl's index.
const CRAWL_PORT: usize = 12;

/// Returns the parts of each URL, in its WHATWG normal form, in the columns that `urlid parts --column`
/// adds: `url_scheme`, `url_user`, `url_host`, `url_host_kind`, `url_port`, `url_sub`, `url_domain`,
/// `url_tld`, `url_registered_domain`, `url_path`, `url_file`, `url_query`, `url_fragment`, `url_origin`.
///
/// The suffix and the registered domain use all sections of the suffix list, including private suffixes such
/// as `github.io`. With `sections="icann"` they use only its ICANN section. The port is a number, and null
/// unless it is written and differs from the scheme's default. Parts that only names have are null for other
/// hosts. With `errors` a column `error` has the codes of rejected rows.
///
/// With `form="cc-host-2026-05"` the columns and their values are the same as in Common Crawl's index, under
/// both sections.
#[pyfunction]
#[pyo3(signature = (column, form = "web", *, sections = "all", errors = false))]
pub(crate) fn parts(
    py: Python<'_>,
    column: AnyArray,
    form: &str,
    sections: &str,
    errors: bool,
) -> PyResult<PyColumns> {
    let sections = choose("sections", sections, SECTIONS)?;
    if choose("form", form, &[("web", false), ("cc-host-2026-05", true)])? {
        crawl_parts(py, column, errors)
    } else {
        web_parts(py, column, sections, errors)
    }
}

/// Returns the field of a column, which is a text or a number for the port.
fn field(name: impl Into<String>) -> Field {
    let name = name.into();
    // Ports go up to 65535, which does not fit a signed type of 16 bits.
    let kind = if name == "url_port" { DataType::Int32 } else { DataType::Utf8 };
    Field::new(name, kind, true)
}

fn crawl_parts(py: Python<'_>, column: AnyArray, errors: bool) -> PyResult<PyColumns> {
    let crawl = CrawlColumns::new(SuffixList::compiled());
    run(py, column, errors, CrawlColumns::NAMES.map(field), |chunk, rejections| {
        let rows = Texts::of(chunk)?;
        let of = |text: &str| crawl.row(text).map_err(|error| error.code());
        let mut texts = TextColumns::<14>::new(rows.len());
        let mut ports = Int32Builder::with_capacity(rows.len());
        for row in one_by_one(&rows, rejections, of) {
            let mut row = row.unwrap_or_default();
            let port = row[CRAWL_PORT].take().and_then(|port| port.parse().ok());
            ports.append_option(port);
            // All columns but the port are texts, so the columns after it have an index that is greater by
            // one in the row.
            let others = |index: usize| row[index + usize::from(index >= CRAWL_PORT)].as_deref();
            texts.push(std::array::from_fn(others))?;
        }
        let mut columns = texts.finish();
        columns.insert(CRAWL_PORT, Arc::new(ports.finish()));
        Ok(columns)
    })
}

fn web_parts(py: Python<'_>, column: AnyArray, sections: Sections, errors: bool) -> PyResult<PyColumns> {
    const PORT: usize = Part::Port as usize;
    /// All parts but the port.
    const TEXTS: usize = Part::ALL.len() - 1;

    let fields = Part::ALL.map(|part| field(format!("url_{}", part.name())));
    let list = SuffixList::compiled_with(sections);
    run(py, column, errors, fields, |chunk, rejections| {
        let rows = Texts::of(chunk)?;
        let mut texts = TextColumns::<TEXTS>::new(rows.len());
        let mut ports = Int32Builder::with_capacity(rows.len());
        for (index, row) in rows.rows().enumerate() {
            let mut parsed = None;
            let url = match row {
                Row::Null => None,
                Row::Text(text) => UrlParts::parse(text, list, &mut parsed)
                    .map_err(|error| rejections.note(index, error.code()))
                    .ok(),
                Row::NotUtf8 => {
                    rejections.note(index, NOT_UTF8);
                    None
                }
            };
            let columns = url.as_ref().map_or([None; Part::ALL.len()], UrlParts::columns);
            ports.append_option(columns[PORT].and_then(|port| port.parse().ok()));
            // As above, the columns after the port have an index that is greater by one.
            texts.push(std::array::from_fn(|index| columns[index + usize::from(index >= PORT)]))?;
        }
        let mut columns = texts.finish();
        columns.insert(PORT, Arc::new(ports.finish()));
        Ok(columns)
    })
}
