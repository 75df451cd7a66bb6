"""An AI model as second reader: its fields are compared, its word is not taken, and nobody in reach means no verdicts."""

import dataclasses
import json

import pytest
from endpoint import given, is_control, say, send

from siiq_core.errors import SiiqError
from siiq_core.gate.checker import CheckerUnreachable
from siiq_core.gate.checker.ai import CONTROL
from siiq_core.gate.checker.judging import compared
from siiq_core.gate.checker.prompt import Nonsense, Seen, answers


@pytest.fixture
def few(question):
    """Three questions: Nova 1, Nova 2, Orbit 3."""
    return [question("Nova 1", 0.625), question("Nova 2", 0.71), question("Orbit 3", 0.4)]


def outcomes(verdicts):
    return [verdict.outcome for verdict in verdicts]


def about(name):
    """Is a task about the row of this name?"""
    return lambda task: name in task["row"]


def spoiled(name, /, **changes):
    """Answers about the row of this name with other fields."""
    return lambda task, answer: {**answer, **changes} if about(name)(task) else answer


# --- what is confirmed and what is not --------------------------------------------------------------------------------

def test_an_honest_reader_confirms_and_is_named(opened, endpoint, few, now):
    verdicts = opened().read(few, now)
    assert [(v.question, v.outcome, v.who, v.how, v.family, v.at) for v in verdicts] == [
        (q.id, "confirmed", "reader-1", "ai", "lens", "2026-09-01T12:00:00Z") for q in few]
    assert len(endpoint.asked) == 1 and endpoint.asked[0][0] == "/v1/chat/completions"
    assert opened().read([], now) == () and len(endpoint.asked) == 1


@pytest.mark.parametrize(("field", "changes"), [
    ("model", {"name": "nova-2"}), ("model", {"name": ""}), ("model", {"name": "nova-2-2026-02-03 "[:-2]}),
    ("benchmark", {"benchmark": "GSO"}), ("benchmark", {"benchmark": "none of these"}),
    ("number", {"number": "0.72"}), ("number", {"number": "0.710"}), ("number", {"number": "71%", "out_of": "100"}), ("number", {"number": "NaN"}),
    ("number", {"column": "Accuracy SE"}), ("number", {"out_of": "100"}), ("number", {"out_of": "0"}), ("number", {"out_of": "-1"}), ("number", {"out_of": "one"}),
    ("number", {"number": "0,71"}), ("number", {"number": "9" * 500}),
    ("identity", {"model": "Nova 1"}), ("identity", {"model": "nova 2"}), ("identity", {"model": "none of these"}), ("identity", {"reported_by_developer": True})])
def test_each_field_counts_and_no_word_of_approval_does(opened, endpoint, few, now, field, changes):
    """A reader that says "confirmed" about wrong fields is one that refuses."""
    endpoint.spoil = spoiled("nova-2", **changes, verdict="confirmed", confirmed=True, outcome="confirmed", fields=[])
    verdicts = opened().read(few, now)
    assert outcomes(verdicts) == ["confirmed", "refused", "confirmed"]
    assert [f.name for f in verdicts[1].fields if not f.agree] == [field] and field in verdicts[1].reason


def test_no_word_of_disapproval_counts_either(opened, endpoint, few, now):
    endpoint.spoil = spoiled("nova-2", verdict="refused", confirmed=False)
    assert outcomes(opened().read(few, now)) == ["confirmed"] * 3


def test_our_own_readings_are_not_told(opened, endpoint, question, now):
    """A question whose number and name are not those of its row: neither shows in the request."""
    opened().read([question(), dataclasses.replace(question("Nova 2", 0.5), score=0.123456, name="made-up-name", setting="setting-x")], now)
    sent = json.dumps([request for _, _, request in endpoint.asked])
    assert "0.123456" not in sent and "made-up-name" not in sent and "setting-x" not in sent


def test_the_choice_of_models_does_not_show_which_is_ours(opened, endpoint, question, now):
    """Two questions that differ in our model alone are one and the same request."""
    row = question("Nova 2", 0.71)
    for model in ("Nova 1", "Nova 2"):
        opened().read([question("Orbit 3"), dataclasses.replace(row, model=model)], now)
    told = [request for _, _, request in endpoint.asked if len(given(request)["tasks"]) == 2]
    assert len(told) == 2 and told[0] == told[1] and given(told[0])["tasks"][1]["models"] == ["Nova 1", "Nova 1 mini", "Nova 2", "Orbit 3"]


def test_a_version_filed_under_the_wrong_model_is_refused(opened, question, now):
    """The row and number are right; the group is not: the tier has a model of its own (P2)."""
    wrong = question("Nova 1", 0.5, name="nova-1-mini-2026-02-03")
    verdicts = opened().read([question("Nova 2", 0.71), wrong], now)
    assert outcomes(verdicts) == ["confirmed", "refused"]
    assert [(f.read, f.ours) for f in verdicts[1].fields if not f.agree] == [("Nova 1 mini", "Nova 1")]


@pytest.mark.parametrize(("cell", "scale", "said", "agrees"), [
    ("77.47%", 0.01, {"number": "77.47%", "out_of": "100"}, True), ("77.47%", 0.01, {"number": "77.47%", "out_of": "100%"}, True),
    ("77.47", 0.01, {"number": "77.47", "out_of": "100"}, True), ("77.47", 0.01, {"number": "77.47", "out_of": "1"}, False),
    ("7.747", 0.1, {"number": "7.747", "out_of": "10"}, True), ("77.47%", 1.0, {"number": "77.47%", "out_of": "1"}, False),
    ("0.7747", 1.0, {"number": "0.7747", "out_of": "1.0"}, True), ("0.7747", 1.0, {"number": "0.7747", "out_of": "100"}, False)])
def test_numbers_are_read_in_the_configured_unit(question, cell, scale, said, agrees):
    q = question("Nova 1", 0.7747, cell=cell, scale=scale)
    seen = Seen(**{"name": q.name, "model": "Nova 1", "benchmark": "Quiz", "column": "Accuracy", "reported_by_developer": False, **said})
    assert [f.agree for f in compared(q, seen)] == [True, True, agrees, True]


def test_either_name_of_a_row_names_the_model(question):
    q = dataclasses.replace(question(), origin_name="Nova One")
    seen = lambda name: Seen(name, "Nova 1", "Quiz", "Accuracy", "0.625", "1", False)  # noqa: E731
    assert [compared(q, seen(name))[0].agree for name in (q.name, "Nova One", "Nova 1", "")] == [True, True, False, False]


def test_the_control_is_read_rightly_by_a_right_reader():
    seen = Seen("nova-1-2026-01-05", "Nova 1", "Sample Quiz", "Accuracy", "0.625", "1", False)
    assert all(field.agree for field in compared(CONTROL, seen))


# --- usable and unusable answers -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("spoil", [
    lambda task, answer: [], lambda task, answer: [answer, answer], lambda task, answer: {**answer, "id": "t99"}, lambda task, answer: {**answer, "id": None},
    lambda task, answer: {**answer, "number": None}, lambda task, answer: {**answer, "number": float("nan")}, lambda task, answer: {**answer, "name": ["x"]},
    lambda task, answer: {**answer, "reported_by_developer": "no"}, lambda task, answer: {**answer, "name": "x" * 3_000},
    lambda task, answer: {"id": answer["id"], "verdict": "confirmed"}, lambda task, answer: [["confirmed"]]])
def test_nonsense_about_one_row_is_refused_after_a_second_try_alone(opened, endpoint, few, now, spoil):
    endpoint.spoil = lambda task, answer: spoil(task, answer) if about("nova-2")(task) else answer
    verdicts = opened().read(few, now)
    assert outcomes(verdicts) == ["confirmed", "refused", "confirmed"] and verdicts[1].fields == ()
    assert "No usable answer" in verdicts[1].reason
    assert ["nova-2-2026-02-03"] in [[row["Model version"] for row in rows] for rows in endpoint.rows()]


def test_nonsense_once_is_forgiven(opened, endpoint, few, now):
    endpoint.spoil = lambda task, answer: [] if len(endpoint.asked) == 1 else answer
    assert outcomes(opened().read(few, now)) == ["confirmed"] * 3 and len(endpoint.asked) == 4
    endpoint.begin()
    endpoint.spoil = lambda task, answer: [] if len(endpoint.asked) == 1 else answer
    assert outcomes(opened(batch=1).read(few, now)) == ["confirmed"] * 3 and len(endpoint.asked) == 4


@pytest.mark.parametrize("content", ["", "confirmed", "[]", "{}", '{"answers": {}}', '{"answers": [', '{"answers": [], "answers": []}', "{" * 5_000, "<html>no</html>",
                                     '{"answers": [NaN]}', None, 7, [{"type": "text", "text": "{}"}]])
def test_content_that_is_none_for_every_row_means_no_reader(opened, endpoint, few, now, content):
    endpoint.whole = lambda handler, request: say(handler, content)
    with pytest.raises(CheckerUnreachable, match="no second reader"):
        opened().read(few, now)


@pytest.mark.parametrize("content", ['{"answers": [{"id": "t1", "number": NaN}]}', '{"answers": [{"id": "t1", "extra": -Infinity}]}',
                                     '{"answers": [{"id": "t1", "id": "t2"}]}', '{"answers": [], "answers": []}'])
def test_numbers_that_json_does_not_know_and_names_that_stand_twice_spoil_the_whole_answer(content):
    with pytest.raises(Nonsense, match="no plain JSON"):
        answers(content, ["t1"])


def test_answers_to_what_was_not_asked_are_dropped():
    whole = {name: "x" for name in ("name", "model", "benchmark", "column", "number", "out_of")} | {"reported_by_developer": False}
    found = answers(json.dumps({"answers": [{**whole, "id": "t9"}, {**whole, "id": "t1"}, "t2", None]}), ["t1", "t2"])
    assert found == {"t1": Seen(**whole), "t2": "it is not answered"}


def test_the_reader_may_be_wordy_around_its_json(opened, endpoint, few, now):
    endpoint.whole = lambda handler, request: say(handler, f"<think>a {{ of thoughts</think>\nHere it is:\n```json\n{endpoint.content(request)}\n```\n")
    assert outcomes(opened().read(few, now)) == ["confirmed"] * 3


def test_numbers_may_come_as_json_numbers_and_are_text_all_the_same(opened, endpoint, question, now):
    cell = "0.6718277945619335"
    endpoint.whole = lambda handler, request: say(handler, endpoint.content(request).replace(f'"{cell}"', cell).replace('"out_of": "1"', '"out_of": 1'))
    assert outcomes(opened().read([question("Nova 1", 0.671827794562, cell=cell)], now)) == ["confirmed"]


def echo(handler, request):
    say(handler, request["messages"][-1]["content"])


def html(handler, request):
    send(handler, b"<!doctype html><html>log in</html>", Content_Type="text/html")


def empty(handler, request):
    send(handler, b"")


def no_json(handler, request):
    send(handler, b"\xff\xfe{")


def other_json(handler, request):
    send(handler, b'{"choices": []}')


def huge(handler, request):
    handler.send_response(200)
    handler.send_header("Content-Length", str(100_000_000))
    handler.end_headers()


def endless(handler, request):
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    block = b" " * 65_536
    for _ in range(1_600):  # 100 MB, if anybody reads it
        handler.wfile.write(f"{len(block):x}\r\n".encode() + block + b"\r\n")


@pytest.mark.parametrize("whole", [echo, html, empty, no_json, other_json, huge, endless])
def test_an_endpoint_that_answers_otherwise_is_no_reader(opened, endpoint, few, now, whole):
    endpoint.whole = whole
    with pytest.raises(CheckerUnreachable):
        opened().read(few, now)


@pytest.mark.parametrize("whole", [echo, html, empty, no_json, other_json, huge, endless])
def test_such_an_answer_to_one_row_alone_refuses_that_row(opened, endpoint, few, now, whole):
    """A row that upsets the reader is the row's fault, while the control is read."""
    honestly = endpoint.whole
    endpoint.whole = lambda handler, request: (whole if "nova-2" in request["messages"][1]["content"] else honestly)(handler, request)
    assert outcomes(opened().read(few, now)) == ["confirmed", "refused", "confirmed"]
    verdicts = opened().read([few[1]], now)
    assert outcomes(verdicts) == ["refused"] and is_control(endpoint.asked[-1][2])


def test_a_reader_that_gets_everything_wrong_is_no_reader(opened, endpoint, few, now):
    endpoint.spoil = lambda task, answer: {**answer, "number": "0.999"}
    with pytest.raises(CheckerUnreachable, match="not the control"):
        opened().read(few, now)
    endpoint.spoil = lambda task, answer: answer if task["source"] == "sample" else {**answer, "number": "0.999"}
    assert outcomes(opened().read(few, now)) == ["refused"] * 3


# --- trying again, and giving up -----------------------------------------------------------------------------------------

def fails(times, status, **headers):
    """This status so many times, then honest."""
    left = [times]

    def make(endpoint):
        honestly = endpoint.whole

        def whole(handler, request):
            left[0] -= 1
            send(handler, b'{"error": "no"}', status, **headers) if left[0] >= 0 else honestly(handler, request)
        return whole
    return make


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529, 599])
def test_failures_that_may_pass_are_tried_again_at_the_same_pace(opened, endpoint, few, now, pace, status):
    endpoint.whole = fails(2, status)(endpoint)
    assert outcomes(opened().read(few, now)) == ["confirmed"] * 3
    assert pace.slept == [2, 6] and len(endpoint.asked) == 3


def test_retry_after_is_obeyed_up_to_its_bound(opened, endpoint, few, now, pace):
    endpoint.whole = fails(1, 429, Retry_After="50")(endpoint)
    assert outcomes(opened().read(few, now)) == ["confirmed"] * 3 and pace.slept == [50]
    endpoint.whole = fails(1, 429, Retry_After="121")(endpoint)
    with pytest.raises(CheckerUnreachable, match="429"):
        opened().read(few, now)
    assert pace.slept == [50] and len(endpoint.asked) == 3  # left alone: not even the control was asked


@pytest.mark.parametrize(("status", "requests"), [(503, 5), (401, 1), (404, 1), (302, 1), (307, 1), (403, 5), (402, 5)])
def test_what_does_not_pass_is_no_reader(opened, endpoint, few, now, status, requests):
    """503: the attempts, then the control once. 403 could be about a row: each is asked alone, before the control."""
    endpoint.whole = lambda handler, request: send(handler, b"no", status, Location="https://elsewhere.test/")
    with pytest.raises(CheckerUnreachable, match=str(status)):
        opened().read(few, now)
    assert len(endpoint.asked) == requests


def test_an_endpoint_without_structured_answers_is_asked_plainly(opened, endpoint, few, now):
    honestly = endpoint.whole
    endpoint.whole = lambda handler, request: send(handler, b"no", 400) if "response_format" in request else honestly(handler, request)
    assert outcomes(opened(batch=1).read(few, now)) == ["confirmed"] * 3
    assert ["response_format" in request for _, _, request in endpoint.asked] == [True, False, False, False]


def test_the_answer_is_asked_for_by_schema(opened, endpoint, few, now):
    opened().read(few, now)
    asked = endpoint.asked[0][2]["response_format"]
    assert asked["type"] == "json_schema" and asked["json_schema"]["strict"] is True
    item = asked["json_schema"]["schema"]["properties"]["answers"]["items"]
    assert set(item["required"]) == set(item["properties"]) and item["additionalProperties"] is False


def test_nobody_listens(opened, few, now, nobody, pace):
    with pytest.raises(CheckerUnreachable, match="connection fails") as caught:
        opened(base_url=nobody).read(few, now)
    assert isinstance(caught.value, SiiqError) and "params/checker.yml" in caught.value.remedy and pace.slept == [2, 6, 18]


def test_silence_is_no_reader(opened, endpoint, few, now):
    endpoint.whole = lambda handler, request: endpoint.closing.wait(20)
    with pytest.raises(CheckerUnreachable, match="connection fails"):
        opened(read=0.1, attempts=2).read(few, now)


def test_silence_about_one_row_refuses_that_row(opened, endpoint, few, now):
    honestly = endpoint.whole
    endpoint.whole = lambda handler, request: endpoint.closing.wait(20) if "nova-2" in request["messages"][1]["content"] else honestly(handler, request)
    assert outcomes(opened(read=0.2, attempts=1).read(few, now)) == ["confirmed", "refused", "confirmed"]


def test_the_time_for_a_reading_is_bounded(opened, endpoint, few, now, pace):
    endpoint.whole = lambda handler, request: send(handler, b"", 503)
    with pytest.raises(CheckerUnreachable, match="for a reading are up"):
        opened(reading=5).read(few, now)
    assert pace.slept == [2]


def test_a_reader_that_goes_away_in_the_middle_gives_no_verdicts(opened, endpoint, few, now):
    honestly = endpoint.whole
    endpoint.whole = lambda handler, request: honestly(handler, request) if len(endpoint.asked) == 1 else send(handler, b"", 503)
    with pytest.raises(CheckerUnreachable):
        opened(batch=1).read(few, now)


def test_batches_are_bounded_and_their_size_changes_no_verdict(opened, endpoint, question, now):
    questions = [question("Nova 1", k / 16, name=f"nova-1-{k:02}") for k in range(11)]
    endpoint.spoil = spoiled("nova-1-04", number="0.9")
    by_size = {size: opened(batch=size).read(questions, now) for size in (1, 4, 11, 50)}
    assert len(set(by_size.values())) == 1 and outcomes(by_size[4]).count("refused") == 1
    assert max(map(len, endpoint.rows())) == 11 and all(len(rows) <= 50 for rows in endpoint.rows())


def test_a_row_too_long_is_refused_unasked(opened, endpoint, few, question, now):
    long = question("Nova 2", 0.5, id="long", source_cell="x" * 9_000)
    verdicts = opened().read([few[0], long], now)
    assert outcomes(verdicts) == ["confirmed", "refused"] and "longest_row" in verdicts[1].reason
    assert all(len(row["Source"]) < 100 for rows in endpoint.rows() for row in rows)


# --- another family than the writer's ---------------------------------------------------------------------------------

def test_a_model_of_the_writers_family_that_answers_in_anothers_name_is_no_reader(opened, endpoint, few, now):
    endpoint.whole = lambda handler, request: say(handler, endpoint.content(request), model="Quill-4-turbo")
    with pytest.raises(CheckerUnreachable, match="family of the writer"):
        opened().read(few, now)
    endpoint.whole = lambda handler, request: say(handler, endpoint.content(request), model="reader-1-2026-06-01")
    assert outcomes(opened().read(few, now)) == ["confirmed"] * 3
