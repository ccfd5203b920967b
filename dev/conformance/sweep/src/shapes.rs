//! The positions of a URL at which a code point is inserted.
//!
//! A shape has a code point at only one position, because an error at one position would hide the result at
//! a second one.

/// A URL with a position for a code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The name in records and reports.
    pub name: &'static str,
    /// The URL. `{}` stands for the code point, and `%{}` for its percent-encoded UTF-8.
    template: &'static str,
    /// The code points that it accepts.
    pub reach: Reach,
}

/// The code points that a shape accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All 1,112,064.
    Every,
    /// The code points of the planes in which Unicode assigns characters: 0 to 3, and 14.
    Assigned,
}

const fn every(name: &'static str, template: &'static str) -> Shape {
    Shape { name, template, reach: Reach::Every }
}

const fn assigned(name: &'static str, template: &'static str) -> Shape {
    Shape { name, template, reach: Reach::Assigned }
}

/// All shapes: first the parts of a URL, then the positions where a property of the code point decides.
pub const SHAPES: &[Shape] = &[
    every("host", "http://a{}b.com/"),
    every("path", "http://h.x/a{}b"),
    every("query", "http://h.x/?a{}b=c{}d"),
    every("fragment", "http://h.x/#a{}b"),
    every("userinfo", "http://a{}b:c{}d@h.x/"),
    assigned("host-alone", "http://{}/"),
    assigned("query-name", "http://h.x/?a{}b=c"),
    assigned("query-value", "http://h.x/?a=b{}c"),
    assigned("user", "http://a{}b@h.x/"),
    assigned("password", "http://u:a{}b@h.x/"),
    // Parts that are cut, split or recognised.
    assigned("bare", "a{}b.com/c"),
    assigned("alone", "{}"),
    assigned("first", "{}http://h.x/"),
    assigned("last", "http://h.x/a{}"),
    assigned("after-colon", ":{}a/b"),
    assigned("scheme", "a{}b://h.x/"),
    assigned("after-http", "http{}://h.x/"),
    assigned("own-label", "http://a.{}.com/"),
    assigned("last-label", "http://a.{}/"),
    assigned("after-www", "http://www{}.h.x/"),
    assigned("after-address", "http://1.2.3.4{}/"),
    assigned("port", "http://h.x:8{}/"),
    assigned("address-6", "http://[::{}]/"),
    assigned("user-address-6", "http://a{}b@[::1]/"),
    assigned("address-future", "http://[v1{}.a]/"),
    assigned("escaped-host", "http://a%{}b.com/"),
    assigned("escaped-path", "http://h.x/a%{}b"),
    assigned("escaped-query", "http://h.x/?a%{}b=%{}"),
    assigned("session-path", "http://h.x/(s(abcdefghijklmnopqrstuvw{}))/a.aspx"),
    assigned("session-query", "http://h.x/?a&sid=0123456789abcdef0123456789abcde{}&b"),
    // Final sigma, whose lower case depends on the characters before and after it.
    assigned("before-sigma", "http://{}Σ.com/{}Σ"),
    assigned("after-sigma", "http://AΣ{}.com/AΣ{}"),
    assigned("beside-sigma", "http://AΣ{}B.com/AΣ{}B"),
    // Composition, and the order of combining marks.
    assigned("after-mark", "http://q\u{301}{}.com/"),
    assigned("before-mark", "http://q{}\u{323}.com/"),
    assigned("after-syllable", "http://가{}.com/"),
    // Rules of host names about neighbours of a code point: direction, joining, scripts.
    assigned("right-to-left", "http://א{}ב.com/"),
    assigned("right-to-left-end", "http://אב{}.com/"),
    assigned("before-joiner", "http://{}\u{200c}ب.com/"),
    assigned("after-joiner", "http://ب\u{200c}{}.com/"),
    assigned("virama", "http://क{}\u{200d}.com/"),
    assigned("after-keraia", "http://͵{}.com/"),
    assigned("before-geresh", "http://{}׳.com/"),
    assigned("after-middle-dot", "http://・{}.com/"),
];

impl Shape {
    /// Appends the URL with `code_point`.
    pub fn write(&self, code_point: char, url: &mut String) {
        let mut rest = self.template;
        while let Some((before, after)) = rest.split_once("{}") {
            rest = after;
            match before.strip_suffix('%') {
                Some(before) => {
                    url.push_str(before);
                    escape(code_point, url);
                }
                None => {
                    url.push_str(before);
                    url.push(code_point);
                }
            }
        }
        url.push_str(rest);
    }

    /// Returns the code points that the shape accepts, in order.
    pub fn code_points(&self) -> impl Iterator<Item = char> + use<> {
        let reach = self.reach;
        ('\0'..=char::MAX).filter(move |&code_point| reach.contains(code_point))
    }
}

impl Reach {
    /// Returns whether a code point is within reach.
    pub fn contains(self, code_point: char) -> bool {
        match self {
            Reach::Every => true,
            Reach::Assigned => has_characters(u32::from(code_point) >> 16),
        }
    }
}

/// Returns whether Unicode assigns characters in a plane, not counting the private use of planes 15 and 16.
pub(crate) fn has_characters(plane: u32) -> bool {
    matches!(plane, 0..=3 | 14)
}

/// Appends the percent-encoded UTF-8 of a code point.
pub(crate) fn escape(code_point: char, out: &mut String) {
    for &byte in code_point.encode_utf8(&mut [0; 4]).as_bytes() {
        out.push('%');
        for digit in [byte >> 4, byte & 15] {
            out.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
        }
    }
}
