//! `matches`: which rows of a column of URLs answer a question, decided from each URL's own parts.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::BooleanBuilder;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::suffix::SuffixList;
use urlid_store::question::Question;

use super::column::{Row, Texts};
use super::columns::PyColumns;
use super::{Kernel, run};
use crate::question::PyQuestion;

/// Returns a column `matches`: whether each URL answers the question. A text that is no absolute URL does not; null stays null.
#[pyfunction]
pub(crate) fn matches(py: Python<'_>, column: AnyArray, question: &PyQuestion) -> PyResult<PyColumns> {
    run(py, column, Matches { question: question.inner.clone(), list: question.list.clone() })
}

struct Matches {
    question: Question,
    list: SuffixList,
}

impl Kernel for Matches {
    fn schema(&self) -> Schema {
        Schema::new(vec![Field::new("matches", DataType::Boolean, true)])
    }

    fn run(&mut self, chunk: &ArrayRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let texts = Texts::of(chunk)?;
        let mut answers = BooleanBuilder::with_capacity(texts.len());
        for row in texts.rows() {
            answers.append_option(match row {
                Row::Null => None,
                Row::NotUtf8 => Some(false),
                Row::Text(text) => Some(self.question.matches(text, &self.list)),
            });
        }
        Ok(vec![Arc::new(answers.finish())])
    }
}
