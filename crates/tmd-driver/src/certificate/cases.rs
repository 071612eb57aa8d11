//! The cases of a document: what is written of them in each version, and what follows.

use std::{collections::HashSet, fmt};

use rayon::prelude::*;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer},
    ser::SerializeSeq as _,
};
use tmd_core::{Format, HrCase, Number, Problem};
use tmd_functions::{Function as _, parse, symmetry::Parity};

use super::{Certificate, LONG_SCHEMAS, RegionRecord, SCHEMA, SHORT_SCHEMA, number_from};
use crate::{
    confirm::{Verdict, confirm, hardness},
    regions::negated,
    report::Case,
};

/// How much of the cases a version of the document has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// All of each, of all cases.
    Whole,
    /// All but breakpoints and brackets.
    Short,
    /// The arguments of those that do not follow from the case at −x.
    Arguments,
}

impl Form {
    /// That of a version; `None` of one that there is not.
    pub(super) fn of_schema(schema: &str) -> Option<Self> {
        match schema {
            SCHEMA => Some(Self::Arguments),
            SHORT_SCHEMA => Some(Self::Short),
            _ => LONG_SCHEMAS.contains(&schema).then_some(Self::Whole),
        }
    }

    /// What a case has that it should not have, or lacks.
    pub(super) fn fault(self, case: &Case) -> Option<&'static str> {
        let has_more = !case.breakpoint.is_empty() || case.bracket.iter().any(|end| !end.is_empty());
        let lacks_some = case.breakpoint.is_empty() || case.bracket.iter().any(String::is_empty);
        match self {
            Self::Whole => lacks_some.then_some("lacks its breakpoint or its bracket"),
            Self::Short if case.kind.is_empty() => Some("has no more than its argument"),
            Self::Short => has_more.then_some("has a breakpoint or a bracket"),
            Self::Arguments => (!case.kind.is_empty()).then_some("has more than its argument"),
        }
    }
}

/// Reads cases as any version has them: what is not there is empty.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Case>, D::Error> {
    struct Cases;
    impl<'de> Visitor<'de> for Cases {
        type Value = Vec<Case>;

        fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
            formatter.write_str("a list of cases")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Case>, A::Error> {
            let mut cases = Vec::new();
            while let Some(Written(case)) = list.next_element()? {
                cases.push(case);
            }
            Ok(cases)
        }
    }
    deserializer.deserialize_seq(Cases)
}

/// A case as it is written: its argument, or more of it.
struct Written(Case);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfEither;
        impl<'de> Visitor<'de> for OfEither {
            type Value = Written;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a case")
            }

            fn visit_str<E: de::Error>(self, x: &str) -> Result<Written, E> {
                Ok(Written(bare(x.into())))
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Written, A::Error> {
                let case = Case::deserialize(MapAccessDeserializer::new(fields))?;
                // no case without is one that is read so
                if case.kind.is_empty() {
                    return Err(de::Error::custom("a case without the kind of its breakpoint"));
                }
                Ok(Written(case))
            }
        }
        deserializer.deserialize_any(OfEither)
    }
}

/// A case of which no more than the argument is known.
fn bare(x: String) -> Case {
    Case {
        x,
        kind: String::new(),
        sign: ' ',
        log2_dist: 0.0,
        identical_bits: 0,
        breakpoint: String::new(),
        bracket: Default::default(),
    }
}

/// Without breakpoint and bracket.
#[derive(Serialize)]
struct ShortCase<'a> {
    x: &'a str,
    kind: &'a str,
    sign: char,
    log2_dist: f64,
    identical_bits: u32,
}

/// The cases of a certificate, as its version has them.
pub(super) struct Listed<'a>(pub(super) &'a Certificate);

impl Serialize for Listed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Certificate { schema, cases, .. } = self.0;
        match Form::of_schema(schema).unwrap_or(Form::Whole) {
            Form::Whole => cases.serialize(serializer),
            Form::Short => serializer.collect_seq(cases.iter().map(|case| {
                let Case { x, kind, sign, log2_dist, identical_bits, breakpoint: _, bracket: _ } = case;
                ShortCase { x, kind, sign: *sign, log2_dist: *log2_dist, identical_bits: *identical_bits }
            })),
            Form::Arguments => {
                let follow = self.follow();
                let mut list = serializer.serialize_seq(None)?;
                for (index, case) in cases.iter().enumerate() {
                    if !follow.get(index).copied().unwrap_or(false) {
                        list.serialize_element(&case.x)?;
                    }
                }
                list.end()
            }
        }
    }
}

impl Listed<'_> {
    /// Which cases follow from the one at −x, which is in the list: none of them needs to be
    /// written. No answers where no region is mirrored.
    fn follow(&self) -> Vec<bool> {
        let Certificate { cases, regions, .. } = self.0;
        let Ok(format) = self.0.format.format() else { return Vec::new() };
        let mirrors = Mirrors::of(regions, format);
        if mirrors.0.is_empty() {
            return Vec::new();
        }
        let places: Vec<Option<Number>> =
            cases.par_iter().map(|case| number_from(&case.x, format).ok()).collect();
        let listed: HashSet<Number> = places.iter().flatten().copied().collect();
        let stands = |x: Number| mirrors.parity_at(x).is_none() && listed.contains(&x);
        let is_image = |x: &Number| mirrors.parity_at(*x).is_some() && stands(negated(*x));
        places.iter().map(|x| x.as_ref().is_some_and(is_image)).collect()
    }
}

/// The regions where all follows from what is known at −x, in increasing order: first, last, and
/// the function's parity.
struct Mirrors(Vec<(Number, Number, Parity)>);

impl Mirrors {
    /// Regions whose ends are no numbers are left to whoever verifies.
    fn of(regions: &[RegionRecord], format: Format) -> Self {
        let of_region = |region: &RegionRecord| {
            let parity = region.class.parity()?;
            let end = |text: &str| number_from(text, format).ok();
            Some((end(&region.first)?, end(&region.last)?, parity))
        };
        let mut spans: Vec<_> = regions.iter().filter_map(of_region).collect();
        spans.sort_by_key(|(first, ..)| *first);
        Self(spans)
    }

    /// The parity by which what is known at x follows from −x, if it does.
    fn parity_at(&self, x: Number) -> Option<Parity> {
        let before = self.0.partition_point(|(first, ..)| *first <= x);
        let (_, last, parity) = self.0.get(before.checked_sub(1)?)?;
        (x <= *last).then_some(*parity)
    }
}

/// Puts in what a document has left out of its cases.
///
/// # Errors
/// Of a document that has arguments only, those that are no numbers of the format, not in
/// increasing order, of cases that follow from others, or of none. In one that has more of its
/// cases each of these stays as it is, for whoever verifies to find.
pub(super) fn complete(certificate: &mut Certificate, extent: Form) -> Result<(), String> {
    if certificate.cases.is_empty() || extent == Form::Whole {
        return Ok(());
    }
    let (function, problem) = match (parse(&certificate.function), certificate.problem()) {
        (Ok(function), Ok(problem)) => (function, problem),
        _ if extent == Form::Short => return Ok(()),
        (Err(error), _) => return Err(error.to_string()),
        (_, Err(error)) => return Err(error.to_string()),
    };
    // as what is listed would be taken for what is at the other sign, wherever it is printed
    if certificate
        .regions
        .iter()
        .filter_map(|region| region.class.parity())
        .any(|parity| function.parity() != Some(parity))
    {
        return Err(format!("its regions follow by a symmetry that {} has not", certificate.function));
    }
    if extent == Form::Short {
        certificate.cases.par_iter_mut().for_each(|case| {
            let x = number_from(&case.x, problem.arguments());
            if let Some(found) = x.ok().and_then(|x| hardness(&function, &problem, x).ok()?.ok()) {
                let Case { breakpoint, bracket, .. } = Case::from(&found);
                (case.breakpoint, case.bracket) = (breakpoint, bracket);
            }
        });
        return Ok(());
    }
    let places = places(certificate, &problem)?;
    let mirrors = Mirrors::of(&certificate.regions, problem.arguments());
    if let Some(at) = places.iter().position(|x| mirrors.parity_at(*x).is_some()) {
        let x = &certificate.cases[at].x;
        return Err(format!("the case {x} follows from the one at the other sign, and is not to be listed"));
    }
    let derive = |(case, x): (&Case, &Number)| match confirm(&function, &problem, *x) {
        Ok(Verdict::Case(found)) => {
            let image = mirrors.parity_at(negated(*x)).map(|parity| mirrored(&found, parity));
            // the text of the argument is the document's
            let case = Case { x: case.x.clone(), ..Case::from(&found) };
            Ok([Some((*x, case)), image.map(|image| (image.argument, Case::from(&image)))])
        }
        _ => Err(format!("the case {} is none", case.x)),
    };
    let derived: Vec<[Option<(Number, Case)>; 2]> =
        certificate.cases.par_iter().zip(&places).map(derive).collect::<Result<_, String>>()?;
    let mut all: Vec<(Number, Case)> = derived.into_iter().flatten().flatten().collect();
    all.sort_by_key(|(x, _)| *x);
    certificate.cases = all.into_iter().map(|(_, case)| case).collect();
    Ok(())
}

/// The arguments of the cases, as numbers in increasing order.
fn places(certificate: &Certificate, problem: &Problem) -> Result<Vec<Number>, String> {
    let place = |case: &Case| number_from(&case.x, problem.arguments()).map_err(|error| error.to_string());
    let places: Vec<Number> = certificate.cases.par_iter().map(place).collect::<Result<_, _>>()?;
    match places.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(at) => Err(format!("the case {} is not after the one before it", certificate.cases[at + 1].x)),
        None => Ok(places),
    }
}

/// The case at −x.
fn mirrored(case: &HrCase, parity: Parity) -> HrCase {
    let argument = negated(case.argument);
    match parity {
        Parity::Even => HrCase { argument, ..*case },
        Parity::Odd => HrCase {
            argument,
            breakpoint: negated(case.breakpoint),
            above: !case.above,
            lower: negated(case.upper),
            upper: negated(case.lower),
            ..*case
        },
    }
}
