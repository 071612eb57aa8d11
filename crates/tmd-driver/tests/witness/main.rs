//! Witnesses: they hold, they hold every case, forged ones are refused, and the checker is the one
//! that Rocq extracts from `proofs/Witness.v`.

use rug::{Integer, Rational};
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{
    Search, Workers,
    witness::{By, Polynomial, Witness, WitnessError, candidates},
};
use tmd_simd::{Level, Simd};

fn made(function: &str, format: Format, breakpoints: Breakpoints, ends: [&str; 2], bits: u32) -> Witness {
    let function = tmd_functions::parse(function).unwrap();
    let problem = Problem::new(format, format, breakpoints, bits).unwrap();
    let [from, to] = ends.map(|end| end.parse::<Rational>().unwrap());
    let walk = Simd::farey(Level::best());
    let search = Search { function: &function, from, to, problem, workers: Workers::cpu(&walk, 1) };
    let outcome = search.run(&(), &Interrupt::new()).unwrap();
    search.witness(&outcome, &Interrupt::new()).unwrap()
}

/// Confirms what needs integers only: parts are next to each other, and each polynomial has these
/// candidates and no others. Of how many arguments that was said, or what is not so.
fn check(witness: &Witness) -> Result<u128, &'static str> {
    let mut checked = 0;
    let mut end: Option<(Integer, i32)> = None;
    for part in &witness.parts {
        let first = integer(&part.first, 10).ok_or("a first argument is no integer")?;
        if end.is_some_and(|(next, spacing)| spacing == part.spacing && next != first) {
            return Err("a part does not begin where the one before ends");
        }
        end = Some((first + part.arguments, part.spacing));
        if let By::Polynomial(polynomial) = &part.by {
            let found = found(polynomial, part.arguments).ok_or("bases prove nothing")?;
            if found != polynomial.candidates {
                return Err("a polynomial has other candidates");
            }
            checked += u128::from(part.arguments);
        }
    }
    Ok(checked)
}

/// [`candidates`] of what is written; `None` if it cannot be read, too.
fn found(polynomial: &Polynomial, arguments: u64) -> Option<Vec<u64>> {
    let Polynomial { half_domain, center, bases, .. } = polynomial;
    let coefficients = polynomial.coefficients.iter().map(|c| integer(c, 16)).collect::<Option<Vec<_>>>()?;
    if *center >= arguments {
        return None;
    }
    let width = integer(&polynomial.half_width, 16)?;
    candidates(&width, *half_domain, &coefficients, *center, arguments, bases)
}

fn integer(text: &str, radix: i32) -> Option<Integer> {
    Integer::parse_radix(text, radix).ok().map(Integer::from)
}

/// Whether each case of the list is a candidate, or in a part that is looked at one by one.
fn holds_the_cases(witness: &Witness) {
    for (x, exponent) in &witness.cases {
        let x: i128 = x.parse().unwrap();
        let is_there = witness.parts.iter().any(|part| {
            let shift = exponent - part.spacing;
            // significands have 64 bits at most
            let scaled = match shift {
                0..60 => Some(x << shift),
                -60..0 => Some(x >> -shift).filter(|y| y << -shift == x),
                _ => None,
            };
            let Some(k) = scaled.map(|y| y - part.first.parse::<i128>().unwrap()) else { return false };
            let Ok(k) = u64::try_from(k) else { return false };
            k < part.arguments
                && match &part.by {
                    By::Single => true,
                    By::Known { .. } => false,
                    By::Polynomial(polynomial) => polynomial.candidates.contains(&k),
                }
        });
        assert!(is_there, "{x}*2^{exponent}");
    }
}

/// Both drifts of the slope, inflection points, parts that are alone, binary64.
#[test]
fn witnesses_hold_and_hold_the_cases() {
    for (function, format, breakpoints, ends, bits) in [
        ("exp", Format::BINARY32, Breakpoints::All, ["1", "1.01"], 10),
        ("log", Format::BINARY32, Breakpoints::Directed, ["0.99", "1.01"], 12),
        ("x^3-x", Format::BINARY32, Breakpoints::Nearest, ["-1/256", "1/256"], 12),
        ("sin", Format::BINARY16, Breakpoints::All, ["-3", "3"], 5),
        ("atan", Format::BINARY64, Breakpoints::All, ["1.3", "1.300000000002"], 8),
    ] {
        let ends = ends.map(|end| tmd_functions::parse_number(end).unwrap().to_string());
        let witness = made(function, format, breakpoints, [&ends[0], &ends[1]], bits);
        let checked = check(&witness).unwrap_or_else(|error| panic!("{function}: {error}"));
        assert!(checked > 1000, "{function}: {checked}");
        assert!(!witness.cases.is_empty(), "{function}");
        holds_the_cases(&witness);
    }
}

fn refused(witness: &Witness, what: &str, forge: impl FnOnce(&mut Witness)) {
    let mut forged = witness.clone();
    forge(&mut forged);
    assert_ne!(&forged, witness, "{what}");
    assert!(check(&forged).is_err(), "{what} is taken for true");
}

fn refused_polynomial(witness: &Witness, what: &str, forge: impl FnOnce(&mut Polynomial)) {
    refused(witness, what, |witness| match &mut witness.parts[0].by {
        By::Polynomial(polynomial) => forge(polynomial),
        by => panic!("{by:?}"),
    });
}

#[test]
fn forged_witnesses_are_refused() {
    let witness = made("exp", Format::BINARY32, Breakpoints::All, ["1", "129/128"], 10);
    assert_eq!(check(&witness), Ok(65_536));
    refused_polynomial(&witness, "a candidate that is forgotten", |p| {
        p.candidates.remove(3);
    });
    refused_polynomial(&witness, "a candidate that is none", |p| p.candidates.insert(0, 0));
    refused_polynomial(&witness, "no candidates", |p| p.candidates.clear());
    refused_polynomial(&witness, "a half-width of 0", |p| p.half_width = "0".into());
    refused_polynomial(&witness, "a negative half-width", |p| p.half_width.insert(0, '-'));
    refused_polynomial(&witness, "a half-width in words", |p| p.half_width = "none".into());
    refused_polynomial(&witness, "a smaller half-width", |p| {
        p.half_width.pop();
    });
    refused_polynomial(&witness, "a domain less", |p| p.bases.last_mut().unwrap().2 -= 1);
    refused_polynomial(&witness, "no bases", |p| p.bases.clear());
    refused_polynomial(&witness, "a count that is off by one", |p| p.bases[0].0 += 1);
    refused_polynomial(&witness, "a negative count", |p| p.bases[0].0 = -p.bases[0].0);
    refused_polynomial(&witness, "a count of 0", |p| p.bases[0].0 = 0);
    refused_polynomial(&witness, "the other count's sign", |p| p.bases[0].1 = -p.bases[0].1);
    refused_polynomial(&witness, "larger domains", |p| p.half_domain *= 2);
    refused_polynomial(&witness, "domains of nothing", |p| p.half_domain = 0);
    refused_polynomial(&witness, "domains beyond all bounds", |p| p.half_domain = u64::MAX);
    refused_polynomial(&witness, "another center", |p| p.center += 1);
    refused_polynomial(&witness, "a center elsewhere", |p| p.center = u64::MAX);
    refused_polynomial(&witness, "another slope", |p| p.coefficients.swap(1, 2));
    refused_polynomial(&witness, "no slope", |p| p.coefficients.truncate(1));
    refused(&witness, "an argument less", |w| w.parts[0].arguments = 1 << 20);
    refused(&witness, "a first argument in words", |w| w.parts[0].first = "one".into());
    refused(&witness, "a part twice", |w| w.parts.push(w.parts[0].clone()));
}

/// Every argument whose value is within the half-width, one by one: nothing else is a candidate.
#[test]
fn candidates_are_brute_force() {
    let witness = made("exp", Format::BINARY32, Breakpoints::Nearest, ["1", "257/256"], 8);
    let part = &witness.parts[0];
    let By::Polynomial(p) = &part.by else { panic!("{part:?}") };
    let one = Integer::from(1) << tmd_driver::witness::BITS;
    let read = |text: &String| Integer::from(Integer::parse_radix(text, 16).unwrap());
    let (c, width) = (p.coefficients.iter().map(read).collect::<Vec<_>>(), read(&p.half_width));
    let near = (0..part.arguments).filter(|&k| {
        let x = Integer::from(k) - p.center;
        let value = c.iter().rev().fold(Integer::new(), |sum, c| sum * &x + c).modulo(&one);
        value <= width || Integer::from(&one - &value) <= width
    });
    assert_eq!(near.collect::<Vec<_>>(), p.candidates);
    assert!(p.candidates.len() > 100);
}

/// Questions, and the answers of what Rocq extracts; `cargo xtask prove` looks whether they are.
#[test]
fn the_checker_is_the_extracted_one() {
    let (mut some, mut none) = (0, 0);
    let lines: Vec<&str> = include_str!("vectors.txt").lines().collect();
    for pair in lines.chunks(2) {
        let [question, answer] = pair else { panic!("{pair:?}") };
        let numbers: Vec<Integer> =
            question.split(' ').map(|word| Integer::parse_radix(word, 16).unwrap().into()).collect();
        let [_, width, half, center, arguments, count] = &numbers[..6] else { panic!("{question}") };
        let (c, bases) = numbers[6..].split_at(count.to_usize().unwrap());
        let bases: Vec<(i64, i64, u64)> = bases
            .chunks(3)
            .map(|b| (b[0].to_i64().unwrap(), b[1].to_i64().unwrap(), b[2].to_u64().unwrap()))
            .collect();
        let small = |x: &Integer| x.to_u64().unwrap();
        let found = candidates(width, small(half), c, small(center), small(arguments), &bases);
        let expected = answer.strip_prefix("some").map(|list| {
            let mut list: Vec<u64> = list.split_whitespace().map(|k| k.parse().unwrap()).collect();
            list.sort_unstable();
            list.dedup();
            list
        });
        assert_eq!(found, expected, "{question}");
        if found.is_some() { some += 1 } else { none += 1 }
    }
    assert!(some > 20 && none > 5, "{some} and {none}");
}

/// What is too large is said to be, and no list is taken for more than it is.
#[test]
fn what_has_no_witness() {
    let function = tmd_functions::parse("exp").unwrap();
    let problem = Problem::new(Format::BINARY64, Format::BINARY64, Breakpoints::All, 50).unwrap();
    let walk = Simd::farey(Level::best());
    let search = |to: Rational| Search {
        function: &function,
        from: Rational::from(1),
        to,
        problem,
        workers: Workers::cpu(&walk, 1),
    };
    let small = search(Rational::from((1 << 20) + 1) / (1 << 20));
    let outcome = small.run(&(), &Interrupt::new()).unwrap();
    let large = search(Rational::from(2));
    assert!(matches!(large.witness(&outcome, &Interrupt::new()), Err(WitnessError::TooLarge)));
    let interrupt = Interrupt::new();
    interrupt.request();
    assert!(matches!(large.witness(&outcome, &interrupt), Err(WitnessError::Search(_))));
    let partial = small.run(&(), &interrupt).unwrap();
    assert!(matches!(small.witness(&partial, &Interrupt::new()), Err(WitnessError::Partial)));
}
