//! Learns the templates of a host from its URLs.
//!
//! The result depends only on the set of URLs and, with hits, on their numbers. It does not depend on their
//! order, a clock or random numbers. `urlid-canonical` has the file and the walk from a URL to its template.
//!
//! ```text
//!  URL ─▶ TemplateUrls ─▶ line ─ sorted by the caller ─▶ HostSample ─▶ HostTemplates ─▶ lines of a file
//! ```

#![deny(clippy::float_arithmetic, reason = "templates are the same on every platform")]

mod build;
mod fields;
mod open;
mod sample;
mod traps;

use urlid::internal::digest::sha256;
use urlid::{Error, hex};
use urlid_canonical::Canonicalizer;
use urlid_canonical::{SplitUrl, Templates, template_form};

use sample::Sample;
pub use traps::Trap;

/// The minimum number of different URLs of a host that has templates.
pub const FEWEST_URLS: usize = 50;
/// The maximum number of literals at one place in the paths of a host.
const MOST_LITERALS: usize = 128;
/// The maximum number of templates of a host.
const MOST_TEMPLATES: usize = 1_024;
/// The maximum length of a URL in a sample, in bytes.
const LONGEST_URL: usize = 4 << 10;
/// The maximum size of a sample in bytes, divided by its maximum number of URLs.
const BYTES_PER_URL: usize = 104;
/// The maximum number of hits of a URL. More hits add no evidence.
const MOST_HITS: u32 = 8;

/// Writes a line with host, digest and text for each URL. The caller sorts these lines.
#[derive(Debug)]
pub struct TemplateUrls {
    canonicalizer: Canonicalizer<'static>,
    url: String,
}

impl Default for TemplateUrls {
    fn default() -> Self {
        Self { canonicalizer: template_form().canonicalizer(), url: String::new() }
    }
}

impl TemplateUrls {
    /// Creates a writer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the line of a URL without a line end. Appends nothing if the URL cannot have a template or is
    /// too long for a sample.
    ///
    /// # Errors
    /// Those of the form `web`.
    pub fn push(&mut self, url: &str, line: &mut String) -> Result<(), Error> {
        self.url.clear();
        self.canonicalizer.canonicalize_into(url, &mut self.url)?;
        if let Some(split) = SplitUrl::new(&self.url).filter(|_| self.url.len() <= LONGEST_URL) {
            let digest = sha256(&[self.url.as_bytes()]);
            // Half of the digest is enough. Texts with the same half would be in the order of their bytes.
            line.extend([split.host, "\t", &hex::encode(&digest[..16]), "\t", &self.url]);
        }
        Ok(())
    }
}

/// The sample of a host: its URLs with the smallest digests.
#[derive(Debug)]
pub struct HostSample {
    host: String,
    most: usize,
    /// In the order of their digests.
    urls: Vec<(String, u32)>,
    bytes: usize,
    is_full: bool,
}

impl HostSample {
    /// Creates an empty sample of at most `most` URLs for the host of a line of [`TemplateUrls`].
    pub fn new(line: &str, most: usize) -> Self {
        Self { host: host_of(line).to_owned(), most, urls: Vec::new(), bytes: 0, is_full: false }
    }

    /// Returns whether a line has this host.
    pub fn has_host_of(&self, line: &str) -> bool {
        host_of(line) == self.host
    }

    /// Adds a line. Lines must be added in their sorted order. A line may end with a number, which makes it
    /// different from other lines, and with the hits of its URL, both after a tab.
    pub fn push(&mut self, line: &str) {
        let mut parts = line.split('\t').skip(2);
        let url = parts.next().unwrap_or_default();
        let hits = parts.nth(1).and_then(|hits| hits.parse::<u64>().ok()).unwrap_or(1);
        let hits = hits.min(u64::from(MOST_HITS)) as u32;
        match self.urls.last_mut() {
            Some((last, sum)) if last == url => *sum = (*sum + hits).min(MOST_HITS),
            _ if self.is_full => {}
            _ => {
                self.is_full = self.urls.len() >= self.most
                    || self.bytes + url.len() > self.most.saturating_mul(BYTES_PER_URL);
                if !self.is_full {
                    self.bytes += url.len();
                    self.urls.push((url.to_owned(), hits));
                }
            }
        }
    }

    /// Returns the URLs of the sample in the order of their digests, with their hits, which are at most 8.
    pub fn urls(&self) -> impl Iterator<Item = (&str, u32)> {
        self.urls.iter().map(|(url, hits)| (url.as_str(), *hits))
    }

    /// Returns the size of the sample in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Learns the templates. The result is empty if the sample has fewer than [`FEWEST_URLS`] URLs.
    pub fn learn(&self, finds_traps: bool) -> HostTemplates {
        let mut learned = HostTemplates { host: self.host.clone(), templates: Vec::new(), traps: Vec::new() };
        let urls: Vec<(&str, u32)> = self.urls().collect();
        let sample = Sample::new(&urls);
        if sample.urls.len() < FEWEST_URLS {
            return learned;
        }
        let mut most_literals = MOST_LITERALS;
        let lines = loop {
            let mut lines = Vec::new();
            build::tree(&sample, most_literals).write(&sample, &mut String::new(), &mut lines);
            lines.sort_unstable();
            lines.dedup();
            if lines.len() <= MOST_TEMPLATES || most_literals <= 1 {
                break lines;
            }
            most_literals /= 2;
        };
        learned.templates =
            lines.into_iter().map(|template| LearnedTemplate { template, ..Default::default() }).collect();
        let assigned = learned.count(&urls);
        if finds_traps {
            learned.traps = traps::find(&urls, &assigned);
        }
        learned
    }
}

fn host_of(line: &str) -> &str {
    line.split('\t').next().unwrap_or_default()
}

/// A learned template with its evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnedTemplate {
    /// The line of the file: path and fields.
    pub template: String,
    /// The number of URLs in the sample that have this template.
    pub urls: usize,
    /// The first of these URLs in the order of their bytes.
    pub example: String,
}

/// The learned templates and the traps of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostTemplates {
    /// The host as in URLs, without `www` and port.
    pub host: String,
    /// The templates in the order of their bytes.
    pub templates: Vec<LearnedTemplate>,
    /// Warnings about URLs that grow without end.
    pub traps: Vec<Trap>,
}

impl HostTemplates {
    /// Returns the lines of the host in the canonical text of a file.
    pub fn to_canonical(&self) -> String {
        let mut text = String::new();
        if !self.templates.is_empty() {
            text.extend(["[", &self.host, "]\n"]);
        }
        self.templates.iter().for_each(|line| text.extend([&line.template, "\n"]));
        text
    }

    /// Counts the URLs of each template, and returns the template of each URL.
    fn count(&mut self, urls: &[(&str, u32)]) -> Vec<String> {
        let text = [Templates::HEAD, "\n", &self.to_canonical()].concat();
        let templates = Templates::parse(&text).expect("learned templates are a file");
        let assigner = templates.assigner();
        let mut assigned = Vec::with_capacity(urls.len());
        for (url, _) in urls {
            let template = assigner.assign_canonical(url).unwrap_or_default();
            let template = template.strip_prefix(&self.host).unwrap_or_default().to_owned();
            if let Ok(place) = self.templates.binary_search_by(|line| line.template.cmp(&template)) {
                let line = &mut self.templates[place];
                line.urls += 1;
                if line.example.is_empty() || **url < *line.example {
                    (*url).clone_into(&mut line.example);
                }
            }
            assigned.push(template);
        }
        assigned
    }
}
