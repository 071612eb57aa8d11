//! Families small enough for brute force, as specifications that print and shrink.

use proptest::prelude::*;
use tmd_core::{
    difftable::Upper,
    lattice3::{COEFFICIENT_BITS, Model, Span, Wide},
};

use super::{PlantedSegment, Recipe};

/// A family with a point next to an integer. Every number may be anything: what no family has is
/// replaced by the next that one has.
#[derive(Clone, Debug)]
pub struct Small {
    /// Bits after the point of angles: 80 to 240.
    pub angle_bits: u32,
    /// The rotation, as a fraction of 2^384; or the bits of significands, 4 to 24, all of whose
    /// angles have points.
    pub alpha: Result<[u64; 6], u32>,
    /// First index, and how many a span has: up to 2^13.
    pub indices: (i64, u32),
    /// Spans, 1 to 9, every other one mirrored: the first one is, or the second.
    pub spans: (u32, bool),
    /// Windows: up to 4096, and to less than a whole turn.
    pub windows: u32,
    /// Eighths of a point of a span that are in a window's angles, in the mean: 1 to 256.
    pub points: u32,
    /// log2 of the parabola's height over half a window, halved: −12 to −2.
    pub kappa: i32,
    /// Whether it is curved downward.
    pub is_concave: bool,
    /// The slope at the middle, in units of 2^-20.
    pub slope: i64,
    /// The shares of the curvature by which it, and what that grows by, grow over the segment: in
    /// units of 2^-16.
    pub growth: [i32; 2],
    /// What values grow by with the index, mod 1, as a fraction of 2^64.
    pub gain: u64,
    /// log2 of what is near an integer, in units of κ: −20 to −1.
    pub accuracy: i32,
    /// Where the planted point is.
    pub plant: Plant,
}

/// Where a point is planted.
#[derive(Clone, Copy, Debug)]
pub struct Plant {
    /// Number of its span, modulo that of all.
    pub span: u32,
    /// Its index in that, as a fraction of 2^64.
    pub index: u64,
    /// Its window, as a fraction of 2^32.
    pub window: u32,
    /// Where it is in that: 0 is the middle, ±64 are the borders.
    pub tau: i32,
    /// The value, in units of a 64th of what is near an integer.
    pub deviation: i32,
}

impl Small {
    /// One like most: 2^10 indices, 200 windows, and a few cases.
    pub const ORDINARY: Self = Self {
        angle_bits: 96,
        alpha: Ok([1, 2, 3, 4, 5, 0x9e37_79b9_7f4a_7c15]),
        indices: (1000, 1 << 10),
        spans: (2, false),
        windows: 200,
        points: 24,
        kappa: -3,
        is_concave: false,
        slope: 12_345_678_901,
        growth: [1, 0],
        gain: 0,
        accuracy: -6,
        plant: Plant { span: 1, index: 1 << 62, window: 1 << 31, tau: 13, deviation: 0 },
    };

    /// The segment.
    pub fn question(&self) -> PlantedSegment {
        let angle_bits = self.angle_bits.clamp(80, 240);
        let (count, spans) = (self.indices.1.clamp(1, 1 << 13), self.spans.0.clamp(1, 9));
        let (alpha, significand) = match self.alpha {
            Ok(alpha) => {
                let mut limbs = [0u64; 10];
                limbs[..6].copy_from_slice(&alpha);
                (Wide::from_limbs(limbs) >> (384 - angle_bits), 0)
            }
            Err(bits) => (Wide::ZERO, bits.clamp(4, 24)),
        };
        let model = Model { angle_bits, alpha, log2_period: angle_bits - significand };
        let first = i128::from(self.indices.0);
        let spans: Vec<Span> = (0..i128::from(spans))
            .map(|n| Span {
                first: first + n * i128::from(count),
                last: first + (n + 1) * i128::from(count) - 1,
                is_mirrored: (n % 2 == 1) != self.spans.1,
            })
            .collect();
        // points of a window: count·2·half/period
        let points = f64::from(self.points.clamp(1, 256)) / 8.0;
        let width = points * 2f64.powi(-(significand as i32)) / (2.0 * f64::from(count));
        let width = width.min(0.25);
        let windows = self.windows.clamp(1, 4096).min((0.49 / width) as u32).max(1);
        let half = Wide::ceil_scaled(width, angle_bits).expect("a width is small");
        // κ = F2·half²/4
        let kappa = 2f64.powi(self.kappa.clamp(-12, -2));
        let curvature = 4.0 * kappa / (width * width) * if self.is_concave { -1.0 } else { 1.0 };
        let length = 2.0 * width * f64::from(windows);
        let [second, third] = self.growth.map(|share| curvature * f64::from(share) / 65536.0 / length);
        let derivatives = [curvature / 2.0, second / 6.0, third / length / 24.0];
        let slope = Wide::from(i128::from(self.slope)) << (COEFFICIENT_BITS - 20);
        let accuracy = Upper::new(kappa * 2f64.powi(self.accuracy.clamp(-20, -1)));
        let Plant { span, index, window, tau, deviation } = self.plant;
        let slot = span as usize % spans.len();
        let number = (u64::from(window) * u64::from(windows)) >> 32;
        let within = Wide::from(i128::from(tau.clamp(-64, 64)));
        let share = f64::from(deviation.clamp(-64, 64)) / 64.0 * (1.0 - 2f64.powi(-30));
        Recipe {
            model,
            slot,
            planted: spans[slot].first + ((u128::from(index) * u128::from(count)) >> 64) as i128,
            spans,
            period: (1i128 << significand) * 3 / 4,
            half,
            windows,
            offset: half * Wide::from(i128::from(2 * number + 1)) + ((half * within) >> 6),
            coefficients: [slope].into_iter().chain(derivatives.map(fixed)).collect(),
            gain: Wide::from(i128::from(self.gain)) << (model.value_bits() - 64),
            accuracy,
            third: Upper::new((second.abs() + third.abs() / 2.0) / 6.0 * (1.0 + 2f64.powi(-20))),
            deviation: fixed(accuracy.get() * share),
        }
        .question()
    }
}

/// A number in units of `2^-COEFFICIENT_BITS`.
fn fixed(x: f64) -> Wide {
    let magnitude = Wide::ceil_scaled(x.abs(), COEFFICIENT_BITS).expect("it is small");
    if x < 0.0 { -magnitude } else { magnitude }
}

/// Families of all kinds: rotations and significands, straight and curved, with an extremum or an
/// inflection inside, with points at the ends of spans, windows, segments and of what is near.
pub(super) fn smalls() -> impl Strategy<Value = Small> {
    // a rotation may be next to a fraction
    let fraction = (1u64..20, 1u64..20).prop_map(|(a, b)| {
        let high = ((u128::from(a % b) << 64) / u128::from(b)) as u64;
        [a, b, 0, 0, a << 40, high]
    });
    let alpha = prop_oneof![
        6 => any::<[u64; 6]>().prop_map(Ok),
        1 => fraction.prop_map(Ok),
        2 => (4u32..16).prop_map(Err),
    ];
    let first = prop_oneof![-5000i64..5000, (1i64 << 52)..(1 << 53)];
    let count = prop_oneof![1u32..40, 40u32..1500, 1500u32..4000];
    let windows = prop_oneof![1u32..60, 128u32..800, 128u32..800];
    let slope = prop_oneof![Just(0), -1000i64..1000, -(1i64 << 50)..1 << 50];
    // lanes walk if the curvature hardly grows
    let growth = prop_oneof![
        4 => (-3i32..3, -3i32..3),
        1 => (-60_000i32..60_000, Just(0)),
        1 => (-300_000i32..300_000, -300_000i32..300_000),
    ];
    let gain = prop_oneof![Just(0), any::<u64>()];
    // lanes walk where few points are near
    let accuracy = prop_oneof![4 => -20i32..-13, 1 => -13i32..-1];
    let end = prop_oneof![Just(0), Just(u64::MAX), any::<u64>()];
    let place = prop_oneof![Just(0), Just(u32::MAX), any::<u32>()];
    let edge = || prop_oneof![Just(-64), Just(64), Just(0), -64i32..=64];
    let plant = (0u32..8, end, place, edge(), edge());
    (
        (80u32..=240, alpha, first, count, 1u32..=9, any::<bool>()),
        (windows, 1u32..64, -12i32..=-2, any::<bool>(), slope, growth),
        (gain, accuracy, plant),
    )
        .prop_map(|((angle_bits, alpha, first, count, spans, is_mirrored), shape, rest)| {
            let (windows, points, kappa, is_concave, slope, growth) = shape;
            let (gain, accuracy, (span, index, window, tau, deviation)) = rest;
            Small {
                angle_bits,
                alpha,
                indices: (first, count),
                spans: (spans, is_mirrored),
                windows,
                points,
                kappa,
                is_concave,
                slope,
                growth: [growth.0, growth.1],
                gain,
                accuracy,
                plant: Plant { span, index, window, tau, deviation },
            }
        })
}
