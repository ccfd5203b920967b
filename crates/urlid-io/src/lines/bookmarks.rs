//! Bookmarks in HTML, as browsers export them, as lines: the `HREF` of each `A`.

use html5gum::{Emitter, Error as HtmlError, IoReader, State, Tokenizer};

use crate::error;
use crate::lines::framing::decisive_len;
use crate::lines::line::BOM;
use crate::lines::stream::{ByteStream, CountedStream, copy_some};
use urlid::Error;

const START: &[u8] = b"<!DOCTYPE NETSCAPE-Bookmark-file-1";

/// Returns whether the bytes of a file begin bookmarks, or `None` if more are needed.
pub(crate) fn begins_bookmarks(head: &[u8]) -> Option<bool> {
    let text = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    let compared = text.len().min(START.len());
    let is_start = text[..compared].eq_ignore_ascii_case(&START[..compared]);
    let is_open = is_start && compared < START.len() || BOM.starts_with(text);
    (!is_open).then_some(is_start)
}

/// The URLs of bookmarks, a line each.
pub(crate) struct Bookmarks {
    tokenizer: Tokenizer<IoReader<CountedStream>, Links>,
    lines: Vec<u8>,
    /// The bytes of `lines` that were returned.
    used: usize,
}

impl Bookmarks {
    /// Reads bookmarks. A URL of more than `limit` bytes may be cut, and is still longer than that.
    pub(crate) fn new(stream: CountedStream, limit: usize) -> Self {
        let links = Links { limit: decisive_len(limit), ..Links::default() };
        let tokenizer = Tokenizer::new_with_emitter(IoReader::new(stream), links);
        Bookmarks { tokenizer, lines: Vec::new(), used: 0 }
    }
}

impl ByteStream for Bookmarks {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        if self.used == self.lines.len() && !room.is_empty() {
            self.used = 0;
            self.lines = match self.tokenizer.next() {
                None => return Ok(0),
                Some(lines) => lines.map_err(error::read)??,
            };
        }
        Ok(copy_some(&self.lines, &mut self.used, room))
    }

    fn is_ready(&mut self) -> bool {
        // The stream is inside of the tokenizer. Bookmarks are small, and in files.
        true
    }
}

/// Takes the first `href` of each tag `a`, and nothing else of a file.
#[derive(Default)]
struct Links {
    limit: usize,
    /// The first bytes of the names of the tag and of its attribute.
    tag: Vec<u8>,
    attribute: Vec<u8>,
    url: Option<Vec<u8>>,
    lines: Vec<u8>,
    offset: u64,
    is_cut: bool,
}

/// Appends to a name, which is longer than any that is compared if it has this many bytes.
fn push_name(name: &mut Vec<u8>, bytes: &[u8]) {
    const MOST: usize = 8;
    name.extend(bytes.iter().take(MOST.saturating_sub(name.len())));
}

impl Emitter for Links {
    type Token = Result<Vec<u8>, Error>;

    fn pop_token(&mut self) -> Option<Self::Token> {
        if !self.lines.is_empty() {
            return Some(Ok(std::mem::take(&mut self.lines)));
        }
        let malformed = || {
            let error = error::MARKUP.error().with_subject("list of bookmarks").with_number(self.offset);
            Err(error.with_shown("the file ends in a tag"))
        };
        std::mem::take(&mut self.is_cut).then(malformed)
    }

    fn emit_error(&mut self, error: HtmlError) {
        self.is_cut |= error == HtmlError::EofInTag;
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
        push_name(&mut self.tag, name);
    }

    fn init_attribute(&mut self) {
        self.attribute.clear();
        if self.url.is_some() {
            // Only the first of a name counts in HTML.
            self.attribute.push(b'/');
        }
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        push_name(&mut self.attribute, name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        if self.tag == b"a" && self.attribute == b"href" {
            let url = self.url.get_or_insert_default();
            // The URL Standard drops line ends.
            let value = value.iter().filter(|byte| !b"\r\n".contains(byte));
            url.extend(value.take(self.limit.saturating_sub(url.len())));
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        if let Some(url) = self.url.take() {
            self.lines.extend_from_slice(&url);
            self.lines.push(b'\n');
        }
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
