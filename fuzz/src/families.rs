//! The engines of the walk in three dimensions against brute force in exact integers, over small
//! families of every shape. The fuzz target `pieces` has them, too.

use arbitrary::{Result, Unstructured};
use tmd_core::lattice3::{Engine, Exact, Unwieldy};
use tmd_simd::{Level, lattice3::Lattice3};
use tmd_testkit::lattice3::{Plant, Small};

/// Searches a family by all engines.
pub fn fuzz(bytes: &mut Unstructured) {
    let Ok(spec) = drawn(bytes) else { return };
    let question = spec.question();
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Exact::default())];
    engines.extend(
        Level::available().into_iter().map(|level| Box::new(Lattice3::new(level)) as Box<dyn Engine>),
    );
    for engine in &engines {
        // numbers that do not fit are handed to another engine, and nothing is lost
        if question.candidates(engine.as_ref()) == Err(Unwieldy) {
            continue;
        }
        question.check(engine.as_ref()).unwrap_or_else(|error| panic!("{spec:?}: {error}"));
    }
}

/// A family of up to 2^10 indices. Bytes that have run out are zeros.
fn drawn(bytes: &mut Unstructured) -> Result<Small> {
    let end = |bytes: &mut Unstructured| -> Result<i32> {
        Ok(if bytes.arbitrary()? {
            [-64, 0, 64][bytes.choose_index(3)?]
        } else {
            bytes.int_in_range(-64..=64)?
        })
    };
    let mut alpha: [u64; 6] = bytes.arbitrary()?;
    if bytes.ratio(1, 4)? {
        // next to a fraction
        let denominator = 1 + u128::from(bytes.arbitrary::<u8>()?);
        alpha[5] = ((u128::from(bytes.arbitrary::<u8>()?) << 64) / denominator) as u64;
        alpha[4] = bytes.arbitrary::<u64>()? >> bytes.int_in_range(0..=63)?;
    }
    Ok(Small {
        angle_bits: bytes.int_in_range(80..=240)?,
        alpha: if bytes.ratio(1, 4)? { Err(bytes.int_in_range(4..=14)?) } else { Ok(alpha) },
        indices: (bytes.arbitrary::<i64>()? >> bytes.int_in_range(2..=63)?, 1 << bytes.int_in_range(0..=10)?),
        spans: (bytes.int_in_range(1..=9)?, bytes.arbitrary()?),
        windows: 1 + u32::from(bytes.arbitrary::<u16>()? >> bytes.int_in_range(6..=15)?),
        points: bytes.int_in_range(1..=24)?,
        kappa: bytes.int_in_range(-12..=-2)?,
        is_concave: bytes.arbitrary()?,
        slope: bytes.arbitrary::<i64>()? >> bytes.int_in_range(4..=63)?,
        // lanes walk if the curvature hardly grows
        growth: [0; 2].map(|_: i32| {
            let small = bytes.int_in_range(-4..=4).unwrap_or_default();
            small << bytes.int_in_range(0..=16).unwrap_or_default()
        }),
        gain: if bytes.arbitrary()? { bytes.arbitrary()? } else { 0 },
        accuracy: bytes.int_in_range(-20..=-1)?,
        plant: Plant {
            span: bytes.int_in_range(0..=8)?,
            index: bytes.arbitrary()?,
            window: bytes.arbitrary()?,
            tau: end(bytes)?,
            deviation: end(bytes)?,
        },
    })
}
