//! An index of URLs by SXURL identifier in one SQLite file.
