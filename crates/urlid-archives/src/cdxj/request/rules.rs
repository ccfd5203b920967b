//! The sets of rules for bodies, and the limits that they share.

/// The most bytes of a body, in a record and decoded.
pub(in crate::cdxj) const MAX_BODY: usize = 16 << 20;
/// The most characters of a query.
pub(super) const MAX_QUERY: usize = 4096;
/// The rules by which the body of a request becomes part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyRules {
    /// Those of cdxj-indexer 1.5: values of JSON as Python writes them (`True`, `None`, `1.0`), lines of JSON
    /// too.
    CdxjIndexer,
    /// Those of pywb 2.10: values of JSON as JavaScript writes them (`true`, `null`, `1`); a body without a
    /// stated length counts as empty.
    Pywb,
}
