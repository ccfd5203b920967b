//! Arguments that are what the row has: texts as they are, and SXURLs.
//!
//! Arguments that are names stand beside their functions.

use urlid::sxurl::Sxurl;

use crate::functions::error::ArgumentError;
use crate::functions::evaluator::Kind;

/// Any text: a URL need not be one.
macro_rules! text {
    ($kind:ident, $name:literal, is constant: $is_constant:literal) => {
        pub(crate) struct $kind;

        impl Kind for $kind {
            const NAME: &'static str = $name;
            const IS_CONSTANT: bool = $is_constant;

            type Passed = str;
            type Kept = ();
            type Taken<'v, 'k> = &'v str;

            fn take<'v>(text: &'v str, (): &mut ()) -> Result<Option<&'v str>, ArgumentError> {
                Ok(Some(text))
            }
        }
    };
}

text!(UrlText, "url", is constant: false);
text!(PartValue, "value", is constant: false);
text!(ParameterName, "name", is constant: true);

/// An SXURL that passes the checks of the specification.
impl Kind for Sxurl {
    const NAME: &'static str = "id";
    const IS_CONSTANT: bool = false;

    type Passed = [u8];
    type Kept = ();
    type Taken<'v, 'k> = Self;

    #[inline(always)]
    fn take(id: &[u8], (): &mut ()) -> Result<Option<Self>, ArgumentError> {
        Ok(Self::try_from(id).ok())
    }
}
