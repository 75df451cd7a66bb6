"""The feeds: well formed by their standards, deterministic, escaped; and the files that every run writes."""

import email.utils
import json
import re
import sys
import uuid
from pathlib import Path
from xml.etree import ElementTree

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "book"))

from made_up import HOSTILE, copy_book, made_up_index, write_run  # noqa: E402

from siiq_core.errors import SiiqError  # noqa: E402
from siiq_core.files import canonical_bytes  # noqa: E402
from siiq_core.gate.telling import told  # noqa: E402
from siiq_core.hourly.publishing import tell  # noqa: E402
from siiq_core.publish import feed  # noqa: E402
from siiq_core.publish.standing import standing_files  # noqa: E402
from tests.gate.ledgers import case_of, entries_of, ledger_of  # noqa: E402

SITE = "https://example.org/siiq/"
SCENARIOS = ("U10-seven-days", "U9-freeze-and-switch", "U11-approved", "U5-new-leader", "U6a-unreadable", "U6b-approved", "U2-refused-change", "C9-monthly-recalibration-fails", "operator-rejects")


@pytest.fixture(scope="module")
def index(root):
    return made_up_index(root)


def gate_of(*scenarios):
    """What the gate tells after scenarios, with the news of all of them."""
    found = [json.loads(json.dumps(told([x for *_, x in entries_of(case_of(name))][-1]))) for name in scenarios]
    return {**found[0], "news": sorted((x for each in found for x in each["news"]), key=lambda x: x["at"])}


@pytest.mark.parametrize("url", [SITE, ""])
def test_rss_is_rss(index, url):
    """What RSS 2.0 asks of a channel and of an item."""
    gate = gate_of(*SCENARIOS)
    tree = ElementTree.fromstring(feed.feeds(gate, index, url)[feed.RSS])
    assert tree.tag == "rss" and tree.get("version") == "2.0"
    channel, = tree
    assert all(channel.findtext(x) for x in ("title", "link", "description", "language", "lastBuildDate"))
    items = channel.findall("item")
    assert len(items) == len(gate["news"]) > 15
    guids = [x.findtext("guid") for x in items]
    assert len(set(guids)) == len(guids) and all(x.find("guid").get("isPermaLink") == "false" and uuid.UUID(x.findtext("guid")) for x in items)
    times = [email.utils.parsedate_to_datetime(x.findtext("pubDate")) for x in items]
    assert times == sorted(times, reverse=True) and all(x.findtext("pubDate").endswith(" GMT") for x in items)
    assert all(x.findtext("title") and x.findtext("description") for x in items) and not {x.tag for x in items[0]} - {"title", "link", "description", "category", "guid", "pubDate"}
    links = [x.text for x in tree.iter("link")]
    assert all(x.startswith(SITE) for x in links) if url else links == ["en/status.html"]
    own = tree.find(".//{http://www.w3.org/2005/Atom}link")
    assert own.get("href") == SITE + "feed.xml" if url else own is None


@pytest.mark.parametrize("url", [SITE, ""])
def test_json_feed_is_json_feed(index, url):
    gate = gate_of(*SCENARIOS)
    found = json.loads(feed.feeds(gate, index, url)[feed.JSON])
    assert found["version"] == "https://jsonfeed.org/version/1.1" and found["title"] and len(found["items"]) == len(gate["news"])
    for x in found["items"]:
        assert set(x) == {"id", "title", "content_text", "date_published", "tags", *(["url"] if url else [])}
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", x["date_published"]) and all(isinstance(tag, str) for tag in x["tags"])
    assert ("feed_url" in found) is bool(url) and "https://example.org" not in json.dumps(found) or url
    rss = ElementTree.fromstring(feed.feeds(gate, index, url)[feed.RSS])
    assert [x["id"] for x in found["items"]] == [x.text for x in rss.iter("guid")]


def test_every_kind_of_news_has_a_title_of_its_own(index):
    gate = gate_of(*SCENARIOS)
    kinds = {x["what"] for x in gate["news"]}
    assert {"held", "released", "frozen", "switched", "recalibrated", "recalibration refused", "stopped", "goes on", "reported", "decided", "failed", "healed", "refused", "approved", "waits"} <= kinds
    assert kinds <= set(feed._TITLES)
    titles = [x["title"] for x in json.loads(feed.feeds(gate, index)[feed.JSON])["items"]]
    assert "Held: A on q1" in titles and "A person decided: release, A on q1" in titles


def test_an_item_says_rule_numbers_since_and_until(index):
    items = json.loads(feed.feeds(gate_of("U10-seven-days"), index)[feed.JSON])["items"]
    held = next(x for x in items if x["title"].startswith("Held"))
    assert held["content_text"] == ("rule U3a; value 0.85, published 0.7, move 0.15; since 2026-09-01T01:00:00Z; "
                                    "until another snapshot of its source that still has it, and 6 hours between")
    decided = next(x for x in items if x["title"].startswith("A person"))
    assert decided["content_text"] == "by a person; By the operator: as the scenario says; since 2026-09-08T02:00:00Z"


def test_ids_stay_whatever_comes_later_and_wherever_the_site_stands(index):
    case = case_of("U10-seven-days")
    early, late = ([x for *_, x in entries_of(case, n)][-1] for n in (2, None))
    ids = [{x["id"] for x in json.loads(feed.feeds(told(x), index, url)[feed.JSON])["items"]} for x, url in ((early, ""), (late, SITE))]
    assert ids[0] and ids[0] < ids[1]
    assert feed.feeds(told(late), index) == feed.feeds(json.loads(canonical_bytes(told(late))), index)


def test_hostile_names_are_text(index):  # fault 24
    gate = gate_of("U10-seven-days")
    for x in gate["news"]:
        x["subject"] = f"{HOSTILE[0]}/]]>&\x00\x1b\u202e"
    made = feed.feeds(gate, index, SITE)
    tree = ElementTree.fromstring(made[feed.RSS])
    assert b"<img" not in made[feed.RSS] and b"]]>&" not in made[feed.RSS]
    shown = "".join(tree.itertext()) + json.dumps(json.loads(made[feed.JSON]), ensure_ascii=False)
    assert not [c for c in shown if not c.isprintable() and c != "\n"] and "‹img src=x onerror=alert(1)›" in shown


def test_without_a_gate_the_feeds_are_empty_and_whole(index):
    made = feed.feeds(None, index)
    assert ElementTree.fromstring(made[feed.RSS]).findall(".//item") == [] == json.loads(made[feed.JSON])["items"]


# --- every run ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def project(root, tmp_path, index):
    copy_book(root, tmp_path)
    write_run(tmp_path / "_build" / "run", index)
    data = tmp_path / "_build" / "html" / "data"
    data.mkdir(parents=True)
    (data / "index.json").write_bytes(canonical_bytes(index))
    return tmp_path


def _written(site):
    return {p.relative_to(site).as_posix(): p.read_bytes() for p in site.rglob("*") if p.is_file() and p.name != "index.json"}


def test_every_run_writes_them_whole(project, index):
    site = project / "_build" / "html"
    assert tell(project, "2026-09-01T01:00:00Z") is None and _written(site) == {}, "no update was ever run"
    found = ledger_of(project, case_of("U10-seven-days"), 2)
    assert tell(project, "2026-09-01T01:02:03Z") == site / "status.json"
    made = _written(site)
    facts = json.loads((project / "_build/run/fetch.json").read_text(encoding="utf-8"))
    assert made == standing_files(index, {**facts, "gate": told(found)}, "", "2026-09-01T01:02:03Z")
    assert set(made) == {"status.json", "data/status.js", "feed.xml", "feed.json"}
    status = json.loads(made["status.json"])
    assert status["generated_at"] == "2026-09-01T01:02:03Z" and len(status["held"]) == 1
    script = made["data/status.js"]
    assert script.startswith(b"window.SIIQ_STATUS = ") and json.loads(script.removeprefix(b"window.SIIQ_STATUS = ").removesuffix(b";\n")) == status
    tell(project, "2026-09-01T02:00:00Z")
    assert _written(site)["feed.xml"] == made["feed.xml"] and _written(site)["status.json"] != made["status.json"]


def test_addresses_are_absolute_only_where_the_sites_own_is_known(project):
    site = project / "_build" / "html"
    ledger_of(project, case_of("U10-seven-days"), 2)
    tell(project, "2026-09-01T01:00:00Z")
    assert b"example.org" not in _written(site)["feed.xml"]
    config = project / "_config.yml"
    config.write_text(re.sub(r"baseurl:.*", f'baseurl: "{SITE}"', config.read_text(encoding="utf-8")), encoding="utf-8")
    tell(project, "2026-09-01T01:00:00Z")
    assert SITE.encode() in _written(site)["feed.xml"] and SITE.encode() in _written(site)["feed.json"]


def test_what_cannot_be_written_leaves_the_earlier_file(project, monkeypatch):
    site = project / "_build" / "html"
    ledger_of(project, case_of("U10-seven-days"), 2)
    tell(project, "2026-09-01T01:00:00Z")
    before = _written(site)
    monkeypatch.setattr("os.replace", lambda *args: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(SiiqError, match="No space left"):
        tell(project, "2026-09-01T02:00:00Z")
    assert _written(site) == before
