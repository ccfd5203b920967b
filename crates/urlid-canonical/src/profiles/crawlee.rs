//! `crawlee-1.11` and `crawlee-1.11-keep-case`: the unique key of a GET request in crawlee for Python.
//!
//! The package splits and joins URLs with yarl, and the rules follow yarl. A text that yarl rejects is its
//! own key.

use crate::draft::Draft;
use crate::profile::{Idna, Kind, Profile, Rule};
use crate::rules::python::{self, EmptyAuthority};
use crate::rules::yarl::{self, FIELD, PATH, PATH_QUOTER, QUERY_QUOTER};
use crate::rules::{escapes, query, split, trim};
use urlid::internal::escape::escaped;

pub(super) static CRAWLEE: Profile =
    Profile { groups: &[WHOLE_TEXT, PARTS, PRINT, LOWER_CASE], ..KEEPING_CASE };

pub(super) static KEEP_CASE: Profile = Profile {
    name: "crawlee-1.11-keep-case",
    about: "The same with the case of path and query, as the fix of apify/crawlee-python#2008 has it.",
    quirks: &[
        "The fix is in no release: 1.11.0 still lower-cases the whole key, and the fix is planned for crawlee 2.",
        "A URL that yarl rejects is its own key.",
    ],
    proof: "Compared with crawlee 1.11.0 without its last `lower()`, yarl 1.25.1 and idna 3.20 on CPython 3.11: one code point in 64 at 44 \
        places of a URL and 100,000 generated URLs, 0 differences.",
    ..KEEPING_CASE
};

const KEEPING_CASE: Profile = Profile {
    name: "crawlee-1.11",
    about: "`compute_unique_key` of crawlee 1.4 to 1.11 for Python, with its defaults: method GET, no payload.",
    kind: Kind::Key,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::Idna2008,
    runtime: Some(
        "CPython 3.11, Unicode 14.0; yarl 1.25.1; IDNA 2008 and UTS 46 by the tables of the package idna 3.20",
    ),
    frozen_since: "2026-11-25",
    quirks: &[
        "The whole key is in lower case, including path and query.",
        "A URL that yarl rejects is its own key.",
        "Fields with a name that starts with `utm_` are dropped. `a` becomes `a=`.",
        "One `/` at the end of the path goes, and an escaped `/` in a path becomes a `/`.",
        "Escapes in the path that are not UTF-8 get `%25` for their `%`.",
        "An `IPvFuture` loses its brackets.",
    ],
    proof: "Compared with crawlee 1.11.0, yarl 1.25.1 and idna 3.20 on CPython 3.11: one code point in 64 at 44 places of a URL and 300,000 \
        generated URLs, 0 differences.",
    plain: None,
    groups: &[WHOLE_TEXT, PARTS, PRINT],
};

const WHOLE_TEXT: &[Rule] = &[
    Rule::new(
        "trim",
        "Cut white space of Unicode at both ends, then 00 to 20 at the start; delete tabs and line ends everywhere.",
        |d| {
            python::strip(&mut d.text);
            trim::trim_start(&mut d.text, trim::is_control_or_space);
            trim::delete(&mut d.text, trim::is_tab_or_newline);
        },
    ),
    Rule::new(
        "split",
        "Split as RFC 3986 does, but a scheme may start with any of its characters; lower-case it.",
        |d| {
            split::split_at(d, split::scheme_length_from_any);
            d.scheme.bytes_mut().make_ascii_lowercase();
        },
    ),
];

const PARTS: &[Rule] = &[
    Rule::or_text("brackets", "Brackets hold the whole host, with a colon in it or an `IPvFuture`.", |d| {
        yarl::check_brackets(d.host.bytes())
    }),
    Rule::or_text("nfkc", "NFKC of the authority must not add a delimiter.", |d| {
        python::check_nfkc(d.host.bytes(), &['/', '?', '#', '@', ':', '%'])
    }),
    Rule::or_text(
        "authority",
        "Encode user and password, map the host by UTS 46 and IDNA 2008 or by IDNA 2003, write the port as a number.",
        |d| match d.host.is_empty() {
            true => Ok(()),
            false => yarl::encode_authority(d),
        },
    ),
    Rule::new("fragment", "Drop the fragment.", |d| d.fragment.remove()),
    Rule::new(
        "query",
        "Encode the query, decode its fields, drop `utm_` fields, sort the others by name and value, and \
         write `name=value`.",
        |d| {
            // yarl encodes a query when it reads the URL, before crawlee reads its fields.
            QUERY_QUOTER.apply(d.query.bytes_mut());
            write_query(d);
        },
    ),
    Rule::new("path", "Encode the path, and remove dot segments if there is a host.", |d| {
        PATH_QUOTER.apply(&mut d.path);
        if !d.host.is_empty() {
            yarl::remove_dots(&mut d.path, &mut d.spare);
        }
    }),
    Rule::new(
        "trailing-slash",
        "Decode the path, cut one `/` at its end, encode it, and remove dot segments again; a path has a root.",
        cut_slash,
    ),
    Rule::or_text("port", "The default port of http, https, ws, wss and ftp goes.", yarl::drop_default_port),
];

const PRINT: &[Rule] =
    &[Rule::new("print", "Put the parts together; an empty path before a query is `/`.", |d| {
        if d.path.is_empty() && !d.host.is_empty() && !d.query.is_empty() {
            d.path.push(b'/');
        }
        python::unparse(d, EmptyAuthority::ByPath);
    })];

const LOWER_CASE: &[Rule] =
    &[Rule::new("lower-case", "Lower-case the key.", |d| python::lower_case(&mut d.text))];

fn write_query(draft: &mut Draft) {
    let Draft { query, spare, .. } = draft;
    let fields = query::fields(query.bytes()).filter(|field| !field.is_empty()).map(|field| {
        let (name, value) = query::name_and_value(field);
        (query::decoded_text(name), query::decoded_text(value.unwrap_or_default()))
    });
    let mut fields: Vec<(String, String)> = fields.filter(|(name, _)| !name.starts_with("utm_")).collect();
    // Sorted by code point as in Python, which is the order of the bytes of UTF-8.
    fields.sort();
    spare.clear();
    for (index, (name, value)) in fields.iter().enumerate() {
        if index > 0 {
            spare.push(b'&');
        }
        push_field(name, spare);
        spare.push(b'=');
        push_field(value, spare);
    }
    core::mem::swap(query.bytes_mut(), spare);
}

fn push_field(text: &str, out: &mut Vec<u8>) {
    // `FIELD` has the space too, and would write `%20`.
    for (index, piece) in text.split(' ').enumerate() {
        if index > 0 {
            out.push(b'+');
        }
        FIELD.encode_bytes(piece.as_bytes(), out);
    }
}

/// Cuts one slash at the end of the decoded path, and encodes the path again.
fn cut_slash(draft: &mut Draft) {
    // yarl's `path` is decoded and `with_path` encodes it, so an escaped `/` comes back as a `/`.
    let mut path = decoded_where_utf8(&draft.path);
    if path.ends_with('/') {
        path.pop();
    }
    draft.path.clear();
    PATH.encode_bytes(path.as_bytes(), &mut draft.path);
    if !draft.host.is_empty() {
        yarl::remove_dots(&mut draft.path, &mut draft.spare);
    }
    if !draft.path.is_empty() && !draft.path.starts_with(b"/") {
        draft.path.insert(0, b'/');
    }
}

/// Decodes escapes once. Escapes of bytes that are not UTF-8 are kept.
fn decoded_where_utf8(text: &[u8]) -> String {
    let mut bytes = text.to_vec();
    escapes::decode_once(&mut bytes, |_| true);
    let mut decoded = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        decoded.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|&byte| decoded.extend(escaped(byte).map(char::from)));
    }
    decoded
}
