//! `text-1`: a digest of the visible text of a page, without the parts that change by themselves.
//!
//! For HTML, XHTML and feeds it is computed from the text between the tags, without scripts, styles,
//! `noscript` and templates, and from the names of images. White space is joined, entities are decoded, and
//! the masks of `mask` replace the URL of the page, times and tokens. The digest is evidence about a page and
//! never part of a key, so a later version may read more.

mod mask;
mod units;

use std::borrow::Cow;
use std::convert::Infallible;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use memchr::memmem;
use sha1::{Digest, Sha1};

use self::mask::Masks;

/// The name and version of this digest.
pub const NAME: &str = "text-1";

/// The elements with invisible text.
const HIDDEN: [&[u8]; 4] = [b"script", b"style", b"noscript", b"template"];

/// Returns whether the visible text of a media type is read, which is true for HTML, XHTML and feeds. In
/// other XML, only attributes may matter.
#[must_use]
pub fn is_read(media_type: &str) -> bool {
    const READ: [&str; 5] = [
        "text/html",
        "application/xhtml+xml",
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
    ];
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    READ.iter().any(|read| essence.eq_ignore_ascii_case(read))
}

/// The start of a CDATA section of XML, which has no markup in it.
const CDATA: &str = "<![CDATA[";

/// Returns the first 64 bits of the SHA-1.
pub(crate) fn bytes_digest(bytes: &[u8]) -> u64 {
    let digest = Sha1::digest(bytes);
    u64::from_be_bytes(*digest.first_chunk().expect("a SHA-1 has 20 bytes"))
}

/// Digests the texts of pages in sequence, with the same buffers.
#[derive(Debug, Default)]
pub struct TextDigester {
    text: Vec<u8>,
    masked: Vec<u8>,
}

impl TextDigester {
    /// Returns the digest of the visible text of a page. `url` is its URL, `content_type` its media type with
    /// the charset, and `body` its bytes without transfer and content encodings.
    pub fn digest(&mut self, url: &str, content_type: &str, body: &[u8]) -> u64 {
        let mut html = decode(content_type, body);
        if html.contains(CDATA) {
            // Feeds have HTML in such sections, but HTML reads them as comments.
            html = html.replace(CDATA, " ").replace("]]>", " ").into();
        }
        self.text.clear();
        collect_text(&html, &mut self.text);
        self.masked.clear();
        Masks::new(url).apply(&mut self.text, &mut self.masked);
        // Scripts make the text of a page without any. Otherwise all such pages of a site would be equal.
        bytes_digest(if self.masked.is_empty() { body } else { &self.masked })
    }
}

/// Appends the visible text of a page, with a blank for each tag.
fn collect_text(html: &str, text: &mut Vec<u8>) {
    let (mut hidden, mut depth, mut is_image, mut is_source) = (None::<usize>, 0_u32, false, false);
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                text.push(b' ');
                is_image = name == b"img";
                match hidden {
                    // Only an end tag of the same element can end it, so only tags of that element are
                    // counted.
                    Some(element) => depth += u32::from(HIDDEN[element] == name),
                    None => (hidden, depth) = (HIDDEN.iter().position(|element| *element == name), 1),
                }
            }
            CallbackEvent::EndTag { name } => {
                text.push(b' ');
                if hidden.is_some_and(|element| HIDDEN[element] == name) {
                    depth -= 1;
                    hidden = hidden.filter(|_| depth > 0);
                }
            }
            CallbackEvent::AttributeName { name } => is_source = is_image && name == b"src",
            CallbackEvent::AttributeValue { value } if is_source && hidden.is_none() => {
                let path = value.split(|byte| *byte == b'?').next().unwrap_or_default();
                text.extend_from_slice(path.rsplit(|byte| *byte == b'/').next().unwrap_or_default());
                text.push(b' ');
            }
            CallbackEvent::String { value } if hidden.is_none() => text.extend_from_slice(value),
            _ => {}
        }
        None
    });
    // Scripts, styles and titles do not contain tags.
    emitter.naively_switch_states(true);
    // Reading a text cannot fail.
    let Ok(()) = Tokenizer::new_with_emitter(html, emitter).finish();
}

/// The bytes in which a page may declare its charset, as many as the HTML standard examines.
const HEAD: usize = 1024;

/// Returns the text of a page in its charset. The charset comes from its byte order mark, else from the
/// header, else from the page. Otherwise it is UTF-8 if the page is valid UTF-8, and else windows-1252.
fn decode<'b>(content_type: &str, body: &'b [u8]) -> Cow<'b, str> {
    let declared = || label(content_type.as_bytes()).or_else(|| label(&body[..body.len().min(HEAD)]));
    let encoding = match Encoding::for_bom(body) {
        Some((encoding, _)) => encoding,
        None => match declared() {
            Some(encoding) => encoding,
            None if std::str::from_utf8(body).is_ok() => UTF_8,
            None => WINDOWS_1252,
        },
    };
    // The mark is removed, and malformed bytes become U+FFFD.
    encoding.decode(body).0
}

/// Returns the encoding of the first `charset=` in a header or in the first bytes of a page.
fn label(text: &[u8]) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let start = memmem::find(&lower, b"charset")? + b"charset".len();
    let rest = lower[start..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let end = rest.iter().position(|byte| b"\"';/> \t\r\n".contains(byte)).unwrap_or(rest.len());
    Encoding::for_label(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(html: &str) -> u64 {
        TextDigester::default().digest(
            "https://www.a.example/page.html?q=term",
            "text/html; charset=utf-8",
            html.as_bytes(),
        )
    }

    #[test]
    fn invisible_text_does_not_count() {
        let page = digest("<title>T</title><p>One &amp; two");
        for same in [
            "<title>T</title> <p class=x>One &#38;\n two</p>",
            "<title>T</title><script>var a = '<p>';</script><p>One &amp; two<style>p {}</style>",
            "<title>T</title><!-- now --><template><b>x</b><template>y</template>z</template><p>One & two",
            "<title>T</title><noscript>no <b>script</b></noscript><p title=9>One & two",
        ] {
            assert_eq!(digest(same), page, "{same}");
        }
        for other in ["<title>U</title><p>One & two", "<title>T</title><p>One & two <img src=/a/b.png?c>"] {
            assert_ne!(digest(other), page, "{other}");
        }
    }

    #[test]
    fn volatile_text_is_masked() {
        for (one, other) in [
            ("5 minutes ago", "12 minutes ago"),
            ("vor 5 Minuten", "vor 1 Minute"),
            ("hace 3 días", "hace 1 día"),
            ("il y a 2 heures", "il y a 1 heure"),
            ("há 2 semanas", "há 1 semana"),
            ("2 часа назад", "5 часов назад"),
            ("3 giorni fa", "1 giorno fa"),
            ("منذ 5 دقائق", "منذ 12 دقائق"),
            ("5分钟前", "12 分钟前"),
            ("3 時間前", "4時間前"),
            ("at 10:20:30", "at 11:21"),
            ("in 0.123 s", "in 0.4567 s"),
            ("id 0123456789abcdef", "id fedcba9876543210"),
            ("ticket aB3dE5gH7jK9mN1pQ3sT", "ticket zB3dE5gH7jK9mN1pQ3sU="),
            ("no 12345678", "no 987654321"),
            ("see http://a.example/page.html?q=term", "see https://www.a.example/page.html?q=term"),
        ] {
            assert_eq!(digest(one), digest(other), "{one} / {other}");
        }
        for (one, other) in [
            ("5 apples", "6 apples"),
            ("page 12", "page 13"),
            ("facade", "decade"),
            ("2026年11月27日", "2026年11月28日"),
            ("version 1.2", "version 1.3"),
        ] {
            assert_ne!(digest(one), digest(other), "{one} / {other}");
        }
    }

    #[test]
    fn feeds_are_read_and_pages_without_text_are_bytes() {
        let feed = |guid| {
            format!("<rss><item><title>T</title><![CDATA[<p>One & two]]><guid id={guid}/></item></rss>")
        };
        assert_eq!(digest(&feed(1)), digest(&feed(2)));
        assert_ne!(digest(&feed(1)), digest("<rss><item><title>T</title></item></rss>"));
        assert_ne!(digest("<script>1</script>"), digest("<script>2</script>"));
    }

    #[test]
    fn charsets_do_not_change_the_digest_of_a_text() {
        let utf8 = digest("<p>Grüße");
        let latin = TextDigester::default().digest(
            "http://a.example/page.html",
            "text/html;charset=ISO-8859-1",
            b"<p>Gr\xfc\xdfe",
        );
        let meta = TextDigester::default().digest(
            "http://a.example/",
            "text/html",
            b"<meta charset=latin1><p>Gr\xfc\xdfe",
        );
        assert_eq!((latin, meta), (utf8, utf8));
    }
}
