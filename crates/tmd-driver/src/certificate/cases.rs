//! The cases of a document: what is written of them in each version, and what follows.

use std::{collections::HashSet, fmt};

use rayon::prelude::*;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer},
    ser::SerializeSeq as _,
};
use tmd_core::{Format, Number};
use tmd_functions::{parse, symmetry::Parity};

use super::{Certificate, LONG_SCHEMAS, RegionRecord, SCHEMA, SHORT_SCHEMA, number_from};
use crate::{confirm::hardness, regions::negated, report::Case};

/// How much of the cases a version of the document has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of each, of all cases.
    Whole,
    /// All but breakpoints and brackets.
    Short,
    /// The arguments of those that do not follow from the case at −x.
    Arguments,
}

impl Extent {
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
            Self::Short if case.kind.is_empty() => Some("lacks its kind"),
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
                Case::deserialize(MapAccessDeserializer::new(fields)).map(Written)
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
        match Extent::of_schema(schema).unwrap_or(Extent::Whole) {
            Extent::Whole => cases.serialize(serializer),
            Extent::Short => serializer.collect_seq(cases.iter().map(|case| {
                let Case { x, kind, sign, log2_dist, identical_bits, breakpoint: _, bracket: _ } = case;
                ShortCase { x, kind, sign: *sign, log2_dist: *log2_dist, identical_bits: *identical_bits }
            })),
            Extent::Arguments => {
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

/// The text of −y.
fn turned(y: &str) -> String {
    match y.strip_prefix('-') {
        Some(magnitude) => magnitude.into(),
        None if y.starts_with("0x0p") => y.into(),
        None => format!("-{y}"),
    }
}

/// The case at −x.
fn mirrored(case: &Case, parity: Parity) -> Case {
    let x = turned(&case.x);
    match parity {
        Parity::Even => Case { x, ..case.clone() },
        Parity::Odd => Case {
            x,
            sign: if case.sign == '+' { '-' } else { '+' },
            breakpoint: turned(&case.breakpoint),
            bracket: [turned(&case.bracket[1]), turned(&case.bracket[0])],
            ..case.clone()
        },
    }
}

/// Puts in what a document has left out of its cases. Where there is no result to derive it from
/// a case stays as it is, for whoever verifies to find.
///
/// # Errors
/// Of a document that has arguments only, those that are no numbers of the format, not in
/// increasing order, or of cases that follow from others.
pub(super) fn complete(certificate: &mut Certificate, extent: Extent) -> Result<(), String> {
    if certificate.cases.is_empty() || extent == Extent::Whole {
        return Ok(());
    }
    let (Ok(function), Ok(problem)) = (parse(&certificate.function), certificate.problem()) else {
        return Ok(());
    };
    let format = problem.arguments();
    let derive = |case: &mut Case| {
        let x = number_from(&case.x, format).map_err(|error| error.to_string());
        if let Some(found) = x.iter().find_map(|x| hardness(&function, &problem, *x).ok()?.ok()) {
            let derived = Case::from(&found);
            *case = match extent {
                // the text of the argument is the document's
                Extent::Arguments => Case { x: std::mem::take(&mut case.x), ..derived },
                _ => Case { breakpoint: derived.breakpoint, bracket: derived.bracket, ..case.clone() },
            };
        }
        x
    };
    let arguments: Vec<Result<Number, String>> = certificate.cases.par_iter_mut().map(derive).collect();
    if extent != Extent::Arguments {
        return Ok(());
    }
    let arguments: Vec<Number> = arguments.into_iter().collect::<Result<_, _>>()?;
    if let Some(at) = arguments.windows(2).position(|pair| pair[0] >= pair[1]) {
        return Err(format!("the case {} is not after the one before it", certificate.cases[at + 1].x));
    }
    let mirrors = Mirrors::of(&certificate.regions, format);
    if mirrors.0.is_empty() {
        return Ok(());
    }
    if let Some(at) = arguments.iter().position(|x| mirrors.parity_at(*x).is_some()) {
        let x = &certificate.cases[at].x;
        return Err(format!("the case {x} follows from the one at the other sign, and is not to be listed"));
    }
    let both = arguments.into_iter().zip(std::mem::take(&mut certificate.cases)).flat_map(|(x, case)| {
        let image = mirrors.parity_at(negated(x)).map(|parity| (negated(x), mirrored(&case, parity)));
        [Some((x, case)), image].into_iter().flatten()
    });
    let mut both: Vec<(Number, Case)> = both.collect();
    both.sort_by_key(|(x, _)| *x);
    certificate.cases = both.into_iter().map(|(_, case)| case).collect();
    Ok(())
}
