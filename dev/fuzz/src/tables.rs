//! The readers of tables: any bytes are rows that are kept as written, or an error.

use std::io::{Cursor, Write};

use urlid::Error;
use urlid_io::lines::Input;
use urlid_io::tables::{
    ColumnChoice, Dialect, HeaderRow, NewColumn, ParquetTable, RecordChunk, RecordReader,
};

/// Reads a byte that selects the reader, and the bytes of a table.
pub fn target(data: &[u8]) {
    let Some((&how, bytes)) = data.split_first() else { return };
    let choice = if how & 4 == 0 { "url".into() } else { ColumnChoice::Number(1) };
    if bytes.starts_with(b"PAR1") {
        // An error is also a result.
        let _ = parquet(bytes, choice);
        return;
    }
    let dialect = [None, Some(Dialect::CSV), Some(Dialect::Tsv), Some(Dialect::Ndjson)][usize::from(how & 3)];
    let header = if how & 8 == 0 { HeaderRow::Names } else { HeaderRow::None };
    // Compressed input is not written unchanged.
    let is_plain =
        ![&[0x1f, 0x8b][..], &[0x28, 0xb5, 0x2f, 0xfd]].iter().any(|magic| bytes.starts_with(magic))
            && !matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]);
    if let Ok(written) = text(bytes, dialect, header, choice)
        && is_plain
    {
        assert_eq!(written, bytes, "all rows are kept as they are written");
    }
}

fn text(
    bytes: &[u8],
    dialect: Option<Dialect>,
    header: HeaderRow,
    choice: ColumnChoice,
) -> Result<Vec<u8>, Error> {
    let input = Input::from_reader(Cursor::new(bytes.to_vec()))?;
    let (mut reader, layout, mut written) = RecordReader::open(input, dialect, header, &[choice])?;
    let mut chunk = RecordChunk::default();
    while reader.read(&mut chunk)? {
        chunk.each_row(&layout, |row| {
            written.extend_from_slice(row.text);
            written.extend_from_slice(row.end);
            Ok::<(), Error>(())
        })?;
    }
    Ok(written)
}

fn parquet(bytes: &[u8], choice: ColumnChoice) -> Option<()> {
    let mut file = tempfile::tempfile().ok()?;
    file.write_all(bytes).ok()?;
    let mut table = ParquetTable::open(file, &[choice]).ok()?;
    table.add(&[NewColumn::Text("new".to_owned())]).ok()?;
    let mut out = Vec::new();
    let mut extension = table.extend(&mut out).ok()?;
    for group in 0..table.groups() {
        let made = table.make_group(group, &mut |_, values, columns| {
            values.iter().for_each(|value| columns[0].push(value.map(String::from_utf8_lossy).as_deref()));
        });
        extension.push(made.ok()?, &mut out).ok()?;
    }
    extension.finish(&[], &mut out).ok()
}
