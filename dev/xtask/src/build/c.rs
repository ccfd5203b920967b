//! The library for C in one movable folder: header, static and shared library, and the file for pkg-config.

use std::path::PathBuf;

use super::library::{copy, create_folder, library, target};
use crate::command::root;

pub(super) fn make() -> Result<PathBuf, String> {
    let (sources, built) = (root()?.join("bindings/c"), library("c")?);
    let folder = target("c")?;
    let (include, lib) = (folder.join("include"), folder.join("lib"));
    create_folder(&include)?;
    create_folder(&lib.join("pkgconfig"))?;
    copy(&sources.join("include/urlid.h"), &include.join("urlid.h"))?;
    copy(&sources.join("urlid.pc"), &lib.join("pkgconfig/urlid.pc"))?;
    copy(&built, &lib.join(format!("liburlid{}", std::env::consts::DLL_SUFFIX)))?;
    // Programs look for the name in the library, which has the number of its interface.
    #[cfg(target_os = "linux")]
    copy(&built, &lib.join("liburlid.so.0"))?;
    copy(&built.with_extension("a"), &lib.join("liburlid.a"))?;
    Ok(folder)
}
