//! Text beside a URL on its line, which is not part of it: `http://a.example/<TAB>200`, `http://a.example/
//! 200 5120`.
//!
//! By the URL Standard a TAB vanishes and a blank is a part of the path, so such a line would become another
//! URL.

use memchr::{memchr, memchr_iter, memchr2, memrchr};

use crate::lines::chunk::RefusedLine;
use crate::lines::framing::Framed;
use crate::lines::line::{LineError, without_end};
use crate::lines::options::TextBeside;
use urlid::reference::Class;
use urlid::web::{assume_scheme, is_scheme};

/// Refuses the lines of `framed`, at the start of `data`, in which text is beside a URL, and leaves an empty
/// line for each.
pub(crate) fn refuse(data: &mut [u8], framed: &mut Framed, how: TextBeside) {
    // Lines up to `read` were examined and moved to `written`; `searched` is the start of a line.
    let (mut read, mut written, mut searched, mut index) = (0, 0, 0, 0);
    // Few lists have a blank or a TAB at all, and searching them takes no time beside reading.
    while how != TextBeside::Keep
        && let Some(hit) = memchr2(b'\t', b' ', &data[searched..framed.lines])
    {
        let hit = searched + hit;
        let start = memrchr(b'\n', &data[searched..hit]).map_or(searched, |end| searched + end + 1);
        let end = memchr(b'\n', &data[hit..framed.lines]).map_or(framed.lines, |end| hit + end + 1);
        searched = end;
        let Some(error) = how.find(without_end(&data[start..end])) else { continue };
        index += memchr_iter(b'\n', &data[read..start]).count();
        framed.refused.push(RefusedLine { index, head: without_end(&data[start..end]).into(), error });
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
        framed.refused.sort_by_key(|line| line.index);
    }
}

impl TextBeside {
    /// Returns why a line is refused: a TAB inside it, or after a URL nothing but numbers, `-` and URLs.
    #[must_use]
    pub fn find(self, line: &[u8]) -> Option<LineError> {
        let line = str::from_utf8(line).ok().filter(|_| self != TextBeside::Keep)?;
        let text = line.trim_matches(|character| character <= ' ');
        let at = line.len() - line.trim_start_matches(|character| character <= ' ').len();
        if let Some(tab) = memchr(b'\t', text.as_bytes()) {
            return Some(LineError::TextBeside { offset: at + tab });
        }
        let (first, others) = text.split_once(' ')?;
        let mut others = others.split(' ').filter(|word| !word.is_empty());
        let is_row = self.begins_url(first)
            && others.all(|word| word == "-" || is_number(word) || TextBeside::Refuse.begins_url(word));
        is_row.then_some(LineError::TextBeside { offset: at + first.len() })
    }

    /// Returns whether the first word of a line begins a URL: with `scheme://`, for which browsers take
    /// backslashes too, or with a special scheme, which they read without slashes too.
    #[must_use]
    pub fn begins_url(self, word: &str) -> bool {
        let text = match self {
            TextBeside::RefuseWithoutScheme => assume_scheme(word, "https"),
            TextBeside::Keep | TextBeside::Refuse => word.into(),
        };
        let Some((scheme, rest)) = text.split_once(':') else { return false };
        let slashes = rest.bytes().take(2).filter(|byte| b"/\\".contains(byte)).count();
        is_scheme(scheme) && (slashes == 2 || Class::of_scheme(scheme).is_special())
    }
}

/// Returns whether a word is a number, which begins with a digit or a sign.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    // `parse` alone would accept `inf` and `nan`.
    digits.starts_with(|first: char| first.is_ascii_digit()) && digits.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::framing::{After, frame};

    /// Returns the lines that stay, and the index and the offset of each that is refused.
    fn refused(lines: &str, how: TextBeside) -> (String, Vec<(usize, usize)>) {
        let mut data = lines.as_bytes().to_vec();
        let mut framed = frame(&mut data, 100, After::End);
        refuse(&mut data, &mut framed, how);
        let offset = |error| match error {
            LineError::TextBeside { offset } => offset,
            error => panic!("{error}"),
        };
        let refused = framed.refused.iter().map(|line| (line.index, offset(line.error))).collect();
        data.truncate(framed.lines);
        (String::from_utf8(data).expect("it was text"), refused)
    }

    #[test]
    fn rows_are_refused_and_urls_are_not() {
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
            assert_eq!(refused(line, TextBeside::Refuse), ("\n".into(), vec![(0, offset)]), "{line:?}");
            assert_eq!(refused(line, TextBeside::Keep), (line.into(), vec![]), "{line:?}");
        }
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
            "https: a",
            "a.example 5",
            "example.com:80 7",
            "urn:a 5",
            "1 http://a.example/",
        ] {
            assert_eq!(refused(line, TextBeside::Refuse), (line.into(), vec![]), "{line:?}");
        }
        for (line, offset) in [
            ("a.example\t5", 9),
            ("a.example 5 -", 9),
            ("example.com:80 7", 14),
            ("//a.example 7", 11),
            ("http://a\t5", 8),
            ("http:a 5", 6),
        ] {
            assert_eq!(refused(line, TextBeside::RefuseWithoutScheme), ("\n".into(), vec![(0, offset)]));
        }
        for line in ["a.example # comment", "tel:+1 201 555 0123", "a.example/x y"] {
            assert_eq!(refused(line, TextBeside::RefuseWithoutScheme), (line.into(), vec![]), "{line:?}");
        }
    }

    #[test]
    fn the_lines_around_them_stay() {
        let lines = "http://a/\nhttp://b/ 1\nhttp://c d\n\nhttp://e/\t\nhttp://f/\t1\nhttp://g/ 2\nhttp://h/";
        let kept = "http://a/\n\nhttp://c d\n\nhttp://e/\t\n\n\nhttp://h/";
        assert_eq!(refused(lines, TextBeside::Refuse), (kept.into(), vec![(1, 9), (5, 9), (6, 9)]));
        let lines = format!("http://a/ 1\n{}\nhttp://b/ 1", "x".repeat(101));
        let mut data = lines.into_bytes();
        let mut framed = frame(&mut data, 100, After::End);
        refuse(&mut data, &mut framed, TextBeside::Refuse);
        assert_eq!(framed.refused.iter().map(|line| line.index).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(&data[..framed.lines], b"\n\n\n");
    }
}
