#!/usr/bin/env python3
"""Compares enclosures of tmd-functions with Arb's: values, derivatives and Taylor coefficients, at
random and at nasty places.

    cargo xtask compare-functions --count 2000

Number k of a series must enclose f^(k)(ξ)/k! for every ξ of the interval. At the ends of the
interval and at places within it Arb encloses that number, ever more tightly until it is within our
enclosure, or beside it: then one of the two is wrong. What either of them does not enclose is
counted. A range of functions is compared by --functions.
"""

import argparse
import json
import random
import subprocess
import sys
from fractions import Fraction

from verify_certificate import FUNCTIONS, Expression, Unknown, ball, two_to
from flint import arb, ctx

EXPRESSIONS = [
    "x^3", "x^-2", "rootn(x,3)", "rootn(x,-5)", "rootn(x,4)", "log(1+exp(x))", "x/(1+exp(-x))", "exp(-x^2/2)", "(exp(x)-1)/x",
    "sinh(x)/x", "x*log(x)", "log(cosh(x))", "x/sqrt(1+x^2)", "exp(2*x)+sin(3*x^2)-3*cos(x)", "x*tanh(log(1+exp(x)))",
    "x/2*(1+erf(x/sqrt(2)))", "1/(1+exp(-x))", "x-sin(x)", "sqrt(1+x)-1", "atan(1/x)",
]
VALUES_ONLY = {"j0", "j1", "y0", "y1"}  # Arb's series has none of these
MOST_PRECISION = 3_000
ORDER = 6


def nasty():
    """Zeros, poles, extrema, ends of domains: exact numbers beside which functions are looked
    at."""
    places = [Fraction(k, 2) for k in range(-8, 9)] + [Fraction(1 << 10), Fraction(-1 << 10)]
    ctx.prec = 200
    others = [arb.pi() * k / 4 for k in range(-9, 10) if k] + [
        arb.const_e(), -1 / arb.const_e(), arb("1.4616321449683623412626595423257213284681962"), arb("2.4048255576957727686"),
        arb("0.8935769662791675215"), arb("3.8317059702075123156"), arb("-2.4570247382208006"), arb.const_log2() * 1024,
        -arb.const_log2() * 1075, -arb.const_log2() * 1022]
    for value in others:
        m, e = value.mid().man_exp()
        scaled = Fraction(int(m)) * two_to(int(e))
        # to 53 bits
        places.append(Fraction(float(scaled)))
    return places


def intervals(count, seed):
    """Points and intervals, as pairs of Fractions."""
    chance = random.Random(seed)
    places = nasty()
    for i in range(count):
        kind = chance.randrange(6)
        if kind == 0:    # of any size
            x = Fraction(chance.choice((1, -1)) * (chance.getrandbits(52) | 1 << 52)) * two_to(chance.randrange(-1126, 972))
        elif kind == 1:  # subnormal
            x = Fraction(chance.choice((1, -1)) * chance.randrange(1, 1 << 52)) * two_to(-1074)
        elif kind == 2:  # beside a nasty place
            place = chance.choice(places)
            x = place + chance.choice((1, -1)) * Fraction(chance.randrange(1, 1 << 10)) * two_to(chance.randrange(-80, -8))
        elif kind == 3:
            x = chance.choice(places)
        else:            # where most functions have values
            x = Fraction(chance.choice((1, 1, -1)) * (chance.getrandbits(52) | 1 << 52)) * two_to(chance.randrange(-62, -44))
        width = Fraction(0)
        if chance.randrange(2):
            width = abs(x) * two_to(chance.randrange(-70, 1)) if chance.randrange(4) else two_to(chance.randrange(-60, 3))
        inner = [x, x + width] if width else [x]
        inner += [x + width * Fraction(chance.randrange(1, 1 << 16), 1 << 16) for _ in range(2 if width else 0)]
        yield x, x + width, inner, chance.choice((53, 64, 96, 128, 192)), chance.randrange(ORDER + 1)


def dyadic(value):
    e = value.denominator.bit_length() - 1
    return f"{value.numerator} {-e}"


def reference(expression, x, order, precision):
    """Arb's coefficients at a point."""
    ctx.prec = precision
    name = expression.name
    if order == 0 or name in VALUES_ONLY:
        return [expression(ball(x))]
    return expression.series(ball(x), order)


def compare(expression, x, order, ours, tally):
    """Complaints about our coefficients, given that x is in the interval."""
    precision, open_ = 256, list(range(order + 1))
    while open_ and precision <= MOST_PRECISION:
        try:
            theirs = reference(expression, x, order, precision)
        except (ValueError, NotImplementedError, ZeroDivisionError, AttributeError, TypeError):
            break
        still = []
        for k in open_:
            if k >= len(theirs):
                continue
            low, high = ours[k]
            value = theirs[k]
            if not value.is_finite():
                still.append(k)
            elif value < low or value > high:
                yield f"{expression.text} at {dyadic(x)}: coefficient {k} is {value.str(20)}, beyond {low.str(20)} to {high.str(20)}"
            elif value >= low and value <= high or (low == high and value.contains(low) and precision > 2000):
                tally["compared"] += 1
            else:
                still.append(k)
        open_ = still
        precision *= 3
    tally["open"] += len(open_)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the example `enclose` of tmd-functions")
    parser.add_argument("--count", type=int, default=200, help="intervals per function")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--functions", help="names, with commas between them")
    options = parser.parse_args()
    names = options.functions.split(",") if options.functions else [f"{name}(x)" for name in FUNCTIONS] + EXPRESSIONS
    complaints, sums = [], {"compared": 0, "open": 0, "refused": 0}
    for name in names:
        try:
            expression = Expression(name)
        except Unknown as reason:
            sys.exit(f"{name}: {reason}")
        asked = list(intervals(options.count, f"{options.seed} {name}"))
        lines = "".join(f"{name} {precision} {order} {dyadic(low)} {dyadic(high)}\n" for low, high, _, precision, order in asked)
        answers = subprocess.run([options.program], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
        if len(answers) != len(asked):
            sys.exit(f"{name}: {len(answers)} answers to {len(asked)} questions")
        tally = {"compared": 0, "open": 0, "refused": 0}
        for (low, high, inner, _, order), line in zip(asked, answers):
            answer = json.loads(line)
            if "error" in answer:
                tally["refused"] += 1
                continue
            # exact balls: ends may be as small as MPFR's least number
            ours = [(arb((int(a), int(b))), arb((int(c), int(d)))) for a, b, c, d in answer["coefficients"]]
            if len(ours) != order + 1 or any(a > b for a, b in ours):
                complaints.append(f"{name}: an enclosure that is none")
            for x in inner:
                complaints += compare(expression, x, order, ours, tally)
        if tally["compared"] == 0:
            complaints.append(f"{name}: nothing could be compared ({tally})")
        for key, value in tally.items():
            sums[key] += value
    print(f"{len(names)} functions: {sums['compared']} coefficients of ours enclose Arb's; {sums['open']} that Arb leaves in doubt; "
          f"{sums['refused']} intervals that ours refuse")
    for complaint in complaints[:40]:
        print(f"WRONG: {complaint}")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
