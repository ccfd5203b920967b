//! Punycode (RFC 3492): the numbers and the encoder that `golang.org/x/net/idna` 0.7 and Ada 2.9.2 have in
//! common.
//!
//! They differ from other implementations at the edges: numbers have 31 bits, upper-case digits are digits,
//! and basic code points are copied unchanged. Their decoders differ, and are in `go` and `ada`.
//!
//! A label is bytes. Each byte that is not UTF-8 is read as U+FFFD, like in Go.

use core::char::REPLACEMENT_CHARACTER;

/// The prefix of a label in Punycode.
pub(super) const PREFIX: &str = "xn--";

// The parameters of RFC 3492, section 5.
const BASE: i32 = 36;
const DAMP: i32 = 700;
pub(super) const INITIAL_BIAS: i32 = 72;
pub(super) const INITIAL_N: i32 = 128;
const SKEW: i32 = 38;
const T_MAX: i32 = 26;
const T_MIN: i32 = 1;

/// Reads a number of variable length and adds it to `i`.
pub(super) fn read_delta(digits: &mut &[u8], mut i: i32, bias: i32) -> Option<i32> {
    let mut weight = 1_i32;
    for k in 1.. {
        let (&byte, rest) = digits.split_first()?;
        *digits = rest;
        let digit = char::from(byte).to_digit(36)? as i32;
        // Letters come before decimal digits.
        let digit = if byte.is_ascii_digit() { digit + 26 } else { digit - 10 };
        // RFC 3492, 6.4: an overflow must be an error, or two texts of digits would decode to one label.
        i = i.checked_add(digit.checked_mul(weight)?)?;
        let threshold = threshold(k, bias);
        if digit < threshold {
            break;
        }
        weight = weight.checked_mul(BASE - threshold)?;
    }
    Some(i)
}

/// Appends the digits of a label. Returns `None` if a number of more than 31 bits is needed.
///
/// The algorithm of the RFC walks through the label once for each different code point. Here the code points
/// are sorted, and `smaller` counts the smaller ones before a place. The time is *n* log *n*.
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
        // For each value from `n` to `next`, the walk of the RFC counts up once for each finished code point
        // and once at its end.
        delta = delta.checked_add((next - n).checked_mul(handled.checked_add(1)?)?)?;
        n = next;
        let mut counted = 0;
        for &(_, place) in same {
            // The number of smaller code points in this walk since the last delta.
            let before = smaller.before(place);
            delta = delta.checked_add(before - counted)?;
            counted = before;
            push_delta(delta, bias, out);
            bias = adapt(delta, handled + 1, handled == basic);
            delta = 0;
            handled += 1;
        }
        // The smaller code points that remain in this walk, and its end. The code points of this value are
        // smaller from the next walk on.
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

/// Returns the value below which the digit at a place is the last one of its number.
fn threshold(place: i32, bias: i32) -> i32 {
    (place * BASE - bias).clamp(T_MIN, T_MAX)
}

pub(super) fn adapt(delta: i32, count: i32, is_first: bool) -> i32 {
    // The sum is half of a 31-bit number and at most as much again, so it does not overflow.
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
pub(super) fn code_points(text: &[u8]) -> impl Iterator<Item = char> {
    text.utf8_chunks()
        .flat_map(|chunk| chunk.valid().chars().chain(chunk.invalid().iter().map(|_| REPLACEMENT_CHARACTER)))
}

/// Counts of the places before a place, as a Fenwick tree. The node `n` counts the places from `n` without
/// its lowest set bit up to `n` (exclusive).
pub(super) struct Counts(Vec<i32>);

impl Counts {
    fn new(places: usize) -> Self {
        Self(vec![0; places + 1])
    }

    /// Counts each place once.
    pub(super) fn of_all(places: usize) -> Self {
        // `x & -x` is the lowest set bit, and the node counts as many places.
        Self((0..=places).map(|node| (node & node.wrapping_neg()) as i32).collect())
    }

    /// Removes and returns the counted place that has `number` counted places before it.
    pub(super) fn take(&mut self, number: usize) -> usize {
        // Goes down the tree, and passes each node with only places before the wanted one.
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
            // Clears the lowest set bit, which gives the previous node. Its places end where the places of
            // this node start.
            node &= node - 1;
        }
        sum
    }
}

/// Returns the digits of a label.
#[cfg(test)]
pub(super) fn encoded(label: &[u8]) -> Option<String> {
    let mut out = Vec::new();
    encode(label, &mut out)?;
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_utf8_is_replaced_byte_by_byte() {
        assert_eq!(encoded(b"com\xa0").as_deref(), Some("com-7t7s"));
        assert_eq!(encoded(b"\xe2\x82"), encoded("\u{fffd}\u{fffd}".as_bytes()));
    }

    #[test]
    fn a_number_has_31_bits_at_most() {
        let label = |count: usize| ["a".repeat(count), "\u{10ffff}".to_owned()].concat();
        let most = (i32::MAX / (0x10ffff - INITIAL_N)) as usize;
        assert!(encoded(label(most - 1).as_bytes()).is_some());
        assert!(encoded(label(most).as_bytes()).is_none());
    }
}
