//! Lanes against scalar code, the regular test against Lefèvre's.

use tmd_core::{Backend, Piece, Scalar, ScalarEngine, exist::Logms};
use tmd_simd::{Level, Simd, SimdEngine};

use super::{Picture, Scale, Section, bars::Bars, race::race};
use crate::ToolError;
use crate::figures::table::{NONE, Table, count, three_digits};

/// The papers' N.
pub(super) const PAPERS_DOMAIN: u64 = 1 << 15;

/// Arguments of an interval `I_k` = [1 + k·2^-13, 1 + (k + 1)·2^-13).
pub(super) const INTERVAL: u64 = 1 << 40;

/// Intervals of `I_0..1023`.
pub(super) const INTERVALS: u64 = 1024;

/// A way to search, in scalar code and in lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Method {
    pub(super) title: &'static str,
    pub(super) scalar: Option<ScalarEngine>,
    pub(super) lanes: SimdEngine,
}

const fn method(title: &'static str, scalar: Option<ScalarEngine>, lanes: SimdEngine) -> Method {
    Method { title, scalar, lanes }
}

pub(super) const REGULAR: Method = method("regular", Some(ScalarEngine::Regular), SimdEngine::Regular);
pub(super) const LEFEVRE: Method = method("Lefèvre", Some(ScalarEngine::Lefevre), SimdEngine::Lefevre);
const SWAP: Method = method("Lefèvre with swap", None, SimdEngine::LefevreSwap);
pub(super) const FAREY: Method = method("Farey walk", Some(ScalarEngine::Farey), SimdEngine::Farey);
const EXHAUSTIVE: Method = method("exhaustive", Some(ScalarEngine::Exhaustive), SimdEngine::Exhaustive);

/// All of them, the slowest first.
pub(super) const METHODS: [Method; 5] = [EXHAUSTIVE, LEFEVRE, SWAP, REGULAR, FAREY];

impl Method {
    /// Whether it has quotients for LOGMS to act on.
    fn divides(self) -> bool {
        ![FAREY, EXHAUSTIVE].contains(&self)
    }

    /// In scalar code, if there is any.
    pub(super) fn in_scalar_code(self, logms: Logms, domain_size: Option<u64>) -> Option<Box<dyn Backend>> {
        self.scalar.map(|engine| -> Box<dyn Backend> { Box::new(Scalar { engine, logms, domain_size }) })
    }

    pub(super) fn in_lanes(self, level: Level, logms: Logms, domain_size: Option<u64>) -> Box<dyn Backend> {
        Box::new(Simd::new(self.lanes, level).with_logms(logms).with_domain_size(domain_size))
    }
}

/// What a method takes on a platform, at its best threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Time {
    seconds: f64,
    /// `None` where there are no quotients
    logms: Option<u32>,
}

/// Times of some methods: a row for each, a column for scalar code and for each level of lanes.
#[derive(Clone, Debug)]
struct Times {
    platforms: Vec<String>,
    rows: Vec<(Method, Vec<Option<Time>>)>,
}

/// How to measure.
#[derive(Clone, Copy, Debug)]
struct Plan<'a> {
    /// N; `None` leaves it to the cost models
    domain: Option<u64>,
    thresholds: &'a [u32],
    /// interleaved runs of everything
    times: u32,
}

pub(super) fn section(scale: Scale) -> Result<Section, ToolError> {
    let (quick, full): (&[u32], &[u32]) = (&[0, 3], &[0, 1, 3, 4]);
    let plan =
        Plan { domain: Some(PAPERS_DOMAIN), thresholds: scale.pick(quick, full), times: scale.pick(3, 5) };
    let first = interval(0);
    let part = [first.part(0, scale.pick(1 << 33, 1 << 35))?];
    let exhausted = [first.part(0, scale.pick(1 << 27, 1 << 29))?];
    let (step, each) = scale.pick((128, 1 << 30), (64, 1 << 31));
    let sample = (0..INTERVALS)
        .step_by(step)
        .map(|k| Ok(interval(k).part(INTERVAL / 2, each)?))
        .collect::<Result<Vec<_>, ToolError>>()?;

    let on_first = |plan: Plan<'_>| -> Result<Times, ToolError> {
        let mut times = Times::measured(&[REGULAR, LEFEVRE, SWAP, FAREY], &part, INTERVAL, plan)?;
        times.rows.extend(Times::measured(&[EXHAUSTIVE], &exhausted, INTERVAL, plan)?.rows);
        Ok(times)
    };
    let papers = on_first(plan)?;
    let chosen = on_first(Plan { domain: None, ..plan })?;
    let all = |methods: &[Method], plan| Times::measured(methods, &sample, INTERVALS * INTERVAL, plan);
    let mut sampled = all(&[REGULAR, LEFEVRE, SWAP], plan)?;
    // the walk's domains are its own: at the papers' N it wastes its time on steps between them
    sampled.rows.extend(all(&[FAREY], Plan { domain: None, ..plan })?.rows);

    Ok(Section {
        title: "Lanes against scalar code, regular against Lefèvre",
        source: "SIMD 2016, figures 5.1 and 5.2 and sections 5.1 to 5.4",
        measured: format!(
            "exp, 2^40 arguments of 54 bits to an interval, one thread, whole searches but for the polynomials; best of {} interleaved runs, each list \
             compared with the Farey walk's; seconds scaled from {} of the arguments of I₀ ({} for the exhaustive search) and from {} \
             of each of {} intervals spread over I_0..1023. The number in parentheses is the best LOGMS of {:?}. Lanes: avx512 has 8, avx2 and \
             portable have 4.",
            plan.times,
            count(part[0].arguments()),
            count(exhausted[0].arguments()),
            count(each),
            sample.len(),
            plan.thresholds,
        ),
        tables: vec![ratios(&sampled)],
        details: vec![
            papers.table("Seconds for I₀, N = 2^15"),
            chosen.table("Seconds for I₀, N by the cost models"),
            sampled.table("Seconds for I_0..1023, N = 2^15 (the walk: by its cost model)"),
        ],
        pictures: vec![Picture {
            name: "simd",
            alternative: "Seconds for I_0..1023 in scalar code and in each kind of lanes: AVX-512 and AVX2 are faster, the \
                          portable lanes slower for want of a fused instruction; the regular test beats Lefèvre's in all of them",
            svg: sampled.picture()?,
        }],
        differences: &[
            "Figure 5.1: the text's ratios stand beside one thread of a CPU; ours on a GPU are in the sections on LOGMS and on GPUs.",
            "Figure 5.2: the papers' compilers left 64-bit divisions scalar and masked everything in software, so that lanes did not pay; \
             here quotients come from vector reciprocals of floats and both tests are written for the lanes, so that they do. The portable \
             lanes call a function for each fused operation unless compiled for a machine that has one.",
        ],
    })
}

/// `I_k`, as a piece.
pub(super) fn interval(k: u64) -> Piece {
    crate::piece("exp", &format!("1+{k}*2^-13"), INTERVAL, 54)
}

impl Times {
    /// The methods over these pieces, scaled to so many arguments.
    fn measured(
        methods: &[Method],
        pieces: &[Piece],
        arguments: u64,
        plan: Plan<'_>,
    ) -> Result<Self, ToolError> {
        let levels = Level::available();
        let (mut backends, mut places) = (Vec::<Box<dyn Backend>>::new(), Vec::new());
        for (row, method) in methods.iter().enumerate() {
            let thresholds = if method.divides() { plan.thresholds } else { &[0][..] };
            // those above 64 do not exist, and none is asked for
            for logms in thresholds.iter().filter_map(|&bits| Logms::new(bits).ok()) {
                let scalar = method.in_scalar_code(logms, plan.domain);
                places.extend(scalar.iter().map(|_| (row, 0, logms)));
                backends.extend(scalar);
                for (column, &level) in (1..).zip(&levels) {
                    backends.push(method.in_lanes(level, logms, plan.domain));
                    places.push((row, column, logms));
                }
            }
        }
        let searched: u64 = pieces.iter().map(Piece::arguments).sum();
        let scale = arguments as f64 / searched as f64;
        let mut rows: Vec<_> = methods.iter().map(|&method| (method, vec![None; 1 + levels.len()])).collect();
        for ((row, column, logms), seconds) in places.into_iter().zip(race(&backends, pieces, plan.times)?) {
            let (method, cells) = &mut rows[row];
            let time = Time { seconds: seconds * scale, logms: method.divides().then(|| logms.bits()) };
            let best: &mut Option<Time> = &mut cells[column];
            if best.is_none_or(|best| time.seconds < best.seconds) {
                *best = Some(time);
            }
        }
        let platforms =
            ["scalar".to_owned()].into_iter().chain(levels.iter().map(ToString::to_string)).collect();
        Ok(Self { platforms, rows })
    }

    fn seconds(&self, method: Method, platform: usize) -> Option<f64> {
        let (_, cells) = self.rows.iter().find(|row| row.0 == method)?;
        Some(cells.get(platform).copied()??.seconds)
    }

    /// How many times as long as `fast` on its platform `slow` takes on its.
    fn ratio(&self, slow: (Method, usize), fast: (Method, usize)) -> String {
        match (self.seconds(slow.0, slow.1), self.seconds(fast.0, fast.1)) {
            (Some(slow), Some(fast)) => format!("{:.2}x", slow / fast),
            _ => NONE.into(),
        }
    }

    fn table(&self, title: &str) -> Table {
        let mut table = Table::new(title, "method").with_columns(&self.platforms);
        for (method, cells) in &self.rows {
            let cell = |time: &Option<Time>| match time {
                None => NONE.into(),
                Some(Time { seconds, logms: None }) => three_digits(*seconds),
                Some(Time { seconds, logms: Some(logms) }) => format!("{} ({logms})", three_digits(*seconds)),
            };
            table.row([method.title.to_owned()].into_iter().chain(cells.iter().map(cell)));
        }
        table
    }

    fn picture(&self) -> Result<String, ToolError> {
        let series = self.rows.iter().map(|(method, cells)| {
            (method.title.to_owned(), cells.iter().map(|time| time.map(|time| time.seconds)).collect())
        });
        Bars { y: "time for I_0..1023, in s", groups: self.platforms.clone(), series: series.collect() }.svg()
    }
}

/// What the papers' text says of the figures, beside ours.
fn ratios(times: &Times) -> Table {
    let columns = "times as fast | papers: AVX2 server | papers: Xeon Phi | papers: GPUs";
    let mut table = Table::new("Ratios over I_0..1023, N as above", columns).with_columns(&times.platforms);
    // of what the first method takes, on the same platform or in scalar code, how much the second
    // one does
    let rows = [
        (
            "regular against Lefèvre",
            ["1.5x scalar, 1.4x SIMD", "3.7x SIMD", "2.7x C2070; 2.9x NVIDIA, 10.5x AMD (section 6)"],
            (LEFEVRE, false, REGULAR),
        ),
        ("lanes against scalar, regular", ["slower", "1.13x", NONE], (REGULAR, true, REGULAR)),
        ("lanes against scalar, Lefèvre", ["slower", "slower", NONE], (LEFEVRE, true, LEFEVRE)),
        ("regular in lanes against scalar Lefèvre", [NONE, "2.8x", NONE], (LEFEVRE, true, REGULAR)),
        ("Lefèvre with swap against without", [NONE, NONE, "1.06x C2070 (2012)"], (LEFEVRE, false, SWAP)),
        ("Farey walk against regular", [NONE; 3], (REGULAR, false, FAREY)),
    ];
    for (title, papers, (slow, in_scalar_code, fast)) in rows {
        let ours = (0..times.platforms.len()).map(|platform| match (in_scalar_code, platform) {
            (true, 0) => NONE.into(),
            (true, _) => times.ratio((slow, 0), (fast, platform)),
            (false, _) => times.ratio((slow, platform), (fast, platform)),
        });
        table.row([title].into_iter().chain(papers).map(str::to_owned).chain(ours));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_by_platform() {
        let time = |seconds| Some(Time { seconds, logms: Some(3) });
        let times = Times {
            platforms: vec!["scalar".into(), "avx2".into()],
            rows: vec![
                (REGULAR, vec![time(4.0), time(1.0)]),
                (LEFEVRE, vec![time(6.0), time(3.0)]),
                (SWAP, vec![None, time(2.5)]),
                (
                    FAREY,
                    vec![Some(Time { seconds: 1.0, logms: None }), Some(Time { seconds: 0.25, logms: None })],
                ),
            ],
        };
        let text = ratios(&times).markdown();
        for line in [
            "| regular against Lefèvre | 1.5x scalar, 1.4x SIMD | 3.7x SIMD | 2.7x C2070; 2.9x NVIDIA, 10.5x AMD (section 6) | 1.50x | 3.00x |",
            "| lanes against scalar, regular | slower | 1.13x | — | — | 4.00x |",
            "| lanes against scalar, Lefèvre | slower | slower | — | — | 2.00x |",
            "| regular in lanes against scalar Lefèvre | — | 2.8x | — | — | 6.00x |",
            "| Lefèvre with swap against without | — | — | 1.06x C2070 (2012) | — | 1.20x |",
            "| Farey walk against regular | — | — | — | 4.00x | 4.00x |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let text = times.table("Seconds").markdown();
        assert!(
            text.contains("| Lefèvre with swap | — | 2.50 (3) |\n| Farey walk | 1.00 | 0.250 |"),
            "{text}"
        );
        let svg = times.picture().unwrap();
        assert!(svg.contains("avx2") && svg.contains("2.50"));
    }

    #[test]
    fn every_method_everywhere_at_its_best_threshold() {
        let pieces = [interval(0).part(0, 1 << 24).unwrap(), interval(1023).part(0, 1 << 24).unwrap()];
        let plan = Plan { domain: Some(1 << 12), thresholds: &[0, 3], times: 1 };
        let times = Times::measured(&METHODS, &pieces, INTERVAL, plan).unwrap();
        assert_eq!(times.platforms.len(), 1 + Level::available().len());
        for (method, cells) in &times.rows {
            for (platform, cell) in cells.iter().enumerate() {
                assert_eq!(cell.is_none(), platform == 0 && *method == SWAP, "{method:?} {platform}");
                let Some(time) = cell else { continue };
                assert_eq!(time.logms.is_some(), method.divides());
                // scaled from 2^25 arguments to 2^40: no machine does 10^13 arguments a second
                assert!(time.seconds > 0.1, "{time:?}");
            }
        }
    }
}
