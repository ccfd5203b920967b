//! The result of a test as a page: one file without scripts and links, which does not load anything.

use std::fmt::Write;

use urlid_learn::Pair;

use super::answer::{TestAnswer, share, summary};

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}\
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-top:1px solid #ddd}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
code{font:.85rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere}code.url{display:block}\
mark{background:#fe9;color:inherit}.wrong mark{background:#fbb}.wrong{border-left:3px solid #c33;padding-left:.5rem}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}th,td{border-color:#444}mark{background:#650}.wrong mark{background:#722}}";

/// Returns the page.
pub(super) fn of(answer: &TestAnswer) -> String {
    // URLs come from strangers. The policy guards against a missing escape: scripts do not run, and resources
    // are not loaded.
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\n\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{form}</title><style>{STYLE}</style>\n<h1>{form}</h1>\n<p>{summary}.</p>\n\
         <p>A skip is right if both URLs had the same content. Differences between the two are marked; values that may be secrets are \
         shown as …</p>\n",
        form = escaped(&answer.form),
        summary = escaped(&summary(&answer.numbers)),
    );
    // The results of `write!` are dropped from here on, because writing to a `String` cannot fail.
    if !answer.rules.is_empty() {
        page.push_str("<h2>Rules</h2>\n<table><tr><th>Rule<th class=n>Skips<th class=n>Wrong<th>URLs that it makes one\n");
        for row in &answer.rules {
            let _ = write!(
                page,
                "<tr><td><code>{}</code><td class=n>{}<td class=n>{}<td>",
                escaped(&row.rule),
                row.judged,
                row.wrong
            );
            row.counterexamples.iter().for_each(|pair| push_pair(&mut page, pair, " class=wrong"));
            // One right skip shows the effect of a rule, but every wrong one has to be inspected.
            row.examples.iter().take(1).for_each(|pair| push_pair(&mut page, pair, ""));
            page.push('\n');
        }
        page.push_str("</table>\n");
    }
    if !answer.counterexamples.is_empty() {
        page.push_str("<h2>Wrong skips</h2>\n");
        answer.counterexamples.iter().for_each(|pair| push_pair(&mut page, pair, " class=wrong"));
    }
    if !answer.no_vary_search.is_empty() {
        page.push_str("<h2>What hosts declare in <code>No-Vary-Search</code></h2>\n<table><tr><th>Host<th>Field<th>Captures with it\n");
        for declared in &answer.no_vary_search {
            let _ = write!(
                page,
                "<tr><td>{}<td><code>{}</code><td>{}",
                escaped(&declared.host),
                escaped(&declared.field),
                declared.verdict()
            );
            declared.counterexamples.iter().for_each(|pair| push_pair(&mut page, pair, " class=wrong"));
            page.push('\n');
        }
        page.push_str("</table>\n");
    }
    page.push_str("<h2>Hosts</h2>\n<table><tr><th>Host<th class=n>URLs<th class=n>Skipped<th class=n>Wrong<th class=n>Precision<th class=n>Recall<th class=n>Lost\n");
    for host in &answer.hosts {
        let _ = writeln!(
            page,
            "<tr><td>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}",
            escaped(&host.host),
            host.numbers.urls,
            host.numbers.skipped,
            host.numbers.wrong,
            share(host.numbers.precision),
            share(host.numbers.recall),
            host.numbers.lost
        );
    }
    for host in &answer.unjudged_hosts {
        let _ = writeln!(
            page,
            "<tr><td>{}<td class=n>{}<td colspan=5>cannot be judged by this digest",
            escaped(&host.host),
            host.urls
        );
    }
    page.push_str("</table>\n</html>\n");
    page
}

/// Appends two URLs, one above the other, with their differences marked.
fn push_pair(page: &mut String, (one, other): &Pair, class: &str) {
    let _ = write!(
        page,
        "<div{class}><code class=url>{}</code><code class=url>{}</code></div>",
        marked(one, other),
        marked(other, one)
    );
}

/// Returns a URL with the pieces marked that the other one lacks. A piece ends after a separator.
fn marked(url: &str, other: &str) -> String {
    // Compared without its separator, which the last parameter lacks.
    let pieces =
        |url| str::split_inclusive(url, ['/', '?', '&', ';']).map(|piece| piece.trim_end_matches(['?', '&']));
    let mut rest: Vec<&str> = pieces(other).collect();
    let mut text = String::new();
    for piece in url.split_inclusive(['/', '?', '&', ';']) {
        let name = piece.trim_end_matches(['?', '&']);
        match rest.iter().position(|other| *other == name) {
            Some(place) => {
                // A piece of the other URL matches one piece here, so the second of two equal pieces is
                // marked.
                rest.remove(place);
                text.push_str(&escaped(piece));
            }
            None => text.extend(["<mark>", &escaped(piece), "</mark>"]),
        }
    }
    text
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_marked_and_markup_is_escaped() {
        assert_eq!(marked("http://h/?a=1&b=2", "http://h/?b=2"), "http://h/?<mark>a=1&amp;</mark>b=2");
        assert_eq!(marked("http://h/<b>", "http://h/"), "http://h/<mark>&lt;b&gt;</mark>");
    }
}
