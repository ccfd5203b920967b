//! Compares the header with the sources. `URLID_WRITE_DOCS=1` writes it.

use std::path::Path;

#[test]
fn the_header_is_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("the configuration");
    let bindings = cbindgen::Builder::new().with_crate(folder).with_config(config).generate();
    let mut header = Vec::new();
    bindings.expect("sources that cbindgen reads").write(&mut header);
    let header = String::from_utf8(header).expect("UTF-8");
    let path = folder.join("include/urlid.h");
    if std::env::var_os("URLID_WRITE_DOCS").is_some() {
        std::fs::write(&path, &header).expect("a file that can be written");
    }
    let written = std::fs::read_to_string(&path).expect("the header");
    assert_eq!(written, header, "write it again with URLID_WRITE_DOCS=1");
}
