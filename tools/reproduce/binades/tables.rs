//! The papers' tables IV to VII beside ours, and ours by phase.

use super::{
    measure::{Figures, Measured, Work},
    published::{TABLE_IV, TABLE_V, TABLE_VI, TABLE_VII, TableVii},
};
use crate::figures::table::{NONE, Table, count, or_none, three_digits};

/// Engines in the order of their figures.
pub(super) const NAMES: [&str; 3] = ["Farey walk", "regular, lanes", "Lefèvre, lanes"];

const WALK: usize = 0;
const REGULAR: usize = 1;
const LEFEVRE: usize = 2;

/// The binade of exp with this exponent, or without one the other function's.
fn of<'a>(figures: &'a [Figures], exponent: Option<i32>, other: &str) -> Option<&'a Figures> {
    let is_it = |found: &&Figures| match exponent {
        None => found.function == other,
        exponent => found.exponent == exponent,
    };
    figures.iter().find(is_it)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Table IV.
pub(super) fn one_core(figures: &[Figures]) -> Table {
    let mut table = Table::new(
        "One core and several: exp on [1, 2), seconds (table IV)",
        " | papers: 1 core | papers: 6 cores | ours: 1 core | papers' core / ours",
    );
    table.note(
        "Our generation is that of the regular search and, in its own row, that of the walk: larger domains need fewer \
         polynomials.",
    );
    let Some(found) = of(figures, Some(0), "") else { return table };
    let [walk, regular, lefevre] = found.measured.each_ref().map(|measured| measured.work);
    let ours = [regular.generation(), lefevre.search(), regular.search()];
    for ((what, one, six), ours) in TABLE_IV.into_iter().zip(ours) {
        let cells = [one, six, ours, one / ours].map(three_digits);
        table.row([what.into()].into_iter().chain(cells));
    }
    for (what, ours) in [("generation for the Farey walk", walk.generation()), ("Farey walk", walk.search())]
    {
        table.row(vec![what.into(), NONE.into(), NONE.into(), three_digits(ours)]);
    }
    table
}

/// Table V.
pub(super) fn binades(figures: &[Figures]) -> Table {
    let mut table = Table::new(
        "Binades of exp and sin, seconds (table V)",
        " |  | papers: 6 cores | papers: 6 cores and C2070 | ours: 1 core | papers' six cores / our core",
    );
    for column in &TABLE_V {
        let Some(found) = of(figures, column.exponent, "sin") else { continue };
        let [walk, regular, lefevre] = found.measured.each_ref().map(|measured| measured.work);
        let rows = [
            ("generation", Some(column.generation[0]), Some(column.generation[1]), regular.generation()),
            ("Lefèvre's search", Some(column.lefevre[0]), Some(column.lefevre[1]), lefevre.search()),
            ("regular search", column.regular.0, Some(column.regular.1), regular.search()),
            ("Farey walk, generation included", None, None, walk.total),
        ];
        for (what, cpu, gpu, ours) in rows {
            let cells = [cpu, gpu, Some(ours), cpu.map(|cpu| cpu / ours)].map(|x| or_none(x, three_digits));
            table.row([found.name(), what.into()].into_iter().chain(cells));
        }
    }
    table
}

/// Table VI.
pub(super) fn phases(figures: &[Figures]) -> Table {
    let mut table = Table::new(
        "What enters each phase of the papers' searches, and how long it takes (table VI)",
        " | phase | Lefèvre, papers: arguments | C2070, s | ours: arguments | 1 core, s | \
         regular, papers: arguments | C2070, s | ours: arguments | 1 core, s",
    );
    for (exponent, papers_lefevre, papers_regular) in TABLE_VI {
        let Some(found) = of(figures, Some(exponent), "") else { continue };
        let [_, regular, lefevre] = found.measured.each_ref().map(|measured| measured.work);
        for i in 0..3 {
            let cells = |papers: [(f64, f64); 3], ours: &Work| {
                let both = [papers[i], (ours.entered[i], ours.phases[i])];
                both.map(|(arguments, seconds)| [format!("{arguments:.2e}"), three_digits(seconds)])
            };
            let row = [[found.name(), (i + 1).to_string()]];
            let cells = [cells(papers_lefevre, &lefevre), cells(papers_regular, &regular)];
            table.row(row.into_iter().chain(cells.into_iter().flatten()).flatten());
        }
        table.note(format!(
            "{}: domains of up to {} arguments in our regular search, {} in Lefèvre's.",
            found.name(),
            count(found.measured[REGULAR].domain),
            count(found.measured[LEFEVRE].domain)
        ));
    }
    table
}

/// A row of table VII: its name, and its cell for the papers' column and our figures.
type Row = (&'static str, fn(&TableVii, &[Measured; 3]) -> String);

/// Rows of table VII.
const ROWS: [Row; 12] = [
    ("papers, GPU: generation", |papers, _| three_digits(papers.generation)),
    ("papers, GPU: Lefèvre", |papers, _| three_digits(papers.lefevre)),
    ("papers, GPU: regular", |papers, _| three_digits(papers.regular)),
    ("papers: Lefèvre / regular", |papers, _| format!("{:.2}", papers.lefevre / papers.regular)),
    ("papers: share of generation, regular", |papers, _| percent(papers.share_with(papers.regular))),
    ("ours, 1 core: generation, regular", |_, ours| three_digits(ours[REGULAR].work.generation())),
    ("ours, 1 core: Lefèvre", |_, ours| three_digits(ours[LEFEVRE].work.search())),
    ("ours, 1 core: regular", |_, ours| three_digits(ours[REGULAR].work.search())),
    ("ours: Lefèvre / regular", |_, ours| {
        format!("{:.2}", ours[LEFEVRE].work.search() / ours[REGULAR].work.search())
    }),
    ("ours: share of generation, regular", |_, ours| percent(ours[REGULAR].work.share())),
    ("Farey walk, 1 core: everything", |_, ours| three_digits(ours[WALK].work.total)),
    ("Farey walk: share of generation", |_, ours| percent(ours[WALK].work.share())),
];

/// Table VII.
pub(super) fn exponents(figures: &[Figures]) -> Table {
    let found: Vec<(&TableVii, &Figures)> =
        TABLE_VII.iter().filter_map(|column| Some((column, of(figures, column.exponent, "log")?))).collect();
    let heads = found
        .iter()
        .map(|(column, _)| column.exponent.map_or_else(|| "log".into(), |exponent| exponent.to_string()));
    let mut table = Table::new(
        "exp on [2^k, 2^(k+1)) for k from −1 to 7, and log on [1, 3.17), seconds (table VII)",
        "exponent of the binade",
    )
    .with_columns(heads);
    for (name, cell) in ROWS {
        let cells = found.iter().map(|(papers, ours)| cell(papers, &ours.measured));
        table.row([name.to_owned()].into_iter().chain(cells));
    }
    table
}

/// Hours for all binades of exp: engine, and seconds in all.
pub(super) fn hours(figures: &[Figures]) -> Table {
    let mut table =
        Table::new("All of exp from 1/2 to 256, hours", "search | generation | search | together | on");
    let papers = |pick: fn(&TableVii) -> f64| {
        TABLE_VII.iter().filter(|column| column.exponent.is_some()).map(pick).sum::<f64>()
    };
    let mut row = |name: &str, generation: f64, search: f64, on: &str| {
        let [generation, search, together] =
            [generation, search, generation + search].map(|seconds| three_digits(seconds / 3600.0));
        table.row(vec![name.into(), generation, search, together, on.into()]);
    };
    let on = "six cores and a C2070";
    row("papers: Lefèvre", papers(|column| column.generation), papers(|column| column.lefevre), on);
    row("papers: regular", papers(|column| column.generation), papers(|column| column.regular), on);
    for (i, name) in NAMES.iter().enumerate().rev() {
        let [generation, search] = [Work::generation, Work::search].map(|of| {
            let exp = figures.iter().filter(|figures| figures.exponent.is_some());
            exp.map(|figures| of(&figures.measured[i].work)).sum::<f64>()
        });
        row(&format!("ours: {name}"), generation, search, "one core");
    }
    table
}

/// Every engine, phase by phase.
pub(super) fn details(figures: &[Figures]) -> Table {
    let mut table = Table::new(
        "Core-seconds of every engine by phase, and shares",
        " | engine | N | arguments searched | cases | expected | Taylor | tables | test | refine | exhaust | confirm | all | error",
    );
    table.note(
        "*N* is the largest domain size used; *cases* those among the arguments searched, *expected* their number if results were \
         spread evenly; *Taylor* are the coefficients by MPFR and *tables* the difference tables, generation together; *confirm* is \
         MPFR again; *error* the standard error by what stretches of a stratum differ, disturbances of the machine included.",
    );
    for found in figures {
        for (name, measured) in NAMES.iter().zip(&found.measured) {
            let work = &measured.work;
            let part =
                |seconds: f64| format!("{} ({})", three_digits(seconds), percent(seconds / work.total));
            let parts =
                [work.taylor, work.tables, work.phases[0], work.phases[1], work.phases[2], work.confirm];
            let names = [
                found.name(),
                (*name).into(),
                count(measured.domain),
                format!("2^{:.1}", measured.sampled.log2()),
                measured.cases.to_string(),
                three_digits(measured.expected()),
            ];
            let last = [three_digits(work.total), percent(measured.error())];
            table.row(names.into_iter().chain(parts.map(part)).chain(last));
        }
    }
    table
}
