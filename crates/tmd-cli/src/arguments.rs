//! The command line, and from its words to the driver's types.

use std::{num::NonZero, path::PathBuf, thread::available_parallelism};

use clap::{Args, Parser, Subcommand, ValueEnum, builder::PossibleValue};
use tmd_core::{Backend, Breakpoints, CoreError, Format, Problem, Scalar, ScalarEngine, exist::Logms};
use tmd_driver::{CpuRole, DriverError, InverseUse, Search, Workers, interval::End};
use tmd_functions::Expression;
use tmd_simd::{CostTable, Level, Simd, SimdEngine};

use crate::destination::Out;
use crate::devices::{GpuIntegers, GpuKernels, adapter, devices, has_hardware_adapter};
use crate::export::{ExportOptions, ReportOptions};
use crate::needs::NeedsOptions;
use crate::output::Failure;
use crate::run::{ResumeOptions, StatusOptions};
use crate::shards::{MergeOptions, ShardOptions, WorkOptions};
use crate::solve::{SolveOptions, Whole};
use crate::test_libm::{TestLibmOptions, WorkerOptions};
use crate::typed::end;
pub(crate) use crate::typed::{extra_bits, function, mode, number};
use crate::verify::VerifyOptions;

/// Hardest-to-round cases of elementary functions: find them all, check one.
#[derive(Parser)]
#[command(version, propagate_version = true, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Find every argument of an interval whose result is close to a rounding breakpoint
    Search(SearchOptions),
    /// Solve the dilemma of a function over its whole domain, with a certificate
    Solve(SolveOptions),
    /// Continue a run that tmd solve --run began; several processes may do so at once
    Resume(ResumeOptions),
    /// Say how far a run is, and how long it will take
    Status(StatusOptions),
    /// Prepare a run for machines that share no more than its directory, or a copy of it: for tmd
    /// work and tmd merge
    Shard(ShardOptions),
    /// Search the units of one shard of a run, a file for each result
    Work(WorkOptions),
    /// Take the results of shards into a run, and those of other runs of the same question, or
    /// compare them
    Merge(MergeOptions),
    /// Check a certificate
    Verify(VerifyOptions),
    /// Write the certificate of a run, or the cases of a certificate as lists, C or Rust sources,
    /// or tables of the hardest
    Export(ExportOptions),
    /// Write an HTML page about a certificate, with plots
    Report(ReportOptions),
    /// Say how a search would go and how long it would take, without searching
    Plan(PlanOptions),
    /// Print the hardness of one argument or of many, their results in all rounding modes, and
    /// which certificates list them
    Check(CheckOptions),
    /// Say how many bits an implementation's last step needs, what falls through its phases, and
    /// which arguments are exceptions
    Needs(NeedsOptions),
    /// Write a function in full over a 16-bit format, correctly rounded: a look-up table of 65,536
    /// entries
    Table(TableOptions),
    /// Test a function of a library: results and flags in all rounding modes, at hard cases,
    /// special values and random arguments
    TestLibm(TestLibmOptions),
    /// Call a function of a library for tmd test-libm
    #[command(hide = true)]
    LibmWorker(WorkerOptions),
    /// List the GPU adapters of this machine
    Adapters(AdaptersOptions),
}

/// Function and formats, common to all commands.
#[derive(Args)]
pub(crate) struct Target {
    /// Format of arguments and results: binary16, bfloat16, binary32, binary64 or x87
    #[arg(long, default_value = "binary64", conflicts_with = "precision")]
    format: String,
    /// Precision of the results in bits (2 to 64) with exponents from -2^24 to 2^24, instead of a
    /// format
    #[arg(long)]
    precision: Option<u32>,
    /// Precision of the arguments in bits, if it differs from the results'
    #[arg(long)]
    arg_precision: Option<u32>,
    /// Breakpoints of which rounding modes: directed (up, down, to zero: the numbers), nearest
    /// (their midpoints) or all (both)
    #[arg(long, default_value = "all")]
    rounding: String,
}

/// What is asked: a function, formats, a distance.
#[derive(Args)]
pub(crate) struct ProblemOptions {
    /// Function or expression in x: exp, sinpi, "rootn(x,3)", "exp(2*x)+sin(3*x^2)", …
    #[arg(allow_hyphen_values = true)]
    pub(crate) function: String,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Cases are results closer than 2^-M ulp to a breakpoint [default: so that about 50 are
    /// expected]
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = extra_bits)]
    pub(crate) extra_bits: Option<u32>,
    /// Search whole binades of sin, cos, tan, exp and exp10 at once (in plans also all of log and
    /// log10), by the walk in three dimensions: auto (where that is faster), always or never
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) at_once: AtOnce,
}

/// When binades are searched all at once.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AtOnce {
    Auto,
    Always,
    Never,
}

impl From<AtOnce> for InverseUse {
    fn from(when: AtOnce) -> Self {
        match when {
            AtOnce::Auto => Self::WhereFaster,
            AtOnce::Always => Self::WherePossible,
            AtOnce::Never => Self::Never,
        }
    }
}

/// The interval, from ≤ x < to.
#[derive(Args)]
pub(crate) struct Span {
    /// First end of the interval, included: 1, 0.5, 0x1.8p-3, 1+2^-13, -2^-5, -inf, …
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) from: String,
    /// Second end of the interval, excluded
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) to: String,
}

/// The interval, or nothing for the whole domain.
#[derive(Args)]
pub(crate) struct OptionalSpan {
    /// First end of the interval, included [default: the whole domain, as for tmd solve]
    #[arg(long, allow_hyphen_values = true, requires = "to", conflicts_with_all = ["binades", "limit"])]
    pub(crate) from: Option<String>,
    /// Second end of the interval, excluded
    #[arg(long, allow_hyphen_values = true, requires = "from")]
    pub(crate) to: Option<String>,
}

/// How it is searched.
#[derive(Args, Clone)]
pub(crate) struct EngineOptions {
    /// How domains are searched: farey (lane-packed walk), arcs (roots on Farey arcs, and farey
    /// where those are not valid), lefevre, regular, exhaustive,
    /// farey-scalar (exact integers), the papers' tests in lanes (regular-simd,
    /// regular-whole-simd with its last quotient as printed, lefevre-simd, lefevre-swap-simd,
    /// exhaustive-simd) or auto (farey, and regular where it is not valid); on
    /// GPUs farey, lefevre, lefevre-swap, regular, regular-looped or auto. What is searched all at
    /// once is walked by lattice3 in the same lanes, with a scalar engine by lattice3-scalar (exact
    /// integers)
    #[arg(long, default_value = "auto")]
    pub(crate) engine: Engine,
    /// Lanes of the farey, arcs and -simd engines: auto (the best of this machine), avx512 (by two
    /// vectors of AVX2 where there is AVX2 alone), avx2 or portable
    #[arg(long, value_name = "LANES", default_value = "auto")]
    pub(crate) simd: String,
    /// Threshold of the regular and Lefèvre's tests' hybrid division, 0 (never by subtraction) to
    /// 64 (always); in lanes it acts on the -simd engines only
    #[arg(long, value_name = "BITS", default_value_t = 0)]
    pub(crate) logms: u32,
    /// Most arguments per domain [default: by the cost model]
    #[arg(long, value_name = "N")]
    pub(crate) domain_size: Option<u64>,
    /// Table of costs by which the farey engine in lanes chooses N, 1 to 5 (from 3 on flat pieces
    /// are passed over in steps, from 4 on domains may be shorter than 256 arguments, from 5 on
    /// runs may be longer in x87); certificates name it unless it is 1 [default: 5; runs keep
    /// theirs]
    #[arg(long, value_name = "TABLE", value_parser = clap::value_parser!(u32).range(1..=CostTable::ALL.len() as i64))]
    pub(crate) costs: Option<u32>,
    /// Threads of the CPU [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) threads: Option<u32>,
    /// Who searches: cpu, gpu, hybrid (both, from one queue) or auto (gpu if the machine has one
    /// that the engine can use, else cpu)
    #[arg(long, value_name = "WHO", default_value = "cpu")]
    pub(crate) backend: BackendChoice,
    /// GPU by index or name; repeat it to use several side by side [default: the best one]
    #[arg(long, value_name = "INDEX|NAME", value_parser = adapter)]
    pub(crate) adapter: Vec<String>,
    /// 64-bit integers on GPUs: auto (native where there are any), emulated or native
    #[arg(long, value_name = "HOW")]
    pub(crate) gpu_int: Option<GpuIntegers>,
    /// Kernels of the papers' tests on GPUs [default: auto]
    #[arg(long, value_name = "HOW")]
    pub(crate) gpu_kernels: Option<GpuKernels>,
    /// End the search if a GPU fails, with all that was finished, instead of searching on the CPU
    /// what it failed at
    #[arg(long)]
    pub(crate) no_fallback: bool,
}

#[derive(Args)]
#[command(after_help = tmd_driver::report::LEGEND)]
pub(crate) struct SearchOptions {
    #[command(flatten)]
    pub(crate) problem: ProblemOptions,
    #[command(flatten)]
    pub(crate) span: Span,
    #[command(flatten)]
    pub(crate) engine_options: EngineOptions,
    /// Keep the K hardest cases only, the hardest first
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) hardest: Option<u32>,
    /// What to print
    #[arg(long, default_value = "table")]
    pub(crate) output: OutputFormat,
    /// Say on the standard error how far the search is, a line after its first part and then every
    /// half a minute, where that is no terminal (on a terminal a bar does)
    #[arg(long)]
    pub(crate) progress: bool,
    /// Write a witness of a small interval's list to a file: what confirms it without a search
    #[arg(long, value_name = "FILE.json")]
    pub(crate) witness: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) out: Out,
}

#[derive(Args)]
pub(crate) struct PlanOptions {
    #[command(flatten)]
    pub(crate) problem: ProblemOptions,
    #[command(flatten)]
    pub(crate) span: OptionalSpan,
    #[command(flatten)]
    pub(crate) whole: Whole,
    #[command(flatten)]
    pub(crate) engine_options: EngineOptions,
    /// What to print: table or json
    #[arg(long, default_value = "table", hide_possible_values = true)]
    pub(crate) output: TextOutput,
}

#[derive(Args)]
pub(crate) struct CheckOptions {
    /// The argument: a number of the argument format, such as 0x1.d6336a88077aap+0
    #[arg(allow_hyphen_values = true, required_unless_present = "arguments")]
    pub(crate) x: Option<String>,
    /// Arguments from a file, or from the standard input (-): the first word of each line, #
    /// comments; a line is printed for each
    #[arg(long, value_name = "FILE|-", conflicts_with = "x")]
    pub(crate) arguments: Option<PathBuf>,
    /// Folder of certificates in which the argument is looked up [default: `$TMD_DATA`, `tmd` in
    /// the data directories, `results`]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Function or expression in x
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) function: String,
    #[command(flatten)]
    pub(crate) target: Target,
    /// What to print: table or json
    #[arg(long, default_value = "table", hide_possible_values = true)]
    pub(crate) output: TextOutput,
}

#[derive(Args)]
pub(crate) struct TableOptions {
    /// Function or expression in x: exp, "1/x", "exp(2*x)+sin(3*x^2)-3*cos(x)", …
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) function: String,
    /// Format of arguments and results: binary16 or bfloat16
    #[arg(long)]
    pub(crate) format: String,
    /// Rounding of the results: nearest-even, nearest-away, up, down or zero
    #[arg(long, value_name = "MODE", default_value = "nearest-even")]
    pub(crate) rounding: String,
    /// What to write: binary (131,072 bytes, little endian), c (a header) or rust (a static)
    #[arg(long, default_value = "binary")]
    pub(crate) output: TableOutput,
    /// Name of the array in C or Rust [default: from the expression, such as `exp_binary16`]
    #[arg(long)]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) out: Out,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableOutput {
    Binary,
    C,
    Rust,
}

#[derive(Args)]
pub(crate) struct AdaptersOptions {
    /// What to print: table or json
    #[arg(long, default_value = "table", hide_possible_values = true)]
    pub(crate) output: TextOutput,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    Farey,
    Lefevre,
    LefevreSwap,
    Regular,
    RegularLooped,
    Exhaustive,
    FareyScalar,
    RegularSimd,
    RegularWholeSimd,
    LefevreSimd,
    LefevreSwapSimd,
    ExhaustiveSimd,
    Arcs,
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendChoice {
    Cpu,
    Gpu,
    Hybrid,
    Auto,
}

/// The workers that the options select.
pub(crate) struct Backends {
    cpu: Option<(Box<dyn Backend + Send + Sync>, CpuRole)>,
    devices: Vec<Box<dyn Backend>>,
    threads: usize,
}

impl Backends {
    pub(crate) fn workers(&self) -> Workers<'_> {
        let devices: Vec<&dyn Backend> = self.devices.iter().map(AsRef::as_ref).collect();
        // on a fast GPU what the host does for a part takes as long as the part: more threads hide
        // it, if there are cores
        let cores = available_parallelism().map_or(1, NonZero::get);
        let streams = (cores / (2 * devices.len().max(1))).clamp(2, 4);
        let workers = Workers::devices(devices).with_streams(streams);
        match &self.cpu {
            Some((cpu, cpu_role)) => workers.with_cpu(cpu.as_ref(), self.threads, *cpu_role),
            None => workers,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    Table,
    Json,
    Csv,
    Wc,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOutput {
    Table,
    Json,
}

impl Engine {
    /// The engine that searches in lanes on a CPU beside a GPU with this one. Nothing if GPUs do
    /// not have it.
    const fn beside_gpu(self) -> Option<Self> {
        match self {
            Self::Farey | Self::Auto => Some(Self::Farey),
            Self::Regular | Self::RegularLooped => Some(Self::RegularSimd),
            Self::Lefevre => Some(Self::LefevreSimd),
            Self::LefevreSwap => Some(Self::LefevreSwapSimd),
            _ => None,
        }
    }
}

impl EngineOptions {
    /// Those whom the options ask for.
    pub(crate) fn backends(&self) -> Result<Backends, Failure> {
        let threads = self.threads.unwrap_or(0) as usize;
        let Some(partner) = self.partner()? else {
            let cpu = Some((self.cpu(self.engine)?, CpuRole::Search));
            return Ok(Backends { cpu, devices: Vec::new(), threads });
        };
        let cpu =
            self.cpu_role().map(|cpu_role| Ok::<_, Failure>((self.cpu(partner)?, cpu_role))).transpose()?;
        let fallback = self.cpu(partner)?.into();
        Ok(Backends { cpu, devices: devices(self, &fallback)?, threads })
    }

    /// What the CPU does beside a GPU.
    fn cpu_role(&self) -> Option<CpuRole> {
        match (self.backend, self.no_fallback) {
            (BackendChoice::Hybrid, false) => Some(CpuRole::Both),
            (BackendChoice::Hybrid, true) => Some(CpuRole::Search),
            (_, false) => Some(CpuRole::Fallback),
            (_, true) => None,
        }
    }

    /// The CPU's engine beside GPUs ([`Engine::beside_gpu`]); `None` if no GPU is asked for.
    fn partner(&self) -> Result<Option<Engine>, Failure> {
        let partner = self.engine.beside_gpu();
        match self.backend {
            BackendChoice::Cpu => {
                let given = [
                    ("--adapter", !self.adapter.is_empty()),
                    ("--gpu-int", self.gpu_int.is_some()),
                    ("--gpu-kernels", self.gpu_kernels.is_some()),
                    ("--no-fallback", self.no_fallback),
                ];
                if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
                    return Err(Failure::question(format!(
                        "{option} is for GPUs; add --backend gpu, hybrid or auto, or leave it away"
                    )));
                }
                return Ok(None);
            }
            BackendChoice::Auto if partner.is_none() || !has_hardware_adapter() => return Ok(None),
            _ => {}
        }
        let partner = partner.ok_or_else(|| {
            let name = |value: Option<PossibleValue>| value.map_or_else(String::new, |v| v.get_name().into());
            Failure::question(format!(
                "--engine {} is for the CPU; with --backend {} use --engine farey, regular, regular-looped, lefevre, lefevre-swap or auto",
                name(self.engine.to_possible_value()),
                name(self.backend.to_possible_value())
            ))
        })?;
        if let Some(twice) = (1..self.adapter.len()).find(|&i| self.adapter[..i].contains(&self.adapter[i])) {
            return Err(Failure::question(format!(
                "--adapter {} is given twice; name each GPU once",
                self.adapter[twice]
            )));
        }
        Ok(Some(partner))
    }

    pub(crate) fn logms(&self) -> Result<Logms, Failure> {
        Logms::new(self.logms).map_err(|error| Failure::question(format!("--logms: {error}")))
    }

    pub(crate) fn domain_size(&self) -> Result<Option<u64>, Failure> {
        if self.domain_size == Some(0) {
            return Err(CoreError::DomainSize { size: 0 }.into());
        }
        Ok(self.domain_size)
    }

    /// The table of costs that was asked for, which is one of those that there are.
    pub(crate) fn cost_table(&self) -> CostTable {
        self.costs.and_then(|number| CostTable::of_number(Some(number))).unwrap_or_default()
    }

    /// The CPU's backend for an engine.
    fn cpu(&self, engine: Engine) -> Result<Box<dyn Backend + Send + Sync>, Failure> {
        let (logms, domain_size) = (self.logms()?, self.domain_size()?);
        let level =
            Level::named(&self.simd).map_err(|error| Failure::question(format!("--simd: {error}")))?;
        let costs = self.cost_table();
        let scalar = |engine| Box::new(Scalar { engine, logms, domain_size });
        let simd = |engine| {
            Box::new(
                Simd::new(engine, level).with_logms(logms).with_domain_size(domain_size).with_costs(costs),
            )
        };
        Ok(match engine {
            Engine::LefevreSwap | Engine::RegularLooped => {
                let name = engine.to_possible_value().map_or_else(String::new, |v| v.get_name().into());
                return Err(Failure::question(format!(
                    "--engine {name} is for GPUs; add --backend gpu, or use lefevre, lefevre-swap-simd or regular"
                )));
            }
            Engine::Farey | Engine::Auto => simd(SimdEngine::Farey),
            Engine::Lefevre => scalar(ScalarEngine::Lefevre),
            Engine::Regular => scalar(ScalarEngine::Regular),
            Engine::Exhaustive => scalar(ScalarEngine::Exhaustive),
            Engine::FareyScalar => scalar(ScalarEngine::Farey),
            Engine::RegularSimd => simd(SimdEngine::RegularTrimmed),
            Engine::RegularWholeSimd => simd(SimdEngine::Regular),
            Engine::LefevreSimd => simd(SimdEngine::Lefevre),
            Engine::LefevreSwapSimd => simd(SimdEngine::LefevreSwap),
            Engine::ExhaustiveSimd => simd(SimdEngine::Exhaustive),
            Engine::Arcs => simd(SimdEngine::Arcs),
        })
    }
}

impl ProblemOptions {
    /// The search of `function`, and whether the extra bits were chosen here: so that `aim` cases
    /// are expected.
    pub(crate) fn search<'a>(
        &self,
        span: &Span,
        function: &'a Expression,
        workers: Workers<'a>,
        aim: f64,
    ) -> Result<Search<'a>, Failure> {
        let (arguments, results) = self.target.formats()?;
        let breakpoints = self.target.breakpoints()?;
        let problem = |bits| Problem::new(arguments, results, breakpoints, bits).map_err(DriverError::from);
        let mut search = Search {
            function,
            from: end("--from", &span.from, End::First, arguments)?,
            to: end("--to", &span.to, End::After, arguments)?,
            problem: problem(self.extra_bits.unwrap_or(Problem::MIN_EXTRA_BITS))?,
            workers,
        };
        if self.extra_bits.is_none() {
            search.aim(aim)?;
        }
        Ok(search)
    }
}

impl Target {
    /// Formats of arguments and results.
    pub(crate) fn formats(&self) -> Result<(Format, Format), CoreError> {
        let results = match self.precision {
            Some(precision) => Format::custom(precision)?,
            None => Format::named(&self.format)?,
        };
        let arguments = match self.arg_precision {
            Some(precision) => results.with_precision(precision)?,
            None => results,
        };
        Ok((arguments, results))
    }

    /// Whether the exponents have no bounds.
    pub(crate) fn is_unbounded(&self) -> bool {
        self.precision.is_some()
    }

    pub(crate) fn breakpoints(&self) -> Result<Breakpoints, CoreError> {
        self.rounding.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine_options(options: &[&str]) -> EngineOptions {
        let search = ["tmd", "search", "exp", "--from", "1", "--to", "2"];
        match Cli::parse_from(search.iter().chain(options)).command {
            Command::Search(options) => options.engine_options,
            _ => unreachable!("`tmd search`"),
        }
    }

    #[test]
    fn what_the_cpu_searches_with_beside_a_gpu() {
        let partner = |options: &[&str]| engine_options(options).partner().unwrap();
        assert_eq!(partner(&[]), None);
        assert_eq!(partner(&["--backend", "gpu"]), Some(Engine::Farey));
        assert_eq!(partner(&["--backend", "hybrid"]), Some(Engine::Farey));
        let options = ["--backend", "gpu", "--engine", "lefevre", "--adapter", "1", "--adapter", " H200"];
        assert_eq!(partner(&options), Some(Engine::LefevreSimd));
        assert_eq!(engine_options(&options).adapter, ["1", "H200"]);
        assert_eq!(engine_options(&["--adapter", "AUTO", "--adapter", ""]).adapter, ["auto", "auto"]);
        // auto never asks for what the engine or the machine does not have
        assert_eq!(partner(&["--backend", "auto", "--engine", "exhaustive"]), None);
    }

    #[test]
    fn what_the_cpu_does_beside_a_gpu() {
        let cpu_role = |options: &[&str]| engine_options(options).cpu_role();
        assert_eq!(cpu_role(&["--backend", "gpu"]), Some(CpuRole::Fallback));
        assert_eq!(cpu_role(&["--backend", "gpu", "--no-fallback"]), None);
        assert_eq!(cpu_role(&["--backend", "hybrid"]), Some(CpuRole::Both));
        assert_eq!(cpu_role(&["--backend", "hybrid", "--no-fallback"]), Some(CpuRole::Search));
    }
}
