//! A sitemap, or an index of sitemaps, as lines: the text of each `loc` of the [protocol]. RSS and Atom,
//! which the protocol counts as sitemaps, give their links.
//!
//! References such as `&amp;` stay unchanged in the stream of lines, so that an unknown reference rejects
//! only its own line. [`location`] replaces them after framing. Declarations in a DOCTYPE are never expanded.
//!
//! [protocol]: https://www.sitemaps.org/protocol.html

use std::borrow::Cow;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

use encoding_rs::{Decoder, DecoderResult, UTF_8};
use memchr::{memchr2, memchr3};
use quick_xml::escape::unescape;
use quick_xml::events::{BytesDecl, BytesStart, Event};
use quick_xml::name::ResolveResult;
use quick_xml::{Error as XmlError, NsReader};
use serde::Serialize;

use crate::error;
use crate::lines::chunk::{BOM, LineError};
use crate::lines::framing::decisive_len;
use crate::lines::options::LineOptions;
use crate::lines::stream::{ByteStream, CountedStream, LineSource, LineStream};
use urlid::Error;

/// The namespace of sitemaps and a frequent misspelling of it.
const NAMESPACES: [&str; 2] =
    ["http://www.sitemaps.org/schemas/sitemap/0.9", "https://www.sitemaps.org/schemas/sitemap/0.9"];

const ATOM: &str = "http://www.w3.org/2005/Atom";
const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// A document with URLs, by its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Document {
    Sitemap,
    /// An index of sitemaps.
    Index,
    Rss,
    Atom,
}

impl Document {
    fn of_root(namespace: &ResolveResult<'_>, name: &str) -> Option<Self> {
        match name {
            "urlset" if is_own(namespace) || is_foreign(namespace) => Some(Document::Sitemap),
            "sitemapindex" if is_own(namespace) || is_foreign(namespace) => Some(Document::Index),
            "rss" if *namespace == ResolveResult::Unbound => Some(Document::Rss),
            "feed" if matches!(namespace, ResolveResult::Bound(name) if name.as_ref() == ATOM) => {
                Some(Document::Atom)
            }
            _ => None,
        }
    }

    /// Returns whether the URLs come from a sitemap or an index of sitemaps.
    pub(crate) fn is_sitemap(self) -> bool {
        matches!(self, Document::Sitemap | Document::Index)
    }
}

/// The most bytes of a tag, a comment or a section. The bytes that were read together with its end do not
/// count.
const MOST_MARKUP: usize = 1 << 20;

/// The deepest nesting of elements. A sitemap has three levels, and its extensions a few more.
const MOST_DEPTH: usize = 100;

/// A character that XML does not allow, in the place of bytes that are not text. It rejects its line.
const NO_TEXT: char = '\u{ffff}';

/// Returns the kind of document that starts with these bytes, or `None` if more bytes are needed.
pub(crate) fn document(head: &[u8]) -> Option<Option<Document>> {
    root(head).map(|root| root.map(|(document, _)| document))
}

/// Returns the namespace of a sitemap if it is not the one of the protocol.
pub(crate) fn foreign_namespace(head: &[u8]) -> Option<String> {
    root(head)??.1
}

/// Returns the kind of document that starts with these bytes, and its namespace if that is a foreign
/// namespace for sitemaps.
fn root(head: &[u8]) -> Option<Option<(Document, Option<String>)>> {
    let head = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    if head.first().is_some_and(|&first| first != b'<') {
        return if BOM.starts_with(head) { None } else { Some(None) };
    }
    // Comments may be in any encoding, and cut.
    let text = String::from_utf8_lossy(head);
    let mut reader = NsReader::from_str(&text);
    loop {
        match reader.read_resolved_event() {
            Ok((_, Event::Decl(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_))) => {}
            Ok((_, Event::Text(text))) if text.trim().is_empty() => {}
            Ok((namespace, Event::Start(tag) | Event::Empty(tag))) => {
                let document = Document::of_root(&namespace, tag.local_name().as_ref());
                let foreign = match &namespace {
                    ResolveResult::Bound(name) if is_foreign(&namespace) => Some(name.as_ref().to_owned()),
                    _ => None,
                };
                return Some(document.map(|document| (document, foreign)));
            }
            Ok((_, Event::Eof)) | Err(XmlError::Syntax(_)) => return None,
            Ok(_) | Err(_) => return Some(None),
        }
    }
}

/// Returns whether an element is in the namespace of sitemaps. Elements without a namespace are also read.
fn is_own(namespace: &ResolveResult<'_>) -> bool {
    match namespace {
        ResolveResult::Bound(name) => NAMESPACES.contains(&name.as_ref()),
        ResolveResult::Unbound => true,
        ResolveResult::Unknown(_) => false,
    }
}

/// Returns whether a namespace is an older or misspelt one of sitemaps, such as Google's
/// `http://www.google.com/schemas/sitemap/0.84`.
fn is_foreign(namespace: &ResolveResult<'_>) -> bool {
    matches!(namespace, ResolveResult::Bound(name) if name.as_ref().contains("/sitemap/") && !is_own(namespace))
}

/// Returns the encoding that a declaration names, unless that is UTF-8. UTF-16 was decoded before, and ASCII
/// is a subset of UTF-8.
fn other_encoding(declaration: &BytesDecl<'_>) -> Option<String> {
    const READ: [&str; 4] = ["utf-8", "utf8", "utf-16", "us-ascii"];
    let name = declaration.encoding()?.unwrap_or_default();
    let is_read = READ.iter().any(|read| name.eq_ignore_ascii_case(read));
    (!is_read).then(|| name.into_owned())
}

/// The locations of a sitemap or feed, a line each.
pub(crate) struct Locations {
    reader: NsReader<LimitedText>,
    buffer: Vec<u8>,
    document: Document,
    /// The namespace of the root, empty if the root lacks one.
    namespace: String,
    /// The number of open elements, and the number at the element whose text is read.
    depth: usize,
    field: Option<(usize, Field)>,
    /// The text of the element. If the text is too long, only its start.
    text: String,
    /// The most bytes of a text.
    limit: usize,
    options: LineOptions,
    /// The entry that is read, if rows are made, and the number of open elements at it.
    row: Option<(usize, SitemapRow)>,
    /// Whether the last element of a channel is an item.
    is_in_item: bool,
}

/// The context of an element: everything except its name.
struct Resolved {
    is_own: bool,
    is_xhtml: bool,
    /// If the element is the root: its kind of document and its namespace.
    root: Option<(Document, String)>,
}

/// The element whose text is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Location,
    Date,
}

/// A row of a sitemap, of a feed or of robots.txt.
#[derive(Default, Serialize)]
pub(crate) struct SitemapRow {
    url: String,
    /// `page`, or `sitemap` for one of an index.
    kind: &'static str,
    lastmod: Option<String>,
    alternates: Vec<Alternate>,
}

/// The same page in a different language.
#[derive(Serialize)]
struct Alternate {
    hreflang: String,
    url: String,
}

impl SitemapRow {
    pub(crate) fn new(url: &str, kind: &'static str) -> Self {
        SitemapRow { url: url.to_owned(), kind, ..SitemapRow::default() }
    }

    /// Appends the row as a line of JSON that is free of references, so that [`location`] leaves it
    /// unchanged.
    pub(crate) fn push_to(&self, lines: &mut Vec<u8>) {
        let json = serde_json::to_string(self).unwrap_or_default();
        lines.extend_from_slice(json.replace('&', "\\u0026").replace('<', "\\u003c").as_bytes());
        lines.push(b'\n');
    }
}

impl Locations {
    /// Reads a sitemap. A location of more than `max_line` bytes may be cut, but not to so few.
    pub(crate) fn new(stream: CountedStream, options: LineOptions) -> LineStream<Self> {
        let max_line = options.max_line;
        let mut reader = NsReader::from_reader(LimitedText {
            stream,
            decoder: UTF_8.new_decoder_with_bom_removal(),
            text: String::new(),
            used: 0,
            is_at_end: false,
            limit: decisive_len(max_line),
            piece: 0,
            is_markup: false,
            cut: 0,
        });
        reader.config_mut().expand_empty_elements = true;
        // A lone `&` is frequent in sitemaps. It rejects only its own line.
        reader.config_mut().allow_dangling_amp = true;
        let (buffer, text) = (Vec::new(), String::new());
        LineStream::new(Locations {
            reader,
            buffer,
            document: Document::Sitemap,
            namespace: String::new(),
            depth: 0,
            field: None,
            text,
            limit: max_line,
            options,
            row: None,
            is_in_item: false,
        })
    }

    /// Reads the next piece of the file. Returns `false` at the end, or the reason why the piece is
    /// malformed.
    fn take(
        &mut self,
        resolved: Resolved,
        event: Event<'_>,
        lines: &mut Vec<u8>,
    ) -> Result<bool, &'static str> {
        match event {
            Event::Start(tag) => {
                if self.depth == 0 {
                    let root =
                        resolved.root.as_ref().ok_or("the root element is not `urlset` or `sitemapindex`")?;
                    (self.document, self.namespace) = root.clone();
                }
                if self.depth == MOST_DEPTH {
                    return Err("more than 100 elements are nested");
                }
                self.depth += 1;
                // A text cannot contain this character, so it rejects the line.
                self.push("<");
                self.begin(&resolved, tag.local_name().as_ref(), &tag, lines);
            }
            Event::End(_) => {
                if let Some((_, field)) = self.field.take_if(|(depth, _)| *depth == self.depth) {
                    self.end_field(field, lines);
                }
                if let Some((_, row)) = self.row.take_if(|(depth, _)| *depth == self.depth)
                    && !row.url.is_empty()
                {
                    row.push_to(lines);
                }
                self.depth = self.depth.saturating_sub(1);
            }
            // A mark is between two sitemaps that were joined.
            Event::Text(text) if self.depth == 0 && text.trim_matches('\u{feff}').trim().is_empty() => {}
            Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) if self.depth == 0 => {
                return Err("text is outside of the root");
            }
            Event::Text(text) => self.push(&text),
            Event::CData(text) => self.push(&text.replace('&', "&amp;").replace('<', "&lt;")),
            Event::GeneralRef(name) => self.push(&format!("&{};", &*name)),
            Event::Eof if self.depth > 0 => return Err("the file ends in an element"),
            Event::Eof => return Ok(false),
            Event::Comment(_) | Event::Decl(_) | Event::DocType(_) | Event::Empty(_) | Event::PI(_) => {}
        }
        Ok(true)
    }

    /// Starts an element that has a URL, a date or both.
    fn begin(&mut self, resolved: &Resolved, name: &str, tag: &BytesStart<'_>, lines: &mut Vec<u8>) {
        let (is_own, is_entry) = (resolved.is_own, self.row.is_some());
        if self.depth == 3 {
            self.is_in_item = name == "item";
        }
        let field = match (self.document, name) {
            _ if !self.is_wanted() || self.field.is_some() => None,
            (Document::Sitemap, "url")
            | (Document::Index, "sitemap")
            | (Document::Rss, "item")
            | (Document::Atom, "entry")
                if is_own && self.options.has_sitemap_rows =>
            {
                let kind = if self.document == Document::Index { "sitemap" } else { "page" };
                self.row = Some((self.depth, SitemapRow::new("", kind)));
                None
            }
            (Document::Sitemap | Document::Index, "loc") if is_own => Some(Field::Location),
            // A link of the channel or of an item, but not of an image.
            (Document::Rss, "link") if is_own && (self.depth == 3 || self.is_in_item) => {
                Some(Field::Location)
            }
            (Document::Atom, "link") if is_own => {
                if matches!(attribute(tag, "rel").as_deref(), None | Some("alternate"))
                    && let Some(href) = attribute(tag, "href")
                {
                    self.push_link(&href, lines);
                }
                None
            }
            (Document::Sitemap, "link") if is_entry && resolved.is_xhtml => {
                let found = (attribute(tag, "hreflang"), attribute(tag, "href"), &mut self.row);
                if let (hreflang, Some(url), Some((_, row))) = found {
                    row.alternates.push(Alternate { hreflang: hreflang.unwrap_or_default(), url });
                }
                None
            }
            (Document::Sitemap | Document::Index, "lastmod")
            | (Document::Rss, "pubDate")
            | (Document::Atom, "updated")
                if is_own && is_entry =>
            {
                Some(Field::Date)
            }
            _ => None,
        };
        self.field = self.field.or(field.map(|field| (self.depth, field)));
    }

    /// Returns whether the entries of the document are read.
    fn is_wanted(&self) -> bool {
        self.options.sitemaps.contains(self.document == Document::Index)
    }

    /// Appends a URL from an attribute with its references replaced.
    fn push_link(&mut self, url: &str, lines: &mut Vec<u8>) {
        match &mut self.row {
            Some((_, row)) if row.url.is_empty() => url.clone_into(&mut row.url),
            Some(_) => {}
            None if self.options.has_sitemap_rows => {
                SitemapRow::new(url, "page").push_to(lines);
            }
            None => {
                lines.extend_from_slice(url.replace('&', "&amp;").replace('<', "&lt;").as_bytes());
                lines.push(b'\n');
            }
        }
    }

    /// Appends to the text of an element, if the reader is inside an element whose text is read.
    fn push(&mut self, text: &str) {
        if self.field.is_some() && self.text.len() <= self.limit {
            self.text.push_str(text);
        }
    }

    /// Ends the text of an element. By the schema of the protocol, white space at its ends does not count, and
    /// that in it is one blank.
    fn end_field(&mut self, field: Field, lines: &mut Vec<u8>) {
        let is_short = self.text.len() <= self.limit;
        let text = if is_short {
            self.text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            // Framing rejects it.
            self.text.replace(|character: char| character.is_ascii_whitespace(), " ")
        };
        self.text.clear();
        let replaced =
            location(text.as_bytes()).ok().and_then(|text| String::from_utf8(text.into_owned()).ok());
        match (field, replaced) {
            (Field::Location, Some(url)) if self.options.has_sitemap_rows && is_short => {
                self.push_link(&url, lines);
            }
            // A text that is not a URL rejects its line, even in rows.
            (Field::Location, _) => {
                lines.extend_from_slice(text.as_bytes());
                lines.push(b'\n');
            }
            (Field::Date, date) => {
                if let Some((_, row)) = &mut self.row {
                    row.lastmod = date.filter(|date| !date.is_empty());
                }
            }
        }
    }
}

/// Returns the namespace of an element, empty if the element lacks one.
fn text_of<'n>(namespace: &'n ResolveResult<'_>) -> &'n str {
    match namespace {
        ResolveResult::Bound(name) => name.as_ref(),
        ResolveResult::Unbound | ResolveResult::Unknown(_) => "",
    }
}

/// Returns the value of an attribute, with its references replaced. A line end in it is a blank.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(name).ok()??;
    let value = unescape(&attribute.value).ok()?;
    Some(value.replace(['\t', '\r', '\n'], " ").trim().to_owned())
}

impl LineSource for Locations {
    fn read_piece(&mut self, lines: &mut Vec<u8>) -> Result<bool, Error> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        self.reader.get_mut().piece = 0;
        let read = self.reader.read_resolved_event_into(&mut buffer);
        let (own, document, depth) = (&self.namespace, self.document, self.depth);
        let taken = match read.map(|(namespace, event)| {
            let root = match &event {
                Event::Start(tag) if depth == 0 => {
                    let document = Document::of_root(&namespace, tag.local_name().as_ref());
                    document.map(|document| (document, text_of(&namespace).to_owned()))
                }
                _ => None,
            };
            let text = text_of(&namespace);
            let is_own = text == own || document.is_sitemap() && is_own(&namespace);
            (Resolved { is_own, is_xhtml: text == XHTML, root }, event)
        }) {
            Ok((_, Event::Decl(declaration))) => match other_encoding(&declaration) {
                Some(name) => return Err(error::ENCODING.error().with_found(&name)),
                None => Ok(true),
            },
            Ok((resolved, event)) => self.take(resolved, event, lines),
            Err(XmlError::Io(_)) if self.reader.get_ref().is_too_long() => {
                Err("a tag, comment or section is longer than 1 MiB")
            }
            // The stream reports why.
            Err(XmlError::Io(source)) => {
                return Err(error::read(Arc::try_unwrap(source).unwrap_or_else(io::Error::other)));
            }
            Err(XmlError::Syntax(_)) => Err("a tag, comment or section is malformed or not closed"),
            Err(XmlError::IllFormed(_)) => Err("an end tag is not that of the open element"),
            Err(_) => Err("a namespace cannot be declared so"),
        };
        self.buffer = buffer;
        taken.map_err(|found| {
            let offset = self.reader.buffer_position() + self.reader.get_ref().cut;
            error::MARKUP.error().with_subject("sitemap").with_number(offset).with_shown(found)
        })
    }

    fn is_ready(&mut self) -> bool {
        self.reader.get_mut().stream.is_ready()
    }
}

/// Returns the text of a location with its references replaced.
pub(crate) fn location(line: &[u8]) -> Result<Cow<'_, [u8]>, LineError> {
    // The last is the first byte of NO_TEXT.
    if memchr3(b'&', b'<', 0xef, line).is_none() {
        return Ok(Cow::Borrowed(line));
    }
    let text = str::from_utf8(line).ok().filter(|text| !text.contains('<')).ok_or(LineError::Location)?;
    let read = |text| {
        let text = unescape(text).map_err(|_| LineError::Location)?;
        // A reference to a line end would make two lines.
        Ok(text.replace(['\t', '\r', '\n'], " ").into_bytes())
    };
    // The byte ff is never UTF-8.
    Ok(Cow::Owned(text.split(NO_TEXT).map(read).collect::<Result<Vec<_>, _>>()?.join(&0xff)))
}

/// The text of a stream, with little memory for each piece of the file. A text over the limit is cut, and
/// markup over its limit is an error.
struct LimitedText {
    stream: CountedStream,
    decoder: Decoder,
    text: String,
    /// The bytes of `text` that were returned.
    used: usize,
    is_at_end: bool,
    limit: usize,
    /// The bytes that were returned of this piece, which is markup or text.
    piece: usize,
    is_markup: bool,
    /// The number of bytes that were dropped.
    cut: u64,
}

impl LimitedText {
    fn is_too_long(&self) -> bool {
        self.is_markup && self.piece > MOST_MARKUP
    }

    /// Replaces `text` by the next bytes, decoded. It is empty at the end only.
    fn decode(&mut self) -> io::Result<()> {
        let mut room = [0; 16 << 10];
        self.used = 0;
        self.text.clear();
        while self.text.is_empty() && !self.is_at_end {
            let n = Read::read(&mut self.stream, &mut room)?;
            self.is_at_end = n == 0;
            let mut bytes = &room[..n];
            loop {
                // Includes room for bytes that the decoder kept.
                self.text.reserve(bytes.len() + 16);
                let (result, read) =
                    self.decoder.decode_to_string_without_replacement(bytes, &mut self.text, self.is_at_end);
                bytes = &bytes[read..];
                match result {
                    DecoderResult::Malformed(..) => self.text.push(NO_TEXT),
                    DecoderResult::OutputFull => {}
                    DecoderResult::InputEmpty => break,
                }
            }
        }
        Ok(())
    }
}

impl BufRead for LimitedText {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        loop {
            if self.used == self.text.len() {
                self.decode()?;
            }
            if self.is_too_long() {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            let rest = &self.text.as_bytes()[self.used..];
            if rest.is_empty() || self.piece < self.limit || self.is_markup {
                break;
            }
            let end = memchr2(b'<', b'&', rest).unwrap_or(rest.len());
            self.used += end;
            self.cut += end as u64;
            if self.used < self.text.len() {
                break;
            }
        }
        Ok(&self.text.as_bytes()[self.used..])
    }

    fn consume(&mut self, n: usize) {
        if self.piece == 0 {
            self.is_markup = self.text.as_bytes().get(self.used) == Some(&b'<');
        }
        self.piece += n;
        self.used += n;
    }
}

impl Read for LimitedText {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(room)?;
        self.consume(n);
        Ok(n)
    }
}
