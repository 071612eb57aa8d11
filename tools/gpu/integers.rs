//! Emulated against native integers, and the operations of the walk against the chip's rate.

use tmd_gpu::{AdapterChoice, Gpu, Integers};
use tmd_shaders::{Integers as Variant, Kernel};

use super::{
    measure::{Bench, Engine, Sample, Setup, backend},
    operations::{Operations, per_turn},
    report::Report,
};
use crate::ToolError;
use crate::figures::table::{NONE, Table, count, milliseconds, thousands, three_digits};

impl Bench {
    /// The same adapter, opened for other integers.
    fn opened(&self, integers: Integers) -> Result<Gpu, ToolError> {
        Ok(Gpu::open(&AdapterChoice::Index(self.gpu.summary().index), integers)?)
    }

    /// The best samples with emulated and native integers, taken in turns.
    fn pair(&self, engine: Engine, gpus: &[Gpu; 2]) -> Result<[Sample; 2], ToolError> {
        self.in_time()?;
        // the same N for both: the walk's cost model would choose by what it was told
        let setup = Setup::new(self.shape);
        let [emulated, native] = gpus;
        let backends = [
            backend(emulated, engine, &setup, self.refused.clone())?,
            backend(native, engine, &setup, self.refused.clone())?,
        ];
        let mut best: [Option<Sample>; 2] = [None, None];
        // the first round warms up
        for round in 0..=self.times() {
            for (backend, best) in backends.iter().zip(&mut best) {
                let sample = self.once(&**backend)?;
                if round > 0 && best.as_ref().is_none_or(|best| sample.total() < best.total()) {
                    *best = Some(sample);
                }
            }
        }
        match best {
            [Some(emulated), Some(native)] => Ok([emulated, native]),
            _ => Err(ToolError::failed("nothing was measured")),
        }
    }
}

/// Emulated against native integers, engine by engine.
pub(crate) fn integers(bench: &Bench, report: &mut Report) {
    let columns = "engine | emulated: kernels ms | native: kernels ms | emulated / native | in the test";
    let mut table = Table::new("Emulated against native integers", columns);
    table.note(bench.what());
    table.note("Same sizes, taken in turns; *in the test* is the ratio of phase 1 (the walk) alone.");
    let gpus = || -> Result<[Gpu; 2], ToolError> {
        Ok([bench.opened(Integers::Emulated)?, bench.opened(Integers::Native)?])
    };
    match gpus() {
        Ok(gpus) => {
            for engine in Engine::ALL {
                let cells = bench.pair(engine, &gpus).map(|[emulated, native]| {
                    let ratio = emulated.total().as_secs_f64() / native.total().as_secs_f64();
                    let test = emulated.test().zip(native.test());
                    let test = test.map_or(f64::NAN, |(x, y)| x.as_secs_f64() / y.as_secs_f64());
                    let times = [emulated.total(), native.total()].map(milliseconds);
                    [times, [ratio, test].map(three_digits)].concat()
                });
                report.row(&mut table, vec![engine.name().into()], cells);
            }
        }
        // not every adapter has them
        Err(error) => table.note(format!("Not measured: {error}")),
    }
    report.table(table);
}

/// Operations per domain of the walk against the chip's rate.
pub(crate) fn roofline(bench: &Bench, report: &mut Report) {
    let columns = "integers | operations per domain | N | domains | kernel ms | ns per domain | \
                   10^12 operations per second | of the chip's rate";
    let mut table = Table::new("The walk against the chip's rate", columns);
    table.note(bench.what());
    table.note(
        "Operations on 32-bit words in one turn of the kernel's loop, counted in the WGSL with functions entered and constants \
         folded: the cheapest way through, and both sides of every branch; inner loops one turn. A division counts 20; a \
         64-bit operation 2, a shift 3, a product 4. The device's compiler may need fewer, or more. Time is of the kernel `walk` alone.",
    );
    match bench.arguments.int_ops_per_second {
        Some(rate) => table.note(format!("The chip's rate, as given: {rate:e} operations per second.")),
        None => table.note("The chip's rate: not given (`--int-ops-per-second`)."),
    }
    for (name, integers, variant) in
        [("emulated", Integers::Emulated, Variant::Emulated), ("native", Integers::Native, Variant::Native)]
    {
        let measured = || -> Result<Vec<String>, ToolError> {
            bench.in_time()?;
            let operations =
                per_turn(&Kernel::Walk.source(variant), Kernel::Walk.name()).map_err(ToolError::failed)?;
            let gpu = match bench.opened(integers) {
                Err(_) if integers == Integers::Native && !bench.gpu.summary().features.native_integers => {
                    return Err(ToolError::not_measured("the adapter has none"));
                }
                gpu => gpu?,
            };
            let device = backend(&gpu, Engine::Farey, &Setup::new(bench.shape), bench.refused.clone())?;
            let sample = bench.best(&*device)?;
            Ok(against(&sample, operations, bench.arguments.int_ops_per_second))
        };
        report.row(&mut table, vec![name.into()], measured());
    }
    report.table(table);
}

/// The cells of a row of the roofline.
fn against(sample: &Sample, operations: Operations, rate: Option<f64>) -> Vec<String> {
    let Operations { fewest, most } = operations;
    let domains = sample.phases.test.domains_in;
    let mut cells = vec![format!("{fewest} to {most}"), count(sample.domain_size), thousands(domains)];
    let Some(time) = sample.test() else {
        cells.push(NONE.into());
        return cells;
    };
    let seconds = time.as_secs_f64();
    let per_second = [fewest, most].map(|operations| (operations * domains) as f64 / seconds);
    cells.push(milliseconds(time));
    cells.push(three_digits(seconds * 1e9 / domains as f64));
    cells.push(format!("{} to {}", three_digits(per_second[0] / 1e12), three_digits(per_second[1] / 1e12)));
    cells.push(rate.map_or_else(
        || "rate not given".into(),
        |rate| format!("{:.0} % to {:.0} %", 100.0 * per_second[0] / rate, 100.0 * per_second[1] / rate),
    ));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tmd_core::KernelTime;

    #[test]
    fn rates() {
        let time = Duration::from_millis(2);
        let kernels = vec![KernelTime { name: "walk".into(), time, invocations: 1 }];
        let mut sample = Sample { kernels, domain_size: 200_000, ..Sample::default() };
        sample.phases.test.domains_in = 5_000_000;
        let operations = Operations { fewest: 200, most: 400 };
        let cells = against(&sample, operations, Some(1e12));
        assert_eq!(
            cells,
            ["200 to 400", "200,000", "5,000,000", "2.00", "0.400", "0.500 to 1.00", "50 % to 100 %"]
        );
        assert_eq!(against(&sample, operations, None)[6], "rate not given");
        sample.kernels.clear();
        assert_eq!(against(&sample, operations, None)[3..], [NONE]);
    }
}
