#!/usr/bin/env python3
"""Forgeries of certificates of results/, each with a digest that fits: verify_certificate.py refuses each of them, and not the true ones.

    python3 tools/test_verify_certificate.py
"""

import copy
import json
import math
import re
import sys
from pathlib import Path

from verify_certificate import Verifier, digest, read

RESULTS = Path(__file__).parent.parent / "results"


def sealed(document):
    text = json.dumps(document, separators=(",", ":"))
    document["digest"] = digest(text)
    return json.dumps(document, separators=(",", ":"))


class Bounds(Verifier):
    """Without the cases one by one: `cargo xtask verify-alone` looks at them in the true certificates."""

    def cases(self):
        pass

    follow = cases


def verdict(text, kind=Verifier):
    verifier = kind(text)
    verifier.run()
    return verifier


def is_(kind):
    return lambda document: next(region for region in document["regions"] if region["class"]["is"] == kind)


def hardest(document):
    return min(range(len(document["cases"])), key=lambda i: document["cases"][i]["log2_dist"])


def set_class(kind, **fields):
    def change(document):
        is_(kind)(document)["class"].update(fields)
    return change


def case(**fields):
    def change(document):
        document["cases"][hardest(document)].update(fields)
    return change


def moved(document):
    first, second = document["regions"][0:2]
    second["first"] = first["last"]
    first["arguments"] -= 1
    second["arguments"] += 1


def between_less(document):
    class_ = is_("between")(document)["class"]
    class_["below"] = "0x1p-1"


def forget(document):
    """The hardest case, and its unit's count."""
    case = document["cases"].pop(hardest(document))
    for unit in document["units"]:
        if unit["cases"]:
            unit["cases"] -= 1
            return


SIN = {
    "a case deleted": lambda d: d["cases"].pop(len(d["cases"]) - 1),
    "a mirror image deleted": lambda d: d["cases"].pop(0),
    "the hardest case forgotten by some unit": forget,
    "a case twice": lambda d: d["cases"].insert(5, copy.deepcopy(d["cases"][5])),
    "another sign": case(sign="0"),
    "another kind": case(kind="none"),
    "another distance": lambda d: d["cases"][7].update(log2_dist=d["cases"][7]["log2_dist"] - 0.001),
    "another count of bits": lambda d: d["cases"][7].update(identical_bits=d["cases"][7]["identical_bits"] + 1),
    "another breakpoint": lambda d: d["cases"][7].update(breakpoint=d["cases"][7]["bracket"][0] if d["cases"][7]["kind"] == "midpoint" else "0x1p+0"),
    "a bracket the wrong way round": lambda d: d["cases"][7]["bracket"].reverse(),
    "a border moved": moved,
    "a region removed": lambda d: d["regions"].pop(3),
    "more arguments than there are": lambda d: d["regions"][0].update(arguments=d["regions"][0]["arguments"] + 1),
    "a unit removed": lambda d: d["units"].pop(4),
    "a unit shortened": lambda d: d["units"][4].update(arguments=d["units"][4]["arguments"] - 1),
    "a unit shifted": lambda d: d["units"][4].update(first=d["units"][5]["first"]),
    "another side of a line": lambda d: is_("beside")(d)["class"].update(side="below" if is_("beside")(d)["class"]["side"] == "above" else "above"),
    "another line": set_class("beside", line="2^1*x"),
    "another parity": set_class("mirrored", parity="even"),
    "no value": lambda d: is_("beside")(d).update({"class": {"is": "undefined"}}),
    "between breakpoints": lambda d: is_("beside")(d).update({"class": {"is": "between", "below": "0x1p-26", "above": "0x1.00000000000008p-26"}}),
    "a rule where nothing repeats": lambda d: d["rules"].append(
        {"anchor": d["cases"][0]["x"], "step": {"is": "factor", "argument": 1, "result": 1}, "first": 1, "last": 1}),
    "another function": lambda d: d.update(function="cos(x)"),
    "a bit more": lambda d: d.update(extra_bits=d["extra_bits"] + 1),
    "a note": lambda d: d["cases"][0].update(note="certified"),
    "a failure": lambda d: d["failures"].append("no time"),
    "a program in words": lambda d: d.update(program="tmd, certified"),
    "more asked for": lambda d: d.update(binades=None),
}
EXP = {
    "a breakpoint left out": lambda d: next(u for u in d["units"] if "via" in u).update(
        arguments=next(u for u in d["units"] if "via" in u)["arguments"] - 1),
    "more bits of the inverse": lambda d: next(u for u in d["units"] if "via" in u)["via"].update(
        extra_bits=next(u for u in d["units"] if "via" in u)["via"]["extra_bits"] + 1),
    "another inverse": lambda d: next(u for u in d["units"] if "via" in u)["via"].update(function="log2(x)"),
    "breakpoints that are no neighbors": between_less,
    "breakpoints beside": lambda d: is_("between")(d)["class"].update(below="0x1.ffffffffffffc8p-1", above="0x1.ffffffffffffdp-1"),
}
CBRT = {
    "a rule removed": lambda d: d["rules"].pop(5),
    "a rule that ends later": lambda d: d["rules"][5].update(last=d["rules"][5]["last"] + 1),
    "a translation of another kind": set_class("translated", rule="f(2^3 x) = 2^2 f(x)"),
}


# bounds that are sharp: arguments next to x, bits of the inverse
def beside_more(document):
    """The first region beside x that ends inside a binade, four arguments longer; the mirror images before it, four shorter. Three would be true:
    atanh(x) - x comes to half an ulp between the third and the fourth."""
    regions = document["regions"]
    at = next(i for i, region in enumerate(regions) if region["class"]["is"] == "beside" and regions[i - 1]["class"]["is"] == "mirrored")
    images, beside = regions[at - 1], regions[at]
    for _ in range(4):
        images["last"], beside["first"] = below(images["last"]), below(beside["first"])
        images["arguments"] -= 1
        beside["arguments"] += 1
        # a case, as the end of such a region is
        document["cases"] = [case for case in document["cases"] if case["x"] != beside["first"]]


def below(text):
    """The next number of binary64 below."""
    x = math.nextafter(float.fromhex(text), -math.inf)
    whole, part, exponent = re.fullmatch(r"(-?0x1)\.([0-9a-f]*?)0*(p[+-]\d+)", x.hex()).groups()
    return whole + ("." + part if part else "") + exponent


ATANH = {"four arguments more beside x": beside_more}
ACOS = {
    f"a bit more of the inverse in unit {place}": lambda d, place=place: d["units"][place]["via"].update(
        extra_bits=d["units"][place]["via"]["extra_bits"] + 1)
    for place in (6, 15, 42, 70)
}


def main():
    refused, passed = 0, []
    for name, forgeries, kind in (("sin.json", SIN, Verifier), ("exp.json", EXP, Verifier), ("cbrt.json", CBRT, Verifier),
                                  ("binary64/atanh.json.zst", ATANH, Bounds), ("binary64/acos.json.zst", ACOS, Bounds)):
        honest = json.loads(read(RESULTS / name))
        true = verdict(sealed(copy.deepcopy(honest)), kind)
        if true.wrong:
            sys.exit(f"{name}: a true certificate is refused: {true.wrong}")
        for what, forge in forgeries.items():
            document = copy.deepcopy(honest)
            forge(document)
            if document == honest:
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
