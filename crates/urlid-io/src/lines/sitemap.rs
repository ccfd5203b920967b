//! A sitemap, or an index of sitemaps, as lines: the text of each `loc` of the [protocol].
//!
//! In the stream of lines, references such as `&amp;` are still written as they were, so that an unknown one
//! refuses its line alone: [`location`] replaces them after framing. Nothing that a DOCTYPE declares is
//! expanded.
//!
//! [protocol]: https://www.sitemaps.org/protocol.html

use std::borrow::Cow;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

use encoding_rs::{Decoder, DecoderResult, Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr2, memchr3};
use quick_xml::escape::unescape;
use quick_xml::events::{BytesDecl, Event};
use quick_xml::name::ResolveResult;
use quick_xml::{Error as XmlError, NsReader};

use crate::error;
use crate::lines::framing::decisive_len;
use crate::lines::line::{BOM, LineError};
use crate::lines::stream::{ByteStream, CountedStream, copy_some};
use urlid::Error;

/// The namespace of sitemaps, and a frequent misspelling of it.
const NAMESPACES: [&str; 2] =
    ["http://www.sitemaps.org/schemas/sitemap/0.9", "https://www.sitemaps.org/schemas/sitemap/0.9"];

const ROOTS: [&str; 2] = ["urlset", "sitemapindex"];

/// The bytes that are read at once.
const STEP: usize = 64 << 10;

/// The most bytes of a tag, a comment or a section, but for those that were read with the last of them.
const MOST_MARKUP: usize = 1 << 20;

/// The most elements in one another. A sitemap has three, and its extensions a few more.
const MOST_DEPTH: usize = 100;

/// A character that XML does not allow, in the place of bytes that are not text. It refuses its line.
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

/// Returns the encoding that a declaration names, by default UTF-8, or `None` for one that is not read.
fn encoding_of(declaration: &BytesDecl<'_>) -> Option<&'static Encoding> {
    let Some(Ok(name)) = declaration.encoding() else { return Some(UTF_8) };
    let encoding = Encoding::for_label(name.as_bytes()).filter(|encoding| *encoding != REPLACEMENT);
    // The declaration was read as ASCII, so UTF-16 was decoded before. Browsers read windows-1252 as ASCII.
    let is_utf8 = name.eq_ignore_ascii_case("us-ascii")
        || encoding.is_some_and(|encoding| [UTF_16LE, UTF_16BE].contains(&encoding));
    if is_utf8 { Some(UTF_8) } else { encoding }
}

/// The locations of a sitemap, a line each.
pub(crate) struct Locations {
    reader: NsReader<LimitedText>,
    encoding: &'static Encoding,
    event: Vec<u8>,
    lines: LocationLines,
    /// The bytes of the lines that were returned.
    used: usize,
}

impl Locations {
    /// Reads a sitemap, of which the head of the stream is enough to recognise it. A location of more than
    /// `limit` bytes may be cut, and is still longer than that.
    pub(crate) fn new(stream: CountedStream, limit: usize) -> Self {
        let head = String::from_utf8_lossy(&stream.head);
        let encoding = match NsReader::from_str(head.trim_start()).read_event() {
            // An encoding that is not read, or that contradicts a mark, is reported at the declaration.
            Ok(Event::Decl(declaration)) if !head.starts_with('\u{feff}') => encoding_of(&declaration),
            _ => None,
        };
        let encoding = encoding.unwrap_or(UTF_8);
        let mut reader = NsReader::from_reader(LimitedText {
            stream,
            decoder: encoding.new_decoder_with_bom_removal(),
            bytes: vec![0; STEP],
            text: String::new(),
            used: 0,
            is_at_end: false,
            limit: decisive_len(limit),
            piece: 0,
            is_markup: false,
            cut: 0,
        });
        reader.config_mut().expand_empty_elements = true;
        // Frequent in sitemaps. It refuses its line alone.
        reader.config_mut().allow_dangling_amp = true;
        Locations { reader, encoding, event: Vec::new(), lines: LocationLines::default(), used: 0 }
    }

    /// Reads a tag, a text or another piece of the file. Returns whether there is one.
    fn step(&mut self) -> Result<bool, Error> {
        self.event.clear();
        let text = self.reader.get_mut();
        text.piece = 0;
        let cut = text.cut;
        let read = self.reader.read_resolved_event_into(&mut self.event);
        let read = read.map(|(namespace, event)| (is_own(&namespace), event));
        let text = self.reader.get_ref();
        let taken = match read {
            Ok((_, Event::Decl(declaration))) if encoding_of(&declaration) != Some(self.encoding) => {
                let name = declaration.encoding().and_then(Result::ok).unwrap_or_default();
                return Err(error::ENCODING.error().with_found(&name));
            }
            Ok((is_own, event)) => self.lines.take(is_own, event, text.cut > cut),
            Err(XmlError::Io(_)) if text.is_too_long() => {
                Err("a tag, comment or section is longer than 1 MiB")
            }
            // The stream reports why.
            Err(XmlError::Io(source)) => {
                return Err(error::read(Arc::try_unwrap(source).unwrap_or_else(io::Error::other)));
            }
            Err(XmlError::Syntax(_)) => Err("the file ends in a tag, comment or section"),
            Err(XmlError::IllFormed(_)) => Err("an end tag is not that of the open element"),
            Err(_) => Err("a namespace cannot be declared so"),
        };
        taken.map_err(|found| {
            let offset = self.reader.buffer_position() + self.reader.get_ref().cut;
            error::MARKUP.error().with_subject("sitemap").with_number(offset).with_shown(found)
        })
    }
}

impl ByteStream for Locations {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        while self.used == self.lines.text.len() && !room.is_empty() {
            self.used = 0;
            self.lines.text.clear();
            if !self.step()? {
                return Ok(0);
            }
        }
        Ok(copy_some(&self.lines.text, &mut self.used, room))
    }

    fn is_ready(&mut self) -> bool {
        self.used < self.lines.text.len() || self.reader.get_mut().stream.is_ready()
    }
}

/// Makes lines of the elements and texts of a sitemap.
#[derive(Default)]
struct LocationLines {
    /// The lines that are not returned yet.
    text: Vec<u8>,
    /// The number of open elements.
    depth: usize,
    /// The number of them at the `loc` whose text is read.
    location: Option<usize>,
    /// Whether the location has a text, and whether white space follows that.
    is_begun: bool,
    is_after_space: bool,
}

impl LocationLines {
    /// Takes the next piece of the file. Returns whether it is not the end, or what is malformed.
    fn take(&mut self, is_own: bool, event: Event<'_>, is_cut: bool) -> Result<bool, &'static str> {
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
                if self.location.is_some() {
                    // No text has this character, so it refuses the line.
                    self.text.push(b'<');
                } else if is_own && name.as_ref() == "loc" {
                    (self.location, self.is_begun, self.is_after_space) = (Some(self.depth), false, false);
                }
            }
            Event::End(_) => {
                if self.location == Some(self.depth) {
                    self.location = None;
                    self.text.push(b'\n');
                }
                self.depth = self.depth.saturating_sub(1);
            }
            // Too long, even if it begins with white space alone.
            Event::Text(text) if is_cut && self.location.is_some() => {
                self.text.extend(text.bytes().map(|byte| if is_space(byte) { b' ' } else { byte }));
            }
            // A mark is between two sitemaps that were joined.
            Event::Text(text) if self.depth == 0 && text.trim_matches('\u{feff}').trim().is_empty() => {}
            Event::Text(text) => self.take_text(&text)?,
            Event::CData(text) => self.take_text(&text.replace('&', "&amp;").replace('<', "&lt;"))?,
            Event::GeneralRef(name) => self.take_text(&format!("&{};", &*name))?,
            Event::Eof if self.depth > 0 => return Err("the file ends in an element"),
            Event::Eof => return Ok(false),
            Event::Comment(_) | Event::Decl(_) | Event::DocType(_) | Event::Empty(_) | Event::PI(_) => {}
        }
        Ok(true)
    }

    /// Takes a text. By the schema of the protocol, white space around a location is dropped, and that in it
    /// is one blank.
    fn take_text(&mut self, text: &str) -> Result<(), &'static str> {
        if self.depth == 0 {
            return Err("text is outside of the root");
        }
        for byte in text.bytes().filter(|_| self.location.is_some()) {
            if is_space(byte) {
                self.is_after_space = self.is_begun;
                continue;
            }
            if std::mem::take(&mut self.is_after_space) {
                self.text.push(b' ');
            }
            self.is_begun = true;
            self.text.push(byte);
        }
        Ok(())
    }
}

/// White space of XML.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Returns the text that a location stands for.
pub(crate) fn location(line: &[u8]) -> Result<Cow<'_, [u8]>, LineError> {
    // The last is the first byte of NO_TEXT.
    if memchr3(b'&', b'<', 0xef, line).is_none() {
        return Ok(Cow::Borrowed(line));
    }
    let text = str::from_utf8(line).ok().filter(|text| !text.contains('<')).ok_or(LineError::Location)?;
    let text = unescape(text).map_err(|_| LineError::Location)?;
    // A reference to a line end would make two lines.
    let text = text.replace(['\t', '\r', '\n'], " ");
    // The byte ff is never UTF-8.
    Ok(Cow::Owned(text.split(NO_TEXT).map(str::as_bytes).collect::<Vec<_>>().join(&0xff)))
}

/// The text of a stream in UTF-8, with little memory for each piece of the file: a text over the limit is
/// cut, and markup over its limit is an error.
struct LimitedText {
    stream: CountedStream,
    decoder: Decoder,
    bytes: Vec<u8>,
    text: String,
    /// The bytes of `text` that were returned.
    used: usize,
    is_at_end: bool,
    /// The most bytes of a text.
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
        self.used = 0;
        self.text.clear();
        while self.text.is_empty() && !self.is_at_end {
            let n = ByteStream::read(&mut self.stream, &mut self.bytes).map_err(error::wrapped)?;
            self.is_at_end = n == 0;
            let mut bytes = &self.bytes[..n];
            loop {
                // The most of any encoding.
                self.text.reserve(3 * bytes.len() + 16);
                let (result, read) =
                    self.decoder.decode_to_string_without_replacement(bytes, &mut self.text, self.is_at_end);
                bytes = &bytes[read..];
                match result {
                    DecoderResult::InputEmpty => break,
                    DecoderResult::OutputFull => {}
                    DecoderResult::Malformed(..) => self.text.push(NO_TEXT),
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
            let rest = &self.text.as_bytes()[self.used..];
            if self.is_too_long() {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
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
