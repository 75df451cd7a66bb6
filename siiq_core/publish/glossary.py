"""The glossary: one entry for each term of the pages, and links to it from where a term first stands.

book/translations/glossary.yml lists, for each term, the forms in which a language writes it, separated by "|", the
headword first; book/<lang>/glossary.md explains it under the label `(g-term)=`. A form that a hand-written page uses
becomes a link where it first stands in running text; headings, code, formulas, links, tables and slots stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

from siiq_core.errors import PublicationError
from siiq_core.publish.format import LANGUAGES, plain
from siiq_core.publish.site import Site
from siiq_core.publish.words import Words

PAGE = "glossary"
_LABEL = re.compile(r"^\(g-([a-z0-9-]+)\)=$", re.MULTILINE)
# What no link is put into, tried from left to right before any term.
_KEEP = r"""
    ^(?P<fence>```+|~~~+)[\s\S]*?^(?P=fence)[`~]*$ | ^:::.*$ | ^\(.*\)=$ | ^\#.*$ | ^\|.*$ | ^\[[^\]]*\]:.*$
  | \$\$[\s\S]*?\$\$ | \$[^$\n]+\$ | `[^`\n]+` | \{\{.*?\}\} | !?\[[^\]]*\]\([^)]*\) | <a\b[\s\S]*?</a> | <[^>\n]+>
"""


def terms(words: Words, lang: str) -> dict[str, tuple[str, ...]]:
    """Term → the forms in which the language writes it, headword first."""
    return {key: tuple(form.strip() for form in text.split("|")) for key, text in words.group("glossary.term", lang).items()}


def check_glossary(pages: Mapping[str, Mapping[str, str]], words: Words) -> None:
    """Every term that a page may link is explained, once, in every language, and nothing else is.

    Raises
    ------
    PublicationError
        Names the page and the terms; also where two terms claim one form.
    """
    for lang in LANGUAGES:
        known, explained = terms(words, lang), _LABEL.findall(pages[lang].get(PAGE, ""))
        twice = sorted({x for x in explained if explained.count(x) > 1})
        off = sorted(set(known) ^ set(explained))
        if off or twice:
            raise PublicationError("terms and glossary differ" if off else "explained twice", file=f"book/{lang}/{PAGE}.md", value=off or twice,
                                   remedy="give each term its forms in book/translations/glossary.yml and an entry under (g-term)=")
        forms = [form.casefold() for own in known.values() for form in own]
        shared = sorted({x for x in forms if forms.count(x) > 1})
        if shared:
            raise PublicationError("two terms claim one form", file="book/translations/glossary.yml", column=lang, value=shared)


def link_terms(page: str, name: str, words: Words, lang: str) -> str:
    """The Markdown of a hand-written page with each term linked where it first stands; the glossary itself stays as it is."""
    if name == PAGE:
        return page
    forms = {form.casefold(): key for key, own in terms(words, lang).items() for form in own}
    wanted = "|".join(re.escape(form).replace(r"\ ", r"[ \u00a0\n]") for form in sorted(forms, key=lambda x: (-len(x), x)))
    pattern = re.compile(rf"(?:{_KEEP})|(?<![\w-])(?P<term>{wanted})(?![\w-])", re.IGNORECASE | re.MULTILINE | re.VERBOSE)
    up, linked = "../" * name.count("/"), set()

    def one(found: re.Match[str]) -> str:
        key = forms.get(re.sub(r"\s", " ", (found["term"] or "").casefold()))
        if key is None or key in linked:
            return found[0]
        linked.add(key)
        return f'<a class="term" href="{up}{PAGE}.html#g-{key}">{found[0]}</a>'

    return pattern.sub(one, page)


def glossary_list(site: Site, lang: str) -> str:
    """Every term by its headword, in the order of the alphabet, as links into the page."""
    heads = sorted(((own[0], key) for key, own in terms(site.words, lang).items()), key=lambda x: (_order(x[0]), x[1]))
    return '<ul class="names">' + "".join(f'<li><a href="#g-{key}">{plain(head)}</a></li>' for head, key in heads) + "</ul>"


def _order(text: str) -> str:
    """Without accents and case, as readers look things up."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {"glossary_list": glossary_list}
