//! Templates of URLs: the kinds of pages that a site has, one per line, in a file that programs and people
//! write.
//!
//! A template is a class of URLs and never an identity, so no form uses it. `grammar` reads files, `shape`
//! describes segments, and `assign` walks from a URL to its template. `urlid-learn` learns templates.

mod assign;
mod grammar;
mod shape;

use std::collections::HashMap;
use std::sync::Arc;

use urlid::internal::digest;
use urlid::{Error, hex};

pub use assign::{SplitUrl, template_form};
pub use grammar::{ClassSegment, write_fields};
pub use shape::{SegmentClass, SegmentLook, SegmentShape};

use crate::Canonicalizer;
use assign::Tree;

/// The templates of a file.
///
/// ```
/// use urlid_canonical::Templates;
///
/// let templates = Templates::parse("urlid-templates 1\n[h.example]\n/users/{int}\n/?q={}\n")?;
/// let of = |url| templates.assigner().assign(url).unwrap();
/// assert_eq!(of("http://www.h.example:80/users/7?utm_source=x").as_deref(), Some("h.example/users/{int}"));
/// assert_eq!(of("http://h.example/?q=a").as_deref(), Some("h.example/?q={}"));
/// assert_eq!(of("http://h.example/users/7/posts/8").as_deref(), Some("h.example/users/{int}/{*}"));
/// assert_eq!(of("http://g.example/"), None);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone)]
pub struct Templates(Arc<Inner>);

struct Inner {
    name: String,
    text: String,
    hosts: HashMap<String, Tree>,
}

impl Templates {
    /// The maximum length of a file in bytes.
    pub const MOST_BYTES: usize = 1 << 30;
    /// The first words of a file, before its name.
    pub const HEAD: &'static str = grammar::HEAD;

    /// Reads a file.
    ///
    /// # Errors
    /// [`Error`] with the number of the first invalid line, or if the text is too long.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::parse_with(text, &mut |_, _, _| {})
    }

    /// Reads a file. `each` gets the host, the canonical text and the comment of each template in the order of
    /// the lines.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub fn parse_with(text: &str, each: &mut dyn FnMut(&str, &str, &str)) -> Result<Self, Error> {
        let parsed = grammar::parse(text, Self::MOST_BYTES, each)?;
        let mut canonical = [Self::HEAD, "\n"].concat();
        for (host, lines) in &parsed.hosts {
            canonical.extend(["[", host, "]\n"]);
            lines.iter().for_each(|line| canonical.extend([line, "\n"]));
        }
        let name = Self::name_of(&digest::sha256(&[canonical.as_bytes()]));
        parsed.check_name(&name)?;
        let trees = parsed.hosts.into_iter().map(|(host, lines)| Ok((host, Tree::new(&lines)?)));
        let hosts = trees.collect::<Result<_, Error>>()?;
        Ok(Self(Arc::new(Inner { name, text: canonical, hosts })))
    }

    /// Returns the name of templates from the SHA-256 of their canonical text.
    pub fn name_of(sha256: &[u8; 32]) -> String {
        format!("templates-{}", hex::encode(&sha256[..4]))
    }

    /// Returns the name: `templates-` and the first 8 digits of the SHA-256 of the canonical text.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the canonical text: hosts and templates in the order of their bytes, without comments. It is
    /// also a file.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns an assigner, which reuses its buffers for each URL.
    pub fn assigner(&self) -> TemplateAssigner<'_> {
        TemplateAssigner::new(self)
    }

    /// Returns the template of a URL, `HOST/PATH?FIELDS`; `None` if the file does not have its host.
    ///
    /// # Errors
    /// Those of the form `web`.
    pub fn assign(&self, url: &str) -> Result<Option<String>, Error> {
        self.assigner().assign(url)
    }

    fn tree(&self, host: &str) -> Option<&Tree> {
        self.0.hosts.get(host)
    }
}

impl PartialEq for Templates {
    fn eq(&self, other: &Self) -> bool {
        self.0.text == other.0.text
    }
}

impl Eq for Templates {}

impl std::fmt::Debug for Templates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Templates").field(&self.0.name).finish()
    }
}

/// Assigns templates to URLs.
#[derive(Debug)]
pub struct TemplateAssigner<'t> {
    templates: &'t Templates,
    canonicalizer: Canonicalizer<'static>,
    url: String,
}

impl<'t> TemplateAssigner<'t> {
    fn new(templates: &'t Templates) -> Self {
        Self { templates, canonicalizer: template_form().canonicalizer(), url: String::new() }
    }

    /// Returns the template of a URL, `HOST/PATH?FIELDS`; `None` if the file does not have its host.
    ///
    /// # Errors
    /// Those of the form `web`.
    pub fn assign(&mut self, url: &str) -> Result<Option<String>, Error> {
        self.url.clear();
        self.canonicalizer.canonicalize_into(url, &mut self.url)?;
        Ok(self.assign_canonical(&self.url))
    }

    /// Returns the template of a URL that is already in the form of templates.
    pub fn assign_canonical(&self, url: &str) -> Option<String> {
        let url = SplitUrl::new(url)?;
        let tree = self.templates.tree(url.host)?;
        let mut text = String::with_capacity(url.host.len() + 32);
        text.push_str(url.host);
        tree.assign(&url, &mut text);
        Some(text)
    }
}

#[cfg(test)]
mod tests;
