//! Every pair of options of every verb. Each option of a pair must change the output, the exit code or a
//! file, or the program must reject the pair. The options come from the definition of the command line.

mod values;

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::sync::Mutex;
use std::{env, fs, thread};

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command};
use tempfile::TempDir;

use self::values::{GLOBAL, NEUTRAL, SCENES, VALUES};

/// The results of a run: its exit code, its outputs and its files.
#[derive(Clone, Copy, PartialEq)]
struct Outcome {
    code: Option<i32>,
    digest: u64,
}

impl Outcome {
    fn is_rejected(self) -> bool {
        self.code == Some(2)
    }
}

/// The words of an option, by its name.
type Words = BTreeMap<String, Vec<String>>;

/// An option with one of its values.
struct Choice {
    bare: Words,
    /// The option with the options that it requires.
    full: Words,
}

struct OptionOfVerb {
    name: String,
    choices: Vec<Choice>,
    /// The options that exclude one that this option requires.
    excluded_by: Vec<String>,
}

struct Verb {
    name: String,
    scenes: &'static [&'static str],
    options: Vec<OptionOfVerb>,
}

/// Returns the verbs that have their own options, and the verbs without sub-verbs.
fn verbs() -> Vec<Verb> {
    let mut program = super::program().disable_help_flag(true);
    program.build();
    let mut verbs = Vec::new();
    add_verb(&program, &mut Vec::new(), &mut verbs);
    verbs
}

fn add_verb(command: &Command, path: &mut Vec<String>, verbs: &mut Vec<Verb>) {
    let is_own = |arg: &&Arg| !arg.is_global_set() && arg.get_id() != "help";
    if !command.has_subcommands() || command.get_arguments().any(|arg| is_own(&arg)) {
        let name = path.join(" ");
        let scenes = SCENES.iter().find(|(verb, _)| *verb == name);
        let scenes = scenes.unwrap_or_else(|| panic!("{name}: expected arguments in SCENES")).1;
        let is_tried = |arg: &&Arg| {
            let id = arg.get_id().as_str();
            // It only selects the name of the output.
            let has_one_value = matches!(&arg.get_possible_values()[..], [only]
                if arg.get_default_values().iter().any(|value| value == only.get_name()));
            let is_neutral = id == "help" || NEUTRAL.contains(&id) || has_one_value;
            !(arg.is_positional() || arg.is_required_set() || is_neutral)
        };
        let options = command.get_arguments().filter(is_tried);
        let options = options.map(|arg| option(command, &name, scenes, arg)).collect();
        verbs.push(Verb { name, scenes, options });
    }
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        path.push(inner.get_name().to_owned());
        add_verb(inner, path, verbs);
        path.pop();
    }
}

fn long_name(arg: &Arg) -> String {
    format!("--{}", arg.get_long().expect("every option has a long name"))
}

/// Returns the words of an option with each of its values.
fn values(verb: &str, arg: &Arg) -> Vec<Words> {
    let name = long_name(arg);
    let named = |key: &str| VALUES.iter().find(|(named, _)| *named == key).map(|(_, values)| *values);
    let words = |text: &str| {
        let mut words = Words::new();
        let mut last = name.clone();
        words.insert(name.clone(), vec![name.clone()]);
        for word in text.split_whitespace() {
            if word.starts_with("--") {
                last = word.to_owned();
            }
            words.entry(last.clone()).or_default().push(word.to_owned());
        }
        words
    };
    let possible = arg.get_possible_values();
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    match named(&format!("{verb} {name}")).or_else(|| named(&name)) {
        Some(values) => values.iter().map(|value| words(value)).collect(),
        None if !arg.get_action().takes_values() => vec![words("")],
        None if arg.is_require_equals_set() => vec![Words::from([(name.clone(), vec![name.clone()])])],
        None => {
            let others = possible.iter().map(|value| value.get_name());
            let others: Vec<_> = others.filter(|value| !defaults.iter().any(|it| it == value)).collect();
            assert!(!others.is_empty(), "{verb} {name}: expected a value in VALUES");
            others.iter().take(2).map(|value| words(value)).collect()
        }
    }
}

/// Returns an option with its values, each with the options that it requires.
fn option(command: &Command, verb: &str, scenes: &[&str], arg: &Arg) -> OptionOfVerb {
    let name = long_name(arg);
    let mut excluded_by = Vec::new();
    let mut complete = |words: Words| {
        let own = words.get(&name).cloned().unwrap_or_default();
        let mut full = words;
        // Each missing option is added, and may require others.
        for _ in 0..3 {
            let line = words_of(verb, scenes[0], &full);
            let error = super::program().try_get_matches_from(line).err();
            let missing = error.as_ref().and_then(|error| error.get(ContextKind::InvalidArg));
            let Some(ContextValue::Strings(missing)) = missing else { break };
            let required = command.get_arguments().find(|arg| {
                !arg.is_positional() && missing.iter().any(|text| text.contains(&arg.to_string()))
            });
            let Some(required) = required else { break };
            let excludes = |other: &&Arg| super::exclude(command, required, other);
            excluded_by.extend(command.get_opts().filter(excludes).map(long_name));
            full.extend(values(verb, required).swap_remove(0));
        }
        Choice { bare: Words::from([(name.clone(), own)]), full }
    };
    let choices = values(verb, arg).into_iter().map(&mut complete).collect();
    OptionOfVerb { name, choices, excluded_by }
}

/// Returns the words of a command line.
fn words_of(verb: &str, scene: &str, options: &Words) -> Vec<String> {
    let words = ["urlid", verb, scene].into_iter().flat_map(str::split_whitespace).map(str::to_owned);
    words.chain(options.values().flatten().cloned()).collect()
}

/// Runs the program on copies of files.
struct Runner {
    program: PathBuf,
    files: TempDir,
    outcomes: Mutex<HashMap<Vec<String>, Outcome>>,
}

impl Runner {
    fn new() -> Self {
        let tests = env::current_exe().expect("it runs");
        let program = tests.ancestors().nth(2).expect("it is in a folder").join("urlid");
        assert!(program.exists(), "`cargo test --package urlid-cli` builds {}", program.display());
        let files = TempDir::new().expect("a temporary folder");
        let path = env::join_paths(
            [program.parent().expect("it is in a folder").to_owned()]
                .into_iter()
                .chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
        );
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/pairs.sh");
        let mut shell = Process::new("sh");
        shell.arg(script).current_dir(files.path()).env("PATH", path.expect("no path has a colon"));
        let made = shell.output().expect("there is a shell");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Runner { program, files, outcomes: Mutex::default() }
    }

    fn run(&self, words: Vec<String>) -> Outcome {
        if let Some(known) = self.outcomes.lock().expect("no panic").get(&words) {
            return *known;
        }
        let folder = TempDir::new().expect("a temporary folder");
        copy(self.files.path(), folder.path());
        let mut process = Process::new(&self.program);
        process.args(&words[1..]).current_dir(folder.path()).stdin(Stdio::null());
        process.env_remove("NO_COLOR").env_remove("URLID_CPU");
        let output = process.output().expect("the program is there");
        let mut hasher = DefaultHasher::new();
        (&output.stdout, &output.stderr).hash(&mut hasher);
        hash_files(folder.path(), &mut hasher);
        let outcome = Outcome { code: output.status.code(), digest: hasher.finish() };
        self.outcomes.lock().expect("no panic").insert(words, outcome);
        outcome
    }

    /// Returns the outcomes of an option by itself, each after the outcome without it.
    fn alone<'r>(
        &'r self,
        verb: &'r Verb,
        option: &'r OptionOfVerb,
    ) -> impl Iterator<Item = (Outcome, Outcome)> + 'r {
        let scenes = verb.scenes.iter();
        scenes.flat_map(move |scene| option.choices.iter().map(move |choice| (scene, choice))).map(
            |(scene, choice)| {
                let run = |options| self.run(words_of(&verb.name, scene, options));
                (run(&Words::new()), run(&choice.full))
            },
        )
    }

    fn has_effect(&self, verb: &Verb, option: &OptionOfVerb) -> bool {
        self.alone(verb, option).any(|(nothing, outcome)| !outcome.is_rejected() && outcome != nothing)
    }

    fn is_rejected(&self, verb: &Verb, option: &OptionOfVerb) -> bool {
        self.alone(verb, option).all(|(_, outcome)| outcome.is_rejected())
    }

    /// Returns the fault of a pair of options.
    fn judge(&self, verb: &Verb, one: &OptionOfVerb, other: &OptionOfVerb) -> Vec<String> {
        let requires = |option: &OptionOfVerb, other: &OptionOfVerb| {
            option.choices.iter().all(|choice| choice.full.contains_key(&other.name))
        };
        let are_bare = |option: &OptionOfVerb| option.choices.iter().all(|it| it.full.len() == it.bare.len());
        let mut faults = Vec::new();
        if !requires(one, other) && !requires(other, one) {
            faults.extend(self.judge_words(verb, one, other, |choice| &choice.full));
        }
        if !are_bare(one) || !are_bare(other) {
            faults.extend(self.judge_words(verb, one, other, |choice| &choice.bare));
        }
        faults
    }

    fn judge_words(
        &self,
        verb: &Verb,
        one: &OptionOfVerb,
        other: &OptionOfVerb,
        words: impl Fn(&Choice) -> &Words,
    ) -> Option<String> {
        let run = |scene: &str, options: &Words| self.run(words_of(&verb.name, scene, options));
        let mut ignored = None;
        let mut works = [false, false];
        // Scenes where both options have an effect come first.
        let mut tries = Vec::new();
        for scene in verb.scenes {
            let nothing = run(scene, &Words::new());
            for one in &one.choices {
                for other in &other.choices {
                    let outcomes = [run(scene, words(one)), run(scene, words(other))];
                    let effects = outcomes.iter().filter(|it| !it.is_rejected() && **it != nothing).count();
                    tries.push((effects, *scene, words(one), words(other), outcomes));
                }
            }
        }
        tries.sort_by_key(|(effects, ..)| std::cmp::Reverse(*effects));
        for (_, scene, one_words, other_words, [one_alone, other_alone]) in tries {
            let mut both = one_words.clone();
            both.extend(other_words.iter().map(|(name, words)| (name.clone(), words.clone())));
            let together = run(scene, &both);
            // A rejected combination is not a pair.
            if together.is_rejected() {
                continue;
            }
            let now = [together != other_alone, together != one_alone];
            works = [works[0] || now[0], works[1] || now[1]];
            if works == [true, true] {
                return None;
            }
            ignored.get_or_insert_with(|| words_of(&verb.name, scene, &both).join(" "));
        }
        let line = ignored?;
        let names: Vec<&str> = [one, other]
            .iter()
            .zip(works)
            .filter(|(_, works)| !works)
            .map(|(it, _)| it.name.as_str())
            .collect();
        Some(format!("{}: no effect: {line}", names.join(" and ")))
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in from.read_dir().expect("it is a folder") {
        let entry = entry.expect("it can be read");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&target).expect("there is room");
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("there is room");
        }
    }
}

fn hash_files(folder: &Path, hasher: &mut DefaultHasher) {
    let mut paths: Vec<PathBuf> = folder
        .read_dir()
        .expect("it is a folder")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    paths.sort();
    for path in paths {
        path.file_name().hash(hasher);
        match path.is_dir() {
            true => hash_files(&path, hasher),
            false => fs::read(&path).expect("it can be read").hash(hasher),
        }
    }
}

/// Judges every pair, or one of `step`.
fn check(step: usize) {
    let (verbs, runner) = (verbs(), Runner::new());
    let mut pairs = Vec::new();
    for verb in &verbs {
        let is_tried =
            |option: &&OptionOfVerb| !GLOBAL.contains(&&*option.name) || !runner.is_rejected(verb, option);
        let options: Vec<_> = verb.options.iter().filter(is_tried).collect();
        for (index, one) in options.iter().enumerate() {
            pairs.extend(options[index + 1..].iter().map(|other| (verb, *one, *other)));
        }
    }
    let work = Mutex::new(pairs.iter().step_by(step));
    let faults = Mutex::new(Vec::new());
    let work_off = || {
        loop {
            let Some((verb, one, other)) = work.lock().expect("no panic").next() else { return };
            let found = runner.judge(verb, one, other);
            faults.lock().expect("no panic").extend(found);
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            thread::Builder::new().spawn_scoped(scope, work_off).expect("a thread can be started");
        }
    });
    let mut faults = faults.into_inner().expect("no panic");
    faults.sort();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn an_option_is_rejected_if_another_one_excludes_its_requirement() {
    let mut tried = 0;
    for verb in verbs() {
        for option in &verb.options {
            for other in verb.options.iter().filter(|other| option.excluded_by.contains(&other.name)) {
                let mut words = option.choices[0].bare.clone();
                words.extend(other.choices[0].full.clone());
                let line = words_of(&verb.name, verb.scenes[0], &words);
                let read = super::Cli::read(line.iter().map(Into::into));
                assert!(read.is_err(), "{}", line.join(" "));
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn both_options_of_a_pair_have_an_effect_or_are_rejected() {
    // `URLID_PAIRS=1` tries every pair, which takes minutes.
    check(env::var("URLID_PAIRS").map_or(400, |step| step.parse().expect("it is a number")));
}

/// Each option has an effect in one of the scenes. Otherwise the pairs would not prove anything.
#[test]
fn each_option_has_an_effect() {
    let runner = Runner::new();
    let mut faults = Vec::new();
    let documented = super::documented(super::program());
    for verb in verbs() {
        let path = verb.name.split_whitespace();
        let command = path.fold(&documented, |command, name| {
            command.find_subcommand(name).expect("the verb is documented")
        });
        for option in &verb.options {
            if let Some(arg) = command
                .get_opts()
                .find(|arg| GLOBAL.contains(&&*option.name) && long_name(arg) == option.name)
            {
                let is_hidden = arg.is_hide_set();
                assert_eq!(is_hidden, runner.is_rejected(&verb, option), "{} {}", verb.name, option.name);
            }
            let is_rejected = || GLOBAL.contains(&&*option.name) && runner.is_rejected(&verb, option);
            if !(runner.has_effect(&verb, option) || is_rejected()) {
                let words = words_of(&verb.name, verb.scenes[0], &option.choices[0].full);
                faults.push(format!("{}: {}", option.name, words.join(" ")));
            }
        }
    }
    assert!(faults.is_empty(), "{} options without an effect:\n{}", faults.len(), faults.join("\n"));
}
