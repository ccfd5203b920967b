//! Redaction of text and logs: the positions in a line where URLs, request targets and headers carry secrets.
//!
//! A line is read in pieces, which are the texts between two characters that end a URL. Each piece is
//! redacted as a URL or a relative reference, whatever it is, because a request target does not have a
//! scheme.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::{Redactor, Secret, SecretKind};
use crate::text::{AT, CharacterReferences, EQUALS, PERCENT, Piece, PieceReader, QUERY, next_piece};

/// The name of the header before a token.
const HEADER: &[u8] = b"authorization";

/// The most bytes between the header and the scheme of its token.
const MOST_BETWEEN: usize = 64;

impl Redactor {
    /// Appends a line of text without the secrets in it. All other bytes are unchanged, and JSON stays JSON.
    ///
    /// Secrets are the secrets of the URLs and request targets in the line ([`redact`](Self::redact)), and
    /// the token after `Authorization: Bearer` or `Basic`, whatever JSON has between a name and its value.
    /// Targets that the caller knows, in ascending order in `targets`, are read whole. In other text a target
    /// or URL ends like the URLs of [`find_urls`](crate::text::find_urls). Bytes that are not UTF-8 are
    /// unchanged.
    ///
    /// ```
    /// use urlid::redact::{NameList, Redactor};
    ///
    /// let (redactor, mut out) = (Redactor::default().with_list(NameList::Common1), Vec::new());
    /// let line = b"\"GET /a?token=x HTTP/1.1\" https://me:pass@h.example/ Authorization: Bearer 0f";
    /// redactor.redact_line(line, &[], Default::default(), &mut out);
    /// let expected = b"\"GET /a?token=REDACTED HTTP/1.1\" https://REDACTED:REDACTED@h.example/ Authorization: Bearer REDACTED";
    /// assert_eq!(out, expected);
    /// ```
    pub fn redact_line(
        &self,
        line: &[u8],
        targets: &[Range<usize>],
        references: CharacterReferences,
        out: &mut Vec<u8>,
    ) {
        let mut found = Vec::new();
        self.tokens(line, references, &mut found);
        let mut from = 0;
        for target in targets {
            let (start, end) = (target.start.min(line.len()), target.end.min(line.len()));
            self.pieces(&line[..start], from, references, &mut found);
            if start < end && has_marks(&line[start..end]) {
                let piece = PieceReader::new(line, references).read_whole(start..end);
                self.secrets_of_piece(&piece, &mut found);
            }
            from = end;
        }
        self.pieces(line, from, references, &mut found);
        // Secrets that overlap become one, and the first is shown.
        found.sort_by_key(|(range, _)| range.start);
        let mut copied = 0;
        for (range, shown) in &found {
            if range.start >= copied {
                out.extend_from_slice(&line[copied..range.start]);
                out.extend_from_slice(shown.as_bytes());
            }
            copied = copied.max(range.end);
        }
        out.extend_from_slice(&line[copied..]);
    }

    /// Finds the secrets of the pieces of a line from a place on.
    fn pieces(
        &self,
        line: &[u8],
        mut from: usize,
        references: CharacterReferences,
        found: &mut Vec<(Range<usize>, String)>,
    ) {
        let mut reader = PieceReader::new(line, references);
        while let Some((start, closer)) = next_piece(line, from) {
            let piece = reader.read(start, closer);
            if piece.marks & (AT | PERCENT) != 0 || piece.marks & (QUERY | EQUALS) == QUERY | EQUALS {
                self.secrets_of_piece(&piece, found);
            }
            // An escape may end the piece, such as `\n`.
            let skipped = if line.get(piece.walked) == Some(&b'\\') { 2 } else { 1 };
            from = (piece.walked + skipped).min(line.len());
        }
    }

    fn secrets_of_piece(&self, piece: &Piece<'_>, found: &mut Vec<(Range<usize>, String)>) {
        for Secret { span, kind } in self.secrets(&piece.text) {
            let mut shown = String::new();
            self.push_secret(&piece.text[span.clone()], kind, &mut shown);
            found.push((piece.range(span), shown));
        }
    }

    /// Finds the tokens after the header `Authorization`.
    fn tokens(&self, line: &[u8], references: CharacterReferences, found: &mut Vec<(Range<usize>, String)>) {
        // The name is searched by its rarest letter.
        for place in memchr::memchr2_iter(b'z', b'Z', line) {
            let Some(start) = place.checked_sub(7) else { continue };
            let Some(token) = token_start(&line[start..]).map(|offset| start + offset) else { continue };
            let piece = PieceReader::new(line, references).read(token, Some(b'\''));
            if !piece.text.is_empty() {
                let mut shown = String::new();
                self.push_secret(&piece.text, SecretKind::Value, &mut shown);
                found.push((token..piece.end, shown));
            }
        }
    }
}

/// Returns whether a target may have a secret.
fn has_marks(target: &[u8]) -> bool {
    memchr::memchr3(b'?', b'#', b'@', target).is_some() || memchr::memchr2(b'%', b'\\', target).is_some()
}

/// Returns the offset of the token in a text that starts with the header.
fn token_start(text: &[u8]) -> Option<usize> {
    let starts_with =
        |text: &[u8], word: &[u8]| text.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
    let mut at = if starts_with(text, HEADER) { HEADER.len() } else { return None };
    let between = at + MOST_BETWEEN;
    loop {
        // In a HAR file the header is the value of one member, and the token is the value of the next.
        at += match text.get(at)? {
            b'"' | b'\'' | b'\\' | b':' | b'=' | b',' | b'[' | b'{' | b' ' | b'\t' => 1,
            _ if starts_with(&text[at..], b"value") => 5,
            _ if at > HEADER.len() => break,
            _ => return None,
        };
        if at > between {
            return None;
        }
    }
    let scheme = [&b"bearer"[..], b"basic"].into_iter().find(|scheme| starts_with(&text[at..], scheme))?;
    at += scheme.len();
    let blanks = text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (blanks > 0).then_some(at + blanks)
}
