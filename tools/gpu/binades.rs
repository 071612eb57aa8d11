//! The binades of the papers by the walk: whole on a GPU, samples on a software adapter and where
//! it must be quick.

use std::time::Duration;

use tmd_driver::Outcome;

use super::{
    measure::{Bench, Engine, Setup, backend, same_list},
    question::BinadePart,
    report::Report,
};
use crate::ToolError;
use crate::figures::table::{Table, count, or_none, percent, seconds, three_digits};

/// A binade, and how much of it a software adapter searches.
struct Binade {
    name: &'static str,
    whole: BinadePart,
    log2_sample: u32,
    /// the papers' two seconds for it: polynomials and regular search
    papers: [f64; 2],
}

const fn binade(name: &'static str, whole: (u32, u32, u32), log2_sample: u32, papers: [f64; 2]) -> Binade {
    let (from, precision, log2_arguments) = whole;
    Binade {
        name,
        whole: BinadePart { from, precision, log2_arguments, extra_bits: 43 },
        log2_sample,
        papers,
    }
}

const BINADES: [Binade; 2] = [
    binade("[1, 2), 54 bits", (1, 54, 53), 44, [785.14, 711.8]),
    binade("[128, 256), 53 bits", (128, 53, 52), 38, [1612.03, 47_356.01]),
];

/// What one search was, in cells.
fn cells(found: &Outcome, log2_whole: u32, refused: u64) -> Vec<String> {
    let kernels: Duration = found.kernels.iter().map(|kernel| kernel.time).sum();
    let named = |name: &str| {
        found.kernels.iter().filter(|kernel| kernel.name == name).map(|kernel| kernel.time).sum::<Duration>()
    };
    let whole = f64::from(log2_whole).exp2();
    let scaled = if found.searched == 1 << log2_whole {
        "measured".into()
    } else {
        format!("scaled: {}", seconds(found.elapsed.mul_f64(whole / (found.searched as f64).max(1.0))))
    };
    let busy = found.backends.iter().find_map(|share| share.busy);
    vec![
        count(found.searched as u64),
        seconds(found.elapsed),
        scaled,
        or_none(busy, |busy| percent(busy, found.elapsed)),
        seconds(kernels),
        percent(named("generate"), kernels),
        seconds(found.phases.exhaust.time),
        seconds(found.taylor.time),
        seconds(found.confirm.time),
        found.cases.len().to_string(),
        count(refused),
    ]
}

pub(crate) fn binades(bench: &Bench, report: &mut Report) {
    let columns = "exp on | streams | arguments searched | wall s | whole binade | device busy | \
                   kernels s | generation | enumeration s | Taylor s | confirm s | cases | refused | papers s";
    let mut table = Table::new("Binades by the walk", columns);
    match (bench.is_software(), bench.arguments.quick) {
        (true, _) => table.note("SOFTWARE adapter: samples from the beginning of each binade, scaled."),
        (false, true) => table.note("`--quick`: samples from the beginning of each binade, scaled."),
        (false, false) => {}
    }
    table.note(
        "`--rounding directed --extra-bits 43`, whole searches. *streams* are threads per device: with one, the device waits for \
         every transfer and all that the host does; *device busy* is the share of the wall time with work submitted to it. *enumeration*, *Taylor* and *confirm* (MPFR) are CPU \
         time summed over threads; *refused* are arguments that the kernel left to the CPU; *papers* are polynomials + regular search \
         on a C2070 (2016, Table V; 2^53 arguments in either binade, Table VI). A search ended by the time limit is scaled.",
    );
    for Binade { name, whole, log2_sample, papers } in BINADES {
        let log2_arguments = match (bench.is_software(), bench.arguments.quick) {
            (false, false) => whole.log2_arguments,
            (false, true) => log2_sample + 4,
            (true, false) => log2_sample,
            (true, true) => log2_sample - 4,
        };
        let question = BinadePart { log2_arguments, ..whole };
        let streams: &[usize] = if bench.arguments.quick || whole.from > 1 { &[2] } else { &[2, 1, 4, 8] };
        for &streams in streams {
            let search = || -> Result<Vec<String>, ToolError> {
                bench.in_time()?;
                let device =
                    backend(&bench.gpu, Engine::Farey, &Setup::new(bench.shape), bench.refused.clone())?;
                let found = question.on_gpu(&*device, streams, bench.deadline)?;
                let refused = bench.refused.take();
                if found.searched == 0 {
                    return Err(ToolError::not_measured("out of time"));
                }
                let mut cells = cells(&found, whole.log2_arguments, refused);
                cells.push(papers.map(three_digits).join(" + "));
                Ok(cells)
            };
            report.row(&mut table, vec![name.into(), streams.to_string()], search());
        }
        table.note(check(bench, question, name, report));
    }
    report.table(table);
}

/// What the walk finds at the beginning of the interval, with so few extra bits that there is
/// something to find, against the CPU's list.
fn check(bench: &Bench, question: BinadePart, name: &str, report: &mut Report) -> String {
    let log2_arguments = question.log2_arguments.min(44);
    // 2^5 cases are expected
    let question = BinadePart { log2_arguments, extra_bits: log2_arguments - 4, ..question };
    let same = || -> Result<Vec<String>, ToolError> {
        bench.in_time()?;
        let device = backend(&bench.gpu, Engine::Farey, &Setup::new(bench.shape), bench.refused.clone())?;
        let here = question.on_gpu(&*device, 2, bench.deadline)?;
        let there = question.on_cpu(bench.deadline)?;
        bench.refused.take();
        if here.searched < here.arguments || there.searched < there.arguments {
            return Err(ToolError::not_measured("out of time"));
        }
        same_list("cases", &here.cases, &there.cases)?;
        if here.cases.is_empty() {
            return Err(ToolError::failed("WRONG LIST: no cases"));
        }
        Ok(vec![format!("{} cases, the CPU walk's list", here.cases.len())])
    };
    let found = report.cells(same()).concat();
    format!("{name}, first 2^{log2_arguments} arguments, {} extra bits: {found}.", question.extra_bits)
}
