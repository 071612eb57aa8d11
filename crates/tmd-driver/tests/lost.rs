//! A device that fails on purpose amid a family: it is told once, and nothing is missing;
//! without a fallback the search ends.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU32, Ordering::Relaxed},
};

use tmd_core::{
    Backend, Breakpoints, CoreError, Families, Format, Interrupt, Piece, PieceOutcome, PiecePlan, Problem,
    lattice3::{Engine, Exact, Model, Span, Walk},
};
use tmd_driver::certificate::{Extent, Verification};
use tmd_driver::{Certificate, CpuRole, DriverError, InverseUse, Observer, Progress, Solve, Uses, Workers};
use tmd_simd::{Level, Simd};

/// A device by the walk in exact integers, lost when so many walks have begun.
struct Device {
    cpu: Simd,
    walks: Arc<AtomicU32>,
    lost_after: u32,
}

struct OnDevice {
    exact: Exact,
    walks: Arc<AtomicU32>,
    lost_after: u32,
}

impl Engine for OnDevice {
    fn name(&self) -> String {
        self.exact.name()
    }

    fn volume(&self, spans: usize) -> f64 {
        self.exact.volume(spans)
    }

    fn windows(&self) -> u32 {
        self.exact.windows
    }

    fn start(&self, model: &Model, spans: &[Span]) -> Box<dyn Walk> {
        self.walks.fetch_add(1, Relaxed);
        self.exact.start(model, spans)
    }

    fn failure(&self) -> Option<CoreError> {
        let lost = CoreError::BackendLost { backend: "device".into(), reason: "it was unplugged".into() };
        (self.walks.load(Relaxed) > self.lost_after).then_some(lost)
    }
}

impl Backend for Device {
    fn name(&self) -> String {
        "farey device (native integers)".into()
    }

    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        self.cpu.plan(piece)
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        self.cpu.search(piece, interrupt)
    }

    fn families(&self) -> Option<Families> {
        let families = self.cpu.families()?;
        let (walks, lost_after) = (Arc::clone(&self.walks), self.lost_after);
        Some(Families {
            engine: Box::new(OnDevice { exact: Exact::default(), walks, lost_after }),
            ..families
        })
    }
}

#[derive(Default)]
struct Told(Mutex<Vec<CoreError>>);

impl Observer for Told {
    fn progress(&self, _: Progress) {}

    fn failed(&self, failure: &CoreError) {
        self.0.lock().unwrap().push(failure.clone());
    }
}

fn solved(workers: Workers, told: &Told) -> Certificate {
    let function = tmd_functions::parse("sin").unwrap();
    let format = Format::new(14, -150, 150).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 9).unwrap();
    let solve = Solve { function: &function, problem, binades: Some(70..74), workers, limit: f64::INFINITY };
    let uses = Uses { inverse: InverseUse::Never, families: InverseUse::WherePossible };
    let plan = solve.plan_in_units_with(1e-4, uses).unwrap();
    assert!(plan.units.len() > 3, "{}", plan.units.len());
    solve.run(&plan, told, &Interrupt::new()).unwrap()
}

#[test]
fn a_device_that_is_lost_amid_a_family() {
    let cpu = Simd::farey(Level::best());
    let device = |lost_after| Device { cpu, walks: Arc::default(), lost_after };
    let told = Told::default();
    let expected = solved(Workers::cpu(&cpu, 1), &told);
    assert!(expected.is_complete() && expected.cases.len() > 20 && told.0.lock().unwrap().is_empty());
    // with a fallback
    let lost = device(1);
    let certificate = solved(Workers::devices(vec![&lost]).with_cpu(&cpu, 1, CpuRole::Fallback), &told);
    assert!(certificate.is_complete() && certificate.cases == expected.cases);
    assert!(matches!(told.0.lock().unwrap()[..], [CoreError::BackendLost { .. }]), "once");
    // without
    let (lost, told) = (device(1), Told::default());
    let certificate = solved(Workers::devices(vec![&lost]), &told);
    assert!(!certificate.is_complete() && certificate.units.len() < expected.units.len());
    let [failure] = &certificate.failures[..] else { panic!("{:?}", certificate.failures) };
    assert!(failure.contains("backend device: it was unplugged"), "{failure}");
    assert!(told.0.lock().unwrap().is_empty());
}

/// A device that looks again and is lost ends the verification: what others searched is not said to
/// be its.
#[test]
fn a_device_that_is_lost_amid_a_verification() {
    let cpu = Simd::farey(Level::best());
    let certificate = solved(Workers::cpu(&cpu, 1), &Told::default());
    let function = tmd_functions::parse("sin").unwrap();
    let verify = |lost_after| {
        let device = Device { cpu, walks: Arc::default(), lost_after };
        let verification = Verification {
            certificate: &certificate,
            function: &function,
            engine: Some(&cpu),
            other: &cpu,
            faster: None,
            walk: Some(&|| device.families().unwrap()),
            samples: 0,
            sample_seconds: 1.0,
            seed: 7,
        };
        let findings = verification.run_to(Extent::Share(0.5), &Interrupt::new());
        assert!(device.walks.load(Relaxed) > 0, "it was asked");
        findings
    };
    let findings = verify(u32::MAX).unwrap();
    assert!(findings.holds(), "{:?}", findings.refusals);
    assert!(findings.checked.iter().any(|line| line.contains("searched again by lattice3-scalar")));
    let lost = verify(1).unwrap_err();
    assert!(matches!(lost, DriverError::Core(CoreError::BackendLost { .. })), "{lost}");
}
