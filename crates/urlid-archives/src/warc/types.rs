//! Types of records, and sets of them.

use std::fmt;
use std::str::FromStr;

use crate::wacz::WaczPart;

/// The value of WARC-Type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordType {
    /// Describes the records after it.
    Warcinfo,
    /// A response of a server, protocol included.
    Response,
    /// A document without its protocol.
    Resource,
    /// A request to a server.
    Request,
    /// Describes a different record.
    Metadata,
    /// A visit with the same content as an earlier one.
    Revisit,
    /// A record that was converted to a different format, such as the text of a page.
    Conversion,
    /// A later part of a record.
    Continuation,
    /// A type that the standard does not define.
    #[default]
    Other,
}

impl RecordType {
    /// The types that the standard defines.
    const DEFINED: [(Self, &'static str); 8] = [
        (Self::Warcinfo, "warcinfo"),
        (Self::Response, "response"),
        (Self::Resource, "resource"),
        (Self::Request, "request"),
        (Self::Metadata, "metadata"),
        (Self::Revisit, "revisit"),
        (Self::Conversion, "conversion"),
        (Self::Continuation, "continuation"),
    ];

    /// Returns the type with this name.
    pub(crate) fn new(name: &[u8]) -> Self {
        let found = Self::DEFINED.iter().find(|(_, defined)| name == defined.as_bytes());
        found.map_or(Self::Other, |(of_name, _)| *of_name)
    }

    fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// A set of types of records, and the part of a WACZ file that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Records {
    types: u16,
    /// Whether `application/warc-fields`, which describe other records, are included.
    fields: bool,
    /// The part of a WACZ file.
    part: WaczPart,
}

impl Records {
    /// All records.
    pub const ALL: Self = Records { types: u16::MAX, fields: true, part: WaczPart::Archive };

    /// Returns the same set, with this part of a WACZ file.
    #[must_use]
    pub fn of_part(self, part: WaczPart) -> Self {
        Records { part, ..self }
    }

    /// Returns the part of a WACZ file.
    pub fn part(self) -> WaczPart {
        self.part
    }

    /// Returns whether a record of this type and this content type is in the set.
    pub fn contains(self, record: RecordType, content_type: Option<&[u8]>) -> bool {
        // The parameters of the media type are left out.
        let media_type =
            content_type.and_then(|it| it.split(|&byte| byte == b';').next()).unwrap_or_default();
        let describes = matches!(record, RecordType::Resource | RecordType::Metadata)
            && media_type.trim_ascii().eq_ignore_ascii_case(b"application/warc-fields");
        self.types & record.bit() != 0 && (self.fields || !describes)
    }
}

/// The records of visited URLs: `response`, `revisit`, `resource` and `metadata`, without resources and
/// metadata whose content is `application/warc-fields`.
impl Default for Records {
    fn default() -> Self {
        let types = [RecordType::Response, RecordType::Revisit, RecordType::Resource, RecordType::Metadata];
        Records {
            types: types.into_iter().fold(0, |set, one| set | one.bit()),
            fields: false,
            part: WaczPart::Archive,
        }
    }
}

/// The error of a name that is not a type of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownType;

impl fmt::Display for UnknownType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = RecordType::DEFINED.iter().map(|(_, name)| *name).collect();
        let names = names.join(", ");
        write!(
            out,
            "expected `all`, or some of {names} with commas between them, or `indexes` or `pages` of WACZ"
        )
    }
}

impl std::error::Error for UnknownType {}

/// Parses `all` or names separated by commas. Also parses `indexes` or `pages`, the part of WACZ files that
/// is read instead of records.
impl FromStr for Records {
    type Err = UnknownType;

    fn from_str(text: &str) -> Result<Self, UnknownType> {
        match text {
            "all" => return Ok(Records::ALL),
            "indexes" => return Ok(Records::default().of_part(WaczPart::Indexes)),
            "pages" => return Ok(Records::default().of_part(WaczPart::Pages)),
            _ => {}
        }
        let mut types = 0;
        for name in text.split(',') {
            match RecordType::new(name.as_bytes()) {
                RecordType::Other => return Err(UnknownType),
                found => types |= found.bit(),
            }
        }
        Ok(Records { types, fields: true, part: WaczPart::Archive })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_types_are_visited_pages() {
        let fields = Some(&b"application/warc-fields"[..]);
        let visited = Records::default();
        assert!(visited.contains(RecordType::Response, fields));
        assert!(visited.contains(RecordType::Metadata, None));
        assert!(!visited.contains(RecordType::Metadata, fields));
        for same in [
            "application/warc-fields; x=y",
            "Application/WARC-Fields ;charset=utf-8",
            " application/warc-fields",
        ] {
            assert!(!visited.contains(RecordType::Resource, Some(same.as_bytes())), "{same}");
        }
        for other in ["application/warc-fields2", "application/warc", ";application/warc-fields", ""] {
            assert!(visited.contains(RecordType::Metadata, Some(other.as_bytes())), "{other}");
        }
        assert!(!visited.contains(RecordType::Request, None));
        assert!(!visited.contains(RecordType::Other, None));
        assert!(Records::ALL.contains(RecordType::Other, fields));
    }

    #[test]
    fn a_set_is_read_from_its_names() {
        let set: Records = "request,metadata".parse().expect("both are types");
        assert!(set.contains(RecordType::Metadata, Some(b"application/warc-fields")));
        assert!(set.contains(RecordType::Request, None) && !set.contains(RecordType::Response, None));
        assert_eq!("all".parse(), Ok(Records::ALL));
        for bad in ["", "response,", "Response", "other"] {
            assert_eq!(bad.parse::<Records>(), Err(UnknownType), "{bad}");
        }
    }
}
