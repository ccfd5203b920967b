//! Numbers of JSON as Python writes them.

/// Returns a number as Python's `repr` writes it: the fewest digits that give the number again.
pub(super) fn float_text(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let shortest = format!("{number:e}");
    let digits = shortest.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit).count();
    let places = digits - 1;
    // Of two texts that are as near, Python takes the one with the even last digit, as does rounding here;
    // the shortest text is the larger one.
    let even = format!("{number:.places$e}");
    let text = if even.parse() == Ok(number) { even } else { shortest };
    let (digits, exponent) = text.split_once('e').expect("it has an exponent");
    let exponent: i32 = exponent.parse().expect("it is a number");
    // Python's `repr` writes exponents below -4, and from 16 on.
    if (-4..16).contains(&exponent) {
        return plain(digits, exponent);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

/// Returns a number without an exponent, and with a digit after the point.
fn plain(digits: &str, exponent: i32) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let digits = digits.replace('.', "");
    let Ok(whole) = usize::try_from(exponent + 1) else {
        return format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    };
    if whole == 0 {
        return format!("{sign}0.{digits}");
    }
    match digits.split_at_checked(whole) {
        Some((whole, rest)) if !rest.is_empty() => format!("{sign}{whole}.{rest}"),
        _ => format!("{sign}{digits:0<whole$}.0"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_python_writes_them() {
        // From `repr` of CPython 3.11.
        for (number, expected) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (0.0001, "0.0001"),
            (0.000_012_5, "1.25e-05"),
            (794_588_257_420_104.0 + 0.25, "794588257420104.2"),
            (794_588_257_420_104.0 + 0.75, "794588257420104.8"),
            (-123.456, "-123.456"),
            (-0.5, "-0.5"),
            (0.012, "0.012"),
            (9_007_199_254_740_992.0, "9007199254740992.0"),
            (2.225_073_858_507_201_4e-308, "2.2250738585072014e-308"),
            (5e-324, "5e-324"),
            (1e100, "1e+100"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(float_text(number), expected);
        }
    }
}
