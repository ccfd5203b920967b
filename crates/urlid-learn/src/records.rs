//! The captures in the records of WARC and ARC files.

use std::io::Read;

use urlid::Error;
use urlid_archives::{Record, RecordType, Records, WarcReader};

use crate::capture::{CaptureLines, Found, PageContent};
use crate::message::{MOST_BODY, Message};
use crate::text::{self, TextDigester};

/// A record that was read. Its buffers are reused.
#[derive(Debug, Default)]
pub struct StoredCapture {
    record: Record,
    content: Vec<u8>,
}

impl StoredCapture {
    /// Reads the next record of a response or a resource, and returns whether there is one. Only the first
    /// [`MOST_BODY`] bytes are kept.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged.
    pub fn read<R: Read>(&mut self, reader: &mut WarcReader<R>) -> Result<bool, Error> {
        while reader.next_record(&mut self.record)? {
            let kind = self.record.record_type;
            // The answer of a revisit has no body, and thus no visible text to compare with its payload
            // digest.
            if !matches!(kind, RecordType::Response | RecordType::Resource)
                || !Records::default().contains(kind, self.record.content_type())
            {
                continue;
            }
            self.content.clear();
            while let length @ 1.. = reader.content()?.len() {
                let room = MOST_BODY.saturating_sub(self.content.len());
                self.content.extend_from_slice(&reader.content()?[..length.min(room)]);
                reader.consume(length);
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Returns the number of the record in its file, from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.record.number
    }

    /// Returns the bytes of the URL.
    #[must_use]
    pub fn url(&self) -> &[u8] {
        self.record.url().unwrap_or_default()
    }
}

/// Makes lines of captures from records.
#[derive(Debug)]
pub struct RecordLines<'f> {
    lines: CaptureLines<'f>,
    text: TextDigester,
    body: Vec<u8>,
}

impl<'f> RecordLines<'f> {
    /// Makes a writer that formats lines with `lines`.
    #[must_use]
    pub fn new(lines: CaptureLines<'f>) -> Self {
        RecordLines { lines, text: TextDigester::default(), body: Vec::new() }
    }

    /// Appends the line of a record, if it has one. The visible text identifies the content of a page, and
    /// the bytes identify any other content.
    ///
    /// # Errors
    /// If the URL lacks a `web` form.
    pub fn push(&mut self, stored: &StoredCapture, out: &mut String) -> Result<(), Error> {
        let url = stored.record.url_text().unwrap_or_default();
        let time: String = String::from_utf8_lossy(stored.record.date().unwrap_or_default()).into_owned();
        // A response of a different protocol, such as DNS, lacks an HTTP head.
        let is_message = stored.record.record_type == RecordType::Response && url.starts_with("http");
        let message = if is_message { Message::read(&stored.content) } else { Message::default() };
        let content_type = match is_message {
            true => message.content_type(),
            false => {
                std::str::from_utf8(stored.record.content_type().unwrap_or_default()).unwrap_or_default()
            }
        };
        let mut found = Found {
            url: &url,
            content: None,
            status: message.status(),
            redirect: message.location(),
            no_vary_search: message.no_vary_search(),
            time: &time,
        };
        if matches!(found.status, None | Some(200..=299)) {
            if is_message {
                message.body(&mut self.body);
            } else {
                self.body.clear();
                self.body.extend_from_slice(&stored.content);
            }
            let digest = match text::is_read(content_type) {
                true => self.text.digest(&url, content_type, &self.body),
                false => text::bytes_digest(&self.body),
            };
            found.content = Some(PageContent::of_text(digest));
        }
        self.lines.push(&found, out)
    }
}
