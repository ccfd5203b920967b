//! Small WARC files, written for a test.

/// Returns a record of a WARC file with these fields and this content.
pub fn warc_record(fields: &[(&str, &str)], content: &[u8]) -> Vec<u8> {
    let mut record = b"WARC/1.0\r\n".to_vec();
    for (name, value) in fields {
        record.extend(format!("{name}: {value}\r\n").bytes());
    }
    record.extend(format!("Content-Length: {}\r\n\r\n", content.len()).bytes());
    record.extend_from_slice(content);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

/// Returns a record of a type about a URL, made on 2 January 2026.
pub fn warc_record_of(record_type: &str, url: &str, content: &[u8]) -> Vec<u8> {
    let fields =
        [("WARC-Type", record_type), ("WARC-Target-URI", url), ("WARC-Date", "2026-01-02T03:04:05Z")];
    warc_record(&fields, content)
}
