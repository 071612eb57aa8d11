#!/usr/bin/env python3
"""Forgeries of certificates of results/ and tools/certificates/, each with a digest that fits:
verify_certificate.py refuses each of them, and not the true ones.

    python3 tools/test_verify_certificate.py [--turn N]

With a turn, a sixth of the forgeries of each certificate, those from number N div 3 mod 6 on, and
one of the three certificates that take seconds each, number N mod 3.
"""

import argparse
import copy
import itertools
import json
import math
import re
import sys
from fractions import Fraction
from pathlib import Path

from flint import arb, ctx
from verify_certificate import FAMILIES, FUNCTIONS, RELATIVES, Expression, Verifier, Wrong, digest, read

RESULTS = Path(__file__).parent.parent / "results"
# of small formats, whose arguments are searched by families wherever they can be
# (crates/tmd-driver/tests/family.rs writes them)
SMALL = Path(__file__).parent / "certificates"


def sealed(document):
    text = json.dumps(document, separators=(",", ":"))
    document["digest"] = digest(text)
    return json.dumps(document, separators=(",", ":"))


class Bounds(Verifier):
    """Without the cases one by one: `cargo xtask verify-alone` looks at them in the true
    certificates."""

    def cases(self):
        pass

    follow = cases


class Scaled(Verifier):
    """Without the cases one by one, and without the congruences."""

    def cases(self):
        pass

    congruences = cases


class OneByOne(Scaled):
    scales = False


def verdict(text, kind=Verifier):
    verifier = kind(text)
    verifier.run()
    return verifier


def is_(kind):
    return lambda document: next(region for region in document["regions"] if region["class"]["is"] == kind)


def set_class(kind, **fields):
    def change(document):
        is_(kind)(document)["class"].update(fields)
    return change


def forget(document):
    """A case, and some unit's count."""
    document["cases"].pop(len(document["cases"]) // 2)
    for unit in document["units"]:
        if unit["cases"]:
            unit["cases"] -= 1
            return


SIN = {
    "a case deleted": lambda d: d["cases"].pop(len(d["cases"]) - 1),
    "a mirror image listed": lambda d: d["cases"].insert(0, "-" + d["cases"][-1]),
    "a case forgotten by some unit": forget,
    "a case twice": lambda d: d["cases"].insert(5, d["cases"][5]),
    "cases in another order": lambda d: d["cases"].insert(5, d["cases"].pop(7)),
    "another argument": lambda d: d["cases"].insert(7, above(d["cases"].pop(7))),
    "an argument in another spelling": lambda d: d["cases"].insert(7, d["cases"].pop(7).replace("p", "0p")),
    "an argument that is none": lambda d: d["cases"].insert(7, "the hardest"),
    "more of a case than its argument": lambda d: d["cases"].insert(7, {"x": d["cases"].pop(7), "kind": "number", "sign": "+", "log2_dist": -99.0, "identical_bits": 98}),
    "an argument of no format": lambda d: d["cases"].append("0x1p+99999999999"),
    "another version": lambda d: d.update(schema="tmd-certificate-4"),
    "a border moved": lambda d: (
        d["regions"][1].update(first=d["regions"][0]["last"], arguments=d["regions"][1]["arguments"] + 1),
        d["regions"][0].update(arguments=d["regions"][0]["arguments"] - 1)),
    "a region removed": lambda d: d["regions"].pop(3),
    "more arguments than there are": lambda d: d["regions"][0].update(arguments=d["regions"][0]["arguments"] + 1),
    "a unit removed": lambda d: d["units"].pop(4),
    "a unit shortened": lambda d: d["units"][4].update(arguments=d["units"][4]["arguments"] - 1),
    "a unit shifted": lambda d: d["units"][4].update(first=d["units"][5]["first"]),
    "another side of a line": lambda d: is_("beside")(d)["class"].update(side="below" if is_("beside")(d)["class"]["side"] == "above" else "above"),
    "another line": set_class("beside", line="2^1*x"),
    "a line that is none": set_class("beside", line="moon*x"),
    "another parity": set_class("mirrored", parity="even"),
    "a repetition of nothing": lambda d: is_("mirrored")(d).update({"class": {"is": "translated", "rule": "f(x + 7) = f(x)"}}),
    "units searched by an oracle": lambda d: [unit.update(via={"is": "oracle"}) for unit in d["units"]],
    "more exact cases than arguments": lambda d: (d.update(exact_cases=[]), d["units"][4].update(exact=d["units"][4]["arguments"] + 1)),
    "no value": lambda d: is_("beside")(d).update({"class": {"is": "undefined"}}),
    "between breakpoints": lambda d: is_("beside")(d).update({"class": {"is": "between", "below": "0x1p-26", "above": "0x1.00000000000008p-26"}}),
    "a rule where nothing repeats": lambda d: d["rules"].append(
        {"anchor": d["cases"][0], "step": {"is": "factor", "argument": 1, "result": 1}, "first": 1, "last": 1}),
    "another function": lambda d: d.update(function="cos(x)"),
    "a bit more": lambda d: d.update(extra_bits=d["extra_bits"] + 1),
    "a note": lambda d: d["regions"][0].update(note="certified"),
    "a failure": lambda d: d["failures"].append("no time"),
    "a program in words": lambda d: d.update(program="tmd, certified"),
    "more asked for": lambda d: d.update(binades=None),
}
def inverse(document, place=0):
    """The first unit whose breakpoints the inverse was searched over, or another one of them."""
    return [unit for unit in document["units"] if unit.get("via", {}).get("is") == "inverse"][place]


def several_spacings(document):
    """Two neighboring regions that the inverse was searched over, as one."""
    regions, units = document["regions"], document["units"]
    of = {unit["region"] for unit in units if unit.get("via", {}).get("is") == "inverse"}
    index = next(index for index in sorted(of) if index + 1 in of)
    one, two = regions[index:index + 2]
    two.update(first=one["first"], arguments=one["arguments"] + two["arguments"], units=one["units"] + two["units"])
    del regions[index]
    for unit in units:
        unit["region"] -= unit["region"] > index


EXP = {
    "a breakpoint left out": lambda d: inverse(d).update(arguments=inverse(d)["arguments"] - 1),
    "more bits of the inverse": lambda d: inverse(d)["via"].update(extra_bits=inverse(d)["via"]["extra_bits"] + 1),
    "the inverse of a region with several spacings": several_spacings,
    "another inverse": lambda d: inverse(d)["via"].update(function="log2(x)"),
    "breakpoints that are no neighbors": set_class("between", below="0x1p-1"),
    "breakpoints beside": lambda d: is_("between")(d)["class"].update(below="0x1.ffffffffffffc8p-1", above="0x1.ffffffffffffdp-1"),
}
RSQRT = {
    "a rule removed": lambda d: d["rules"].pop(5),
    "a rule that ends later": lambda d: d["rules"][5].update(last=d["rules"][5]["last"] + 1),
    "a translation of another kind": set_class("translated", rule="f(2^2 x) = 2^-2 f(x)"),
}


# bounds that are sharp: arguments next to x, bits of the inverse
def beside_more(document):
    """The first region beside x that ends inside a binade, four arguments longer; the mirror images
    before it, four shorter. Three would be true: atanh(x) - x comes to half an ulp between the
    third and the fourth."""
    regions = document["regions"]
    at = next(i for i, region in enumerate(regions) if region["class"]["is"] == "beside" and regions[i - 1]["class"]["is"] == "mirrored")
    images, beside = regions[at - 1], regions[at]
    for _ in range(4):
        images["last"], beside["first"] = below(images["last"]), below(beside["first"])
        images["arguments"] -= 1
        beside["arguments"] += 1
        # a case, as the end of such a region is
        document["cases"] = [x for x in document["cases"] if x != beside["first"]]


def below(text, towards=-math.inf):
    """The next number of binary64 below."""
    x = math.nextafter(float.fromhex(text), towards)
    whole, part, exponent = re.fullmatch(r"(-?0x1)\.([0-9a-f]*?)0*(p[+-]\d+)", x.hex()).groups()
    return whole + ("." + part if part else "") + exponent


def above(text):
    return below(text, math.inf)


ATANH = {"four arguments more beside x": beside_more}
ACOS = {
    f"a bit more in unit {place} of the inverse": lambda d, place=place: inverse(d, place)["via"].update(
        extra_bits=inverse(d, place)["via"]["extra_bits"] + 1)
    for place in (0, 9, 26, -1)
}


# congruences
def root(document, place=0):
    """The first unit whose cases follow from congruences, or another one of them."""
    return [unit for unit in document["units"] if unit.get("via", {}).get("is") == "congruences"][place]


def forget_root(document):
    """A case of the congruences, with what follows from it and what is counted of it."""
    x = document["cases"].pop(len(document["cases"]) // 2)
    unit = root(document, 0 if float.fromhex(x) < 2 else 1)
    unit["cases"] -= 1
    unit["phases"][4]["domains_out"] -= 1
    document["rules"] = [rule for rule in document["rules"] if rule["anchor"] != x]


def join_roots(document):
    """Both binades in one unit, whose results are in one binade."""
    one, two = root(document, 0), root(document, 1)
    document["units"].remove(two)
    one_region, two_region = (document["regions"].pop(one["region"]) for _ in range(2))
    two_region.update(first=one_region["first"], arguments=one_region["arguments"] + two_region["arguments"])
    document["regions"].insert(one["region"], two_region)
    for key in ("arguments", "cases", "exact"):
        one[key] += two[key]


SQRT = {
    "a case that follows from congruences forgotten": forget_root,
    "fewer remainders": lambda d: root(d)["via"].update(remainders=root(d)["via"]["remainders"] >> 1),
    "another modulus": lambda d: root(d)["via"].update(modulus=root(d)["via"]["modulus"] - 1),
    "a unit of congruences shortened": lambda d: root(d).update(arguments=root(d)["arguments"] - 1),
    "a case counted in the other unit": lambda d: (root(d, 0).update(cases=root(d, 0)["cases"] - 1), root(d, 1).update(cases=root(d, 1)["cases"] + 1)),
    "an exact case less": lambda d: root(d).update(exact=root(d)["exact"] - 1),
    "an undecided argument": lambda d: root(d).update(undecided=1),
    "a bit less asked for": lambda d: d.update(extra_bits=d["extra_bits"] - 1),
    "so few bits asked for that congruences would take forever": lambda d: (
        d.update(extra_bits=5), *(root(d, place)["via"].update(remainders=2**51 - 1) for place in (0, 1))),
    "a modulus that is no integer": lambda d: root(d)["via"].update(modulus=float(root(d)["via"]["modulus"])),
    "sizes of domains where nothing was searched": lambda d: root(d).update(domain_sizes=[3, 5]),
    "a budget where nothing was searched": lambda d: root(d)["budget"].update(taylor=1e-9),
    "a phase of a search where nothing was searched": lambda d: root(d)["phases"][1].update(domains_in=1),
    "fewer confirmed than there are": lambda d: root(d)["phases"][4].update(domains_in=1, arguments_in=1),
    "two binades at once": join_roots,
}


def at(case):
    """The argument of a case, or of an exact one."""
    return float.fromhex(case if isinstance(case, str) else case["x"])


# what follows, and has nothing to follow from
def odd_binades_follow(document):
    """The second unit, and all of its cases and their images, for a rule."""
    region = document["regions"][root(document, 1)["region"]]
    document["units"].remove(root(document, 1))
    del region["units"]
    region["class"] = {"is": "translated", "rule": "f(2^2 x) = 2^1 f(x)"}
    for what in ("cases", "exact_cases"):
        document[what] = [case for case in document[what] if math.frexp(at(case))[1] % 2]


def upper_half_follows(document):
    """The arguments from 1.5 on of the first unit, likewise."""
    unit, half = root(document), 1 << document["format"]["precision"] - 2
    index = unit["region"]
    region = document["regions"][index]
    rest = {**region, "first": "0x1.8p+0", "arguments": half, "class": {"is": "translated", "rule": "f(2^2 x) = 2^1 f(x)"}}
    del rest["units"]
    region.update(last="0x1.7fcp+0", arguments=half)
    document["regions"].insert(index + 1, rest)
    def stays(case):
        part, exponent = math.frexp(at(case))
        return not exponent % 2 or part < 0.75
    for what, key in (("cases", "cases"), ("exact_cases", "exact")):
        document[what] = [case for case in document[what] if stays(case)]
        unit[key] = sum(1 <= at(case) < 1.5 for case in document[what])
    unit["arguments"] = half
    unit["phases"][4].update(domains_out=unit["cases"] + unit["exact"])
    root(document, 1)["region"] += 1


def all_follows(class_):
    """No unit and no case, and every region that was searched follows instead."""
    def forge(document):
        document.update(units=[], cases=[], exact_cases=[], rules=[])
        for region in document["regions"]:
            if region["class"]["is"] == "searched":
                del region["units"]
                region.pop("with", None)
                region["class"] = dict(class_)
    return forge


def binade_follows(document):
    """[1, 2) of log2, whose results have breakpoints of their own, for the rule of the others."""
    index = next(i for i, region in enumerate(document["regions"]) if region["first"] == "0x1p+0")
    region = document["regions"][index]
    document["units"] = [unit for unit in document["units"] if unit["region"] != index]
    del region["units"]
    region["class"] = {"is": "translated", "rule": "f(2 x) = f(x) + 1"}
    for what in ("cases", "exact_cases"):
        document[what] = [case for case in document[what] if not 1 <= at(case) < 2]


def nothing_searched(document):
    """No units and cases, as all was out of reach; what follows stays as it is."""
    all_follows({"is": "out-of-reach", "core_seconds": 1.0})(document)


ORIGINS = {
    "sqrt": {"a binade that follows from itself": odd_binades_follow, "half of a unit that follows from itself": upper_half_follows,
             "nothing but what follows": all_follows({"is": "translated", "rule": "f(2^2 x) = 2^1 f(x)"})},
    "exp2": {"nothing but what follows": all_follows({"is": "translated", "rule": "f(x + 1) = 2 f(x)"})},
    "log2": {"nothing but what follows": all_follows({"is": "translated", "rule": "f(2 x) = f(x) + 1"}), "a binade that is of no other's kind": binade_follows,
             "another format's name": lambda d: d["format"].update(name="bfloat16")},
    "sinpi": {"what follows from what was out of reach": nothing_searched,
              "the image of an exact case left out": lambda d: d["exact_cases"].pop(0)},
    "sin": {"nothing but mirror images": all_follows({"is": "mirrored", "parity": "odd"})},
}
LOG2 = {
    "a rule of another result": lambda d: d["rules"][7]["step"].update(result=-9),
    "a rule with a mirror image that is none": lambda d: d["rules"][7].update(mirrored="odd"),
    "a rule with a note": lambda d: d["rules"][7].update(note="certified"),
    "a rule of a billion images": lambda d: d["rules"][7].update(last=d["rules"][7]["first"] + 10**9),
}
# rules that stand for millions of cases
SCALED = {
    "a rule left out": lambda d: d["rules"].pop(100),
    "a rule that begins later": lambda d: d["rules"][100].update(first=d["rules"][100]["first"] + 1),
    "a rule that begins beyond all numbers": lambda d: d["rules"][100].update(first=d["rules"][100]["first"] - 10**5),
    "a rule twice": lambda d: d["rules"].insert(100, dict(d["rules"][100])),
    "a rule of another step": lambda d: d["rules"][100]["step"].update(result=2),
    "a rule with a mirror image": lambda d: d["rules"][100].update(mirrored="odd"),
}
CBRT = {
    "congruences of a cube root": lambda d: d["units"][0].update(via={"is": "congruences", "modulus": 54, "remainders": 2047}),
}


# families, and what is beside them in the same regions
def is_family(unit):
    return unit.get("via", {}).get("is") == "family"


def units_of(document, kind, beside=False):
    """Numbers of the units that are of families, or not; beside families only those of regions that
    have both."""
    searched = {unit["region"] for unit in document["units"] if is_family(unit)}
    searched |= {i for i, region in enumerate(document["regions"]) if "with" in region}
    return [i for i, unit in enumerate(document["units"]) if is_family(unit) == kind and (not beside or unit["region"] in searched)]


def of_family(document):
    return [document["units"][index] for index in units_of(document, True)]


def beside(document):
    """Units of no family, in regions that have one."""
    return [document["units"][index] for index in units_of(document, False, True)]


def drop(document, index):
    """A unit, and what is counted of it: its region has one less, and its cases are not in the
    list."""
    unit = document["units"].pop(index)
    document["regions"][unit["region"]]["units"] -= 1
    return unit


def beside_twice(document):
    index = units_of(document, False, True)[0]
    document["units"].insert(index, copy.deepcopy(document["units"][index]))
    document["regions"][document["units"][index]["region"]]["units"] += 1


def beside_first(document):
    """A unit of no family before those of the family."""
    index = units_of(document, False, True)[0]
    unit = document["units"].pop(index)
    document["units"].insert(next(i for i, other in enumerate(document["units"]) if other["region"] == unit["region"]), unit)


def budgets(line, factor):
    def change(document):
        for unit in of_family(document):
            unit["budget"][line] *= factor
    return change


def a_budget(document):
    """Of the unit only where it is largest."""
    max((unit["budget"] for unit in of_family(document)), key=lambda budget: budget["coefficients"])["coefficients"] /= 4


def move_case(document):
    """A case of one unit is counted in another one."""
    one = next(unit for unit in of_family(document) if unit["cases"])
    one["cases"] -= 1
    next(unit for unit in of_family(document) if unit is not one)["cases"] += 1


def move_beside(document):
    """A case of a family is counted in a unit beside it."""
    next(unit for unit in of_family(document) if unit["cases"])["cases"] -= 1
    beside(document)[0]["cases"] += 1


def swap_cells(document):
    units, family = document["units"], units_of(document, True)
    one, two = next((a, b) for a, b in zip(family, family[1:]) if units[a]["region"] == units[b]["region"])
    units[one]["first"], units[two]["first"] = units[two]["first"], units[one]["first"]


def set_with(choose):
    """Another leader for the last region that has one."""
    def change(document):
        regions = document["regions"]
        index = next(i for i in reversed(range(len(regions))) if "with" in regions[i])
        leader = choose(document, index)
        if leader is None:
            del regions[index]["with"]
        else:
            regions[index]["with"] = leader
    return change


def another_leader(document, index):
    own = document["regions"][index]["with"]
    return next(unit["region"] for unit in document["units"] if is_family(unit) and unit["region"] not in (own, index))


def no_family(document, index):
    """A region that is searched by no family, or is not searched at all."""
    families = {unit["region"] for unit in document["units"] if is_family(unit)}
    return next(i for i, region in enumerate(document["regions"]) if i not in families and "with" not in region)


def refused_segments(numbers, counted):
    """A unit of a family names other segments that the walk refused than it counts."""
    def forge(document):
        unit = of_family(document)[0]
        unit["refused"], unit["phases"][2]["domains_in"] = numbers, counted

    return forge


FAMILY = {
    "a unit of the family dropped": lambda d: drop(d, units_of(d, True)[1]),
    "a case counted in another unit of the family": move_case,
    "cells of two units exchanged": swap_cells,
    "closer to breakpoints": lambda d: of_family(d)[0]["budget"].update(tolerance=of_family(d)[0]["budget"]["tolerance"] / 2),
    # the units of a leader are said to be of its arguments, not of cells
    "no families": lambda d: [unit.pop("via") for unit in of_family(d)],
    "a refused segment that is not counted": refused_segments([0], 0),
    "refused segments that are not named": refused_segments([1], 2),
    "refused segments in no order": refused_segments([1, 0], 2),
    "no refused segment, and a list of them": refused_segments([], 0),
}
BESIDE = {
    **FAMILY,
    # as if the family had had its arguments
    "a unit beside the family dropped": lambda d: drop(d, units_of(d, False, True)[0]),
    "all units beside the family dropped": lambda d: [drop(d, index) for index in reversed(units_of(d, False, True))],
    # the one next to the family has an argument less
    "a unit beside the family shortened": lambda d: beside(d)[0].update(arguments=beside(d)[0]["arguments"] - 1),
    "a unit beside the family twice": beside_twice,
    "a unit beside the family before it": beside_first,
    "units beside the family of the inverse": lambda d: [
        unit.update(via={"is": "inverse", "function": "asinh(x)", "extra_bits": 7}) for unit in beside(d)],
    "a case of the family counted beside it": move_beside,
}
RELATIVE = {
    "a perturbation that is left out": budgets("coefficients", 0.0),
    "a perturbation that is an eighth of what it should be": budgets("coefficients", 0.125),
    "a perturbation of one unit": a_budget,
}
TOGETHER = {
    "searched with none": set_with(lambda d, i: None),
    "searched with itself": set_with(lambda d, i: i),
    "searched with a region that comes later": set_with(lambda d, i: i + 1),
    "searched with a region that is not there": set_with(lambda d, i: 999),
    "searched with one that no family was searched in": set_with(no_family),
}
LEADERS = {"searched with the family of other binades": set_with(another_leader)}
POLES = {
    "a number that has a value": lambda d: is_("exact")(d).update({"class": {"is": "undefined"}}),
    "a result that is no binary number": lambda d: is_("exact")(d)["class"].update(value="1/3"),
    "a result at a pole": lambda d: is_("undefined")(d).update({"class": {"is": "exact", "value": "0", "kind": "number"}}),
    "a case next to a pole deleted": lambda d: d["cases"].pop(next(i for i, c in enumerate(d["cases"]) if abs(math.tan(math.pi * at(c))) > 16)),
}
SMALL_FORGERIES = {
    "cos": FAMILY, "exp": {**BESIDE, **TOGETHER, **LEADERS}, "log": {**FAMILY, **TOGETHER}, "sinh": {**BESIDE, **RELATIVE},
    "exp10m1": {**BESIDE, **RELATIVE}, "asinh": {**FAMILY, **RELATIVE, **TOGETHER}, "logp1": {**FAMILY, **RELATIVE, **TOGETHER},
}


def relatives():
    """f is g (1 + d), or g + d, for the g and d of the table, at arguments of all sizes; |d|
    decreases."""
    ctx.prec = 4_000
    for name, (_, near, perturbation) in RELATIVES.items():
        before = None
        for x in map(arb, (4, 4.5, 7, 13, 100, 600)):
            f, g, d = FUNCTIONS[name](x), near(x), perturbation(x)
            off = abs(f / g - 1 if FAMILIES[name] == "turns" else f - g)
            if not (abs(off - d) < d * arb("1e-300") and (before is None or d < before)):
                sys.exit(f"{name}({x}) does not differ from the function next to it by what the table says")
            before = d


def nearness():
    """Rules that hold nearly, of arguments where they do not."""
    for name, rule, new, near, why in (
            ("erf", "f(2^n x) ~ 2^n f(x) for 2^-1020 <= |2^n x| < 2^-75", "-4", "-1020 <= |2^n x| < 2^", "not near enough"),
            ("exp2m1", "f(x + 1) ~ 2 f(x) for 133 <= x", "60", "for ", "from arguments so small")):
        document = json.loads(read(RESULTS / f"binary64/{name}.json.zst"))
        other = rule.replace(near + rule.split(near)[1].split(" ")[0], near + new)
        for region in document["regions"]:
            if region["class"] == {"is": "translated", "rule": rule}:
                region["class"]["rule"] = other
        verifier = Bounds(sealed(document))
        verifier.schema()
        verifier.regions()
        verifier.case_at = {}
        try:
            for said in verifier.translations():
                verifier.near_zero(said)
        except Wrong as wrong:
            if why in str(wrong):
                continue
        sys.exit(f"{name}: {other} is not refused")


def one_kind_of_breakpoints():
    """Results are between neighbors of numbers and midpoints alike, whichever are asked for."""
    for name, rounding in itertools.product(("exp2", "erf", "cos"), ("nearest", "directed")):
        document = json.loads(read(RESULTS / f"binary16/{name}.json.zst"))
        verifier = Verifier(sealed({**document, "rounding": rounding}))
        verifier.schema()
        verifier.regions()
        verifier.inequalities()
        if not any("between" in line for line in verifier.checked) or verifier.left:
            sys.exit(f"{name}, {rounding}: {verifier.checked}, {verifier.left}")


def between_without_direction():
    """Where a function is not known to be monotone, results beyond breakpoints are seen piece by
    piece."""
    document = json.loads(read(RESULTS / "binary16/cos.json.zst"))
    direction, Verifier.direction = Verifier.direction, lambda *_: None
    for is_forged in (False, True):
        forged = copy.deepcopy(document)
        if is_forged:
            is_("between")(forged)["class"].update(below="0x1.ff2p-1", above="0x1.ff4p-1")
        verifier = Verifier(sealed(forged))
        verifier.schema()
        verifier.regions()
        try:
            verifier.inequalities()
            was_refused = False
        except Wrong:
            was_refused = True
        if was_refused != is_forged:
            sys.exit(f"binary16/cos between breakpoints: {is_forged}, {was_refused}")
    Verifier.direction = direction


def distances_that_are_powers_of_two():
    """(1 + 2^-7)² is 2^-4 ulp above a number of binary16; an enclosure tells no more than that the
    bits are four, or three."""
    verifier = Verifier(read(RESULTS / "binary16/sqrt.json.zst"))
    verifier.schema()
    verifier.function, verifier.m = Expression("x^2"), 2
    for bits, holds in ((1, False), (2, True), (3, True), (4, False)):
        row = {"x": "0x1.02p+0", "kind": "number", "sign": "+", "log2_dist": "-4.0", "identical_bits": str(bits), "breakpoint": "0x1.04p+0"}
        try:
            verifier.row_is_true(Fraction(129, 128), row)
            was_true = True
        except Wrong:
            was_true = False
        if was_true != holds:
            sys.exit(f"x^2 at 1 + 2^-7 with {bits} identical bits: {was_true}")


def tables_of_hardest_cases():
    """What a table says of the cases of a certificate, and what it should not say."""
    text, table = read(RESULTS / "binary32/exp2.json.zst"), read(RESULTS / "binary32/exp2.csv")
    head, first, *rest = table.splitlines()
    def said(table):
        verifier = Verifier(text)
        verifier.run([("exp2.csv", "\n".join(table))])
        return verifier.wrong
    if wrong := said([head, first, *rest]):
        sys.exit(f"the table of exp2 in binary32: {wrong}")
    names, values = head.split(","), first.split(",")
    for field, change in (("x", above), ("kind", lambda kind: "midpoint" if kind == "number" else "number"), ("sign", lambda sign: "-" if sign == "+" else "+"),
                          ("log2_dist", lambda bits: f"{float(bits) - 0.001:.4f}"), ("identical_bits", lambda bits: str(int(bits) + 1)),
                          ("breakpoint", above), ("digest", lambda digest: digest[::-1]),
                          ("rank", lambda rank: "2"), ("binade", lambda binade: str(int(binade) - 1)), ("function", lambda name: name + "+0"), ("x", lambda x: "0x1p+99999999999")):
        place = names.index(field)
        if not said([head, ",".join([*values[:place], change(values[place]), *values[place + 1:]]), *rest]):
            sys.exit(f"another {field} in the table of exp2 in binary32 is not refused")
    for what, forged in (("without its first row", [head, *rest]), ("without rows", [head]), ("with a row twice", [head, first, first, *rest])):
        if not said(forged):
            sys.exit(f"the table of exp2 in binary32 {what} is not refused")


def hostile_documents():
    """A field that is there twice, and rules that are many or far, beside a table: refused, in no
    time."""
    text = read(SMALL / "sin.json")
    try:
        Verifier(text.replace('"cases":', '"cases":[],"cases":', 1))
    except ValueError:
        pass
    else:
        sys.exit("a field that is there twice is read")
    table = read(RESULTS / "binary32/exp2.csv")
    for first, last in ((0, 10**9), (10**12, 10**12)):
        document = json.loads(text)
        steps = ({"is": "addend", "result": 0, "alternates": True}, {"is": "factor", "argument": 1, "result": 1})
        document["rules"] = [{"anchor": document["cases"][0], "step": step, "first": first, "last": last} for step in steps]
        verifier = Verifier(sealed(document))
        verifier.run([("sin.csv", table)])
        if not verifier.wrong:
            sys.exit(f"rules from {first} to {last} are not refused")


def scaled_images():
    """Images of roots as intervals are those that there are one by one."""
    for format_, name in (("binary16", "cbrt"), ("binary16", "sqrt"), ("bfloat16", "cbrt"), ("bfloat16", "rsqrt"), ("binary32", "sqrt")):
        document = json.loads(read(RESULTS / f"{format_}/{name}.json.zst"))
        # a case that follows is not there, and one is there that does not follow
        image = next(case for case in document["cases"] if not 1 <= at(case) < 8)
        less, more = copy.deepcopy(document), copy.deepcopy(document)
        less["cases"].remove(image)
        more["cases"].remove(image)
        more["cases"].append(document["regions"][-1]["last"])
        for forged in (document, less, more):
            text = sealed(copy.deepcopy(forged))
            fast, slow = Scaled(text), OneByOne(text)
            fast.run()
            slow.run()
            said = [[line for line in verifier.checked if "by symmetry" in line] for verifier in (fast, slow)]
            if said[0] != said[1] or bool(said[0]) != (forged is document) or bool(fast.wrong) != bool(slow.wrong):
                sys.exit(f"{name} in {format_}: {said[0]}, {fast.wrong}, and one by one {said[1]}, {slow.wrong}")


def unknown_family():
    """What is of no family that the program knows is not checked, and said to be; nothing is wrong
    for that."""
    text = read(SMALL / "exp.json")
    kind = FAMILIES.pop("exp")
    without = verdict(text)
    FAMILIES["exp"] = kind
    if without.wrong or not any("may be searched all at once" in what for what in without.left):
        sys.exit(f"without exp's family: {without.wrong or without.left}")


# they take seconds each
LARGE = ("binary64/exp.json.zst", "x87/sqrt.json.zst", "binary64/log2.json.zst")


def certificates():
    """Their names, what is forged of them, and which program is asked."""
    yield from (("binary64/sin.json.zst", SIN, Verifier), ("binary64/exp.json.zst", EXP, Verifier), ("binary64/rsqrt.json.zst", RSQRT, Verifier),
                ("binary64/sqrt.json.zst", SQRT, Bounds), ("binary32/cbrt.json.zst", CBRT, Verifier),
                ("x87/sqrt.json.zst", SCALED, Scaled), ("binary64/log2.json.zst", LOG2, Scaled), *((f"binary16/{name}.json.zst", forgeries, Verifier) for name, forgeries in ORIGINS.items()),
                ("binary64/atanh.json.zst", ATANH, Bounds), ("binary64/acos.json.zst", ACOS, Bounds), ("binary16/tanpi.json.zst", POLES, Verifier))
    for path in sorted(SMALL.iterdir()):
        yield path, SMALL_FORGERIES.get(path.stem, {}), Verifier


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--turn", type=int, help="a sixth of the forgeries: 0 to 17, 0 again…")
    turn = parser.parse_args().turn
    relatives()
    unknown_family()
    tables_of_hardest_cases()
    hostile_documents()
    scaled_images()
    between_without_direction()
    distances_that_are_powers_of_two()
    nearness()
    one_kind_of_breakpoints()
    refused, passed = 0, []
    for name, forgeries, kind in certificates():
        if turn is not None and name in LARGE and name != LARGE[turn % 3]:
            continue
        honest = json.loads(read(RESULTS / name))
        true = verdict(sealed(copy.deepcopy(honest)), kind)
        if true.wrong:
            sys.exit(f"{name}: a true certificate is refused: {true.wrong}")
        # of small formats all is known to this program but what the searches found
        if kind is Verifier and isinstance(name, Path) and len(true.left) != 1:
            sys.exit(f"{name}: it holds, and is not all checked: {true.left}")
        some = list(forgeries.items())
        for what, forge in some if turn is None else some[turn // 3 % 6::6]:
            document = copy.deepcopy(honest)
            forge(document)
            if json.dumps(document) == json.dumps(honest):
                sys.exit(f"{name}, {what}: nothing was forged")
            if verdict(sealed(document), kind).wrong:
                refused += 1
            else:
                passed.append(f"{name}: {what}")
        broken = json.dumps(honest).replace('"0x', '"-0x', 1)
        if not verdict(broken, kind).wrong:
            passed.append(f"{name}: a digest that does not fit")
    print(f"{refused} forgeries of certificates refused by tools/verify_certificate.py")
    if passed:
        sys.exit("\n".join(f"WRONG: not refused: {what}" for what in passed))


if __name__ == "__main__":
    main()
