//! [`Walker`]: a basis and its targets, moved from window to window.

use tmd_difftable::{Upper, power_of_two};

use super::{
    Basis, COEFFICIENT_BITS, Counters, Dual, Model, SLOPE_BITS, Segment, Span, Unwieldy, Vector, Wide,
};

/// An index whose value is near an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Number of its span.
    pub span: usize,
    /// The index.
    pub index: i128,
    /// The angle of its point, or of the mirrored point: it lies in the window.
    pub angle: Wide,
}

/// A point of the family, by its index and angle.
#[derive(Clone, Copy, Debug)]
struct Target {
    span: Span,
    /// of a point near the window
    index: Wide,
    angle: Wide,
}

/// The exact state of a walk.
#[derive(Clone, Debug)]
pub struct Walker {
    model: Model,
    basis: Basis,
    /// F1 of the basis: `v = slope·y + gain·x − l` for an integer l, in its units
    slope: Wide,
    gain: Wide,
    targets: Vec<Target>,
    counters: Counters,
}

/// A window: its parabola about the middle.
struct Window {
    middle: Wide,
    /// value at the middle plus κ, in units of `2^-value_bits`
    height: Wide,
    /// in units of `2^-SLOPE_BITS`
    slope: Wide,
    /// half-width of the box in v, as a number
    half_width: Upper,
}

impl Walker {
    /// A walk over these spans, that has not begun.
    pub fn new(model: Model, spans: &[Span]) -> Self {
        debug_assert!(model.value_bits() >= COEFFICIENT_BITS, "angles have too few bits: {model:?}");
        let targets = spans.iter().map(|&span| {
            let index = Wide::from(span.middle());
            // any whole number of periods may be added
            let angle = match model.log2_period {
                0 => Wide::ZERO,
                k => (index * model.alpha).centered(k),
            };
            Target { span, index, angle }
        });
        let mut walker = Self {
            model,
            basis: Basis {
                vectors: trivial(&model),
                log2_determinant: model.log2_period + model.value_bits(),
            },
            slope: Wide::ZERO,
            gain: Wide::ZERO,
            targets: targets.collect(),
            counters: Counters::default(),
        };
        walker.restart();
        walker
    }

    /// Forgets the basis, not the counts.
    fn restart(&mut self) {
        self.basis.vectors = trivial(&self.model);
        (self.slope, self.gain) = (Wide::ZERO, Wide::ZERO);
    }

    /// What was done so far.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The basis as it stands, for engines that start from it.
    pub const fn basis(&self) -> &Basis {
        &self.basis
    }

    /// Calls `found` for every candidate of the segment, in no particular order; at the border of
    /// two windows one may come twice.
    ///
    /// # Errors
    /// [`Unwieldy`]: then the segment is not searched, whatever was found. The walk can go on
    /// elsewhere.
    pub fn search(&mut self, segment: &Segment, mut found: impl FnMut(Candidate)) -> Result<(), Unwieldy> {
        for number in 0..segment.windows {
            self.window(segment, number, &mut found)?;
        }
        Ok(())
    }

    /// One window of a segment, by its number.
    ///
    /// # Errors
    /// As [`search`](Self::search); the basis is forgotten, not the counts.
    pub fn window(
        &mut self,
        segment: &Segment,
        number: u32,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<(), Unwieldy> {
        self.box_of(segment, number, found).inspect_err(|_| self.restart())
    }

    /// The lattice points of a window's box; after an error the basis is anything.
    fn box_of(
        &mut self,
        segment: &Segment,
        number: u32,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<(), Unwieldy> {
        let window = self.shape(segment, number)?;
        self.counters.windows += 1;
        let half_width = window.half_width.get();
        self.approach(&window, segment, half_width);

        let height = Wide::ceil_scaled(half_width, self.model.value_bits()).ok_or(Unwieldy)?;
        let dual = self.basis.dual()?;
        for number in 0..self.targets.len() {
            let point = self.recenter(number, &dual, &window, segment)?;
            let span = self.targets[number].span;
            let (first, last) = span.ends();
            let reach = Vector { x: Wide::from(span.reach()), y: segment.half, v: height };
            let (mut points, center) = (Vec::new(), Wide::from(span.middle()));
            self.basis.points(&dual, &point, &reach, &mut self.counters, |z| points.push(z))?;
            for z in points {
                let (index, angle) = (z.x + center, z.y + window.middle);
                let Some(at) = index.to_i128().filter(|i| (first..=last).contains(i)) else {
                    continue;
                };
                if self.is_near(segment, index, angle)? {
                    self.counters.candidates += 1;
                    found(Candidate { span: number, index: if span.is_mirrored { -at } else { at }, angle });
                }
            }
        }
        Ok(())
    }

    /// The greatest distance of an index from the middle of its span.
    fn reach(&self) -> i128 {
        self.targets.iter().map(|target| target.span.reach()).max().unwrap_or(0).max(1)
    }

    /// Brings the basis to a window, and makes it short there.
    fn approach(&mut self, window: &Window, segment: &Segment, half_width: f64) {
        self.shear(window.slope, segment.gain);
        let half = segment.half.to_f64(0);
        let scales = [
            1.0 / self.reach() as f64,
            1.0 / half,
            power_of_two(-(self.model.value_bits() as i32)) / half_width,
        ];
        self.basis.reduce(scales, &mut self.counters);
    }

    /// The polynomial at an angle t from the segment's middle: its value and, as coefficients, its
    /// derivatives up to the second.
    fn taylor(&self, segment: &Segment, t: Wide) -> Result<[Wide; 3], Unwieldy> {
        let mut sums = [Wide::ZERO; 3];
        if t.bits() >= self.model.angle_bits {
            return Err(Unwieldy);
        }
        for &c in segment.coefficients.iter().rev() {
            // p ← p·t + c, and the same derived. As |t| ≤ 1/2 and products are rounded down by less
            // than a unit, p stays within 2 units of the polynomial, p' within 6 and p''/2 within
            // 14 (e ← e/2 + 1 + the error of what is added)
            if sums.iter().any(|sum| sum.bits() + t.bits() + 2 >= Wide::BITS) {
                return Err(Unwieldy);
            }
            sums[2] = ((sums[2] * t) >> self.model.angle_bits) + sums[1];
            sums[1] = ((sums[1] * t) >> self.model.angle_bits) + sums[0];
            sums[0] = ((sums[0] * t) >> self.model.angle_bits) + c;
        }
        Ok(sums)
    }

    /// The parabola of a window, and the box around it (lemma L.2; Theorem S.9 of
    /// proofs/Families.v; that a case in it is a candidate, Theorem S.11).
    fn shape(&self, segment: &Segment, number: u32) -> Result<Window, Unwieldy> {
        let Model { angle_bits, .. } = self.model;
        if segment.half.bits() >= angle_bits || segment.half <= Wide::ZERO {
            return Err(Unwieldy);
        }
        let steps = 2 * i128::from(number) + 1 - i128::from(segment.windows);
        let t = Wide::from(steps) * segment.half;
        let [value, slope, curvature] = self.taylor(segment, t)?;
        if curvature.bits() + 2 * segment.half.bits() + 4 >= Wide::BITS {
            return Err(Unwieldy);
        }
        // κ = curvature·half²/2
        let kappa = (curvature * segment.half * segment.half) >> (2 * angle_bits + 1);
        let half = Upper::new(segment.half.to_f64(angle_bits)) * Upper::new(1.0 + power_of_two(-50));
        // with half ≤ 1/2, in units: 2 of the value, 6·half of the slope, 14·half² of the
        // curvature, and κ rounded
        let lag = Upper::of_integer(16) * Upper::power_of_two(-(COEFFICIENT_BITS as i32));
        let half_width = Upper::new(kappa.abs().to_f64(COEFFICIENT_BITS))
            * Upper::new(1.0 + power_of_two(-50))
            + segment.third * half.power(3)
            + segment.accuracy
            + Upper::power_of_two(-(SLOPE_BITS as i32)) * half
            + lag;
        Ok(Window {
            middle: segment.center() + t,
            height: (value + kappa) << (self.model.value_bits() - COEFFICIENT_BITS),
            slope: slope >> (COEFFICIENT_BITS - SLOPE_BITS),
            half_width,
        })
    }

    /// `v += Δslope·y + Δgain·x`, exactly: from the lattice of one window to that of another (lemma
    /// L.4).
    fn shear(&mut self, slope: Wide, gain: Wide) {
        let (by, more) = (slope - self.slope, gain - self.gain);
        for b in &mut self.basis.vectors {
            b.v += by * b.y + more * b.x;
        }
        (self.slope, self.gain) = (slope, gain);
    }

    /// The target's point in the coordinates of a window, moved by lattice vectors next to its
    /// middle.
    fn recenter(
        &mut self,
        number: usize,
        dual: &Dual,
        window: &Window,
        segment: &Segment,
    ) -> Result<Vector, Unwieldy> {
        let bits = self.model.value_bits();
        let target = self.targets[number];
        let center = Wide::from(target.span.middle());
        let at = |index: Wide, angle: Wide| {
            let y = angle - window.middle;
            // (0, 0, 1) is in the lattice
            let v = (window.height + window.slope * y + segment.gain * index).centered(bits);
            Vector { x: index - center, y, v }
        };
        let (mut index, mut angle) = (target.index, target.angle);
        if self.model.log2_period != 0 {
            angle = (angle - window.middle).centered(self.model.log2_period) + window.middle;
        }
        for _ in 0..2 {
            let point = at(index, angle);
            let moves = self.basis.nearest(dual, &point)?;
            if moves == [Wide::ZERO; 3] {
                break;
            }
            for (n, b) in moves.into_iter().zip(&self.basis.vectors) {
                index -= n * b.x;
                angle -= n * b.y;
            }
        }
        (self.targets[number].index, self.targets[number].angle) = (index, angle);
        Ok(at(index, angle))
    }

    /// Whether the polynomial's value for a point is within the accuracy of an integer.
    fn is_near(&self, segment: &Segment, index: Wide, angle: Wide) -> Result<bool, Unwieldy> {
        let [value, ..] = self.taylor(segment, angle - segment.center())?;
        let gained = (segment.gain * index) >> (self.model.value_bits() - COEFFICIENT_BITS);
        let off = (value + gained).centered(COEFFICIENT_BITS).abs();
        // 2 units of the value, one of the gain's rounding
        let lag = Wide::from(3);
        let within = Wide::ceil_scaled(segment.accuracy.get(), COEFFICIENT_BITS).ok_or(Unwieldy)? + lag;
        Ok(off <= within)
    }
}

/// The basis with slope and gain 0: of the integers (i, n) and of the integer that is subtracted
/// from the value.
fn trivial(model: &Model) -> [Vector; 3] {
    let zero = Wide::ZERO;
    let alpha = if model.log2_period == 0 { zero } else { model.alpha.centered(model.log2_period) };
    [
        Vector { x: Wide::ONE, y: alpha, v: zero },
        Vector { x: zero, y: Wide::power_of_two(model.log2_period), v: zero },
        Vector { x: zero, y: zero, v: Wide::power_of_two(model.value_bits()) },
    ]
}
