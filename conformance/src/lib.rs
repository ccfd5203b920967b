//! Outside test suites and other implementations, compared with urlid.
