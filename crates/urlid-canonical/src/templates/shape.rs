//! The shape of a path segment: a prefix, a class and an extension, computed only from the text of the
//! segment.
//!
//! All rules compare bytes with ASCII, so templates do not depend on tables of characters.

use std::borrow::Cow;
use std::fmt::Write;

use crate::rules::escapes;

/// The class of a segment. A template contains its name in braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SegmentClass {
    /// `{}`: any segment.
    Any,
    /// `{int}`: digits.
    Int,
    /// `{uuid}`: a UUID, with or without its hyphens.
    Uuid,
    /// `{hash}`: at least 7 hexadecimal digits, with at least one letter and one digit.
    Hash,
    /// `{date}`: `2026-05` or `2026-05-31`, optionally with a time after `T`.
    Date,
    /// `{ver}`: numbers with dots, optionally after `v`.
    Version,
    /// `{token}`: a segment with a run of 12 or more letters and digits that has both.
    Token,
}

impl SegmentClass {
    /// All classes in the order of the documentation.
    pub const ALL: [Self; 7] =
        [Self::Any, Self::Int, Self::Uuid, Self::Hash, Self::Date, Self::Version, Self::Token];

    /// Returns the name in braces.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "",
            Self::Int => "int",
            Self::Uuid => "uuid",
            Self::Hash => "hash",
            Self::Date => "date",
            Self::Version => "ver",
            Self::Token => "token",
        }
    }
}

/// The look of a segment, which tells segments without a class apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SegmentLook {
    /// The segment has a class other than `Any`.
    Value,
    /// Letters without digits, or a version such as `v1beta1`.
    Word,
    /// At least two hyphens, underscores, blanks, commas, dots or plus signs.
    Slug,
    /// Letters and digits.
    Mixed,
    /// Letters, as many as the field says, and then a number.
    Numbered(usize),
}

/// The known extensions of files. Extensions of a named kind are equivalent.
const EXTENSIONS: [(&str, &[&str]); 4] = [
    (".image", &["png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "svg"]),
    (".font", &["woff", "woff2", "ttf", "eot"]),
    (".archive", &["zip", "gz", "tgz", "bz2", "xz", "tar"]),
    (
        "",
        &[
            ".html", ".htm", ".xhtml", ".php", ".php5", ".asp", ".aspx", ".jsp", ".jspx", ".do", ".action",
            ".cgi", ".pl", ".cfm", ".css", ".js", ".mjs", ".map", ".json", ".xml", ".rss", ".atom", ".pdf",
            ".txt", ".md", ".rst", ".csv", ".tsv", ".jar", ".war", ".exe", ".dmg", ".iso", ".mp3", ".mp4",
            ".webm", ".otf", ".ics", ".yml", ".yaml", ".toml", ".ini", ".py", ".rs", ".c", ".h", ".cc",
            ".cpp", ".go", ".java", ".rb", ".sh", ".lua", ".sql", ".log", ".bak", ".doc", ".docx", ".xls",
            ".xlsx", ".ppt",
        ],
    ),
];

/// Returns the name of an extension in templates: the name of its kind, or the extension in lower case.
fn extension(text: &[u8]) -> Option<&'static str> {
    EXTENSIONS.iter().find_map(|(kind, names)| {
        names.iter().find_map(|name| match kind.is_empty() {
            true => text.eq_ignore_ascii_case(&name.as_bytes()[1..]).then_some(*name),
            false => text.eq_ignore_ascii_case(name.as_bytes()).then_some(*kind),
        })
    })
}

/// The parts of a segment that decide which classes it can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentShape {
    /// A sign such as `@`, or `Name:`. It is empty for most segments.
    pub prefix: Cow<'static, str>,
    /// The class of the text between prefix and extension.
    pub class: SegmentClass,
    /// The look of the text between prefix and extension.
    pub look: SegmentLook,
    /// The class and the look of the text with its prefix.
    pub whole: (SegmentClass, SegmentLook),
    /// The extension or its kind, with the dot. It is empty for unknown extensions.
    pub extension: &'static str,
    /// The letters before the number of a `Numbered` segment, escaped.
    pub letters: Box<str>,
}

impl SegmentShape {
    /// Returns the shape of a segment. Only the last segment of a path has an extension.
    pub fn new(segment: &str, is_last: bool) -> Self {
        let mut text = Cow::Borrowed(segment.as_bytes());
        if text.contains(&b'%') {
            escapes::decode_once(text.to_mut(), |_| true);
        }
        let (whole, mut end, mut ext) = (&*text, text.len(), "");
        let start = prefix_length(whole);
        let dot = whole.iter().rposition(|&byte| byte == b'.').filter(|&dot| is_last && dot > start);
        if let Some((dot, found)) = dot.and_then(|dot| Some((dot, extension(&whole[dot + 1..])?))) {
            (end, ext) = (dot, found);
        }
        let (class, look) = classify(&whole[start..end]);
        let whole_class = if start == 0 { (class, look) } else { classify(&whole[..end]) };
        let letters = match look {
            SegmentLook::Numbered(length) => escaped(&whole[start..start + length]).into(),
            _ => "".into(),
        };
        let prefix = match start {
            0 => Cow::Borrowed(""),
            _ => Cow::Owned(escaped(&whole[..start])),
        };
        Self { prefix, class, look, whole: whole_class, extension: ext, letters }
    }
}

/// Returns the length of a prefix: a sign, or a name with its colon. Text must follow it.
fn prefix_length(text: &[u8]) -> usize {
    match text {
        [b'@' | b'~' | b'!' | b'+' | b'$', _, ..] => 1,
        [b'A'..=b'Z' | b'a'..=b'z' | b'_' | 0x80.., ..] => {
            let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
            let length = text.iter().take_while(|byte| is_name(byte)).count();
            let is_prefix =
                text.get(length) == Some(&b':') && !matches!(text.get(length + 1), None | Some(b'/'));
            if is_prefix { length + 1 } else { 0 }
        }
        _ => 0,
    }
}

/// Returns bytes as they are written in a segment.
fn escaped(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, &byte| {
        match byte {
            b'!' | b'$' | b'+' | b'-' | b':' | b'@' | b'_' | b'~' => text.push(byte.into()),
            byte if byte.is_ascii_alphanumeric() => text.push(byte.into()),
            byte => write!(text, "%{byte:02X}").expect("writing to a String does not fail"),
        }
        text
    })
}

/// Returns the class and the look of decoded bytes.
fn classify(text: &[u8]) -> (SegmentClass, SegmentLook) {
    use SegmentClass as Class;
    let value = |class| (class, SegmentLook::Value);
    let weak = |look| (Class::Any, look);
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let hex = text.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    if digits == text.len() && digits > 0 {
        return value(Class::Int);
    }
    if digits == 0 {
        // 32 letters from a to f are a word, although they could be a UUID.
        return weak(if separators(text) >= 2 { SegmentLook::Slug } else { SegmentLook::Word });
    }
    if is_uuid(text) {
        return value(Class::Uuid);
    }
    if hex == text.len() && hex >= 7 {
        return value(Class::Hash);
    }
    if is_date(text) {
        return value(Class::Date);
    }
    let number = text.strip_prefix(b"v").or_else(|| text.strip_prefix(b"V")).unwrap_or(text);
    let is_version = number.contains(&b'.')
        && number
            .split(|&byte| byte == b'.')
            .all(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit));
    if is_version {
        return value(Class::Version);
    }
    let is_token = |run: &[u8]| {
        let digits = run.iter().filter(|byte| byte.is_ascii_digit()).count();
        run.len() >= 12 && digits > 0 && digits < run.len()
    };
    if text.split(|byte| !byte.is_ascii_alphanumeric()).any(is_token) {
        return value(Class::Token);
    }
    if is_api_version(text) {
        return weak(SegmentLook::Word);
    }
    let letters = text.len() - digits;
    let is_numbered = (1..=15).contains(&letters)
        && text[0].is_ascii_alphabetic()
        && text[..letters].iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'));
    if is_numbered {
        return weak(SegmentLook::Numbered(letters));
    }
    weak(if separators(text) >= 2 { SegmentLook::Slug } else { SegmentLook::Mixed })
}

fn separators(text: &[u8]) -> usize {
    text.iter().filter(|byte| matches!(byte, b'-' | b'_' | b' ' | b'+' | b',' | b'.')).count()
}

/// Returns whether a text is a UUID, with all its hyphens or without any.
fn is_uuid(text: &[u8]) -> bool {
    let is_hyphen = |place: usize| text.len() == 36 && matches!(place, 8 | 13 | 18 | 23);
    matches!(text.len(), 32 | 36)
        && text.iter().enumerate().all(|(place, byte)| match is_hyphen(place) {
            true => *byte == b'-',
            false => byte.is_ascii_hexdigit(),
        })
}

fn is_date(text: &[u8]) -> bool {
    let (day, time) = text.split_at(text.iter().position(|&byte| byte == b'T').unwrap_or(text.len()));
    matches!(day.len(), 7 | 10)
        && day.iter().enumerate().all(|(place, byte)| match place {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
        && time.iter().skip(1).all(|byte| matches!(byte, b'0'..=b'9' | b':' | b'.' | b'Z' | b'+' | b'-'))
}

/// Returns whether a text is the version of an interface: `v1`, `v2beta1`.
fn is_api_version(text: &[u8]) -> bool {
    let [b'v' | b'V', rest @ ..] = text else { return false };
    let number = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (stage, after) =
        rest[number..].split_at(rest[number..].iter().take_while(|b| !b.is_ascii_digit()).count());
    number > 0 && after.iter().all(u8::is_ascii_digit) && matches!(stage, b"" | b"alpha" | b"beta" | b"rc")
}
