//! The table of functions. A row has the texts of a function, and its evaluator with the types of its arguments and its result.

use urlid::hashed_uri::{Hasher, Variant};
use urlid::sxurl::{Field, Slice, Sxurl};
use urlid_canonical::Form;

use crate::functions::arguments::{ParameterName, PartValue, UrlText};
use crate::functions::evaluator::typed;
use crate::functions::function::{Example, Function, Identifier, row};
use crate::functions::ids::Decoded;
use crate::functions::texts::Recognized;
use crate::functions::urls::{AssumedScheme, PartName};
use crate::functions::{ids, texts, urls};

/// Returns the function with a name.
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// The rows, in the order of the documentation.
pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "urlid_sxurl",
        about: "The SXURL of a URL, 32 bytes.",
        example: Example {
            call: "urlid_sxurl('https://docs.rs/')",
            result: "x'1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356'",
        },
        identifier: Some(Identifier::Sxurl),
        ..row(&typed::<(UrlText,), [u8; 32], _>(ids::sxurl))
    },
    Function {
        name: "urlid_url_hash",
        about: "The url-hash of a URL, 32 bytes.",
        example: Example {
            call: "urlid_url_hash('https://docs.rs/')",
            result: "x'09377b16098eb1e1bcd105e71c3bb8aed15931db7e3d4f33ff4c6be3a7b3c6b1'",
        },
        identifier: Some(Identifier::UrlHash),
        ..row(&typed::<(UrlText,), [u8; 32], _>(ids::url_hash))
    },
    Function {
        name: "urlid_hashed",
        about: "The hashed URI of a URL, which keeps neither query nor fragment: `urlid_hashed(url, 'sha1', 'n')`.",
        example: Example {
            call: "urlid_hashed('https://docs.rs/', 'sha1', 'n')",
            result: "'hashed:sha1=f42343f67b1bf738dd2fb3ce533fca71724d913a'",
        },
        ..row(&typed::<(UrlText, Hasher, Variant), String, _>(texts::hashed))
    },
    Function {
        name: "urlid_match",
        about: "Whether a hashed URI of variant N is that of a URL.",
        example: Example {
            call: "urlid_match(urlid_hashed('https://docs.rs/', 'sha1', 'n'), 'HTTPS://DOCS.rs/')",
            result: "true",
        },
        ..row(&typed::<(Recognized, UrlText), bool, _>(texts::matches))
    },
    Function {
        name: "urlid_slice",
        about: "A field of an SXURL as a number: `tld`, `domain`, `sub`, `path`, `params`, `frag`, `header` or `port`.",
        example: Example {
            call: "urlid_slice(urlid_sxurl('https://docs.rs/'), 'domain')",
            result: "1098905491652242481",
        },
        ..row(&typed::<(Sxurl, Field), i64, _>(ids::slice))
    },
    Function {
        name: "urlid_probe",
        about: "The number that a value has in a slice, to compare `urlid_slice` with. Values of `tld`, `domain` and `sub` are \
                mapped as hosts are, and are NULL if that fails; a domain is one label, `google` of `google.com`.",
        example: Example { call: "urlid_probe('domain', 'docs')", result: "1098905491652242481" },
        ..row(&typed::<(Slice, PartValue), i64, _>(ids::probe))
    },
    Function {
        name: "urlid_decode",
        about: "A property of the URL of an SXURL, as a text: `version`, `scheme`, `has_sub`, `has_params`, `has_frag`, \
                `has_port`, `port`, or the hexadecimal digits of a slice.",
        example: Example {
            call: "urlid_decode(urlid_sxurl('https://docs.rs/'), 'scheme')",
            result: "'https'",
        },
        ..row(&typed::<(Sxurl, Decoded), String, _>(ids::decode))
    },
    Function {
        name: "urlid_canon",
        about: "A canonical form of a URL, such as `web`, `surt-0.3.1`, `web+drop-fragment` or `sxurl`.",
        example: Example {
            call: "urlid_canon('http://www.Example.com:80/a/../b?d&c', 'surt-0.3.1')",
            result: "'com,example)/b?c&d'",
        },
        ..row(&typed::<(UrlText, Form), String, _>(texts::canon))
    },
    Function {
        name: "urlid_assume",
        about: "A URL with its own scheme, or with one that is assumed: `urlid_host(urlid_assume(url, 'https'))`.",
        example: Example {
            call: "urlid_assume('docs.rs/serde', 'https')",
            result: "'https://docs.rs/serde'",
        },
        ..row(&typed::<(UrlText, AssumedScheme), str, _>(urls::assume))
    },
    Function {
        name: "urlid_host",
        about: "The host of a URL, as browsers write it.",
        example: Example { call: "urlid_host('https://WWW.Example.co.uk/')", result: "'www.example.co.uk'" },
        ..row(&typed::<(UrlText,), str, _>(urls::host))
    },
    Function {
        name: "urlid_tld",
        about: "The public suffix of the host of a URL, by all sections of the list: `github.io` of `a.github.io`; NULL if the host \
                is an IP address.",
        example: Example { call: "urlid_tld('https://www.example.co.uk/')", result: "'co.uk'" },
        ..row(&typed::<(UrlText,), str, _>(urls::tld))
    },
    Function {
        name: "urlid_registered_domain",
        about: "The public suffix of the host of a URL with the label before it, by all sections of the list: `a.github.io` of \
                `www.a.github.io`. By the ICANN section alone: `urlid_part(url, 'host_registered_domain')`.",
        example: Example {
            call: "urlid_registered_domain('https://www.example.co.uk/')",
            result: "'example.co.uk'",
        },
        ..row(&typed::<(UrlText,), str, _>(urls::registered_domain))
    },
    Function {
        name: "urlid_sub",
        about: "The labels before the registered domain of the host of a URL, by all sections of the list; empty if there are none.",
        example: Example { call: "urlid_sub('https://www.example.co.uk/')", result: "'www'" },
        ..row(&typed::<(UrlText,), str, _>(urls::sub))
    },
    Function {
        name: "urlid_part",
        about: "A part of a URL, as browsers write it.",
        example: Example { call: "urlid_part('https://docs.rs/serde?all', 'query')", result: "'all'" },
        ..row(&typed::<(UrlText, PartName), str, _>(urls::part))
    },
    Function {
        name: "urlid_query_param",
        about: "The first value of a parameter in the query of a URL, percent-decoded.",
        example: Example { call: "urlid_query_param('https://h.example/?q=a+b%21', 'q')", result: "'a b!'" },
        ..row(&typed::<(UrlText, ParameterName), String, _>(urls::query_param))
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_rows_are_complete() {
        for (index, one) in FUNCTIONS.iter().enumerate() {
            assert!(FUNCTIONS[..index].iter().all(|other| other.name != one.name), "{one}");
            assert!(one.about.ends_with('.'), "{one}");
            assert!(one.example.call.starts_with(&format!("{}(", one.name)), "{one}");
        }
    }
}
