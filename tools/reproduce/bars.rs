//! Groups of bars with their values, in the look of [`super::plot`].

use std::ops::Range;

use plotters::prelude::*;

use super::plot::below_names;
use crate::ToolError;
use crate::figures::{
    picture::{COLORS, Plot},
    table::three_digits,
};

/// A picture of bars: a group for each column, in it a bar for each series. The vertical axis is
/// logarithmic.
#[derive(Clone, Debug)]
pub struct Bars<'a> {
    /// What the vertical axis measures, with its unit.
    pub y: &'a str,
    /// The groups' names.
    pub groups: Vec<String>,
    /// The series: their names, and a value for each group; `None` leaves a gap.
    pub series: Vec<(String, Vec<Option<f64>>)>,
}

impl Bars<'_> {
    /// The bars as SVG text.
    ///
    /// # Errors
    /// If there is nothing to draw, or plotters cannot.
    pub fn svg(&self) -> Result<String, ToolError> {
        let values = || self.series.iter().flat_map(|(_, values)| values).flatten().copied();
        let (low, high) =
            values().fold((f64::INFINITY, 0f64), |(low, high), value| (low.min(value), high.max(value)));
        if !(low > 0.0 && low.is_finite() && high.is_finite()) {
            return Err(ToolError::draw("no values"));
        }
        let bottom = low / 2.5;
        // room for the value above the highest bar, a tenth of the whole height
        let top = high * (high / bottom).powf(0.1 / 0.9);
        let mut text = String::new();
        self.draw(&mut text, bottom..top).map_err(ToolError::draw)?;
        Ok(text)
    }

    fn draw(&self, text: &mut String, y: Range<f64>) -> Plot<()> {
        let bottom = y.start;
        let names: Vec<&str> = self.series.iter().map(|(label, _)| label.as_str()).collect();
        let area = below_names(text, &names)?;
        let groups = self.groups.len() as f64;
        let mut chart = ChartBuilder::on(&area)
            .margin(16)
            .x_label_area_size(40)
            .y_label_area_size(92)
            .build_cartesian_2d(-0.5..groups - 0.5, y.log_scale())?;
        let name = |x: &f64| {
            let is_group = (x - x.round()).abs() < 1e-9 && *x > -0.5;
            let group = if is_group { self.groups.get(x.round() as usize) } else { None };
            group.cloned().unwrap_or_default()
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(225, 225, 225))
            .y_desc(self.y)
            .x_labels(2 * self.groups.len() + 1)
            .y_labels(7)
            .x_label_formatter(&name)
            .y_label_formatter(&|y| if *y >= 1.0 { format!("{y:.0}") } else { format!("{y}") })
            .label_style(("sans-serif", 21))
            .axis_desc_style(("sans-serif", 22))
            .draw()?;
        let width = 0.84 / self.series.len() as f64;
        for (i, (_, values)) in self.series.iter().enumerate() {
            let color = COLORS[i % COLORS.len()];
            let left = |group: usize| group as f64 - 0.42 + width * i as f64;
            let bars = values.iter().enumerate().filter_map(|(group, value)| Some((left(group), (*value)?)));
            let rectangles = bars.clone().map(|(x, value)| {
                Rectangle::new([(x + 0.03 * width, bottom), (x + 0.97 * width, value)], color.filled())
            });
            chart.draw_series(rectangles)?;
            let style = ("sans-serif", 18).into_text_style(&area);
            let numbers = bars.map(|(x, value)| {
                EmptyElement::at((x + 0.5 * width, value)) + {
                    let text = short(value);
                    // centered above the bar: a digit is about nine pixels wide
                    Text::new(text.clone(), (-(9 * text.len() as i32) / 2, -22), style.clone())
                }
            });
            chart.draw_series(numbers)?;
        }
        Ok(area.present()?)
    }
}

/// A value above its bar: three digits, thousands as k.
fn short(value: f64) -> String {
    if value >= 1000.0 { format!("{}k", three_digits(value / 1000.0)) } else { three_digits(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_values_and_gaps() {
        let bars = Bars {
            y: "seconds",
            groups: vec!["scalar".into(), "avx2".into()],
            series: vec![
                ("regular".into(), vec![Some(2470.0), Some(0.25)]),
                ("swap".into(), vec![None, Some(0.5)]),
            ],
        };
        let svg = bars.svg().unwrap();
        for text in ["seconds", "scalar", "avx2", "regular", "swap", "2.47k", "0.250", "0.500"] {
            assert!(svg.contains(text), "{text}");
        }
        let none = Bars { series: vec![("regular".into(), vec![None, None])], ..bars.clone() };
        assert!(none.svg().is_err());
        assert!(Bars { series: vec![("zero".into(), vec![Some(0.0)])], ..bars }.svg().is_err());
    }
}
