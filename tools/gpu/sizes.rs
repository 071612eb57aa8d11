//! Sizes that change how fast, and never what is found: workgroups, invocations, domains, LOGMS.

use tmd_core::{Phases, exist::Logms};
use tmd_gpu::Shape;

use super::{
    LogmsPoint,
    measure::{Bench, Engine, Setup},
    report::Report,
};
use crate::ToolError;
use crate::figures::table::{NONE, Table, count, milliseconds, or_none, thousands};

/// LOGMS that are measured, the telling ones first: there may not be time for all.
fn logms(is_quick: bool) -> Vec<u32> {
    let telling = [3, 0, 8, 64, 1, 2, 4, 5, 6, 12, 16, 24, 32, 48];
    if is_quick {
        return telling[..3].to_vec();
    }
    let others = (0..=64).filter(|bits| !telling.contains(bits));
    telling.into_iter().chain(others).collect()
}

pub(crate) fn sizes(bench: &Bench, report: &mut Report) {
    workgroups(bench, report);
    invocations(bench, report);
    domains(bench, report);
}

/// Kernel time by workgroup size: a row for each, a column for each kind of engine.
fn workgroups(bench: &Bench, report: &mut Report) {
    let mut table = by_kind("Workgroup sizes (the papers' block sizes)", "invocations of a workgroup");
    table.note(bench.what());
    table.note(
        "Milliseconds in all kernels and, for three kernels, in those of phases 1, 2 and 3, whose best sizes the papers found to \
         differ; N as the cost model chooses.",
    );
    let sizes: &[u32] = if bench.arguments.quick { &[32, 256] } else { &[32, 64, 128, 256, 512] };
    let most = bench.gpu.summary().limits.invocations_per_workgroup;
    for &workgroup in sizes.iter().filter(|&&size| size <= most) {
        let shape = Shape { workgroup, ..bench.shape };
        let cells = by_engine(report, |engine| Ok(bench.sample(engine, &Setup::new(shape))?.by_phase()));
        table.row([vec![workgroup.to_string()], cells].concat());
    }
    report.table(table);
}

/// Kernel time by the number of invocations that a piece is spread over.
fn invocations(bench: &Bench, report: &mut Report) {
    let mut table = by_kind("Domains per invocation", "invocations");
    table.note(bench.what());
    table.note("Milliseconds in all kernels, and domains per invocation at that size.");
    let eighths: &[u32] = if bench.arguments.quick { &[4, 16] } else { &[1, 2, 4, 8, 16, 32, 64] };
    for &eighth in eighths {
        let invocations =
            (bench.shape.invocations / 8).saturating_mul(eighth).clamp(1, bench.shape.most_invocations);
        let shape = Shape { invocations, ..bench.shape };
        let cells = by_engine(report, |engine| {
            let sample = bench.sample(engine, &Setup::new(shape))?;
            let domains = sample.phases.test.domains_in;
            let each = (domains as f64 / f64::from(invocations)).max(1.0);
            Ok(format!("{} ({each:.0})", milliseconds(sample.total())))
        });
        table.row([vec![count(invocations.into())], cells].concat());
    }
    report.table(table);
}

/// The walk by domain size.
fn domains(bench: &Bench, report: &mut Report) {
    let columns = "N | domains | enumerated | kernels ms | enumeration ms | wall ms";
    let mut table = Table::new("Domain sizes of the walk", columns);
    table.note(bench.what());
    table.note("*enumeration* is the enumeration of flagged domains, by one thread of the CPU; 0 stands for the cost model's choice.");
    let thousands_of: &[u64] = if bench.arguments.quick {
        &[0, 150]
    } else {
        &[0, 60, 90, 120, 150, 180, 210, 240, 270, 300, 360, 420]
    };
    for &n in thousands_of {
        let domain_size = (n > 0).then_some(1000 * n);
        let cells =
            bench.sample(Engine::Farey, &Setup { domain_size, ..Setup::new(bench.shape) }).map(|sample| {
                let Phases { test, exhaust, .. } = sample.phases;
                let counts = [test.domains_in, exhaust.domains_in].map(thousands);
                let times = [sample.total(), exhaust.time, sample.wall].map(milliseconds);
                [&counts[..], &times].concat()
            });
        report.row(&mut table, vec![thousands(1000 * n)], cells);
    }
    report.table(table);
}

/// Phase 1 and all kernels by LOGMS.
pub(crate) fn logms_sweep(bench: &Bench, report: &mut Report) {
    let columns = "LOGMS | lefevre: test ms | lefevre: kernels ms | regular: test ms | regular: kernels ms";
    let mut table = Table::new("LOGMS: when a quotient is divided rather than subtracted", columns);
    table.note(bench.what());
    table.note(
        "0 divides always, 64 never; the papers' best is 3 (2012, Figure 4). N as the cost model chooses.",
    );
    let mut rows = Vec::new();
    for bits in logms(bench.arguments.quick) {
        let mut row = vec![bits.to_string()];
        for engine in [Engine::KINDS[2], Engine::KINDS[1]] {
            let mut point = None;
            let mut measured = || -> Result<Vec<String>, ToolError> {
                let setup = Setup { logms: Logms::new(bits)?, ..Setup::new(bench.shape) };
                let sample = bench.sample(engine, &setup)?;
                point = Some(LogmsPoint { engine: engine.name(), logms: bits, time: sample.total() });
                Ok(vec![or_none(sample.test(), milliseconds), milliseconds(sample.total())])
            };
            let mut cells = report.cells(measured());
            cells.resize(2, NONE.into());
            row.extend(cells);
            report.figures.logms.extend(point);
        }
        rows.push((bits, row));
    }
    rows.sort_unstable();
    for (_, row) in rows {
        table.row(row);
    }
    report.table(table);
}

/// A table with a column for each kind of engine.
fn by_kind(title: &str, first: &str) -> Table {
    Table::new(title, first).with_columns(Engine::KINDS.map(Engine::name))
}

/// One cell for each kind of engine.
fn by_engine(report: &mut Report, measured: impl Fn(Engine) -> Result<String, ToolError>) -> Vec<String> {
    Engine::KINDS.map(|engine| report.cells(measured(engine).map(|cell| vec![cell])).concat()).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_logms_once() {
        let mut all = logms(false);
        all.sort_unstable();
        assert_eq!(all, (0..=64).collect::<Vec<_>>());
        assert_eq!(logms(true), [3, 0, 8]);
        assert!(all.iter().all(|&bits| Logms::new(bits).is_ok()));
    }
}
