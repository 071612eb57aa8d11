"""The exceptions. Each says what is wrong in a sentence, with a way out where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._native import Certificate, SearchResult


class Error(Exception):
    """What all exceptions of this package are, but for Interrupted."""


class QuestionError(Error, ValueError):
    """The question is wrong: an empty interval, a function that is not defined there, a format that
    does not exist, ..."""


class ExpressionError(QuestionError):
    """The text of the function is not understood; the sentence names the column."""


class MachineError(Error, RuntimeError):
    """The machine failed: threads that cannot be started, ..."""


class CertificateError(Error, ValueError):
    """A file holds no certificate, or one that is damaged or was changed."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a search. What was found until then is kept in ``partial``.

    ``partial`` is the SearchResult or the Certificate, whose ``complete`` says what it says; or
    None if nothing was found yet.
    """

    partial: SearchResult | Certificate | None

    def __init__(self, partial: SearchResult | Certificate | None = None) -> None:
        super().__init__("interrupted" if partial is None else f"interrupted; partial: {partial!r}")
        self.partial = partial
