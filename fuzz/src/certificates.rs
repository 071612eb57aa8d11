//! Certificates: any text, and a true one that was tampered with and sealed again. One that holds
//! says what the true one says.

use std::sync::LazyLock;

use arbitrary::Unstructured;
use serde_json::Value;
use tmd_core::Interrupt;
use tmd_driver::{Certificate, certificate::Verification};
use tmd_functions::parse;
use tmd_simd::{Level, Simd, SimdEngine};

use crate::{ledgers::solve, tampering};

/// exp and sin on [1/2, 2), both signs, in binary16: of sin what is negative follows.
static TRUE: LazyLock<[Certificate; 2]> = LazyLock::new(|| {
    ["exp", "sin"].map(|name| {
        let function = parse(name).expect("a function");
        let walk = Simd::farey(Level::best());
        let solve = solve(&function, &walk);
        let plan = solve.plan().expect("a plan");
        solve.run(&plan, &(), &Interrupt::new()).expect("a certificate")
    })
});

/// Reads and verifies.
pub fn fuzz(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok(certificate) = Certificate::from_json(text)
    {
        look_at(&certificate);
        verified(&certificate);
    }
    let truth = &TRUE[data.len() % 2];
    let mut value: Value = serde_json::to_value(truth).expect("a document");
    if tampering::document(&mut value, &mut Unstructured::new(data)).is_err() {
        return;
    }
    let Ok(mut certificate) = Certificate::from_json(&value.to_string()) else { return };
    certificate.digest = certificate.computed_digest();
    look_at(&certificate);
    if verified(&certificate) {
        same("the question", &question(&certificate), &question(truth));
        same("regions", &certificate.regions, &truth.regions);
        same("cases", &certificate.cases, &truth.cases);
        same("exact cases", &certificate.exact_cases, &truth.exact_cases);
        same("undecided arguments", &certificate.undecided, &truth.undecided);
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, held: &T, truth: &T) {
    assert_eq!(held, truth, "a certificate holds that was tampered with: {what}");
}

fn question(certificate: &Certificate) -> impl PartialEq + std::fmt::Debug + use<> {
    let Certificate { function, format, rounding, extra_bits, binades, .. } = certificate.clone();
    (function, format.precision, format.min_exponent, format.max_exponent, rounding, extra_bits, binades)
}

/// What reports ask of a certificate.
fn look_at(certificate: &Certificate) {
    let _ = (certificate.totals(), certificate.unit_arguments(), certificate.is_complete());
    if let Ok(function) = parse(&certificate.function) {
        let _ = certificate.counts(&function);
    }
}

/// Whether it holds.
fn verified(certificate: &Certificate) -> bool {
    let Ok(function) = parse(&certificate.function) else { return false };
    let (engine, other) = (Simd::farey(Level::best()), Simd::new(SimdEngine::Regular, Level::best()));
    let verification = Verification {
        certificate,
        function: &function,
        engine: Some(&engine),
        other: &other,
        faster: None,
        walk: None,
        samples: 4,
        sample_seconds: 0.01,
        seed: 1,
    };
    verification.run(&Interrupt::new()).is_ok_and(|findings| findings.holds())
}
