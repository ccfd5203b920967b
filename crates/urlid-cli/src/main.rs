//! The `urlid` program.
fn main() {}
