//! A sitemap, or an index of sitemaps, as lines: the text of each `loc` of the [protocol].
//!
//! In the stream of lines, references such as `&amp;` are still written as they were, so that an unknown one
//! rejects its line alone: [`location`] replaces them after framing. Nothing that a DOCTYPE declares is
//! expanded.
//!
//! [protocol]: https://www.sitemaps.org/protocol.html

use std::borrow::Cow;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

use encoding_rs::{Decoder, DecoderResult, UTF_8};
use memchr::{memchr2, memchr3};
use quick_xml::escape::unescape;
use quick_xml::events::{BytesDecl, Event};
use quick_xml::name::ResolveResult;
use quick_xml::{Error as XmlError, NsReader};

use crate::error;
use crate::lines::chunk::{BOM, LineError};
use crate::lines::framing::decisive_len;
use crate::lines::stream::{ByteStream, CountedStream, LineSource, LineStream};
use urlid::Error;

/// The namespace of sitemaps, and a frequent misspelling of it.
const NAMESPACES: [&str; 2] =
    ["http://www.sitemaps.org/schemas/sitemap/0.9", "https://www.sitemaps.org/schemas/sitemap/0.9"];

const ROOTS: [&str; 2] = ["urlset", "sitemapindex"];

/// The most bytes of a tag, a comment or a section, but for those that were read with the last of them.
const MOST_MARKUP: usize = 1 << 20;

/// The most elements in one another. A sitemap has three, and its extensions a few more.
const MOST_DEPTH: usize = 100;

/// A character that XML does not allow, in the place of bytes that are not text. It rejects its line.
const NO_TEXT: char = '\u{ffff}';

/// Returns whether the bytes of a file begin a sitemap, or `None` if more are needed.
pub(crate) fn begins_sitemap(head: &[u8]) -> Option<bool> {
    let head = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    if head.first().is_some_and(|&first| first != b'<') {
        return if BOM.starts_with(head) { None } else { Some(false) };
    }
    // Comments may be in any encoding, and cut.
    let text = String::from_utf8_lossy(head);
    let mut reader = NsReader::from_str(&text);
    loop {
        match reader.read_resolved_event() {
            Ok((_, Event::Decl(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_))) => {}
            Ok((_, Event::Text(text))) if text.trim().is_empty() => {}
            Ok((namespace, Event::Start(tag) | Event::Empty(tag))) => {
                return Some(is_own(&namespace) && ROOTS.contains(&tag.local_name().as_ref()));
            }
            Ok((_, Event::Eof)) | Err(XmlError::Syntax(_)) => return None,
            Ok(_) | Err(_) => return Some(false),
        }
    }
}

/// Returns whether an element is in the namespace of sitemaps. Those without any namespace are read too.
fn is_own(namespace: &ResolveResult<'_>) -> bool {
    match namespace {
        ResolveResult::Bound(name) => NAMESPACES.contains(&name.as_ref()),
        ResolveResult::Unbound => true,
        ResolveResult::Unknown(_) => false,
    }
}

/// Returns the encoding that a declaration names, unless that is UTF-8. UTF-16 was decoded before, and ASCII
/// is UTF-8 too.
fn other_encoding(declaration: &BytesDecl<'_>) -> Option<String> {
    const READ: [&str; 4] = ["utf-8", "utf8", "utf-16", "us-ascii"];
    let name = declaration.encoding()?.unwrap_or_default();
    let is_read = READ.iter().any(|read| name.eq_ignore_ascii_case(read));
    (!is_read).then(|| name.into_owned())
}

/// The locations of a sitemap, a line each.
pub(crate) struct Locations {
    reader: NsReader<LimitedText>,
    buffer: Vec<u8>,
    /// The number of open elements, and that at the `loc` whose text is read.
    depth: usize,
    location: Option<usize>,
    /// The text of the location, of one that is too long only the beginning.
    text: String,
    /// The most bytes of a text.
    limit: usize,
}

impl Locations {
    /// Reads a sitemap. A location of more than `max_line` bytes may be cut, but not to so few.
    pub(crate) fn new(stream: CountedStream, max_line: usize) -> LineStream<Self> {
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
        // Frequent in sitemaps. It rejects its line alone.
        reader.config_mut().allow_dangling_amp = true;
        let (buffer, text) = (Vec::new(), String::new());
        LineStream::new(Locations { reader, buffer, depth: 0, location: None, text, limit: max_line })
    }

    /// Takes the next piece of the file. Returns whether it is not the end, or what is malformed.
    fn take(&mut self, is_own: bool, event: Event<'_>, lines: &mut Vec<u8>) -> Result<bool, &'static str> {
        match event {
            Event::Start(tag) => {
                let name = tag.local_name();
                if self.depth == 0 && !(is_own && ROOTS.contains(&name.as_ref())) {
                    return Err("the root is no `urlset` or `sitemapindex`");
                }
                if self.depth == MOST_DEPTH {
                    return Err("more than 100 elements are in one another");
                }
                self.depth += 1;
                // No text has this character, so it rejects the line.
                self.push("<");
                if is_own && name.as_ref() == "loc" && self.location.is_none() {
                    self.location = Some(self.depth);
                }
            }
            Event::End(_) => {
                if self.location == Some(self.depth) {
                    self.location = None;
                    self.end_line(lines);
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

    /// Appends to the text of a location, if the file is in one.
    fn push(&mut self, text: &str) {
        if self.location.is_some() && self.text.len() <= self.limit {
            self.text.push_str(text);
        }
    }

    /// Appends the text of a location. By the schema of the protocol, white space at its ends does not count,
    /// and that in it is one blank.
    fn end_line(&mut self, lines: &mut Vec<u8>) {
        let line = if self.text.len() <= self.limit {
            self.text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            // Framing rejects it.
            self.text.replace(|character: char| character.is_ascii_whitespace(), " ")
        };
        lines.extend_from_slice(line.as_bytes());
        lines.push(b'\n');
        self.text.clear();
    }
}

impl LineSource for Locations {
    fn read_piece(&mut self, lines: &mut Vec<u8>) -> Result<bool, Error> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        self.reader.get_mut().piece = 0;
        let read = self.reader.read_resolved_event_into(&mut buffer);
        let taken = match read.map(|(namespace, event)| (is_own(&namespace), event)) {
            Ok((_, Event::Decl(declaration))) => match other_encoding(&declaration) {
                Some(name) => return Err(error::ENCODING.error().with_found(&name)),
                None => Ok(true),
            },
            Ok((is_own, event)) => self.take(is_own, event, lines),
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

/// Returns the text that a location stands for.
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

/// The text of a stream, with little memory for each piece of the file: a text over the limit is cut, and
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
                // With room for bytes that the decoder kept.
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
