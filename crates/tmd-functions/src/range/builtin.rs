//! The ranges of the named functions, by monotonicity: one row of a table per function says how it
//! runs and where it tends.
//!
//! # Saturation
//!
//! Where f(a) is beyond all numbers of MPFR, f grows without bound there (only the exponentials and
//! the hyperbolic sine and cosine do so at arguments that MPFR has). On that side nothing is said.
//! On the other one, f(ξ) ≥ f(a) ≥ f(2^26) for all ξ ≥ a ≥ 2^26, as f increases; and f(2^26) <
//! 2^(2^28) is a number of MPFR for every one of them.

use rug::Float;

use super::{Bound, Range};
use crate::builtin::Builtin;
use crate::error::FunctionError;
use crate::interval::Interval;

/// An argument beyond which an exponential need not be computed: its magnitude is 2^26.
const SATURATION: u32 = 1 << 26;

/// How a function runs that is strictly monotonic on its whole domain, and that domain an interval.
struct Shape {
    is_increasing: bool,
    /// The lower end of the domain.
    from: End,
    /// The upper end of the domain.
    to: End,
}

/// An end of a domain, and how the function behaves there.
#[derive(Clone, Copy)]
enum End {
    /// ±∞, and the function is unbounded.
    Unbounded,
    /// ±∞, and the function tends to this number without reaching it.
    Limit(f64),
    /// ±∞, and the function tends to ±π/2, with the sign of the argument, without reaching it.
    QuarterTurn,
    /// This number, where the function is infinite.
    Pole(i32),
    /// A number where the function has a value.
    Value,
}

/// A side of a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Below,
    Above,
}

impl Builtin {
    /// What is proved of f(y), for all y that satisfy the bounds of `g`; new numbers have
    /// `precision` bits.
    ///
    /// # Errors
    /// As for [`Builtin::interval`]; for the trigonometric functions
    /// [`Overflow`](FunctionError::Overflow) if `g` is unbounded.
    pub fn range(self, g: &Range, precision: u32) -> Result<Range, FunctionError> {
        if let Some(shape) = self.shape() {
            return self.monotonic(&shape, g, precision);
        }
        match self {
            Self::Cosh => {
                let from_zero = Shape { is_increasing: true, from: End::Value, to: End::Unbounded };
                self.monotonic(&from_zero, &g.clone().abs(precision), precision)
            }
            Self::Tan | Self::TanPi => {
                let x = g.closure().ok_or_else(|| crate::interval::overflow(self.name(), g.to_string()))?;
                self.interval(&x)?; // no pole in it: it increases over x
                let between_poles = Shape { is_increasing: true, from: End::Value, to: End::Value };
                self.monotonic(&between_poles, g, precision)
            }
            _ => self.wave(g, precision),
        }
    }

    /// Whether the function is strictly increasing on its domain, or decreasing; `None` for those
    /// that are not monotonic.
    pub(crate) fn is_increasing(self) -> Option<bool> {
        self.shape().map(|shape| shape.is_increasing)
    }

    /// The row of this function; `None` for those that are not monotonic.
    fn shape(self) -> Option<Shape> {
        use End::{Limit, Pole, QuarterTurn, Unbounded, Value};
        let increasing = |from, to| Some(Shape { is_increasing: true, from, to });
        let decreasing = |from, to| Some(Shape { is_increasing: false, from, to });
        match self {
            Self::Exp | Self::Exp2 | Self::Exp10 => increasing(Limit(0.0), Unbounded),
            Self::Expm1 | Self::Exp2m1 | Self::Exp10m1 => increasing(Limit(-1.0), Unbounded),
            Self::Ln | Self::Log2 | Self::Log10 => increasing(Pole(0), Unbounded),
            Self::Logp1 | Self::Log2p1 | Self::Log10p1 => increasing(Pole(-1), Unbounded),
            Self::Sqrt | Self::Acosh => increasing(Value, Unbounded),
            Self::Cbrt | Self::Sinh | Self::Asinh => increasing(Unbounded, Unbounded),
            Self::Rsqrt => decreasing(Pole(0), Limit(0.0)),
            Self::Asin | Self::AsinPi => increasing(Value, Value),
            Self::Acos | Self::AcosPi => decreasing(Value, Value),
            Self::Atan => increasing(QuarterTurn, QuarterTurn),
            Self::AtanPi => increasing(Limit(-0.5), Limit(0.5)),
            Self::Tanh | Self::Erf => increasing(Limit(-1.0), Limit(1.0)),
            Self::Erfc => decreasing(Limit(2.0), Limit(0.0)),
            Self::Atanh => increasing(Pole(-1), Pole(1)),
            Self::Sin | Self::Cos | Self::Tan | Self::SinPi | Self::CosPi | Self::TanPi | Self::Cosh => None,
        }
    }

    /// The range of a function that is monotonic over `g`.
    fn monotonic(self, shape: &Shape, g: &Range, precision: u32) -> Result<Range, FunctionError> {
        let (for_below, for_above) =
            if shape.is_increasing { (Side::Below, Side::Above) } else { (Side::Above, Side::Below) };
        let end = |of: Side, result: Side| {
            let (bound, end) = if of == Side::Below { (&g.below, shape.from) } else { (&g.above, shape.to) };
            self.end(bound, end, of, result, precision).map_err(|error| match error {
                // a point beside the domain says nothing of the rest
                FunctionError::OutsideDomain { .. } | FunctionError::Pole { .. } => self.undefined(g, error),
                error => error,
            })
        };
        Ok(Range { below: end(for_below, Side::Below)?, above: end(for_above, Side::Above)? })
    }

    /// The bound on the side `result` that the bound on the side `of` of the argument makes; `end`
    /// is that end of the domain.
    fn end(
        self,
        bound: &Bound,
        end: End,
        of: Side,
        result: Side,
        precision: u32,
    ) -> Result<Bound, FunctionError> {
        let a = match (bound, end) {
            (Bound::Unbounded, End::Unbounded) => return Ok(Bound::Unbounded),
            (Bound::Unbounded, End::Limit(limit)) => {
                return Ok(Bound::Open(Float::with_val(precision, limit)));
            }
            (Bound::Unbounded, End::QuarterTurn) => {
                let quarter = Interval::pi(precision)?.mul_2exp(-1)?.mag();
                return Ok(Bound::Open(if of == Side::Below { -quarter } else { quarter }));
            }
            (Bound::Unbounded, End::Pole(_) | End::Value) => {
                let (function, at) = (self.name().into(), String::new()); // the caller says where
                return Err(FunctionError::OutsideDomain { function, at, everywhere: false });
            }
            (Bound::Open(a), End::Pole(pole)) if *a == pole => return Ok(Bound::Unbounded),
            (Bound::Open(a) | Bound::Closed(a), _) => a,
        };
        let at = |a: &Float, is_open: bool| {
            let value = self.interval(&Interval::point(a.clone())?)?;
            let is_open = is_open || !value.is_point(); // rounded: see the module `range`
            let (lo, hi) = value.into_endpoints();
            Ok(Bound::new(if result == Side::Below { lo } else { hi }, is_open))
        };
        match at(a, bound.is_open()) {
            // All that overflows increases, or is cosh of |x|: its sign is that of the argument.
            // See "Saturation" above.
            Err(FunctionError::Overflow { .. }) => {
                let saturated = Float::with_val(precision, SATURATION);
                match result {
                    Side::Below if *a > 0 => at(&saturated, true),
                    Side::Above if *a < 0 => at(&-saturated, true),
                    _ => Ok(Bound::Unbounded),
                }
            }
            result => result,
        }
    }

    /// Why the function has no range over `g`: whether it is defined at no point of it.
    fn undefined(self, g: &Range, error: FunctionError) -> FunctionError {
        // A domain is an interval, and it is bounded or reaches to infinity: a point far out stands
        // for all beyond it.
        let far = Float::with_val(64, SATURATION);
        let lo = g.below.value().cloned();
        let lo =
            lo.unwrap_or_else(|| g.above.value().map_or(-far.clone(), |hi| hi.clone().min(&-far.clone())));
        let hi = g.above.value().cloned().unwrap_or_else(|| far.max(&lo));
        match Interval::new(lo, hi).and_then(|x| self.interval(&x)) {
            Err(FunctionError::OutsideDomain { function, everywhere, .. }) => {
                FunctionError::OutsideDomain { function, at: g.to_string(), everywhere }
            }
            Err(other) => other,
            Ok(_) => error,
        }
    }

    /// The range of a sine or cosine.
    fn wave(self, g: &Range, precision: u32) -> Result<Range, FunctionError> {
        let Some(x) = g.closure() else {
            let one = Float::with_val(precision, 1);
            return Ok(Range { below: Bound::Closed(-one.clone()), above: Bound::Closed(one) });
        };
        let values = self.interval(&x)?;
        let (trough, crest) = match self {
            Self::Sin => (x.holds_quarter_turn(3), x.holds_quarter_turn(1)),
            Self::Cos => (x.holds_quarter_turn(2), x.holds_quarter_turn(0)),
            Self::SinPi => (x.holds_half(3), x.holds_half(1)),
            _ => (x.holds_half(2), x.holds_half(0)),
        };
        // Without a crest between them the greatest value is taken at an end. If the larger of the
        // two values was rounded, or is below the larger of the rounded ones, that one is never
        // taken.
        let ends = [x.lo(), x.hi()].map(|end| self.interval(&Interval::point(end.clone())?));
        let [first, last] = ends;
        let ends = [first?, last?];
        let is_open_below = !trough && ends.iter().all(|y| !y.is_point() || y.lo() > values.lo());
        let is_open_above = !crest && ends.iter().all(|y| !y.is_point() || y.hi() < values.hi());
        let (lo, hi) = values.into_endpoints();
        Ok(Range { below: Bound::new(lo, is_open_below), above: Bound::new(hi, is_open_above) })
    }
}
