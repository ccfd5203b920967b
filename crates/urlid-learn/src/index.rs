//! Reads the captures in the lines of CDX and CDXJ.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use urlid_archives::cdx::{CdxError, CdxLayout};

use crate::capture::{Found, PageContent};

/// Reads the lines of one index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexLines {
    layout: CdxLayout,
    /// The places of the time, the status, the digest and the redirect in a line of CDX.
    places: [Option<usize>; 4],
}

impl IndexLines {
    /// Returns the reader of an index with this layout and first line, or `None` for an index without
    /// digests.
    #[must_use]
    pub fn new(layout: CdxLayout, first: &[u8]) -> Option<Self> {
        let header = |separator: u8| -> Vec<&[u8]> { first.split(|byte| *byte == separator).collect() };
        let names = ["b", "s", "k", "r"];
        let places = match layout {
            CdxLayout::Cdx { separator, .. } if matches!(first.first(), Some(b' ' | b'\t')) => {
                // An empty field and `CDX` come before the names.
                let header = header(separator);
                let header = header.get(2..).unwrap_or_default();
                names.map(|name| header.iter().position(|field| *field == name.as_bytes()))
            }
            // The lines of the Wayback CDX server, which have no redirect.
            CdxLayout::Cdx { fields: 7, .. } => [Some(1), Some(4), Some(5), None],
            // Without a header these lines are `N b a m s k r …`.
            CdxLayout::Cdx { .. } => [Some(1), Some(4), Some(5), Some(6)],
            CdxLayout::Rows { .. } => {
                let names = ["timestamp", "statuscode", "digest", "redirect"];
                let row = first.trim_ascii().strip_prefix(b"[").unwrap_or_default();
                let header: Vec<String> =
                    serde_json::from_slice(row.strip_suffix(b",").unwrap_or(row)).ok()?;
                names.map(|name| header.iter().position(|field| field == name))
            }
            CdxLayout::Cdxj => return Some(IndexLines { layout, places: [None; 4] }),
            _ => return None,
        };
        places[2].map(|_| IndexLines { layout, places })
    }

    /// Passes the capture of a line to `take`. Ignores the header and blank lines.
    ///
    /// # Errors
    /// [`CdxError`] if the line does not belong to such an index, and errors of `take`.
    pub fn read<E: From<CdxError>>(
        &self,
        line: &[u8],
        take: impl FnOnce(&Found<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.layout != CdxLayout::Cdxj {
            return self.read_fields(line, take);
        }
        if line.is_empty() || line.starts_with(b"!meta ") {
            return Ok(());
        }
        let mut parts = line.splitn(3, |byte| *byte == b' ');
        let (_, Some(time), Some(json)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(CdxError::NotJson.into());
        };
        // An error of data means JSON with a member of a different type.
        let members: Members<'_> = serde_json::from_slice(json).map_err(|error| match error.is_data() {
            true => CdxError::NoUrl,
            false => CdxError::NotJson,
        })?;
        take(&Found {
            url: &members.url,
            content: members.digest.as_deref().and_then(PageContent::of_digest),
            status: members.status.map(|Status(status)| status),
            redirect: members.redirect.as_deref().filter(|target| !matches!(*target, "" | "-")),
            time: std::str::from_utf8(time).unwrap_or_default(),
            no_vary_search: None,
        })
    }

    fn read_fields<E: From<CdxError>>(
        &self,
        line: &[u8],
        take: impl FnOnce(&Found<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(url) = self.layout.url(line)? else { return Ok(()) };
        let line = self.layout.plain(line)?;
        let separator = match self.layout.of_plain() {
            CdxLayout::Cdx { separator, .. } => separator,
            _ => b' ',
        };
        let fields: Vec<&[u8]> = line.split(|byte| *byte == separator).collect();
        let [time, status, digest, redirect] = self.places.map(|place| {
            let field = place.and_then(|place| fields.get(place)).copied().unwrap_or_default();
            std::str::from_utf8(field).unwrap_or_default()
        });
        take(&Found {
            url: &String::from_utf8_lossy(&url),
            content: PageContent::of_digest(digest),
            status: status.parse().ok(),
            redirect: Some(redirect).filter(|target| !matches!(*target, "" | "-")),
            time,
            no_vary_search: None,
        })
    }
}

/// The members of a line of CDXJ.
#[derive(serde::Deserialize)]
struct Members<'a> {
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(default)]
    status: Option<Status>,
    #[serde(borrow, default)]
    digest: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    redirect: Option<Cow<'a, str>>,
}

/// A status that is written as a number or a text.
struct Status(u16);

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = Status;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a status")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Status, E> {
                // A revisit may have `-` here, and has a content.
                Ok(Status(text.parse().unwrap_or(200)))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Status, E> {
                // This is less than every status, so the capture is left out.
                Ok(Status(number.try_into().unwrap_or(0)))
            }
        }
        from.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(first: &str, line: &str) -> (String, Option<PageContent>, Option<u16>, String) {
        let layout = CdxLayout::recognise(first.as_bytes()).expect("an index");
        let index = IndexLines::new(layout, first.as_bytes()).expect("it has digests");
        let mut read = None;
        let taken: Result<(), CdxError> = index.read(line.as_bytes(), |found| {
            read = Some((found.url.to_owned(), found.content, found.status, found.time.to_owned()));
            Ok(())
        });
        taken.expect("a line of it");
        read.expect("it has a capture")
    }

    #[test]
    fn captures_are_read_from_every_layout() {
        let expected = (
            "http://a.com/".to_owned(),
            PageContent::of_digest("SHA"),
            Some(200),
            "20260102030405".to_owned(),
        );
        let cdx = "com,a)/ 20260102030405 http://a.com/ text/html 200 SHA - - 120 0 a.warc.gz";
        for (first, line) in [
            (cdx, cdx),
            (" CDX a b s k", "http://a.com/ 20260102030405 200 SHA"),
            (
                "com,a)/ 20260102030405 http://a.com/ text/html 200 SHA 120",
                "com,a)/ 20260102030405 http://a.com/ text/html 200 SHA 120",
            ),
            (
                r#"[["urlkey","timestamp","original","statuscode","digest"],"#,
                r#"["com,a)/","20260102030405","http://a.com/","200","SHA"]]"#,
            ),
        ] {
            assert_eq!(read(first, line), expected, "{first}");
        }
        for status in ["\"200\"", "200"] {
            let line = format!(
                r#"com,a)/ 20260102030405 {{"url": "http://a.com/", "status": {status}, "digest": "SHA"}}"#
            );
            assert_eq!(read(&line, &line), expected, "{status}");
        }
        let without = b" CDX N b a";
        assert_eq!(CdxLayout::recognise(without).and_then(|layout| IndexLines::new(layout, without)), None);
    }
}
