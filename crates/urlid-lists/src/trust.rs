//! Trust in a publisher: signatures in the format of minisign, and editions that are neither expired nor
//! older than the last one seen.
//!
//! The time and the last edition seen are values, so this module never reads a clock or opens a file. A
//! signature covers the bytes of a list as read, before any compression.

use core::fmt;
use core::str::FromStr;
use std::io;

use minisign_verify::{PublicKey, Signature};

use super::container::MAGIC;
use super::header::ListHeader;
use super::reader::ListReader;
use super::value::HiddenList;
use crate::error;
use urlid::Error;
use urlid::hex;
use urlid::internal::{decode_hex, digest};

/// The public key of a publisher.
///
/// Parses from the text of a file that minisign writes, or from only its second line. Displays as that line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedKey {
    key: PublicKey,
    text: String,
}

impl TrustedKey {
    /// Checks that a text is the signature of some bytes by this key. Only signatures of the hashed bytes are
    /// accepted, as made by minisign since version 0.10.
    ///
    /// # Errors
    /// `ERR_LIST_TRUST` if it is not.
    pub fn verify(&self, bytes: &[u8], signature: &str) -> Result<(), Error> {
        // `false` rejects signatures of the unhashed file, which minisign made in the past.
        self.key.verify(bytes, &decode(signature)?, false).map_err(|error| rejected(&error))
    }

    /// Checks the bytes of a reader like [`verify`](Self::verify), without storing them.
    ///
    /// # Errors
    /// The errors of `bytes`. The inner result is `ERR_LIST_TRUST` if the text is not their signature by this
    /// key.
    pub fn verify_read(&self, mut bytes: impl io::Read, signature: &str) -> io::Result<Result<(), Error>> {
        let signature = match decode(signature) {
            Ok(signature) => signature,
            Err(error) => return Ok(Err(error)),
        };
        let mut verifier = match self.key.verify_stream(&signature) {
            Ok(verifier) => verifier,
            Err(error) => return Ok(Err(rejected(&error))),
        };
        let mut room = vec![0; 1 << 16];
        loop {
            match bytes.read(&mut room) {
                Ok(0) => return Ok(verifier.finalize().map_err(|error| rejected(&error))),
                Ok(length) => verifier.update(&room[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

fn decode(signature: &str) -> Result<Signature, Error> {
    // Text after the four lines is not signed.
    let is_whole = signature.lines().count() == 4;
    Signature::decode(signature).ok().filter(|_| is_whole).ok_or_else(|| error::SIGNATURE.error())
}

fn rejected(error: &minisign_verify::Error) -> Error {
    match error {
        minisign_verify::Error::UnexpectedKeyId => error::OTHER_SIGNER.error(),
        _ => error::SIGNATURE.error(),
    }
}

impl FromStr for TrustedKey {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        // A minisign file has a comment before the key. The bare key is also accepted.
        let line = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
        match PublicKey::from_base64(line) {
            Ok(key) => Ok(Self { key, text: line.to_owned() }),
            Err(_) => Err(error::PUBLIC_KEY.error()),
        }
    }
}

impl fmt::Display for TrustedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// The latest edition of a publisher's list that was seen.
///
/// Displays as the text in which it is stored, and parses from that text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenEdition {
    /// The key that signed it, as a [`TrustedKey`] displays.
    pub key: String,
    /// The number of the edition, by its publisher.
    pub sequence: u64,
    /// The SHA-256 of its bytes.
    pub digest: [u8; 32],
}

const SEEN: &str = "urlid-list-seen: 1";

impl fmt::Display for SeenEdition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, sequence, digest } = self;
        write!(f, "{SEEN}\nkey: {key}\nsequence: {sequence}\ndigest: {}\n", hex::encode(digest))
    }
}

impl FromStr for SeenEdition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut lines = text.lines();
        let is_seen = lines.next() == Some(SEEN);
        let mut value = |key: &str| lines.next()?.strip_prefix(key);
        let read = (|| {
            let (key, sequence, digest) = (value("key: ")?, value("sequence: ")?, value("digest: ")?);
            Some(Self { key: key.to_owned(), sequence: sequence.parse().ok()?, digest: decode_hex(digest)? })
        })();
        // The text must equal the text that would be written, so that a damaged file does not let an old list
        // through.
        read.filter(|seen| is_seen && seen.to_string() == text).ok_or_else(|| error::SEEN.error())
    }
}

/// The conditions under which a list is trusted.
///
/// ```no_run
/// use urlid_lists::{Trust, TrustedKey};
///
/// # fn read(path: &str) -> Vec<u8> { Vec::new() }
/// let key: TrustedKey = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3".parse()?;
/// let trust = Trust { key: &key, now: 1_795_587_900, seen: None };
/// let (list, seen) = trust.open(read("bad.compiled"), "the text of bad.compiled.minisig")?;
/// // The caller keeps `seen`, and passes it the next time.
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Trust<'t> {
    /// The key of the publisher.
    pub key: &'t TrustedKey,
    /// The seconds since the start of 1970.
    pub now: i64,
    /// The latest edition that was seen, if any was.
    pub seen: Option<&'t SeenEdition>,
}

impl Trust<'_> {
    /// Reads a list in either form after checking its signature, then checks the edition.
    ///
    /// # Errors
    /// `ERR_LIST_TRUST` if the list is not signed by the key, lacks `expires` or `sequence`, has expired, has
    /// a smaller sequence than the one seen, or the same sequence and different bytes. Any other error if it
    /// cannot be read to its last line.
    pub fn open(&self, bytes: Vec<u8>, signature: &str) -> Result<(HiddenList, SeenEdition), Error> {
        // Verified before parsing, so that only bytes signed by the publisher reach the parsers.
        self.key.verify(&bytes, signature)?;
        let digest = digest::sha256(&[&bytes]);
        let list = match bytes.starts_with(&MAGIC) {
            true => HiddenList::from_compiled(bytes)?,
            false => {
                let text = str::from_utf8(&bytes).map_err(|_| error::TEXT_FORM.error())?;
                let mut reader = ListReader::new();
                text.lines().try_for_each(|line| reader.line(line))?;
                reader.finish()?
            }
        };
        let seen = self.admit(list.header(), digest)?;
        Ok((list, seen))
    }

    /// Checks an edition whose signature was checked, by its header and the SHA-256 of its bytes.
    pub(super) fn admit(&self, header: &ListHeader, digest: [u8; 32]) -> Result<SeenEdition, Error> {
        let edition = header.edition();
        let expires = edition.expires.ok_or_else(|| error::untrusted("expires"))?;
        let sequence = edition.sequence.ok_or_else(|| error::untrusted("sequence"))?;
        if self.now >= expires.seconds() {
            return Err(error::EXPIRED.error().with_shown(expires));
        }
        let key = self.key.to_string();
        match self.seen {
            // Sequences by different keys cannot be compared.
            Some(seen) if seen.key != key => return Err(error::OTHER_SEEN.error()),
            Some(seen) if seen.sequence > sequence => {
                let expected = format!("{} or more", seen.sequence);
                return Err(error::ROLLED_BACK.error().with_shown(sequence).with_expected(expected));
            }
            // A publisher shows the same list to all readers. Two lists with one number may target different
            // readers.
            Some(seen) if seen.sequence == sequence && seen.digest != digest => {
                return Err(error::TWO_OF_ONE.error().with_shown(sequence));
            }
            _ => {}
        }
        Ok(SeenEdition { key, sequence, digest })
    }
}
