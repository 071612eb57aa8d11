//! Oracles: exact rationals, trees written by hand; random text must never panic.

use proptest::prelude::*;
use rug::Integer;
use rug::ops::Pow;

use super::*;
use crate::function::Function;
use crate::interval::Interval;

fn error(text: &str) -> ParseError {
    parse(text).expect_err(text)
}

fn number_error(text: &str) -> ParseError {
    parse_number(text).expect_err(text)
}

fn column(error: &ParseError) -> usize {
    match error {
        ParseError::Empty | ParseError::TooLong { .. } => 0,
        ParseError::TooDeep { column }
        | ParseError::Syntax { column, .. }
        | ParseError::UnknownName { column, .. }
        | ParseError::NotAFunction { column, .. }
        | ParseError::ArgumentCount { column, .. }
        | ParseError::RootDegree { column, .. }
        | ParseError::NotAnInteger { column, .. }
        | ParseError::VariableExponent { column }
        | ParseError::ExponentTooLarge { column, .. }
        | ParseError::NumberTooLarge { column }
        | ParseError::NotExact { column, .. }
        | ParseError::Variable { column }
        | ParseError::Absent { column, .. }
        | ParseError::DivisionByZero { column } => *column,
    }
}

#[test]
fn numbers() {
    let q = |n: i64, d: i64| Rational::from((n, d));
    for (text, value) in [
        ("0", q(0, 1)),
        ("1.5e-3", q(3, 2000)),
        ("-1.5e-3", q(-3, 2000)),
        ("1.5E+3", q(1500, 1)),
        (".5", q(1, 2)),
        ("5.", q(5, 1)),
        ("0x1.8p-3", q(3, 16)),
        ("0x1.8p3", q(12, 1)),
        ("0X.8P1", q(1, 1)),
        ("0xFf", q(255, 1)),
        ("0x1e5", q(485, 1)),
        ("0e5", q(0, 1)),
        ("0x0p9", q(0, 1)),
        ("[-6/4]", q(-3, 2)),
        ("[ 6 / 4 ]", q(3, 2)),
        ("1+2^-13", q(8193, 8192)),
        ("2^-5", q(1, 32)),
        ("1/3", q(1, 3)),
        ("2^3^2", q(512, 1)),
        ("-2^2", q(-4, 1)),
        ("(-2)^2", q(4, 1)),
        ("2^-2^1", q(1, 4)),
        ("7-4-2", q(1, 1)),
        ("7-(4-2)", q(5, 1)),
        ("12/3/2", q(2, 1)),
        ("12/3*2", q(8, 1)),
        ("1+2*3", q(7, 1)),
        ("-1+3", q(2, 1)),
        ("2*-3", q(-6, 1)),
        ("--3", q(3, 1)),
        ("+0x1p-3", q(1, 8)),
        ("2*+-3", q(-6, 1)),
        ("1++2^+2", q(5, 1)),
        ("0^0", q(1, 1)),
        ("sqrt(9/4)", q(3, 2)),
        ("exp2(log10(1000))", q(8, 1)),
        ("2^(1/2+1/2)", q(2, 1)),
        (" 1\t+\n2 ", q(3, 1)),
        ("rootn(27/8, 3)", q(3, 2)),
        ("rootn(-1/32,-5)", q(-2, 1)),
        ("rootn(2^1000000, 1000000)", q(2, 1)),
        ("pown(2/3,-2)", q(9, 4)),
        ("log2p1(7)*asinPi(1/2)-rSqrt(4)", q(0, 1)),
    ] {
        assert_eq!(parse_number(text), Ok(value), "{text}");
    }
}

#[test]
fn expressions() {
    use Expression::{Add, Call, Const, Div, Mul, Neg, Powi, Rootn, Sub, X};
    let n = |n: i32| Box::new(Const(Rational::from(n)));
    let x = || Box::new(X);
    for (text, tree) in [
        ("1+x*2", Add(n(1), Box::new(Mul(x(), n(2))))),
        ("x-1-2", Sub(Box::new(Sub(x(), n(1))), n(2))),
        ("x/1*2", Mul(Box::new(Div(x(), n(1))), n(2))),
        ("-x^2", Neg(Box::new(Powi(x(), 2)))),
        ("-x*2", Mul(Box::new(Neg(x())), n(2))),
        ("x^2^3", Powi(x(), 8)),
        ("x^-2*x", Mul(Box::new(Powi(x(), -2)), x())),
        ("x^(1+1)", Powi(x(), 2)),
        ("x^exp2(3)", Powi(x(), 8)),
        ("exp", Call(Builtin::Exp, x())),
        ("exp + 1", Add(Box::new(Call(Builtin::Exp, x())), n(1))),
        ("ln(x)", Call(Builtin::Ln, x())),
        ("sin (cos)", Call(Builtin::Sin, Box::new(Call(Builtin::Cos, x())))),
        ("2e0*e", Mul(n(2), Box::new(Expression::E))),
        ("pi-x", Sub(Box::new(Expression::Pi), x())),
        ("log1p(x)", Call(Builtin::Logp1, x())),
        ("rSqrt", Call(Builtin::Rsqrt, x())),
        ("sinPi", Call(Builtin::SinPi, x())),
        ("acosPi", Call(Builtin::AcosPi, x())),
        ("pown(x, 2+1)", Powi(x(), 3)),
        ("-rootn(x,-3)^2", Neg(Box::new(Powi(Box::new(Rootn(x(), -3)), 2)))),
        ("rootn ( exp , 2 )", Rootn(Box::new(Call(Builtin::Exp, x())), 2)),
    ] {
        assert_eq!(parse(text), Ok(tree), "{text}");
    }
}

/// Each error in the place where a person would look.
#[test]
fn errors_and_their_columns() {
    for (text, message) in [
        ("", "nothing to read: the text is empty"),
        (" \n", "nothing to read: the text is empty"),
        ("1+", "column 3: expected a number, a name or `(`"),
        ("(x", "column 3: expected `)` or an operator"),
        ("x)", "column 2: expected an operator or the end"),
        ("2x", "column 2: expected an operator or the end"),
        ("x 2", "column 3: expected an operator or the end"),
        ("x*/2", "column 3: expected a number, a name or `(`"),
        ("1 + ü", "column 5: expected a number, a name or `(`"),
        ("[1/x]", "column 4: expected an integer"),
        ("[1/0]", "column 1: division by zero"),
        ("1+exq2(x)", "column 3: unknown name `exq2` (did you mean `exp2`?)"),
        ("sn(x)", "column 1: unknown name `sn` (did you mean `sin`?)"),
        ("Sin(x)", "column 1: unknown name `Sin` (did you mean `sin`?)"),
        ("sine(x)", "column 1: unknown name `sine` (did you mean `sin`?)"),
        ("y", "column 1: unknown name `y`"),
        ("quux(x)", "column 1: unknown name `quux`"),
        ("X^2", "column 1: unknown name `X` (did you mean `x`?)"),
        ("PI*x", "column 1: unknown name `PI` (did you mean `pi`?)"),
        (
            "pow(x,3)",
            "column 1: pow is not there: functions are of one variable: x^n, rootn(x,n), exp(b*log(a))",
        ),
        ("gelu(x)", "column 1: unknown name `gelu` (did you mean `x/2*(1+erf(x/sqrt(2)))`?)"),
        ("x^(1/3)", "column 5: the exponent 1/3 is not an integer; write cbrt(a) for a^(1/3)"),
        ("x**0.5", "column 4: the exponent 1/2 is not an integer; write sqrt(a) for a^(1/2)"),
        ("x^(-1/2)", "column 6: the exponent -1/2 is not an integer; write rsqrt(a) for a^(-1/2)"),
        ("x^-[1/7]", "column 3: the exponent -1/7 is not an integer; write rootn(a,-7) for a^(-1/7)"),
        (
            "3^x",
            "column 3: x stands in the exponent; write exp(b*log(a)) for a^b; 2^b, 10^b and e^b are exp2(b), exp10(b) and exp(b)",
        ),
        ("rotn(x, 3)", "column 1: unknown name `rotn` (did you mean `rootn`?)"),
        ("1+exp(x, 2)", "column 3: `exp` takes 1 argument, not 2"),
        ("rootn(x)", "column 1: `rootn` takes 2 arguments, not 1"),
        ("pown(x,2,3)", "column 1: `pown` takes 2 arguments, not 3"),
        ("rootn", "column 1: `rootn` takes 2 arguments, not 0"),
        ("(x, 2)", "column 3: expected `)` or an operator"),
        ("exp(x,)", "column 7: expected a number, a name or `(`"),
        ("exp()", "column 5: expected a number, a name or `(`"),
        ("rootn(x, 0)", "column 10: the degree of a root must be an integer, not 0, and within ±1000"),
        ("rootn(x, 1/2)", "column 11: the degree of a root must be an integer, not 0, and within ±1000"),
        ("rootn(x, 1001)", "column 10: the degree of a root must be an integer, not 0, and within ±1000"),
        ("rootn(2, 2^40)", "column 11: the degree of a root must be an integer, not 0, and within ±1000000"),
        ("rootn(x, x)", "column 10: a number is wanted here, and x is the variable"),
        ("pown(x, 1/2)", "column 10: the exponent 1/2 is not an integer; write sqrt(a) for a^(1/2)"),
        ("pown(x, 1001)", "column 9: the exponent is beyond ±1000"),
        ("pi(2)", "column 1: `pi` is not a function; write `pi*(…)` for a product"),
        ("x(2)", "column 1: `x` is not a function; write `x*(…)` for a product"),
        ("x^(1/2)", "column 5: the exponent 1/2 is not an integer; write sqrt(a) for a^(1/2)"),
        (
            "x^x",
            "column 3: x stands in the exponent; write exp(b*log(a)) for a^b; 2^b, 10^b and e^b are exp2(b), exp10(b) and exp(b)",
        ),
        (
            "x^exp",
            "column 3: x stands in the exponent; write exp(b*log(a)) for a^b; 2^b, 10^b and e^b are exp2(b), exp10(b) and exp(b)",
        ),
        ("2^pi", "column 3: `pi` is not an exact number; write a decimal, a fraction or a power instead"),
        ("x^1001", "column 3: the exponent is beyond ±1000"),
        ("x^-1001", "column 3: the exponent is beyond ±1000"),
        ("exp(2)^1000001", "column 8: the exponent is beyond ±1000000"),
        ("2^(2^40)", "column 5: the exponent is beyond ±1000000"),
        ("2^2^2^2^2^2", "column 4: the exponent is beyond ±1000000"),
        ("1+1e999999999", "column 3: the number is too long to hold exactly"),
        ("1e99999999999999999999999", "column 1: the number is too long to hold exactly"),
        ("1e-99999999999999999999999", "column 1: the number is too long to hold exactly"),
        ("0x1p99999999999", "column 1: the number is too long to hold exactly"),
    ] {
        assert_eq!(error(text).to_string(), message, "{text}");
    }
    for (text, message) in [
        ("1+pi", "column 3: `pi` is not an exact number; write a decimal, a fraction or a power instead"),
        ("2*e", "column 3: `e` is not an exact number; write a decimal, a fraction or a power instead"),
        (
            "1-exp(1)",
            "column 3: `exp(…)` is not an exact number; write a decimal, a fraction or a power instead",
        ),
        (
            "log(0-1)",
            "column 1: `log(…)` is not an exact number; write a decimal, a fraction or a power instead",
        ),
        ("1+x", "column 3: a number is wanted here, and x is the variable"),
        ("exp", "column 1: a number is wanted here, and x is the variable"),
        (
            "1-rootn(2,2)",
            "column 3: `rootn(…)` is not an exact number; write a decimal, a fraction or a power instead",
        ),
        ("pown(0,-1)", "column 1: division by zero"),
        ("1/(2-2)", "column 2: division by zero"),
        ("0^-1", "column 2: division by zero"),
        ("7^1000000*7^999999", "column 10: the number is too long to hold exactly"),
        ("1e900000*1e900000", "column 9: the number is too long to hold exactly"),
        ("1e900000+1e-900000", "column 9: the number is too long to hold exactly"),
    ] {
        assert_eq!(number_error(text).to_string(), message, "{text}");
    }
}

#[test]
fn limits_are_inclusive() {
    assert!(parse("x^1000").is_ok() && parse("x^-1000").is_ok());
    assert!(parse("pi^1000000").is_ok() && parse("2^-1000000").is_ok());
    assert_eq!(parse_number("2^1000000"), Ok(Rational::from(Integer::from(1) << 1_000_000)));
    assert_eq!(parse_number("1e-1000000"), Ok(Rational::from(10).pow(-1_000_000)));
    assert!(matches!(error("1e1000001"), ParseError::NumberTooLarge { .. }));
    assert!(parse_number("0x1p4000000").is_ok() && parse_number("0x1p-4000000").is_ok());
    let blank = " ".repeat(MAX_LENGTH - 1);
    assert_eq!(parse(&format!("{blank}x")), Ok(Expression::X));
    assert_eq!(error(&format!("{blank}xx")), ParseError::TooLong { length: MAX_LENGTH + 1 });
    assert_eq!(error(&"é".repeat(MAX_LENGTH + 1)), ParseError::TooLong { length: MAX_LENGTH + 1 });
    let digits = "9".repeat(MAX_LENGTH);
    assert_eq!(parse_number(&digits), Ok(Rational::from(10).pow(MAX_LENGTH as i32) - 1));
}

/// Nesting of every kind: at the limit all is well (also the evaluation, on the small stack of a
/// test thread), one level more is an error, and ten thousand are too.
#[test]
fn deep_nesting() {
    type Nest = fn(usize) -> String;
    // the text of n levels, the largest n, and by how much n grows
    let kinds: [(Nest, usize, usize); 11] = [
        (|n| format!("{}x{}", "rootn(".repeat(n), ",3)".repeat(n)), MAX_NESTING, 1),
        (|n| format!("{}x{}", "(".repeat(n), ")".repeat(n)), MAX_NESTING, 1),
        (|n| format!("{}x{}", "sin(".repeat(n), ")".repeat(n)), MAX_NESTING, 1),
        (|n| format!("{}x", "-".repeat(n)), MAX_NESTING, 1),
        (|n| format!("x{}", "^1".repeat(n)), MAX_NESTING, 1),
        (|n| format!("x{}", "+x".repeat(n)), MAX_DEPTH - 1, 1),
        (|n| format!("x{}", "*x".repeat(n)), MAX_DEPTH - 1, 1),
        (|n| format!("{}x{}", "x+(".repeat(n), ")".repeat(n)), MAX_NESTING, 1),
        (|n| format!("{}x{}", "-(".repeat(n / 2), ")".repeat(n / 2)), MAX_NESTING, 2),
        (|n| format!("1{}", "^-1".repeat(n / 2)), MAX_NESTING, 2),
        (|n| format!("{}1{}", "-(1^-(".repeat(n / 5), "))".repeat(n / 5)), MAX_NESTING, 5),
    ];
    for (number, (text, limit, step)) in kinds.into_iter().enumerate() {
        let tree = parse(&text(limit)).unwrap_or_else(|error| panic!("kind {number}: {error}"));
        assert_eq!(parse(&tree.to_string()), Ok(tree.clone()), "kind {number}");
        let x = Interval::from_f64(-40.0, 53).unwrap();
        assert!(tree.enclose(&x, 53).is_ok() && tree.series(&x, 2, 53).is_ok(), "kind {number}");
        assert!(matches!(error(&text(limit + step)), ParseError::TooDeep { .. }), "kind {number}");
        assert_eq!(parse_number(&text(limit)).is_ok(), !text(limit).contains('x'), "kind {number}");
        for n in [1000, 3000] {
            assert!(parse(&text(n)).is_err(), "kind {number}");
        }
    }
    // refused before pest descends into it
    for open in ["(", "exp(", "rootn(2,", "-(", "x+(", "1^-("] {
        let text = open.repeat(MAX_LENGTH / open.len());
        let column = MAX_NESTING * open.len() + open.find('(').unwrap() + 1;
        assert_eq!(parse(&text), Err(ParseError::TooDeep { column }), "{open}");
        assert_eq!(parse_number(&text), Err(ParseError::TooDeep { column }), "{open}");
    }
    for open in ["-", "x^", "["] {
        let text = format!("{}1", open.repeat(MAX_LENGTH / open.len() - 1));
        assert!(parse(&text).is_err() && parse_number(&text).is_err(), "{open}");
    }
}

/// Words of the language in any order: mostly nonsense, sometimes an expression.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "x", "1", "2.5", "0x1p3", "[1/3]", "pi", "e", "exp", "log", "sin(", "sqrt(", "rootn(", ",", "(", ")",
        ")", "+", "-", "*", "/", "^", "^2", "^-1", "1e3", "1e9999", " ", "q", "exp3", "[", "]", ".", "é",
    ]);
    prop::collection::vec(word, 0..14).prop_map(|words| words.concat())
}

/// A tree with its value as an exact rational, computed here and now.
fn valued() -> impl Strategy<Value = (String, Option<Rational>)> {
    let leaf = (0i64..20, 1i64..8).prop_map(|(n, d)| (format!("({n}/{d})"), Some(Rational::from((n, d)))));
    leaf.prop_recursive(4, 16, 2, |inner| {
        (inner.clone(), inner, 0..6, -3i32..4).prop_map(|((a, x), (b, y), operator, n)| {
            let both = x.clone().zip(y);
            match operator {
                0 => (format!("({a}+{b})"), both.map(|(x, y)| x + y)),
                1 => (format!("({a}-{b})"), both.map(|(x, y)| x - y)),
                2 => (format!("({a}*{b})"), both.map(|(x, y)| x * y)),
                3 => (format!("({a}/{b})"), both.filter(|(_, y)| *y != 0).map(|(x, y)| x / y)),
                4 => (format!("(-{a})"), x.map(|x| -x)),
                _ => (format!("({a}^{n})"), x.filter(|x| *x != 0 || n >= 0).map(|x| x.pow(n))),
            }
        })
    })
}

proptest! {
    #[test]
    fn constant_expressions_have_their_value((text, value) in valued()) {
        let read = parse_number(&text);
        if let Some(value) = value {
            prop_assert_eq!(read, Ok(value));
        } else {
            prop_assert!(matches!(read, Err(ParseError::DivisionByZero { .. })), "{:?}", read);
        }
    }

    #[test]
    fn decimals(whole in "[0-9]{1,30}", fraction in "[0-9]{0,30}", e in -400i32..400) {
        let digits: Integer = format!("{whole}{fraction}").parse().unwrap();
        let value = Rational::from(digits) * Rational::from(10).pow(e - fraction.len() as i32);
        prop_assert_eq!(parse_number(&format!("{whole}.{fraction}e{e}")), Ok(value));
    }

    /// Rust prints the shortest decimal that rounds to the double; the exact value of that text
    /// must round back.
    #[test]
    fn doubles_in_decimal_and_hexadecimal(x in any::<f64>().prop_filter("finite", |x| x.is_finite())) {
        let q = parse_number(&format!("{x:e}")).unwrap();
        prop_assert_eq!(rug::Float::with_val(2000, &q).to_f64().to_bits() << 1, x.to_bits() << 1);
        let (significand, exponent) = (x.to_bits() & ((1 << 52) - 1), x.to_bits() >> 52 & 0x7ff);
        let (lead, exponent) = if exponent == 0 { (0, -1022) } else { (1, exponent as i32 - 1023) };
        let text = format!("0x{lead}.{significand:013x}p{exponent}");
        prop_assert_eq!(parse_number(&text), Ok(Rational::from_f64(x.abs()).unwrap()));
    }

    #[test]
    fn random_words_never_panic(text in words()) {
        match parse(&text) {
            Ok(tree) => {
                prop_assert_eq!(parse(&tree.to_string()), Ok(tree.clone()), "{}", tree);
                if let Ok(value) = parse_number(&text) {
                    prop_assert_eq!(tree.exact(&Rational::from(7)), Some(value));
                }
            }
            Err(error) => {
                prop_assert!(column(&error) <= text.chars().count() + 1, "{}", error);
                prop_assert_eq!(parse_number(&text).is_err(), true);
            }
        }
    }

    #[test]
    fn random_text_never_panics(text in "\\PC{0,40}") {
        if let Ok(tree) = parse(&text) {
            prop_assert_eq!(parse(&tree.to_string()), Ok(tree));
        }
        let _ = parse_number(&text);
    }

    /// Against the definition by recursion, on short words.
    #[test]
    fn edit_distances(a in "[ab]{0,5}", b in "[ab]{0,5}") {
        fn distance(a: &[u8], b: &[u8]) -> usize {
            match (a, b) {
                ([], rest) | (rest, []) => rest.len(),
                ([x, a_rest @ ..], [y, b_rest @ ..]) => {
                    let exchange = distance(a_rest, b_rest) + usize::from(x != y);
                    exchange.min(distance(a_rest, b) + 1).min(distance(a, b_rest) + 1)
                }
            }
        }
        prop_assert_eq!(edit_distance(&a, &b), distance(a.as_bytes(), b.as_bytes()));
    }
}

/// What people type who know other languages, or textbooks.
#[test]
fn other_spellings() {
    for (text, same) in [
        ("2^x", "exp2(x)"),
        ("10^(x/2)", "exp10(x/2)"),
        ("e^x", "exp(x)"),
        ("e^-x^2", "exp(-x^2)"),
        ("2**-x", "exp2(-x)"),
        ("1/(1+e^-x)", "1/(1+exp(-x))"),
        ("x**3", "x^3"),
        ("-x ** 2 * 3", "-x^2*3"),
        ("ln", "log(x)"),
        ("arctan", "atan(x)"),
        ("arcsin(x/2)", "asin(x/2)"),
        ("arccos", "acos(x)"),
        ("arsinh", "asinh(x)"),
        ("arccosh(x+1)", "acosh(x+1)"),
        ("artanh", "atanh(x)"),
        ("lg", "log10(x)"),
    ] {
        assert_eq!(parse(text), parse(same), "{text}");
    }
    assert_eq!(parse("2^x").unwrap().to_string(), "exp2(x)");
    // a constant stays a power
    assert_eq!(parse("x*2^3").unwrap().to_string(), "x*2^3");
    assert!(matches!(error("x* *3"), ParseError::Syntax { column: 4, .. }));
}
