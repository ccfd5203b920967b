//! Reads files of templates. The result has the lines of each host in canonical order.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::shape::{SegmentClass, SegmentLook, SegmentShape};
use crate::rules::authority;
use crate::site_rules::{check_name, host_scope, name_after, words};
use urlid::{Error, ErrorCode, ErrorKind, Url};

/// The first words of a file.
pub(super) const HEAD: &str = "urlid-templates 1";
/// The maximum number of segments of a template. URLs may have more.
const MOST_SEGMENTS: usize = 64;

/// A segment of a template that is a class, with the text before it and the extension after it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassSegment {
    /// The prefix, or the letters before a number.
    pub prefix: Box<str>,
    /// The class. `Any` matches every segment with the prefix and the extension.
    pub class: SegmentClass,
    /// The extension or the kind of extensions, with the dot. It may be empty.
    pub extension: &'static str,
}

impl ClassSegment {
    /// Returns whether every segment has the class.
    pub(super) fn is_any(&self) -> bool {
        self.prefix.is_empty() && self.class == SegmentClass::Any && self.extension.is_empty()
    }

    /// Appends the text of the segment.
    pub fn write(&self, text: &mut String) {
        text.extend([&*self.prefix, "{", self.class.name(), "}", self.extension]);
    }

    /// Reads a segment with a brace. Returns `None` if no segment of a URL can have this shape.
    fn read(text: &str) -> Option<Self> {
        let (prefix, rest) = text.split_once('{')?;
        let (name, extension) = rest.split_once('}')?;
        let class = SegmentClass::ALL.into_iter().find(|class| class.name() == name)?;
        let prefix = &*if prefix.is_empty() { Cow::Borrowed("") } else { in_form("/", prefix)? };
        // A segment of a URL has this prefix and extension only if this made-up segment has them.
        let last = match extension {
            ".image" => ".png",
            ".font" => ".ttf",
            ".archive" => ".zip",
            _ => extension,
        };
        let is_number = |shape: &SegmentShape| matches!(shape.look, SegmentLook::Numbered(_));
        let shape = SegmentShape::new(&[prefix, "1", last].concat(), true);
        let found = if is_number(&shape) {
            [&shape.prefix, &*shape.letters].concat()
        } else {
            shape.prefix.to_string()
        };
        let is_class = !is_number(&shape) || class == SegmentClass::Int;
        (found == prefix && shape.extension == extension && is_class).then_some(Self {
            prefix: prefix.into(),
            class,
            extension: shape.extension,
        })
    }
}

/// A segment of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segment<'t> {
    /// As it is written in URLs of the form.
    Literal(Cow<'t, str>),
    Class(ClassSegment),
    /// The rest of the path.
    Rest,
}

/// A parsed template.
pub(super) struct Template<'t> {
    pub(super) segments: Vec<Segment<'t>>,
    /// The names of the fields, sorted, and their values. `None` is any value.
    pub(super) fields: Vec<(Cow<'t, str>, Option<Cow<'t, str>>)>,
}

/// Returns a literal of a path (`start` is `/`) or a query (`/?`) as it is written in URLs of the form `web`,
/// such as `%C3%A4` for `ä`. Returns `None` if URLs cannot contain the literal, or if it would end the segment
/// or the field.
fn in_form<'t>(start: &str, text: &'t str) -> Option<Cow<'t, str>> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_~".contains(&byte);
    if text.bytes().all(is_plain) && !text.is_empty() {
        return Some(text.into());
    }
    let url = Url::parse(&["http://h", start, text].concat()).ok()?;
    let found = url.as_str().strip_prefix("http://h")?.strip_prefix(start)?;
    let is_segment = !found.contains('#') && (start != "/" || !found.contains(['/', '?']));
    (is_segment && (found.is_empty() == text.is_empty())).then(|| found.to_owned().into())
}

impl<'t> Template<'t> {
    /// Parses a template.
    pub(super) fn read(text: &'t str) -> Result<Self, Error> {
        let (path, query) = text.split_once('?').map_or((text, None), |(path, query)| (path, Some(query)));
        let path = path.strip_prefix('/').ok_or_else(|| TEMPLATE.found(text).with_expected("a path"))?;
        let mut segments = Vec::new();
        for segment in path.split('/').filter(|_| !path.is_empty()) {
            let class = |segment| ClassSegment::read(segment).map(Segment::Class);
            segments.push(match segment {
                "" => return Err(TEMPLATE.found(text).with_expected("no empty segment")),
                "{*}" => Segment::Rest,
                _ if !segment.contains(['{', '}']) => Segment::Literal(
                    in_form("/", segment).ok_or_else(|| SEGMENT.found(segment).with_expected(WRITTEN))?,
                ),
                _ => class(segment).ok_or_else(|| SEGMENT.found(segment).with_expected(CLASSES))?,
            });
        }
        let rest = segments.iter().position(|segment| *segment == Segment::Rest);
        if rest.is_some_and(|place| place + 1 < segments.len() || query.is_some()) {
            return Err(TEMPLATE.found(text).with_expected("{*} at the end"));
        }
        if segments.len() > MOST_SEGMENTS {
            let expected = format!("at most {MOST_SEGMENTS} segments");
            return Err(TEMPLATE.found(text).with_expected(expected));
        }
        let field = |field: &'t str| match field.split_once('=') {
            Some((name, "{}")) if !name.is_empty() => Some((in_form("/?", name)?, None)),
            Some((name, value)) if !name.is_empty() && !value.contains(['{', '}', ';']) => {
                Some((in_form("/?", name)?, Some(in_form("/?", value)?)))
            }
            _ => None,
        };
        let field =
            |text| field(text).ok_or_else(|| FIELD.found(text).with_expected("NAME={} or NAME=VALUE"));
        let mut fields: Vec<_> =
            query.map_or(Ok(Vec::new()), |query| query.split('&').map(field).collect::<Result<_, _>>())?;
        let names: BTreeSet<&str> = fields.iter().map(|(name, _)| &**name).collect();
        if names.len() < fields.len() {
            return Err(TEMPLATE.found(text).with_expected("each field once"));
        }
        fields.sort_unstable();
        Ok(Self { segments, fields })
    }

    /// Appends the canonical text.
    pub(super) fn write(&self, text: &mut String) {
        for segment in &self.segments {
            text.push('/');
            match segment {
                Segment::Literal(literal) => text.push_str(literal),
                Segment::Class(class) => class.write(text),
                Segment::Rest => text.push_str("{*}"),
            }
        }
        if self.segments.is_empty() {
            text.push('/');
        }
        let fields = self.fields.iter().map(|(name, value)| (&**name, value.as_deref()));
        write_fields(fields, text);
    }
}

/// Appends the fields of a template.
pub fn write_fields<'f>(fields: impl IntoIterator<Item = (&'f str, Option<&'f str>)>, text: &mut String) {
    for (place, (name, value)) in fields.into_iter().enumerate() {
        text.extend([if place == 0 { "?" } else { "&" }, name, "=", value.unwrap_or("{}")]);
    }
}

/// The hosts and templates of a file, in the order of their bytes and without repetitions.
pub(super) struct Parsed {
    /// The name after the head.
    name: Option<String>,
    pub(super) hosts: Vec<(String, Vec<String>)>,
}

/// Parses the lines of a file. `each` gets the host, the canonical text and the comment of each template in the
/// order of the lines.
pub(super) fn parse(
    text: &str,
    most_bytes: usize,
    each: &mut dyn FnMut(&str, &str, &str),
) -> Result<Parsed, Error> {
    if text.len() > most_bytes {
        return Err(TOO_LONG.error().with_shown(text.len()).with_expected(most_bytes.to_string()));
    }
    let mut lines = text.split('\n');
    let name = name_after(HEAD, lines.next().unwrap_or_default(), NO_HEAD)?;
    let mut templates: Vec<(usize, String)> = Vec::new();
    let mut hosts: Vec<String> = Vec::new();
    for (number, line) in (2..).zip(lines) {
        let mut read = || {
            if line.ends_with('\r') {
                return Err(CARRIAGE_RETURN.error());
            }
            let mut words = words(line);
            match (words.next(), words.next()) {
                (None, _) => Ok(()),
                (Some(host), None) if host.starts_with('[') => {
                    hosts.push(read_host(host).ok_or_else(|| HOST.found(line))?);
                    Ok(())
                }
                (Some(_), None) if hosts.is_empty() => Err(NO_HOST.found(line)),
                (Some(template), None) => {
                    let mut canonical = String::new();
                    Template::read(template)?.write(&mut canonical);
                    let start = line.find(" #").into_iter().chain(line.find("\t#")).min();
                    let comment = start.map_or("", |start| line[start + 2..].trim_ascii());
                    each(&hosts[hosts.len() - 1], &canonical, comment);
                    templates.push((hosts.len() - 1, canonical));
                    Ok(())
                }
                _ => Err(TEMPLATE.found(line).with_expected("no blank")),
            }
        };
        read().map_err(|error| error.with_number(number))?;
    }
    templates.sort_unstable_by(|a, b| (&hosts[a.0], &a.1).cmp(&(&hosts[b.0], &b.1)));
    templates.dedup_by(|a, b| hosts[a.0] == hosts[b.0] && a.1 == b.1);
    let mut grouped: Vec<(String, Vec<String>)> = Vec::new();
    for (host, template) in templates {
        match grouped.last_mut().filter(|(last, _)| *last == hosts[host]) {
            Some((_, list)) => list.push(template),
            None => grouped.push((hosts[host].clone(), vec![template])),
        }
    }
    Ok(Parsed { name, hosts: grouped })
}

/// Parses a host in brackets. Returns `None` if URLs in the form of templates cannot have this host.
fn read_host(word: &str) -> Option<String> {
    let host = host_scope(word)?;
    // The form strips `www.` where a domain is left.
    let www = authority::www_length(host.as_bytes()).filter(|&length| host[length..].contains('.'));
    www.is_none().then_some(host)
}

impl Parsed {
    /// Returns an error if the name in the first line is not the name of the templates.
    pub(super) fn check_name(&self, name: &str) -> Result<(), Error> {
        check_name(self.name.as_deref(), name, OTHER_NAME)
    }
}

const TOO_LONG: ErrorKind = ErrorKind::new(
    ErrorCode::LineLen,
    "file of templates is too long: found {found} bytes, expected at most {expected}",
);
const NO_HEAD: ErrorKind =
    line("file of templates has a different first line: found {found}, expected urlid-templates 1");
const OTHER_NAME: ErrorKind =
    line("templates at line {place} have a different name: found {found}, expected {expected}");
const CARRIAGE_RETURN: ErrorKind =
    line("template at line {place} ends with a carriage return: expected a line feed");
const HOST: ErrorKind =
    line("host at line {place} is not valid: found {found}, expected [HOST] without www and port");
const NO_HOST: ErrorKind = line(
    "template at line {place} has no host: found {found}, expected a line such as [example.org] before it",
);
const TEMPLATE: ErrorKind = line("template at line {place} is not valid: found {found}, expected {expected}");
const SEGMENT: ErrorKind =
    line("segment of the template at line {place} is not valid: found {found}, expected {expected}");
const WRITTEN: &str = "a segment that URLs can have";
/// The expected text of a segment with a brace.
const CLASSES: &str = "a class such as {int}, with a known prefix and extension";
const FIELD: ErrorKind =
    line("field of the template at line {place} is not valid: found {found}, expected {expected}");

const fn line(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::ListLine, message)
}
