//! Functions of packages with their parameters, and results from a canonical URL.

use std::rc::Rc;

use urlid::suffix::SuffixList;
use urlid_canonical::packages::{
    AllowedParams, HandyUrl, SurtOptions, UrlNormalizeOptions, W3libOptions, canonicalize_url, surt,
    unparse_url, url_normalize,
};
use urlid_canonical::{CrawlColumns, RequestFingerprinter, W3lib};
use urlid_generators::shapes::URLS;

use super::operation::{DEAR, Operation, only};
use crate::law::Order;

pub(super) fn operations() -> Vec<Operation> {
    let columns = Rc::new(CrawlColumns::new(SuffixList::compiled()));
    vec![
        on("surt with options", |text| {
            let options = SurtOptions { with_scheme: true, strip_www: false, ..SurtOptions::default() };
            surt(text, options).map_or(0, |key| key.len())
        }),
        on("handyurl", |text| {
            let Ok(mut url) = HandyUrl::parse(text.as_bytes()) else { return 0 };
            url.canonicalize_as_google();
            url.to_bytes(SurtOptions { reverse_host: false, ..SurtOptions::default() })
                .map_or(0, |url| url.len())
        }),
        on("w3lib with options", |text| {
            let options =
                W3libOptions { keep_blank_values: false, keep_fragment: true, ..W3libOptions::default() };
            canonicalize_url(text, &options).map_or(0, |url| url.len())
        }),
        on("parts put together", |text| unparse_url("http", "h", text, text, text, text).len()),
        on("url-normalize with options", |text| {
            let allowed_params = AllowedParams::OfPackage;
            let options = UrlNormalizeOptions { allowed_params, ..UrlNormalizeOptions::default() };
            url_normalize(text, &options).map_or(0, |url| url.len())
        }),
        // Looks up names in a long list of names.
        Operation::prepared(
            "parameters that stay",
            only(&["different parameters"]),
            Order::Sorting,
            |text| {
                let fields = text.split(['?', '&']).skip(1).filter_map(|field| field.split('=').next());
                let names: Vec<String> = fields.map(|name| format!("{name}a")).collect();
                Box::new(move || {
                    let allowed_params = AllowedParams::Everywhere(&names);
                    let options = UrlNormalizeOptions { allowed_params, ..UrlNormalizeOptions::default() };
                    2 * text.len() + url_normalize(&text, &options).map_or(0, |url| url.len())
                })
            },
        ),
        on("columns of a crawl", move |text| {
            columns.row(text).map_or(0, |columns| columns.iter().flatten().map(String::len).sum())
        }),
        on("fingerprint", |text| {
            RequestFingerprinter::new(W3lib::V2_5)
                .fingerprint(text, "GET", b"")
                .map_or(0, |fingerprint| fingerprint.len())
        }),
    ]
}

fn on(name: &str, work: impl Fn(&str) -> usize + Clone + 'static) -> Operation {
    Operation::sorting(name, URLS, work).from(DEAR)
}
