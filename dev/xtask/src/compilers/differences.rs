//! Finds the differences between the answers of two builds.

use std::path::Path;

use super::builds::Probe;
use crate::command::report;

/// The maximum number of listed runs of code points.
const RUNS: usize = 200;

/// Returns a line for each function and shape whose answers differ, with the code points.
pub(super) fn of_digests(baseline: &Probe, other: &Probe, one_in: u32) -> Result<Vec<String>, String> {
    let (expected, found) = (baseline.digests(one_in)?, other.digests(one_in)?);
    let one_in = one_in.to_string();
    let (expected, found) = (sections(&expected), sections(&found));
    if expected.iter().map(|section| section.0).ne(found.iter().map(|section| section.0)) {
        return Err("the two builds have other functions or shapes".to_owned());
    }
    let mut lines = Vec::new();
    for ((place, expected), (_, found)) in expected.iter().zip(&found) {
        if expected != found {
            let (function, shape) = *place;
            let answers = |probe: &Probe| probe.run(&["answers", &one_in, function, shape]);
            lines.push(format!("{function}, {shape}: {}", differing(&answers(baseline)?, &answers(other)?)));
        }
    }
    Ok(lines)
}

/// A function and a shape.
type Place<'a> = (&'a str, &'a str);

/// Returns the digests by function and shape.
fn sections(text: &str) -> Vec<(Place<'_>, Vec<&str>)> {
    let mut sections: Vec<(Place<'_>, Vec<&str>)> = Vec::new();
    let mut function = "";
    for line in text.lines().filter(|line| !line.is_empty()) {
        match sections.last_mut() {
            Some((_, digests)) if line.starts_with("  ") => digests.push(line),
            _ if line.contains(' ') => function = line,
            _ => sections.push(((function, line), Vec::new())),
        }
    }
    sections
}

/// Returns the code points whose answers differ, as runs.
fn differing(expected: &str, found: &str) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    let mut count = 0;
    for (expected, found) in expected.lines().zip(found.lines()) {
        if expected == found {
            continue;
        }
        let digits = expected.trim_start_matches("U+").split(' ').next().unwrap_or_default();
        let code_point = u32::from_str_radix(digits, 16).unwrap_or_default();
        count += 1;
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == code_point => *last = code_point,
            _ => runs.push((code_point, code_point)),
        }
    }
    let show = |&(first, last): &(u32, u32)| {
        if first == last { format!(" {first:04X}") } else { format!(" {first:04X}-{last:04X}") }
    };
    let more = if runs.len() > RUNS { " …" } else { "" };
    format!("{count}:{}{more}", runs.iter().take(RUNS).map(show).collect::<String>())
}

/// Returns the lines that `other` prints for the vectors and `baseline` does not.
pub(super) fn of_vectors(baseline: &Probe, other: &Probe, files: &[String]) -> Result<Vec<String>, String> {
    let mut arguments = vec!["vectors"];
    arguments.extend(files.iter().map(String::as_str));
    let (expected, found) = (baseline.run(&arguments)?, other.run(&arguments)?);
    if expected.contains("failed: ") {
        return Err(format!("vectors fail in the build that the others are compared with:\n{expected}"));
    }
    let is_other = |line: &&str| !expected.lines().any(|other| other == *line);
    Ok(found.lines().filter(is_other).map(str::to_owned).collect())
}

/// Compares differences with the expected ones. `URLID_WRITE_DIFFERENCES` writes them first.
pub(super) fn check(path: &Path, found: &[String]) -> Result<(), String> {
    let in_place = |error| format!("{}: {error}", path.display());
    let text = found.iter().map(|line| format!("{line}\n")).collect::<String>();
    if std::env::var_os("URLID_WRITE_DIFFERENCES").is_some() {
        std::fs::create_dir_all(path.parent().unwrap_or(path)).map_err(in_place)?;
        std::fs::write(path, &text).map_err(in_place)?;
    }
    if std::fs::read_to_string(path).map_err(in_place)? == text {
        report(&format!("{} differences, as {} says", found.len(), path.display()));
        Ok(())
    } else {
        Err(format!("differences are others than {} says:\n{text}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_read_by_function_and_shape() {
        let text = "form web\nhost\n  0000-00FF 1\n  0100-01FF 2\npath\n  0000-00FF 3\n\nid sxurl\nhost\n  0000-00FF 4\n";
        let expected = [
            (("form web", "host"), vec!["  0000-00FF 1", "  0100-01FF 2"]),
            (("form web", "path"), vec!["  0000-00FF 3"]),
            (("id sxurl", "host"), vec!["  0000-00FF 4"]),
        ];
        assert_eq!(sections(text), expected);
    }

    #[test]
    fn differing_answers_are_listed_as_runs() {
        let (one, other) = ("U+0041 a\nU+0042 b\nU+0043 c\n", "U+0041 x\nU+0042 y\nU+0043 c\n");
        assert_eq!(differing(one, other), "2: 0041-0042");
    }
}
