//! Options as words of a command line: how a run directory keeps who searches.

use clap::{Parser, ValueEnum};
use tmd_ledger::Question;
use tmd_simd::{CostTable, Level};

use crate::arguments::{BackendChoice, EngineOptions};
use crate::devices::BEST;
use crate::output::Failure;

/// The words, and nothing else.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Words {
    #[command(flatten)]
    engine_options: EngineOptions,
}

impl EngineOptions {
    /// Whether no device is asked for.
    pub(crate) fn is_of_the_cpu(&self) -> bool {
        self.backend == BackendChoice::Cpu
    }

    /// The options on which results depend, as words of a command line.
    pub(crate) fn to_words(&self) -> Vec<String> {
        fn name(value: &impl ValueEnum) -> String {
            value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
        }
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
        add("--engine", name(&self.engine));
        add("--simd", self.simd.clone());
        add("--logms", self.logms.to_string());
        if let Some(size) = self.domain_size {
            add("--domain-size", size.to_string());
        }
        add("--costs", self.cost_table().number().to_string());
        add("--backend", name(&self.backend));
        for adapter in self.adapter.iter().filter(|adapter| *adapter != BEST) {
            add("--adapter", adapter.clone());
        }
        if let Some(integers) = &self.gpu_int {
            add("--gpu-int", name(integers));
        }
        if let Some(kernels) = &self.gpu_kernels {
            add("--gpu-kernels", name(kernels));
        }
        if self.no_fallback {
            words.push("--no-fallback".into());
        }
        words
    }

    /// The options by which the engine of a run comes again: in the run's lanes, where `auto` chose
    /// them, and not in the best ones of this machine.
    pub(crate) fn again(question: &Question) -> Result<Self, Failure> {
        let engine_options = Self::from_words(&question.options)?;
        let lanes = lanes(&question.engine).filter(|_| engine_options.simd == AUTO);
        Ok(match lanes {
            Some(lanes) => Self { simd: lanes.into(), ..engine_options },
            None => engine_options,
        })
    }

    /// The options that [`to_words`](Self::to_words) wrote.
    fn from_words(words: &[String]) -> Result<Self, Failure> {
        let words = Words::try_parse_from(words).map_err(|error| {
            Failure::question(format!("the options of the run are not those of this program: {error}"))
        })?;
        let engine_options = words.engine_options;
        // before there was a second one, none was named
        let costs = engine_options.costs.or(Some(CostTable::First.number()));
        Ok(Self { costs, ..engine_options })
    }
}

/// The lanes that are chosen on the machine.
const AUTO: &str = "auto";

/// The lanes in an engine's name. If there is a device in it, the CPU comes after that.
fn lanes(engine: &str) -> Option<&'static str> {
    let (_, engine) = engine.rsplit_once(" + ").unwrap_or(("", engine));
    let mut words = engine.split([' ', ',']);
    words.find_map(|word| Level::NAMES.into_iter().find(|name| *name == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine_options(options: &[&str]) -> EngineOptions {
        Words::parse_from(options).engine_options
    }

    /// Whatever lanes this machine would choose.
    #[test]
    fn a_run_goes_on_in_its_lanes() {
        let levels: Vec<Level> =
            Level::NAMES.into_iter().filter_map(|name| Level::named(name).ok()).collect();
        for (level, simd) in levels.iter().flat_map(|level| [(level, "auto"), (level, level.name())]) {
            let question = Question {
                program: "tmd 0.1.0".into(),
                function: "exp(x)".into(),
                format: "binary64".into(),
                rounding: "all".into(),
                extra_bits: 44,
                binades: None,
                limit_s: None,
                unit_s: 60.0,
                engine: format!("farey {level}, costs 5"),
                options: engine_options(&["--simd", simd]).to_words(),
                is_repeating: false,
                is_repeating_at_large: false,
            };
            let again = EngineOptions::again(&question).unwrap().backends().unwrap();
            assert_eq!(again.workers().name(), question.engine, "--simd {simd}");
        }
    }

    #[test]
    fn options_are_kept_as_words() {
        let options = "--backend gpu --adapter 1 --adapter H200 --gpu-int emulated --gpu-kernels prefix-sum --engine lefevre --logms 3 --domain-size 4096 --no-fallback";
        for options in
            [&options.split(' ').collect::<Vec<_>>()[..], &[], &["--simd", "portable", "--threads", "3"]]
        {
            let words = engine_options(options).to_words();
            let again = EngineOptions::from_words(&words).unwrap();
            assert_eq!(again.to_words(), words);
            assert_eq!(again.threads, None, "how many threads is another matter each time");
            assert_eq!(
                (again.logms, again.domain_size, again.cost_table()),
                (
                    engine_options(options).logms,
                    engine_options(options).domain_size,
                    engine_options(options).cost_table()
                )
            );
        }
        for (name, expected) in [
            ("farey avx512, costs 4", Some("avx512")),
            ("farey avx2, costs 4, domain size 64", Some("avx2")),
            ("regular NVIDIA avx2, 1 (native integers) + farey portable", Some("portable")),
            ("scalar regular", None),
        ] {
            assert_eq!(lanes(name), expected, "{name}");
        }
        assert!(EngineOptions::from_words(&["--engine".into(), "steam".into()]).is_err());
        // as runs were begun when there was one table of costs
        let former =
            ["--engine", "auto", "--simd", "auto", "--logms", "0", "--backend", "cpu"].map(String::from);
        assert_eq!(EngineOptions::from_words(&former).unwrap().cost_table(), CostTable::First);
    }
}
