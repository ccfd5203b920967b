//! The Public Suffix List, verbatim, and the table generated from it.
