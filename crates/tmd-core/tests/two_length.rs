//! Two-length configurations twice: those of `tmd-exist`, in words, with a place for b and a probe,
//! against those of `tmd-contfrac`, for any modulus.

use proptest::prelude::*;
use tmd_core::{
    contfrac::{Rotation, minimum},
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
