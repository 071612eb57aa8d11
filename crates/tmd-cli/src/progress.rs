//! The progress bar: on a terminal only.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tmd_driver::{Observer, Progress};

/// Steps of the bar; arguments of a search need not fit 64 bits.
const STEPS: u64 = 1_000_000;

pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar on the standard error if that is a terminal, else nothing.
    pub(crate) fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(STEPS);
        let template = "{spinner} [{bar:32}] {percent_precise:>7}%  {msg}  elapsed {elapsed}, left {eta}";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Observer for Bar {
    fn progress(&self, progress: Progress) {
        if self.0.is_hidden() {
            return;
        }
        let done = progress.searched as f64 / progress.arguments.max(1) as f64;
        self.0.set_position((done * STEPS as f64) as u64);
        let rate = progress.searched as f64 / self.0.elapsed().as_secs_f64().max(1e-3);
        self.0.set_message(format!("2^{:.1} arguments/s, {} cases", rate.max(1.0).log2(), progress.cases));
    }
}
