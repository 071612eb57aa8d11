//! All engines against brute force in exact integers, over polynomials of every shape; and those of
//! the walk in three dimensions, over families of every shape.

use crate::families;
use arbitrary::{Result, Unstructured};
use tmd_core::{Backend, Interrupt, Scalar, ScalarEngine, exist::Logms};
use tmd_simd::{Level, Simd, SimdEngine};
use tmd_testkit::{generators::Spec, oracle};

/// Searches a piece by all engines, or a family.
pub fn fuzz(data: &[u8]) {
    let bytes = &mut Unstructured::new(data);
    // by the last byte, so that the others mean what they do
    if data.last().is_some_and(|last| last % 4 == 3) {
        return families::fuzz(bytes);
    }
    let Ok((spec, domain_size, logms)) = drawn(bytes) else { return };
    let piece = spec.piece();
    let must = oracle::must(&piece);
    for engine in backends(domain_size, logms) {
        let found =
            engine.search(&piece, &Interrupt::new()).unwrap_or_else(|error| panic!("{spec:?}: {error}"));
        let name = engine.name();
        assert!(found.candidates.is_sorted_by(|a, b| a < b), "{name}: {spec:?}: not ascending");
        for k in &must {
            assert!(found.candidates.binary_search(k).is_ok(), "{name}: {spec:?}: argument {k} is lost");
        }
        for &k in &found.candidates {
            assert!(
                k < piece.arguments() && oracle::may(&piece, &found, k),
                "{name}: {spec:?}: {k} is far off"
            );
        }
    }
}

/// A piece whose coefficients become smaller as a function's do, more or less; with domains and
/// divisions of any size.
fn drawn(bytes: &mut Unstructured) -> Result<(Spec, Option<u64>, Logms)> {
    let arguments = 1 + u64::from(bytes.arbitrary::<u16>()? >> bytes.int_in_range(5..=15)?);
    let smoothness = bytes.int_in_range(0..=53)?;
    let mut coefficients = Vec::new();
    for k in 0..=bytes.int_in_range(1..=7)? {
        let m = bytes.arbitrary::<i64>()? >> bytes.int_in_range(1..=63)?;
        let extra = bytes.int_in_range(0..=8)?;
        coefficients.push((m, (62 + smoothness * u32::saturating_sub(k, 1) + extra).min(500)));
    }
    let spec = Spec {
        coefficients,
        arguments,
        center: bytes.int_in_range(0..=arguments - 1)?,
        tolerance_bits: bytes.int_in_range(2..=50)?,
        slack: bytes.int_in_range(0..=15)?,
    };
    let domain_size = if bytes.ratio(1, 4)? { Some(1 << bytes.int_in_range(0..=12)?) } else { None };
    Ok((spec, domain_size, Logms::new(bytes.int_in_range(0..=64)?).unwrap_or_default()))
}

fn backends(domain_size: Option<u64>, logms: Logms) -> Vec<Box<dyn Backend>> {
    let mut all: Vec<Box<dyn Backend>> = Vec::new();
    for engine in
        [ScalarEngine::Farey, ScalarEngine::Regular, ScalarEngine::Lefevre, ScalarEngine::Exhaustive]
    {
        all.push(Box::new(Scalar { engine, logms, domain_size }));
    }
    for engine in SimdEngine::ALL {
        for level in Level::available() {
            all.push(Box::new(Simd::new(engine, level).with_logms(logms).with_domain_size(domain_size)));
        }
    }
    all
}
