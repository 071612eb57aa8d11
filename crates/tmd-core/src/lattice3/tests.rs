use super::*;
use proptest::prelude::*;

/// x, y, v as small integers.
type Row = [i64; 3];

fn vector(row: Row) -> Vector {
    let [x, y, v] = row.map(|c| Wide::from(i128::from(c)));
    Vector { x, y, v }
}

fn row(vector: &Vector) -> Row {
    [vector.x, vector.y, vector.v].map(|c| c.to_i128().unwrap() as i64)
}

/// A basis of determinant 2^k: a triangular one, moved by row operations.
fn basis() -> impl Strategy<Value = Basis> {
    let operations = prop::collection::vec((0usize..3, 1usize..3, -3i64..=3), 0..8);
    ((0u32..5, 0u32..5, 0u32..5), prop::array::uniform3(-9i64..=9), operations).prop_map(
        |((a, b, c), off, operations)| {
            let mut vectors = [[1 << a, off[0], off[1]], [0, 1 << b, off[2]], [0, 0, 1 << c]].map(vector);
            for (j, other, n) in operations {
                let k = (j + other) % 3;
                vectors[j] = vectors[j].minus(Wide::from(i128::from(n)), &vectors[k]);
            }
            Basis { vectors, log2_determinant: a + b + c }
        },
    )
}

/// All points of the coset with coordinates within the reach: every integer point, tested for its
/// coordinates being integers.
fn brute(basis: &Basis, target: Row, reach: Row) -> Vec<Row> {
    // the coordinates are ⟨dual_k, point⟩/det, by Cramer's rule
    let b = basis.vectors.each_ref().map(row).map(|r| r.map(i128::from));
    let cross = |p: [i128; 3], q: [i128; 3]| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    let dual = [cross(b[1], b[2]), cross(b[2], b[0]), cross(b[0], b[1])];
    let determinant: i128 = (0..3).map(|k| b[0][k] * dual[0][k]).sum();
    assert_eq!(determinant.abs(), 1 << basis.log2_determinant);
    let mut points = Vec::new();
    for x in -reach[0]..=reach[0] {
        for y in -reach[1]..=reach[1] {
            for v in -reach[2]..=reach[2] {
                let off = [target[0] - x, target[1] - y, target[2] - v].map(i128::from);
                let is_in =
                    dual.iter().all(|d| (0..3).map(|k| d[k] * off[k]).sum::<i128>() % determinant == 0);
                if is_in {
                    points.push([x, y, v]);
                }
            }
        }
    }
    points
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]
    /// Theorem L.3: every point of the box, each once, whatever the basis; and the same after a
    /// reduction.
    #[test]
    fn points_are_brute_force(
        mut basis in basis(), target in prop::array::uniform3(-60i64..=60), reach in prop::array::uniform3(0i64..=7), weight in -3i32..=3,
    ) {
        let expected = brute(&basis, target, reach);
        for pass in 0..2 {
            let (mut found, mut counters) = (Vec::new(), Counters::default());
            let all = basis.points(&basis.dual().unwrap(), &vector(target), &vector(reach), &mut counters, |z| found.push(row(&z)));
            // a long basis has long ranges
            prop_assert!(all.is_ok() || pass == 0);
            if all.is_ok() {
                prop_assert_eq!(counters.points as usize, found.len());
                found.sort_unstable();
                prop_assert_eq!(&found, &expected, "pass {}", pass);
            }
            basis.reduce([1.0, 2f64.powi(weight), 1.0], &mut counters);
        }
    }

    /// The nearest lattice vectors leave coordinates of at most one half.
    #[test]
    fn targets_come_near(basis in basis(), target in prop::array::uniform3(-9999i64..=9999)) {
        let dual = basis.dual().unwrap();
        let moves = basis.nearest(&dual, &vector(target)).unwrap();
        let mut rest = vector(target);
        for (n, b) in moves.iter().zip(&basis.vectors) {
            rest = rest.minus(*n, b);
        }
        prop_assert_eq!(basis.nearest(&dual, &rest).unwrap(), [Wide::ZERO; 3]);
    }
}

fn started(frame: &Frame, course: &Course<6>, number: u32) -> Result<Start, Unwieldy> {
    let spot = course.spot(number);
    frame.start(course, &spot, &frame.view(course, &spot)?)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    /// A frame's dual vectors have integer products with the differences of a span's points, up to
    /// their phases; and phases go on from window to window as their differences say. Both kinds of
    /// models; with a parabola, whose third derivative is 0.
    #[test]
    fn frames_know_the_points(
        alpha in any::<[u64; 2]>(), start in 0i64..1 << 60, f0 in any::<i64>(), f1 in -(1i64 << 40)..1 << 40, f2 in 1i64 << 30..1 << 40,
        first in -100_000i128..100_000, count in 2i128..5_000, which in 0.0..1.0f64, mirrored: bool, is_doubling: bool, gain: u64, convex: bool,
        numbers in (0u32..300, 1u32..200),
    ) {
        let angle_bits = 150;
        let at = |n: i64, shift: u32| Wide::from(i128::from(n)) << shift;
        let mut limbs = [0; 10];
        limbs[..2].copy_from_slice(&alpha);
        let model = if is_doubling {
            Model { angle_bits, alpha: Wide::ZERO, log2_period: angle_bits - 20 }
        } else {
            Model { angle_bits, alpha: Wide::from_limbs(limbs) << (angle_bits - 128), log2_period: angle_bits }
        };
        let span = Span { first, last: first + count - 1, is_mirrored: mirrored };
        let other = Span { first: first - 7, last: first + count, is_mirrored: !mirrored };
        let gain = Wide::from(i128::from(gain)) << (model.value_bits() - 64);
        let coefficients = vec![at(f0, 64), at(f1, 118), if convex { at(f2, 118) } else { -at(f2, 118) }];
        let half = Wide::power_of_two(angle_bits - 24) + Wide::from(12_345);
        let accuracy = tmd_difftable::Upper::power_of_two(-10);
        let third = tmd_difftable::Upper::ZERO;
        let segment = Segment { start: at(start, 86), half, windows: 500, coefficients, gain, accuracy, third };
        let course = Course::<6>::new(&model, &[span, other], &segment).unwrap();
        let number = numbers.0;
        let spot = course.spot(number);
        let mut frame = Frame::TRIVIAL;
        let view = frame.seek(&course, &spot).unwrap();
        let begin = frame.start(&course, &spot, &view).unwrap();
        // the dual of rows that are short has short vectors
        let (middle, period) = (segment.start + half * Wide::from(i128::from(2 * number + 1)), model.log2_period);
        for (n, span) in [span, other].into_iter().enumerate() {
            let (low, high) = span.ends();
            let index = low + ((high - low) as f64 * which) as i128;
            // the point of the index next to the window's middle
            let angle = Wide::from(index) * model.alpha;
            let y = (angle - middle).centered(period);
            let t = middle + y - segment.center();
            let [slope, curvature] = [1, 2].map(|k| segment.coefficients[k]);
            let shift = |x: Wide| x >> angle_bits;
            // F + κ at the middle plus F1·y, as lemma L.12 has it; to 2^-100
            let at_middle = middle - segment.center();
            let value = shift((shift(curvature * at_middle) + slope) * at_middle) + segment.coefficients[0];
            let tangent = shift(curvature * at_middle * Wide::from(2)) + slope;
            let kappa = shift(shift(curvature * half) * half) >> 1;
            prop_assert_eq!(at_middle + y, t);
            let gained = (segment.gain * Wide::from(index)) >> (model.value_bits() - COEFFICIENT_BITS);
            let v = value + kappa + shift(tangent * y) + gained;
            let reach = [span, other].iter().map(Span::reach).max().unwrap() as f64;
            let sign = if convex { 1.0 } else { -1.0 };
            let z = [
                (index - span.middle()) as f64 / reach,
                y.to_f64(angle_bits) / half.to_f64(angle_bits),
                sign * v.centered(COEFFICIENT_BITS).to_f64(COEFFICIENT_BITS) / begin.kappa,
            ];
            for i in 0..3 {
                let product: f64 = (0..3).map(|c| begin.dual[i][c] * z[c]).sum();
                let size: f64 = (0..3).map(|c| (begin.dual[i][c] * z[c]).abs()).sum();
                let phase = begin.phases[n][i] as i64 as f64 * 2f64.powi(-64);
                let off = phase - product;
                prop_assert!((off - off.round()).abs() <= 1e-12 * (1.0 + size), "{} {} {}", n, i, off);
            }
        }
        // windows later
        let differences = frame.balanced(&spot, &view, numbers.1);
        let digits = frame.digits(&course, &spot, &view).ok();
        let k = u64::from(numbers.1);
        let later = started(&frame, &course, number + numbers.1).unwrap();
        for (phases, expected) in begin.phases.iter().zip(&later.phases).take(2) {
            for i in 0..3 {
                let [first, second, third] = differences[i];
                let (two, three) = (k * (k - 1) / 2, k * (k - 1) * k.saturating_sub(2) / 6);
                let gain = first.wrapping_mul(k).wrapping_add(second.wrapping_mul(two)).wrapping_add(third.wrapping_mul(three));
                let off = phases[i].wrapping_add(gain).wrapping_sub(expected[i]) as i64;
                // the other phase is rounded, too
                prop_assert!(off.unsigned_abs() as f64 <= Frame::balanced_off(k as f64) + 1.0, "{} after {} windows", off, k);
                if let Some(digits) = digits {
                    let all = core::iter::successors(Some(digits.gains[i]), |gains| Some(gains.next()));
                    let gain = all.take(k as usize).fold(0u64, |sum, gains| sum.wrapping_add(gains.first));
                    let off = phases[i].wrapping_add(gain).wrapping_sub(expected[i]) as i64;
                    prop_assert!(off.unsigned_abs() as f64 <= Gains::off(k as f64) + 1.0, "{} after {} windows", off, k);
                }
            }
        }
        // and the determinant is that of the rows
        let [a, b, c] = begin.dual;
        let triple = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
        let size: f64 = (0..3).map(|i| a.map(f64::abs)[i]).sum::<f64>() * b.map(f64::abs).iter().sum::<f64>() * c.map(f64::abs).iter().sum::<f64>();
        prop_assert!((triple * begin.determinant - 1.0).abs() <= 1e-12 * (1.0 + size * begin.determinant.abs()));
    }
}

#[test]
fn frames_refuse() {
    let mut frame = Frame::TRIVIAL;
    for wrong in [f64::NAN, f64::INFINITY, 0.5, 2f64.powi(123)] {
        assert_eq!(frame.apply(&[[1.0, wrong, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), Err(Unwieldy));
    }
    assert_eq!(frame, Frame::TRIVIAL);
    frame.apply(&[[1.0, 2f64.powi(70), 0.0], [0.0, 1.0, 0.0], [0.0, -3.0, 1.0]]).unwrap();
    assert_eq!(*frame.rows(), [[1, 1 << 70, 0], [0, 1, 0], [0, -3, 1]]);
    // numbers that would wrap
    for _ in 0..2 {
        let _ = frame.apply(&[[1.0, 0.0, 0.0], [2f64.powi(40), 1.0, 0.0], [0.0, 0.0, 1.0]]);
    }
    assert!(frame.rows().iter().flatten().all(|n| n.unsigned_abs() < 1 << 112));
    let span = Span { first: 0, last: 9, is_mirrored: false };
    let model = Model { angle_bits: 500, alpha: Wide::ONE, log2_period: 500 };
    let one = Wide::power_of_two(COEFFICIENT_BITS);
    let (accuracy, third) = (tmd_difftable::Upper::ONE, tmd_difftable::Upper::ZERO);
    let segment = Segment {
        start: Wide::ZERO,
        half: Wide::ONE,
        windows: 8,
        coefficients: vec![one; 3],
        gain: Wide::ZERO,
        accuracy,
        third,
    };
    assert!(Course::<6>::new(&model, &[span], &segment).is_err(), "too many bits");
    let model = Model { angle_bits: 150, log2_period: 150, ..model };
    let segment = Segment { half: Wide::power_of_two(140), ..segment };
    assert!(Course::<6>::new(&model, &[span; 9], &segment).is_err(), "too many spans");
    let course = Course::<6>::new(&model, &[span], &segment).unwrap();
    assert!(started(&Frame::TRIVIAL, &course, 0).is_ok());
    let line = Segment { coefficients: vec![one, one, Wide::ZERO], ..segment };
    let course = Course::<6>::new(&model, &[span], &line).unwrap();
    assert!(started(&Frame::TRIVIAL, &course, 0).is_err(), "no curvature");
}

#[test]
fn too_much_is_refused() {
    let huge = Wide::power_of_two(400);
    let one = Wide::ONE;
    let vectors = [
        Vector { x: huge, y: Wide::ZERO, v: Wide::ZERO },
        Vector { x: Wide::ZERO, y: huge, v: Wide::ZERO },
        Vector { x: Wide::ZERO, y: Wide::ZERO, v: one },
    ];
    let basis = Basis { vectors, log2_determinant: 800 };
    let reach = Vector { x: one, y: one, v: one };
    assert!(basis.dual().is_err());
    // a basis that is none: two equal vectors
    let basis = Basis { vectors: [reach, reach, vector([0, 0, 1])], log2_determinant: 0 };
    assert!(basis.dual().is_err());
}

/// Points whose value is as far from an integer as a case's may be, to the last unit, are found:
/// where slopes are rounded, and where the numbers of the box are.
#[test]
fn values_at_the_edge_are_found() {
    let angle_bits = 100;
    // exact: a bound that is multiplied would be a unit larger
    let units = |n: i128| tmd_difftable::Upper::new(n as f64 * 2f64.powi(-(COEFFICIENT_BITS as i32)));
    let mut state = 1u64;
    let mut random = |most: i128| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        i128::from(state >> 20) % (2 * most + 1) - most
    };
    for n in 0..4000 {
        // points are 2^log2_step apart, and a coefficient counts eighths of it: wide windows, and
        // narrow ones
        let (log2_step, shifts) = if n % 2 == 0 { (96, [0, 0]) } else { (1, [97, 197]) };
        let (windows, half) = if n % 2 == 0 { (1, Wide::power_of_two(98)) } else { (4, Wide::ONE) };
        let model = Model { angle_bits, alpha: Wide::ZERO, log2_period: log2_step };
        let [c0, c1, c2] = if n % 2 == 0 { [1 << 20; 3] } else { [20; 3] }.map(&mut random);
        let coefficients = vec![Wide::from(c0), Wide::from(c1) << shifts[0], Wide::from(c2) << shifts[1]];
        let mut segment = Segment {
            start: Wide::ZERO,
            half,
            windows,
            coefficients,
            gain: Wide::ZERO,
            accuracy: units(1),
            third: tmd_difftable::Upper::ZERO,
        };
        let end = segment.end();
        let angles = (0..9).map(|k| Wide::from(k) << log2_step);
        for angle in angles.filter(|&angle| angle <= end) {
            // 256 times the value
            let t = angle - segment.center();
            let value = if n % 2 == 0 {
                let sixteenths = (t >> 96).to_i128().unwrap();
                c0 * 256 + 16 * c1 * sixteenths + c2 * sixteenths * sixteenths
            } else {
                let t = t.to_i128().unwrap();
                256 * c0 + 32 * c1 * t + 32 * c2 * t * t
            };
            segment.accuracy = units((value.abs() + 255) / 256);
            let mut found = Vec::new();
            let mut walk = Walker::new(model, &[Span { first: 0, last: 0, is_mirrored: false }]);
            walk.search(&segment, |candidate| found.push(candidate.angle)).unwrap();
            assert!(found.contains(&angle), "{angle:?} of {segment:?}");
        }
    }
}
