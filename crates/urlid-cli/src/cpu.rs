//! The environment variable that chooses the instructions of the fast paths. Read here, passed on as a value.

use crate::escape::Escaped;
use crate::exit::Failure;

/// The names that the variable may have.
const NAMES: [&str; 4] = ["portable", "avx2", "sha-ni", "avx512"];

/// Returns the name in `URLID_CPU`, if one is set.
pub(crate) fn wanted() -> Result<Option<&'static str>, Failure> {
    let Some(value) = std::env::var_os("URLID_CPU").filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    match NAMES.iter().find(|name| value == **name) {
        Some(name) => Ok(Some(name)),
        None => {
            let value = Escaped(value.as_encoded_bytes());
            Err(Failure::usage(format!("URLID_CPU is `{value}`: expected portable, avx2, sha-ni or avx512")))
        }
    }
}
