//! `cargo xtask psl`: writes `crates/urlid-psl/src/generated.rs` from the list next to it.
//!
//! `urlid_psl` makes the table. This task adds the ASCII form of its names (with `idna`, never `urlid`) and
//! their SXURL hashes, and prints all of it as Rust.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};
use urlid_psl::{ListError, SuffixTableBuf, dat};

/// Writes the file. With `--check`, fails if the file is not current.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/urlid-psl");
    let list = folder.join("data/public_suffix_list.dat");
    let target = folder.join("src/generated.rs");
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let source = generate(&read(&list)?).map_err(|error| format!("{}: {error}", list.display()))?;
    match args {
        [] => fs::write(&target, source).map_err(|error| format!("{}: {error}", target.display())),
        [check] if check == "--check" && read(&target)? == source => Ok(()),
        [check] if check == "--check" => {
            Err(format!("{} is not current, run `cargo xtask psl`", target.display()))
        }
        _ => Err("expected --check or no argument".to_owned()),
    }
}

/// Returns the source of the table of a list.
fn generate(dat: &str) -> Result<String, ListError> {
    let buf = SuffixTableBuf::from_dat(dat, |name| idna::domain_to_ascii(name).ok())?;
    let table = buf.as_table();
    let hashes =
        (0..table.count() + 1).map(|index| table.name(index).map_or(0, |name| tld_hash(&name)).to_string());
    let names = table.names().map(|name| {
        // `last` has zeros before a shorter label, and `n` adds them itself.
        let last = name.last[8_usize.saturating_sub(name.len.into())..].escape_ascii();
        format!("n(b\"{last}\",{},{},{},{})", name.parent, name.len, name.rest, name.flags)
    });
    let mut out = String::from("//! The suffix table. Written by `cargo xtask psl`; do not edit.\n\n");
    out.push_str("use crate::suffix_filter::SuffixFilter;\nuse crate::table::{Name, SuffixTable, n};\n\n");
    let mut constant = |about: &str, name: &str, value: &str| {
        writeln!(out, "/// {about}\npub const {name}: {value};\n").expect("a String takes any text");
    };
    constant(
        "The list's own `VERSION` line.",
        "VERSION",
        &format!("&str = {:?}", dat::comment(dat, "VERSION")),
    );
    constant("The list's own `COMMIT` line.", "COMMIT", &format!("&str = {:?}", dat::comment(dat, "COMMIT")));
    constant(
        "SHA-256 of [`DAT`](crate::DAT).",
        "SHA256",
        &format!("[u8; 32] = {:?}", Sha256::digest(dat.as_bytes()).0),
    );
    out.push_str("/// The table of [`DAT`](crate::DAT), both sections.\n");
    out.push_str("pub const TABLE: SuffixTable<'static> =\n    SuffixTable { slots: &SLOTS, crowded: &CROWDED, filter: SuffixFilter { pairs: &PAIRS, wildcards: &WILDCARDS }, names: &NAMES, rest: REST };\n\n");
    array(&mut out, "pub(crate) static TLD_HASHES", "u16", hashes);
    array(&mut out, "static SLOTS", "u32", table.slots().iter().map(u32::to_string));
    array(&mut out, "static CROWDED", "u32", table.crowded().iter().map(u32::to_string));
    let (pairs, wildcards) = table.filter();
    array(&mut out, "static PAIRS", "u64", pairs.iter().map(|word| format!("{word:#x}")));
    array(&mut out, "static WILDCARDS", "u8", wildcards.iter().map(u8::to_string));
    array(&mut out, "pub(crate) static NAMES", "Name", names);
    writeln!(out, "#[rustfmt::skip]\npub(crate) static REST: &str = {:?};", table.rest())
        .expect("a String takes any text");
    writeln!(
        out,
        "\n#[cfg(any(feature = \"compact\", test))]\npub(crate) static NAMES_TEXT: &str = {:?};",
        urlid_psl::to_text(&table)
    )
    .expect("a String takes any text");
    Ok(out)
}

/// The TLD slice of a SXURL: the low 16 bits of SHA-256 over the label `tld`, a zero byte and the suffix.
fn tld_hash(suffix: &str) -> u16 {
    let digest = Sha256::new().chain_update(b"tld\0").chain_update(suffix).finalize();
    u16::from_be_bytes([digest[30], digest[31]])
}

/// Prints an array, with as many items on a line as fit.
fn array(out: &mut String, declaration: &str, item: &str, items: impl ExactSizeIterator<Item = String>) {
    writeln!(out, "#[rustfmt::skip]\n{declaration}: [{item}; {}] = [", items.len())
        .expect("a String takes any text");
    let mut width = 0;
    for item in items {
        if width + item.len() > 120 {
            out.push('\n');
            width = 0;
        }
        out.push_str(&item);
        out.push(',');
        width += item.len() + 1;
    }
    out.push_str("\n];\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_in_the_tree_is_made_from_the_list_in_the_tree() {
        assert_eq!(run(&["--check".to_owned()]), Ok(()));
    }

    /// The list with which `crates/urlid/tests/new_list.rs` rehearses an update.
    #[test]
    fn a_new_list_makes_a_table_with_its_rules_and_its_version() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/urlid-psl/data/public_suffix_list.dat");
        let old = fs::read_to_string(path).expect("it is there");
        let new = old.replacen("\nco.uk\n", "\n", 1).replacen("\ncom\n", "\ncom\nquince.com\n", 1);
        let new = new.replacen("VERSION: ", "VERSION: rehearsal-", 1);
        let source = generate(&new).expect("a list");
        assert!(source.contains("VERSION: &str = \"rehearsal-"));
        assert_ne!(source, generate(&old).expect("a list"));
        let buf = SuffixTableBuf::from_dat(&new, |name| idna::domain_to_ascii(name).ok()).expect("a list");
        let names: Vec<String> = (0..buf.as_table().count()).filter_map(|n| buf.as_table().name(n)).collect();
        assert!(names.iter().any(|name| name == "quince.com"));
    }
}
