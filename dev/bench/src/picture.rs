//! `bench picture RECORD [SVG]`: draws the comparison in a record of `peers` for the README.
//!
//! One bar for each work, proportional to its URLs a second. The picture depends only on the record.

use std::fmt::Write;
use std::{fs, path::PathBuf};

use crate::record::{Record, records};

/// The shown works, by their names in records, with their names in the picture.
const BARS: [(&str, &str); 7] = [
    ("urlid: SXURL to hex lines, batch", "urlid, SXURL in batches"),
    ("sxurl 1.1: encode to hex", "sxurl 1.1, encode to hex"),
    ("urlid: url-hash, batch", "urlid, url-hash in batches"),
    ("url-hash 0.1: parse and hash", "url-hash 0.1, parse and hash"),
    ("urlid: web::Url::parse", "urlid, WHATWG parse"),
    ("ada-url 4: parse", "ada-url 4, WHATWG parse"),
    ("url 2.5: parse", "url 2.5, WHATWG parse"),
];

const WIDTH: f64 = 760.0;
const LABEL: f64 = 210.0;
const ROW: f64 = 26.0;
const TOP: f64 = 54.0;

/// Reads the record and writes the picture.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let path = arguments.first().ok_or("usage: bench picture RECORD [SVG]")?;
    let text = fs::read_to_string(path).map_err(|error| format!("can't read {path}: {error}"))?;
    let record: Record =
        serde_json::from_str(&text).map_err(|error| format!("{path} is not a record: {error}"))?;
    let to = arguments.get(1).map_or_else(|| records().join("peers.svg"), PathBuf::from);
    let picture = draw(&record)?;
    fs::write(&to, picture).map_err(|error| format!("can't write {}: {error}", to.display()))
}

fn draw(record: &Record) -> Result<String, String> {
    let corpus = &record.figures.first().ok_or("the record lacks figures")?.corpus;
    let mut bars = Vec::new();
    for (work, title) in BARS {
        let figure = record.figures.iter().find(|figure| figure.corpus == *corpus && figure.work == work);
        let figure = figure.ok_or_else(|| format!("the record has no figure for `{work}`"))?;
        bars.push((title, 1000.0 / figure.nanoseconds));
    }
    let most = bars.iter().map(|(_, rate)| *rate).fold(0.0, f64::max);
    let height = TOP + ROW * bars.len() as f64 + 12.0;

    let mut svg = String::new();
    let mut line = |text: std::fmt::Arguments<'_>| writeln!(svg, "{text}").map_err(|error| error.to_string());
    line(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"13\">"
    ))?;
    line(format_args!("<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>"))?;
    line(format_args!(
        "<text x=\"12\" y=\"22\" font-size=\"15\" font-weight=\"bold\">Million URLs a second, one core, {corpus}</text>"
    ))?;
    line(format_args!("<text x=\"12\" y=\"40\" fill=\"#666\">{}, {}</text>", record.machine, record.date))?;
    for (index, (title, rate)) in bars.iter().enumerate() {
        let y = TOP + ROW * index as f64;
        let length = (WIDTH - LABEL - 80.0) * rate / most;
        let colour = if title.starts_with("urlid") { "#2563eb" } else { "#9ca3af" };
        line(format_args!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{title}</text>",
            LABEL - 8.0,
            y + 14.0
        ))?;
        line(format_args!(
            "<rect x=\"{LABEL}\" y=\"{y}\" width=\"{length:.1}\" height=\"18\" rx=\"2\" fill=\"{colour}\"/>"
        ))?;
        line(format_args!("<text x=\"{:.1}\" y=\"{}\">{rate:.1}</text>", LABEL + length + 6.0, y + 14.0))?;
    }
    line(format_args!("</svg>"))?;
    Ok(svg)
}
