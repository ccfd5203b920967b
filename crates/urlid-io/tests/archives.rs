//! Web archives, sitemaps and bookmarks as lines: recognised by content, however they are stored, read and
//! cut.

use std::io::{Cursor, Write};

use urlid::{Coded, Error, ErrorCode};
use urlid_archives::Records;
use urlid_archives::cdxj::Visits;
use urlid_io::lines::{Archives, Chunk, Input, LineOptions};
use urlid_testing::{gzip, warc_record, warc_record_of, zstd};

/// The lines of an input, a code where one is rejected, and the error after them.
type Seen = (Vec<Result<String, ErrorCode>>, Option<String>);

fn lines_of(input: Result<Input, Error>, options: LineOptions) -> Seen {
    let mut seen = Vec::new();
    let read = || -> Result<(), Error> {
        let mut lines = input?.lines(options);
        while let Some(line) = lines.next_line()? {
            assert_eq!(line.number as usize, seen.len() + 1);
            seen.push(line.text.map(str::to_owned).map_err(|error| error.code()));
        }
        Ok(())
    };
    let error = read().err().map(|error| format!("{}: {error}", error.code()));
    (seen, error)
}

/// Reads bytes as a stream with chunks of every size, and as a file in splits; returns what all of them see.
fn seen(bytes: &[u8]) -> Seen {
    let memory = || Input::from_reader(Cursor::new(bytes.to_vec()));
    let expected = lines_of(memory(), LineOptions::default());
    for chunk in [0, 1, 7, 100, 4096] {
        assert_eq!(lines_of(memory(), LineOptions { chunk, ..LineOptions::default() }), expected);
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(bytes).expect("there is room");
        let input = Input::open(file.path()).expect("it is there");
        let options = LineOptions { chunk, ..LineOptions::default() };
        let Ok(splits) = input.splits(options) else { continue };
        let (mut lines, mut chunk) = (Vec::new(), Chunk::new());
        for index in 0..splits.count() {
            splits.read(index, &mut chunk).expect("it is there");
            lines.extend(
                chunk.lines(1).map(|line| line.text.map(str::to_owned).map_err(|error| error.code())),
            );
        }
        assert_eq!((lines, None), expected);
    }
    expected
}

fn is(lines: &[&str]) -> Seen {
    (lines.iter().map(|line| Ok((*line).to_owned())).collect(), None)
}

fn archive() -> [Vec<u8>; 5] {
    let fields = [
        ("WARC-Type", "metadata"),
        ("WARC-Target-URI", "http://m/"),
        ("Content-Type", "application/warc-fields"),
    ];
    [
        warc_record(&[("WARC-Type", "warcinfo")], b"software: none\r\n"),
        warc_record_of("response", "<http://a/ x>", b"HTTP/1.1 200 OK\r\n\r\nWARC/1.0\r\n\r\n"),
        warc_record_of("request", "http://a/", b"GET / HTTP/1.1\r\n\r\n"),
        warc_record(&fields, b"via: http://b/\r\n"),
        warc_record_of("revisit", "dns:b.example", b""),
    ]
}

#[test]
fn a_warc_file_gives_the_urls_of_its_records() {
    let records = archive();
    let expected = is(&["http://a/ x", "dns:b.example"]);
    assert_eq!(seen(&records.concat()), expected);
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    assert_eq!(seen(&members), expected);
    let frames: Vec<u8> = records.iter().flat_map(|record| zstd(record)).collect();
    assert_eq!(seen(&frames), expected);
    assert_eq!(seen(&gzip(&records.concat())), expected);
    assert_eq!(seen(&[&b"\xef\xbb\xbf"[..], &records.concat()].concat()), expected);
    assert_eq!(seen(&gzip(&[&b"\xef\xbb\xbf\r\n"[..], &records.concat()].concat())), expected);
}

#[test]
fn the_types_of_records_can_be_chosen() {
    let file = archive().concat();
    let of = |records: &str| {
        let records: Records = records.parse().expect("they are types");
        lines_of(
            Input::from_reader(Cursor::new(file.clone())),
            LineOptions { archives: Archives::Urls(records), ..LineOptions::default() },
        )
    };
    assert_eq!(of("request,metadata"), is(&["http://a/", "http://m/"]));
    assert_eq!(of("all"), is(&["http://a/ x", "http://a/", "http://m/", "dns:b.example"]));
    assert_eq!(of("warcinfo"), is(&[]));
}

#[test]
fn a_malformed_record_is_an_error_after_the_good_ones() {
    let mut file = archive()[1].clone();
    let at = file.len();
    file.extend_from_slice(b"WARC/1.0\r\nWARC-Type: response\r\n\r\n");
    let (lines, error) = seen(&file);
    assert_eq!(lines, [Ok("http://a/ x".to_owned())]);
    let expected = format!("ERR_ARCHIVE: record 2 at byte {at} is malformed: it lacks a Content-Length");
    assert_eq!(error, Some(expected));
}

#[test]
fn a_warc_file_that_is_cut_is_an_error() {
    let stored: Vec<u8> = archive().iter().flat_map(|record| gzip(record)).collect();
    let (lines, error) = seen(&stored[..stored.len() - 1]);
    assert_eq!(lines[0], Ok("http://a/ x".to_owned()));
    assert!(error.expect("it is cut").starts_with("ERR_COMPRESSED: gzip data ends too early"));
    let plain = archive()[1].clone();
    let (lines, error) = seen(&plain[..plain.len() - 9]);
    assert_eq!(lines.len(), 1);
    assert!(error.expect("it is cut").contains("the file ends in its content"));
}

#[test]
fn an_index_gives_the_url_of_each_line() {
    let cdx = " CDX N b a m s k r M S V g\n\
               com,a)/ 20260102030405 http://a.com/ text/html 200 SHA - - 120 0 a.warc.gz\r\n\
               com,b)/ 20260102030405 http://b.com/ text/html 200 SHA - - 120 x\n\
               \n\
               com,c)/ 20260102030405 http://c.com/ text/html 200 SHA - - 120 0 a.warc.gz";
    let expected = (
        vec![
            Ok(String::new()),
            Ok("http://a.com/".to_owned()),
            Err(ErrorCode::Archive),
            Ok(String::new()),
            Ok("http://c.com/".to_owned()),
        ],
        None,
    );
    assert_eq!(seen(cdx.as_bytes()), expected);
    assert_eq!(seen(&gzip(cdx.as_bytes())), expected);
    let without_header = cdx.split_once('\n').expect("there is a header").1;
    assert_eq!(seen(without_header.as_bytes()).0, expected.0[1..]);
    let nine = "com,a)/ 20260102030405 http://a.com/ text/html 200 SHA - 0 a.warc.gz\n";
    assert_eq!(seen(nine.as_bytes()), is(&["http://a.com/"]));
}

/// Without a LF after it, a CR ends a line of an index as of any text. A byte order mark begins none.
#[test]
fn an_index_has_the_line_ends_and_the_mark_of_a_text() {
    let header = "[[\"urlkey\",\"timestamp\",\"original\"]";
    for (first, line) in [
        (" CDX N b a m s k r M S V g", "k 20260102030405 http://a.com/ t 200 A - - 1 2 f"),
        ("\tCDX\tN\tb\ta", "k\t20260102030405\thttp://a.com/"),
        ("", "k 20260102030405 http://a.com/ t 200 A - - 1 2 f"),
        ("", "k 20260102030405 http://a.com/ t 200 A 1"),
        ("", "k\t20260102030405\thttp://a.com/\tt\t200\tA\t-\t0\tf"),
        ("", "com,a)/ 20260102030405 {\"url\": \"http://a.com/\"}"),
        ("!OpenWayback-CDXJ 1.0", "(com,a,)/ 2026-01-02T03:04:05Z response {\"uri\":\"http://a.com/\"}"),
        ("{\"format\": \"json-pages-1.0\"}", "{\"url\": \"http://a.com/\"}"),
        (header, "[\"k\",\"20260102030405\",\"http://a.com/\"]"),
    ] {
        for count in [1, 2, 2_000] {
            for end in ["\n", "\r\n", "\r"] {
                let mut lines = vec![line; count];
                lines.splice(..0, (!first.is_empty()).then_some(first));
                let text = match first == header {
                    true => lines.join(&format!(",{end}")) + "]" + end,
                    false => lines.join(end) + end,
                };
                let mut expected = vec!["http://a.com/"; count];
                expected.splice(..0, (!first.is_empty()).then_some(""));
                assert_eq!(seen(text.as_bytes()), is(&expected), "{first}, {line}, {end:?}");
                assert_eq!(
                    seen(format!("\u{feff}{text}").as_bytes()),
                    is(&expected),
                    "{first}, {line}, {end:?}"
                );
            }
        }
    }
    let rows = format!("\u{feff}{header},[\"k\",\"1\",\"http://a.com/\"]]");
    assert_eq!(seen(rows.as_bytes()), is(&["", "http://a.com/"]));
    assert_eq!(seen(b"filedesc://x.arc\rhttp://a/\r\nb c"), is(&["filedesc://x.arc", "http://a/", "b c"]));
}

#[test]
fn the_last_row_before_an_error_is_whole() {
    let row = "[\"k\",\"1\",\"http://a.com/\"]";
    let rows = format!("[[\"urlkey\",\"timestamp\",\"original\"],\n{row},\n{row}]\n");
    for stored in [[gzip(rows.as_bytes()), b"no gzip".to_vec()], [zstd(rows.as_bytes()), b"no zstd".to_vec()]]
    {
        let (lines, error) = seen(&stored.concat());
        assert_eq!(lines, is(&["", "http://a.com/", "http://a.com/"]).0);
        assert!(error.is_some_and(|error| error.starts_with("ERR_COMPRESSED")));
    }
}

#[test]
fn zipnum_blocks_give_the_url_of_each_line() {
    let line = |n: u32| format!("com,a)/{n} 20260102030405 {{\"url\": \"http://a.com/{n}\\u00e9\"}}\n");
    let blocks: Vec<u8> =
        (0..3).flat_map(|block| gzip((line(2 * block) + &line(2 * block + 1)).as_bytes())).collect();
    let urls: Vec<String> = (0..6).map(|n| format!("http://a.com/{n}é")).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    assert_eq!(seen(&blocks), is(&urls));
}

#[test]
fn a_malformed_last_line_is_rejected_even_if_it_has_no_end() {
    let first = "com,a)/ 20260102030405 {\"url\": \"http://a.com/\"}\n";
    let (lines, _) = seen(format!("{first}x").as_bytes());
    assert_eq!(lines, [Ok("http://a.com/".to_owned()), Err(ErrorCode::Archive)]);
}

#[test]
fn lines_that_only_resemble_an_archive_stay_lines() {
    for text in ["WARC", "WAR\nWARC/1.0", "http://a/ 20260102030405 {", " CDX N b", "a 20260102030405 b c"] {
        let lines: Vec<&str> = text.lines().collect();
        let expected = is(&lines);
        match text {
            // A JSON object follows a key and a time: this is an index, and a malformed one.
            "http://a/ 20260102030405 {" => assert_eq!(seen(text.as_bytes()).0, [Err(ErrorCode::Archive)]),
            _ => assert_eq!(seen(text.as_bytes()), expected, "{text}"),
        }
    }
}

/// The URLs of the visits of an archive, as an index has them, and the error after them.
fn visited(file: &[u8]) -> Seen {
    let mut visits = Visits::new(Cursor::new(file), Records::default()).expect("memory can be read");
    let mut urls = Vec::new();
    loop {
        match visits.next_visit() {
            // An index escapes the blanks of a URL.
            Ok(Some(visit)) => urls.push(Ok(visit.url().unwrap_or_default().replace("%20", " "))),
            Ok(None) => return (urls, None),
            Err(error) => return (urls, Some(format!("{}: {error}", error.code()))),
        }
    }
}

/// Lines of a file whose reading continues after damage.
fn recovered(file: &[u8]) -> Seen {
    let mut stored = tempfile::NamedTempFile::new().expect("a temporary file");
    stored.write_all(file).expect("there is room");
    let mut input = Input::open(stored.path()).expect("it is there");
    input.recover(|loss| panic!("lost {loss:?}"));
    lines_of(Ok(input), LineOptions::default())
}

/// A record of ARC with a response, whose length may be wrong.
fn arc_record(url: &str, length: impl FnOnce(usize) -> usize, end: &str) -> Vec<u8> {
    let content =
        if url.starts_with(['h', 'H']) { "HTTP/1.0 200 OK\r\n\r\nhi" } else { "20050616090703\nhi" };
    let length = length(content.len());
    format!("{url} 192.0.2.1 20050616090703 text/html {length}\n{content}{end}").into_bytes()
}

#[test]
fn an_arc_file_has_one_answer_however_it_is_read() {
    let urls = "http://a.example/|https://b.example/x y|dns:c.example|ftp://d.example/f|gopher://e.example/|\
                whois://f.example/|mms://g.example/|HTTP://H.example/|news:i.example|mailto:j@k.example|urn:l:m|\
                wais://n.example/";
    let urls: Vec<&str> = urls.split('|').collect();
    let about = "1 0 test\nURL IP-address Archive-date Content-type Archive-length\n";
    let first = format!("filedesc://x.arc 0.0.0.0 20000101000000 text/plain {}\n{about}", about.len());
    // Of a record that an offset names, only the name of its file is missing.
    for first in [Some(first), None] {
        for end in ["", "\n", "\r\n", "\n\n"] {
            let description = first.iter().map(|first| [first.as_bytes(), end.as_bytes()].concat());
            let records: Vec<_> =
                description.chain(urls.iter().map(|url| arc_record(url, |length| length, end))).collect();
            let members =
                |store: fn(&[u8]) -> Vec<u8>| records.iter().flat_map(|record| store(record)).collect();
            for file in [records.concat(), members(gzip), members(zstd)] {
                assert_eq!(visited(&file), is(&urls), "{end:?}");
                assert_eq!(seen(&file), is(&urls), "{end:?}");
                assert_eq!(recovered(&file), is(&urls), "{end:?}");
            }
        }
    }
    for url in urls {
        for file in [arc_record(url, |length| length, ""), gzip(&arc_record(url, |length| length, "\n"))] {
            assert_eq!((seen(&file), visited(&file)), (is(&[url]), is(&[url])), "{url}");
        }
    }
}

#[test]
fn a_wrong_length_of_an_arc_record_is_an_error() {
    let about = b"filedesc://x.arc 0.0.0.0 20000101000000 text/plain 9\n1 0 test\n".to_vec();
    for wrong in [-9, -2, -1, 1, 2, 3, 4, 5, 8, 20] {
        let first = arc_record("http://a.example/", |length| length.saturating_add_signed(wrong), "");
        for url in ["http://b.example/", "https://b.example:80/", "mms://b.example/"] {
            let file = [&about[..], &first, &arc_record(url, |length| length, "\n")].concat();
            let (lines, error) = seen(&file);
            assert_eq!(lines, is(&["http://a.example/"]).0, "{wrong} {url}");
            let error = error.expect("the length is wrong");
            assert!(error.contains("expected a line end after the content before it, found `"), "{error}");
            assert_eq!(visited(&file).1.as_deref(), Some(error.as_str()));
        }
    }
}

#[test]
fn an_archive_can_be_read_as_text() {
    let options = LineOptions { archives: Archives::Text, ..LineOptions::default() };
    for text in ["WARC/1.0\nx", "com,a)/ 20260102030405 {\"url\": \"http://a.com/\"}\nx"] {
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines_of(Input::from_reader(Cursor::new(text)), options), is(&lines));
    }
}

const SITEMAP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
   <url>
      <loc>http://www.example.com/</loc>
      <lastmod>2005-01-01</lastmod>
      <changefreq>monthly</changefreq>
      <priority>0.8</priority>
   </url>
   <url>
      <loc>http://www.example.com/catalog?item=12&amp;desc=vacation_hawaii</loc>
   </url>
   <url>
      <loc>
        http://www.example.com/&#252;mlat
      </loc>
   </url>
</urlset>
"#;

const LOCATIONS: [&str; 3] = [
    "http://www.example.com/",
    "http://www.example.com/catalog?item=12&desc=vacation_hawaii",
    "http://www.example.com/\u{fc}mlat",
];

/// Returns a sitemap with these elements in its root.
fn urlset(elements: &str) -> String {
    format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{elements}</urlset>")
}

#[test]
fn a_sitemap_gives_the_text_of_each_location() {
    let expected = is(&LOCATIONS);
    assert_eq!(seen(SITEMAP.as_bytes()), expected);
    assert_eq!(seen(&gzip(SITEMAP.as_bytes())), expected);
    assert_eq!(seen(&zstd(SITEMAP.as_bytes())), expected);
    assert_eq!(seen(format!("\u{feff}\n {SITEMAP}").as_bytes()), expected);
    let utf16: Vec<u8> = format!("\u{feff}{}", SITEMAP.replace("UTF-8", "UTF-16"))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(seen(&utf16), expected);
    // Files and members that were joined are read one after the other.
    let twice = is(&[LOCATIONS, LOCATIONS].concat());
    assert_eq!(seen(&[SITEMAP, "\u{feff}", SITEMAP].concat().into_bytes()), twice);
    assert_eq!(seen(&gzip(SITEMAP.as_bytes()).repeat(2)), twice);
    let prefixed = SITEMAP.replace("</", "</s:").replace('<', "<s:").replace("<s:/s:", "</s:");
    let prefixed = prefixed.replace("<s:?", "<?").replace("xmlns=", "xmlns:s=");
    assert_eq!(seen(prefixed.as_bytes()), expected);
    let index = SITEMAP.replace("urlset", "sitemapindex").replace("url>", "sitemap>");
    assert_eq!(seen(index.as_bytes()), expected);
    let without = SITEMAP.replace(" xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"", "");
    assert_eq!(seen(without.as_bytes()), expected);
    let with_style = SITEMAP.replacen(
        "?>",
        "?><!-- made <by> hand --><?xml-stylesheet href='s.xsl'?><!DOCTYPE urlset [<!ENTITY e 'x>'>]>",
        1,
    );
    assert_eq!(seen(with_style.as_bytes()), expected);
    let options = LineOptions { archives: Archives::Text, ..LineOptions::default() };
    let lines: Vec<&str> = SITEMAP.lines().collect();
    assert_eq!(lines_of(Input::from_reader(Cursor::new(SITEMAP)), options), is(&lines));
}

#[test]
fn a_location_is_read_as_xml() {
    let text = |text: &str| Ok::<_, ErrorCode>(text.to_owned());
    for (element, expected) in [
        ("<loc>http://a/&#x26;&lt;&gt;&quot;&apos;&amp;amp;</loc>", text("http://a/&<>\"'&amp;")),
        ("<loc>http://<![CDATA[a/?b&c]]><![CDATA[&amp;<d]]></loc>", text("http://a/?b&c&amp;<d")),
        ("<loc>http://a/<!-- b --><?c?>d</loc>", text("http://a/d")),
        ("<loc> http://a/b\n\t c\r\n</loc>", text("http://a/b c")),
        ("<loc>http://a/&#10;b</loc>", text("http://a/ b")),
        ("<loc xml:lang='en' >http://a/</loc >", text("http://a/")),
        ("<loc/>", text("")),
        ("<loc> \n </loc>", text("")),
        ("<loc>http://a/\u{feff}\u{efff}</loc>", text("http://a/\u{feff}\u{efff}")),
        ("<loc>http://a/&b;</loc>", Err(ErrorCode::Archive)),
        ("<loc>http://a/?b=1&c=2</loc>", Err(ErrorCode::Archive)),
        ("<loc>http://a/&#xd800;</loc>", Err(ErrorCode::Archive)),
        ("<loc>http://a/&nbsp;&amp;</loc>", Err(ErrorCode::Archive)),
        ("<loc>http://<b>a</b>/</loc>", Err(ErrorCode::Archive)),
        ("<loc>http://a/<loc>http://b/</loc></loc>", Err(ErrorCode::Archive)),
        ("<loc>http://a/\u{ffff}</loc>", Err(ErrorCode::Utf8)),
        ("<loc>http://a/&#xffff;</loc>", text("http://a/\u{ffff}")),
    ] {
        let file = urlset(&format!("<url>{element}</url><url><loc>http://z/</loc></url>"));
        assert_eq!(seen(file.as_bytes()), (vec![expected, text("http://z/")], None), "{element}");
    }
    let mut file = urlset("<url><loc>http://a/\u{fc}\u{fd}</loc><loc>http://z/</loc></url>").into_bytes();
    let at = file.windows(2).position(|bytes| bytes == "\u{fc}".as_bytes()).expect("it is there");
    file.remove(at);
    assert_eq!(seen(&file).0, [Err(ErrorCode::Utf8), text("http://z/")]);
}

#[test]
fn other_locations_are_left_out_by_their_namespace() {
    let file = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"
        xmlns:v="http://www.google.com/schemas/sitemap-video/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml"
        xmlns:same="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>http://a/</loc><i:image><i:loc>http://a/i.png</i:loc></i:image><v:player_loc>http://v/</v:player_loc>
        <xhtml:link rel="alternate" href="http://a/de"/></url>
        <url><same:loc>http://b/</same:loc><loc xmlns="http://x/">http://x/</loc><none:loc>http://n/</none:loc></url></urlset>"#;
    assert_eq!(seen(file.as_bytes()), is(&["http://a/", "http://b/"]));
}

#[test]
fn a_sitemap_that_is_not_utf8_is_rejected_by_name() {
    let file = |name: &str| {
        let declaration = format!("<?xml version='1.0' encoding='{name}'?>");
        [declaration.as_bytes(), urlset("<loc>http://a/\u{fc}</loc><loc>http://z/</loc>").as_bytes()].concat()
    };
    for name in ["UTF-8", "utf8", "UTF-16", "us-ascii"] {
        assert_eq!(seen(&file(name)), is(&["http://a/\u{fc}", "http://z/"]), "{name}");
    }
    for name in ["ISO-8859-1", "windows-1251", "UTF-7", "\u{1b}"] {
        let (lines, error) = seen(&file(name));
        let shown = name.replace('\u{1b}', "\\u{1b}");
        let expected = format!("ERR_ARCHIVE: sitemap is in the encoding `{shown}`: expected UTF-8 or UTF-16");
        assert_eq!((lines, error), (vec![], Some(expected)));
    }
}

#[test]
fn a_malformed_sitemap_is_an_error_after_its_good_locations() {
    let good = "<url><loc>http://a/</loc></url>";
    let root = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";
    let deep = format!("{}{}", "<x>".repeat(10_000), "</x>".repeat(10_000));
    let comment = format!("<!--{}-->", "x".repeat(2 << 20));
    let bound: String = (0..200).map(|n| format!(" xmlns:n{n}='u'")).collect();
    for (rest, found) in [
        ("", "the file ends in an element"),
        ("<url><loc>http://b", "the file ends in an element"),
        ("<url><loc>http://b/</loc", "a tag, comment or section is malformed or not closed"),
        ("<!-- <loc>", "a tag, comment or section is malformed or not closed"),
        ("<!x>", "a tag, comment or section is malformed or not closed"),
        ("<url><loc>http://b/</url>", "an end tag is not that of the open element"),
        ("</urlset></urlset>", "an end tag is not that of the open element"),
        ("</urlset>x", "text is outside of the root"),
        ("</urlset>&amp;", "text is outside of the root"),
        ("</urlset><![CDATA[x]]>", "text is outside of the root"),
        ("</urlset><html/>", "the root element is not `urlset` or `sitemapindex`"),
        ("</urlset><urlset xmlns='http://x/'/>", "the root element is not `urlset` or `sitemapindex`"),
        (&deep, "more than 100 elements are nested"),
        (&comment, "a tag, comment or section is longer than 1 MiB"),
        (&format!("<url{bound}/>"), "a namespace cannot be declared so"),
    ] {
        let (lines, error) = seen(format!("{root}{good}{rest}").as_bytes());
        assert_eq!(lines, [Ok("http://a/".to_owned())], "{found}");
        let error = error.expect("it is malformed");
        assert!(
            error.starts_with("ERR_ARCHIVE: sitemap is malformed at byte ") && error.ends_with(found),
            "{error}: {found}"
        );
    }
    let (_, error) = seen(format!("{root}{good}<a></b>").as_bytes());
    let at = root.len() + good.len() + "<a></b>".len();
    let expected = format!("sitemap is malformed at byte {at}: an end tag is not that of the open element");
    assert!(error.expect("it is malformed").ends_with(&expected), "{expected}");
    let stored = gzip(SITEMAP.as_bytes());
    let (lines, error) = seen(&stored[..stored.len() - 20]);
    assert!(error.expect("it is cut").starts_with("ERR_COMPRESSED: gzip data ends too early"));
    assert_eq!(lines[0], Ok(LOCATIONS[0].to_owned()));
}

#[test]
fn entities_of_a_sitemap_are_never_expanded() {
    let levels: String = (1..9)
        .map(|level| format!("<!ENTITY l{level} '{}'>", format!("&l{};", level - 1).repeat(10)))
        .collect();
    let file = format!(
        "<!DOCTYPE urlset [<!ENTITY l0 'http://evil/'>{levels}<!ENTITY x SYSTEM 'file:///etc/passwd'>]>{}",
        urlset("<loc>&l8;</loc><loc>http://a/&x;</loc><loc>http://a/</loc>")
    );
    let expected = vec![Err(ErrorCode::Archive), Err(ErrorCode::Archive), Ok("http://a/".to_owned())];
    assert_eq!(seen(file.as_bytes()), (expected, None));
}

#[test]
fn only_the_long_location_is_rejected() {
    let long = "x".repeat(200 << 10);
    let blank = " ".repeat(200 << 10);
    for location in [
        format!("http://a/{long}"),
        format!("{long}&amp;{long}"),
        format!("{blank}http://a/"),
        format!("&{long}"),
        format!("<![CDATA[{long}]]>"),
        format!("http://a/<!-- x -->{long}"),
        "&amp;".repeat(3),
        "http://ab/ ".into(),
        " http://ab/".into(),
        "http://ab/\r".into(),
        "http:// \tb/".into(),
        "<![CDATA[http://ab/]]> ".into(),
    ] {
        let file = urlset(&format!("<loc>{location}</loc><loc>http://z/</loc>"));
        let options = LineOptions { max_line: 10, ..LineOptions::default() };
        let (lines, error) = lines_of(Input::from_reader(Cursor::new(file)), options);
        assert_eq!((lines, error), (vec![Err(ErrorCode::LineLen), Ok("http://z/".to_owned())], None));
    }
    for location in ["http://ab/", "http://a/ ", "http://a/\n", " http:/b/ "] {
        let options = LineOptions { max_line: 10, ..LineOptions::default() };
        let (lines, _) =
            lines_of(Input::from_reader(Cursor::new(urlset(&format!("<loc>{location}</loc>")))), options);
        assert_eq!(lines, [Ok(location.trim().to_owned())]);
    }
    // White space around a location does not count.
    let file = urlset(&format!("<loc>{blank}http://a/{blank}</loc>"));
    assert_eq!(seen(file.as_bytes()), is(&["http://a/"]));
}

#[test]
fn other_xml_and_lists_in_angle_brackets_stay_lines() {
    for text in [
        "<https://a/>\n<https://b/>",
        "<urlset",
        "<urlsets/>\nhttp://a/",
        "<urlset xmlns='http://x/'>\n</urlset>",
        "<x:urlset><x:url/></x:urlset>",
        "<!-- <urlset> -->\nhttp://a/",
        "<!DOCTYPE html>\n<a href='http://a/'>",
        "<!DOCTYPE NETSCAPE>\nhttp://a/",
        "http://a/<urlset>",
        "</urlset>",
        "<![CDATA[x]]><urlset/>",
        "<",
    ] {
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(seen(text.as_bytes()), is(&lines), "{text}");
    }
    let late = format!("<!--{}-->{SITEMAP}", "x".repeat(5 << 10));
    assert_eq!(seen(late.as_bytes()).0.len(), late.lines().count());
}

const BOOKMARKS: &str = r#"<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>
<DL><p>
    <DT><H3 ADD_DATE="1700000000" PERSONAL_TOOLBAR_FOLDER="true">Bar</H3>
    <DL><p>
        <DT><A HREF="https://example.com/?a=1&amp;b=2&copy=3" ADD_DATE="1700000000" ICON="data:image/png;base64,AA==">A &lt;a href=http://no/></A>
        <DT><A ADD_DATE="1" href=http://b/ HREF="http://second/">B</A>
        <DT><A HREF="javascript:(function(){&#10;alert(1)})()">J</A>
        <DT><A HREF="place:sort=8&maxResults=10">Most</A>
        <DT><A HREF="">none</A>
        <DT><A HREF="" HREF="http://no/">none</A><A HREF HREF="http://no/">none</A><A HREF=''>none</A>
        <DT><A ID=x HREF ADD_DATE="1" HREF=http://no/>none</A><A HREF HREF HREF=http://no/>none</A><A HREF="&#10;">none</A>
        <DT><A NAME="x" FEEDURL="http://feed/">no</A><B HREF="http://no/">no</B></A HREF="http://no/">
    </DL><p>
</DL><p>
"#;

#[test]
fn bookmarks_give_the_address_of_each_link() {
    let urls = [
        "https://example.com/?a=1&b=2&copy=3",
        "http://b/",
        "javascript:(function(){alert(1)})()",
        "place:sort=8&maxResults=10",
    ];
    assert_eq!(seen(BOOKMARKS.as_bytes()), is(&urls));
    assert_eq!(seen(&gzip(BOOKMARKS.as_bytes())), is(&urls));
    assert_eq!(seen(format!("\u{feff}\r\n{}", BOOKMARKS.to_lowercase()).as_bytes()).0.len(), 4);
    let long = "x".repeat(200 << 10);
    let start = "<!DOCTYPE NETSCAPE-Bookmark-file-1>";
    let file =
        format!("{start}<{long} {long}='{long}'><!--{long}--><A HREF='{long}'>{long}<A HREF=http://z/>");
    let options = LineOptions { max_line: 10, ..LineOptions::default() };
    let (lines, error) = lines_of(Input::from_reader(Cursor::new(file)), options);
    assert_eq!((lines, error), (vec![Err(ErrorCode::LineLen), Ok("http://z/".to_owned())], None));
    let mut file = format!("{start}<A HREF='http://a/?'><A HREF='http://z/'>").into_bytes();
    let at = file.iter().position(|byte| *byte == b'?').expect("it is there");
    file[at] = 0xff;
    assert_eq!(seen(&file).0, [Err(ErrorCode::Utf8), Ok("http://z/".to_owned())]);
    let cut = format!("{start}<A HREF='http://a/'><A HREF='http://b/");
    let expected =
        format!("ERR_ARCHIVE: list of bookmarks is malformed at byte {}: the file ends in a tag", cut.len());
    assert_eq!(seen(cut.as_bytes()), (vec![Ok("http://a/".to_owned())], Some(expected)));
}
