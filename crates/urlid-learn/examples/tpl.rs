//! tpl TRAIN [TEST…]: learns and assigns.
use urlid_canonical::Templates;
use urlid_learn::{HostSample, TemplateUrls};
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(&args[0]).unwrap();
    let start = std::time::Instant::now();
    let mut urls = TemplateUrls::new();
    let mut lines: Vec<String> = text
        .lines()
        .filter_map(|url| {
            let mut line = String::new();
            urls.push(url, &mut line).ok()?;
            (!line.is_empty()).then_some(line)
        })
        .collect();
    lines.sort();
    lines.dedup();
    let mut hosts: Vec<HostSample> = Vec::new();
    for line in &lines {
        if !hosts.last().is_some_and(|host| host.has_host_of(line)) {
            hosts.push(HostSample::new(line, 2000));
        }
        hosts.last_mut().unwrap().push(line);
    }
    let read = start.elapsed();
    let learned: Vec<_> = hosts.iter().map(|host| host.learn(true)).collect();
    eprintln!("{} lines read in {read:?}, learned in {:?}", lines.len(), start.elapsed() - read);
    let body: String = learned.iter().map(|host| host.to_canonical()).collect();
    let file = format!("urlid-templates 1\n{body}");
    std::fs::write("/tmp/w5/t.templates", &file).unwrap();
    for trap in learned.iter().flat_map(|host| host.traps.iter().map(move |t| (host, t))) {
        println!(
            "TRAP\t{}\t{}\t{}\t{}\t{}",
            trap.1.kind, trap.0.host, trap.1.template, trap.1.urls, trap.1.reason
        );
    }
    let templates = Templates::parse(&file).unwrap();
    let mut assigner = templates.assigner();
    for path in &args[1..] {
        let start = std::time::Instant::now();
        let text = std::fs::read_to_string(path).unwrap();
        let mut out = String::new();
        for url in text.lines() {
            out.push_str(assigner.assign(url).unwrap().as_deref().unwrap_or(""));
            out.push('\n');
        }
        eprintln!("assigned in {:?}", start.elapsed());
        std::fs::write(format!("{path}.assigned"), out).unwrap();
    }
}
