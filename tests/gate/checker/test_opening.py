"""Which reader params/checker.yml fits; what is missing says how to mend it; and no host is asked by surprise."""

import pytest
from endpoint import send

from siiq_core.errors import ParameterError
from siiq_core.gate.checker import CheckerUnreachable, open_checker
from siiq_core.gate.checker.literal import LiteralReader
from siiq_core.params.checker import checked_address, load_checker


@pytest.fixture
def fitted(params, pace, specs, shipped_sources):
    """Without a network given: fitted(environment, fitting=…)."""
    return lambda environment={}, **changes: open_checker(params(**changes), environment, benchmarks=specs, sources=shipped_sources, clock=pace.clock)


def test_as_shipped_nobody_reads_and_the_refusal_says_what_to_write(root, specs, shipped_sources, pace):
    shipped = load_checker(root)
    assert (shipped.fitting, shipped.literal_stands_in, shipped.ai.model, shipped.ai.base_url) == ("none", False, "", "")
    with pytest.raises(CheckerUnreachable, match="fitting: ai.*fitting: literal"):
        open_checker(shipped, {"SIIQ_CHECKER_KEY": "sk-0123456789"}, benchmarks=specs, sources=shipped_sources, clock=pace.clock)


def test_the_literal_reader_reads_where_it_is_fitted(fitted, question, now):
    (verdict,) = fitted(fitting="literal").read([question()], now)
    assert (verdict.outcome, verdict.how, verdict.who) == ("confirmed", "literal", "literal re-reader")


@pytest.mark.parametrize(("environment", "changes", "said"), [
    ({}, {}, "SIIQ_CHECKER_URL"), ({"SIIQ_CHECKER_URL": "https://ai.example.org/v1"}, {}, "SIIQ_CHECKER_KEY"),
    ({"SIIQ_CHECKER_URL": "https://ai.example.org/v1", "SIIQ_CHECKER_KEY": ""}, {}, "SIIQ_CHECKER_KEY"),
    ({"SIIQ_CHECKER_URL": "http://ai.example.org/v1", "SIIQ_CHECKER_KEY": "sk-0123456789"}, {}, "plain http"),
    ({"SIIQ_CHECKER_URL": "https://sk-secret@ai.example.org", "SIIQ_CHECKER_KEY": "sk-0123456789"}, {}, "no credentials"),
    ({"SIIQ_CHECKER_KEY": "sk-0123456789"}, {"address_variable": "OTHER_URL"}, "OTHER_URL")])
def test_what_is_missing_is_named_and_no_literal_reader_slips_in(fitted, environment, changes, said):
    with pytest.raises(CheckerUnreachable, match=said) as caught:
        fitted(environment, **changes)
    assert caught.value.remedy and "sk-secret" not in str(caught.value) and "0123456789" not in str(caught.value)
    assert isinstance(fitted(environment, **changes, literal_stands_in=True), LiteralReader)


def test_the_literal_reader_stands_in_only_where_that_is_configured_and_says_so(opened, endpoint, question, now):
    assert [v.how for v in opened(literal_stands_in=True).read([question()], now)] == ["ai"]
    endpoint.whole = lambda handler, request: send(handler, b"", 503)
    (verdict,) = opened(literal_stands_in=True).read([question()], now)
    assert (verdict.outcome, verdict.how, verdict.family) == ("confirmed", "literal", "") and "no AI" in verdict.as_checker()["who"]
    with pytest.raises(CheckerUnreachable):
        opened().read([question()], now)


def test_a_refusal_by_the_ai_model_is_not_overruled(opened, endpoint, question, now):
    endpoint.spoil = lambda task, answer: {**answer, "number": "0.9"} if "nova-2" in task["row"] else answer
    assert [v.outcome for v in opened(literal_stands_in=True).read([question("Nova 1"), question("Nova 2", 0.71)], now)] == ["confirmed", "refused"]


def test_an_address_on_loopback_reaches_this_machine_alone_and_any_other_public_hosts_alone(fitted):
    key = {"SIIQ_CHECKER_KEY": "sk-0123456789"}
    near = fitted(key, base_url="http://127.0.0.1:8080/v1").endpoint.network
    far = fitted(key, base_url="https://ai.example.org/v1/").endpoint
    assert (near.only_loopback, near.plain_http) == (True, True)
    assert (far.network.only_loopback, far.network.plain_http, far.base_url) == (False, False, "https://ai.example.org/v1")


def test_a_name_that_leads_into_a_private_network_is_not_asked(params, pace, specs, shipped_sources, question, now):
    from siiq_core.evidence.live.network import Network

    asked = []
    network = Network(resolve=lambda host, port: asked.append(host) or ["10.0.0.7"])
    reader = open_checker(params(base_url="https://ai.example.org/v1"), {"SIIQ_CHECKER_KEY": "sk-0123456789"}, benchmarks=specs, sources=shipped_sources,
                          clock=pace.clock, network=network)
    with pytest.raises(CheckerUnreachable, match="may not"):
        reader.read([question()], now)
    assert asked == ["ai.example.org"] and pace.slept == []


@pytest.mark.parametrize("text", ["https://ai.example.org/v1", "https://ai.example.org:8443", "http://127.0.0.1:1234/v1", "http://localhost:1234", "http://[::1]:80/v1"])
def test_addresses_that_may_be_configured(text):
    assert checked_address(text + "/") == text


@pytest.mark.parametrize("text", ["", "ai.example.org", "http://ai.example.org", "http://127.0.0.1.evil.test", "ftp://127.0.0.1", "https://", "https://a b", "https://a@b.org",
                                  "https://a.org/?key=1", "https://a.org/#x", "https://a.org/\\b", "https://a.org:99999", "https://" + "a" * 3_000, "http://10.0.0.1", "http://0.0.0.0"])
def test_addresses_that_may_not(text):
    with pytest.raises(ValueError):
        checked_address(text)


# --- params/checker.yml ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("changes", "said"), [
    ({"family": "quill"}, "U2.*another family"), ({"model": "vendor/Quill-4"}, "U2.*another family"), ({"family": "quill-4"}, "U2.*another family"),
    ({"model": ""}, "ai.model"), ({"family": ""}, "ai.family"), ({"writer_family": ""}, "writer_family"), ({"address_variable": "", "base_url": ""}, "ai.base_url"),
    ({"fitting": "maybe"}, "none"), ({"literal_stands_in": "yes"}, "bool"), ({"batch": 0}, "1"), ({"batch": 51}, "50"), ({"attempts": 11}, "10"),
    ({"largest_answer": 10}, "1000"), ({"read": 0}, "0.1"), ({"key_variable": "sk-abc"}, "pattern"), ({"family": "Lens"}, "pattern")])
def test_what_the_parameters_may_not_be(params, changes, said):
    import pydantic

    with pytest.raises(pydantic.ValidationError, match=f"(?s){said}"):
        params(**changes)
    assert params(fitting="none", family="", model="", writer_family="").fitting == "none"


@pytest.mark.parametrize(("old", "new"), [
    ("key_variable: SIIQ_CHECKER_KEY", "key_variable: sk-pasted-by-mistake"), ('base_url: ""', 'base_url: "https://sk-pasted-by-mistake@ai.example.org"'),
    ("fitting: none", "key: sk-pasted-by-mistake\nfitting: none"), ("ai:\n", "ai:\n  key: sk-pasted-by-mistake\n")])
def test_a_key_pasted_into_the_file_is_refused_with_its_place_and_unshown(root, tmp_path, old, new):
    import traceback

    text = (root / "params" / "checker.yml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    (tmp_path / "params").mkdir()
    (tmp_path / "params" / "checker.yml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ParameterError, match="checker.yml") as caught:
        load_checker(tmp_path)
    assert caught.value.row and "pasted-by-mistake" not in "".join(traceback.format_exception(caught.value))
