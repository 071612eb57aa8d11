//! Arcs against brute force, window by window and piece by piece, and what they neglect against
//! what they say of it.

use core::{cell::Cell, ops::Range};

use proptest::prelude::*;
use tmd_core::{
    Backend, Candidates, Interrupt, Piece,
    difftable::{Fixed, Polynomial, Upper, power_of_two},
    partition::{Unfit, subdivide::PieceSearch},
};
use tmd_testkit::generators::Spec;

use super::{
    Arc, about,
    about::About,
    given::{Given, ROW, Row},
    layout::Layout,
    local::Block,
    real::{Real, Sweep, WHOLE, WIDTH, above, sweep, vectors},
    roots::{Form, Window},
};
use crate::{Level, Simd, SimdEngine};

/// Pieces of up to 2^log2 arguments that bend enough for arcs, with slopes next to fractions of
/// small denominators, or anywhere.
fn specs(log2: u32) -> impl Strategy<Value = Spec> {
    let slope = prop_oneof![
        any::<i64>(),
        (0u64..40, 1u64..40, -(1i64 << 40)..1 << 40).prop_map(|(numerator, denominator, off)| {
            ((u128::from(numerator) << 64) / u128::from(denominator)) as i64 ^ off
        }),
    ];
    let curvature = (20u32..44, 1i64 << 20..1 << 21, any::<bool>());
    let third = (-64i64..64, 0u32..8);
    (1u64 << 8..1 << log2, any::<i64>(), slope, curvature, third, 4u32..30, 0u64..=u64::MAX).prop_map(
        |(arguments, first, slope, (bits, curvature, down), (third, less), tolerance_bits, center)| {
            let curvature = if down { -curvature } else { curvature };
            // the third term is a share of the second one at the piece's end
            let shift = bits + 20 + 64 - arguments.leading_zeros() + 8 + less;
            let coefficients = vec![
                (first, 63),
                (slope >> 1, 63),
                (curvature, bits + 20),
                (third, shift),
                (third, shift + 20),
            ];
            Spec { coefficients, arguments, center: center % arguments, tolerance_bits, slack: 1 }
        },
    )
}

/// Brute force.
fn exhaustive(piece: &Piece, arguments: Range<u64>) -> Vec<u64> {
    let mut candidates = Candidates::new(piece).unwrap();
    arguments.for_each(|k| candidates.look_at(k));
    candidates.into_sorted()
}

/// Whether a list is the expected one.
fn compare(found: &[u64], expected: &[u64]) -> Result<(), TestCaseError> {
    let lost: Vec<_> = expected.iter().filter(|k| found.binary_search(k).is_err()).take(5).collect();
    let more: Vec<_> = found.iter().filter(|k| expected.binary_search(k).is_err()).take(5).collect();
    prop_assert!(lost.is_empty() && more.is_empty(), "lost {lost:?}, and {more:?} are none");
    prop_assert_eq!(found.len(), expected.len());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 1000 }))]

    /// Whole pieces, in windows of any size.
    #[test]
    fn pieces_have_the_candidates_of_brute_force(
        spec in specs(16),
        window in prop_oneof![3 => Just(None), 1 => (0u32..14).prop_map(|log2| Some(1 << log2))],
    ) {
        let piece = spec.piece();
        let layout = Layout::new(&piece, window);
        prop_assume!(layout.is_ok());
        let expected = exhaustive(&piece, 0..piece.arguments());
        for level in Level::with_pairs() {
            let simd = Simd::new(SimdEngine::Arcs, level).with_domain_size(window);
            let found = simd.search(&piece, &Interrupt::new()).unwrap();
            compare(&found.candidates, &expected)?;
            prop_assert_eq!(found.budget, layout.unwrap().budget);
            prop_assert_eq!(found.phases.test.arguments_in, piece.arguments());
        }
    }
}

/// Windows, and rows of them, leave no argument out: pieces of many windows, of which a window's
/// first or last argument is a candidate as often as any other.
#[test]
fn windows_tile_pieces() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut windows, mut candidates) = (0, 0);
    for (log2, tolerance_bits) in [(19, 4), (19, 4), (19, 5), (20, 6), (20, 7), (20, 8), (21, 8)] {
        let log2 = if cfg!(miri) { 10 } else { log2 };
        let coefficients = vec![
            (random.below(u64::MAX) as i64, 63),
            ((random.below(u64::MAX) >> 1) as i64, 63),
            ((1 << 20) + random.below(1 << 20) as i64, 25 + 20),
            (random.below(64) as i64, 25 + 20 + 44),
        ];
        let arguments = 1 << log2;
        let center = random.below(arguments);
        let piece = Spec { coefficients, arguments, center, tolerance_bits, slack: 0 }.piece();
        let found = Simd::new(SimdEngine::Arcs, Level::best()).search(&piece, &Interrupt::new()).unwrap();
        let expected = exhaustive(&piece, 0..arguments);
        compare(&found.candidates, &expected).unwrap();
        windows += found.phases.test.domains_in;
        candidates += expected.len();
    }
    assert!(cfg!(miri) || windows > 200 && candidates > 50_000, "{windows} windows, {candidates} candidates");
}

/// A window of a piece at its argument `at`, next to the slope there, of so many arguments, which
/// begins `before` arguments before `at` or ends there.
fn window(piece: &Piece, layout: Layout, at: u64, order: u64, [first, last]: [u64; 2]) -> Option<Window> {
    let block = Block::new(piece, layout, at / layout.block);
    let local = block.local(at);
    let arc = Arc::at(local.slope64(), order);
    let given = Given::new(&local, arc, [first, last]);
    assert!(given.is_neighbor(), "{arc:?}");
    let is_inside =
        first >= at / layout.block * layout.block && last < block.end() && last < piece.arguments();
    is_inside.then(|| Window::new(given, layout.acceptance))
}

/// Windows of every form, by fractions of any order, against brute force.
#[test]
fn windows_have_the_candidates_of_brute_force() {
    let forms = Cell::new([0u32; 3]);
    let found = Cell::new([0; 3]);
    let cases = if cfg!(miri) { 5 } else { 3000 };
    let strategy = (specs(18), any::<u64>(), any::<u64>(), 0u32..17, 0u32..10, 0u32..3);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(cases));
    runner
        .run(&strategy, |(spec, at, more, size, order, side)| {
            let piece = spec.piece();
            let Ok(layout) = Layout::new(&piece, None) else { return Ok(()) };
            let at = at % piece.arguments();
            let size = (1 << size).min(layout.window) - 1;
            let before = [0, size, more % (size + 1)][side as usize];
            let ends = [at.saturating_sub(before), at.saturating_sub(before) + size];
            let Some(window) = window(&piece, layout, at, 1 << order, ends) else { return Ok(()) };
            let mut candidates = Candidates::new(&piece).unwrap();
            window.search(&mut candidates).unwrap();
            let mut of_window = candidates.into_sorted();
            of_window.dedup();
            let expected = exhaustive(&piece, ends[0]..ends[1] + 1);
            let form = window.form() as usize;
            let (mut counts, mut candidates) = (forms.get(), found.get());
            counts[form] += 1;
            candidates[form] += expected.len();
            forms.set(counts);
            found.set(candidates);
            compare(&of_window, &expected)
        })
        .unwrap();
    let least = if cfg!(miri) { 0 } else { 10 };
    let (forms, found) = (forms.get(), found.get());
    assert!(forms.iter().all(|&count| count >= least), "{forms:?}");
    assert!(found.iter().all(|&count| count >= least as usize), "{found:?}");
}

/// A window that cannot be on its arc, so far from the vertex that n has more than 64 bits, is an
/// error, whether it would be searched in singles or in doubles: casts would saturate.
#[test]
fn windows_without_numbers_are_refused() {
    let coefficients = vec![(0, 63), (1 << 40, 63), (1 << 20, 60)];
    let piece =
        Spec { coefficients, arguments: 1 << 20, center: 1 << 19, tolerance_bits: 40, slack: 0 }.piece();
    let layout = Layout::new(&piece, None).unwrap();
    let at = 1 << 19;
    let near = window(&piece, layout, at, layout.order, [at - 10, at + 10]).unwrap();
    let mut candidates = Candidates::new(&piece).unwrap();
    assert!(near.search(&mut candidates).is_ok());
    for length in [1e12, -1e12, f64::INFINITY, f64::NAN] {
        let mut given = near.given;
        given.length = length;
        let far = Window::new(given, layout.acceptance);
        assert_ne!(far.form(), Form::Off);
        let error = far.search(&mut candidates).unwrap_err().to_string();
        assert!(error.contains("too far from the vertex"), "{error}");
    }
}

/// Random numbers, the same each time.
struct Random(u64);

impl Random {
    /// One below `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// The distance of two fractions mod 1.
fn apart(a: f64, b: f64) -> f64 {
    let d = a - b;
    (d - d.round()).abs()
}

/// `x` mod 1, next to 0, its distance from 0.
fn folded(x: f64) -> f64 {
    apart(x, 0.0)
}

/// Candidates at their very tolerance in windows of every form, far from the vertex and near it, of
/// small denominators v after large ones, too: u/v is to be taken mod 1 before it is multiplied.
#[test]
fn planted_candidates_are_found() {
    let (mut forms, mut of_rows) = ([0; 3], 0);
    let mut random = Random(0x0123_4567_89ab_cdef);
    for _ in 0..if cfg!(miri) { 3 } else { 20_000 } {
        let own = if random.below(2) == 0 { 1 + random.below(5) } else { 1 + random.below(1 << 10) };
        let before = 1 + random.below(1 << 22);
        // A with A·u ≡ 1 mod v
        let Some(numerator) = (0..own).find(|a| (a * before) % own == 1 % own) else { continue };
        // v·σ, from 0 to 0.4
        let length = random.below(1 << 30) >> random.below(30);
        let beyond = ((u128::from(length) << 64) * 2 / 5 / u128::from(own)) >> 30;
        let slope = ((u128::from(numerator) << 64) / u128::from(own) + beyond) as i64;
        let bits = (24 + random.below(24)).max(3 * u64::from(own.ilog2()) + 3) as u32;
        let curvature = (1 << 20) + random.below(1 << 20) as i64;
        let coefficients = vec![(0, 63), (slope >> 1, 63), (curvature, bits + 20)];
        let (arguments, at) = (1 << 28, 1 << 27);
        let tolerance_bits = 45 + random.below(13) as u32;
        let spec = Spec { coefficients, arguments, center: at, tolerance_bits, slack: 0 };
        let reach = own << random.below(if own < 6 { u64::from(bits / 2).max(18) } else { 14 });
        let place = at + random.below(reach);
        let sign = if random.below(2) == 0 { 1 } else { -1 };
        let piece = spec.planted(place, Fixed::from_ratio_pow2(sign, tolerance_bits));
        let Ok(layout) = Layout::new(&piece, None) else { continue };
        let block = Block::new(&piece, layout, at / layout.block);
        let local = block.local(at);
        let given = Given::new(&local, Arc { before, own, after: 0 }, [at, at + reach - 1]);
        if !given.is_neighbor() || at + reach > block.end() || reach > layout.window {
            continue;
        }
        let window = Window::new(given, layout.acceptance);
        forms[window.form() as usize] += 1;
        let mut candidates = Candidates::new(&piece).unwrap();
        window.search(&mut candidates).unwrap();
        assert!(candidates.into_sorted().contains(&place), "{place} is lost: {:?} {window:?}", window.form());
        // and as a window of a row
        let chunks = Row::new(given).chunks(layout.acceptance);
        assert!(chunks.is_neighbor(ROW - 1));
        let Some((last, roots)) = chunks.get(ROW - 1) else { continue };
        assert_eq!(roots, about::Roots::new(&About::new(&window), &window, (0, last)));
        let mut candidates = Candidates::new(&piece).unwrap();
        let flags = sweep(roots, vectors(0, last));
        About::new(&window).look_at(&window, (0, last), flags, &mut candidates);
        assert!(candidates.into_sorted().contains(&place), "{place} is lost in a row: {window:?}");
        of_rows += 1;
    }
    assert!(cfg!(miri) || forms.iter().all(|&count| count > 50) && of_rows > 50, "{forms:?} {of_rows}");
}

/// Lemma A.5: what singles and doubles are off by, against exact positions in doubles, is more than
/// half of what is said, and no more than that.
#[test]
fn roots_are_as_far_off_as_they_say() {
    off_by::<f32>();
    off_by::<f64>();
}

fn off_by<R: Real>() {
    // of d, and of θ alone
    let mut worst = [0f64; 2];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..if cfg!(miri) { 3 } else { 40_000 } {
        // a parabola with a vertex anywhere, next to a fraction with the denominator v
        let log2 = 12 + random.below(8) as u32;
        let own = ((1 << (log2 - 1)) + random.below(1 << (log2 - 1))) | 1;
        let numerator = 1 + random.below(own - 1);
        let slope = ((u128::from(numerator) << 64) / u128::from(own)) as i64;
        let bits = 3 * log2 + 2 + random.below(20) as u32;
        let coefficients = vec![
            (random.below(u64::MAX) as i64, 63),
            (slope >> 1, 63),
            ((1 << 20) + random.below(1 << 20) as i64, bits + 20),
        ];
        let spec = Spec { coefficients, arguments: 1 << 40, center: 1 << 39, tolerance_bits: 60, slack: 0 };
        let piece = spec.piece();
        let Ok(layout) = Layout::new(&piece, None) else { continue };
        let reach = own << random.below(13);
        let at = 1 << 38;
        let ends = [at, at + reach.min(layout.window) - 1];
        let Some(window) = window(&piece, layout, at, own, ends) else { continue };
        if window.form() != Form::AboutInSingles {
            continue;
        }
        let about = About::new(&window);
        let first = random.below(64) as i64;
        let count = 1 + (random.below(64) >> random.below(6)) as i64;
        let last = first + count * WIDTH as i64 - 1;
        let farthest = ((about.phase + last as f64) * about.step).sqrt();
        if farthest > 16384.0 {
            continue;
        }
        let mut roots = about::Roots::<R>::new(&about, &window, (first, last));
        let above = above(farthest * (1.0 + power_of_two(-20)));
        let fixed = R::rounding(above, count as f64);
        let of_turns = power_of_two(-33) * (count * WIDTH as i64 + 2) as f64;
        let limits = roots.limits();
        let mut lanes = roots.lanes();
        for vector in 0..count {
            let distances = roots.distances(&lanes);
            for lane in 0..WIDTH {
                let i = first + vector * WIDTH as i64 + lane as i64;
                let exact = ((about.phase + i as f64) * about.step).sqrt();
                let center = about.center + window.residue(about.n(&window, i)) / window.given.own;
                let bound = fixed + R::UNIT * about::RELATIVE * exact;
                let expected = folded(center + exact).min(folded(center - exact));
                // the limit is for what is as far as a candidate may be, and off by the bound
                let limit = limits[vector.min(1) as usize];
                let room = f64::from(limit) / WHOLE - about.reach(exact) - bound;
                assert!(room > 0.0 || limit == i32::MAX, "{limit}: {exact} {bound:e}");
                let d = f64::from(distances[lane]) / WHOLE;
                worst[0] = worst[0].max((d.abs() - expected).abs() / bound);
                let theta = f64::from(lanes.1[lane]) / WHOLE;
                worst[1] = worst[1].max(apart(theta, center) / of_turns);
            }
            roots.advance(&mut lanes);
        }
    }
    assert!(worst.iter().all(|&share| share <= 1.0), "{worst:?}");
    assert!(cfg!(miri) || worst.iter().all(|&share| share > 0.5), "{worst:?}");
}

/// Theorem A.4: how far b, σ and c are from the polynomial's own, over the longest window there is,
/// is no more than *tables* and *dropped* say; and more than half of it where a coefficient's cut
/// digits are ones, or a third term is all that is dropped.
#[test]
fn windows_neglect_what_the_budget_says() {
    let off_by = |piece: &Piece, number: u64, x: i64| {
        let layout = Layout::new(piece, None).unwrap();
        let block = Block::new(piece, layout, number);
        let at = number * layout.block;
        // from the block's beginning, where it is farthest from the center
        let local = block.local(at);
        let exact = piece.value(at + x as u64);
        // b + σ·x + c·x² in units of 2^-128, of whole numbers and of a float that is small
        let linear = local.linear(x);
        let curved = local.curvature * x as f64 * x as f64;
        let rest = (exact.high128().wrapping_sub(linear)) as i128 as f64 * power_of_two(-128);
        let off = apart(rest, curved);
        (off, layout)
    };
    // cut digits
    let ones = |shift: u32| Fixed::<8>::from_ratio_pow2(1, shift) - Fixed::from_ratio_pow2(1, shift + 300);
    let coefficients = vec![
        Fixed::from_ratio_pow2(1, 3) + ones(128),
        Fixed::from_ratio_pow2(0x4f1b_bcdc_bfa5_3e0b, 63) + ones(128),
        Fixed::from_ratio_pow2(1, 70) + ones(128),
        Fixed::from_ratio_pow2(1, 128),
    ];
    let magnitudes = [Upper::ONE, Upper::ONE, Upper::power_of_two(-69), Upper::power_of_two(-128)].to_vec();
    let tolerance = Upper::power_of_two(-60);
    let piece = Piece::new(
        Polynomial::new(coefficients),
        magnitudes,
        1 << 40,
        1 << 36,
        tolerance,
        Upper::ZERO,
        Upper::ZERO,
    )
    .unwrap();
    let (off, layout) = off_by(&piece, 0, 0);
    let tables = layout.budget.tables.get();
    assert!(off <= tables && off > tables / 2.0, "{off:e} of {tables:e}");
    // a third term
    let spec = Spec {
        coefficients: vec![(1, 3), (0x4f1b_bcdc_bfa5_3e0b, 63), (3, 66), (1, 130)],
        arguments: 1 << 40,
        center: 1 << 39,
        tolerance_bits: 60,
        slack: 0,
    };
    let piece = spec.piece();
    let layout = Layout::new(&piece, None).unwrap();
    for number in [0, 1, (1 << 40) / layout.block - 1] {
        let (off, layout) = off_by(&piece, number, layout.window as i64);
        let (tables, dropped) = (layout.budget.tables.get(), layout.budget.dropped.get());
        assert!(off <= tables + dropped && off > dropped / 2.0, "{off:e} of {dropped:e} and {tables:e}");
    }
}

/// Where a piece begins on the arc of a small denominator there are no more windows than elsewhere
/// by much.
#[test]
fn small_denominators_are_not_searched_argument_by_argument() {
    for (numerator, denominator) in [(0, 1), (1, 1), (1, 2), (2, 3), (5, 7)] {
        let slope = ((numerator as u128) << 62) / denominator as u128;
        let coefficients = vec![(1, 3), (slope as i64, 62), (3, 66), (1, 130)];
        let spec = Spec { coefficients, arguments: 1 << 40, center: 1 << 39, tolerance_bits: 60, slack: 0 };
        let piece = spec.piece();
        let layout = Layout::new(&piece, None).unwrap();
        let found = Simd::new(SimdEngine::Arcs, Level::best()).search(&piece, &Interrupt::new()).unwrap();
        let windows = found.phases.test.domains_in;
        let q = layout.order as f64;
        let expected =
            0.61 * 3.0 * power_of_two(-66 + 40) * q * q + piece.arguments() as f64 / layout.window as f64;
        assert!(
            (windows as f64) < 3.0 * expected + 3000.0,
            "{windows} windows next to {numerator}/{denominator}"
        );
    }
}

/// What arcs refuse: straight lines, inflections, and what bends too much.
#[test]
fn what_is_refused() {
    let piece = |curvature, bits, third| {
        let coefficients = vec![(1, 3), (0x4f1b_bcdc_bfa5_3e0b, 63), (curvature, bits), (third, bits + 16)];
        Spec { coefficients, arguments: 1 << 20, center: 1 << 19, tolerance_bits: 30, slack: 0 }.piece()
    };
    assert!(Layout::new(&piece(1, 40, 0), None).is_ok() && Layout::new(&piece(-1, 40, 0), None).is_ok());
    for (curvature, bits, third) in [(0, 40, 0), (1, 101, 0), (1, 4, 0), (1, 40, 1)] {
        let refused = Layout::new(&piece(curvature, bits, third), None);
        assert!(refused.is_err(), "{curvature}·2^-{bits} and {third}");
    }
}

/// What they refuse goes to the walk, or, in searches of what that one has searched, to a test of
/// segments, and from there to no walk either.
#[test]
fn who_takes_what_is_refused() {
    let of = |engine| Simd::new(engine, Level::best());
    // too little for arcs, and enough for more than one domain
    let flat = Spec {
        coefficients: vec![(1, 3), (0x4f1b_bcdc_bfa5_3e0b, 63), (1, 101)],
        arguments: 1 << 30,
        center: 0,
        tolerance_bits: 50,
        slack: 0,
    };
    let piece = flat.planted(77, Fixed::from_limbs([0; 8]));
    assert!(Layout::new(&piece, None).is_err());
    let counts = |simd: Simd| {
        let found = simd.search(&piece, &Interrupt::new()).unwrap();
        assert!(found.candidates.contains(&77));
        found.phases.test.domains_in
    };
    let walked = counts(of(SimdEngine::Farey));
    assert_eq!(counts(of(SimdEngine::Arcs)), walked);
    for engine in [SimdEngine::RegularTrimmed, SimdEngine::Lefevre] {
        let arcs = Simd::arcs_or(engine, Level::best());
        for unfit in [Unfit::CurvatureTooLarge, Unfit::Inflection, Unfit::PieceTooLong] {
            assert_eq!(of(SimdEngine::Arcs).fallback(unfit).name(), of(SimdEngine::Farey).name());
            assert_eq!(arcs.fallback(unfit).name(), of(engine).name());
        }
        assert_eq!(counts(arcs), counts(of(engine)));
        assert_ne!(counts(arcs), walked, "these counts do not tell who searched");
        assert_eq!(arcs.name(), format!("arcs or {}", of(engine).name()));
    }
}
