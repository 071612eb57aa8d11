//! [`read`]: certificates of the version before, whose rules were sentences, and named no negative
//! numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tmd_core::Number;
use tmd_functions::{Function, parse};

use super::{
    Certificate, ClassRecord, Effort, FORMER_SCHEMA, FormatRecord, LONG_SCHEMAS, RegionRecord, Rule,
    UnitRecord, document::digest, number_from,
};
use crate::{
    Coverage, DriverError,
    coverage::ranges_of,
    regions::{Class, Region},
    report::{Case, Exact, Undecided},
    solve::images,
};

/// A document of the version before: the order of the fields is that of its digest.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Former {
    schema: String,
    program: String,
    function: String,
    format: FormatRecord,
    rounding: String,
    extra_bits: u32,
    binades: Option<[i32; 2]>,
    engine: String,
    regions: Vec<RegionRecord>,
    units: Vec<UnitRecord>,
    cases: Vec<Case>,
    exact_cases: Vec<Exact>,
    exact_rule: Option<String>,
    undecided: Vec<Undecided>,
    rules: Vec<String>,
    failures: Vec<String>,
    digest: String,
    effort: Effort,
}

/// Reads a document of the version before. Cases of regions that were searched are taken as they
/// are, and what follows from them is derived again. A digest that does not fit the document does
/// not fit what comes of it either.
pub(super) fn read(text: &str) -> Result<Certificate, DriverError> {
    let unreadable = |reason: String| DriverError::Unreadable { what: "the certificate", reason };
    let former: Former = serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))?;
    let bare = Former { digest: String::new(), effort: Effort::default(), ..former.clone() };
    let is_whole = digest(&bare) == former.digest;
    let Former { program, function, format, rounding, extra_bits, binades, engine, regions, units, .. } =
        former;
    let Former { cases, exact_cases, exact_rule, undecided, rules, failures, digest, effort, .. } = former;
    let mut certificate = Certificate {
        schema: LONG_SCHEMAS[0].into(),
        program,
        function,
        format,
        rounding,
        extra_bits,
        binades,
        engine,
        regions,
        units,
        cases,
        exact_cases,
        exact_rule,
        undecided,
        rules: Vec::new(),
        failures,
        digest,
        effort,
        derived: None,
    };
    certificate.divide_around_zero();
    let expression = parse(&certificate.function).map_err(|error| unreadable(error.to_string()))?;
    certificate.derive(&expression, rules.len())?;
    if is_whole {
        certificate.digest = certificate.computed_digest();
    }
    Ok(certificate)
}

impl Certificate {
    /// Divides regions that hold negative numbers and positive ones, and the numbers around 0 only
    /// as far as these were asked for.
    fn divide_around_zero(&mut self) {
        let Some([start, _]) = self.binades else { return };
        let least = Number::new(1, start);
        while let Some(index) = self.regions.iter().position(|region| {
            region.units.is_none() && region.first.starts_with('-') && !region.last.starts_with('-')
        }) {
            let region = &mut self.regions[index];
            let (mut negative, mut positive) = (region.clone(), region.clone());
            negative.last = Number::new(-1, start).to_string();
            positive.first = least.to_string();
            // what is the same on both sides, of a function that is even
            negative.arguments = region.arguments / 2;
            positive.arguments = region.arguments - negative.arguments;
            *region = negative;
            self.regions.insert(index + 1, positive);
            for unit in self.units.iter_mut().filter(|unit| unit.region > index) {
                unit.region += 1;
            }
        }
    }

    /// Derives again what follows from the cases of regions that were searched; cases that neither
    /// were found there nor follow stay, for whoever verifies to find.
    fn derive(&mut self, function: &dyn Function, former_rules: usize) -> Result<(), DriverError> {
        let format = self.format.format()?;
        // what mirrors a region that is out of reach takes no search of its own
        if function.parity().is_some() {
            for region in self.regions.iter_mut().filter(|region| region.last.starts_with('-')) {
                if let ClassRecord::OutOfReach { core_seconds } = &mut region.class {
                    *core_seconds = 0.0;
                }
            }
        }
        let mut followed = Vec::new();
        for region in &self.regions {
            let class = match &region.class {
                ClassRecord::Mirrored { .. } => region.class.parity().map(Class::Mirrored),
                ClassRecord::Translated { .. } => region.class.translation().map(Class::Translated),
                _ => None,
            };
            if let Some(class) = class {
                followed.push(Region { ranges: ranges_of(region, format)?, class });
            }
        }
        let coverage = Coverage::of(self)?;
        let is_searched = |x: Number| {
            let region = coverage.known(x).filter(|known| known.chain.is_empty());
            region.is_some_and(|known| self.regions[known.region].class == ClassRecord::Searched)
        };
        let (mut searched, mut others) = (BTreeMap::new(), BTreeMap::new());
        for case in &self.cases {
            let x = number_from(&case.x, format)?;
            let list = if is_searched(x) { &mut searched } else { &mut others };
            list.insert(x, case.clone());
        }
        let anchors: Vec<Number> = searched.keys().copied().collect();
        let images = images(function.parity(), format, &followed.iter(), &anchors);
        let mut cases = searched.clone();
        for mirror in &images.mirrors {
            if let Some(case) = searched.get(&mirror.x).and_then(|case| Rule::mirror(case, mirror.parity)) {
                cases.insert(mirror.at(), case);
            }
        }
        let listed = cases.clone();
        for rule in images.short.iter().map(Rule::from) {
            let Some(anchor) = listed.get(&number_from(&rule.anchor, format)?) else { continue };
            for case in rule.cases(anchor)? {
                cases.insert(number_from(&case.x, format)?, case);
            }
        }
        self.rules = images.long.iter().map(Rule::from).collect();
        let added = cases.keys().filter(|x| !searched.contains_key(x) && !others.contains_key(x)).count();
        let follows =
            |x: &Number| coverage.known(*x).is_some_and(|known| searched.contains_key(&known.source));
        others.retain(|x, _| !cases.contains_key(x) && !follows(x));
        cases.append(&mut others);
        self.cases = cases.into_values().collect();
        let behind = self.case_count() - self.cases.len() as u128;
        self.derived = Some(format!(
            "read from {FORMER_SCHEMA}: what follows by symmetry was derived again from the cases of the regions that were searched \
             ({added} cases that it did not list, and {} rules that stand for {behind} cases in place of its {former_rules} sentences)",
            self.rules.len(),
        ));
        Ok(())
    }
}
