//! [`Coverage::of`]: from what a certificate says.

use tmd_core::{ArgumentRange, Format, Number};

use super::{
    Coverage, Left, Stretch, asked, just_after,
    resolve::{Entry, Map, Own},
};
use crate::{
    Certificate, DriverError,
    certificate::{ClassRecord, RegionRecord, UnitRecord, number_from},
    interval::argument_ranges,
    regions::value_of,
};

impl Coverage {
    /// What a certificate knows. Regions that were not searched to their ends are covered where
    /// finished units say so; what follows from them, where that is so of all that it follows from.
    /// Where the inverse function was searched, a region is covered as a whole or not at all.
    ///
    /// # Errors
    /// [`DriverError::Unreadable`] if the regions are no intervals of numbers of the format in
    /// increasing order, or do not hold as many as they say.
    pub fn of(certificate: &Certificate) -> Result<Self, DriverError> {
        let format = certificate.format.format()?;
        let ranges = certificate
            .regions
            .iter()
            .map(|region| ranges_of(region, format))
            .collect::<Result<Vec<_>, _>>()?;
        let mut entries = Vec::with_capacity(ranges.len());
        for (region, ranges) in certificate.regions.iter().zip(&ranges) {
            let (Some((first, _)), Some((_, last))) =
                (ranges.first().and_then(ends), ranges.last().and_then(ends))
            else {
                return Err(unreadable(region, "it holds no number"));
            };
            if entries.last().is_some_and(|before: &Entry| before.last >= first) {
                return Err(unreadable(region, "it begins before the last one ends"));
            }
            let own = match &region.class {
                ClassRecord::OutOfReach { .. } => Own::Left(Left::OutOfReach),
                ClassRecord::Refused { reason } => Own::Left(Left::Refused(reason.clone())),
                ClassRecord::Mirrored { .. } => {
                    region.class.parity().map_or(Own::Left(Left::Unfounded), Own::Mirrored)
                }
                ClassRecord::Translated { .. } => {
                    region.class.translation().map_or(Own::Left(Left::Unfounded), Own::Translated)
                }
                _ => Own::Known,
            };
            entries.push(Entry { first, last, own, holes: Vec::new() });
        }
        unfinished(certificate, format, &mut entries)?;
        undecided(certificate, format, &mut entries)?;
        let map = Map { format, entries };

        let (mut stretches, mut parts) =
            (Vec::<Stretch>::new(), Vec::<(Number, Number, Option<Left>)>::new());
        for (index, region) in certificate.regions.iter().enumerate() {
            let mut seconds = match region.class {
                ClassRecord::OutOfReach { core_seconds } => core_seconds,
                _ => 0.0,
            };
            for (part, left) in ranges[index].iter().flat_map(|range| map.parts(*range)) {
                let Some((first, last)) = ends(&part) else { continue };
                let what = what(region, left.as_ref());
                add(
                    &mut stretches,
                    Stretch {
                        first: first.to_string(),
                        last: last.to_string(),
                        arguments: part.count().into(),
                        what,
                        left: left.clone(),
                        core_seconds: std::mem::take(&mut seconds),
                    },
                );
                match parts.last_mut() {
                    Some((_, end, known)) if *known == left => *end = last,
                    _ => parts.push((first, last, left)),
                }
            }
        }
        let asked = asked(format, certificate.binades);
        Ok(Self { format, binades: certificate.binades, asked, map, stretches, parts })
    }
}

/// The first number of a range and the last.
fn ends(range: &ArgumentRange) -> Option<(Number, Number)> {
    let last = range.count().checked_sub(1)?;
    Some((range.argument(0), range.argument(last)))
}

fn unreadable(region: &RegionRecord, reason: &str) -> DriverError {
    DriverError::Unreadable {
        what: "the certificate",
        reason: format!("of the region from {} to {}: {reason}", region.first, region.last),
    }
}

/// A region as ranges of one spacing each, in increasing order.
pub(crate) fn ranges_of(region: &RegionRecord, format: Format) -> Result<Vec<ArgumentRange>, DriverError> {
    let (first, last) = (number_from(&region.first, format)?, number_from(&region.last, format)?);
    if first > last {
        return Err(unreadable(region, "it ends before it begins"));
    }
    let ranges = argument_ranges(&value_of(first), &just_after(last, format), format)?;
    let arguments: u128 = ranges.iter().map(|range| u128::from(range.count())).sum();
    if arguments != region.arguments {
        return Err(unreadable(
            region,
            &format!("it says {} arguments, and holds {arguments}", region.arguments),
        ));
    }
    Ok(ranges)
}

/// Adds the parts of regions that were not searched as holes.
fn unfinished(certificate: &Certificate, format: Format, entries: &mut [Entry]) -> Result<(), DriverError> {
    let mut units: Vec<Vec<&UnitRecord>> = vec![Vec::new(); entries.len()];
    for unit in &certificate.units {
        if let Some(units) = units.get_mut(unit.region) {
            units.push(unit);
        }
    }
    let failed: Vec<Number> = certificate
        .failures
        .iter()
        .filter_map(|failure| failure.split(": ").next()?.split(' ').next_back())
        .filter_map(|first| number_from(first, format).ok())
        .collect();
    let is_finished: Vec<bool> = certificate
        .regions
        .iter()
        .zip(&units)
        .map(|(region, units)| region.units == Some(units.len()))
        .collect();
    for (number, ((entry, region), units)) in
        entries.iter_mut().zip(&certificate.regions).zip(units).enumerate()
    {
        if region.class != ClassRecord::Searched {
            continue;
        }
        let mut holes = vec![(entry.first, entry.last)];
        if region.with.is_some() || !units.iter().all(|unit| unit.is_of_arguments()) {
            // which arguments a unit is about, the function says; some may be another region's
            let leader = certificate.leader(number);
            let is_led = is_finished.get(leader).copied().unwrap_or(false)
                && certificate.regions[leader].with.is_none()
                && certificate.regions[leader].class == ClassRecord::Searched;
            if is_finished[number] && is_led {
                holes.clear();
            }
        } else {
            for unit in units {
                take_out(unit, region, format, &mut holes)?;
            }
        }
        for (first, last) in holes {
            let has_failed = failed.iter().any(|x| (first..=last).contains(x));
            entry.holes.push((first, last, if has_failed { Left::Failed } else { Left::Unfinished }));
        }
    }
    Ok(())
}

/// Takes the arguments of a unit out of those that were not searched.
fn take_out(
    unit: &UnitRecord,
    region: &RegionRecord,
    format: Format,
    holes: &mut Vec<(Number, Number)>,
) -> Result<(), DriverError> {
    let first = number_from(&unit.first, format)?;
    // a multiple of the unit's spacing
    let index = u32::try_from(first.exponent() - unit.spacing).ok().filter(|shift| *shift < 64);
    let index = index.map(|shift| first.significand() << shift).or((first == Number::ZERO).then_some(0));
    let index = index.ok_or_else(|| {
        unreadable(region, &format!("a unit begins at {first}, in steps of 2^{}", unit.spacing))
    })?;
    let range = ArgumentRange::new(index, unit.spacing, unit.arguments);
    let Some((_, last)) = ends(&range) else { return Ok(()) };
    // numbers of the format next to the unit
    let at = |index: i128| Number::new(index, unit.spacing);
    let (before, after) = (at(index - 1), at(index + i128::from(unit.arguments)));
    let Some(position) = holes.iter().position(|(a, b)| *a <= first && last <= *b) else { return Ok(()) };
    let (a, b) = holes.remove(position);
    let mut rest = Vec::new();
    if a < first {
        rest.push((a, before));
    }
    if last < b {
        rest.push((after, b));
    }
    holes.splice(position..position, rest);
    Ok(())
}

/// Adds arguments that were not decided as holes.
fn undecided(certificate: &Certificate, format: Format, entries: &mut [Entry]) -> Result<(), DriverError> {
    for undecided in &certificate.undecided {
        let x = number_from(&undecided.x, format)?;
        let index = entries.partition_point(|entry| entry.last < x);
        let Some(entry) = entries.get_mut(index).filter(|entry| entry.first <= x) else { continue };
        let at = entry.holes.partition_point(|(_, last, _)| *last < x);
        if entry.holes.get(at).is_none_or(|(first, ..)| *first > x) {
            entry.holes.insert(at, (x, x, Left::Undecided));
        }
    }
    Ok(())
}

/// What is said of a part of a region.
fn what(region: &RegionRecord, left: Option<&Left>) -> String {
    let elsewhere = match region.class {
        ClassRecord::Mirrored { .. } => "the arguments at -x were ",
        ClassRecord::Translated { .. } => "what they follow from was ",
        _ => "",
    };
    match left {
        None => region.class.to_string(),
        Some(left @ (Left::Unfinished | Left::Failed)) => format!("{elsewhere}{left}"),
        Some(left) => left.to_string(),
    }
}

/// Adds a stretch, to the last one if the same is known.
fn add(stretches: &mut Vec<Stretch>, stretch: Stretch) {
    match stretches.last_mut() {
        Some(last) if last.left == stretch.left && last.what == stretch.what => {
            last.last = stretch.last;
            last.arguments += stretch.arguments;
            last.core_seconds += stretch.core_seconds;
        }
        _ => stretches.push(stretch),
    }
}
