//! Lines from files, pipes, gzip and zstd, in chunks and with a length cap.
