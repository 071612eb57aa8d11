//! Prints enclosures of Taylor coefficients, for programs that compare them with those of another
//! library.
//!
//! Each line of the input is `FUNCTION PRECISION ORDER M E N F`: an expression without spaces, and
//! the interval from `M·2^E` to `N·2^F`. Each line of the output is JSON:
//! `{"coefficients":[["m","e","n","f"],…]}`, number k from `m·2^e` to `n·2^f`, or `{"error":"…"}`.
//!
//! ```sh
//! echo 'exp(x) 64 2 1 0 1 0' | cargo run -p tmd-functions --example enclose
//! ```

use std::io::{self, BufRead, BufWriter, Write};

use rug::{Float, Integer};
use tmd_functions::{Expression, Function, Interval, Series, parse};

/// Exponents beyond which nothing is an argument of a format.
const MOST_EXPONENT: i32 = 1 << 20;

fn main() -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let mut last: Option<(String, Expression)> = None;
    for line in io::stdin().lock().lines() {
        let answer = match answer(&line?, &mut last) {
            Ok(series) => coefficients(&series),
            Err(error) => format!(r#"{{"error":"{}"}}"#, error.replace(['"', '\\'], "'")),
        };
        writeln!(output, "{answer}")?;
    }
    output.flush()
}

/// The series that a line asks for. The last function is kept: whoever asks asks often.
fn answer(line: &str, last: &mut Option<(String, Expression)>) -> Result<Series, String> {
    let [name, precision, order, m, e, n, f] = line.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err("a line is FUNCTION PRECISION ORDER M E N F".into());
    };
    if last.as_ref().is_none_or(|(known, _)| known != name) {
        *last = Some((name.to_owned(), parse(name).map_err(|error| error.to_string())?));
    }
    let Some((_, function)) = last else { return Err("no function".into()) };
    let small = |text: &str, most: i32| {
        let number: Option<i32> = text.parse().ok();
        number
            .filter(|number| number.abs() <= most)
            .ok_or_else(|| format!("{text} is no number up to {most}"))
    };
    let precision = small(precision, 1 << 16)?.unsigned_abs().max(2);
    let end = |m: &str, e: &str| -> Result<Float, String> {
        let m: Integer = m.parse().map_err(|_| format!("{m} is no integer"))?;
        let exact = Float::with_val(m.significant_bits().max(precision), m);
        Ok(exact << small(e, MOST_EXPONENT)?)
    };
    let at = Interval::new(end(m, e)?, end(n, f)?).map_err(|error| error.to_string())?;
    let order = small(order, 64)?.unsigned_abs() as usize;
    function.series(&at, order, precision).map_err(|error| error.to_string())
}

fn coefficients(series: &Series) -> String {
    let end = |end: &Float| match end.to_integer_exp() {
        Some((m, e)) => format!(r#""{m}","{e}""#),
        None => r#""0","0""#.to_owned(), // ends are finite
    };
    let pairs: Vec<String> =
        series.coefficients().iter().map(|c| format!("[{},{}]", end(c.lo()), end(c.hi()))).collect();
    format!(r#"{{"coefficients":[{}]}}"#, pairs.join(","))
}
