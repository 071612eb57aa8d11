//! Draws `docs/hardness.svg`: how many arguments of the papers' interval I₀ are at least as hard as
//! a given distance, against the law of evenly spread results.
//!
//! ```sh
//! cargo run --release -p tmd-examples --example hardness_plot [FILE]
//! ```

use plotters::prelude::*;
use tmd_core::{Breakpoints, Format, Interrupt, Problem, Scalar, ScalarEngine, exist::Logms};
use tmd_driver::{Outcome, Search, Workers};

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "docs/hardness.svg".into());
    let (problem, found) = cases()?;
    draw(SVGBackend::new(&file, (880, 480)), &problem, &found)?;
    println!("{} cases drawn in {file}", found.cases.len());
    Ok(())
}

/// The cases of I₀: exp on the 2^40 arguments of [1, 1+2^-13) with 54 bits.
fn cases() -> Result<(Problem, Outcome), Error> {
    let arguments = Format::BINARY64.with_precision(54)?;
    let problem = Problem::new(arguments, Format::BINARY64, Breakpoints::Directed, 33)?;
    let regular = Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None };
    let search = Search {
        function: &tmd_functions::parse("exp")?,
        from: tmd_functions::parse_number("1")?,
        to: tmd_functions::parse_number("1+2^-13")?,
        problem,
        workers: Workers::cpu(&regular, 0),
    };
    let found = search.run(&(), &Interrupt::new())?;
    Ok((problem, found))
}

/// Cases with distance at most 2^-m, a step for each case, and the expected number
/// 2·2^-m·arguments.
fn draw<B: DrawingBackend>(backend: B, problem: &Problem, found: &Outcome) -> Result<(), Error>
where
    B::ErrorType: 'static,
{
    let mut hardness: Vec<f64> = found.cases.iter().map(|case| -case.log2_distance).collect();
    hardness.sort_by(f64::total_cmp);
    let first = f64::from(problem.extra_bits());
    let last = hardness.last().copied().unwrap_or(first + 1.0).ceil() + 1.0;
    let area = backend.into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(56)
        .y_label_area_size(72)
        .build_cartesian_2d(first..last, (0.5f64..400.0).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(225, 225, 225))
        .x_desc("m: distance to the nearest double at most 2^-m ulp")
        .y_desc("arguments")
        .x_labels((last - first) as usize + 1)
        .x_label_formatter(&|m| format!("{m:.0}"))
        .y_label_formatter(&|n| format!("{n:.0}"))
        .label_style(("sans-serif", 19))
        .axis_desc_style(("sans-serif", 20))
        .draw()?;
    // blue and orange of the Okabe-Ito palette, told apart by color-blind readers, and one of them
    // is dashed
    let (law, seen) = (RGBColor(230, 159, 0), RGBColor(0, 114, 178));
    let expected = |m: f64| 2f64.powf(1.0 - m) * found.arguments as f64;
    let line = (0..=100).map(|i| first + (last - first) * f64::from(i) / 100.0).map(|m| (m, expected(m)));
    let line = line.filter(|&(_, n)| n >= 0.5);
    chart
        .draw_series(DashedLineSeries::new(line, 10, 6, law.stroke_width(3)))?
        .label("expected: 2·2^-m · 2^40")
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 28, y)], law.stroke_width(3)));
    let mut steps = vec![];
    for (i, &m) in hardness.iter().enumerate() {
        let harder = (hardness.len() - i) as f64;
        steps.extend([(if i == 0 { first } else { hardness[i - 1] }, harder), (m, harder)]);
    }
    chart
        .draw_series(LineSeries::new(steps, seen.stroke_width(3)))?
        .label(format!("found: {} cases of exp", hardness.len()))
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 28, y)], seen.stroke_width(3)));
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .margin(16)
        .legend_area_size(36)
        .background_style(WHITE)
        .border_style(RGBColor(160, 160, 160))
        .label_font(("sans-serif", 20))
        .draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_has_every_case_and_its_labels() {
        let (problem, found) = cases().unwrap();
        assert_eq!(found.cases.len(), 243);
        let mut text = String::new();
        draw(SVGBackend::with_string(&mut text, (880, 480)), &problem, &found).unwrap();
        assert!(text.contains("found: 243 cases of exp") && text.contains("arguments"));
        let longest = text.lines().filter(|line| line.contains("<polyline")).map(str::len).max().unwrap();
        assert!(longest > 243 * 8, "a step for every case");
    }
}
