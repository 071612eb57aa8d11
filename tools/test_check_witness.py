#!/usr/bin/env python3
"""Makes witnesses with `tmd search --witness` and sees that tools/check_witness.py accepts them,
and no forged one.

    python3 tools/test_check_witness.py target/debug/tmd
    python3 tools/test_check_witness.py target/debug/tmd --extracted target/extracted/witness
"""

import copy
import json
import subprocess
import sys
import tempfile
from pathlib import Path

SEARCHES = [
    ["exp", "--from", "1", "--to", "1.002", "--format", "binary32", "--extra-bits", "8"],
    ["log", "--from", "0.98", "--to", "1.02", "--format", "binary16", "--extra-bits", "4"],
    ["sin", "--from", "-1.5", "--to", "1.6", "--format", "binary16", "--extra-bits", "5"],
    ["x^3-1/x", "--from", "-3", "--to", "-2.999", "--format", "binary32", "--extra-bits", "9", "--rounding", "nearest"],
    ["atan", "--from", "1.3", "--to", "1.30000000001", "--extra-bits", "9", "--rounding", "directed"],
]


def polynomial(document):
    return next(part["by"] for part in document["parts"] if part["by"]["is"] == "polynomial")


def of(change):
    return lambda document: change(polynomial(document))


def raise_width(by):
    # candidates that are right for it, so that only Arb can tell
    by["half_width"] = "1"
    by["candidates"] = []


def add_to(by, power, amount):
    by["coefficients"][power] = f"{int(by['coefficients'][power], 16) + amount:x}"


FORGERIES = {
    "a candidate is forgotten": of(lambda by: by["candidates"].pop()),
    "a case is forgotten": lambda document: document["cases"].pop(),
    "a case that is none": lambda document: document["cases"].append([str(int(document["parts"][0]["first"]) + 1), document["parts"][0]["spacing"]]),
    "a case twice": lambda document: document["cases"].append(document["cases"][-1]),
    "a case is undecided": lambda document: document["undecided"].append(document["cases"].pop()) or document["parts"].pop(),
    "a case and its candidate are forgotten": lambda document: (document["cases"].pop(0), polynomial(document)["candidates"].pop(0)),
    "a half-width below epsilon": of(raise_width),
    "a basis that is none": of(lambda by: by["bases"][0].__setitem__(0, by["bases"][0][0] + 1)),
    "a domain less": of(lambda by: by["bases"].pop()),
    "another polynomial": of(lambda by: add_to(by, 0, 1 << 509)),
    "another slope": of(lambda by: add_to(by, 1, 1 << 508)),
    "a polynomial of less": of(lambda by: by["coefficients"].pop()),
    "a center elsewhere": of(lambda by: by.__setitem__("center", -1)),
    "half a domain": of(lambda by: by.__setitem__("half_domain", by["half_domain"] + 0.5)),
    "a part less": lambda document: document["parts"].pop(),
    "the first part less": lambda document: document["parts"].pop(0),
    "a part that begins later": lambda document: document["parts"][0].__setitem__("first", str(int(document["parts"][0]["first"]) + 1)),
    "a part with another spacing": lambda document: document["parts"][0].__setitem__("spacing", document["parts"][0]["spacing"] + 1),
    "another function": lambda document: document.__setitem__("function", "cosh(x)"),
    "fewer extra bits": lambda document: document.__setitem__("extra_bits", document["extra_bits"] - 2),
    "another interval": lambda document: document.__setitem__("to", "3"),
}


# what `piece` has to see: enough for its other implementation, which is slow
OF_PIECE = {"a candidate is forgotten", "a basis that is none", "a domain less", "another slope"}


def main():
    # what Rocq extracts looks at them, where it is named
    program, extracted, failed, refused = sys.argv[1], sys.argv[2:], 0, 0
    checker = Path(__file__).parent / "check_witness.py"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "witness.json"

        def code(document):
            path.write_text(json.dumps(document))
            done = subprocess.run([sys.executable, checker, *extracted, path], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

        for search in SEARCHES:
            path.unlink(missing_ok=True)
            subprocess.run([program, "search", *search, "--witness", path], check=True, capture_output=True)
            document = json.loads(path.read_text())
            found, said = code(document)
            if found != 0 or not document["cases"] or ("by what Rocq extracts" in said) != bool(extracted):
                print(f"{' '.join(search)}: {said}")
                failed += 1
                continue
            for what, forge in FORGERIES.items():
                if extracted and what not in OF_PIECE:
                    continue
                forged = copy.deepcopy(document)
                try:
                    forge(forged)
                except (IndexError, StopIteration):
                    continue
                if forged == document:
                    continue
                if code(forged)[0] not in (1, 2):
                    print(f"{' '.join(search)}: taken for true: {what}")
                    failed += 1
                refused += 1
    print(f"{len(SEARCHES)} witnesses hold, {refused} forged ones are refused" if not failed else f"{failed} failures")
    sys.exit(1 if failed else 0)


main()
