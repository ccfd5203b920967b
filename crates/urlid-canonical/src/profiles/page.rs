//! `page-1`: one key for a page, whatever the spelling of its address.

use std::sync::LazyLock;

use super::existing::WEB;
use crate::profile::Profile;
use crate::steps::FormStep;
use crate::tracking::TrackingList;

pub(super) static PROFILE: Profile = Profile {
    name: "page-1",
    about: "One key for a page: the form `web` and its steps against scheme, `www`, anchor, tracking, order of fields and last slash. It is not the URL to fetch.",
    is_idempotent: false,
    frozen_since: "2026-11-28",
    quirks: &[
        "It is the form `web+drop-anchor+sort-query+drop-tracking@firefox-46740ded+strip-www+trailing-slash+https`, under a name.",
        "`www.www.h` loses one `www.`, and `/a//` loses one slash.",
    ],
    proof: "`vectors/page.json`, by a model on Node's URL.",
    plain: None,
    ..WEB
};

/// The steps of the form, in their order.
pub(super) static STEPS: LazyLock<[FormStep; 6]> = LazyLock::new(|| {
    let tracking = TrackingList::named("firefox-46740ded", &[]).expect("the list is part of this library");
    [
        FormStep::DropAnchor,
        FormStep::SortQuery,
        FormStep::DropTracking(tracking.clone()),
        FormStep::StripWww,
        FormStep::TrailingSlash,
        FormStep::Https,
    ]
});
