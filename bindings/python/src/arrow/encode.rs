//! SXURLs and url-hashes of columns, by the batch encoders.

use std::sync::{Arc, Mutex};

use arrow_array::types::ByteArrayType;
use arrow_array::{ArrayRef, BinaryArray, GenericByteArray, Int64Array};
use arrow_buffer::{ArrowNativeType, BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use urlid::ErrorCode;
use urlid::batch::{Batch, Encoder, HostCacheKey, Identifier, Kernels};
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;
use urlid::url_hash::UrlHash;

use super::column::{Row, Texts};
use super::rows::{NOT_UTF8, Rejections};

/// Idle encoders between two calls. The SXURL encoders use the compiled list. Data comes in many small
/// batches, and an encoder with allocated buffers and a filled host cache is faster than a new one. There
/// are at most as many encoders as calls that ran at the same time.
static IDLE_SXURLS: Mutex<Vec<Encoder<Sxurl>>> = Mutex::new(Vec::new());
static IDLE_URL_HASHES: Mutex<Vec<Encoder<UrlHash>>> = Mutex::new(Vec::new());

/// The encoders of one call, each made when it is first needed.
pub(super) struct Encode {
    list: SuffixList,
    sxurls: Option<Encoder<Sxurl>>,
    url_hashes: Option<Encoder<UrlHash>>,
}

impl Drop for Encode {
    fn drop(&mut self) {
        // After a panic the encoders may be in the middle of a batch, so they are not used again.
        if std::thread::panicking() {
            return;
        }
        // The host cache of an encoder contains hosts as its own list splits them, so it must not be used
        // with a different list.
        let sxurls = self.sxurls.take().filter(|_| is_default(&self.list));
        put_back(&IDLE_SXURLS, sxurls);
        put_back(&IDLE_URL_HASHES, self.url_hashes.take());
    }
}

impl Encode {
    pub(super) fn new(list: &SuffixList) -> Self {
        Self { list: list.clone(), sxurls: None, url_hashes: None }
    }

    /// Returns the suffix list in use.
    pub(super) fn list(&self) -> &SuffixList {
        &self.list
    }

    /// Returns the SXURL of each row.
    pub(super) fn sxurls(
        &mut self,
        chunk: &ArrayRef,
        rejections: &mut Rejections,
    ) -> Result<Ids, ArrowError> {
        // Batches do not have a code for blank lines. In a column an empty text is rejected like any other
        // text.
        let blank = Sxurl::encode_with("", &self.list).err().map(|error| error.code());
        let idle = || if is_default(&self.list) { take(&IDLE_SXURLS) } else { None };
        // A random key, because otherwise the author of a column could choose hosts that evict each other
        // from the cache.
        let new = || Encoder::<Sxurl>::with_kernels(&self.list, HostCacheKey::random(), Kernels::detect());
        let encoder = self.sxurls.get_or_insert_with(|| idle().unwrap_or_else(new));
        encode(encoder, chunk, rejections, blank)
    }

    /// Returns the url-hash of each row.
    pub(super) fn url_hashes(
        &mut self,
        chunk: &ArrayRef,
        rejections: &mut Rejections,
    ) -> Result<Ids, ArrowError> {
        let blank = UrlHash::encode("").err().map(|error| error.code());
        let new = || Encoder::<UrlHash>::new();
        let encoder = self.url_hashes.get_or_insert_with(|| take(&IDLE_URL_HASHES).unwrap_or_else(new));
        encode(encoder, chunk, rejections, blank)
    }
}

/// Removes and returns an idle encoder, if there is one.
fn take<I: Identifier>(idle: &Mutex<Vec<Encoder<I>>>) -> Option<Encoder<I>> {
    idle.lock().ok()?.pop()
}

fn put_back<I: Identifier>(idle: &Mutex<Vec<Encoder<I>>>, encoder: Option<Encoder<I>>) {
    if let (Some(encoder), Ok(mut idle)) = (encoder, idle.lock()) {
        idle.push(encoder);
    }
}

/// Returns whether this is the compiled list with all its sections.
fn is_default(list: &SuffixList) -> bool {
    // Compares digests, because a list that was parsed from the same text splits hosts identically.
    let default = SuffixList::compiled();
    list.sections() == default.sections() && list.sha256() == default.sha256()
}

/// Encodes a chunk. `blank` is the code of an empty text, which batches treat as a blank line.
fn encode<I: Identifier<Value = [u8; 32]>>(
    encoder: &mut Encoder<I>,
    chunk: &ArrayRef,
    rejections: &mut Rejections,
    blank: Option<ErrorCode>,
) -> Result<Ids, ArrowError> {
    let texts = Texts::of(chunk)?;
    let (mut bytes, mut exceptions) = (Vec::with_capacity(texts.len()), Vec::new());
    each_batch(encoder, &texts, |batch| {
        // `exceptions` counts within its batch. Each row has one identifier, so this is the number of rows
        // before the batch.
        let first = bytes.len();
        bytes.extend_from_slice(batch.ids());
        exceptions.extend(batch.rejected().map(|(index, code)| (first + index, code)));
    });
    for &(index, code) in &exceptions {
        match texts.row(index) {
            Row::Null => {}
            Row::NotUtf8 => rejections.note(index, NOT_UTF8),
            Row::Text(_) => {
                if let Some(code) = code.or(blank) {
                    rejections.note(index, code);
                }
            }
        }
    }
    let gaps = exceptions.into_iter().map(|(index, _)| index);
    Ok(Ids::with_gaps(bytes, texts.nulls(), gaps))
}

/// Passes the identifiers of texts to `sink`. Identifiers of nulls are undefined. Texts in one buffer are
/// not copied.
fn each_batch<I: Identifier>(encoder: &mut Encoder<I>, texts: &Texts<'_>, sink: impl FnMut(Batch<'_, I>)) {
    fn column<I: Identifier, T: ByteArrayType>(
        encoder: &mut Encoder<I>,
        array: &GenericByteArray<T>,
        sink: impl FnMut(Batch<'_, I>),
    ) {
        let offsets = array.value_offsets().iter().map(|offset| offset.as_usize());
        encoder.encode_column(array.value_data(), offsets, sink);
    }
    match *texts {
        Texts::Utf8(array) => column(encoder, array, sink),
        Texts::LargeUtf8(array) => column(encoder, array, sink),
        Texts::Binary(array) => column(encoder, array, sink),
        Texts::LargeBinary(array) => column(encoder, array, sink),
        Texts::Utf8View(_) | Texts::BinaryView(_) | Texts::Dictionary(..) | Texts::Null(_) => {
            // Nulls and rows that are not UTF-8 count as blank lines, which are exceptions. `encode`
            // inspects these rows again.
            let or_blank = |row| if let Row::Text(text) = row { text } else { "" };
            encoder.encode_all(texts.rows().map(or_blank), sink);
        }
    }
}

/// Identifiers of 32 bytes, one for each row, with zeros for a row without one.
#[derive(Clone)]
pub(super) struct Ids {
    bytes: Vec<[u8; 32]>,
    nulls: Option<NullBuffer>,
}

impl Ids {
    /// Stores identifiers, some of which may be missing.
    pub(super) fn of(ids: impl IntoIterator<Item = Option<[u8; 32]>>) -> Self {
        let ids: Vec<_> = ids.into_iter().collect();
        let nulls: NullBuffer = ids.iter().map(Option::is_some).collect();
        let bytes = ids.into_iter().map(Option::unwrap_or_default).collect();
        Self { bytes, nulls: Some(nulls).filter(|nulls| nulls.null_count() > 0) }
    }

    /// Stores identifiers and the rows without one. The bytes of nulls and other gaps are overwritten by
    /// zeros.
    fn with_gaps(
        mut bytes: Vec<[u8; 32]>,
        nulls: Option<NullBuffer>,
        gaps: impl ExactSizeIterator<Item = usize>,
    ) -> Self {
        if nulls.is_none() && gaps.len() == 0 {
            return Self { bytes, nulls: None };
        }
        let mut are_ids = BooleanBufferBuilder::new(bytes.len());
        match nulls {
            Some(nulls) => are_ids.append_buffer(nulls.inner()),
            None => are_ids.append_n(bytes.len(), true),
        }
        gaps.for_each(|index| are_ids.set_bit(index, false));
        let nulls = NullBuffer::new(are_ids.finish());
        // The bytes that a batch leaves here are undefined, and a result must not depend on them.
        for (id, is_id) in bytes.iter_mut().zip(&nulls) {
            if !is_id {
                *id = [0; 32];
            }
        }
        Self { bytes, nulls: Some(nulls) }
    }

    /// Returns the first 8 bytes of each row as a number, little-endian.
    pub(super) fn numbers(&self) -> ArrayRef {
        let number = |id: &[u8; 32]| i64::from_le_bytes(std::array::from_fn(|index| id[index]));
        Arc::new(Int64Array::new(self.bytes.iter().map(number).collect(), self.nulls.clone()))
    }

    /// Returns the bytes of each row, zeros for a row without an identifier.
    pub(super) fn bytes(&self) -> &[[u8; 32]] {
        &self.bytes
    }

    /// Returns the bitmap of rows without an identifier.
    pub(super) fn nulls(&self) -> Option<NullBuffer> {
        self.nulls.clone()
    }

    /// Returns a column of the first `N` bytes of each.
    pub(super) fn column<const N: usize>(self) -> ArrayRef {
        let (rows, nulls) = (self.bytes.len(), self.nulls);
        let values = match N {
            32 => self.bytes.into_flattened(),
            _ => self.bytes.iter().flat_map(|id| &id[..N]).copied().collect(),
        };
        // No overflow: a chunk has at most 2^24 rows of 32 bytes.
        let offsets: ScalarBuffer<i32> = (0..=rows as i32).map(|row| row * N as i32).collect();
        Arc::new(BinaryArray::new(OffsetBuffer::new(offsets), Buffer::from_vec(values), nulls))
    }
}
