//! Existence tests against the points themselves, one after the other.

use arbitrary::{Result, Unstructured};
use tmd_exist::{AnyTest, ExistenceTest, Logms, NoProbe, Segment, Verdict};

/// Tests a segment.
pub fn fuzz(data: &[u8]) {
    let Ok((segment, width, logms)) = drawn(&mut Unstructured::new(data)) else { return };
    let mut least = u64::MAX;
    let mut distance = segment.b();
    for _ in 0..segment.n() {
        least = least.min(distance);
        distance = distance.wrapping_sub(segment.a());
    }
    // the width itself, and the two that matter most
    for width in [width, least, least.saturating_add(1)] {
        for test in AnyTest::all_with(logms) {
            let verdict = test.test(segment, width, &mut NoProbe);
            let is_sound = verdict == Verdict::MayHold || least >= width;
            assert!(is_sound, "{} lost {segment:?}, width {width}, minimum {least}", test.name());
            if matches!(test, AnyTest::Exact(_)) {
                assert_eq!(
                    verdict == Verdict::MayHold,
                    least < width,
                    "the exact test on {segment:?}, width {width}"
                );
            }
        }
    }
}

fn drawn(bytes: &mut Unstructured) -> Result<(Segment, u64, Logms)> {
    let mut a: u64 = bytes.arbitrary()?;
    let n = 1 + u64::from(bytes.arbitrary::<u16>()? >> bytes.int_in_range(4..=15)?);
    match bytes.int_in_range(0..=3)? {
        // few bits, at either end: short orbits, and large quotients
        0 => a >>= bytes.int_in_range(0..=63)?,
        1 => a <<= bytes.int_in_range(0..=63)?,
        // next to a fraction
        2 => {
            let denominator = 1 + u128::from(bytes.arbitrary::<u8>()?);
            let numerator = u128::from(bytes.arbitrary::<u8>()?);
            a = (((numerator << 64) / denominator) as u64).wrapping_add_signed(bytes.int_in_range(-4..=4)?);
        }
        _ => {}
    }
    let b = if bytes.arbitrary()? {
        // next to a point
        a.wrapping_mul(bytes.int_in_range(0..=2 * n)?).wrapping_add_signed(bytes.int_in_range(-2..=2)?)
    } else {
        bytes.arbitrary()?
    };
    let width = bytes.arbitrary::<u64>()? >> bytes.int_in_range(0..=63)?;
    let logms = Logms::new(bytes.int_in_range(0..=64)?).unwrap_or_default();
    let segment = Segment::new(a, b, n).map_err(|_| arbitrary::Error::IncorrectFormat)?;
    Ok((segment, width, logms))
}
