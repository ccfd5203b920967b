//! Texts that are made from the host of a URL for people: its name in Unicode, its scripts, and its skeleton.

use urlid_ops::{host_scripts, host_unicode};

/// A text that is made from the host of a URL. It is not a part of the URL, so tables of all parts lack it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostText {
    Unicode,
    Scripts,
    /// The text that lookalikes share (UTS 39, section 4).
    Skeleton,
}

impl HostText {
    pub(crate) const ALL: [Self; 3] = [Self::Unicode, Self::Scripts, Self::Skeleton];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Unicode => "host_unicode",
            Self::Scripts => "host_scripts",
            Self::Skeleton => "host_skeleton",
        }
    }

    /// Returns the text of a URL, if it has one.
    pub(crate) fn of(self, url: &str) -> Result<Option<String>, urlid::Error> {
        match self {
            Self::Unicode => host_unicode(url),
            Self::Scripts => host_scripts(url),
            Self::Skeleton => Ok(host_unicode(url)?.map(|host| unicode_security::skeleton(&host).collect())),
        }
    }
}

// `explain` and the documentation name a single version of Unicode for all of them.
const _: () = {
    let (scripts, skeletons) = (urlid_ops::SCRIPTS_UNICODE, unicode_security::UNICODE_VERSION);
    assert!(scripts.0 == skeletons.0 && scripts.1 == skeletons.1 && scripts.0 == 18 && scripts.1 == 0);
};
