//! [`page`]: one HTML page about a certificate. It needs nothing but itself: no network, no fonts,
//! no scripts.
//!
//! The text is XHTML too, so that any XML parser reads it.

mod chart;
mod lists;
mod plots;
mod statistics;
mod text;

use std::fmt::Write as _;

use tmd_driver::{Certificate, Coverage, coverage::Stretch, plan::duration};

use self::text::{capitalized, escape, power, typeset};
use crate::{
    ReportError,
    binades::binades,
    head::{Headline, uncovered},
    list::{List, Listing},
};

/// Undecided arguments and failures that a page names.
const NAMED: usize = 20;

/// Lines of the table of what is covered; more would hide the rest of the page.
const MOST_STRETCHES: usize = 200;

const STYLE: &str = include_str!("html/style.css");

/// The page. `file` is the name under which its readers have the certificate, for the command that
/// verifies it.
///
/// # Errors
/// If the certificate lists arguments that are no numbers, or names breakpoints that do not exist.
pub fn page(certificate: &Certificate, file: &str) -> Result<String, ReportError> {
    // the plots show the searches, and each case that they found once
    let list = List::new(certificate, Listing::Short)?;
    let binades = binades(certificate, &list)?;
    let coverage = Coverage::of(certificate)?;
    let headline = Headline::with(certificate, &coverage);
    let title = format!("{} in {}", certificate.function, certificate.format.name);
    let mut text = format!(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{0}: hardest to round</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{0}: hardest to round</h1>\n",
        escape(&title)
    );
    head(&mut text, certificate, &headline, &coverage);
    alarms(&mut text, certificate, &headline, &coverage);
    lists::hardness(&mut text, certificate)?;
    for figure in plots::figures(certificate, &binades) {
        text += &figure.to_html()?;
    }
    lists::hardest(&mut text, certificate, &coverage, &list)?;
    covered(&mut text, coverage.stretches());
    exact(&mut text, certificate, &headline);
    lists::data(&mut text, certificate, file)?;
    verify(&mut text, certificate, file);
    text += "</body>\n</html>\n";
    Ok(text)
}

/// A line of the list of facts. Writing to a String does not fail, here and below.
fn fact(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "<dt>{}</dt><dd>{}</dd>", typeset(name), typeset(value));
}

fn head(text: &mut String, certificate: &Certificate, headline: &Headline, coverage: &Coverage) {
    let _ = writeln!(
        text,
        "<p class=\"state\">{}; {}</p>\n<dl>",
        escape(&headline.counts),
        typeset(&headline.state)
    );
    let (effort, format) = (&certificate.effort, &certificate.format);
    let totals = certificate.totals();
    fact(text, "question", &headline.question);
    fact(
        text,
        "format",
        &format!(
            "{}: {} bits, exponents {} to {}",
            format.name, format.precision, format.min_exponent, format.max_exponent
        ),
    );
    let asked = format!("{}, {} arguments", coverage.question(), power(coverage.asked()));
    fact(text, "asked for", &asked);
    let shares = [
        ("to be searched", totals.searched),
        ("follow by symmetry", totals.followed),
        ("known by an inequality", totals.known),
        ("without a value", totals.undefined),
        ("not planned", totals.uncovered),
    ];
    let shares: Vec<String> =
        shares.iter().filter(|(_, n)| *n > 0).map(|(what, n)| format!("{} {what}", power(*n))).collect();
    fact(text, "of these", &shares.join(", "));
    fact(text, "covered", &power(coverage.covered()));
    for (left, arguments) in coverage.left() {
        fact(text, "NOT COVERED", &format!("{}: {left}", power(arguments)));
    }
    fact(text, "engine", &format!("{}, {}", certificate.engine, certificate.program));
    if effort.elapsed_s > 0.0 {
        let (elapsed, threads) = (duration(effort.elapsed_s), effort.threads);
        fact(text, "time", &format!("{elapsed} on {threads} thread{}", if threads == 1 { "" } else { "s" }));
    }
    *text += "</dl>\n";
}

/// What is missing, where nobody can overlook it.
fn alarms(text: &mut String, certificate: &Certificate, headline: &Headline, coverage: &Coverage) {
    let uncovered: Vec<&Stretch> = uncovered(coverage).collect();
    if !headline.is_alarming && uncovered.is_empty() && certificate.undecided.is_empty() {
        return;
    }
    *text += "<div class=\"alarm\" role=\"alert\">\n";
    if headline.is_alarming {
        let _ = writeln!(text, "<p><strong>{}</strong></p>", typeset(&headline.state));
    }
    if !uncovered.is_empty() {
        let arguments = power(coverage.asked() - coverage.covered());
        let _ =
            writeln!(text, "<p><strong>NOT COVERED: {} arguments</strong></p>\n<ul>", typeset(&arguments));
        for stretch in uncovered.iter().take(MOST_STRETCHES) {
            let _ = writeln!(text, "<li>{}</li>", typeset(&stretch.to_string()));
        }
        more(text, uncovered.len(), "<li>", "</li>");
        *text += "</ul>\n";
    }
    if !certificate.undecided.is_empty() {
        let undecided: Vec<&str> =
            certificate.undecided.iter().take(NAMED).map(|undecided| undecided.x.as_str()).collect();
        let dots = if certificate.undecided.len() > NAMED { ", …" } else { "" };
        let _ = writeln!(
            text,
            "<p><strong>{} arguments could not be decided</strong>: {}{dots}</p>",
            certificate.undecided.len(),
            escape(&undecided.join(", "))
        );
    }
    for failure in certificate.failures.iter().take(NAMED) {
        let _ = writeln!(text, "<p>Failed: {}</p>", escape(failure));
    }
    *text += "</div>\n";
}

/// Says how many lines were left out.
fn more(text: &mut String, lines: usize, before: &str, after: &str) {
    if lines > MOST_STRETCHES {
        let _ =
            writeln!(text, "{before}and {} more; the certificate lists them{after}", lines - MOST_STRETCHES);
    }
}

fn covered(text: &mut String, coverage: &[Stretch]) {
    *text += "<section>\n<h2>What is covered</h2>\n<div class=\"scroll\"><table>\n\
              <tr><th>x</th><th class=\"right\">arguments</th><th>what is known</th></tr>\n";
    for stretch in coverage.iter().take(MOST_STRETCHES) {
        let Stretch { first, last, arguments, what, .. } = stretch;
        let (class, prefix) =
            if stretch.is_covered() { ("", "") } else { (" class=\"not-covered\"", "NOT COVERED: ") };
        let _ = writeln!(
            text,
            "<tr{class}><td class=\"wrap\">{}</td><td class=\"right\">{}</td><td class=\"wrap\">{prefix}{}</td></tr>",
            ends(first, last),
            typeset(&power(*arguments)),
            typeset(what)
        );
    }
    more(text, coverage.len(), "<tr><td colspan=\"3\">", "</td></tr>");
    *text += "</table></div>\n<p>Each inequality is proved with interval arithmetic, \
              and tells the result of every rounding.</p>\n</section>\n";
}

/// The arguments from one to another, in two lines where one is too long.
fn ends(first: &str, last: &str) -> String {
    let number = |x: &str| format!("<span class=\"x\">{}</span>", escape(x));
    if first == last { number(first) } else { format!("{} to {}", number(first), number(last)) }
}

fn exact(text: &mut String, certificate: &Certificate, headline: &Headline) {
    *text += "<section>\n<h2>Exact results</h2>\n";
    match &certificate.exact_rule {
        Some(rule) => {
            let _ = writeln!(text, "<p>{}.</p>", typeset(rule));
        }
        None => {
            *text +=
                "<p>No theorem is known for this function: exact results are those that searches met.</p>\n";
        }
    }
    let listed = match (certificate.exact_cases.len(), &headline.left_out) {
        (_, Some(left_out)) => left_out.clone(),
        (0, None) => "none in what was searched".into(),
        (n, None) => format!("{n} in what was searched; the certificate lists them"),
    };
    let _ = writeln!(text, "<p>{}.</p>\n</section>", escape(&capitalized(&listed)));
}

fn verify(text: &mut String, certificate: &Certificate, file: &str) {
    let _ = writeln!(
        text,
        "<section>\n<h2>How to check this</h2>\n<pre>tmd verify {}</pre>\n<p>derives the regions, the pieces and their error \
         bounds again, recomputes every case with MPFR, and searches samples with another engine.</p>\n<dl>",
        escape(file)
    );
    fact(text, "SHA-256 of the certificate", &certificate.digest);
    fact(text, "its version", &certificate.schema);
    *text += "</dl>\n</section>\n";
}
