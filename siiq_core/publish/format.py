"""Numbers, dates and text as one language writes them (Babel); the only place that knows about separators.

Formulas, code and file contents keep the point; everything a reader reads as a number passes through here.
"""

from __future__ import annotations

import datetime
import functools
import html
import math
import re

from babel import Locale
from babel.dates import format_date
from babel.numbers import NumberPattern, format_decimal, format_percent, parse_pattern

LANGUAGES = ("en", "de", "es")
_LOCALES = {"en": Locale("en", "GB"), "de": Locale("de"), "es": Locale("es")}  # British English: 18 Oct 2026
_UNGROUPED_BELOW = {"en": 1_000, "de": 1_000, "es": 10_000}  # CLDR minimumGroupingDigits, which Babel leaves to the caller
_MINUS = "−"


def number(value: float, places: int, lang: str) -> str:
    """`value` with exactly `places` decimals: 24.4255, in German and Spanish 24,4255."""
    if not math.isfinite(value):
        raise ValueError(f"not a finite number: {value!r}")
    pattern = _pattern("#,##0" + ("." + "0" * places if places else ""))
    value = round(value, places) + 0.0  # Python's own rounding, halves to even (S2); no minus zero
    text = format_decimal(value, pattern, locale=_LOCALES[lang], group_separator=abs(value) >= _UNGROUPED_BELOW[lang])
    return text.replace("-", _MINUS)


def signed(value: float, places: int, lang: str) -> str:
    """A difference with its sign: +1.25, −0.50, 0.00."""
    return ("+" if round(value, places) > 0 else "") + number(value, places, lang)


@functools.lru_cache(maxsize=None)
def _pattern(text: str) -> NumberPattern:
    return parse_pattern(text)


def whole(value: int, lang: str) -> str:
    """A count: 1,324; German 1.324; Spanish 1324."""
    return number(value, 0, lang)


def shortest(value: float, lang: str, most: int = 4) -> str:
    """`value` with as many decimals as it has, at most `most`: 0.25, 1, 0.0496."""
    text = f"{value:.{most}f}".rstrip("0")
    return number(value, len(text.partition(".")[2]), lang)


def percent(share: float, lang: str, places: int = 0) -> str:
    """90%; German and Spanish 90 % with a no-break space."""
    pattern = {"en": "#,##0{}%", "de": "#,##0{}\u00a0%", "es": "#,##0{}\u00a0%"}[lang]
    return format_percent(share, _pattern(pattern.format("." + "0" * places if places else "")), locale=_LOCALES[lang]).replace("-", _MINUS)


def day(iso: str | None, lang: str) -> str:
    """18 Oct 2026; 18. Okt. 2026; 18 oct 2026. An unknown day is a dash."""
    if not iso:
        return "–"
    pattern = {"en": "d MMM y", "de": "d. MMM y", "es": "d MMM y"}[lang]
    return format_date(datetime.date.fromisoformat(iso[:10]), pattern, locale=_LOCALES[lang])


def moment(at: str, lang: str) -> str:
    """18 Oct 2026, 06:00 UTC; of a time in UTC as files write it."""
    return f"{day(at, lang)}, {at[11:16]} UTC"


def day_pattern(lang: str) -> tuple[str, list[str]]:
    """How a day is written, with slots {d}, {m} and {y}, and the short names of the months: for scripts."""
    months = [format_date(datetime.date(2026, month, 1), "MMM", locale=_LOCALES[lang]) for month in range(1, 13)]
    return day("2026-10-18", lang).replace("2026", "{y}").replace("18", "{d}").replace(months[9], "{m}"), months


def span(low: str, high: str) -> str:
    """An interval of two strings as they were published: 145–153."""
    low, high = low.replace("-", _MINUS), high.replace("-", _MINUS)
    dash = " … " if _MINUS in low + high else "–"
    return f"{low}{dash}{high}"


def shortened(name: str, most: int) -> str:
    """A name of at most `most` characters, for a drawing; the whole one stands in the table beside it."""
    return name if len(name) <= most else name[: most - 1] + "…"


def text(value: str) -> str:
    """Foreign text for HTML: escaped, on one line, isolated so that its writing direction stays inside."""
    return f"<bdi>{plain(value)}</bdi>"


def plain(value: object) -> str:
    """Foreign text for an HTML attribute or a place that needs no isolation."""
    shown = str(value)
    if not shown.isprintable():
        shown = "".join(c if c.isprintable() else " " for c in shown)
    return html.escape(" ".join(shown.split()), quote=True)


def inline(markup: str) -> str:
    """HTML for the middle of a Markdown line: what Markdown would read in its text becomes character references."""
    parts = re.split(r"(<[^<>]*>)", markup)
    return "".join(part if k % 2 else re.sub(r"[][!$()*+\-.:\\^_`{|}~=\"']|(?<!&)#", lambda m: f"&#{ord(m[0])};", part)
                   for k, part in enumerate(parts))


def link(url: str, label: str) -> str:
    """A link to an outside page; an address that is not plain http(s) stays text."""
    if re.fullmatch(r"https?://[^\s<>\"']+", url):
        return f'<a class="external" href="{plain(url)}">{label}</a>'
    return label


def mathml(latex: str, lang: str, block: bool = True) -> str:
    """A formula as MathML, made now: no script, and a screen reader can read it. Decimals as the language writes them."""
    marks = {"en": ".", "de": ",", "es": ","}
    markup = _converted(latex, "block" if block else "inline")
    return re.sub(r"<mn>(\d+)\.(\d+)</mn>", lambda m: f"<mn>{m[1]}{marks[lang]}{m[2]}</mn>", markup)


@functools.lru_cache(maxsize=None)
def _converted(latex: str, display: str) -> str:
    """The same formula stands on a page in three languages."""
    from latex2mathml.converter import convert  # imported late: only the book needs it

    return convert(latex, display=display)
