"""Every refusal of the project is one of these: what is wrong, where it stands, what would mend it."""

from __future__ import annotations


class SiiqError(Exception):
    """A named refusal.

    Parameters
    ----------
    what : str
        What is wrong, in one sentence.
    file, row, column, value : optional
        Where it stands: file name, 1-based row (data row of a table, line of a text file), column or key, raw value.
    remedy : str
        What would mend it.
    """

    def __init__(self, what: str, *, file: str | None = None, row: int | None = None, column: str | None = None,
                 value: object = None, remedy: str = "") -> None:
        self.what, self.file, self.row, self.column, self.value, self.remedy = what, file, row, column, value, remedy
        place = ", ".join(
            part for part in (
                file and f"file {_line(file)}",
                row is not None and f"row {row}",
                column and f"column {_cut(repr(column), 200)}",
                value is not None and f"value {_cut(_shown(value), 120)}",
            ) if part
        )
        said = _cut(harmless(" ".join(what.split())), 3000)  # may quote a header, a name or a parser's words on hostile bytes
        text = f"{said} [{place}]" if place else said
        super().__init__(f"{text} Remedy: {_line(remedy)}" if remedy else text)


_BLANKS = "\u00a0\u202f"  # blanks that our own sentences hold


def harmless(text: str, keep: str = "") -> str:
    """`text` with what acts in a terminal or cannot be seen (control characters, direction marks) written as its code."""
    return "".join(c if c.isprintable() or c in _BLANKS or c in keep else f"\\u{ord(c):04x}" for c in text)


def _shown(value: object) -> str:
    """A value as text; Python writes no whole number of more than 4300 digits, alone or inside a list."""
    try:
        return ascii(value)
    except ValueError:
        return "a number of too many digits"


def _line(text: str) -> str:
    return _cut(harmless(text), 1000)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


class ParameterError(SiiqError):
    """A parameter file or an override is not what it may be."""


class SourceError(SiiqError):
    """A source file cannot be read as its publisher's format (U6a)."""


class DataError(SiiqError):
    """A single value of a source is impossible (T2 and the like)."""


class IdentityError(SiiqError):
    """Two models would share a name, a key or a slug (I6)."""


class DecisionRefused(SiiqError):
    """A decision on a name that does not wait for one (I4)."""


class CalibrationRefused(SiiqError):
    """A calibration that C8 refuses; the one in force stays.

    Attributes
    ----------
    rule : str
        The rule that refuses, e.g. ``"C8"`` or ``"C5"``.
    names : tuple of str
        The slugs or benchmark ids concerned.
    """

    def __init__(self, what: str, *, rule: str = "C8", names: tuple[str, ...] = (), remedy: str = "") -> None:
        self.rule, self.names = rule, names
        super().__init__(f"{rule}: {what}", remedy=remedy)


class VerificationError(SiiqError):
    """A published file does not follow from itself (U11)."""


class PublicationError(SiiqError):
    """A published file could not be built whole; the earlier one stays."""


class LedgerError(SiiqError):
    """The gate's ledger refuses an entry, or cannot be read or written; what it acknowledged before stands."""


class LedgerDamaged(LedgerError):
    """A line of the ledger is not what was written there: altered, missing, twice, or cut in the middle."""


class LedgerBusy(LedgerError):
    """Another writer has held the ledger all the time that was waited."""


class DefinitionChange(SourceError):
    """A benchmark is defined otherwise in its source than in params/ (U6b); that benchmark freezes, the rest goes on.

    Attributes
    ----------
    benchmark : str
        The benchmark's id.
    rule : str
        ``"U6b"``.
    """

    rule = "U6b"

    def __init__(self, what: str, *, benchmark: str, file: str | None = None, column: str | None = None,
                 value: object = None, remedy: str = "") -> None:
        self.benchmark = benchmark
        super().__init__(f"{self.rule}: {benchmark}: {what}", file=file, column=column, value=value, remedy=remedy)
