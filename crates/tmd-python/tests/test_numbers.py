"""Numbers go in and come out exactly, and results are correctly rounded: by Python's own
fractions."""

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import numpy
import pytest
import tablemaker

FORMATS = {"binary16": (11, -14, 15), "bfloat16": (8, -126, 127), "binary32": (24, -126, 127), "binary64": (53, -1022, 1023)}


def rounded(y: Fraction, name: str) -> dict[str, float]:
    """IEEE 754's five modes, from the definition."""
    precision, least, greatest = FORMATS[name]
    magnitude = abs(y)
    exponent = least
    if magnitude:
        exponent = max(least, magnitude.numerator.bit_length() - magnitude.denominator.bit_length() - 1)
        while Fraction(2) ** (exponent + 1) <= magnitude:
            exponent += 1
    ulp = Fraction(2) ** (exponent - precision + 1)
    below = magnitude // ulp
    rest = magnitude / ulp - below
    sign = -1 if y < 0 else 1

    def number(multiple: int) -> float:
        if multiple * ulp >= Fraction(2) ** (greatest + 1):
            return sign * math.inf
        return math.copysign(float(multiple * ulp), sign)

    away = below + (rest > 0)
    half = Fraction(1, 2)
    even = below + (rest > half or (rest == half and below % 2 == 1))
    return {
        "nearest_even": number(even),
        "nearest_away": number(below + (rest >= half)),
        "up": number(away if y > 0 else below),
        "down": number(below if y > 0 else away),
        "zero": number(below),
    }


def same(a: float, b: float) -> bool:
    return a == b and math.copysign(1, a) == math.copysign(1, b)


@pytest.mark.parametrize(
    ("name", "function", "value", "interval"),
    [
        ("binary16", "x^3", lambda x: x**3, ("-40", "40")),
        ("bfloat16", "x^5", lambda x: x**5, ("-1", "2^25")),
        ("binary32", "1/x", lambda x: 1 / x, (1, 2)),
        ("binary64", "x^2/3", lambda x: x * x / 3, (1, 1 + Fraction(1, 2**20))),
    ],
)
def test_results_of_rational_functions(name, function, value, interval):
    found = tablemaker.search(function, *interval, format=name, hardest=300)
    assert len(found.cases) >= 200
    for case in [*found.cases, *found.exact_cases]:
        y = value(Fraction(case.argument))
        for mode, expected in rounded(y, name).items():
            assert same(getattr(case.results, mode), expected), (case, mode)
        assert type(case.argument) is float and float.fromhex(case.x) == case.argument
        significand, exponent = case.parts
        assert Fraction(significand) * Fraction(2) ** exponent == case.argument
        if case.exact:
            assert case.value == y
            continue
        precision, least, _ = FORMATS[name]
        ulp = Fraction(2) ** (max(math.frexp(abs(y))[1] - 1, least) - precision + 1)
        distance = abs(y - Fraction(case.breakpoint)) / ulp
        assert case.above == (y > case.breakpoint)
        assert case.hardness == -case.log2_distance == pytest.approx(-math.log2(distance), abs=1e-4)
        assert case.distance == pytest.approx(float(distance), rel=1e-4)


def test_every_argument_of_a_format():
    """All results of x^3 in a binade, whatever their distance; ties and underflow are among
    them."""
    for k in [*range(1024, 2048, 7), *range(1, 40)]:
        for x in (Fraction(k, 1024), -Fraction(k, 2**18), Fraction(k, 2**15)):
            try:
                case = tablemaker.check("x^3", x, format="binary16")
            except tablemaker.QuestionError:
                pytest.fail(f"{x} is a number of binary16")
            for mode, expected in rounded(x**3, "binary16").items():
                assert same(getattr(case.results, mode), expected), (x, mode)


def test_beyond_the_largest_number():
    results = tablemaker.check("65525*x", 1, format="binary16").results
    assert (results.nearest_even, results.up, results.zero) == (math.inf, math.inf, 65504.0)
    results = tablemaker.check("-65515*x", 1, format="binary16").results
    assert (results.nearest_even, results.down, results.up) == (-65504.0, -math.inf, -65504.0)
    # a tie between the largest number and what would follow
    exact = tablemaker.check("65520*x", 1, format="binary16")
    assert exact.exact and (exact.results.nearest_even, exact.results.zero) == (math.inf, 65504.0)


def test_wide_formats_are_exact():
    case = tablemaker.check("exp", Fraction(2**63 + 1, 2**63), format="x87")
    assert case.argument == Fraction(2**63 + 1, 2**63) and type(case.argument) is Fraction
    assert case.parts == (2**63 + 1, -63)
    assert type(case.results.up) is Fraction and case.results.down < case.results.up
    assert case.lower == case.results.down and case.upper == case.results.up
    assert case.upper - case.lower == Fraction(1, 2**62)
    # doubles have midpoints that are none
    case = tablemaker.check("exp", 1.5)
    assert type(case.argument) is type(case.results.zero) is float and type(case.breakpoint) is Fraction
    case = tablemaker.check("exp", 1.5, format="binary32")
    assert type(case.breakpoint) is float
    # exponents without bounds
    case = tablemaker.check("x^3", Fraction(3, 2**2000), precision=24)
    assert case.exact and case.results.up == Fraction(27, 2**6000)


@pytest.mark.parametrize(
    "x",
    ["1.5", 1.5, Fraction(3, 2), Decimal("1.5"), numpy.float32(1.5), numpy.float64(1.5), numpy.longdouble(1.5), "3*2^-1"],
)
def test_arguments_of_any_type(x):
    assert tablemaker.check("exp", x).argument == 1.5


def test_integers_of_any_type():
    for x in (2**40, numpy.int64(2**40), "2^40"):
        assert tablemaker.check("log", x).argument == 2.0**40
    assert tablemaker.check("log", 2**5000, precision=20).parts == (1, 5000)
    with pytest.raises(tablemaker.QuestionError, match="nearest ones are"):
        tablemaker.check("log", 10**300)


@pytest.mark.parametrize("x", [float("nan"), float("inf"), "-inf", Decimal("inf"), Decimal("nan"), numpy.float32("inf")])
def test_no_finite_number(x):
    with pytest.raises(tablemaker.QuestionError, match="is no finite number"):
        tablemaker.check("exp", x)


@pytest.mark.parametrize("x", [None, 1j, [1], b"1"])
def test_no_number(x):
    with pytest.raises(TypeError, match="a number is an int, a float, a fraction or a text"):
        tablemaker.check("exp", x)


def test_cases_are_a_sequence():
    cases = tablemaker.search("exp", 1, 2, format="binary16", extra_bits=5).cases
    assert isinstance(cases, Sequence) and len(cases) > 20
    listed = list(cases)
    assert cases[0] == listed[0] and cases[-1] == listed[-1] and cases[numpy.int64(2)] == listed[2]
    assert list(cases[3:11:2]) == listed[3:11:2] and list(cases[::-1]) == listed[::-1] == list(reversed(cases))
    assert list(cases[5:5]) == [] and repr(cases[:0]) == "<Cases: none>"
    assert cases.index(listed[7]) == 7 and cases.index(listed[7], 7) == 7 and cases.count(listed[7]) == 1
    assert listed[3] in cases and 3 not in cases and listed[3] not in cases[4:]
    for wrong in (lambda: cases.index(listed[7], 8), lambda: cases.index(listed[7], 0, 7), lambda: cases.index("x")):
        with pytest.raises(ValueError, match="not in the list"):
            wrong()
    for index in (len(cases), -len(cases) - 1):
        with pytest.raises(IndexError):
            cases[index]
    with pytest.raises(TypeError):
        cases["1"]
    assert len({*cases, *cases}) == len(cases) and cases == cases[:] and cases != cases[1:]
    hardest = cases.hardest(5)
    assert list(hardest) == sorted(listed, key=lambda case: (case.log2_distance, case.argument))[:5]
    assert len(cases.hardest(10**6)) == len(cases)
    with pytest.raises(AttributeError):
        listed[0].x = "1"
    with pytest.raises(TypeError):
        tablemaker.Case()
