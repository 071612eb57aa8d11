//! [`Needs`] as text for people.

use std::fmt::Write as _;

use tmd_driver::report::plain;

use super::{Bits, Needs};
use crate::binades::Binade;

impl Needs {
    /// The document as text: what each rounding needs, what falls through, what is apart, and
    /// binade by binade what is needed.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // writing to a String does not fail
        for line in &self.head {
            let _ = writeln!(text, "{}", plain(line));
        }
        text += "\nA phase of accuracy E gives y with |y - f(x)| <= E |y|. Its rounding test passes if y - E |y| and y + E |y| round to the\n\
                 same number. With E = 2^-bits it passes at every argument whose result is no breakpoint:\n\n\
                 rounding    bits  hardest argument\n";
        for bits in &self.roundings {
            let _ = writeln!(
                text,
                "{:<10} {:>5}  {}",
                rounding(bits),
                number(bits),
                bits.hardest.as_deref().unwrap_or("none listed")
            );
        }
        if self.roundings.iter().any(|bits| !bits.is_least) {
            let _ = writeln!(
                text,
                "<=: no argument listed needs more; what is not listed is decided by 2^-{}",
                self.unlisted_bits
            );
        }
        if !self.phases.is_empty() {
            text += "\naccuracy    rounding    may fall through      expected  of the arguments\n";
        }
        for phase in &self.phases {
            let count = phase.may_fall_through.map_or_else(|| "not listed".into(), |count| count.to_string());
            let share = phase.expected / phase.arguments.max(1) as f64;
            let share =
                if share > 0.0 { format!("1 in 2^{:.1}", -share.log2() + 0.0) } else { "none".into() };
            let rounding = if phase.rounding == "nearest" { "to nearest" } else { phase.rounding };
            let expected = if phase.expected < 1e7 {
                format!("{:.1}", phase.expected)
            } else {
                format!("2^{:.2}", phase.expected.log2())
            };
            let _ = writeln!(
                text,
                "{:<10}  {rounding:<10}  {count:>16}  {expected:>12}  {share}",
                phase.accuracy
            );
        }
        if self.phases.iter().any(|phase| phase.may_fall_through.is_none()) {
            let _ = writeln!(
                text,
                "not listed: THE LIST DOES NOT REACH; it has all that may fall through from an accuracy of 2^-{} on",
                self.unlisted_bits
            );
        }
        for exact in self.exact.iter().filter(|exact| exact.listed > 0) {
            let kind = if exact.rounding == "nearest" { "midpoint" } else { "number" };
            let _ = match exact.listed {
                1 => {
                    writeln!(text, "beside these: 1 listed result is a {kind} exactly; there no test passes")
                }
                n => writeln!(
                    text,
                    "beside these: {n} listed results are {kind}s exactly; there no test passes"
                ),
            };
        }
        if let Some(line) = &self.exact_unlisted {
            let _ = writeln!(text, "{}", plain(line));
        }
        if !self.known.is_empty() {
            text += "\nApart, because an inequality says how they are rounded, however near to a breakpoint; and so what follows from there:\n";
        }
        for known in &self.known {
            let _ = writeln!(text, "{} to {}: {}", known.first, known.last, plain(&known.because));
        }
        let _ = write!(text, "\n{:<26}", "binade");
        for bits in &self.roundings {
            let _ = write!(text, " {:>10}  {:<24}", rounding(bits), "hardest argument");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        for binade in &self.binades {
            let name = Binade { is_negative: binade.sign_of_x == '-', exponent: binade.binade };
            let _ = write!(text, "{:<26}", name.to_string());
            for bits in &binade.roundings {
                let _ = write!(text, " {:>10}  {:<24}", number(bits), bits.hardest.as_deref().unwrap_or(""));
            }
            text.truncate(text.trim_end().len());
            text += if binade.is_covered { "\n" } else { "  NOT ALL COVERED\n" };
        }
        text
    }
}

fn rounding(bits: &Bits) -> &'static str {
    if bits.rounding == "nearest" { "to nearest" } else { bits.rounding }
}

fn number(bits: &Bits) -> String {
    if bits.bits == u32::MAX {
        return "unknown".into();
    }
    if bits.is_least { bits.bits.to_string() } else { format!("<={}", bits.bits) }
}
