//! Templates of a host, learned from its URLs: which kinds of pages it has.
//!
//! The result is a function of the set of URLs, and with hits of their numbers: not of their order, a clock or
//! a random number. The file and the walk from a URL to its template are in `urlid-canonical`.
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

/// The fewest different URLs of a host that teach something.
pub const FEWEST_URLS: usize = 50;
/// The most literals at one place of the paths of a host.
const MOST_LITERALS: usize = 128;
/// The most templates of a host.
const MOST_TEMPLATES: usize = 1_024;
/// The most bytes of a URL of a sample.
const LONGEST_URL: usize = 4 << 10;
/// The bytes of a sample for each of its URLs.
const BYTES_PER_URL: usize = 104;
/// The most hits of a URL that count.
const MOST_HITS: u32 = 8;

/// Writes the lines by which URLs are sorted: host, digest and text.
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
    /// Makes a writer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the line of a URL, without a line end: nothing if the URL has no template, or is so long that
    /// no sample has it.
    ///
    /// # Errors
    /// Those of the form `web`.
    pub fn push(&mut self, url: &str, line: &mut String) -> Result<(), Error> {
        self.url.clear();
        self.canonicalizer.canonicalize_into(url, &mut self.url)?;
        if let Some(split) = SplitUrl::new(&self.url).filter(|_| self.url.len() <= LONGEST_URL) {
            let digest = sha256(&[self.url.as_bytes()]);
            // Half of a digest: who finds two texts with the same half has changed the order of two URLs.
            line.extend([split.host, "\t", &hex::encode(&digest[..16]), "\t", &self.url]);
        }
        Ok(())
    }
}

/// The URLs of a host with the smallest digests.
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
    /// Begins with the host of a line of [`TemplateUrls`], for at most so many URLs.
    pub fn new(line: &str, most: usize) -> Self {
        Self { host: host_of(line).to_owned(), most, urls: Vec::new(), bytes: 0, is_full: false }
    }

    /// Returns whether a line has this host.
    pub fn has_host_of(&self, line: &str) -> bool {
        host_of(line) == self.host
    }

    /// Adds a line. Lines are sorted. A line may end with a number that makes it different from others, and
    /// the hits of its URL, both after a tab.
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

    /// Returns the URLs of the sample, in the order of their digests, with their hits, of which at most 8
    /// count.
    pub fn urls(&self) -> impl Iterator<Item = (&str, u32)> {
        self.urls.iter().map(|(url, hits)| (url.as_str(), *hits))
    }

    /// Returns the bytes of the sample.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Learns the templates; without any if there are fewer than [`FEWEST_URLS`] URLs.
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

/// A template with its evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnedTemplate {
    /// The line of a file: path and fields.
    pub template: String,
    /// The URLs of the sample that have it.
    pub urls: usize,
    /// The first of them in the order of bytes.
    pub example: String,
}

/// What was learned of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostTemplates {
    /// As in a URL, without `www` and port.
    pub host: String,
    /// In the order of their bytes.
    pub templates: Vec<LearnedTemplate>,
    /// What grows without end.
    pub traps: Vec<Trap>,
}

impl HostTemplates {
    /// Returns the lines of the host as the canonical text of a file has them.
    pub fn to_canonical(&self) -> String {
        let mut text = String::new();
        if !self.templates.is_empty() {
            text.extend(["[", &self.host, "]\n"]);
        }
        self.templates.iter().for_each(|line| text.extend([&line.template, "\n"]));
        text
    }

    /// Counts the URLs of each template; returns the template of each URL.
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
