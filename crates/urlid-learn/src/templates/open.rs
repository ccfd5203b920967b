//! Decides whether the names at a place are a closed set, which stays literal, or an open set, which becomes a
//! class.
//!
//! The decision uses counts from the tree only. All numbers are integers: shares and logarithms have 24 bits
//! after the binary point ([`ONE`]), so the result is the same on every platform.

use std::collections::{BTreeMap, HashMap, HashSet};

use urlid_canonical::{SegmentClass, SegmentLook};

use super::sample::{Sample, TextId};

/// A child of a place: its segment and the numbers of its URLs.
#[derive(Clone, Copy)]
pub(super) struct Child<'n> {
    pub(super) segment: TextId,
    pub(super) urls: &'n [u32],
}

/// The number 1 with 24 bits after the point.
pub(super) const ONE: i64 = 1 << 24;

/// Returns the logarithm to base 2 of a number from 1, rounded down to 24 bits after the point.
pub(super) fn log2(number: u64) -> i64 {
    let exponent = 63 - number.max(1).leading_zeros();
    // The mantissa, from 1 to 2, with 31 bits after the point. A square from 2 is a bit of the result, and is
    // halved.
    let mut mantissa = ((u128::from(number.max(1)) << 31) >> exponent) as u64;
    (0..24).fold(i64::from(exponent), |logarithm, _| {
        mantissa = (mantissa * mantissa) >> 31;
        let bit = mantissa >> 32;
        mantissa >>= bit;
        logarithm << 1 | bit as i64
    })
}

/// Returns `part / whole` with 24 bits after the point.
fn share(part: usize, whole: usize) -> i64 {
    part as i64 * ONE / whole.max(1) as i64
}

/// The weights of the features: a constant, the logarithm of the number of children, the share of children
/// with one URL, with digits, of slugs, the logarithm of URLs a child, of words that children have in common
/// below, the share of leaves, and two products.
///
/// Fitted by logistic regression on the trees of eight sites with known routes.
const WEIGHTS: [i64; 10] = [-1_922, 391, 1_966, 2_504, 652, -377, 2_051, -622, 221, 89];
/// The threshold is above 0, because opening a closed set does more harm than leaving an open set closed.
const THRESHOLD: i64 = 1_000 * ONE;
/// The number of segments after a child that are compared.
const BELOW: usize = 5;
/// A number above the numbers of all texts. The numbers just below it stand for classes.
const OTHER: TextId = TextId::MAX;
/// The maximum number of children whose independence is tested. A table of more children has few URLs for each
/// cell.
const MOST_LITERALS_JUDGED: usize = 24;
/// The maximum number of children in a closed set.
const MOST_JUDGED: usize = 4_096;

/// Returns whether children are an open set. `depth` is the depth of the children.
pub(super) fn is_open(sample: &Sample<'_>, children: &[Child<'_>], depth: usize) -> bool {
    if children.len() <= 2 {
        return false;
    }
    if children.len() > MOST_JUDGED {
        return true;
    }
    let count = children.len();
    let urls: usize = children.iter().map(|child| child.urls.len()).sum();
    let share_of =
        |is: &dyn Fn(&Child<'_>) -> bool| share(children.iter().filter(|child| is(child)).count(), count);
    let look = |child: &Child<'_>| sample.shape(child.segment).look;
    let next: Vec<Vec<TextId>> = children
        .iter()
        .map(|child| {
            let mut next: Vec<_> =
                child.urls.iter().filter_map(|url| following(sample, *url, depth)).collect();
            next.sort_unstable();
            next.dedup();
            next
        })
        .collect();
    let single = share_of(&|child| child.urls.len() == 1);
    let leaves = share(next.iter().filter(|next| next.is_empty()).count(), count);
    if leaves * 10 >= 9 * ONE && is_repeated(sample, children) {
        return false;
    }
    let size = log2(count as u64);
    let features = [
        ONE,
        size,
        single,
        share_of(&|child| matches!(look(child), SegmentLook::Mixed | SegmentLook::Numbered(_))),
        share_of(&|child| look(child) == SegmentLook::Slug),
        log2(urls as u64) - size,
        log2((count + common_words(sample, &next)) as u64) - size,
        leaves,
        (single * size) >> 24,
        (leaves * size) >> 24,
    ];
    WEIGHTS.iter().zip(features).map(|(weight, feature)| weight * feature).sum::<i64>() > THRESHOLD
}

/// Returns whether hits show that nearly all names are known, because most of them occurred again. Different
/// URLs of a child are not hits, because a page may have fields for its parts.
fn is_repeated(sample: &Sample<'_>, children: &[Child<'_>]) -> bool {
    let hits = |child: &Child<'_>| {
        child.urls.iter().map(|url| sample.urls[*url as usize].hits as usize - 1).sum::<usize>()
    };
    let once = children.iter().filter(|child| hits(child) == 0).count();
    let again: usize = children.iter().map(hits).sum();
    once * 4 <= children.len() && again >= 2 * children.len()
}

/// Returns the segment after the children of a place.
fn following(sample: &Sample<'_>, url: u32, depth: usize) -> Option<TextId> {
    sample.urls[url as usize].segments.get(depth + 1).copied()
}

/// Returns how often words follow children that also follow other children, without the first occurrence of
/// each word. Children whose following words are mostly values are ignored.
fn common_words(sample: &Sample<'_>, next: &[Vec<TextId>]) -> usize {
    let mut counts = HashMap::<TextId, usize>::new();
    next.iter().flatten().for_each(|segment| *counts.entry(*segment).or_default() += 1);
    let is_common = |id: &TextId| {
        let count = counts[id];
        count >= 3 && 3 * count >= next.len() && sample.is_wordy(*id)
    };
    let (mut sum, mut all) = (0, HashSet::new());
    for segments in next {
        let common: Vec<TextId> = segments.iter().copied().filter(is_common).collect();
        if 2 * common.len() >= segments.iter().filter(|id| sample.is_weak(**id)).count() {
            sum += common.len();
            all.extend(common);
        }
    }
    sum - all.len()
}

/// Returns whether children are of one kind: the same words follow all of them, at each depth. Locales and
/// categories are of one kind, even if each of them has many URLs.
pub(super) fn are_alike(sample: &Sample<'_>, children: &[Child<'_>], depth: usize) -> bool {
    let large: Vec<_> = children.iter().filter(|child| child.urls.len() >= 8).collect();
    let count = large.len();
    if count < 8 {
        return false;
    }
    let rest = |url: &u32| {
        let segments = sample.urls[*url as usize].segments.iter().skip(depth + 1).take(BELOW);
        let token = |&id: &TextId| match (sample.shape(id).look, sample.shape(id).class) {
            (SegmentLook::Word, _) => id,
            (_, SegmentClass::Any) => OTHER,
            (_, class) => OTHER - 1 - class as TextId,
        };
        segments.map(token).collect::<Vec<_>>()
    };
    let is_word = |token: TextId| (token as usize) < sample.texts();
    let words_of: Vec<HashMap<(usize, TextId), usize>> = large
        .iter()
        .map(|child| {
            let words = child.urls.iter().flat_map(|url| rest(url).into_iter().enumerate());
            words.filter(|(_, token)| is_word(*token)).fold(HashMap::new(), |mut counts, word| {
                *counts.entry(word).or_default() += 1;
                counts
            })
        })
        .collect();
    let mut children_with = HashMap::<(usize, TextId), usize>::new();
    words_of.iter().flat_map(HashMap::keys).for_each(|word| *children_with.entry(*word).or_default() += 1);
    // A word that occurs repeatedly below one child, but hardly below other children, is private.
    let owners_of_words = children_with.clone();
    let is_private =
        |words: &HashMap<_, usize>, word: &(usize, TextId)| words[word] >= 3 && owners_of_words[word] <= 2;
    children_with.retain(|_, found| *found >= 4 && *found * 5 >= count * 2);
    // Depths where most words are values are ignored, because frequent values are also below many children.
    let mut known = [(0, 0); BELOW];
    for (place, word) in words_of.iter().flat_map(HashMap::keys) {
        known[*place].0 += 1;
        known[*place].1 += usize::from(children_with.contains_key(&(*place, *word)));
    }
    children_with.retain(|(place, _), _| known[*place].1 * 2 >= known[*place].0);
    if children_with.keys().map(|(_, word)| word).collect::<HashSet<_>>().len() < 2 {
        return false;
    }
    /// Marks a skeleton that siblings cannot have.
    const PRIVATE: TextId = OTHER - 32;
    let skeletons: Vec<HashMap<Vec<TextId>, usize>> = large
        .iter()
        .zip(&words_of)
        .map(|(child, words)| {
            child.urls.iter().fold(HashMap::new(), |mut skeletons, url| {
                let tokens = rest(url).into_iter().enumerate();
                let skeleton = tokens.map(|(place, token)| match (place, token) {
                    (_, token) if !is_word(token) => token,
                    word if is_private(words, &word) => PRIVATE - child.segment,
                    word if children_with.contains_key(&word) => token,
                    _ => OTHER,
                });
                *skeletons.entry(skeleton.collect()).or_default() += 1;
                skeletons
            })
        })
        .collect();
    let mut owners = HashMap::<&[TextId], usize>::new();
    skeletons.iter().flat_map(HashMap::keys).for_each(|skeleton| *owners.entry(skeleton).or_default() += 1);
    // The share of a child's URLs with a skeleton that hardly any sibling has, in thousandths.
    let own = skeletons.iter().zip(&large).map(|(skeletons, child)| {
        let is_own = |skeleton: &[TextId]| owners[skeleton] < 3 || owners[skeleton] * 4 < count;
        let own: usize =
            skeletons.iter().filter(|(skeleton, _)| is_own(skeleton)).map(|(_, urls)| urls).sum();
        own * 1_000 / child.urls.len()
    });
    let own: Vec<usize> = own.collect();
    own.iter().sum::<usize>() < 100 * count && own.iter().filter(|own| **own > 300).count() * 10 <= count
}

/// The segments after each child of the places at one position.
pub(super) type Rests<'s> = BTreeMap<TextId, Vec<&'s [TextId]>>;

/// Returns the compared segments after a place in a URL.
pub(super) fn rest<'s>(sample: &'s Sample<'_>, url: u32, depth: usize) -> &'s [TextId] {
    let rest = sample.urls[url as usize].segments.get(depth + 1..).unwrap_or_default();
    &rest[..rest.len().min(BELOW)]
}

/// Returns whether children are values. The segments after a value do not depend on the value, because a
/// parameter of a program and the route below it are independent. If the children are parts of different
/// routes, the routes differ in frequency, so the following segments depend on the child.
///
/// The function is a G-test on the table of children and following segments. The statistic of values is near
/// the table's degrees of freedom. The table needs enough URLs for its cells.
pub(super) fn are_independent(sample: &Sample<'_>, children: &Rests<'_>) -> bool {
    let large: Vec<_> = children.values().filter(|rests| rests.len() >= 4).collect();
    let all: usize = large.iter().map(|rests| rests.len()).sum();
    if large.len() < 3 || children.len() > MOST_LITERALS_JUDGED {
        return false;
    }
    // For each word, the number of children above it, and its maximum count below one child.
    let mut owners = HashMap::<(usize, TextId), [usize; 2]>::new();
    for rests in &large {
        let mut words: Vec<(usize, TextId)> =
            rests.iter().flat_map(|rest| rest.iter().copied().enumerate()).collect();
        words.retain(|(_, id)| sample.shape(*id).look == SegmentLook::Word);
        words.sort_unstable();
        for words in words.chunk_by(|a, b| a == b) {
            let [children, most] = owners.entry(words[0]).or_default();
            (*children, *most) = (*children + 1, words.len().max(*most));
        }
    }
    let is_frequent = |[children, most]: [usize; 2]| children * 5 >= large.len() * 2 || most >= 3;
    // Depths where most words are values are ignored, because frequent values are also below many children.
    let mut known = [(0, 0); BELOW];
    for ((place, _), found) in &owners {
        known[*place].0 += 1;
        known[*place].1 += usize::from(is_frequent(*found));
    }
    let token = |(place, &id): (usize, &TextId)| match owners.get(&(place, id)) {
        Some(&found) if is_frequent(found) && known[place].1 * 2 >= known[place].0 => id,
        _ => OTHER,
    };
    let column = |rest: &&[TextId]| rest.iter().enumerate().map(token).collect::<Vec<_>>();
    let mut columns = HashMap::<Vec<TextId>, usize>::new();
    large.iter().copied().flatten().for_each(|rest| *columns.entry(column(rest)).or_default() += 1);
    // Rare columns are merged, because each of them would add more freedom than evidence.
    let column = |rest: &&[TextId]| Some(column(rest)).filter(|column| columns[column] >= 3);
    let mut cells = BTreeMap::<(usize, Option<Vec<TextId>>), usize>::new();
    let mut sums = BTreeMap::<Option<Vec<TextId>>, usize>::new();
    for (row, rests) in large.iter().enumerate() {
        for rest in *rests {
            *cells.entry((row, column(rest))).or_default() += 1;
            *sums.entry(column(rest)).or_default() += 1;
        }
    }
    let freedom = (large.len() - 1) * (sums.len() - 1);
    if sums.keys().flatten().count() < 3 || all < 20 || 2 * all < 3 * freedom {
        return false;
    }
    let bits: i64 = cells
        .iter()
        .map(|((row, column), &urls)| {
            let expected = large[*row].len() * sums[column];
            urls as i64 * (log2((urls * all) as u64) - log2(expected as u64))
        })
        .sum();
    // The statistic is twice the natural logarithm, 1.386 times the bits; 1.5 for each degree of freedom.
    bits * 1_386 <= 1_500 * freedom as i64 * ONE
}

/// The continuation of a URL after a child.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Follows {
    Segment(TextId),
    /// The class of a segment that follows few siblings.
    Class(SegmentClass),
    /// The end of the path, with the fields of this set.
    End(u32),
    /// The end of the path, with fields that few siblings have.
    OtherEnd,
}

/// Returns the children of an open set that stay literal, because other segments follow them than follow their
/// siblings. At most eight URLs of a child count, so its size is not a reason.
pub(super) fn exempt(sample: &Sample<'_>, children: &[Child<'_>], depth: usize) -> HashSet<TextId> {
    let count = children.len();
    let follows: Vec<BTreeMap<Follows, usize>> = children
        .iter()
        .map(|child| {
            child.urls.iter().fold(BTreeMap::new(), |mut counts, url| {
                let end = || Follows::End(sample.urls[*url as usize].names);
                *counts
                    .entry(following(sample, *url, depth).map_or_else(end, Follows::Segment))
                    .or_default() += 1;
                counts
            })
        })
        .collect();
    let mut owners = HashMap::<Follows, usize>::new();
    follows.iter().flat_map(BTreeMap::keys).for_each(|follows| *owners.entry(*follows).or_default() += 1);
    let general = |follows: Follows| match follows {
        Follows::End(0) => follows,
        _ if owners[&follows] >= 3 && owners[&follows] * 10 >= count => follows,
        Follows::Segment(id) => Follows::Class(sample.shape(id).class),
        _ => Follows::OtherEnd,
    };
    let general: Vec<BTreeMap<Follows, usize>> = follows
        .iter()
        .map(|counts| {
            counts.iter().fold(BTreeMap::new(), |mut merged, (follows, urls)| {
                *merged.entry(general(*follows)).or_default() += urls;
                merged
            })
        })
        .collect();
    // A share of the URLs of a child, with 32 bits after the point.
    let share = |urls_with: usize, child: &Child<'_>| ((urls_with as u64) << 32) / child.urls.len() as u64;
    let mut sums = HashMap::<Follows, u64>::new();
    for (child, counts) in children.iter().zip(&general) {
        counts.iter().for_each(|(follows, urls)| *sums.entry(*follows).or_default() += share(*urls, child));
    }
    let most = log2(count as u64) + 8 * ONE;
    let named = children.iter().zip(&general).filter(|(child, counts)| {
        let divergence: i64 = counts
            .iter()
            .map(|(follows, urls)| {
                let share = share(*urls, child);
                // The mean over the siblings is (sum + 1/2) / (count - 1/2); both halves are doubled here.
                let others = 2 * (sums[follows] - share) + (1 << 32);
                let bits = log2(share * (2 * count as u64 - 1)) - log2(others);
                ((i128::from(share) * i128::from(bits)) >> 32) as i64
            })
            .sum();
        child.urls.len() >= 3 && child.urls.len().min(8) as i64 * divergence > most
    });
    named.map(|(child, _)| child.segment).collect()
}

/// Returns the children of a closed set that is mixed with open noise: many children have five or more URLs,
/// and hardly any have two to four. Without such a gap, returns the children with a quarter of all URLs.
pub(super) fn head(children: &[Child<'_>]) -> HashSet<TextId> {
    let all: usize = children.iter().map(|child| child.urls.len()).sum();
    let large: Vec<_> = children.iter().filter(|child| child.urls.len() >= 5).collect();
    let middle = children.iter().filter(|child| (2..5).contains(&child.urls.len())).count();
    let of_large: usize = large.iter().map(|child| child.urls.len()).sum();
    let has_gap = large.len() >= 2 && 2 * middle < large.len() && 2 * of_large >= all;
    large.iter().filter(|child| has_gap || child.urls.len() * 4 >= all).map(|child| child.segment).collect()
}
