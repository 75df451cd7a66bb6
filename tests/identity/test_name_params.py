"""params/names.yml, decisions.csv, models.csv: refused with file, key and line where they cannot be right."""

import pytest
import yaml
from naming import NAMES, ROOT

from siiq_core.errors import ParameterError
from siiq_core.params.names import Names, load_decisions, load_names, load_registry


def lists(**changes):
    return {**yaml.safe_load((ROOT / "params" / "names.yml").read_text(encoding="utf-8")), **changes}


def written(tmp_path, name, text):
    (tmp_path / "params").mkdir(exist_ok=True)
    (tmp_path / "params" / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("changes", "says"), [
    ({"settings": ["High"]}, "lower case"), ({"settings": ["no  think"]}, "single blanks"), ({"settings": [*NAMES.settings, "max"]}, "stands twice"),
    ({"prefixes": ["chutes"]}, "ends in '/'"), ({"prefixes": ["Chutes/"]}, "lower case"), ({"tier_words": [*NAMES.tier_words, "thinking"]}, "exclude"),
    ({"glued_tiers": ["ultimate"]}, "no tier_words"), ({"thinking_words": ["pondering"]}, "no settings"), ({"max_name_characters": 0}, "greater"),
    ({"product_word": []}, "not permitted"),
])
def test_lists_that_cannot_be_are_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        Names.model_validate(lists(**changes))


def test_an_error_names_file_key_and_line(tmp_path):
    text = (ROOT / "params" / "names.yml").read_text(encoding="utf-8").replace("  - xhigh\n", "  - XHigh\n")
    line = text.splitlines().index("settings:") + 1
    with pytest.raises(ParameterError, match=f"names.yml, row {line}, column 'settings'"):
        load_names(written(tmp_path, "names.yml", text))


def test_the_list_of_decisions_is_checked_row_by_row(tmp_path):
    head = "source,name,model,decision,who,when,why\n"
    good = 'aider,"Nova, one",nova-1,confirmed,a reviewer,2026-08-01,same release\n'
    (read,) = load_decisions(written(tmp_path, "decisions.csv", head + good))
    assert (read.name, read.model) == ("Nova, one", "nova-1")
    for row, column in [("aider,Nova,nova-1,maybe,a reviewer,2026-08-01,same\n", "decision"), ("aider,Nova,nova-1,confirmed,a reviewer,soon,same\n", "when"),
                        ("aider,Nova,nova-1,confirmed,a reviewer,2026-08-01,\n", "why")]:
        with pytest.raises(ParameterError, match=f"decisions.csv, row 2, column '{column}'"):
            load_decisions(written(tmp_path, "decisions.csv", head + good + row))
    with pytest.raises(ParameterError, match="needs the model's slug"):
        load_decisions(written(tmp_path, "decisions.csv", head + "aider,Nova,,confirmed,a reviewer,2026-08-01,same\n"))


@pytest.mark.parametrize(("row", "says"), [
    ("nova-1,Nova One,2026-01-01", "row 2, column 'slug'"), ("nova-2,Nova 1,2026-01-01", "row 2, column 'name'"),
    ("../x,Nova 2,2026-01-01", "is no slug"), ("..,Nova 2,2026-01-01", "is no slug"), ("Nova-2,Nova 2,2026-01-01", "is no slug"),
    ("nova-2,Nova 2,yesterday", "column 'first_seen'"),
])
def test_a_registry_that_cannot_be_is_refused(tmp_path, row, says):
    text = f"slug,name,first_seen\nnova-1,Nova 1,2026-01-01\n{row}\n"
    with pytest.raises(ParameterError, match=says):
        load_registry(written(tmp_path, "models.csv", text))
