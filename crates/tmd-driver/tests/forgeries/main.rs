//! Forged certificates, each sealed again with a digest that fits: none of them is believed.
//!
//! Nothing is searched again unless a forgery is of those that only a search can find
//! (`Seen::BySearching`): what chance would find in samples does not count here.

mod forge;
mod lists;
mod question;
mod regions;
#[path = "../testing/mod.rs"]
mod testing;
mod units;

use std::{ops::Range, path::Path};

use serde_json::Value;
use testing::{problem, solved, solved_with};
use tmd_core::{Backend, Breakpoints, Format, Interrupt, Scalar, ScalarEngine, exist::Logms};
use tmd_driver::{
    Certificate, InverseUse,
    certificate::{Extent, Verification, Writer, writer},
};
use tmd_functions::parse;
use tmd_simd::{Level, Simd, SimdEngine};
use tmd_testkit::{by_turns, results::certificate};

/// By what a forgery is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// It is refused without any search.
    AtOnce,
    /// It claims less than the truth, and is not taken for a certificate of all that was asked:
    /// exit code 3.
    AsLess,
    /// It needs `--all`: without a search it cannot be told from a true one, and neither is taken
    /// for one of which everything was checked (exit code 3).
    BySearching,
}

/// A change of a true certificate.
struct Forgery {
    name: String,
    seen: Seen,
    change: Change,
}

enum Change {
    /// of what the document says
    Content(Box<dyn Fn(&mut Certificate)>),
    /// of the document, which may then be none
    Document(Box<dyn Fn(&mut Value)>),
}

fn forgery(name: &str, change: impl Fn(&mut Certificate) + 'static) -> Forgery {
    Forgery { name: name.into(), seen: Seen::AtOnce, change: Change::Content(Box::new(change)) }
}

fn document(name: &str, change: impl Fn(&mut Value) + 'static) -> Forgery {
    Forgery { name: name.into(), seen: Seen::AtOnce, change: Change::Document(Box::new(change)) }
}

impl Forgery {
    fn seen(self, seen: Seen) -> Self {
        Self { seen, ..self }
    }

    /// The forged certificate, sealed; `None` if it is not even read.
    fn applied(&self, honest: &Certificate) -> Option<Certificate> {
        let mut forged = match &self.change {
            Change::Content(change) => {
                Certificate::from_json(&testing::forged(honest, change).to_json()).ok()?
            }
            Change::Document(change) => {
                let mut value = serde_json::from_str(&honest.to_json()).unwrap();
                change(&mut value);
                assert_ne!(value, serde_json::from_str::<Value>(&honest.to_json()).unwrap(), "{}", self.name);
                Certificate::from_json(&value.to_string()).ok()?
            }
        };
        assert!(
            forged != *honest || matches!(self.change, Change::Document(_)),
            "{}: nothing was forged",
            self.name
        );
        forged.digest = forged.computed_digest();
        Some(forged)
    }
}

/// What `tmd verify` says: by its exit codes 1, 3, 3 and 0.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Refused,
    Less,
    /// all that was asked for is covered, and not all searches were made again
    Sampled,
    Holds,
}

fn said(certificate: &Certificate, extent: Extent) -> (Said, String) {
    let Ok(function) = parse(&certificate.function) else { return (Said::Refused, "no function".into()) };
    let writer = writer(&certificate.engine);
    let other = Simd::new(SimdEngine::Regular, Level::best());
    let verification = Verification {
        certificate,
        function: &function,
        engine: writer.as_ref().and_then(Writer::engine),
        other: &other,
        faster: None,
        walk: None,
        samples: 0,
        sample_seconds: 1.0,
        seed: 5,
    };
    match verification.run_to(extent, &Interrupt::new()) {
        Err(error) => (Said::Refused, error.to_string()),
        Ok(found) if !found.holds() => (Said::Refused, format!("{:?}", found.refusals)),
        Ok(found) if found.leaves_nothing() => (Said::Holds, format!("{found:?}")),
        Ok(found) if found.is_all() => (Said::Sampled, format!("{found:?}")),
        Ok(found) => (Said::Less, format!("{found:?}")),
    }
}

/// Each forgery is seen as it says: with no extent of the verification is its exit code 0.
fn check(what: &str, honest: &Certificate, forgeries: &[Forgery]) -> usize {
    let (verdict, why) = said(honest, Extent::Samples);
    // of congruences nothing is left
    let is_solved = honest.units.iter().all(|unit| unit.via.is_some() && unit.is_of_arguments());
    assert_eq!(verdict, if is_solved { Said::Holds } else { Said::Sampled }, "{what}: {why}");
    for forgery in forgeries {
        let name = format!("{what}: {}", forgery.name);
        let Some(forged) = forgery.applied(honest) else {
            assert_eq!(forgery.seen, Seen::AtOnce, "{name}: it is not read");
            continue;
        };
        let (verdict, why) = said(&forged, Extent::Samples);
        let expected = match forgery.seen {
            Seen::AtOnce => Said::Refused,
            Seen::AsLess => Said::Less,
            Seen::BySearching => Said::Sampled,
        };
        assert_eq!(verdict, expected, "{name}: {why}");
        if forgery.seen == Seen::BySearching {
            let (verdict, why) = said(&forged, Extent::All);
            assert_eq!(verdict, Said::Refused, "{name}: {why}");
        }
    }
    let seen = |seen| forgeries.iter().filter(|forgery| forgery.seen == seen).count();
    println!(
        "{what}: {} forgeries, {} are certificates of less, {} need --all",
        forgeries.len(),
        seen(Seen::AsLess),
        seen(Seen::BySearching)
    );
    forgeries.len()
}

fn solve(function: &str, format: Format, extra_bits: u32, binades: Option<Range<i32>>) -> Certificate {
    solved(&parse(function).unwrap(), problem(format, Breakpoints::All, extra_bits), binades)
}

/// exp on [1/2, 4), both signs, in binary32: regions that are searched, and nothing follows from
/// them.
fn exp() -> Certificate {
    solve("exp", Format::BINARY32, 19, Some(-1..2))
}

#[test]
fn the_question() {
    let honest = exp();
    assert!(honest.cases.len() > 100 && honest.is_complete());
    let count = check("exp", &honest, &question::forgeries(&honest));
    assert!(count >= 30, "{count}");
}

#[test]
fn regions_and_what_is_out_of_reach() {
    let mut count = check("exp", &exp(), &regions::of_searched(&exp()));
    let sin = solve("sin", Format::BFLOAT16, 5, None);
    count += check("sin", &sin, &regions::of_known(&sin));
    assert!(count >= 25, "{count}");
}

#[test]
fn units_budgets_and_counts() {
    let honest = exp();
    let mut count = check("exp", &honest, &units::forgeries(&honest));
    let log = (parse("log").unwrap(), problem(Format::BINARY32, Breakpoints::All, 17));
    let log = solved_with(&log.0, log.1, Some(20..24), InverseUse::WherePossible);
    assert!(log.units.iter().all(|unit| unit.via.is_some()));
    count += check("log by exp", &log, &units::by_inverse());
    assert!(count >= 40, "{count}");
}

#[test]
fn cases_exact_cases_undecided_arguments_and_rules() {
    let honest = exp();
    let mut count = check("exp", &honest, &lists::of_cases(&honest));
    let exp2 = solve("exp2", Format::BFLOAT16, 5, None);
    assert!(!exp2.exact_cases.is_empty());
    count += check("exp2", &exp2, &lists::of_exact_cases(&exp2));
    let sqrt = solve("sqrt", Format::BFLOAT16, 4, None);
    assert!(sqrt.rules.len() > 1);
    count += check("sqrt", &sqrt, &lists::of_rules());
    count += check("sqrt by congruences", &sqrt, &units::by_congruences());
    // nothing is left for a search, however much is to be searched again
    for extent in [Extent::Samples, Extent::Share(0.1), Extent::All] {
        let (verdict, why) = said(&sqrt, extent);
        assert_eq!(verdict, Said::Holds, "{why}");
        assert!(why.contains("the congruences of 2 units solved again"), "{why}");
        assert!(!why.contains(" parts searched again"), "{why}");
    }
    let sin = solve("sin", Format::BFLOAT16, 5, None);
    count += check("sin", &sin, &lists::of_images(&sin));
    assert!(count >= 47, "{count}");
}

/// What every engine of the CPU says of itself is believed: names, domains, counts, budgets; and so
/// is what it said after a second search.
#[test]
fn engines_of_all_kinds() {
    let scalar =
        [ScalarEngine::Farey, ScalarEngine::Regular, ScalarEngine::Lefevre, ScalarEngine::Exhaustive];
    let mut engines: Vec<Box<dyn Backend>> = Vec::new();
    for domain_size in [None, Some(48)] {
        for engine in scalar {
            engines.push(Box::new(Scalar { engine, logms: Logms::PAPERS, domain_size }));
        }
        for level in Level::available() {
            for engine in SimdEngine::ALL {
                engines.push(Box::new(Simd::new(engine, level).with_domain_size(domain_size)));
            }
        }
    }
    for engine in by_turns(&engines) {
        // straight lines, inflection points, results around 0, many binades, and one that is hardly
        // a search
        for (function, format, extra_bits) in [
            ("log", Format::BINARY16, 8),
            ("tan", Format::BFLOAT16, 5),
            ("cbrt", Format::BINARY16, 6),
            ("x-sin(x)", Format::BFLOAT16, 5),
        ] {
            let function = parse(function).unwrap();
            let problem = problem(format, Breakpoints::All, extra_bits);
            let solve = testing::solve(&function, problem, Some(-6..4), engine.as_ref());
            let certificate = solve.run(&solve.plan().unwrap(), &(), &Interrupt::new()).unwrap();
            let (verdict, why) = said(&certificate, Extent::All);
            assert_eq!(verdict, Said::Holds, "{}, {function}: {why}", engine.name());
        }
    }
}

/// One that people use: all of cbrt in binary64.
#[test]
fn a_certificate_of_the_results() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let honest = Certificate::from_json(&certificate(&results, "binary64/cbrt")).unwrap();
    let some: Vec<Forgery> = by_turns(lists::of_results(&honest)).collect();
    let count = check("cbrt", &honest, &some);
    assert!(count >= 2, "{count}");
}
