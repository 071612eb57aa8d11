//! [`coverage`]: what is known of which arguments, in as few lines as there are different things to say.

use std::{collections::HashMap, fmt};

use tmd_driver::{Certificate, certificate::ClassRecord, plan::duration};

/// Neighboring regions of which the same is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The least argument, as C's `%a`.
    pub first: String,
    /// The greatest.
    pub last: String,
    /// Numbers of the format from the one to the other.
    pub arguments: u128,
    /// What is known: how it was searched, or an inequality; or why nothing is.
    pub what: String,
    /// Whether all roundings are known.
    pub is_covered: bool,
    /// Regions.
    pub regions: usize,
}

impl fmt::Display for Stretch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last, what, .. } = self;
        if first == last { write!(f, "{first}: {what}") } else { write!(f, "{first} to {last}: {what}") }
    }
}

/// All arguments that the certificate speaks of, in increasing order. Regions that were not searched to their ends, or whose
/// cases follow from such, are not covered.
pub fn coverage(certificate: &Certificate) -> Vec<Stretch> {
    let regions = &certificate.regions;
    let mut finished = vec![0usize; regions.len()];
    for unit in &certificate.units {
        if let Some(count) = finished.get_mut(unit.region) {
            *count += 1;
        }
    }
    let is_finished = |index: usize| regions[index].units.is_none_or(|units| finished[index] == units);
    let by_first: HashMap<&str, usize> =
        regions.iter().map(|region| region.first.as_str()).zip(0..).collect();
    let mut stretches: Vec<Stretch> = Vec::new();
    // core-seconds that the searches of the last stretch would take
    let mut missing = 0.0;
    for (index, region) in regions.iter().enumerate() {
        let (is_covered, what) = match &region.class {
            ClassRecord::Refused { reason } => (false, reason.clone()),
            ClassRecord::OutOfReach { .. } => (false, "a search would take too long".to_owned()),
            ClassRecord::Mirrored { .. }
                if !by_first.get(negated(&region.last).as_str()).is_some_and(|&index| {
                    regions[index].class == ClassRecord::Searched && is_finished(index)
                }) =>
            {
                (false, "the arguments at -x were not searched to the end".to_owned())
            }
            class if is_finished(index) => (true, class.to_string()),
            _ => (false, "not searched to the end".to_owned()),
        };
        let seconds = match region.class {
            ClassRecord::OutOfReach { core_seconds } => core_seconds,
            _ => 0.0,
        };
        let is_same = |last: &&mut Stretch| last.is_covered == is_covered && last.what == what;
        if let Some(stretch) = stretches.last_mut().filter(is_same) {
            stretch.last.clone_from(&region.last);
            stretch.arguments += region.arguments;
            stretch.regions += 1;
            missing += seconds;
        } else {
            price(stretches.last_mut(), missing);
            missing = seconds;
            stretches.push(Stretch {
                first: region.first.clone(),
                last: region.last.clone(),
                arguments: region.arguments,
                what,
                is_covered,
                regions: 1,
            });
        }
    }
    price(stretches.last_mut(), missing);
    stretches
}

/// The text of `−x`.
fn negated(x: &str) -> String {
    x.strip_prefix('-').map_or_else(|| format!("-{x}"), str::to_owned)
}

/// Says how long the search would take that was not made.
fn price(stretch: Option<&mut Stretch>, core_seconds: f64) {
    if let Some(stretch) = stretch.filter(|_| core_seconds > 0.0) {
        stretch.what = format!("{}, {} of one core", stretch.what, duration(core_seconds));
    }
}
