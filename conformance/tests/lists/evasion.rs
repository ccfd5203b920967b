//! Does a list match what opens a listed URL, and nothing else? 60,000 spellings of 61 entries, with ada as the judge.

use std::collections::BTreeSet;

use urlid::hashed_uri::{Algorithm, Variant};
use urlid_generators::{Seeded, cases, seed};
use urlid_lists::{HostForm, Intake, Ladder, ListBuilder, ListMatcher, Rules, Scratch};

use crate::judge::page;
use crate::spellings::entries;

const SPELLINGS: u64 = 60_000;

/// Calls `check` with each spelling and whether it opens a listed URL; nothing where no browser opens it.
fn each_spelling(host: HostForm, mut check: impl FnMut(&str, Option<bool>)) {
    let entries = entries();
    let listed: BTreeSet<String> =
        entries.iter().map(|entry| page(&entry.url(), host).expect("an entry is a URL")).collect();
    assert_eq!((entries.len(), listed.len()), (61, 61));
    let mut random = Seeded::new(seed());
    for _ in 0..cases(SPELLINGS) {
        let spelling = random.one(&entries).spell(&mut random);
        check(&spelling, page(&spelling, host).map(|page| listed.contains(&page)));
    }
}

fn matcher(rules: Rules) -> ListMatcher {
    let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).expect("the rules are compatible");
    for entry in entries() {
        builder.add(&entry.url(), None).expect("an entry is a URL");
    }
    ListMatcher::new(&builder.finish(), None).expect("the list is not keyed")
}

/// Both directions: a spelling matches if and only if it opens a listed URL, and is refused if and only if nothing opens it.
fn check_both_directions(host: HostForm) -> [u64; 3] {
    let matcher = matcher(Rules { intake: Intake::Web(host), ..Rules::default() });
    let (mut scratch, mut counts) = (Scratch::default(), [0; 3]);
    each_spelling(host, |spelling, opens| {
        let found = matcher.find(&mut scratch, spelling, None).ok().map(|found| found.is_some());
        assert_eq!(found, opens, "{host}: {spelling:?}, seed {}", seed());
        counts[opens.map_or(2, usize::from)] += 1;
    });
    counts
}

#[test]
fn a_list_with_plain_hosts_matches_what_opens_a_listed_url_and_nothing_else() {
    let [other, opening, refused] = check_both_directions(HostForm::Plain);
    let all = other + opening + refused;
    assert!(6 * opening > all, "{opening} of {all} open an entry, {other} another page, {refused} none");
    assert!(10 * other > opening, "{other} of {opening} are near misses");
}

/// The same with the older lists' hosts: what they miss is what is left out of the page here.
#[test]
fn a_list_with_written_hosts_matches_what_is_the_listed_url_but_for_its_user_and_its_final_dot() {
    let written = check_both_directions(HostForm::Written)[1];
    let plain = check_both_directions(HostForm::Plain)[1];
    assert!(
        written * 3 < plain * 2,
        "user information and final dots open {plain} entries, {written} without them"
    );
}

/// Wider ladders match more, never less. Variant P is left out: it is not coarser than N (`/dir/` and `/dir/index.html`).
#[test]
fn what_opens_a_listed_url_matches_by_every_ladder() {
    let ladders = [Ladder::None, Ladder::Path, Ladder::Hosts];
    let rules = ladders.map(|ladder| Rules { ladder, ..Rules::of_variant(Variant::N) });
    let mut matchers = rules.map(|rules| (rules, matcher(rules)));
    let (mut scratch, mut turn) = (Scratch::default(), 0);
    each_spelling(HostForm::Plain, |spelling, opens| {
        turn += 1;
        let count = matchers.len();
        let (rules, matcher) = &mut matchers[turn % count];
        let found = matcher.find(&mut scratch, spelling, None);
        assert!(opens != Some(true) || matches!(found, Ok(Some(_))), "{rules:?}: {spelling:?}: {found:?}");
        assert_eq!(found.is_err(), opens.is_none(), "{rules:?}: {spelling:?}");
    });
}
