//! Digests of payloads as records and indexes state them, compared with the payloads.
//!
//! By WARC 1.1 the payload of a response is the entity-body of RFC 2616: the content after the head of HTTP,
//! without its transfer coding and with its content coding. Wget, warcio and others hash the content as it is
//! stored, with its chunks, so a body in chunks has two digests, and a record may state either.

use std::fmt;
use std::io::BufRead;

use md5::Md5;
use memchr::memchr;
use sha1::{Digest, Sha1};
use sha2::{Sha256, Sha512};
use urlid::{Error, hex};

use crate::error;
use crate::warc::http::{HttpHead, MAX_LINE, chunk_len};
use crate::{Record, StoredRecords};

const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The digest of a payload by an algorithm that can be computed.
///
/// ```
/// use urlid_archives::PayloadDigest;
///
/// let digest = PayloadDigest::parse("3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ").expect("SHA-1 in base 32");
/// assert_eq!(digest.to_string(), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
/// assert_eq!(PayloadDigest::parse("SHA-1:da39a3ee5e6b4b0d3255bfef95601890afd80709"), Some(digest));
/// assert_eq!(PayloadDigest::parse("crc32:00000000"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayloadDigest {
    algorithm: DigestAlgorithm,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DigestAlgorithm {
    Sha1,
    Sha256,
    Sha512,
    Md5,
}

impl DigestAlgorithm {
    const ALL: [(DigestAlgorithm, &'static str, usize); 4] = [
        (DigestAlgorithm::Sha1, "sha1", 20),
        (DigestAlgorithm::Sha256, "sha256", 32),
        (DigestAlgorithm::Sha512, "sha512", 64),
        (DigestAlgorithm::Md5, "md5", 16),
    ];
}

impl PayloadDigest {
    /// Parses a digest in base 32 or hexadecimal, in any letter case, with or without its padding and the name of
    /// its algorithm. Returns `None` if the algorithm is unknown or the length does not match it.
    ///
    /// If the name is missing, the length determines the algorithm. 32 digits of base 32 are SHA-1, as in most
    /// archives.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (name, digits) = text.split_once(':').map_or((None, text), |(name, rest)| (Some(name), rest));
        let name = name.map(|name| name.replace('-', "").to_ascii_lowercase());
        let digits = digits.trim_end_matches('=').as_bytes();
        [from_base32, from_hex].iter().find_map(|decode| {
            let bytes = decode(digits)?;
            let (algorithm, ..) = DigestAlgorithm::ALL.into_iter().find(|(_, known, size)| {
                *size == bytes.len() && name.as_deref().is_none_or(|name| name == *known)
            })?;
            Some(PayloadDigest { algorithm, bytes })
        })
    }

    /// Returns the digest by the same algorithm of the payload of the first record of `source`; `None` if there
    /// is no record. Of the two digests of a body in chunks it is this one if that is among them, otherwise the
    /// one without the chunks.
    ///
    /// # Errors
    /// If the record cannot be read to its end.
    pub fn of_payload<R: BufRead>(&self, source: R) -> Result<Option<Self>, Error> {
        let digests = match self.algorithm {
            DigestAlgorithm::Sha1 => digests::<Sha1, R>(source),
            DigestAlgorithm::Sha256 => digests::<Sha256, R>(source),
            DigestAlgorithm::Sha512 => digests::<Sha512, R>(source),
            DigestAlgorithm::Md5 => digests::<Md5, R>(source),
        }?;
        Ok(digests.map(|Digests { stored, without_chunks }| {
            let bytes = without_chunks.filter(|_| stored != self.bytes).unwrap_or(stored);
            PayloadDigest { algorithm: self.algorithm, bytes }
        }))
    }
}

/// Prints the name of the algorithm, a colon, and the digits: base 32 for SHA-1, otherwise hexadecimal.
impl fmt::Display for PayloadDigest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = DigestAlgorithm::ALL.iter().find(|(known, ..)| *known == self.algorithm);
        write!(out, "{}:", name.map_or("", |(_, name, _)| name))?;
        match self.algorithm {
            DigestAlgorithm::Sha1 => out.write_str(&base32(&self.bytes)),
            _ => out.write_str(&hex::encode(&self.bytes)),
        }
    }
}

/// The digests of the content after the head of HTTP.
struct Digests {
    stored: Vec<u8>,
    /// `None` if it is not in chunks.
    without_chunks: Option<Vec<u8>>,
}

/// Returns the digests of the first record.
fn digests<D: Digest, R: BufRead>(source: R) -> Result<Option<Digests>, Error> {
    let mut records = StoredRecords::new(source).map_err(error::read)?;
    let mut record = Record::default();
    if !records.next_record(&mut record)? {
        return Ok(None);
    }
    hash_content::<D, R>(&mut records, &record).map(Some).map_err(|error| records.explained(error))
}

fn hash_content<D: Digest, R: BufRead>(
    records: &mut StoredRecords<R>,
    record: &Record,
) -> Result<Digests, Error> {
    let reader = &mut records.reader;
    let head = match record.has_http_head() {
        true => HttpHead::read(reader)?,
        false => HttpHead::default(),
    };
    let (mut stored, mut without_chunks) = (D::new(), D::new());
    let coding = head.transfer_encoding.unwrap_or_default();
    let mut is_in_chunks = coding.to_ascii_lowercase().ends_with(b"chunked");
    // Each round is a chunk. A body that breaks off, or was stored without its chunks, is only hashed as it is.
    while is_in_chunks {
        let start = reader.peek_content(MAX_LINE)?;
        let line = memchr(b'\n', start).map(|end| &start[..=end]);
        let Some((line, mut left)) =
            line.and_then(|line| Some((line, chunk_len(line.strip_suffix(b"\r\n")?)?)))
        else {
            is_in_chunks = false;
            break;
        };
        stored.update(line);
        let line_len = line.len();
        reader.consume(line_len);
        if left == 0 {
            break;
        }
        // With the line end after the chunk, which must be one.
        while left > 0 {
            let piece = reader.content()?;
            let len = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            if len == 0 {
                break;
            }
            stored.update(&piece[..len]);
            without_chunks.update(&piece[..len]);
            reader.consume(len);
            left -= len as u64;
        }
        is_in_chunks = left == 0 && reader.peek_content(2)?.starts_with(b"\r\n");
        if is_in_chunks {
            stored.update(b"\r\n");
            reader.consume(2);
        }
    }
    while let piece @ [_, ..] = reader.content()? {
        stored.update(piece);
        let len = piece.len();
        reader.consume(len);
    }
    let without_chunks = is_in_chunks.then(|| without_chunks.finalize().to_vec());
    Ok(Digests { stored: stored.finalize().to_vec(), without_chunks })
}

/// Returns bytes in base 32 (RFC 4648) without padding.
pub(crate) fn base32(bytes: &[u8]) -> String {
    // 5 bytes are 8 digits of 5 bits; of fewer bytes, the digits with a bit of them.
    let digits = bytes.chunks(5).flat_map(|group| {
        let bits = (0..5).fold(0_u64, |bits, at| bits << 8 | u64::from(group.get(at).copied().unwrap_or(0)));
        let count = (group.len() * 8).div_ceil(5);
        (0..count).map(move |place| BASE32[(bits >> (35 - 5 * place) & 31) as usize])
    });
    digits.map(char::from).collect()
}

/// Returns the bytes of digits of base 32, whose last digit may have bits beyond the last byte.
fn from_base32(digits: &[u8]) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in digits {
        let value = memchr(digit.to_ascii_uppercase(), BASE32)?;
        // Fewer than 8 bits are left of the digits before, so at most 13 are used.
        bits = (bits << 5 | u32::try_from(value).ok()?) & 0x1fff;
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    (count < 5).then_some(bytes)
}

fn from_hex(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| Some((digit(*high)? << 4 | digit(*low)?) as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digests of `hello` and of the empty text, from coreutils.
    const HELLO: [&str; 4] = [
        "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
        "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        "sha512:9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca72323c3d99ba5c11d7c7acc6e14b8c5da0c4663475c2e5c3adef46f73bcdec043",
        "md5:5d41402abc4b2a76b9719d911017c592",
    ];

    fn record(fields: &str, body: &str) -> Vec<u8> {
        let http = format!("HTTP/1.1 200 OK\r\n{fields}\r\n{body}");
        format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
        .into_bytes()
    }

    #[test]
    fn a_digest_is_one_in_all_its_forms() {
        for (written, expected) in [
            ("VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", HELLO[0]),
            ("vl2mmho4yxukfwv63yhtwsbm3gxksq2n", HELLO[0]),
            ("sha-1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", HELLO[0]),
            ("AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D", HELLO[0]),
            ("SHA-256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====", HELLO[1]),
            ("sha256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA", HELLO[1]),
            (&HELLO[1][7..], HELLO[1]),
            (&HELLO[2][7..], HELLO[2]),
            ("md5:LVAUAKV4JMVHNOLRTWIRAF6FSI======", HELLO[3]),
            ("5d41402abc4b2a76b9719d911017c592", HELLO[3]),
        ] {
            let digest = PayloadDigest::parse(written);
            assert_eq!(digest.as_ref().map(ToString::to_string).as_deref(), Some(expected), "{written}");
            assert_eq!(PayloadDigest::parse(expected), digest);
        }
        for written in [
            "",
            "-",
            ":",
            "sha1:",
            "blake3:00",
            "md5:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
            "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2NA",
            "ü",
            "sha1:ü",
        ] {
            assert_eq!(PayloadDigest::parse(written), None, "{written}");
        }
    }

    #[test]
    fn payloads_are_without_a_head_and_with_or_without_chunks() {
        let chunks = "3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n";
        let coding = "Transfer-Encoding: gzip, Chunked\r\n";
        for (fields, body) in [
            ("", "hello"),
            ("Content-Encoding: br\r\n", "hello"),
            (coding, chunks),
            // Stored without the chunks that its head states.
            (coding, "hello"),
        ] {
            for digest in HELLO {
                let stated = PayloadDigest::parse(digest).expect("a digest");
                let found = stated.of_payload(&*record(fields, body)).expect("it is whole");
                assert_eq!(found, Some(stated), "{fields}{body}");
            }
        }
        let with_chunks =
            PayloadDigest { algorithm: DigestAlgorithm::Sha1, bytes: Sha1::digest(chunks).to_vec() };
        assert_eq!(with_chunks.of_payload(&*record(coding, chunks)), Ok(Some(with_chunks.clone())));
        let other = PayloadDigest { bytes: vec![0; 20], ..with_chunks };
        let found = |body| other.of_payload(&*record(coding, body)).expect("it is whole").expect("a record");
        assert_eq!(found(chunks).to_string(), HELLO[0], "without chunks");
        // The empty text is not a payload that is left of broken chunks.
        for broken in ["5\r\nhel", "x\r\n", "5\r\nhelloX0\r\n\r\n", "\r\n", "ffffffffffffffff\r\n", "5"] {
            assert_eq!(found(broken).bytes, Sha1::digest(broken).to_vec(), "{broken:?}");
        }
        assert_eq!(other.of_payload(&b""[..]), Ok(None));
        let whole = record("", "hello");
        assert!(other.of_payload(&whole[..whole.len() - 6]).is_err(), "cut");
    }
}
