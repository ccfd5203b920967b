//! The measured lines, which are real URLs that are not part of this repository.

use std::path::{Path, PathBuf};
use std::{env, io};

use urlid_testing::read_text;

/// A text of lines.
pub(crate) struct Corpus {
    /// The name of the corpus in records.
    pub(crate) name: String,
    /// All lines, each with its LF.
    pub(crate) text: String,
}

impl Corpus {
    /// Reads a file, zstd or plain.
    pub(crate) fn read(path: &Path) -> io::Result<Corpus> {
        let text = read_text(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.split('.').next().unwrap_or_default().to_owned();
        Ok(Corpus { name, text })
    }

    /// Makes a corpus of lines.
    pub(crate) fn of(name: &str, lines: impl IntoIterator<Item = String>) -> Corpus {
        let mut text = String::new();
        for line in lines {
            text.push_str(&line);
            text.push('\n');
        }
        Corpus { name: name.to_owned(), text }
    }

    /// Returns the lines without their ends.
    pub(crate) fn lines(&self) -> Vec<&str> {
        self.text.lines().collect()
    }

    /// Returns the offset of each line in the text, and the text's length.
    pub(crate) fn offsets(&self) -> Vec<usize> {
        let ends = self.text.match_indices('\n').map(|(offset, _)| offset + 1);
        std::iter::once(0).chain(ends).collect()
    }
}

/// Reads the two corpora for which targets are defined, from `URLID_CORPUS` or from a folder next to the
/// repository.
pub(crate) fn standard() -> Result<[Corpus; 2], String> {
    let folder = match env::var_os("URLID_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
    };
    let read = |name: &str| {
        let path = folder.join(name);
        Corpus::read(&path).map_err(|error| {
            format!(
                "no corpus at {}: {error}; set URLID_CORPUS to a folder that has crawl_50k.txt.zst and \
                 mixed_100k.txt.zst, files of URLs, one a line",
                path.display()
            )
        })
    };
    Ok([read("crawl_50k.txt.zst")?, read("mixed_100k.txt.zst")?])
}
