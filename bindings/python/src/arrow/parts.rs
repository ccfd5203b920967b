//! `parts`: URLs taken apart into columns with the names of Common Crawl's URL index.
//!
//! The parts are those of the WHATWG normal form. Under the registry suffix (ICANN) and the private suffix (all sections) the host
//! has a domain each, as there. The form `cc-host-2026-05` has the values of Common Crawl's index itself.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::Int32Builder;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::Coded;
use urlid::canonical::CrawlColumns;
use urlid::host::Host;
use urlid::suffix::{Sections, SuffixList};
use urlid::web::Url;

use super::column::{Row, Texts};
use super::columns::PyColumns;
use super::rows::{Errors, NOT_UTF8, Refusals, TextColumns, one_by_one};
use super::{Kernel, run};
use crate::choice::choose;

/// Where the column of the port stands.
const PORT_AT: usize = 12;

/// Returns the parts of each URL in columns `url_host_name` … `url_protocol`, `url_port`, `url_path`, `url_query`, `url_fragment`,
/// named as in Common Crawl's URL index.
///
/// The parts are those of the WHATWG normal form; the port is null unless it is written and not the scheme's default, and what
/// a host that is no name lacks (labels, suffixes, its reverse) is null. With `errors` a column `error` has the codes of refused rows.
///
/// With `form="cc-host-2026-05"` the columns have the values of Common Crawl's index itself, and there is no `url_fragment`.
#[pyfunction]
#[pyo3(signature = (column, form = "web", *, errors = false))]
pub(crate) fn parts(py: Python<'_>, column: AnyArray, form: &str, errors: bool) -> PyResult<PyColumns> {
    let errors = Errors::of(errors);
    match choose("form", form, &[("web", false), ("cc-host-2026-05", true)])? {
        false => run(py, column, Parts { errors }),
        true => run(py, column, CrawlParts { columns: CrawlColumns::new(Default::default()), errors }),
    }
}

/// Returns the schema of columns: texts, and the port, a number.
fn schema_of(names: &[&str], errors: Errors) -> Schema {
    let field = |(index, name): (usize, &&str)| {
        let kind = if index == PORT_AT { DataType::Int32 } else { DataType::Utf8 };
        Field::new(*name, kind, true)
    };
    Schema::new(names.iter().enumerate().map(field).chain(errors.field()).collect::<Vec<_>>())
}

struct CrawlParts {
    columns: CrawlColumns,
    errors: Errors,
}

impl Kernel for CrawlParts {
    fn schema(&self) -> Schema {
        schema_of(&CrawlColumns::NAMES, self.errors)
    }

    fn run(&mut self, chunk: &ArrayRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let rows = Texts::of(chunk)?;
        let mut refusals = Refusals::new(self.errors, rows.len());
        let of = |text: &str| self.columns.row(text).map_err(|error| error.code());
        let mut texts = TextColumns::<14>::new(rows.len());
        let mut ports = Int32Builder::with_capacity(rows.len());
        for row in one_by_one(&rows, &mut refusals, of) {
            let mut row = row.unwrap_or_default();
            let port = row[PORT_AT].take().and_then(|port| port.parse().ok());
            ports.append_option(port);
            let others = |index: usize| row[index + usize::from(index >= PORT_AT)].as_deref();
            texts.push(std::array::from_fn(others))?;
        }
        let mut columns = texts.finish();
        columns.insert(PORT_AT, Arc::new(ports.finish()));
        refusals.push_to(&mut columns);
        Ok(columns)
    }
}

struct Parts {
    errors: Errors,
}

impl Kernel for Parts {
    fn schema(&self) -> Schema {
        schema_of(&[&CrawlColumns::NAMES[..], &["url_fragment"]].concat(), self.errors)
    }

    fn run(&mut self, chunk: &ArrayRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let rows = Texts::of(chunk)?;
        let mut refusals = Refusals::new(self.errors, rows.len());
        let mut texts = TextColumns::<15>::new(rows.len());
        let mut ports = Int32Builder::with_capacity(rows.len());
        for (index, row) in rows.rows().enumerate() {
            let url = match row {
                Row::Null => None,
                Row::Text(text) => Url::parse(text).map_err(|error| refusals.note(index, error.code())).ok(),
                Row::NotUtf8 => {
                    refusals.note(index, NOT_UTF8);
                    None
                }
            };
            ports.append_option(url.as_ref().and_then(Url::port).map(i32::from));
            match &url {
                Some(url) => push(url, &mut texts)?,
                None => texts.push([None; 15])?,
            }
        }
        let mut columns = texts.finish();
        columns.insert(PORT_AT, Arc::new(ports.finish()));
        refusals.push_to(&mut columns);
        Ok(columns)
    }
}

/// Appends the texts of one URL.
fn push(url: &Url, texts: &mut TextColumns<15>) -> Result<(), ArrowError> {
    let host = url.host_str().filter(|host| !host.is_empty());
    let name = host.filter(|_| matches!(url.host(), Some(Host::Domain(_))));
    // A trailing dot is part of the name, and of no label.
    let labels = name.map(|name| name.strip_suffix('.').unwrap_or(name));

    let mut last = labels.into_iter().flat_map(|labels| labels.rsplit('.'));
    let [tld, second, third, fourth, fifth] = std::array::from_fn(|_| last.next());
    let [registry, private] = [Sections::Icann, Sections::All].map(|sections| {
        let labels = labels.filter(|labels| labels.split('.').all(|label| !label.is_empty()));
        labels.map(|labels| suffix_and_domain(labels, SuffixList::compiled(sections)))
    });
    let reversed = labels.map(|labels| labels.rsplit('.').collect::<Vec<_>>().join("."));
    texts.push([
        host,
        tld,
        second,
        third,
        fourth,
        fifth,
        registry.map(|(suffix, _)| suffix),
        registry.and_then(|(_, domain)| domain),
        private.map(|(suffix, _)| suffix),
        private.and_then(|(_, domain)| domain),
        reversed.as_deref(),
        Some(url.scheme()),
        Some(url.path()),
        url.query(),
        url.fragment(),
    ])
}

/// Returns the public suffix of a host, and the suffix with the label before it if there is one.
fn suffix_and_domain<'h>(host: &'h str, list: &SuffixList) -> (&'h str, Option<&'h str>) {
    let split = list.split(host);
    let domain_start = match split.sub {
        "" => 0,
        sub => sub.len() + 1,
    };
    (split.tld, (!split.domain.is_empty()).then(|| &host[domain_start..]))
}
