//! Hints for what was perhaps meant: values that are not part of a host, files that do not exist, lines
//! without a scheme, and an input that may not be a list of URLs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use urlid::reference::{Context, Reference};
use urlid::sxurl::HostPart;
use urlid::web::is_scheme;
use urlid_archives::cdx::is_zipnum;
use urlid_io::lines::{Line, TrailingText, UrlRow, is_control};
use urlid_store::question::Condition;

use crate::input::assume::{lacks_scheme, meant_url};
use crate::output::escape::Escaped;
use crate::output::progress::Progress;
use crate::report::message;
use crate::report::rejections::{PRINTED, Place};

/// Returns a hint for a value that is not part of a host: it may be a suffix with its dot, or a URL instead
/// of its host.
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
pub(crate) const OTHER_KINDS: &str = " (unpack it or convert it first)";

/// The same, where columns are read.
pub(crate) const OTHER_TABLES: &str = " (without --column, the URLs of web archives, sitemaps and bookmarks are read; others are to be converted first)";

/// The way on from an index of archives whose columns are read.
pub(crate) const NO_TABLE: &str = " (it is an index of archives, whose URLs are read without --column)";

/// Returns a hint for the name of a file that does not exist.
pub(crate) fn of_missing_file(path: &Path) -> String {
    let text = path.to_str().unwrap_or_default();
    match (meant_url(text), text.split_once(':')) {
        (Some(url), _) if text.starts_with("//") => {
            let url = Escaped(url.as_bytes());
            format!(" (no scheme: did you mean {url}? A reference is read from a file or `-`)")
        }
        (Some(url), _) => format!(" (no scheme: did you mean {}?)", Escaped(url.as_bytes())),
        // A drive, or a URL where only files are read.
        (None, Some((scheme, _))) if is_scheme(scheme) => String::new(),
        (None, _) => " (a URL begins with its scheme; a reference is read from a file or `-`)".to_owned(),
    }
}

/// The hint for lines with text after their URL.
pub(crate) const TRAILING_TEXT: &str = "hint: give the URLs alone (--column-number 1, or `cut -f1`); --trailing-text keep reads each line as one URL";

/// The hint for lines of a name and a value.
pub(crate) const FIELD: &str =
    "hint: this may be text and not a list of URLs; `urlid uniq --input-format text` takes URLs out of text";
/// The hint for lines of a log where secrets are replaced.
pub(crate) const LOG_LINE: &str = "hint: a line of a log is not a URL: --input-format text redacts lines of text, and --column reads a column of a table; --trailing-text keep reads each line as one URL";

/// The hint at `--assume`, printed once.
pub(crate) struct SchemeHint {
    /// How many more rejected lines are examined.
    left: u64,
}

impl SchemeHint {
    /// Returns the hint of a command whose lines may be read with an assumed scheme, or may not.
    pub(crate) fn new(is_possible: bool) -> Self {
        SchemeHint { left: if is_possible { PRINTED } else { 0 } }
    }

    /// Returns the hint if it is due: a line begins with a host and its port, which reads as a scheme and is
    /// not rejected.
    pub(crate) fn read(&mut self, text: &str) -> Option<String> {
        // An IPv6 address in brackets has colons that end no scheme.
        let head = text.split(['/', '?', '#']).next().filter(|head| !head.starts_with('['))?;
        if self.left == 0 || !head.contains(':') || !lacks_scheme(text) {
            return None;
        }
        self.left = 0;
        let url = format!("https://{text}");
        let [text, url] = [text.as_bytes(), url.as_bytes()].map(Escaped);
        Some(format!("hint: {text} has no scheme; with --assume https it is read as {url}"))
    }

    /// Returns the hint if it is due: a rejected line lacks only its scheme.
    pub(crate) fn next(&mut self, rejected: &[u8]) -> Option<String> {
        self.left = self.left.checked_sub(1)?;
        let url = meant_url(str::from_utf8(rejected).ok()?)?;
        self.left = 0;
        let [text, url] = [rejected, url.as_bytes()].map(Escaped);
        Some(format!("hint: {text} has no scheme; with --assume https it is read as {url}"))
    }
}

/// The number of lines of each input that are examined.
pub(crate) const FIRST_LINES: u64 = 1_000;

/// A hint that an input may not be a list of URLs but was given by mistake, printed once. Files of a known
/// other kind are an error of `urlid_io::lines`; these inputs are read in any case.
pub(crate) struct InputWarning {
    inputs: Vec<FirstLines>,
    is_printed: bool,
    progress: Progress,
}

/// The first lines of one input.
struct FirstLines {
    input: PathBuf,
    lines: u64,
    rejected: u64,
    /// Whether a line was not blank.
    is_begun: bool,
    /// How many lines may be rows of a table, by the separator and the number of the fields after their URLs.
    rows: BTreeMap<(char, usize), u64>,
}

impl FirstLines {
    /// Counts a line that may be a row of a table. Returns the sign of one: a host that DNS does not have, or
    /// the same shape as most lines, because a URL may have commas, too.
    fn row(&mut self, row: UrlRow, number: u64) -> Option<String> {
        let count = self.rows.entry((row.separator, row.fields)).or_default();
        *count += 1;
        if row.is_after_host {
            let found = format!("line {number} has `{}` after its host", row.separator);
            return Some(in_table(row.separator, &found));
        }
        (*count > FIRST_LINES / 2).then(|| self.most_rows())?
    }

    /// Returns that most lines have the shape of a row, if they do.
    fn most_rows(&self) -> Option<String> {
        let ((separator, fields), count) = self.rows.iter().max_by_key(|(_, count)| **count)?;
        let is_most = *count >= LEAST_ROWS && 2 * count > self.lines.min(FIRST_LINES);
        let found = || {
            let fields = message::count(*fields as u64, "field");
            format!("most of its lines have {fields} after the URL, by `{separator}`")
        };
        is_most.then(|| in_table(*separator, &found()))
    }
}

/// The least number of rows of one shape that look like a table.
const LEAST_ROWS: u64 = 3;

/// Returns a sign of a table with the way to read that.
fn in_table(separator: char, found: &str) -> String {
    let delimiter = if separator == ',' { String::new() } else { format!(" --delimiter '{separator}'") };
    format!(
        "{found}, as in a table: --column-number 1 --no-header{delimiter} reads the URLs, or `cut -d '{separator}' -f 1`"
    )
}

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns whether a URL and a blank begin a line, and text follows.
fn has_text_after(line: &[u8], trailing_text: TrailingText) -> bool {
    let Some((first, _)) = str::from_utf8(line).ok().and_then(|line| line.trim_ascii().split_once(' '))
    else {
        return false;
    };
    // Without a scheme, a word of prose would begin a URL too.
    trailing_text != TrailingText::Keep && first.contains([':', '.', '/']) && trailing_text.begins_url(first)
}

/// Returns whether a line begins with a tag, a comment or a declaration of HTML or XML, and not with a URL in
/// angle brackets.
pub(crate) fn is_markup(line: &[u8]) -> bool {
    let Some(name) = line.trim_ascii_start().strip_prefix(b"<") else { return false };
    let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(name.len());
    matches!(name, [b'!' | b'?', ..]) || end > 0 && matches!(name[end..], [] | [b' ' | b'>' | b'/', ..])
}

/// Returns whether a line begins with an array or an object of JSON, and not with an IPv6 address.
pub(crate) fn is_json(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_open = matches!(line.first(), Some(b'[' | b'{'));
    is_open && matches!(line[1..].trim_ascii_start(), [] | [b'"' | b'{' | b'[', ..])
}

/// Returns the names of the columns in the first line of a table, with commas between them.
pub(crate) fn table_columns(first: &[u8]) -> Option<String> {
    let text = str::from_utf8(first).ok()?;
    let names: Vec<&str> = text.split([',', '\t', ';']).map(|name| name.trim().trim_matches('"')).collect();
    // A list of domains, and the rows of a table without names, begin with digits or have dots.
    let is_name = |name: &&str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _-".contains(&byte))
    };
    (names.len() > 1 && names.iter().all(is_name)).then(|| names.join(","))
}

/// Returns the reason why a first line is not the one of a list of URLs.
fn reason_of_first(line: &[u8]) -> Option<String> {
    if is_markup(line) {
        Some("begins like HTML or XML, whose URLs are to be taken out first, one a line".to_owned())
    } else if is_json(line) {
        Some("begins like JSON: --column NAME reads a member of objects, one a line (ndjson)".to_owned())
    } else if let Some(names) = table_columns(line) {
        Some(format!("has the names of columns, {names}: --column NAME reads one of a table"))
    } else if line.starts_with(LIST_START) {
        Some("begins a hidden list: `urlid list match` finds URLs in it".to_owned())
    } else {
        is_zipnum(line)
            .then(|| "begins the .idx file of a ZipNum index: `urlid cdx find` searches it".to_owned())
    }
}

/// The start of a hidden list in text.
pub(crate) const LIST_START: &[u8] = b"# urlid-list:";

impl InputWarning {
    pub(crate) fn new(progress: Progress) -> Self {
        InputWarning { inputs: Vec::new(), is_printed: false, progress }
    }

    /// Examines one of the first lines of an input.
    pub(crate) fn read(&mut self, input: &Path, line: &Line<'_>, trailing_text: TrailingText) {
        let first = self.first_lines(input);
        first.lines += 1;
        let is_begun = first.is_begun;
        first.is_begun |= !line.bytes.is_empty();
        if line.is_of_archive {
            return;
        }
        let reason = match line.bytes {
            bytes if bytes.iter().copied().any(is_control) => "has control bytes".to_owned(),
            bytes => match Some(bytes).filter(|_| !is_begun).and_then(reason_of_first) {
                Some(reason) => reason,
                None if line.text.is_ok() && has_text_after(bytes, trailing_text) => {
                    "has text after its URL, which is read as part of it".to_owned()
                }
                None => {
                    let row = line.text.ok().and_then(|text| UrlRow::find(text, trailing_text));
                    return match row.and_then(|row| first.row(row, line.number)) {
                        Some(reason) => self.warn_once(input, &reason),
                        None => self.joined(Place::in_file(input, line.number), bytes),
                    };
                }
            },
        };
        self.warn_once(input, &format!("line {} {reason}", line.number));
    }

    /// Examines a line that may be the first one of a file that was joined to others.
    pub(crate) fn joined(&mut self, place: Place<'_>, line: &[u8]) {
        if place.line > 1 && line.starts_with(MARK) {
            let (number, advice) = (place.line, "as joined files have; remove it first");
            self.warn_once(place.input, &format!("line {number} begins with a byte order mark, {advice}"));
        }
    }

    /// Counts a rejected line. The lines of a batch are rejected some time after they were read, so their input
    /// may not be the last one.
    pub(crate) fn rejected(&mut self, place: Place<'_>) {
        if place.is_argument || place.line > FIRST_LINES {
            return;
        }
        let first = self.first_lines(place.input);
        first.rejected += 1;
        if first.rejected > FIRST_LINES / 2 {
            self.warn_once(place.input, &format!("most of its first {FIRST_LINES} lines are rejected"));
        }
    }

    /// Examines inputs that ended before the first lines were complete.
    pub(crate) fn finish(mut self) {
        let is_doubtful = |first: &&FirstLines| {
            // Up to `PRINTED` rejected lines, each has a message of its own, which says enough.
            first.rejected > PRINTED && 2 * first.rejected > first.lines && first.lines > 0
        };
        if let Some(FirstLines { input, lines, rejected, .. }) = self.inputs.iter().find(is_doubtful) {
            let (input, reason) = (input.clone(), format!("{rejected} of its {lines} lines are rejected"));
            self.warn_once(&input, &reason);
        }
        let table = self.inputs.iter().find_map(|first| Some((first.input.clone(), first.most_rows()?)));
        if let Some((input, reason)) = table {
            self.warn_once(&input, &reason);
        }
    }

    fn first_lines(&mut self, input: &Path) -> &mut FirstLines {
        // From the end: the input that is being read is the last one, apart from late rejections of a batch.
        let index = self.inputs.iter().rposition(|first| first.input == input).unwrap_or_else(|| {
            let (input, rows) = (input.to_owned(), BTreeMap::new());
            self.inputs.push(FirstLines { input, lines: 0, rejected: 0, is_begun: false, rows });
            self.inputs.len() - 1
        });
        &mut self.inputs[index]
    }

    fn warn_once(&mut self, input: &Path, reason: &str) {
        if !std::mem::replace(&mut self.is_printed, true) {
            let line = format!("hint: {} may not be a list of URLs: {reason}", Escaped::path(input));
            self.progress.suspend(|| message::print(&line));
        }
    }
}
