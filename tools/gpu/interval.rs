//! I₀ by every engine: kernel by kernel, whole searches, and beside the papers' figures.

use tmd_core::exist::Logms;
use tmd_gpu::{ExistenceTest, Kernels};

use super::{
    measure::{Bench, Engine, Sample, Setup, backend},
    question::{BinadePart, CASES},
    report::Report,
};
use crate::ToolError;
use crate::figures::table::{NONE, Table, milliseconds, or_none, three_digits};

/// The title of the table of the papers' phases.
pub const PAPERS_PHASES: &str = "The papers' phases beside ours, at their N";

/// How the phases are spread over kernels.
const DEPLOYMENTS: [(&str, Kernels); 3] =
    [("three, atomics", Kernels::Atomics), ("three, prefix sums", Kernels::PrefixSum), ("one", Kernels::One)];

pub(crate) fn engines(bench: &Bench, report: &mut Report) {
    kernels(bench, report);
    searches(bench, report);
    beside_the_papers(bench, report);
}

fn kernels(bench: &Bench, report: &mut Report) {
    let mut table = Table::new("I₀ by engine, kernel by kernel", "engine | kernels")
        .with_columns(Sample::COLUMNS.split(" | "));
    table.note(bench.what());
    table.note(
        "One search of the piece; N as the cost model chooses. By atomics, compaction is a part of the kernels before it; \
         one kernel has all phases under *test*. *wall* adds what the host does before and after; *generation* is the \
         share of `generate` in the kernels' time.",
    );
    for engine in Engine::ALL {
        let deployments =
            if engine == Engine::Farey { &[("walk", DEPLOYMENTS[0].1)] } else { &DEPLOYMENTS[..] };
        for &(name, kernels) in deployments {
            // a software adapter leaves the long loops of larger domains early
            let is_small = bench.is_software() && kernels == Kernels::One;
            let domain_size = is_small.then_some(1 << 15);
            let setup = Setup { domain_size, kernels, ..Setup::new(bench.shape) };
            let cells = bench.sample(engine, &setup).map(|sample| sample.cells());
            report.row(&mut table, vec![engine.name().into(), name.into()], cells);
        }
    }
    report.table(table);
}

fn searches(bench: &Bench, report: &mut Report) {
    let mut table = Table::new("I₀ by engine, whole searches", "engine | cases | wall ms | kernels ms");
    let question = BinadePart::interval(bench.part.piece.arguments().ilog2());
    table.note(format!(
        "{} One run each: Taylor polynomials, search and confirmation by MPFR. Each list of cases is compared with the \
         CPU walk's{}.",
        bench.what().split(" Best").next().unwrap_or_default(),
        if question.log2_arguments == 40 { ", and must have 243" } else { "" }
    ));
    let expected = question.on_cpu(bench.deadline).map(|found| found.cases);
    for engine in Engine::ALL {
        let search = || -> Result<Vec<String>, ToolError> {
            bench.in_time()?;
            let expected = expected.as_ref().map_err(ToolError::again)?;
            let device = backend(&bench.gpu, engine, &Setup::new(bench.shape), bench.refused.clone())?;
            let found = question.on_gpu(&*device, 2, bench.deadline)?;
            if found.searched < found.arguments {
                return Err(ToolError::not_measured("out of time"));
            }
            let has_count = question.log2_arguments != 40 || found.cases.len() == CASES;
            if found.cases != *expected || !has_count {
                let (here, there) = (found.cases.len(), expected.len());
                return Err(ToolError::failed(format!(
                    "WRONG LIST: {here} cases, {there} by the CPU's walk"
                )));
            }
            let kernels = found.kernels.iter().map(|kernel| kernel.time).sum();
            Ok(vec![found.cases.len().to_string(), milliseconds(found.elapsed), milliseconds(kernels)])
        };
        report.row(&mut table, vec![engine.name().into()], search());
    }
    bench.refused.take();
    report.table(table);
}

/// A figure of the papers for I₀, in milliseconds on one C2070: phases 1, 2, 3 and all of them.
struct Papers {
    what: &'static str,
    source: &'static str,
    phases: Option<[f64; 3]>,
    total: f64,
    test: ExistenceTest,
    kernels: Kernels,
}

/// [1, 2) has 2^53 arguments, I₀ 2^40.
const PARTS: f64 = 8192.0;

/// From seconds for [1, 2) to milliseconds for 2^40 of its arguments.
const fn of_binade(seconds: f64) -> f64 {
    seconds * 1e3 / PARTS
}

/// Phases that are not printed are `None`.
fn papers() -> [Papers; 8] {
    use ExistenceTest::{LefevreDivision as LEFEVRE, LefevreSwap as SWAP, RegularUnrolled as REGULAR};
    let three = Kernels::Atomics;
    let lefevre = [2372.60, 61.31, 11.02].map(of_binade);
    let regular = [583.97, 91.41, 35.17].map(of_binade);
    let of_all = |phases: [f64; 3]| (Some(phases), phases.iter().sum());
    [
        ("Lefèvre, one kernel", "2012, Table II", (None, 348.0), LEFEVRE, Kernels::One),
        ("Lefèvre, three kernels", "2012, Table II", (Some([258.0, 6.0, 1.0]), 265.0), LEFEVRE, three),
        ("Lefèvre with swap, three kernels", "2012, section IV.B", (None, 249.0), SWAP, three),
        ("Lefèvre, three kernels", "2016, Table VI(a) / 2^13", of_all(lefevre), LEFEVRE, three),
        ("regular, three kernels", "2016, Table VI(a) / 2^13", of_all(regular), REGULAR, three),
        ("Lefèvre, three kernels, OpenCL", TABLE_5_1, (Some([246.0, 6.0, 1.0]), 253.0), LEFEVRE, three),
        ("regular, three kernels, CUDA", TABLE_5_1, (Some([74.0, 10.0, 3.0]), 86.0), REGULAR, three),
        ("regular, three kernels, OpenCL", TABLE_5_1, (Some([69.0, 8.0, 3.0]), 81.0), REGULAR, three),
    ]
    .map(|(what, source, (phases, total), test, kernels)| Papers {
        what,
        source,
        phases,
        total,
        test,
        kernels,
    })
}

const TABLE_5_1: &str = "SIMD 2016, Table 5.1";

fn beside_the_papers(bench: &Bench, report: &mut Report) {
    let columns = "search | source | theirs: phase 1 | phase 2 | phase 3 | phases ms | \
                   ours: phase 1 | phase 2 | phase 3 | phases ms | theirs / ours";
    let mut table = Table::new(PAPERS_PHASES, columns);
    table.note(bench.what());
    table.note(
        "Theirs: NVIDIA C2070, milliseconds for the 2^40 arguments of I₀; their figures for [1, 2) (2^53 arguments) are \
         divided by 2^13. Ours: N = 2^15, LOGMS 3, failing domains listed by atomics; generation, which their phases do not contain \
         either, is left out (theirs: 785.14 s for [1, 2) by Table V of 2016, 95.8 ms for I₀).",
    );
    let is_whole = bench.part.piece.arguments() == super::question::ARGUMENTS;
    for Papers { what, source, phases, total, test, kernels } in papers() {
        let theirs = phases.map_or([NONE; 3].map(String::from), |times| times.map(three_digits));
        let names = [&[what.into(), source.into()], &theirs[..], &[three_digits(total)]].concat();
        let ours = || -> Result<Vec<String>, ToolError> {
            let logms = Logms::new(3)?;
            let setup = Setup { domain_size: Some(1 << 15), logms, kernels, ..Setup::new(bench.shape) };
            let sample = bench.sample(Engine::Phases(test), &setup)?;
            let times = [sample.test(), sample.time(&["refine"]), sample.time(&["exhaust"])];
            let sum: std::time::Duration = times.iter().flatten().sum();
            let mut cells: Vec<String> = times.iter().map(|time| or_none(*time, milliseconds)).collect();
            cells.push(if sum.is_zero() { NONE.into() } else { milliseconds(sum) });
            let ratio = total / (sum.as_secs_f64() * 1e3);
            // a part is no I₀
            cells.push(if is_whole { three_digits(ratio) } else { NONE.into() });
            Ok(cells)
        };
        report.row(&mut table, names, ours());
    }
    report.table(table);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_sums() {
        let [one, three, swap, lefevre, regular, opencl @ ..] = papers();
        assert!(three.phases.is_some_and(|times| times.iter().sum::<f64>() == three.total));
        assert!(swap.total < three.total && three.total < one.total);
        // Table 5.1 rounds to milliseconds
        for figure in opencl {
            let sum: f64 = figure.phases.unwrap().iter().sum();
            assert!((sum - figure.total).abs() <= 1.0, "{}: {sum}", figure.what);
        }
        // Table V: 2,446.78 s and 711.8 s with what lies between the phases
        for (sum, binade) in [(lefevre.total, 2446.78), (regular.total, 711.8)] {
            let whole = sum * PARTS / 1e3;
            assert!(whole < binade && whole > 0.99 * binade, "{whole}");
        }
    }
}
