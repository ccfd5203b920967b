//! What files of templates say, and what they reject. `vectors/functions.json` has more assignments.

use super::*;

use urlid::Place;

#[test]
fn a_segment_has_the_shape_that_the_page_says() {
    for (segment, class) in [
        ("7", "{int}"),
        ("0b9c7b1e-4b1f-4d56-9f0c-1d4cf8a1d0aa", "{uuid}"),
        ("0b9c7b1e4b1f4d569f0c1d4cf8a1d0aa", "{uuid}"),
        ("4f2a9bc", "{hash}"),
        ("1234567890ab", "{hash}"),
        ("2026-05", "{date}"),
        ("2026-05-31T10:00:00Z", "{date}"),
        ("v1.10", "{ver}"),
        ("1.2.3.zip", "{ver}.archive"),
        ("eyJhbGciOiJIUzI1NiJ9", "{token}"),
        ("issue19", "issue{int}"),
        ("a-b7c.html", "{}.html"),
        ("a-b-7.html", "a-b-{int}.html"),
        ("cat.PNG", "{}.image"),
        ("a.b", "{}"),
        (".env", "{}"),
        ("v1beta1", "{}"),
        ("decade", "{}"),
        ("@anna", "@{}"),
        ("~7", "~{int}"),
        ("Talk:Main_Page", "Talk:{}"),
        ("Talk:7.json", "Talk:{int}.json"),
        ("%D0%9E:x", "%D0%9E:{}"),
        ("http:%2F%2Fx", "{}"),
        ("%E4%BD%A0", "{}"),
        ("%", "{}"),
    ] {
        let shape = SegmentShape::new(segment, true);
        let number = matches!(shape.look, SegmentLook::Numbered(_));
        let class_of = if number { SegmentClass::Int } else { shape.class };
        let prefix = [&*shape.prefix, &*shape.letters].concat();
        let mut text = String::new();
        ClassSegment { prefix: prefix.into(), class: class_of, extension: shape.extension }.write(&mut text);
        assert_eq!(text, class, "{segment}");
        let file = format!("urlid-templates 1\n[h.example]\n/{class}\n");
        let templates = Templates::parse(&file).unwrap_or_else(|error| panic!("{segment}: {error}"));
        let url = format!("http://h.example/{segment}");
        assert_eq!(templates.assign(&url), Ok(Some(format!("h.example/{class}"))), "{segment}");
    }
}

#[test]
fn a_name_depends_only_on_the_templates() {
    let text = "urlid-templates 1\n[a.example]\n/\n/a/{int}\n/a?b=1&c={}\n[h.example]\n/{*}\n";
    for body in [
        "# by hand\n[h.example] # why\n/{*}\n[A.example]\n/a?c={}&b=1  # n=3 http://a.example/\n/\n/a/{int}\n",
        "[a.example]\n/a/{int}\n[g.example]\n[h.example]\n/{*}\n[a.example]\n/\n/\n/a?b=1&c={}",
    ] {
        let templates = Templates::parse(&format!("urlid-templates 1\n{body}")).expect("a file");
        assert_eq!(templates.text(), text);
        let named = text.replacen("1\n", &format!("1 {}\n", templates.name()), 1);
        assert_eq!(Templates::parse(&named), Ok(templates));
    }
}

#[test]
fn a_literal_comes_before_a_class_and_a_class_before_any() {
    let lines = ["/a/me", "/a/{int}", "/a/{}.html", "/a/{}", "/a/@{}", "/a/x{int}"];
    let file = lines.iter().fold("urlid-templates 1\n[h]\n".to_owned(), |file, line| file + line + "\n");
    let templates = Templates::parse(&file).expect("a file");
    for (segment, line) in [
        ("me", 0),
        ("7", 1),
        ("7.html", 2),
        ("me.html", 2),
        ("you", 3),
        ("7.png", 1),
        ("@me", 4),
        ("x7", 5),
        ("y7", 3),
    ] {
        let url = format!("http://h/a/{segment}");
        assert_eq!(templates.assign(&url), Ok(Some(["h", lines[line]].concat())), "{segment}");
    }
}

#[test]
fn a_class_with_the_prefix_or_the_extension_comes_before_one_without() {
    let digest = "sha256:0123456789abcdef";
    for (segment, order) in [
        ("Talk:7.html", &["Talk:{int}.html", "Talk:{}.html", "{}.html", "Talk:{int}", "Talk:{}", "{}"][..]),
        ("Talk:x7", &["Talk:x{int}", "Talk:{}", "{}"]),
        ("~7", &["~{int}", "~{}", "{}"]),
        (digest, &["sha256:{hash}", "sha256:{}", "{token}", "{}"]),
        ("x7.png", &["x{int}.image", "{}.image", "x{int}", "{}"]),
    ] {
        for first in 0..order.len() {
            let lines = order[first..].iter().fold(String::new(), |lines, class| lines + "/" + class + "\n");
            let file = ["urlid-templates 1\n[h]\n", &lines].concat();
            let template = Templates::parse(&file).expect("a file").assign(&["http://h/", segment].concat());
            assert_eq!(template, Ok(Some(["h/", order[first]].concat())), "{segment}");
        }
    }
}

#[test]
fn a_line_that_is_not_a_template_is_an_error_with_its_number() {
    for (body, line) in [
        ("/a", 2),
        ("[h/a/]\n", 2),
        ("[*]\n", 2),
        ("[www.h.example]\n", 2),
        ("[h.example:80]\n", 2),
        ("[user@h.example]\n", 2),
        ("[h]\na", 3),
        ("[h]\n/a b", 3),
        ("[h]\n/a\r\n", 3),
        ("[h]\n//a", 3),
        ("[h]\n/{*}/a", 3),
        ("[h]\n/{*}?a={}", 3),
        ("[h]\n/{word}", 3),
        ("[h]\n/a{uuid}", 3),
        ("[h]\n/{}.foo", 3),
        ("[h]\n/foo.{}", 3),
        ("[h]\n/a}", 3),
        ("[h]\n/a/..", 3),
        ("[h]\n/%2e/a", 3),
        ("[h]\n/a\\b", 3),
        ("[h]\n/a#b", 3),
        ("[h]\n/?a=b#c", 3),
        ("[h]\n/?={}", 3),
        ("[h]\n/?a", 3),
        ("[h]\n/?a={int}", 3),
        ("[h]\n/?a={}&a=1", 3),
        (&format!("[h]\n{}", "/a".repeat(65)), 3),
    ] {
        let error = Templates::parse(&format!("urlid-templates 1\n{body}")).expect_err(body);
        assert_eq!(
            (error.code(), error.place()),
            (urlid::ErrorCode::ListLine, Some(Place::Number(line))),
            "{body}"
        );
    }
    for head in ["", "urlid-templates 2", "urlid-rules 1", "urlid-templates 1 templates-00000000"] {
        let error = Templates::parse(head).expect_err(head);
        assert_eq!(error.place(), Some(Place::Number(1)), "{head}");
    }
    assert!(Templates::parse(&format!("urlid-templates 1\n[h]\n{}", "/a".repeat(64))).is_ok());
}

#[test]
fn each_of_many_classes_at_a_place_is_found() {
    let letters = |number: usize| -> String {
        (0..4).map(|place| char::from(b'g' + (number >> (4 * place) & 15) as u8)).collect()
    };
    let lines: String = (0..20_000)
        .map(|number| format!("/a/{}{{int}}\n/a/{}{{int}}/b\n", letters(number), letters(number)))
        .collect();
    let templates =
        Templates::parse(&format!("urlid-templates 1\n[h]\n/a/{{}}\n/a/{{int}}\n/a/a:{{int}}\n{lines}"))
            .expect("a file");
    for number in (0..20_000).step_by(97) {
        let url = format!("http://h/a/{}{number}/b", letters(number));
        assert_eq!(templates.assign(&url), Ok(Some(format!("h/a/{}{{int}}/b", letters(number)))));
    }
    for (segment, class) in [("7", "{int}"), ("zzzz7", "{}"), ("a:7", "a:{int}"), ("b:7", "{}")] {
        assert_eq!(templates.assign(&format!("http://h/a/{segment}")), Ok(Some(format!("h/a/{class}"))));
    }
}

#[test]
fn a_long_url_costs_its_length() {
    let templates = Templates::parse("urlid-templates 1\n[h]\n/a/{}/{}\n/a?b={}&c={}\n").expect("a file");
    let deep = format!("http://h{}", "/a".repeat(10_000));
    assert_eq!(templates.assign(&deep), Ok(Some("h/a/{}/{}/{*}".to_owned())));
    let wide = (0..100_000).fold("http://h/a?b=1".to_owned(), |url, field| format!("{url}&f{field}=1"));
    assert_eq!(templates.assign(&wide), Ok(Some("h/a?b={}&c={}".to_owned())));
}

#[test]
fn literals_are_written_as_urls_have_them() {
    let lines = [
        "[MÜNCHEN.example]",
        "/ä/{int}",
        "/ä:{}",
        "/a|b",
        "/a\"b",
        "/a'b?ö={}&p='",
        "/%7Eb",
        "[0x7f.1]",
        "/",
        "[[::1]]",
        "/a",
    ];
    let file = ["urlid-templates 1"].iter().chain(&lines).copied().collect::<Vec<_>>().join("\n");
    let templates = Templates::parse(&file).expect("a file");
    let canonical = [
        "urlid-templates 1",
        "[127.0.0.1]",
        "/",
        "[[::1]]",
        "/a",
        "[xn--mnchen-3ya.example]",
        "/%7Eb",
        "/%C3%A4/{int}",
        "/%C3%A4:{}",
        "/a%22b",
        "/a'b?%C3%B6={}&p=%27",
        "/a|b",
        "",
    ]
    .join("\n");
    assert_eq!(templates.text(), canonical);
    assert_eq!(Templates::parse(&canonical).as_ref(), Ok(&templates));
    for (url, template) in [
        ("http://u:p@www.münchen.example:8080/ä/7", "xn--mnchen-3ya.example/%C3%A4/{int}"),
        ("http://münchen.example/ä:x", "xn--mnchen-3ya.example/%C3%A4:{}"),
        ("http://münchen.example/a|b#x", "xn--mnchen-3ya.example/a|b"),
        ("http://münchen.example/a\"b", "xn--mnchen-3ya.example/a%22b"),
        ("http://münchen.example/a'b?p='&ö=1", "xn--mnchen-3ya.example/a'b?%C3%B6={}&p=%27"),
        ("http://127.1/", "127.0.0.1/"),
        ("http://[0:0::1]:80/a", "[::1]/a"),
    ] {
        assert_eq!(templates.assign(url), Ok(Some(template.to_owned())), "{url}");
    }
}

#[test]
fn the_lines_of_a_file_have_their_comments() {
    let mut lines = Vec::new();
    let text = "urlid-templates 1\n# a\n[[::1]] # b\n/ä\t# n=3 x #y\n/a\n  /b  #c  \n";
    let read = Templates::parse_with(text, &mut |host, line, comment| {
        lines.push([host, line, comment].join(" "));
    });
    assert_eq!(read.map(|templates| templates.text().len()), Ok(40));
    assert_eq!(lines, ["[::1] /%C3%A4 n=3 x #y", "[::1] /a ", "[::1] /b c"]);
}
