//! PDP 2012, table II: one core, search by search, beside the papers' core and their GPU.

use tmd_core::{Backend, Piece, exist::Logms};
use tmd_simd::{Level, SimdEngine};

use super::published::{EXHAUSTIVE, LEFEVRE, ON_GPU};
use crate::{
    ToolError,
    figures::table::{Table, count, or_none, three_digits},
    reproduce::{
        Scale,
        bars::Bars,
        race::race,
        simd::{self, METHODS, Method},
    },
};

/// A method in scalar code at the papers' LOGMS where there is any, and in lanes, which divide
/// always. The walk's domains are its own.
fn built(method: Method) -> (Option<Box<dyn Backend>>, Box<dyn Backend>) {
    let domain_size = (method.lanes != SimdEngine::Farey).then_some(simd::PAPERS_DOMAIN);
    let scalar = method.in_scalar_code(Logms::PAPERS, domain_size);
    (scalar, method.in_lanes(Level::best(), Logms::INSTRUCTION, domain_size))
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
    pub(super) fn measured(scale: Scale) -> Result<Self, ToolError> {
        Self::over(scale.pick(1 << 28, 1 << 31), scale.pick(1 << 37, simd::INTERVAL), 3)
    }

    /// From so many arguments of I₀ for the exhaustive search, and so many for the others.
    fn over(exhausted: u64, tested: u64, times: u32) -> Result<Self, ToolError> {
        const STRETCHES: u64 = 8;
        let mut seconds = vec![(None, None); METHODS.len()];
        for (is_exhaustive, arguments) in [(true, exhausted), (false, tested)] {
            let (mut backends, mut places) = (Vec::new(), Vec::new());
            for (i, method) in METHODS.iter().enumerate() {
                if (method.lanes == SimdEngine::Exhaustive) == is_exhaustive {
                    let (scalar, lanes) = built(*method);
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
        let papers = [Some(EXHAUSTIVE), Some(LEFEVRE), None, None, None];
        let rows = METHODS.iter().zip(papers).zip(&self.seconds);
        rows.map(|((method, papers), &(scalar, lanes))| (method.title, [papers, scalar, lanes]))
    }

    /// Seconds, and how they compare.
    pub(super) fn table(&self) -> Table {
        let lanes = format!("{}, s", Level::best());
        let columns = format!(
            "search | papers' core, s | scalar, s | {lanes} | papers' core / scalar | papers' core / lanes | \
             exhaustive / search: papers' core | scalar | lanes"
        );
        let mut table = Table::new("One core, seconds for I₀ (table II)", &columns);
        let Some((_, exhaustive)) = self.rows().next() else { return table };
        for (title, seconds) in self.rows() {
            let [papers, scalar, lanes] = seconds;
            let gains = [0, 1, 2].map(|i| ratio(exhaustive[i], seconds[i]));
            let cells = seconds.map(|x| or_none(x, three_digits));
            let ratios = [ratio(papers, scalar), ratio(papers, lanes)];
            table.row([title.to_owned()].into_iter().chain(cells).chain(ratios).chain(gains));
        }
        table
    }

    /// The papers' GPU beside a core's lanes.
    pub(super) fn beside_gpu(&self) -> Table {
        let columns = "search | registers | papers' C2070, s | against their core | exhaustive / search | \
                       our core in lanes, s | our core's lanes / their C2070";
        let mut table = Table::new("Their GPU beside a core's lanes, seconds for I₀ (table II)", columns);
        let exhaustive = ON_GPU.iter().find(|row| row.search == METHODS[0].title).map(|row| row.seconds);
        for row in &ON_GPU {
            let lanes = self.rows().find(|method| method.0 == row.search).and_then(|(_, seconds)| seconds[2]);
            let gains = [ratio(exhaustive, Some(row.seconds)), or_none(lanes, three_digits)];
            let printed = [three_digits(row.seconds), format!("{:.1}x", row.printed)];
            let names = [row.what, row.registers].map(String::from);
            let last = [ratio(lanes, Some(row.seconds))];
            table.row(names.into_iter().chain(printed).chain(gains).chain(last));
        }
        table
    }

    /// The same as bars.
    pub(super) fn picture(&self) -> Result<String, ToolError> {
        let gpu = |title: &str| {
            let rows = ON_GPU.iter().filter(|row| row.search == title).map(|row| row.seconds);
            rows.reduce(f64::min)
        };
        let column = |i: usize| self.rows().map(|(_, seconds)| seconds[i]).collect::<Vec<_>>();
        let series = vec![
            ("papers: Xeon X5650, one core".into(), column(0)),
            ("papers: C2070".into(), self.rows().map(|(title, _)| gpu(title)).collect()),
            ("ours: scalar code, one core".into(), column(1)),
            (format!("ours: {}, one core", Level::best()), column(2)),
        ];
        let groups = self.rows().map(|(title, _)| title.to_owned()).collect();
        Bars { y: "time for I₀, in s", groups, series }.svg()
    }
}

/// A quotient to three digits.
fn ratio(slow: Option<f64>, fast: Option<f64>) -> String {
    or_none(slow.zip(fast), |(slow, fast)| three_digits(slow / fast))
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
