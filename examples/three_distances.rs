//! The three-distance theorem as a picture: how the points 0, a, 2a, … mod 1 cut the circle into
//! two lengths.
//!
//! Draws the two-length configurations of a = NUM/DEN, to scale, like figure 3 of the GPU paper
//! (Fortin, Gouicem, Graillat, 2016) for a = 14/45: the lengths above each segment, in units of
//! 1/DEN; the multiples of a below; at the right the configuration's index (i, t) and how many
//! segments of each length there are. From one row to the next all the longer segments are split at
//! once: that is why a search may skip from row to row.
//!
//! Uses `tmd_core::contfrac` alone. Run it with
//!
//! ```text
//! cargo run -p tmd-examples --example three_distances [NUM DEN]
//! ```
#![forbid(unsafe_code)]

use std::process::ExitCode;

use tmd_core::contfrac::{Rotation, TwoLengthConfiguration};

/// Columns that stand for the unit segment.
const COLUMNS: usize = 90;
/// Columns of the shortest segment that can be told from its neighbors.
const SHORTEST: u128 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match rotation(&arguments) {
        Ok(rotation) => {
            print!("{}", picture(rotation));
            ExitCode::SUCCESS
        }
        Err(sentence) => {
            eprintln!("three_distances: {sentence}");
            ExitCode::from(2)
        }
    }
}

/// The rotation by NUM/DEN; by 14/45 without arguments.
fn rotation(arguments: &[String]) -> Result<Rotation, String> {
    let integer = |text: &String| {
        text.parse::<u64>().map_err(|_| format!("`{text}` is not an integer between 0 and 2^64 - 1"))
    };
    let (a, modulus) = match arguments {
        [] => (14, 45),
        [numerator, denominator] => (integer(numerator)?, integer(denominator)?),
        _ => return Err("give a numerator and a denominator, such as 14 45, or nothing".into()),
    };
    Rotation::new(a.into(), modulus.into()).map_err(|error| error.to_string())
}

/// All configurations that can be drawn to scale, one below the other.
fn picture(rotation: Rotation) -> String {
    let (a, modulus) = (rotation.a(), rotation.modulus());
    let mut text = format!("The points a·x mod 1 for a = {a}/{modulus}, lengths in units of 1/{modulus}\n");
    for configuration in TwoLengthConfiguration::all(rotation) {
        if configuration.is_degenerate() && configuration.points() > 1 {
            break; // the end: points coincide
        }
        if !is_drawable(configuration) {
            let (i, t, points) = (configuration.i(), configuration.t(), configuration.points());
            let next = format!("({i}, {t}) with {points} points");
            return text + &format!("\nThe next one, {next}, is too fine for {COLUMNS} columns.\n");
        }
        text += &drawn(configuration);
    }
    text + &format!("\nThat is all: point number {} falls on point 0.\n", rotation.period())
}

/// Whether all its segments are long enough.
fn is_drawable(configuration: TwoLengthConfiguration) -> bool {
    // lengths are below 2^64, so the products fit easily
    lengths(configuration).all(|(length, _)| length * COLUMNS as u128 >= SHORTEST * configuration.modulus())
}

/// The lengths that occur, the longer one first, and how often.
fn lengths(configuration: TwoLengthConfiguration) -> impl Iterator<Item = (u128, u128)> {
    let (p, q) = ((configuration.p(), configuration.u()), (configuration.q(), configuration.v()));
    [p.max(q), p.min(q)].into_iter().filter(|&(_, count)| count > 0)
}

/// Three lines: the lengths, the segments, the indices.
fn drawn(configuration: TwoLengthConfiguration) -> String {
    let modulus = configuration.modulus();
    let column = |place: u128| (place * COLUMNS as u128 / modulus) as usize;
    let (mut above, mut bar, mut below) = (Line::default(), Line::default(), Line::default());
    bar.fill('-');
    let (mut x, mut place) = (0, 0);
    while place < modulus {
        // x is a point of the configuration, so it has a right neighbor, and a length above 0 leads
        // there
        let Some((next, length)) = configuration.right_neighbor(x) else { break };
        let (from, to) = (column(place), column(place + length));
        bar.put(from, "|");
        above.put_between(from, to, &length.to_string());
        below.put(from, &x.to_string());
        (x, place) = (next, place + length);
    }
    bar.put(COLUMNS, "|");
    below.put(COLUMNS, &x.to_string()); // 1 is 0 again
    let sum: Vec<String> =
        lengths(configuration).map(|(length, count)| format!("{count}×{length}")).collect();
    let label = format!("  ({}, {}): {}", configuration.i(), configuration.t(), sum.join(" + "));
    format!("\n{}\n{}{label}\n{}\n", above.text(), bar.text(), below.text())
}

/// A line of characters by column; a text is left out where there is no room for it.
struct Line(Vec<char>);

impl Default for Line {
    fn default() -> Self {
        Self(vec![' '; COLUMNS + 1])
    }
}

impl Line {
    fn fill(&mut self, c: char) {
        self.0.fill(c);
    }

    /// Writes `text` from column `at` on, unless it would touch another one.
    fn put(&mut self, at: usize, text: &str) {
        let end = at + text.len();
        if self.0.len() < end {
            self.0.resize(end, ' ');
        }
        let neighbors = &self.0[at.saturating_sub(1)..end];
        if !neighbors.iter().any(char::is_ascii_digit) {
            self.0.splice(at..end, text.chars());
        }
    }

    /// Writes `text` in the middle of the columns strictly between `from` and `to`.
    fn put_between(&mut self, from: usize, to: usize, text: &str) {
        let room = to - from;
        if text.len() < room {
            self.put(from + (room + 1 - text.len()) / 2, text);
        }
    }

    fn text(&self) -> String {
        self.0.iter().collect::<String>().trim_end().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numerator: u128, denominator: u128) -> String {
        picture(Rotation::new(numerator, denominator).unwrap())
    }

    /// The lines above, at and below the segments of configuration (i, t).
    fn row<'a>(picture: &'a str, label: &str) -> [&'a str; 3] {
        let lines: Vec<&str> = picture.lines().collect();
        let at = lines.iter().position(|line| line.contains(&format!("  {label}: "))).unwrap();
        [lines[at - 1], lines[at], lines[at + 1]]
    }

    fn numbers(line: &str) -> Vec<u32> {
        line.split_whitespace().map(|word| word.parse().unwrap()).collect()
    }

    #[test]
    fn the_rows_of_figure_3() {
        let picture = of(14, 45);
        // the figure, and Table I beside it
        let [above, bar, below] = row(&picture, "(1, 0)");
        assert_eq!(numbers(above), [14, 14, 14, 3]);
        assert_eq!(numbers(below), [0, 1, 2, 3, 0]);
        assert!(bar.ends_with("|  (1, 0): 3×14 + 1×3"), "{bar}");
        // sixteen points by their definition: sort 14·x mod 45
        let mut points: Vec<(u32, u32)> = (0..16).map(|x| (14 * x % 45, x)).collect();
        points.sort_unstable();
        points.push((45, 0));
        let [above, bar, below] = row(&picture, "(2, 0)");
        assert_eq!(numbers(below), points.iter().map(|&(_, x)| x).collect::<Vec<_>>());
        assert_eq!(numbers(above), points.windows(2).map(|pair| pair[1].0 - pair[0].0).collect::<Vec<_>>());
        assert!(bar.ends_with("|  (2, 0): 13×3 + 3×2"), "{bar}");
        let labels: Vec<&str> = picture.lines().filter_map(|line| Some(line.split_once("|  (")?.1)).collect();
        assert_eq!(labels.len(), 10, "all rows of Table I but the last, where points coincide");
        assert!(picture.ends_with("point number 45 falls on point 0.\n"));
    }

    #[test]
    fn to_scale() {
        // two columns for 1/45
        let picture = of(14, 45);
        let [_, bar, _] = row(&picture, "(0, 1)");
        let places: Vec<usize> =
            bar.chars().take(COLUMNS + 1).enumerate().filter(|(_, c)| *c == '|').map(|(i, _)| i).collect();
        assert_eq!(places, [0, 28, 90]);
    }

    #[test]
    fn labels_without_room_are_left_out() {
        // all 45 points, two columns each: what is printed stands under its point and reads as one
        // number
        let picture = of(14, 45);
        let [_, bar, below] = row(&picture, "(3, 1)");
        assert_eq!(bar.matches('|').count(), 46);
        assert!((20..45).contains(&numbers(below).len()), "{below}");
        for x in numbers(below) {
            let at = 2 * (14 * x as usize % 45);
            let word = below[at..].split(' ').next().unwrap();
            assert_eq!(word, x.to_string(), "{below}");
        }
    }

    #[test]
    fn fractions_without_a_picture_end_in_a_sentence() {
        assert!(of(1, 1000).contains("(0, 1) with 2 points, is too fine"));
        let still = of(0, 5);
        assert!(still.contains("  (0, 0): 1×5\n") && still.contains("number 1 falls on point 0"), "{still}");
        // the shortest segments that are drawn have two columns
        assert!(of(1, COLUMNS as u128 / 2).contains("  (0, 1): "));
        assert!(of(1, COLUMNS as u128 / 2 + 1).contains("(0, 1) with 2 points, is too fine"));
        assert!(of(u128::from(u64::MAX), 1 << 64).contains("too fine"));
    }

    #[test]
    fn bad_arguments_are_one_sentence() {
        let of = |line: &str| rotation(&line.split_whitespace().map(Into::into).collect::<Vec<_>>());
        assert_eq!(of(""), of("14 45"));
        for (line, word) in [
            ("14", "numerator"),
            ("1 2 3", "numerator"),
            ("x 45", "`x`"),
            ("1 -2", "`-2`"),
            ("1 0", "modulus is 0"),
        ] {
            let sentence = of(line).unwrap_err();
            assert!(sentence.contains(word) && sentence.lines().count() == 1, "{sentence}");
        }
    }
}
