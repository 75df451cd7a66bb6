"""I6: groups of a newly imported table get their slugs once, and keep them."""

import csv

import pytest
from smallworld import TABLE, epoch_day, results_of, shelf_of, small_project, small_world
from typer.testing import CliRunner

from siiq_core.cli import app
from siiq_core.errors import IdentityError
from siiq_core.evidence.decisions import register
from siiq_core.params.names import load_registry

NEW = [*TABLE, ("quasar-1", "Quasar 1", "2026-06-20")]


def registry_of(project):
    return {row.slug: (row.name, row.first_seen.isoformat()) for row in load_registry(project)}


def test_new_groups_get_slugs_once(root, tmp_path):
    project = small_world(root, tmp_path, "Quasar 1")
    before = registry_of(project)
    assert before["nova-1"] == ("Nova 1", "2026-07-01") and "gpt-5" in before
    epoch_day(project, "2026-07-29", [("quasar-1", "0.6")], NEW)
    assert results_of(project) == {} and results_of(project, "epoch") == {}  # no slug yet: its versions wait
    said = register(project)
    assert str(said) == "model table of 2026-07-29: 1 new group: quasar-1"
    assert registry_of(project) == before | {"quasar-1": ("Quasar 1", "2026-07-29")}
    assert results_of(project) == {"Quasar 1": ("quasar-1", 0.5)} and results_of(project, "epoch") == {"quasar-1": ("quasar-1", 0.6)}
    content = (project / "params" / "models.csv").read_bytes()
    assert str(register(project)) == "model table of 2026-07-29: no new groups" and (project / "params" / "models.csv").read_bytes() == content


def test_an_older_bundle_registers_nothing(root, tmp_path):
    project = small_world(root, tmp_path)
    epoch_day(project, "2026-06-01", [("nova-1-2025", "0.4")], [*TABLE, ("gone-1", "Gone 1", "2025-01-01")])
    assert register(project).new == () and "gone-1" not in registry_of(project)


def test_a_group_spelt_anew_keeps_its_slug(root, tmp_path):
    project = small_world(root, tmp_path)
    before = registry_of(project)
    epoch_day(project, "2026-07-29", table=[(v, g.replace("Nova 1", "NOVA‑1"), d) for v, g, d in TABLE])
    assert register(project).new == () and registry_of(project) == before
    assert shelf_of(project).index.models["nova-1"].name == "NOVA‑1"


def test_two_groups_for_one_slug_are_refused_and_nothing_is_written(root, tmp_path):
    project = small_world(root, tmp_path)
    content = (project / "params" / "models.csv").read_bytes()
    with pytest.raises(IdentityError, match="would share a slug.*'quasar-1'.*give one of them another slug in params/models.csv"):
        epoch_day(project, "2026-07-29", table=[*NEW, ("quasar-1-b", "Quasar-1", "2026-07-21")])
    assert not list((project / "data" / "observations" / "epoch").glob("2026-07-29*"))
    assert (project / "params" / "models.csv").read_bytes() == content


def test_hostile_group_names(root, tmp_path):
    """Kind 24: registered where a slug can be made of them, reported where not, and never a formula in models.csv."""
    project = small_world(root, tmp_path)
    odd = ['=HYPERLINK("https://x.example")', "../../x", "<img src=x onerror=alert(1)>", "\u202eabc", "漢字", "N" * 5000]
    epoch_day(project, "2026-07-29", table=[*TABLE, *((f"odd-{k}", name, "2026-07-01") for k, name in enumerate(odd))])
    said = register(project)
    assert sorted(said.nameless) == sorted(["漢字", "N" * 5000]) and "Remedy: give each a slug by hand" in str(said)
    assert {row.name for row in said.new} == set(odd[:4]) and all(not {"/", "\\", "<", "="} & set(row.slug) for row in said.new)
    assert set(odd[:4]) <= {name for name, _ in registry_of(project).values()}
    with (project / "params" / "models.csv").open(encoding="utf-8", newline="") as stream:
        cells = [cell for row in csv.reader(stream) for cell in row]
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@") or "\u202e" in cell]
    assert "\u202e" not in str(said)


def test_import_ends_with_registered_groups(root, tmp_path, monkeypatch):
    made = small_project(root, tmp_path / "a")
    epoch_day(made, "2026-07-29", [("quasar-1", "0.6")], NEW)
    project = small_project(root, tmp_path / "b")
    monkeypatch.setenv("SIIQ_ROOT", str(project))
    done = CliRunner().invoke(app, ["import", "epoch", str(made / "incoming" / "2026-07-29")])
    assert done.exit_code == 0, done.output
    assert "epoch 2026-07-29: 7 rows of 2 files" in done.output and "4 new groups: comet-3, nova-1, quasar-1, star-2" in done.output
    assert registry_of(project)["quasar-1"] == ("Quasar 1", "2026-07-29")
    assert results_of(project, "epoch") == {"quasar-1": ("quasar-1", 0.6)}
    again = CliRunner().invoke(app, ["names", "register"])
    assert again.exit_code == 0 and "no new groups" in again.output


def test_an_import_whose_groups_clash_says_how_to_go_on(root, tmp_path, monkeypatch):
    made = small_project(root, tmp_path / "a")
    with pytest.raises(IdentityError):
        epoch_day(made, "2026-07-29", table=[*NEW, ("quasar-1-b", "Quasar-1", "2026-07-21")])
    project = small_project(root, tmp_path / "b")
    monkeypatch.setenv("SIIQ_ROOT", str(project))
    done = CliRunner().invoke(app, ["import", "epoch", str(made / "incoming" / "2026-07-29")])
    assert done.exit_code != 0 and "params/models.csv" in str(done.exception)
    text = (project / "params" / "models.csv").read_text(encoding="utf-8")
    (project / "params" / "models.csv").write_text(text + "quasar-1-b,Quasar-1,2026-07-29\n", encoding="utf-8")
    assert CliRunner().invoke(app, ["import", "epoch", str(made / "incoming" / "2026-07-29")]).exit_code == 0
    assert registry_of(project)["quasar-1"][0] == "Quasar 1"
