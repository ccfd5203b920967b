//! The Parquet export: read back by the same crate's reader, column by column.

use std::fs::File;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::common::{PAIRS, all, load};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::record::Field;
use urlid::sxurl::{Components, Field as Slice, Sxurl};
use urlid_index::{Index, ParquetOptions, error, export_parquet, export_parquet_with};

const WHOLE: ParquetOptions = ParquetOptions { rows_per_file: None, with_id: true };

fn urls() -> Vec<String> {
    let mut urls: Vec<String> = (0..3000_u32)
        .map(|n| {
            let (scheme, port) =
                (["http", "https", "ftp"][n as usize % 3], ["", ":80", ":8080"][n as usize / 3 % 3]);
            format!("{scheme}://h{}.example{}.com{port}/{}?{}#{}", n % 3, n % 17, n % 100, n % 7, n % 11)
        })
        .collect();
    urls.extend(PAIRS.iter().flat_map(|(one, other, _)| [(*one).to_owned(), (*other).to_owned()]));
    urls
}

fn index(directory: &Path) -> Index {
    let path = directory.join("index");
    load(&path, &urls().iter().map(String::as_str).collect::<Vec<_>>());
    Index::open(&path).expect("opens")
}

/// Reads the rows of a file as names and values.
fn rows(path: &Path) -> Vec<Vec<(String, Field)>> {
    let reader = SerializedFileReader::new(File::open(path).expect("opens")).expect("is Parquet");
    let rows = reader.get_row_iter(None).expect("has rows");
    rows.map(|row| {
        row.expect("is read").get_column_iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    })
    .collect()
}

fn url_of(row: &[(String, Field)]) -> String {
    let url = row.iter().find(|(name, _)| name == "url").map(|(_, value)| value);
    match url {
        Some(Field::Str(url)) => url.clone(),
        other => panic!("no url: {other:?}"),
    }
}

#[test]
fn every_row_is_there_once_with_its_slices_and_in_order() {
    let directory = tempfile::tempdir().expect("a directory");
    let index = index(directory.path());
    let file = directory.path().join("all.parquet");
    let exported = export_parquet(&index, &file, WHOLE).expect("exports");
    assert_eq!((exported.files.len(), exported.files[0].path.as_path()), (1, file.as_path()));
    let mode = |path: &Path| std::fs::metadata(path).expect("is there").permissions().mode();
    assert_eq!(mode(&file), mode(&directory.path().join("index")), "as readable as any new file");
    let rows = rows(&file);
    assert_eq!(exported.files[0].rows, rows.len() as u64);
    let mut exported: Vec<String> = rows.iter().map(|row| url_of(row)).collect();
    let mut places = Vec::new();
    for row in &rows {
        let id = Sxurl::encode(&url_of(row)).expect("is a URL");
        let mut place = Vec::new();
        for (name, value) in row {
            let slice = match name.as_str() {
                "id" => {
                    assert!(matches!(value, Field::Bytes(bytes) if bytes.data() == id.as_bytes()));
                    continue;
                }
                "url" => continue,
                "host" | "tld" | "registered_domain" => {
                    let Field::Str(value) = value else { panic!("no text: {value:?}") };
                    let url = url_of(row);
                    let parts =
                        Components::parse(&url, urlid::suffix::SuffixList::compiled()).expect("is a URL");
                    let domain = format!("{}.{}", parts.domain(), parts.tld());
                    let expected =
                        [("host", parts.host()), ("tld", parts.tld()), ("registered_domain", &domain)];
                    assert!(expected.contains(&(name, value)), "{url}: {name} {value}");
                    continue;
                }
                "sx_header" => Slice::Header,
                "sx_tld" => Slice::Tld,
                "sx_domain" => Slice::Domain,
                "sx_sub" => Slice::Sub,
                "sx_port" => Slice::Port,
                "sx_path" => Slice::Path,
                "sx_params" => Slice::Params,
                "sx_frag" => Slice::Frag,
                other => panic!("no such column: {other}"),
            };
            let number = match value {
                Field::Int(number) => i64::from(*number),
                Field::Long(number) => *number,
                other => panic!("no number: {other:?}"),
            };
            assert_eq!(number, id.field(slice) as i64, "{name}");
            place.push(number);
        }
        assert_eq!(place.len(), 8);
        // The header comes last in the order of rows, and first in that of columns.
        place.rotate_left(1);
        places.push(place);
    }
    assert!(places.is_sorted());
    exported.sort_unstable();
    let mut stored = all(&directory.path().join("index"));
    stored.sort_unstable();
    assert_eq!(exported, stored);
}

#[test]
fn several_files_are_the_one_in_parts_and_import_equals_export() {
    let directory = tempfile::tempdir().expect("a directory");
    let index = index(directory.path());
    let (one, parts) = (directory.path().join("one.parquet"), directory.path().join("part.parquet"));
    export_parquet(&index, &one, WHOLE).expect("exports");
    let options = ParquetOptions { rows_per_file: Some(700), with_id: false };
    let exported = export_parquet(&index, &parts, options).expect("exports");
    let count = rows(&one).len();
    assert_eq!(exported.files.len(), count.div_ceil(700));
    assert!(exported.files[1].path.ends_with("part-00001.parquet"));
    let together: Vec<String> =
        exported.files.iter().flat_map(|file| rows(&file.path)).map(|row| url_of(&row)).collect();
    assert_eq!(together, rows(&one).iter().map(|row| url_of(row)).collect::<Vec<_>>());
    let again = directory.path().join("again");
    load(&again, &together.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(all(&again), all(&directory.path().join("index")));
}

#[test]
fn urls_without_an_sxurl_come_last_without_slices() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("index");
    load(&path, &["http://1.2.3.4/", "mailto:a@b", "https://example.com/", "wss://www.example.co.uk./"]);
    let index = Index::open(&path).expect("opens");
    let file = directory.path().join("all.parquet");
    let exported = export_parquet(&index, &file, WHOLE).expect("exports");
    assert_eq!(exported.files[0].rows, 4);
    let rows = rows(&file);
    let urls: Vec<String> = rows.iter().map(|row| url_of(row)).collect();
    let expected = ["https://example.com/", "mailto:a@b", "http://1.2.3.4/", "wss://www.example.co.uk./"];
    assert_eq!(urls, expected);
    for (number, row) in rows.iter().enumerate() {
        let nulls: Vec<&str> =
            row.iter().filter(|(_, value)| *value == Field::Null).map(|(name, _)| name.as_str()).collect();
        let slices = nulls.iter().filter(|name| name.starts_with("sx_") || **name == "id").count();
        assert_eq!(slices, if number == 0 { 0 } else { 9 }, "{nulls:?}");
        assert_eq!(nulls.contains(&"registered_domain"), number == 1, "{nulls:?}");
        assert_eq!(nulls.contains(&"tld"), number == 1 || number == 2, "{nulls:?}");
    }
    let reader = SerializedFileReader::new(File::open(&file).expect("opens")).expect("is Parquet");
    assert_eq!(reader.metadata().num_row_groups(), 2, "groups without slices can be skipped");

    let again = directory.path().join("again");
    load(&again, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(all(&again), all(&path));
}

#[test]
fn the_file_says_what_engines_prune_by() {
    let directory = tempfile::tempdir().expect("a directory");
    let index = index(directory.path());
    let file = directory.path().join("all.parquet");
    export_parquet(&index, &file, WHOLE).expect("exports");
    let reader = SerializedFileReader::new(File::open(&file).expect("opens")).expect("is Parquet");
    let metadata = reader.metadata();
    let facts = metadata.file_metadata().key_value_metadata().expect("has facts");
    let fact = |key: &str| facts.iter().find(|fact| fact.key == key).and_then(|fact| fact.value.clone());
    assert_eq!(fact("urlid.snapshot"), Some(index.describe().expect("describes").snapshot.to_string()));
    for group in metadata.row_groups() {
        for column in group.columns() {
            let name = column.column_path().string();
            let has_bloom = column.bloom_filter_offset().is_some();
            assert_eq!(has_bloom, ["sx_domain", "sx_path"].contains(&name.as_str()), "{name}");
            assert_eq!(column.column_index_offset().is_some(), name != "url", "{name}");
            if name.starts_with("sx_") {
                let is_signed =
                    matches!(column.statistics(), Some(Statistics::Int32(_) | Statistics::Int64(_)));
                assert!(is_signed, "{name}");
            }
        }
    }
}

#[test]
fn what_is_in_the_way_is_not_followed_and_not_written_to() {
    let directory = tempfile::tempdir().expect("a directory");
    let index = index(directory.path());
    let victim = directory.path().join("victim");
    std::fs::write(&victim, "precious").expect("writes");
    let at = |name: &str| directory.path().join(name);
    std::os::unix::fs::symlink(&victim, at("link.parquet")).expect("links");
    std::os::unix::fs::symlink(at("nowhere"), at("dangling.parquet")).expect("links");
    std::fs::hard_link(&victim, at("hard.parquet")).expect("links");
    std::fs::create_dir(at("folder.parquet")).expect("makes");
    std::fs::create_dir(at("folder")).expect("makes");
    for name in
        ["link.parquet", "dangling.parquet", "hard.parquet", "folder.parquet", "folder/../link.parquet"]
    {
        let error = export_parquet(&index, &at(name), WHOLE);
        let error = error.expect_err(name);
        assert!(error.is(error::FILE), "{error}");
        assert_eq!(error.subject(), at(name).to_str());
    }
    let error = export_parquet(&index, &at("none/x.parquet"), WHOLE);
    assert!(error.is_err_and(|error| error.is(error::FILE)));
    assert_eq!(std::fs::read_to_string(&victim).expect("reads"), "precious");
    let mut names: Vec<_> = std::fs::read_dir(directory.path())
        .expect("lists")
        .map(|entry| entry.expect("is read").file_name().to_string_lossy().into_owned())
        .collect();
    // The index is open.
    names.retain(|name| !name.starts_with("index-"));
    names.sort();
    let there =
        ["dangling.parquet", "folder", "folder.parquet", "hard.parquet", "index", "link.parquet", "victim"];
    assert_eq!(names, there, "nothing is left behind");
    let file = at("folder/../beside.parquet");
    export_parquet(&index, &file, WHOLE).expect("exports");
    assert!(at("beside.parquet").exists());
}

#[test]
fn nothing_is_replaced_and_a_stopped_export_leaves_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let index = index(directory.path());
    let taken = directory.path().join("taken.parquet");
    std::fs::write(&taken, "mine").expect("writes");
    let error = export_parquet(&index, &taken, WHOLE).expect_err("is taken");
    assert!(error.is(error::FILE), "{error}");
    assert_eq!(std::fs::read_to_string(&taken).expect("reads"), "mine");
    std::fs::remove_file(&taken).expect("removes");

    let path = directory.path().join("large");
    let urls: Vec<String> = (0..10_001).map(|n| format!("https://example.com/{n}")).collect();
    load(&path, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    let before = std::fs::read_dir(directory.path()).expect("lists").count();
    let large = Index::open(&path).expect("opens");
    let stopped = export_parquet_with(&large, &taken, WHOLE, &mut |_| ControlFlow::Break(()));
    assert!(stopped.is_err_and(|error| error.is(error::EXPORT_STOPPED)));
    drop(large);
    assert_eq!(std::fs::read_dir(directory.path()).expect("lists").count(), before);
}

#[test]
fn a_key_that_no_loader_wrote_is_damage_wherever_it_sorts() {
    for key in ["x''", "x'00'", "x'1002'", "x'ff'", "zeroblob(32)", "zeroblob(33)"] {
        let directory = tempfile::tempdir().expect("a directory");
        drop(index(directory.path()));
        let path = directory.path().join("index");
        let conn = rusqlite::Connection::open(&path).expect("opens");
        let sql = format!("INSERT INTO url(id, url) VALUES ({key}, 'https://h.example/')");
        conn.execute_batch(&sql).expect("inserts");
        drop(conn);
        let index = Index::open(&path).expect("opens");
        let target = directory.path().join("export.parquet");
        let error = export_parquet(&index, &target, WHOLE).expect_err(key);
        assert!(error.is(error::DAMAGED_ROW), "{key}: {error}");
    }
}
