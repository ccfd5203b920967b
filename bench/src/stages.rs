//! `bench stages`
use urlid::batch::{Encoder, Kernels, MemoKey};
use urlid::suffix::{List, Sections};
use urlid::Sxurl;
use crate::corpus;
use crate::race::Race;
pub fn run(arguments: &[String]) -> Result<(), String> {
    let [crawl, mixed] = corpus::standard()?;
    let corpus = if arguments.iter().any(|a| a == "mixed") { mixed } else { crawl };
    let offsets = &corpus.offsets();
    let text = corpus.text.as_bytes();
    let mut race = Race::over(offsets.len() - 1);
    if arguments.iter().any(|a| a == "url") {
    let mut encoder = Encoder::<urlid::url_hash::UrlHash>::new(Kernels::detect());
    let mut hex = Vec::new();
    race.add("batch", move |range| {
        hex.clear();
        encoder.encode_lines(&text[offsets[range.start]..offsets[range.end]], |batch| batch.write_hex_lines(&mut hex));
        u64::from(hex[hex.len() / 2])
    });
    } else {
    let mut encoder = Encoder::<Sxurl>::new(List::compiled(Sections::All), MemoKey([1, 2]), Kernels::detect());
    let mut hex = Vec::new();
    race.add("batch", move |range| {
        hex.clear();
        encoder.encode_lines(&text[offsets[range.start]..offsets[range.end]], |batch| batch.write_hex_lines(&mut hex));
        u64::from(hex[hex.len() / 2])
    });
    }
    for t in race.run(200) { println!("{} {:.1}", t.name, t.nanoseconds); }
    Ok(())
}
