//! Speed-up over cores, as in PDP 2012, figure 6, and one core beside the papers' core and GPU, as
//! in its table II.
//!
//! * [`published`]: the papers' numbers; [`scaling`]: the same work by more and more threads;
//!   [`one_core`]: search by search.

mod one_core;
mod published;
mod scaling;

use std::thread::available_parallelism;

use tmd_core::{Piece, exist::Logms};
use tmd_simd::Level;

use super::{
    Picture, Scale, Section,
    plot::{Lines, Series},
    simd::{FAREY, INTERVAL, INTERVALS, LEFEVRE, Method, PAPERS_DOMAIN, REGULAR, interval},
};
use crate::ToolError;
use crate::figures::{
    machine::cores,
    table::{NONE, Table, count, or_none, three_digits},
};
use one_core::OneCore;
use published::{GPU, PRINTED_SPEED_UPS, SPEED_UPS, TOMS_SPEED_UPS, TWO_GPUS};
use scaling::{Layout, Scaling, Subject, measured, numbers_of_threads};

/// Subjects in the order of their figures.
const LEFEVRE_SCALAR: usize = 0;
const LEFEVRE_LANES: usize = 1;
const REGULAR_LANES: usize = 2;
const QUEUE: usize = 4;

pub(super) fn section(scale: Scale) -> Result<Section, ToolError> {
    let times = scale.pick(3, 5);
    let threads = numbers_of_threads(available_parallelism().map_or(1, usize::from));
    let subjects = subjects(scale)?;
    let lengths: Vec<String> = subjects[..QUEUE].iter().map(|s| count(s.arguments() / INTERVALS)).collect();
    let all = measured(&subjects, &threads, times, INTERVALS * INTERVAL)?;
    let one_core = OneCore::measured(scale)?;
    Ok(Section {
        title: "Cores",
        source: "PDP 2012, figure 6, table II and section IV; SIMD 2016, section 5.4",
        measured: format!(
            "exp, 2^40 arguments of 54 bits to an interval, domains of 2^15 (the walk's by its cost model), LOGMS 3 in scalar code and 0 \
             in lanes, whole searches but for the polynomials; least seconds of interleaved runs, each list compared with the Farey \
             walk's. Figure 6: {times} runs with each number of threads up to all of this machine{}; from the middle of each of the \
             {} intervals of I_0..1023 a stretch of {} arguments (in the order of the columns), scaled; of n threads the first one \
             searches intervals 0, n, 2n, …, as the papers' processes do. The last column is `tmd search`: polynomials, walk and \
             confirmation, from one queue, of {} arguments in the middle, scaled. Table II: 3 runs on one thread, {}.",
            cores().map_or_else(String::new, |cores| format!(" ({cores} cores)")),
            count(INTERVALS),
            lengths.join(", "),
            count(subjects[QUEUE].arguments()),
            one_core.sample,
        ),
        tables: vec![speed_ups(&all), regular(&all), one_core.table()],
        details: vec![beside_gpus(&all), one_core.beside_gpu()],
        pictures: vec![
            Picture {
                name: "cores",
                alternative: "Speed-up against the number of threads: the papers' up to 11.3 with 12 and 13.7 with 24 threads, ours up to \
                              the threads of this machine, beside the ideal line",
                svg: picture(&all[..QUEUE])?,
            },
            Picture {
                name: "one-core",
                alternative: "Seconds for I₀ on one core, on a logarithmic axis: the exhaustive search far above all others, the Farey \
                              walk in lanes lowest, beside the papers' core and GPU",
                svg: one_core.picture()?,
            },
        ],
        differences: &[
            "Figure 6: intervals do not need each other, so that n cores are n times as fast but for what they share; the papers lose \
             6 % on twelve cores and gain a fifth by a second thread on each; ours make the domains' coefficients in \
             registers instead of loading them, and share little but the clock and, where cores have two threads, the core.",
            "GPUs: the papers' speed-ups are of a GPU against reference code on cores; ours in the same rows are of lanes, and those of an \
             adapter are in the section on GPUs, where the papers' kernels of table II stand beside ours, too.",
            "Table II: the papers' exhaustive search tabulates every argument; ours passes over blocks by 32 bits, an addition and a \
             comparison for several arguments at once, so that it gains more than a newer core gives, and the tests gain less over it; \
             registers per thread are not told by WebGPU; the paper prints 3.2 where its seconds say 3.0.",
        ],
    })
}

/// Lefèvre's search in scalar code and in lanes, the regular one and the walk in lanes, dealt out;
/// and the walk from a queue.
fn subjects(scale: Scale) -> Result<Vec<Subject>, ToolError> {
    let (level, papers) = (Level::best(), Some(PAPERS_DOMAIN));
    let lanes = |method: Method, domain_size| Some(method.in_lanes(level, Logms::INSTRUCTION, domain_size));
    // lengths of about two seconds on one thread of 2026, a quarter of that for a quick run
    let dealt = [
        ("Lefèvre, scalar".to_owned(), LEFEVRE.in_scalar_code(Logms::PAPERS, papers), 29),
        (format!("Lefèvre, {level}"), lanes(LEFEVRE, papers), 31),
        (format!("regular, {level}"), lanes(REGULAR, papers), 33),
        (format!("Farey walk, {level}"), lanes(FAREY, None), 36),
    ];
    let shorter = scale.pick(2, 0);
    let intervals: Vec<Piece> = (0..INTERVALS).map(interval).collect();
    let mut subjects = Vec::new();
    for (title, backend, log2) in dealt {
        let Some(backend) = backend else { continue };
        let stretch = |piece: &Piece| piece.part(INTERVAL / 2, 1 << (log2 - shorter));
        let pieces = intervals.iter().map(stretch).collect::<Result<_, _>>()?;
        subjects.push(Subject { title, layout: Layout::Cyclic { backend, pieces } });
    }
    subjects.push(Subject {
        title: format!("Farey walk, {level}, `tmd search`"),
        layout: Layout::Queue { log2_arguments: 46 - shorter },
    });
    Ok(subjects)
}

fn cell(seconds: Option<f64>, speed_up: Option<f64>) -> String {
    match (seconds, speed_up) {
        (Some(seconds), Some(speed_up)) => format!("{} s, {speed_up:.2}x", three_digits(seconds)),
        _ => NONE.into(),
    }
}

/// Seconds and speed-up by the number of threads, the papers' and ours.
fn speed_ups(all: &[Scaling]) -> Table {
    let columns = "threads | PDP 2012: Lefèvre, 12 cores | TOMS 2016: Lefèvre; regular, 6 cores";
    let mut table = Table::new("Seconds for I_0..1023, and times as fast as one thread (figure 6)", columns)
        .with_columns(all.iter().map(|scaling| &scaling.title));
    let ours = all.iter().flat_map(|scaling| scaling.seconds.iter().map(|point| point.0));
    let mut threads: Vec<usize> = ours.chain(SPEED_UPS.map(|point| point.0)).collect();
    threads.sort_unstable();
    threads.dedup();
    for n in threads {
        let papers = PRINTED_SPEED_UPS.iter().find(|point| point.0 == n).map_or(NONE, |point| point.1);
        let toms = if n == TOMS_SPEED_UPS.0 { TOMS_SPEED_UPS.1 } else { NONE };
        let ours = all.iter().map(|scaling| cell(scaling.at(n), scaling.speed_up(n)));
        table.row([n.to_string(), papers.into(), toms.into()].into_iter().chain(ours));
    }
    table
}

/// The papers' GPUs against cores; ours are lanes against scalar code.
fn beside_gpus(all: &[Scaling]) -> Table {
    let mut table = Table::new(
        "What a GPU brings, and what lanes bring: Lefèvre's search of I_0..1023 (figure 6)",
        "papers | times as fast | ours | times as fast",
    );
    let (scalar, lanes) = (&all[LEFEVRE_SCALAR], &all[LEFEVRE_LANES]);
    let most = scalar.seconds.last().map_or(1, |point| point.0);
    let ratio = |slow: Option<f64>, fast: Option<f64>| {
        or_none(slow.zip(fast), |(slow, fast)| format!("{:.1}x", slow / fast))
    };
    let mut row = |papers: &str, times: f64, ours: &[String]| {
        table.row([papers.into(), format!("{times:.1}x")].into_iter().chain(ours.iter().cloned()));
    };
    let all = format!("lanes against scalar code, {most} threads each");
    let more = format!("{most} threads against one, both with lanes");
    let one = "lanes against scalar code, one thread".to_owned();
    row("one GPU against one core", GPU.0, &[one, ratio(scalar.at(1), lanes.at(1))]);
    row("one GPU against six cores", GPU.1, &[]);
    row("two GPUs against twelve cores", GPU.2, &[all, ratio(scalar.at(most), lanes.at(most))]);
    row("two GPUs against 24 threads on twelve cores", TWO_GPUS.0, &[]);
    row("two GPUs against one", TWO_GPUS.1, &[more, ratio(lanes.at(1), lanes.at(most))]);
    table
}

/// SIMD 2016, section 5.4.
fn regular(all: &[Scaling]) -> Table {
    let mut table = Table::new(
        "The regular search of I_0..1023 by architecture (SIMD 2016, section 5.4)",
        "machine | seconds",
    );
    for (machine, seconds) in published::REGULAR {
        table.row(vec![machine.into(), seconds.into()]);
    }
    let ours = &all[REGULAR_LANES];
    if let Some((threads, seconds)) = ours.seconds.last() {
        table.row(vec![format!("ours: {}, threads: {threads}", ours.title), three_digits(*seconds)]);
    }
    table
}

/// Speed-ups against threads: the ideal, the papers', ours.
fn picture(all: &[Scaling]) -> Result<String, ToolError> {
    let papers = [(1, 1.0)].into_iter().chain(SPEED_UPS);
    let most = all.iter().flat_map(|scaling| &scaling.seconds).map(|point| point.0);
    let most = most.chain(SPEED_UPS.map(|point| point.0)).max().unwrap_or(1);
    let ideal = [1, most].map(|n| (n as f64, n as f64));
    let mut series = vec![
        Series { label: "ideal".into(), points: ideal.into() },
        Series {
            label: "PDP 2012: Lefèvre, 12 cores".into(),
            points: papers.map(|(n, speed_up)| (n as f64, speed_up)).collect(),
        },
    ];
    series.extend(all.iter().map(|scaling| Series {
        label: format!("ours: {}", scaling.title),
        points: scaling.seconds.iter().filter_map(|&(n, _)| Some((n as f64, scaling.speed_up(n)?))).collect(),
    }));
    Lines { x: "threads", y: "times as fast as one thread", log2_x: true, from_zero: false }.svg(&series)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Scaling> {
        let scaling =
            |title: &str, seconds: &[(usize, f64)]| Scaling { title: title.into(), seconds: seconds.into() };
        vec![
            scaling("Lefèvre, scalar", &[(1, 4400.0), (2, 2200.0), (12, 400.0)]),
            scaling("Lefèvre, avx512", &[(1, 880.0), (2, 440.0), (12, 100.0)]),
            scaling("regular, avx512", &[(1, 220.0), (2, 110.0), (12, 20.0)]),
        ]
    }

    #[test]
    fn speed_ups_beside_the_papers() {
        let text = speed_ups(&all()).markdown();
        for line in [
            "| 1 | — | — | 4,400 s, 1.00x | 880 s, 1.00x | 220 s, 1.00x |\n| 2 | — | — | 2,200 s, 2.00x |",
            "| 6 | 5.7x (15.4 / 2.7) | — | — | — | — |",
            "| 12 | 11.3x | 6.96x; 7.22x, two-way SMT | 400 s, 11.00x | 100 s, 8.80x | 20.0 s, 11.00x |",
            "| 24 | 13.7x, two-way SMT | — | — | — | — |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let svg = picture(&all()).unwrap();
        for text in ["ideal", "PDP 2012", "ours: regular, avx512", "threads"] {
            assert!(svg.contains(text), "{text}");
        }
    }

    #[test]
    fn lanes_in_place_of_gpus() {
        let text = beside_gpus(&all()).markdown();
        for line in [
            "| one GPU against one core | 15.4x | lanes against scalar code, one thread | 5.0x |",
            "| two GPUs against twelve cores | 2.7x | lanes against scalar code, 12 threads each | 4.0x |",
            "| two GPUs against 24 threads on twelve cores | 2.2x | — | — |",
            "| two GPUs against one | 2.0x | 12 threads against one, both with lanes | 8.8x |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let text = regular(&all()).markdown();
        assert!(text.ends_with("250 |\n| ours: regular, avx512, threads: 12 | 20.0 |\n"), "{text}");
    }

    /// Every subject searches a stretch of every interval, or the whole of its own.
    #[test]
    fn what_is_searched() {
        let all = subjects(Scale::Quick).unwrap();
        assert_eq!(all.len(), QUEUE + 1);
        let arguments: Vec<u64> = all.iter().map(Subject::arguments).collect();
        assert_eq!(arguments, [37, 39, 41, 44, 44].map(|log2| 1u64 << log2));
        for subject in &all[..QUEUE] {
            let Layout::Cyclic { pieces, .. } = &subject.layout else { panic!("{}", subject.title) };
            assert_eq!(pieces.len() as u64, INTERVALS);
            assert_eq!(pieces[700].value(0), interval(700).value(INTERVAL / 2));
        }
    }
}
