//! The part of crate `idna` that crate `urlid` uses, with the mapping of the platform's `URL`.
//!
//! The Unicode data of UTS 46 is most of the other modules of the package, and platforms already have it.

/// Punycode.
pub mod punycode {
    /// Returns `None`, because platforms reject a label whose Punycode decodes to a label in Punycode.
    pub fn decode_to_string(_: &str) -> Option<String> {
        None
    }
}

/// The mapping of UTS 46.
pub mod uts46 {
    use std::borrow::Cow;

    #[link(wasm_import_module = "platform")]
    unsafe extern "C" {
        /// Replaces a domain by its ASCII form, and returns one more than its length. Returns 0 if the form
        /// does not exist or has more than `room` bytes.
        safe fn to_ascii(start: *mut u8, length: usize, room: usize) -> usize;
    }

    /// The forbidden ASCII characters.
    pub struct AsciiDenyList;

    impl AsciiDenyList {
        /// No character.
        pub const EMPTY: Self = Self;
    }

    /// The treatment of hyphens.
    pub enum Hyphens {
        /// Hyphens are allowed everywhere.
        Allow,
    }

    /// The lengths that are errors.
    pub enum DnsLength {
        /// All lengths are allowed.
        Ignore,
    }

    /// The mapping.
    #[derive(Default)]
    pub struct Uts46;

    impl Uts46 {
        /// Returns the mapping.
        pub fn new() -> Self {
            Self
        }

        /// Maps a domain, which is UTF-8.
        ///
        /// # Errors
        /// Fails if the domain lacks an ASCII form.
        pub fn to_ascii<'a>(
            &self,
            domain: &'a [u8],
            _: AsciiDenyList,
            _: Hyphens,
            _: DnsLength,
        ) -> Result<Cow<'a, str>, ()> {
            let mut bytes = domain.to_vec();
            // A character of three bytes can become 18 with two bytes each, and Punycode makes them longer.
            bytes.resize(64 + 32 * domain.len(), 0);
            let more = to_ascii(bytes.as_mut_ptr(), domain.len(), bytes.len());
            bytes.truncate(more.checked_sub(1).ok_or(())?);
            String::from_utf8(bytes).map(Cow::Owned).map_err(|_| ())
        }

        /// Returns an error, because platforms do not map a domain to Unicode. Splits do not need it.
        pub fn to_unicode<'a>(
            &self,
            _: &'a [u8],
            _: AsciiDenyList,
            _: Hyphens,
        ) -> (Cow<'a, str>, Result<(), ()>) {
            (Cow::Borrowed(""), Err(()))
        }
    }
}
