//! Untrusted tables: reads columns of CSV, TSV, ndjson and Parquet files, and writes the same rows with more
//! columns.
//!
//! Every length and count in a table is checked before it is used, and memory is bounded. The caller
//! interprets the values.

mod column;
mod parquet;
mod text;

pub use self::column::TextColumn;
pub use self::parquet::{
    ChosenRows, ColumnInMemory, DeltaColumn, EncodedColumn, Extension, MakeValues, NewColumn, NewGroup,
    NewParquetFile, NoRows, ParquetColumn, ParquetPage, ParquetPages, ParquetRows, ParquetTable,
    WrittenColumn, sha256_of,
};
pub use self::text::{
    Cell, ColumnChoice, Dialect, HeaderRow, LogFormat, RecordChunk, RecordReader, Separator, TableLayout,
    TableRow,
};
