//! Walks from a URL to its template. At each segment literals have precedence over classes, and classes over
//! `{}`. The fields are compared at the end of the path.
//!
//! Only the lines of the file decide. If they do not describe the whole path, the result is the template of the
//! described part, followed by `{}` for one more segment or `{*}` for several.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::grammar::{ClassSegment, Segment, Template, write_fields};
use super::shape::{SegmentClass, SegmentLook, SegmentShape};
use crate::Form;
use urlid::Error;

/// Returns the form in which URLs are compared with templates: `web` without `www` and without the tracking
/// fields of Firefox's list.
pub fn template_form() -> &'static Form {
    static FORM: LazyLock<Form> = LazyLock::new(|| {
        "web+drop-tracking@firefox-46740ded+strip-www".parse().expect("a test parses the name")
    });
    &FORM
}

/// The parts of a URL that a template describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitUrl<'u> {
    /// The host without port.
    pub host: &'u str,
    /// The path without empty segments.
    path: &'u str,
    query: &'u str,
}

impl<'u> SplitUrl<'u> {
    /// Splits a URL in the form of templates. Only URLs with the schemes http and https have templates.
    pub fn new(url: &'u str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let rest = rest.split('#').next().unwrap_or_default();
        let (authority, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let host = authority.rsplit('@').next().unwrap_or_default();
        // The colons of an IPv6 address are before its `]`.
        let port = host.rfind(':').filter(|colon| !host[*colon..].contains(']'));
        let host = &host[..port.unwrap_or(host.len())];
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        (matches!(scheme, "http" | "https") && !host.is_empty()).then_some(Self { host, path, query })
    }

    /// Returns the segments that are not empty.
    pub fn segments(&self) -> impl Iterator<Item = &'u str> {
        self.path.split('/').filter(|segment| !segment.is_empty())
    }

    /// Returns the names and values of the fields as they are written. `&` and `;` separate fields.
    pub fn fields(&self) -> impl Iterator<Item = (&'u str, &'u str)> {
        let fields = self.query.split(['&', ';']).filter(|field| !field.is_empty());
        fields.map(|field| field.split_once('=').unwrap_or((field, "")))
    }
}

/// The templates of a host as a tree of segments.
#[derive(Debug, Default)]
pub(super) struct Tree(Vec<Node>);

#[derive(Debug, Default)]
struct Node {
    /// The next nodes by literal. The map also contains the texts of classes, which cannot be segments of URLs.
    literals: HashMap<Box<str>, usize>,
    /// Sorted for binary search. Classes without a prefix come first.
    classes: Vec<(ClassSegment, usize)>,
    /// The number of classes without a prefix.
    without_prefix: usize,
    /// The fields of the templates that end here.
    ends: Vec<Fields>,
    has_rest: bool,
}

/// The names of fields, and their literal values.
type Fields = Vec<(Box<str>, Option<Box<str>>)>;

impl Tree {
    /// Builds the tree from canonical lines.
    pub(super) fn new(lines: &[String]) -> Result<Self, Error> {
        let mut nodes = vec![Node::default()];
        for line in lines {
            let template = Template::read(line)?;
            let mut place = 0;
            for segment in template.segments {
                let next = nodes.len();
                let node = &mut nodes[place];
                place = match segment {
                    Segment::Literal(literal) => {
                        *node.literals.entry(literal.into_owned().into()).or_insert(next)
                    }
                    Segment::Class(class) => {
                        let mut text = String::new();
                        class.write(&mut text);
                        let place = *node.literals.entry(text.into()).or_insert(next);
                        if place == next {
                            node.classes.push((class, next));
                        }
                        place
                    }
                    Segment::Rest => {
                        node.has_rest = true;
                        break;
                    }
                };
                if place == next {
                    nodes.push(Node::default());
                }
            }
            if !line.ends_with("{*}") {
                let boxed = |text: Cow<'_, str>| text.into_owned().into_boxed_str();
                let fields = template.fields.into_iter();
                nodes[place].ends.push(fields.map(|(name, value)| (boxed(name), value.map(boxed))).collect());
            }
        }
        for node in &mut nodes {
            node.classes.sort_unstable();
            node.without_prefix = node.classes.partition_point(|(class, _)| class.prefix.is_empty());
        }
        Ok(Self(nodes))
    }

    /// Appends the template of a URL.
    pub(super) fn assign(&self, url: &SplitUrl<'_>, text: &mut String) {
        let mut node = &self.0[0];
        let mut segments = url.segments().peekable();
        if segments.peek().is_none() {
            text.push('/');
        }
        let mut is_first = true;
        while let Some(segment) = segments.next() {
            text.push('/');
            let is_last = segments.peek().is_none();
            if let Some(&place) = node.literals.get(segment) {
                text.push_str(segment);
                node = &self.0[place];
            } else if let Some((class, place)) = node.class_of(segment, is_last) {
                class.write(text);
                node = &self.0[*place];
            } else {
                let is_rest = is_first || node.has_rest || !is_last;
                return text.push_str(if is_rest { "{*}" } else { "{}" });
            }
            is_first = false;
        }
        node.write_fields(url, text);
    }
}

impl Node {
    /// Returns the class of a segment. A class with the segment's extension has precedence over a class without
    /// it, and then a class with the prefix over a class without it.
    fn class_of(&self, segment: &str, is_last: bool) -> Option<&(ClassSegment, usize)> {
        let (plain, prefixed) = self.classes.split_at(self.without_prefix);
        // Most places have no class, or only `{}`, which needs no shape.
        match &*self.classes {
            [] => return None,
            [found] if found.0.is_any() => return Some(found),
            _ => {}
        }
        let shape = SegmentShape::new(segment, is_last);
        let find = |prefix: [&str; 2], class: SegmentClass, extension: &str| {
            let is_prefixed = !prefix[0].is_empty() || !prefix[1].is_empty();
            let classes = if is_prefixed { prefixed } else { plain };
            let place = classes.binary_search_by(|(found, _)| {
                let bytes = prefix[0].bytes().chain(prefix[1].bytes());
                let order = if is_prefixed { found.prefix.bytes().cmp(bytes) } else { Ordering::Equal };
                order.then_with(|| (found.class, found.extension).cmp(&(class, extension)))
            });
            place.ok().map(|place| &classes[place])
        };
        let numbered = |extension| match shape.look {
            SegmentLook::Numbered(_) => find([&shape.prefix, &shape.letters], SegmentClass::Int, extension),
            _ => None,
        };
        let of = |extension| {
            numbered(extension)
                .or_else(|| find([&shape.prefix, ""], shape.class, extension))
                .or_else(|| find([&shape.prefix, ""], SegmentClass::Any, extension))
                .or_else(|| find(["", ""], shape.whole.0, extension))
                .or_else(|| find(["", ""], SegmentClass::Any, extension))
        };
        of(shape.extension).or_else(|| if shape.extension.is_empty() { None } else { of("") })
    }

    /// Appends the fields of the best line. Lines whose fields are all in the URL come first. Then the number
    /// of literal values decides, and then the number of fields in the URL.
    fn write_fields(&self, url: &SplitUrl<'_>, text: &mut String) {
        if self.ends.iter().all(Vec::is_empty) {
            return;
        }
        let mut found = HashMap::new();
        url.fields().for_each(|(name, value)| {
            found.entry(name).or_insert(value);
        });
        let rank = |fields: &&Fields| {
            let (mut values, mut present) = (0, 0);
            for (name, value) in fields.iter() {
                match (found.get(&**name), value) {
                    (Some(found), Some(value)) if **value == **found => values += 1,
                    (_, Some(_)) => return None,
                    (Some(_), None) => present += 1,
                    (None, None) => {}
                }
            }
            let is_whole = values + present == fields.len();
            (is_whole || values + present > 0).then_some((
                is_whole,
                values,
                present,
                usize::MAX - fields.len(),
            ))
        };
        let ranked = self.ends.iter().filter_map(|fields| Some((rank(&fields)?, fields)));
        // The first of equal ranks in the order of the file wins.
        let best = ranked.reduce(|best, next| if next.0 > best.0 { next } else { best });
        if let Some((_, fields)) = best {
            write_fields(fields.iter().map(|(name, value)| (&**name, value.as_deref())), text);
        }
    }
}
