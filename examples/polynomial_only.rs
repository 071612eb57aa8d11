//! A search without a function: only `tmd-core`, only integers, and a polynomial made by hand.
//!
//! The function is the cube of a binary32 number X in [1, 1.25), where 1 ≤ X³ < 2. With X = (2^23 +
//! x)/2^23, the result in its ulps (2^-23) is
//!
//! ```text
//! X³·2^23 = 2^23 + 3·x + 3·x²/2^23 + x³/2^46
//! ```
//!
//! so it *is* a polynomial in the number x of the argument: no Taylor remainder, no rounded
//! coefficients, and mod 1 the first two terms vanish. The search finds all x whose cube is within
//! 2^-16 ulp of a binary32 number.
//!
//! ```text
//! cargo run -p tmd-examples --example polynomial_only
//! ```
#![forbid(unsafe_code)]

use tmd_core::{
    Backend, CoreError, Interrupt, Number, Piece, Scalar, ScalarEngine,
    difftable::{Fixed, Polynomial, Upper},
    exist::Logms,
};

/// The binary32 numbers of [1, 1.25).
const ARGUMENTS: u64 = 1 << 21;
/// ε = 2^-16 ulp.
const EXTRA_BITS: i32 = 16;

fn main() -> Result<(), CoreError> {
    let mut found = cases()?;
    println!(
        "{} cubes of [1, 1.25) are within 2^-{EXTRA_BITS} ulp of a binary32 number; the hardest:",
        found.len()
    );
    found.sort_by_key(|case| case.distance);
    for case in found.iter().take(5) {
        let (argument, log2_distance) =
            (Number::new((1 << 23) + i128::from(case.x), -23), (case.distance as f64).log2() - 46.0);
        println!("  {argument}: 2^{log2_distance:.2} ulp");
    }
    Ok(())
}

/// A cube close to a binary32 number and not equal to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Case {
    /// The argument's number: X = 1 + x/2^23.
    x: u64,
    /// The distance in units of 2^-46 ulp, exactly.
    distance: u64,
}

fn cases() -> Result<Vec<Case>, CoreError> {
    // coefficients mod 1, about the argument number 0 …
    let polynomial = Polynomial::new(vec![
        Fixed::ZERO,
        Fixed::ZERO,
        Fixed::from_ratio_pow2(3, 23),
        Fixed::from_ratio_pow2(1, 46),
    ]);
    // … and bounds of what they are without "mod 1"; the first is not used
    let magnitudes =
        vec![Upper::ZERO, Upper::of_integer(3), Upper::new(3.0 * 2f64.powi(-23)), Upper::power_of_two(-46)];
    let (taylor, coefficients) = (Upper::ZERO, Upper::ZERO);
    let piece = Piece::new(
        polynomial,
        magnitudes,
        ARGUMENTS,
        0,
        Upper::power_of_two(-EXTRA_BITS),
        taylor,
        coefficients,
    )?;

    let backend = Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None };
    let candidates = backend.search(&piece, &Interrupt::new())?.candidates;
    // A search may report too much, never too little: confirm. Distance 0 is an exact cube and has
    // no hardness.
    let cases = candidates.into_iter().map(|x| Case { x, distance: distance(x) });
    Ok(cases.filter(|case| 0 < case.distance && case.distance < 1 << (46 - EXTRA_BITS)).collect())
}

/// The exact distance of (2^23 + x)³/2^46 from the nearest integer, in units of 2^-46.
fn distance(x: u64) -> u64 {
    let cube = (u128::from(x) + (1 << 23)).pow(3); // below 2^72
    let fraction = (cube % (1 << 46)) as u64;
    fraction.min((1 << 46) - fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        let hard = |x: &u64| (1..1 << (46 - EXTRA_BITS)).contains(&distance(*x));
        let all: Vec<u64> = (0..ARGUMENTS).filter(hard).collect();
        // 2^21 arguments, 2·2^-16 of them expected
        assert!((32..128).contains(&all.len()), "{}", all.len());
        let found: Vec<u64> = cases().unwrap().iter().map(|case| case.x).collect();
        assert_eq!(found, all);
    }

    #[test]
    fn distances() {
        // 1.125³ = 1.423828125 is a binary32 number; (1 + 2^-23)³ is 3·2^-23 + 2^-46 ulp above one
        assert_eq!(distance(1 << 20), 0);
        assert_eq!(distance(1), 3 * (1 << 23) + 1);
    }
}
