//! Named canonical forms ("profiles"): the keys that archives, crawlers and blocklists store. Each form has a
//! name and a version, and its rules never change.
//!
//! ```
//! let surt: urlid_canonical::Form = "surt-0.3.1".parse()?;
//! assert_eq!(surt.canonicalize("http://www.Example.com:80/A?b&a")?, "com,example)/a?a&b");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A profile is a list of rules that run in order on a text and its parts. The profile's file reads like its
//! specification. A trace shows the change by each rule.

#![forbid(unsafe_code)]

mod canonicalizer;
mod common_crawl;
mod draft;
mod error;
mod expressions;
mod form;
mod hosts;
mod no_vary_search;
pub mod packages;
mod plain;
mod profile;
mod profiles;
mod rules;
mod site_rules;
mod steps;
mod structured_fields;
mod templates;
mod tracked;
mod tracking;
mod unicode;

pub use canonicalizer::{Canonicalizer, Change, DecidedBy, Trace};
pub use common_crawl::CrawlColumns;
pub use error::{NO_RULES, NO_TRACKING_LIST};
pub use expressions::{Expression, HostSuffixes, expressions};
pub use form::Form;
pub use hosts::{HostReader, hosts_agree};
pub use no_vary_search::{NoVarySearch, NoVarySearchSyntax};
pub use profile::{Idna, Kind, Profile, Rule};
pub use profiles::{RequestFingerprinter, W3lib};
pub use site_rules::{RuleFile, RuleKind, Rules, SiteRule, escape_rule_word};
pub use steps::FormStep;
pub use templates::{
    ClassSegment, SegmentClass, SegmentLook, SegmentShape, SplitUrl, TemplateAssigner, Templates,
    template_form, write_fields,
};
pub use tracking::TrackingList;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
