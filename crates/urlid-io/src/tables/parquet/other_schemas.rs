//! Metadata that describes all columns of a Parquet file again, in another format: the schemas of Arrow and
//! Spark.
//!
//! Readers take from them what Parquet's schema cannot express, such as durations, time zones and categories.
//! If new columns are missing there, some readers fail and others hide them, so the new columns are added. A
//! schema that cannot be read, or describes other columns, is left out.

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

use super::arrow_schema;
use super::encode::NewColumn;

/// How to treat a value of a file's metadata.
pub(super) enum Kept {
    /// Copy it.
    Whole,
    /// It describes all columns: write this value, which has the new ones too, or leave it out.
    Extended(Option<String>),
}

/// Decides how to treat the value of a key. `names` are the columns of the file.
pub(super) fn kept(key: &str, value: Option<&str>, names: &[&str], added: &[NewColumn]) -> Kept {
    let extend: fn(&str, &[&str], &[NewColumn]) -> Option<String> = match key {
        "ARROW:schema" => arrow_schema::extended,
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
        };
        json!({ "name": column.name(), "type": kind, "nullable": true, "metadata": {} }).to_string()
    });
    let new: Vec<Box<RawValue>> = new.map(RawValue::from_string).collect::<Result<_, _>>().ok()?;
    let fields = fields.into_iter().chain(new.iter().map(|field| &**field)).collect();
    serde_json::to_string(&SparkSchema { kind, fields }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparks_columns_stay_as_they_are_written() {
        let interval = r#"{"name":"a","type":"interval day to second","nullable":true,"metadata":{"x" : 1}}"#;
        let value = format!(r#"{{"type":"struct","fields":[{interval}]}}"#);
        let added = [NewColumn::Text("h\"".to_owned()), NewColumn::Number("p".to_owned())];
        let extended = of_spark(&value, &["a"], &added).expect("it is a schema");
        let fields = extended.strip_prefix(r#"{"type":"struct","fields":["#).expect("it begins as before");
        assert!(fields.starts_with(interval), "{extended}");
        let read: serde_json::Value = serde_json::from_str(&extended).expect("it is JSON");
        assert_eq!(
            read["fields"][1],
            json!({ "name": "h\"", "type": "string", "nullable": true, "metadata": {} })
        );
        assert_eq!(read["fields"][2]["type"], "integer");
    }

    #[test]
    fn a_schema_that_is_none_or_has_other_columns_is_left_out() {
        for value in
            ["", "{}", r#"{"type":"struct","fields":[]}"#, r#"{"type":"array","fields":[{"name":"a"}]}"#]
        {
            assert_eq!(of_spark(value, &["a"], &[]), None, "{value}");
        }
    }
}
