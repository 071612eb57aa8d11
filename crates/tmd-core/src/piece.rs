//! [`Piece`]: one Taylor polynomial, in fixed point mod 1, over consecutive arguments.

use tmd_difftable::{Fixed, Polynomial, Upper, bounds};

use crate::CoreError;

/// Limbs of a piece's coefficients: 512 bits after the binary point.
pub const PIECE_LIMBS: usize = 8;

/// A polynomial `R` and the arguments over which it stands for the function.
///
/// Argument number `k` of the piece, `0 ≤ k < arguments`, has the value `R(k − center)` mod 1, in
/// units of the breakpoints' spacing and with the breakpoints at the integers: `k` is a case only
/// if `R(k − center)` is within `tolerance + taylor + coefficients` of an integer.
#[derive(Clone, Debug)]
pub struct Piece {
    polynomial: Polynomial<PIECE_LIMBS>,
    magnitudes: Vec<Upper>,
    arguments: u64,
    center: u64,
    tolerance: Upper,
    taylor: Upper,
    coefficients: Upper,
}

impl Piece {
    /// Most arguments of a piece.
    pub const MAX_ARGUMENTS: u64 = 1 << 44;

    /// A piece of `arguments` arguments whose polynomial is centered at argument number `center`.
    ///
    /// * `magnitudes[k]` bounds the real magnitude of coefficient `k` (not mod 1; entry 0 is not
    ///   used);
    /// * `tolerance` is ε, `taylor` the remainder and `coefficients` the effect of the
    ///   coefficients' errors, all in units of the breakpoints' spacing and valid over the whole
    ///   piece.
    ///
    /// # Errors
    /// [`CoreError::PieceLength`] for no arguments, more than
    /// [`MAX_ARGUMENTS`](Self::MAX_ARGUMENTS), or a center outside; [`CoreError::Magnitudes`]
    /// unless there is a magnitude for every coefficient, and a coefficient at all.
    pub fn new(
        polynomial: Polynomial<PIECE_LIMBS>,
        magnitudes: Vec<Upper>,
        arguments: u64,
        center: u64,
        tolerance: Upper,
        taylor: Upper,
        coefficients: Upper,
    ) -> Result<Self, CoreError> {
        if arguments == 0 || arguments > Self::MAX_ARGUMENTS || center >= arguments {
            return Err(CoreError::PieceLength { arguments });
        }
        if polynomial.is_empty() || polynomial.len() != magnitudes.len() {
            let (coefficients, magnitudes) = (polynomial.len(), magnitudes.len());
            return Err(CoreError::Magnitudes { coefficients, magnitudes });
        }
        Ok(Self { polynomial, magnitudes, arguments, center, tolerance, taylor, coefficients })
    }

    /// The polynomial about the center.
    pub fn polynomial(&self) -> &Polynomial<PIECE_LIMBS> {
        &self.polynomial
    }

    /// Bounds of the coefficients' real magnitudes: entry k in units of the breakpoints' spacing
    /// per (argument)^k.
    pub fn magnitudes(&self) -> &[Upper] {
        &self.magnitudes
    }

    /// Number of arguments.
    pub const fn arguments(&self) -> u64 {
        self.arguments
    }

    /// The argument at which the polynomial is centered.
    pub const fn center(&self) -> u64 {
        self.center
    }

    /// ε, in units of the breakpoints' spacing.
    pub const fn tolerance(&self) -> Upper {
        self.tolerance
    }

    /// Bound of the Taylor remainder over the piece, in units of the breakpoints' spacing.
    pub const fn taylor(&self) -> Upper {
        self.taylor
    }

    /// Bound of what the coefficients' errors do to the value at any argument, in the same units.
    pub const fn coefficients(&self) -> Upper {
        self.coefficients
    }

    /// The polynomial about argument 0: exact, see [`Polynomial::shifted`].
    pub fn from_first_argument(&self) -> Polynomial<PIECE_LIMBS> {
        self.polynomial.shifted(-(self.center as i64))
    }

    /// The `count` arguments from number `first` on as a piece of their own, whose argument 0 is
    /// `first`: the same polynomial about the part's center, exactly, and the same bounds.
    ///
    /// # Errors
    /// [`CoreError::PieceLength`] if the part is empty or not inside.
    pub fn part(&self, first: u64, count: u64) -> Result<Self, CoreError> {
        if count == 0 || first.checked_add(count).is_none_or(|end| end > self.arguments) {
            return Err(CoreError::PieceLength { arguments: count });
        }
        let center = count / 2;
        let moved = (first + center) as i64 - self.center as i64;
        let polynomial = self.polynomial.shifted(moved);
        let magnitudes = bounds::derivatives(&self.magnitudes, Upper::of_integer(moved.unsigned_abs()));
        Self::new(polynomial, magnitudes, count, center, self.tolerance, self.taylor, self.coefficients)
    }

    /// Bound of what separates the polynomial from the function, and ε: an argument whose value is
    /// farther from every integer is no case.
    pub fn half_width(&self) -> Upper {
        self.tolerance + self.taylor + self.coefficients
    }

    /// A bound of how far an argument is from the center.
    pub fn radius(&self) -> Upper {
        Upper::of_integer(self.center.max(self.arguments - self.center))
    }

    /// Bounds `B_m ≥ |R^(m)/m!|`, m = 0, 1, …, over the arguments and over what is up to `beyond`
    /// arguments farther from the center.
    pub fn derivatives(&self, beyond: Upper) -> Vec<Upper> {
        bounds::derivatives(&self.magnitudes, self.radius() + beyond)
    }

    /// The value at argument `k` mod 1, exactly, in units of the breakpoints' spacing.
    pub fn value(&self, k: u64) -> Fixed<PIECE_LIMBS> {
        self.polynomial.evaluate(k as i64 - self.center as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_difftable::power_of_two;

    /// A part has the values of the whole, and magnitudes of the coefficients about its own center.
    #[test]
    fn parts() {
        let coefficients = [(1, 3), (3, 20), (-5, 40), (7, 60)];
        let real = coefficients.map(|(m, shift): (i64, i32)| m as f64 * power_of_two(-shift));
        let polynomial = coefficients.map(|(m, shift)| Fixed::from_ratio_pow2(m, shift as u32));
        let magnitudes = real.map(|c| Upper::new(c.abs()));
        let (arguments, center) = (1 << 20, 1 << 18);
        let [tolerance, taylor, rounding] = [20, 30, 40].map(|bits| Upper::power_of_two(-bits));
        let (polynomial, magnitudes) = (Polynomial::new(polynomial.to_vec()), magnitudes.to_vec());
        let piece =
            Piece::new(polynomial, magnitudes, arguments, center, tolerance, taylor, rounding).unwrap();
        for (first, count) in
            [(0, arguments), (0, 1), (0, 1000), (12_345, 678), (arguments - 1, 1), (arguments - 999, 999)]
        {
            let part = piece.part(first, count).unwrap();
            assert_eq!((part.arguments(), part.half_width()), (count, piece.half_width()));
            for k in [0, count / 3, count - 1] {
                assert_eq!(part.value(k), piece.value(first + k), "argument {k} of {count} from {first}");
            }
            // c_1 and c_2 of the shifted polynomial
            let x = (first + part.center()) as f64 - center as f64;
            let moved = [real[1] + 2.0 * real[2] * x + 3.0 * real[3] * x * x, real[2] + 3.0 * real[3] * x];
            for (magnitude, c) in part.magnitudes()[1..].iter().zip(moved) {
                assert!(magnitude.get() >= c.abs() * (1.0 - 1e-9), "{magnitude:?} is below {c:e}");
            }
        }
        for (first, count) in [(0, 0), (0, arguments + 1), (arguments, 1), (1, arguments), (u64::MAX, 2)] {
            assert!(piece.part(first, count).is_err(), "{count} from {first}");
        }
    }
}
