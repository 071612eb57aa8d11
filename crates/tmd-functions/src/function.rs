//! What the search needs to know about a function; implement it for a function of your own.

use rug::Rational;

use crate::circular::Circular;
use crate::error::FunctionError;
use crate::expression::Expression;
use crate::family::Family;
use crate::interval::Interval;
use crate::inverse::Inverse;
use crate::range::Range;
use crate::series::Series;
use crate::symmetry::{Nearly, Parity, Reflection, Translation};

/// What [`Function::asymptote`] proves: f(ξ) = `constant` + `slope`·ξ + r(ξ) for all ξ of an
/// interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Asymptote {
    /// The constant of the line.
    pub constant: Rational,
    /// Its slope.
    pub slope: Rational,
    /// What is proved of all r(ξ).
    pub remainder: Range,
}

/// A real function of one real variable with rigorous enclosures of its values and derivatives.
///
/// ```
/// use tmd_functions::{Function, FunctionError, Interval, Series};
///
/// /// The logistic function 1/(1 + e^−x).
/// struct Logistic;
///
/// impl Function for Logistic {
///     fn name(&self) -> String {
///         "logistic".into()
///     }
///     fn series(&self, at: &Interval, order: usize, precision: u32) -> Result<Series, FunctionError> {
///         let precision = precision.max(at.precision());
///         let x = Series::variable(&at.round_to(precision)?, order)?;
///         let one = Series::constant(Interval::from_f64(1.0, precision)?, order)?;
///         one.add(&x.neg().exp()?)?.recip()
///     }
/// }
///
/// let zero = Interval::zero(64)?;
/// assert!(Logistic.enclose(&zero, 64)?.contains(&0.5));
/// assert!(Logistic.series(&zero, 1, 64)?.coefficient(1).unwrap().contains(&0.25)); // the slope at 0
/// # Ok::<(), FunctionError>(())
/// ```
pub trait Function: Send + Sync {
    /// What reports call it.
    fn name(&self) -> String;

    /// The Taylor coefficients: number k encloses f⁽ᵏ⁾(ξ)/k! **for every** ξ ∈ `at`, for k = 0, …,
    /// `order`.
    ///
    /// Work at `precision` bits, or at those of `at` if it has more: a coefficient at a point then
    /// has a relative width of a few units of 2^−precision, unless terms cancel. The searches rely
    /// on the enclosure, and on nothing about its width.
    fn series(&self, at: &Interval, order: usize, precision: u32) -> Result<Series, FunctionError>;

    /// An enclosure of {f(ξ) : ξ ∈ `at`}.
    fn enclose(&self, at: &Interval, precision: u32) -> Result<Interval, FunctionError> {
        let mut coefficients = self.series(at, 0, precision)?.into_coefficients();
        Ok(coefficients.swap_remove(0)) // a series has at least one coefficient
    }

    /// What is proved of all f(ξ), ξ ∈ `at`: an enclosure whose sides may be unbounded, or never
    /// taken.
    ///
    /// The default is the enclosure, with ends that may be taken.
    fn range(&self, at: &Interval, precision: u32) -> Result<Range, FunctionError> {
        Ok(self.enclose(at, precision)?.into())
    }

    /// A line next to which f runs over all of `at`, if one is known: where the difference is
    /// smaller than every precision shows, an enclosure of f does not say on which side of the line
    /// f is, and this does. `None` says nothing.
    fn asymptote(&self, at: &Interval, precision: u32) -> Option<Asymptote> {
        let _ = (at, precision);
        None
    }

    /// The same for the point `x`: a rational number q, and what is proved of f(x) − q.
    fn split(&self, x: &Interval, precision: u32) -> Option<(Rational, Range)> {
        let _ = (x, precision);
        None
    }

    /// The value f(x) where it is rational by theory and known; `None` means "not rational, or not
    /// known".
    fn exact(&self, x: &Rational) -> Option<Rational> {
        let _ = x;
        None
    }

    /// One sentence that says at which arguments of a binary format f(x) is a rational number (so
    /// perhaps a breakpoint), or what is known of that. [`exact`](Self::exact) and
    /// [`proves_irrational`](Self::proves_irrational) agree with it.
    fn exact_rule(&self) -> Option<String> {
        None
    }

    /// Whether f is proved to be even or odd. A function that is both (0) may say either.
    fn parity(&self) -> Option<Parity> {
        None
    }

    /// An identity that leads from f(x) to f at another argument.
    fn translation(&self) -> Option<Translation> {
        None
    }

    /// A binade next to 0 whose enclosures hold for smaller arguments as well, multiplied by powers
    /// of two: always a [`Translation::Near`]. Only [`Repeating`](crate::Repeating) functions have
    /// one.
    fn near_zero(&self) -> Option<Translation> {
        None
    }

    /// What f is next to at large arguments.
    fn nearly(&self) -> Option<Nearly> {
        None
    }

    /// Large arguments whose enclosures hold for others as well: always a
    /// [`Translation::NearOffset`] or a [`Translation::NearScaling`]. Only
    /// [`Repeating`](crate::Repeating) functions have them.
    fn at_large(&self) -> Option<Translation> {
        None
    }

    /// An identity that leads from f(x) to f(1 − x): by default the one that parity and translation
    /// prove.
    fn reflection(&self) -> Option<Reflection> {
        self.translation()?.reflection(self.parity()?)
    }

    /// The inverse function, and where it is that.
    fn inverse(&self) -> Option<Inverse> {
        None
    }

    /// The family of f, if its arguments or their exponents repeat at an irrational distance.
    fn family(&self) -> Option<Family> {
        None
    }

    /// Another function that has the same values as f all over `at`, and derivatives where f has
    /// none: of a function with pieces, such as |sin x|, the one that it is there. `None` if there
    /// are no pieces, or `at` may hold more than one.
    fn piece(&self, at: &Interval) -> Option<Expression> {
        let _ = at;
        None
    }

    /// Whether f is the sine, cosine or tangent of x itself, of which there are
    /// [tables](crate::circular).
    fn circular(&self) -> Option<Circular> {
        None
    }

    /// Whether f is the square root of x itself, whose cases follow from congruences.
    fn is_square_root(&self) -> bool {
        false
    }

    /// Whether theory says that f(x) is irrational; `false` means "not so, or not known". (An
    /// irrational value is no breakpoint, so Ziv's strategy terminates on it.)
    fn proves_irrational(&self, x: &Rational) -> bool {
        let _ = x;
        false
    }
}
