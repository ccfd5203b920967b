//! The judge: the page that a text opens, as ada reads it, and the pages that the list's own rules treat as
//! one.

use ada_url::Url;
use urlid_lists::UserInfo;

/// Returns the page that a text opens, without query and fragment, which the list does not keep. Returns
/// `None` if no browser opens it.
///
/// With [`UserInfo::Drop`] user information and one final dot are removed, because the same server answers.
pub(crate) fn page(text: &str, host: UserInfo) -> Option<String> {
    let url = Url::parse(text, None).ok()?;
    let hostname = url.hostname();
    let (user, hostname) = match host {
        UserInfo::Drop if hostname != "." => (String::new(), hostname.strip_suffix('.').unwrap_or(hostname)),
        UserInfo::Drop => (String::new(), hostname),
        UserInfo::Keep => (format!("{}:{}@", url.username(), url.password()), hostname),
    };
    let path = as_one(url.protocol(), url.pathname());
    Some(format!("{}//{user}{hostname}:{}{path}", url.protocol(), url.port()))
}

/// Returns the path as variant N treats it. A browser sends two such paths unchanged, and a server answers
/// them identically:
///
/// - escaped characters that need no escape, with `http` and `https` (RFC 2616, section 3.2.3; decision
///   H-7);
/// - `index.html` and its directory, with `http` (appendix A, rule 8);
/// - characters that a URI cannot contain, escaped or not (docs/spec/lists.md, "Intake").
fn as_one(protocol: &str, path: &str) -> String {
    let mut decoded = String::new();
    let mut rest = path;
    while let Some(character) = rest.chars().next() {
        let escaped = rest.strip_prefix('%').and_then(|rest| rest.get(..2));
        let byte = escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()).map(char::from);
        match byte.filter(|character| character.is_ascii_alphanumeric() || "-_.!~*'()".contains(*character)) {
            Some(unreserved) if matches!(protocol, "http:" | "https:") => {
                decoded.push(unreserved);
                rest = &rest[3..];
            }
            _ if character == '%' && byte.is_none() || "|^\\`{}[]".contains(character) => {
                decoded.push_str(&format!("%{:02X}", character as u32));
                rest = &rest[1..];
            }
            _ => {
                decoded.push(character);
                rest = &rest[character.len_utf8()..];
            }
        }
    }
    let directory = decoded.strip_suffix("index.html").filter(|directory| directory.ends_with('/'));
    match directory {
        Some(directory) if protocol == "http:" => directory.to_owned(),
        _ => decoded,
    }
}
