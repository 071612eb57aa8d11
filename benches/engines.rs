//! Engines against each other on a part of the papers' interval: 2^36 of the 2^40 arguments of I₀,
//! in one run.
//!
//! `cargo bench -p tmd-benches --bench engines`; the throughput is in arguments per second.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tmd_benches::piece;
use tmd_core::{Backend, Interrupt, Piece, Scalar, ScalarEngine, exist::Logms};
use tmd_simd::{Level, Simd, SimdEngine};

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("I0");
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));
    let scalar = |engine, domain_size| Scalar { engine, logms: Logms::default(), domain_size };
    let whole = piece("exp", "1", 1 << 40, 54);
    let candidates =
        |backend: &dyn Backend, piece: &Piece| backend.search(piece, &Interrupt::new()).map(|o| o.candidates);
    #[expect(clippy::expect_used, reason = "2^36 of 2^40 arguments")]
    let part = whole.part(0, 1 << 36).expect("a part");
    let answer = candidates(&scalar(ScalarEngine::Regular, None), &part);
    let mut run = |name: &str, backend: &dyn Backend, piece: &Piece| {
        // a fast wrong answer is not worth measuring
        assert_eq!(candidates(backend, &part), answer, "{name}");
        group.throughput(Throughput::Elements(piece.arguments()));
        group.bench_with_input(BenchmarkId::from_parameter(name), piece, |b, piece| {
            b.iter(|| candidates(backend, piece));
        });
    };
    for level in Level::available() {
        run(&format!("farey {level}"), &Simd::farey(level), &whole);
    }
    for engine in [SimdEngine::Regular, SimdEngine::Lefevre, SimdEngine::LefevreSwap] {
        for level in Level::available().into_iter().filter(|level| level.name() != "portable") {
            run(&format!("{} {level}", engine.name()), &Simd::new(engine, level), &whole);
        }
    }
    run("scalar farey", &scalar(ScalarEngine::Farey, None), &part);
    run("scalar regular", &scalar(ScalarEngine::Regular, None), &part);
    run("scalar regular, N = 2^15", &scalar(ScalarEngine::Regular, Some(1 << 15)), &part);
    run("scalar lefevre, N = 2^15", &scalar(ScalarEngine::Lefevre, Some(1 << 15)), &part);
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
