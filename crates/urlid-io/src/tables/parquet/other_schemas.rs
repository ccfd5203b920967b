//! Metadata that describes all columns of a Parquet file again, in a different format: the schemas of Arrow
//! and Spark.
//!
//! Readers use them for facts that Parquet's schema cannot express, such as durations, time zones and
//! categories. If they lack new columns, some readers fail and others hide these columns, so the new columns
//! are added. A schema that cannot be read, or describes other columns, is left out.
//!
//! Arrow's schema (key `ARROW:schema`) is base64 of an IPC message whose header, a flatbuffer, describes each
//! column. Its bytes are kept, including types that are unknown here:
//!
//! ```text
//!  │ root │ message │ schema │ vector of columns │ old flatbuffer              │ new columns │
//!     └──────▲ └───────▲ └──────▲ ├───────────────────▲ each old column          ▲
//!                               └───────────────────────────────────────────────┘ each new one
//! ```
//!
//! Offsets in a flatbuffer are forward distances from their own place. Offsets inside the old bytes therefore
//! stay right, and new data is placed before and after these bytes. Every offset that is read is checked, and
//! an offset that leaves the bytes makes the whole schema unreadable.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

use super::encode::NewColumn;

/// How to treat a value of a file's metadata.
pub(super) enum Kept {
    /// Copy it.
    Whole,
    /// The metadata describes all columns. Write this value, which includes the new columns, or leave the
    /// metadata out if it is `None`.
    Extended(Option<String>),
}

/// Decides how to treat the value of a key. `names` are the columns of the file.
pub(super) fn kept(key: &str, value: Option<&str>, names: &[&str], added: &[NewColumn]) -> Kept {
    let extend: fn(&str, &[&str], &[NewColumn]) -> Option<String> = match key {
        "ARROW:schema" => of_arrow,
        "org.apache.spark.sql.parquet.row.metadata" => of_spark,
        _ => return Kept::Whole,
    };
    Kept::Extended(value.and_then(|value| extend(value, names, added)))
}

/// Spark's schema. Old columns are kept as raw JSON.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct SparkSchema<'j> {
    #[serde(rename = "type")]
    kind: &'j str,
    #[serde(borrow)]
    fields: Vec<&'j RawValue>,
}

fn of_spark(value: &str, names: &[&str], added: &[NewColumn]) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    let SparkSchema { kind, fields } =
        serde_json::from_str(value).ok().filter(|schema: &SparkSchema<'_>| schema.kind == "struct")?;
    let found = fields.iter().map(|field| serde_json::from_str::<Named>(field.get()).ok());
    if !found.map(|field| field.map(|field| field.name)).eq(names.iter().map(|name| Some((*name).to_owned())))
    {
        return None;
    }
    let new = added.iter().map(|column| {
        let kind = match column {
            NewColumn::Text(_) => "string",
            NewColumn::Number(_) => "integer",
            NewColumn::Long(_) => "long",
        };
        json!({ "name": column.name(), "type": kind, "nullable": true, "metadata": {} }).to_string()
    });
    let new: Vec<Box<RawValue>> = new.map(RawValue::from_string).collect::<Result<_, _>>().ok()?;
    let fields = fields.into_iter().chain(new.iter().map(|field| &**field)).collect();
    serde_json::to_string(&SparkSchema { kind, fields }).ok()
}

/// The first bytes of an IPC message since Arrow 0.15. Its length follows.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// The largest alignment of a field. The old bytes keep their alignment if they start at a multiple of it.
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

/// Returns the value with more columns. Returns `None` if it cannot be read, or does not describe the columns
/// `names` of the file.
fn of_arrow(value: &str, names: &[&str], added: &[NewColumn]) -> Option<String> {
    let message = STANDARD.decode(value).ok()?;
    let old = Flatbuffer(header(&message)?);
    let schema = old.schema()?;
    let found = schema.columns.iter().map(|column| old.text(*column, field::FIELD_NAME));
    // Extending a schema of other columns would describe the file wrongly.
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
    // Before Arrow 0.15 a message started with its length. Some writers omit both the mark and the length.
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
        // A table starts with the signed distance back to its vtable. The vtable has a u16 size, the u16 size
        // of the table, and then for each field its u16 offset in the table, 0 for a missing field. A vtable
        // may end before the last fields.
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
        // Sliced before memory is reserved, so the count is bounded by the bytes.
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

/// Writes the new flatbuffer: the message and the schema with a longer vector of columns, the old bytes, and
/// the new columns.
fn written(old: &Flatbuffer<'_>, schema: &OldSchema, added: &[NewColumn]) -> Option<Vec<u8>> {
    let is_there = |place: Option<usize>| if place.is_some() { OFFSET } else { MISSING };
    let mut out = Writer::default();
    let root = out.push(OFFSET);
    // version, header_type, header, bodyLength (the body is empty), custom_metadata
    let (message, [.., header, _, message_metadata]) =
        out.table([&schema.version, &[SCHEMA], OFFSET, &[0; 8], is_there(schema.message_metadata)]);
    // endianness, fields, custom_metadata, features
    let (table, [_, fields, metadata, features]) =
        out.table([&schema.endianness, OFFSET, is_there(schema.metadata), is_there(schema.features)]);
    let count = (schema.columns.len() + added.len()) as u32;
    let vector = out.push(&count.to_le_bytes());
    let places: Vec<usize> = (0..count).map(|_| out.push(OFFSET)).collect();
    out.align(ALIGNMENT);
    let moved = out.push(old.0);

    for (place, target) in [(root, message), (header, table), (fields, vector)] {
        out.point(place, target)?;
    }
    for (place, target) in [
        (message_metadata, schema.message_metadata),
        (metadata, schema.metadata),
        (features, schema.features),
    ] {
        target.map_or(Some(()), |target| out.point(place, moved + target))?;
    }
    let mut places = places.into_iter();
    for (column, place) in schema.columns.iter().zip(&mut places) {
        out.point(place, moved + column)?;
    }
    for (column, place) in added.iter().zip(places) {
        let table = out.column(column)?;
        out.point(place, table)?;
    }
    out.align(ALIGNMENT);
    Some(out.0)
}

/// An offset to be set by [`Writer::point`].
const OFFSET: &[u8] = &[0; 4];
/// A field that a table lacks.
const MISSING: &[u8] = &[];

/// Appends pieces of a flatbuffer. A table is two of them:
///
/// ```text
///   vtable: │ u16 its length │ u16 length of the table │ u16 place of each field in it, 0 if missing │
///    table: │ i32 back to the vtable │ fields, each at a multiple of its length │
/// ```
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    /// Appends bytes, and returns their place.
    fn push(&mut self, bytes: &[u8]) -> usize {
        let place = self.0.len();
        self.0.extend_from_slice(bytes);
        place
    }

    fn align(&mut self, alignment: usize) {
        self.0.resize(self.0.len().next_multiple_of(alignment), 0);
    }

    /// Sets an offset, which is the distance to its target. Returns `None` if the distance is too large.
    fn point(&mut self, place: usize, target: usize) -> Option<()> {
        // Everything is written after the offsets that point to it.
        let distance = u32::try_from(target.checked_sub(place)?).ok()?;
        self.0.get_mut(place..place + 4)?.copy_from_slice(&distance.to_le_bytes());
        Some(())
    }

    /// Appends a table. Returns its place and the places of its fields.
    fn table<const N: usize>(&mut self, fields: [&[u8]; N]) -> (usize, [usize; N]) {
        let vtable = self.0.len();
        self.0.resize(vtable + 4 + 2 * N, 0);
        self.align(ALIGNMENT);
        let table = self.push(&[0; 4]);
        let places = fields.map(|field| {
            self.align(field.len().max(1));
            self.push(field)
        });
        self.align(4);
        // These numbers cannot overflow, because a table has a few dozen bytes.
        let lengths = [4 + 2 * N, self.0.len() - table];
        let at =
            places.iter().zip(fields).map(|(place, field)| if field.is_empty() { 0 } else { place - table });
        for (number, place) in lengths.into_iter().chain(at).zip((vtable..).step_by(2)) {
            self.0[place..place + 2].copy_from_slice(&(number as u16).to_le_bytes());
        }
        self.0[table..table + 4].copy_from_slice(&((table - vtable) as i32).to_le_bytes());
        (table, places)
    }

    /// Appends a column, and returns the place of its table.
    fn column(&mut self, column: &NewColumn) -> Option<usize> {
        let kind = match column {
            NewColumn::Text(_) => UTF8,
            NewColumn::Number(_) | NewColumn::Long(_) => INT,
        };
        self.align(4);
        // name, nullable, type_type, type, dictionary, children
        let (table, [name, _, _, of_kind, _, children]) =
            self.table([OFFSET, &[1], &[kind], OFFSET, MISSING, OFFSET]);
        let text = self.push(&(column.name().len() as u32).to_le_bytes());
        self.push(column.name().as_bytes());
        self.push(&[0]);
        self.align(4);
        let no_children = self.push(&[0; 4]);
        let kind = match column {
            NewColumn::Text(_) => self.table([]).0,
            // bitWidth, is_signed
            NewColumn::Number(_) => self.table([&32_i32.to_le_bytes(), &[1]]).0,
            NewColumn::Long(_) => self.table([&64_i32.to_le_bytes(), &[1]]).0,
        };
        for (place, target) in [(name, text), (of_kind, kind), (children, no_children)] {
            self.point(place, target)?;
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

    #[test]
    fn sparks_columns_stay_as_they_are_written() {
        let interval = r#"{"name":"a","type":"interval day to second","nullable":true,"metadata":{"x" : 1}}"#;
        let value = format!(r#"{{"type":"struct","fields":[{interval}]}}"#);
        let added = [
            NewColumn::Text("h\"".to_owned()),
            NewColumn::Number("p".to_owned()),
            NewColumn::Long("l".to_owned()),
        ];
        let extended = of_spark(&value, &["a"], &added).expect("it is a schema");
        let fields = extended.strip_prefix(r#"{"type":"struct","fields":["#).expect("it begins as before");
        assert!(fields.starts_with(interval), "{extended}");
        let read: serde_json::Value = serde_json::from_str(&extended).expect("it is JSON");
        assert_eq!(
            read["fields"][1],
            json!({ "name": "h\"", "type": "string", "nullable": true, "metadata": {} })
        );
        assert_eq!(read["fields"][2]["type"], "integer");
        assert_eq!(read["fields"][3]["type"], "long");
    }

    #[test]
    fn invalid_and_unrelated_schemas_are_left_out() {
        for value in
            ["", "{}", r#"{"type":"struct","fields":[]}"#, r#"{"type":"array","fields":[{"name":"a"}]}"#]
        {
            assert_eq!(of_spark(value, &["a"], &[]), None, "{value}");
        }
    }

    fn old() -> Schema {
        let dictionary = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
        let zone = DataType::Timestamp(TimeUnit::Nanosecond, Some("Europe/Berlin".into()));
        let fixed = DataType::FixedSizeList(Field::new("item", DataType::Int16, true).into(), 3);
        let fields =
            [("a", dictionary), ("b", zone), ("c", DataType::Duration(TimeUnit::Second)), ("d", fixed)];
        let schema = Schema::new(fields.map(|(name, kind)| Field::new(name, kind, true)).to_vec());
        schema.with_metadata([("key".to_owned(), "value".to_owned())].into())
    }

    fn added() -> [NewColumn; 3] {
        let [host, number, long] = ["url_host", "é", "id"].map(str::to_owned);
        [NewColumn::Text(host), NewColumn::Number(number), NewColumn::Long(long)]
    }

    /// The columns that another reader finds in the value.
    fn read(value: &str, schema: &Schema) -> Schema {
        let parquet = parquet::arrow::ArrowSchemaConverter::new().convert(schema).expect("it can be stored");
        let facts = vec![KeyValue::new("ARROW:schema".to_owned(), value.to_owned())];
        parquet_to_arrow_schema(&parquet, Some(&facts)).expect("the value can be read")
    }

    #[test]
    fn old_columns_keep_their_types_and_new_ones_follow() {
        let (old, names) = (old(), ["a", "b", "c", "d"]);
        let value = of_arrow(&encode_arrow_schema(&old), &names, &added()).expect("it is a schema");
        let mut fields = old.fields().to_vec();
        fields.push(Field::new("url_host", DataType::Utf8, true).into());
        fields.push(Field::new("é", DataType::Int32, true).into());
        fields.push(Field::new("id", DataType::Int64, true).into());
        let expected = Schema::new(fields).with_metadata(old.metadata().clone());
        assert_eq!(read(&value, &expected), expected);
        // And once more, on what was written here.
        let names = ["a", "b", "c", "d", "url_host", "é", "id"];
        assert!(of_arrow(&value, &names, &[NewColumn::Text("e".to_owned())]).is_some());
    }

    #[test]
    fn a_schema_of_other_columns_is_left_out() {
        let value = encode_arrow_schema(&old());
        assert_eq!(of_arrow(&value, &["a", "b", "c"], &added()), None);
        assert_eq!(of_arrow(&value, &["a", "b", "c", "x"], &added()), None);
        assert_eq!(of_arrow("", &[], &added()), None);
        assert_eq!(of_arrow("!", &[], &added()), None);
    }

    /// Whatever is damaged or missing, the value is extended or left out.
    #[test]
    fn damaged_values_do_not_panic() {
        let whole = STANDARD.decode(encode_arrow_schema(&old())).expect("it is base64");
        let names = ["a", "b", "c", "d"];
        for end in 0..whole.len() {
            of_arrow(&STANDARD.encode(&whole[..end]), &names, &added());
        }
        for place in 0..whole.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff, whole[place] ^ 1] {
                let mut damaged = whole.clone();
                damaged[place] = byte;
                of_arrow(&STANDARD.encode(damaged), &names, &added());
            }
        }
    }
}
