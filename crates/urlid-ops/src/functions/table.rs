//! The table of functions. A function of one expression is in its row, and the others are in `evaluators`.

use urlid::redact::Redactor;
use urlid::sxurl::Sxurl;
use urlid::url_hash::{UrlHash, UrlVeryShortHash};
use urlid::web::Part;
use urlid_canonical::hosts_agree;

use super::evaluators::{self, owned_or_null, part_of};
use super::function::{Argument, Example, Function};
use super::{Output, Type};
use crate::host_text::{host_scripts, host_unicode};
use crate::kinds::IdKind;

const URL: Argument = column("url", Type::Text);
const TEXT: Argument = column("text", Type::Text);
const ID: Argument = column("id", Type::Bytes);

const fn column(name: &'static str, of: Type) -> Argument {
    Argument { name, of, is_constant: false }
}

/// Returns an argument that queries write, and that is the same in most rows.
const fn name(name: &'static str) -> Argument {
    Argument { name, of: Type::Text, is_constant: true }
}

/// Returns the function with a name.
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// The rows, in the order of the documentation.
pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "urlid_sxurl",
        arguments: &[URL],
        result: Type::Bytes,
        about: "The SXURL of a URL, 32 bytes.",
        example: Example {
            call: "urlid_sxurl('https://docs.rs/')",
            result: "x'1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356'",
        },
        identifier: Some(IdKind::Sxurl),
        evaluate: |row, _| {
            Ok(Sxurl::encode(row[0].text()).map_or(Output::Null, |id| Output::Id(id.to_bytes())))
        },
    },
    Function {
        name: "urlid_url_hash",
        arguments: &[URL],
        result: Type::Bytes,
        about: "The url-hash of a URL, 32 bytes.",
        example: Example {
            call: "urlid_url_hash('https://docs.rs/')",
            result: "x'09377b16098eb1e1bcd105e71c3bb8aed15931db7e3d4f33ff4c6be3a7b3c6b1'",
        },
        identifier: Some(IdKind::UrlHash),
        evaluate: |row, _| {
            Ok(UrlHash::encode(row[0].text()).map_or(Output::Null, |hash| Output::Id(*hash.as_bytes())))
        },
    },
    Function {
        name: "urlid_url_very_short_hash_int64",
        arguments: &[URL],
        result: Type::Integer,
        about: "The first 8 bytes of the url-hash of a URL, little-endian, as a signed number for joins.",
        example: Example {
            call: "urlid_url_very_short_hash_int64('https://docs.rs/')",
            result: "-2183808174614956279",
        },
        identifier: None,
        evaluate: |row, _| {
            let hash = UrlVeryShortHash::encode(row[0].text());
            Ok(hash.map_or(Output::Null, |hash| Output::Integer(hash.to_i64())))
        },
    },
    Function {
        name: "urlid_hashed",
        arguments: &[URL, name("algorithm"), name("variant")],
        result: Type::Text,
        about: "The hashed URI of a URL, which keeps neither query nor fragment: `urlid_hashed(url, 'sha1', 'n')`.",
        example: Example {
            call: "urlid_hashed('https://docs.rs/', 'sha1', 'n')",
            result: "'hashed:sha1=f42343f67b1bf738dd2fb3ce533fca71724d913a'",
        },
        identifier: None,
        evaluate: evaluators::hashed,
    },
    Function {
        name: "urlid_match",
        arguments: &[column("hashed", Type::Text), URL],
        result: Type::Boolean,
        about: "Whether a hashed URI of variant N matches a URL.",
        example: Example {
            call: "urlid_match(urlid_hashed('https://docs.rs/', 'sha1', 'n'), 'HTTPS://DOCS.rs/')",
            result: "true",
        },
        identifier: None,
        evaluate: evaluators::matches,
    },
    Function {
        name: "urlid_slice",
        arguments: &[ID, name("name")],
        result: Type::Integer,
        about: "A field of an SXURL as a number: `tld`, `domain`, `sub`, `path`, `params`, `frag`, `header` or `port`.",
        example: Example {
            call: "urlid_slice(urlid_sxurl('https://docs.rs/'), 'domain')",
            result: "1098905491652242481",
        },
        identifier: None,
        evaluate: evaluators::slice,
    },
    Function {
        name: "urlid_probe",
        arguments: &[name("name"), column("value", Type::Text)],
        result: Type::Integer,
        about: "The number of a value in a slice, for comparison with `urlid_slice`. Values of `tld`, `domain` and `sub` are mapped \
                like hosts, and give NULL if that fails. A domain is one label, such as `google` in `google.com`.",
        example: Example { call: "urlid_probe('domain', 'docs')", result: "1098905491652242481" },
        identifier: None,
        evaluate: evaluators::probe,
    },
    Function {
        name: "urlid_decode",
        arguments: &[ID, name("field")],
        result: Type::Text,
        about: "A property of an SXURL as text: `version`, `scheme`, `has_sub`, `has_params`, `has_frag`, \
                `has_port`, `port`, or the hexadecimal digits of a slice.",
        example: Example {
            call: "urlid_decode(urlid_sxurl('https://docs.rs/'), 'scheme')",
            result: "'https'",
        },
        identifier: None,
        evaluate: evaluators::decode,
    },
    Function {
        name: "urlid_canon",
        arguments: &[URL, name("form")],
        result: Type::Text,
        about: "A canonical form of a URL, such as `web`, `surt-0.3.1`, `web+drop-fragment` or `sxurl`.",
        example: Example {
            call: "urlid_canon('http://www.Example.com:80/a/../b?d&c', 'surt-0.3.1')",
            result: "'com,example)/b?c&d'",
        },
        identifier: None,
        evaluate: evaluators::canon,
    },
    Function {
        name: "urlid_template",
        arguments: &[URL, name("templates")],
        result: Type::Text,
        about: "The template of a URL, such as `h.example/users/{int}`, by the text of a file of templates. It names \
                a class of pages and is not an identity.",
        example: Example {
            call: "urlid_template('https://h.example/users/7', 'urlid-templates 1\n[h.example]\n/users/{int}')",
            result: "'h.example/users/{int}'",
        },
        identifier: None,
        evaluate: evaluators::template,
    },
    Function {
        name: "urlid_assume",
        arguments: &[URL, name("scheme")],
        result: Type::Text,
        about: "A URL with its own scheme, or else with this scheme: `urlid_host(urlid_assume(url, 'https'))`.",
        example: Example {
            call: "urlid_assume('docs.rs/serde', 'https')",
            result: "'https://docs.rs/serde'",
        },
        identifier: None,
        evaluate: evaluators::assume,
    },
    Function {
        name: "urlid_redact",
        arguments: &[URL],
        result: Type::Text,
        about: "A URL with its secrets replaced, which are user information and the values of the parameters that `urlid redact \
                --list` prints. Other bytes do not change.",
        example: Example {
            call: "urlid_redact('https://me:pass@h.example/a?sig=0f&b=1')",
            result: "'https://REDACTED:REDACTED@h.example/a?sig=REDACTED&b=1'",
        },
        identifier: None,
        evaluate: |row, _| Ok(Redactor::default().redact(row[0].text()).map_or(Output::Null, Output::Text)),
    },
    Function {
        name: "urlid_host",
        arguments: &[URL],
        result: Type::Text,
        about: "The host of a URL, as browsers write it.",
        example: Example { call: "urlid_host('https://WWW.Example.co.uk/')", result: "'www.example.co.uk'" },
        identifier: None,
        evaluate: |row, _| Ok(part_of(Part::Host, row[0].text())),
    },
    Function {
        name: "urlid_host_unicode",
        arguments: &[URL],
        result: Type::Text,
        about: "The host of a URL with its Punycode labels decoded, as people read it. NULL if one of them is invalid.",
        example: Example {
            call: "urlid_host_unicode('https://xn--bcher-kva.example/')",
            result: "'bücher.example'",
        },
        identifier: None,
        evaluate: |row, _| Ok(owned_or_null(host_unicode(row[0].text()))),
    },
    Function {
        name: "urlid_host_scripts",
        arguments: &[URL],
        result: Type::Text,
        about: "The scripts of the labels of a host, by their names in Unicode 18.0, each set once and in order: `Latin`, or \
                `Cyrillic+Latin Latin` if one label mixes two. NULL if the labels have no script, as in an IP address.",
        example: Example {
            call: "urlid_host_scripts('https://xn--pypal-4ve.com/')",
            result: "'Cyrillic+Latin Latin'",
        },
        identifier: None,
        evaluate: |row, _| Ok(owned_or_null(host_scripts(row[0].text()))),
    },
    Function {
        name: "urlid_hosts_agree",
        arguments: &[URL],
        result: Type::Boolean,
        about: "Whether the readers of `urlid diff --hosts` all see the same host in a URL, or all see none. False if a reader \
                rejects the URL.",
        example: Example { call: "urlid_hosts_agree('http:///example.com/')", result: "false" },
        identifier: None,
        evaluate: |row, _| Ok(Output::Boolean(hosts_agree(row[0].text()))),
    },
    Function {
        name: "urlid_tld",
        arguments: &[URL],
        result: Type::Text,
        about: "The public suffix of the host of a URL, by all sections of the list: `github.io` of `a.github.io`. NULL if the host \
                is an IP address.",
        example: Example { call: "urlid_tld('https://www.example.co.uk/')", result: "'co.uk'" },
        identifier: None,
        evaluate: |row, _| Ok(part_of(Part::Tld, row[0].text())),
    },
    Function {
        name: "urlid_registered_domain",
        arguments: &[TEXT],
        result: Type::Text,
        about: "The public suffix of a host with the label before it, by all sections of the list: `a.github.io` of \
                `www.a.github.io`. The text is a URL, a host with or without a port or a path, or an e-mail address. A text \
                that could be read as different hosts gives NULL.",
        example: Example {
            call: "urlid_registered_domain('https://www.example.co.uk/')",
            result: "'example.co.uk'",
        },
        identifier: None,
        evaluate: evaluators::registered_domain,
    },
    Function {
        name: "urlid_split",
        arguments: &[TEXT, name("part"), name("sections")],
        result: Type::Text,
        about: "A part of a host: `sub`, `domain`, `tld`, `registered_domain`, `host` or `host_kind`, by `all` sections of the list \
                or only by the `icann` section of registries. The text is read as by `urlid_registered_domain`. NULL if the \
                host lacks the part.",
        example: Example {
            call: "urlid_split('me@www.a.github.io', 'registered_domain', 'icann')",
            result: "'github.io'",
        },
        identifier: None,
        evaluate: evaluators::split,
    },
    Function {
        name: "urlid_sub",
        arguments: &[URL],
        result: Type::Text,
        about: "The labels before the registered domain of the host of a URL, by all sections of the list. Empty if there are none.",
        example: Example { call: "urlid_sub('https://www.example.co.uk/')", result: "'www'" },
        identifier: None,
        evaluate: |row, _| Ok(part_of(Part::Sub, row[0].text())),
    },
    Function {
        name: "urlid_part",
        arguments: &[URL, name("part")],
        result: Type::Text,
        about: "A part of a URL, as browsers write it.",
        example: Example { call: "urlid_part('https://docs.rs/serde?all', 'query')", result: "'all'" },
        identifier: None,
        evaluate: evaluators::part,
    },
    Function {
        name: "urlid_query_param",
        arguments: &[URL, name("name")],
        result: Type::Text,
        about: "The first value of a parameter in the query of a URL, percent-decoded.",
        example: Example { call: "urlid_query_param('https://h.example/?q=a+b%21', 'q')", result: "'a b!'" },
        identifier: None,
        evaluate: evaluators::query_param,
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
