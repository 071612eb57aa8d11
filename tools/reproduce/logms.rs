//! Time against LOGMS, the threshold between subtractions and divisions.

use clap::Parser as _;
use tmd_core::{Piece, exist::Logms};
use tmd_simd::Level;

use super::{
    Picture, Scale, Section,
    plot::{Lines, Series},
    race::race,
    simd::{LEFEVRE, Method, PAPERS_DOMAIN, REGULAR},
};
use crate::{
    ToolError,
    figures::table::{Table, count, or_none, three_digits},
    gpu::{self, arguments::Arguments},
};

/// The papers' optimum, on their GPU and on their CPU.
const PAPERS: u32 = 3;

/// The thresholds of a table, and of a quick run.
const TELLING: [u32; 15] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64];

/// An engine's time by threshold.
#[derive(Clone, Debug)]
struct Curve {
    engine: String,
    /// (LOGMS, seconds), LOGMS rising
    points: Vec<(u32, f64)>,
}

impl Curve {
    fn at(&self, logms: u32) -> Option<f64> {
        self.points.iter().find(|point| point.0 == logms).map(|point| point.1)
    }

    /// The fastest point.
    fn best(&self) -> Option<(u32, f64)> {
        self.points.iter().copied().min_by(|x, y| x.1.total_cmp(&y.1))
    }

    /// The lowest threshold that costs at most 5 % more than the best.
    fn first_good(&self) -> Option<u32> {
        let (_, best) = self.best()?;
        self.points.iter().find(|point| point.1 <= 1.05 * best).map(|point| point.0)
    }

    /// How much of the time at `logms` the fastest point saves, in per cent.
    fn gained(&self, logms: u32) -> Option<f64> {
        Some(100.0 * (1.0 - self.best()?.1 / self.at(logms)?))
    }
}

pub(super) fn section(scale: Scale) -> Result<Section, ToolError> {
    let whole = crate::piece("exp", "1", 1 << 40, 54);
    let part = whole.part(0, scale.pick(1 << 33, 1 << 34))?;
    let times = scale.pick(3, 5);
    let mut curves = on_cpu(&part, &scale.pick(TELLING.to_vec(), (0..=64).collect()), times)?;
    let (adapter, on_gpu) = on_gpu(scale);
    curves.extend(on_gpu);
    let y = "time / the engine's best time";
    let axes = Lines { x: "LOGMS, in bits", y, log2_x: false, from_zero: false };
    Ok(Section {
        title: "LOGMS: subtracting or dividing",
        source: "PDP 2012, figure 4 and section V.A; SIMD 2016, sections 3 and 5.2",
        measured: format!(
            "exp on the first {} arguments of I₀, domains of 2^15, one thread of the CPU, whole searches but for the polynomial; best of \
             {times} interleaved runs, each list compared with the Farey walk's. LOGMS = 0 never subtracts; else quotients of operands \
             with dividend ≤ divisor·2^LOGMS are subtracted; 64 always. Lanes ({}) decide together, and divide by reciprocals. {adapter}",
            count(part.arguments()),
            Level::best(),
        ),
        tables: vec![optima(&curves)],
        details: vec![times_of(&curves)],
        pictures: vec![Picture {
            name: "logms",
            alternative: "Time of each engine against LOGMS, relative to its best",
            svg: axes.svg(&relative(&curves))?,
        }],
        differences: &[
            "Figure 4: the optimum depends on what a division costs beside a subtraction: scalar code gains by subtracting, and hardly \
             cares from which threshold on, as nearly all quotients are small; in lanes a reciprocal costs no more than a few masked \
             subtractions, whose loop waits for the largest quotient of all lanes and is left at an unpredictable turn, so that always \
             dividing is best there.",
        ],
    })
}

fn on_cpu(piece: &Piece, bits: &[u32], times: u32) -> Result<Vec<Curve>, ToolError> {
    let level = Level::best();
    let lanes = level.to_string();
    let engines = ["scalar", &lanes].map(|platform| [REGULAR, LEFEVRE].map(|method| (method, platform)));
    let engines = engines.concat();
    // those above 64 do not exist, and none is asked for
    let thresholds: Vec<Logms> = bits.iter().filter_map(|&bits| Logms::new(bits).ok()).collect();
    let backend = |method: Method, platform: &str, logms| match platform {
        "scalar" => method.in_scalar_code(logms, Some(PAPERS_DOMAIN)),
        _ => Some(method.in_lanes(level, logms, Some(PAPERS_DOMAIN))),
    };
    let backend = &backend;
    let backends: Vec<_> = engines
        .iter()
        .flat_map(|&(method, platform)| {
            thresholds.iter().filter_map(move |&logms| backend(method, platform, logms))
        })
        .collect();
    let seconds = race(&backends, std::slice::from_ref(piece), times)?;
    let curves = engines.into_iter().zip(seconds.chunks(thresholds.len().max(1)));
    Ok(curves
        .map(|((method, platform), seconds)| Curve {
            engine: format!("{}, {platform}", method.title),
            points: thresholds.iter().map(|logms| logms.bits()).zip(seconds.iter().copied()).collect(),
        })
        .collect())
}

/// The sweep of `cargo xtask bench-gpu` on the adapter there is, and a sentence about it.
fn on_gpu(scale: Scale) -> (String, Vec<Curve>) {
    let arguments = scale.pick(
        vec!["reproduce", "--quick", "--minutes", "0.4", "--sections", "logms"],
        vec!["reproduce", "--minutes", "2", "--sections", "logms"],
    );
    let figures = match gpu::run(Arguments::parse_from(arguments), |_| {}) {
        Ok(figures) => figures,
        Err(reason) => return (format!("GPU: not measured, {reason}."), Vec::new()),
    };
    let mut curves: Vec<Curve> = Vec::new();
    for point in &figures.logms {
        let engine = format!("{}, GPU", if point.engine == "lefevre" { "Lefèvre" } else { point.engine });
        let place = (point.logms, point.time.as_secs_f64());
        match curves.iter_mut().find(|curve| curve.engine == engine) {
            Some(curve) => curve.points.push(place),
            None => curves.push(Curve { engine, points: vec![place] }),
        }
    }
    for curve in &mut curves {
        curve.points.sort_unstable_by_key(|point| point.0);
    }
    let said = if curves.is_empty() {
        format!("GPU: not measured on {}.", figures.adapter)
    } else {
        format!("GPU: time in all kernels on {}, N by the cost model.", figures.adapter)
    };
    (said, curves)
}

fn optima(curves: &[Curve]) -> Table {
    let columns = "engine | papers' optimum | our optimum | first within 5 % | \
                   time saved against LOGMS 0 | against 3 | against 64";
    let mut table = Table::new("The best LOGMS", columns);
    for curve in curves {
        let shown = |logms: Option<u32>| or_none(logms, |logms| logms.to_string());
        let gained = |logms| or_none(curve.gained(logms), |share| format!("{share:.0} %"));
        let optima = [Some(PAPERS), curve.best().map(|point| point.0), curve.first_good()].map(shown);
        table.row([curve.engine.clone()].into_iter().chain(optima).chain([0, PAPERS, 64].map(gained)));
    }
    table
}

fn times_of(curves: &[Curve]) -> Table {
    let engines = curves.iter().map(|curve| &curve.engine);
    let mut table = Table::new("Milliseconds by LOGMS", "LOGMS").with_columns(engines);
    for logms in TELLING {
        let cell = |curve: &Curve| or_none(curve.at(logms), |seconds| three_digits(1e3 * seconds));
        table.row([logms.to_string()].into_iter().chain(curves.iter().map(cell)));
    }
    table
}

/// Each engine's times over its best.
fn relative(curves: &[Curve]) -> Vec<Series> {
    let series = |curve: &Curve| {
        let (_, best) = curve.best()?;
        let points =
            curve.points.iter().map(|&(logms, seconds)| (f64::from(logms), seconds / best)).collect();
        Some(Series { label: curve.engine.clone(), points })
    };
    curves.iter().filter_map(series).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curves() -> [Curve; 2] {
        [
            Curve { engine: "a".into(), points: vec![(0, 0.004), (3, 0.0021), (4, 0.002), (64, 0.0104)] },
            Curve { engine: "b".into(), points: vec![(0, 0.001), (3, 0.003)] },
        ]
    }

    #[test]
    fn the_best_of_a_curve() {
        let text = optima(&curves()).markdown();
        assert!(
            text.contains("| a | 3 | 4 | 3 | 50 % | 5 % | 81 % |\n| b | 3 | 0 | 0 | 0 % | 67 % | — |"),
            "{text}"
        );
        let text = times_of(&curves()).markdown();
        assert!(text.contains("| 0 | 4.00 | 1.00 |\n| 1 | — | — |"), "{text}");
        assert!(text.ends_with("| 64 | 10.4 | — |\n"), "{text}");
        let relative = relative(&curves());
        assert_eq!((relative.len(), relative[0].points.len()), (2, 4));
        assert_eq!((relative[0].points[0], relative[1].points[1]), ((0.0, 2.0), (3.0, 3.0)));
    }

    #[test]
    fn every_engine_at_every_threshold() {
        let piece = crate::piece("exp", "1", 1 << 28, 54);
        let curves = on_cpu(&piece, &[0, 3, 64], 1).unwrap();
        assert_eq!(curves.len(), 4);
        for curve in curves {
            let thresholds: Vec<u32> = curve.points.iter().map(|point| point.0).collect();
            assert_eq!(thresholds, [0, 3, 64], "{}", curve.engine);
            assert!(curve.points.iter().all(|point| point.1 > 0.0));
        }
    }
}
