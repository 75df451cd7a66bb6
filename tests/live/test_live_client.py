"""The client against a real server on loopback: conditions, retries, deadlines, broken answers (fault kind 22)."""

import datetime
import gzip
import time

import pytest
from loopback import File, in_turn, raw, silent_port, status

from siiq_core import __version__
from siiq_core.errors import ParameterError, SourceError
from siiq_core.evidence.live.refusals import AnswerRefused, FetchRefused, Unreachable
from siiq_core.evidence.live.validators import Validators
from siiq_core.evidence.live.waiting import retry_after, system_clock

CSV = b"Model version,score\nnova-1,0.71\n"
MONDAY, SUNDAY = "Mon, 23 Nov 2026 08:00:00 GMT", "Sun, 22 Nov 2026 08:00:00 GMT"


# --- a plain answer, and who asks ---------------------------------------------------------------------------------------

def test_a_file_with_its_validators(publisher, client):
    publisher.routes["/a.csv"] = File(CSV, '"a"', MONDAY)
    got = client().fetch("demo", publisher.url("/a.csv"))
    assert (got.status, got.content, got.etag, got.last_modified) == (200, CSV, '"a"', MONDAY)
    assert got.url == got.final_url == publisher.url("/a.csv")
    assert got.retrieved_at == "2026-11-29T12:00:00Z" and not got.unchanged
    with pytest.raises(AttributeError):  # frozen
        got.status = 304


def test_the_request_says_who_asks_and_nothing_more(publisher, client):
    publisher.routes["/a.csv"] = File(CSV)
    client().fetch("demo", publisher.url("/a.csv"))
    [(_, headers)] = publisher.asked
    assert set(headers) == {"host", "user-agent", "accept", "accept-encoding", "connection"}
    assert headers["user-agent"].startswith(f"siiq/{__version__} (SI-IQ") and headers["accept-encoding"] == "gzip"


def test_the_contact_is_sent(publisher, params, client):
    publisher.routes["/a.csv"] = File(CSV)
    reader = client()
    values = {**reader.params.model_dump(), "contact": "https://example.org/why"}
    type(reader)(type(reader.params).model_validate(values), reader.network, reader.clock).fetch("demo", publisher.url("/a.csv"))
    assert publisher.asked[0][1]["user-agent"].endswith("contact: https://example.org/why")


def test_the_environment_has_no_say(publisher, client, monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    publisher.routes["/a.csv"] = File(CSV)
    assert client().fetch("demo", publisher.url("/a.csv")).content == CSV


def test_an_unknown_source_is_refused(publisher, client):
    with pytest.raises(ParameterError, match="did you mean 'demo'"):
        client().fetch("demos", publisher.url("/a.csv"))


# --- conditional requests ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("known", "now"), [('"a"', '"a"'), ('W/"a"', 'W/"a"'), ('W/"a"', '"a"'), ('"a"', 'W/"a"')])
def test_weak_comparison_and_a_304_is_no_snapshot(publisher, client, known, now):
    publisher.routes["/a.csv"] = File(CSV, now, MONDAY)
    got = client().fetch("demo", publisher.url("/a.csv"), Validators(known, SUNDAY))
    assert got.unchanged and got.content is None
    assert got.validators == Validators(known, SUNDAY)  # those we had, though the 304 carried others
    assert publisher.asked[0][1]["if-none-match"] == known and publisher.asked[0][1]["if-modified-since"] == SUNDAY


def test_a_304_without_validators_keeps_the_old_ones(publisher, client):
    publisher.routes["/a.csv"] = File(CSV, '"a"', MONDAY, bare_304=True)
    got = client().fetch("demo", publisher.url("/a.csv"), Validators('"a"', MONDAY))
    assert got.unchanged and got.validators == Validators('"a"', MONDAY)


def test_last_modified_alone(publisher, client):
    publisher.routes["/a.csv"] = File(CSV, None, MONDAY)
    assert client().fetch("demo", publisher.url("/a.csv"), Validators(None, MONDAY)).unchanged
    newer = client().fetch("demo", publisher.url("/a.csv"), Validators(None, SUNDAY))
    assert (newer.status, newer.content, newer.validators) == (200, CSV, Validators(None, MONDAY))


def test_a_changed_file_brings_its_own_validators_and_only_those(publisher, client):
    publisher.routes["/a.csv"] = File(CSV, '"b"')
    got = client().fetch("demo", publisher.url("/a.csv"), Validators('"a"', SUNDAY))
    assert (got.status, got.validators) == (200, Validators('"b"', None))


def test_a_304_about_another_content_is_read_anew(publisher, client):
    publisher.routes["/a.csv"] = in_turn(status(304, {"ETag": '"other"'}, b""), File(CSV, '"b"'))
    got = client().fetch("demo", publisher.url("/a.csv"), Validators('"a"'))
    assert (got.status, got.content) == (200, CSV)
    assert "if-none-match" in publisher.asked[0][1] and "if-none-match" not in publisher.asked[1][1]


def test_a_304_that_nobody_asked_for_is_refused(publisher, client):
    publisher.routes["/a.csv"] = status(304, {}, b"")
    with pytest.raises(AnswerRefused, match="status 304"):
        client().fetch("demo", publisher.url("/a.csv"))


@pytest.mark.parametrize("etag", ["a", 'W/a', '"a', '"a b"', '"a"; x', '"' + "a" * 600 + '"', '"é"'])
def test_what_is_no_etag_is_not_sent_back(publisher, client, etag):
    publisher.routes["/a.csv"] = File(CSV, etag, "yesterday")
    got = client().fetch("demo", publisher.url("/a.csv"))
    assert got.content == CSV and got.validators == Validators()
    client().fetch("demo", publisher.url("/a.csv"), Validators(etag + "\r\nX-Evil: 1", "yesterday"))
    assert not {"if-none-match", "if-modified-since", "x-evil"} & set(publisher.asked[1][1])


# --- trying again ------------------------------------------------------------------------------------------------------

def test_back_off_grows_without_jitter_and_ends(publisher, client, pace):
    publisher.routes["/a.csv"] = status(503)
    with pytest.raises(Unreachable, match=r"status 503 \(attempts: 4\)") as caught:
        client().fetch("demo", publisher.url("/a.csv"))
    assert pace.slept == [1, 3, 9] and len(publisher.asked) == 4 and caught.value.attempts == 4


def test_back_off_is_bounded(publisher, client, pace):
    publisher.routes["/a.csv"] = status(500)
    with pytest.raises(Unreachable):
        client(attempts=6, longest_wait=5, factor=10).fetch("demo", publisher.url("/a.csv"))
    assert pace.slept == [1, 5, 5, 5, 5]


@pytest.mark.parametrize("code", [408, 425, 429, 500, 502, 503, 504])
def test_what_may_pass_is_tried_again(publisher, client, pace, code):
    publisher.routes["/a.csv"] = in_turn(status(code), File(CSV))
    assert client().fetch("demo", publisher.url("/a.csv")).content == CSV and pace.slept == [1]


@pytest.mark.parametrize("code", [201, 204, 206, 300, 305, 400, 401, 403, 404, 410, 418, 451, 501])
def test_what_will_not_pass_is_final(publisher, client, pace, code):
    publisher.routes["/a.csv"] = status(code, {}, b"" if code == 204 else b"no")
    with pytest.raises(AnswerRefused, match=f"status {code}") as caught:
        client().fetch("demo", publisher.url("/a.csv"))
    assert caught.value.status == code and pace.slept == [] and len(publisher.asked) == 1 and "Remedy" in str(caught.value)


@pytest.mark.parametrize(("header", "waits"), [
    ("7", [7]), ("0", [1]), ("Sun, 29 Nov 2026 12:00:30 GMT", [30]), ("Sun, 29 Nov 2026 11:00:00 GMT", [1]),
    ("Sunday, 29-Nov-26 12:00:20 GMT", [20]), ("Sun Nov 29 12:00:10 2026", [10]),
    ("soon", [1]), ("-5", [1]), ("1e9", [1]), ("", [1]), ("99999999999999", [1]), ("Sun, 99 Foo 2026 12:00:30 GMT", [1]),
])
def test_retry_after_in_seconds_and_as_a_date(publisher, client, pace, header, waits):
    publisher.routes["/a.csv"] = in_turn(status(429, {"Retry-After": header}), File(CSV))
    assert client().fetch("demo", publisher.url("/a.csv")).content == CSV
    assert pace.slept == waits


@pytest.mark.parametrize("header", ["3600", "Sun, 29 Nov 2026 14:00:00 GMT"])
def test_a_publisher_who_wants_a_long_pause_gets_it(publisher, client, pace, header):
    publisher.routes["/a.csv"] = status(503, {"Retry-After": header})
    with pytest.raises(Unreachable, match="longest_retry_after") as caught:
        client().fetch("demo", publisher.url("/a.csv"))
    assert pace.slept == [] and len(publisher.asked) == 1 and caught.value.retry_after >= 3600


def test_retry_after_knows_no_zone_but_utc():
    now = datetime.datetime(2026, 11, 29, 13, 0, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
    assert retry_after("Sun, 29 Nov 2026 12:00:30 GMT", now) == 30 and retry_after(None, now) is None


def test_the_wait_that_outlasts_the_deadline_is_not_begun(publisher, client, pace):
    publisher.routes["/a.csv"] = status(503, {"Retry-After": "50"})
    with pytest.raises(Unreachable, match="deadline"):
        client(deadline=40).fetch("demo", publisher.url("/a.csv"))
    assert pace.slept == []


# --- slow and broken answers ---------------------------------------------------------------------------------------------

def drip(publisher, head, piece, every=0.02):
    """Sends `piece` again and again, never silent for long, until the publisher closes."""
    def go_on(handler):
        while not publisher.closing.wait(every):
            handler.wfile.write(piece)
    return raw(head, go_on)


@pytest.mark.parametrize(("head", "piece"), [
    (b"HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n", b"a"),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    (b"HTTP/1.1 200 OK\r\nX-Slow: ", b"a"),
    (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
])
def test_a_drip_ends_with_the_deadline(publisher, client, head, piece):
    publisher.routes["/a.csv"] = drip(publisher, head, piece)
    begun = time.monotonic()
    with pytest.raises(Unreachable, match="deadline of 0.4 s"):
        client(clock=system_clock(), deadline=0.4, read=5).fetch("demo", publisher.url("/a.csv"))
    assert 0.3 < time.monotonic() - begun < 4


def test_silence_is_tried_again_and_named(publisher, client, pace):
    publisher.routes["/a.csv"] = in_turn(lambda handler: publisher.closing.wait(2), File(CSV))
    assert client(read=0.3).fetch("demo", publisher.url("/a.csv")).content == CSV and pace.slept == [1]
    with silent_port() as port, pytest.raises(Unreachable, match="silent for too long"):
        client(hosts=[f"127.0.0.1:{port}"], read=0.1, attempts=2).fetch("demo", f"http://127.0.0.1:{port}/")


def test_nobody_listens(publishers, client, pace):
    gone = publishers()
    gone.close()
    with pytest.raises(Unreachable, match="connection fails"):
        client(hosts=[gone.host], attempts=2).fetch("demo", gone.url("/"))
    assert pace.slept == [1]


def test_a_name_that_does_not_resolve_or_not_in_time(publisher, client):
    def unknown(host, port):
        raise OSError("no such name")

    def slow(host, port):
        publisher.closing.wait(2)
        return ["127.0.0.1"]

    for resolve, said in ((unknown, "does not resolve"), (slow, "silent for too long"), (lambda h, p: [], "has no address")):
        reader = client(hosts=[f"data.test:{publisher.server.server_port}"], attempts=1, connect=0.3)
        network = type(reader.network)(only_loopback=True, plain_http=True, resolve=resolve)
        begun = time.monotonic()
        with pytest.raises(Unreachable, match=said):
            type(reader)(reader.params, network, reader.clock).fetch("demo", publisher.url("/", "data.test"))
        assert time.monotonic() - begun < 1.8


@pytest.mark.parametrize("answer", [
    b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n" + CSV,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"%x\r\n%s\r\n" % (len(CSV), CSV),
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(CSV)[:-9],
    b"HTTP/1.1 200 OK\r\nContent-Le",
    b"",
    b"SSH-2.0-server\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabcdef",
    b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * 200_000 + b"\r\n\r\n",
], ids=["wrong length", "cut after a chunk", "cut in a chunk", "cut gzip", "cut header", "nothing", "no http", "two lengths", "bad length", "endless header"])
def test_a_cut_or_garbled_answer_is_never_a_file(publisher, client, pace, answer):
    publisher.routes["/a.csv"] = raw(answer)
    with pytest.raises(Unreachable, match="attempts: 2"):
        client(attempts=2).fetch("demo", publisher.url("/a.csv"))
    publisher.routes["/a.csv"] = in_turn(raw(answer), File(CSV))
    assert client().fetch("demo", publisher.url("/a.csv")).content == CSV


def test_without_a_length_a_cut_would_not_show(publisher, client):
    publisher.routes["/a.csv"] = raw(b"HTTP/1.1 200 OK\r\n\r\n" + CSV)
    with pytest.raises(AnswerRefused, match="neither its length nor its end"):
        client().fetch("demo", publisher.url("/a.csv"))


def test_the_length_says_where_the_file_ends(publisher, client):
    publisher.routes["/a.csv"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcdefgh")
    assert client().fetch("demo", publisher.url("/a.csv")).content == b"abcde"


# --- what is a file, and what is not -------------------------------------------------------------------------------------

@pytest.mark.parametrize(("content", "headers"), [
    (CSV, {"Content-Type": "text/html; charset=utf-8"}), (CSV, {"Content-Type": "Application/XHTML+XML"}),
    (b"<!DOCTYPE html><title>Log in</title>", {"Content-Type": "text/csv"}), (b"\xef\xbb\xbf \n<HTML lang=en>", {}),
    (b"<?xml version='1.0'?>\n<!-- x -->", {"Content-Type": "text/html"}), (b"<!-- x --><html>", {"Content-Type": "application/json"}),
])
def test_a_web_page_is_no_data_file(publisher, client, content, headers):
    publisher.routes["/a.csv"] = File(content, headers=headers)
    with pytest.raises(AnswerRefused, match="web page"):
        client().fetch("demo", publisher.url("/a.csv"))


@pytest.mark.parametrize("headers", [{}, {"Content-Type": "text/plain; charset=utf-16"}, {"Content-Type": "image/png"}, {"Content-Type": "garbage"}])
@pytest.mark.parametrize("content", [CSV, "é".encode("latin-1"), "é".encode("utf-16"), b"\x00\xff\xfe", b"<htmlx>", b"PK\x03\x04"])
def test_bytes_are_handed_on_as_they_are_whatever_the_label(publisher, client, content, headers):
    publisher.routes["/a"] = File(content, headers=headers)
    assert client().fetch("demo", publisher.url("/a")).content == content


def test_an_empty_file_is_refused(publisher, client):
    for empty in (File(b""), File(gzip.compress(b""), headers={"Content-Encoding": "gzip"})):
        publisher.routes["/a.csv"] = empty
        with pytest.raises(AnswerRefused, match="is empty"):
            client().fetch("demo", publisher.url("/a.csv"))


@pytest.mark.parametrize("coding", ["gzip", "GZIP", "x-gzip", " gzip "])
def test_gzip_is_decoded_also_in_several_members(publisher, client, coding):
    publisher.routes["/a.csv"] = File(gzip.compress(CSV) + gzip.compress(CSV), headers={"Content-Encoding": coding})
    assert client().fetch("demo", publisher.url("/a.csv")).content == CSV + CSV


def test_gzip_tells_its_own_end(publisher, client):
    publisher.routes["/a.csv"] = raw(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(CSV))
    assert client().fetch("demo", publisher.url("/a.csv")).content == CSV


@pytest.mark.parametrize("content", [CSV, gzip.compress(CSV) + b"trailing", gzip.compress(CSV)[:-8] + b"\0" * 8], ids=["plain", "trailing", "checksum"])
def test_a_label_of_gzip_that_is_not_true(publisher, client, content):
    publisher.routes["/a.csv"] = File(content, headers={"Content-Encoding": "gzip"})
    with pytest.raises(AnswerRefused, match="labelled gzip and is none"):
        client().fetch("demo", publisher.url("/a.csv"))


@pytest.mark.parametrize("coding", ["br", "zstd", "deflate", "gzip, gzip", "compress", "\u202egzip".encode().decode("latin-1")])
def test_an_encoding_nobody_asked_for(publisher, client, coding):
    publisher.routes["/a.csv"] = File(CSV, headers={"Content-Encoding": coding})
    with pytest.raises(AnswerRefused, match="not asked for") as caught:
        client().fetch("demo", publisher.url("/a.csv"))
    assert str(caught.value).isascii()


def test_refusals_are_source_errors_and_keep_signatures_to_themselves(publisher, client):
    with pytest.raises(SourceError) as caught:
        client().fetch("demo", publisher.url("/a.csv?X-Signature=abc#part"))
    assert isinstance(caught.value, FetchRefused) and publisher.url("/a.csv") in str(caught.value) and "abc" not in str(caught.value)
    assert caught.value.url.endswith("abc") and caught.value.remedy
