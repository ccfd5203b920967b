//! Lists between a publisher and readers: kinds, deltas, shards from a web server, signatures, and lists of
//! other formats.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use urlid_lists::{Scratch, ShardIndex, ShardMatcher, Trust, TrustedKey};

use super::*;

#[test]
fn every_kind_says_what_a_match_means() {
    let folder = Folder::new();
    folder.file("urls", "http://a.example/\nhttp://b.example/\n");
    done(&folder, "make --covers=subdomains urls -o text");
    for (options, note) in [
        ("--digests exact", "exact, 80 bits: a digest that is not listed matches 1 in 6.0e23 by chance\n"),
        ("--digests whole", ""),
        (
            "--digests prefix",
            "prefix, 32 bits: a digest that is not listed matches 1 in 2.1e9 by chance; confirm matches with the whole digests\n",
        ),
    ] {
        done(&folder, &format!("compile text -o compiled {options}"));
        let ran = done(&folder, "match compiled --urls http://x.a.example/page");
        assert_eq!(ran.out, "http://x.a.example/page\n", "{options}");
        let note = if note.is_empty() { String::new() } else { format!("compiled: {note}") };
        assert!(ran.err.ends_with(&note), "{options}: {}", ran.err);
        let shown = done(&folder, "show compiled").out;
        assert_eq!(shown.contains("hashed:sha1="), note.is_empty(), "{shown}");
        assert_eq!(shown.contains("by chance"), !note.is_empty(), "{shown}");
        let audited = done(&folder, "audit compiled http://b.example/").out;
        assert!(audited.contains("1 of 2 entries revealed"), "{audited}");
    }
    for (words, code, said) in [
        ("compile text -o x --digests prefix --digest-bits 40", 2, "--digest-bits: found `40`, expected 32"),
        (
            "compile text -o x --digests exact --digest-bits 81",
            2,
            "expected whole, or a multiple of 8 from 40 to 512",
        ),
        ("compile compiled -o x --digests exact", 4, "ERR_LIST_KIND: list keeps too few bits of its digests"),
        ("diff compiled text", 4, "lists have different `digest-bits`"),
        (
            "shards text --bits 4 --out x",
            4,
            "ERR_LIST_SHARD: entries cover more than their own URL: expected the routes",
        ),
        ("shards text --bits 4 --out x --digests all", 2, "possible values: whole, exact, prefix"),
        ("compile text -o x --digests whole --digest-bits 80", 2, "--digest-bits needs --digests exact"),
    ] {
        let ran = in_folder(&folder, words);
        assert_eq!(ran.code, Some(code), "{words}: {}", ran.err);
        assert!(ran.err.contains(said), "{words}: {}", ran.err);
    }
    // Sets of parts of one length are compared and merged.
    done(&folder, "make --covers=subdomains http://b.example/ http://c.example/ -o other");
    for name in ["text", "other"] {
        done(&folder, &format!("compile {name} -o {name}.prefix --digests prefix"));
    }
    let ran = in_folder(&folder, "diff text.prefix other.prefix");
    assert_eq!((ran.code, ran.out.lines().count()), (Some(1), 2), "{}", ran.err);
    assert!(ran.out.lines().all(|line| line.len() == "-hashed:sha1=01234567*".len()), "{}", ran.out);
    let ran = done(&folder, "merge text.prefix other.prefix -o merged");
    assert!(ran.err.contains("3 entries"), "{}", ran.err);
    assert_eq!(in_folder(&folder, "merge text.prefix other.prefix").code, Some(2));
}

/// Answers requests for the files of a folder, until it is stopped.
fn serve(folder: &Path) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = listener.local_addr().expect("it has an address");
    let folder = folder.to_owned();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut request = [0; 1024];
            let length = stream.read(&mut request).unwrap_or(0);
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            let name = request.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
            let answer = match std::fs::read(folder.join(name)) {
                Ok(body) => [b"HTTP/1.0 200 OK\r\n\r\n", &body[..]].concat(),
                Err(_) => b"HTTP/1.0 404 Not Found\r\n\r\n".to_vec(),
            };
            let _ = stream.write_all(&answer);
        }
    });
    address
}

fn fetch(address: std::net::SocketAddr, name: &str) -> Option<Vec<u8>> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.write_all(format!("GET /{name} HTTP/1.0\r\n\r\n").as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    let end = answer.windows(4).position(|some| some == b"\r\n\r\n")?;
    answer.starts_with(b"HTTP/1.0 200").then(|| answer.split_off(end + 4))
}

#[test]
fn shards_are_read_from_a_web_server_one_for_each_candidate() {
    let folder = Folder::new();
    let urls: String = (0..300).map(|number| format!("http://h{number}.example/dir/\n")).collect();
    folder.file("urls", &urls);
    done(&folder, "make --covers=subdomains urls --routes routes -o text");
    done(&folder, "shards text --routes routes --bits 5 --pad --out shards");
    let sizes = std::fs::read_dir(folder.path().join("shards")).expect("it was made").map(|entry| {
        let entry = entry.expect("it is there");
        (entry.file_name() == "index", entry.metadata().expect("it is there").len())
    });
    let sizes: std::collections::BTreeSet<(bool, u64)> = sizes.collect();
    assert_eq!(sizes.len(), 2, "all shards have one size: {sizes:?}");

    let address = serve(&folder.path().join("shards"));
    let index =
        ShardIndex::from_bytes(&fetch(address, "index").expect("it is served")).expect("it is an index");
    let matcher = ShardMatcher::new(index, None).expect("it is not keyed");
    let mut scratch = Scratch::default();
    for (url, is_listed) in [
        ("http://h7.example/dir/page", true),
        ("http://a.b.h8.example/dir/x/y?z", true),
        ("http://h7.example/other", false),
        ("http://h300.example/dir/", false),
    ] {
        let mut asked = 0;
        let found = matcher.find_by(&mut scratch, url, None, |number| {
            asked += 1;
            Ok(fetch(address, &matcher.index().file_name(number)).expect("it is served"))
        });
        assert_eq!((found.expect("it is a URL").is_some(), asked), (is_listed, 1), "{url}");
    }

    // The program finds the same in the folder, and counts among how many URLs each hides.
    let ran = done(&folder, "match --shards shards --count urls");
    assert_eq!(ran.out, "300\n", "{}", ran.err);
    let ran = done(&folder, "audit --shards shards urls");
    assert!(
        ran.out.contains("300 different URLs asked for 32 different sets of shards, of at most 1 shard"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("a URL hides among "), "{}", ran.out);
    // A shard that is gone, and one of another list, are no misses.
    let asked = folder.path().join("shards").join(
        matcher
            .index()
            .file_name(matcher.asks(&mut scratch, "http://h7.example/dir/", None).expect("it is a URL")[0]),
    );
    let kept = std::fs::read(&asked).expect("it is there");
    for damage in [None, Some([&kept[..kept.len() - 1], b"x"].concat())] {
        match damage {
            None => std::fs::remove_file(&asked).expect("it is there"),
            Some(bytes) => std::fs::write(&asked, bytes).expect("there is room"),
        }
        let ran = in_folder(&folder, "match --shards shards http://h7.example/dir/");
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (Some(3), "http://h7.example/dir/\t!ERR_LIST_SHARD\n"),
            "{}",
            ran.err
        );
        for invalid_as in ["match", "no-match"] {
            let words =
                format!("match --shards shards --invalid-as {invalid_as} --count http://h7.example/dir/");
            let ran = in_folder(&folder, &words);
            assert_eq!((ran.code, ran.out.as_str()), (Some(3), "0\n"), "{invalid_as}: {}", ran.err);
        }
    }
}

/// What a shard can be is bounded, and only a file is one.
#[cfg(unix)]
#[test]
fn shards_that_are_too_large_or_no_files_are_errors_at_once() {
    let folder = Folder::new();
    done(&folder, "make http://bad.example/ -o text");
    done(&folder, "shards text --bits 1 --out shards");
    let index = String::from_utf8_lossy(&bytes(&folder, "shards/index")).into_owned();
    assert!(index.contains("# kind: exact\n# digest-bits: 80\n"), "{index}");
    let shards = [0, 1].map(|number| folder.path().join(format!("shards/{number}.shard")));
    let rejected = |what: &str| {
        let ran = in_folder(&folder, "match --shards shards http://bad.example/");
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (Some(3), "http://bad.example/\t!ERR_LIST_SHARD\n"),
            "{what}"
        );
    };
    for shard in &shards {
        let file = std::fs::File::create(shard).expect("there is room");
        file.set_len(5 << 30).expect("it is sparse");
    }
    rejected("5 GiB");
    for shard in &shards {
        std::fs::remove_file(shard).expect("it is there");
        std::os::unix::fs::symlink("/dev/zero", shard).expect("links work");
    }
    rejected("a device");
    for shard in &shards {
        std::fs::remove_file(shard).expect("it is there");
        std::process::Command::new("mkfifo").arg(shard).status().expect("it is installed");
    }
    rejected("a pipe");
}

/// A delta may change nothing but entries that this program cannot compute.
#[test]
fn a_delta_also_counts_entries_by_unknown_algorithms() {
    let folder = Folder::new();
    for (name, digits) in [("old", ["00", "01", "02"]), ("new", ["02", "03", "04"])] {
        let entries: String = digits.iter().map(|digits| format!("hashed:x-other={digits}\n")).collect();
        let digest = urlid::hex::encode(&urlid::internal::digest::sha256(&[entries.as_bytes()]));
        let header = header(3).replace("sha1", "x-other").replace(&"0".repeat(64), &digest);
        folder.file(name, header + &entries);
    }
    assert_eq!(in_folder(&folder, "diff old new").out.lines().count(), 4);
    let ran = done(&folder, "delta old new -o delta");
    assert!(ran.err.ends_with("delta: 2 entries added, 2 removed\n"), "{}", ran.err);
}

/// Two processes with one state: whichever writes last, the state has the newest edition that was used.
#[test]
fn a_state_never_goes_back() {
    let folder = Folder::new();
    done(&folder, "key --secret key --public pub");
    for number in 1..=3 {
        done(
            &folder,
            &format!(
                "make http://a.example/ --sequence {number} --expires 2100-01-01 --sign key -o {number}"
            ),
        );
    }
    let start = |number: u32| {
        let words = format!("list match -q --trust pub --state state {number} -c http://a.example/");
        let mut command = command();
        command.args(words.split(' ')).current_dir(folder.path());
        command.stdout(std::process::Stdio::null()).spawn().expect("it starts")
    };
    for _ in 0..40 {
        let _ = std::fs::remove_file(folder.path().join("state"));
        assert!(start(1).wait().expect("it ends").success());
        for mut child in [start(2), start(3)] {
            child.wait().expect("it ends");
        }
        assert!(String::from_utf8_lossy(&bytes(&folder, "state")).contains("\nsequence: 3\n"));
    }
}

/// Two updates of one list, of which one reaches further: list, signature and state are of one edition
/// afterwards.
#[test]
fn updates_at_once_leave_one_edition() {
    let folder = Folder::new();
    done(&folder, "key --secret key --public pub");
    for number in 1..=3 {
        let uris: Vec<String> = (0..number * 4).map(|host| format!("http://h{host}.example/")).collect();
        done(&folder, &format!("make {} --sequence {number} --expires 2100-01-01 -o text", uris.join(" ")));
        done(&folder, &format!("compile text --digests exact --sign key -o {number}"));
        if number > 1 {
            done(&folder, &format!("delta {} {number} -o {number}.delta", number - 1));
        }
    }
    let copy =
        |from: &str, to: &str| std::fs::copy(folder.path().join(from), folder.path().join(to)).map(drop);
    for round in 0..30 {
        let _ = std::fs::remove_file(folder.path().join("state"));
        copy("1", "list").and_then(|()| copy("1.minisig", "list.minisig")).expect("there is room");
        let start = |deltas: &str| {
            let mut command = command();
            command.args(format!("list update -q list {deltas} --trust pub --state state").split(' '));
            command.current_dir(folder.path()).spawn().expect("it starts")
        };
        let children = match round % 2 {
            0 => [start("2.delta"), start("2.delta 3.delta")],
            _ => [start("2.delta 3.delta"), start("2.delta")],
        };
        for mut child in children {
            assert!(child.wait().expect("it ends").success());
        }
        assert_eq!(bytes(&folder, "list"), bytes(&folder, "3"));
        assert_eq!(bytes(&folder, "list.minisig"), bytes(&folder, "3.minisig"));
        assert!(String::from_utf8_lossy(&bytes(&folder, "state")).contains("\nsequence: 3\n"));
    }
}

/// A list of 4 GiB that nobody signed is rejected without reading it into memory, and one that is not checked
/// is an error.
#[cfg(unix)]
#[test]
fn a_list_that_does_not_fit_in_memory_is_an_error() {
    let folder = Folder::new();
    done(&folder, "key --secret key --public pub");
    done(&folder, "make http://a.example/ --sequence 1 --expires 2100-01-01 -o text");
    done(&folder, "compile text --sign key -o list");
    // As much as the limit of the process, so that reading all of it must fail.
    std::fs::File::options()
        .write(true)
        .open(folder.path().join("list"))
        .and_then(|file| file.set_len(600 << 20))
        .expect("it is sparse");
    for (options, said) in [("--trust pub", "ERR_LIST_TRUST: list is not signed"), ("", "ERR_IO: ")] {
        let words = format!(
            "ulimit -v 500000; {} list match -q {options} list http://a.example/",
            env!("CARGO_BIN_EXE_urlid")
        );
        let output =
            std::process::Command::new("sh").args(["-c", &words]).current_dir(folder.path()).output();
        let output = output.expect("there is a shell");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(4) && err.contains(said),
            "{options}: {:?}: {err}",
            output.status
        );
    }
}

/// Every byte of a signed list is changed, and bytes are dropped and added; nothing of that is taken.
#[test]
fn ten_thousand_mutants_of_a_signed_list_are_rejected() {
    let folder = Folder::new();
    let urls: String = (0..100).map(|number| format!("http://h{number}.example/\n")).collect();
    folder.file("urls", &urls);
    done(&folder, "key --secret key --public pub");
    done(&folder, "make urls --sequence 1 --expires 2100-01-01 --sign key -o text");
    done(&folder, "compile text --digests exact --sign key -o compiled");
    let text = |name: &str| String::from_utf8(bytes(&folder, name)).expect("it is text");
    let key: TrustedKey = text("pub").parse().expect("it is a key");
    let trust = Trust { key: &key, now: 0, seen: None };
    let mut mutants = 0;
    for name in ["text", "compiled"] {
        let (list, signature) = (bytes(&folder, name), text(&format!("{name}.minisig")));
        trust.open(list.clone(), &signature).expect("it is signed");
        // The first line of a signature is not trusted by anybody.
        let start = signature.find('\n').expect("it has lines") + 1;
        let mut reject = |list: Vec<u8>, signature: &str, what: &dyn Fn() -> String| {
            let error = trust.open(list, signature).map(drop).expect_err(&what());
            assert_eq!(error.code().as_str(), "ERR_LIST_TRUST", "{}", what());
            mutants += 1;
        };
        for offset in (0..list.len()).step_by(1 + list.len() / 2200) {
            for change in [1, 0x80] {
                let mut mutant = list.clone();
                mutant[offset] ^= change;
                reject(mutant, &signature, &|| format!("{name}: byte {offset} xor {change}"));
            }
            reject(list[..offset].to_vec(), &signature, &|| format!("{name}: cut at {offset}"));
        }
        reject([&list[..], b"\n"].concat(), &signature, &|| format!("{name}: a byte more"));
        for offset in start..signature.len() {
            for change in 1..8 {
                let mut mutant = signature.clone().into_bytes();
                mutant[offset] ^= change;
                let mutant = String::from_utf8(mutant).expect("seven bits stay seven bits");
                // Another line end is the same signature.
                if mutant != signature && !mutant.lines().eq(signature.lines()) {
                    reject(list.clone(), &mutant, &|| {
                        format!("{name}: signature, byte {offset} xor {change}")
                    });
                }
            }
            // A signature whose last line lacks its end is the same.
            if offset + 1 < signature.len() {
                reject(list.clone(), &signature[..offset], &|| format!("{name}: signature cut at {offset}"));
            }
        }
    }
    assert!(mutants >= 10_000, "{mutants}");
    // The signature of one form is none of the other, and another key is another publisher.
    assert!(trust.open(bytes(&folder, "text"), &text("compiled.minisig")).is_err());
    done(&folder, "key --secret key2 --public pub2");
    let ran = in_folder(&folder, "match --trust pub2 compiled http://h1.example/");
    assert!(ran.err.contains("ERR_LIST_TRUST: list is signed by a different key"), "{}", ran.err);
    let ran = in_folder(&folder, "key --secret key --public pub3");
    assert!(ran.code == Some(4) && ran.err.contains("keys are not replaced"), "{}", ran.err);
}

#[test]
fn a_list_is_trusted_only_with_all_that_trust_needs() {
    let folder = Folder::new();
    done(&folder, "key --secret key --public pub");
    let (url, good) = ("http://a.example/", "--sequence 5 --expires 2100-01-01");
    for (options, said) in [
        ("--sequence 5", "list lacks `expires`, which a trusted list needs"),
        ("--expires 2100-01-01", "list lacks `sequence`"),
        ("--sequence 5 --expires 2000-01-01", "list has expired: it was valid until 2000-01-01"),
        (
            "--sequence 4 --expires 2100-01-01",
            "list is older than one that was seen before: found sequence 4, expected 5 or more",
        ),
        (
            "--sequence 5 --expires 2100-01-02",
            "list differs from an earlier list with the same sequence: found 5",
        ),
    ] {
        done(&folder, &format!("make {url} {good} --sign key -o list"));
        let ran = done(&folder, &format!("match --trust pub --state state list --count {url}"));
        assert_eq!(ran.out, "1\n");
        done(&folder, &format!("make {url} {options} --sign key -o list"));
        let before = bytes(&folder, "state");
        let ran = in_folder(&folder, &format!("match --trust pub --state state list --count {url}"));
        assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{options}: {}", ran.err);
        assert!(ran.err.contains("ERR_LIST_TRUST") && ran.err.contains(said), "{options}: {}", ran.err);
        assert_eq!(bytes(&folder, "state"), before);
    }
    done(&folder, &format!("make {url} {good} --sign key -o list"));
    for damage in ["", "urlid-list-seen: 1\n", "urlid-list-seen: 1\nkey: x\nsequence: 1\ndigest: 00\n"] {
        folder.file("damaged", damage);
        let ran = in_folder(&folder, &format!("match --trust pub --state damaged list {url}"));
        assert!(ran.code == Some(4) && ran.err.contains("ERR_LIST_TRUST"), "{damage}: {}", ran.err);
    }
    // A key with a password is not read, and a public key is not a secret one.
    folder.file(
        "protected",
        String::from_utf8(bytes(&folder, "key")).expect("it is text").replace("RWQAAEIy", "RWRTY0Iy"),
    );
    for (key, said) in
        [("protected", "protected by a password"), ("pub", "expected a secret key written by minisign")]
    {
        let ran = in_folder(&folder, &format!("make {url} {good} --sign {key} -o new"));
        assert!(ran.code == Some(4) && ran.err.contains("ERR_KEY") && ran.err.contains(said), "{}", ran.err);
    }
    let ran = in_folder(&folder, &format!("match --trust pub list.txt {url}"));
    assert_eq!(ran.code, Some(4), "{}", ran.err);
}
