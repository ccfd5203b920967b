//! The profiles, one file each.

mod ia_surt;
mod surt;

use super::profile::Profile;

/// Every profile, in the order of the list.
pub(super) static ALL: &[&Profile] = &[&surt::PROFILE, &ia_surt::PROFILE, &ia_surt::KEEP_WWW];
