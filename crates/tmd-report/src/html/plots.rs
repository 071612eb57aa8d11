//! The plots of a page: what they show, and the names of what is in them.

use std::{collections::BTreeMap, fmt::Write as _};

use plotters::style::RGBColor;
use tmd_core::BreakpointKind::{self, Midpoint, Number};
use tmd_driver::Certificate;

use super::{
    chart::{Axis, BLUE, Chart, FRAMES, GRAY, LIGHT, Layer, Mark, VERMILION},
    statistics::band,
    text::{escape, power_of_two, typeset},
};
use crate::{
    ReportError,
    binades::{Binade, Summary},
};

/// Points that a plot has room for, one beside the other.
const MOST_POINTS: i32 = 128;

/// Samples of the curves of the distribution, per bit.
const SAMPLES: u32 = 8;

/// Most bits beyond the extra ones that are drawn.
const FARTHEST: f64 = 2048.0;

/// A plot with its names, as text of the page; or why there is none.
pub(super) struct Figure {
    pub(super) title: &'static str,
    /// What it shows, in a sentence or two.
    pub(super) caption: String,
    names: Vec<(Sign, String)>,
    chart: Option<Chart>,
}

/// The sign of a series in the legend.
#[derive(Clone, Copy)]
enum Sign {
    Mark(Mark, RGBColor),
    Line(RGBColor),
    Dashes(RGBColor),
    Band,
}

impl Figure {
    /// The figure as text of the page.
    pub(super) fn to_html(&self) -> Result<String, ReportError> {
        let mut text = format!("<section>\n<h2>{}</h2>\n", escape(self.title));
        let Some(chart) = &self.chart else {
            // writing to a String does not fail
            let _ = writeln!(text, "<p>{}</p>\n</section>", typeset(&self.caption));
            return Ok(text);
        };
        let _ = writeln!(text, "<figure aria-label=\"{}\">\n<p class=\"legend\">", escape(self.title));
        for (sign, name) in &self.names {
            let _ = writeln!(text, "<span class=\"name\">{} {}</span>", sign.svg(), escape(name));
        }
        let _ = writeln!(text, "</p>");
        for frame in &FRAMES {
            let _ = writeln!(text, "<div class=\"plot {}\">{}</div>", frame.class, chart.svg(frame)?);
        }
        let _ = writeln!(text, "<figcaption>{}</figcaption>\n</figure>\n</section>", typeset(&self.caption));
        Ok(text)
    }
}

impl Sign {
    fn svg(self) -> String {
        let hex = |RGBColor(r, g, b): RGBColor| format!("#{r:02X}{g:02X}{b:02X}");
        let inner = match self {
            Self::Mark(Mark::Disk, color) => {
                format!("<circle cx=\"9\" cy=\"6\" r=\"4\" fill=\"{}\"/>", hex(color))
            }
            Self::Mark(Mark::Triangle, color) => {
                format!("<polygon points=\"9,1 14,10 4,10\" fill=\"{}\"/>", hex(color))
            }
            Self::Line(color) => {
                format!("<path d=\"M0 6H18\" stroke=\"{}\" stroke-width=\"2\"/>", hex(color))
            }
            Self::Dashes(color) => {
                format!("<path d=\"M0 6H7M11 6H18\" stroke=\"{}\" stroke-width=\"2\"/>", hex(color))
            }
            Self::Band => {
                format!("<rect x=\"0\" y=\"1\" width=\"18\" height=\"10\" fill=\"{}\"/>", hex(LIGHT))
            }
        };
        format!("<svg class=\"sign\" width=\"18\" height=\"12\" viewBox=\"0 0 18 12\">{inner}</svg>")
    }
}

/// Neighboring binades that share a point, so that there are not too many points.
struct Groups<'a> {
    /// Binades in a group.
    size: i32,
    groups: BTreeMap<(bool, i32), Vec<&'a Summary<'a>>>,
}

impl<'a> Groups<'a> {
    fn new(binades: &'a BTreeMap<Binade, Summary<'a>>) -> Self {
        let exponents = || binades.keys().map(|binade| binade.exponent);
        let span = exponents().max().unwrap_or(0) - exponents().min().unwrap_or(0) + 1;
        let size = ((span + MOST_POINTS - 1) / MOST_POINTS).max(1);
        let mut groups = BTreeMap::<_, Vec<_>>::new();
        for (binade, summary) in binades {
            let group = (binade.is_negative, binade.exponent.div_euclid(size));
            groups.entry(group).or_default().push(summary);
        }
        Self { size, groups }
    }

    /// The middle of a group on the axis of exponents.
    fn x(&self, group: i32) -> f64 {
        f64::from(group * self.size) + f64::from(self.size - 1) / 2.0
    }

    fn x_range(&self) -> (f64, f64) {
        let xs = || self.groups.keys().map(|&(_, group)| self.x(group));
        let half = f64::from(self.size) / 2.0 + 0.5;
        (xs().fold(f64::INFINITY, f64::min) - half, xs().fold(f64::NEG_INFINITY, f64::max) + half)
    }

    fn has(&self, is_negative: bool) -> bool {
        self.groups.keys().any(|&(negative, _)| negative == is_negative)
    }

    /// The points at which `of` has something to show, of one sign of the arguments.
    fn points(&self, is_negative: bool, of: impl Fn(&[&Summary]) -> Option<f64>) -> Vec<(f64, f64)> {
        let groups = self.groups.iter().filter(|((negative, _), _)| *negative == is_negative);
        groups.filter_map(|(&(_, group), summaries)| Some((self.x(group), of(summaries)?))).collect()
    }

    /// What is said of groups below a plot.
    fn note(&self) -> String {
        if self.size == 1 {
            String::new()
        } else {
            format!(" Each point stands for {} neighboring binades.", self.size)
        }
    }
}

/// All plots, in the order of the page.
pub(super) fn figures(certificate: &Certificate, binades: &BTreeMap<Binade, Summary>) -> Vec<Figure> {
    let groups = Groups::new(binades);
    let kinds: Vec<BreakpointKind> = [Number, Midpoint]
        .into_iter()
        .filter(|kind| {
            certificate.rounding.parse().is_ok_and(|all: tmd_core::Breakpoints| all.includes(*kind))
        })
        .collect();
    vec![
        hardness(certificate, &groups, &kinds),
        distribution(certificate, binades),
        counts(&groups),
        times(&groups),
    ]
}

const SIDES: [(bool, Mark, &str); 2] = [(false, Mark::Disk, "x > 0"), (true, Mark::Triangle, "x < 0")];

/// The hardest case of each binade.
fn hardness(certificate: &Certificate, groups: &Groups, kinds: &[BreakpointKind]) -> Figure {
    let title = "Hardness, binade by binade";
    let (mut layers, mut names) = (Vec::new(), Vec::new());
    let mut is_shown_once = false;
    // the median of the hardest of n: (1 − 2d)^n = 1/2
    let typical = |summaries: &[&Summary]| {
        let n: u128 = summaries.iter().map(|summary| summary.arguments).sum();
        (n > 0).then(|| (2.0 * n as f64 / std::f64::consts::LN_2).log2())
    };
    let either = [groups.points(true, typical), groups.points(false, typical)];
    let usual = either.into_iter().max_by_key(Vec::len).unwrap_or_default();
    let mut top = f64::from(certificate.extra_bits) + 1.0;
    for point in &usual {
        top = top.max(point.1);
    }
    names.push((Sign::Dashes(GRAY), "median expected of the hardest".to_owned()));
    layers.push(Layer::Line { points: usual, color: GRAY, is_dashed: true });
    for &kind in kinds {
        let (color, word) = match kind {
            Number => (BLUE, "near a number (directed rounding)"),
            Midpoint => (VERMILION, "near a midpoint (rounding to nearest)"),
        };
        let mut positive = Vec::new();
        for (is_negative, mark, side) in SIDES {
            let hardest = |summaries: &[&Summary]| {
                let cases = summaries.iter().filter_map(|summary| summary.hardest(kind));
                cases.map(|case| -case.log2_dist).reduce(f64::max)
            };
            let mut points = groups.points(is_negative, hardest);
            if is_negative {
                let all = points.len();
                points.retain(|point| !positive.contains(point));
                is_shown_once |= points.len() < all;
            }
            if points.is_empty() {
                continue;
            }
            top = points.iter().fold(top, |top, point| top.max(point.1));
            names.push((Sign::Mark(mark, color), format!("{word}, {side}")));
            if !is_negative {
                positive.clone_from(&points);
            }
            layers.push(Layer::Marks { points, color, mark });
        }
    }
    if layers.len() == 1 {
        return Figure { title, caption: "There are no cases.".into(), names, chart: None };
    }
    let caption = format!(
        "The higher, the harder: −log2 of the least distance, in ulps of the result, from a breakpoint of each kind. Cases \
         below 2^-{} ulp are known.{}{}",
        certificate.extra_bits,
        if is_shown_once { " Where x and −x are equally hard, x > 0 is shown." } else { "" },
        groups.note()
    );
    let chart = Chart {
        axis: Axis::Binades,
        x: "binade of |x|",
        y: "−log2(distance)".into(),
        x_range: groups.x_range(),
        y_range: (f64::from(certificate.extra_bits), top + 1.0),
        is_logarithmic: false,
        layers,
    };
    Figure { title, caption, names, chart: Some(chart) }
}

/// How many cases are at least as hard as a distance.
fn distribution(certificate: &Certificate, binades: &BTreeMap<Binade, Summary>) -> Figure {
    let title = "Distances against the expected law";
    let searched = || binades.values().filter(|summary| summary.arguments > 0);
    let mut hardness: Vec<f64> =
        searched().flat_map(|summary| &summary.cases).map(|case| -case.log2_dist).collect();
    let expected: f64 = searched().map(|summary| summary.expected).sum();
    let Some(hardest) = hardness.iter().copied().reduce(f64::max) else {
        return Figure { title, caption: "There are no cases.".into(), names: Vec::new(), chart: None };
    };
    hardness.sort_by(f64::total_cmp);
    let first = f64::from(certificate.extra_bits);
    // as far as anything is confirmed; a document may say what it likes
    let last = (hardest.ceil() + 1.0).clamp(first, first + FARTHEST);
    let samples = (last - first) as u32 * SAMPLES;
    let grid: Vec<f64> = (0..=samples).map(|i| first + f64::from(i) / f64::from(SAMPLES)).collect();
    // least number on the logarithmic axis, where nothing would be
    let least = 0.5;
    let mean = |k: f64| expected * (first - k).exp2();
    let seen = |k: f64| (hardness.len() - hardness.partition_point(|&hardness| hardness < k)) as f64;
    let bands = grid.iter().map(|&k| (k, band(mean(k)))).map(|(k, (a, b))| (k, a.max(least), b.max(least)));
    let law = grid.iter().map(|&k| (k, mean(k))).filter(|&(_, n)| n >= least);
    let found = grid.iter().map(|&k| (k, seen(k))).filter(|&(_, n)| n >= least);
    let caption = format!(
        "Cases with a distance below 2^-k ulp: {} below 2^-{} where {expected:.1} are expected if results are spread evenly \
         between breakpoints. Where f is almost a line, as next to 0, they are not, and more are very hard. \
         Only arguments that were searched count, not those whose cases follow by symmetry.",
        hardness.len(),
        certificate.extra_bits
    );
    let chart = Chart {
        axis: Axis::Bits,
        x: "k",
        y: format!("cases below {} ulp", power_of_two("-k")),
        x_range: (first, last),
        y_range: (least, 1.5 * band(expected).1.max(hardness.len() as f64)),
        is_logarithmic: true,
        layers: vec![
            Layer::Band { points: bands.collect() },
            Layer::Line { points: law.collect(), color: GRAY, is_dashed: true },
            Layer::Line { points: found.collect(), color: BLUE, is_dashed: false },
        ],
    };
    let names = vec![
        (Sign::Line(BLUE), "found".into()),
        (Sign::Dashes(GRAY), "expected".into()),
        (Sign::Band, "95 % of chance (Poisson)".into()),
    ];
    Figure { title, caption, names, chart: Some(chart) }
}

/// Cases found and expected in each binade that was searched.
fn counts(groups: &Groups) -> Figure {
    let title = "Cases found and expected, binade by binade";
    let mut names = vec![(Sign::Band, "95 % of chance (Poisson)".to_owned())];
    let (mut bars, mut marks, mut top, mut outside, mut all) = (Vec::new(), Vec::new(), 1.0f64, 0, 0);
    // two signs stand side by side
    let is_both = groups.has(true) && groups.has(false);
    let half_width = f64::from(groups.size) * if is_both { 0.2 } else { 0.35 };
    for (is_negative, mark, side) in SIDES {
        let searched = |summaries: &[&Summary]| summaries.iter().any(|summary| summary.arguments > 0);
        let expected = groups.points(is_negative, |summaries| {
            searched(summaries).then(|| summaries.iter().map(|summary| summary.expected).sum())
        });
        let found = groups.points(is_negative, |summaries| {
            searched(summaries).then(|| summaries.iter().map(|summary| summary.found).sum::<u64>() as f64)
        });
        let shift = match (is_both, is_negative) {
            (false, _) => 0.0,
            (true, true) => -1.2 * half_width,
            (true, false) => 1.2 * half_width,
        };
        let mut points = Vec::with_capacity(found.len());
        for ((x, mean), (_, count)) in expected.into_iter().zip(found) {
            let (low, high) = band(mean);
            bars.push((x + shift, low, high));
            points.push((x + shift, count));
            top = top.max(high).max(count);
            all += 1;
            outside += u32::from(count < low || count > high);
        }
        if !points.is_empty() {
            let color = if is_negative { VERMILION } else { BLUE };
            names.push((Sign::Mark(mark, color), format!("found, {side}")));
            marks.push(Layer::Marks { points, color, mark });
        }
    }
    if all == 0 {
        return Figure { title, caption: "Nothing was searched.".into(), names, chart: None };
    }
    let caption = format!(
        "{outside} of {all} numbers are outside their band, where chance puts up to one in twenty. Binades whose cases follow by \
         symmetry are not shown.{}",
        groups.note()
    );
    let mut layers = vec![Layer::Bars { bars, half_width }];
    layers.append(&mut marks);
    let chart = Chart {
        axis: Axis::Binades,
        x: "binade of |x|",
        y: "cases".into(),
        x_range: groups.x_range(),
        y_range: (0.0, 1.1 * top),
        is_logarithmic: false,
        layers,
    };
    Figure { title, caption, names, chart: Some(chart) }
}

/// Time spent and planned in each binade.
fn times(groups: &Groups) -> Figure {
    let title = "Time, binade by binade";
    let (mut layers, mut names) = (Vec::new(), Vec::new());
    let (mut low, mut high) = (f64::INFINITY, 0.0f64);
    for (is_negative, mark, side) in SIDES {
        let total = |of: fn(&Summary) -> Option<f64>| {
            // times of nothing have no place on a logarithmic axis
            groups.points(is_negative, |summaries| {
                summaries
                    .iter()
                    .filter_map(|summary| of(summary))
                    .reduce(|a, b| a + b)
                    .filter(|&time| time > 0.0)
            })
        };
        let (spent, planned) = (total(|summary| summary.seconds), total(|summary| summary.planned));
        for &(_, time) in spent.iter().chain(&planned) {
            (low, high) = (low.min(time), high.max(time));
        }
        let color = if is_negative { VERMILION } else { BLUE };
        if !planned.is_empty() {
            names.push((Sign::Line(color), format!("planned, {side}")));
            layers.push(Layer::Line { points: planned, color, is_dashed: false });
        }
        if !spent.is_empty() {
            names.push((Sign::Mark(mark, color), format!("measured, {side}")));
            layers.push(Layer::Marks { points: spent, color, mark });
        }
    }
    if layers.is_empty() {
        let caption = "The certificate says nothing about the time that was spent.".into();
        return Figure { title, caption, names, chart: None };
    }
    let caption =
        format!("Seconds of search, summed over threads, and those planned for one core.{}", groups.note());
    let chart = Chart {
        axis: Axis::Binades,
        x: "binade of |x|",
        y: "seconds".into(),
        x_range: groups.x_range(),
        y_range: (low / 1.5, high * 1.5),
        is_logarithmic: true,
        layers,
    };
    Figure { title, caption, names, chart: Some(chart) }
}
