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
          [--again|--list|--check [--share S] [--backend cpu|gpu]|--lists|--index|--compare [--theirs FOLDER --source TEXT [--excerpt]]]
                           compute, verify and write the data set in results/, one function after the other, in run directories
                           below runs/; goes on where it was stopped, also with what --hours end: results/unfinished keeps that;
                           --again: the functions named, although they are there; --list: what is done and what the rest takes;
                           --check: verify all that is there, a share of each (a tenth) with another engine, and compare all
                           that is written of it, with --hours those that have no row in results/checked.csv; with --backend gpu a
                           GPU, a software one will do, looks again at what lanes searched all at once, and the CPU at all else; --lists: write the lists again; --index: write the pages about all together again; --compare: published worst cases beside ours, and with
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
    /// one of [`PLAIN`], and what it is told
    Plain(&'static str, Vec<String>),
    Test {
        long: bool,
        arguments: Vec<String>,
    },
    /// the steps of it that run beside others
    TestPart(Part),
    /// a program of the benches, and what it is told
    Measure {
        program: &'static str,
        arguments: Vec<String>,
    },
    Results(Results),
    Large(Large),
    Fuzz(Fuzz),
    Help,
}

/// What commands that are not read here take.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Nothing,
    Files,
    /// at least one
    SomeFiles,
    /// what goes to a program, `--help` included
    All,
}

/// A command: its name, what it takes, and what it does with that.
type Plain = (&'static str, Takes, fn(&[String]) -> Result<(), Failure>);

const PLAIN: [Plain; 12] = [
    ("demo", Takes::Nothing, |_| demo::run()),
    ("tidy", Takes::Nothing, |_| tidy::run()),
    ("prove", Takes::Nothing, |_| prove::run()),
    ("package", Takes::Nothing, |_| package::run()),
    ("deny", Takes::Nothing, |_| harden::deny()),
    ("miri", Takes::Nothing, |_| harden::miri()),
    ("verify-alone", Takes::Files, alone::certificates),
    ("check-witness", Takes::SomeFiles, alone::witnesses),
    ("compare-functions", Takes::All, alone::functions),
    ("small-formats", Takes::All, alone::small_formats),
    // after `test`
    ("--cluster", Takes::All, cluster::run),
    ("--python", Takes::All, python::run),
];

fn plain(name: &str) -> Option<&'static Plain> {
    PLAIN.iter().find(|plain| plain.0 == name)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = parse(&arguments).and_then(|command| match command {
        Command::Plain(name, arguments) => {
            plain(name).map_or_else(|| Err(Failure::usage(name.to_owned())), |(_, _, run)| run(&arguments))
        }
        Command::Test { long, arguments } => test::run(long, &arguments),
        Command::TestPart(part) => part.run(),
        Command::Measure { program, arguments } => measure::run(program, &arguments),
        Command::Results(results) => results.run(),
        Command::Large(large) => large.run(),
        Command::Fuzz(fuzz) => fuzz.run(),
        Command::Help => run::say(&USAGE.trim_end()),
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
    let asks_help = rest.iter().any(|argument| is_help(argument));
    if let Some(&(name, takes, _)) = plain(command).filter(|plain| !plain.0.starts_with("--")) {
        return match (takes, rest.first()) {
            (Takes::SomeFiles, None) => wrong("which witness?".into()),
            (Takes::Nothing, Some(argument)) if !is_help(argument) => {
                wrong(format!("unexpected argument `{argument}`"))
            }
            (Takes::All, _) => Ok(Command::Plain(name, rest.to_vec())),
            _ if asks_help => Ok(Command::Help),
            _ => Ok(Command::Plain(name, rest.to_vec())),
        };
    }
    match command.as_str() {
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
            let others =
                rest.first().and_then(|option| plain(option)).filter(|plain| plain.0.starts_with("--"));
            if let Some((name, ..)) = others {
                return Ok(Command::Plain(name, rest[1..].to_vec()));
            }
            let is_long = |(i, argument): &(usize, &String)| *i < own && *argument == "--long";
            let (long, others): (Vec<_>, Vec<_>) = rest.iter().enumerate().partition(is_long);
            let arguments = others.into_iter().map(|(_, argument)| argument.clone()).collect();
            Ok(Command::Test { long: !long.is_empty(), arguments })
        }
        "results" | "solve-large" | "fuzz" if asks_help => Ok(Command::Help),
        "fuzz" => Fuzz::parse(rest).map(Command::Fuzz).or_else(wrong),
        "results" => Results::parse(rest).map(Command::Results).or_else(wrong),
        "solve-large" => Large::parse(rest).map(Command::Large).or_else(wrong),
        name if is_help(name) => Ok(Command::Help),
        other => match measure::program(other) {
            Some(program) => Ok(Command::Measure { program, arguments: rest.to_vec() }),
            None => wrong(format!("unknown command `{other}`")),
        },
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

    fn told(name: &'static str, words: &[&str]) -> Command {
        Command::Plain(name, words.iter().copied().map(Into::into).collect())
    }

    #[test]
    fn commands() {
        for name in ["demo", "tidy", "prove", "package", "deny", "miri"] {
            assert_eq!(parsed(name), Ok(told(name, &[])));
            assert_eq!(parsed(&format!("{name} now")), Err(2));
        }
        assert!(matches!(parsed("fuzz pieces"), Ok(Command::Fuzz(_))));
        assert_eq!(parsed("verify-alone a b"), Ok(told("verify-alone", &["a", "b"])));
        assert_eq!(parsed("compare-functions --help"), Ok(told("compare-functions", &["--help"])));
        assert_eq!(parsed("small-formats --share 0.1"), Ok(told("small-formats", &["--share", "0.1"])));
        assert_eq!(parsed("check-witness a"), Ok(told("check-witness", &["a"])));
        assert_eq!(parsed("check-witness"), Err(2));
        for line in ["help", "-h", "test --help", "demo -h", "verify-alone --help", "check-witness -h"] {
            assert_eq!(parsed(line), Ok(Command::Help), "{line}");
        }
        for line in ["", "benches", "--long", "--cluster", "fuzz nothing"] {
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
        assert_eq!(parsed("test --cluster mpi"), Ok(told("--cluster", &["mpi"])));
        assert_eq!(parsed("test --python -k jobs"), Ok(told("--python", &["-k", "jobs"])));
    }
}
