//! The kinds of identifiers by their names, the call of the library that makes each, and the encoders that
//! make many at once.
//!
//! Calls and encoders give the same results, and reject the same texts.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::io::Write;

use clap::Args;
use clap::builder::TypedValueParser;
use urlid::batch::{Batch, Encoder, HostCacheKey, Identifier, Kernels, Outcome};
use urlid::compat::{CrateFormat, CrateSxurl, CrateUrlHash};
use urlid::hashed_uri::{Algorithm, HashedUri, Hasher, Keep, Variant, canonicalize};
use urlid::hex;
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;
use urlid::url_hash::UrlHash;
use urlid::web::Url;
use urlid::{Error, ErrorCode};
use urlid_canonical::{RequestFingerprinter, W3lib};
use urlid_io::lines::Line;
use urlid_ops::{ID_KINDS, IdKind};

use crate::args::choice;
use crate::args::hashed::{self, KeyArg};
use crate::output::table::Reject;
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::{PRINTED, Rejection};

/// Returns the parser of a kind.
pub(super) fn kind() -> impl TypedValueParser<Value = IdKind> {
    choice(ID_KINDS)
}

/// Options of single kinds.
#[derive(Debug, Args)]
pub(super) struct KindOptions {
    /// Print url-hashes as decimal words, as crate url-hash prints them, instead of hexadecimal digits
    #[arg(long, hide_short_help = true)]
    words: bool,

    /// Hash with this algorithm [default: sha1, or x-hmac-sha256 with --key]
    #[arg(long, value_name = "ALGORITHM", value_parser = parse_algorithm, help_heading = "Hashed URIs", hide_short_help = true)]
    alg: Option<Algorithm>,

    /// Canonicalise URIs by these rules before hashing
    #[arg(long, default_value = "n", value_name = "VARIANT", value_parser = hashed::variant(),
        help_heading = "Hashed URIs", hide_short_help = true)]
    variant: Variant,

    /// Also hash these optional parts of a URI; a comma-separated list
    #[arg(long, value_delimiter = ',', value_name = "PARTS", value_parser = hashed::kept_part(),
        help_heading = "Hashed URIs", hide_short_help = true)]
    keep: Vec<Keep>,

    /// Resolve relative references against this absolute URI before hashing
    #[arg(long, value_name = "URI", help_heading = "Hashed URIs", hide_short_help = true)]
    base: Option<String>,

    /// Compute the fingerprint of a request with this method
    #[arg(
        long,
        default_value = "GET",
        value_name = "METHOD",
        help_heading = "Request fingerprints",
        hide_short_help = true
    )]
    method: String,

    /// Compute the fingerprint of a request with this body
    #[arg(
        long,
        default_value = "",
        value_name = "TEXT",
        help_heading = "Request fingerprints",
        hide_short_help = true
    )]
    body: String,

    #[command(flatten)]
    pub(super) key: KeyArg,
}

impl KindOptions {
    /// Returns an error for a given option that has no effect on any of the kinds.
    pub(super) fn check(&self, kinds: &[IdKind]) -> Result<(), Failure> {
        let hashed_uri = kinds.contains(&IdKind::HashedUri);
        let fingerprint =
            kinds.iter().any(|kind| matches!(kind, IdKind::ScrapyW3lib2_5 | IdKind::ScrapyW3lib2_4));
        // They are printed in words or digits.
        let is_text = |kind: &&IdKind| **kind != IdKind::UrlVeryShortHashInt64;
        let url_hash = kinds.iter().filter(is_text).any(|kind| kind.name().starts_with("url-"));
        // The defaults `--variant n` and `--method GET` do not affect other kinds, so it does not matter
        // whether they are given.
        let unused = [
            (!url_hash && self.words, "--words", IdKind::UrlHash),
            (!hashed_uri && self.alg.is_some(), "--alg", IdKind::HashedUri),
            (!hashed_uri && self.variant != Variant::N, "--variant", IdKind::HashedUri),
            (!hashed_uri && !self.keep.is_empty(), "--keep", IdKind::HashedUri),
            (!hashed_uri && self.base.is_some(), "--base", IdKind::HashedUri),
            (!hashed_uri && self.key.path().is_some(), "--key", IdKind::HashedUri),
            (!fingerprint && self.method != "GET", "--method", IdKind::ScrapyW3lib2_5),
            (!fingerprint && !self.body.is_empty(), "--body", IdKind::ScrapyW3lib2_5),
        ];
        match unused.iter().find(|(is_unused, ..)| *is_unused) {
            Some((_, option, kind)) => {
                Err(Failure::usage(format!("{option} needs a kind such as {}", kind.name())))
            }
            None => Ok(()),
        }
    }
}

/// Reads an algorithm that can be computed.
fn parse_algorithm(text: &str) -> Result<Algorithm, String> {
    let algorithm: Algorithm = text.parse().map_err(|error: urlid::Error| error.to_string())?;
    match Hasher::new(&algorithm, None) {
        Ok(_) => Ok(algorithm),
        // The key is given by a different option, so it is checked after all options are read.
        Err(error) if error.code() == ErrorCode::Key => Ok(algorithm),
        Err(error) => Err(error.to_string()),
    }
}

/// How url-hashes are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Print {
    Words,
    Hex,
}

/// Makes identifiers.
pub(super) struct IdMaker {
    list: Cow<'static, SuffixList>,
    print: Print,
    hasher: Hasher,
    variant: Variant,
    keep: Keep,
    base: Option<String>,
    method: String,
    body: String,
}

impl IdMaker {
    /// Combines the options.
    pub(super) fn new(options: &KindOptions, list: Cow<'static, SuffixList>) -> Result<Self, Failure> {
        let key = options.key.read()?;
        let algorithm = match (&options.alg, &key) {
            (Some(algorithm), _) => algorithm.clone(),
            (None, Some(_)) => Algorithm::XHmacSha256,
            (None, None) => Algorithm::Sha1,
        };
        if key.is_some() && !algorithm.is_keyed() {
            return Err(Failure::usage(format!("ERR_KEY: found a key, but {algorithm} is unkeyed")));
        }
        hashed::check_base(options.base.as_deref(), |text, base| {
            canonicalize(text, base, Keep::NONE, options.variant)
        })?;
        let hasher =
            Hasher::new(&algorithm, key.as_ref()).map_err(|error| Failure::new(Exit::Usage, &error))?;
        Ok(IdMaker {
            list,
            print: if options.words { Print::Words } else { Print::Hex },
            hasher,
            variant: options.variant,
            keep: hashed::union(&options.keep),
            base: options.base.clone(),
            method: options.method.clone(),
            body: options.body.clone(),
        })
    }

    /// Returns the public suffix list in use.
    pub(super) fn list(&self) -> &SuffixList {
        &self.list
    }

    /// Returns how url-hashes are printed.
    pub(super) fn print(&self) -> Print {
        self.print
    }

    /// Returns the optional parts that hashed URIs keep.
    pub(super) fn keep(&self) -> Keep {
        self.keep
    }

    /// Returns whether a batch encoder makes the hashed URIs: by SHA-1 and variant N, without a base.
    pub(super) fn has_batched_hashed_uris(&self) -> bool {
        // The batch encoder has only this algorithm and variant. All others are computed line by line.
        self.hasher.algorithm() == Algorithm::Sha1 && self.variant == Variant::N && self.base.is_none()
    }

    /// Starts the identifiers of a line.
    pub(super) fn line<'a>(&'a self, text: &'a str) -> LineIds<'a> {
        LineIds { maker: self, text, url: OnceCell::new() }
    }
}

/// The identifiers of one line. The URL is parsed once for all of them.
pub(super) struct LineIds<'a> {
    maker: &'a IdMaker,
    text: &'a str,
    url: OnceCell<Result<Url, urlid::Error>>,
}

impl LineIds<'_> {
    /// Returns the identifier of a kind.
    pub(super) fn id(&self, kind: IdKind) -> Result<String, Rejection> {
        let IdMaker { list, print, .. } = self.maker;
        // The types of url-hashes do not share a trait for both.
        macro_rules! printed {
            ($hash:expr) => {
                match print {
                    Print::Words => $hash.to_string(),
                    Print::Hex => $hash.to_hex(),
                }
            };
        }
        Ok(match kind {
            IdKind::Sxurl => Sxurl::encode_with(self.text, list)?.to_hex(),
            IdKind::UrlHash => printed!(UrlHash::from(self.url()?)),
            IdKind::UrlShortHash => printed!(UrlHash::from(self.url()?).short()),
            IdKind::UrlVeryShortHash => printed!(UrlHash::from(self.url()?).very_short()),
            IdKind::UrlVeryShortHashInt64 => UrlHash::from(self.url()?).very_short().to_i64().to_string(),
            IdKind::HashedUri => self.hashed_uri()?,
            IdKind::CrateUrlHash => printed!(CrateUrlHash::from(self.url()?)),
            IdKind::CrateUrlShortHash => printed!(CrateUrlHash::from(self.url()?).short()),
            IdKind::CrateUrlVeryShortHash => printed!(CrateUrlHash::from(self.url()?).very_short()),
            IdKind::CrateSxurl0 => self.crate_sxurl(CrateFormat::V0)?,
            IdKind::CrateSxurl1_0 => self.crate_sxurl(CrateFormat::V1_0)?,
            IdKind::CrateSxurl1_1 => self.crate_sxurl(CrateFormat::V1_1)?,
            IdKind::ScrapyW3lib2_5 => self.fingerprint(W3lib::V2_5)?,
            IdKind::ScrapyW3lib2_4 => self.fingerprint(W3lib::V2_4)?,
        })
    }

    fn url(&self) -> Result<&Url, Rejection> {
        let parsed = self.url.get_or_init(|| Url::parse(self.text));
        parsed.as_ref().map_err(|error| error.clone().into())
    }

    fn hashed_uri(&self) -> Result<String, Rejection> {
        let IdMaker { hasher, variant, keep, base, .. } = self.maker;
        let canonical = canonicalize(self.text, base.as_deref(), *keep, *variant)?;
        Ok(HashedUri::from_canonical(&canonical, hasher).to_string())
    }

    fn fingerprint(&self, w3lib: W3lib) -> Result<String, Rejection> {
        let IdMaker { method, body, .. } = self.maker;
        let digest = RequestFingerprinter::new(w3lib).fingerprint(self.text, method, body.as_bytes())?;
        Ok(hex::encode(&digest))
    }

    fn crate_sxurl(&self, format: CrateFormat) -> Result<String, Rejection> {
        Ok(CrateSxurl::encode_with(self.text, format, &self.maker.list)?.to_hex())
    }
}

/// A batch encoder of one kind of identifier.
pub(super) enum IdEncoder {
    Sxurl(Box<Encoder<Sxurl>>),
    UrlHash(Box<Encoder<UrlHash>>, Print),
    HashedUri(Box<Encoder<HashedUri>>),
}

/// The texts of an encoder.
#[derive(Clone, Copy)]
pub(super) enum EncoderInput<'t> {
    /// Lines that end with LF.
    Lines(&'t [u8]),
    Texts(&'t [&'t str]),
}

impl IdEncoder {
    /// Returns the encoder of a kind, if the kind has one.
    pub(super) fn new(kind: IdKind, maker: &IdMaker, kernels: Kernels) -> Option<Self> {
        Some(match kind {
            IdKind::Sxurl => {
                // The key is secret and random. An attacker who knows it could make hosts that all share one
                // slot of the cache.
                IdEncoder::Sxurl(Box::new(Encoder::<Sxurl>::with_kernels(
                    maker.list(),
                    HostCacheKey::random(),
                    kernels,
                )))
            }
            IdKind::UrlHash => {
                IdEncoder::UrlHash(Box::new(Encoder::<UrlHash>::with_kernels(kernels)), maker.print())
            }
            IdKind::HashedUri if maker.has_batched_hashed_uris() => {
                IdEncoder::HashedUri(Box::new(Encoder::<HashedUri>::with_kernels(maker.keep(), kernels)))
            }
            _ => return None,
        })
    }

    /// Appends a line for each text. The line is empty if the text does not have an identifier.
    pub(super) fn write(&mut self, input: EncoderInput<'_>, out: &mut Vec<u8>, reject: &mut Reject<'_>) {
        match self {
            IdEncoder::Sxurl(encoder) => {
                write_ids(encoder, input, |batch, out| batch.write_hex_lines(out), out, reject)
            }
            IdEncoder::UrlHash(encoder, Print::Hex) => {
                write_ids(encoder, input, |batch, out| batch.write_hex_lines(out), out, reject);
            }
            IdEncoder::UrlHash(encoder, Print::Words) => write_ids(encoder, input, write_words, out, reject),
            IdEncoder::HashedUri(encoder) => {
                write_ids(encoder, input, |batch, out| batch.write_hashed_uris(out), out, reject)
            }
        }
    }
}

/// Appends the identifiers of texts by an encoder.
fn write_ids<I: Identifier<Error = Error>>(
    encoder: &mut Encoder<I>,
    input: EncoderInput<'_>,
    write: WriteBatch<I>,
    out: &mut Vec<u8>,
    reject: &mut Reject<'_>,
) {
    let mut written = WrittenBatches { write, out, reject, before: 0, rejected: 0 };
    match input {
        EncoderInput::Lines(lines) => encoder.encode_lines(lines, |batch| written.push(&batch)),
        EncoderInput::Texts(texts) => encoder.encode_all(texts.iter().copied(), |batch| written.push(&batch)),
    }
}

/// Appends the lines of a batch.
type WriteBatch<I> = fn(&Batch<'_, I>, &mut Vec<u8>);

/// Appends a line of decimal words for each url-hash of a batch, an empty line for a line without one.
fn write_words(batch: &Batch<'_, UrlHash>, out: &mut Vec<u8>) {
    for outcome in batch.outcomes() {
        if let Outcome::Id(hash) = outcome {
            write!(out, "{hash}").expect("writing to a Vec does not fail");
        }
        out.push(b'\n');
    }
}

/// The batches of one call, one after the other.
struct WrittenBatches<'o, 'r, I: Identifier> {
    write: WriteBatch<I>,
    out: &'o mut Vec<u8>,
    reject: &'o mut Reject<'r>,
    /// The number of texts in earlier batches, because each batch counts from 0.
    before: usize,
    rejected: u64,
}

impl<I: Identifier<Error = Error>> WrittenBatches<'_, '_, I> {
    fn push(&mut self, batch: &Batch<'_, I>) {
        (self.write)(batch, self.out);
        for (index, code) in batch.rejected() {
            // A blank line has neither an identifier nor a code, because it is not rejected.
            let Some(code) = code else { continue };
            // Only the first reasons can be printed, so the other rejections only need their codes.
            let reason = if self.rejected < PRINTED { reason(batch, index) } else { None };
            (self.reject)(self.before + index, reason.unwrap_or(Rejection::Code(code)));
            self.rejected += 1;
        }
        self.before += batch.len();
    }
}

/// Returns the reason why a text of a batch lacks an identifier: it is not UTF-8, or the encoder rejects it.
fn reason<I: Identifier<Error = Error>>(batch: &Batch<'_, I>, index: usize) -> Option<Rejection> {
    let unreadable = || Line::new(0, batch.lines().nth(index)?).text.err();
    batch.error(index).map(Rejection::from).or_else(|| unreadable().map(Rejection::from))
}
