//! [`Chart`]: a plot in layers, drawn by plotters at two sizes, for screens and for phones.
//!
//! Nothing is drawn behind the layers, and the page's style sheet has other colors for dark
//! screens: it finds what to change by the color, so every color here stands there too. Names of
//! series are not part of the picture but text of the page.

use plotters::{
    coord::ranged1d::{Ranged, ValueFormatter},
    prelude::*,
};

use super::text::power_of_two;
use crate::ReportError;

/// Blue of the Okabe-Ito palette, which color-blind readers tell from vermilion.
pub(super) const BLUE: RGBColor = RGBColor(0, 0x72, 0xb2);
/// Vermilion of the same palette.
pub(super) const VERMILION: RGBColor = RGBColor(0xd5, 0x5e, 0);
/// What is expected.
pub(super) const GRAY: RGBColor = RGBColor(0x6e, 0x6e, 0x6e);
/// Bands around it.
pub(super) const LIGHT: RGBColor = RGBColor(0xc9, 0xcd, 0xd1);
const INK: RGBColor = RGBColor(0x33, 0x33, 0x33);
const GRID: RGBColor = RGBColor(0xe4, 0xe4, 0xe4);

/// How a plot is drawn for a kind of screen.
pub(super) struct Frame {
    /// The class by which the style sheet shows the one or the other.
    pub(super) class: &'static str,
    size: (u32, u32),
    font: u32,
    /// About so many labels below the horizontal axis.
    labels: usize,
    mark: u32,
}

/// For screens, and for phones.
pub(super) const FRAMES: [Frame; 2] = [
    Frame { class: "wide", size: (860, 380), font: 18, labels: 12, mark: 4 },
    Frame { class: "narrow", size: (380, 320), font: 16, labels: 5, mark: 3 },
];

/// A sign for a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Disk,
    Triangle,
}

/// What is drawn, one over the other.
pub(super) enum Layer {
    Line {
        points: Vec<(f64, f64)>,
        color: RGBColor,
        is_dashed: bool,
    },
    Marks {
        points: Vec<(f64, f64)>,
        color: RGBColor,
        mark: Mark,
    },
    /// The area between two heights.
    Band {
        points: Vec<(f64, f64, f64)>,
    },
    /// Upright bars of this half width from a height to another.
    Bars {
        bars: Vec<(f64, f64, f64)>,
        half_width: f64,
    },
}

/// What an axis counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// Exponents of binades.
    Binades,
    /// Whole numbers.
    Bits,
}

/// A plot.
pub(super) struct Chart {
    pub(super) axis: Axis,
    pub(super) x: &'static str,
    pub(super) y: String,
    pub(super) x_range: (f64, f64),
    pub(super) y_range: (f64, f64),
    pub(super) is_logarithmic: bool,
    pub(super) layers: Vec<Layer>,
}

impl Chart {
    /// The plot as SVG text.
    pub(super) fn svg(&self, frame: &Frame) -> Result<String, ReportError> {
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, frame.size).into_drawing_area();
        let mut builder = ChartBuilder::on(&area);
        builder
            .margin(4)
            .margin_right(12)
            .x_label_area_size(3 * frame.font)
            .y_label_area_size(4 * frame.font + 6);
        let (x, y) = (self.x_range.0..self.x_range.1, self.y_range.0..self.y_range.1);
        if self.is_logarithmic {
            self.draw(builder.build_cartesian_2d(x, y.log_scale()).map_err(failed)?, frame)
        } else {
            self.draw(builder.build_cartesian_2d(x, y).map_err(failed)?, frame)
        }?;
        area.present().map_err(failed)?;
        drop(area);
        Ok(text)
    }

    fn draw<'a, Y>(
        &self,
        mut chart: ChartContext<'a, SVGBackend<'a>, Cartesian2d<plotters::coord::types::RangedCoordf64, Y>>,
        frame: &Frame,
    ) -> Result<(), ReportError>
    where
        Y: Ranged<ValueType = f64> + ValueFormatter<f64> + 'a,
    {
        let label = |x: &f64| match self.axis {
            // plotters marks fractions too where there are few binades
            _ if (x - x.round()).abs() > 1e-9 => String::new(),
            Axis::Binades => power_of_two(&format!("{x:.0}")),
            Axis::Bits => format!("{x:.0}"),
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .x_desc(self.x)
            .y_desc(self.y.as_str())
            .x_labels(frame.labels)
            .y_labels(6)
            .x_label_formatter(&label)
            .y_label_formatter(&|y| short(*y))
            .label_style(("sans-serif", frame.font, &INK))
            .axis_desc_style(("sans-serif", frame.font, &INK))
            .draw()
            .map_err(failed)?;
        for layer in &self.layers {
            match layer {
                Layer::Line { points, color, is_dashed: false } => {
                    let line = LineSeries::new(points.iter().copied(), color.stroke_width(2));
                    chart.draw_series(line).map_err(failed)?;
                }
                Layer::Line { points, color, is_dashed: true } => {
                    let line = DashedLineSeries::new(points.iter().copied(), 7, 5, color.stroke_width(2));
                    chart.draw_series(line).map_err(failed)?;
                }
                Layer::Marks { points, color, mark: Mark::Disk } => {
                    let marks = points.iter().map(|&point| Circle::new(point, frame.mark, color.filled()));
                    chart.draw_series(marks).map_err(failed)?;
                }
                Layer::Marks { points, color, mark: Mark::Triangle } => {
                    let marks = points
                        .iter()
                        .map(|&point| TriangleMarker::new(point, frame.mark + 1, color.filled()));
                    chart.draw_series(marks).map_err(failed)?;
                }
                Layer::Band { points } => {
                    let above = points.iter().map(|&(x, _, high)| (x, high));
                    let below = points.iter().rev().map(|&(x, low, _)| (x, low));
                    let outline: Vec<_> = above.chain(below).collect();
                    chart.draw_series([Polygon::new(outline, LIGHT.filled())]).map_err(failed)?;
                }
                Layer::Bars { bars, half_width } => {
                    let bars = bars.iter().map(|&(x, low, high)| {
                        Rectangle::new([(x - half_width, low), (x + half_width, high)], LIGHT.filled())
                    });
                    chart.draw_series(bars).map_err(failed)?;
                }
            }
        }
        Ok(())
    }
}

fn failed(reason: impl std::fmt::Display) -> ReportError {
    ReportError::Plot { reason: reason.to_string() }
}

/// A number on an axis, in few characters.
fn short(value: f64) -> String {
    if value != 0.0 && !(0.001..100_000.0).contains(&value.abs()) {
        return format!("{value:.0e}");
    }
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_on_axes() {
        for (x, text) in
            [(0.0, "0"), (1.5, "1.5"), (1024.0, "1024"), (1e6, "1e6"), (0.001, "0.001"), (1e-5, "1e-5")]
        {
            assert_eq!(short(x), text);
        }
    }

    #[test]
    fn every_layer_on_every_axis() {
        let layers = || {
            vec![
                Layer::Band { points: vec![(0.0, 1.0, 4.0), (3.0, 2.0, 5.0)] },
                Layer::Bars { bars: vec![(1.0, 1.0, 2.0)], half_width: 0.3 },
                Layer::Line { points: vec![(0.0, 1.0), (3.0, 4.0)], color: GRAY, is_dashed: true },
                Layer::Line { points: vec![(0.0, 1.0), (3.0, 4.0)], color: BLUE, is_dashed: false },
                Layer::Marks { points: vec![(1.0, 2.0)], color: BLUE, mark: Mark::Disk },
                Layer::Marks { points: vec![(2.0, 2.0)], color: VERMILION, mark: Mark::Triangle },
            ]
        };
        for is_logarithmic in [false, true] {
            for axis in [Axis::Binades, Axis::Bits] {
                let (x, y) = ("the x axis", "cases < 2".to_owned());
                let (x_range, y_range) = ((-1.0, 4.0), (0.5, 8.0));
                let chart =
                    Chart { axis, x, y: y.clone(), x_range, y_range, is_logarithmic, layers: layers() };
                for frame in &FRAMES {
                    let svg = chart.svg(frame).unwrap();
                    let document = roxmltree::Document::parse(&svg).unwrap();
                    let count =
                        |tag: &str| document.descendants().filter(|node| node.has_tag_name(tag)).count();
                    assert_eq!(count("circle"), 1);
                    assert_eq!(count("polygon"), 2, "band and triangle");
                    assert!(count("polyline") > 2, "axes, line and dashes");
                    let texts: Vec<_> =
                        document.descendants().filter_map(|node| node.text()).map(str::trim).collect();
                    assert!(texts.contains(&"cases < 2"), "{texts:?}");
                    assert_eq!(texts.contains(&"2²"), axis == Axis::Binades, "{texts:?}");
                }
            }
        }
    }
}
