//! Curves over one axis, in the look of all pictures here: large text, few lines, colors that
//! color-blind readers tell apart, and the names above the plot, where they cover nothing.

use std::ops::Range;

use plotters::{
    coord::{
        Shift,
        ranged1d::{Ranged, ValueFormatter},
    },
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use crate::ToolError;
use crate::figures::picture::{COLORS, Plot};

/// Width and height of a plot in pixels; legible at half of it.
const SIZE: (u32, u32) = (880, 480);

/// Height of a line of names.
const NAME: u32 = 32;

/// Axes of a picture of curves.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// What the horizontal axis counts, with its unit.
    pub x: &'a str,
    /// What the vertical axis measures, with its unit.
    pub y: &'a str,
    /// Whether the horizontal axis is logarithmic, marked at powers of two.
    pub log2_x: bool,
    /// Whether the vertical axis is linear from zero; else it is logarithmic, marked at powers of
    /// two if the other one is.
    pub from_zero: bool,
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub label: String,
    /// Its points, from left to right; finite, positive where the axis is logarithmic.
    pub points: Vec<(f64, f64)>,
}

impl Lines<'_> {
    /// The curves as SVG text.
    ///
    /// # Errors
    /// If there is nothing to draw, or plotters cannot.
    pub fn svg(&self, series: &[Series]) -> Result<String, ToolError> {
        let points = || series.iter().flat_map(|series| &series.points);
        let bounds = |of: fn(&(f64, f64)) -> f64| {
            points()
                .map(of)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
        };
        let ((left, right), (low, high)) = (bounds(|point| point.0), bounds(|point| point.1));
        if !(left.is_finite() && right.is_finite() && low.is_finite() && high.is_finite()) {
            return Err(ToolError::draw("no points"));
        }
        let mut text = String::new();
        self.draw(&mut text, series, (left..right, low..high)).map_err(ToolError::draw)?;
        Ok(text)
    }

    fn draw(&self, text: &mut String, series: &[Series], (x, y): (Range<f64>, Range<f64>)) -> Plot<()> {
        let names: Vec<&str> = series.iter().map(|series| series.label.as_str()).collect();
        let area = below_names(text, &names)?;
        let mut builder = ChartBuilder::on(&area);
        builder.margin(16).margin_right(28).x_label_area_size(60).y_label_area_size(92);
        // a little room above the highest point
        let y = if self.from_zero { 0.0..y.end * 1.08 } else { y.start / 1.3..y.end * 1.3 };
        let [x, y] = [x, y].map(|it| if it.is_empty() { it.start..it.start + 1.0 } else { it });
        let log2_x = x.clone().log_scale().base(2.0);
        match (self.log2_x, self.from_zero) {
            (true, true) => self.curves(builder.build_cartesian_2d(log2_x, y)?, series),
            (true, false) => {
                self.curves(builder.build_cartesian_2d(log2_x, y.log_scale().base(2.0))?, series)
            }
            (false, true) => self.curves(builder.build_cartesian_2d(x, y)?, series),
            (false, false) => self.curves(builder.build_cartesian_2d(x, y.log_scale())?, series),
        }?;
        Ok(area.present()?)
    }

    fn curves<'a, X, Y>(
        &self,
        mut chart: ChartContext<'a, SVGBackend<'a>, Cartesian2d<X, Y>>,
        series: &[Series],
    ) -> Plot<()>
    where
        X: Ranged<ValueType = f64> + ValueFormatter<f64> + 'a,
        Y: Ranged<ValueType = f64> + ValueFormatter<f64> + 'a,
    {
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(225, 225, 225))
            .x_desc(self.x)
            .y_desc(self.y)
            .x_labels(10)
            .y_labels(7)
            .x_label_formatter(&|x| short(*x))
            .y_label_formatter(&|y| short(*y))
            .label_style(("sans-serif", 21))
            .axis_desc_style(("sans-serif", 22))
            .draw()?;
        for (i, Series { points, .. }) in series.iter().enumerate() {
            let color = COLORS[i % COLORS.len()];
            chart.draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(3)))?;
            let marks = points.iter().map(|&point| Circle::new(point, 4, color.filled()));
            chart.draw_series(marks)?;
        }
        Ok(())
    }
}

/// A white picture with the names of its series in their colors, two to a line, and the area that
/// is left below them; a single series needs no name.
pub(super) fn below_names<'a>(
    text: &'a mut String,
    names: &[&str],
) -> Plot<DrawingArea<SVGBackend<'a>, Shift>> {
    let names = if names.len() > 1 { names } else { &[] };
    let height = names.len().div_ceil(2) as u32 * NAME;
    let picture = SVGBackend::with_string(text, (SIZE.0, SIZE.1 + height)).into_drawing_area();
    picture.fill(&WHITE)?;
    let (above, below) = picture.split_vertically(height);
    let style = ("sans-serif", 20).into_text_style(&picture).pos(Pos::new(HPos::Left, VPos::Center));
    for (i, name) in names.iter().enumerate() {
        let color = COLORS[i % COLORS.len()].filled();
        let (x, y) = (60 + (i % 2) as i32 * 410, 8 + (i as i32 / 2) * NAME as i32 + NAME as i32 / 2);
        above.draw(&Rectangle::new([(x, y - 7), (x + 24, y + 7)], color))?;
        above.draw(&Text::new(*name, (x + 34, y), style.clone()))?;
    }
    Ok(below)
}

/// A number on an axis, without the zeros of rounding.
fn short(value: f64) -> String {
    let text = if value.abs() >= 10.0 || value == 0.0 {
        format!("{value:.0}")
    } else if value.abs() >= 1.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.3}")
    };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_on_axes() {
        for (x, text) in
            [(0.0, "0"), (1.0, "1"), (1.5, "1.5"), (0.25, "0.25"), (64.0, "64"), (0.001, "0.001")]
        {
            assert_eq!(short(x), text);
        }
    }

    #[test]
    fn every_kind_of_axes() {
        let series = [
            Series { label: "up".into(), points: vec![(1.0, 0.5), (2.0, 1.0), (64.0, 8.0)] },
            Series { label: "flat".into(), points: vec![(1.0, 3.0), (64.0, 3.0)] },
        ];
        for (log2_x, from_zero) in [(true, true), (true, false), (false, true), (false, false)] {
            let svg = Lines { x: "lanes", y: "time, in s", log2_x, from_zero }.svg(&series).unwrap();
            for text in ["lanes", "time, in s", "up", "flat"] {
                assert!(svg.contains(text), "{text}");
            }
        }
        let lines = Lines { x: "x", y: "y", log2_x: false, from_zero: true };
        assert!(lines.svg(&[]).is_err());
        // one point is a picture too
        assert!(lines.svg(&[Series { label: "one".into(), points: vec![(0.0, 0.0)] }]).is_ok());
    }
}
