//! What shells offer.

use crate::support::urlid;

/// The names that are offered after `--as`, in a shell that runs the script.
fn offered(words: &str) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_urlid");
    let script = format!(
        "source <('{program}' completions bash); COMP_WORDS=({words} ''); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
         _urlid urlid '' \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let output = std::process::Command::new("bash").args(["-c", &script]).output().expect("there is bash");
    let out = String::from_utf8(output.stdout).expect("it is text");
    out.lines().map(str::to_owned).collect()
}

#[test]
fn bash_offers_the_forms_and_the_verbs() {
    for verb in ["canon", "explain", "cdx find", "cdx rekey --from web --to"] {
        let words =
            if verb.ends_with("--to") { format!("urlid {verb}") } else { format!("urlid {verb} --as") };
        let forms = offered(&words);
        assert!(
            ["web", "surt-0.3.1", "w3lib-2.5"].iter().all(|form| forms.iter().any(|name| name == form)),
            "{verb}: {forms:?}"
        );
    }
    // Identifiers are made of URLs, so keys are not offered.
    let forms = offered("urlid id --as");
    assert!(forms.contains(&"web".to_owned()) && !forms.contains(&"surt-0.3.1".to_owned()), "{forms:?}");
    let verbs = offered("urlid");
    assert!(verbs.contains(&"ref".to_owned()) && !verbs.contains(&"goto".to_owned()), "{verbs:?}");
    let verbs = offered("urlid ref");
    assert!(verbs.contains(&"goto".to_owned()), "{verbs:?}");
}

#[test]
fn zsh_and_fish_offer_the_forms_too() {
    for shell in ["zsh", "fish"] {
        let script = urlid(["completions", shell]).out;
        assert!(script.contains("surt-0.3.1") && script.contains("w3lib-2.5"), "{shell}");
    }
}
