//! Whole searches, Taylor polynomials and confirmation by MPFR included: I₀ for several extra bits
//! and threads.
//!
//! `cargo bench -p tmd-benches --bench search`

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{Search, Workers};
use tmd_functions::{parse, parse_number};
use tmd_simd::{Level, Simd};

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));
    #[expect(clippy::expect_used, reason = "valid questions")]
    let mut run = |name: &str, to: &str, extra_bits: u32, threads: usize| {
        let function = parse("exp").expect("a function");
        let arguments = Format::BINARY64.with_precision(54).expect("a precision");
        let problem = Problem::new(arguments, Format::BINARY64, Breakpoints::Directed, extra_bits);
        let walk = Simd::farey(Level::best());
        let search = Search {
            function: &function,
            from: parse_number("1").expect("a number"),
            to: parse_number(to).expect("a number"),
            problem: problem.expect("a problem"),
            workers: Workers::cpu(&walk, threads),
        };
        group.throughput(Throughput::Elements(search.ranges().expect("an interval").0 as u64));
        group.bench_function(BenchmarkId::new(name, format!("{extra_bits} bits, {threads} threads")), |b| {
            b.iter(|| search.run(&(), &Interrupt::new()).map(|found| found.cases.len()));
        });
    };
    for extra_bits in [30, 33, 40, 50] {
        run("I0", "1+2^-13", extra_bits, 1);
    }
    for threads in [1, 2] {
        run("16 I0", "1+2^-9", 37, threads);
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
