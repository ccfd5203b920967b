//! Rows of the Wayback CDX server in JSON (`output=json`): one array of arrays, each of them on a separate
//! line.

use std::borrow::Cow;

/// The names of the columns that CDX names by a letter.
const LETTERS: [(&str, &str); 14] = [
    ("urlkey", "N"),
    ("timestamp", "b"),
    ("original", "a"),
    ("mimetype", "m"),
    ("statuscode", "s"),
    ("digest", "k"),
    ("redirect", "r"),
    ("robotflags", "M"),
    ("length", "S"),
    ("offset", "V"),
    ("filename", "g"),
    ("dupecount", "d"),
    ("endtimestamp", "e"),
    ("groupcount", "c"),
];

/// Returns the columns of the first line, `[["urlkey","timestamp",…],`.
pub(super) fn header(line: &[u8]) -> Option<Vec<String>> {
    if !line.starts_with(b"[[\"") {
        return None;
    }
    let names = row(&line[1..])?;
    Some(names.into_iter().map(Cow::into_owned).collect())
}

/// Returns the fields of a line, `None` if it is not a row.
pub(super) fn row(line: &[u8]) -> Option<Vec<Cow<'_, str>>> {
    #[derive(serde::Deserialize)]
    struct Row<'a>(#[serde(borrow)] Vec<Field<'a>>);
    #[derive(serde::Deserialize)]
    struct Field<'a>(#[serde(borrow)] Cow<'a, str>);
    let line = line.trim_ascii_end();
    let line = line.strip_suffix(b",").unwrap_or(line);
    // The last row is followed by the end of the outer array.
    let line = if line.ends_with(b"]]") { &line[..line.len() - 1] } else { line };
    let Row(fields) = serde_json::from_slice(line).ok()?;
    Some(fields.into_iter().map(|Field(text)| text).collect())
}

/// Returns whether a line is the header or the end of the array, and therefore not a row.
pub(super) fn is_frame(line: &[u8]) -> bool {
    line.starts_with(b"[[") || matches!(line.trim_ascii(), b"]" | b"[]" | b"[]," | b"[]]")
}

/// Returns a line as the server writes it without `output=json`: fields with one space between them, or the
/// header of CDX for the first line. Returns `None` if it is not a row.
pub(super) fn plain(line: &[u8]) -> Option<String> {
    if let Some(names) = header(line) {
        let letter =
            |name: &String| LETTERS.iter().find(|(column, _)| column == name).map_or("-", |(_, it)| it);
        return Some(format!(" CDX {}", names.iter().map(letter).collect::<Vec<_>>().join(" ")));
    }
    if is_frame(line) {
        return Some(String::new());
    }
    let fields = row(line)?;
    let field = |text: &Cow<'_, str>| {
        let has_space = |c: char| c.is_ascii_whitespace() || c.is_ascii_control();
        match &**text {
            // CDX writes a missing value as `-`, because an empty field would be invisible between spaces.
            "" => "-".to_owned(),
            // A space or control character would end the field or the line.
            text => text.replace(has_space, "%20"),
        }
    };
    Some(fields.iter().map(field).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_lines() {
        for (line, expected) in [
            (r#"[["urlkey","timestamp","original","length"],"#, Some(" CDX N b a S")),
            (r#"[["urlkey","odd"],"#, Some(" CDX N -")),
            (
                r#"["com,a)/", "20260102030405", "http://a.com/ b", ""],"#,
                Some("com,a)/ 20260102030405 http://a.com/%20b -"),
            ),
            (r#"["com,a)/","1"]]"#, Some("com,a)/ 1")),
            ("[],", Some("")),
            ("]", Some("")),
            (r#"["a", 1],"#, None),
            (r#"["a""#, None),
            ("", None),
        ] {
            assert_eq!(plain(line.as_bytes()).as_deref(), expected, "{line}");
        }
    }
}
