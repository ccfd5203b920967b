//! URLs in text: log lines, JSON, Markdown, HTML, mail.
//!
//! A URL starts with `scheme://` and ends before the first character that no URL in prose contains. [`find_urls`]
//! and the redaction of text share one rule for its end, because a secret that the one includes and the other
//! does not would be shown.
//!
//! A crate for links in prose, such as linkify, reads `str` only, so that one bad byte hides the rest of a line.
//! It does not read `https:\/\/`, which half of all JSON has, and it ends a URL at characters that passwords and
//! tokens contain. Its results are compared in the tests.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::escape::{escaped, push_escaped};
use crate::reference::Class;

/// Whether character references such as `&amp;` are decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CharacterReferences {
    /// In lines that have a tag of HTML or XML.
    #[default]
    InLinesWithTags,
    /// In every line, because the text is HTML or XML.
    InAllLines,
}

/// A URL in a line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlInText<'t> {
    /// Its bytes in the line.
    pub range: Range<usize>,
    /// The URL, with the escapes of JSON, of server logs and of HTML decoded. Bytes that are not UTF-8 are
    /// percent-encoded.
    pub text: Cow<'t, str>,
}

/// Returns the URLs in a line, in order.
///
/// A URL starts with `scheme://`, whose slashes may be written `\/`, and ends before a blank, a control character,
/// a quotation mark, `<`, `>` or `` ` ``. After an opening bracket, `'` or `|` it ends before the closing one. The
/// punctuation `.,;:!?`, closing brackets without their opening ones, and `'` and `’` that close a quote around the
/// URL are left out at its end. `\uXXXX` and `\xXX` are escapes, and so are character references where `references`
/// says so.
///
/// ```
/// use urlid::text::{CharacterReferences, find_urls};
///
/// let line = br#"see (https://a.example/b_(c)), "https:\/\/b.example\/?x=1\u0026y=2"."#;
/// let urls = find_urls(line, CharacterReferences::default());
/// assert!(urls.map(|url| url.text).eq(["https://a.example/b_(c)", "https://b.example/?x=1&y=2"]));
/// ```
pub fn find_urls(line: &[u8], references: CharacterReferences) -> impl Iterator<Item = UrlInText<'_>> {
    let mut reader = PieceReader::new(line, references);
    let mut at = 0;
    core::iter::from_fn(move || {
        loop {
            let colon = at + memchr::memchr(b':', line.get(at..)?)?;
            // Few colons have slashes after them, and times have many.
            let is_url = has_slashes(&line[colon + 1..]);
            let Some(start) = is_url.then(|| scheme_before(line, at, colon)).flatten() else {
                at = colon + 1;
                continue;
            };
            let closer = start.checked_sub(1).and_then(|before| closer_of(line[before]));
            let piece = reader.read(start, closer);
            let rest = piece.text.get(colon - start + 3..).unwrap_or_default();
            if rest.bytes().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()) {
                at = piece.end;
                return Some(UrlInText { range: start..piece.end, text: piece.text });
            }
            at = piece.walked.max(colon + 1);
        }
    })
}

/// Returns the start of the scheme that ends at a colon, not before `from`.
fn scheme_before(line: &[u8], from: usize, colon: usize) -> Option<usize> {
    let is_of_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let len = line[from..colon].iter().rev().take_while(|byte| is_of_scheme(byte)).count();
    let name = &line[colon - len..colon];
    // The end of a sentence without a blank after it, as in `end.http://h`.
    let last = name.iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
    let is_special =
        |name: &[u8]| core::str::from_utf8(name).is_ok_and(|name| Class::of_scheme(name).is_special());
    let start = if is_special(&name[last..]) { last } else { 0 };
    let letter = name[start..].iter().position(u8::is_ascii_alphabetic)?;
    Some(colon - len + start + letter)
}

/// Returns whether two slashes follow, each of which may have backslashes before it.
fn has_slashes(rest: &[u8]) -> bool {
    let slash = |rest: &[u8]| {
        let escapes = rest.iter().take_while(|&&byte| byte == b'\\').count();
        (rest.get(escapes) == Some(&b'/')).then_some(escapes + 1)
    };
    slash(rest).is_some_and(|first| slash(&rest[first..]).is_some())
}

/// Returns the character that ends a URL after this one.
fn closer_of(opener: u8) -> Option<u8> {
    match opener {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        b'\'' | b'|' => Some(opener),
        _ => None,
    }
}

/// No URL contains the byte.
const END: u8 = 1;
/// The byte may start an escape, or a character that is not ASCII.
const ESCAPE: u8 = 2;
/// A bracket, or a character that stands on both sides.
const BRACKET: u8 = 4;
/// `/` and `:`, behind which a URL has its parts.
pub(crate) const SLASH: u8 = 8;
/// `@`, before which a URL has its user.
pub(crate) const AT: u8 = 16;
/// `?` and `#`, before which no parameter is.
pub(crate) const QUERY: u8 = 32;
/// `=`, before which a parameter has its name.
pub(crate) const EQUALS: u8 = 64;
/// `%`, which may start an encoded form of any of these.
pub(crate) const PERCENT: u8 = 128;

/// The classes of each byte.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            0..=b' ' | 0x7f | b'"' | b'<' | b'>' | b'`' => END,
            b'\\' | b'&' | 0x80.. => ESCAPE,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'\'' | b'|' => BRACKET,
            b'/' => SLASH,
            b'@' => AT,
            b'?' | b'#' => QUERY,
            b'=' => EQUALS,
            b'%' => PERCENT,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Returns the next place in a line where a piece with parts of a URL starts, and the character that ends it. The
/// brackets before the first of its parts are around the piece.
pub(crate) fn next_piece(line: &[u8], from: usize) -> Option<(usize, Option<u8>)> {
    let (mut at, mut start, mut closer) = (from, from, None);
    while let Some(&byte) = line.get(at) {
        at += 1;
        match CLASSES[usize::from(byte)] {
            END => (start, closer) = (at, None),
            BRACKET => (start, closer) = (at, closer_of(byte)),
            0 | EQUALS => {}
            ESCAPE if byte >= 0x80 => {
                let Some(character) = first_character(&line[at - 1..]) else { continue };
                at += character.len_utf8() - 1;
                if ends_url(character) {
                    (start, closer) = (at, None);
                }
            }
            _ => return Some((start, closer)),
        }
    }
    None
}

/// A part of a line without a character that ends a URL, decoded.
pub(crate) struct Piece<'t> {
    pub(crate) text: Cow<'t, str>,
    /// The offset in the line of each byte of the text, and of its end; empty if nothing is decoded.
    places: Vec<usize>,
    start: usize,
    /// The end in the line, without the punctuation after a URL.
    pub(crate) end: usize,
    /// The end with that punctuation.
    pub(crate) walked: usize,
    /// The classes of the bytes in it.
    pub(crate) marks: u8,
}

impl Piece<'_> {
    /// Returns the range in the line of a range of the text.
    pub(crate) fn range(&self, range: Range<usize>) -> Range<usize> {
        let place =
            |index: usize| self.places.get(index).copied().unwrap_or(self.start + index).min(self.end);
        place(range.start)..place(range.end)
    }
}

/// What a step through a text reads.
enum Step {
    /// A byte that is written as it is.
    Plain(u8),
    /// A character that is escaped, and the length of its escape.
    Character(char, usize),
    /// A byte that is percent-encoded in a URL, and the length of what stands for it.
    Byte(u8, usize),
    End,
}

/// Reads pieces of a line.
pub(crate) struct PieceReader<'t> {
    line: &'t [u8],
    references: CharacterReferences,
    /// Whether the line has a tag, once it was looked for.
    has_tag: Option<bool>,
}

impl<'t> PieceReader<'t> {
    pub(crate) fn new(line: &'t [u8], references: CharacterReferences) -> Self {
        PieceReader { line, references, has_tag: None }
    }

    /// Reads the piece at `start`, which also ends before `closer`.
    pub(crate) fn read(&mut self, start: usize, closer: Option<u8>) -> Piece<'t> {
        let line = self.line;
        let (mut at, mut marks, mut depth) = (start, 0, 0_usize);
        let mut decoded: Option<(Vec<u8>, Vec<usize>)> = None;
        while let Some(&byte) = line.get(at) {
            let class = CLASSES[usize::from(byte)];
            let step = match class {
                END => break,
                ESCAPE => self.step(at),
                BRACKET if closer == Some(byte) => {
                    if depth == 0 {
                        break;
                    }
                    depth -= 1;
                    Step::Plain(byte)
                }
                BRACKET => {
                    depth += usize::from(closer.is_some() && closer_of(byte) == closer);
                    Step::Plain(byte)
                }
                _ => Step::Plain(byte),
            };
            marks |= class;
            let mut utf8 = [0; 4];
            let percent;
            let (bytes, len): (&[u8], usize) = match step {
                Step::End => break,
                Step::Plain(_) => {
                    if let Some((bytes, places)) = &mut decoded {
                        bytes.push(byte);
                        places.push(at);
                    }
                    at += 1;
                    continue;
                }
                Step::Character(character, len) => (character.encode_utf8(&mut utf8).as_bytes(), len),
                Step::Byte(byte, len) => {
                    percent = escaped(byte);
                    (&percent, len)
                }
            };
            if decoded.is_none() && line.get(at..at + len) == Some(bytes) {
                // A character that is not ASCII, as it is.
                at += len;
                continue;
            }
            let (text, places) =
                decoded.get_or_insert_with(|| (line[start..at].to_vec(), (start..at).collect()));
            text.extend_from_slice(bytes);
            bytes.iter().for_each(|&byte| marks |= CLASSES[usize::from(byte)]);
            places.resize(text.len(), at);
            at += len;
        }
        let (bytes, mut places) = match decoded {
            None => (Cow::Borrowed(&line[start..at]), Vec::new()),
            Some((bytes, mut places)) => {
                places.push(at);
                (Cow::Owned(bytes), places)
            }
        };
        let mut text = text_of(bytes);
        let len = trimmed_len(&text, &line[..start]);
        let end = places.get(len).copied().unwrap_or(start + len);
        places.truncate(len + 1);
        match &mut text {
            Cow::Borrowed(text) => *text = &text[..len],
            Cow::Owned(text) => text.truncate(len),
        }
        Piece { text, places, start, end, walked: at, marks }
    }

    /// Reads the whole of a range, whatever it contains.
    pub(crate) fn read_whole(&mut self, range: Range<usize>) -> Piece<'t> {
        let (mut text, mut places) = (String::new(), Vec::new());
        let mut at = range.start;
        while at < range.end {
            let byte = self.line[at];
            let step = if byte == b'\\' || byte >= 0x80 { self.step(at) } else { Step::Plain(byte) };
            let len = match step {
                Step::Character(character, len) if !character.is_control() && at + len <= range.end => {
                    text.push(character);
                    len
                }
                Step::Byte(byte, len) if at + len <= range.end => {
                    push_escaped(byte, &mut text);
                    len
                }
                Step::Plain(byte) if byte > b' ' && byte < 0x7f => {
                    text.push(char::from(byte));
                    1
                }
                _ => {
                    push_escaped(byte, &mut text);
                    1
                }
            };
            places.resize(text.len(), at);
            at += len;
        }
        places.push(range.end);
        let Range { start, end } = range;
        Piece { text: Cow::Owned(text), places, start, end, walked: end, marks: AT }
    }

    /// Reads an escape, or a character that is not ASCII.
    fn step(&mut self, at: usize) -> Step {
        let rest = &self.line[at..];
        match rest[0] {
            b'\\' => backslash(rest),
            b'&' => match character_reference(rest).filter(|_| self.reads_references()) {
                None => Step::Plain(b'&'),
                Some((character, len)) => character_step(character, len),
            },
            byte => match first_character(rest) {
                None => Step::Byte(byte, 1),
                Some(character) => character_step(character, character.len_utf8()),
            },
        }
    }

    fn reads_references(&mut self) -> bool {
        self.references == CharacterReferences::InAllLines
            || *self.has_tag.get_or_insert_with(|| has_tag(self.line))
    }
}

/// Returns text from bytes that are UTF-8, because bytes that are not are percent-encoded.
fn text_of(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).unwrap_or_default()),
    }
}

/// Returns the step over a character that is escaped or not ASCII.
fn character_step(character: char, len: usize) -> Step {
    if ends_url(character) { Step::End } else { Step::Character(character, len) }
}

/// Returns whether no URL in prose contains a character.
fn ends_url(character: char) -> bool {
    match character {
        '\0'..='\x7f' => CLASSES[character as usize] == END,
        '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' => true,
        '「' | '」' | '『' | '』' | '〝' | '〞' | '〟' | '＂' => true,
        _ => character.is_whitespace() || character.is_control(),
    }
}

/// Reads backslashes and what they escape. JSON in a string of JSON has several before one character.
fn backslash(rest: &[u8]) -> Step {
    let count = rest.iter().take_while(|&&byte| byte == b'\\').count();
    let after = &rest[count..];
    match after.first() {
        Some(b'/') => Step::Character('/', count + 1),
        Some(b'"' | b'\'' | b'n' | b'r' | b't' | b'b' | b'f') | None => Step::End,
        Some(b'u') => match unicode_escape(after) {
            Some((character, len)) => character_step(character, count + len),
            None => Step::Character('\\', count),
        },
        // As Apache and nginx write bytes that they do not print.
        Some(b'x') if count == 1 => match hex(after.get(1..3)) {
            Some(byte) => Step::Byte(byte as u8, 4),
            None => Step::Character('\\', 1),
        },
        Some(_) => Step::Character('\\', count),
    }
}

/// Reads `uXXXX`, twice with a backslash between them for a character beyond 16 bits.
fn unicode_escape(text: &[u8]) -> Option<(char, usize)> {
    let high = hex(text.get(1..5))?;
    if let Some(character) = char::from_u32(high) {
        return Some((character, 5));
    }
    let escapes = text[5..].iter().take_while(|&&byte| byte == b'\\').count();
    let low = text.get(5 + escapes..)?.strip_prefix(b"u").and_then(|text| hex(text.get(..4)))?;
    let character = char::decode_utf16([high as u16, low as u16]).next()?.ok()?;
    Some((character, 10 + escapes))
}

fn hex(digits: Option<&[u8]>) -> Option<u32> {
    digits?.iter().try_fold(0, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
}

/// Reads a character reference: a number, or one of the names that URLs and the text around them need.
fn character_reference(text: &[u8]) -> Option<(char, usize)> {
    const NAMES: [(&[u8], char); 6] =
        [(b"amp", '&'), (b"lt", '<'), (b"gt", '>'), (b"quot", '"'), (b"apos", '\''), (b"nbsp", '\u{a0}')];
    let len = text.iter().take(12).position(|&byte| byte == b';')?;
    let character = match text.get(1..len)? {
        [b'#', b'x' | b'X', digits @ ..] if !digits.is_empty() => char::from_u32(hex(Some(digits))?)?,
        [b'#', digits @ ..] => {
            char::from_u32(core::str::from_utf8(digits).ok()?.parse().ok()?).filter(|_| digits[0] != b'+')?
        }
        name => NAMES.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((character, len + 1))
}

/// Returns the character at the start of bytes.
fn first_character(bytes: &[u8]) -> Option<char> {
    let bytes = &bytes[..bytes.len().min(4)];
    let valid = core::str::from_utf8(bytes).or_else(|error| {
        // Only bytes up to the first bad one, which are valid.
        core::str::from_utf8(&bytes[..error.valid_up_to()])
    });
    valid.ok()?.chars().next()
}

/// Returns whether a line has a tag of HTML or XML, which `<https://h>` is not.
fn has_tag(line: &[u8]) -> bool {
    memchr::memchr_iter(b'<', line).any(|at| {
        let rest = &line[at + 1..];
        let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        match rest.get(name) {
            Some(b'/' | b'!' | b'?') if name == 0 => true,
            Some(&after) => name > 0 && matches!(after, b' ' | b'\t' | b'\r' | b'>' | b'/'),
            None => name > 0,
        }
    })
}

/// Returns the length of a text without the punctuation, the unbalanced brackets and the closing quotes at its end.
/// `before` is the line up to the text.
fn trimmed_len(text: &str, before: &[u8]) -> usize {
    let is_left_out = |last: char| {
        matches!(
            last,
            '.' | ','
                | ';'
                | ':'
                | '!'
                | '?'
                | '*'
                | '|'
                | '\\'
                | '…'
                | '‘'
                | '‚'
                | '。'
                | '，'
                | '、'
                | '；'
                | '：'
        ) || matches!(last, '！' | '？' | '）' | '】' | '》')
    };
    let mut rest = text;
    // The places of the closing brackets of each kind that lack an opening one; found when the first is met.
    let mut unbalanced: [Option<Vec<usize>>; 3] = [None, None, None];
    while let Some(last) = rest.chars().next_back() {
        let place = [')', ']', '}'].iter().position(|&closer| closer == last);
        let is_out = match place {
            None if matches!(last, '\'' | '’') => closes_quote(before, rest, last),
            None => is_left_out(last),
            Some(place) => {
                let places = unbalanced[place].get_or_insert_with(|| unbalanced_closers(rest, place));
                places.pop_if(|place| *place + 1 == rest.len()).is_some()
            }
        };
        if !is_out {
            break;
        }
        rest = &rest[..rest.len() - last.len_utf8()];
    }
    rest.len()
}

/// Returns whether the quote at the end of a text closes one that is open before the text, and is no apostrophe or
/// the end of a quote in the text. Several quotes after a word are markup.
fn closes_quote(before: &[u8], text: &str, quote: char) -> bool {
    let inner = text.trim_end_matches(quote);
    if text.len() - inner.len() > quote.len_utf8() {
        return inner.ends_with(char::is_alphanumeric);
    }
    !has_open_quote(inner.as_bytes(), quote) && has_open_quote(before, quote)
}

/// Returns whether the last quote in a text is an opening one. Apostrophes, which are between letters, do not count.
///
/// It reads back to the last quote, so that the quotes at the ends of all URLs of a line are judged in linear time.
fn has_open_quote(text: &[u8], quote: char) -> bool {
    let mut utf8 = [0; 4];
    let quote = quote.encode_utf8(&mut utf8).as_bytes();
    // `‚`, `‘` and `’` differ in their last byte only.
    let (last, start) = quote.split_last().unwrap_or((&0, &[]));
    let mut end = text.len();
    while let Some(at) = match start {
        [] => memchr::memrchr(*last, &text[..end]),
        start => memchr::memmem::rfind(&text[..end], start),
    } {
        let is_after_word = last_character(&text[..at]).is_some_and(char::is_alphanumeric);
        match text.get(at + start.len()) {
            Some(0x98 | 0x9a) if !start.is_empty() => return true,
            Some(byte) if byte == last => {
                let is_in_word = is_after_word
                    && first_character(&text[at + quote.len()..]).is_some_and(char::is_alphanumeric);
                if !is_in_word {
                    return start.is_empty() && !is_after_word;
                }
            }
            _ => {}
        }
        end = at;
    }
    false
}

/// Returns the character at the end of bytes.
fn last_character(bytes: &[u8]) -> Option<char> {
    let starts = (1..=4).filter_map(|len| bytes.get(bytes.len().checked_sub(len)?..));
    starts.filter_map(|end| core::str::from_utf8(end).ok()).find_map(|end| end.chars().next())
}

/// Returns the places of the closing brackets of a kind that lack an opening one before them.
fn unbalanced_closers(text: &str, kind: usize) -> Vec<usize> {
    let (opener, closer) = [(b'(', b')'), (b'[', b']'), (b'{', b'}')][kind];
    let (mut open, mut lacking) = (0_usize, Vec::new());
    for (place, byte) in text.bytes().enumerate() {
        if byte == opener {
            open += 1;
        } else if byte == closer && open == 0 {
            lacking.push(place);
        } else if byte == closer {
            open -= 1;
        }
    }
    lacking
}
