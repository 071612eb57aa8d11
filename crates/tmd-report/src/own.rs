//! [`Own`]: the cases of a certificate without their repetitions, those next to 0 apart.

use std::collections::HashMap;

use tmd_core::{BreakpointKind, Number};
use tmd_driver::{
    Certificate, Coverage,
    certificate::ClassRecord,
    coverage::{Knowledge, Step},
    report::Case,
};

use crate::{
    ReportError,
    list::List,
    number::{number, value},
};

/// A case of a region that was searched; those that follow from it are not listed beside it.
pub(crate) struct Own<'a> {
    pub(crate) case: &'a Case,
    /// Whether −x is as hard, by symmetry.
    pub(crate) is_mirrored: bool,
    /// How many cases follow from it, itself included: listed or behind rules.
    pub(crate) stands_for: u128,
    /// Whether it is next to 0, where f is almost a constant or a multiple of x.
    pub(crate) is_next_to_zero: bool,
}

/// The cases that do not follow from others, the hardest first; ties by argument.
///
/// # Errors
/// If the certificate lists arguments that are no numbers.
pub(crate) fn own<'a>(
    certificate: &'a Certificate,
    coverage: &Coverage,
    list: &List,
) -> Result<Vec<Own<'a>>, ReportError> {
    let at_zero = at_zero(certificate)?;
    let (mut own, mut stands_for) = (Vec::new(), HashMap::<Number, u128>::new());
    for case in certificate.hardest(usize::MAX) {
        let x = number(&case.x)?;
        let known = coverage.known(x);
        let source = known.as_ref().map_or(x, |known| known.source);
        *stands_for.entry(source).or_default() += list.stands_for(case);
        if source != x {
            continue;
        }
        let opposite = Number::new(-x.significand(), x.exponent());
        let mirrors = |known: Knowledge| known.source == x && matches!(known.chain[..], [Step::Mirror(_)]);
        let is_mirrored = coverage.known(opposite).is_some_and(mirrors);
        let is_next_to_zero =
            is_next_to_zero(x, number(&case.breakpoint)?, at_zero, certificate.format.precision);
        own.push((x, Own { case, is_mirrored, stands_for: 1, is_next_to_zero }));
    }
    let counted = |(x, own): (Number, Own<'a>)| Own { stands_for: stands_for[&x], ..own };
    Ok(own.into_iter().map(counted).collect())
}

impl Own<'_> {
    pub(crate) fn is_near(&self, kind: BreakpointKind) -> bool {
        self.case.kind == kind.to_string()
    }
}

/// f(0), if the certificate says it.
fn at_zero(certificate: &Certificate) -> Result<Option<Number>, ReportError> {
    for region in &certificate.regions {
        if let ClassRecord::Exact { value: result, .. } = &region.class
            && number(&region.first)? == Number::ZERO
        {
            return value(result).map(Some);
        }
    }
    Ok(None)
}

/// Whether `|x| < 2^-p/4`, and f(x), which is next to the breakpoint, is f(0) or a power of two
/// times x to p/4 bits. There the first three terms of Taylor's formula say all but an ulp, and
/// where they are few bits results are close to breakpoints for no deeper reason.
fn is_next_to_zero(x: Number, breakpoint: Number, at_zero: Option<Number>, precision: u32) -> bool {
    let bits = precision.div_ceil(4) as i32;
    if x.log2_floor().is_none_or(|exponent| exponent >= -bits) || breakpoint == Number::ZERO {
        return false;
    }
    let tiny = f64::from(-bits).exp2();
    // how far a ratio of numbers is from a power of two, relatively
    let off = |a: Number, b: Number| {
        let ratio = (significand(a) / significand(b)).abs();
        let ratio = if ratio < 1.0 { 2.0 * ratio } else { ratio };
        (ratio - 1.0).min(1.0 - ratio / 2.0)
    };
    match at_zero.filter(|value| *value != Number::ZERO) {
        Some(value) => (breakpoint.to_f64() / value.to_f64() - 1.0).abs() <= tiny,
        // without f(0), a power of two will do: few functions have another value
        None if at_zero.is_none() => off(breakpoint, x) <= tiny || off(breakpoint, Number::new(1, 0)) <= tiny,
        None => off(breakpoint, x) <= tiny,
    }
}

/// The significand, between 1 and 2.
fn significand(x: Number) -> f64 {
    x.log2_floor().map_or(0.0, |exponent| Number::new(x.significand(), x.exponent() - exponent).to_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_next_to_zero() {
        let is = |x: &str, b: &str, at_zero: Option<&str>| {
            let at_zero = at_zero.map(|text| value(text).unwrap());
            is_next_to_zero(number(x).unwrap(), number(b).unwrap(), at_zero, 53)
        };
        // exp(x) = 1 + x + …, sin(x) = x − …, cos(x)
        assert!(is("0x1.fffffffffffffp-30", "0x1.00000007fffffp+0", Some("1")));
        assert!(is("-0x1.e0000000001c2p-20", "-0x1.dfffffffff5c2p-20", Some("0")));
        assert!(is("0x1.8000000000009p-23", "0x1.fffffffffffbp-1", Some("1")));
        assert!(is("0x1.8p-20", "0x1.8p-20", None) && is("0x1.8p-20", "0x1.fffffffffff7p-1", None));
        assert!(is("0x1.8p-20", "0x1.8p-19", Some("0")), "tanh(2x)");
        // large arguments, other slopes, logarithms and roots
        assert!(!is("0x1.ffffp-14", "0x1.0007ffffp+0", Some("1")));
        assert!(!is("0x1.8p-30", "0x1.0a2b23f3bab73p-30", Some("0")), "exp2m1");
        assert!(!is("0x1.8p-30", "-0x1.4p+4", None), "log");
        assert!(!is("0x1.8p-30", "0x1.39887ca1p-15", Some("0")), "sqrt");
        assert!(!is("0x0p+0", "0x0p+0", Some("0")));
    }
}
