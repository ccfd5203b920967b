//! Datasets in which a number or a byte of the description, a footer, an index of pages or a Bloom filter is
//! wrong: `verify` says so, or readers that prune by them still find every row.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use parquet::bloom_filter::Sbbf;
use parquet::file::metadata::{ColumnChunkMetaData, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use urlid::suffix::SuffixList;
use urlid_generators::cases;
use urlid_io::tables::ParquetCheck;

use crate::dataset::manifest::{Manifest, PartEntry};
use crate::dataset::{BuildOptions, Builder, DESCRIPTION_FILE, Dataset};
use crate::description::Description;

const FILE: &str = "part-00000.parquet";

/// The values of each column.
type Columns = Vec<Vec<Option<Vec<u8>>>>;

/// A dataset of three pages, the first of which has no hosts.
fn build(folder: &Path) -> PathBuf {
    let path = folder.join("urls");
    let options = BuildOptions { with_ids: true, ..BuildOptions::default() };
    let builder = Builder::begin(&path, SuffixList::compiled(), options).expect("begins");
    let mut adder = builder.adder();
    let long = "x".repeat(16 << 10);
    for number in 0..80 {
        adder.push(&format!("urn:{number}:{long}")).expect("there is room");
    }
    for number in 0..120 {
        let host = ["a.com", "www.a.com", "b.co.uk", "c.org", "user.github.io", "com", "d.de."][number % 7];
        adder.push(&format!("https://{host}/{number}{long}")).expect("there is room");
    }
    drop(adder);
    builder.finish().expect("is built");
    path
}

fn is_found(path: &Path) -> bool {
    Dataset::open(path, &[]).map_or(true, |dataset| !dataset.verify().1.is_empty())
}

fn values(path: &Path) -> Columns {
    let file = ParquetCheck::open(File::open(path).expect("is there")).expect("is whole");
    let columns = file.metadata().file_metadata().schema_descr().num_columns();
    let read = |column| {
        let mut values = Vec::new();
        let read = file.each_value(column, false, &mut |value| {
            values.push(value.map(<[u8]>::to_vec));
            ControlFlow::Continue(())
        });
        read.expect("is whole");
        values
    };
    (0..columns).map(read).collect()
}

/// Reads the footer and the indexes of pages; `None` where the `parquet` crate reports an error, which is no
/// short answer.
fn metadata(path: &Path) -> Option<ParquetMetaData> {
    let reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Optional);
    reader.parse_and_finish(&File::open(path).expect("is there")).ok()
}

#[test]
fn a_wrong_byte_is_found_or_no_reader_loses_a_row() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = build(directory.path());
    assert!(!is_found(&path));
    let file = path.join(FILE);
    let (bytes, columns) = (fs::read(&file).expect("is there"), values(&file));
    let places = places(&bytes, &metadata(&file).expect("is whole"));
    let step = (places.len() / cases(700) as usize).max(1);
    let (mut found, mut harmless) = (0, 0);
    for place in places.iter().step_by(step) {
        for bit in [place % 8, (place + 3) % 8] {
            let mut changed = bytes.clone();
            changed[*place] ^= 1 << bit;
            fs::write(&file, &changed).expect("there is room");
            if is_found(&path) {
                found += 1;
            } else {
                harmless += 1;
                assert_eq!(lost_by_pruning(&file, &columns), None, "bit {bit} of byte {place}");
            }
        }
    }
    assert!(found > 3 * harmless, "{found} found, {harmless} harmless");
}

#[test]
fn every_missing_bit_of_a_filter_is_found() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = build(directory.path());
    let file = path.join(FILE);
    let bytes = fs::read(&file).expect("is there");
    let metadata = metadata(&file).expect("is whole");
    let mut filters = 0;
    for range in metadata.row_group(0).columns().iter().filter_map(filter_range) {
        filters += 1;
        let bits: Vec<(usize, u8)> = range
            .skip(20)
            .flat_map(|place| (0..8).map(move |bit| (place, 1 << bit)))
            .filter(|(place, bit)| bytes[*place] & bit > 0)
            .collect();
        for (place, bit) in bits.iter().step_by((bits.len() / cases(10) as usize).max(1)) {
            let mut changed = bytes.clone();
            changed[*place] ^= bit;
            fs::write(&file, &changed).expect("there is room");
            assert!(is_found(&path), "bit {bit:x} of byte {place}");
        }
    }
    assert_eq!(filters, 6);
}

#[test]
fn every_wrong_field_of_a_description_is_found() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = build(directory.path());
    let description = path.join(DESCRIPTION_FILE);
    let text = fs::read(&description).expect("is there");
    let intact = Manifest::parse(&text, &description).expect("is whole");
    let first = intact.parts[0].clone();
    let parts = [
        PartEntry { rows: first.rows + 1, ..first.clone() },
        PartEntry { rows: first.rows - 1, ..first.clone() },
        PartEntry { bytes: first.bytes - 1, ..first.clone() },
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
        assert!(is_found(&path), "{changed:?}");
    }
    let harmless = describe(|one| one.tool = "another tool".to_owned());
    fs::write(&description, harmless.to_text()).expect("there is room");
    assert!(!is_found(&path));
}

/// Returns the offsets of what readers prune and find pages by.
fn places(bytes: &[u8], metadata: &ParquetMetaData) -> Vec<usize> {
    let end = bytes.len() - 8;
    let len = bytes[end..].first_chunk().map_or(0, |len| u32::from_le_bytes(*len) as usize);
    let mut places: Vec<usize> = (end - len..end).collect();
    let offsets = &metadata.offset_index().expect("is there")[0];
    for (chunk, offsets) in metadata.row_group(0).columns().iter().zip(offsets) {
        places.extend(filter_range(chunk).into_iter().flatten());
        places.extend(range(chunk.column_index_offset(), chunk.column_index_length()).into_iter().flatten());
        places.extend(range(chunk.offset_index_offset(), chunk.offset_index_length()).into_iter().flatten());
        // About the headers of pages.
        places.extend(
            offsets.page_locations().iter().flat_map(|page| page.offset as usize..page.offset as usize + 24),
        );
    }
    places
}

fn range(offset: Option<i64>, len: Option<i32>) -> Option<Range<usize>> {
    let (offset, len) = (offset? as usize, len? as usize);
    Some(offset..offset + len)
}

fn filter_range(chunk: &ColumnChunkMetaData) -> Option<Range<usize>> {
    range(chunk.bloom_filter_offset(), chunk.bloom_filter_length())
}

/// Returns what a reader loses that prunes by everything that the file says, as the `parquet` crate reads it.
fn lost_by_pruning(path: &Path, columns: &Columns) -> Option<String> {
    let file = File::open(path).expect("is there");
    let metadata = metadata(path)?;
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
