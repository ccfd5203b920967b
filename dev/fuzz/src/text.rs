//! Texts from the fuzzer's bytes, unchanged or by the generators that the laws use.

use urlid_generators::{Choices, hostile_text, http_uri, id_text, sxurl_url, uri, web_url};

/// Returns `N` texts. The first byte selects their source: the bytes themselves, split at line feeds, or a
/// generator.
pub fn texts<const N: usize>(data: &[u8]) -> [String; N] {
    let Some((&how, rest)) = data.split_first() else { return std::array::from_fn(|_| String::new()) };
    let mut choices = Choices::new(rest);
    let mut lines = rest.split(|&byte| byte == b'\n');
    std::array::from_fn(|_| match how & 7 {
        0 => hostile_text(&mut choices),
        1 => web_url(&mut choices),
        2 => uri(&mut choices),
        3 => http_uri(&mut choices),
        4 => sxurl_url(&mut choices),
        5 => id_text(&mut choices),
        _ => String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned(),
    })
}
