//! `w3lib-2.5` and `w3lib-2.4`: `canonicalize_url` of the Python package w3lib.

use crate::plain;
use crate::profile::{Idna, Kind, Profile};
use crate::rules::w3lib::{AUTHORITY_2_4, AUTHORITY_2_5, PARTS_2_4, PARTS_2_5, TRIM};

pub(crate) static W3LIB_2_5: Profile = Profile {
    name: "w3lib-2.5",
    about: "`w3lib.url.canonicalize_url` of w3lib 2.5.0, with its defaults.",
    kind: Kind::Url,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::Idna2003,
    runtime: Some("CPython 3.11, Unicode 14.0"),
    frozen_since: "2026-11-22",
    quirks: &[
        "Default ports stay.",
        "A host that IDNA 2003 cannot map stays unchanged.",
        "`[` and `]` are raw in paths and escaped in parameters.",
        "`http:` becomes `http:///`.",
        "The profile is not idempotent: `a%3A` becomes `a:`, which becomes `a:/`.",
    ],
    proof: "Compared with w3lib 2.5.0 on CPython 3.11: every code point at 44 places of a URL, 100,000 real URLs and 1,000,000 generated \
        ones, 0 differences.",
    plain: Some(plain::w3lib),
    groups: &[TRIM, AUTHORITY_2_5, PARTS_2_5],
};

pub(super) static W3LIB_2_4: Profile = Profile {
    name: "w3lib-2.4",
    about: "`w3lib.url.canonicalize_url` of w3lib 2.0.1 to 2.4.1, with its defaults.",
    kind: Kind::Url,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::Idna2003,
    runtime: Some("CPython 3.11, Unicode 14.0"),
    frozen_since: "2026-11-22",
    quirks: &[
        "`;` separates fields of the query too, and is written as `&`.",
        "IDNA 2003 maps the whole authority, userinfo and port included.",
        "Ports are not read, so every port is valid.",
        "`%25` in a path is decoded, so a form is not always its own form.",
        "Dot segments stay.",
    ],
    proof: "Compared with w3lib 2.4.1 on CPython 3.11: every code point at 44 places of a URL, 100,000 real URLs and 1,000,000 generated \
        ones, 0 differences.",
    plain: Some(plain::w3lib),
    groups: &[TRIM, AUTHORITY_2_4, PARTS_2_4],
};
