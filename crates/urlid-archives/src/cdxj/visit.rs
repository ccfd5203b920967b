//! The data of the index line of a record.

use std::borrow::Cow;

use urlid::Error;
use urlid_canonical::Canonicalizer;

use super::json::{IndexLayout, push_text};
use super::request::{self, Appended, BodyFault, BodyRules};
use super::text;
use crate::cdx::push_key;
use crate::error;
use crate::warc::http::HttpHead;
use crate::{Record, RecordType, time};

/// The data of a record in an index.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a>(pub(super) &'a Entry);

/// A record that was read to its end.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) record: Record,
    pub(super) http: HttpHead,
    /// The digest of the payload, where it is computed.
    pub(super) digest: Option<String>,
    /// The body of a request as a query.
    pub(super) sent: Option<Result<Option<String>, BodyFault>>,
    /// The text of the key, where it is not the URL.
    pub(super) key: Option<Result<String, BodyFault>>,
    /// The request of a response: its body and its method.
    pub(super) request: Option<(Option<String>, String)>,
    pub(super) is_wanted: bool,
    pub(super) offset: u64,
    pub(super) length: u64,
}

impl Entry {
    /// Makes the request among two records part of the key of the response, if `next` says that it was made
    /// together with the one before it. Returns whether the two are request and response.
    pub(super) fn join(&mut self, next: &mut Self, rules: BodyRules) -> bool {
        // Records that lack both fields count as made together too.
        if next.record.concurrent_to() != self.record.id() || next.url() != self.url() {
            return false;
        }
        let is_response = |kind| match rules {
            BodyRules::CdxjIndexer => kind == RecordType::Response,
            BodyRules::Pywb => kind != RecordType::Request,
        };
        let (request, response) = match (self.record.record_type, next.record.record_type) {
            (RecordType::Request, kind) if is_response(kind) => (self, next),
            (kind, RecordType::Request) if is_response(kind) => (next, self),
            _ => return false,
        };
        let url = request.url().unwrap_or_default().into_owned();
        let appended = request::appended(&url, &request.http.first, request.sent.take(), rules);
        if let Some(appended) = appended {
            request.key =
                Some(appended.as_ref().map(|appended| appended.key.clone()).map_err(|fault| *fault));
            (response.key, response.request) = match appended {
                Ok(Appended { key, method, body }) => (Some(Ok(key)), Some((body, method))),
                Err(fault) => (Some(Err(fault)), None),
            };
        }
        true
    }

    /// Returns the URL with its spaces as `%20`.
    fn url(&self) -> Option<Cow<'_, str>> {
        let url = self.record.url_text()?;
        Some(if url.contains(' ') { Cow::Owned(url.replace(' ', "%20")) } else { url })
    }
}

impl Visit<'_> {
    /// Returns the number of the record in its file, from 1.
    pub fn number(&self) -> u64 {
        self.0.record.number
    }

    /// Returns the URL with its spaces as `%20`.
    pub fn url(&self) -> Option<Cow<'_, str>> {
        self.0.url()
    }

    /// Appends the line of an index of this layout, without its line end. `filename` is the name of the
    /// archive in it.
    ///
    /// # Errors
    /// If the record lacks a date, if the body of its request cannot be read, or if a field of CDX has a
    /// space or a line end, which separate fields and lines. Nothing is appended then.
    pub fn write_line(
        &self,
        keys: &mut Canonicalizer<'_>,
        filename: &str,
        layout: IndexLayout,
        out: &mut String,
    ) -> Result<(), Error> {
        let time = self.time()?;
        let key = match &self.0.key {
            None => self.url().unwrap_or_default(),
            Some(Ok(key)) => Cow::Borrowed(key.as_str()),
            Some(Err(fault)) => return Err(error::BODY.error().with_shown(fault)),
        };
        let start = out.len();
        push_key(keys, &key, out);
        out.push(' ');
        out.push_str(&time);
        out.push(' ');
        if layout == IndexLayout::Cdxj {
            self.push_json(filename, out);
            return Ok(());
        }
        self.push_fields(filename, layout.names(), out);
        let line = &out[start..];
        // A space in any field shows as one field too many.
        if line.split(' ').count() == layout.names().len() + 2 && !line.contains(['\n', '\r']) {
            return Ok(());
        }
        let separates = |field: &Cow<'_, str>| field.contains([' ', '\n', '\r']);
        let field = layout.names().iter().filter_map(|name| self.field(name, filename)).find(separates);
        let found = field.as_deref().unwrap_or(line);
        let error = error::CDX_FIELD.error().with_shown(crate::warc::excerpt(found.as_bytes()));
        out.truncate(start);
        Err(error)
    }

    /// Appends the fields as JSON.
    fn push_json(&self, filename: &str, out: &mut String) {
        let mut separator = "{";
        let mut push = |name: &str, value: Option<&str>| {
            out.push_str(separator);
            separator = ", ";
            out.push('"');
            out.push_str(name);
            out.push_str("\": ");
            match value {
                Some(value) => push_text(value, out),
                None => out.push_str("null"),
            }
        };
        for name in IndexLayout::Cdxj.names() {
            if let Some(value) = self.field(name, filename) {
                push(name, Some(&value));
            }
        }
        if let Some((body, method)) = &self.0.request {
            push("requestBody", body.as_deref());
            push("method", Some(method));
        }
        out.push('}');
    }

    /// Appends the fields with these names, with a space between two.
    fn push_fields(&self, filename: &str, names: &[&str], out: &mut String) {
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                out.push(' ');
            }
            let value = self.field(name, filename);
            out.push_str(match (*name, value.as_deref().unwrap_or("-")) {
                // Without the name of the algorithm.
                ("digest", digest) => digest.rsplit(':').next().unwrap_or_default(),
                (_, value) => value,
            });
        }
    }

    /// Returns the time of the visit in 14 digits.
    fn time(&self) -> Result<String, Error> {
        let date = self.0.record.date().unwrap_or_default();
        let (time, kind) = match self.0.record.is_arc {
            true => (time::of_arc(date), error::ARC_DATE),
            false => (time::digits(date), error::DATE),
        };
        time.ok_or_else(|| kind.error().with_shown(crate::warc::excerpt(date)))
    }

    /// Returns a field of an index.
    fn field<'v>(&'v self, name: &str, filename: &'v str) -> Option<Cow<'v, str>> {
        let stated = || self.0.record.payload_digest().map(text).filter(|digest| !digest.is_empty());
        match name {
            "url" => self.url(),
            "mime" => self.mime(),
            "status" => self.http_status(),
            "digest" => stated().or(self.0.digest.as_deref().map(Cow::Borrowed)),
            "length" => Some(Cow::Owned(self.0.length.to_string())),
            "offset" => Some(Cow::Owned(self.0.offset.to_string())),
            "filename" => Some(Cow::Borrowed(filename)),
            _ => None,
        }
    }

    /// Returns the status of a response.
    fn http_status(&self) -> Option<Cow<'_, str>> {
        let has_status = matches!(self.0.record.record_type, RecordType::Response | RecordType::Revisit);
        self.0.http.status.as_deref().filter(|_| has_status).map(text)
    }

    /// Returns the media type of the visited document, without its parameters.
    fn mime(&self) -> Option<Cow<'_, str>> {
        let value = match self.0.record.record_type {
            RecordType::Revisit => return Some(Cow::Borrowed("warc/revisit")),
            RecordType::Response | RecordType::Request => self.0.http.content_type.as_deref()?,
            _ => self.0.record.content_type()?,
        };
        let ends = |byte: &u8| *byte == b';' || byte.is_ascii_whitespace();
        value.split(ends).next().filter(|value| !value.is_empty()).map(text)
    }
}
