//! Quotients: the tests by LOGMS on a part of I₀, scalar and in lanes, and the divisions by
//! themselves.
//!
//! `cargo bench -p tmd-benches --bench division`; throughput in arguments and in divisions per
//! second.

use std::{hint::black_box, time::Duration};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tmd_benches::{operands::euclid, piece};
use tmd_core::{
    Backend, Interrupt, Scalar, ScalarEngine,
    exist::{Logms, NoProbe},
};
use tmd_simd::{Divisions, Level, Simd, SimdEngine};

/// Never by subtraction, the papers' threshold, always.
const THRESHOLDS: [Logms; 3] = [Logms::INSTRUCTION, Logms::PAPERS, Logms::SUBTRACTION];

fn tests(c: &mut Criterion) {
    let mut group = c.benchmark_group("LOGMS");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    #[expect(clippy::expect_used, reason = "2^32 of 2^40 arguments")]
    let part = piece("exp", "1", 1 << 40, 54).part(0, 1 << 32).expect("a part");
    let candidates =
        |backend: &dyn Backend| backend.search(&part, &Interrupt::new()).map(|outcome| outcome.candidates);
    let answer = candidates(&Simd::farey(Level::best()));
    let domain_size = Some(1 << 15);
    group.throughput(Throughput::Elements(part.arguments()));
    for logms in THRESHOLDS {
        let scalar = |engine| Box::new(Scalar { engine, logms, domain_size }) as Box<dyn Backend>;
        let simd = |engine| {
            let simd = Simd::new(engine, Level::best()).with_logms(logms).with_domain_size(domain_size);
            Box::new(simd) as Box<dyn Backend>
        };
        for backend in [
            scalar(ScalarEngine::Regular),
            scalar(ScalarEngine::Lefevre),
            simd(SimdEngine::Regular),
            simd(SimdEngine::Lefevre),
            simd(SimdEngine::LefevreSwap),
        ] {
            // a fast wrong answer is not worth measuring
            assert_eq!(candidates(&*backend), answer, "{} at {}", backend.name(), logms.bits());
            group.bench_function(BenchmarkId::new(backend.name(), logms.bits()), |b| {
                b.iter(|| candidates(&*backend));
            });
        }
    }
    group.finish();
}

fn divisions(c: &mut Criterion) {
    let mut group = c.benchmark_group("divisions");
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    let pairs = euclid(1024);
    let instruction = |pairs: &[(u64, u64)]| pairs.iter().map(|(x, y)| x / y).sum::<u64>();
    let hybrid = |pairs: &[(u64, u64)]| {
        pairs.iter().map(|&(x, y)| Logms::PAPERS.div_rem(x, y, 1 << 15, &mut NoProbe).0).sum::<u64>()
    };
    let answer = instruction(&pairs);
    assert_eq!(hybrid(&pairs), answer);
    group.throughput(Throughput::Elements(pairs.len() as u64));
    group.bench_function("instruction", |b| b.iter(|| instruction(black_box(&pairs))));
    group.bench_function("hybrid", |b| b.iter(|| hybrid(black_box(&pairs))));
    for level in Level::available() {
        #[expect(clippy::expect_used, reason = "the operands are the tests'")]
        let divisions = Divisions::new(level, &pairs).expect("operands of the tests");
        for logms in [Logms::INSTRUCTION, Logms::PAPERS] {
            assert_eq!(divisions.sum(logms), answer, "{level} at {}", logms.bits());
            group.bench_function(BenchmarkId::new(level.name(), logms.bits()), |b| {
                b.iter(|| black_box(&divisions).sum(black_box(logms)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, tests, divisions);
criterion_main!(benches);
