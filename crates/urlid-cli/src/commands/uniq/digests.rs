//! The digests of the forms of texts, which workers make, with what the main thread needs of each record.

use std::borrow::Cow;
use std::convert::Infallible;

use urlid::suffix::SuffixList;
use urlid::web::Part;
use urlid_canonical::{Form, TemplateAssigner, Templates};
use urlid_store::seen::{Digester, digest};
use urlid_store::sort::{DigestSet, Sight, TextDigest};

use crate::input::batch::{Batch, BatchText, RejectedTexts};
use crate::input::driver::Work;
use crate::report::message;
use crate::report::rejections::Rejection;

/// The digests of the records of a batch that have a form.
#[derive(Default)]
pub(super) struct Digests {
    pub(super) digests: Vec<TextDigest>,
    /// The site of each record, if sites matter.
    pub(super) sites: Vec<TextDigest>,
    /// The records that have a [route](Routes), each by its index and the digest of form and fragment.
    pub(super) routes: Vec<(usize, TextDigest)>,
    /// The index of each record in the batch, ascending, if its bytes stay there.
    indexes: Vec<usize>,
    /// The bytes of records that do not stay in the batch, and the place of each.
    bytes: Vec<u8>,
    places: Vec<(usize, usize)>,
}

impl Digests {
    /// Makes the digests on the thread of a worker.
    pub(super) fn work<'w>(mut maker: DigestMaker<'w>) -> Work<'w, Digests> {
        Box::new(move |batch: &Batch, made: &mut Digests, rejected: &mut RejectedTexts| {
            made.clear();
            let mut index = 0;
            batch.each_text(rejected, |text| {
                index += 1;
                if maker.push(&text.text?, made)? {
                    made.indexes.push(index - 1);
                }
                Ok(())
            });
        })
    }

    /// Makes the digests of the values of a Parquet file, each with the number of its row.
    pub(super) fn work_on_rows<'w>(mut maker: DigestMaker<'w>) -> Work<'w, Digests> {
        Box::new(move |batch: &Batch, made: &mut Digests, rejected: &mut RejectedTexts| {
            made.clear();
            batch.each_text(rejected, |text| {
                let number = text.number;
                if maker.push(&text.text?, made)? {
                    made.push_bytes(&[&number.to_be_bytes()]);
                }
                Ok(())
            });
        })
    }

    /// Makes the digests of URLs in text, each with its [place](FoundUrl) before it.
    pub(super) fn work_on_places<'w>(mut maker: DigestMaker<'w>) -> Work<'w, Digests> {
        Box::new(move |batch: &Batch, made: &mut Digests, rejected: &mut RejectedTexts| {
            made.clear();
            let file = batch.origin.name.to_string_lossy();
            batch.each_text(rejected, |text| {
                let BatchText { number, column, bytes, text, .. } = text;
                if maker.push(&text?, made)? {
                    let [number, column, len] = [number, column, file.len() as u64].map(u64::to_be_bytes);
                    made.push_bytes(&[&number, &column, &len, file.as_bytes(), bytes]);
                }
                Ok(())
            });
        })
    }

    pub(super) fn clear(&mut self) {
        self.digests.clear();
        self.sites.clear();
        self.routes.clear();
        self.indexes.clear();
        self.bytes.clear();
        self.places.clear();
    }

    /// Appends the bytes of the record of the last digest.
    pub(super) fn push_bytes(&mut self, parts: &[&[u8]]) {
        let start = self.bytes.len();
        parts.iter().for_each(|part| self.bytes.extend_from_slice(part));
        self.places.push((start, self.bytes.len()));
    }

    /// Returns the records as they came, from the batch: an assumed scheme is only in what is digested.
    pub(super) fn texts<'b>(&self, batch: &'b Batch) -> Vec<&'b [u8]> {
        let (mut texts, mut indexes) =
            (Vec::with_capacity(self.indexes.len()), self.indexes.iter().peekable());
        let mut index = 0;
        batch.each_raw_text(|text| {
            if indexes.next_if_eq(&&index).is_some() {
                texts.push(text);
            }
            index += 1;
        });
        texts
    }

    /// Returns the records that do not stay in the batch.
    pub(super) fn rows(&self) -> Vec<&[u8]> {
        self.places.iter().map(|(start, end)| &self.bytes[*start..*end]).collect()
    }

    /// Keeps these records.
    pub(super) fn retain(&mut self, keeps: &[bool]) {
        let (mut kept, mut counted) = (0, 0);
        self.routes.retain_mut(|(index, _)| {
            // Ascending, so that each record is counted once.
            kept += keeps[counted..*index].iter().filter(|keeps| **keeps).count();
            counted = *index;
            *index = kept;
            keeps[counted]
        });
        retain(&mut self.digests, keeps);
        retain(&mut self.sites, keeps);
        retain(&mut self.indexes, keeps);
        retain(&mut self.places, keeps);
    }
}

/// A URL in text, and its place.
pub(super) struct FoundUrl<'r> {
    pub(super) file: &'r str,
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) url: &'r [u8],
}

impl<'r> FoundUrl<'r> {
    /// Reads the record of [`Digests::work_on_places`].
    pub(super) fn read(record: &'r [u8]) -> Option<Self> {
        let (line, rest) = record.split_first_chunk()?;
        let (column, rest) = rest.split_first_chunk()?;
        let (len, rest) = rest.split_first_chunk()?;
        let (file, url) = rest.split_at_checked(u64::from_be_bytes(*len) as usize)?;
        let [line, column] = [line, column].map(|number| u64::from_be_bytes(*number));
        Some(FoundUrl { file: str::from_utf8(file).ok()?, line, column, url })
    }
}

fn retain<T>(list: &mut Vec<T>, keeps: &[bool]) {
    let mut keeps = keeps.iter();
    list.retain(|_| keeps.next().is_none_or(|keeps| *keeps));
}

/// Makes the digests of texts on one thread.
pub(super) struct DigestMaker<'a> {
    digester: Digester<'a>,
    sites: Option<&'a Sites<'a>>,
    /// Of sites that are templates.
    assigner: Option<TemplateAssigner<'a>>,
    looks_for_routes: bool,
}

impl<'a> DigestMaker<'a> {
    pub(super) fn new(form: &'a Form, sites: Option<&'a Sites<'a>>) -> Self {
        let assigner = sites.and_then(|sites| Some(sites.templates.as_ref()?.assigner()));
        DigestMaker {
            digester: Digester::new(form),
            sites,
            assigner,
            looks_for_routes: drops_fragments(form),
        }
    }

    /// Appends the digest of a text; returns `false` for an empty one, which has none.
    pub(super) fn push(&mut self, text: &str, made: &mut Digests) -> Result<bool, Rejection> {
        if text.is_empty() {
            return Ok(false);
        }
        let form = self.digester.digest(text)?;
        if self.looks_for_routes
            && let Some(fragment) = route(text)
        {
            made.routes.push((made.digests.len(), digest(&format!("{form:032x}{fragment}"))));
        }
        made.digests.push(form);
        made.sites.extend(self.sites.map(|sites| sites.of(text, self.assigner.as_mut())));
        Ok(true)
    }
}

/// Returns whether a form makes one URL of those that differ in their fragments.
fn drops_fragments(form: &Form) -> bool {
    let mut digester = Digester::new(form);
    let [with, without] =
        ["https://a.example/#!/b", "https://a.example/"].map(|url| digester.digest(url).ok());
    with.is_some() && with == without
}

/// Returns the fragment of a URL if it starts with `!` or `/`.
fn route(text: &str) -> Option<&str> {
    let start = memchr::memchr(b'#', text.as_bytes())? + 1;
    let fragment = text.get(start..)?;
    fragment.starts_with(['!', '/']).then_some(fragment)
}

/// Fragments that start with `!` or `/`: scripts choose a page by them, so that a form without fragments may
/// make one URL of several pages.
#[derive(Debug)]
pub(super) struct Routes {
    is_needed: bool,
    known: DigestSet,
    /// The forms that are new in this run, or have a route, where earlier runs know others.
    forms: DigestSet,
    dropped: u64,
}

impl Routes {
    pub(super) fn new(form: &Form, memory: usize) -> Self {
        Routes {
            is_needed: drops_fragments(form),
            known: DigestSet::new(memory / 2),
            forms: DigestSet::new(memory / 2),
            dropped: 0,
        }
    }

    /// Takes a record, perhaps with a route, whose form is new or known, perhaps from an earlier run. A route of
    /// an earlier run may be the same, so the first one of such a form does not count.
    pub(super) fn push_of_run(&mut self, form: TextDigest, route: Option<TextDigest>, is_new: bool) {
        if self.is_needed && (is_new || route.is_some()) {
            let is_known = sight(&mut self.forms, form) == Sight::Again;
            route.into_iter().for_each(|route| self.push(route, is_known));
        }
    }

    /// Takes a record with a route, which is dropped if its form is known.
    pub(super) fn push(&mut self, route: TextDigest, is_dropped: bool) {
        self.dropped += u64::from(sight(&mut self.known, route) == Sight::First && is_dropped);
    }

    /// Says how many lines were dropped that have a route of their own.
    pub(super) fn report(&self) {
        if self.dropped > 0 {
            let (lines, differ) =
                (message::count(self.dropped, "dropped line"), if self.dropped == 1 { "s" } else { "" });
            message::print(&format!(
                "{lines} differ{differ} only in a fragment that starts with `!` or `/`; --as web keeps fragments"
            ));
        }
    }
}

/// Looks up one digest.
fn sight(set: &mut DigestSet, digest: TextDigest) -> Sight {
    let mut seen = Sight::Unknown;
    let Ok(()) = set.see(&[digest], |_, sight| {
        seen = sight;
        Ok::<(), Infallible>(())
    });
    seen
}

/// The rule for the sites of URLs.
pub(super) struct Sites<'l> {
    pub(super) list: Cow<'l, SuffixList>,
    pub(super) per: Per,
    pub(super) templates: Option<Templates>,
}

/// The part of a URL that is a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Per {
    Part(Part),
    Template,
}

impl Per {
    pub(super) fn name(self) -> &'static str {
        match self {
            Per::Part(part) => part.name(),
            Per::Template => "template",
        }
    }
}

impl Sites<'_> {
    /// Returns the digest of the site of a URL: of the part, of the host if it has none, or of nothing.
    fn of(&self, url: &str, assigner: Option<&mut TemplateAssigner<'_>>) -> TextDigest {
        let part = |part: Part| part.of(url, &self.list).ok().flatten().filter(|part| !part.is_empty());
        let site = match self.per {
            Per::Part(name) => part(name),
            Per::Template => assigner.and_then(|assigner| assigner.assign(url).ok()?).map(Cow::Owned),
        };
        // Of hosts only the digest is kept, so that each takes the same memory, however long it is.
        digest(&site.or_else(|| part(Part::Host)).unwrap_or_default())
    }
}
