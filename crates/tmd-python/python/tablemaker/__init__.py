"""The Table Maker's Dilemma: the hardest-to-round cases of elementary functions, all of them, by
proved bounds.

Six functions:

* ``search(function, start, stop)``: the hard cases of an interval;
* ``solve(function, format=...)``: those of a whole format, as a certificate;
* ``plan(function, ...)``: how long either takes;
* ``check(function, x)``: how hard one argument is, and its result correctly rounded in each mode;
* ``load(path)``: a certificate from its file; ``verify(certificate)``: whether it is true.

A function is an expression in x: "exp", "sinpi", "rootn(x, 3)", "exp(2*x)+sin(3*x^2)". Numbers are
exact: int, float, Fraction, Decimal, NumPy's, or texts such as "1+2^-13" and "0x1.8p-3".

>>> import tablemaker
>>> found = tablemaker.search("exp", 1, 1 + 2**-13, format="binary32")
>>> found.complete, len(found.cases) == found.cases_found
(True, True)
>>> case = found.hardest(1)[0]
>>> found.cases.index(case) >= 0 and case.distance == 2**-case.hardness
True
"""

from collections.abc import Sequence as _Sequence

from ._errors import CertificateError, Error, ExpressionError, Interrupted, MachineError, QuestionError
from ._native import (
    Case,
    Cases,
    Certificate,
    ExactCase,
    Plan,
    Progress,
    Results,
    SearchResult,
    Undecided,
    Verification,
    check,
    load,
    plan,
    search,
    solve,
    verify,
)

_Sequence.register(Cases)

__all__ = [
    "Case",
    "Cases",
    "Certificate",
    "CertificateError",
    "Error",
    "ExactCase",
    "ExpressionError",
    "Interrupted",
    "MachineError",
    "Plan",
    "Progress",
    "QuestionError",
    "Results",
    "SearchResult",
    "Undecided",
    "Verification",
    "check",
    "load",
    "plan",
    "search",
    "solve",
    "verify",
]
