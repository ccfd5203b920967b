//! The sample of a host as numbers. Segments, names and values of fields are numbered in the order of their
//! bytes.

use std::collections::HashMap;

use urlid_canonical::{SegmentClass, SegmentLook, SegmentShape, SplitUrl};

/// The number of a text.
pub(super) type TextId = u32;

/// A URL as numbers.
pub(super) struct SampleUrl {
    pub(super) segments: Vec<TextId>,
    /// Sorted by name, each name once.
    pub(super) fields: Vec<(TextId, TextId)>,
    /// A number for the set of the names of its fields. It is 0 if the set is empty.
    pub(super) names: u32,
    pub(super) hits: u32,
}

/// The different URLs of a host, and their texts.
pub(super) struct Sample<'u> {
    /// In the order of their segments and fields.
    pub(super) urls: Vec<SampleUrl>,
    texts: Vec<&'u str>,
    /// The shapes of texts as last segments and as other segments.
    shapes: [Vec<SegmentShape>; 2],
}

impl<'u> Sample<'u> {
    /// Numbers URLs that are in the form of templates. Hits are added up to `u32::MAX`.
    pub(super) fn new(urls: &[(&'u str, u32)]) -> Self {
        let split: Vec<_> =
            urls.iter().filter_map(|(url, hits)| Some((SplitUrl::new(url)?, *hits))).collect();
        let mut texts: Vec<&str> = split
            .iter()
            .flat_map(|(url, _)| url.segments().chain(url.fields().flat_map(|(name, value)| [name, value])))
            .collect();
        // Numbers compare faster than short texts.
        texts.sort_unstable_by(|a, b| (first_bytes(a), *a).cmp(&(first_bytes(b), *b)));
        texts.dedup();
        let ids: HashMap<&str, TextId> = texts.iter().copied().zip(0..).collect();
        let mut parsed: Vec<SampleUrl> = split
            .iter()
            .map(|(url, hits)| {
                let mut fields: Vec<_> = url.fields().map(|(name, value)| (ids[name], ids[value])).collect();
                // The sort is stable, so the first value of a repeated name stays.
                fields.sort_by_key(|(name, _)| *name);
                fields.dedup_by_key(|(name, _)| *name);
                let segments = url.segments().map(|segment| ids[segment]).collect();
                SampleUrl { segments, fields, names: 0, hits: (*hits).max(1) }
            })
            .collect();
        parsed.sort_by(|a, b| (&a.segments, &a.fields).cmp(&(&b.segments, &b.fields)));
        // URLs that differ only in scheme, port or fragment are merged.
        parsed.dedup_by(|later, first| {
            let is_same = later.segments == first.segments && later.fields == first.fields;
            if is_same {
                first.hits = first.hits.saturating_add(later.hits);
            }
            is_same
        });
        let mut sets = HashMap::from([(Vec::new(), 0)]);
        for url in &mut parsed {
            let names: Vec<TextId> = url.fields.iter().map(|(name, _)| *name).collect();
            let next = sets.len() as u32;
            url.names = *sets.entry(names).or_insert(next);
        }
        let shapes =
            [true, false].map(|is_last| texts.iter().map(|text| SegmentShape::new(text, is_last)).collect());
        Self { urls: parsed, texts, shapes }
    }

    pub(super) fn text(&self, id: TextId) -> &'u str {
        self.texts[id as usize]
    }

    /// Returns the number of texts.
    pub(super) fn texts(&self) -> usize {
        self.texts.len()
    }

    /// Returns the shape of a segment that is the last one.
    pub(super) fn shape(&self, id: TextId) -> &SegmentShape {
        &self.shapes[0][id as usize]
    }

    /// Returns the shape of a segment.
    pub(super) fn shape_at(&self, id: TextId, is_last: bool) -> &SegmentShape {
        &self.shapes[usize::from(!is_last)][id as usize]
    }

    /// Returns whether a segment has no class other than `Any`.
    pub(super) fn is_weak(&self, id: TextId) -> bool {
        self.shape(id).class == SegmentClass::Any
    }

    /// Returns whether a segment is made of words.
    pub(super) fn is_wordy(&self, id: TextId) -> bool {
        matches!(self.shape(id).look, SegmentLook::Word | SegmentLook::Slug)
    }
}

/// Returns the first bytes of a text as a number, with zeros after its end. The numbers have the order of the
/// texts.
fn first_bytes(text: &str) -> u64 {
    let mut bytes = [0; 8];
    let length = text.len().min(8);
    bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
    u64::from_be_bytes(bytes)
}
