//! The page of canonical forms, generated from the profiles of the library.

use std::fmt::Write;

use urlid_canonical::{Idna, Kind, Profile};

const HEAD: &str = "\
# Canonical forms

This page helps you to choose a canonical form, and lists the rules of every form. A canonical form maps equal URLs to one text. Its name is a profile
with a version, such as `surt-0.3.1`, followed by optional steps. The rules of a profile never change. A profile freezes
the behaviour of one implementation, with its quirks, so stored keys stay the same. A test generates this page
from the library (`dev/conformance/tests/profiles`).

For the set of URLs that a crawler has seen, start with `web+drop-fragment`. For one key for each page, start with [`page-1`](#one-key-for-a-page).

```sh
urlid canon --list                                       # the profiles
urlid canon --as surt-0.3.1 urls.txt                     # one line out for each line in
urlid explain --as surt-0.3.1 'http://www.Example.com/'  # what each rule does
urlid canon diff --from w3lib-2.4 --to w3lib-2.5 urls.txt
```

A form of kind `url` is a URL, and steps may follow it. A form of kind `key` is not a URL. A profile is idempotent if applying it to its own output
never changes anything. The rules of each profile are a summary. The specification is the package or document that the profile is named after, and
where the rules on this page differ from a package, the library follows the package. The runtime of a profile defines case, normalisation, digits and
white space of text that is not ASCII, whatever the compiler ([decision 1](decisions/0001-unicode-data.md)).
[Coming from another library](coming-from.md) lists the replacements for the calls of other libraries.

## Steps

Steps follow a profile of kind `url`. They may be written in any order, and are applied and named in the order of this table. `+drop-tracking` without a
name uses the built-in list, and the name of this list becomes part of the name of the form. The column \"merges\" is the share of URLs
that become equal to another URL if only this step is applied. 100 % is the 36,047 different URLs among 50,000 links in page order.

| step | does | merges | when it is wrong |
| --- | --- | --- | --- |
| `+rules@NAME` | applies the rules of a file, after `web` or `page-1`: [rules of sites](site-rules.md) | | as the file says; after `web`, not before `+drop-session`, `+strip-www` and `+trailing-slash` |
| `+no-vary-search-05=FIELD` | keeps only the parts of the query that matter according to a `No-Vary-Search` field, and drops the fragment; only after `web`: [No-Vary-Search](site-rules.md#no-vary-search) | | responses without the field |
| `+drop-fragment` | drops the fragment | 2.45 % | pages that are distinguished by `#!` or `#/` |
| `+drop-anchor` | drops the fragment unless it starts with `!` or `/` | | applications that name their pages in other ways |
| `+sort-query` | sorts the fields of the query by name and value | 0.000 % | servers that read repeated fields in order |
| `+drop-query=NAMES` | drops fields by name, decoded; `utm_*` means all names with this prefix | | names that mean something on a site |
| `+drop-tracking@firefox-46740ded` | drops the fields that Firefox drops from shared links | 0.08 to 0.17 % | as above; this is for privacy, not volume |
| `+drop-session` | drops session identifiers: [the list](#session-identifiers) | | fields that have one of these names for something else |
| `+drop-values` | keeps only the names of the fields of the query, sorted, each once: one URL for each host, path and set of names | | as a key of pages; it is for samples and scanners |
| `+strip-www` | strips `www`, digits and a dot from the host | 0.042 % | sites that answer by only one of the names |
| `+trailing-slash` | drops one `/` at the end of the path | 0.33 % | servers where `/a` and `/a/` differ |
| `+https` | turns `http` into `https` where no port is written | 0.24 % | hosts without TLS |

Names of `+drop-query` are compared decoded, as servers read them (URL Standard, 5.1). `%611` and `a1` are one name, `a+b` and `a%20b`
are one name, and bytes that are not UTF-8 are U+FFFD. The rest of the query does not change. In the name of a form, only `%`, `*`, `+`, `,`,
`=`, controls and non-ASCII characters are written as `%XX`, in upper case, so a form has one name:
`web+drop-query=a[]`, `web+drop-query=a%2Bb`. Any other spelling is an error that names the right one. `+drop-tracking` compares written names and
ignores ASCII case, as Firefox does, so `UTM_SOURCE` is dropped and `utm%5Fsource` stays.

The built-in list of Firefox is an older one. You can pass a newer list, or your own list in the same format, as a file. Its name
is `firefox-` and the first 8 digits of its SHA-256, so a name always means the same list:

```console
$ printf '{\"all\": {\"queryParams\": [\"ref\"], \"topLevelSites\": [\"*\"]}}' > list.json
$ sha256sum list.json | cut -c 1-8
a650fb3f
$ urlid canon --as web+drop-tracking@firefox-a650fb3f --tracking-list list.json 'https://docs.rs/?ref=x&q'
https://docs.rs/?q
```

An index of such a form needs the same list each time that URLs are added or looked up. A malformed list, such as a file with
`queryParams` that are not texts, is an error with its place (`ERR_LIST_LINE`), and a name without its list is `ERR_CANON_NAME`. In Python use
`urlid.canon(url, form, tracking=urlid.TrackingList(text))`, and in Rust `Form::parse_with`.

### Session identifiers

`+drop-session` changes URLs of `http` and `https`. It ignores ASCII case, and drops the identifiers that SURT and Heritrix drop and that Java servers
write. The list never changes. A longer list will be a new step.

| where | session identifier | of |
| --- | --- | --- |
| path | `;jsessionid=…` in a segment, up to the next `;` or `/`; after `.` and `..` it stays | Java servers (Servlet, 7.1.3) |
| path | the last directory `(S(…))` of letters with 24 letters or digits each, and the last directory `(…)` with 24 of them, if a file `*.aspx` follows (this one in lower case) | ASP.NET |
| query | `jsessionid`, `phpsessid`, and `aspsessionid` with 8 letters after it, with any value | Java servers, PHP, ASP |
| query | `cfid` and `cftoken`, if both are there | ColdFusion |
| query | `sid` with 32 letters or digits | phpBB and others |

The whole written field of the query must match, so `mysid=…` and `%50HPSESSID=…` stay. SURT and Heritrix drop `jsessionid` and
`phpsessid` only with 32 letters or digits, which servers no longer write.

`+drop-values` decodes names as servers do and percent-encodes them, except letters, digits, `-`, `.`, `_` and `~`. A space becomes `+`:

```console
$ urlid canon --as web+drop-values 'https://h.example/list?page=2&sort=up&page=3#top'
https://h.example/list?page&sort#top
$ urlid canon --as web+drop-session 'https://h.example/a;jsessionid=0A.node1?PHPSESSID=1935a0d44702&b'
https://h.example/a?b
```

";

const SPEED: &str = "\
## Speed

The last column shows how many times as fast as the package urlid is, on real URLs in crawl order / mixed order. Both were measured in one run on one
core of an AMD EPYC of family 25 model 17, with load 1, on 2026-11-22. Python is measured by its CPU time. The record is
`dev/bench/records/profiles-2026-11-22.json`. The figures of `webrisk` were measured once on a different machine: 6.5 µs, and 20 µs with expressions
and hashes.

| work | compared with | target | times as fast |
| --- | --- | ---: | ---: |
| `surt-0.3.1`, one at a time | surt 0.3.1 | 30 | 93 / 75 |
| `surt-0.3.1` of lines | surt 0.3.1 | 100 | 106 / 87 |
| `surt-0.3.1` in Python, of a list of texts | surt 0.3.1 | 15 | 33 / 30 |
| `w3lib-2.5` of lines | w3lib 2.5.0 | 50 | 61 / 59 |
| fingerprints of Scrapy | Scrapy 2.19.0 | 50 | 61 / 61 |
| `safe-browsing-v4` | webrisk | 10 | 61 / 56 |
| expressions of `safe-browsing-v4` with hashes | webrisk | 10 | 22 / 23 |

In mixed order, `surt-0.3.1` of lines is 87 times as fast and misses the target of 100. A key needs 0.15 to 0.18 µs.
";

/// Returns the text of docs/canonical-forms.md.
pub(crate) fn page() -> String {
    // The text about `page-1` is a separate file, because it is a guide and not a summary of the library.
    let mut page = [HEAD, include_str!("page_key.txt"), SPEED].concat();
    Profile::all().iter().for_each(|profile| section(profile, &mut page));
    page
}

fn section(profile: &Profile, page: &mut String) {
    let kind = match profile.kind {
        Kind::Url => "url",
        Kind::Key => "key",
    };
    let idna = match profile.idna {
        Idna::None => "none",
        Idna::Idna2003 => "IDNA 2003, Unicode 3.2",
        Idna::Idna2008 => "UTS 46 and IDNA 2008; else IDNA 2003",
        Idna::Uts46 if profile.runtime.is_some() => "UTS 46, of the runtime",
        Idna::Uts46 => "UTS 46, of the snapshot",
    };
    let yes_or_no = |value: bool| if value { "yes" } else { "no" };
    let mut line = |text: String| writeln!(page, "{text}").expect("writing to a String does not fail");
    line(format!("\n## {}\n\n{}\n\n| | |\n| --- | --- |", profile.name, profile.about));
    line(format!("| kind | `{kind}` |\n| idempotent | {} |", yes_or_no(profile.is_idempotent)));
    line(format!("| runtime | {} |", profile.runtime.unwrap_or("none")));
    line(format!("| host names | {idna} |\n| suffix list | {} |", yes_or_no(profile.needs_suffix_list)));
    line(format!("| frozen since | {} |\n| proof | {} |\n", profile.frozen_since, profile.proof));
    let rules = profile.rules().map(|rule| (rule.name.to_owned(), rule.clause));
    let steps = profile.steps().iter().map(|step| (format!("+{step}"), step.clause()));
    for (number, (name, clause)) in (1..).zip(rules.chain(steps)) {
        line(format!("{number}. `{name}`: {clause}"));
    }
    if !profile.quirks.is_empty() {
        line("\nKept on purpose:\n".to_owned());
        profile.quirks.iter().for_each(|quirk| line(format!("- {quirk}")));
    }
}
