//! A URL's host to a DNS name in ASCII (SXURL, section 3; docs/spec/sxurl.md, S-4 to S-10).

use std::borrow::Cow;

use super::error::EncodeError;
use crate::excerpt::Excerpt;
use crate::host::{DomainProfile, domain_to_ascii, ends_in_number};

/// The longest host that is looked at, so that no work is done on what can only be refused.
const LONGEST_RAW: usize = 4096;
/// The longest host in ASCII (section 3).
const LONGEST: usize = 255;
/// The longest label in ASCII (section 3).
const LONGEST_LABEL: usize = 63;

/// Maps a host and checks it: first that it is a DNS name, then its lengths.
pub(super) fn map(raw: &str) -> Result<Cow<'_, str>, EncodeError> {
    if raw.is_empty() || raw.len() > LONGEST_RAW {
        return Err(EncodeError::HostLength { length: raw.len() });
    }
    if raw.starts_with('[') {
        return Err(EncodeError::AddressLiteral { host: Excerpt::of(raw) });
    }
    let host = domain_to_ascii(raw, DomainProfile::CheckedPunycode)?;
    if ends_in_number(&host) {
        return Err(EncodeError::AddressLiteral { host: Excerpt::of(raw) });
    }
    check_lengths(&host)?;
    Ok(host)
}

fn check_lengths(host: &str) -> Result<(), EncodeError> {
    let is_bad = |label: &&str| label.is_empty() || label.len() > LONGEST_LABEL;
    if let Some(label) = host.split('.').find(is_bad) {
        return Err(EncodeError::LabelLength { host: Excerpt::of(host), length: label.len() });
    }
    match host.len() > LONGEST {
        true => Err(EncodeError::HostLength { length: host.len() }),
        false => Ok(()),
    }
}
