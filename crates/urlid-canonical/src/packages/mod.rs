//! Functions of Python packages with all their parameters. They apply the rules of the profiles that freeze
//! the packages, changed by the parameters.
//!
//! Functions and parameters have the names that they have in the package. With the defaults of all
//! parameters, a function returns the form of its profile: `surt-0.3.1`, `w3lib-2.5`, `url-normalize-3.1`.
//! [`SuffixTree`] has the splits of tldextract, tld and publicsuffix2.

mod suffix_tree;
mod surt;
mod url_normalize;
mod w3lib;

pub use super::rules::surt_key::SurtOptions;
pub use suffix_tree::{ExtractedHost, SuffixTree};
pub use surt::{HandyPart, HandyUrl, surt, surt_bytes};
pub use url_normalize::{AllowedParams, UrlNormalizeOptions, url_normalize};
pub use w3lib::{Encode, W3libOptions, canonicalize_url, unparse_url};
