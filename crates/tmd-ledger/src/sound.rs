//! [`check`]: does a result say what a search of its unit can say?
//!
//! A checksum shows that a result is the one that was written. Here is asked what no checksum
//! shows, as whoever writes another result writes its checksum, too: that lists are as long as they
//! are counted, in the order of the arguments, each argument once and in one list, and all of them
//! among those that were searched.

use tmd_core::Number;
use tmd_driver::{
    certificate::{MOST_EXACT, UnitRecord},
    solve::UnitResult,
};

/// The first and the last argument of a unit's region.
pub(crate) type Bounds = (Number, Number);

/// Whether a search may have this result; else, what is wrong with it. A unit that searched the
/// inverse function is of breakpoints, and one of a family of turns: its cases are among the
/// arguments of its region, or of regions that were searched together, in increasing order:
/// `bounds`, if these are known.
pub(crate) fn check(result: &UnitResult, bounds: Option<&[Bounds]>) -> Result<(), String> {
    let UnitResult { record, cases, exact_cases, undecided, .. } = result;
    let counts = [cases.len(), exact_cases.len(), undecided.len()].map(|length| length as u64);
    let is_too_long_to_list = record.exact > MOST_EXACT as u64 && exact_cases.is_empty();
    if [record.cases, record.undecided] != [counts[0], counts[2]]
        || record.exact != counts[1] && !is_too_long_to_list
    {
        return Err("its lists are not as long as it counts".into());
    }
    let place = if record.is_of_arguments() {
        SearchedRange::of(record)?
    } else {
        bounds.map_or(SearchedRange::Anywhere, SearchedRange::Between)
    };
    let cases = cases.iter().map(|case| &*case.x);
    let exact = exact_cases.iter().map(|case| &*case.x);
    let mut found = in_order("case", cases, &place)?;
    found.extend(in_order("exact case", exact, &place)?);
    let undecided = undecided.iter().map(|undecided| &*undecided.x);
    if record.is_of_arguments() {
        found.extend(in_order("undecided argument", undecided, &place)?);
    } else {
        // of the inverse function, a breakpoint may be what is undecided
        in_order("undecided argument", undecided, &SearchedRange::Anywhere)?;
    }
    found.sort_unstable();
    match found.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("{} is in two of its lists", pair[0])),
        None => Ok(()),
    }
}

/// The numbers of a list, if they increase.
fn in_order<'a>(
    what: &str,
    texts: impl Iterator<Item = &'a str>,
    place: &SearchedRange<'_>,
) -> Result<Vec<Number>, String> {
    let mut numbers: Vec<Number> = Vec::new();
    for text in texts {
        let number = number(text).ok_or_else(|| format!("the {what} at `{text}` is at no number"))?;
        if !place.has(number) {
            return Err(format!("the {what} at {text} is at no argument that was searched"));
        }
        match numbers.last() {
            Some(last) if *last == number => return Err(format!("the {what} at {text} is there twice")),
            Some(last) if *last > number => {
                return Err(format!("the {what} at {text} comes after the one at {last}"));
            }
            _ => numbers.push(number),
        }
    }
    Ok(numbers)
}

/// Where a search finds something.
enum SearchedRange<'a> {
    /// first, log2 of the spacing, how many
    Searched(Number, i32, u64),
    Between(&'a [Bounds]),
    Anywhere,
}

impl SearchedRange<'_> {
    fn of(record: &UnitRecord) -> Result<Self, String> {
        let first =
            number(&record.first).ok_or_else(|| format!("it begins at `{}`, no number", record.first))?;
        Ok(Self::Searched(first, record.spacing, record.arguments))
    }

    fn has(&self, number: Number) -> bool {
        match *self {
            Self::Anywhere => true,
            Self::Between(bounds) => {
                let after = bounds.partition_point(|(first, _)| *first <= number);
                after.checked_sub(1).is_some_and(|index| number <= bounds[index].1)
            }
            Self::Searched(first, spacing, count) => {
                let steps = |number| multiple(number, spacing)?.checked_sub(multiple(first, spacing)?);
                steps(number).is_some_and(|steps| (0..i128::from(count)).contains(&steps))
            }
        }
    }
}

/// How often 2^spacing goes into a number, if it does, and if arguments of any format have so many.
pub(crate) fn multiple(number: Number, spacing: i32) -> Option<i128> {
    if number == Number::ZERO {
        return Some(0);
    }
    let shift = u32::try_from(number.exponent().checked_sub(spacing)?).ok()?;
    // a multiple has 66 bits at most, if it is the end of a binade of midpoints of 64 bits; more
    // than 126 are no argument's
    (number.bits().checked_add(shift)? <= 126).then(|| number.significand() << shift)
}

/// The number that [`Number`] writes like this; none for any other text. It may be a breakpoint: a
/// midpoint of numbers of 64 bits has 65.
pub(crate) fn number(text: &str) -> Option<Number> {
    Number::from_hex(text).filter(|number| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for (significand, exponent) in [
            (0, 0),
            (1, 0),
            (-1, 0),
            (3, -1074),
            (-0x1f_ffff_ffff_ffff, 971),
            (i128::from(u64::MAX), -16445),
            ((1 << 65) - 1, 3),
        ] {
            let expected = Number::new(significand, exponent);
            assert_eq!(number(&expected.to_string()), Some(expected), "{expected}");
        }
        for text in [
            "",
            "1",
            "0x",
            "0x1",
            "0x1p",
            "0x1p0",
            "0x1p+00",
            "0x2p+0",
            "0x1.80p+0",
            "0x1.8P+0",
            "+0x1p+0",
            " 0x1p+0",
            "0x1.+8p+0",
            "-0x0p+0",
            "0x0p+1",
            "nan",
            "inf",
            "0x1p+999999999999",
            "0x1p+2147483647",
            "0x1p-2147483648",
            "0x1.ffffffffffffffffffffffffffffffffffffp+0",
            "0xep+0",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn multiples_of_a_spacing() {
        let text = |text| number(text).unwrap();
        assert_eq!(multiple(text("0x1.8p+0"), -1), Some(3));
        assert_eq!(multiple(text("-0x1p+4"), 2), Some(-4));
        assert_eq!(multiple(Number::ZERO, 77), Some(0));
        assert_eq!(multiple(text("0x1.8p+0"), 0), None);
        // arguments of 64 bits, and midpoints between them
        assert_eq!(multiple(text("-0x1p+14"), -49), Some(-(1 << 63)));
        assert_eq!(multiple(text("0x1.fffffffffffffffep+0"), -63), Some((1 << 64) - 1));
        assert_eq!(multiple(text("0x1.ffffffffffffffffp+0"), -64), Some((1 << 65) - 1));
        assert_eq!(multiple(text("0x1p+1"), -64), Some(1 << 65));
        assert_eq!(multiple(text("0x1p+900"), -900), None, "no overflow");
        assert_eq!(multiple(text("0x1p+900"), i32::MIN), None, "no overflow");
    }
}
