//! Several datasets as one, many lookups at once, and columns of identifiers.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use urlid::suffix::{Sections, SuffixList};
use urlid::sxurl::{Components, Field as SxurlField, Sxurl};
use urlid_generators::{cases, seed};
use urlid_store::dataset::error::{DAMAGED, FORM, SNAPSHOT};
use urlid_store::dataset::{BuildOptions, Dataset};
use urlid_store::question::{GroupBy, Question, StoredUrl};

use super::{build_as, conditions_of, find, generated, rows_of};

#[test]
fn several_datasets_answer_as_one_of_all_their_urls() {
    let list = SuffixList::compiled();
    let directory = tempfile::tempdir().expect("a directory");
    let lines = generated(cases(2_000) as usize, seed() + 7);
    // The second has some of the first, the third is empty, and the fourth has what none of the others has.
    let third = lines.len() / 3;
    let pieces = [&lines[..2 * third], &lines[third..2 * third], &[], &lines[2 * third..]];
    let paths: Vec<PathBuf> = (0..4)
        .map(|number| {
            let path = directory.path().join(number.to_string());
            build_as(&path, pieces[number], list, BuildOptions::default())
        })
        .collect();
    let all = Dataset::open(&paths[0], &paths[1..]).expect("opens");
    let rows = rows_of(&lines, list);
    let find = |question: &Question| {
        let mut found = Vec::new();
        let each = &mut |row: urlid_store::question::Row<'_>| {
            found.push(row.url.to_owned());
            ControlFlow::Continue(())
        };
        assert_eq!(all.find(question, false, each).expect("is whole").rows, found.len() as u64);
        found
    };
    assert!(find(&Question::default()) == rows, "other rows, or another order");
    assert_eq!(all.rows().expect("is whole"), rows.len() as u64);
    let mut asked = BTreeSet::new();
    for url in rows.iter().step_by(11) {
        for (condition, value) in conditions_of(url, list) {
            let Ok(question) = Question::new([(condition, value.as_str())]) else { continue };
            if asked.insert((condition.name(), value)) {
                let expected: Vec<&String> = rows.iter().filter(|url| question.matches(url, list)).collect();
                assert!(find(&question).iter().eq(expected.iter().copied()), "{question:?}");
                assert_eq!(all.count(&question).expect("is whole").rows, expected.len() as u64);
            }
        }
    }
    let (groups, _) = all.group(&Question::default(), GroupBy::Scheme).expect("is whole");
    assert_eq!(groups.iter().map(|group| group.rows).sum::<u64>(), rows.len() as u64);
    assert_eq!(all.stats().expect("is whole").rows, rows.len() as u64);

    let other = SuffixList::parse("com\n", Sections::All).expect("is a list");
    let path = build_as(&directory.path().join("other"), &lines[..1], &other, BuildOptions::default());
    assert!(Dataset::open(&paths[0], &[path]).expect_err("has another list").is(SNAPSHOT));
    let form = Some("web".parse().expect("is a form"));
    let options = BuildOptions { form, ..BuildOptions::default() };
    let path = build_as(&directory.path().join("web"), &lines[..1], list, options);
    assert!(Dataset::open(&paths[0], &[path]).expect_err("has another form").is(FORM));
}

#[test]
fn many_lookups_together_match_single_lookups() {
    let list = SuffixList::compiled();
    let directory = tempfile::tempdir().expect("a directory");
    let lines = generated(3_000, seed() + 9);
    let stored = build_as(&directory.path().join("a"), &lines[..1_500], list, BuildOptions::default());
    let more = build_as(&directory.path().join("b"), &lines[1_400..2_000], list, BuildOptions::default());
    let one = Dataset::open(&stored, &[]).expect("opens");
    let both = Dataset::open(&stored, std::slice::from_ref(&more)).expect("opens");
    let texts: Vec<&str> = lines.iter().map(String::as_str).chain(["no URL", ""]).collect();
    let rows: BTreeSet<String> = rows_of(&lines[..1_500], list).into_iter().collect();
    let text_of = |text: &&str| StoredUrl::read(text, list, |url, _| url.to_text());
    for (store, len) in [(&one, 1_500), (&both, 2_000)] {
        let found = store.are_stored(&texts, None).expect("is whole");
        assert_eq!(found.len(), texts.len());
        for (number, (text, found)) in texts.iter().zip(&found).enumerate() {
            match (text_of(text), found) {
                (Ok(url), Ok(found)) => {
                    assert!(*found || number >= len, "{text}");
                    assert!(len > 1_500 || *found == rows.contains(&url), "{text}");
                    assert_eq!(store.get_url(text, None).expect("is whole").is_stored, *found, "{text}");
                }
                (Err(expected), Err(error)) => assert_eq!(expected.code(), error.code(), "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
    // A damaged page is an error of the URLs that it may hold, unless another dataset has them.
    let part = stored.join("part-00000.parquet");
    let mut bytes = fs::read(&part).expect("is there");
    bytes[20] ^= 1;
    fs::write(&part, bytes).expect("there is room");
    let both = Dataset::open(&stored, std::slice::from_ref(&more)).expect("opens");
    let rest: BTreeSet<String> = rows_of(&lines[1_400..2_000], list).into_iter().collect();
    let some = &texts[1_380..1_420];
    let (mut errors, mut answers) = (0, 0);
    for (text, found) in some.iter().zip(both.are_stored(some, None).expect("the form is known")) {
        let Ok(url) = text_of(text) else { continue };
        match found {
            Err(error) => {
                assert!(error.is(DAMAGED) && !rest.contains(&url), "{text}: {error}");
                errors += 1;
            }
            Ok(found) => {
                assert!(found && rest.contains(&url), "{text}");
                answers += 1;
            }
        }
    }
    assert!(errors > 3 && answers > 3, "{errors} {answers}");
}

#[test]
fn identifiers_and_slices_are_columns_on_request() {
    let list = SuffixList::compiled();
    let directory = tempfile::tempdir().expect("a directory");
    let lines = generated(cases(2_000) as usize, seed() + 3);
    let plain = build_as(&directory.path().join("plain"), &lines, list, BuildOptions::default());
    let options = BuildOptions { with_ids: true, ..BuildOptions::default() };
    let path = build_as(&directory.path().join("ids"), &lines, list, options);
    let dataset = Dataset::open(&path, &[]).expect("opens");
    assert!(dataset.has_ids() && !Dataset::open(&plain, &[]).expect("opens").has_ids());
    let rows = rows_of(&lines, list);
    assert_eq!(dataset.verify_rows(), (rows.len() as u64, Vec::new()));
    assert_eq!(find(&dataset, &Question::default()).expect("is whole"), rows);

    let file = fs::File::open(path.join("part-00000.parquet")).expect("is there");
    let file = SerializedFileReader::new(file).expect("is whole");
    let read: Vec<Row> =
        file.get_row_iter(None).expect("has rows").map(|row| row.expect("is whole")).collect();
    let column = |name: &str| {
        let columns = file.metadata().file_metadata().schema_descr().columns();
        let column = columns.iter().position(|column| column.name() == name).expect("is there");
        read.iter().map(move |row| row.get_column_iter().nth(column).expect("is there").1.clone())
    };
    let ids: Vec<Option<Sxurl>> =
        rows.iter().map(|url| Some(Components::parse(url, list).ok()?.encode())).collect();
    assert!(ids.iter().any(Option::is_some) && ids.iter().any(Option::is_none));
    let expected =
        ids.iter().map(|id| id.map_or(Field::Null, |id| Field::Bytes(id.as_bytes().to_vec().into())));
    assert!(column("id").eq(expected));
    let fields = [
        ("sx_header", SxurlField::Header),
        ("sx_tld", SxurlField::Tld),
        ("sx_domain", SxurlField::Domain),
        ("sx_sub", SxurlField::Sub),
        ("sx_port", SxurlField::Port),
        ("sx_path", SxurlField::Path),
        ("sx_params", SxurlField::Params),
        ("sx_frag", SxurlField::Frag),
    ];
    for (name, field) in fields {
        let is_narrow = matches!(name, "sx_header" | "sx_tld" | "sx_port" | "sx_frag");
        let number = |id: Sxurl| match is_narrow {
            true => Field::Int(id.field(field) as i32),
            false => Field::Long(id.field(field) as i64),
        };
        assert!(column(name).eq(ids.iter().map(|id| id.map_or(Field::Null, number))), "{name}");
    }
}
