//! Sine, cosine and tangent in radians and in half-turns: extrema, poles, huge arguments.

use super::functions::half_turns;
use super::*;

proptest! {
    /// On a grid of step h around any crest, max f ≤ max over the grid + h²/8, as |f″| ≤ 1, or π²:
    /// neither too small nor too large.
    #[test]
    fn waves_against_a_grid(lo in -30.0..30.0f64, width in prop_oneof![0.0..0.01f64, 0.0..9.0f64]) {
        let a = interval(lo, lo + width);
        let sinpi = |x: f64| half_turns(&float(x)).0.to_f64();
        let cospi = |x: f64| half_turns(&float(x)).1.to_f64();
        let waves = [
            (a.sin().unwrap(), &f64::sin as &dyn Fn(f64) -> f64, 1.0),
            (a.cos().unwrap(), &f64::cos, 1.0),
            (a.sinpi().unwrap(), &sinpi, 9.87),
            (a.cospi().unwrap(), &cospi, 9.87),
        ];
        for (range, f, curvature) in waves {
            let h = (a.hi().to_f64() - lo) / 512.0;
            let values = (0..=512).map(|k| f(lo + f64::from(k) * h));
            let (least, greatest) = values.fold((2.0, -2.0), |(l, g): (f64, f64), y| (l.min(y), g.max(y)));
            let slack = curvature * h * h / 8.0 + 1e-13; // the f64 functions and the grid points are rounded
            prop_assert!((range.lo().to_f64() - least).abs() <= slack, "{range}, least {least}");
            prop_assert!((range.hi().to_f64() - greatest).abs() <= slack, "{range}, greatest {greatest}");
        }
    }
}

/// The neighbors of n·π/2, where a wrong quadrant shows: intervals across it have the extremum or
/// the pole, those beside it have none.
#[test]
fn extrema_and_poles_at_multiples_of_half_pi() {
    let half_pi = |n: i32| Interval::pi(300).unwrap().mul_i64(n.into()).unwrap().mul_2exp(-1).unwrap();
    for n in (-100..100).chain([12_345_678, -987_654_321, i32::MAX]).filter(|n| *n != 0) {
        let across = half_pi(n).round_to(PRECISION).unwrap();
        assert!(!across.is_point());
        let (mut lo, mut hi) = across.clone().into_endpoints();
        let (lo_end, hi_end) = (lo.clone(), hi.clone());
        lo.next_down();
        hi.next_up();
        let (below, above) = (Interval::new(lo, lo_end).unwrap(), Interval::new(hi_end, hi).unwrap());
        let (sine, cosine) = (across.sin().unwrap(), across.cos().unwrap());
        assert_eq!(*sine.hi() == 1, n.rem_euclid(4) == 1, "{n}");
        assert_eq!(*sine.lo() == -1, n.rem_euclid(4) == 3, "{n}");
        assert_eq!(*cosine.hi() == 1, n.rem_euclid(4) == 0, "{n}");
        assert_eq!(*cosine.lo() == -1, n.rem_euclid(4) == 2, "{n}");
        assert_eq!(matches!(across.tan(), Err(FunctionError::Pole { .. })), n % 2 != 0, "{n}");
        assert!(below.tan().is_ok() && above.tan().is_ok(), "{n}");
        // one sign on either side of a zero, both across it
        let zero = if n % 2 == 0 { Interval::sin } else { Interval::cos };
        assert!(zero(&across).unwrap().contains_zero(), "{n}");
        assert!(!zero(&below).unwrap().contains_zero() && !zero(&above).unwrap().contains_zero(), "{n}");
    }
}

#[test]
fn waves_at_zero_and_over_whole_periods() {
    assert_eq!(interval(0.0, 0.0).cos().unwrap(), interval(1.0, 1.0));
    assert_eq!(*interval(-0.5, 0.0).cos().unwrap().hi(), 1);
    assert_eq!(*interval(0.0, 0.5).cos().unwrap().hi(), 1);
    assert_eq!(interval(0.0, 0.0).sin().unwrap(), interval(0.0, 0.0));
    assert_eq!(interval(-7.0, 7.0).sin().unwrap(), interval(-1.0, 1.0));
    assert_eq!(interval(100.0, 1e9).cos().unwrap(), interval(-1.0, 1.0));
    assert_eq!(interval(0.0, 0.0).tan().unwrap(), interval(0.0, 0.0));
    assert!(matches!(interval(-2.0, 2.0).tan(), Err(FunctionError::Pole { .. })));
    assert!(matches!(interval(-1.0, 20.0).tan(), Err(FunctionError::Pole { .. })));
    assert!(interval(-1.5, 1.5).tan().is_ok());
}

#[test]
fn huge_angles() {
    let point = |exponent: i32| Interval::point(float(1.5) << exponent).unwrap();
    // within the limit: as precise as ever
    let x = point(MAX_ANGLE_EXPONENT - 1);
    assert!(is_tight(&x.sin().unwrap()) && is_tight(&x.tan().unwrap()));
    let (long, step) = (Float::with_val(66_000, x.lo()), Float::with_val(66_000, 1) >> 100);
    let narrow = Interval::new(long.clone(), long + &step).unwrap();
    for range in [narrow.sin().unwrap(), narrow.cos().unwrap()] {
        assert!(!range.is_point() && range.width().unwrap() <= step); // the slope is at most 1
    }
    let wide = x.hull(&point(MAX_ANGLE_EXPONENT - 2));
    assert_eq!(wide.sin().unwrap(), interval(-1.0, 1.0));
    assert!(matches!(wide.tan(), Err(FunctionError::Pole { .. })));
    // beyond it
    for x in [point(MAX_ANGLE_EXPONENT), point(1 << 29)] {
        assert_eq!(x.sin().unwrap(), interval(-1.0, 1.0));
        assert_eq!(x.cos().unwrap(), interval(-1.0, 1.0));
        assert!(matches!(x.tan(), Err(FunctionError::AngleTooLarge { .. })));
    }
}

/// The same for multiples of 1/2, which are exact: an interval that ends there has the value, and
/// the tangent its pole.
#[test]
fn extrema_and_poles_at_multiples_of_one_half() {
    let sine = |n: i64| [0, 1, 0, -1][n.rem_euclid(4) as usize];
    for n in (-9..10i64).chain([12_345_678, -987_654_321, (1 << 61) + 1, (1 << 61) + 2, (1 << 61) + 3]) {
        let half = float(n as f64) / 2u32;
        let half = if n.abs() < 1 << 50 { half } else { Float::with_val(PRECISION, n) / 2u32 };
        let at = Interval::point(half.clone()).unwrap();
        let value = |y: i64| interval(y as f64, y as f64);
        assert_eq!(at.sinpi().unwrap(), value(sine(n)), "{n}");
        assert_eq!(at.cospi().unwrap(), value(sine(n + 1)), "{n}");
        let (mut below, mut above) = (half.clone(), half.clone());
        below.next_down();
        above.next_up();
        for across in [
            Interval::new(below.clone(), above.clone()).unwrap(),
            Interval::new(below.clone(), half.clone()).unwrap(),
            Interval::new(half.clone(), above.clone()).unwrap(),
            at.clone(),
        ] {
            for (range, extremum) in
                [(across.sinpi().unwrap(), sine(n)), (across.cospi().unwrap(), sine(n + 1))]
            {
                assert_eq!(*range.hi() == 1, extremum == 1, "{n}: {across}");
                assert_eq!(*range.lo() == -1, extremum == -1, "{n}: {across}");
                assert_eq!(range.contains_zero(), extremum == 0, "{n}: {across}");
            }
            assert_eq!(
                matches!(across.tanpi(), Err(FunctionError::Pole { .. })),
                n % 2 != 0,
                "{n}: {across}"
            );
        }
        for beside in [below, above] {
            let beside = Interval::point(beside).unwrap();
            let tangent = beside.tanpi().unwrap();
            assert!(!tangent.contains_zero() && is_tight(&tangent), "{n}");
        }
    }
    assert_eq!(interval(-0.25, 0.25).tanpi().unwrap(), interval(-1.0, 1.0));
    assert!(matches!(interval(0.0, 2.0).tanpi(), Err(FunctionError::Pole { .. })));
    assert_eq!(interval(0.0, 1.0).cospi().unwrap(), interval(-1.0, 1.0));
    assert_eq!(interval(0.25, 1.75).sinpi().unwrap(), interval(-1.0, 1.0));
}

/// In half-turns no argument is too large.
#[test]
fn huge_half_turns() {
    for exponent in [70, 1000, 1 << 20, (1 << 29) + 1] {
        let x = Interval::point(float(1.5) << exponent).unwrap();
        assert!(x.sinpi().unwrap().is_zero() && x.tanpi().unwrap().is_zero());
        assert_eq!(x.cospi().unwrap(), interval(1.0, 1.0));
        let mut above = x.hi().clone();
        above.next_up();
        let wide = Interval::new(x.lo().clone(), above).unwrap();
        assert_eq!(wide.sinpi().unwrap(), interval(-1.0, 1.0));
        assert_eq!(wide.cospi().unwrap(), interval(-1.0, 1.0));
        assert!(matches!(wide.tanpi(), Err(FunctionError::Pole { .. })));
    }
    // odd, and with a fraction, at the last bit
    let odd = Interval::point(Float::with_val(64, u64::MAX)).unwrap();
    assert_eq!(odd.cospi().unwrap(), interval(-1.0, -1.0));
    let fraction = Interval::point((float(1.0) << 61) + 0.25f64).unwrap();
    assert_eq!(fraction.tanpi().unwrap(), interval(1.0, 1.0));
}
