//! Sizes that suit an adapter, by measurement, and where they are kept.
//!
//! The walk of one synthetic piece is timed with workgroups and numbers of invocations from a short
//! list. What is found never depends on the outcome: sizes change how fast, not what.

use std::{
    collections::BTreeMap,
    fs, io,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use tmd_core::{
    Backend, CoreError, Interrupt, Piece, PieceOutcome, PiecePlan,
    difftable::{Fixed, Polynomial, Upper},
    walk::{MIN_DOMAIN, WalkCosts},
};

use super::{GpuWalk, Shape};
use crate::{AdapterSummary, Gpu, GpuError};

/// Invocations of a workgroup that are tried.
const WORKGROUPS: [u32; 4] = [32, 64, 128, 256];

/// Multiples of the first guess of invocations that are tried, in halves.
const INVOCATIONS: [u32; 4] = [1, 2, 4, 8];

/// A run shorter than this says little.
const LONG_ENOUGH: Duration = Duration::from_millis(10);

/// Arguments per domain of the synthetic piece, those of an elementary function near 1 in double
/// precision …
const DOMAIN: u64 = 1 << 16;

/// … its shortest and longest lengths.
const LENGTHS: (u64, u64) = (1 << 30, 1 << 42);

/// Threads that search on one device at the same time, each enumerating on the CPU what its piece
/// left: what the driver starts at least.
const STREAMS: usize = 2;

/// What is kept for one adapter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
    workgroup: u32,
    invocations: u32,
    /// nanoseconds per domain
    domain: f64,
    /// nanoseconds per domain looked at exactly
    dense: f64,
}

impl Kept {
    fn of(shape: &Shape) -> Self {
        let Shape { workgroup, invocations, costs, .. } = *shape;
        Self { workgroup, invocations, domain: costs.domain, dense: costs.dense }
    }

    /// The shape meant, unless somebody wrote nonsense into the file.
    fn shape(self, adapter: &AdapterSummary) -> Option<Shape> {
        let first = Shape::of(adapter);
        let is_sane = self.workgroup.is_power_of_two()
            && self.workgroup <= adapter.limits.invocations_per_workgroup
            && (1..=first.most_invocations).contains(&self.invocations)
            && [self.domain, self.dense].iter().all(|cost| (1e-6..1e9).contains(cost));
        let costs =
            WalkCosts { domain: self.domain, dense: self.dense, point: 1.5 * self.dense, least: MIN_DOMAIN };
        is_sane.then_some(Shape { workgroup: self.workgroup, invocations: self.invocations, costs, ..first })
    }
}

impl Shape {
    /// The sizes that suit this device best, measured now: about a second.
    ///
    /// # Errors
    /// What the GPU says.
    pub fn tuned(gpu: &Gpu) -> Result<Self, GpuError> {
        let first = Self::of(gpu.summary());
        let mut arguments = LENGTHS.0;
        let mut best = loop {
            let run = Timed::new(gpu, first, arguments)?;
            if run.time >= LONG_ENOUGH || arguments >= LENGTHS.1 {
                break run;
            }
            arguments *= 4;
        };
        let most = gpu.summary().limits.invocations_per_workgroup;
        let workgroups = WORKGROUPS.iter().filter(|&&size| size <= most);
        for shape in workgroups.map(|&workgroup| Self { workgroup, ..first }) {
            best = best.or(Timed::new(gpu, shape, arguments)?);
        }
        let widest = INVOCATIONS.map(|halves| (first.invocations / 2).saturating_mul(halves));
        for invocations in widest.into_iter().filter(|count| (1..=first.most_invocations).contains(count)) {
            let shape = Self { invocations, ..best.shape };
            best = best.or(Timed::new(gpu, shape, arguments)?);
        }
        Ok(best.shape())
    }

    /// The sizes kept in `file` for this device, or, if there are none, those measured now, which
    /// are then kept there. A file that cannot be read or written is as good as none.
    ///
    /// # Errors
    /// What the GPU says.
    pub fn kept_or_tuned(gpu: &Gpu, file: &Path) -> Result<Self, GpuError> {
        let key = key(gpu);
        let mut all = read(file);
        if let Some(shape) = all.get(&key).and_then(|kept| kept.shape(gpu.summary())) {
            return Ok(shape);
        }
        let shape = Self::tuned(gpu)?;
        all.insert(key, Kept::of(&shape));
        // the next search measures again
        let _ = write(file, &all);
        Ok(shape)
    }
}

/// What the sizes depend on: the adapter, its driver, the integers, the kernels.
fn key(gpu: &Gpu) -> String {
    let AdapterSummary { name, api, driver, .. } = gpu.summary();
    let integers = if gpu.native_integers() { "native" } else { "emulated" };
    format!("{name} | {api} | {driver} | {integers} | tmd {}", env!("CARGO_PKG_VERSION"))
}

fn read(file: &Path) -> BTreeMap<String, Kept> {
    fs::read(file).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

/// Complete or not at all, though several searches may write at once.
fn write(file: &Path, all: &BTreeMap<String, Kept>) -> io::Result<()> {
    let folder = file.parent().ok_or(io::ErrorKind::NotFound)?;
    fs::create_dir_all(folder)?;
    let mut text = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer_pretty(&mut text, all)?;
    text.persist(file)?;
    Ok(())
}

/// Nobody: the synthetic piece fits the walk.
struct Refused;

impl Backend for Refused {
    fn name(&self) -> String {
        "none".into()
    }

    fn plan(&self, _: &Piece) -> Result<PiecePlan, CoreError> {
        Err(CoreError::Backend { backend: self.name(), reason: "the synthetic piece was refused".into() })
    }

    fn search(&self, piece: &Piece, _: &Interrupt) -> Result<PieceOutcome, CoreError> {
        Err(self.plan(piece).map_or_else(|error| error, |_| CoreError::Interrupted))
    }
}

/// A shape with what it took.
struct Timed {
    shape: Shape,
    /// of the kernels, or without timestamps of the whole
    time: Duration,
    /// nanoseconds per domain of the kernels
    domain: f64,
    /// nanoseconds per domain looked at exactly on the CPU
    dense: f64,
}

impl Timed {
    /// The walk over so many arguments, twice: the first run compiles and allocates.
    fn new(gpu: &Gpu, shape: Shape, arguments: u64) -> Result<Self, GpuError> {
        let search = GpuWalk::with_shape(gpu, shape, Arc::new(Refused))?.with_domain_size(Some(DOMAIN));
        let piece = synthetic(arguments)?;
        let run = || search.search(&piece, &Interrupt::new()).map_err(|error| internal(&error));
        run()?;
        let started = Instant::now();
        let PieceOutcome { phases, kernels, .. } = run()?;
        let wall = started.elapsed();
        let in_kernels: Duration = kernels.iter().map(|kernel| kernel.time).sum();
        let time = if kernels.is_empty() { wall } else { in_kernels };
        let per = |time: Duration, count: u64| time.as_secs_f64() * 1e9 / count.max(1) as f64;
        let domain = per(time, phases.test.domains_in);
        Ok(Self { shape, time, domain, dense: per(phases.exhaust.time, phases.exhaust.domains_in) })
    }

    /// The faster one.
    fn or(self, other: Self) -> Self {
        if other.time < self.time { other } else { self }
    }

    fn shape(&self) -> Shape {
        let dense = self.dense.max(1.0) / STREAMS as f64;
        let costs = WalkCosts { domain: self.domain.max(1e-3), dense, point: 1.5 * dense, least: MIN_DOMAIN };
        Shape { costs, ..self.shape }
    }
}

fn internal(error: &CoreError) -> GpuError {
    GpuError::Internal { message: error.to_string() }
}

/// `x·(√5 − 1)/2 + x²·2^-51`: as curved as an elementary function near 1, with the most irregular
/// slopes.
fn synthetic(arguments: u64) -> Result<Piece, GpuError> {
    let golden = Fixed::from_ratio_pow2(0x4f1b_bcdc_bfa5_3e0b, 63);
    let polynomial = Polynomial::new(vec![Fixed::ZERO, golden, Fixed::from_ratio_pow2(1, 51)]);
    let magnitudes = [1.0, 1.0, 2f64.powi(-51)].map(Upper::new).to_vec();
    Piece::new(polynomial, magnitudes, arguments, 0, Upper::power_of_two(-36), Upper::ZERO, Upper::ZERO)
        .map_err(|error| internal(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn measured_once_and_kept() {
        let Some(gpu) = testing::gpu() else { return };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/gpu.json");
        let shape = Shape::kept_or_tuned(&gpu, &file).unwrap();
        assert!(WORKGROUPS.contains(&shape.workgroup) && shape.costs.domain > 0.0);
        let mut all = read(&file);
        assert_eq!(all.len(), 1);
        // what is kept is believed …
        all.get_mut(&key(&gpu)).unwrap().invocations = 77;
        write(&file, &all).unwrap();
        assert_eq!(Shape::kept_or_tuned(&gpu, &file).unwrap().invocations, 77);
        // … unless it is nonsense
        for nonsense in ["{", "{\"x\": 1}", "[]"] {
            fs::write(&file, nonsense).unwrap();
            assert!(Shape::kept_or_tuned(&gpu, &file).unwrap().invocations > 77);
        }
        all.get_mut(&key(&gpu)).unwrap().workgroup = 0;
        write(&file, &all).unwrap();
        assert!(WORKGROUPS.contains(&Shape::kept_or_tuned(&gpu, &file).unwrap().workgroup));
        // a place that cannot be written
        assert!(Shape::kept_or_tuned(&gpu, Path::new("/proc/nowhere/gpu.json")).is_ok());
    }
}
