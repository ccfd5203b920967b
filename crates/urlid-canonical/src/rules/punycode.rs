//! Punycode (RFC 3492) as `golang.org/x/net/idna` 0.7 has it, which differs from other implementations at the edges: numbers
//! have 31 bits, upper-case digits are digits, basic code points are copied as they are, and a label that is decoded has at most
//! 1024 code points.
//!
//! A label is bytes. What is not UTF-8 is read as Go reads it, each byte as U+FFFD.
//!
//! Ada 2.9.2 has the same numbers and digits; `decode_any_length` has what it decodes otherwise.

use core::char::REPLACEMENT_CHARACTER;

/// What a label begins with whose rest is Punycode.
pub(super) const PREFIX: &str = "xn--";

const BASE: i32 = 36;
const DAMP: i32 = 700;
const INITIAL_BIAS: i32 = 72;
const INITIAL_N: i32 = 128;
const SKEW: i32 = 38;
const T_MAX: i32 = 26;
const T_MIN: i32 = 1;

/// No code point is inserted into so many.
const LONGEST: usize = 1024;

/// Returns the label that digits stand for, or nothing if they are malformed.
pub(super) fn decode(digits: &[u8]) -> Option<Vec<u8>> {
    if digits.is_empty() {
        return Some(Vec::new());
    }
    let (basic, mut digits) = match digits.iter().rposition(|&byte| byte == b'-') {
        // The last `-` ends the basic code points. Go rejects one at the start; at the end, it leaves no digits.
        Some(0) => return None,
        Some(end) if end + 1 == digits.len() => return Some(digits[..end].to_vec()),
        Some(end) => (&digits[..end], &digits[end + 1..]),
        None => (&digits[..0], digits),
    };
    // A surrogate can be decoded. It stays in its place until all is text.
    let mut label: Vec<u32> = code_points(basic).map(u32::from).collect();
    let (mut i, mut n, mut bias) = (0_i32, INITIAL_N as u32, INITIAL_BIAS);
    while !digits.is_empty() {
        let before = i;
        i = read_delta(&mut digits, i, bias)?;
        if label.len() >= LONGEST {
            return None;
        }
        // The label has fewer than 1024 code points, so only `n` can overflow.
        let count = label.len() as i32 + 1;
        bias = adapt(i - before, count, before == 0);
        n = n.checked_add((i / count) as u32).filter(|&n| n <= u32::from(char::MAX))?;
        i %= count;
        label.insert(i as usize, n);
        i += 1;
    }
    let character = |&n: &u32| char::from_u32(n).unwrap_or(REPLACEMENT_CHARACTER);
    Some(label.iter().map(character).collect::<String>().into_bytes())
}

/// Returns the label that digits in lower case stand for, as Ada has it: a `-` may begin them, a label has any length, and a surrogate
/// is no character.
///
/// The algorithm of the RFC inserts each code point into the label. Here their places are found at last, from the last one to the first:
/// each takes the place of its number among those that are free. The basic code points take the rest, for a time of *n* log *n*.
pub(super) fn decode_any_length(digits: &str) -> Option<String> {
    let (basic, digits) = digits.rsplit_once('-').unwrap_or(("", digits));
    let mut digits = digits.as_bytes();
    let mut inserted: Vec<(usize, char)> = Vec::new();
    let (mut i, mut n, mut bias) = (0_i32, INITIAL_N as u32, INITIAL_BIAS);
    while !digits.is_empty() {
        let before = i;
        i = read_delta(&mut digits, i, bias)?;
        let count = i32::try_from(basic.len() + inserted.len() + 1).ok()?;
        bias = adapt(i - before, count, before == 0);
        n = n.checked_add((i / count) as u32)?;
        i %= count;
        inserted.push((i as usize, char::from_u32(n)?));
        i += 1;
    }
    // The last insertion is at its final place. Each one before it is at the place of its number among those that no later one
    // has taken.
    let mut label: Vec<Option<char>> = vec![None; basic.len() + inserted.len()];
    let mut free = Counts::of_all(label.len());
    for (number, character) in inserted.into_iter().rev() {
        label[free.take(number)] = Some(character);
    }
    let mut basic = basic.chars();
    label.into_iter().map(|character| character.or_else(|| basic.next())).collect()
}

/// Reads a number of variable length and adds it to `i`.
fn read_delta(digits: &mut &[u8], mut i: i32, bias: i32) -> Option<i32> {
    let mut weight = 1_i32;
    for k in 1.. {
        let (&byte, rest) = digits.split_first()?;
        *digits = rest;
        let digit = char::from(byte).to_digit(36)? as i32;
        // Letters come before decimal digits.
        let digit = if byte.is_ascii_digit() { digit + 26 } else { digit - 10 };
        i = i.checked_add(digit.checked_mul(weight)?)?;
        let threshold = threshold(k, bias);
        if digit < threshold {
            break;
        }
        weight = weight.checked_mul(BASE - threshold)?;
    }
    Some(i)
}

/// Appends the digits of a label, or returns nothing if a number of more than 31 bits is needed.
///
/// The algorithm of the RFC goes through the label once for each code point that is in it. Here the code points are sorted, and
/// `smaller` counts those before a place, for a time of *n* log *n*.
pub(super) fn encode(label: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let characters: Vec<char> = code_points(label).collect();
    let mut smaller = Counts::new(characters.len());
    let mut others = Vec::new();
    for (place, &character) in characters.iter().enumerate() {
        if character.is_ascii() {
            out.push(character as u8);
            smaller.add(place);
        } else {
            others.push((character, place));
        }
    }
    let basic = i32::try_from(characters.len() - others.len()).ok()?;
    if basic > 0 {
        out.push(b'-');
    }
    others.sort_unstable();
    let (mut delta, mut n, mut bias, mut handled) = (0_i32, INITIAL_N, INITIAL_BIAS, basic);
    for same in others.chunk_by(|a, b| a.0 == b.0) {
        let next = same[0].0 as i32;
        // The walk of the RFC counts up once for each code point that is done and once at its end, for each value from `n` to
        // `next`.
        delta = delta.checked_add((next - n).checked_mul(handled.checked_add(1)?)?)?;
        n = next;
        let mut counted = 0;
        for &(_, place) in same {
            // In the walk for this code point, the smaller ones since the last delta.
            let before = smaller.before(place);
            delta = delta.checked_add(before - counted)?;
            counted = before;
            push_delta(delta, bias, out);
            bias = adapt(delta, handled + 1, handled == basic);
            delta = 0;
            handled += 1;
        }
        // The smaller code points that are left in this walk, and its end. The code points of this value are smaller from the
        // next walk on.
        delta = smaller.before(characters.len()) - counted + 1;
        n += 1;
        same.iter().for_each(|&(_, place)| smaller.add(place));
    }
    Some(())
}

fn push_delta(delta: i32, bias: i32, out: &mut Vec<u8>) {
    let digit = |value: i32| if value < 26 { b'a' + value as u8 } else { b'0' + (value - 26) as u8 };
    let mut rest = delta;
    for k in 1.. {
        let threshold = threshold(k, bias);
        if rest < threshold {
            break;
        }
        out.push(digit(threshold + (rest - threshold) % (BASE - threshold)));
        rest = (rest - threshold) / (BASE - threshold);
    }
    out.push(digit(rest));
}

/// The value below which the digit at a place is the last one of its number.
fn threshold(place: i32, bias: i32) -> i32 {
    (place * BASE - bias).clamp(T_MIN, T_MAX)
}

fn adapt(delta: i32, count: i32, is_first: bool) -> i32 {
    // Half of a number of 31 bits and at most as much again: the next sum does not overflow.
    let mut delta = if is_first { delta / DAMP } else { delta / 2 };
    delta += delta / count;
    let mut k = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

/// Returns the code points of a text, with U+FFFD for each byte that is not UTF-8.
fn code_points(text: &[u8]) -> impl Iterator<Item = char> {
    text.utf8_chunks()
        .flat_map(|chunk| chunk.valid().chars().chain(chunk.invalid().iter().map(|_| REPLACEMENT_CHARACTER)))
}

/// How many of some places are before a place: a Fenwick tree, whose node `n` counts the places from `n` without its lowest bit
/// that is set to `n`, exclusive.
struct Counts(Vec<i32>);

impl Counts {
    fn new(places: usize) -> Self {
        Self(vec![0; places + 1])
    }

    /// Counts each place once.
    fn of_all(places: usize) -> Self {
        // `x & -x` is the lowest bit that is set, and as many places are counted by the node.
        Self((0..=places).map(|node| (node & node.wrapping_neg()) as i32).collect())
    }

    /// Removes the counted place that so many are before, and returns it.
    fn take(&mut self, number: usize) -> usize {
        // Goes down the tree: a node whose places are all before the one that is looked for is passed.
        let (mut place, mut rest) = (0, number as i32);
        let mut step = self.0.len().next_power_of_two();
        while step > 0 {
            if self.0.get(place + step).is_some_and(|count| *count <= rest) {
                place += step;
                rest -= self.0[place];
            }
            step /= 2;
        }
        let mut node = place + 1;
        while let Some(count) = self.0.get_mut(node) {
            *count -= 1;
            node += node & node.wrapping_neg();
        }
        place
    }

    fn add(&mut self, place: usize) {
        let mut node = place + 1;
        while let Some(count) = self.0.get_mut(node) {
            *count += 1;
            node += node & node.wrapping_neg();
        }
    }

    fn before(&self, place: usize) -> i32 {
        let (mut node, mut sum) = (place, 0);
        while node > 0 {
            sum += self.0[node];
            // Clears the lowest bit that is set: the node before, whose places end where those of this one begin.
            node &= node - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(label: &[u8]) -> Option<String> {
        let mut out = Vec::new();
        encode(label, &mut out)?;
        String::from_utf8(out).ok()
    }

    /// The samples of RFC 3492, section 7.1, whose letters all are in lower case.
    #[test]
    fn samples_of_the_rfc() {
        for (label, digits) in [
            ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
            ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
            ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
            ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
            ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
            ("安室奈美恵-with-super-monkeys", "-with-super-monkeys-pc58ag80a8qai00g7n9n"),
            ("ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"),
            ("パフィーdeルンバ", "de-jg4avhby1noc0d"),
        ] {
            assert_eq!(encoded(label.as_bytes()).as_deref(), Some(digits));
            assert_eq!(decode(digits.as_bytes()).as_deref(), Some(label.as_bytes()));
        }
    }

    #[test]
    fn a_label_of_any_length_is_decoded_as_it_was_encoded() {
        let mut seed = 7_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 16
        };
        for length in (0..200).chain([5_000]) {
            let character = |value: u32| {
                char::from_u32(if value.is_multiple_of(3) { 97 + value % 26 } else { 0xa0 + value % 40 })
            };
            let label: String = (0..length).filter_map(|_| character(next())).collect();
            let digits = encoded(label.as_bytes()).expect("its numbers are small");
            assert_eq!(decode_any_length(&digits).as_deref(), Some(&*label));
        }
        assert_eq!(decode_any_length("-9ca").as_deref(), Some("é"));
        assert_eq!(decode_any_length("abc-").as_deref(), Some("abc"));
        for digits in ["9", "99999999", "9c_", "ib9b"] {
            assert_eq!(decode_any_length(digits), None, "{digits}");
        }
    }

    #[test]
    fn what_is_not_utf8_is_replaced_byte_by_byte() {
        assert_eq!(encoded(b"com\xa0").as_deref(), Some("com-7t7s"));
        assert_eq!(encoded(b"\xe2\x82"), encoded("\u{fffd}\u{fffd}".as_bytes()));
    }

    #[test]
    fn malformed_digits_have_no_label() {
        for digits in ["-", "-9ca", "9", "99999999", "9c_", "é9ca-é"] {
            assert_eq!(decode(digits.as_bytes()), None, "{digits}");
        }
    }

    #[test]
    fn only_a_label_of_fewer_than_1024_code_points_grows() {
        let digits = |count: usize| ["a".repeat(count), "-9ca".to_owned()].concat();
        assert!(decode(digits(1023).as_bytes()).is_some());
        assert!(decode(digits(1024).as_bytes()).is_none());
    }

    #[test]
    fn a_number_has_31_bits_at_most() {
        let label = |count: usize| ["a".repeat(count), "\u{10ffff}".to_owned()].concat();
        let most = (i32::MAX / (0x10ffff - INITIAL_N)) as usize;
        assert!(encoded(label(most - 1).as_bytes()).is_some());
        assert!(encoded(label(most).as_bytes()).is_none());
    }
}
