//! The lists of a page: hardness to round, and the hardest cases.

use std::fmt::Write as _;

use tmd_core::BreakpointKind;
use tmd_driver::{Certificate, Coverage, report::Case};

use super::{
    fact,
    text::{data_address, escape, typeset},
};
use crate::{
    ReportError,
    export::{hardness_to_round, to_csv},
    list::{List, Listing},
    own::{Own, own},
};

/// Cases in each table of the hardest.
const HARDEST: usize = 20;

/// Bytes of the data that a page carries; of more it says how they are made.
const MOST_DATA: usize = 4 << 20;

/// The hardness to round, for each kind of breakpoint. Writing to a String does not fail, here and
/// below.
pub(super) fn hardness(text: &mut String, certificate: &Certificate) -> Result<(), ReportError> {
    if certificate.units.is_empty() {
        return Ok(());
    }
    *text += "<section>\n<h2>Hardness to round</h2>\n<div class=\"scroll\"><table>\n\
              <tr><th>rounding</th><th>hardest argument</th><th class=\"right\">log2<wbr/>(distance)</th>\
              <th>inexact results are at least</th></tr>\n";
    for hardness in hardness_to_round(certificate)? {
        let (x, distance) = hardness.hardest.map_or_else(
            || ("none listed", String::new()),
            |case| (&case.x, format!("{:.4}", case.log2_dist)),
        );
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td class=\"x\">{}</td><td class=\"right\">{distance}</td><td class=\"wrap\">{} from a {}</td></tr>",
            hardness.rounding(),
            escape(x),
            typeset(&format!("2^-{} ulp", hardness.bits)),
            hardness.kind
        );
    }
    *text += "</table></div>\n<p>This holds where the function was searched, and where cases follow by symmetry. Elsewhere results \
              may be as close as they like: their rounding is known by an \
              inequality, or not at all where it says NOT COVERED.</p>\n</section>\n";
    Ok(())
}

/// The hardest cases: of directed rounding, of rounding to nearest, and apart from both those next
/// to 0.
pub(super) fn hardest(
    text: &mut String,
    certificate: &Certificate,
    coverage: &Coverage,
    list: &List,
) -> Result<(), ReportError> {
    let (next_to_zero, others): (Vec<Own>, Vec<Own>) =
        own(certificate, coverage, list)?.into_iter().partition(|own| own.is_next_to_zero);
    for (kind, rounding) in
        [(BreakpointKind::Number, "directed rounding"), (BreakpointKind::Midpoint, "rounding to nearest")]
    {
        let cases: Vec<&Own> = others.iter().filter(|own| own.is_near(kind)).collect();
        table(text, &cases, &format!("hardest in {rounding}"), &format!("f(x) is next to a {kind}."), false);
    }
    let cases: Vec<&Own> = next_to_zero.iter().collect();
    let why = format!(
        "There are {} cases with |x| < 2^-{} where f(x) is almost f(0) or a power of two times x: Taylor's formula has only few terms that \
         count, and results are close to breakpoints for that reason alone. They must be rounded as well, and are listed apart.",
        cases.len(),
        certificate.format.precision.div_ceil(4)
    );
    table(text, &cases, "hardest next to 0", &why, true);
    Ok(())
}

fn table(text: &mut String, cases: &[&Own], what: &str, why: &str, is_mixed: bool) {
    let shown = &cases[..cases.len().min(HARDEST)];
    if shown.is_empty() {
        return;
    }
    // that there is one at −x is said by ±
    let repeats = shown.iter().any(|own| own.stands_for > 2);
    let _ = writeln!(
        text,
        "<section>\n<h2>The {} {what}</h2>\n<p>{}</p>\n<div class=\"scroll\"><table class=\"cases\">\n<tr><th>x</th>{}\
         <th>sign</th><th class=\"right\">log2<wbr/>(distance)</th><th class=\"right\">identical bits</th><th>breakpoint</th>{}</tr>",
        shown.len(),
        typeset(why),
        if is_mixed { "<th>near</th>" } else { "" },
        if repeats { "<th class=\"right\">stands for</th>" } else { "" }
    );
    for Own { case, is_mirrored, stands_for, .. } in shown {
        let Case { x, kind, sign, log2_dist, identical_bits, breakpoint, .. } = case;
        let _ = writeln!(
            text,
            "<tr><td class=\"x\">{}{}</td>{}<td>{sign}</td><td class=\"right\">{log2_dist:.4}</td>\
             <td class=\"right\">{identical_bits}</td><td><span class=\"x\">{}</span></td>{}</tr>",
            if *is_mirrored { "±" } else { "" },
            escape(x),
            if is_mixed { format!("<td>{}</td>", escape(kind)) } else { String::new() },
            escape(breakpoint),
            if repeats { format!("<td class=\"right\">{stands_for}</td>") } else { String::new() }
        );
    }
    let mirrored = if shown.iter().any(|own| own.is_mirrored) {
        "; ± where −x is as hard, by symmetry (sign and breakpoint are those at x)"
    } else {
        ""
    };
    let _ = writeln!(
        text,
        "</table></div>\n<p>Distances in ulps of the result. The sign is + where f(x) is above the breakpoint. Identical bits are those of \
         f(x) after the rounding bit that are all 0 or all 1. Cases that follow from others count once{mirrored}.</p>\n</section>",
    );
}

/// All rows, to be taken away.
pub(super) fn data(text: &mut String, certificate: &Certificate, file: &str) -> Result<(), ReportError> {
    let stem = file.strip_suffix(".json").unwrap_or(file);
    let listing = Listing::of(certificate);
    let mut csv = to_csv(certificate, listing)?;
    let is_short = csv.len() > MOST_DATA && listing == Listing::Expanded && !certificate.rules.is_empty();
    if is_short {
        csv = to_csv(certificate, Listing::Short)?;
    }
    let lines = csv.lines().count() - 1;
    let what = if is_short { "those cases from which all others follow" } else { "all" };
    *text += "<section>\n<h2>The data</h2>\n";
    if csv.len() <= MOST_DATA {
        let _ = writeln!(
            text,
            "<p><a download=\"{0}.csv\" href=\"{1}\">{0}.csv</a>: {what}, {lines} lines of comma-separated values.</p>",
            escape(stem),
            data_address("text/csv", &csv)
        );
    } else {
        let _ = writeln!(text, "<p>{lines} lines are too many for a page:</p>");
    }
    let _ = writeln!(text, "<pre>tmd export {} --output csv</pre>", escape(file));
    *text += "<dl>\n";
    fact(text, "its columns", "docs/exports.md");
    *text += "</dl>\n</section>\n";
    Ok(())
}
