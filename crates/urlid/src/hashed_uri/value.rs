//! `HashedUri`: an algorithm, a digest and the kept parts (draft, sections 4.1 and 4.3).

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use core::cmp::Ordering;
use core::str::FromStr;
use core::{fmt, mem};

use super::algorithm::Algorithm;
use super::canonical::{Canonical, canonicalize};
use super::grammar;
use super::hasher::{Hasher, Options};
use super::keep::{Keep, Variant};
use crate::error::Error;
use crate::hex;

/// A hashed URI: the digest of a canonical text, which identifies a URI without revealing it.
///
/// It displays in lower case, with the flags as `+frag+query`. Parsing accepts any case, and flags in any
/// order. Hashed URIs are ordered like their texts.
///
/// ```
/// use urlid::hashed_uri::{HashedUri, Variant};
///
/// let hashed = HashedUri::encode("http://www.thus.net")?;
/// assert_eq!(hashed.to_string(), "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481");
/// assert!(hashed.matches("HTTP://www.Thus.net:80#top", Variant::N)?);
/// assert_eq!(hashed.to_string().parse(), Ok(hashed));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct HashedUri {
    algorithm: Algorithm,
    digest: Box<[u8]>,
    keep: Keep,
}

impl HashedUri {
    /// Returns the hashed URI of an absolute URI, with the default [`Options`].
    ///
    /// # Errors
    /// [`Error`] if the text is not an absolute URI.
    pub fn encode(uri: &str) -> Result<Self, Error> {
        Self::encode_with(uri, &Options::default())
    }

    /// Returns the hashed URI of a URI.
    ///
    /// # Errors
    /// [`Error`] if the text is not a URI, is relative without a base, or if the algorithm cannot be computed
    /// or lacks its key.
    pub fn encode_with(uri: &str, options: &Options<'_>) -> Result<Self, Error> {
        let hasher = Hasher::new(&options.algorithm, options.key)?;
        let canonical = canonicalize(uri, options.base, options.keep, options.variant)?;
        Ok(Self::from_canonical(&canonical, &hasher))
    }

    /// Returns the hashed URI of a canonical text. Make the hasher once if you use it for many texts.
    pub fn from_canonical(canonical: &Canonical, hasher: &Hasher) -> Self {
        // The flags are recorded in the canonical text, so they cannot contradict the digest.
        let digest = hasher.digest(canonical).as_bytes().into();
        Self { algorithm: hasher.algorithm(), digest, keep: canonical.kept() }
    }

    /// Reads the text of a hashed URI.
    ///
    /// # Errors
    /// [`Error`] if the text is not a hashed URI.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let grammar::ParsedText { algorithm, digits, keep } = grammar::parse(text)?;
        let digest = hex::decode_vec(digits).expect("the grammar lets an even number of digits through");
        Ok(Self { algorithm, digest: digest.into(), keep })
    }

    /// Makes a hashed URI of an algorithm, a digest of its length and the kept parts.
    ///
    /// # Errors
    /// `ERR_DIGEST_LENGTH` if the digests of the algorithm have a different length, or the digest is empty.
    ///
    /// ```
    /// use urlid::hashed_uri::{HashedUri, Keep};
    ///
    /// let hashed = HashedUri::from_parts("x-crc16".parse()?, &[0x29, 0xb1], Keep::QUERY)?;
    /// assert_eq!(hashed.to_string(), "hashed:x-crc16=29b1+query");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_parts(algorithm: Algorithm, digest: &[u8], keep: Keep) -> Result<Self, Error> {
        // The grammar counts hexadecimal digits.
        grammar::check_length(&algorithm, 2 * digest.len())?;
        Ok(Self { algorithm, digest: digest.into(), keep })
    }

    /// Returns the algorithm, which the text names before `=`.
    pub fn algorithm(&self) -> &Algorithm {
        &self.algorithm
    }

    /// Returns the bytes of the digest.
    pub fn digest(&self) -> &[u8] {
        &self.digest
    }

    /// Returns the flags, that is, the kept parts of the URI.
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// Returns whether this library computes the algorithm.
    pub fn is_known(&self) -> bool {
        self.algorithm.is_known()
    }

    /// Returns whether this is the hashed URI of `uri` under the variant that its maker chose. The flags
    /// decide which parts of `uri` are compared. Parts without a flag may be anything (H-17).
    ///
    /// # Errors
    /// [`Error`] if `uri` is not an absolute URI, or if the algorithm cannot be computed.
    pub fn matches(&self, uri: &str, variant: Variant) -> Result<bool, Error> {
        self.matches_with(uri, &Options { variant, ..Options::default() })
    }

    /// Returns whether this is the hashed URI of `uri` under the variant of `options`, with their base and
    /// key. The hashed URI itself determines the algorithm and the flags.
    ///
    /// ```
    /// use urlid::hashed_uri::{HashedUri, Options};
    ///
    /// let hashed = HashedUri::encode("http://example.com/a/b")?;
    /// let options = Options { base: Some("http://example.com/a/"), ..Options::default() };
    /// assert!(hashed.matches_with("b?any", &options)?);
    /// # Ok::<(), urlid::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error`] if `uri` is not a URI, is relative without a base, or if the algorithm cannot be computed or
    /// lacks its key.
    pub fn matches_with(&self, uri: &str, options: &Options<'_>) -> Result<bool, Error> {
        let hasher = Hasher::new(&self.algorithm, options.key)?;
        let canonical = canonicalize(uri, options.base, self.keep, options.variant)?;
        Ok(hasher.digest(&canonical).as_bytes() == &*self.digest)
    }
}

impl PartialOrd for HashedUri {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for HashedUri {
    fn cmp(&self, other: &Self) -> Ordering {
        // This is the order of the texts: after a shorter digest comes `+` or the end, which both sort before
        // every digit.
        (&self.algorithm, &self.digest, self.keep).cmp(&(&other.algorithm, &other.digest, other.keep))
    }
}

impl fmt::Display for HashedUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `pad` needs the whole text. Without a width, nothing is allocated.
        match f.width().or(f.precision()) {
            None => grammar::write(f, &self.algorithm, &self.digest, self.keep),
            Some(_) => {
                let mut text = String::new();
                grammar::write(&mut text, &self.algorithm, &self.digest, self.keep)?;
                f.pad(&text)
            }
        }
    }
}

impl fmt::Debug for HashedUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HashedUri({self})")
    }
}

impl FromStr for HashedUri {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

/// Writes the texts of the hashed URIs of many URIs with the same options.
///
/// After the first URIs, the writer allocates only for a URI that is longer than all before, for a URI that
/// has to be rewritten, and after an error.
///
/// ```
/// use urlid::hashed_uri::{HashedUri, HashedUriWriter, Options};
///
/// let mut writer = HashedUriWriter::new(&Options::default())?;
/// let mut text = String::new();
/// writer.write("http://www.thus.net", &mut text)?;
/// assert_eq!(text, HashedUri::encode("http://www.thus.net")?.to_string());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HashedUriWriter {
    /// The text before the digest.
    start: String,
    hasher: Hasher,
    base: Option<String>,
    keep: Keep,
    variant: Variant,
    room: String,
}

impl HashedUriWriter {
    /// Prepares the hash function.
    ///
    /// # Errors
    /// [`Error`] if the algorithm cannot be computed, or lacks its key.
    pub fn new(options: &Options<'_>) -> Result<Self, Error> {
        Ok(Self {
            start: grammar::start(&options.algorithm),
            hasher: Hasher::new(&options.algorithm, options.key)?,
            base: options.base.map(str::to_owned),
            keep: options.keep,
            variant: options.variant,
            room: String::new(),
        })
    }

    /// Appends the text of the hashed URI of `uri`.
    ///
    /// # Errors
    /// [`Error`] if the text is not a URI, or is relative without a base. `out` is then unchanged.
    pub fn write(&mut self, uri: &str, out: &mut String) -> Result<(), Error> {
        // An error drops the buffer, and the next URI allocates a new one.
        let room = mem::take(&mut self.room);
        let canonical = Canonical::make(room, uri, self.base.as_deref(), self.keep, self.variant)?;
        out.push_str(&self.start);
        hex::push(self.hasher.digest(&canonical).as_bytes(), out).expect("a String takes any text");
        out.push_str(canonical.kept().flags());
        self.room = canonical.into_string();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Key;
    use super::*;
    use crate::error::ErrorCode;

    /// Hashed URIs of every kind, in the order of their texts.
    const TEXTS: [&str; 11] = [
        "hashed:md5=00112233445566778899aabbccddeeff",
        "hashed:md5=00112233445566778899aabbccddeeff+frag",
        "hashed:md5=00112233445566778899aabbccddeeff+frag+query",
        "hashed:md5=00112233445566778899aabbccddeeff+query",
        "hashed:sha1=0000000000000000000000000000000000000000",
        "hashed:x-=00",
        "hashed:x-a.b=00",
        "hashed:x-a=00",
        "hashed:x-a=00+query",
        "hashed:x-a=0011",
        "hashed:x-a=01",
    ];

    #[test]
    fn texts_are_printed_as_they_were_read_and_ordered_alike() {
        let uris = TEXTS.map(|text| HashedUri::parse(text).unwrap());
        assert_eq!(uris.each_ref().map(HashedUri::to_string), TEXTS.map(str::to_owned));
        for (i, a) in uris.iter().enumerate() {
            for (j, b) in uris.iter().enumerate() {
                assert_eq!(a.cmp(b), i.cmp(&j), "{a} {b}");
                assert_eq!(a.cmp(b), a.to_string().cmp(&b.to_string()), "{a} {b}");
            }
        }
    }

    #[test]
    fn every_known_algorithm_makes_digests_of_its_length_that_match() {
        let key = Key::new(&[7; 32]).unwrap();
        let options = Options { key: Some(&key), ..Options::default() };
        for algorithm in Algorithm::KNOWN {
            let hasher = Hasher::new(&algorithm, Some(&key)).unwrap();
            let canonical = canonicalize("http://h/a?b#c", None, Keep::QUERY, Variant::N).unwrap();
            let hashed = HashedUri::from_canonical(&canonical, &hasher);
            assert_eq!(Some(hashed.digest().len()), algorithm.digest_length());
            assert_eq!(HashedUri::parse(&hashed.to_string()), Ok(hashed.clone()));
            assert_eq!(hashed.matches_with("HTTP://H:80/a?b#other", &options), Ok(true));
            assert_eq!(hashed.matches_with("http://h/a?c", &options), Ok(false));
            let again = HashedUri::from_parts(algorithm, hashed.digest(), hashed.keep());
            assert_eq!(again, Ok(hashed));
        }
    }

    #[test]
    fn keyed_digests_differ_by_key_and_need_one() {
        let canonical = canonicalize("http://h/", None, Keep::NONE, Variant::N).unwrap();
        let of = |key: &[u8]| {
            let key = Key::new(key).unwrap();
            HashedUri::from_canonical(&canonical, &Hasher::new(&Algorithm::XHmacSha256, Some(&key)).unwrap())
        };
        assert_ne!(of(&[1; 32]), of(&[2; 32]));
        let error = of(&[1; 32]).matches("http://h/", Variant::N).unwrap_err();
        assert_eq!(error.code(), ErrorCode::Key);
        assert_eq!(
            error.to_string(),
            "hash algorithm needs a key: found x-hmac-sha256, expected a key of 32 bytes or more"
        );
        let error = Key::new(&[0; 31]).unwrap_err();
        assert_eq!(error.to_string(), "key is too short: found 31 bytes, expected 32 or more");
    }

    #[test]
    fn an_unknown_algorithm_is_read_and_not_computed() {
        let hashed = HashedUri::parse("hashed:X-Other=00FF+QUERY").unwrap();
        assert_eq!((hashed.to_string().as_str(), hashed.is_known()), ("hashed:x-other=00ff+query", false));
        let error = hashed.matches("http://h/", Variant::N).unwrap_err();
        assert_eq!(error.code(), ErrorCode::Algorithm);
        assert_eq!(
            error.to_string(),
            "hash algorithm cannot be computed: found `x-other`, which is for private use"
        );
    }

    #[test]
    fn errors_come_in_their_order_and_say_where() {
        let cases = [
            (
                "http://h",
                ErrorCode::HashedScheme,
                "hashed URI has the wrong scheme: found `http://h`, expected `hashed:`",
            ),
            (
                "hashed",
                ErrorCode::HashedScheme,
                "hashed URI has the wrong scheme: found `hashed`, expected `hashed:`",
            ),
            (
                "hashed:",
                ErrorCode::HashedSyntax,
                "hashed URI breaks its grammar at byte 7: expected the name of a hash algorithm",
            ),
            (
                "hashed:é=",
                ErrorCode::HashedSyntax,
                "hashed URI breaks its grammar at byte 7: expected the name of a hash algorithm",
            ),
            (
                "hashed:sha256",
                ErrorCode::HashedSyntax,
                "hashed URI breaks its grammar at byte 13: expected `=`",
            ),
            (
                "hashed:sha256=",
                ErrorCode::HashedSyntax,
                "hashed URI breaks its grammar at byte 14: expected a hexadecimal digit",
            ),
            (
                "hashed:sha256=0+x",
                ErrorCode::HashedSyntax,
                "hashed URI breaks its grammar at byte 15: expected `+frag`, `+query` or the end",
            ),
            (
                "hashed:sha256=0",
                ErrorCode::Algorithm,
                "hash algorithm is not registered: found `sha256`, expected md5, sha1 or a name that starts with x-",
            ),
            (
                "hashed:md5=0",
                ErrorCode::DigestLength,
                "digest has the wrong length: found 1 digits, expected 32 for md5",
            ),
            (
                "hashed:x-y=0",
                ErrorCode::DigestLength,
                "digest has the wrong length: found 1 digits, expected an even number",
            ),
        ];
        for (text, code, message) in cases {
            let error = HashedUri::parse(text).unwrap_err();
            assert_eq!((error.code(), error.to_string().as_str()), (code, message), "{text}");
        }
    }
}
