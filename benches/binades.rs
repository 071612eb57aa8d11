//! The walk in the best lanes where functions bend differently: arguments per second, polynomial
//! tables included.
//!
//! `cargo bench -p tmd-benches --bench binades`; `2^52/throughput` is the core time of a binade of
//! doubles.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tmd_benches::piece;
use tmd_core::{Backend, Interrupt};
use tmd_simd::{Level, Simd};

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("binades");
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));
    for (function, from, log2) in [
        ("exp", "1", 40),
        ("exp", "2^-10", 40),
        ("exp", "16", 38),
        ("exp", "128", 36),
        ("log", "1.5", 38),
        ("log", "1+2^-10", 33),
        ("sin", "0.5", 38),
        ("cos", "1", 38),
        ("exp2", "1", 38),
    ] {
        let piece = piece(function, from, 1 << log2, 53);
        let search =
            |level| Simd::farey(level).search(&piece, &Interrupt::new()).map(|found| found.candidates);
        let answer = search(Level::best());
        group.throughput(Throughput::Elements(piece.arguments()));
        for level in Level::available().into_iter().filter(|level| level.name() != "portable") {
            assert_eq!(search(level), answer, "{function} at {from}");
            let name = BenchmarkId::new(format!("{function} at {from}"), level);
            group.bench_function(name, |b| b.iter(|| search(level)));
        }
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
