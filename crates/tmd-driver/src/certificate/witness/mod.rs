//! [`Witness`]: what lets somebody else confirm a search's list without searching.
//!
//! A witness has the polynomials, and for each domain of arguments a basis of its slope's lattice.
//! From a basis it is a matter of some integers to see which arguments of the domain are near a
//! breakpoint at all, so a checker needs no walk, no tables, no error budget and no tests of
//! existence: [`candidates`] is this checker, and `proofs/Witness.v` proves it complete for
//! whatever bases a witness has (Theorem G.2, by Theorem G.1 for a domain). It is transcribed from
//! there, as is `tools/check_witness.py`; both are compared with what Rocq extracts.
//!
//! What [`candidates`] does not say is that the polynomials are the function's: the tool does, by
//! Arb.

mod make;

use rug::{Integer, ops::DivRounding};
use serde::{Deserialize, Serialize};
use tmd_core::piece::PIECE_LIMBS;

/// The version of the document.
pub const SCHEMA: &str = "tmd-witness-1";

/// Bits after the binary point of a polynomial's coefficients.
pub const BITS: u32 = 64 * PIECE_LIMBS as u32;

/// More lines of a box, or places on one, are not looked at.
const LIMIT: u32 = 4096;

/// Most domains of a witness: 2^22, some tens of megabytes.
pub const MOST_DOMAINS: u64 = 1 << 22;

/// Most parts of a witness.
const MOST_PARTS: usize = 1 << 16;

/// The list of a search, and what is needed to confirm it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// [`SCHEMA`]
    pub schema: String,
    /// the function, as parsed
    pub function: String,
    /// precision, least and largest exponent of the arguments' format
    pub arguments: [i32; 3],
    /// the same of the results'
    pub results: [i32; 3],
    /// `directed`, `nearest` or `all`
    pub rounding: String,
    /// m: cases are closer than 2^-m ulp
    pub extra_bits: u32,
    /// the interval, `[from, to)`: fractions
    pub from: String,
    /// its end
    pub to: String,
    /// all arguments of the interval, in increasing order
    pub parts: Vec<Part>,
    /// the search's cases: arguments as integers in units of their part's spacing, and the spacing
    pub cases: Vec<(String, i32)>,
    /// arguments whose results are breakpoints
    pub exact_cases: Vec<(String, i32)>,
    /// how many those are; more than are listed if there are very many
    pub exact_count: u64,
    /// arguments of which nothing is known
    pub undecided: Vec<(String, i32)>,
}

/// Consecutive arguments `(first + k)·2^spacing`, `0 ≤ k < arguments`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// in units of the spacing
    pub first: String,
    /// log2
    pub spacing: i32,
    /// how many
    pub arguments: u64,
    /// what is known of them
    pub by: By,
}

/// How a part's cases can be found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase", deny_unknown_fields)]
pub enum By {
    /// One by one.
    Single,
    /// All roundings are known by an inequality: results are strictly between two neighboring
    /// breakpoints, or strictly between a line and the next one.
    Known {
        /// in words
        because: String,
    },
    /// A polynomial whose values near integers are the arguments near breakpoints.
    Polynomial(Polynomial),
}

/// A polynomial over a part, and a basis for each domain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Polynomial {
    /// number of the argument about which it is
    pub center: u64,
    /// coefficients in units of 2^-512, the constant first: hexadecimal, with a sign
    pub coefficients: Vec<String>,
    /// values farther than this from all integers are no cases: units of 2^-512, hexadecimal
    pub half_width: String,
    /// half of a domain's arguments
    pub half_domain: u64,
    /// u, v, and how many domains next to each other the basis is for
    pub bases: Vec<(i64, i64, u64)>,
    /// numbers of the arguments within the half-width of an integer
    pub candidates: Vec<u64>,
}

/// Why a witness cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// Too large.
    #[error(
        "a witness of this interval would have more than {MOST_DOMAINS} domains or {MOST_PARTS} parts; choose a \
         shorter interval"
    )]
    TooLarge,
    /// The list is not whole.
    #[error("a list that is partial has no witness")]
    Partial,
    /// The search itself failed.
    #[error(transparent)]
    Search(#[from] crate::DriverError),
}

/// Definition G.3, `piece`: the numbers of all arguments at which the polynomial, about number
/// `center`, is within `width` of a multiple of 2^[`BITS`]. `None` if the bases do not reach, are
/// none, or are too bad to be of use.
pub fn candidates(
    width: &Integer,
    half_domain: u64,
    coefficients: &[Integer],
    center: u64,
    arguments: u64,
    bases: &[(i64, i64, u64)],
) -> Option<Vec<u64>> {
    if *width < 0 || half_domain == 0 || half_domain > 1 << 40 {
        return None;
    }
    let half = Integer::from(half_domain);
    let mut local = shift(coefficients, &(half.clone() - center));
    let (size, mut first, mut found) = (2 * half.clone(), Integer::new(), Vec::new());
    for &(u, v, count) in bases {
        for _ in 0..count {
            if first >= arguments {
                break;
            }
            for x in domain(width, &half, &local, u, v)? {
                let k = Integer::from(&first + &half) + x;
                // the end of a domain is the beginning of the next one
                if let Some(k) = k.to_u64().filter(|&k| k < arguments) {
                    found.push(k);
                }
            }
            local = shift(&local, &size);
            first += &size;
        }
    }
    found.sort_unstable();
    found.dedup();
    (first >= arguments).then_some(found)
}

/// Definition G.1: the polynomial about another center.
pub(crate) fn shift(coefficients: &[Integer], by: &Integer) -> Vec<Integer> {
    let mut c = coefficients.to_vec();
    for start in 0..c.len() {
        for k in (start..c.len().saturating_sub(1)).rev() {
            let carried = Integer::from(&c[k + 1] * by);
            c[k] += carried;
        }
    }
    c
}

fn value(coefficients: &[Integer], x: &Integer) -> Integer {
    coefficients.iter().rev().fold(Integer::new(), |sum, c| sum * x + c)
}

/// A basis of a slope's lattice, as in `proofs/Lattice.v`.
#[derive(Clone, Debug)]
pub(crate) struct Basis {
    u: Integer,
    v: Integer,
    p: Integer,
    q: Integer,
    is_unimodular: bool,
}

impl Basis {
    /// `basis_of` of the chapter, for the slope A.
    pub(crate) fn of(slope: &Integer, u: i64, v: i64) -> Self {
        let (u, v, one) = (Integer::from(u), Integer::from(v), Integer::from(1) << BITS);
        if u <= 0 {
            return Self { p: Integer::new(), q: Integer::new(), u, v, is_unimodular: false };
        }
        let double: Integer = 2 * Integer::from(slope * &u) + &one;
        let m1 = double.div_floor(Integer::from(2 * &one));
        let above: Integer = Integer::from(&m1 * &v) + 1;
        let m2 = above.div_floor(&u);
        let is_unimodular = Integer::from(&m2 * &u) - Integer::from(&m1 * &v) == 1;
        let p = Integer::from(slope * &u) - (m1 << BITS);
        let q = (m2 << BITS) - Integer::from(slope * &v);
        Self { u, v, p, q, is_unimodular }
    }

    /// `spread` of `proofs/Lattice.v`.
    fn spread(&self, half: &Integer, h: &Integer) -> Integer {
        Integer::from(self.p.abs_ref()) * half + Integer::from(&self.u * h)
    }

    /// Whether two lines hold all points of the box.
    pub(crate) fn is_useful(&self, half: &Integer, h: &Integer) -> bool {
        self.is_unimodular && self.spread(half, h) < Integer::from(1) << BITS
    }
}

/// Height of the line and half the box's: `beta` and `h` of the chapter.
pub(crate) fn lattice_box(width: &Integer, half: &Integer, c: &[Integer]) -> (Integer, Integer) {
    let zero = Integer::new();
    let [c0, c2] = [0, 2].map(|k| c.get(k).unwrap_or(&zero));
    let square = Integer::from(half * half);
    let half_curvature = Integer::from(c2 * &square).div_floor(2);
    let curvature = (Integer::from(c2.abs_ref()) * &square).div_floor(2) + 1;
    let rest = c.iter().skip(3).rev().fold(Integer::new(), |sum, c| sum * half + Integer::from(c.abs_ref()));
    (-(Integer::from(c0 + &half_curvature)), width.clone() + curvature + rest * square * half)
}

/// Definition G.2, `domain`.
pub(crate) fn domain(width: &Integer, half: &Integer, c: &[Integer], u: i64, v: i64) -> Option<Vec<Integer>> {
    let one = Integer::from(1) << BITS;
    let (beta, h) = lattice_box(width, half, c);
    let zero = Integer::new();
    let basis = Basis::of(c.get(1).unwrap_or(&zero), u, v);
    if !basis.is_unimodular {
        return None;
    }
    let spread = basis.spread(half, &h);
    let middle = Integer::from(&basis.u * &beta);
    let (mut t, last) =
        (Integer::from(&middle - &spread).div_ceil(&one), Integer::from(&middle + &spread).div_floor(&one));
    if Integer::from(&last - &t) >= LIMIT {
        return None;
    }
    let mut found = Vec::new();
    while t <= last {
        for x in places(half, &beta, &h, &basis, &t)? {
            let rest = value(c, &x).modulo(&one);
            if Integer::from(x.abs_ref()) <= *half
                && (rest <= *width || Integer::from(&one - &rest) <= *width)
            {
                found.push(x);
            }
        }
        t += 1;
    }
    Some(found)
}

/// `places` of the chapter: the points of a line in the box.
fn places(half: &Integer, beta: &Integer, h: &Integer, b: &Basis, t: &Integer) -> Option<Vec<Integer>> {
    let along = Integer::from(t * &b.v);
    let mut first = Integer::from(&along - half).div_ceil(&b.u);
    let mut last = Integer::from(&along + half).div_floor(&b.u);
    let off = beta.clone() - Integer::from(t * &b.q);
    if b.p == 0 {
        if off.abs() > *h {
            return Some(vec![]);
        }
    } else {
        let (size, off) = (Integer::from(b.p.abs_ref()), off * b.p.cmp0() as i32);
        first = first.max(Integer::from(&off - h).div_ceil(&size));
        last = last.min((off + h).div_floor(&size));
    }
    if Integer::from(&last - &first) >= LIMIT {
        return None;
    }
    let mut found = Vec::new();
    while first <= last {
        found.push(Integer::from(&first * &b.u) - &along);
        first += 1;
    }
    Some(found)
}
