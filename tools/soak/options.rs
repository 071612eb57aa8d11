//! [`SearchOptions`]: an engine as a search uses it, with its lanes, division, domain size and
//! threads; drawn from a [`Pool`].

use rand::{Rng, rngs::StdRng, seq::IndexedRandom};
use tmd_core::{Scalar, ScalarEngine, exist::Logms};
use tmd_simd::{Level, Simd, SimdEngine};

use super::draw::one_of;
use crate::agreement::{Contender, devices};

/// The engines that there are.
pub struct Pool {
    engines: Vec<Engine>,
}

/// An engine before its options are drawn.
enum Engine {
    Scalar(ScalarEngine),
    Lanes(SimdEngine, Level),
    /// without options; and its reach
    Ready(Contender, u32),
}

/// An engine with its options.
pub(super) struct SearchOptions {
    /// The engine.
    pub contender: Contender,
    /// Its threads, or streams.
    pub threads: usize,
    /// The words by which `tmd search` takes it.
    pub words: String,
}

impl Pool {
    /// All engines of this machine's CPU, in all its lanes.
    pub fn of_the_cpu() -> Self {
        let mut engines: Vec<Engine> = Vec::new();
        for engine in SimdEngine::ALL {
            engines.extend(Level::available().into_iter().map(|level| Engine::Lanes(engine, level)));
        }
        engines.extend(
            [ScalarEngine::Farey, ScalarEngine::Regular, ScalarEngine::Lefevre, ScalarEngine::Exhaustive]
                .map(Engine::Scalar),
        );
        Self { engines }
    }

    /// The same with the engines of the best adapter, if there is one; says why not.
    #[must_use]
    pub fn with_devices(mut self) -> (Self, Option<String>) {
        match devices() {
            Ok(devices) => {
                // a software adapter takes a second for so many
                self.engines.extend(devices.into_iter().map(|device| Engine::Ready(device, 22)));
                (self, None)
            }
            Err(error) => (self, Some(error.to_string())),
        }
    }

    /// The same with one more.
    #[cfg(test)]
    pub(crate) fn with(mut self, contender: Contender) -> Self {
        self.engines.push(Engine::Ready(contender, 31));
        self
    }

    /// Some engines that search so many arguments in a few seconds, all different.
    pub(super) fn draw(&self, rng: &mut StdRng, log2_arguments: u32, count: usize) -> Vec<SearchOptions> {
        let able: Vec<&Engine> =
            self.engines.iter().filter(|engine| engine.reach() >= log2_arguments).collect();
        able.choose_multiple(rng, count).map(|engine| engine.options(rng, log2_arguments)).collect()
    }
}

impl Engine {
    /// log2 of the arguments that it searches in a second or so, where it does well.
    fn reach(&self) -> u32 {
        match self {
            Self::Lanes(SimdEngine::Farey | SimdEngine::Arcs, _) | Self::Scalar(ScalarEngine::Farey) => 31,
            Self::Lanes(SimdEngine::Exhaustive, _) => 24,
            Self::Lanes(..) => 28,
            Self::Scalar(ScalarEngine::Exhaustive) => 21,
            Self::Scalar(_) => 26,
            Self::Ready(_, reach) => *reach,
        }
    }

    /// The engine with random options.
    fn options(&self, rng: &mut StdRng, log2_arguments: u32) -> SearchOptions {
        let threads = rng.random_range(1..=3);
        let logms = one_of(rng, &[0, 0, 0, 1, 3, 10, 64]);
        let domain_size = rng.random_bool(0.2).then(|| {
            // a million domains, at most
            let log2 = rng.random_range(log2_arguments.saturating_sub(20)..=22);
            rng.random_range(1u64 << log2.saturating_sub(1)..=1 << log2)
        });
        let words = |engine: &str, lanes: &str| {
            let size = domain_size.map_or_else(String::new, |n| format!(" --domain-size {n}"));
            format!("--engine {engine}{lanes} --logms {logms}{size} --threads {threads}")
        };
        let division = Logms::new(logms).unwrap_or_default();
        match self {
            Self::Scalar(engine) => {
                let name = match engine {
                    ScalarEngine::Farey => "farey-scalar",
                    ScalarEngine::Regular => "regular",
                    ScalarEngine::Lefevre => "lefevre",
                    ScalarEngine::Exhaustive => "exhaustive",
                };
                let contender = Contender::cpu(Scalar { engine: *engine, logms: division, domain_size });
                SearchOptions { contender, threads, words: words(name, "") }
            }
            Self::Lanes(engine, level) => {
                let name = match engine {
                    SimdEngine::Farey | SimdEngine::Arcs => engine.name(),
                    SimdEngine::Regular => "regular-whole-simd",
                    SimdEngine::RegularTrimmed => "regular-simd",
                    SimdEngine::Lefevre => "lefevre-simd",
                    SimdEngine::LefevreSwap => "lefevre-swap-simd",
                    SimdEngine::Exhaustive => "exhaustive-simd",
                };
                let simd = Simd::new(*engine, *level).with_logms(division).with_domain_size(domain_size);
                let words = words(name, &format!(" --simd {level}"));
                SearchOptions { contender: Contender::cpu(simd), threads, words }
            }
            Self::Ready(contender, _) => {
                let words = format!("by {}, --threads {threads}", contender.name);
                SearchOptions { contender: contender.clone(), threads, words }
            }
        }
    }
}
