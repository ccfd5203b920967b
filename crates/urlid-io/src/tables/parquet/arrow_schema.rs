//! Adds columns to Arrow's schema in a Parquet file (key `ARROW:schema`).
//!
//! The value is base64 of an IPC message whose header, a flatbuffer, describes each column. Its bytes are kept, and with them
//! types that are unknown here:
//!
//! ```text
//!  message ─▶ schema ─▶ vector of columns ─▶ │ old flatbuffer │ new columns
//! ```
//!
//! Offsets in a flatbuffer are relative to their own place, so those inside the old bytes stay right. Every offset is checked;
//! one that leaves the bytes makes the whole unreadable.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::encode::NewColumn;

/// The first bytes of an IPC message since Arrow 0.15; its length follows.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// The largest alignment of a field. The old bytes keep their alignment if they begin at a multiple of it.
const ALIGNMENT: usize = 8;

/// The fields of the tables in Arrow's `Message.fbs` and `Schema.fbs`, by their numbers.
mod field {
    pub(super) const MESSAGE_VERSION: usize = 0;
    pub(super) const MESSAGE_HEADER_TYPE: usize = 1;
    pub(super) const MESSAGE_HEADER: usize = 2;
    pub(super) const MESSAGE_METADATA: usize = 4;
    pub(super) const SCHEMA_ENDIANNESS: usize = 0;
    pub(super) const SCHEMA_FIELDS: usize = 1;
    pub(super) const SCHEMA_METADATA: usize = 2;
    pub(super) const SCHEMA_FEATURES: usize = 3;
    pub(super) const FIELD_NAME: usize = 0;
}

/// The kind of a schema in the union `MessageHeader`.
const SCHEMA: u8 = 1;
/// Types of columns, in the union `Type`.
const INT: u8 = 2;
const UTF8: u8 = 5;

/// Returns the value with more columns. Returns `None` if it cannot be read, or does not describe the columns `names` of the
/// file.
pub(super) fn extended(value: &str, names: &[&str], added: &[NewColumn]) -> Option<String> {
    let message = STANDARD.decode(value).ok()?;
    let old = Flatbuffer(header(&message)?);
    let schema = old.schema()?;
    let found = schema.columns.iter().map(|column| old.text(*column, field::FIELD_NAME));
    if !found.eq(names.iter().map(|name| Some(name.as_bytes()))) {
        return None;
    }
    let new = written(&old, &schema, added)?;
    let length = i32::try_from(new.len()).ok()?;
    Some(STANDARD.encode([&CONTINUATION[..], &length.to_le_bytes(), &new].concat()))
}

/// Returns the flatbuffer of a message, without the lengths before it.
fn header(message: &[u8]) -> Option<&[u8]> {
    let prefixed = |bytes: &[u8]| Some(u32::from_le_bytes(*bytes.first_chunk()?) as usize);
    if let Some(rest) = message.strip_prefix(&CONTINUATION) {
        return rest.get(4..)?.get(..prefixed(rest)?);
    }
    // Before Arrow 0.15 the length came first; some writers write neither.
    match prefixed(message)? {
        length if length + 4 == message.len() => message.get(4..),
        _ => Some(message),
    }
}

/// An untrusted flatbuffer. Places are offsets in bytes from its start.
struct Flatbuffer<'b>(&'b [u8]);

/// The parts of the old schema.
struct OldSchema {
    version: [u8; 2],
    endianness: [u8; 2],
    /// The table of each column.
    columns: Vec<usize>,
    /// The places of the optional vectors: metadata of the message, metadata of the schema, and its features.
    message_metadata: Option<usize>,
    metadata: Option<usize>,
    features: Option<usize>,
}

impl Flatbuffer<'_> {
    fn bytes<const N: usize>(&self, place: usize) -> Option<[u8; N]> {
        self.0.get(place..)?.first_chunk().copied()
    }

    /// Returns the target of an offset. Offsets lead forward only, so following them ends.
    fn follow(&self, place: usize) -> Option<usize> {
        let offset = u32::from_le_bytes(self.bytes(place)?) as usize;
        place.checked_add(offset).filter(|target| offset > 0 && *target < self.0.len())
    }

    /// Returns the place of a field of a table, or `None` if the table lacks it.
    fn field(&self, table: usize, number: usize) -> Option<usize> {
        // A table begins with the signed distance back to its vtable: u16 size, u16 size of the table, then for each field its
        // u16 offset in the table, 0 for a missing one. A vtable may end before the last fields.
        let back = i32::from_le_bytes(self.bytes(table)?);
        let vtable = usize::try_from(i64::try_from(table).ok()? - i64::from(back)).ok()?;
        let size = usize::from(u16::from_le_bytes(self.bytes(vtable)?));
        let entry = 4 + 2 * number;
        if entry + 2 > size {
            return None;
        }
        match u16::from_le_bytes(self.bytes(vtable.checked_add(entry)?)?) {
            0 => None,
            offset => Some(table + usize::from(offset)),
        }
    }

    /// Follows the offset in a field of a table.
    fn target(&self, table: usize, number: usize) -> Option<usize> {
        self.follow(self.field(table, number)?)
    }

    /// Returns the text in a field of a table.
    fn text(&self, table: usize, number: usize) -> Option<&[u8]> {
        let place = self.target(table, number)?;
        let length = u32::from_le_bytes(self.bytes(place)?) as usize;
        self.0.get(place + 4..)?.get(..length)
    }

    fn schema(&self) -> Option<OldSchema> {
        let message = self.follow(0)?;
        if self.bytes(self.field(message, field::MESSAGE_HEADER_TYPE)?)? != [SCHEMA] {
            return None;
        }
        let schema = self.target(message, field::MESSAGE_HEADER)?;
        let number = |table, field| self.field(table, field).map_or(Some([0; 2]), |place| self.bytes(place));
        let vector = self.target(schema, field::SCHEMA_FIELDS)?;
        let count = u32::from_le_bytes(self.bytes(vector)?) as usize;
        // Sliced before anything is reserved, so the count is bounded by the bytes.
        let places = self.0.get(vector + 4..)?.get(..count.checked_mul(4)?)?.len() / 4;
        let columns = (0..places).map(|index| self.follow(vector + 4 + 4 * index));
        Some(OldSchema {
            version: number(message, field::MESSAGE_VERSION)?,
            endianness: number(schema, field::SCHEMA_ENDIANNESS)?,
            columns: columns.collect::<Option<_>>()?,
            message_metadata: self.target(message, field::MESSAGE_METADATA),
            metadata: self.target(schema, field::SCHEMA_METADATA),
            features: self.target(schema, field::SCHEMA_FEATURES),
        })
    }
}

/// Writes the new flatbuffer: the new front, the old bytes, the new columns.
fn written(old: &Flatbuffer<'_>, schema: &OldSchema, added: &[NewColumn]) -> Option<Vec<u8>> {
    let count = schema.columns.len() + added.len();
    let front = FRONT + 4 * count;
    let moved = front.next_multiple_of(ALIGNMENT);
    let mut tail = Writer { bytes: Vec::new(), start: (moved + old.0.len()).next_multiple_of(ALIGNMENT) };
    // The columns are written first, because the vector in front of them needs their places.
    let new = added.iter().map(|column| tail.column(column)).collect::<Option<Vec<_>>>()?;

    let mut out = Writer { bytes: Vec::new(), start: 0 };
    out.u32(MESSAGE_TABLE);
    // The table: 0 the vtable, 4 the header, 8 the length of the body, 16 metadata, 20 the version, 22 the type of the header.
    out.vtable(24, &[20, 22, 4, 8, if schema.message_metadata.is_some() { 16 } else { 0 }]);
    out.pad_to(MESSAGE_TABLE);
    out.table(4)?;
    out.offset(SCHEMA_TABLE)?;
    out.bytes.extend([0; 8]); // The body is empty.
    out.optional_offset(schema.message_metadata.map(|place| moved + place))?;
    out.bytes.extend(schema.version);
    out.bytes.extend([SCHEMA, 0]);

    let entry = |place: Option<usize>, offset: u16| if place.is_some() { offset } else { 0 };
    let vtable = out.place();
    // The table: 0 the vtable, 4 the columns, 8 metadata, 12 features, 16 the endianness.
    out.vtable(20, &[16, 4, entry(schema.metadata, 8), entry(schema.features, 12)]);
    out.table(vtable)?;
    out.offset(out.place() + 16)?; // The vector follows this table.
    out.optional_offset(schema.metadata.map(|place| moved + place))?;
    out.optional_offset(schema.features.map(|place| moved + place))?;
    out.bytes.extend(schema.endianness);
    out.bytes.extend([0; 2]);

    out.u32(count);
    for place in schema.columns.iter().map(|column| moved + column).chain(new) {
        out.offset(place)?;
    }
    out.pad_to(moved);
    out.bytes.extend_from_slice(old.0);
    out.pad_to(tail.start);
    out.bytes.extend(tail.bytes);
    out.pad_to(out.place().next_multiple_of(ALIGNMENT));
    Some(out.bytes)
}

/// The place of the message's table: behind the first offset (4 bytes) and its vtable (14), padded so that its 8-byte number,
/// at 8 in the table, is aligned.
const MESSAGE_TABLE: usize = 24;
/// The place of the schema's table: behind the message's table (24 bytes) and its own vtable (12).
const SCHEMA_TABLE: usize = MESSAGE_TABLE + 24 + 12;
/// The length of the front up to the first offset in the vector of columns: the schema's table (20) and the length of the
/// vector (4).
const FRONT: usize = SCHEMA_TABLE + 20 + 4;

/// Appends pieces of a flatbuffer.
struct Writer {
    bytes: Vec<u8>,
    /// The place of `bytes` in the whole.
    start: usize,
}

impl Writer {
    fn place(&self) -> usize {
        self.start + self.bytes.len()
    }

    fn pad_to(&mut self, place: usize) {
        self.bytes.resize(place - self.start, 0);
    }

    fn u32(&mut self, value: usize) {
        self.bytes.extend((value as u32).to_le_bytes());
    }

    /// Appends the distance from here to `target`. Returns `None` if it is too far.
    fn offset(&mut self, target: usize) -> Option<()> {
        // No underflow: the front points to the old bytes and to new columns, which follow it, and a column to its own parts.
        self.bytes.extend(u32::try_from(target - self.place()).ok()?.to_le_bytes());
        Some(())
    }

    /// Appends an offset, or zeros for one that the vtable omits.
    fn optional_offset(&mut self, target: Option<usize>) -> Option<()> {
        match target {
            Some(target) => self.offset(target),
            None => {
                self.u32(0);
                Some(())
            }
        }
    }

    /// Appends a vtable: its size, that of its table, and the offset of each field in the table, 0 for a missing one.
    fn vtable(&mut self, table_size: u16, fields: &[u16]) {
        let size = 4 + 2 * fields.len() as u16;
        self.bytes.extend([size, table_size].iter().chain(fields).flat_map(|word| word.to_le_bytes()));
    }

    /// Begins a table here: the distance back to its vtable.
    fn table(&mut self, vtable: usize) -> Option<()> {
        self.bytes.extend(i32::try_from(self.place() - vtable).ok()?.to_le_bytes());
        Some(())
    }

    /// Appends a column and returns the place of its table.
    fn column(&mut self, column: &NewColumn) -> Option<usize> {
        let kind = match column {
            NewColumn::Text(_) => UTF8,
            NewColumn::Number(_) => INT,
        };
        let vtable = self.place();
        // name, nullable, type_type, type, dictionary, children
        self.vtable(20, &[4, 16, 17, 8, 0, 12]);
        let table = self.place();
        self.table(vtable)?;
        let name = table + 20;
        let children = (name + 4 + column.name().len() + 1).next_multiple_of(4);
        let type_vtable = children + 4;
        let type_table = type_vtable + if kind == INT { 8 } else { 4 };
        self.offset(name)?;
        self.offset(type_table)?;
        self.offset(children)?;
        self.bytes.extend([1, kind, 0, 0]); // Nullable.
        self.u32(column.name().len());
        self.bytes.extend(column.name().as_bytes());
        self.pad_to(children);
        self.u32(0);
        match kind {
            INT => {
                self.vtable(12, &[4, 8]);
                self.table(type_vtable)?;
                self.u32(32);
                self.bytes.extend([1, 0, 0, 0]); // Signed.
            }
            _ => {
                self.vtable(4, &[]);
                self.table(type_vtable)?;
            }
        }
        Some(table)
    }
}

#[cfg(test)]
mod tests {
    use arrow_schema::{DataType, Field, Schema, TimeUnit};
    use parquet::arrow::{encode_arrow_schema, parquet_to_arrow_schema};
    use parquet::file::metadata::KeyValue;

    use super::*;

    fn old() -> Schema {
        let dictionary = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
        let zone = DataType::Timestamp(TimeUnit::Nanosecond, Some("Europe/Berlin".into()));
        let fixed = DataType::FixedSizeList(Field::new("item", DataType::Int16, true).into(), 3);
        let fields =
            [("a", dictionary), ("b", zone), ("c", DataType::Duration(TimeUnit::Second)), ("d", fixed)];
        let schema = Schema::new(fields.map(|(name, kind)| Field::new(name, kind, true)).to_vec());
        schema.with_metadata([("key".to_owned(), "value".to_owned())].into())
    }

    fn added() -> [NewColumn; 2] {
        [NewColumn::Text("url_host".to_owned()), NewColumn::Number("é".to_owned())]
    }

    /// What another reader finds in the value.
    fn read(value: &str, schema: &Schema) -> Schema {
        let parquet = parquet::arrow::ArrowSchemaConverter::new().convert(schema).expect("it can be stored");
        let facts = vec![KeyValue::new("ARROW:schema".to_owned(), value.to_owned())];
        parquet_to_arrow_schema(&parquet, Some(&facts)).expect("the value can be read")
    }

    #[test]
    fn old_columns_keep_their_types_and_new_ones_follow() {
        let (old, names) = (old(), ["a", "b", "c", "d"]);
        let value = extended(&encode_arrow_schema(&old), &names, &added()).expect("it is a schema");
        let mut fields = old.fields().to_vec();
        fields.push(Field::new("url_host", DataType::Utf8, true).into());
        fields.push(Field::new("é", DataType::Int32, true).into());
        let expected = Schema::new(fields).with_metadata(old.metadata().clone());
        assert_eq!(read(&value, &expected), expected);
        // And once more, on what was written here.
        let names = ["a", "b", "c", "d", "url_host", "é"];
        assert!(extended(&value, &names, &[NewColumn::Text("e".to_owned())]).is_some());
    }

    #[test]
    fn a_schema_of_other_columns_is_left_out() {
        let value = encode_arrow_schema(&old());
        assert_eq!(extended(&value, &["a", "b", "c"], &added()), None);
        assert_eq!(extended(&value, &["a", "b", "c", "x"], &added()), None);
        assert_eq!(extended("", &[], &added()), None);
        assert_eq!(extended("!", &[], &added()), None);
    }

    /// Whatever is damaged or missing, the value is extended or left out.
    #[test]
    fn damaged_values_do_not_panic() {
        let whole = STANDARD.decode(encode_arrow_schema(&old())).expect("it is base64");
        let names = ["a", "b", "c", "d"];
        for end in 0..whole.len() {
            extended(&STANDARD.encode(&whole[..end]), &names, &added());
        }
        for place in 0..whole.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff, whole[place] ^ 1] {
                let mut damaged = whole.clone();
                damaged[place] = byte;
                extended(&STANDARD.encode(damaged), &names, &added());
            }
        }
    }
}
