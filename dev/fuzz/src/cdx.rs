//! Indexes of archives: any bytes can be searched or are an error, results are in the range, and a line has
//! a key or a reason.

use std::io::Cursor;
use std::ops::ControlFlow;

use urlid_archives::cdx::{CdxLayout, LineRange, find, key_text};

/// Reads the bytes of an index, which are also the bytes of its blocks.
pub fn target(data: &[u8]) {
    let range = LineRange { start: b"com,".to_vec(), end: b"com-".to_vec() };
    let first = data.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let layout = CdxLayout::recognise(first.strip_suffix(b"\r").unwrap_or(first));
    // Lines that do not start with their unchanged key.
    let has_other_keys = matches!(layout, Some(CdxLayout::Rows { .. } | CdxLayout::OpenWayback));
    // An error is also a result.
    let _ = find(Cursor::new(data), &range, &mut |_| Ok(Cursor::new(data)), &mut |line| {
        assert!(has_other_keys || (line >= &*range.start && line < &*range.end));
        ControlFlow::Continue(())
    });
    let Ok(text) = str::from_utf8(data) else { return };
    let Some(layout) = text.lines().next().and_then(|first| CdxLayout::recognise(first.as_bytes())) else {
        return;
    };
    for line in text.lines() {
        let url = layout.url(line.as_bytes());
        assert_eq!(key_text(layout, line).is_ok(), url.is_ok(), "{line}");
        if let Ok(Some(url)) = &url {
            assert!(url.len() <= line.len());
        }
    }
}
