//! Tables of functions, each searched over a domain of a small format against brute force.

use rayon::prelude::*;
use rug::Float;
use tmd_core::{Backend, Format, Scalar, ScalarEngine, exist::Logms};
use tmd_simd::{Level, Simd};

use crate::brute_force::Job;

/// The function's text, the function, its domain's first argument and its end, extra bits.
pub(crate) type Row = (&'static str, fn(Float) -> Float, f64, f64, u32);

/// By the regular test and by the walk in lanes.
pub(crate) fn check<'a>(rows: impl IntoIterator<Item = &'a Row>, format: Format) {
    let scalar = Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None };
    let backends: [Box<dyn Backend>; 2] = [Box::new(scalar), Box::new(Simd::farey(Level::best()))];
    let rows: Vec<&Row> = rows.into_iter().collect();
    rows.par_iter().for_each(|&&(text, function, from, to, bits)| {
        let function = |x: &Float| function(Float::with_val(200, x));
        Job { text, function: &function, from, to, format, bits }.check(&backends);
    });
}
