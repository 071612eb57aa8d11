//! Expressions from text: the same again from what is printed, and enclosures that contain each
//! other.

use tmd_functions::{Function, Interval, parse, parse::MAX_LENGTH};

/// Bits of the enclosures.
const PRECISION: u32 = 80;

/// Longer expressions are read and printed only: they take seconds at a time.
const LONG: usize = 200;

/// Reads an expression and evaluates it here and there.
pub fn fuzz(text: &str) {
    let Ok(function) = parse(text) else { return };
    let printed = function.to_string();
    if printed.chars().count() <= MAX_LENGTH {
        // parentheses that are printed count as nesting
        match parse(&printed) {
            Ok(again) => assert_eq!(again, function, "{printed}"),
            Err(error) => assert!(error.to_string().contains("nested too deeply"), "{printed}: {error}"),
        }
    }
    if text.len() > LONG {
        return;
    }
    for x in [0.0, 0.375, -1.0, 3.0, 1e-300] {
        let [point, wide] = [(x, x), (x - 0.125, x + 0.125)].map(|(low, high)| {
            let end = |x| rug::Float::with_val(PRECISION, x);
            Interval::new(end(low), end(high)).expect("an interval")
        });
        if let (Ok(value), Ok(values)) =
            (function.enclose(&point, PRECISION), function.enclose(&wide, PRECISION))
        {
            assert!(value.intersects(&values), "{printed} at {x}: {value:?} is not in {values:?}");
        }
        let series = function.series(&point, 3, PRECISION);
        if let (Ok(series), Ok(value)) = (series, function.enclose(&point, PRECISION)) {
            assert!(
                series.coefficients()[0].intersects(&value),
                "{printed} at {x}: the series is another function's"
            );
        }
    }
}
