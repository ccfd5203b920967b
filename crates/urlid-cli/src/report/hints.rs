//! Hints for what was perhaps meant: values that are not part of a host, files that do not exist, lines without a scheme.

use std::path::Path;

use urlid::reference::{Context, Reference};
use urlid::sxurl::HostPart;
use urlid::web::is_scheme;
use urlid_store::question::Condition;

use crate::input::assume::{lacks_scheme, meant_url};
use crate::output::escape::Escaped;
use crate::report::refusals::PRINTED;

/// Returns a hint for a value that is not part of a host: it may be a suffix with its dot, or a URL instead of its host.
pub(crate) fn of_host(name: &str, condition: Condition, value: &str) -> Option<String> {
    let is_host = |text: &str| !text.is_empty() && HostPart::map(text).is_ok();
    if condition != Condition::Host {
        let rest = value.strip_prefix('.').filter(|rest| is_host(rest))?;
        return Some(format!("try {name} {rest}"));
    }
    let text = if value.contains("://") { value.to_owned() } else { format!("https://{value}") };
    let authority =
        Reference::parse(&text, Context::Rfc3986).ok()?.authority().filter(|it| is_host(it.host))?;
    let port = authority.port_number().map_or_else(String::new, |port| format!(" --port {port}"));
    (authority.host != value).then(|| format!("try {name} {}{port}", authority.host))
}

/// The hint for a file that is not lines of text.
pub(crate) const OTHER_KINDS: &str =
    " (--column reads a column of Parquet; other files are to be unpacked or converted first)";

/// The hint for the folder of a dataset where lines are read.
pub(crate) const DATASET: &str = " (it is a dataset: --column url reads its URLs)";

/// Returns a hint for the name of a file that does not exist.
pub(crate) fn of_missing_file(path: &Path) -> String {
    let text = path.to_str().unwrap_or_default();
    match (meant_url(text), text.split_once(':')) {
        (Some(url), _) => format!(" (no scheme: did you mean {}?)", Escaped(url.as_bytes())),
        // A drive, or a URL where only files are read.
        (None, Some((scheme, _))) if is_scheme(scheme) => String::new(),
        (None, _) => " (a URL begins with its scheme; a reference is read from a file or `-`)".to_owned(),
    }
}

/// The hint for lines with text beside their URL.
pub(crate) const TEXT_BESIDE: &str = "hint: give the URLs alone (--column-number 1, or `cut -f1`); --text-beside keep reads each line as one URL";

/// The hint at `--assume`, printed once.
pub(crate) struct SchemeHint {
    /// How many more refused lines are examined.
    left: u64,
}

impl SchemeHint {
    /// Returns the hint of a command whose lines may be read with an assumed scheme, or may not.
    pub(crate) fn new(is_possible: bool) -> Self {
        SchemeHint { left: if is_possible { PRINTED } else { 0 } }
    }

    /// Returns the hint if it is due: a line begins with a host and its port, which reads as a scheme and is not refused.
    pub(crate) fn read(&mut self, line: &[u8]) -> Option<String> {
        let text = str::from_utf8(line).ok().filter(|_| self.left > 0)?;
        let head = text.split(['/', '?', '#']).next().filter(|head| !head.starts_with('['))?;
        if !head.contains(':') || !lacks_scheme(text) {
            return None;
        }
        self.left = 0;
        let url = format!("https://{text}");
        let [text, url] = [line, url.as_bytes()].map(Escaped);
        Some(format!("hint: {text} has no scheme; with --assume https it is read as {url}"))
    }

    /// Returns the hint if it is due: a refused line lacks only its scheme.
    pub(crate) fn next(&mut self, refused: &[u8]) -> Option<String> {
        self.left = self.left.checked_sub(1)?;
        let url = meant_url(str::from_utf8(refused).ok()?)?;
        self.left = 0;
        let [text, url] = [refused, url.as_bytes()].map(Escaped);
        Some(format!("hint: {text} has no scheme; with --assume https it is read as {url}"))
    }
}
