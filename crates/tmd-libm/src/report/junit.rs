//! The report as `JUnit` XML: a suite for each mode, a test for each kind of finding.

use std::fmt::Write;

use super::{Example, ModeReport, Report};

impl Report {
    /// The document as `JUnit` XML.
    pub fn to_junit(&self) -> String {
        let suites: Vec<(String, usize)> = self.modes.iter().map(|mode| suite(mode, &self.symbol)).collect();
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let once = self.not_reproduced.len();
        let failures = suites.iter().map(|(_, failures)| failures).sum::<usize>() + usize::from(once > 0);
        let name =
            format!("{} of {} as {} in {}", self.symbol, self.library_in_words(), self.function, self.format);
        // writing to a string does not fail
        let _ = writeln!(
            text,
            "<testsuites name=\"{}\" tests=\"{}\" failures=\"{failures}\">",
            escaped(&name),
            KINDS * suites.len() + usize::from(once > 0)
        );
        for (suite, _) in &suites {
            text += suite;
        }
        if once > 0 {
            let said: Vec<String> = self.not_reproduced.iter().map(ToString::to_string).collect();
            let _ = writeln!(
                text,
                "  <testsuite name=\"processes\" tests=\"1\" failures=\"1\">\n    <testcase classname=\"{}\" name=\"not reproduced\">\
                 <failure message=\"{}\"/></testcase>\n  </testsuite>",
                escaped(&self.symbol),
                escaped(&said.join("; "))
            );
        }
        text + "</testsuites>\n"
    }
}

/// Tests of a suite.
const KINDS: usize = 7;

/// A suite, and how many of its tests failed.
fn suite(mode: &ModeReport, symbol: &str) -> (String, usize) {
    let flags = mode.flags.iter().flat_map(|flag| flag.missing_at.iter().chain(&flag.spurious_at));
    let wrong = |count: u64, what: &str| {
        (count > 0).then(|| (format!("{count} wrong results at {what}"), lines(&mode.wrong_results)))
    };
    let of_all =
        |count: u64, what: &str, examples: String| (count > 0).then(|| (format!("{count} {what}"), examples));
    let others = mode.wrong - mode.wrong_hard - mode.wrong_special - mode.wrong_random;
    let tests: [(&str, Option<(String, String)>); KINDS] = [
        ("hard cases", wrong(mode.wrong_hard, "hard cases")),
        ("special values", wrong(mode.wrong_special, "special values")),
        ("random arguments", wrong(mode.wrong_random, "random arguments")),
        ("all arguments", wrong(others, "any argument")),
        ("flags", of_all(mode.wrong_flags, "calls with wrong flags", lines(flags))),
        ("environment", of_all(mode.changed, "calls that change the environment", lines(&mode.changes))),
        (
            "returns",
            of_all(
                mode.died + mode.not_made,
                "calls that ended the process, or were not made for that",
                lines(&mode.deaths),
            ),
        ),
    ];
    let failures = tests.iter().filter(|(_, failure)| failure.is_some()).count();
    let mut text =
        format!("  <testsuite name=\"{}\" tests=\"{KINDS}\" failures=\"{failures}\">\n", mode.rounding);
    for (name, failure) in tests {
        let _ =
            write!(text, "    <testcase classname=\"{}.{}\" name=\"{name}\"", escaped(symbol), mode.rounding);
        match failure {
            None => text += "/>\n",
            Some((message, examples)) => {
                let (message, examples) = (escaped(&message), escaped(&examples));
                let _ = writeln!(text, "><failure message=\"{message}\">{examples}</failure></testcase>");
            }
        }
    }
    (text + "  </testsuite>\n", failures)
}

fn lines<'a>(examples: impl IntoIterator<Item = &'a Example>) -> String {
    let line = |example: &Example| match (&example.result, &example.expected) {
        (Some(result), Some(expected)) => format!("f({}) = {result}, should be {expected}", example.x),
        _ => format!("f({}): {}", example.x, example.text),
    };
    examples.into_iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Text as XML has it; characters that XML 1.0 has not become `?`.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => escaped.push('?'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn text_in_xml() {
        let text = escaped("a<b & \"c\" > \u{1}\n");
        assert_eq!(text, "a&lt;b &amp; &quot;c&quot; &gt; ?\n");
        let document = format!("<a b=\"{text}\">{text}</a>");
        assert!(roxmltree::Document::parse(&document).is_ok());
    }
}
