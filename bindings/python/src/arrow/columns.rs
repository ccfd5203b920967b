//! `urlid.arrow.Columns` and `Column`: results that implement the Arrow PyCapsule interface.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, SchemaRef};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule};
use pyo3_arrow::input::{AnyArray, AnyRecordBatch};

use super::room;

/// A table of results. `pyarrow.table(…)`, `polars.DataFrame(…)` and DuckDB read it without a copy.
#[pyclass(name = "Columns", module = "urlid.arrow", frozen)]
pub(crate) struct PyColumns {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl PyColumns {
    pub(super) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    /// Returns the first column.
    pub(super) fn first(&self) -> PyColumn {
        self.at(0)
    }

    /// Returns one column.
    fn at(&self, index: usize) -> PyColumn {
        let chunks = self.batches.iter().map(|batch| Arc::clone(batch.column(index))).collect();
        PyColumn { field: Arc::new(self.schema.field(index).clone()), chunks }
    }
}

#[pymethods]
impl PyColumns {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// Returns one column by name.
    fn __getitem__(&self, name: &str) -> PyResult<PyColumn> {
        match self.schema.index_of(name) {
            Ok(index) => Ok(self.at(index)),
            Err(_) => Err(PyKeyError::new_err(name.to_owned())),
        }
    }

    /// Returns a pyarrow table of the same columns, without a copy.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    // Capsules cannot be pickled, so a pickle goes through pyarrow.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        Ok((slf.py().import("urlid._urlid")?.getattr("_columns")?, (Self::to_pyarrow(slf)?,)))
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        format!("<Columns {} rows: {}>", self.__len__(), self.column_names().join(", "))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.schema.as_ref())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        // A stream passes a table as structs of its columns.
        let batches: Vec<_> =
            self.batches.iter().cloned().map(|batch| Ok(Arc::new(StructArray::from(batch)) as _)).collect();
        let field = Field::new_struct("", self.schema.fields().clone(), false)
            .with_metadata(self.schema.metadata().clone());
        to_stream_pycapsule(py, Box::new(ArrayIterator::new(batches, Arc::new(field))), requested_schema)
    }
}

/// One column of results.
#[pyclass(name = "Column", module = "urlid.arrow", frozen)]
pub(crate) struct PyColumn {
    field: FieldRef,
    chunks: Vec<ArrayRef>,
}

impl PyColumn {
    pub(super) fn new(field: FieldRef, chunks: Vec<ArrayRef>) -> Self {
        PyColumn { field, chunks }
    }

    /// Returns the column as one array. Only a column of several chunks is copied.
    fn array(&self) -> Result<ArrayRef, ArrowError> {
        room::joined(&self.chunks, self.field.data_type())
    }

    fn data_type(&self) -> &DataType {
        self.field.data_type()
    }
}

/// The result of `__reduce__`: a function and its arguments, from which `pickle` restores the column.
type Remade<'py> = (Bound<'py, PyAny>, (String, Bound<'py, PyAny>));

#[pymethods]
impl PyColumn {
    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.field.name()
    }

    /// Returns a pyarrow array of the same values.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("array", (slf,))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Remade<'py>> {
        let make = slf.py().import("urlid._urlid")?.getattr("_column")?;
        // In chunks, because chunks that are joined into one array can have a different type.
        let values = slf.py().import("pyarrow")?.call_method1("chunked_array", (slf,))?;
        Ok((make, (slf.get().name().to_owned(), values)))
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        format!("<Column {}: {} rows of {}>", self.name(), self.__len__(), self.data_type())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.field.as_ref())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyTuple>> {
        let array = self.array()?;
        // Several chunks may be joined into an array with offsets of 64 bits, which is a different type.
        let field = self.field.as_ref().clone().with_data_type(array.data_type().clone());
        to_array_pycapsules(py, Arc::new(field), &array, requested_schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let chunks: Vec<_> = self.chunks.iter().cloned().map(Ok).collect();
        let reader = ArrayIterator::new(chunks, Arc::clone(&self.field));
        to_stream_pycapsule(py, Box::new(reader), requested_schema)
    }
}

/// Restores columns from a pickle, which contains a pyarrow table.
#[pyfunction]
#[pyo3(name = "_columns")]
pub(crate) fn columns(table: AnyRecordBatch) -> PyArrowResult<PyColumns> {
    let (batches, schema) = table.into_table()?.into_inner();
    Ok(PyColumns::new(schema, batches))
}

/// Restores a column from a pickle.
#[pyfunction]
#[pyo3(name = "_column")]
pub(crate) fn column(name: &str, values: AnyArray) -> PyArrowResult<PyColumn> {
    let (chunks, field) = values.into_chunked_array()?.into_inner();
    // The name is pickled separately, because pyarrow arrays do not have a name.
    Ok(PyColumn::new(Arc::new(field.as_ref().clone().with_name(name)), chunks))
}
