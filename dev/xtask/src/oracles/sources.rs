//! Implementations that are built from source: webarchive-commons and cc-index-table for Java,
//! google/webrisk for Go.
//!
//! The programs that run them are in `dev/conformance/tests/profiles`. The sources are checkouts in a folder
//! of the developer.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{finish, finish_quietly, install, root};

/// A checkout, and the commit that a canonical form freezes.
struct Source {
    folder: &'static str,
    commit: &'static str,
}

/// The two of Common Crawl belong to one profile.
const JAVA: [Source; 3] = [
    Source { folder: "webarchive-commons", commit: "3921259229850c20bf4ee8f6cd70d56f3bcc0c13" },
    Source { folder: "cc-index-table", commit: "fe3a5e04b5854439e09d003e67d4392101f642ac" },
    Source { folder: "crawler-commons", commit: "ce0fcb3e26dd653af93434a4cd64b1be4f7bce01" },
];
const GO: Source = Source { folder: "webrisk", commit: "c93dde62bdf3aede023b02fc5f57a18b727b8be8" };

/// Packages of Debian 12. The releases of Java and Go are part of what the forms freeze.
const JAVA_PACKAGES: [&str; 3] = ["openjdk-17-jdk-headless", "libguava-java", "libslf4j-java"];
const GO_PACKAGES: [&str; 3] = ["golang-1.19-go", "golang-golang-x-net-dev", "golang-golang-x-text-dev"];

/// Builds both into `folder`, from checkouts in `sources`.
pub(super) fn build(sources: &Path, folder: &Path) -> Result<(), String> {
    let drivers = root()?.join("dev/conformance/tests/profiles");
    let java = JAVA.iter().map(|source| source.check(sources)).collect::<Result<Vec<_>, _>>()?;
    build_java(&java, &drivers, &folder.join("java"))?;
    build_go(&GO.check(sources)?, &drivers, &folder.join("go"))
}

impl Source {
    /// Returns the folder of the checkout, which has the commit and no changes.
    fn check(&self, sources: &Path) -> Result<PathBuf, String> {
        let checkout = sources.join(self.folder);
        let git = |arguments: &[&str]| {
            finish_quietly(Command::new("git").arg("-C").arg(&checkout).args(arguments))
                .map_err(|error| format!("{}: {error}", checkout.display()))
        };
        let (found, expected) = (git(&["rev-parse", "HEAD"])?, self.commit);
        if found.trim() != expected {
            return Err(format!(
                "{}: expected commit {expected}, found {}",
                checkout.display(),
                found.trim()
            ));
        }
        match git(&["status", "--porcelain", "--untracked-files=no"])?.as_str() {
            "" => Ok(checkout),
            changes => Err(format!("{}: expected no changes, found\n{changes}", checkout.display())),
        }
    }
}

/// Compiles the driver and the needed classes of the sources. `stubs` has the classes of libraries that the
/// sources refer to and the forms do not use, because the compiler needs them.
fn build_java(checkouts: &[PathBuf], drivers: &Path, folder: &Path) -> Result<(), String> {
    install(&JAVA_PACKAGES)?;
    let classes = folder.join("classes");
    let sources = checkouts.iter().map(|checkout| checkout.join("src/main/java"));
    let sources: Vec<String> =
        sources.chain([drivers.join("stubs")]).map(|source| source.display().to_string()).collect();
    let mut javac = Command::new("javac");
    javac.args([
        "-encoding",
        "UTF-8",
        "-nowarn",
        "-cp",
        "/usr/share/java/guava.jar:/usr/share/java/slf4j-api.jar",
    ]);
    javac.arg("-sourcepath").arg(sources.join(":")).arg("-d").arg(&classes);
    finish(javac.arg(drivers.join("Oracle.java")))?;
    let list = root()?.join("crates/urlid-psl/data/public_suffix_list.dat");
    std::fs::copy(&list, classes.join("effective_tld_names.dat"))
        .map_err(|error| format!("{}: {error}", list.display()))
        .map(drop)
}

/// Compiles the driver as a test of the package, because the functions that it calls are private there.
fn build_go(checkout: &Path, drivers: &Path, folder: &Path) -> Result<(), String> {
    install(&GO_PACKAGES)?;
    let package = folder.join("path/src/webrisk");
    std::fs::create_dir_all(&package).map_err(|error| format!("{}: {error}", package.display()))?;
    for file in [checkout.join("urls.go"), drivers.join("oracle_test.go")] {
        let copy = package.join(file.file_name().unwrap_or_default());
        std::fs::copy(&file, copy).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let mut go = Command::new("/usr/lib/go-1.19/bin/go");
    go.env("GOPATH", format!("{}:/usr/share/gocode", folder.join("path").display()));
    go.env("GO111MODULE", "off").env("GOFLAGS", "").env("GOCACHE", folder.join("cache"));
    finish(go.args(["test", "-c", "-o"]).arg(folder.join("oracle")).arg("webrisk"))
}
