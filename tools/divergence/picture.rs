//! Histograms of the NMDM per group, like the papers' figures (SIMD 2016, 3.1; TOMS 2016, 6), as
//! SVG and PNG.

use plotters::{coord::Shift, prelude::*};

use super::{Measurement, Statistics, subjects::FAREY_WALK};
use crate::ToolError;
use crate::figures::picture::{COLORS, Plot};

/// Width, and height of a panel, in pixels.
const PANEL: (u32, u32) = (880, 300);

/// A panel's title, and the measurement of a test.
pub type Panel<'a> = (&'static str, &'a Measurement);

/// The papers' tests and the walk, as far as they were measured.
pub fn panels(measurements: &[Measurement]) -> Vec<Panel<'_>> {
    let find = |name: &str| measurements.iter().find(|measurement| measurement.name == name);
    [
        ("Lefèvre", "lefevre-division"),
        ("Lefèvre with special instructions", "lefevre-special-hybrid"),
        ("Regular", "regular"),
        ("Farey walk", FAREY_WALK),
    ]
    .into_iter()
    .filter_map(|(title, name)| Some((title, find(name)?)))
    .collect()
}

/// The histograms of groups of `lanes` lanes, one panel below the other, as SVG text; titles go
/// with the measurements.
///
/// # Errors
/// If plotters cannot draw.
pub fn svg(panels: &[(&str, &Measurement)], lanes: usize) -> Result<String, ToolError> {
    let mut text = String::new();
    let size = (PANEL.0, PANEL.1 * panels.len() as u32);
    draw(SVGBackend::with_string(&mut text, size), panels, lanes).map_err(ToolError::draw)?;
    Ok(text)
}

/// Bins with a smaller share of the groups than this would not show; the axis ends before them.
const VISIBLE: f64 = 1e-4;

fn draw<B: DrawingBackend>(backend: B, panels: &[(&str, &Measurement)], lanes: usize) -> Plot<()>
where
    B::ErrorType: 'static,
{
    let area = backend.into_drawing_area();
    area.fill(&WHITE)?;
    // all panels have the same axis, up to the last bin that shows in any of them
    let bins = panels.iter().filter_map(|(_, measurement)| measurement.of(lanes));
    let seen = bins.filter_map(|counts| {
        counts.histogram.iter().rposition(|&groups| groups as f64 >= VISIBLE * counts.groups as f64)
    });
    let right = (seen.max().unwrap_or(0) + 1).next_multiple_of(10) as f64;
    for (i, (panel, (title, measurement))) in
        area.split_evenly((panels.len(), 1)).iter().zip(panels).enumerate()
    {
        if let Some(counts) = measurement.of(lanes) {
            let title = format!("{title}: mean {:.1} %", 100.0 * counts.nmdm());
            draw_panel(panel, &title, counts, COLORS[i % COLORS.len()], (right, i + 1 == panels.len()))?;
        }
    }
    area.present()?;
    Ok(())
}

fn draw_panel<B: DrawingBackend>(
    panel: &DrawingArea<B, Shift>,
    title: &str,
    counts: &Statistics,
    color: RGBColor,
    (right, is_last): (f64, bool),
) -> Plot<()>
where
    B::ErrorType: 'static,
{
    let share = |groups: u64| 100.0 * groups as f64 / counts.groups as f64;
    let highest = counts.histogram.iter().map(|&groups| share(groups)).fold(0.0, f64::max);
    // a round number above the highest bar
    let step =
        [1.0, 2.0, 5.0, 10.0, 20.0, 25.0].into_iter().find(|step| 4.0 * step >= highest).unwrap_or(25.0);
    let top = (highest / step).ceil() * step;
    let mut chart = ChartBuilder::on(panel)
        .margin(10)
        .margin_right(24)
        .caption(title, ("sans-serif", 24))
        .x_label_area_size(if is_last { 56 } else { 34 })
        .y_label_area_size(84)
        .build_cartesian_2d(0.0..right, 0.0..top)?;
    let lanes = counts.lanes;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(225, 225, 225))
        .x_desc(if is_last { format!("NMDM of a group of {lanes} lanes, in %") } else { String::new() })
        .y_desc("groups, in %")
        .x_labels(8)
        .y_labels(5)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y:.0}"))
        .label_style(("sans-serif", 21))
        .axis_desc_style(("sans-serif", 22))
        .draw()?;
    let bars = (0u32..).zip(counts.histogram).filter(|&(bin, groups)| groups > 0 && f64::from(bin) < right);
    chart.draw_series(bars.map(|(bin, groups)| {
        let left = f64::from(bin);
        Rectangle::new([(left + 0.06, 0.0), (left + 0.94, share(groups))], color.filled())
    }))?;
    Ok(())
}
