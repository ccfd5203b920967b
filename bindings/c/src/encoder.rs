//! Identifiers of many URLs at once.

use std::mem::MaybeUninit;

use urlid::batch::{self, Batch, HostCacheKey, Kernels};
use urlid::suffix::SuffixList;
use urlid::{Coded, ErrorCode, Sxurl, UrlHash};

use crate::border::guard;
use crate::bytes::{Bytes, Column, array, array_mut};
use crate::code::Code;
use crate::handle::{free, make};

/// The identifiers that an encoder makes.
#[repr(i32)]
#[derive(Clone, Copy, Debug)]
#[expect(non_camel_case_types, reason = "the names of the header")]
pub enum Identifier {
    /// SXURL, with the compiled public suffix list.
    URLID_SXURL = 1,
    /// url-hash: SHA-256 of the WHATWG normal form.
    URLID_URL_HASH = 2,
}

/// Makes identifiers of many URLs. Owns its memory: after the first batches it rarely allocates.
#[derive(Debug)]
pub struct Encoder {
    /// `None` while it encodes, and always after a panic.
    of: Option<Encoders>,
}

#[derive(Debug)]
enum Encoders {
    Sxurl(Box<batch::Encoder<Sxurl>>),
    UrlHash(Box<batch::Encoder<UrlHash>>),
}

/// Makes an encoder. `identifier` is one of urlid_identifier. Free the encoder with urlid_encoder_free.
///
/// # Safety
/// `encoder` points to a pointer that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_encoder_new(identifier: i32, encoder: *mut *mut Encoder) -> Code {
    let new = || {
        let (list, kernels) = (SuffixList::compiled(), Kernels::detect());
        let of = match identifier {
            id if id == Identifier::URLID_SXURL as i32 => Encoders::Sxurl(Box::new(
                batch::Encoder::<Sxurl>::with_kernels(list, HostCacheKey::random(), kernels),
            )),
            id if id == Identifier::URLID_URL_HASH as i32 => {
                Encoders::UrlHash(Box::new(batch::Encoder::<UrlHash>::with_kernels(kernels)))
            }
            _ => return Err(Code::URLID_MISUSE),
        };
        Ok(Encoder { of: Some(of) })
    };
    // SAFETY: promised by the caller.
    guard(|| unsafe { make(encoder, new) })
}

/// Frees an encoder. NULL is ignored.
///
/// # Safety
/// `encoder` is from urlid_encoder_new and is not used again, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_encoder_free(encoder: *mut Encoder) {
    // SAFETY: promised by the caller.
    unsafe { free(encoder) }
}

/// Encodes `count` URLs. For each URL, writes 32 bytes to `ids`, which are zero if the URL is rejected, and
/// URLID_OK or the code of the error to `codes`. `codes` may be NULL.
///
/// # Safety
/// `encoder` is from urlid_encoder_new, and no other thread uses it. `urls` points to `count` texts, `ids` to
/// 32 times `count` bytes, and `codes`, if it is not NULL, to `count` codes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_encoder_encode(
    encoder: *mut Encoder,
    urls: *const Bytes,
    count: usize,
    ids: *mut u8,
    codes: *mut i32,
) -> Code {
    guard(|| {
        // SAFETY: promised by the caller.
        let (urls, output) = unsafe { (array(urls, count), Output::new(ids, codes, count)?) };
        let urls = urls.ok_or(Code::URLID_MISUSE)?;
        // SAFETY: promised by the caller.
        let is_readable = |url: &Bytes| unsafe { url.get() }.is_some();
        if !urls.iter().all(is_readable) {
            return Err(Code::URLID_MISUSE);
        }
        let texts = || {
            urls.iter().map(|url| {
                // SAFETY: promised by the caller.
                let bytes = unsafe { url.get() };
                bytes.and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or("")
            })
        };
        // Texts that are not UTF-8 are passed as empty texts, and their length distinguishes them.
        let is_blank = |row: usize| urls[row].length == 0;
        // SAFETY: promised by the caller.
        unsafe { use_encoder(encoder) }?.run(
            output,
            is_blank,
            |encoder, receive| encoder.encode_all(texts(), receive),
            |encoder, receive| encoder.encode_all(texts(), receive),
        )
    })
}

/// Encodes a column of `count` URLs in Arrow's form: URL number `i` is in `data` from `offsets[i]` to
/// `offsets[i + 1]`. The output is the same as in urlid_encoder_encode. Offsets that descend, or are beyond
/// `length`, are URLID_MISUSE.
///
/// # Safety
/// `encoder` is from urlid_encoder_new, and no other thread uses it. `data` points to `length` bytes,
/// `offsets` to `count + 1` numbers, `ids` to 32 times `count` bytes, and `codes`, if it is not NULL, to
/// `count` codes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_encoder_encode_column(
    encoder: *mut Encoder,
    data: *const u8,
    length: usize,
    offsets: *const i32,
    count: usize,
    ids: *mut u8,
    codes: *mut i32,
) -> Code {
    guard(|| {
        // SAFETY: promised by the caller.
        let (column, output) =
            unsafe { (Column::new(data, length, offsets, count)?, Output::new(ids, codes, count)?) };
        let Column { data, offsets } = column;
        let numbers = || offsets.iter().map(|&offset| offset as usize);
        let is_blank = |row: usize| offsets[row] == offsets[row + 1];
        // SAFETY: promised by the caller.
        unsafe { use_encoder(encoder) }?.run(
            output,
            is_blank,
            |encoder, receive| encoder.encode_column(data, numbers(), receive),
            |encoder, receive| encoder.encode_column(data, numbers(), receive),
        )
    })
}

/// Returns the encoder behind a pointer of C.
///
/// # Safety
/// The pointer is NULL or from urlid_encoder_new, and no other thread uses it.
unsafe fn use_encoder<'a>(encoder: *mut Encoder) -> Result<&'a mut Encoder, Code> {
    // SAFETY: promised by the caller.
    unsafe { encoder.as_mut() }.ok_or(Code::URLID_MISUSE)
}

impl Encoder {
    fn run(
        &mut self,
        mut output: Output<'_>,
        is_blank: impl Fn(usize) -> bool,
        sxurls: impl FnOnce(&mut batch::Encoder<Sxurl>, &mut dyn FnMut(Batch<'_, Sxurl>)),
        url_hashes: impl FnOnce(&mut batch::Encoder<UrlHash>, &mut dyn FnMut(Batch<'_, UrlHash>)),
    ) -> Result<(), Code> {
        let mut of = self.of.take().ok_or(Code::URLID_PANIC)?;
        match &mut of {
            Encoders::Sxurl(encoder) => {
                let blank = code_of(Sxurl::encode(""));
                sxurls(encoder, &mut |batch| output.receive(batch, blank, &is_blank));
            }
            Encoders::UrlHash(encoder) => {
                let blank = code_of(UrlHash::encode(""));
                url_hashes(encoder, &mut |batch| output.receive(batch, blank, &is_blank));
            }
        }
        self.of = Some(of);
        Ok(())
    }
}

/// Returns the error code of an empty text.
fn code_of<T, E: Coded>(result: Result<T, E>) -> ErrorCode {
    result.map_or_else(|error| error.code(), |_| ErrorCode::UrlParse)
}

/// The caller's arrays for identifiers and codes.
struct Output<'a> {
    ids: &'a mut [MaybeUninit<[u8; 32]>],
    codes: Option<&'a mut [MaybeUninit<i32>]>,
    row: usize,
}

impl<'a> Output<'a> {
    /// # Safety
    /// `ids` points to 32 times `count` bytes, and `codes`, if it is not NULL, to `count` codes. Both are
    /// only used here during `'a`.
    unsafe fn new(ids: *mut u8, codes: *mut i32, count: usize) -> Result<Self, Code> {
        // SAFETY: promised by the caller. Bytes need no alignment.
        let ids = unsafe { array_mut(ids.cast(), count) }.ok_or(Code::URLID_MISUSE)?;
        // SAFETY: promised by the caller.
        let codes = if codes.is_null() { None } else { unsafe { array_mut(codes, count) } };
        Ok(Output { ids, codes, row: 0 })
    }

    /// Writes the results of a batch. `blank` is the code of an empty text.
    fn receive<I: batch::Identifier<Value = [u8; 32]>>(
        &mut self,
        batch: Batch<'_, I>,
        blank: ErrorCode,
        is_blank: &impl Fn(usize) -> bool,
    ) {
        let first = self.row;
        self.row += batch.len();
        for (place, id) in self.ids[first..].iter_mut().zip(batch.ids()) {
            place.write(*id);
        }
        if let Some(codes) = &mut self.codes {
            codes[first..self.row].fill(MaybeUninit::new(Code::URLID_OK as i32));
        }
        for (index, code) in batch.rejected() {
            let row = first + index;
            let code = code.unwrap_or(if is_blank(row) { blank } else { ErrorCode::Utf8 });
            self.ids[row].write([0; 32]);
            if let Some(codes) = &mut self.codes {
                codes[row].write(Code::from(code) as i32);
            }
        }
    }
}
