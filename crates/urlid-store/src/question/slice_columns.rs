//! The columns of Parquet files that hold the slices of identifiers, one for each field.

use urlid::sxurl::Field;

/// The columns, in the order of the files. All are signed, because Spark reads UINT64 as `decimal(20,0)` and prunes nothing on it; the
/// longest slice has 60 bits, so that no value is negative.
pub const SLICE_COLUMNS: [(&str, Field); 8] = [
    ("sx_header", Field::Header),
    ("sx_tld", Field::Tld),
    ("sx_domain", Field::Domain),
    ("sx_sub", Field::Sub),
    ("sx_port", Field::Port),
    ("sx_path", Field::Path),
    ("sx_params", Field::Params),
    ("sx_frag", Field::Frag),
];

/// Returns whether the column of a field has 32 bits instead of 64.
#[must_use]
pub fn is_narrow(field: Field) -> bool {
    matches!(field, Field::Header | Field::Tld | Field::Port | Field::Frag)
}
