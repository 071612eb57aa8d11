//! Engines and parts of a search as ratios to one engine measured in turn with them:
//! `cargo xtask bench`.
//!
//! Seconds of two machines, or of two days on a shared one, cannot be compared; ratios taken in one
//! run nearly can. Each subject is measured in rounds, the baseline before each (baseline, X,
//! baseline, Y, …, and again), each round gives a ratio, and the median with its quartiles is what
//! is told. Whatever slows the machine down for longer than a round slows both.
//!
//! * [`statistics`]: medians and quartiles of ratios; [`record`]: a run as JSON, and two runs
//!   compared;
//! * `subjects`: what is measured, on I₀ and on exp near 128; `wholes`: what else is.

pub mod record;
pub mod statistics;
mod subjects;
mod wholes;

use tmd_gpu::{AdapterChoice, Gpu, Integers};

use crate::{
    ToolError,
    figures::{
        machine::{commit, cpu, today},
        timed,
    },
};
use record::{Measured, Record};
use statistics::Round;
use subjects::{ExpPart, Subject};

/// Measures everything in so many rounds; GPU searches on this adapter, if there is one.
///
/// # Errors
/// If an engine's list is wrong or a piece cannot be searched, or there are no rounds.
pub fn run(rounds: u32, adapter: &AdapterChoice) -> Result<Record, ToolError> {
    if rounds == 0 {
        return Err(ToolError::failed("no rounds: nothing would be measured"));
    }
    let (date, commit, cpu) = (today(), commit(), cpu());
    let (mut subjects, mut missing) = (Vec::new(), Vec::new());
    let gpu = Gpu::open(adapter, Integers::Auto);
    missing.extend(gpu.as_ref().err().map(|reason| format!("GPU: {reason}")));
    let places = ExpPart::all()?;
    for place in &places {
        let baseline = place.baseline()?;
        let mut own = place.subjects()?;
        for subject in gpu.iter().flat_map(|gpu| place.on_gpu(gpu)) {
            match subject {
                Ok(subject) => own.push(subject),
                Err(reason) => missing.push(reason),
            }
        }
        subjects.extend(measure(place, &baseline, &own, rounds)?);
    }
    let [first, _] = &places;
    subjects.extend(measure(first, &first.baseline()?, &wholes::all()?, rounds)?);
    let baseline = "scalar regular".into();
    Ok(Record { date, commit, cpu, baseline, subjects, missing })
}

/// Rounds of all subjects, the baseline before each of them, after one round that does not count.
/// What disturbs the machine for some seconds is then in a few rounds of every subject, not in all
/// rounds of one.
fn measure(
    place: &ExpPart,
    baseline: &Subject,
    subjects: &[Subject<'_>],
    rounds: u32,
) -> Result<Vec<Measured>, ToolError> {
    let mut samples = vec![Vec::new(); subjects.len()];
    for round in 0..=rounds {
        for (subject, samples) in subjects.iter().zip(&mut samples) {
            let (done, baseline_s) = timed(|| (baseline.work)());
            done?;
            let (done, subject_s) = timed(|| (subject.work)());
            done?;
            if round > 0 {
                samples.push(Round { baseline_s, subject_s });
            }
        }
    }
    let measured = |(subject, rounds): (&Subject, Vec<Round>)| Measured {
        place: subject.place.into(),
        name: subject.name.clone(),
        unit: subject.unit.into(),
        baseline_arguments: place.baseline_arguments() as f64,
        units: subject.units as f64,
        is_software: subject.is_software,
        rounds,
    };
    Ok(subjects.iter().zip(samples).map(measured).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// Baseline and subject take turns, the first round is not counted, and an error ends it.
    #[test]
    fn rounds_take_turns() {
        let [place, _] = ExpPart::all().unwrap();
        let turns = RefCell::new(String::new());
        let subject = |name: &'static str, fails: bool| Subject {
            place: "here",
            name: name.into(),
            unit: "turn",
            units: 7,
            is_software: false,
            work: Box::new({
                let turns = &turns;
                move || {
                    turns.borrow_mut().push_str(name);
                    if fails { Err(ToolError::failed("no")) } else { Ok(()) }
                }
            }),
        };
        let both = [subject("x", false), subject("y", false)];
        let measured = measure(&place, &subject("b", false), &both, 3).unwrap();
        assert_eq!(*turns.borrow(), "bxbybxbybxbybxby");
        for (measured, name) in measured.iter().zip(["x", "y"]) {
            assert_eq!((measured.rounds.len(), measured.units, measured.name.as_str()), (3, 7.0, name));
            assert_eq!(measured.baseline_arguments, place.baseline_arguments() as f64);
        }
        assert_eq!(measured.len(), 2);
        assert!(measure(&place, &subject("b", false), &[subject("x", true)], 3).is_err());
        assert!(run(0, &AdapterChoice::Auto).unwrap_err().to_string().starts_with("no rounds"));
    }
}
