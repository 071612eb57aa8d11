//! Tables of the hardest cases: hardness to round, and binade by binade.

use std::fmt::Write as _;

use tmd_core::BreakpointKind;
use tmd_driver::{Certificate, report::Case};

use super::{breakpoints, cell, csv_text};
use crate::{
    ReportError,
    binades::{Summary, binades, hardest_of},
    head::{Headline, Origin},
    list::{List, Listing},
};

/// How hard a function is to round in some rounding modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Hardness<'a> {
    /// The kind of breakpoint: [`BreakpointKind::Number`] for directed rounding,
    /// [`BreakpointKind::Midpoint`] for rounding to nearest.
    pub kind: BreakpointKind,
    /// The hardest case listed; none if there is none.
    pub hardest: Option<&'a Case>,
    /// The least `m` known such that every result that was searched and is not exact is at least
    /// `2^-m` ulp from every breakpoint of this kind.
    pub bits: u32,
}

impl Hardness<'_> {
    /// The rounding modes, in a word or two.
    pub fn rounding(&self) -> &'static str {
        match self.kind {
            BreakpointKind::Number => "directed",
            BreakpointKind::Midpoint => "to nearest",
        }
    }
}

/// The hardness to round for each kind of breakpoint that the certificate is about; nothing if
/// nothing was searched.
///
/// # Errors
/// If the certificate names breakpoints that do not exist.
pub fn hardness_to_round(certificate: &Certificate) -> Result<Vec<Hardness<'_>>, ReportError> {
    let breakpoints = breakpoints(certificate)?;
    if certificate.units.is_empty() {
        return Ok(Vec::new());
    }
    let kinds = [BreakpointKind::Number, BreakpointKind::Midpoint];
    let kinds = kinds.into_iter().filter(|kind| breakpoints.includes(*kind));
    Ok(kinds
        .map(|kind| {
            let hardest = hardest_of(&certificate.cases, kind);
            // distances are written with four digits, so the true one may be less by half of the
            // last
            let bits = hardest
                .map_or(certificate.extra_bits, |case| (5e-5 - case.log2_dist).floor().max(0.0) as u32 + 1);
            Hardness { kind, hardest, bits }
        })
        .collect())
}

/// The hardness to round as a Markdown table, then the same binade by binade, then the `per_binade`
/// hardest cases of each.
///
/// # Errors
/// If the certificate lists arguments that are no numbers, or names breakpoints that do not exist.
pub fn to_hardest_markdown(
    certificate: &Certificate,
    listing: Listing,
    per_binade: usize,
) -> Result<String, ReportError> {
    let headline = Headline::new(certificate)?;
    let list = List::new(certificate, listing)?;
    let (note, binades) = (list.note(), binades(certificate, &list)?);
    let mut text = String::new();
    // writing to a String does not fail
    let _ = writeln!(text, "# {} in {}: hardest to round\n", certificate.function, certificate.format.name);
    let _ = writeln!(text, "{}: {}; {}.", headline.question, headline.counts, headline.state);
    for line in headline.uncovered.iter().chain(&headline.left_out).chain(&note) {
        let _ = writeln!(text, "\n**{line}**");
    }
    if let Some(rule) = &certificate.exact_rule {
        let _ = writeln!(text, "\nExact results: {rule}.");
    }
    let _ = writeln!(text, "\n{}, certificate `{}`.", certificate.program, certificate.digest);
    let _ = writeln!(
        text,
        "\n## Hardness to round\n\n\
         Over all arguments that were searched, and those whose cases follow from them. Elsewhere the rounding is known by an \
         inequality, however close the results are, or not at all where it says NOT COVERED.\n\n\
         | rounding | hardest argument | log2(distance) | identical bits | every inexact result is at least so far away |\n\
         |---|---|---:|---:|---|"
    );
    for hardness in hardness_to_round(certificate)? {
        let (rounding, bits) = (hardness.rounding(), hardness.bits);
        let _ = match hardness.hardest {
            Some(case) => writeln!(
                text,
                "| {rounding} | `{}` | {:.4} | {} | 2^-{bits} ulp |",
                case.x, case.log2_dist, case.identical_bits
            ),
            None => writeln!(text, "| {rounding} | none listed | | | 2^-{bits} ulp |"),
        };
    }
    let stands_for = if note.is_some() { (" | stands for", "|---:") } else { ("", "") };
    let _ = writeln!(
        text,
        "\n## Binade by binade\n\n\
         | binade | cases | directed: hardest | log2(distance) | to nearest: hardest | log2(distance) |\n\
         |---|---:|---|---:|---|---:|"
    );
    for (binade, summary) in &binades {
        let hardest = |kind| {
            summary
                .hardest(kind)
                .map_or_else(|| " | ".into(), |case| format!("`{}` | {:.4}", case.x, case.log2_dist))
        };
        let _ = writeln!(
            text,
            "| {binade} | {} | {} | {} |",
            cases(summary),
            hardest(BreakpointKind::Number),
            hardest(BreakpointKind::Midpoint)
        );
    }
    let _ = writeln!(text, "\n## The {per_binade} hardest of each binade");
    for (binade, summary) in binades.iter().filter(|(_, summary)| !summary.cases.is_empty()) {
        let _ = writeln!(
            text,
            "\n### {binade}\n\n| x | near | sign | log2(distance) | identical bits{} |\n|---|---|---|---:|---:{}|",
            stands_for.0, stands_for.1
        );
        for case in hardest(summary, per_binade) {
            let Case { x, kind, sign, log2_dist, identical_bits, .. } = case;
            let behind = if note.is_some() { format!(" | {}", list.stands_for(case)) } else { String::new() };
            let _ = writeln!(text, "| `{x}` | {kind} | {sign} | {log2_dist:.4} | {identical_bits}{behind} |");
        }
    }
    Ok(text)
}

/// The `per_binade` hardest cases of each binade, the hardest first.
///
/// # Errors
/// If the certificate lists arguments that are no numbers, or names breakpoints that do not exist.
pub fn to_hardest_csv(
    certificate: &Certificate,
    listing: Listing,
    per_binade: usize,
) -> Result<String, ReportError> {
    let list = List::new(certificate, listing)?;
    let header = "sign_of_x binade rank x kind stands_for sign log2_dist identical_bits breakpoint";
    let mut lines = Vec::new();
    for (binade, summary) in binades(certificate, &list)? {
        for (i, case) in hardest(&summary, per_binade).into_iter().enumerate() {
            lines.push([
                if binade.is_negative { "-".into() } else { "+".into() },
                binade.exponent.to_string(),
                (i + 1).to_string(),
                case.x.clone(),
                case.kind.clone(),
                list.stands_for(case).to_string(),
                cell(Some(case.sign)),
                case.log2_dist.to_string(),
                case.identical_bits.to_string(),
                case.breakpoint.clone(),
            ]);
        }
    }
    csv_text(header.split(' '), lines, &Origin::new(certificate, &Headline::new(certificate)?))
}

/// The cases of a binade that are listed, and how many they stand for.
fn cases(summary: &Summary) -> String {
    let (listed, all) = (summary.cases.len() as u128, summary.stands_for);
    if listed == all { all.to_string() } else { format!("{listed} for {all}") }
}

/// The `most` hardest cases of a binade, the hardest first; ties by argument.
fn hardest<'a>(summary: &Summary<'a>, most: usize) -> Vec<&'a Case> {
    let mut order = summary.cases.clone();
    order.sort_by(|a, b| a.log2_dist.total_cmp(&b.log2_dist));
    order.truncate(most);
    order
}
