//! Making a witness: one basis serves as many domains as it can.

use rug::{Float, Integer, Rational, float::Round};
use tmd_core::{
    ArgumentRange, Format, Interrupt, Number, Piece,
    contfrac::{FareyWalk, Rotation},
    difftable::{Upper, bounds},
};
use tmd_functions::taylor::taylor_piece;

use super::{
    BITS, Basis, By, MOST_DOMAINS, MOST_PARTS, Part, Polynomial, SCHEMA, Witness, WitnessError, domain, shift,
};
use crate::{DriverError, Outcome, Search, regions::Class, search::POINTWISE, witness::lattice_box};

/// Domains of a witness have at most so many arguments.
const LARGEST_DOMAIN: f64 = (1u64 << 24) as f64;

impl Search<'_> {
    /// Whether a witness of the interval may be small enough, as far as that is known without a
    /// search.
    ///
    /// # Errors
    /// [`WitnessError::TooLarge`]; those of the interval.
    pub fn may_have_witness(&self) -> Result<(), WitnessError> {
        let (_, ranges) = self.ranges()?;
        let (_, rest) = self.known_and_rest(&ranges);
        let searched: f64 = rest.iter().map(|range| range.count() as f64).sum();
        // but for parts of a few arguments, domains hold all
        let most = MOST_DOMAINS as f64 * LARGEST_DOMAIN + MOST_PARTS as f64 * POINTWISE as f64;
        if searched > most { Err(WitnessError::TooLarge) } else { Ok(()) }
    }

    /// The witness of what a search found: `outcome` is that of [`run`](Self::run).
    ///
    /// # Errors
    /// [`WitnessError::TooLarge`] and [`WitnessError::Partial`]; what keeps the interval from being
    /// cut; an interrupt.
    pub fn witness(&self, outcome: &Outcome, interrupt: &Interrupt) -> Result<Witness, WitnessError> {
        if outcome.is_partial() {
            return Err(WitnessError::Partial);
        }
        let (_, ranges) = self.ranges()?;
        let (known, rest) = self.known_and_rest(&ranges);
        let mut parts: Vec<(ArgumentRange, By)> = Vec::new();
        for region in known {
            let because = match region.class {
                Class::Between(_) => "results are between two neighboring breakpoints",
                _ => "results are between a line and the next breakpoint",
            };
            let by = By::Known { because: because.into() };
            parts.extend(region.ranges.into_iter().map(|range| (range, by.clone())));
        }
        let (mut left, mut domains) = (rest, MOST_DOMAINS);
        while let Some(range) = left.pop() {
            interrupt.check().map_err(DriverError::from)?;
            if parts.len() + left.len() > MOST_PARTS {
                return Err(WitnessError::TooLarge);
            }
            if range.count() <= POINTWISE {
                parts.push((range, By::Single));
                continue;
            }
            let made = (range.count() <= Piece::MAX_ARGUMENTS)
                .then(|| taylor_piece(self.function, &range, &self.problem).ok())
                .flatten();
            match made {
                Some(piece) => match polynomial(&piece, &mut domains, interrupt)? {
                    Some(polynomial) => parts.push((range, By::Polynomial(polynomial))),
                    None => left.extend(<[_; 2]>::from(range.halves())),
                },
                None => left.extend(<[_; 2]>::from(range.halves())),
            }
        }
        parts.sort_by_key(|(range, _)| range.argument(0));
        let (from, to): (&Rational, &Rational) = (&self.from, &self.to);
        Ok(Witness {
            schema: SCHEMA.into(),
            function: self.function.name(),
            arguments: of_format(self.problem.arguments()),
            results: of_format(self.problem.results()),
            rounding: self.problem.breakpoints().to_string(),
            extra_bits: self.problem.extra_bits(),
            from: from.to_string(),
            to: to.to_string(),
            parts: parts
                .into_iter()
                .map(|(range, by)| Part {
                    first: range.first().to_string(),
                    spacing: range.exponent(),
                    arguments: range.count(),
                    by,
                })
                .collect(),
            cases: outcome.cases.iter().map(|case| unit(case.argument)).collect(),
            exact_cases: outcome.exact_cases.iter().map(|case| unit(case.argument)).collect(),
            exact_count: outcome.exact_count,
            undecided: outcome.undecided.iter().map(|&(x, _)| unit(x)).collect(),
        })
    }
}

fn of_format(format: Format) -> [i32; 3] {
    [format.precision() as i32, format.min_exponent(), format.max_exponent()]
}

fn unit(x: Number) -> (String, i32) {
    (x.significand().to_string(), x.exponent())
}

/// The polynomial of a piece with its bases; `None` if no basis serves some domain: shorter parts
/// may do. `left` counts the domains that a witness may have.
fn polynomial(
    piece: &Piece,
    left: &mut u64,
    interrupt: &Interrupt,
) -> Result<Option<Polynomial>, WitnessError> {
    let half = half_domain(piece);
    let count = piece.arguments().div_ceil(2 * half);
    *left = left.checked_sub(count).ok_or(WitnessError::TooLarge)?;
    let coefficients: Vec<Integer> = piece
        .polynomial()
        .coefficients()
        .iter()
        .map(|c| {
            let c = Integer::from_digits(c.limbs(), rug::integer::Order::Lsf);
            // the residue next to 0
            if c.get_bit(BITS - 1) { c - (Integer::from(1) << BITS) } else { c }
        })
        .collect();
    // enclosures of others may be a little wider than ours; the two lines are some hundredths of ε
    let neglected = (piece.taylor() + piece.coefficients()) * Upper::new(4.0);
    // a power of two times a finite float: exact, but for the rounding to an integer
    let width = Float::with_val(53, (piece.tolerance() + neglected).get()) << BITS;
    let Some((width, _)) = width.to_integer_round(Round::Up) else { return Ok(None) };
    let (half_size, size) = (Integer::from(half), Integer::from(2 * half));
    let mut local = shift(&coefficients, &(half_size.clone() - piece.center()));
    let (mut bases, mut candidates): (Vec<(i64, i64, u64)>, Vec<u64>) = (Vec::new(), Vec::new());
    for i in 0..count {
        if i % 1024 == 0 {
            interrupt.check().map_err(DriverError::from)?;
        }
        let zero = Integer::new();
        let slope = local.get(1).unwrap_or(&zero);
        let (_, h) = lattice_box(&width, &half_size, &local);
        let serves = |&(u, v, _): &(i64, i64, u64)| Basis::of(slope, u, v).is_useful(&half_size, &h);
        if !bases.last().is_some_and(serves) {
            let Some((u, v)) = pair(slope, half) else { return Ok(None) };
            bases.push((u, v, 0));
        }
        let Some((u, v, times)) = bases.last_mut() else { return Ok(None) };
        *times += 1;
        let Some(found) = domain(&width, &half_size, &local, *u, *v) else { return Ok(None) };
        let first = i * 2 * half;
        for x in found {
            if let Some(k) = (x + first + half).to_u64().filter(|&k| k < piece.arguments()) {
                candidates.push(k);
            }
        }
        local = shift(&local, &size);
    }
    candidates.sort_unstable();
    candidates.dedup();
    let hexadecimal = |x: &Integer| x.to_string_radix(16);
    Ok(Some(Polynomial {
        center: piece.center(),
        coefficients: coefficients.iter().map(hexadecimal).collect(),
        half_width: hexadecimal(&width),
        half_domain: half,
        bases,
        candidates,
    }))
}

/// Half of a domain that a box with about one point suits: N with `B_m·N^(m + 1) ≤ 1`, `m ≥ 2`.
/// Any size is sound.
fn half_domain(piece: &Piece) -> u64 {
    let reach = Upper::of_integer(piece.center().max(piece.arguments() - piece.center()));
    let sizes = bounds::derivatives(piece.magnitudes(), reach)
        .into_iter()
        .enumerate()
        .skip(2)
        .map(|(m, most)| most.get().powf(-1.0 / (m + 1) as f64));
    let size = sizes.fold(LARGEST_DOMAIN, f64::min).min(piece.arguments() as f64);
    // between 1 and 2^23: the cast is exact up to the fraction
    ((size / 2.0) as u64).max(1)
}

/// The Farey pair of this slope, the vector with the smaller length first.
fn pair(slope: &Integer, half: u64) -> Option<(i64, i64)> {
    let top = (slope.clone() >> (BITS - 64)).keep_bits(64);
    let top = if top < 0 { top + (Integer::from(1) << 64) } else { top };
    let walk = FareyWalk::new(Rotation::from_q64(top.to_u64_wrapping()), half + half / 8 + 1).ok()?;
    // counts are at most the order
    let (u, v) = (walk.u() as i64, walk.v() as i64);
    Some(if walk.p() <= walk.q() { (u, v) } else { (v, -u) })
}
