//! IPv6 addresses as Java reads them. `java.net.URL` and `java.net.URI` have a parser each. Both allow
//! leading zeros that the standard library of Rust rejects: `[::01.2.3.4]`, and `java.net.URL` alone
//! `[::00001]`.

/// Returns whether `java.net.URL` takes an address.
pub(super) fn is_in_url(address: &str) -> bool {
    let is_group = |group: &str| group.trim_start_matches('0').len() <= 4;
    // `IPAddressUtil.textToNumericFormatV4` rejects more than 15 characters before it reads any.
    is_address(address, is_group, |ipv4| ipv4.len() <= "255.255.255.255".len() && is_ipv4(ipv4))
}

/// Returns whether `java.net.URI` takes an address.
pub(super) fn is_in_uri(address: &str) -> bool {
    is_address(address, |group| group.len() <= 4, is_ipv4)
}

/// Returns whether a text is four numbers up to 255, with any number of leading zeros.
pub(super) fn is_ipv4(text: &str) -> bool {
    let is_byte = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && part.parse::<u32>().is_ok_and(|value| value < 256)
    };
    text.split('.').count() == 4 && text.split('.').all(is_byte)
}

/// Returns whether a text is eight groups of hexadecimal digits, of which `::` stands for one or more, and an
/// IPv4 address for the last two.
fn is_address(text: &str, is_group: fn(&str) -> bool, is_ipv4: fn(&str) -> bool) -> bool {
    let is_group = |group: &str| {
        !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_hexdigit()) && is_group(group)
    };
    // The number of groups; an IPv4 address can only end the text.
    let count = |groups: &str, is_end: bool| -> Option<usize> {
        if groups.is_empty() {
            return Some(0);
        }
        let (before, last) =
            groups.rsplit_once(':').map_or((None, groups), |(before, last)| (Some(before), last));
        let groups = before.map_or(0, |before| before.split(':').count());
        let are_groups = before.is_none_or(|before| before.split(':').all(is_group));
        match last {
            _ if !are_groups => None,
            _ if is_group(last) => Some(groups + 1),
            _ if is_end && is_ipv4(last) => Some(groups + 2),
            _ => None,
        }
    };
    match text.split_once("::") {
        Some((before, after)) => {
            count(before, false).zip(count(after, true)).is_some_and(|(before, after)| before + after < 8)
        }
        None => count(text, true) == Some(8),
    }
}

#[test]
fn addresses_are_those_of_java() {
    // What Java 17.0.15 takes: by `new URL`, by `new URI`.
    for (address, url, uri) in [
        ("::1", true, true),
        ("::", true, true),
        ("1::", true, true),
        ("1:2:3:4:5:6:7:8", true, true),
        ("1:2:3:4:5:6:7::", true, true),
        ("1:2:3:4:5:6:7:8::", false, false),
        ("1:2:3:4:5:6:7", false, false),
        ("1:", false, false),
        (":1", false, false),
        (":::", false, false),
        ("::1::2", false, false),
        ("::1.2.3.4", true, true),
        ("::01.002.0003.4", true, true),
        ("::0000000001.2.3.4", false, true),
        ("::256.2.3.4", false, false),
        ("::1.2.3", false, false),
        ("1.2.3.4", false, false),
        ("1.2.3.4::", false, false),
        ("::00001", true, false),
        ("::10000", false, false),
        ("::g", false, false),
    ] {
        assert_eq!((is_in_url(address), is_in_uri(address)), (url, uri), "{address}");
    }
}
