//! Bodies of `multipart/form-data` (RFC 7578) as fields of a query, read as the Python package `multipart`
//! 2.0 reads them.

use memchr::memmem::{Finder, find};

use super::text::push_field;

/// The most parts.
const MAX_PARTS: usize = 128;
/// The most lines in the head of a part, and the most bytes of one.
const MAX_HEAD_LINES: usize = 8;
const MAX_HEAD_LINE: usize = 4096 + 128;

/// The names of Python's UTF-8, ASCII and ISO 8859-1 that are used as a charset.
const UTF8: [&str; 4] = ["utf-8", "utf8", "utf_8", "u8"];
const ASCII: [&str; 4] = ["us-ascii", "ascii", "us_ascii", "646"];
const LATIN1: [&str; 7] = ["iso-8859-1", "iso8859-1", "iso_8859_1", "latin-1", "latin1", "latin_1", "l1"];

/// Returns the boundary that a media type names, or `None` without one.
pub(super) fn boundary(media_type: &str) -> Option<&str> {
    let (_, value) = media_type.split_once("boundary=")?;
    // Quotes, and parameters after it, stop cdxj-indexer.
    Some(match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default(),
        None => value.split(';').next().unwrap_or_default().trim_end(),
    })
}

/// Returns the fields of the parts of a body. The value of a file's field is the bytes of the file.
///
/// # Errors
/// The expected text, if it is malformed.
pub(super) fn query(body: &[u8], boundary: &str) -> Result<String, &'static str> {
    if boundary.is_empty() {
        return Err("a boundary");
    }
    let delimiter = [b"\r\n--", boundary.as_bytes()].concat();
    // The line end is left out, because it is missing if the body starts with the boundary.
    let first = find(body, &delimiter[2..]).ok_or("the boundary")?;
    if first > 0 && !body[..first].ends_with(b"\r\n") {
        return Err("a line end before the first boundary");
    }
    let mut rest = &body[first + delimiter.len() - 2..];
    let (mut out, mut parts, delimiters) = (String::new(), 0, Finder::new(&delimiter));
    loop {
        rest = match rest {
            [b'\r', b'\n', rest @ ..] => rest,
            [b'-', b'-', ..] => return Ok(out),
            _ => return Err("a line end or `--` behind a boundary"),
        };
        parts += 1;
        if parts > MAX_PARTS {
            return Err("128 parts at most");
        }
        let head;
        (head, rest) = Head::read(rest)?;
        let end = delimiters.find(rest).ok_or("a boundary behind a part")?;
        head.push(&rest[..end], &mut out)?;
        rest = &rest[end + delimiter.len()..];
    }
}

/// The head of a part.
#[derive(Default)]
struct Head {
    name: String,
    is_file: bool,
    charset: Option<String>,
    length: Option<usize>,
}

impl Head {
    /// Reads a head, and returns it with the bytes after it.
    fn read(mut rest: &[u8]) -> Result<(Self, &[u8]), &'static str> {
        let mut lines: Vec<(String, String)> = Vec::new();
        loop {
            let end = find(&rest[..rest.len().min(MAX_HEAD_LINE + 2)], b"\r\n")
                .ok_or("a line of at most 4 KiB in the head of a part")?;
            let line;
            (line, rest) = (&rest[..end], &rest[end + 2..]);
            if line.is_empty() {
                break;
            }
            let mut line = str::from_utf8(line).map_err(|_| "a head of a part in UTF-8")?.to_owned();
            if line.starts_with([' ', '\t']) {
                // It continues the line before.
                let is_blank = line.bytes().all(|byte| byte.is_ascii_whitespace() || byte == 0xb);
                let (name, value) = lines.pop().filter(|_| !is_blank).ok_or("a line to continue")?;
                line = format!("{name}: {value} {}", &line[1..]);
                if line.len() > MAX_HEAD_LINE {
                    return Err("a line of at most 4 KiB in the head of a part");
                }
            }
            if lines.len() >= MAX_HEAD_LINES {
                return Err("8 lines at most in the head of a part");
            }
            let (name, value) = line.split_once(':').ok_or("a colon in each line of the head of a part")?;
            let name = name.trim().to_ascii_lowercase();
            if name.is_empty() || !name.bytes().all(is_name) {
                return Err("names of letters, digits, `-` and `_` in the head of a part");
            }
            lines.push((name, value.trim_start_matches([' ', '\t']).to_owned()));
        }
        Ok((Self::of_lines(&lines)?, rest))
    }

    fn of_lines(lines: &[(String, String)]) -> Result<Self, &'static str> {
        let (mut head, mut is_form_data) = (Head::default(), None);
        let mut lengths = 0;
        for (name, value) in lines {
            match name.as_str() {
                "content-disposition" => {
                    let disposition = Disposition::new(value);
                    is_form_data = Some(disposition.is_form_data);
                    head.name = disposition.name.unwrap_or_default();
                    head.is_file = disposition.filename.is_some_and(|name| !name.is_empty());
                }
                "content-type" => {
                    let charset = options(value).into_iter().rfind(|(name, _)| name == "charset");
                    head.charset = charset.map(|(_, value)| inside_quotes(value).to_owned());
                }
                "content-length" => {
                    lengths += 1;
                    let length: Option<usize> = value.parse().ok();
                    let is_plain = length.is_some_and(|length| length.to_string() == *value);
                    head.length = length.filter(|_| is_plain && lengths == 1);
                    head.length.ok_or("a number as the Content-Length of a part")?;
                }
                _ => {}
            }
        }
        match is_form_data {
            Some(true) => Ok(head),
            _ => Err("`Content-Disposition: form-data` in each part"),
        }
    }

    /// Appends the part with this content as a field.
    fn push(&self, content: &[u8], out: &mut String) -> Result<(), &'static str> {
        if self.length.is_some_and(|length| length != content.len()) {
            return Err("as many bytes as the Content-Length of the part");
        }
        let charset = self.charset.as_deref().filter(|charset| !charset.is_empty()).unwrap_or("utf-8");
        let is = |names: &[&str]| names.iter().any(|name| charset.eq_ignore_ascii_case(name));
        if self.is_file {
            push_field(self.name.as_bytes(), content, out);
        } else if is(&UTF8) {
            str::from_utf8(content).map_err(|_| "UTF-8 in a part that is not a file")?;
            push_field(self.name.as_bytes(), content, out);
        } else if is(&ASCII) {
            if !content.is_ascii() {
                return Err("ASCII in a part that says so");
            }
            push_field(self.name.as_bytes(), content, out);
        } else if is(&LATIN1) {
            let text: String = content.iter().map(|&byte| char::from(byte)).collect();
            push_field(self.name.as_bytes(), text.as_bytes(), out);
        } else {
            return Err("UTF-8, ASCII or ISO 8859-1 as the charset of a part");
        }
        Ok(())
    }
}

/// The value of a Content-Disposition.
struct Disposition {
    is_form_data: bool,
    name: Option<String>,
    filename: Option<String>,
}

impl Disposition {
    fn new(value: &str) -> Self {
        // Browsers write it like this. A backslash in such a name does not have a meaning.
        let parts: Vec<&str> = value.splitn(5, '"').collect();
        match parts[..] {
            ["form-data; name=", name, ""] => {
                return Disposition { is_form_data: true, name: Some(unescaped(name)), filename: None };
            }
            ["form-data; name=", name, "; filename=", filename, ""] => {
                let filename = Some(file_name(unescaped(filename)));
                return Disposition { is_form_data: true, name: Some(unescaped(name)), filename };
            }
            _ => {}
        }
        let kind = value.split(';').next().unwrap_or_default();
        let options = options(value);
        let of = |wanted: &str| {
            let (_, value) = options.iter().rev().find(|(name, _)| name == wanted)?;
            Some(unquoted_name(value))
        };
        Disposition {
            is_form_data: kind.trim().eq_ignore_ascii_case("form-data"),
            name: of("name"),
            filename: of("filename").map(file_name),
        }
    }
}

/// Returns the name of a file without the path before it, which old browsers for Windows sent.
fn file_name(name: String) -> String {
    let is_path = name.starts_with("\\\\") || name.chars().skip(1).take(2).eq([':', '\\']);
    match name.rsplit_once('\\').filter(|_| is_path) {
        Some((_, name)) => name.to_owned(),
        None => name,
    }
}

/// Returns a name without the escapes of the HTML standard.
fn unescaped(name: &str) -> String {
    name.replace("%0D", "\r").replace("%0A", "\n").replace("%22", "\"")
}

/// Returns the value of an option of Content-Disposition, with the escapes of browsers or of RFC 822.
fn unquoted_name(value: &str) -> String {
    let inner = inside_quotes(value);
    if inner.len() < value.len() && inner.contains("\\\"") {
        return inner.replace("\\\\", "\\").replace("\\\"", "\"");
    }
    unescaped(inner)
}

fn inside_quotes(value: &str) -> &str {
    value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Returns the options of a value, `; name=value`, with their quotes. Anything else is skipped.
fn options(value: &str) -> Vec<(String, &str)> {
    let mut options = Vec::new();
    let mut rest = value;
    while let Some(semicolon) = rest.find(';') {
        rest = &rest[semicolon + 1..];
        if let Some((name, value, after)) = option(rest) {
            options.push((name.to_ascii_lowercase(), value));
            rest = after;
        }
    }
    options
}

/// Splits an option into its name, its value, and the text after it.
fn option(text: &str) -> Option<(&str, &str, &str)> {
    let text = text.trim_start_matches(' ');
    let end = text.bytes().position(|byte| !is_name(byte)).filter(|end| *end > 0)?;
    let (name, text) = text.split_at(end);
    let text = text.trim_start_matches(' ').strip_prefix('=')?.trim_start_matches(' ');
    let len = value_len(text.as_bytes()).filter(|len| *len > 0)?;
    Some((name, &text[..len], &text[len..]))
}

/// Returns the length of the token or quoted string at the start of a text.
fn value_len(text: &[u8]) -> Option<usize> {
    if text.first() != Some(&b'"') {
        let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-!#$%&'*+.^_`|~".contains(byte);
        return Some(text.iter().take_while(|byte| is_token(byte)).count());
    }
    let mut at = 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' if text.get(at + 1).is_none_or(|&byte| byte == b'\n') => return None,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}
