//! `matches`: finds the rows of a column of URLs that answer a question, by each URL's own parts.

use std::sync::Arc;

use arrow_array::builder::BooleanBuilder;
use arrow_schema::{DataType, Field};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

use super::column::{Row, Texts};
use super::columns::PyColumns;
use super::run;
use crate::question::PyQuestion;

/// Returns a column `matches` with whether each URL answers the question. The value is false for a text that
/// is not an absolute URL, and null for null.
#[pyfunction]
pub(crate) fn matches(py: Python<'_>, column: AnyArray, question: &PyQuestion) -> PyResult<PyColumns> {
    let field = Field::new("matches", DataType::Boolean, true);
    run(py, column, false, [field], |chunk, _| {
        let texts = Texts::of(chunk)?;
        let mut answers = BooleanBuilder::with_capacity(texts.len());
        for row in texts.rows() {
            answers.append_option(match row {
                Row::Null => None,
                // Not null, which is for unknown values. Such bytes are certainly not an answer.
                Row::NotUtf8 => Some(false),
                Row::Text(text) => Some(question.inner.matches(text, &question.list)),
            });
        }
        Ok(vec![Arc::new(answers.finish())])
    })
}
