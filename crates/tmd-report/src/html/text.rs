//! Text as text of the page.

use std::fmt::Write as _;

/// Text, character by character.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            other => escaped.push(other),
        }
    }
    escaped
}

/// Text in which `2^-40` and `2^(3 n)` have real exponents.
pub(super) fn typeset(text: &str) -> String {
    let mut set = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('^') {
        set += &escape(before);
        let (exponent, length) = exponent(after);
        if length == 0 {
            set.push('^');
        } else {
            // writing to a String does not fail
            let _ = write!(set, "<sup>{}</sup>", escape(&exponent.replace('-', "−")));
        }
        rest = &after[length..];
    }
    set + &escape(rest)
}

/// The exponent at the beginning of a text, and the bytes that it takes there.
fn exponent(text: &str) -> (&str, usize) {
    if let Some((inner, _)) = text.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
        return if inner.contains('(') { ("", 0) } else { (inner, inner.len() + 2) };
    }
    let sign = usize::from(text.starts_with('-'));
    if text[sign..].starts_with(|character: char| character.is_ascii_lowercase()) {
        return (&text[..=sign], sign + 1);
    }
    let number = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = number(&text[sign..]);
    if whole == 0 {
        return ("", 0);
    }
    let mut length = sign + whole;
    if let Some(fraction) = text[length..].strip_prefix('.').map(number).filter(|digits| *digits > 0) {
        length += 1 + fraction;
    }
    (&text[..length], length)
}

/// A power of two as characters that have their place above the line themselves: for pictures.
pub(super) fn power_of_two(exponent: &str) -> String {
    let raised = |character| match character {
        '0'..='9' => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][character as usize - '0' as usize],
        '-' => '⁻',
        'k' => 'ᵏ',
        other => other,
    };
    format!("2{}", exponent.chars().map(raised).collect::<String>())
}

/// A text as the address of a file with it, that needs no network. Nothing in it has a meaning in
/// an attribute.
pub(super) fn data_address(kind: &str, text: &str) -> String {
    let mut address = format!("data:{kind};charset=utf-8,");
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => address.push(char::from(byte)),
            b',' | b'.' | b'-' | b'+' | b'_' | b'(' | b')' | b'/' | b':' | b';' | b'*' | b'=' => {
                address.push(char::from(byte));
            }
            other => {
                let _ = write!(address, "%{other:02X}");
            }
        }
    }
    address
}

/// A count as a power of two, or exactly if it is small.
pub(super) fn power(count: u128) -> String {
    if count < 10_000 { count.to_string() } else { format!("2^{:.1}", (count as f64).log2()) }
}

pub(super) fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_raised() {
        for (plain, set) in [
            ("2^-40 ulp", "2<sup>−40</sup> ulp"),
            ("2^62.5 & 2^1 < x", "2<sup>62.5</sup> &amp; 2<sup>1</sup> &lt; x"),
            ("2^1.", "2<sup>1</sup>."),
            ("repeats at 2^(3 n) * x", "repeats at 2<sup>3 n</sup> * x"),
            ("(m·2^k)^3", "(m·2<sup>k</sup>)<sup>3</sup>"),
            ("2^-k ulp", "2<sup>−k</sup> ulp"),
            ("x^", "x^"),
            ("x^(1+(2))", "x^(1+(2))"),
            ("a^^2", "a^<sup>2</sup>"),
            ("<b>", "&lt;b&gt;"),
        ] {
            assert_eq!(typeset(plain), set);
        }
        assert_eq!(power_of_two("-10"), "2⁻¹⁰");
    }

    #[test]
    fn addresses_hold_the_text() {
        let address = data_address("text/csv", "x,\"≤\"\n-0x1.8p+3,50%\n");
        assert_eq!(address, "data:text/csv;charset=utf-8,x,%22%E2%89%A4%22%0A-0x1.8p+3,50%25%0A");
    }
}
