//! How far a search is: a bar on a terminal, elsewhere nothing, or lines if they are asked for.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use tmd_core::CoreError;
use tmd_driver::{Observer, Progress};

use crate::output::tell;

/// Steps of the bar; arguments of a search need not fit 64 bits.
const STEPS: u64 = 1_000_000;

/// How often a line is printed where it cannot be written over.
const LINES: Duration = Duration::from_secs(30);

pub(crate) struct Bar {
    shown: ProgressBar,
    lines: Option<Lines>,
    said: Said,
}

/// When the last line was printed.
#[derive(Default)]
struct Lines(Mutex<Option<Instant>>);

impl Lines {
    /// The line about this state; nothing if the last one was printed a short time before `now`.
    fn due(&self, progress: &Progress, now: Instant) -> Option<String> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.searched == 0 || last.is_some_and(|last| now.duration_since(last) < LINES) {
            return None;
        }
        *last = Some(now);
        let Progress { searched, arguments, cases, .. } = progress;
        Some(format!("tmd: {searched} of {arguments} arguments searched, {cases} cases"))
    }
}

/// Sentences about devices that failed, each of which is said once.
#[derive(Default)]
struct Said(Mutex<Vec<String>>);

impl Said {
    /// What is to be said of a failure; nothing if it was said.
    fn once(&self, failure: &CoreError) -> Option<String> {
        let sentence = format!("tmd: {failure}; the CPU searches in its place");
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if said.contains(&sentence) {
            return None;
        }
        said.push(sentence.clone());
        Some(sentence)
    }
}

impl Bar {
    /// A bar on the standard error if that is a terminal, else nothing.
    pub(crate) fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { shown: ProgressBar::hidden(), lines: None, said: Said::default() };
        }
        let bar = ProgressBar::new(STEPS);
        let template = "{spinner} [{bar:32}] {percent_precise:>7}%  {msg}  elapsed {elapsed}, left {eta}";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { shown: bar, lines: None, said: Said::default() }
    }

    /// The same, with lines where there is no terminal, if they are asked for.
    pub(crate) fn with_lines(self, are_asked_for: bool) -> Self {
        Self { lines: (are_asked_for && self.shown.is_hidden()).then(Lines::default), ..self }
    }

    pub(crate) fn finish(&self) {
        self.shown.finish_and_clear();
    }
}

impl Observer for Bar {
    fn progress(&self, progress: Progress) {
        if let Some(line) = self.lines.as_ref().and_then(|lines| lines.due(&progress, Instant::now())) {
            tell(line);
        }
        if self.shown.is_hidden() {
            return;
        }
        let done = progress.searched as f64 / progress.arguments.max(1) as f64;
        self.shown.set_position((done * STEPS as f64) as u64);
        let rate = progress.searched as f64 / self.shown.elapsed().as_secs_f64().max(1e-3);
        self.shown.set_message(format!(
            "2^{:.1} arguments/s, {} cases",
            rate.max(1.0).log2(),
            progress.cases
        ));
    }

    fn failed(&self, failure: &CoreError) {
        if let Some(sentence) = self.said.once(failure) {
            self.shown.suspend(|| tell(sentence));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_half_a_minute_apart() {
        let lines = Lines::default();
        let state = |searched| Progress { searched, arguments: 100, cases: 3 };
        let begun = Instant::now();
        let at = |searched, seconds| lines.due(&state(searched), begun + Duration::from_secs(seconds));
        assert_eq!(at(0, 0), None);
        assert_eq!(at(7, 1).unwrap(), "tmd: 7 of 100 arguments searched, 3 cases");
        assert_eq!(at(8, 30), None);
        assert!(at(9, 31).is_some() && at(9, 60).is_none() && at(9, 61).is_some());
    }

    #[test]
    fn a_failure_is_said_once() {
        let said = Said::default();
        let lost = |backend: &str| CoreError::BackendLost {
            backend: backend.into(),
            reason: "it was unplugged".into(),
        };
        let sentence = said.once(&lost("GPU 1")).unwrap();
        assert!(sentence.contains("GPU 1") && sentence.contains("unplugged"), "{sentence}");
        assert!(sentence.ends_with("the CPU searches in its place"), "{sentence}");
        assert_eq!(said.once(&lost("GPU 1")), None);
        assert!(said.once(&lost("GPU 2")).is_some());
    }
}
