//! `cargo xtask features`: checks that the library builds without features, and with each single feature.

use std::path::Path;
use std::process::Command;

/// Takes no arguments.
pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or("the crate is not in `dev`")?;
    let manifest = root.join("crates/urlid/Cargo.toml");
    let text =
        std::fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    for feature in std::iter::once("").chain(features(&text)) {
        let status = Command::new("cargo")
            .args(["check", "--quiet", "--package", "urlid", "--no-default-features", "--features", feature])
            .current_dir(root)
            .status()
            .map_err(|error| format!("cargo: {error}"))?;
        if !status.success() {
            return Err(format!("crate urlid does not build with the features `{feature}` alone"));
        }
    }
    Ok(())
}

/// Returns the names in the manifest's table of features.
fn features(manifest: &str) -> impl Iterator<Item = &str> {
    let lines = manifest.lines().skip_while(|line| *line != "[features]").skip(1);
    lines.take_while(|line| !line.starts_with('[')).filter_map(|line| Some(line.split_once(" = ")?.0))
}

#[cfg(test)]
mod tests {
    #[test]
    fn features_are_the_names_in_their_table() {
        let manifest = "[package]\nname = \"x\"\n[features]\ndefault = []\n# What it is.\nstd = [\n\"a\"]\n[lints]\nb = 1";
        assert_eq!(super::features(manifest).collect::<Vec<_>>(), ["default", "std"]);
    }
}
