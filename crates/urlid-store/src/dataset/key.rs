//! The order of the rows: host with its labels reversed, port, path, query, then the whole URL.
//!
//! A [`UrlSplit`] has the offsets of these parts in the stored text of a URL. A key is one byte string that
//! sorts in the order of these parts.

use crate::question::{StoredUrl, host_key};
use crate::sort::SortRow;
use memchr::{memchr, memchr2};
use urlid::Error;
use urlid::suffix::SuffixList;
use urlid::sxurl::is_plain_normal_text;
use urlid_canonical::Form;

/// The end of a part in a key. It is less than every byte of a part.
const END: u8 = 0;
/// Escapes the bytes 0 and 1 of a part: 0 becomes 1 1, and 1 becomes 1 2, which keeps the order.
const ESCAPE: u8 = 1;

/// The offsets in the stored text of a URL of the parts that determine its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct UrlSplit {
    /// 0 without a port, so that it sorts first. Otherwise the port plus one.
    pub(crate) port: u32,
    /// The start and the end of the path. If there is a query, a `?` and the query follow.
    pub(crate) path: [u32; 2],
    /// The end of the query, or of the path if there is no query. The fragment follows, if there is one.
    pub(crate) query_end: u32,
}

impl UrlSplit {
    /// Splits the stored text of a URL.
    pub(crate) fn new(url: &StoredUrl<'_>, text: &str) -> Self {
        // A stored text leaves out empty parts with their delimiters, so lengths give the offsets.
        let with_delimiter = |part: &str| if part.is_empty() { 0 } else { part.len() + 1 };
        let query_end = text.len() - with_delimiter(url.fragment());
        let path_end = query_end - with_delimiter(url.query());
        Self {
            port: url.port().map_or(0, |port| u32::from(port) + 1),
            path: [path_end - url.path().len(), path_end].map(offset),
            query_end: offset(query_end),
        }
    }

    /// Splits a text that is its own stored text, and returns its host as well. Returns `None` for other
    /// texts.
    pub(crate) fn of_plain(text: &str) -> Option<(Self, &str)> {
        if !is_plain_normal_text(text) {
            return None;
        }
        let bytes = text.as_bytes();
        // A plain text is `scheme://host`, then an optional port, and a path. Both slashes therefore follow
        // the first colon.
        let authority_start = memchr(b':', bytes)? + 3;
        let path_start = authority_start + memchr(b'/', &bytes[authority_start..])?;
        let authority = &text[authority_start..path_start];
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, port.parse::<u32>().ok()? + 1),
            None => (authority, 0),
        };
        let find = |from: usize, at: Option<usize>| at.map_or(text.len(), |at| from + at);
        let path_end = find(path_start, memchr2(b'?', b'#', &bytes[path_start..]));
        let query_end = match bytes.get(path_end) {
            Some(b'?') => find(path_end, memchr(b'#', &bytes[path_end..])),
            _ => path_end,
        };
        let path = [path_start, path_end].map(offset);
        Some((Self { port, path, query_end: offset(query_end) }, host))
    }

    /// Returns the bytes of the path, including its leading slash.
    pub(crate) fn path<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[self.path[0] as usize..self.path[1] as usize]
    }

    /// Returns the query without its `?`.
    pub(crate) fn query<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        let with_delimiter = &text[self.path[1] as usize..self.query_end as usize];
        with_delimiter.split_first().map_or(&[], |(_, query)| query)
    }
}

/// A row with the parts that determine its order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UrlPlace<'r> {
    pub(crate) host_key: &'r [u8],
    pub(crate) split: UrlSplit,
    pub(crate) text: &'r [u8],
}

impl UrlPlace<'_> {
    /// Compares two rows with the same host and port.
    pub(crate) fn cmp_within_host(&self, other: &Self) -> std::cmp::Ordering {
        self.split
            .path(self.text)
            .cmp(other.split.path(other.text))
            .then_with(|| self.split.query(self.text).cmp(other.split.query(other.text)))
            .then_with(|| self.text.cmp(other.text))
    }

    /// Appends the key, which sorts as bytes do.
    pub(crate) fn write(&self, key: &mut Vec<u8>) {
        write_part(self.host_key, key);
        // The port plus one is at most 65,536 and fits in three bytes. All keys have these three bytes, so
        // the port needs no end.
        key.extend_from_slice(&self.split.port.to_be_bytes()[1..]);
        write_part(self.split.path(self.text), key);
        write_part(self.split.query(self.text), key);
        // The text is the last part. It needs neither an end nor escapes, because nothing follows it.
        key.extend_from_slice(self.text);
    }
}

impl PartialEq for UrlPlace<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for UrlPlace<'_> {}

impl PartialOrd for UrlPlace<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for UrlPlace<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.host_key
            .cmp(other.host_key)
            .then_with(|| self.split.port.cmp(&other.split.port))
            .then_with(|| self.cmp_within_host(other))
    }
}

/// Rows as they are sorted and written in runs: five numbers, the host key and the text.
#[derive(Debug)]
pub(crate) enum PlaceRow {}

impl PlaceRow {
    /// The bytes of a row in addition to its host key and text: five numbers, and the length before each row.
    pub(crate) const HEAD: usize = 6 * 4;
}

impl SortRow for PlaceRow {
    type Row<'r> = UrlPlace<'r>;

    fn write(place: UrlPlace<'_>, bytes: &mut Vec<u8>) {
        let UrlSplit { port, path, query_end } = place.split;
        // Hosts are shorter than lines, whose lengths fit in 32 bits.
        for number in [place.host_key.len() as u32, port, path[0], path[1], query_end] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(place.host_key);
        bytes.extend_from_slice(place.text);
    }

    fn read(bytes: &[u8]) -> Option<UrlPlace<'_>> {
        let (head, rest) = bytes.split_first_chunk::<20>()?;
        let (numbers, _) = head.as_chunks();
        let number = |index: usize| u32::from_le_bytes(numbers[index]);
        let (host_key, text) = rest.split_at_checked(number(0) as usize)?;
        let split = UrlSplit { port: number(1), path: [number(2), number(3)], query_end: number(4) };
        // A failing disk may return different numbers, and parts are sliced by them without a further check.
        let is_in_text = number(2) <= number(3) && number(3) <= number(4) && number(4) as usize <= text.len();
        is_in_text.then_some(UrlPlace { host_key, split, text })
    }
}

/// Returns the key by which a dataset sorts a URL (docs/datasets.md, "Metadata of a file"), to divide
/// URLs into ranges.
///
/// `form` is the canonical form of the dataset, if it has one. Keys are compared as bytes.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid_store::dataset::sort_key;
///
/// let key = |url| sort_key(url, SuffixList::compiled(), None);
/// assert!(key("https://www.a.example/2")? < key("http://b.example/1")?);
/// # Ok::<(), urlid::Error>(())
/// ```
///
/// # Errors
/// If the text or its canonical form is not an absolute URL.
pub fn sort_key(text: &str, list: &SuffixList, form: Option<&Form>) -> Result<Vec<u8>, Error> {
    let canonical = form.map(|form| form.canonicalize(text)).transpose()?;
    StoredUrl::read(canonical.as_deref().unwrap_or(text), list, |url, _| key_of(url, &url.to_text()))
}

/// Returns the key of a stored URL.
pub(crate) fn key_of(url: &StoredUrl<'_>, text: &str) -> Vec<u8> {
    let host_key = host_key(url.host());
    let mut key = Vec::new();
    UrlPlace { host_key: host_key.as_bytes(), split: UrlSplit::new(url, text), text: text.as_bytes() }
        .write(&mut key);
    key
}

/// Returns the least key of the rows whose host keys are not less than a text.
pub(crate) fn least_of_host(text: &str) -> Vec<u8> {
    let mut key = Vec::new();
    // The end is left out, so that the key is before the keys of this host and of longer hosts that start
    // with it.
    escape(text.as_bytes(), &mut key);
    key
}

fn write_part(part: &[u8], key: &mut Vec<u8>) {
    escape(part, key);
    key.push(END);
}

fn escape(part: &[u8], key: &mut Vec<u8>) {
    if part.iter().all(|byte| *byte > ESCAPE) {
        key.extend_from_slice(part);
        return;
    }
    for &byte in part {
        match byte {
            0 | ESCAPE => key.extend_from_slice(&[ESCAPE, byte + 1]),
            _ => key.push(byte),
        }
    }
}

/// Returns an offset in 32 bits. Lines are limited far below 4 GiB, so every offset fits.
fn offset(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the stored text of a URL, its host key and its split.
    fn stored(text: &str) -> Option<(String, String, UrlSplit)> {
        StoredUrl::read(text, SuffixList::compiled(), |url, _| {
            let text = url.to_text();
            let split = UrlSplit::new(url, &text);
            (text, host_key(url.host()), split)
        })
        .ok()
    }

    fn parts(text: &str) -> (String, Option<u16>, String, String, String) {
        StoredUrl::read(text, SuffixList::compiled(), |url, _| {
            let (path, query) = (url.path().to_owned(), url.query().to_owned());
            (host_key(url.host()), url.port(), path, query, url.to_text())
        })
        .expect("it was read before")
    }

    proptest! {
        #![proptest_config(urlid_testing::proptest_config())]

        #[test]
        fn keys_sort_as_the_parts_do(
            a in "(https?|x)://([ab]{1,2}\\.){0,2}(c|1\\.2\\.3\\.4|d\\.)(:[0-9]{1,2})?/[ab\u{0}\u{1}/]{0,3}(\\?[ab\u{0}\u{1}]{0,2})?(#[a?]{0,2})?",
            b in "(https?|x)://([ab]{1,2}\\.){0,2}(c|1\\.2\\.3\\.4|d\\.)(:[0-9]{1,2})?/[ab\u{0}\u{1}/]{0,3}(\\?[ab\u{0}\u{1}]{0,2})?(#[a?]{0,2})?",
        ) {
            let (Some(x), Some(y)) = (stored(&a), stored(&b)) else { return Ok(()) };
            let place = |row: &'_ (String, String, UrlSplit)| {
                let mut key = Vec::new();
                UrlPlace { host_key: row.1.as_bytes(), split: row.2, text: row.0.as_bytes() }.write(&mut key);
                key
            };
            prop_assert_eq!(place(&x).cmp(&place(&y)), parts(&a).cmp(&parts(&b)), "{} {}", x.0, y.0);
            let [p, q] = [&x, &y].map(|row| UrlPlace { host_key: row.1.as_bytes(), split: row.2, text: row.0.as_bytes() });
            prop_assert_eq!(p.cmp(&q), parts(&a).cmp(&parts(&b)));
        }
    }

    #[test]
    fn parts_of_a_damaged_row_are_in_its_text() {
        let (text, host_key, split) = stored("https://docs.rs:8080/serde?q=1#f").expect("it is a URL");
        let mut bytes = Vec::new();
        let place = UrlPlace { host_key: host_key.as_bytes(), split, text: text.as_bytes() };
        PlaceRow::write(place, &mut bytes);
        assert_eq!(PlaceRow::read(&bytes), Some(place));
        let mut rejected = 0;
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            match PlaceRow::read(&damaged) {
                Some(place) => place.write(&mut Vec::new()),
                None => rejected += 1,
            }
        }
        // Nearly every bit of the length of the host key and of the three offsets.
        assert!((96..=128).contains(&rejected), "{rejected}");
        assert_eq!(PlaceRow::read(&bytes[..19]), None);
    }

    #[test]
    fn plain_texts_are_split_alike() {
        let texts = [
            "https://example.com/",
            "http://a-b.example.co.uk:8080/a/../b?x=?#y#",
            "ftp://host/\u{fc}\u{0} #f",
            "https://a.b.c1/?q",
            "https://a.com/#?",
        ];
        for text in texts {
            let (split, host) = UrlSplit::of_plain(text).expect("it is plain");
            let (stored, key, expected) = stored(text).expect("it is a URL");
            assert_eq!((stored.as_str(), split, host_key(host)), (text, expected, key), "{text}");
        }
        assert_eq!(UrlSplit::of_plain("https://Example.com/"), None);
        assert_eq!(UrlSplit::of_plain("mailto:a@b"), None);
    }

    #[test]
    fn the_least_key_of_a_host_is_before_all_its_rows_and_after_all_lesser_hosts() {
        let key = |text: &str| {
            StoredUrl::read(text, SuffixList::compiled(), |url, _| key_of(url, &url.to_text()))
                .expect("a URL")
        };
        let least = least_of_host("com.example");
        assert!(least <= key("http://example.com/") && least <= key("http://www.example.com/"));
        assert!(
            key("http://exampl.com/") < least && key("http://example.com/") < least_of_host("com.example\0")
        );
        assert!(least_of_host("com.example/") > key("http://z.example.com/"));
    }
}
