//! The kernels of a search one by one: existence tests, generation, Taylor coefficients,
//! confirmation, and the papers' phases.
//!
//! `cargo bench -p tmd-benches --bench kernels`; the walk and whole searches are in `engines`,
//! `binades` and `search`.

use std::{hint::black_box, time::Duration};

use cpu_time::ProcessTime;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tmd_benches::piece;
use tmd_core::{
    ArgumentRange, Backend, Breakpoints, Format, Interrupt, Phases, Piece, Problem, Scalar, ScalarEngine,
    Window,
    difftable::{DifferenceTable, Hierarchy},
    exist::{AnyTest, ExistenceTest, Logms, NoProbe, Segment, Verdict},
    partition::{OneLevel, Partition, ROWS},
    scalar::{self, generate::Generator, parabola::Parabola},
};
use tmd_driver::{
    Number, Search, Workers,
    confirm::{Verdict as Confirmed, confirm, confirm_all},
    rug::Rational,
};
use tmd_functions::{parse, taylor::taylor_piece};
use tmd_simd::{Level, Simd, SimdEngine};

/// Arguments per domain, as in the papers.
const DOMAIN: u64 = 1 << 15;

/// Domains generated, or tested.
const DOMAINS: u64 = 1 << 12;

/// The first domains of I₀.
#[expect(clippy::expect_used, reason = "a part of I₀, and a size that the papers use")]
fn domains() -> (Piece, Partition<OneLevel>) {
    let piece = piece("exp", "1", 1 << 40, 54).part(0, DOMAINS * DOMAIN).expect("a part");
    let partition = scalar::partition(&piece, Some(DOMAIN)).expect("a partition");
    (piece, partition)
}

fn parabolas(piece: &Piece, partition: &Partition<OneLevel>) -> Vec<Parabola> {
    let generator = Generator::new(piece, partition);
    let (mut run, mut all) = (Vec::new(), Vec::new());
    for first in (0..DOMAINS).step_by(partition.run as usize) {
        generator.run(first..(first + partition.run).min(DOMAINS), &mut run);
        all.extend_from_slice(&run);
    }
    all
}

/// One test at a time, on the segments of I₀'s domains.
fn existence_tests(c: &mut Criterion) {
    let (piece, partition) = domains();
    #[expect(clippy::expect_used, reason = "half-widths and domains of I₀")]
    let window = Window::new(partition.budget.test_half_width()).expect("a window");
    #[expect(clippy::expect_used, reason = "half-widths and domains of I₀")]
    let segments: Vec<Segment> = parabolas(&piece, &partition)
        .iter()
        .map(|parabola| parabola.segment(DOMAIN, window).expect("a segment"))
        .collect();
    let holding = |test: AnyTest| {
        let may_hold =
            |segment: &&Segment| test.test(**segment, window.width(), &mut NoProbe) == Verdict::MayHold;
        segments.iter().filter(may_hold).count()
    };
    let exact = AnyTest::all().into_iter().filter(|test| test.name() == "exact").map(holding).sum::<usize>();
    let mut group = c.benchmark_group("existence tests");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(DOMAINS));
    for test in AnyTest::all() {
        // a test may fail a domain too many, never one too few
        assert!(holding(test) >= exact, "{}", test.name());
        group.bench_function(BenchmarkId::from_parameter(test.name()), |b| {
            b.iter(|| black_box(holding(black_box(test))));
        });
    }
    group.finish();
}

/// Parabolas of consecutive domains, and what they are made from.
fn generation(c: &mut Criterion) {
    let (piece, partition) = domains();
    let rows = Hierarchy::new(&piece.from_first_argument(), DOMAIN, ROWS);
    let mut group = c.benchmark_group("generation");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    group.bench_function("hierarchy of a piece", |b| {
        b.iter(|| black_box(Hierarchy::new(&piece.from_first_argument(), black_box(DOMAIN), ROWS)));
    });
    group.throughput(Throughput::Elements(DOMAINS));
    group.bench_function("parabolas", |b| {
        b.iter(|| black_box(parabolas(black_box(&piece), &partition)).len());
    });
    for degree in [2, 4] {
        group.bench_function(BenchmarkId::new("difference table, degree", degree), |b| {
            b.iter(|| {
                let mut sum = 0;
                let mut table = DifferenceTable::<2>::starting_at(rows.row(0), 0, black_box(degree));
                table.tabulate(DOMAINS as usize, |_, value| sum ^= value.high64());
                black_box(sum)
            });
        });
    }
    group.finish();
}

/// MPFR: a piece's coefficients, and one argument confirmed.
#[expect(clippy::expect_used, reason = "valid questions")]
fn mpfr(c: &mut Criterion) {
    let mut group = c.benchmark_group("MPFR");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    let formats = Format::BINARY64;
    let problem = Problem::new(formats, formats, Breakpoints::Directed, 33).expect("a problem");
    for (name, from, log2) in [("exp", 1, 40), ("exp", 128, 36), ("log", 3, 38), ("sin", 1, 36)] {
        let function = parse(name).expect("a function");
        let ulp = formats.ulp_exponent(i64::from(from).ilog2() as i32);
        let range = ArgumentRange::new(i128::from(from) << -ulp, ulp, 1 << log2);
        let place = format!("{name} at {from}");
        group.bench_function(BenchmarkId::new("Taylor", &place), |b| {
            b.iter(|| taylor_piece(&function, black_box(&range), &problem).expect("a piece").arguments());
        });
        group.bench_function(BenchmarkId::new("confirm", &place), |b| {
            let mut k = 0;
            b.iter(|| {
                k = (k + 12_345_677) % range.count();
                confirm(&function, &problem, range.argument(k)).expect("a verdict")
            });
        });
    }
    group.finish();
}

/// Arguments of a batch.
const BATCH: usize = 100_000;

/// The first [`BATCH`] cases of I₀ with so few extra bits that there are as many.
#[expect(clippy::expect_used, reason = "a valid question")]
fn cases_of_exp() -> (Problem, Vec<Number>) {
    let formats = Format::BINARY64.with_precision(54).expect("a precision");
    let problem = Problem::new(formats, Format::BINARY64, Breakpoints::Directed, 24).expect("a problem");
    let (function, walk) = (parse("exp").expect("a function"), Simd::farey(Level::best()));
    // a search lists no more than a batch
    let halves = [0u32, 1].map(|half| {
        let end = |k: u32| Rational::from((k + (2 << 13), 2 << 13));
        let workers = Workers::cpu(&walk, 1);
        let search = Search { function: &function, from: end(half), to: end(half + 1), problem, workers };
        search.run(&(), &Interrupt::new()).expect("a search").cases
    });
    let cases: Vec<Number> = halves.concat().iter().map(|case| case.argument).take(BATCH).collect();
    assert_eq!(cases.len(), BATCH);
    (problem, cases)
}

/// A hundred thousand arguments confirmed at once, by the processor's clock: seconds of all cores
/// together, so that neither their number nor other work counts.
#[expect(clippy::expect_used, reason = "valid questions, and a clock")]
fn batches(c: &mut Criterion) {
    let mut group = c.benchmark_group("batch");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(BATCH as u64));
    let mut measure = |name: &str, place: &str, problem: &Problem, arguments: &[Number], are_cases: bool| {
        let function = parse(name).expect("a function");
        let confirmed = || confirm_all(&function, problem, arguments).expect("verdicts");
        if are_cases {
            let is_case = |verdict| matches!(verdict, Confirmed::Case(_));
            assert!(confirmed().into_iter().all(is_case), "{name}");
        }
        group.bench_function(BenchmarkId::new(name, place), |b| {
            b.iter_custom(|times| {
                let begun = ProcessTime::now();
                (0..times).for_each(|_| drop(black_box(confirmed())));
                begun.elapsed()
            });
        });
    };
    let (problem, cases) = cases_of_exp();
    measure("exp", "cases", &problem, &cases, true);
    let formats = Format::BINARY64;
    let problem = Problem::new(formats, formats, Breakpoints::Directed, 45).expect("a problem");
    for (name, from) in [("exp", 1), ("log", 3), ("sin", 1)] {
        let ulp = formats.ulp_exponent(i64::from(from).ilog2() as i32);
        let range = ArgumentRange::new(i128::from(from) << -ulp, ulp, 1 << 50);
        let arguments: Vec<Number> =
            (1..=BATCH as u64).map(|k| range.argument((k * 12_345_678_901_237) % range.count())).collect();
        measure(name, &format!("from {from} on"), &problem, &arguments, false);
    }
    group.finish();
}

/// The papers' three phases at the papers' N, each by its own clock.
fn phases(c: &mut Criterion) {
    let whole = piece("exp", "1", 1 << 40, 54);
    #[expect(clippy::expect_used, reason = "2^34 of 2^40 arguments")]
    let part = whole.part(0, 1 << 34).expect("a part");
    let scalar = |engine| -> Box<dyn Backend> {
        Box::new(Scalar { engine, logms: Logms::default(), domain_size: Some(DOMAIN) })
    };
    let lanes = |engine| -> Box<dyn Backend> {
        Box::new(Simd::new(engine, Level::best()).with_domain_size(Some(DOMAIN)))
    };
    let mut group = c.benchmark_group("phases");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(part.arguments()));
    #[expect(clippy::expect_used, reason = "a piece that fits every engine")]
    let search = |backend: &dyn Backend| backend.search(&part, &Interrupt::new()).expect("a search");
    let answer = search(&*scalar(ScalarEngine::Regular)).candidates;
    for backend in [
        scalar(ScalarEngine::Regular),
        scalar(ScalarEngine::Lefevre),
        lanes(SimdEngine::Regular),
        lanes(SimdEngine::Lefevre),
    ] {
        assert_eq!(search(&*backend).candidates, answer, "{}", backend.name());
        for (i, (phase, _)) in Phases::default().named().into_iter().enumerate() {
            group.bench_function(BenchmarkId::new(backend.name(), phase), |b| {
                b.iter_custom(|times| {
                    (0..times).map(|_| search(&*backend).phases.named()[i].1.time).sum::<Duration>()
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, existence_tests, generation, mpfr, batches, phases);
criterion_main!(benches);
