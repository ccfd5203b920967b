//! `uniq` and `count` give what sorting the output of `canon` and `parts` gives, with any memory and any
//! input.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use crate::support::{Folder, command, finish, urlid, urlid_on};

/// URLs of few hosts and paths, many of which are the same under some form, and some lines that are rejected
/// or blank.
fn lines() -> Vec<String> {
    let hosts = [
        "h.example",
        "www.h.example",
        "H.example:80",
        "a.co.uk",
        "b.a.co.uk",
        "[::1]",
        "1.2.3.4",
        "sub.github.io",
    ];
    let paths = ["", "/", "/a/../b", "/b", "/b?x=1&y=2", "/b?y=2&x=1", "/%62#f", "/é"];
    let mut lines = Vec::new();
    // A step that shares no divisor with the number of pairs visits each of them, many times, in no obvious
    // order.
    for step in 0_usize..600 {
        let pair = step * 37 % 129;
        lines.push(match pair {
            64.. if pair % 9 == 0 => String::new(),
            64.. if pair % 7 == 0 => format!("no url {step}"),
            _ => format!("{}://{}{}", ["http", "https"][pair / 64 % 2], hosts[pair / 8 % 8], paths[pair % 8]),
        });
    }
    lines
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The first line of each canonical form that `canon` prints, and how many lines have it.
fn first_lines(lines: &[String], form: &str) -> Vec<(String, u64)> {
    let canonical = urlid_on(text(lines).as_bytes(), ["canon", "--as", form]).out;
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut first: Vec<(String, u64)> = Vec::new();
    for (line, canonical) in
        lines.iter().zip(canonical.lines()).filter(|(_, canonical)| !canonical.is_empty())
    {
        match places.get(canonical) {
            Some(&place) => first[place].1 += 1,
            None => {
                places.insert(canonical, first.len());
                first.push((line.clone(), 1));
            }
        }
    }
    first
}

#[test]
fn uniq_prints_the_first_line_of_each_form_with_any_memory() {
    let lines = lines();
    for form in ["web", "surt-0.3.1", "web+drop-fragment", "hashed-n"] {
        let expected = first_lines(&lines, form);
        assert!(expected.len() > 20 && expected.len() < 200, "{form}: {}", expected.len());
        let plain: String = expected.iter().map(|(line, _)| format!("{line}\n")).collect();
        let counted: String = expected.iter().map(|(line, count)| format!("{line}\t{count}\n")).collect();
        for memory in ["1", "300", "2K", "20K", "256M"] {
            let options = ["uniq", "--as", form, "--memory", memory, "--invalid", "skip"];
            let ran = urlid_on(text(&lines).as_bytes(), options);
            assert_eq!((ran.code, &ran.out), (Some(0), &plain), "{form}, {memory}");
            let ran = urlid_on(text(&lines).as_bytes(), [&options[..], &["--counts"]].concat());
            assert_eq!((ran.code, &ran.out), (Some(0), &counted), "{form}, {memory}, counted");
        }
    }
}

#[test]
fn count_is_the_number_of_lines_of_each_part() {
    let lines = lines();
    let parts = urlid_on(text(&lines).as_bytes(), ["parts", "--format", "ndjson", "--invalid", "skip"]).out;
    let rows: Vec<Value> = parts.lines().map(|row| serde_json::from_str(row).expect("it is JSON")).collect();
    let rows: Vec<&Value> = rows.iter().filter(|row| row["url"] != "").collect();
    let help = urlid(["count", "--help"]).out;
    for part in [
        "scheme",
        "user",
        "host",
        "host_kind",
        "port",
        "sub",
        "domain",
        "tld",
        "registered_domain",
        "path",
        "file",
        "query",
        "fragment",
        "origin",
    ] {
        assert!(help.contains(part), "{part}");
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for row in &rows {
            let value = &row[part];
            let value = value.as_str().map_or_else(|| value.to_string().replace("null", ""), str::to_owned);
            *counts.entry(value).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let expected: Vec<_> = counts.iter().map(|(value, count)| format!("{value}\t{count}")).collect();
        for memory in ["1", "2K", "256M"] {
            let ran = urlid_on(
                text(&lines).as_bytes(),
                ["count", "--by", part, "--memory", memory, "--invalid", "skip"],
            );
            let found: Vec<_> = ran.out.lines().collect();
            assert_eq!(
                (ran.code, found),
                (Some(0), expected.iter().map(String::as_str).collect()),
                "{part}, {memory}"
            );
        }
        let ran =
            urlid_on(text(&lines).as_bytes(), ["count", "--by", part, "--limit", "2", "--invalid", "skip"]);
        assert_eq!(ran.out.lines().collect::<Vec<_>>(), expected[..expected.len().min(2)], "{part}");
    }
    urlid_on(text(&lines).as_bytes(), ["count", "--invalid", "skip", "-q"])
        .is_quiet(0, &format!("{}\n", rows.len()));
}

#[test]
fn values_that_come_again_after_many_others_are_counted_whole() {
    // Workers hand their counts over at 8,192 values, and with a byte of memory each count is a run.
    let lines: String = (0..3).flat_map(|_| 0..10_000).map(|n| format!("https://h{n}.example/\n")).collect();
    for memory in ["1", "64K", "256M"] {
        let ran = urlid_on(lines.as_bytes(), ["count", "--by", "host", "--memory", memory]);
        let whole = ran.out.lines().filter(|row| row.ends_with("\t3")).count();
        assert_eq!((whole, ran.out.lines().count()), (10_000, 10_000), "{memory}");
    }
}

/// A caller that writes a line to a pipe gets its answer before it writes the next.
#[test]
fn uniq_answers_each_line_at_once() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let mut child = command()
        .arg("uniq")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program is there");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("it is a pipe"));
    for (line, answer) in [
        ("http://a.example\n", "http://a.example\n"),
        ("http://a.example/\nhttp://b.example\n", "http://b.example\n"),
    ] {
        stdin.write_all(line.as_bytes()).expect("it reads");
        let mut got = String::new();
        stdout.read_line(&mut got).expect("it answers");
        assert_eq!(got, answer);
    }
    drop(stdin);
    assert!(child.wait().expect("it was started").success());
}

#[test]
fn files_of_the_sort_that_cannot_be_written_are_a_failure() {
    let missing = Folder::new().path().join("none");
    let input = text(&lines());
    for verb in [&["uniq", "--memory", "1"][..], &["count", "--by", "path", "--memory", "1"]] {
        let folder = Folder::new();
        let file = folder.file("urls.txt", &input);
        let ran = finish(command().args(verb).arg(&file).args(["--invalid", "skip"]).env("TMPDIR", &missing));
        assert_eq!(ran.code, Some(4), "{}", ran.err);
        assert!(ran.err.contains("ERR_IO"), "{}", ran.err);
    }
}

/// The site of a line, as `parts` has it.
fn sites(lines: &[(String, u64)]) -> Vec<String> {
    let lines: Vec<String> = lines.iter().map(|(line, _)| line.clone()).collect();
    let parts = urlid_on(text(&lines).as_bytes(), ["parts", "--format", "ndjson"]).out;
    let rows = parts.lines().map(|row| serde_json::from_str::<Value>(row).expect("it is JSON"));
    rows.map(|row| row["registered_domain"].as_str().or(row["host"].as_str()).unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn uniq_prints_the_first_lines_of_each_site_with_any_memory() {
    let lines = lines();
    let first = first_lines(&lines, "web+drop-fragment");
    let sites = sites(&first);
    for limit in [1, 3, 1000] {
        let mut counts: HashMap<&str, u64> = HashMap::new();
        let mut expected = String::new();
        for ((line, _), site) in first.iter().zip(&sites) {
            let count = counts.entry(site).or_default();
            *count += 1;
            if *count <= limit {
                expected += &format!("{line}\n");
            }
        }
        assert!(counts.len() > 4 && (limit > 3 || expected.lines().count() < first.len()), "{limit}");
        let limit = limit.to_string();
        for memory in ["1", "300", "700", "2K", "20K", "256M"] {
            let options = ["uniq", "--per", "registered_domain", "--limit", &limit, "--memory", memory];
            let ran = urlid_on(text(&lines).as_bytes(), [&options[..], &["--invalid", "skip"]].concat());
            assert_eq!((ran.code, &ran.out), (Some(0), &expected), "{limit}, {memory}");
        }
    }
}

#[test]
fn a_sample_of_each_site_has_the_smallest_digests_with_any_memory() {
    let lines = lines();
    let form = "web+drop-fragment";
    let first = first_lines(&lines, form);
    let sites = sites(&first);
    let canonical: String = first.iter().map(|(line, _)| format!("{line}\n")).collect();
    let canonical = urlid_on(canonical.as_bytes(), ["canon", "--as", form]).out;
    let digests: Vec<_> =
        canonical.lines().map(|form| urlid_store::seen::digest(form).to_le_bytes()).collect();
    for most in [1, 2, 1000] {
        let is_kept = |index: usize| {
            let smaller = |other: &usize| sites[*other] == sites[index] && digests[*other] < digests[index];
            (0..first.len()).filter(smaller).count() < most
        };
        let kept = first.iter().enumerate().filter(|(index, _)| is_kept(*index));
        let expected: String = kept.map(|(_, (line, _))| format!("{line}\n")).collect();
        assert!(most > 2 || expected.lines().count() < first.len());
        let most = most.to_string();
        for memory in ["1", "700", "20K", "256M"] {
            let options = ["uniq", "--per", "registered-domain", "--sample", &most, "--memory", memory];
            let ran = urlid_on(text(&lines).as_bytes(), [&options[..], &["--invalid", "skip"]].concat());
            assert_eq!((ran.code, &ran.out), (Some(0), &expected), "{most}, {memory}");
            let ran =
                urlid_on(text(&lines).as_bytes(), [&options[..], &["--invalid", "skip", "--count"]].concat());
            assert_eq!(ran.out, format!("{}\n", expected.lines().count()), "{most}, {memory}");
        }
    }
}

#[test]
fn a_line_belongs_to_the_site_of_its_url() {
    let table =
        b"n,u\n1,http://a.b.example/\n2,http://b.example/\n3,http://c.example/\n4,mailto:a@b\n5,urn:x\n";
    let per = ["uniq", "--per", "registered_domain", "--limit", "1"];
    let ran = urlid_on(table, [&per[..], &["--values", "--column", "u", "-"]].concat());
    assert_eq!(ran.out, "http://a.b.example/\nhttp://c.example/\nmailto:a@b\n");
    let ran = urlid_on(table, ["uniq", "--per", "host", "--limit", "1", "--values", "--column", "u", "-"]);
    assert_eq!(ran.out.lines().count(), 4);
    let ran = urlid([&per[..], &["--assume", "https", "a.example/1", "a.example/2", "b.example"]].concat());
    assert_eq!(ran.out, "a.example/1\nb.example\n");
    let ran = urlid([&per[..], &["--psl", "none", "http://a.co.uk/", "http://b.co.uk/"]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "http://a.co.uk/\n"));
}

#[test]
fn a_sample_has_the_same_forms_in_any_order() {
    let mut lines = lines();
    let sample = |lines: &[String], count: &str| {
        let options = ["uniq", "--as", "surt-0.3.1", "--invalid", "skip", "--sample", count];
        urlid_on(text(lines).as_bytes(), options).out
    };
    let forms = |sample: &str| {
        let canonical = urlid_on(sample.as_bytes(), ["canon", "--as", "surt-0.3.1"]).out;
        let mut forms: Vec<String> = canonical.lines().map(str::to_owned).collect();
        forms.sort_unstable();
        forms
    };
    let all = first_lines(&lines, "surt-0.3.1");
    let whole: String = all.iter().map(|(line, _)| format!("{line}\n")).collect();
    let (five, nine) = (sample(&lines, "5"), sample(&lines, "9"));
    // In the order of the input, the first line of each form.
    let places = |sample: &str| -> Vec<usize> {
        sample
            .lines()
            .map(|line| all.iter().position(|(other, _)| other == line).expect("it is a first line"))
            .collect()
    };
    assert!(five.lines().count() == 5 && places(&five).is_sorted() && places(&nine).is_sorted());
    assert_eq!(sample(&lines, "1000"), whole);
    assert!(forms(&five).iter().all(|form| forms(&nine).contains(form)));
    // The forms with the smallest digests, which is what makes the sample fair.
    let mut by_digest: Vec<_> = forms(&whole)
        .iter()
        .map(|form| (urlid_store::seen::digest(form).to_le_bytes(), form.clone()))
        .collect();
    by_digest.sort_unstable();
    let mut smallest: Vec<String> = by_digest.into_iter().take(5).map(|(_, form)| form).collect();
    smallest.sort_unstable();
    assert_eq!(forms(&five), smallest);
    lines.reverse();
    assert_eq!(forms(&sample(&lines, "5")), forms(&five));
}

#[test]
fn uniq_compares_with_a_file_with_any_memory() {
    let folder = Folder::new();
    let lines = lines();
    let (old, new) = lines.split_at(30);
    let old_path = folder.file("old.txt", text(old));
    let old_path = old_path.to_str().expect("it is UTF-8");
    let form = "surt-0.3.1";
    let canonical = |line: &str| urlid_on(line.as_bytes(), ["canon", "--as", form]).out;
    let known: Vec<String> = first_lines(old, form).iter().map(|(line, _)| canonical(line)).collect();
    let (both, minus): (Vec<_>, Vec<_>) = first_lines(new, form)
        .into_iter()
        .map(|(line, _)| line)
        .partition(|line| known.contains(&canonical(line)));
    assert!(both.len() > 5 && minus.len() > 5, "{} and {}", both.len(), minus.len());
    for (option, expected) in [("--also-in", text(&both)), ("--not-in", text(&minus))] {
        for memory in ["1", "2K", "256M"] {
            let options = ["uniq", "--as", form, "--memory", memory, "--invalid", "skip", option, old_path];
            let ran = urlid_on(text(new).as_bytes(), options);
            assert_eq!((ran.code, &ran.out), (Some(0), &expected), "{option}, {memory}");
        }
    }
    let table = folder.file("old.csv", b"u\nhttp://a.example/\n");
    let table = table.to_str().expect("it is UTF-8");
    let ran = urlid_on(
        b"u\nhttp://A.example\nhttp://b.example\n",
        ["uniq", "--values", "--column", "u", "--not-in", table, "-"],
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "http://b.example\n"));
    let ran = urlid_on(b"http://a.example\n", ["uniq", "--also-in", "-", "http://A.example/"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "http://A.example/\n"));
    // A sample is chosen of what is left.
    for memory in ["1", "256M"] {
        let options = ["uniq", "--as", form, "--invalid", "skip", "--sample", "3", "--memory", memory];
        let left = urlid_on(text(&minus).as_bytes(), options);
        let ran = urlid_on(text(new).as_bytes(), [&options[..], &["--not-in", old_path]].concat());
        assert_eq!((ran.code, &ran.out, ran.out.lines().count()), (Some(0), &left.out, 3), "{memory}");
    }
    // Stores are compared under their forms, and say which one is not theirs.
    let made = |args: &[&str]| {
        let ran = finish(command().current_dir(folder.path()).args(args));
        assert!(ran.code == Some(0) || ran.code == Some(3), "{args:?}: {}", ran.err);
    };
    made(&["index", "add", "-q", "--invalid", "skip", "plain.db", "old.txt"]);
    made(&["index", "build", "-q", "--invalid", "skip", "plain", "old.txt"]);
    made(&["uniq", "-q", "--invalid", "skip", "--as", form, "--seen", "seen", "old.txt", "-o", "printed"]);
    for (store, given) in [("plain.db", true), ("plain", true), ("seen", false), ("seen", true)] {
        let store = folder.path().join(store);
        for (option, expected) in [("--also-in", text(&both)), ("--not-in", text(&minus))] {
            let mut args = vec!["uniq", "--invalid", "skip", "--memory", "2K", option];
            args.push(store.to_str().expect("it is UTF-8"));
            args.extend(["--as", form].into_iter().filter(|_| given));
            let ran = urlid_on(text(new).as_bytes(), &args);
            assert_eq!((ran.code, &ran.out), (Some(0), &expected), "{args:?}: {}", ran.err);
        }
    }
    made(&["index", "add", "-q", "--as", "web", "other.db", "http://A.example/#x"]);
    let run = |args: &[&str]| {
        let urls = ["http://a.example", "http://a.example/#x"];
        finish(command().current_dir(folder.path()).arg("uniq").args(args).args(urls))
    };
    run(&["--not-in", "other.db"]).is_quiet(0, "http://a.example\n");
    run(&["--also-in", "other.db", "--as", "web"]).is_quiet(0, "http://a.example/#x\n");
    for (store, recorded) in [("other.db", "`web`"), ("seen", form)] {
        let ran = run(&["--not-in", store, "--as", "web+drop-fragment"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{}", ran.err);
        let names_both = ran.err.contains(recorded) && ran.err.contains("`web+drop-fragment`");
        assert!(ran.err.contains("ERR_CANON_MIXED") && names_both, "{}", ran.err);
    }
    // What a file lacks that cannot be read is not known.
    let missing = folder.path().join("missing");
    let ran = urlid(["uniq", "--not-in", missing.to_str().expect("it is UTF-8"), "http://a.example/"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""));
}
