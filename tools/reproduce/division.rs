//! Divisions by themselves: the instruction, the scalar hybrid, and the lanes' reciprocals.

use std::hint::black_box;

use tmd_core::exist::{Logms, NoProbe};
use tmd_simd::{Divisions, Level};

use super::{Scale, Section};
use crate::figures::timed;
use crate::{
    ToolError,
    figures::table::{NONE, Table, or_none, three_digits},
    operands::euclid,
};

/// Pairs of operands, as in the papers.
const PAIRS: usize = 1024;

/// What the papers' seconds are of: 10^6 times 1024 divisions.
const PAPERS_DIVISIONS: f64 = 1e6 * PAIRS as f64;

/// Table 5.2: method, seconds in C with `SVML`, seconds in `OpenCL`.
const TABLE: [(&str, f64, f64); 2] = [("scalar", 97.9, 94.2), ("SIMD", 36.7, 39.9)];

/// Most subtractions of the scalar hybrid: the papers' N.
const LIMIT: u64 = 1 << 15;

/// A way to divide all pairs that returns the sum of the quotients.
struct Method<'a> {
    name: String,
    sum: Box<dyn Fn() -> u64 + 'a>,
}

pub(super) fn section(scale: Scale) -> Result<Section, ToolError> {
    let pairs = euclid(PAIRS);
    let times = scale.pick((200, 30), (2000, 100));
    let methods = methods(&pairs);
    let measured = nanoseconds(&methods, &pairs, times)?;
    Ok(Section {
        title: "Divisions by themselves",
        source: "SIMD 2016, table 5.2 and section 5.3",
        measured: format!(
            "{PAIRS} pairs of operands of at most 52 bits, as the existence tests divide them (successive lengths of the continued \
             fractions of random slopes, shuffled); best of {} series of {} passes, one thread, operands in the first-level cache. The sums of \
             the quotients agree. In lanes a quotient is the dividend times a reciprocal, rounded down, with one correction: exact for \
             quotients below 2^26 of operands below 2^52 (AVX-512 has an estimate of the reciprocal, one Newton step; the others divide \
             floats).",
            times.1, times.0
        ),
        tables: vec![published(), ours(&methods, &measured)],
        differences: &[
            "Table 5.2: the papers' vector division is one of whole 64-bit integers from a library, on a machine that has 32-bit integer \
             vectors only; ours takes 52 bits and small quotients, all that the tests need, and floats do that.",
        ],
        ..Section::default()
    })
}

fn methods(pairs: &[(u64, u64)]) -> Vec<Method<'_>> {
    let mut methods = vec![
        Method {
            name: "scalar, `u64 / u64`".into(),
            sum: Box::new(move || black_box(pairs).iter().map(|&(x, y)| x / y).sum()),
        },
        Method {
            name: "scalar, hybrid at LOGMS 3".into(),
            sum: Box::new(move || {
                let quotient = |&(x, y): &(u64, u64)| Logms::PAPERS.div_rem(x, y, LIMIT, &mut NoProbe).0;
                black_box(pairs).iter().map(quotient).sum()
            }),
        },
    ];
    for level in Level::available() {
        // the operands are the tests': they fit
        let Some(divisions) = Divisions::new(level, pairs) else { continue };
        for (kind, logms) in [("reciprocal", Logms::INSTRUCTION), ("hybrid at LOGMS 3", Logms::PAPERS)] {
            let divisions = divisions.clone();
            methods.push(Method {
                name: format!("{level}, {kind}"),
                sum: Box::new(move || black_box(&divisions).sum(black_box(logms))),
            });
        }
    }
    methods
}

/// Nanoseconds per division: the best of `series` interleaved series of `passes`.
fn nanoseconds(
    methods: &[Method<'_>],
    pairs: &[(u64, u64)],
    (passes, series): (u32, u32),
) -> Result<Vec<f64>, ToolError> {
    let expected: u64 = pairs.iter().map(|(x, y)| x / y).sum();
    let mut best = vec![f64::INFINITY; methods.len()];
    for _ in 0..series {
        for (method, best) in methods.iter().zip(&mut best) {
            let sums = || (0..passes).map(|_| black_box((method.sum)())).fold(0, u64::wrapping_add);
            let (sum, seconds) = timed(sums);
            if sum != expected.wrapping_mul(u64::from(passes)) {
                return Err(ToolError::failed(format!(
                    "{}: the sum of its quotients is wrong, no figure is taken from it",
                    method.name
                )));
            }
            *best = best.min(seconds * 1e9 / (f64::from(passes) * pairs.len() as f64));
        }
    }
    Ok(best)
}

/// The papers' table.
fn published() -> Table {
    let columns = "papers, Xeon Phi 5110P | C [+ SVML], s | ns per division | OpenCL, s | ns per division";
    let mut table = Table::new("The papers' divisions", columns);
    let each = |seconds: f64| three_digits(seconds * 1e9 / PAPERS_DIVISIONS);
    for (method, c, opencl) in TABLE {
        table.row(vec![method.into(), c.to_string(), each(c), opencl.to_string(), each(opencl)]);
    }
    let [(_, c, opencl), (_, simd_c, simd_opencl)] = TABLE;
    let gain = |scalar: f64, simd: f64| format!("{:.1}x", scalar / simd);
    table.row(vec!["SIMD speedup".into(), gain(c, simd_c), NONE.into(), gain(opencl, simd_opencl)]);
    table
}

fn ours(methods: &[Method<'_>], nanoseconds: &[f64]) -> Table {
    let mut table =
        Table::new("Our divisions", "method | ns per division | against the instruction | papers");
    for (method, &each) in methods.iter().zip(nanoseconds) {
        let papers = if method.name.ends_with("reciprocal") { "2.7x, 2.4x" } else { NONE };
        let speedup = or_none(nanoseconds.first(), |first| format!("{:.1}x", first / each));
        table.row(vec![method.name.clone(), three_digits(each), speedup, papers.into()]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_methods_agree_and_a_wrong_one_is_an_error() {
        let pairs = euclid(PAIRS);
        let mut methods = methods(&pairs);
        assert_eq!(methods.len(), 2 + 2 * Level::available().len());
        let measured = nanoseconds(&methods, &pairs, (2, 2)).unwrap();
        assert!(measured.iter().all(|&each| each.is_finite() && each > 0.0));
        methods.push(Method { name: "one less".into(), sum: Box::new(|| 1) });
        let error = nanoseconds(&methods, &pairs, (2, 2)).unwrap_err();
        assert!(error.to_string().starts_with("one less: the sum of its quotients is wrong"), "{error}");
    }

    #[test]
    fn quotients_are_those_of_continued_fractions() {
        let pairs = euclid(100_000);
        assert_eq!(pairs.len(), 100_000);
        assert!(Divisions::new(Level::best(), &pairs).is_some());
        // Gauss and Kuz'min: 41.5 %, 17.0 % and 9.3 % are 1, 2 and 3
        for (quotient, share) in [(1, 0.415), (2, 0.170), (3, 0.093)] {
            let count = pairs.iter().filter(|(x, y)| x / y == quotient).count();
            let found = count as f64 / pairs.len() as f64;
            assert!((found - share).abs() < 0.02, "{quotient}: {found}");
        }
    }

    #[test]
    fn tables() {
        let text = published().markdown();
        assert!(text.contains("| scalar | 97.9 | 95.6 | 94.2 | 92.0 |"), "{text}");
        assert!(text.contains("| SIMD speedup | 2.7x | — | 2.4x | — |"), "{text}");
        let method = |name: &str| Method { name: name.into(), sum: Box::new(|| 0) };
        let text = ours(&[method("scalar"), method("avx2, reciprocal")], &[6.0, 1.5]).markdown();
        assert!(
            text.contains("| scalar | 6.00 | 1.0x | — |\n| avx2, reciprocal | 1.50 | 4.0x | 2.7x, 2.4x |"),
            "{text}"
        );
    }
}
