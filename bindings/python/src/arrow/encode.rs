//! Columns through the batch encoders: the one place that decides how SXURLs and url-hashes of many URLs are made.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex};

use arrow_array::{ArrayRef, BinaryArray};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use urlid::batch::{Encoder, Identifier, Kernels, MemoKey};
use urlid::suffix::List;
use urlid::sxurl::Sxurl;
use urlid::url_hash::UrlHash;

use super::column::{Row, Texts};
use super::rows::{NOT_UTF8, Refusals};

/// Encoders that no call is using; those of SXURLs are by the compiled list. Data comes in many small batches, and an encoder that
/// has its room, and has seen hosts before, is faster than a new one. There are never more than calls have run at once.
static IDLE_SXURLS: Mutex<Vec<Encoder<Sxurl>>> = Mutex::new(Vec::new());
static IDLE_URL_HASHES: Mutex<Vec<Encoder<UrlHash>>> = Mutex::new(Vec::new());

/// The encoders of one call, each made when it is first needed.
pub(super) struct Encode {
    list: List,
    sxurls: Option<Encoder<Sxurl>>,
    url_hashes: Option<Encoder<UrlHash>>,
}

impl Drop for Encode {
    fn drop(&mut self) {
        // What a panic left behind is not used again.
        if std::thread::panicking() {
            return;
        }
        let sxurls = self.sxurls.take().filter(|_| is_default(&self.list));
        put_back(&IDLE_SXURLS, sxurls);
        put_back(&IDLE_URL_HASHES, self.url_hashes.take());
    }
}

impl Encode {
    pub(super) fn new(list: &List) -> Self {
        Self { list: list.clone(), sxurls: None, url_hashes: None }
    }

    /// Returns the suffix list in use.
    pub(super) fn list(&self) -> &List {
        &self.list
    }

    /// Returns the SXURL of each row.
    pub(super) fn sxurls(&mut self, chunk: &ArrayRef, refusals: &mut Refusals) -> Result<Ids, ArrowError> {
        let blank = Sxurl::of_with("", &self.list).err().map(|error| error.code());
        let idle = || match is_default(&self.list) {
            true => take(&IDLE_SXURLS),
            false => None,
        };
        let new = || Encoder::<Sxurl>::new(&self.list, random_key(), Kernels::detect());
        let encoder = self.sxurls.get_or_insert_with(|| idle().unwrap_or_else(new));
        encode(encoder, chunk, refusals, blank)
    }

    /// Returns the url-hash of each row.
    pub(super) fn url_hashes(
        &mut self,
        chunk: &ArrayRef,
        refusals: &mut Refusals,
    ) -> Result<Ids, ArrowError> {
        let blank = UrlHash::of_text("").err().map(|error| error.code());
        let new = || Encoder::<UrlHash>::new(Kernels::detect());
        let encoder = self.url_hashes.get_or_insert_with(|| take(&IDLE_URL_HASHES).unwrap_or_else(new));
        encode(encoder, chunk, refusals, blank)
    }
}

/// Takes an idle encoder, if there is one.
fn take<I: Identifier>(idle: &Mutex<Vec<Encoder<I>>>) -> Option<Encoder<I>> {
    idle.lock().ok()?.pop()
}

fn put_back<I: Identifier>(idle: &Mutex<Vec<Encoder<I>>>, encoder: Option<Encoder<I>>) {
    if let (Some(encoder), Ok(mut idle)) = (encoder, idle.lock()) {
        idle.push(encoder);
    }
}

/// Returns whether this is the compiled list with all its sections.
fn is_default(list: &List) -> bool {
    let default = <&List>::default();
    list.sections() == default.sections() && list.sha256() == default.sha256()
}

/// Nobody outside the process can know the key, so nobody can choose hosts that collide in the memo.
fn random_key() -> MemoKey {
    MemoKey([RandomState::new().hash_one(0_u8), RandomState::new().hash_one(1_u8)])
}

/// Takes a chunk through an encoder. `blank` is the code of an empty text, which batches know as a blank line.
fn encode<I: Identifier>(
    encoder: &mut Encoder<I>,
    chunk: &ArrayRef,
    refusals: &mut Refusals,
    blank: Option<&'static str>,
) -> Result<Ids, ArrowError> {
    let texts = Texts::of(chunk)?;
    let mut ids = Ids { bytes: Vec::with_capacity(texts.len()), gaps: Vec::new() };
    let urls = texts.rows().map(|row| match row {
        Row::Text(text) => text,
        Row::Null | Row::NotUtf8 => "",
    });
    encoder.encode_all(urls, |batch| {
        let first = ids.bytes.len();
        ids.bytes.extend_from_slice(batch.ids());
        for (index, code) in batch.exceptions() {
            let index = first + index;
            ids.bytes[index] = [0; 32];
            ids.gaps.push(index);
            let code = match texts.row(index) {
                Row::Null => None,
                Row::NotUtf8 => Some(NOT_UTF8),
                Row::Text(_) => code.or(blank),
            };
            if let Some(code) = code {
                refusals.note(index, code);
            }
        }
    });
    Ok(ids)
}

/// Identifiers of 32 bytes, a row each; all zero where there is none.
#[derive(Clone)]
pub(super) struct Ids {
    bytes: Vec<[u8; 32]>,
    /// The rows without one, ascending.
    gaps: Vec<usize>,
}

impl Ids {
    /// Takes identifiers that may be missing.
    pub(super) fn of(ids: impl IntoIterator<Item = Option<[u8; 32]>>) -> Self {
        let mut gaps = Vec::new();
        let bytes = ids.into_iter().enumerate().map(|(index, id)| {
            id.unwrap_or_else(|| {
                gaps.push(index);
                [0; 32]
            })
        });
        Self { bytes: bytes.collect(), gaps }
    }

    /// Returns the bytes of each row, zero where there is no identifier.
    pub(super) fn bytes(&self) -> &[[u8; 32]] {
        &self.bytes
    }

    /// Returns which rows have none.
    pub(super) fn nulls(&self) -> Option<NullBuffer> {
        if self.gaps.is_empty() {
            return None;
        }
        let mut is_id = BooleanBufferBuilder::new(self.bytes.len());
        is_id.append_n(self.bytes.len(), true);
        for &index in &self.gaps {
            is_id.set_bit(index, false);
        }
        Some(NullBuffer::new(is_id.finish()))
    }

    /// Returns a column of the first `N` bytes of each.
    pub(super) fn column<const N: usize>(self) -> ArrayRef {
        let (rows, nulls) = (self.bytes.len(), self.nulls());
        let values = match N {
            32 => self.bytes.into_flattened(),
            _ => self.bytes.iter().flat_map(|id| &id[..N]).copied().collect(),
        };
        // No overflow: a chunk has at most 2^24 rows of 32 bytes.
        let offsets: ScalarBuffer<i32> = (0..=rows as i32).map(|row| row * N as i32).collect();
        Arc::new(BinaryArray::new(OffsetBuffer::new(offsets), Buffer::from_vec(values), nulls))
    }
}
