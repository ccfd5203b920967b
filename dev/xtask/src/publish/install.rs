//! `cargo xtask proof install`: installs the release from files into a new Debian without Rust, and uses it
//! there.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::folder;
use super::program::dist;
use super::wheel::wheels;
use crate::build;
use crate::command::{cache, finish, install, report};

/// The steps of a reader of the README: the packages from files, and one example of each.
const SESSION: &str = r#"set -eu
absent() { if command -v "$1"; then echo "expected no $1"; exit 1; fi; }
for tool in cargo rustc cc urlid; do absent $tool; done
expect() { [ "$1" = "$2" ] || { echo "expected $1, found $2"; exit 1; }; }
id=1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356

dpkg --install /files/*.deb
expect $id "$(urlid id https://docs.rs/)"
printf 'https://docs.rs/\nhttps://docs.rs/serde\nhttps://example.com/\n' > /tmp/urls.txt
urlid index add --quiet /tmp/urls.db /tmp/urls.txt
expect 2 "$(urlid index find /tmp/urls.db --domain docs --tld rs --format text | wc -l)"
test -s /usr/share/man/man1/urlid-index-find.1.gz
test -s /usr/share/bash-completion/completions/urlid
test -s /usr/share/doc/urlid/copyright
dpkg --remove urlid
hash -r
absent urlid

mkdir /tmp/archive
tar --extract --directory /tmp/archive --strip-components 1 --file /files/*-linux-musl.tar.gz
expect $id "$(/tmp/archive/urlid id https://docs.rs/)"

python3 -m venv /tmp/venv
/tmp/venv/bin/pip install --quiet --no-index /files/*.whl
expect $id "$(/tmp/venv/bin/python -c 'import urlid; print(urlid.Sxurl.encode("https://docs.rs/"))')"

cd /js
echo "import { Sxurl } from 'urlid'; console.log(String(Sxurl.encode('https://docs.rs/')));" > example.mjs
expect $id "$(node example.mjs)"
"#;

/// Builds the release, or with `--made` uses an existing build, and installs it. Needs root, for `chroot`.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    install(&["debootstrap"])?;
    let files = match args {
        [] => [dist()?, wheels()?].concat(),
        [made] if made == "--made" => [files_in(&folder()?)?, files_in(&folder()?.join("python"))?].concat(),
        _ => return Err("expected --made or no argument".to_owned()),
    };
    let system = cache()?.join("debian");
    let in_place = |error| format!("{}: {error}", system.display());
    if system.exists() {
        std::fs::remove_dir_all(&system).map_err(in_place)?;
    }
    let mut debootstrap = Command::new("debootstrap");
    debootstrap.args(["--variant=minbase", "--include=python3-venv,nodejs", "trixie"]);
    finish(debootstrap.arg(&system))?;
    let inside = system.join("files");
    std::fs::create_dir(&inside).map_err(in_place)?;
    for file in &files {
        std::fs::copy(file, inside.join(name_of(file))).map_err(in_place)?;
        report(&format!("installs {}", file.display()));
    }
    // npm itself is not installed there. Its packages are folders of files.
    let mut pack = Command::new("npm");
    finish(pack.args(["pack", "--silent", "--pack-destination"]).arg(&inside).arg(build::make("js")?))?;
    let package = inside.join(format!("urlid-{}.tgz", env!("CARGO_PKG_VERSION")));
    let mut npm = Command::new("npm");
    npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefix"]);
    finish(npm.arg(system.join("js")).arg(package))?;
    finish(Command::new("chroot").arg(&system).args(["/bin/sh", "-c", SESSION]))?;
    std::fs::remove_dir_all(&system).map_err(in_place)
}

/// Returns the files of a folder, without its folders.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect())
}

fn name_of(path: &Path) -> &std::ffi::OsStr {
    path.file_name().unwrap_or_default()
}
