//! What `verify` finds, and that readers that prune by what the files say find every row.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use parquet::bloom_filter::Sbbf;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use urlid::Error;
use urlid::suffix::SuffixList;
use urlid_generators::cases;

use crate::dataset::manifest::{Manifest, PartEntry};
use crate::dataset::{
    BuildOptions, Builder, DESCRIPTION_FILE, Dataset, DatasetFault, SUFFIX_LIST_FILE, join,
};
use crate::description::Description;

const FILE: &str = "part-00000.parquet";

/// The values of each column.
type Columns = Vec<Vec<Option<Vec<u8>>>>;

fn build(path: &Path, lines: impl IntoIterator<Item = String>) {
    let options = BuildOptions { with_ids: true, ..BuildOptions::default() };
    let builder = Builder::begin(path, SuffixList::compiled(), options).expect("begins");
    let mut adder = builder.adder();
    lines.into_iter().for_each(|line| drop(adder.push(&line).expect("there is room")));
    drop(adder);
    builder.finish().expect("is built");
}

/// A dataset of four pages, the first of which has no hosts.
fn build_pages(folder: &Path) -> PathBuf {
    let (path, long) = (folder.join("urls"), "x".repeat(16 << 10));
    let hosts = ["a.com", "www.a.com", "b.co.uk", "c.org", "user.github.io", "com", "d.de."];
    let urns = (0..80).map(|number| format!("urn:{number}:{long}"));
    build(&path, urns.chain((0..120).map(|number| format!("https://{}/{number}{long}", hosts[number % 7]))));
    path
}

/// Returns the first fault, or the error of opening the dataset.
fn fault(path: &Path) -> Option<Error> {
    match Dataset::open(path, &[]) {
        Ok(dataset) => dataset.verify().into_iter().next().map(|DatasetFault(error)| error),
        Err(error) => Some(error),
    }
}

#[test]
fn every_changed_byte_is_found_and_its_file_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = build_pages(directory.path());
    assert_eq!(fault(&path), None);
    for (name, count) in [(FILE, cases(100)), (DESCRIPTION_FILE, cases(300))] {
        let file = path.join(name);
        let bytes = fs::read(&file).expect("is there");
        for place in (0..bytes.len()).step_by((bytes.len() / count as usize).max(1)) {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << (place % 8);
            fs::write(&file, changed).expect("there is room");
            let found = fault(&path).expect("is damaged").to_string();
            assert!(found.contains(name), "byte {place} of {name}: {found}");
        }
        fs::write(&file, bytes).expect("there is room");
    }
}

#[test]
fn every_wrong_field_of_a_description_is_found() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = build_pages(directory.path());
    let description = path.join(DESCRIPTION_FILE);
    let text = fs::read(&description).expect("is there");
    let intact = Manifest::parse(&text, &description).expect("is whole");
    let first = intact.parts[0].clone();
    let parts = [
        PartEntry { rows: first.rows + 1, ..first.clone() },
        PartEntry { rows: first.rows - 1, ..first.clone() },
        PartEntry { bytes: first.bytes - 1, ..first.clone() },
        PartEntry { sha256: [0; 32], ..first.clone() },
        PartEntry { first: b"zz".to_vec(), ..first.clone() },
        PartEntry { first: first.first[..first.first.len() - 1].to_vec(), ..first.clone() },
        PartEntry { first: [&first.first[..], b"a"].concat(), ..first.clone() },
    ];
    let mut changed: Vec<Manifest> =
        parts.into_iter().map(|part| Manifest { parts: vec![part], ..intact.clone() }).collect();
    changed.push(Manifest { has_ids: false, ..intact.clone() });
    let describe = |change: fn(&mut Description)| {
        let mut changed = intact.clone();
        change(&mut changed.description);
        changed
    };
    changed.push(describe(|one| one.canonical_form = Some("web".to_owned())));
    changed.push(describe(|one| one.snapshot.unicode = "1.0.0".to_owned()));
    for changed in changed {
        fs::write(&description, changed.to_text()).expect("there is room");
        assert!(fault(&path).is_some(), "{changed:?}");
    }
    let harmless = describe(|one| one.tool = "another tool".to_owned());
    fs::write(&description, harmless.to_text()).expect("there is room");
    assert_eq!(fault(&path), None);
    // The checksum is right, and no builder writes this order of members.
    let moved = intact.to_text().replacen("{\n", "{ \n", 1);
    let (body, _) = moved.rsplit_once(",\n").expect("it has several lines");
    let sealed = format!("{body},\n  \"checksum\": {}\n}}\n", crc32fast::hash(body.as_bytes()));
    fs::write(&description, sealed).expect("there is room");
    assert!(fault(&path).expect("is found").to_string().contains("canonical form"));
}

/// Datasets whose ranges of keys overlap, joined: each file is as its builder wrote it.
#[test]
fn rows_that_overlap_are_found_with_their_page() {
    let line = |number: u32| format!("https://a.com/{number}");
    let found = |numbers: [[u32; 2]; 2]| {
        let directory = tempfile::tempdir().expect("a directory");
        let folders = [0, 1].map(|number| directory.path().join(number.to_string()));
        folders.iter().zip(numbers).for_each(|(folder, numbers)| build(folder, numbers.map(line)));
        let texts = [0, 1].map(|number| fs::read(folders[number].join(DESCRIPTION_FILE)).expect("is there"));
        let (target, joined) = (directory.path().join("urls"), join(&texts).expect("are alike"));
        fs::create_dir(&target).expect("is made");
        for file in &joined.files {
            let old = folders[file.dataset].join(&file.old_name);
            fs::rename(old, target.join(&file.new_name)).expect("is moved");
        }
        fs::rename(folders[0].join(SUFFIX_LIST_FILE), target.join(SUFFIX_LIST_FILE)).expect("is moved");
        fs::write(target.join(DESCRIPTION_FILE), &joined.description).expect("is written");
        let dataset = Dataset::open(&target, &[]).expect("opens");
        let shown = |faults: Vec<DatasetFault>| {
            faults.iter().map(|DatasetFault(error)| error.to_string()).collect::<Vec<_>>().join(" ")
        };
        [dataset.verify(), dataset.verify_rows().1].map(shown)
    };
    assert_eq!(found([[1, 2], [3, 4]]), ["", ""]);
    let [fast, rows] = found([[1, 3], [2, 4]]);
    assert!(
        fast.is_empty() && rows.contains("in page 0 in") && rows.contains("part-00001.parquet"),
        "{rows}"
    );
    assert!(found([[1, 2], [1, 2]])[0].contains("files that are not in the order"));
}

#[test]
fn readers_that_prune_lose_no_row() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = build_pages(directory.path()).join(FILE);
    let reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Required);
    let metadata = reader.parse_and_finish(&File::open(&file).expect("is there")).expect("is whole");
    assert_eq!(metadata.offset_index().expect("is there")[0][0].page_locations().len(), 4);
    let columns = metadata.row_group(0).columns();
    assert_eq!(columns.iter().filter(|column| column.bloom_filter_offset().is_some()).count(), 6);
    // All columns but `url`, `host` and `id` have ranges.
    let with_ranges = columns.len() - 3;
    assert_eq!(columns.iter().filter(|column| column.statistics().is_some()).count(), with_ranges);
    let index = &metadata.column_index().expect("is there")[0];
    let ranges = index.iter().filter(|index| !matches!(index, ColumnIndexMetaData::NONE));
    assert_eq!(ranges.count(), with_ranges);
    assert_eq!(lost_by_pruning(&file, &metadata, &values(&file)), None);
}

fn values(path: &Path) -> Columns {
    let reader = SerializedFileReader::new(File::open(path).expect("is there")).expect("is whole");
    let mut columns = vec![Vec::new(); reader.metadata().file_metadata().schema_descr().num_columns()];
    for row in reader.get_row_iter(None).expect("has rows") {
        for (column, (_, value)) in columns.iter_mut().zip(row.expect("is whole").get_column_iter()) {
            column.push(match value {
                Field::Null => None,
                Field::Str(text) => Some(text.clone().into_bytes()),
                Field::Bytes(bytes) => Some(bytes.data().to_vec()),
                Field::Int(number) => Some(number.to_le_bytes().to_vec()),
                Field::Long(number) => Some(number.to_le_bytes().to_vec()),
                other => panic!("{other:?}"),
            });
        }
    }
    columns
}

/// Returns what a reader loses that prunes by everything that the file says, as the `parquet` crate reads it.
fn lost_by_pruning(path: &Path, metadata: &ParquetMetaData, columns: &Columns) -> Option<String> {
    let file = File::open(path).expect("is there");
    for (number, (chunk, values)) in metadata.row_group(0).columns().iter().zip(columns).enumerate() {
        let name = chunk.column_path().string();
        let lost = |what: &str| Some(format!("{what} of {name}"));
        let nulls = values.iter().filter(|value| value.is_none()).count() as u64;
        let wanted: BTreeSet<&[u8]> = values.iter().flatten().map(Vec::as_slice).collect();
        let is_text = chunk.column_type() == parquet::basic::Type::BYTE_ARRAY;
        if let Some(statistics) = chunk.statistics() {
            if statistics.null_count_opt().is_some_and(|found| found != nulls) {
                return lost("nulls");
            }
            let (least, greatest) = (statistics.min_bytes_opt(), statistics.max_bytes_opt());
            if wanted.iter().any(|value| !is_between(value, least, greatest, is_text)) {
                return lost("a value by statistics");
            }
        }
        let filter = Sbbf::read_from_column_chunk(chunk, &file).ok()?;
        if filter.is_some_and(|filter| wanted.iter().any(|value| !filter.check(*value))) {
            return lost("a value by its filter");
        }
        let Some(offsets) = metadata.offset_index().map(|index| index[0][number].page_locations()) else {
            continue;
        };
        if offsets.first().is_none_or(|first| first.first_row_index != 0) {
            return lost("the first row");
        }
        if let Some(index) = metadata.column_index().map(|index| &index[0][number])
            && !matches!(index, ColumnIndexMetaData::NONE)
            && !is_kept_by_pages(index, offsets, values, is_text)
        {
            return lost("a value by its page");
        }
    }
    None
}

/// Returns whether every value is in a page whose range has it.
fn is_kept_by_pages(
    index: &ColumnIndexMetaData,
    offsets: &[PageLocation],
    values: &[Option<Vec<u8>>],
    is_text: bool,
) -> bool {
    let ends = |page: usize| match index {
        ColumnIndexMetaData::BYTE_ARRAY(texts) => {
            [texts.min_value(page), texts.max_value(page)].map(|end| end.map(<[u8]>::to_vec))
        }
        ColumnIndexMetaData::INT32(numbers) => [numbers.min_value(page), numbers.max_value(page)]
            .map(|end| end.map(|end| end.to_le_bytes().to_vec())),
        ColumnIndexMetaData::INT64(numbers) => [numbers.min_value(page), numbers.max_value(page)]
            .map(|end| end.map(|end| end.to_le_bytes().to_vec())),
        _ => [None, None],
    };
    values.iter().enumerate().all(|(row, value)| {
        let page = offsets.partition_point(|page| page.first_row_index <= row as i64) - 1;
        let Some(value) = value else { return index.null_count(page).is_none_or(|nulls| nulls > 0) };
        let [least, greatest] = ends(page);
        !index.is_null_page(page) && is_between(value, least.as_deref(), greatest.as_deref(), is_text)
    })
}

fn is_between(value: &[u8], least: Option<&[u8]>, greatest: Option<&[u8]>, is_text: bool) -> bool {
    let number = |bytes: &[u8]| match bytes.first_chunk::<8>() {
        Some(bytes) => i64::from_le_bytes(*bytes),
        None => bytes.first_chunk().map_or(0, |bytes| i64::from(i32::from_le_bytes(*bytes))),
    };
    let order = |a: &[u8], b: &[u8]| if is_text { a.cmp(b) } else { number(a).cmp(&number(b)) };
    least.is_none_or(|least| order(least, value) != Ordering::Greater)
        && greatest.is_none_or(|greatest| order(value, greatest) != Ordering::Greater)
}
