//! Bookmarks in HTML, as exported by browsers, as lines: the `HREF` of each `A`.

use html5gum::{Emitter, Error as HtmlError, IoReader, State, Tokenizer};
use memchr::memmem;

use crate::error;
use crate::lines::chunk::BOM;
use crate::lines::framing::decisive_len;
use crate::lines::stream::{CountedStream, LineSource, LineStream};
use urlid::Error;

const START: &[u8] = b"<!DOCTYPE NETSCAPE-Bookmark-file-1";

/// Returns whether a file that starts with these bytes has bookmarks, or `None` if more bytes are needed.
pub(crate) fn begins_bookmarks(head: &[u8]) -> Option<bool> {
    let text = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    let compared = text.len().min(START.len());
    let is_start = text[..compared].eq_ignore_ascii_case(&START[..compared]);
    let is_open = is_start && compared < START.len() || BOM.starts_with(text);
    if is_open || is_start {
        return (!is_open).then_some(true);
    }
    begins_without_doctype(text)
}

/// Returns whether HTML has the signs of bookmarks from services that omit this DOCTYPE: Google Bookmarks and
/// Pocket.
fn begins_without_doctype(text: &[u8]) -> Option<bool> {
    const STARTS: [&[u8]; 4] = [b"<META ", b"<TITLE>", b"<H1>", b"<HTML>"];
    let is_start = |start: &&[u8]| {
        let compared = text.len().min(start.len());
        text[..compared].eq_ignore_ascii_case(&start[..compared])
    };
    if !STARTS.iter().any(is_start) {
        return Some(false);
    }
    let lower = text.to_ascii_lowercase();
    let has = |sign: &[u8]| memmem::find(&lower, sign).is_some();
    (has(b"<dl><p>") || has(b" time_added=\"")).then_some(true)
}

/// The URLs of bookmarks, a line each.
pub(crate) struct Bookmarks(Tokenizer<IoReader<CountedStream>, Links>);

impl Bookmarks {
    /// Reads bookmarks. A URL of more than `limit` bytes may be cut, and is still longer than that.
    pub(crate) fn new(stream: CountedStream, limit: usize) -> LineStream<Self> {
        let links = Links { limit: decisive_len(limit), ..Links::default() };
        LineStream::new(Bookmarks(Tokenizer::new_with_emitter(IoReader::new(stream), links)))
    }
}

impl LineSource for Bookmarks {
    fn read_piece(&mut self, lines: &mut Vec<u8>) -> Result<bool, Error> {
        let Some(url) = self.0.next() else { return Ok(false) };
        lines.append(&mut url.map_err(error::read)??);
        lines.push(b'\n');
        Ok(true)
    }

    fn is_ready(&mut self) -> bool {
        // The stream is inside of the tokenizer. Bookmarks are small, and in files.
        true
    }
}

/// Collects the first `href` of each tag `a` and ignores the rest of the file.
#[derive(Default)]
struct Links {
    limit: usize,
    /// The first bytes of the names of the tag and of its attribute.
    tag: Vec<u8>,
    attribute: Vec<u8>,
    url: Option<Vec<u8>>,
    taken: Option<Result<Vec<u8>, Error>>,
    offset: u64,
}

/// The bytes that are kept of a name, more than any that is compared has.
const MOST_NAME: usize = 8;

/// Appends bytes up to a length, without line ends, which the URL Standard drops.
fn push(text: &mut Vec<u8>, bytes: &[u8], most: usize) {
    let bytes = bytes.iter().filter(|byte| !b"\r\n".contains(byte));
    text.extend(bytes.take(most.saturating_sub(text.len())));
}

impl Emitter for Links {
    type Token = Result<Vec<u8>, Error>;

    fn pop_token(&mut self) -> Option<Self::Token> {
        self.taken.take()
    }

    fn emit_error(&mut self, error: HtmlError) {
        if error == HtmlError::EofInTag {
            let error = error::MARKUP.error().with_subject("list of bookmarks").with_number(self.offset);
            self.taken = Some(Err(error.with_shown("the file ends in a tag")));
        }
    }

    fn move_position(&mut self, offset: isize) {
        self.offset = self.offset.saturating_add_signed(offset as i64);
    }

    fn init_start_tag(&mut self) {
        self.tag.clear();
        self.attribute.clear();
        self.url = None;
    }

    fn init_end_tag(&mut self) {
        self.init_start_tag();
        self.tag.push(b'/');
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        push(&mut self.tag, name, MOST_NAME);
    }

    fn init_attribute(&mut self) {
        // Only the first of a name counts in HTML, even one without a value.
        self.push_attribute_value(b"");
        self.attribute.clear();
        if self.url.is_some() {
            self.attribute.push(b'/');
        }
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        push(&mut self.attribute, name, MOST_NAME);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        if self.tag == b"a" && self.attribute == b"href" {
            push(self.url.get_or_insert_default(), value, self.limit);
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.taken = self.url.take().filter(|url| !url.is_empty()).map(Ok);
        None
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        false
    }

    fn set_last_start_tag(&mut self, _: Option<&[u8]>) {}
    fn emit_eof(&mut self) {}
    fn emit_string(&mut self, _: &[u8]) {}
    fn init_comment(&mut self) {}
    fn emit_current_comment(&mut self) {}
    fn emit_current_doctype(&mut self) {}
    fn set_self_closing(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}
