//! Two-length configurations twice: those of `tmd-exist`, in words, with a place for b and a probe,
//! against those of `tmd-contfrac`, for any modulus.

use proptest::prelude::*;
use tmd_core::{
    contfrac::{Rotation, count_hits, first_hit, hits, minimum, three_distances},
    exist::{
        Exact, ExistenceTest, LastQuotient, Logms, NoProbe, Regular, RegularUnrolled, Segment, Start, Verdict,
    },
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    /// The minimum is the same, and a regular test answers by that of N to 2N points: empty means
    /// no case, and what may hold one does if twice as many arguments are looked at.
    #[test]
    fn both_crates_place_the_same_points(
        a in prop_oneof![any::<u64>(), (0u64..200, 1u64..200).prop_map(|(m, u)| ((u128::from(m % u) << 64) / u128::from(u)) as u64)],
        b in any::<u64>(), n in 2u64..1 << 20, bits in 1u32..40,
    ) {
        let segment = Segment::new(a, b, n).unwrap();
        let rotation = Rotation::from_q64(a);
        let least = |n| minimum(rotation, b.into(), n).unwrap();
        prop_assert_eq!(u128::from(Exact::minimum(segment).distance), least(n).d);
        let width = u64::MAX >> bits;
        let tests: [&dyn Fn() -> Verdict; 2] = [
            &|| Regular::new(Start::Corrected, LastQuotient::Trimmed, Logms::INSTRUCTION).test(segment, width, &mut NoProbe),
            &|| RegularUnrolled::new(Start::Corrected, LastQuotient::Trimmed, Logms::INSTRUCTION).test(segment, width, &mut NoProbe),
        ];
        for test in tests {
            let may_hold = test() == Verdict::MayHold;
            prop_assert!(may_hold || least(n).d >= width.into(), "a case is lost");
            prop_assert!(!may_hold || least(2 * n).d < width.into(), "more points than 2N were looked at");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    /// Hits, listed and counted, are where `tmd-exist`'s exact test finds one; and no two points
    /// are nearer to each other than the least of the three distances.
    #[test]
    fn hits_are_where_the_exact_test_finds_one(a in any::<u64>(), b in any::<u64>(), n in 2u64..1 << 12, bits in 4u32..20) {
        // odd: all points are different
        let (a, width) = (a | 1, 1u64 << (64 - bits));
        let rotation = Rotation::from_q64(a);
        let found: Vec<(u64, u128)> = hits(rotation, b.into(), n, width.into()).map(|hit| (hit.x, hit.d)).collect();
        let nearest = Exact::minimum(Segment::new(a, b, n).unwrap()).distance;
        let expected = (nearest < width).then_some(u128::from(nearest));
        prop_assert_eq!(found.iter().map(|hit| hit.1).min(), expected);
        prop_assert_eq!(count_hits(rotation, b.into(), n, width.into()), found.len() as u64);
        let first = first_hit(rotation, b.into(), n, width.into());
        prop_assert_eq!(first.map(|hit| hit.x), found.first().map(|hit| hit.0));
        let mut points: Vec<u64> = (0..n).map(|x| a.wrapping_mul(x)).collect();
        points.sort_unstable();
        let around = points[0].wrapping_sub(points[points.len() - 1]);
        let least = points.windows(2).map(|pair| pair[1] - pair[0]).fold(around, u64::min);
        prop_assert_eq!(three_distances(rotation, n).as_slice()[0].length, least.into());
    }
}
