//! All segments of a small modulus, and those just beside them.

use super::naive;
use crate::{AnyTest, ExistenceTest, Logms, NoProbe, Segment, Verdict};

/// a and b multiples of 2^-5 or one unit beside, N up to two orbits: every coincidence there is, of
/// points with each other, of b with points, of complete orbits with N.
#[test]
#[cfg_attr(miri, ignore = "six million tests")]
fn no_case_is_lost_for_any_small_denominator() {
    let coordinates =
        || (0_u64..32).flat_map(|i| [-1_i64, 0, 1].map(|offset| (i << 59).wrapping_add_signed(offset)));
    let strategies = [0, 2, 64].map(|logms| AnyTest::all_with(Logms::new(logms).unwrap()));
    let mut held = 0_u64;
    let mut empty_of_exact = 0_u64;
    for a in coordinates() {
        for b in coordinates() {
            for n in (1..=8).chain([13, 16, 17, 31, 32, 33, 64, 65]) {
                let segment = Segment::new(a, b, n).unwrap();
                let least = naive::minimum(a, b, n).distance;
                let Some(width) = least.checked_add(1) else { continue };
                for test in strategies.iter().flatten() {
                    let verdict = test.test(segment, width, &mut NoProbe);
                    assert_eq!(verdict, Verdict::MayHold, "{} lost {segment:?}, width {width}", test.name());
                    held += 1;
                    if matches!(test, AnyTest::Exact(_)) {
                        assert_eq!(test.test(segment, least, &mut NoProbe), Verdict::Empty);
                        empty_of_exact += 1;
                    }
                }
            }
        }
    }
    assert!(held > 6_000_000 && empty_of_exact > 400_000, "{held}, {empty_of_exact}");
}
