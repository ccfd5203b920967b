//! SHA-256 of many short messages, byte classes and hex, with a portable twin of each.
