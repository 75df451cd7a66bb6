"""Verification: a right file passes, any changed byte fails it, and a number that is off is named."""

import ast
import json
from pathlib import Path

import pytest

import siiq_core.verify
from siiq_core.errors import VerificationError
from siiq_core.verify import verify, verify_file
from siiq_core.verify.formulas import twelve
from siiq_core.verify.reading import canonical_bytes, digest, parse_index, parse_inputs
from siiq_core.verify.shape import path_of

from .conftest import load_case, make_index


def named(report):
    return {m.path for m in report.mismatches}


def failed(report):
    return {check.name for check in report.checks if not check.passed}


def signed(index):
    """The index with a digest that fits, as somebody would who alters a number on purpose."""
    return index | {"digest": digest(index)}


def leaves(value, at=()):
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*at, key))
    else:
        yield at, value


def put(value, at, new):
    for step in at[:-1]:
        value = value[step]
    value[at[-1]] = new


# --- a right file


def test_a_right_index_passes(index, inputs):
    report = verify(index, inputs)
    assert report.passed, report.summary
    assert not report.mismatches
    assert {check.rule for check in report.checks} >= {"T", "S", "S2", "A", "K1", "K2, K3", "C", "C11", "V3"}


def test_a_right_file_passes(published):
    report = verify_file(published)
    assert report.passed, report.summary


def test_with_kappa_and_shuffled_inputs():
    case = load_case("kappa")
    index, _ = make_index(case)
    assert index["calibration"]["kappa"] > 1
    assert verify(index, [tuple(row) for row in reversed(case["results"])]).passed


def test_the_index_has_every_kind(index):
    """The tests below would be empty without them."""
    models = index["models"]
    assert {True, False} == {m["ranked"] for m in models}
    assert any(m["undated_versions"] for m in models)
    assert any(60 in {r["need"] for r in m["not_ranked_because"]} for m in models)  # I5
    assert any(r["w"] is None for m in models for r in m["results"])
    assert any(not b["in_index"] for b in index["benchmarks"])
    assert any(not m["areas"] for m in models) or any(len(m["areas"]) < 5 for m in models)


# --- any changed byte


def test_any_changed_byte_fails(published):
    content = published.read_bytes()
    for place in range(0, len(content), len(content) // 199):
        changed = bytearray(content)
        changed[place] ^= 1
        published.write_bytes(changed)
        assert not verify_file(published).passed, f"byte {place} changed unseen"


@pytest.mark.parametrize("alter", [
    lambda text: text + b"\n",
    lambda text: text[:-1],
    lambda text: text.replace(b"\n", b"\r\n"),
    lambda text: text.replace(b": ", b":", 1),
    lambda text: text.replace(b" 100,", b" 1e2,", 1),
    lambda text: b"\xef\xbb\xbf" + text,
], ids=["line more", "line less", "CRLF", "blank", "spelling of a number", "BOM"])
def test_bytes_that_mean_the_same_fail_too(published, alter):
    content = published.read_bytes()
    assert alter(content) != content
    published.write_bytes(alter(content))
    assert failed(verify_file(published)) & {"canonical bytes", "strict JSON"}


def test_changed_inputs_fail(published):
    table = published.with_name("calibration_inputs.csv")
    table.write_bytes(table.read_bytes().replace(b"m07,b00,0.", b"m07,b00,0.0", 1))
    report = verify_file(published)
    assert {"calibration inputs", "calibration"} <= failed(report)
    assert "benchmarks[b00].alpha" in named(report)


def test_missing_inputs_fail_with_the_remedy(published, tmp_path):
    table = published.with_name("calibration_inputs.csv")
    elsewhere = tmp_path / "elsewhere.csv"
    table.rename(elsewhere)
    report = verify_file(published)
    assert failed(report) == {"calibration inputs", "calibration"}
    assert all("calibration_inputs.csv" in c.notes for c in report.checks if not c.passed)
    assert verify_file(published, inputs=elsewhere).passed


# --- a number that is off is named


@pytest.mark.parametrize("model", [0, 1, 9])
def test_every_altered_number_of_a_model_is_named(index, inputs, model):
    """By 2e-9 for floats, by one for counts; the file stays signed, so only the arithmetic can tell."""
    unseen = []
    for at, old in list(leaves(index["models"][model])):
        if isinstance(old, bool) or not isinstance(old, (int, float)) or at[-1] in ("score", "rule"):
            continue
        where = ("models", model, *at)
        new = old + 1 if isinstance(old, int) else twelve(old + 2e-9 * max(1, abs(old) / 100))
        put(index, where, new)
        path = path_of(index, where)
        expected = path.split(".not_ranked_because")[0] + ".not_ranked_because" if "not_ranked_because" in path else path
        if expected not in named(verify(signed(index), inputs)):
            unseen.append(path)
        put(index, where, old)
    assert not unseen


def test_every_altered_parameter_is_named(index, inputs):
    unseen = []
    targets = [("benchmarks", i, k) for i, b in enumerate(index["benchmarks"]) if b["in_index"]
               for k in ("alpha", "beta", "sigma2", "omega", "models_in_fit")]
    targets += [("calibration", k) for k in ("shift", "scale", "kappa", "rounds", "null_directions", "folds", "pairs")]
    for where in targets:
        value = index
        for step in where:
            value = value[step]
        put(index, where, value + 1 if isinstance(value, int) else twelve(value + 2e-9))
        if path_of(index, where) not in named(verify(signed(index), inputs)):
            unseen.append(path_of(index, where))
        put(index, where, value)
    assert not unseen


def test_only_the_altered_number_is_named(index, inputs):
    """A wrong θ does not drag ranks along that follow from the right one."""
    index["models"][9]["theta"] = 9.0
    assert named(verify(signed(index), inputs)) == {"models[m09].theta"}


def test_a_mismatch_says_how_much(index, inputs):
    index["models"][4]["siiq"] = twelve(index["models"][4]["siiq"] + 0.25)
    (found,) = [m for m in verify(signed(index), inputs).mismatches if m.path == "models[m04].siiq"]
    assert found.difference == pytest.approx(0.25)
    assert found.published - found.recomputed == found.difference


def test_within_the_tolerance_is_right(index, inputs):
    index["models"][4]["theta"] = twelve(index["models"][4]["theta"] + 5e-10)
    assert verify(signed(index), inputs).passed


def test_an_altered_score_is_found_by_what_follows_from_it(index, inputs):
    index["models"][4]["results"][0]["score"] += 0.01
    path = f"models[m04].results[{index['models'][4]['results'][0]['benchmark']}]"
    assert {f"{path}.y", f"{path}.v", f"{path}.w", "models[m04].theta0", "models[m04].high"} <= named(verify(signed(index), inputs))


@pytest.mark.parametrize(("name", "value", "expected"), [
    ("lam", 0.2, "models[m04].d"),
    ("z90", 1.96, "models[m04].low"),
    ("mean", 101, "models[m04].siiq"),
    ("residual_variance_floor", 0.2, "benchmarks[b00].sigma2"),
    ("loading_floor", 0.48, "benchmarks[b05].in_index"),
    ("omega", False, "benchmarks[b00].omega"),
    ("min_families_ranked", 8, "models[m04].ranked"),
    ("min_families_area", 3, "models[m04].areas.knowledge"),
    ("max_rounds", 400, None),
])
def test_an_altered_constant_is_found(index, inputs, name, value, expected):
    index["constants"][name] = value
    report = verify(signed(index), inputs)
    assert expected in named(report) if expected else report.passed


def test_a_13th_digit_is_found(index, inputs):
    index["models"][4]["theta"] += 1e-14
    report = verify(signed(index), inputs)
    assert failed(report) == {"12 significant digits"} and named(report) == {"models[m04].theta"}


def test_a_benchmark_that_should_be_out_is_found(index, inputs):
    out = next(b for b in index["benchmarks"] if not b["in_index"])
    out.update(in_index=True, reason=None, alpha=0.05, beta=0.0, sigma2=0.1, omega=0.5, models_in_fit=26)
    assert f"benchmarks[{out['id']}].in_index" in named(verify(signed(index), inputs))


def test_the_rule_that_took_a_benchmark_out_is_checked(index, inputs):
    next(b for b in index["benchmarks"] if b["id"] == "b06")["reason"] = "E3: too few models"
    assert named(verify(signed(index), inputs)) == {"benchmarks[b06].reason"}


def test_shown_numbers_round_halves_to_even(index, inputs):
    """148.5 shows 148 and 149.5 shows 150 (S2)."""
    index["constants"].update(sd=1e-11)  # every SI-IQ is the mean, within the tolerance
    for mean, text in ((148.5, "148"), (149.5, "150")):
        index["constants"]["mean"] = mean
        for model in index["models"]:
            for part in (model, *model["areas"].values()):
                part.update(siiq=mean, low=mean, high=mean, shown={"siiq": text, "low": text, "high": text})
        wrong = {p for p in named(verify(signed(index), inputs)) if "shown" in p or p.endswith("siiq")}
        assert not wrong


def test_what_if_uses_the_members_present(index, inputs):
    index["reference_group"]["members"].append("nowhere-1")
    report = verify(signed(index), inputs)
    assert failed(report) == {"calibration"}
    assert "nowhere-1" in next(c.notes for c in report.checks if c.name == "calibration")
    assert verify(signed(index | {"what_if": {"lam": [0.1, 0.1]}}), inputs).passed


# --- hostile files


@pytest.mark.parametrize("text", [
    b"", b"[]", b"{", b"\xff{}", b'{"a": NaN}', b'{"a": Infinity}', b'{"a": 1e999}', b'{"a": 1, "a": 2}', b"[" * 100_000,
    b'{"n": ' + b"9" * 5000 + b"}",
], ids=lambda text: repr(text[:20]))
def test_no_strict_json(tmp_path, text):
    (tmp_path / "index.json").write_bytes(text)
    assert failed(verify_file(tmp_path / "index.json")) == {"strict JSON"}


@pytest.mark.parametrize(("at", "value", "place"), [
    (("models", 3, "areas"), {"math": {}}, "models[m03].areas.math"),
    (("models", 3, "theta"), "1.5", "models[m03].theta"),
    (("models", 3, "theta"), True, "models[m03].theta"),
    (("models", 3, "results", 0, "score"), 1.02, ".score"),
    (("models", 3, "results", 0, "benchmark"), "unknown", "unlisted benchmark: unknown"),
    (("models", 3, "slug"), "m04", "stands twice: m04"),
    (("benchmarks", 0, "g"), 1.0, "benchmarks[b00]"),
    (("benchmarks", 0, "n"), 0, "benchmarks[b00].n"),
    (("benchmarks", 0, "alpha"), None, "benchmarks[b00]"),
    (("calibration", "scale"), 0, "calibration.scale"),
    (("constants", "max_rounds"), 10**12, "constants.max_rounds"),
    (("models", 3, "results", 0, "version_released"), "31.12.2025", "version_released"),
    (("models", 3, "theta"), 10**400, "models[m03].theta"),
], ids=lambda x: str(x)[:40])
def test_a_wrong_shape_is_named(index, inputs, at, value, place):
    put(index, at, value)
    report = verify(signed(index), inputs)
    assert failed(report) == {"shape"}
    assert place in next(c.notes for c in report.checks if c.name == "shape")


def test_numbers_that_leave_the_finite_fail_a_check(index, inputs):
    index["benchmarks"][0]["alpha"] = 1e308
    assert not verify(signed(index), inputs).passed


def test_deep_nesting_fails_a_check(index, inputs):
    deep = []
    for _ in range(3000):
        deep = [deep]
    assert not verify(index | {"sources": deep}, inputs).passed


def test_a_missing_or_huge_file_is_refused(tmp_path, monkeypatch):
    with pytest.raises(VerificationError, match=r"index\.json"):
        verify_file(tmp_path / "index.json")
    monkeypatch.setattr("siiq_core.verify.reading.MOST_BYTES", 10)
    (tmp_path / "index.json").write_bytes(b"{" + b" " * 20 + b"}")
    with pytest.raises(VerificationError, match="larger than 10 bytes"):
        verify_file(tmp_path / "index.json")


@pytest.mark.parametrize(("text", "place"), [
    (b"slug,benchmark\n", "header"), (b"", "header"), (b"\xff", "UTF-8"),
    (b"slug,benchmark,score\na,b,0.5\na,b\n", "row 2"),
    (b"slug,benchmark,score\na,b,0,71\n", "row 1"),
    *((b"slug,benchmark,score\na,b," + x + b"\n", "score") for x in (b"nan", b"1_0", b" 0.5", b"-0.1", b"", "١".encode())),
], ids=lambda x: repr(x)[:60])
def test_inputs_are_read_strictly(text, place):
    with pytest.raises(VerificationError, match=place):
        parse_inputs(text)


@pytest.mark.parametrize("row", [("m04", "b00", 1.02), ("m04", "nowhere", 0.5), ("m05", "b01", 0.5)],
                         ids=["out of range", "unknown benchmark", "given twice"])
def test_inputs_that_cannot_be(index, inputs, row):
    report = verify(index, (*inputs, row))
    assert failed(report) == {"calibration"}
    assert f"row {len(inputs) + 1}" in next(c.notes for c in report.checks if c.name == "calibration")


# --- independence


def test_it_shares_no_code():
    """Records and errors of the project only; no room that made the file."""
    folder = Path(siiq_core.verify.__file__).parent
    allowed = {"siiq_core.records", "siiq_core.errors"}
    for file in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level <= 1, f"{file.name} reaches out of its room"
                modules = [] if node.level else [node.module]
            assert not {m for m in modules if m.split(".")[0] == "siiq_core"} - allowed, file.name


def test_own_serialisation_is_the_published_one(index):
    from siiq_core.files import canonical_bytes as published_bytes
    from siiq_core.files import with_digest

    odd = index | {"name": "Ünïcode \u202e <x>", "empty": [], "none": {}}
    assert canonical_bytes(odd) == published_bytes(odd)
    assert digest(odd) == with_digest(odd)["digest"]
    assert parse_index(canonical_bytes(odd)) == json.loads(canonical_bytes(odd))
