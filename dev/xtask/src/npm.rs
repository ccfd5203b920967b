//! Packages of Node that tasks need, installed once under the cache folder by their lock file.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{cache, finish};

/// Installs the packages of `package.json` and `package-lock.json` of a folder, and returns the path of
/// `node_modules`.
///
/// Scripts of packages are not run.
pub(crate) fn install(name: &str, manifest: &Path) -> Result<PathBuf, String> {
    let folder = cache()?.join("npm").join(name);
    let modules = folder.join("node_modules");
    let read = |path: &Path| std::fs::read_to_string(path);
    let wanted = manifest.join("package-lock.json");
    let wanted_text = read(&wanted).map_err(|error| format!("{}: {error}", wanted.display()))?;
    // The copy is written last, so that an incomplete installation lacks it.
    let installed = folder.join("installed-lock.json");
    if read(&installed).is_ok_and(|text| text == wanted_text) {
        return Ok(modules);
    }
    let in_folder = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(in_folder)?;
    for file in ["package.json", "package-lock.json"] {
        std::fs::copy(manifest.join(file), folder.join(file)).map_err(in_folder)?;
    }
    let mut npm = Command::new("npm");
    finish(npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]).current_dir(&folder))?;
    std::fs::write(&installed, wanted_text).map_err(in_folder)?;
    Ok(modules)
}
