//! Runs a file of test vectors over the library.
