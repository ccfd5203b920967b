//! One parse of a URL, named canonical forms, stable identifiers.
