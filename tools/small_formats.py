#!/usr/bin/env python3
"""Looks a second time at whole 16-bit formats, by a program that has none of tmd's code: Arb
encloses, Python's integers round and measure.

    cargo xtask small-formats     # all functions, both 16-bit formats, four rounding modes
    cargo xtask small-formats --functions exp,sin --formats binary16 --share 0.1

For each function and each number x of a format the results of `tmd table` in the modes
nearest-even, up, down and zero are those of f(x); and the list of `tmd solve` is right: in regions
that were searched, and where they are mirrored or translated to, x is a case (of the list, or of a
rule) if f(x) is closer than 2^-M ulp to a number or a midpoint, exact if it is one, and nothing
else. With `--share S` of the arguments, taken at random (`--seed`).

Exit codes: 0 all agree; 1 something differs; 2 the question was wrong.
"""

import argparse
import csv
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from verify_certificate import FUNCTIONS, Expression, Unknown, Verifier, Wrong, fraction, number as dyadic
from flint import arb, ctx

# precision, least and largest exponent
FORMATS = {"binary16": (11, -14, 15), "bfloat16": (8, -126, 127)}
MODES = ("nearest-even", "up", "down", "zero")
# what agrees with a breakpoint to the last of them is taken to be on it
PRECISIONS = (64, 192, 768, 3_072)
# poles in every unit interval: in bfloat16 they cannot be isolated; no lists where it has to be
# quick
SLOW = {"gamma", "lgamma", "digamma"}
SIGN = 1 << 15
# a power of two that is never reached, and approached from the side of 0 beyond all precision: for
# which x, and its exponent
LIMITS = {**{name: (lambda x: x < 0, 0) for name in ("expm1", "exp2m1", "exp10m1")}, **{name: (lambda x: True, 0) for name in ("tanh", "erf")},
          "erfc": (lambda x: x < 0, 1)}


def floor_at(m, e, unit):
    """⌊m·2^e / 2^unit⌋, and whether nothing is lost."""
    shift = e - unit
    if shift >= 0:
        return m << shift, True
    return m >> -shift, m & ((1 << -shift) - 1) == 0


class Result:
    """Where |y| is on the grid of half ulps: y = ±(n + part)·2^half, and the M bits after it; part
    = 0 if it is exact."""

    def __init__(self, negative, exponent, n, exact, near):
        self.negative, self.exponent, self.n, self.exact, self.near = negative, exponent, n, exact, near


def measured(name, f, x, form, bits):
    """The Result of f(x); 0 if f(x) is 0, None if there is no finite value."""
    p, emin, emax = form
    for precision in PRECISIONS:
        ctx.prec = precision
        y = f(x)
        if not y.is_finite():
            continue
        if y == 0:
            return 0
        low, high = y.lower(), y.upper()
        if not (low > 0 or high < 0):
            if precision == PRECISIONS[-1] and abs(y) < arb((1, -2_000)):
                return 0
            continue
        negative = high < 0
        if negative:
            low, high = -high, -low
        (a, ea), (b, eb) = ((int(m), int(e)) for m, e in (low.man_exp(), high.man_exp()))
        exponent = a.bit_length() + ea - 1
        if exponent > emax + 1 and b.bit_length() + eb - 1 > emax + 1:
            return Result(negative, emax + 1, (1 << p) + 1, False, None)
        half = max(exponent, emin) - p
        if b.bit_length() + eb - 1 < emin - p - bits - 8:
            return Result(negative, emin, 0, False, "number")
        # in units of 2^-bits ulp
        unit = half + 1 - bits
        (na, whole_a), (nb, whole_b) = floor_at(a, ea, unit), floor_at(b, eb, unit)
        per_half = 1 << (bits - 1)
        if na == nb and not whole_a and not whole_b or a == b and ea == eb:
            n, rest = divmod(na, per_half)
            if whole_a and rest == 0:
                return Result(negative, exponent, n, True, None)
            near = None
            if rest == 0 or rest == per_half - 1 and not whole_a:
                near = ("number", "midpoint")[(n + (rest != 0)) & 1]
            return Result(negative, exponent, n, False, near)
        if precision == PRECISIONS[-1]:
            # one multiple of 2^-bits ulp between the two ends: it is the result
            if nb - na > 1:
                raise ArithmeticError("an enclosure that is too wide")
            n, rest = divmod(nb, per_half)
            exponent = b.bit_length() + eb - 1
            if name in LIMITS and LIMITS[name][0](x) and LIMITS[name][1] == exponent and (n & (n - 1)) == 0 and rest == 0:
                return Result(negative, exponent - 1, (1 << (p + 1)) - 1, False, "number")
            if max(exponent, emin) - p != half:
                n >>= 1
            return Result(negative, exponent, n, rest == 0, None)
    return None


def rounded(result, mode, form):
    """The bits of a result in a mode."""
    p, emin, emax = form
    infinity, sign = (emax - emin + 2) << (p - 1), SIGN if result.negative else 0
    if result.exponent > emax:
        below, above, nearest = infinity - 1, infinity, infinity
    else:
        base = max(result.exponent - emin, 0) << (p - 1)
        below = base + (result.n >> 1)
        above = below + (not result.exact or result.n & 1)
        nearest = below
        if result.n & 1 and (not result.exact or below & 1):
            nearest = below + 1
    if mode == "nearest-even":
        return sign | nearest
    away = mode == "up" and not result.negative or mode == "down" and result.negative
    return sign | (above if away else below)


def number(bits, form):
    """m, e with x = m·2^e of a finite number."""
    p, emin, _ = form
    magnitude = bits & (SIGN - 1)
    exponent, m = magnitude >> (p - 1), magnitude & ((1 << (p - 1)) - 1)
    if exponent:
        m += 1 << (p - 1)
    return (-m if bits & SIGN else m), max(exponent, 1) - 1 + emin - p + 1


def order(bits):
    """Numbers in increasing order."""
    return -(bits & (SIGN - 1)) if bits & SIGN else bits


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, Path(folder)

    def call(self, *arguments):
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True)
        if done.returncode not in (0, 3):
            return done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        return None

    def table(self, name, form, mode):
        out = self.folder / "table.bin"
        failed = self.call("table", name, "--format", form, "--rounding", mode, "-o", str(out), "--overwrite")
        return failed or out.read_bytes()

    def certificate(self, name, form, bits):
        out = self.folder / "certificate.json"
        out.unlink(missing_ok=True)
        failed = self.call("solve", name, "--format", form, "--extra-bits", str(bits), "--out", str(out))
        listed = self.folder / "cases.csv"
        failed = failed or self.call("export", str(out), "--output", "csv", "--no-expand", "-o", str(listed), "--overwrite")
        return failed or (out.read_text(), listed.read_text())


class List:
    """What a certificate says of single arguments, by their place among all numbers (`order`), and
    the table of its cases, which has their kinds."""

    def __init__(self, text, table):
        verifier = Verifier(text)
        document = verifier.document
        verifier.schema()
        verifier.regions()
        self.cases = {verifier.ordinal(row["x"]): row["kind"] for row in csv.DictReader(table.splitlines())
                      if row["exact"] == "false" and row["kind"] in ("number", "midpoint")}
        listed = {verifier.ordinal(x) for x in document["cases"]}
        if not listed <= set(self.cases) <= listed | {-place for place in listed}:
            raise ValueError("the table has other cases than the certificate")
        # what follows from some large arguments is looked at by their cases
        verifier.case_at = dict(self.cases)
        verifier.translations()
        parts = {kind: [(first, last) for first, last, region in verifier.parts if region["class"]["is"] == kind]
                 for kind in ("searched", "translated")}
        self.exact = {verifier.ordinal(case["x"]) for case in document["exact_cases"]}
        # a list of more than 10,000 is left out
        self.lists_exact = sum(unit["exact"] for unit in document["units"]) <= 10_000 and len(self.exact) <= 10_000
        for rule in document["rules"]:
            y = fraction(dyadic(rule["anchor"]))
            for n in range(rule["first"], rule["last"] + 1):
                place = verifier.format.ordinal(verifier.image(rule, y, n))
                if place is None or place in self.cases:
                    raise ValueError(f"the image of {rule['anchor']} by {n} is no number, or there twice")
                self.cases[place] = self.cases[verifier.ordinal(rule["anchor"])]
        # where the arguments that were searched lead to, by the symmetries of the function as they
        # are written there
        ends = [max(-first, last) for first, last in parts["translated"]]
        verifier.farthest = int(verifier.format.at(max(ends, default=0))) + 1
        searched = {place for first, last in parts["searched"] for place in range(first, last + 1)}
        self.known = searched | {image for place in searched for image in verifier.images(place)}
        # exact cases that are translated are in no list, nor are their mirrors
        self.translated = {place for place in self.known if place not in searched and -place not in searched}


def look(program, name, form_name, modes, bits, share, chance, tally, quick):
    """Complaints about a function over a format."""
    form = FORMATS[form_name]
    p, emin, emax = form
    infinity = (emax - emin + 2) << (p - 1)
    f = Expression(f"{name}(x)")
    tables = {mode: program.table(name, form_name, mode) for mode in modes}
    for mode, table in tables.items():
        if isinstance(table, list):
            yield f"{name} in {form_name}, {mode}: no table: {table[0]}"
            return
    answers = None
    if not (name in SLOW and (quick or form_name == "bfloat16")):
        document = program.certificate(name, form_name, bits)
        if isinstance(document, list):
            yield f"{name} in {form_name}: no certificate: {document[0]}"
        else:
            try:
                answers = List(*document)
            except (Unknown, Wrong, ValueError) as reason:
                yield f"{name} in {form_name}: a certificate that does not hold: {reason}"
    for pattern in range(2 * SIGN):
        magnitude = pattern & (SIGN - 1)
        if magnitude == 0 or magnitude >= infinity or share < 1 and chance.random() >= share:
            continue
        m, e = number(pattern, form)
        x = f"{name}({m}·2^{e}) in {form_name}"
        try:
            result = measured(name, f, arb((m, e)), form, bits)
        except ArithmeticError as reason:
            yield f"{x}: {reason}"
            continue
        for mode, table in tables.items():
            ours = table[2 * pattern] | table[2 * pattern + 1] << 8
            if result is None:
                # no finite value: a pole or none at all
                if ours & (SIGN - 1) < infinity:
                    yield f"{x}, {mode}: {ours:#06x}, where Arb finds no value"
                tally["without a value"] += 1
            elif result == 0:
                if ours & (SIGN - 1):
                    yield f"{x}, {mode}: {ours:#06x}, where the result is 0"
                tally["results"] += 1
            else:
                theirs = rounded(result, mode, form)
                if ours != theirs:
                    yield f"{x}, {mode}: {ours:#06x}, and Arb has {theirs:#06x}"
                tally["results"] += 1
        place = order(pattern)
        if answers is None or result is None or result == 0 or place not in answers.known:
            continue
        case = answers.cases.get(place)
        if case != result.near:
            yield f"{x}: listed as {case}, and Arb has {result.near}"
        is_translated = place in answers.translated
        if not is_translated and (answers.exact or answers.lists_exact) and (place in answers.exact) != result.exact:
            yield f"{x}: exact by one of the two only"
        tally["cases" if case else "arguments that are none"] += 1
        tally["of these translated"] += is_translated


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program `tmd`")
    parser.add_argument("--functions", help="names, with commas between them; all if missing")
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--extra-bits", type=int, default=6)
    parser.add_argument("--share", type=float, default=1.0, help="of the arguments")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="each function in one of the formats and one of the modes, by turns")
    parser.add_argument("--turn", type=int, help="every third of the functions from this one on: 0, 1 or 2")
    options = parser.parse_args()
    names = options.functions.split(",") if options.functions else list(FUNCTIONS)
    formats = options.formats.split(",")
    unknown = [name for name in names if name not in FUNCTIONS] + [name for name in formats if name not in FORMATS]
    if unknown or not 0 < options.share <= 1 or not 2 <= options.extra_bits <= 30:
        parser.error(f"there is no {unknown[0]}" if unknown else "--share is a part of 1, --extra-bits from 2 to 30")
    if options.turn not in (None, 0, 1, 2):
        parser.error("--turn is 0, 1 or 2")
    # a function has the same format and mode in every turn
    numbered = list(enumerate(names))[options.turn or 0 :: 1 if options.turn is None else 3]
    tally = {"results": 0, "without a value": 0, "cases": 0, "arguments that are none": 0, "of these translated": 0}
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.program, folder)
        for form in formats:
            for i, name in numbered:
                modes = MODES
                if options.quick:
                    if formats[i % len(formats)] != form:
                        continue
                    modes = MODES[i // len(formats) % len(MODES):][:1]
                chance = random.Random(f"{options.seed} {name} {form}")
                complaints += look(program, name, form, modes, options.extra_bits, options.share, chance, tally, options.quick)
    print(f"{len(numbered)} functions, {len(formats)} formats: " + "; ".join(f"{count} {what}" for what, count in tally.items()))
    for complaint in complaints[:40]:
        print(complaint)
    if len(complaints) > 40:
        print("in all: " + ", ".join(f"{name} {count}" for name, count in Counter(c.partition("(")[0] for c in complaints).items()))
    if complaints or not tally["results"] or not tally["cases"]:
        print(f"{len(complaints)} differences" if complaints else "nothing was compared")
        sys.exit(1)


main()
