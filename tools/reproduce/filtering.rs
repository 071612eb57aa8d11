//! Arguments that enter the phases of a search: over I₀, and over two binades from samples.

use super::{Scale, Section};
use crate::{
    ToolError,
    divergence::MeasuredInterval,
    figures::table::{NONE, Table, or_none, thousands},
    filtering::{
        Counts, Filter, Reading, Sides, Truncation, filtered,
        published::{Binade, CASES, LEFEVRE_DOMAINS, TABLE_II, TABLE_VI},
    },
};

const UNCENTERED: Reading = Reading::PAPERS;
const CENTERED: Reading = Reading { truncation: Truncation::Middle, sides: Sides::Both, ..UNCENTERED };

const READINGS: [(&str, Reading); 3] = [
    ("tangent at the first argument", UNCENTERED),
    ("tangent in the middle, width on both sides", CENTERED),
    ("ours, chord moved to the middle", Reading::OURS),
];

/// What is shown: title and test.
const LEFEVRE: (&str, &str) = ("Lefèvre", "lefevre-division-special");
const REGULAR: (&str, &str) = ("regular", "regular-unrolled");
const TESTS: [(&str, &str); 4] = [
    LEFEVRE,
    REGULAR,
    ("regular, start as printed", "regular-unrolled-printed"),
    ("regular, trimmed", "regular-unrolled-trimmed"),
];

/// log2 of the arguments of a binade, with 54 bits.
const BINADE_BITS: i32 = 53;

pub(super) fn section(scale: Scale) -> Result<Section, ToolError> {
    let every = scale.pick(64, 1);
    let question = MeasuredInterval::papers();
    let sample =
        |binade: &Binade| if binade.exponent == 0 { scale.pick((256, 12), (1024, 14)) } else { (64, 6) };
    Ok(Section {
        title: "Filtering",
        source: "PDP 2012, table I; TOMS 2016, table II and the arguments of table VI",
        measured: format!(
            "exp. I₀ = [1, 1+2^-13): 2^40 arguments in 2^25 domains of 2^15, 8 sub-domains, ε = 2^-34 ulp from numbers and \
             midpoints (2^-33 half ulps), {}. The binades: samples of equally spaced spots, scaled to 2^53 arguments of 54 bits; \
             the table names them. All readings that were tried: [filtering.md](filtering.md).",
            scale.pick("one block of 64 consecutive domains in 64, scaled", "every domain")
        ),
        tables: vec![interval(&question, every)?, binades(sample)?],
        differences: &[
            "Tables I and II: what enters phase 2 is the papers' (Lefèvre within 0.03 %) for tangents at the first argument and \
             the corrected start, not the printed one; what enters phase 3 is 8 % less here, as if the papers' phase 2 were wider \
             by about 2^-34 on either side, as much as coefficients of 64 bits would need; moving the line to the middle leaves \
             phase 2 a quarter.",
            "Table VI: phase 2 and Lefèvre's phase 3 as above; the regular test's phase 3 in [128, 256) with 32 sub-domains \
             comes out (within 2 %) if each keeps the truncation's error of an eighth of the domain; with its own error a tenth enters.",
        ],
        ..Section::default()
    })
}

fn filter(reading: Reading, test: &str) -> Result<Filter, ToolError> {
    Ok(Filter::new(reading, test.parse()?))
}

/// Tables I and II.
fn interval(question: &MeasuredInterval, every: u64) -> Result<Table, ToolError> {
    let mut table = Table::new(
        "Domains and arguments of I₀ that enter the phases",
        "test | line | domains in phase 2 | arguments | sub-domains in phase 3 | arguments | cases",
    );
    if every > 1 {
        table.note(format!("Ours: a sample, scaled by {every}; too few cases to scale them."));
    }
    for ((title, _), published, domains) in
        [(LEFEVRE, TABLE_II[0], Some(LEFEVRE_DOMAINS)), (REGULAR, TABLE_II[1], None)]
    {
        let [second, third] = domains.map_or([NONE.into(), NONE.into()], |domains| domains.map(thousands));
        let [more, most] = [published.second, published.third].map(|x| power(x, 1));
        let names = [format!("{title}: papers"), NONE.into()];
        table.row(names.into_iter().chain([second, more, third, most, CASES.to_string()]));
    }
    let mut rows = Vec::new();
    for (line, reading) in READINGS {
        for (title, test) in TESTS {
            rows.push((title, line, filter(reading, test)?));
        }
    }
    let filters: Vec<Filter> = rows.iter().map(|row| row.2).collect();
    let counts = filtered(question, &filters, every, every == 1)?;
    for ((title, line, filter), counts) in rows.iter().zip(counts) {
        let (second, third) = (counts.refined * every, counts.exhausted * every);
        let size = question.domain() as f64;
        let names = [title, line].map(|name| (*name).to_owned());
        let more = [thousands(second), power(second as f64 * size, 2)];
        let most = [thousands(third), power(third as f64 * size / filter.subdomains as f64, 2)];
        let cases = or_none((every == 1).then_some(counts.cases.len()), |cases| cases.to_string());
        table.row(names.into_iter().chain(more).chain(most).chain([cases]));
    }
    Ok(table)
}

/// Table VI: `sample` tells how many spots of a binade, and log2 of the domains at each.
fn binades(sample: impl Fn(&Binade) -> (u64, u32)) -> Result<Table, ToolError> {
    let mut table = Table::new(
        "Arguments of a binade that enter the phases",
        "binade, sub-domains, test | papers: phase 2 | ours | papers: phase 3 | ours | sample",
    );
    for binade in &TABLE_VI {
        let lefevre = filter(UNCENTERED, LEFEVRE.1)?;
        let subdomains = binade.regular_subdomains;
        let regular = Filter { subdomains, error_of: subdomains, ..filter(UNCENTERED, REGULAR.1)? };
        let mut rows = vec![
            (LEFEVRE.0.to_owned(), lefevre, binade.lefevre),
            (REGULAR.0.to_owned(), regular, binade.regular),
        ];
        if subdomains != 8 {
            let title = format!("{}, error of an eighth", REGULAR.0);
            rows.push((title, Filter { error_of: 8, ..regular }, binade.regular));
        }
        let filters: Vec<Filter> = rows.iter().map(|row| row.1).collect();
        let (spots, log2) = sample(binade);
        let totals = spread(binade.exponent, spots, log2, &filters)?;
        for ((title, filter, papers), counts) in rows.iter().zip(totals) {
            let scale = 2f64.powi(BINADE_BITS) / counts.domains as f64;
            let third = counts.exhausted as f64 * scale / filter.subdomains as f64;
            let (from, to) = (1 << binade.exponent, 2 << binade.exponent);
            let numbers = [papers.second, counts.refined as f64 * scale, papers.third, third];
            let name = [format!("[{from}, {to}), {}, {title}", filter.subdomains)];
            let sample = [format!("{spots} spots of 2^{log2} domains")];
            table.row(name.into_iter().chain(numbers.map(|x| power(x, 2))).chain(sample));
        }
    }
    Ok(table)
}

/// Counts over `spots` equally spaced parts of a binade, 2^log2 domains each.
fn spread(exponent: u32, spots: u64, log2: u32, filters: &[Filter]) -> Result<Vec<Counts>, ToolError> {
    let papers = MeasuredInterval::papers();
    let length = exponent as i32 - BINADE_BITS + (log2 + papers.domain_bits) as i32;
    let mut total = vec![Counts::default(); filters.len()];
    for spot in 0..spots {
        let from = format!("2^{exponent}*(1+{}/{})", 2 * spot + 1, 2 * spots);
        let question = MeasuredInterval { to: format!("{from}+2^{length}"), from, ..papers.clone() };
        let counts = filtered(&question, filters, 1, false)?;
        total = total.into_iter().zip(counts).map(|(total, more)| total.merge(more)).collect();
    }
    Ok(total)
}

/// A number as the papers print it: `3.6·10^9`.
fn power(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$e}");
    text.replace('e', "·10^")
}
