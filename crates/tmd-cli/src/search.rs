//! `tmd search`.

use std::process::ExitCode;

use tmd_driver::{Outcome, Report, Witness};
use tmd_report::export::search_to_csv;

use crate::arguments::{OutputFormat, SearchOptions, function};
use crate::destination::Destination;
use crate::output::{Failure, tell};
use crate::progress::Bar;

/// Cases that the default of `--extra-bits` aims at; `--hardest K` aims at four times K at least.
pub(crate) const CASES: f64 = 50.0;

pub(crate) fn run(options: &SearchOptions) -> Result<ExitCode, Failure> {
    let function = function(&options.problem.function)?;
    let backends = options.engine_options.backends()?;
    let hardest = options.hardest.map(|k| k as usize);
    let aim = CASES.max(4.0 * hardest.unwrap_or(0) as f64);
    let mut search = options.problem.search(&options.span, &function, backends.workers(), aim)?;
    let destination = options.out.open(&[])?;
    let witness = options.witness.as_deref().map(|path| Destination::open(path, options.out.overwrite, &[]));
    let witness = witness.transpose()?;
    if let Some(place) = &witness {
        place.is_not(&destination)?;
        search.may_have_witness()?;
    }

    let interrupt = crate::solve::interrupt();
    let bar = Bar::new().with_lines(options.progress);
    // fewer extra bits than those that we chose, if `--hardest K` finds less than K cases with them
    let wanted = hardest.filter(|_| options.problem.extra_bits.is_none()).unwrap_or(0);
    let outcome = search.run_until_found(wanted, options.problem.at_once.into(), &bar, &interrupt);
    bar.finish();
    let outcome = outcome?;
    let report = Report::new(&search, &outcome, hardest);
    let (mut text, kind) = match options.output {
        OutputFormat::Table => (report.to_table(), ".txt"),
        OutputFormat::Json => (report.to_json(), ".json"),
        OutputFormat::Csv => (search_to_csv(&report)?, ".csv"),
        OutputFormat::Wc => (report.to_wc(), ".wc"),
    };
    // beside a table on the standard output the summary belongs to it; elsewhere it must not get
    // into the document
    if options.output == OutputFormat::Table && matches!(destination, Destination::Standard) {
        text += "\n";
        text += &report.summary();
    } else {
        tell(report.summary().trim_end());
    }
    let kept = destination.keep(text, kind, !outcome.is_partial());
    let code = ending(&outcome);
    kept?;
    if let Some(place) = witness.filter(|_| code == 0) {
        let made = search.witness(&outcome, &interrupt)?;
        place.keep(witness_text(&made)?, ".json", true)?;
    }
    Ok(ExitCode::from(code))
}

/// A line for each part of a witness.
fn witness_text(witness: &Witness) -> Result<String, Failure> {
    let text = serde_json::to_string(witness).map_err(|error| Failure::machine(error.to_string()))?;
    Ok(text.replace("{\"first\":", "\n{\"first\":") + "\n")
}

/// Says why a list is partial, if it is; the exit code.
fn ending(outcome: &Outcome) -> u8 {
    if !outcome.is_partial() {
        let count = outcome.undecided.len();
        if count == 0 {
            return 0;
        }
        tell(format_args!("tmd: nothing is known of {count} arguments but that they are undecided"));
        return 1;
    }
    let (why, code) = match &outcome.failure {
        Some(failure) => (failure.to_string(), 1),
        None => ("interrupted".into(), 130),
    };
    let (searched, arguments) = (outcome.searched, outcome.arguments);
    tell(format_args!("tmd: {why}: the list is PARTIAL, it covers {searched} of {arguments} arguments"));
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::Rational;
    use tmd_core::{
        Backend, Breakpoints, CoreError, Format, Interrupt, Piece, PieceOutcome, PiecePlan, Problem,
    };
    use tmd_driver::{Search, Workers};
    use tmd_simd::{Level, Simd};

    /// A device that fails from some call on, or is interrupted there.
    struct Failing<'a>(Simd, Option<&'a Interrupt>);

    impl Backend for Failing<'_> {
        fn name(&self) -> String {
            "device".into()
        }
        fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
            self.0.plan(piece)
        }
        fn search(&self, _: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
            if let Some(interrupt) = self.1 {
                interrupt.request();
            }
            interrupt.check()?;
            Err(CoreError::BackendLost { backend: self.name(), reason: "unplugged".into() })
        }
    }

    /// The code says whether the list is whole, was interrupted, or was left by a machine.
    #[test]
    fn exit_codes_of_searches() {
        let problem = Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::All, 20).unwrap();
        let walk = Simd::farey(Level::best());
        let code = |workers: Workers, interrupt: &Interrupt| {
            let function = function("exp").unwrap();
            let (from, to) = (Rational::from(1), Rational::from(2));
            let search = Search { function: &function, from, to, problem, workers };
            ending(&search.run(&(), interrupt).unwrap())
        };
        let interrupt = Interrupt::new();
        assert_eq!(code(Workers::cpu(&walk, 1), &interrupt), 0);
        assert_eq!(code(Workers::devices(vec![&Failing(walk, None)]), &interrupt), 1);
        assert_eq!(code(Workers::devices(vec![&Failing(walk, Some(&interrupt))]), &interrupt), 130);
    }
}
