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

/// Where an error is, 0 where it is nowhere in particular.
fn column(error: &ParseError) -> usize {
    let text = error.to_string();
    let Some((column, _)) = text.strip_prefix("column ").and_then(|rest| rest.split_once(':')) else {
        assert!(matches!(error, ParseError::Empty | ParseError::TooLong { .. }), "{text}");
        return 0;
    };
    column.parse().unwrap()
}

#[test]
fn numbers() {
    let words = "0=0 1.5e-3=3/2000 -1.5e-3=-3/2000 1.5E+3=1500 .5=1/2 5.=5 0x1.8p-3=3/16 0x1.8p3=12
        0X.8P1=1 0xFf=255 0x1e5=485 0e5=0 0x0p9=0 [-6/4]=-3/2 1+2^-13=8193/8192 2^-5=1/32 1/3=1/3
        2^3^2=512 -2^2=-4 (-2)^2=4 2^-2^1=1/4 7-4-2=1 7-(4-2)=5 12/3/2=2 12/3*2=8 1+2*3=7 -1+3=2 2*-3=-6
        --3=3 +0x1p-3=1/8 2*+-3=-6 1++2^+2=5 0^0=1 sqrt(9/4)=3/2 exp2(log10(1000))=8 2^(1/2+1/2)=2 rootn(-1/32,-5)=-2 pown(2/3,-2)=9/4
        log2p1(7)*asinPi(1/2)-rSqrt(4)=0";
    let words = words.split_whitespace().map(|word| word.split_once('=').unwrap());
    let spaced = [
        ("[ 6 / 4 ]", "3/2"),
        (" 1\t+\n2 ", "3"),
        ("rootn(27/8, 3)", "3/2"),
        ("rootn(2^1000000, 1000000)", "2"),
    ];
    for (text, value) in words.chain(spaced) {
        // read by GMP's rules, not by ours
        let value: Rational = value.parse().unwrap();
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
    type Row<'a> = (&'a str, &'a [(usize, &'a str)]);
    let empty = "nothing to read: the text is empty";
    assert_eq!(["", " \n"].map(|text| error(text).to_string()), [empty; 2]);
    let of_expressions: &[Row<'_>] = &[
        (
            "expected a number, a name or `(`",
            &[(3, "1+"), (3, "x*/2"), (5, "1 + ü"), (7, "exp(x,)"), (5, "exp()")],
        ),
        ("expected `)` or an operator", &[(3, "(x"), (3, "(x, 2)")]),
        ("expected an operator or the end", &[(2, "x)"), (2, "2x"), (3, "x 2")]),
        ("expected an integer", &[(4, "[1/x]")]),
        ("division by zero", &[(1, "[1/0]")]),
        ("unknown name `exq2` (did you mean `exp2`?)", &[(3, "1+exq2(x)")]),
        ("unknown name `sn` (did you mean `sin`?)", &[(1, "sn(x)")]),
        ("unknown name `Sin` (did you mean `sin`?)", &[(1, "Sin(x)")]),
        ("unknown name `sine` (did you mean `sin`?)", &[(1, "sine(x)")]),
        ("unknown name `y`", &[(1, "y")]),
        ("unknown name `quux`", &[(1, "quux(x)")]),
        ("unknown name `foo`", &[(1, "foo(x)")]),
        ("unknown name `X` (did you mean `x`?)", &[(1, "X^2")]),
        ("unknown name `PI` (did you mean `pi`?)", &[(1, "PI*x")]),
        (
            "pow is not there: functions are of one variable: x^n, rootn(x,n), exp(b*log(a))",
            &[(1, "pow(x,3)")],
        ),
        ("unknown name `gelu` (did you mean `x/2*(1+erf(x/sqrt(2)))`?)", &[(1, "gelu(x)")]),
        ("the exponent 1/3 is not an integer; write cbrt(a) for a^(1/3)", &[(5, "x^(1/3)")]),
        (
            "the exponent 1/2 is not an integer; write sqrt(a) for a^(1/2)",
            &[(4, "x**0.5"), (10, "pown(x, 1/2)"), (5, "x^(1/2)")],
        ),
        ("the exponent -1/2 is not an integer; write rsqrt(a) for a^(-1/2)", &[(6, "x^(-1/2)")]),
        ("the exponent -1/7 is not an integer; write rootn(a,-7) for a^(-1/7)", &[(3, "x^-[1/7]")]),
        (
            "x stands in the exponent; write exp(b*log(a)) for a^b; 2^b, 10^b and e^b are exp2(b), exp10(b) and exp(b)",
            &[(3, "3^x"), (3, "x^x"), (3, "x^exp")],
        ),
        ("unknown name `rotn` (did you mean `rootn`?)", &[(1, "rotn(x, 3)")]),
        ("`exp` takes 1 argument, not 2", &[(3, "1+exp(x, 2)")]),
        ("`rootn` takes 2 arguments, not 1", &[(1, "rootn(x)")]),
        ("`pown` takes 2 arguments, not 3", &[(1, "pown(x,2,3)")]),
        ("`rootn` takes 2 arguments, not 0", &[(1, "rootn")]),
        (
            "the degree of a root must be an integer, not 0, and within ±1000",
            &[(10, "rootn(x, 0)"), (11, "rootn(x, 1/2)"), (10, "rootn(x, 1001)")],
        ),
        ("the degree of a root must be an integer, not 0, and within ±1000000", &[(11, "rootn(2, 2^40)")]),
        ("a number is wanted here, and x is the variable", &[(10, "rootn(x, x)")]),
        ("the exponent is beyond ±1000", &[(9, "pown(x, 1001)"), (3, "x^1001"), (3, "x^-1001")]),
        ("`pi` is not a function; write `pi*(…)` for a product", &[(1, "pi(2)")]),
        ("`x` is not a function; write `x*(…)` for a product", &[(1, "x(2)")]),
        ("`pi` is not an exact number; write a decimal, a fraction or a power instead", &[(3, "2^pi")]),
        ("the exponent is beyond ±1000000", &[(8, "exp(2)^1000001"), (5, "2^(2^40)"), (4, "2^2^2^2^2^2")]),
        (
            "the number is too long to hold exactly",
            &[
                (3, "1+1e999999999"),
                (1, "1e99999999999999999999999"),
                (1, "1e-99999999999999999999999"),
                (1, "0x1p99999999999"),
            ],
        ),
    ];
    let of_numbers: &[Row<'_>] = &[
        ("`pi` is not an exact number; write a decimal, a fraction or a power instead", &[(3, "1+pi")]),
        ("`e` is not an exact number; write a decimal, a fraction or a power instead", &[(3, "2*e")]),
        (
            "`exp(…)` is not an exact number; write a decimal, a fraction or a power instead",
            &[(3, "1-exp(1)")],
        ),
        (
            "`log(…)` is not an exact number; write a decimal, a fraction or a power instead",
            &[(1, "log(0-1)")],
        ),
        ("a number is wanted here, and x is the variable", &[(3, "1+x"), (1, "exp")]),
        (
            "`rootn(…)` is not an exact number; write a decimal, a fraction or a power instead",
            &[(3, "1-rootn(2,2)")],
        ),
        ("division by zero", &[(1, "pown(0,-1)"), (2, "1/(2-2)"), (2, "0^-1")]),
        (
            "the number is too long to hold exactly",
            &[(10, "7^1000000*7^999999"), (9, "1e900000*1e900000"), (9, "1e900000+1e-900000")],
        ),
    ];
    for (error, rows) in [(error as fn(&str) -> ParseError, of_expressions), (number_error, of_numbers)] {
        for (message, texts) in rows {
            for (column, text) in *texts {
                assert_eq!(error(text).to_string(), format!("column {column}: {message}"), "{text}");
            }
        }
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
    let words =
        "2^x=exp2(x) 10^(x/2)=exp10(x/2) e^x=exp(x) e^-x^2=exp(-x^2) 2**-x=exp2(-x) x**3=x^3 lg=log10(x)
        1/(1+e^-x)=1/(1+exp(-x)) ln=log(x) arctan=atan(x) arcsin(x/2)=asin(x/2) arccos=acos(x)
        arsinh=asinh(x) arccosh(x+1)=acosh(x+1) artanh=atanh(x)";
    let words = words.split_whitespace().map(|word| word.split_once('=').unwrap());
    for (text, same) in words.chain([("-x ** 2 * 3", "-x^2*3")]) {
        assert_eq!(parse(text), parse(same), "{text}");
    }
    assert_eq!(parse("2^x").unwrap().to_string(), "exp2(x)");
    // a constant stays a power
    assert_eq!(parse("x*2^3").unwrap().to_string(), "x*2^3");
    assert!(matches!(error("x* *3"), ParseError::Syntax { column: 4, .. }));
}
