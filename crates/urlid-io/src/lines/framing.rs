//! Framing of a buffer into whole lines, with an empty line in place of each rejected line. A line is
//! rejected if it is over the cap or has text next to its URL.
//!
//! Streams and splits share this code, so the cap means the same in both. A line such as
//! `http://a.example/<TAB>200` or `http://a.example/ 200 5120` is rejected because the URL Standard removes a
//! TAB and reads a blank as a part of the path, so the line would become a different URL.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memrchr};
use urlid::reference::Class;
use urlid::web::{assume_scheme, is_scheme};

use crate::lines::chunk::{HEAD, LineError, RejectedLine, without_end};
use crate::lines::options::TrailingText;

/// Whether more bytes follow a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// The input ends here, so bytes after the last LF are a line.
    End,
    /// More bytes may follow, so bytes after the last LF may be an incomplete line.
    More,
}

/// The result of framing a buffer.
#[derive(Debug)]
pub(crate) struct Framed {
    /// The length in bytes of the lines, which are at the start of the buffer.
    pub(crate) lines: usize,
    /// The offset of the unfinished line, which extends to the end of the buffer.
    pub(crate) rest: usize,
    /// Whether the last line is over the cap and continues after the buffer.
    pub(crate) skips: bool,
    /// The lines over the cap.
    pub(crate) rejected: Vec<RejectedLine>,
}

/// Returns the number of bytes without an LF that prove that a line is over the cap: the text, a CR, and one
/// more byte that is not the LF.
pub(crate) fn decisive_len(limit: usize) -> usize {
    limit.saturating_add(2)
}

/// Turns each CR that ends a line into an LF. These are the CRs without an LF after them, except for the last
/// byte, because an LF may follow it.
pub(crate) fn end_lines_at_cr(data: &mut [u8]) {
    let mut from = 0;
    while let Some(index) = memchr(b'\r', &data[from..]).map(|index| from + index) {
        if data.get(index + 1).is_some_and(|&next| next != b'\n') {
            data[index] = b'\n';
        }
        from = index + 1;
    }
}

/// Frames `data` into lines of at most `limit` bytes without their ends.
///
/// The work is done in place. The bytes before `lines` are finished lines, and the bytes from `rest` on are
/// still to be framed. The bytes between the two are free: a rejected line leaves only an LF, and the lines
/// after it move up. The two offsets are equal until the first rejected line, so most inputs are not copied.
/// If more bytes may follow, the function stops before the last line without an LF, unless this line is
/// already longer than the cap. Such a line is rejected at once, and `skips` tells the caller to drop its
/// remaining bytes.
pub(crate) fn frame(data: &mut [u8], limit: usize, after: After) -> Framed {
    let mut done = Framed { lines: 0, rest: 0, skips: false, rejected: Vec::new() };
    let (mut index, mut counted) = (0, 0);
    while done.rest < data.len() {
        let left = &data[done.rest..];
        if let Some(len) = fitting_lines(left, limit) {
            // The copy does not move bytes until a line is left out, because both offsets are equal.
            data.copy_within(done.rest..done.rest + len, done.lines);
            done.rest += len;
            done.lines += len;
            continue;
        }
        let decided = left.len() >= decisive_len(limit);
        if after == After::More && !decided {
            return done;
        }
        if !decided && left.len() <= limit {
            // The last line of all, without its LF.
            data.copy_within(done.rest.., done.lines);
            done.lines += data.len() - done.rest;
            done.rest = data.len();
            return done;
        }
        let end = memchr(b'\n', left);
        let head = left[..left.len().min(HEAD).min(end.unwrap_or(HEAD))].into();
        // Lines are counted only here, so inputs without a line over the cap are not counted.
        index += memchr_iter(b'\n', &data[counted..done.lines]).count();
        counted = done.lines;
        done.rejected.push(RejectedLine { index, head, error: LineError::TooLong { limit } });
        data[done.lines] = b'\n';
        done.lines += 1;
        done.skips = end.is_none() && after == After::More;
        done.rest = end.map_or(data.len(), |end| done.rest + end + 1);
    }
    done
}

/// Returns the length of lines at the start of `left`, at least one, that are all within the cap, or `None`
/// if the first is not.
///
/// A line that ends within the first `limit + 1` bytes is within the cap, so finding the last LF among them
/// checks many lines at once, by one backward search instead of one search for each line.
fn fitting_lines(left: &[u8], limit: usize) -> Option<usize> {
    let window = &left[..left.len().min(limit.saturating_add(1))];
    if let Some(end) = memrchr(b'\n', window) {
        return Some(end + 1);
    }
    // A text of exactly `limit` bytes may have a CR before its LF.
    let end = limit.checked_add(1)?;
    (left.get(end) == Some(&b'\n') && left.get(limit) == Some(&b'\r')).then_some(end + 1)
}

/// Rejects the lines of `framed`, at the start of `data`, that have text next to a URL, and leaves an empty
/// line for each.
pub(crate) fn reject_trailing_text(data: &mut [u8], framed: &mut Framed, how: TrailingText) {
    // Lines up to `read` were examined and moved to `written`. `searched` is the start of a line.
    let (mut read, mut written, mut searched, mut index) = (0, 0, 0, 0);
    // Few lists contain a blank or a TAB, and the search costs almost no time compared with reading.
    while let Some(hit) = how.next_sign(&data[searched..framed.lines]) {
        let hit = searched + hit;
        let start = memrchr(b'\n', &data[searched..hit]).map_or(searched, |end| searched + end + 1);
        let end = memchr(b'\n', &data[hit..framed.lines]).map_or(framed.lines, |end| hit + end + 1);
        searched = end;
        let Some(error) = how.find(without_end(&data[start..end])) else { continue };
        index += memchr_iter(b'\n', &data[read..start]).count();
        framed.rejected.push(RejectedLine { index, head: without_end(&data[start..end]).into(), error });
        index += 1;
        data.copy_within(read..start, written);
        written += start - read;
        data[written] = b'\n';
        (written, read) = (written + 1, end);
    }
    if read > 0 {
        data.copy_within(read..framed.lines, written);
        framed.lines = written + (framed.lines - read);
        // Lines over the cap have entries already, and readers need all of them in order.
        framed.rejected.sort_by_key(|line| line.index);
    }
}

/// Returns whether a byte is not written in a URL, but between the URLs and other words of a log.
fn is_of_log(byte: u8) -> bool {
    matches!(byte, b'\t' | b' ' | b'"' | b'<' | b'>' | b'{' | b'}')
}

impl TrailingText {
    /// Returns the offset of the first byte that a rejected line must contain.
    fn next_sign(self, lines: &[u8]) -> Option<usize> {
        match self {
            TrailingText::Keep => None,
            TrailingText::Reject | TrailingText::RejectWithoutScheme => memchr2(b'\t', b' ', lines),
            TrailingText::OnlyUrls => lines.iter().position(|&byte| is_of_log(byte)),
        }
    }

    /// Returns the reason why a line is rejected: a TAB inside it, a name with `:` and a blank at its start,
    /// or only numbers, `-` and URLs after a URL. Depending on the mode, also any byte that does not occur in
    /// a URL.
    #[must_use]
    pub fn find(self, line: &[u8]) -> Option<LineError> {
        let line = str::from_utf8(line).ok().filter(|_| self != TrailingText::Keep)?;
        let text = line.trim_matches(|character| character <= ' ');
        let at = line.len() - line.trim_start_matches(|character| character <= ' ').len();
        if self == TrailingText::OnlyUrls {
            let offset = text.bytes().position(is_of_log)?;
            return Some(LineError::NotOneUrl { offset: at + offset, found: text.as_bytes()[offset] });
        }
        if let Some(tab) = memchr(b'\t', text.as_bytes()) {
            return Some(LineError::TrailingText { offset: at + tab });
        }
        let (first, others) = text.split_once(' ')?;
        // A blank never follows the scheme of a URL, but it follows the name in headers, YAML and mail.
        if first.strip_suffix(':').is_some_and(is_field_name) {
            return Some(LineError::Field { offset: at + first.len() - 1 });
        }
        let mut others = others.split(' ').filter(|word| !word.is_empty());
        let is_row = self.begins_url(first)
            && others.all(|word| word == "-" || is_number(word) || TrailingText::Reject.begins_url(word));
        is_row.then_some(LineError::TrailingText { offset: at + first.len() })
    }

    /// Returns a text with the scheme that it may lack.
    fn assumed(self, text: &str) -> Cow<'_, str> {
        match self {
            TrailingText::RejectWithoutScheme => assume_scheme(text, "https"),
            TrailingText::Keep | TrailingText::Reject | TrailingText::OnlyUrls => text.into(),
        }
    }

    /// Returns whether the first word of a line starts a URL. A URL starts with `scheme://`, where browsers
    /// also accept backslashes, or with a special scheme, which browsers also read without slashes.
    #[must_use]
    pub fn begins_url(self, word: &str) -> bool {
        let text = self.assumed(word);
        let Some((scheme, rest)) = text.split_once(':') else { return false };
        let slashes = rest.bytes().take(2).filter(|byte| b"/\\".contains(byte)).count();
        is_scheme(scheme) && (slashes == 2 || Class::of_scheme(scheme).is_special())
    }
}

/// Returns whether a word may be the name of a header or a field, without any `:`, `/` or blank.
fn is_field_name(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte))
        && word.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// A line that may be a row of a table: a URL and fields, after separators that may also occur in a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlRow {
    /// The end of the URL, from the start of the line.
    pub url_end: usize,
    /// A comma, a semicolon or a bar.
    pub separator: char,
    /// The number of fields after the URL.
    pub fields: usize,
    /// Whether the first separator follows the host. DNS names do not contain it.
    pub is_after_host: bool,
}

impl UrlRow {
    /// Returns a line as a row, if the line starts with a URL and no text after a separator continues that
    /// URL.
    #[must_use]
    pub fn find(line: &str, trailing_text: TrailingText) -> Option<Self> {
        const SEPARATORS: [char; 3] = [',', ';', '|'];
        line.find(SEPARATORS)?;
        let begin = line.len() - line.trim_start().len();
        let text = trailing_text.assumed(&line[begin..]);
        if trailing_text == TrailingText::Keep || !trailing_text.begins_url(&text) {
            return None;
        }
        let row = |separator, url_end: usize, is_after_host| {
            let fields = text[url_end..].matches(separator).count();
            let url_end = (begin + url_end + line.len() - begin).checked_sub(text.len())?;
            Some(UrlRow { url_end, separator, fields, is_after_host })
        };
        let host = host_of(&text);
        if let Some(at) = text[host.clone()].find(SEPARATORS) {
            let separator = text[host.start + at..].chars().next()?;
            return row(separator, host.start + at, true);
        }
        SEPARATORS.into_iter().find_map(|separator| {
            let (url, fields) = text.split_once(separator)?;
            fields.split(separator).all(is_value).then(|| row(separator, url.len(), false))?
        })
    }
}

/// Returns the range of the host and its port in a text that starts with a URL.
fn host_of(text: &str) -> std::ops::Range<usize> {
    let after_scheme = text.split_once(':').map_or(text, |(_, rest)| rest);
    let start = text.len() - after_scheme.trim_start_matches(['/', '\\']).len();
    let end = text[start..].find(['/', '\\', '?', '#']).map_or(text.len(), |end| start + end);
    start + text[start..end].rfind('@').map_or(0, |at| at + 1)..end
}

/// Returns whether a text may be a value of a table, and not a part of a URL.
fn is_value(field: &str) -> bool {
    let field = field.trim();
    let is_quoted = field.len() > 1 && field.starts_with('"') && field.ends_with('"');
    is_quoted || TrailingText::Reject.begins_url(field) || !field.contains(['/', '?', '#', '=', '&', '%'])
}

/// Returns whether a word is a number that starts with a digit or a sign.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    // `parse` also accepts `inf` and `nan`, so the first character is checked.
    digits.starts_with(|first: char| first.is_ascii_digit()) && digits.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(
        input: &[u8],
        limit: usize,
        after: After,
        lines: &[u8],
        rest: &[u8],
        long: &[usize],
        skips: bool,
    ) {
        let mut data = input.to_vec();
        let done = frame(&mut data, limit, after);
        assert_eq!(&data[..done.lines], lines, "lines");
        assert_eq!(&data[done.rest..], rest, "rest");
        assert_eq!(done.rejected.iter().map(|line| line.index).collect::<Vec<_>>(), long, "long");
        assert_eq!(done.skips, skips, "skips");
    }

    #[test]
    fn lines_within_the_cap_are_unchanged() {
        check(b"ab\ncd\nef", 2, After::More, b"ab\ncd\n", b"ef", &[], false);
        check(b"ab\ncd\nef", 2, After::End, b"ab\ncd\nef", b"", &[], false);
        check(b"ab\r\ncd\r\n", 2, After::More, b"ab\r\ncd\r\n", b"", &[], false);
        check(b"\n\n\n", 0, After::More, b"\n\n\n", b"", &[], false);
        check(b"", 5, After::End, b"", b"", &[], false);
    }

    #[test]
    fn a_line_over_the_cap_becomes_an_empty_line() {
        check(b"ab\nlong\ncd\n", 2, After::More, b"ab\n\ncd\n", b"", &[1], false);
        check(b"abc\nxyz\nab\n", 2, After::More, b"\n\nab\n", b"", &[0, 1], false);
        check(b"ab\nlong", 2, After::More, b"ab\n\n", b"", &[1], true);
        check(b"ab\nlong", 2, After::End, b"ab\n\n", b"", &[1], false);
    }

    #[test]
    fn the_line_end_does_not_count() {
        check(b"abc\r\n", 2, After::More, b"\n", b"", &[0], false);
        check(b"ab\r\n", 2, After::More, b"ab\r\n", b"", &[], false);
        // Three bytes: the third may be the CR of a line end, or one too many.
        check(b"ab\r", 2, After::More, b"", b"ab\r", &[], false);
        check(b"ab\r", 2, After::End, b"\n", b"", &[0], false);
    }

    /// Returns the lines that stay, and the index and the offset of each that is rejected.
    fn rejected(lines: &str, how: TrailingText) -> (String, Vec<(usize, usize)>) {
        let mut data = lines.as_bytes().to_vec();
        let mut framed = frame(&mut data, 100, After::End);
        reject_trailing_text(&mut data, &mut framed, how);
        let offset = |error| match error {
            LineError::TrailingText { offset } | LineError::NotOneUrl { offset, .. } => offset,
            error => panic!("{error}"),
        };
        let rejected = framed.rejected.iter().map(|line| (line.index, offset(line.error))).collect();
        data.truncate(framed.lines);
        (String::from_utf8(data).expect("it was text"), rejected)
    }

    #[test]
    fn rows_are_rejected_and_urls_are_not() {
        for (line, offset) in [
            ("http://a.example\t5", 16),
            ("http://a.example/\ttext \u{e9}\r", 17),
            (" http://a.example\t\t5 ", 17),
            ("gopher://a\tb", 10),
            (r"http:\\a.example	5", 16),
            ("http:a.example\t5", 14),
            ("example.com:80\t7", 14),
            ("0.0.0.0\tads.example", 7),
            ("ht\ttp://a.example/", 2),
            ("http\t://a.example/", 4),
            ("a.example\t5", 9),
            ("/p\tq", 2),
            ("1\thttp://a.example/", 1),
            ("# hosts\tof", 7),
            ("tel:911\t-", 7),
            ("https:a.example/ 5", 16),
            (r"HTTP:/a.example -", 15),
            ("ftp:a 5 http:b", 5),
            ("http://a.example/ 200", 17),
            ("http://a.example/  200 5120 -", 17),
            ("http://a.example/ -1.5 +3 1e9", 17),
            ("http://a.example/ https://b.example/", 17),
            ("http://a b\tc", 10),
        ] {
            assert_eq!(rejected(line, TrailingText::Reject), ("\n".into(), vec![(0, offset)]), "{line:?}");
            assert_eq!(rejected(line, TrailingText::Keep), (line.into(), vec![]), "{line:?}");
        }
        for (line, offset) in [("https: a", 5), (" User-agent: *", 11), ("a_b.c+d: e f", 7)] {
            let error = TrailingText::Reject.find(line.as_bytes());
            assert_eq!(error, Some(LineError::Field { offset }), "{line:?}");
        }
        assert_eq!(TrailingText::Reject.find(b"1a: b"), None);
        for line in [
            "",
            " ",
            "\t\t",
            "http://a.example/\t",
            "\t http://a.example/ \r",
            "http://a.example/ # comment",
            "http://a.example/x y 5",
            "http://a.example/ inf",
            "http://a.example/ 5 nan",
            "http://a.example/?q=c a:b",
            "tel:+1 201 555 0123",
            "a.example 5",
            "example.com:80 7",
            "urn:a 5",
            "1 http://a.example/",
        ] {
            assert_eq!(rejected(line, TrailingText::Reject), (line.into(), vec![]), "{line:?}");
        }
        for (line, offset) in [
            ("a.example\t5", 9),
            ("a.example 5 -", 9),
            ("example.com:80 7", 14),
            ("//a.example 7", 11),
            ("http://a\t5", 8),
            ("http:a 5", 6),
        ] {
            assert_eq!(rejected(line, TrailingText::RejectWithoutScheme), ("\n".into(), vec![(0, offset)]));
        }
        for line in ["a.example # comment", "tel:+1 201 555 0123", "a.example/x y"] {
            assert_eq!(rejected(line, TrailingText::RejectWithoutScheme), (line.into(), vec![]), "{line:?}");
        }
    }

    #[test]
    fn a_line_of_a_log_is_more_than_a_url() {
        for (line, offset) in [
            (r#"192.0.2.1 - - [07/Jun/2020:19:16:20 -0700] "GET /?sig=1 HTTP/1.1" 401"#, 9),
            ("Cookie: sig=1", 7),
            ("https://h/?sig=1 200 12ms", 16),
            ("https://h/?sig=1\t200", 16),
            (r#""https://h/?sig=1""#, 0),
            (" <https://h/?sig=1>", 1),
            (r#"{"url":"https://h/?sig=1"}"#, 0),
            ("/a?sig=1{}", 8),
            ("a>b", 1),
            ("a}", 1),
            (" http://\u{e9} x ", 10),
        ] {
            assert_eq!(rejected(line, TrailingText::OnlyUrls), ("\n".into(), vec![(0, offset)]), "{line:?}");
        }
        for line in ["", " ", "\t", "https://h/?sig=1", " https://h/ \t\r", "//h/a|b^c`d", "/p", "mailto:a@b"]
        {
            assert_eq!(rejected(line, TrailingText::OnlyUrls), (line.into(), vec![]), "{line:?}");
        }
        let lines = "http://a/\nGET /\n\nhttp://b/<\n /c \n\"";
        let kept = "http://a/\n\n\n\n /c \n\n";
        assert_eq!(rejected(lines, TrailingText::OnlyUrls), (kept.into(), vec![(1, 3), (3, 9), (5, 0)]));
    }

    #[test]
    fn a_row_is_a_url_and_values_after_separators() {
        use TrailingText::{Keep, OnlyUrls, Reject, RejectWithoutScheme};
        for (line, how, url, separator, fields, is_after_host) in [
            ("http://h/,NLD,Leuven", Reject, "http://h/", ',', 2, false),
            ("https://h.example,1", Reject, "https://h.example", ',', 1, true),
            ("https://h.example:80,1", Reject, "https://h.example:80", ',', 1, true),
            ("http://h/a;1;2026-01-02", Reject, "http://h/a", ';', 2, false),
            ("http://h.example|x/y", Reject, "http://h.example", '|', 1, true),
            ("http://h/|200|", Reject, "http://h/", '|', 2, false),
            ("http://h/?a=b,200", Reject, "http://h/?a=b", ',', 1, false),
            ("http://h/x;y,1", Reject, "http://h/x;y", ',', 1, false),
            ("http://h/,\"a/b\",https://b/?c", Reject, "http://h/", ',', 2, false),
            (" http:\\\\h/,New York", OnlyUrls, " http:\\\\h/", ',', 1, false),
            ("http:h,1", Reject, "http:h", ',', 1, true),
            ("h.example,1", RejectWithoutScheme, "h.example", ',', 1, true),
            ("//h.example/a,1", RejectWithoutScheme, "//h.example/a", ',', 1, false),
            ("h.example/a:b;1", RejectWithoutScheme, "h.example/a:b", ';', 1, false),
        ] {
            let row = UrlRow { url_end: url.len(), separator, fields, is_after_host };
            assert_eq!(UrlRow::find(line, how), Some(row), "{line}");
            assert_eq!(UrlRow::find(line, Keep), None, "{line}");
        }
        for line in [
            "",
            "http://h/",
            "http://h/a,b/c",
            "http://h/;jsessionid=1",
            "http://h/?a=1,2&b=3",
            "http://h/a,b#c",
            "http://h/a|b%20c",
            "h.example,1",
            "1,http://h/",
            "http://me,you@h/",
            "tel:1,2",
            "\"http://h/\",1",
        ] {
            assert_eq!(UrlRow::find(line, Reject), None, "{line}");
        }
    }

    #[test]
    fn the_lines_around_them_stay() {
        let lines = "http://a/\nhttp://b/ 1\nhttp://c d\n\nhttp://e/\t\nhttp://f/\t1\nhttp://g/ 2\nhttp://h/";
        let kept = "http://a/\n\nhttp://c d\n\nhttp://e/\t\n\n\nhttp://h/";
        assert_eq!(rejected(lines, TrailingText::Reject), (kept.into(), vec![(1, 9), (5, 9), (6, 9)]));
        let lines = format!("http://a/ 1\n{}\nhttp://b/ 1", "x".repeat(101));
        let mut data = lines.into_bytes();
        let mut framed = frame(&mut data, 100, After::End);
        reject_trailing_text(&mut data, &mut framed, TrailingText::Reject);
        assert_eq!(framed.rejected.iter().map(|line| line.index).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(&data[..framed.lines], b"\n\n\n");
    }
}
