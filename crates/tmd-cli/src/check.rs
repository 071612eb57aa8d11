//! `tmd check`: one argument, or many.

use std::{
    fmt::Write as _,
    fs,
    io::{self, Read as _},
    path::Path,
    process::ExitCode,
};

use serde_json::{Map, Value, json};
use tmd_core::{Breakpoints, ExactCase, Format, HrCase, Number, Problem};
use tmd_driver::{
    DriverError,
    confirm::{Verdict, hardness},
    interval,
    report::{Case, check_text},
    table::Rounding,
};
use tmd_functions::{Expression, Function};
use tmd_report::rounded::{MODES, Neighbors, Rounded, sign_of_zero};

use crate::arguments::{CheckOptions, TextOutput, function, number};
use crate::data_folder::data_folder;
use crate::listed::{ArgumentResult, Listed, Lists};
use crate::output::{Destination, Failure};

/// Bytes of arguments that are read; more are no list.
const MOST: u64 = 1 << 32;

pub(crate) fn run(options: &CheckOptions) -> Result<ExitCode, Failure> {
    let is_json = options.output == TextOutput::Json;
    let function = function(&options.function)?;
    let (arguments, results) = options.target.formats()?;
    // the tolerance plays no role in the hardness of one argument
    let problem = |breakpoints| Problem::new(arguments, results, breakpoints, Problem::MIN_EXTRA_BITS);
    let (asked, all) = (problem(options.target.breakpoints()?)?, problem(Breakpoints::All)?);
    let xs = match (&options.x, &options.arguments) {
        (Some(x), _) => vec![interval::argument(&number("argument", x)?, arguments)?],
        (None, Some(path)) => read(path, arguments)?,
        (None, None) => Vec::new(), // clap asks for one of the two
    };
    let folder = data_folder(options.data.as_deref())?.filter(|_| arguments == results);
    let lists = folder.map(|folder| Lists::open(&folder, &function, results)).transpose()?;
    let name = function.name();
    let check = Check { function, name, asked, all, lists };

    // writing to a String does not fail, here and below
    let (mut text, mut is_answered) = (String::new(), true);
    for &x in &xs {
        let answer = check.answer(x);
        if options.x.is_some() {
            let answer = answer?;
            is_answered &= !answer.is_refuted();
            if is_json {
                let _ = writeln!(text, "{:#}", check.json(&answer));
            } else {
                text += &check.text(&answer);
            }
            continue;
        }
        let line = match &answer {
            Ok(answer) => {
                is_answered &= !answer.is_refuted();
                if is_json { check.json(answer).to_string() } else { line(answer) }
            }
            Err(error) => {
                is_answered &= !matches!(error, DriverError::Undecided { .. });
                let (x, function) = (x.to_string(), &check.name);
                if is_json {
                    json!({ "function": function, "x": x, "error": error.to_string() }).to_string()
                } else {
                    format!("{x}: no result: {error}")
                }
            }
        };
        text += &line;
        text.push('\n');
    }
    Destination::Standard.write(text)?;
    Ok(ExitCode::from(u8::from(!is_answered)))
}

/// The arguments of a file: the first word of each line, up to a blank or a comma. What is not one
/// is refused with its line, before anything is computed.
fn read(path: &Path, format: Format) -> Result<Vec<Number>, Failure> {
    let is_standard = path == Path::new("-");
    let name = if is_standard { "the standard input".into() } else { path.display().to_string() };
    let mut bytes = Vec::new();
    let read = if is_standard {
        io::stdin().lock().take(MOST).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|file| file.take(MOST).read_to_end(&mut bytes))
    };
    let failed =
        |reason: String| Failure::question(format!("cannot read {name}: {reason}; name a file of arguments"));
    let length = read.map_err(|error| failed(error.to_string()))?;
    if length as u64 == MOST {
        return Err(failed("it is longer than 4 GiB".into()));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| failed(format!("at byte {} there is no text", error.utf8_error().valid_up_to())))?;
    let mut arguments = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let Some(word) = line.split([',', ' ', '\t']).next().filter(|word| !word.is_empty()) else {
            continue;
        };
        if word.starts_with('#') {
            continue;
        }
        let place =
            |error: &dyn std::fmt::Display| Failure::question(format!("{name}, line {}: {error}", index + 1));
        let value = number("argument", word).map_err(|error| place(&error))?;
        arguments.push(interval::argument(&value, format).map_err(|error| place(&error))?);
    }
    if arguments.is_empty() {
        return Err(Failure::question(format!("{name} holds no argument; write one on each line")));
    }
    Ok(arguments)
}

/// What is asked of each argument.
struct Check {
    function: Expression,
    name: String,
    /// the hardness of the rounding asked for …
    asked: Problem,
    /// … and of all roundings, which says the results
    all: Problem,
    lists: Option<Lists>,
}

struct Answer<'a> {
    x: Number,
    /// an exact result has no hardness
    found: Result<HrCase, ExactCase>,
    results: [(Rounding, Rounded); 4],
    listed: Option<Vec<(&'a str, Listed)>>,
}

impl Answer<'_> {
    /// Whether a certificate is wrong about it.
    fn is_refuted(&self) -> bool {
        self.listed.iter().flatten().any(|(_, listed)| listed.is_wrong())
    }
}

impl Check {
    fn answer(&self, x: Number) -> Result<Answer<'_>, DriverError> {
        let found = |problem| match hardness(&self.function, problem, x)? {
            Ok(case) => Ok(Ok(case)),
            Err(Verdict::Exact(case)) => Ok(Err(case)),
            Err(Verdict::Undecided { argument, bits }) => Err(DriverError::Undecided {
                function: self.name.clone(),
                argument: argument.to_string(),
                bits,
            }),
            // hardness never returns these
            Err(Verdict::NotHard | Verdict::Case(_)) => {
                Err(DriverError::Undecided { function: self.name.clone(), argument: x.to_string(), bits: 0 })
            }
        };
        // of a result that is a number nearest midpoints are not the whole truth
        let all = found(&self.all)?;
        let format = self.all.results();
        let place = match &all {
            Ok(case) => Neighbors::between(case),
            Err(case) => Neighbors::exact(case.value, case.kind),
        };
        let is_zero = all.as_ref().is_err_and(|case| case.value == Number::ZERO);
        let results = MODES.map(|mode| {
            let sign = || Rounded::Zero(sign_of_zero(&self.name, x, mode));
            (mode, if is_zero { sign() } else { place.round(mode, format) })
        });
        let result = ArgumentResult { function: &self.function, x, format, found: &all };
        let listed = self.lists.as_ref().map(|lists| lists.of(&result));
        let found = if self.asked.breakpoints() == Breakpoints::All { all } else { found(&self.asked)? };
        Ok(Answer { x, found, results, listed })
    }

    /// For a terminal.
    fn text(&self, answer: &Answer) -> String {
        let mut text = match &answer.found {
            Ok(case) => check_text(&self.name, case),
            Err(case) => format!(
                "{} at x = {} is exactly the {} {}: it has no hardness\n",
                self.name, answer.x, case.kind, case.value
            ),
        };
        let _ = writeln!(text, "rounded: {}", rounded(answer));
        for (name, listed) in answer.listed.iter().flatten() {
            let _ = writeln!(text, "{name} {listed}");
        }
        text
    }

    fn json(&self, answer: &Answer) -> Value {
        let mut document = Map::new();
        let x = answer.x.to_string();
        document.insert("function".into(), json!(self.name));
        match &answer.found {
            Ok(case) => document.insert("case".into(), json!(Case::from(case))),
            Err(case) => {
                let (kind, value) = (case.kind.to_string(), case.value.to_string());
                document.insert("exact".into(), json!({ "x": x, "kind": kind, "value": value }))
            }
        };
        let results =
            answer.results.iter().map(|(mode, result)| (mode.name().into(), json!(result.to_string())));
        document.insert("results".into(), Value::Object(results.collect()));
        if let Some(listed) = &answer.listed {
            let listed = listed.iter().map(|(name, listed)| {
                json!({ "certificate": name, "listed": listed.name(), "because": listed.to_string() })
            });
            document.insert("listed".into(), listed.collect());
        }
        Value::Object(document)
    }
}

fn rounded(answer: &Answer) -> String {
    let results = answer.results.iter().map(|(mode, result)| format!("{mode} {result}"));
    results.collect::<Vec<_>>().join(", ")
}

/// One of many lines.
fn line(answer: &Answer) -> String {
    let mut line = match &answer.found {
        Ok(case) => format!(
            "{}: 2^{:.4} ulp {} the {} {}, {} identical bits",
            answer.x,
            case.log2_distance,
            if case.above { "above" } else { "below" },
            case.kind,
            case.breakpoint,
            case.identical_bits
        ),
        Err(case) => format!("{}: exactly the {} {}", answer.x, case.kind, case.value),
    };
    let _ = write!(line, "; {}", rounded(answer));
    for (name, listed) in answer.listed.iter().flatten() {
        let _ = write!(line, "; {name} {listed}");
    }
    line
}
