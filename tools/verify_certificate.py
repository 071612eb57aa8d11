#!/usr/bin/env python3
"""Checks certificates of `tmd solve` without any of tmd's code: python-flint (Arb) encloses,
Python's integers count.

    pip install python-flint
    python3 tools/verify_certificate.py results/binary64/*.json.zst

Checked: the digest; that the regions hold every number that was asked for, once; that the units
tile what was searched, or the breakpoints next to its results where the inverse function was
searched, or where a family was searched the circle of its turns and all that is not of the family,
which is what was searched beside it; where square roots follow from congruences all solutions of
these, so that no case is missing there; counts and order of all lists; every case by an enclosure
of f(x); what follows by symmetry, and the rules for what is not listed; the inequalities by which
all roundings are known elsewhere; with --tables the tables of the hardest cases of each binade
that are beside a certificate. What is not checked is printed.

Exit codes: 0 all of this holds and every number that was asked for is covered; 1 something is
wrong; 2 the question was wrong; 3 it holds, and not all that was asked for is covered or could be
checked. docs/certificate.md describes the document.
"""

import argparse
import ast
import bisect
import csv
import hashlib
import itertools
import json
import math
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

try:
    from flint import arb, arb_series, ctx
except ImportError:
    sys.exit("python-flint is missing: pip install python-flint (cargo xtask verify-alone makes a place for it)")

SCHEMA = "tmd-certificate-5"   # of cases the arguments, from which all else follows
TURN_BITS = 32           # a family's circle has cells of this length
# what cells are of: turns of x and -x together, turns, or significands of all exponents
FAMILIES = {"sin": "folded", "cos": "folded", "tan": "folded", "exp": "turns", "exp10": "turns", "log": "significands", "log10": "significands"}
# Relatives, of which large arguments are searched as those of a function g that has a family: which
# function, g(x) itself, and the magnitude of d(x) in f = g (1 + d) for exponentials, in f = g + d
# for logarithms. It decreases in x: sinh x = e^x/2 (1 - e^-2x), log(x + 1) = log x + log(1 + 1/x),
# asinh x = log(x + (x^2 + 1)^(1/2)) = log 2x + log((1 + (1 + 1/x^2)^(1/2))/2), and so on.
RELATIVES = {
    "sinh": ("exp", lambda x: x.exp() / 2, lambda x: (-2 * x).exp()),
    "cosh": ("exp", lambda x: x.exp() / 2, lambda x: (-2 * x).exp()),
    "expm1": ("exp", lambda x: x.exp(), lambda x: (-x).exp()),
    "exp10m1": ("exp10", lambda x: (x * arb.const_log10()).exp(), lambda x: (-x * arb.const_log10()).exp()),
    "logp1": ("log", lambda x: x.log(), lambda x: (1 / x).log1p()),
    "log10p1": ("log10", lambda x: x.log() / arb.const_log10(), lambda x: (1 / x).log1p() / arb.const_log10()),
    "asinh": ("log", lambda x: (2 * x).log(), lambda x: ((1 + 1 / (x * x)).sqrt() / 2 + 0.5).log()),
    "acosh": ("log", lambda x: (2 * x).log(), lambda x: -((1 - 1 / (x * x)).sqrt() / 2 + 0.5).log()),
}
FAMILIES.update({name: FAMILIES[near] for name, (near, _, _) in RELATIVES.items()})
CIRCLES = {"folded": (0, Fraction(1, 2)), "turns": (0, 1), "significands": (Fraction(1, 2), 1)}
# who walks: in integers, in lanes, on a device
WALK = re.compile(r"lattice3(-scalar| \([a-z0-9]+\)| \(.+ \((native|emulated) integers\)\))")
CLASSES = {
    "searched": set(), "undefined": set(), "mirrored": {"parity"}, "translated": {"rule"}, "between": {"below", "above"},
    "beside": {"line", "side"}, "exact": {"value", "kind"}, "refused": {"reason"}, "out-of-reach": {"core_seconds"},
}
FIELDS = ["schema", "program", "function", "format", "rounding", "extra_bits", "binades", "engine", "regions", "units", "cases",
          "exact_cases", "exact_rule", "undecided", "rules", "failures", "digest", "effort"]
PHASES = ["generate", "test", "refine", "exhaust", "confirm"]
MOST_EXACT = 10_000      # longer lists of exact cases are left out
MOST_EXPANDED = 4_000_000  # cases of rules that are looked at one by one
MOST_PRECISION = 20_000
MOST_STEPS = 5            # from what follows to what stands for itself


MOST_REMAINDERS = 20      # log2 of the remainders with which congruences are solved
SQUARE_ROOTS = (("call", "sqrt", ("x",)), ("^", ("x",), ("/", ("const", Fraction(1)), ("const", Fraction(2)))))


class Wrong(Exception):
    """The certificate says something that is not so."""


# numbers: a binary fraction is a pair (m, e), m·2^e

def number(text):
    """A number from its text as C's %a, of which each number has one here."""
    match = re.fullmatch(r"(-?)0x(0|1)(?:\.([0-9a-f]*[1-9a-f]))?p([+-](?:0|[1-9]\d*))", text)
    if not match or len(match[4]) > 7:
        raise Wrong(f"{text!r} is not a number as C's %a writes it, or one of no format")
    sign, whole, part, exponent = match.groups()
    part = part or ""
    m = int(whole + part, 16)
    return (-m if sign else m, int(exponent) - 4 * len(part))


def fraction(x):
    m, e = x
    return Fraction(m << e) if e >= 0 else Fraction(m, 1 << -e)


def log2_floor(value):
    """⌊log2 |value|⌋ of a Fraction that is not 0."""
    value = abs(value)
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    power = Fraction(1 << guess) if guess >= 0 else Fraction(1, 1 << -guess)
    return guess if power <= value else guess - 1


def named(value):
    """A binary fraction as C's %a writes it, however large."""
    if value == 0:
        return "0x0p+0"
    e = log2_floor(value)
    part = abs(value) / two_to(e) - 1
    digits = (part.denominator.bit_length() + 2) // 4
    text = format(int(part * 16 ** digits), f"0{digits}x") if digits else ""
    return f"{'-' if value < 0 else ''}0x1{'.' if text else ''}{text}p{e:+d}"


def ball(value):
    """A dyadic Fraction as an exact ball."""
    e = value.denominator.bit_length() - 1
    assert value.denominator == 1 << e
    return arb((value.numerator, -e))


def two_to(e):
    return Fraction(1 << e) if e >= 0 else Fraction(1, 1 << -e)


# precision, least and greatest exponent
FORMATS = {"binary16": (11, -14, 15), "bfloat16": (8, -126, 127), "binary32": (24, -126, 127), "binary64": (53, -1022, 1023), "x87": (64, -16382, 16383)}


class Format:
    def __init__(self, record):
        self.p, self.emin, self.emax = record["precision"], record["min_exponent"], record["max_exponent"]
        if "name" in record and FORMATS.get(record["name"]) != (self.p, self.emin, self.emax) and record["name"] != f"precision {self.p}":
            raise Wrong(f"{record['name']} is another format")
        if not (2 <= self.p <= 64 and self.emin < self.emax):
            raise Wrong("there is no such format")

    def ulp(self, exponent):
        """log2 of the spacing of numbers in the binade of this exponent."""
        return max(exponent, self.emin) - self.p + 1

    def ordinal(self, value):
        """The place of a number among all: 0 is 0, the least positive one 1. None if the format
        lacks it."""
        if value == 0:
            return 0
        # by shifts: a million images of cases are placed so
        whole, parts = abs(value.numerator), value.denominator
        if parts & (parts - 1):
            return None
        e = whole.bit_length() - parts.bit_length()
        if e > self.emax:
            return None
        shift = parts.bit_length() - 1 + self.ulp(e)
        scaled = whole >> shift if shift > 0 else whole << -shift
        if shift > 0 and scaled << shift != whole:
            return None
        above = max(e - self.emin, 0)
        place = scaled + above * (1 << (self.p - 1))
        return place if value > 0 else -place

    def scaled(self, value, exponents):
        """The places of value · 2^k for each k: of normal numbers they are equally spaced."""
        place, e, half = self.ordinal(value), log2_floor(value), 1 << (self.p - 1)
        step = half if value > 0 else -half
        for k in exponents:
            if self.emin <= min(e, e + k) and e + k <= self.emax:
                yield place + k * step
            else:
                yield self.ordinal(value * two_to(k))

    def at(self, ordinal):
        """The number of a place."""
        place, half = abs(ordinal), 1 << (self.p - 1)
        above = max(place // half - 1, 0)
        value = (place - above * half) * two_to(self.emin - self.p + 1 + above)
        return value if ordinal > 0 else -value

    def with_precision(self, p):
        wider = Format({"precision": min(p, 64), "min_exponent": self.emin, "max_exponent": self.emax})
        wider.p = p
        return wider


# functions, by Arb

def cbrt(x):
    if isinstance(x, arb_series):
        return -series_power(-x, Fraction(1, 3)) if x[0] < 0 else series_power(x, Fraction(1, 3))
    return x.root(3) if x > 0 else -((-x).root(3)) if x < 0 else x.nan() if x != 0 else arb(0)


def series_power(x, exponent):
    return (x.log() * (arb(exponent.numerator) / exponent.denominator)).exp()


def erfcx(x):
    return (x * x).exp() * x.erfc()


def digamma(x):
    if isinstance(x, arb):
        return x.digamma()
    # Γ'/Γ, with a term more: of x itself, whose derivative is 1
    gamma = arb_series([x[0], 1], prec=x.prec + 1).gamma()
    return gamma.derivative() / gamma


def lgamma(x):
    """log |Γ(x)|."""
    if isinstance(x, arb):
        return abs(x.gamma()).log()
    gamma = x.gamma()
    return (-gamma).log() if gamma[0] < 0 else gamma.log()


def absolute(x):
    return abs(x) if isinstance(x, arb) else -x if x[0] < 0 else x


def expm1(x):
    return x.expm1() if isinstance(x, arb) else x.exp() - 1


def log1p(x):
    return x.log1p() if isinstance(x, arb) else (x + 1).log()


FUNCTIONS = {
    "exp": lambda x: x.exp(), "exp2": lambda x: (x * arb.const_log2()).exp(), "exp10": lambda x: (x * arb.const_log10()).exp(),
    "expm1": expm1,
    "exp2m1": lambda x: expm1(x * arb.const_log2()), "exp10m1": lambda x: expm1(x * arb.const_log10()),
    "log": lambda x: x.log(), "log2": lambda x: x.log() / arb.const_log2(), "log10": lambda x: x.log() / arb.const_log10(),
    "logp1": log1p, "log2p1": lambda x: log1p(x) / arb.const_log2(), "log10p1": lambda x: log1p(x) / arb.const_log10(),
    "sqrt": lambda x: x.sqrt(), "cbrt": cbrt, "rsqrt": lambda x: x.rsqrt(),
    "sin": lambda x: x.sin(), "cos": lambda x: x.cos(), "tan": lambda x: x.tan(),
    "asin": lambda x: x.asin(), "acos": lambda x: x.acos(), "atan": lambda x: x.atan(),
    "sinpi": lambda x: x.sin_pi(), "cospi": lambda x: x.cos_pi(),
    "tanpi": lambda x: x.tan_pi() if isinstance(x, arb) else x.sin_pi() / x.cos_pi(),
    "asinpi": lambda x: x.asin() / arb.pi(), "acospi": lambda x: x.acos() / arb.pi(), "atanpi": lambda x: x.atan() / arb.pi(),
    "sinh": lambda x: x.sinh() if isinstance(x, arb) else (x.exp() - (-x).exp()) / 2,
    "cosh": lambda x: x.cosh() if isinstance(x, arb) else (x.exp() + (-x).exp()) / 2,
    "tanh": lambda x: x.tanh() if isinstance(x, arb) else 1 - 2 / ((2 * x).exp() + 1),
    "asinh": lambda x: x.asinh() if isinstance(x, arb) else (x + (x * x + 1).sqrt()).log(),
    "acosh": lambda x: x.acosh() if isinstance(x, arb) else (x + (x * x - 1).sqrt()).log(),
    "atanh": lambda x: x.atanh() if isinstance(x, arb) else ((1 + x) / (1 - x)).log() / 2,
    "erf": lambda x: x.erf(), "erfc": lambda x: x.erfc(), "erfcx": erfcx, "abs": absolute,
    "gamma": lambda x: x.gamma(), "lgamma": lgamma,
    "digamma": digamma, "lambertw": lambda x: x.lambertw(), "lambertwm1": lambda x: x.lambertw(-1),
    "j0": lambda x: x.bessel_j(0), "j1": lambda x: x.bessel_j(1), "y0": lambda x: x.bessel_y(0), "y1": lambda x: x.bessel_y(1),
}
ODD = {"sin", "tan", "asin", "atan", "sinpi", "tanpi", "asinpi", "atanpi", "sinh", "tanh", "asinh", "atanh", "erf", "cbrt", "j1"}
EVEN = {"cos", "cospi", "cosh", "j0", "abs"}
INCREASING = {"exp", "exp2", "exp10", "expm1", "exp2m1", "exp10m1", "log", "log2", "log10", "logp1", "log2p1", "log10p1", "sqrt", "cbrt",
              "asin", "atan", "asinpi", "atanpi", "sinh", "tanh", "asinh", "acosh", "atanh", "erf", "lambertw"}
DECREASING = {"rsqrt", "acos", "acospi", "erfc", "erfcx"}
# strictly between these all results are
RANGES = {**{name: (0, None) for name in ("exp", "exp2", "exp10", "cosh", "rsqrt", "erfcx")}, "erfc": (0, 2), "tanh": (-1, 1), "erf": (-1, 1),
          **{name: (-1, None) for name in ("expm1", "exp2m1", "exp10m1")}}
# between these ends, in multiples of π or of 1 for those of `pi`
MONOTONE = {"sin": [(-1, 1, 1)], "cos": [(0, 3, -1), (-3, 0, 1)], "tan": [(-1, 1, 1)], "cosh": [(0, None, 1), (None, 0, -1)],
            "sinpi": [(Fraction(-1, 2), Fraction(1, 2), 1)], "cospi": [(0, 1, -1), (-1, 0, 1)],
            "tanpi": [(Fraction(-1, 2), Fraction(1, 2), 1)]}   # at its ends it has no value
# where there is no value, as a test of a region's ends
UNDEFINED = {
    **{name: lambda a, b: b <= 0 for name in ("log", "log2", "log10", "rsqrt")},
    **{name: lambda a, b: b <= -1 for name in ("logp1", "log2p1", "log10p1")},
    **{name: lambda a, b: b < -1 or a > 1 for name in ("asin", "acos", "asinpi", "acospi")},
    **{name: lambda a, b: False for name in ("exp", "exp2", "exp10", "expm1", "exp2m1", "exp10m1", "cbrt", "sin", "cos", "tan", "atan", "sinpi", "cospi",
                                             "atanpi", "sinh", "cosh", "tanh", "asinh", "erf", "erfc", "erfcx", "abs", "j0", "j1")},
    "sqrt": lambda a, b: b < 0, "acosh": lambda a, b: b < 1, "atanh": lambda a, b: b <= -1 or a >= 1,
    "tanpi": lambda a, b: a == b and a.denominator == 2,
}
INVERSES = {"exp": "log", "exp2": "log2", "exp10": "log10", "expm1": "logp1", "exp2m1": "log2p1", "exp10m1": "log10p1", "sin": "asin",
            "cos": "acos", "tan": "atan", "sinpi": "asinpi", "cospi": "acospi", "tanpi": "atanpi", "sinh": "asinh", "cosh": "acosh",
            "tanh": "atanh"}
INVERSES.update({g: f for f, g in list(INVERSES.items())})
TRANSLATIONS = {
    "exp2": "f(x + 1) = 2 f(x)", "log2": "f(2 x) = f(x) + 1", "sinpi": "f(x + 1) = -f(x)", "cospi": "f(x + 1) = -f(x)",
    "tanpi": "f(x + 1) = f(x)", "sqrt": "f(2^2 x) = 2^1 f(x)", "rsqrt": "f(2^2 x) = 2^-1 f(x)", "cbrt": "f(2^3 x) = 2^1 f(x)",
}
# next to 0 a function is nearly a multiple of x; it may do so beside a rule of the table
NEAR = re.compile(r"f\(2\^n x\) ~ 2\^n f\(x\) for 2\^(-?\d+) <= \|2\^n x\| < 2\^(-?\d+)")
# at large arguments it may nearly be log2, or exp2
LARGE = {"log2p1": re.compile(r"f\(2 x\) ~ f\(x\) \+ 1 for 2\^(\d+) <= x"), "exp2m1": re.compile(r"f\(x \+ 1\) ~ 2 f\(x\) for (\d+) <= x")}


OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^", ast.USub: "neg"}


class Expression:
    """A function's text: sums, products, powers and calls, as `tmd` prints them."""

    def __init__(self, text):
        self.text = text
        tokens = re.findall(r"\d+(?:\.\d+)?|[a-z_][a-z_0-9]*|[-+*/^(),]", text)
        # Python reads such a text as it is meant, but for the sign of powers
        self.source = " ".join("**" if token == "^" else token for token in tokens)
        try:
            if "".join(tokens) != text.replace(" ", "") or ", )" in self.source:
                raise SyntaxError
            self.root = self.node(ast.parse(self.source, mode="eval").body)
        except (SyntaxError, RecursionError, MemoryError):
            raise Wrong(f"{text!r} is no expression") from None
        match = re.fullmatch(r"([a-z_0-9]+)\(x\)", text)
        self.name = match.group(1) if match and match.group(1) in FUNCTIONS else None

    def node(self, tree):
        """What Python read, as a kind and what it is about."""
        kind = OPERATORS.get(type(getattr(tree, "op", None)))
        if isinstance(tree, ast.BinOp) and kind in ("+", "-", "*", "/", "^"):
            return (kind, self.node(tree.left), self.node(tree.right))
        if isinstance(tree, ast.UnaryOp) and kind == "neg":
            return ("neg", self.node(tree.operand))
        if isinstance(tree, ast.Constant):
            # one line of ASCII
            return ("const", Fraction(self.source[tree.col_offset:tree.end_col_offset]))
        if isinstance(tree, ast.Name) and tree.id in ("x", "pi", "e"):
            return (tree.id,)
        # a name that stands in parentheses calls nothing
        if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.args and not tree.keywords
                and tree.func.id not in ("x", "pi", "e") and self.source.startswith(" (", tree.func.end_col_offset)):
            raise SyntaxError
        name, arguments = tree.func.id, [self.node(argument) for argument in tree.args]
        if name == "rootn" and len(arguments) == 2:
            return ("^", arguments[0], ("/", ("const", Fraction(1)), arguments[1]))
        if name not in FUNCTIONS or len(arguments) != 1:
            raise Unknown(f"{name} with {len(arguments)} arguments")
        return ("call", name, arguments[0])

    def __call__(self, x):
        return self.value(self.root, x)

    def constant(self, node):
        """The value of a node without x, as a Fraction; None if it is none."""
        kind, *rest = node
        if kind == "const":
            return rest[0]
        if kind == "neg":
            value = self.constant(rest[0])
            return None if value is None else -value
        if kind in ("+", "-", "*", "/"):
            a, b = map(self.constant, rest)
            if a is None or b is None or (kind == "/" and b == 0):
                return None
            return {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else None}[kind]
        return None

    def value(self, node, x):
        kind, *rest = node
        if kind == "x":
            return x
        if kind == "pi":
            return arb.pi()
        if kind == "e":
            return arb.const_e()
        if kind == "const":
            return arb(rest[0].numerator) / rest[0].denominator
        if kind == "neg":
            return -self.value(rest[0], x)
        if kind == "call":
            return FUNCTIONS[rest[0]](self.value(rest[1], x))
        if kind == "^":
            base, exponent = self.value(rest[0], x), self.constant(rest[1])
            if exponent is None:
                return (base.log() * self.value(rest[1], x)).exp()
            if exponent.denominator == 1:
                n = abs(exponent.numerator)
                power = base ** n
                return power if exponent >= 0 else 1 / power
            is_odd = exponent.denominator % 2 == 1
            if is_odd and isinstance(base, arb) and base < 0:
                power = self.power(-base, exponent)
                return -power if exponent.numerator % 2 else power
            return self.power(base, exponent)
        a, b = self.value(rest[0], x), self.value(rest[1], x)
        return a + b if kind == "+" else a - b if kind == "-" else a * b if kind == "*" else a / b

    @staticmethod
    def power(base, exponent):
        if isinstance(base, arb) and exponent > 0:
            return base.root(exponent.denominator) ** exponent.numerator
        return series_power(base, exponent)

    def series(self, at, order):
        """Taylor coefficients at a ball, up to x^order: each encloses f^(k)(ξ)/k! for every ξ of
        the ball."""
        cap, ctx.cap = ctx.cap, order + 2
        try:
            series = self(arb_series([at, 1], prec=order + 1))
        finally:
            ctx.cap = cap
        if isinstance(series, arb):
            return [series, *[arb(0)] * order]
        # a quotient that cancels has fewer terms: nothing is known of the others
        known = series.coeffs()[:series.prec]
        known += [arb(0)] * (min(series.prec, order + 1) - len(known))
        return [*known, *[arb.nan()] * (order + 1 - len(known))][:order + 1]


def is_at_most(function, low, high, bound):
    """Whether |function'| ≤ bound from low to high, or this cannot be shown in 2,000 parts. In a
    part |function'| is within |function''|·radius of its value in the middle: where the derivative
    of cos comes to 1 - x^2/2 at an end of a binade, an enclosure over the whole of it is beyond 1,
    by its own width, and says nothing."""
    parts = [(low, high)]
    for _ in range(2_000):
        if not parts:
            return True
        a, b = parts.pop()
        middle = (a + b) / 2
        over = abs(function.series(ball(a).union(ball(b)), 2)[2]) * 2
        at = abs(function.series(ball(middle), 1)[1])
        if at + over * ball((b - a) / 2) <= bound:
            continue
        if at > bound:
            return False
        parts += [(a, middle), (middle, b)]
    return False


def sign_between(function, order, low, high):
    """The sign that the derivative of this order has everywhere between two numbers; 0 if this
    cannot be shown in 2,000 parts."""
    parts, signs = [(low, high)], set()
    for _ in range(2_000):
        if not parts:
            return signs.pop()
        a, b = parts.pop()
        part = function.series(ball(a).union(ball(b)), order)[order]
        if part.contains(0) or not part.is_finite():
            parts += [(a, (a + b) / 2), ((a + b) / 2, b)]
            continue
        signs.add(1 if part > 0 else -1)
        if len(signs) > 1:
            return 0
    return 0


def square_roots(d, bits):
    """All m from 0 to 2^bits - 1 with m^2 = d modulo 2^bits, d not 0 modulo that, bit by bit."""
    roots = [0]
    for bit in range(bits):
        roots = [m for root in roots for m in (root, root | 1 << bit) if not (m * m - d) & ((2 << bit) - 1)]
    return roots


class Unknown(Exception):
    """This program knows too little to check something."""


# the checks

def unit_of(places, place):
    """The unit of (first, last, unit) that holds a place; None if none does."""
    index = bisect.bisect_right(places, place, key=lambda unit: unit[0]) - 1 if place is not None else -1
    return places[index][2] if index >= 0 and place <= places[index][1] else None


def digest(text):
    """SHA-256 of a document as it stands there, without white space, digest and times."""
    parts = re.split(r'("(?:[^"\\]|\\.)*")', text)
    bare = "".join(part if part.startswith('"') else re.sub(r"\s+", "", part) for part in parts)
    bare, digests = re.subn(r'"digest":"[^"]*"', '"digest":""', bare)
    bare, efforts = re.subn(r'"effort":\{[^{}]*\}\}$', '"effort":{"elapsed_s":0.0,"threads":0,"unit_s":[],"planned_s":[]}}', bare)
    if (digests, efforts) != (1, 1):
        raise Wrong("it has no digest, or several")
    return hashlib.sha256(bare.encode()).hexdigest()


def fields(pairs):
    """An object, each of whose fields is there once."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("an object has a field twice")
    return dict(pairs)


class Verifier:
    scales = True      # whether images of roots are looked at as intervals

    def __init__(self, text):
        self.text = text
        self.document = json.loads(text, object_pairs_hook=fields)
        self.bits = {}      # -log2 of the distances of cases that are listed
        self.checked, self.left, self.wrong, self.uncovered = [], [], [], []
        self.has_searches, self.roots, self.counts = True, [], {}

    def refuse(self, sentence):
        self.wrong.append(sentence)

    def run(self, tables=()):
        """All checks; of (name, text) of tables of hardest cases, too, that were made of it."""
        def rows():
            for name, text in tables if not self.wrong else ():
                self.rows(name, text)
        for check in (self.schema, self.digest, self.regions, self.units, self.lists, self.congruences, self.cases, self.exact_cases, self.follow,
                      self.inequalities, rows, self.coverage):
            try:
                check()
            except Unknown as reason:
                self.left.append(str(reason))
            except Wrong as reason:
                self.refuse(str(reason))
            except (KeyError, TypeError, IndexError, ValueError, AttributeError, ArithmeticError, MemoryError, RecursionError, csv.Error) as error:
                self.refuse(f"it cannot be read ({check.__name__}: {type(error).__name__} {error})")
            # what hangs on the fields, the regions or the units means nothing without them
            if self.wrong and check.__name__ in ("schema", "regions", "units"):
                break
        self.has_searches = any(self.counts.values()) or not self.roots
        if self.has_searches:
            self.left.append("that the searches found all cases: pieces, budgets but for tolerances and what relatives add, domains, counts of phases, numbers of "
                             "undecided arguments and of exact cases that are not listed, and times are not looked at (tmd verify --all)")

    def schema(self):
        document = self.document
        if list(document) != FIELDS:
            raise Wrong("it has other fields than a certificate, or in another order")
        if document["schema"] != SCHEMA:
            raise Wrong(f"it is of the version {document['schema']}, and this program reads {SCHEMA} (tmd export OLD.json --out NEW.json writes it so)")
        if not re.fullmatch(r"tmd \d+\.\d+\.\d+", document["program"]):
            raise Wrong(f"no version of tmd is called {document['program']!r}")
        self.format = Format(document["format"])
        # breakpoints are the numbers of this format: with a bit more where midpoints are among them
        self.midpoints = {"directed": False, "nearest": True, "all": True}[document["rounding"]]
        self.numbers = document["rounding"] != "nearest"
        self.grid = self.format.with_precision(self.format.p + self.midpoints)
        self.m = document["extra_bits"]
        self.function = Expression(document["function"])
        if type(self.m) is not int or self.m < 2:
            raise Wrong(f"{self.m} extra bits are no number of bits, or too few")
        if document["failures"]:
            raise Wrong("units failed")
        for region in document["regions"]:
            kind = region["class"]["is"]
            if set(region["class"]) != CLASSES[kind] | {"is"}:
                raise Wrong(f"a region that is {kind} has other fields")
            if "with" in region and kind != "searched":
                raise Wrong(f"a region that is {kind} was searched with another one")
            if set(region) - {"units", "with"} != {"first", "last", "arguments", "class"} or ("units" in region) != (kind == "searched"):
                raise Wrong("a region has other fields")
        if any(type(x) is not str for x in document["cases"]):
            raise Wrong("a case is more than an argument")
        for unit in document["units"]:
            if set(unit) - {"via", "refused"} != {"region", "first", "spacing", "arguments", "pieces", "domain_sizes", "budget", "phases", "cases",
                                       "exact", "undecided"} or [phase["name"] for phase in unit["phases"]] != PHASES:
                raise Wrong("a unit has other fields")
            refused = unit.get("refused", [])
            is_family = unit.get("via", {}).get("is") == "family"
            if (refused or is_family) and not (is_family and len(refused) == unit["phases"][2]["domains_in"]) or "refused" in unit and not refused or any(a >= b for a, b in itertools.pairwise([-1, *refused])):
                raise Wrong("a unit names other refused segments than it counts")

    def digest(self):
        computed = digest(self.text)
        if computed != self.document["digest"]:
            raise Wrong(f"it was changed: its digest is {computed}, not {self.document['digest']}")
        self.checked.append("the digest")

    def ordinal(self, text):
        place = self.format.ordinal(fraction(number(text)))
        if place is None:
            raise Wrong(f"{text} is no number of the format")
        return place

    def regions(self):
        """They are neighbors, and hold what was asked for."""
        format_, binades = self.format, self.document["binades"]
        self.parts, asked = [], 0
        for region in self.document["regions"]:
            first, last = self.ordinal(region["first"]), self.ordinal(region["last"])
            if first > last or region["arguments"] != last - first + 1:
                raise Wrong(f"the region from {region['first']} does not hold {region['arguments']} numbers")
            self.parts.append((first, last, region))
        if binades is None:
            most = format_.ordinal((2 - two_to(1 - format_.p)) * two_to(format_.emax))
            spans = [(-most, most)]
        else:
            low, high = (format_.ordinal(two_to(e)) if e <= format_.emax else None for e in binades)
            low, high = low, high if high is not None else format_.ordinal((2 - two_to(1 - format_.p)) * two_to(format_.emax)) + 1
            if low is None or low >= high:
                raise Wrong("no binades were asked for")
            # from the least number on, 0 is among them
            spans = [(1 - high, high - 1)] if low == 1 else [(1 - high, -low), (low, high - 1)]
        rest = iter(self.parts)
        for low, high in spans:
            at = low
            while at <= high:
                first, last, region = next(rest, (None, None, None))
                if first != at or last > high:
                    raise Wrong(f"a region should begin at {named(format_.at(at))}, and none that fits does")
                at = last + 1
            asked += high - low + 1
        if next(rest, None):
            raise Wrong("there are regions of what was not asked for")
        self.asked = asked
        self.starts = [first for first, _, _ in self.parts]
        self.checked.append(f"{len(self.parts)} regions: they hold all {asked} arguments that were asked for, once")

    def part(self, ordinal):
        index = bisect.bisect_right(self.starts, ordinal) - 1
        return index if index >= 0 and ordinal <= self.parts[index][1] else None

    def units(self):
        """They tile the regions that were searched, or the breakpoints next to their results, or
        the circle of the turns of their arguments."""
        by_region = {}
        for index, unit in enumerate(self.document["units"]):
            by_region.setdefault(unit["region"], []).append((index, unit))
        self.places = []      # (first, last, unit) by argument
        self.inverse = {}     # region: (breakpoints' first, last, unit) by breakpoint
        # region: (cells' first, last, unit) by cell; with another region, those of that one
        self.families = {}
        # region: first and last of its arguments that are searched by a family
        self.stretches = {}
        self.groups = {}      # binades above the least of a group, by region and size
        self.unplaced = set()  # regions of which this program cannot tell what their units hold
        self.roots = []       # (first, last, unit) by argument, of units whose cases follow from congruences
        self.counts = {"direct": 0, "inverse": 0, "family": 0, "beside": 0}
        unknown = {}
        for index, (first, last, region) in enumerate(self.parts):
            units = by_region.pop(index, [])
            if region["class"]["is"] != "searched":
                if units:
                    raise Wrong(f"there are units of the region from {region['first']}, which is not searched")
                continue
            if len(units) != region["units"]:
                raise Wrong(f"the region from {region['first']} has {len(units)} units, not {region['units']}")
            kind = (units[0][1].get("via") or {}).get("is") if units else None
            try:
                if "with" in region or kind == "family":
                    self.by_family(index, units)
                elif kind in (None, "congruences"):
                    places = self.held(self.format, units, kind)
                    if any(unit["exact"] > unit["arguments"] for _, unit in units if kind is None):
                        raise Wrong(f"units of the region from {region['first']} have more exact cases than arguments")
                    if self.gaps(places, first, last):
                        raise Wrong(f"the units of the region from {region['first']} do not hold all of it")
                    self.places += places
                    if kind is None:
                        self.counts["direct"] += len(places)
                    else:
                        self.roots += places
                elif kind != "inverse":
                    raise Wrong(f"units of the region from {region['first']} were searched by {kind}, whatever that is")
                else:
                    places = self.held(self.grid, units, kind)
                    if len(self.gaps(places, places[0][0], places[-1][1])):
                        raise Wrong(f"the units of the region from {region['first']} leave breakpoints out")
                    self.via(region, units, places)
                    self.inverse[index] = places
                    self.counts["inverse"] += len(places)
            except Unknown as reason:
                # what is in units of such a region, or of one that was searched with it, is not
                # counted
                self.unplaced |= {index, region.get("with", index)}
                unknown.setdefault(str(reason), []).append(region)
        if by_region:
            raise Wrong("there are units of regions that are not there")
        for reason, regions in unknown.items():
            others = f" (and of {len(regions) - 1} other regions)" if len(regions) > 1 else ""
            self.left.append(f"{regions[0]['first']} to {regions[0]['last']}{others}: {reason}")
        self.bounds()
        counts = self.counts
        sentence = f"{counts['direct']} units tile the arguments that were searched"
        if self.roots:
            sentence += f", and {len(self.roots)} those whose cases follow from congruences"
        if counts["inverse"]:
            sentence += f", and {counts['inverse']} the breakpoints next to results, where the inverse function was searched"
        if counts["family"]:
            sentence += f", and {counts['family']} the circle of the turns of arguments that were searched all at once"
        if counts["beside"]:
            sentence += f" (arguments of the same regions that are not among these are in {counts['beside']} units)"
        self.checked.append(sentence)

    def held(self, grid, units, kind=None):
        """The places of the numbers that units hold: (first, last, unit), in increasing order."""
        places = []
        for number_, unit in units:
            if (unit.get("via") or {}).get("is") != kind:
                raise Wrong(f"unit {number_} is of another kind than those before it")
            start, spacing = fraction(number(unit["first"])), unit["spacing"]
            a, b = (grid.ordinal(start + n * two_to(spacing)) for n in (0, unit["arguments"] - 1))
            is_one_spacing = None not in (a, b) and b - a == unit["arguments"] - 1 and spacing == grid.ulp(log2_floor(start) if start else grid.emin)
            if unit["arguments"] < 1 or not is_one_spacing:
                raise Wrong(f"unit {number_} does not hold what it says")
            if places and a <= places[-1][1]:
                raise Wrong(f"unit {number_} begins before the end of the one before")
            places.append((a, b, number_))
        return places

    @staticmethod
    def gaps(places, first, last):
        """What units leave out of the places from first to last: the first and the last of each
        gap."""
        if places and (places[0][0] < first or places[-1][1] > last):
            raise Wrong(f"unit {places[0][2]}, or one after it, holds what is not of its region")
        ends = [first - 1, *(b for _, b, _ in places)]
        starts = [*(a for a, _, _ in places), last + 1]
        return [(end + 1, start - 1) for end, start in zip(ends, starts) if end + 1 < start]

    def by_family(self, index, units):
        """Arguments of a region that are searched by a family, in units of this region or of the
        one it was searched with; and those of its others that are searched one by one. The family
        has what these leave, which is one stretch."""
        first, last, region = self.parts[index]
        leader = region.get("with", index)
        if leader != index:
            is_there = isinstance(leader, int) and 0 <= leader < index
            if is_there and leader in self.unplaced:
                raise Unknown(f"what the units of region {leader} hold, with which it was searched")
            if not is_there or leader not in self.families or "with" in self.parts[leader][2]:
                raise Wrong(f"the region from {region['first']} was searched with one that no family was searched in")
        of_family = [(number_, unit) for number_, unit in units if leader == index and (unit.get("via") or {}).get("is") == "family"]
        rest = units[len(of_family):]
        if of_family != units[:len(of_family)]:
            raise Wrong(f"units of a family come after others in the region from {region['first']}")
        places = self.held(self.format, rest)
        gaps = self.gaps(places, first, last)
        if len(gaps) != 1:
            what = "hold all of it, and leave none" if not gaps else "leave gaps, and not one stretch of arguments"
            raise Wrong(f"the units beside a family in the region from {region['first']} {what}")
        self.belongs(gaps[0])
        self.families[index] = self.circle(region, of_family) if leader == index else self.families[leader]
        self.stretches[index] = gaps[0]
        self.places += places
        self.counts["family"] += len(of_family)
        self.counts["beside"] += len(rest)

    def belongs(self, stretch):
        """Its arguments are of one family: of one spacing, with normal results, on whichever side
        of 0 (other stretches that are searched with it may have others, Theorem L.10 of
        docs/proofs/lattice3.md), or those of a logarithm; those of a relative are so large that
        what it differs by is no more than cases are from breakpoints (Lemma L.25)."""
        f, name, format_ = self.function, self.function.name, self.format
        if name not in FAMILIES:
            raise Unknown(f"that arguments of {f.text} may be searched all at once")
        first, last = stretch
        low, high = map(format_.at, stretch)
        where = f"from {named(low)} to {named(high)}"
        if first <= 0 <= last:
            raise Wrong(f"arguments {where} have no turns: 0 is among them")
        near, perturbation = RELATIVES.get(name, (name, f, None))[1:]
        ctx.prec = 256
        if FAMILIES[name] == "significands":
            # log 2x is next to 0 a binade lower
            shift = 1 if name in ("asinh", "acosh") else 0
            own = [log2_floor(x) + shift for x in (low, high)] if first > 0 else [0, 0]
            if any(e in (-1, 0) for e in own) or (own[0] < 0) != (own[1] < 0):
                raise Wrong(f"arguments {where} are not of a logarithm's family")
        elif len({format_.ulp(log2_floor(format_.at(place))) for place in stretch}) != 1:
            raise Wrong(f"arguments {where} have several spacings")
        elif FAMILIES[name] == "turns":
            values = [near(ball(x)) for x in (low, high)]
            if not all(ball(two_to(format_.emin)) <= y < ball(two_to(format_.emax + 1)) for y in values):
                raise Wrong(f"arguments {where} are searched by a family, and not all of their results are normal")
        if perturbation and not (first > 0 and self.off(low, Fraction(1)) <= ball(two_to(-self.m))):
            raise Wrong(f"arguments {where} are searched as those of another function, and are too small for that")

    def off(self, x, turn):
        """What a relative's values may differ by from those of the function with the family, from x
        on, in ulps of results: for exponentials, whose results are 2^turn times a power of two, or
        less than that."""
        near, perturbation = RELATIVES[self.function.name][1:]
        ctx.prec = 256 + 2 * abs(log2_floor(x))
        if FAMILIES[self.function.name] == "turns":
            power = (ball(turn) * arb.const_log2()).exp()
            return perturbation(ball(x)) * power * ball(two_to(self.format.p - 1))
        (m, e) = near(ball(x)).abs_lower().man_exp()
        return perturbation(ball(x)) / ball(two_to(self.format.ulp(int(m).bit_length() + int(e) - 1)))

    def circle(self, region, units):
        """The cells of the units hold the circle once."""
        start, end = CIRCLES[FAMILIES[self.function.name]]
        places, at = [], Fraction(start)
        for number_, unit in units:
            via = unit["via"]
            if set(via) - {"binades"} != {"is", "engine", "volume", "windows"} or via != units[0][1]["via"]:
                raise Wrong(f"the units of the region from {region['first']} are of several kinds")
            if not WALK.fullmatch(via["engine"]) or not 0 < via["volume"] or via["windows"] < 1:
                raise Wrong(f"nothing walks as unit {number_} says")
            # midpoints of a binade of results are none of those below
            may_group = FAMILIES[self.function.name] == "significands" and self.numbers
            if "binades" in via and not (may_group and 2 <= via["binades"] <= 8):
                raise Wrong(f"unit {number_} cannot have searched {via['binades']} binades of results together")
            first = fraction(number(unit["first"]))
            if unit["spacing"] != -TURN_BITS or first != at or unit["arguments"] < 1:
                raise Wrong(f"unit {number_} does not begin where the one before ends")
            at = first + unit["arguments"] * two_to(-TURN_BITS)
            places.append((int(first * two_to(TURN_BITS)), int(at * two_to(TURN_BITS)) - 1, number_))
        if at != end:
            raise Wrong(f"the units of the region from {region['first']} do not hold the whole circle")
        return places

    def bounds(self):
        """Of the error budgets: how near a breakpoint cases are, and what a relative differs by
        from the function that was searched."""
        for number_, unit in enumerate(self.document["units"]):
            via = unit.get("via") or {}
            bits = via["extra_bits"] if via.get("is") == "inverse" else self.m
            more = self.together(unit["region"], via) if "binades" in via and unit["region"] not in self.unplaced else 0
            if unit["pieces"] and not unit["budget"]["tolerance"] >= 2.0 ** (more - bits):
                raise Wrong(f"unit {number_} searched closer to breakpoints than 2^-{bits} ulp")
        if self.function.name not in RELATIVES:
            return
        recut = 0
        for leader, places in self.families.items():
            region = self.parts[leader][2]
            if "with" in region or leader in self.unplaced:
                continue
            stretches = [stretch for index, stretch in self.stretches.items() if self.parts[index][2].get("with", index) == leader]
            least = self.format.at(min(first for first, _ in stretches))
            for first, last, number_ in places:
                unit = self.document["units"][number_]
                if unit["phases"][2]["domains_in"] or not unit["pieces"]:
                    recut += 1
                    continue
                low, high = first * two_to(-TURN_BITS), (last + 1) * two_to(-TURN_BITS)
                x = least
                if FAMILIES[self.function.name] == "significands":
                    # the least argument of the unit, or one below that is of no unit
                    power = two_to(log2_floor(least) + 1)
                    x = low * power if least <= low * power else least if least < high * power else 2 * low * power
                needed = self.off(x, high).lower()
                if not needed <= arb(unit["budget"]["coefficients"]):
                    raise Wrong(f"the error budget of unit {number_} is too small: {self.function.text} differs by {float(needed):.3g} ulp from the function "
                                "that has the family")
        if recut:
            self.left.append(f"the perturbation in the budgets of {recut} units where the walk refused segments, or had none")

    def together(self, leader, via):
        """How many binades of results are above the least of their group, in the largest group, of
        a logarithm: at most so many as the units say, from the largest results down, where eps is
        small beside the height of windows. Doubles are near enough for that."""
        key = leader, via["binades"], via["volume"]
        if key in self.groups:
            return self.groups[key]
        # 2x has the exponents of x and one more; x = 2^i t with 1/2 <= t < 1
        more = 2 if self.function.name in ("asinh", "acosh") else 1
        stretches = []
        for index, stretch in sorted(self.stretches.items()):
            if self.parts[index][2].get("with", index) == leader:
                first, last = (log2_floor(self.format.at(place)) + more for place in stretch)
                if stretches and stretches[-1][1] + 1 >= first:
                    stretches[-1][1] = last
                else:
                    stretches.append([first, last])
        ctx.prec = 256
        period, curvature = arb.const_log2(), 1.0
        if self.function.name in ("log10", "log10p1"):
            period, curvature = period / arb.const_log10(), 1 / math.log(10)
        whole = lambda x: int(x.floor().unique_fmpz())
        floor_log2 = lambda x: next(e for e in range(-8, 64) if x < arb(2) ** (e + 1))
        most = max(abs(i) for pair in stretches for i in pair) + 1
        bottom, greatest, p = floor_log2(period), floor_log2(most * period) + 1, self.format.p

        def spans(least, more):
            near, far = whole(arb(2) ** least / period) - 2, whole(arb(2) ** (least + more + 1) / period) + 3
            both = [pair for first, last in stretches
                    for pair in ((max(near, 2, first), min(far, last)), (max(-far, first), min(-near, -1, last))) if pair[0] <= pair[1]]
            if more and len(both) == 2:
                below, above = sorted(both)
                longest = max(last - first + 1 for first, last in both)
                if below[1] < 0 < above[0] and above[1] - below[0] + 1 <= 2.5 * longest:
                    return [(below[0], above[1])]
            return both

        def is_fine(least, more):
            half_of = max((last - first + 1 for first, last in spans(least, more)), default=0) / 2
            if not half_of:
                return False
            scale = (1 if self.midpoints else 0) - self.format.ulp(least)
            points = via["volume"] * 2.0 ** -p
            half = (points / (2 * half_of * curvature * 2.0 ** scale)) ** (1 / 3)
            eps = 2.0 ** ((1 if self.midpoints else 0) - self.m)
            return eps * 2.0 ** more <= 0.75 / 8192 * (points / (8 * half_of * half))
        widest = 0
        while greatest >= bottom:
            if not spans(greatest, 0):
                greatest -= 1
                continue
            sizes = range(min(via["binades"] - 1, greatest - bottom), 0, -1)
            more = next((more for more in sizes if is_fine(greatest - more, more)), 0)
            widest = max(widest, more)
            greatest -= more + 1
        self.groups[key] = widest
        return widest

    def cell(self, x):
        """The cell of an argument's turn: of x/L mod 1, L being the quasi-period, folded to [0,
        1/2] where the function is even or odd."""
        name = self.function.name
        if FAMILIES[name] == "significands":
            return int(x / two_to(log2_floor(x) + 1 - TURN_BITS))
        is_folded = FAMILIES[name] == "folded"
        ctx.prec = 128 + abs(log2_floor(x))
        while ctx.prec <= MOST_PRECISION:
            period = arb.pi() if is_folded else arb.const_log2()
            if RELATIVES.get(name, [name])[0] == "exp10":
                period /= arb.const_log10()
            turn = ball(x) / period
            whole = turn.floor().unique_fmpz()
            if whole is not None:
                turn -= whole
                if is_folded:
                    turn = turn if turn < 0.5 else 1 - turn if turn > 0.5 else None
                if turn is not None:
                    cell = (turn * 2 ** TURN_BITS).floor().unique_fmpz()
                    if cell is not None:
                        return int(cell)
            ctx.prec *= 2
        raise Wrong(f"{named(x)}: its turn is too near the end of a cell")

    def via(self, region, units, places):
        """The breakpoints hold those next to all results; m' is small enough: |g'|·2^-m·ulp(f) ≤
        2^-m'·ulp(x)."""
        f, name = self.function, self.function.name
        ends = [fraction(number(region[end])) for end in ("first", "last")]
        direction = self.direction(*ends)
        if ends[0] * ends[1] <= 0 or len({self.format.ulp(log2_floor(x)) for x in ends}) != 1:
            raise Wrong(f"the region from {region['first']} has several spacings, and its inverse was searched")
        if direction is None or name not in INVERSES:
            raise Unknown(f"that {f.text} may be searched by its inverse")
        ctx.prec = 256
        values = [f(ball(x)) for x in ends][::direction]
        if not (ball(self.grid.at(places[0][0])) <= values[0] and values[1] <= ball(self.grid.at(places[-1][1]))):
            raise Wrong(f"results of the region from {region['first']} are beyond the breakpoints of its units")
        for (number_, unit), (first, last, _) in zip(units, places):
            via = unit["via"]
            if via["is"] != "inverse" or via["function"] != f"{INVERSES[name]}(x)":
                raise Wrong(f"unit {number_} searched {via['function']}, which is not the inverse of {f.text}")
            if via["extra_bits"] == 0:
                # arguments next to each breakpoint were looked at, whatever their number
                continue
            low, high = self.grid.at(first), self.grid.at(last)
            exponent = max(log2_floor(y) if y else self.format.emin for y in (low, high))
            ulp = self.format.ulp(exponent)
            reach = two_to(ulp - self.m)
            least = min(log2_floor(x * (1 - two_to(-self.format.p))) for x in ends)
            steepest = ball(two_to(self.format.ulp(least) - via["extra_bits"]) / reach)
            if not is_at_most(Expression(via["function"]), low - reach, high + reach, steepest):
                raise Wrong(f"unit {number_} searched closer than {via['extra_bits']} bits of the inverse allow")

    def direction(self, low, high):
        """+1 or -1 where the function is monotone from low to high; None if this program does not
        know."""
        name = self.function.name
        if name in INCREASING:
            return 1
        if name in DECREASING:
            return -1 if name != "rsqrt" or low > 0 else None
        for start, end, direction in MONOTONE.get(name, []):
            if (start is None or start <= low) and (end is None or high <= end):
                return direction
        return None

    def lists(self):
        """Lists are in order, and units count what they hold."""
        document = self.document
        counts = [dict(cases=0, exact=0, undecided=0) for _ in document["units"]]
        self.case_at = {}
        for what, key in (("cases", "cases"), ("exact_cases", "exact"), ("undecided", "undecided")):
            before = None
            for listed in document[what]:
                x = listed if what == "cases" else listed["x"]
                place = self.ordinal(x)
                if before is not None and place <= before:
                    raise Wrong(f"{x} is not after the one before it in the list of {what}")
                before = place
                region = self.part(place)
                if region is None:
                    raise Wrong(f"{x} was not asked for")
                if what == "cases":
                    if self.parts[region][2]["class"]["is"] == "mirrored":
                        raise Wrong(f"{x} follows from the case at the other sign, and is in the list")
                    self.case_at[place] = x
                if region in self.unplaced:
                    continue
                if region in self.inverse:
                    y = {"cases": lambda: self.breakpoint(x), "exact_cases": lambda: fraction(number(listed["value"]))}.get(what)
                    unit = unit_of(self.inverse[region], y and self.grid.ordinal(y()))
                elif region in self.families and self.stretches[region][0] <= place <= self.stretches[region][1]:
                    unit = unit_of(self.families[region], self.cell(self.format.at(place)))
                else:
                    unit = unit_of(self.places, place)
                    if unit is None and self.parts[region][2]["class"]["is"] in ("mirrored", "translated"):
                        continue
                if unit is None:
                    raise Wrong(f"{x} is in no unit, and follows from nothing")
                counts[unit][key] += 1
        # those at the other sign
        for place in list(self.case_at):
            region = self.part(-place)
            if region is not None and self.parts[region][2]["class"]["is"] == "mirrored":
                self.case_at[-place] = None
        exact = sum(unit["exact"] for unit in document["units"])
        # congruences tell how many there are
        is_left_out = not document["exact_cases"] and exact > (MOST_EXACT if self.roots else MOST_EXACT // 2)
        if is_left_out and len(self.roots) < len(document["units"]):
            self.left.append(f"the {exact} exact cases, which are too many to be listed")
        for index, (unit, count) in enumerate(zip(document["units"], counts)):
            for key in ("cases", "exact", "undecided"):
                if unit[key] != count[key] and not (key == "exact" and is_left_out) and unit["region"] not in self.unplaced:
                    raise Wrong(f"unit {index} counts {unit[key]} {key}, and the list has {count[key]}")
        self.checked.append(f"{len(self.case_at)} cases and {len(document['exact_cases'])} exact cases: in order, as many as the units count"
                            + (f" of all regions but {len(self.unplaced)}" if self.unplaced else ""))

    def congruences(self):
        """All cases of square roots. With x = X 2^e, a breakpoint y = M 2^s and K = e - 2s it is
        y^2 - x = (M^2 - X 2^K) 2^2s: so the cases of each integer D = M^2 - X 2^K are among the
        roots M of D modulo 2^K, and |D| = |sqrt(x) - y| (sqrt(x) + y) / 2^2s is small. Nothing but
        integers is needed to find them all."""
        for first, last, number_ in self.roots:
            unit = self.document["units"][number_]
            if self.function.root not in SQUARE_ROOTS:
                raise Wrong(f"unit {number_} has congruences, and {self.function.text} is no square root")
            low, high = self.format.at(first), self.format.at(last)
            binade = log2_floor(low) // 2
            s, e = self.format.ulp(binade) - 1, unit["spacing"]
            modulus = e - 2 * s
            if low <= 0 or log2_floor(high) // 2 != binade or not self.format.emin <= binade <= self.format.emax or modulus < 1:
                raise Wrong(f"unit {number_} has results of several binades, and congruences are of one")
            # |sqrt(x) - y| < 2^-m 2^(s+1), and sqrt(x) and y are at most 2^(binade + 1)
            most = math.ceil(two_to(binade + 3 - s - self.m)) - 1
            # a D that 2^K divides has far more roots, and more D than these are not asked for
            if most >= 1 << min(MOST_REMAINDERS, modulus):
                raise Wrong(f"unit {number_} would have {most} remainders modulo 2^{modulus}, more than congruences are solved with")
            if repr(unit["via"]) != repr({"is": "congruences", "modulus": modulus, "remainders": most}):
                raise Wrong(f"unit {number_} has the congruences {unit['via']}, where they should be modulo 2^{modulus}, with remainders up to {most}")
            start, end = (int(x / two_to(e)) for x in (low, high))
            delta, cases = two_to(s + 1 - self.m), set()
            for d in range(-most, most + 1):
                if d == 0:
                    continue
                near, far = (math.isqrt((x << modulus) + d) for x in (start, end))
                for root in square_roots(d, modulus):
                    for m in range(near + (root - near) % (1 << modulus), far + 1, 1 << modulus):
                        x, y = Fraction(m * m - d >> modulus) * two_to(e), m * two_to(s)
                        is_asked = self.midpoints if m % 2 else self.numbers
                        if is_asked and low <= x <= high and (y - delta) ** 2 < x < (y + delta) ** 2:
                            cases.add(self.format.ordinal(x))
            listed = {place for place in self.case_at if first <= place <= last}
            if cases != listed:
                place = min(cases ^ listed)
                what = "is missing" if place in cases else "is none"
                raise Wrong(f"the case at {named(self.format.at(place))} {what}, by congruences")
            # M^2 = X 2^K: so 2^(K/2) divides M
            step = modulus + 1 >> 1
            above = lambda x: -(-(math.isqrt((x << modulus) - 1) + 1) >> step)
            exact = above(end + 1) - above(start) if self.numbers else 0
            if unit["exact"] != exact or unit["undecided"]:
                raise Wrong(f"unit {number_} counts {unit['exact']} exact cases and {unit['undecided']} undecided arguments, where there are {exact} and none")
            # nothing was searched
            *searches, confirmed = ([phase[key] for key in ("domains_in", "domains_out", "arguments_in")] for phase in unit["phases"])
            if (unit["pieces"], unit["domain_sizes"], set(unit["budget"].values())) != (0, [0, 0], {0.0}) or any(map(any, searches)):
                raise Wrong(f"unit {number_} has pieces, a budget or phases of a search, and congruences have none")
            found, listed = confirmed[0], unit["cases"] + unit["exact"]
            if confirmed[2] != found or found < listed or confirmed[1] != listed:
                raise Wrong(f"unit {number_} has {confirmed} confirmed, and {listed} cases and exact cases")
        if self.roots:
            self.checked.append(f"the congruences of {len(self.roots)} units solved: their lists have all cases, and they count all exact ones")

    def locate(self, x):
        """(exponent of the result, nearest multiple of ulp/2, |distance| as a ball in ulps, sign),
        from an enclosure that leaves no doubt."""
        ctx.prec = 2 * self.format.p + self.m + 40
        while ctx.prec <= MOST_PRECISION:
            y = self.function(ball(x))
            if y.is_finite() and not y.contains(0):
                low, high = y.abs_lower(), y.abs_upper()
                (ml, el), (mh, eh) = low.man_exp(), high.man_exp()
                exponent = int(ml).bit_length() + int(el) - 1
                if exponent == int(mh).bit_length() + int(eh) - 1:
                    exponent = max(exponent, self.format.emin)
                    halves = y * ball(two_to(1 - self.format.ulp(exponent)))
                    if not self.midpoints:
                        nearest = (halves / 2 + ball(Fraction(1, 2))).floor() * 2
                    elif not self.numbers:
                        nearest = (halves / 2).floor() * 2 + 1
                    else:
                        nearest = (halves + ball(Fraction(1, 2))).floor()
                    unique = nearest.unique_fmpz()
                    if unique is not None:
                        distance = (halves - unique) / 2
                        if distance > 0 or distance < 0:
                            if float(distance.rad()) < 2.0 ** -40 * float(abs(distance).mid()):
                                return exponent, int(unique), abs(distance), 1 if distance > 0 else -1
            ctx.prec *= 2
        raise Wrong(f"{named(x)}: its result is too near a breakpoint to be told apart")

    def breakpoint(self, text):
        """The one next to f(x)."""
        exponent, nearest, _, _ = self.locate(fraction(number(text)))
        return nearest * two_to(self.format.ulp(exponent)) / 2

    def row_is_true(self, x, row):
        """Whether all that a list says of a case is what Arb says."""
        exponent, nearest, distance, sign = self.locate(x)
        ulp = two_to(self.format.ulp(exponent))
        bits = -(distance.log() / arb.const_log2())
        identical = bits.floor().unique_fmpz()
        base = {"exp2m1": 2, "exp10m1": 10}.get(self.function.name)
        if identical is None and base and x.denominator == 1 and 0 <= x < 2048:
            # 2^n - 1 may be a power of two from a breakpoint: no enclosure tells that, and the
            # integer does
            off = abs(Fraction(base) ** int(x) - 1 - nearest * ulp / 2) / ulp
            identical = -log2_floor(off) - (off != two_to(log2_floor(off)))
        # where the distance is a power of two no enclosure tells on which side of it, and both are
        # taken for true
        may = {int(identical)} if identical is not None else self.floors(x, exponent, nearest)
        said = {
            "near a breakpoint": distance < ball(two_to(-self.m)),
            "kind": row["kind"] == ("midpoint" if nearest % 2 else "number"),
            "sign": row["sign"] == ("+" if sign > 0 else "-"),
            "log2_dist": abs(-bits - arb(row["log2_dist"])) < arb("0.0000501"),
            "identical_bits": int(row["identical_bits"]) + 1 in may,
            "breakpoint": fraction(number(row["breakpoint"])) == nearest * ulp / 2,
        }
        false = [what for what, holds in said.items() if not holds]
        if false:
            raise Wrong(f"{row['x']} is no such case, by {', '.join(false)}")

    def floors(self, x, exponent, nearest):
        """⌊-log2 of the distance⌋ as far as the longest enclosure tells: an integer, or two."""
        while ctx.prec <= MOST_PRECISION:
            ctx.prec *= 2
            distance = abs(self.function(ball(x)) * ball(two_to(1 - self.format.ulp(exponent))) - nearest) / 2
            bits = -(distance.log() / arb.const_log2())
            if bits.floor().unique_fmpz() is not None:
                break
        ends = [int(end.floor().unique_fmpz()) for end in (bits.lower(), bits.upper())]
        return set(ends) if ends[1] - ends[0] <= 1 else set()

    def cases(self):
        # those that are listed; of a function whose parity is not known by its name all
        asked = [place for place, x in self.case_at.items() if x is not None or self.function.name is None]
        for place in asked:
            _, _, distance, _ = self.locate(self.format.at(place))
            if not distance < ball(two_to(-self.m)):
                raise Wrong(f"{named(self.format.at(place))} is no case: its result is not near a breakpoint")
            self.bits[place] = float(-(distance.log() / arb.const_log2()))
            if self.case_at.get(-place, "") is None:
                self.bits[-place] = self.bits[place]
        self.checked.append(f"{len(asked)} cases: near a breakpoint, and not at it, by Arb's enclosures")

    def rows(self, name, text):
        """A table of the hardest cases of each binade that was made of the certificate: each is a
        case, of the list or behind a rule, with this kind, sign, distance, identical bits and
        breakpoint, and no case of the list is harder than those of its binade."""
        document, rules, table = self.document, self.document["rules"], csv.DictReader(text.splitlines(), strict=True)
        same = {"function": document["function"], "format": document["format"]["name"], "rounding": document["rounding"],
                "extra_bits": str(document["extra_bits"]), "digest": document["digest"]}
        columns = ["sign_of_x", "binade", "rank", "x", "kind", "stands_for", "sign", "log2_dist", "identical_bits", "breakpoint"]
        names = table.fieldnames or []
        if names[:len(columns)] != columns or names[len(columns):] not in ([], [*list(same)[:4], "state", "digest"]):
            self.left.append(f"{name}, which is no table of the hardest cases of each binade")
            return
        is_expanded, places = sum(max(rule["last"] - rule["first"], 0) for rule in rules) <= MOST_EXPANDED, set(self.case_at)
        if is_expanded:
            for rule in rules:
                places.update(self.row(rule, fraction(number(rule["anchor"]))))
        else:
            self.left.append(f"that the certificate has the cases of {name}: its rules stand for too many")
        count, of_binade = 0, {}
        for row in table:
            if any(row[column] != value for column, value in same.items() if column in names) or None in row or None in row.values():
                raise Wrong(f"{name} was made of another certificate: {row}")
            place = self.ordinal(row["x"])
            if is_expanded and place not in places:
                raise Wrong(f"{name} has {row['x']}, which is no case of the certificate")
            x = self.format.at(place)
            self.row_is_true(x, row)
            here = of_binade.setdefault((x > 0, log2_floor(abs(x))), [])
            here.append((place, float(row["log2_dist"])))
            if (row["sign_of_x"], row["binade"], row["rank"]) != ("+" if x > 0 else "-", str(log2_floor(abs(x))), str(len(here))):
                raise Wrong(f"{name} has {row['x']} at another place than its own")
            if len(here) > 1 and here[-2][1] > here[-1][1]:
                raise Wrong(f"{name} has {row['x']} after one that is less hard")
            count += 1
        for place, bits in self.bits.items():
            if place in places:
                x = self.format.at(place)
                here = of_binade.get((x > 0, log2_floor(abs(x))), [])
                if all(place != other for other, _ in here) and not (here and here[-1][1] <= 1e-4 - bits):
                    raise Wrong(f"{name} lacks {named(x)}, which is as hard as what it has of that binade")
        self.checked.append(f"{count} rows of {name}: cases{' of the certificate' if is_expanded else ''}, the hardest of each binade; "
                            "kind, side, distance, bits and breakpoint by Arb's enclosures")

    def exact_cases(self):
        for case in self.document["exact_cases"]:
            x, value = fraction(number(case["x"])), fraction(number(case["value"]))
            if self.grid.ordinal(value) is None or not self.is_value(x, value) or case["kind"] != self.kind(value):
                raise Wrong(f"{case['x']} has no exact result {case['value']}")
        places = {self.ordinal(case["x"]) for case in self.document["exact_cases"]}
        is_mirrored = lambda place: (index := self.part(place)) is not None and self.parts[index][2]["class"]["is"] == "mirrored"
        for place in places:
            if -place not in places and (is_mirrored(place) or is_mirrored(-place)):
                raise Wrong(f"{named(self.format.at(place))} has an exact result, and the number of the other sign is not in the list")
        if self.document["exact_cases"]:
            self.checked.append(f"{len(self.document['exact_cases'])} exact cases: they agree to 1,000 bits (that they are exact is theory)")
        if self.document["undecided"]:
            self.left.append(f"{len(self.document['undecided'])} undecided arguments")

    def is_value(self, x, value):
        """Whether f(x) is this to 1,000 bits."""
        ctx.prec = 1200
        error = self.function(ball(x)) - ball(value)
        return error.contains(0) and abs(error) < ball(two_to(-1000) * (abs(value) or 1))

    def kind(self, value):
        return "midpoint" if self.format.ordinal(value) is None else "number"

    # what follows by symmetry

    def image(self, rule, y, n):
        """What a rule's integer n makes of an argument, and its case's breakpoint of itself."""
        step = rule["step"]
        x = y + n if step["is"] == "addend" else two_to(step["argument"] * n) * y
        return -x if rule.get("mirrored") else x

    def row(self, rule, y):
        """The places of a rule's images, first to last."""
        numbers, step = range(rule["first"], rule["last"] + 1), rule["step"]
        if step["is"] == "addend":
            yield from (self.format.ordinal(self.image(rule, y, n)) for n in numbers)
        else:
            yield from self.format.scaled(-y if rule.get("mirrored") else y, (step["argument"] * n for n in numbers))

    def translations(self):
        """How the function repeats itself, by what the regions say; the rules next to 0."""
        name = self.function.name
        rules = {region["class"]["rule"] for _, _, region in self.parts if region["class"]["is"] == "translated"}
        nears = {rule for rule in rules if NEAR.fullmatch(rule)}
        larges = {rule for rule in rules if name in LARGE and LARGE[name].fullmatch(rule)}
        rules -= nears | larges
        if rules and rules != {TRANSLATIONS.get(name)}:
            raise Unknown(f"that {self.function.text} repeats itself: {rules}") if name is None else Wrong(f"it repeats otherwise than {rules}")
        self.exact_translation, self.near, self.large = next(iter(rules), None), None, None
        if len(nears) > 1 or len(larges) > 1:
            raise Wrong(f"it nearly repeats itself in two ways: {nears | larges}")
        for rule in larges:
            self.large = int(LARGE[name].fullmatch(rule).group(1))
            self.at_large(rule)
        for rule in nears:
            self.near = tuple(int(bound) for bound in NEAR.fullmatch(rule).groups())
        return nears

    def follow(self):
        """Every case leads to its images, and every image is one: in the list, or behind a rule."""
        kinds = {region["class"]["is"] for _, _, region in self.parts}
        name = self.function.name
        if "mirrored" in kinds:
            parities = {region["class"]["parity"] for _, _, region in self.parts if region["class"]["is"] == "mirrored"}
            if parities != ({"odd"} if name in ODD else {"even"} if name in EVEN else None):
                raise Unknown(f"that {self.function.text} is {' and '.join(sorted(parities))}") if name is None else Wrong("it has another parity")
        for rule in self.translations():
            self.near_zero(rule)
        if not kinds & {"mirrored", "translated"}:
            if self.document["rules"]:
                raise Wrong("there are rules where nothing repeats")
            return
        self.origins()
        listed = {place for place in self.case_at if self.parts[self.part(place)][2]["class"]["is"] in ("mirrored", "translated")}
        searched = [place for place in self.case_at if place not in listed]
        said, total = set(listed), sum(rule["last"] - rule["first"] + 1 for rule in self.document["rules"])
        if total > self.asked:
            raise Wrong(f"rules stand for {total} cases of {self.asked} arguments")
        if self.scales and self.follow_by_scale(searched, listed, total):
            return
        steps, parity = self.steps(), "odd" if name in ODD else "even" if name in EVEN else None
        span = self.format.emax - self.format.emin + self.format.p
        for rule in self.document["rules"]:
            if rule["step"] not in steps or rule.get("mirrored") not in (None, parity) or set(rule) - {"mirrored"} != {"anchor", "step", "first", "last"}:
                raise Wrong(f"a rule about {rule['anchor']} says what the function does not do")
            y = fraction(number(rule["anchor"]))
            if rule["first"] > rule["last"] or self.format.ordinal(y) not in self.case_at:
                raise Wrong(f"a rule about {rule['anchor']} is about no case")
            for n in (rule["first"], rule["last"]):
                is_far = rule["step"]["is"] == "factor" and abs(n * rule["step"]["argument"]) > span
                place = None if is_far else self.format.ordinal(self.image(rule, y, n))
                if place is None or self.part(place) is None:
                    raise Wrong(f"the image of {rule['anchor']} by {n} is no number that was asked for")
        if total > MOST_EXPANDED:
            raise Unknown(f"{total} cases behind rules: more than are looked at one by one")
        for rule in self.document["rules"]:
            y = fraction(number(rule["anchor"]))
            for n, place in zip(range(rule["first"], rule["last"] + 1), self.row(rule, y)):
                if place is None or place in said or place in self.case_at or self.part(place) is None:
                    raise Wrong(f"the image of {rule['anchor']} by {n} is no number, or there twice")
                said.add(place)
            for n in {rule["first"], (rule["first"] + rule["last"]) // 2, rule["last"]}:
                x = self.image(rule, y, n)
                _, _, distance, _ = self.locate(x)
                if not distance < ball(two_to(-self.m)):
                    raise Wrong(f"the image of {rule['anchor']} by {n} is no case")
        # beyond all translated arguments
        ends = [max(abs(first), abs(last)) for first, last, region in self.parts if region["class"]["is"] == "translated"]
        self.farthest = int(self.format.at(max(ends, default=0))) + 1
        due = set()
        for place in searched:
            due.update(self.images(place))
        for place in due ^ said:
            what = "follows, and is not there" if place in due else "follows from nothing that was searched"
            raise Wrong(f"{named(self.format.at(place))} {what}")
        self.checked.append(f"{len(due)} cases that follow by symmetry: these and no others are in the list and behind {len(self.document['rules'])} rules")

    def origins(self):
        """Every region that follows does so from one that does not, in a few steps."""
        self.origin = {}
        format_ = self.format
        # binades of which more than the power of two is no translation, by sign
        self.bases = {sign: [e for e in range(format_.emin, format_.emax + 1)
                             if (index := self.part(sign * (format_.ordinal(two_to(e)) + 1))) is not None
                             and self.parts[index][2]["class"]["is"] != "translated"] for sign in (1, -1)}
        for first, last, region in self.parts:
            kind = region["class"]["is"]
            if kind in ("mirrored", "translated") and not self.stands(first, last, MOST_STEPS):
                raise Wrong(f"{region['first']} to {region['last']} follows from arguments that do not stand for themselves")
            # 2 f(x): in units of its ulp only where it is normal, which it is above its least
            if kind == "translated" and region["class"]["rule"] == TRANSLATIONS["exp2"] and self.function.name == "exp2":
                ctx.prec = 300
                if self.function(ball(format_.at(first))) < ball(two_to(format_.emin)):
                    raise Wrong(f"{region['first']} has a result that is not normal, and follows from nothing")
        self.checked.append("what follows does so from arguments that stand for themselves")

    def stands(self, first, last, steps):
        """Whether all numbers between two places follow from regions that are neither mirrored nor
        translated, in so many steps at most."""
        known = self.origin.get((first, last))
        if known is not None and (known or steps <= 1):
            return known
        at = first
        holds = True
        while at <= last and holds:
            index = self.part(at)
            if index is None:
                holds = False
                break
            _, end, region = self.parts[index]
            end = min(end, last)
            if region["class"]["is"] in ("refused", "out-of-reach"):
                holds = False
            if region["class"]["is"] in ("mirrored", "translated"):
                holds = steps > 0 and all(any(self.stands(*source, steps - 1) for source in sources)
                                          for sources in self.sources(at, end, region["class"]))
            at = end + 1
        self.origin[first, last] = holds
        return holds

    def sources(self, first, last, class_):
        """What numbers of a region follow from: for each part of them some pairs of places, between
        any of which they all have one."""
        format_ = self.format
        if class_["is"] == "mirrored":
            yield [(-last, -first)]
            return
        rule = class_["rule"]
        if first <= 0 <= last:
            yield []
            return
        if rule.startswith("f(x + 1)"):
            low, high = format_.at(first), format_.at(last)
            if self.large is not None:
                n = low.numerator // low.denominator - self.large
                yield [(format_.ordinal(low - n), format_.ordinal(high - n))]
                return
            half = Fraction(1, 2)
            n = (low + half).numerator // (low + half).denominator
            end, top = format_.ordinal(half), n + half
            if high < top or high == top and low > n - half:
                # one step; 1/2 and -1/2 may stand for each other
                if low == n - half:
                    yield [(place, place) for place in (end, -end) if place != first]
                    if first == last:
                        return
                    low = format_.at(first + 1)
                yield [(format_.ordinal(low - n), format_.ordinal(high - n))] if n else []
            else:
                # multiples of the spacing of the least of them
                spacing = two_to(format_.ulp(log2_floor(min(abs(low), abs(high)))))
                yield [(0, 0)]
                if spacing <= half:
                    near = format_.ordinal(spacing)
                    if spacing < half:
                        yield [(near, end - 1)]
                        yield [(1 - end, -near)]
                    yield [(end, end), (-end, -end)]
            return
        sign = 1 if first > 0 else -1
        low, high = sorted((abs(first), abs(last)))
        while low <= high:
            x = format_.at(low)
            e = log2_floor(x)
            end = min(high, format_.ordinal(two_to(e + 1)) - 1) if e < format_.emax else high
            y = format_.at(end)
            if self.large is not None and rule.startswith("f(2 x) ~"):
                targets = [1 << (e.bit_length() - 1)] if e > 0 else []
            elif NEAR.fullmatch(rule):
                targets = [self.near[1]]
            elif rule.startswith("f(2 x)"):
                size = lambda k: max(k, -k - 1).bit_length()
                # integers up to these are multiples of the results' ulp
                targets = [k for k in self.bases[sign] if size(k) == size(e)] if 0 < size(e) <= format_.p else []
            else:
                targets = [k for k in self.bases[sign] if (k - e) % int(rule[4]) == 0]
            places = [sorted(sign * format_.ordinal(end * two_to(k - e)) for end in (x, y)) for k in targets if k != e]
            yield [tuple(ends) for ends in places]
            low = end + 1

    def follow_by_scale(self, searched, listed, total):
        """The same where powers of 2^r scale the function, as intervals of exponents for each case
        that was searched: images of roots are millions. Whether it is so."""
        match = re.fullmatch(r"f\(2\^(\d+) x\) = 2\^(-?\d+) f\(x\)", self.exact_translation or "")
        if not match or self.near or self.large:
            return False
        format_, (ratio, result) = self.format, map(int, match.groups())
        step = {"is": "factor", "argument": ratio, "result": result}
        signs = (1, -1) if self.function.name in ODD | EVEN else (1,)

        def scales(y):
            """The odd part of a number, and log2 of the rest."""
            twos = (y.numerator & -y.numerator).bit_length() - 1 - (y.denominator.bit_length() - 1)
            return abs(y) / two_to(twos), twos

        # the least n for which y 2^(ratio n) is as large as this, and the greatest for which it is
        # no larger
        def bounds(y, low, high):
            e = log2_floor(y)
            near, far = -((e - log2_floor(low)) // ratio) - 1, (log2_floor(high) - e) // ratio + 1
            while abs(y) * two_to(ratio * near) < low:
                near += 1
            while abs(y) * two_to(ratio * far) > high:
                far -= 1
            return near, far

        others = {sign: [sorted((abs(format_.at(first)), abs(format_.at(last)))) for first, last, region in self.parts
                         if first * sign > 0 and last * sign > 0 and region["class"]["is"] not in ("mirrored", "translated")] for sign in signs}
        anchors, due, said = {}, {}, {}
        for place in searched:
            y = format_.at(place)
            odd, twos = scales(y)
            if (odd, twos % ratio) in anchors or y < 0 and len(signs) > 1:
                return False
            anchors[odd, twos % ratio] = y
            least = format_.emin - format_.p + 1
            for sign in signs:
                side = sign if y > 0 else -sign
                # all powers with which it is a number of the format, but for those of other regions
                near, far = -((twos - least) // ratio), (format_.emax - log2_floor(y)) // ratio
                here = [(near, far)]
                for low, high in others.get(side, []):
                    a, b = bounds(y, low, high)
                    here = [(c, d) for start, end in here for c, d in ((start, min(end, a - 1)), (max(start, b + 1), end)) if c <= d] if a <= b else here
                due[y, sign] = here
        def say(y, sign, first, last):
            said.setdefault((y, sign), []).append((first, last))
        for place in listed:
            x = format_.at(place)
            odd, twos = scales(x)
            y = anchors.get((odd, twos % ratio))
            if y is None:
                raise Wrong(f"{named(x)} follows from nothing that was searched")
            n = (twos - scales(y)[1]) // ratio
            say(y, 1 if (x > 0) == (y > 0) else -1, n, n)
        for rule in self.document["rules"]:
            y = fraction(number(rule["anchor"]))
            if rule["step"] != step or rule.get("mirrored") and len(signs) == 1 or rule["first"] > rule["last"] or anchors.get((scales(y)[0], scales(y)[1] % ratio)) != y:
                raise Wrong(f"a rule about {rule['anchor']} is about no case, or of another step")
            say(y, -1 if rule.get("mirrored") else 1, rule["first"], rule["last"])
            for n in {rule["first"], (rule["first"] + rule["last"]) // 2, rule["last"]}:
                x = self.image(rule, y, n)
                if format_.ordinal(x) is None:
                    raise Wrong(f"the image of {rule['anchor']} by {n} is no number")
                _, _, distance, _ = self.locate(x)
                if not distance < ball(two_to(-self.m)):
                    raise Wrong(f"the image of {rule['anchor']} by {n} is no case")
        for key in due | said:
            merged = []
            for first, last in sorted(said.get(key, [])):
                if merged and first <= merged[-1][1]:
                    raise Wrong(f"images of {named(key[0])} are there twice")
                if merged and first == merged[-1][1] + 1:
                    merged[-1] = (merged[-1][0], last)
                else:
                    merged.append((first, last))
            if merged != due.get(key, []):
                raise Wrong(f"what follows from {named(key[0])} are its powers {due.get(key, [])}, and {merged} are there")
        count = len(listed) + total
        self.checked.append(f"{count} cases that follow by symmetry: these and no others are in the list and behind {len(self.document['rules'])} rules")
        return True

    def steps(self):
        """What rules of this function may say, by how it repeats itself."""
        steps = []
        if self.exact_translation:
            power = re.fullmatch(r"f\(2\^(\d+) x\) = 2\^(-?\d+) f\(x\)", self.exact_translation)
            if power:
                steps.append({"is": "factor", "argument": int(power.group(1)), "result": int(power.group(2))})
            elif self.exact_translation.startswith("f(2 x)"):
                steps.append({"is": "offset", "argument": 1, "result": 1})
            else:
                result, alternates = " 2 " in self.exact_translation, " -" in self.exact_translation
                steps.append({"is": "addend", "result": int(result), "alternates": alternates})
        if self.near:
            steps.append({"is": "factor", "argument": 1, "result": 1})
        if self.large is not None:
            is_log = self.function.name == "log2p1"
            steps.append({"is": "offset", "argument": 1, "result": 1} if is_log else {"is": "addend", "result": 1, "alternates": False})
        return steps

    def near_zero(self, rule):
        """Whether the binade of the anchor stands for those below: Theorem M.19 of
        docs/proofs/domain.md.

        With f(0) = 0, c = f'(0) and |f''/2| <= M up to 2^(a+1), f(2^n y) is within 2^n delta of 2^n
        f(y), delta = M 4^(a+1)."""
        least, anchor = self.near
        format_, ctx.prec = self.format, 300
        value, slope = self.function.series(arb(0), 1)
        curvature = self.function.series(arb(0, 2.0 ** (anchor + 1)), 2)[2]
        if not (value == 0 and curvature.is_finite() and slope.is_finite() and not slope.contains(0)):
            raise Wrong(f"it is not proved to be nearly a multiple of x next to 0: {rule}")
        delta, low, high = curvature.abs_upper() * ball(two_to(2 * anchor + 2)), slope.abs_lower(), slope.abs_upper()
        are_normal = low * ball(two_to(least)) >= ball(two_to(format_.emin + 2)) and high * ball(two_to(anchor + 2)) < ball(two_to(format_.emax + 1))
        # bits that delta is below the least f(y)
        bits = max(2 * format_.p + 40, 128)
        if not (are_normal and format_.emin <= anchor and least < anchor and ball(two_to(bits)) * delta <= low * ball(two_to(anchor))):
            raise Wrong(f"results that follow from others are not all normal, or not near enough: {rule}")
        for first, last, region in self.parts:
            if region["class"] == {"is": "translated", "rule": rule}:
                low, high = (abs(format_.at(place)) for place in (first, last))
                if first * last <= 0 or min(low, high) < two_to(least) or max(low, high) >= two_to(anchor):
                    raise Wrong(f"{region['first']} to {region['last']} does not follow by {rule}")
        count = self.anchors(lambda y: y and log2_floor(abs(y)) == anchor, lambda y: delta)
        self.checked.append(f"{count} cases of one binade next to 0 are cases of all below, down to 2^{least}")

    def anchors(self, is_anchor, delta):
        """How many cases others follow from, by what these differ by: they are cases, too."""
        count = 0
        for y in filter(is_anchor, map(self.format.at, self.case_at)):
            off = delta(y)
            exponent, _, distance, _ = self.locate(y)
            off /= ball(two_to(self.format.ulp(exponent)))
            if not (distance + off < ball(two_to(-self.m)) and distance > off):
                raise Wrong(f"{named(y)} is not proved to be a case at all that follows from it")
            count += 1
        return count

    def at_large(self, rule):
        """Whether large arguments follow from fewer: Theorems M.20 and M.21 of
        docs/proofs/domain.md.

        0 < log2(1 + x) - log2(x) <= 2/x, and 2^x - (2^x - 1) = 1. Powers of two, and integers,
        follow from nothing."""
        format_, least, is_log = self.format, self.large, self.function.name == "log2p1"
        # 2^(1 - least), or 1, in units of the results' last place
        off = 1 - least - (least.bit_length() - format_.p) if is_log else format_.p - 1 - least
        if least < format_.p + (2 if is_log else 1) or is_log and least & (least - 1) or off > -(format_.p + 28):
            raise Wrong(f"others do not follow from arguments so small: {rule}")
        for first, last, region in self.parts:
            if region["class"] == {"is": "translated", "rule": rule}:
                low, high = (format_.at(place) for place in (first, last))
                if low <= 0 or not (self.follows_log(low) if is_log else low > least + 1):
                    raise Wrong(f"{region['first']} to {region['last']} does not follow by {rule}")
                # the number or power of two below the first argument, and above the last one
                below = two_to(log2_floor(low)) if is_log else Fraction(low.numerator // low.denominator)
                above = 2 * below if is_log else below + 1
                if not below < low <= high < above or not is_log and above > format_.emax + 1:
                    raise Wrong(f"{region['first']} to {region['last']} does not follow by {rule}")
        ctx.prec = 300
        count = self.anchors(self.is_large_anchor, lambda y: ball(2 / two_to(log2_floor(y)) if is_log else Fraction(1)))
        self.checked.append(f"{count} cases of some large arguments are cases of all that follow from them")

    def follows_log(self, x):
        """Whether x is in a binade 2^k with 2^j < k < 2^(j+1), 2^j at least the least one, integers
        multiples of the results' ulp."""
        k = log2_floor(x)
        a = 1 << (k.bit_length() - 1) if k > 0 else 0
        return self.large <= a < k <= self.format.emax and a.bit_length() - 1 < self.format.p

    def is_large_anchor(self, y):
        """Whether large arguments follow from y."""
        if self.function.name == "log2p1":
            k = log2_floor(y) if y > 0 else 0
            return k >= self.large and k & (k - 1) == 0 and y != two_to(k) and k.bit_length() - 1 < self.format.p
        return self.large < y < self.large + 1

    def images(self, place):
        """Places to which a case that was searched leads: regions that are mirrored or
        translated."""
        format_, name = self.format, self.function.name
        follows = lambda place: (index := self.part(place)) is not None and self.parts[index][2]["class"]["is"] in ("mirrored", "translated")
        bases = {place}
        if name in ODD | EVEN:
            bases.add(-place)
        found = {base for base in bases if base != place and follows(base)}
        for base, rule in ((base, rule) for base in bases for rule in (self.exact_translation, self.near, self.large) if rule):
            y = format_.at(base)
            if rule is self.large:
                if not self.is_large_anchor(y):
                    continue
                if name == "log2p1":
                    k = log2_floor(y)
                    candidates = format_.scaled(y, range(1, min(k - 1, format_.emax - k) + 1))
                else:
                    candidates = (format_.ordinal(y + n) for n in range(1, format_.emax - self.large + 1))
            elif rule is self.near:
                least, anchor = rule
                if not y or log2_floor(abs(y)) != anchor:
                    continue
                candidates = format_.scaled(y, range(least - anchor, 0))
            elif rule.startswith("f(x + 1)"):
                # what follows stands for itself at −1/2 … 1/2; other places are searched where
                # spacings differ
                if abs(y) > Fraction(1, 2):
                    continue
                # y + n keeps the last bit of y, and fits while it is below 2^(p + log2 of that bit)
                least = -(y.denominator.bit_length() - 1)
                most = min(1 << max(format_.p + least, 0), self.farthest)
                if most > MOST_EXPANDED:
                    raise Unknown(f"cases with {most} images")
                candidates = (format_.ordinal(y + n) for n in range(-most - 1, most + 2))
            elif rule.startswith("f(2 x)"):
                # the same breakpoints while the result stays where their spacing is the same
                e = log2_floor(y)
                size = e if e > 0 else -e - 1
                if size < 1:
                    candidates = ()
                else:
                    low = 1 << (size.bit_length() - 1)
                    exponents = [*range(low, 2 * low), *range(-2 * low, -low)]
                    candidates = format_.scaled(y, (exponent - e for exponent in exponents))
            else:
                ratio = int(rule[4])
                bound = (format_.emax - format_.emin + format_.p) // ratio + 2
                candidates = format_.scaled(y, (ratio * n for n in range(-bound, bound + 1)))
            for other in candidates:
                if other is not None and other not in (place, 0):
                    for image in {other, -other} if name in ODD | EVEN else {other}:
                        if follows(image):
                            found.add(image)
        return found

    # what needs no search

    def inequalities(self):
        counts = {}
        for first, last, region in self.parts:
            class_ = region["class"]
            low, high = self.format.at(first), self.format.at(last)
            check = getattr(self, "is_" + class_["is"], None)
            if check is None:
                continue
            try:
                check(low, high, class_)
                counts[class_["is"]] = counts.get(class_["is"], 0) + 1
            except Unknown as reason:
                self.left.append(f"{region['first']} to {region['last']}: {reason}")
        if counts:
            text = ", ".join(f"{count} {kind}" for kind, count in counts.items())
            self.checked.append(f"what needs no search, region by region: {text}")

    def is_between(self, low, high, class_):
        below, above = (None if end is None else fraction(number(end)) for end in (class_["below"], class_["above"]))
        # numbers and midpoints alike, whichever were asked for (Theorem M.1)
        grid = self.format.with_precision(self.format.p + 1)
        ends = [None if end is None else grid.ordinal(end) for end in (below, above)]
        most = grid.ordinal((2 - two_to(1 - grid.p)) * two_to(grid.emax))
        if below is not None and above is not None:
            is_next = None not in ends and ends[1] - ends[0] == 1
        else:
            end = ends[1] if below is None else ends[0]
            is_next = end is not None and abs(end) == most and (end > 0) == (above is None)
        if not is_next:
            raise Wrong(f"the breakpoints {class_['below']} and {class_['above']} are no neighbors")
        least, most = RANGES.get(self.function.name, (None, None))
        is_above = below is None or least is not None and below <= least
        is_below = above is None or most is not None and most <= above
        def inside(y):
            return (is_above or y > ball(below)) and (is_below or y < ball(above))
        def outside(y):
            return below is not None and y <= ball(below) or above is not None and y >= ball(above)
        if self.direction(low, high) is not None:
            # next to 1, cos(x) is 1 − x²/2
            for ctx.prec in (300, 1200, 2400, 4800):
                ends = [self.function(ball(x)) for x in (low, high)]
                if all(map(inside, ends)):
                    return
                if any(map(outside, ends)):
                    raise Wrong(f"results from {named(low)} to {named(high)} are not between {class_['below']} and {class_['above']}")
            raise Unknown(f"that results are between {class_['below']} and {class_['above']}")
        ctx.prec = 300
        pieces = [(low, high)]
        for _ in range(20_000):
            if not pieces:
                return
            a, b = pieces.pop()
            values = self.function(ball(a).union(ball(b)))
            if inside(values):
                continue
            if outside(values):
                raise Wrong(f"results from {named(a)} to {named(b)} are not between {class_['below']} and {class_['above']}")
            middle = (a + b) / 2
            pieces += [(a, middle), (middle, b)]
        raise Unknown(f"that results are between {class_['below']} and {class_['above']}")

    def is_beside(self, low, high, class_):
        """f(x) − a·x by Taylor's theorem at 0, binade by binade."""
        match = re.fullmatch(r"(-?)(?:2\^(-?\d+)\*)?x", class_["line"])
        if low <= 0 <= high or not re.fullmatch(r"-?\d+(/\d+)?(\*x)?|-?(2\^-?\d+\*)?x", class_["line"]):
            raise Wrong(f"{class_['line']} is no line that results are beside from {named(low)} to {named(high)}")
        if not match:
            raise Unknown(f"that results are beside {class_['line']}")
        shift = int(match.group(2) or 0)
        slope = (-1 if match.group(1) else 1) * two_to(shift)
        is_above = class_["side"] == "above"
        side = 1 if low > 0 else -1
        near, far = sorted((abs(low), abs(high)))
        ctx.prec = 300
        zero = self.function.series(arb(0), 8)
        order = next((k for k in range(2, 8) if not zero[k].contains(0)), None)
        if not (zero[0].contains(0) and zero[1].contains(ball(slope))):
            raise Wrong(f"{self.function.text} does not begin as {class_['line']}")
        is_line = zero[0].is_zero() and zero[1] == ball(slope) and order and all(zero[k].is_zero() for k in range(2, order))
        if not is_line:
            raise Unknown(f"that {self.function.text} begins as {class_['line']}")
        format_, start = self.format, near
        while start <= far:
            e = log2_floor(start)
            end = min(far, 2 * two_to(e) - two_to(format_.ulp(e)))
            sign = sign_between(self.function, order, Fraction(0), side * end) * side ** order
            # the line's value is a number, and the next breakpoint half an ulp away, or a quarter
            # towards 0 from a power of two
            result = max(e + shift, format_.emin)
            gap = two_to(format_.ulp(result) - (1 if self.midpoints else 0))
            is_outward = (sign > 0) == (slope * side > 0)
            # f^(order) has one sign up to the end: the difference has one sign, and so have its
            # derivatives, by Taylor's theorem again. It grows with |x|, and is bounded by what it
            # is at the end. (order! times the enclosure itself would allow some units in the last
            # place of x less than there are.)
            def off(x):
                return abs(self.function(ball(side * x)) - ball(slope * side * x))
            if not is_outward and start == two_to(e):
                # at the power of two itself the gap is half as large
                if not off(start) < ball(gap / 2) and e + shift > format_.emin:
                    raise Wrong(f"at {named(start)} results are beyond the next breakpoint")
            if sign == 0 or (sign > 0) != is_above or not off(end) < ball(gap):
                raise Wrong(f"from {named(side * start)} results are not {class_['side']} {class_['line']} and before the next breakpoint")
            if log2_floor(near) + shift < format_.emin and shift < 0:
                raise Unknown(f"{class_['line']} is no number where it is subnormal")
            start = 2 * two_to(e)

    def is_exact(self, low, high, class_):
        value = Fraction(class_["value"]) if re.fullmatch(r"-?\d+(/0*[1-9]\d*)?", class_["value"]) else None
        if low != high or value is None:
            raise Wrong("an exact region has several arguments, or no value")
        if self.grid.ordinal(value) is None or class_["kind"] != self.kind(value):
            raise Wrong(f"{value} is no {class_['kind']}")
        if not self.is_value(low, value):
            raise Wrong(f"f({named(low)}) is not {value}")

    def is_undefined(self, low, high, class_):
        test = UNDEFINED.get(self.function.name)
        if test is None:
            raise Unknown(f"that {self.function.text} has no value")
        if not test(low, high):
            raise Wrong(f"{self.function.text} has values from {named(low)} to {named(high)}")

    def coverage(self):
        left = sum(last - first + 1 for first, last, region in self.parts if region["class"]["is"] in ("refused", "out-of-reach"))
        left += len(self.document["undecided"])
        if left:
            self.uncovered.append(f"{left} of {self.asked} arguments")


def read(path):
    if path.suffix != ".zst":
        return path.read_text()
    try:
        from compression import zstd  # Python 3.14
        return zstd.decompress(path.read_bytes()).decode()
    except ImportError:
        pass
    if not shutil.which("zstd"):
        sys.exit(f"{path} is compressed, and there is no zstd: install it, or take Python 3.14")
    return subprocess.run(["zstd", "-dc", path], capture_output=True, check=True).stdout.decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("certificate", nargs="+", type=Path)
    parser.add_argument("--tables", action="store_true", help="check the tables of hardest cases next to a certificate, too: NAME.csv, or NAME.csv.zst")
    options = parser.parse_args()
    code = 0
    for path in options.certificate:
        tables = [path.with_name(path.name.split(".")[0] + end) for end in (".csv", ".csv.zst")] if options.tables else []
        try:
            verifier = Verifier(read(path))
            tables = [(table.name, read(table)) for table in tables if table.exists()]
        except (OSError, ValueError, RecursionError, subprocess.CalledProcessError) as error:
            print(f"{path} cannot be read: {error}", file=sys.stderr)
            code = max(code, 2) if code != 1 else 1
            continue
        verifier.run(tables)
        print(f"{path}")
        for label, sentences in (("checked", verifier.checked), ("not checked", verifier.left), ("NOT COVERED", verifier.uncovered),
                                 ("WRONG", verifier.wrong)):
            for sentence in sentences:
                print(f"  {label}: {sentence}")
        # searches are never checked here
        is_all = not verifier.uncovered and len(verifier.left) == verifier.has_searches
        print("  does NOT hold" if verifier.wrong else "  holds" if is_all else "  holds as far as it goes")
        this = 1 if verifier.wrong else 0 if is_all else 3
        code = 1 if 1 in (code, this) else max(code, this)
    sys.exit(code)


if __name__ == "__main__":
    main()
