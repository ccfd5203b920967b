//! Spellings of a URL: texts that a browser reads as the URL, and near misses.
//!
//! The judge decides which of them open the URL. Every spelling is made from random choices, each of which
//! keeps or changes the meaning of its part, so that most open the URL and many do not.

use urlid_generators::Seeded;

/// An entry of the list, in the parts that are spelled separately.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) scheme: &'static str,
    pub(crate) host: &'static str,
    /// The host in other spellings: numbers of other bases, other scripts. Empty if it has only letters and
    /// dots.
    pub(crate) other_hosts: &'static [&'static str],
    pub(crate) port: &'static str,
    pub(crate) path: &'static str,
}

const HOSTS: [(&str, &[&str]); 9] = [
    ("evil.example", &[]),
    ("www.evil.example", &[]),
    ("a.b.c.evil.example", &[]),
    ("under_score.example", &[]),
    ("localhost", &[]),
    (
        "xn--bcher-kva.example",
        &["bücher.example", "BÜCHER.example", "bu\u{308}cher.example", "b%C3%BCcher.example"],
    ),
    ("xn--fiqs8s", &["中国", "%e4%b8%ad国"]),
    ("192.0.2.7", &["0300.0.02.07", "0xC0.0.0x2.7", "3221225991", "192.0.519", "0xc0000207", "030000001007"]),
    ("[2001:db8::1]", &["[2001:0DB8:0:0::1]", "[2001:db8::0.0.0.1]", "[2001:DB8:0:0:0:0:0:1]"]),
];

const PATHS: [&str; 7] = ["/", "/a", "/dir/", "/dir/page.php", "/a%20b/~user", "/%C3%A9/a%2Fb", "/a//b;c"];

/// Returns the 61 entries of the list.
pub(crate) fn entries() -> Vec<Entry> {
    let mut entries = Vec::new();
    for (number, (host, other_hosts)) in HOSTS.into_iter().enumerate() {
        for (turn, path) in PATHS.into_iter().enumerate() {
            let scheme = ["http", "https", "http", "ftp", "wss"][(number + turn) % 5];
            let port = if (number + turn) % 4 == 3 { ":8080" } else { "" };
            entries.push(Entry { scheme, host, other_hosts, port, path });
        }
    }
    entries.truncate(61);
    entries
}

impl Entry {
    /// Returns the URL as it is listed.
    pub(crate) fn url(&self) -> String {
        [self.scheme, "://", self.host, self.port, self.path].concat()
    }

    /// Returns one of its spellings.
    pub(crate) fn spell(&self, random: &mut Seeded) -> String {
        let text = [
            random.one(&["", "", "", "", " ", "\t", "\n ", "\u{0}", "\u{1f}\r\n"]).to_owned(),
            scheme(self.scheme, random),
            random.one(&["//", "//", "//", "//", "/", "", "///", "\\\\", "/\\", "\\/\\/", "/\t/"]).to_owned(),
            user(random),
            self.host(random),
            port(self, random),
            path(self.path, random),
            random.one(&["", "", "", "", "?", "?q=1", "?|", "?'%", "?a/../b"]).to_owned(),
            random.one(&["", "", "", "", "#", "#top", "#a#b", "#\u{e9}"]).to_owned(),
            random.one(&["", "", "", "", " ", "\n", "\u{0}"]).to_owned(),
        ]
        .concat();
        sprinkle(&text, random)
    }

    fn host(&self, random: &mut Seeded) -> String {
        let host = match self.other_hosts {
            [] => self.host,
            others if random.below(2) == 0 => random.one(others),
            _ => self.host,
        };
        let host = match random.below(24) {
            // Near misses: other hosts above, below and next to this one.
            0 => format!("x.{host}"),
            1 => format!("{host}.net"),
            2 => host.split_once('.').map_or(host, |(_, above)| above).to_owned(),
            3 => host.replacen('e', "f", 1),
            4 => format!("x{host}"),
            _ => host.to_owned(),
        };
        let is_address = host.starts_with('[');
        let host: String = host.chars().map(|character| respell(character, is_address, random)).collect();
        let end = random.one(&["", "", "", "", "", "", ".", ".", "。", "%2E", "..", "．", ".%2e"]);
        if is_address { host } else { host + end }
    }
}

/// Spells a character of a host in one of the ways that are mapped to it.
fn respell(character: char, is_address: bool, random: &mut Seeded) -> String {
    let way = if is_address { 10 } else { random.below(24) };
    match way {
        0 => character.to_uppercase().collect(),
        1 if character.is_ascii() => format!("%{:02X}", character as u32),
        2 if character.is_ascii() => format!("%{:02x}", character as u32),
        // The full-width form.
        3 if character.is_ascii_graphic() => char::from_u32(character as u32 + 0xfee0).into_iter().collect(),
        4 => format!("{character}\u{ad}"),
        5 if character == '.' => "。".to_owned(),
        _ => character.to_string(),
    }
}

fn scheme(scheme: &str, random: &mut Seeded) -> String {
    // The last one is a near miss.
    let scheme =
        if random.below(24) == 0 { random.one(&["http", "https", "ftp", "ws", "gopher"]) } else { scheme };
    let cased = |letter: char| if random.below(4) == 0 { letter.to_ascii_uppercase() } else { letter };
    scheme.chars().map(cased).collect::<String>() + ":"
}

/// Credentials, most of them in shapes that hide their end.
fn user(random: &mut Seeded) -> String {
    let users = [
        "",
        "",
        "",
        "",
        "",
        "",
        "x@",
        "x:y@",
        "@",
        ":@",
        "x:@",
        "evil.example@",
        "evil.example%2F@",
        "a@b@",
        "x%40@",
        "\u{e9}:\u{e9}@",
        "http:%2f%2fgood.example@",
        "u;v=1:80@",
    ];
    random.one(&users).to_owned()
}

fn port(entry: &Entry, random: &mut Seeded) -> String {
    let default = match entry.scheme {
        "http" => "80",
        "https" | "wss" => "443",
        _ => "21",
    };
    let number = entry.port.strip_prefix(':');
    match (number, random.below(12)) {
        (None, 0) => ":".to_owned(),
        (None, 1) => format!(":{default}"),
        (None, 2) => format!(":000{default}"),
        (Some(number), 0..4) => format!(":00{number}"),
        // Near misses.
        (_, 10) => ":81".to_owned(),
        (Some(_), 11) => String::new(),
        (_, 11) => ":65536".to_owned(),
        _ => entry.port.to_owned(),
    }
}

fn path(path: &str, random: &mut Seeded) -> String {
    let mut spelled = String::new();
    for character in path.chars() {
        let way = random.below(32);
        spelled.push_str(&match (character, way) {
            ('/', 0) => "\\".to_owned(),
            ('/', 1) => "/./".to_owned(),
            ('/', 2) => "/x/../".to_owned(),
            ('/', 3) => "/%2e/".to_owned(),
            ('/', 4) => "/x/.%2E/".to_owned(),
            // The same to a server but a different text to a browser, which is a class of the judge.
            ('a'..='z', 0) => format!("%{:02x}", character as u32),
            // Near misses.
            ('/', 5) => "//".to_owned(),
            ('/', 6) => "%2f".to_owned(),
            ('a'..='z', 1) => character.to_uppercase().collect(),
            ('a'..='z', 2) => format!("%25{:02x}", character as u32),
            _ => character.to_string(),
        });
    }
    spelled + random.one(&["", "", "", "", "", "", "", "x", "/", "/.", "/..", "index.html"])
}

/// Inserts tabs and line ends, which browsers remove, at any position of some texts.
fn sprinkle(text: &str, random: &mut Seeded) -> String {
    if random.below(4) > 0 {
        return text.to_owned();
    }
    let mut sprinkled = String::new();
    for character in text.chars() {
        if random.below(16) == 0 {
            sprinkled.push(random.one(&['\t', '\n', '\r']));
        }
        sprinkled.push(character);
    }
    sprinkled
}
