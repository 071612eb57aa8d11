"""A program that mypy reads, and nobody runs: the types that users see."""

from collections.abc import Sequence
from fractions import Fraction
from typing import assert_type

import tablemaker

found = tablemaker.search("exp", 1, Fraction(3, 2), format="binary32", rounding="directed", progress=lambda p: p.fraction < 0.5)
assert_type(found, tablemaker.SearchResult)
cases: Sequence[tablemaker.Case] = found.cases
assert_type(found.cases[0], tablemaker.Case)
assert_type(found.cases[1:], tablemaker.Cases)
assert_type([case.argument for case in found.cases], list[float | Fraction])
assert_type(found.hardest(3)[0].results.nearest_even, float | Fraction)

checked = tablemaker.check("exp", "1.5")
if checked.exact:
    assert_type(checked, tablemaker.ExactCase)
else:
    assert_type(checked.hardness, float)

try:
    certificate = tablemaker.solve("sin", binades=range(3, 5), limit=2)
except tablemaker.Interrupted as interrupted:
    assert_type(interrupted.partial, tablemaker.SearchResult | tablemaker.Certificate | None)
except tablemaker.Error as error:
    print(error)
else:
    assert_type(tablemaker.verify(certificate).wrong, list[str])
    assert_type(tablemaker.load("exp.json.zst").binades, tuple[int, int] | None)
    assert_type(tablemaker.plan("exp").core_seconds, float)
