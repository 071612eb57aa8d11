//! PDP 2012, table II: one core, search by search, beside the papers' core and their GPU.

use tmd_core::{Backend, Piece, Scalar, ScalarEngine, exist::Logms};
use tmd_simd::{Level, Simd, SimdEngine};

use super::published::{EXHAUSTIVE, LEFEVRE, ON_GPU};
use crate::{
    ToolError,
    figures::table::{NONE, Table, count, three_digits},
    reproduce::{Context, bars::Bars, race::race, simd},
};

/// A search of I₀.
struct Method {
    title: &'static str,
    /// seconds of the papers' core
    papers: Option<f64>,
    scalar: Option<ScalarEngine>,
    lanes: SimdEngine,
}

/// In the order of the table.
const METHODS: [Method; 5] = [
    Method {
        title: "exhaustive",
        papers: Some(EXHAUSTIVE),
        scalar: Some(ScalarEngine::Exhaustive),
        lanes: SimdEngine::Exhaustive,
    },
    Method {
        title: "Lefèvre",
        papers: Some(LEFEVRE),
        scalar: Some(ScalarEngine::Lefevre),
        lanes: SimdEngine::Lefevre,
    },
    Method { title: "Lefèvre with swap", papers: None, scalar: None, lanes: SimdEngine::LefevreSwap },
    Method {
        title: "regular",
        papers: None,
        scalar: Some(ScalarEngine::Regular),
        lanes: SimdEngine::Regular,
    },
    Method { title: "Farey walk", papers: None, scalar: Some(ScalarEngine::Farey), lanes: SimdEngine::Farey },
];

impl Method {
    /// Scalar code at the papers' LOGMS where there is any, and lanes, which divide always. The
    /// walk's domains are its own.
    fn backends(&self) -> (Option<Box<dyn Backend>>, Box<dyn Backend>) {
        let domain_size = (self.lanes != SimdEngine::Farey).then_some(simd::PAPERS_DOMAIN);
        let scalar = self
            .scalar
            .map(|engine| Box::new(Scalar { engine, logms: Logms::PAPERS, domain_size }) as Box<dyn Backend>);
        let lanes = Simd::new(self.lanes, Level::best()).with_logms(Logms::INSTRUCTION);
        (scalar, Box::new(lanes.with_domain_size(domain_size)))
    }
}

/// Seconds for I₀ of each method, in scalar code and in lanes.
pub(super) struct OneCore {
    seconds: Vec<(Option<f64>, Option<f64>)>,
    /// what was searched
    pub(super) sample: String,
}

/// As many equal stretches of I₀, spread evenly, as have this many arguments together.
fn stretches(arguments: u64, number: u64) -> Result<Vec<Piece>, ToolError> {
    let (first, part) = (simd::interval(0), simd::INTERVAL / number);
    (0..number).map(|i| Ok(first.part(i * part, arguments / number)?)).collect()
}

/// The least seconds of each backend for all pieces, scaled to I₀.
fn scaled(backends: &[Box<dyn Backend>], pieces: &[Piece], times: u32) -> Result<Vec<f64>, ToolError> {
    let searched: u64 = pieces.iter().map(Piece::arguments).sum();
    let scale = simd::INTERVAL as f64 / searched as f64;
    Ok(race(backends, pieces, times)?.into_iter().map(|seconds| seconds * scale).collect())
}

impl OneCore {
    pub(super) fn measured(context: Context) -> Result<Self, ToolError> {
        Self::over(context.pick(1 << 28, 1 << 31), context.pick(1 << 37, simd::INTERVAL), 3)
    }

    /// From so many arguments of I₀ for the exhaustive search, and so many for the others.
    fn over(exhausted: u64, tested: u64, times: u32) -> Result<Self, ToolError> {
        const STRETCHES: u64 = 8;
        let mut seconds = vec![(None, None); METHODS.len()];
        for (is_exhaustive, arguments) in [(true, exhausted), (false, tested)] {
            let (mut backends, mut places) = (Vec::new(), Vec::new());
            for (i, method) in METHODS.iter().enumerate() {
                if (method.lanes == SimdEngine::Exhaustive) == is_exhaustive {
                    let (scalar, lanes) = method.backends();
                    places.extend(scalar.is_some().then_some((i, true)).into_iter().chain([(i, false)]));
                    backends.extend(scalar.into_iter().chain([lanes]));
                }
            }
            let pieces = stretches(arguments, STRETCHES)?;
            for ((i, is_scalar), taken) in places.into_iter().zip(scaled(&backends, &pieces, times)?) {
                *(if is_scalar { &mut seconds[i].0 } else { &mut seconds[i].1 }) = Some(taken);
            }
        }
        let sample = format!(
            "scaled from {STRETCHES} stretches of I₀ with {} arguments together for the exhaustive search, and with {} for the others",
            count(exhausted),
            count(tested)
        );
        Ok(Self { seconds, sample })
    }

    /// Methods with seconds: papers' core, scalar, lanes.
    fn rows(&self) -> impl Iterator<Item = (&'static str, [Option<f64>; 3])> {
        METHODS
            .iter()
            .zip(&self.seconds)
            .map(|(method, &(scalar, lanes))| (method.title, [method.papers, scalar, lanes]))
    }

    /// Seconds, and how they compare.
    pub(super) fn table(&self) -> Table {
        let lanes = format!("{}, s", Level::best());
        let columns = [
            "search",
            "papers' core, s",
            "scalar, s",
            &lanes,
            "papers' core / scalar",
            "papers' core / lanes",
            "exhaustive / search: papers' core",
            "scalar",
            "lanes",
        ];
        let mut table = Table::new("One core, seconds for I₀ (table II)", &columns);
        let Some((_, exhaustive)) = self.rows().next() else { return table };
        for (title, seconds) in self.rows() {
            let [papers, scalar, lanes] = seconds;
            let gains = [0, 1, 2].map(|i| ratio(exhaustive[i], seconds[i]));
            let cells = seconds.map(|x| x.map_or_else(|| NONE.into(), three_digits));
            let ratios = [ratio(papers, scalar), ratio(papers, lanes)];
            table.row([title.to_owned()].into_iter().chain(cells).chain(ratios).chain(gains).collect());
        }
        table
    }

    /// The papers' GPU beside a core's lanes.
    pub(super) fn beside_gpu(&self) -> Table {
        let columns = [
            "search",
            "registers",
            "papers' C2070, s",
            "against their core",
            "exhaustive / search",
            "our core in lanes, s",
            "our core's lanes / their C2070",
        ];
        let mut table = Table::new("Their GPU beside a core's lanes, seconds for I₀ (table II)", &columns);
        let exhaustive = ON_GPU.iter().find(|row| row.search == METHODS[0].title).map(|row| row.seconds);
        for row in &ON_GPU {
            let lanes = self.rows().find(|method| method.0 == row.search).and_then(|(_, seconds)| seconds[2]);
            table.row(vec![
                row.what.into(),
                row.registers.into(),
                three_digits(row.seconds),
                format!("{:.1}x", row.printed),
                ratio(exhaustive, Some(row.seconds)),
                lanes.map_or_else(|| NONE.into(), three_digits),
                ratio(lanes, Some(row.seconds)),
            ]);
        }
        table
    }

    /// The same as bars.
    pub(super) fn picture(&self) -> Result<String, ToolError> {
        let gpu = |title: &str| {
            let rows = ON_GPU.iter().filter(|row| row.search == title).map(|row| row.seconds);
            rows.reduce(f64::min)
        };
        let names = ["papers: Xeon X5650, one core", "ours: scalar code, one core"];
        let column = |i: usize| self.rows().map(|(_, seconds)| seconds[i]).collect::<Vec<_>>();
        let series = vec![
            (names[0].to_owned(), column(0)),
            ("papers: C2070".into(), self.rows().map(|(title, _)| gpu(title)).collect()),
            (names[1].to_owned(), column(1)),
            (format!("ours: {}, one core", Level::best()), column(2)),
        ];
        let groups = self.rows().map(|(title, _)| title.to_owned()).collect();
        Bars { y: "time for I₀, in s", groups, series }.svg()
    }
}

/// A quotient to three digits.
fn ratio(slow: Option<f64>, fast: Option<f64>) -> String {
    slow.zip(fast).map_or_else(|| NONE.into(), |(slow, fast)| three_digits(slow / fast))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_ratios() {
        let one = OneCore {
            seconds: vec![
                (Some(1000.0), Some(100.0)),
                (Some(5.0), Some(1.0)),
                (None, Some(0.5)),
                (Some(4.0), Some(0.25)),
                (Some(0.2), Some(0.02)),
            ],
            sample: String::new(),
        };
        let text = one.table().markdown();
        for line in [
            "| exhaustive | 1,079 | 1,000 | 100 | 1.08 | 10.8 | 1.00 | 1.00 | 1.00 |",
            "| Lefèvre | 4.52 | 5.00 | 1.00 | 0.904 | 4.52 | 239 | 200 | 100 |",
            "| Lefèvre with swap | — | — | 0.500 | — | — | — | — | 200 |",
            "| Farey walk | — | 0.200 | 0.0200 | — | — | — | 5,000 | 5,000 |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let text = one.beside_gpu().markdown();
        for line in [
            "| exhaustive | 21 | 33.2 | 32.5x | 1.00 | 100 | 3.01 |",
            "| Lefèvre, one kernel | 31 | 0.348 | 13.0x | 95.5 | 1.00 | 2.87 |",
            "| Lefèvre with swap, three kernels | not printed | 0.249 | 18.2x | 133 | 0.500 | 2.01 |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let svg = one.picture().unwrap();
        for text in ["Farey walk", "papers: C2070", "0.265", "0.249", "33.2", "0.0200"] {
            assert!(svg.contains(text), "{text}");
        }
    }

    /// Stretches lie apart in I₀ and add up; seconds are for all of I₀.
    #[test]
    fn samples() {
        let all = stretches(1 << 20, 8).unwrap();
        assert_eq!(all.iter().map(Piece::arguments).sum::<u64>(), 1 << 20);
        for (i, stretch) in (0..).zip(&all) {
            assert_eq!(stretch.value(0), simd::interval(0).value(i << 37), "{i}");
        }
        assert_eq!(stretches(simd::INTERVAL, 8).unwrap().iter().map(Piece::arguments).sum::<u64>(), 1 << 40);

        let one = OneCore::over(1 << 20, 1 << 25, 1).unwrap();
        for (method, &(scalar, lanes)) in METHODS.iter().zip(&one.seconds) {
            assert_eq!(scalar.is_some(), method.scalar.is_some(), "{}", method.title);
            // from 2^25 arguments or fewer to 2^40: nothing does 10^14 arguments a second
            assert!(lanes.is_some_and(|seconds| seconds > 0.01), "{}", method.title);
        }
    }
}
