//! The table of functions.

use crate::function::{Argument, Function, Identifier};
use crate::value::Type;
use crate::{ids, texts, urls};

/// Returns the function with a name.
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

const URL: Argument = Argument { name: "url", of: Type::Text };
const ID: Argument = Argument { name: "id", of: Type::Bytes };
const NAME: Argument = Argument { name: "name", of: Type::Text };
const VALUE: Argument = Argument { name: "value", of: Type::Text };
const FORM: Argument = Argument { name: "form", of: Type::Text };
const PART: Argument = Argument { name: "part", of: Type::Text };
const FIELD: Argument = Argument { name: "field", of: Type::Text };
const HASHED: Argument = Argument { name: "hashed", of: Type::Text };
const ALGORITHM: Argument = Argument { name: "algorithm", of: Type::Text };
const VARIANT: Argument = Argument { name: "variant", of: Type::Text };

/// The most arguments that a function has.
pub const MOST_ARGUMENTS: usize = 3;

/// All functions.
pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "urlid_sxurl",
        arguments: &[URL],
        result: Type::Bytes,
        about: "The SXURL of a URL, 32 bytes.",
        identifier: Some(Identifier::Sxurl),
        evaluate: ids::sxurl,
    },
    Function {
        name: "urlid_url_hash",
        arguments: &[URL],
        result: Type::Bytes,
        about: "The url-hash of a URL, 32 bytes.",
        identifier: Some(Identifier::UrlHash),
        evaluate: ids::url_hash,
    },
    Function {
        name: "urlid_hashed",
        arguments: &[URL, ALGORITHM, VARIANT],
        result: Type::Text,
        about: "The hashed URI of a URL, which keeps neither query nor fragment: `urlid_hashed(url, 'sha1', 'n')`.",
        identifier: None,
        evaluate: texts::hashed,
    },
    Function {
        name: "urlid_match",
        arguments: &[HASHED, URL],
        result: Type::Boolean,
        about: "Whether a hashed URI of variant N is that of a URL.",
        identifier: None,
        evaluate: texts::matches,
    },
    Function {
        name: "urlid_slice",
        arguments: &[ID, NAME],
        result: Type::Integer,
        about: "A field of an SXURL as a number: `tld`, `domain`, `sub`, `path`, `params`, `frag`, `header` or `port`.",
        identifier: None,
        evaluate: ids::slice,
    },
    Function {
        name: "urlid_probe",
        arguments: &[NAME, VALUE],
        result: Type::Integer,
        about: "The number that a value has in a slice, to compare `urlid_slice` with. Values of `tld`, `domain` and `sub` are \
                mapped as hosts are, and are NULL if that fails; a domain is one label, `google` of `google.com`.",
        identifier: None,
        evaluate: ids::probe,
    },
    Function {
        name: "urlid_decode",
        arguments: &[ID, FIELD],
        result: Type::Text,
        about: "What an SXURL says of its URL, as a text: `version`, `scheme`, `has_sub`, `has_params`, `has_frag`, \
                `has_port`, `port`, or the hexadecimal digits of a slice.",
        identifier: None,
        evaluate: ids::decode,
    },
    Function {
        name: "urlid_canon",
        arguments: &[URL, FORM],
        result: Type::Text,
        about: "A canonical form of a URL, such as `web`, `surt-0.3.1`, `web+drop-fragment` or `sxurl`.",
        identifier: None,
        evaluate: texts::canon,
    },
    Function {
        name: "urlid_host",
        arguments: &[URL],
        result: Type::Text,
        about: "The host of a URL, as browsers write it.",
        identifier: None,
        evaluate: urls::host,
    },
    Function {
        name: "urlid_tld",
        arguments: &[URL],
        result: Type::Text,
        about: "The public suffix of the host of a URL, by all sections of the list: `github.io` of `a.github.io`; NULL if the host \
                is an IP address.",
        identifier: None,
        evaluate: urls::tld,
    },
    Function {
        name: "urlid_registered_domain",
        arguments: &[URL],
        result: Type::Text,
        about: "The public suffix of the host of a URL with the label before it, by all sections of the list: `a.github.io` of \
                `www.a.github.io`. By the ICANN section alone: `urlid_part(url, 'host_registered_domain')`.",
        identifier: None,
        evaluate: urls::registered_domain,
    },
    Function {
        name: "urlid_sub",
        arguments: &[URL],
        result: Type::Text,
        about: "What is before the registered domain, by all sections of the list, in the host of a URL; empty if nothing is.",
        identifier: None,
        evaluate: urls::sub,
    },
    Function {
        name: "urlid_part",
        arguments: &[URL, PART],
        result: Type::Text,
        about: "A part of a URL, as browsers write it.",
        identifier: None,
        evaluate: urls::part,
    },
    Function {
        name: "urlid_query_param",
        arguments: &[URL, NAME],
        result: Type::Text,
        about: "The first value of a parameter in the query of a URL, percent-decoded.",
        identifier: None,
        evaluate: urls::query_param,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_no_function_has_more_arguments_than_the_most() {
        for (index, one) in FUNCTIONS.iter().enumerate() {
            assert!(one.arguments.len() <= MOST_ARGUMENTS, "{one}");
            assert!(FUNCTIONS[..index].iter().all(|other| other.name != one.name), "{one}");
            assert!(one.about.ends_with('.'), "{one}");
        }
        assert!(FUNCTIONS.iter().any(|function| function.arguments.len() == MOST_ARGUMENTS));
    }
}
