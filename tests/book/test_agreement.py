"""The page of the methods side by side: what it shows is what agreement.json says."""

import json
import re

import jsonschema
import pytest

from siiq_core.publish import agreement, book, check
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.site import load_site


@pytest.fixture(scope="module")
def made(root, index, words, tmp_path_factory, request):
    """A site of the made-up run with everybody measured by an ECI of its own."""
    from made_up import write_run

    run = write_run(tmp_path_factory.mktemp("run"), index)
    facts = json.loads((run / "fetch.json").read_text(encoding="utf-8"))
    facts["eci"] = {m["slug"]: float(k) for k, m in enumerate(index["models"])}  # the order turned round
    (run / "fetch.json").write_text(json.dumps(facts), encoding="utf-8")
    return load_site(index, run, root, words)


def test_the_file_is_what_its_schema_says(root, made):
    schema = json.loads((root / "siiq_core" / "publish" / "schemas" / "agreement.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(json.dumps(made.agreement)), schema)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_renders_in_every_language(root, made, lang):
    page = check.read_pages(root)[lang]["agreement"]
    blocks = {name: make(made, lang) for name, make in agreement.BLOCKS.items()}
    out = book.render(page, {**book.facts(made.index, made.words, lang), **agreement.facts(made, lang)}, blocks, "agreement.md")
    assert "{{" not in out and blocks["agreement_pairs"].count("<tr>") == 11 and "agreement.json" in out


def test_every_case_of_the_file_has_its_row_and_its_reason(made):
    block = agreement.BLOCKS["agreement_cases"](made, "en")
    assert re.findall(r'id="case-([^"]+)"', block) == [d["model"] for d in made.agreement["disagreements"]]
    assert made.agreement["disagreements"] and block.count("SI-IQ’s interval allows ranks") == len(made.agreement["disagreements"])
