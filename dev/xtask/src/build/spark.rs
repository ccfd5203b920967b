//! The jar for Spark: Java classes, and a shim for the JVM over the library for C.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::library::{create_folder, library, target};
use crate::command::{finish, root};

/// The environment variable `SPARK_HOME` names the folder of the Spark to build for. `JAVA_HOME` names the
/// folder of a JDK, if the `javac` on the path belongs to a different one.
pub(super) fn make() -> Result<PathBuf, String> {
    let spark = std::env::var_os("SPARK_HOME").map(PathBuf::from);
    let spark = spark.filter(|spark| spark.join("jars").is_dir());
    let spark =
        spark.ok_or("SPARK_HOME is not the folder of a Spark, such as that of the Python package pyspark")?;
    let (sources, java, folder) = (root()?.join("bindings/spark"), java_home()?, target("spark")?);
    let classes = folder.join("classes");
    if classes.exists() {
        std::fs::remove_dir_all(&classes).map_err(|error| format!("{}: {error}", classes.display()))?;
    }
    link(&sources.join("jni.c"), &java, &classes)?;

    let files = java_files(&sources.join("java/urlid/spark"))?;
    let mut javac = Command::new(java.join("bin/javac"));
    // Some jars name jars that Spark leaves out. This is not a fault of this code.
    javac.args(["--release", "17", "-Xlint:all,-path", "-Werror", "-cp"]).arg(spark.join("jars/*"));
    finish(javac.arg("-d").arg(&classes).args(files))?;

    let jar = folder.join("urlid-spark.jar");
    finish(
        Command::new(java.join("bin/jar"))
            .args(["--create", "--file"])
            .arg(&jar)
            .arg("-C")
            .arg(&classes)
            .arg("."),
    )?;
    Ok(jar)
}

/// Links the library at the path where the class `Native` looks for it. Its symbols are not exported.
fn link(shim: &Path, java: &Path, classes: &Path) -> Result<(), String> {
    let library = library("c")?.with_extension("a");
    // The JVM has its own name for one architecture.
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        other => other,
    };
    let platform = classes.join("urlid/spark").join(format!("linux-{architecture}"));
    create_folder(&platform)?;
    let include = java.join("include");
    let mut gcc = Command::new("gcc");
    gcc.args(["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-I"])
        .arg(&include);
    gcc.arg("-I").arg(include.join("linux")).arg("-I").arg(root()?.join("bindings/c/include"));
    gcc.args(["-Wl,--exclude-libs,ALL"]).arg(shim).arg(library).arg("-lm");
    finish(gcc.arg("-o").arg(platform.join("liburlid-spark.so")))
}

/// Returns the folder of the JDK.
fn java_home() -> Result<PathBuf, String> {
    if let Some(java) =
        std::env::var_os("JAVA_HOME").map(PathBuf::from).filter(|java| java.join("bin/javac").exists())
    {
        return Ok(java);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let javac = std::env::split_paths(&path).map(|folder| folder.join("javac")).find(|javac| javac.exists());
    let javac = javac.and_then(|javac| javac.canonicalize().ok());
    let java = javac.as_deref().and_then(Path::parent).and_then(Path::parent).map(Path::to_owned);
    java.ok_or_else(|| "javac is missing: expected a JDK in JAVA_HOME or on the path".to_owned())
}

fn java_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let files = entries.map(|entry| entry.map(|entry| entry.path()).map_err(|error| error.to_string()));
    files
        .filter(|file| file.as_ref().is_ok_and(|file| file.extension().is_some_and(|is| is == "java")))
        .collect()
}
