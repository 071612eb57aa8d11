//! The project's own commands, run as `cargo xtask <command>`: show the project, test it, keep its
//! rules, package it.
//!
//! Exit codes: 0 done; 1 a step failed; 2 the command line was wrong or the machine lacks
//! something.
//!
//! * [`demo`], [`mod@test`], [`cluster`], [`python`], [`measure`] (seven commands), [`harden`]
//!   (three), [`results`], [`alone`] (four), [`tidy`], [`prove`],
//!   [`package`]: the
//!   commands;
//! * [`prerequisites`]: what the machine must have; [`run`]: programs and steps; [`beside`]: steps
//!   beside others; [`build`]: a build
//!   that says how far it is; [`readme`]: the README's examples.
#![forbid(unsafe_code)]

mod alone;
mod beside;
mod build;
mod cluster;
mod demo;
mod extract;
mod harden;
mod measure;
mod package;
mod prerequisites;
mod prove;
mod python;
mod readme;
mod results;
mod run;
mod test;
mod tidy;

use std::process::ExitCode;

use harden::Fuzz;
use results::{Large, Results};
use run::Failure;
use test::Part;

const USAGE: &str = "\
The project's own commands.

Usage: cargo xtask <command>

  demo                     build `tmd` and run the papers' search: every hard case of exp on 2^40 arguments
  test [--long] [ARGS...]  format, clippy, tests, documentation, tidy and package checks; ARGS go to `cargo test`
                           --long: larger samples (TMD_LONG=1), and the tests marked #[ignore = \"long: ...\"], in the release
                           profile; --part checks|alone: the steps alone that run beside others
  test --cluster [ARGS...] the tests of docs/cluster.md alone, on this machine: Slurm, HyperQueue and MPI, installed if they are
                           missing; ARGS go to the tests
  test --python [ARGS...]  the Python package: its wheel, in a fresh virtual environment with what comes from PyPI, and its
                           tests, types, documents and notebook; ARGS go to pytest
  bench [ARGS...]          engines and parts of a search as ratios to a baseline of the same run, so that a regression
                           shows; ARGS: --json FILE, --baseline FILE, --record FOLDER, --factor F, --rounds COUNT, --adapter INDEX|NAME
  bench-gpu [ARGS...]      measure the search on a GPU: tables as Markdown, a record below benches/record
                           ARGS: --adapter INDEX|NAME, --quick, --out FILE.md, --sections SECTION,..., --minutes M,
                           --int-ops-per-second RATE, --machine NAME, --commit HASH; --quick keeps no record
  bench-divergence [ARGS...]
                           measure how far lanes diverge in the existence tests and the Farey walk, over the papers'
                           interval or any other; ARGS go to the program, --help lists them
  bench-ledger [ARGS...]   what a run directory costs that has a million units; ARGS go to the program, --help lists them
  agree [ARGS...]          whether every engine, lane type and number of threads lists the same cases; ARGS go to the program
  soak [ARGS...]           random functions, formats, intervals and engines against each other and against brute force, until
                           the time is over or two lists differ; ARGS: --minutes M, --seed S, --help lists the others
  fuzz [TARGET] [--minutes M]
                           cargo-fuzz on one target or all: parsers, certificates, run directories, existence tests, engines
  deny                     licenses, bans and sources of all dependencies, by cargo-deny
  miri                     the unit tests of the crates without foreign code under Miri, where it is installed
  reproduce [--quick|--full] [ARGS...]
                           every table and figure of the papers beside ours: docs/reproduction.md and its pictures,
                           and all tables below benches/record; --quick, the default, in less than five minutes; --help lists the sections
  results [FUNCTION...] [--format F,...] [--hours H] [--nice N] [--threads T] [--program FILE]
          [--again|--list|--check [--share S]|--lists|--index|--compare [--theirs FOLDER --source TEXT [--excerpt]]]
                           compute, verify and write the data set in results/, one function after the other, in run directories
                           below runs/; goes on where it was stopped; --again: the functions named, although they are there;
                           --list: what is done and what the rest takes; --check: verify all that is there, a share of each, a
                           tenth by itself, with another engine, and compare all that is written of it; --lists: write the lists
                           again; --index: write the pages about all together again; --compare: published worst cases beside ours, and with
                           --theirs lists of others: F.wc below FOLDER, as CORE-MATH has them, from TEXT (--excerpt: not whole);
                           --program: a `tmd` that is there, in place of one that is built now
  solve-large [FUNCTION...] [--binades A..B] [--hours H] [--nice N] [--threads T] [--backend WHO] [--program FILE]
              [--import CERTIFICATE]... [--list|--page]
                           large binary64 arguments of sin, cos and tan, one binade after the other, in run directories below
                           runs/: verified certificates in results/large/; goes on where it was stopped, on a GPU if there is
                           one; --import: verify certificates that were made on another machine, and put them there;
                           --list: what is done; --page: write the table of docs/large-arguments.md again; --program: a
                           `tmd` that is there, in place of one that is built now
  verify-alone [FILE...]   check certificates, or all of results/, by tools/verify_certificate.py, a program that has none of our
                           code; needs Python 3, and installs python-flint below target/
  check-witness FILE...    check witnesses of `tmd search --witness` by the program that Rocq extracts from proofs/Witness.v, and by
                           Arb; needs OCaml, and Python 3 as above
  compare-functions [ARGS...]
                           enclosures, derivatives and Taylor coefficients of all functions against Arb's; needs Python 3 as
                           above; ARGS go to tools/compare_functions.py, --help lists them
  small-formats [ARGS...]  look at all of binary16 and bfloat16 again, tables in four rounding modes and lists of cases, by Arb and
                           Python's integers; needs Python 3 as above; ARGS go to tools/small_formats.py, --help lists them
  tidy                     check the rules of the source tree
  prove                    check the proofs of proofs/ with Rocq, and print what each theorem rests on
  package                  check that the crates can be packaged and used from outside
  help                     print this
";

/// A command line, understood.
#[derive(Debug, PartialEq)]
enum Command {
    Demo,
    Test {
        long: bool,
        arguments: Vec<String>,
    },
    /// the steps of it that run beside others
    TestPart(Part),
    Cluster {
        arguments: Vec<String>,
    },
    Python {
        arguments: Vec<String>,
    },
    /// a program of the benches, and what it is told
    Measure {
        program: &'static str,
        arguments: Vec<String>,
    },
    Results(Results),
    Large(Large),
    /// certificates by a program that has none of our code
    Alone {
        files: Vec<String>,
    },
    /// witnesses by what Rocq extracts
    Witnesses {
        files: Vec<String>,
    },
    /// functions against Arb's
    Compare {
        arguments: Vec<String>,
    },
    /// whole 16-bit formats by a program that has none of our code
    SmallFormats {
        arguments: Vec<String>,
    },
    Fuzz(Fuzz),
    Deny,
    Miri,
    Tidy,
    Prove,
    Package,
    Help,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = parse(&arguments).and_then(|command| match command {
        Command::Demo => demo::run(),
        Command::Test { long, arguments } => test::run(long, &arguments),
        Command::TestPart(part) => part.run(),
        Command::Cluster { arguments } => cluster::run(&arguments),
        Command::Python { arguments } => python::run(&arguments),
        Command::Measure { program, arguments } => measure::run(program, &arguments),
        Command::Results(results) => results.run(),
        Command::Large(large) => large.run(),
        Command::Alone { files } => alone::certificates(&files),
        Command::Witnesses { files } => alone::witnesses(&files),
        Command::Compare { arguments } => alone::functions(&arguments),
        Command::SmallFormats { arguments } => alone::small_formats(&arguments),
        Command::Fuzz(fuzz) => fuzz.run(),
        Command::Deny => harden::deny(),
        Command::Miri => harden::miri(),
        Command::Tidy => tidy::run(),
        Command::Prove => prove::run(),
        Command::Package => package::run(),
        Command::Help => {
            print!("{USAGE}");
            Ok(())
        }
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

fn parse(arguments: &[String]) -> Result<Command, Failure> {
    let wrong = |what: String| Err(Failure::usage(format!("{what}\n\n{USAGE}")));
    let Some((command, rest)) = arguments.split_first() else {
        return wrong("which command?".into());
    };
    let command = match command.as_str() {
        "test" => {
            // what follows `--` belongs to the test binaries
            let own = rest.iter().position(|argument| argument == "--").unwrap_or(rest.len());
            if rest[..own].iter().any(|argument| is_help(argument)) {
                return Ok(Command::Help);
            }
            if let [option, name] = rest
                && option == "--part"
            {
                let unknown = || format!("the tests have no part `{name}`");
                return Part::parse(name).map(Command::TestPart).ok_or_else(unknown).or_else(wrong);
            }
            if rest.first().is_some_and(|argument| argument == "--cluster") {
                return Ok(Command::Cluster { arguments: rest[1..].to_vec() });
            }
            if rest.first().is_some_and(|argument| argument == "--python") {
                return Ok(Command::Python { arguments: rest[1..].to_vec() });
            }
            let is_long = |(i, argument): &(usize, &String)| *i < own && *argument == "--long";
            let (long, others): (Vec<_>, Vec<_>) = rest.iter().enumerate().partition(is_long);
            let arguments = others.into_iter().map(|(_, argument)| argument.clone()).collect();
            return Ok(Command::Test { long: !long.is_empty(), arguments });
        }
        "verify-alone" if !rest.iter().any(|argument| is_help(argument)) => {
            return Ok(Command::Alone { files: rest.to_vec() });
        }
        "check-witness" if rest.is_empty() => return wrong("which witness?".into()),
        "check-witness" if !rest.iter().any(|argument| is_help(argument)) => {
            return Ok(Command::Witnesses { files: rest.to_vec() });
        }
        "verify-alone" | "check-witness" => return Ok(Command::Help),
        "compare-functions" => return Ok(Command::Compare { arguments: rest.to_vec() }),
        "small-formats" => return Ok(Command::SmallFormats { arguments: rest.to_vec() }),
        "demo" => Command::Demo,
        "tidy" => Command::Tidy,
        "prove" => Command::Prove,
        "package" => Command::Package,
        "deny" => Command::Deny,
        "miri" => Command::Miri,
        "results" | "solve-large" | "fuzz" if rest.iter().any(|argument| is_help(argument)) => {
            return Ok(Command::Help);
        }
        "fuzz" => return Fuzz::parse(rest).map(Command::Fuzz).or_else(wrong),
        "results" => return Results::parse(rest).map(Command::Results).or_else(wrong),
        "solve-large" => return Large::parse(rest).map(Command::Large).or_else(wrong),
        name if is_help(name) => return Ok(Command::Help),
        other => {
            let Some(program) = measure::program(other) else {
                return wrong(format!("unknown command `{other}`"));
            };
            return Ok(Command::Measure { program, arguments: rest.to_vec() });
        }
    };
    match rest.first() {
        None => Ok(command),
        Some(argument) if is_help(argument) => Ok(Command::Help),
        Some(argument) => wrong(format!("unexpected argument `{argument}`")),
    }
}

fn is_help(argument: &str) -> bool {
    matches!(argument, "help" | "--help" | "-h")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, u8> {
        let arguments: Vec<String> = line.split_whitespace().map(Into::into).collect();
        parse(&arguments).map_err(|failure| failure.exit_code())
    }

    #[test]
    fn commands() {
        assert_eq!(parsed("demo"), Ok(Command::Demo));
        assert_eq!(parsed("tidy"), Ok(Command::Tidy));
        assert_eq!(parsed("package"), Ok(Command::Package));
        assert_eq!(parsed("deny"), Ok(Command::Deny));
        assert_eq!(parsed("miri"), Ok(Command::Miri));
        assert!(matches!(parsed("fuzz pieces"), Ok(Command::Fuzz(_))));
        assert_eq!(parsed("verify-alone a b"), Ok(Command::Alone { files: vec!["a".into(), "b".into()] }));
        assert_eq!(parsed("compare-functions --count 5").map(|_| ()), Ok(()));
        let arguments = vec!["--share".into(), "0.1".into()];
        assert_eq!(parsed("small-formats --share 0.1"), Ok(Command::SmallFormats { arguments }));
        assert_eq!(parsed("check-witness a"), Ok(Command::Witnesses { files: vec!["a".into()] }));
        assert_eq!(parsed("check-witness"), Err(2));
        for line in ["help", "-h", "test --help", "demo -h", "verify-alone --help", "check-witness -h"] {
            assert_eq!(parsed(line), Ok(Command::Help), "{line}");
        }
        for line in ["", "benches", "tidy now", "--long", "fuzz nothing", "miri now"] {
            assert_eq!(parsed(line), Err(2), "{line}");
        }
    }

    #[test]
    fn arguments_of_programs() {
        for (line, program) in [
            ("bench-gpu --quick --adapter 0", "gpu_figures"),
            ("bench", "ratios"),
            ("bench-divergence --quick --help", "divergence"),
            ("agree --gpu", "agreement"),
            ("soak --minutes 5", "soak"),
            ("reproduce --full", "reproduce"),
        ] {
            let arguments = line.split_whitespace().skip(1).map(Into::into).collect();
            assert_eq!(parsed(line), Ok(Command::Measure { program, arguments }), "{line}");
        }
    }

    #[test]
    fn arguments_of_results() {
        assert!(matches!(parsed("results"), Ok(Command::Results(_))));
        assert!(matches!(parsed("results exp log --hours 2"), Ok(Command::Results(_))));
        assert!(matches!(parsed("solve-large sin --binades 1020..1024"), Ok(Command::Large(_))));
        assert_eq!(parsed("solve-large exp"), Err(2));
        assert_eq!(parsed("results --hours"), Err(2));
        assert_eq!(parsed("results exp --help"), Ok(Command::Help));
    }

    #[test]
    fn arguments_of_test() {
        let test = |long, line: &str| {
            Ok(Command::Test { long, arguments: line.split_whitespace().map(Into::into).collect() })
        };
        assert_eq!(parsed("test"), test(false, ""));
        assert_eq!(parsed("test farey --long --no-fail-fast"), test(true, "farey --no-fail-fast"));
        assert_eq!(parsed("test -- --long --help"), test(false, "-- --long --help"));
        assert_eq!(parsed("test --part checks"), Ok(Command::TestPart(Part::Checks)));
        assert_eq!(parsed("test --part others"), Err(2));
        assert_eq!(parsed("test --cluster mpi"), Ok(Command::Cluster { arguments: vec!["mpi".into()] }));
        let words = ["-k", "jobs"].map(Into::into).to_vec();
        assert_eq!(parsed("test --python -k jobs"), Ok(Command::Python { arguments: words }));
    }
}
