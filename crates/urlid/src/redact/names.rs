//! Lists of the names of parameters that carry secrets. A list never changes under its name.

use alloc::string::String;

/// A list of the names of secret parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameList {
    /// The keys that OpenTelemetry's semantic conventions name for `url.full` and `url.query` in any release
    /// up to 1.44. Case counts. Releases before 1.42 lack the keys that start with `X-Amz-`. Releases 1.42 to
    /// 1.44 lack `AWSAccessKeyId` and `Signature`, which signed URLs still have.
    #[default]
    Otel144,
    /// A union of the names that public scrubbers of URLs, logs and traces mask. Case, `-` and `_` do not count:
    /// `access_token`, `accessToken` and `Access-Token` are one name.
    Common1,
}

const OTEL_1_44: [&str; 7] = [
    "AWSAccessKeyId",
    "Signature",
    "X-Amz-Credential",
    "X-Amz-Security-Token",
    "X-Amz-Signature",
    "X-Goog-Signature",
    "sig",
];

impl NameList {
    /// All lists by their names.
    pub const BY_NAME: [(&'static str, NameList); 2] =
        [("otel-1.44", NameList::Otel144), ("common-1", NameList::Common1)];

    /// Returns the name of the list.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            NameList::Otel144 => "otel-1.44",
            NameList::Common1 => "common-1",
        }
    }

    /// Returns the names on the list, in the form in which they are compared.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let (names, lines) = match self {
            NameList::Otel144 => (&OTEL_1_44[..], ""),
            NameList::Common1 => (&[][..], include_str!("common-1.txt")),
        };
        names.iter().copied().chain(lines.lines().filter(|line| !line.starts_with('#')))
    }

    /// Returns whether a name is on the list, as it is compared.
    pub(super) fn has(self, name: &str) -> bool {
        match self {
            NameList::Otel144 => OTEL_1_44.contains(&name),
            NameList::Common1 => self.names().any(|other| other == name),
        }
    }

    /// Returns whether names are compared without case, `-` and `_`.
    pub(super) fn folds(self) -> bool {
        self == NameList::Common1
    }
}

/// Returns a name without case, `-` and `_`.
pub(super) fn folded(name: &str) -> String {
    name.chars()
        .filter(|character| !matches!(character, '-' | '_'))
        .map(|it| it.to_ascii_lowercase())
        .collect()
}
