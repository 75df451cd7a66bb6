"""params/live.yml: what may be altered, and that it fits the sources."""

import re

import pytest
import yaml

from siiq_core import __version__
from siiq_core.errors import ParameterError
from siiq_core.params.live import load_live
from siiq_core.params.sources import load_sources


@pytest.fixture
def altered(root, tmp_path):
    """Loads params/live.yml after a change: altered("timeouts.read", 0)."""
    def load(key, value):
        values = yaml.safe_load((root / "params" / "live.yml").read_text(encoding="utf-8"))
        room, path = values, key.split(".")
        for part in path[:-1]:
            room = room[part]
        if value is None:
            del room[path[-1]]
        else:
            room[path[-1]] = value
        (tmp_path / "params").mkdir(exist_ok=True)
        (tmp_path / "params" / "live.yml").write_text(yaml.safe_dump(values), encoding="utf-8")
        return load_live(tmp_path)

    return load


def test_every_source_has_hosts_and_its_addresses_are_among_them(root):
    live = load_live(root)
    for source, spec in load_sources(root).items():
        place = live.source(source)
        asked = (place.ask.address, place.ask.catalogue, spec.address, spec.pinned)
        for address in filter(None, asked):
            assert re.match(r"https://([^/]+)/", address)[1] in place.hosts, f"{source}: {address}"
        assert not place.ask.file or spec.file(place.ask.file), f"{source}: {place.ask.file}"
        assert (place.ask.kind == "commit") <= bool(spec.pinned)


def test_who_asks_is_said(root, altered):
    assert load_live(root).agent.startswith(f"siiq/{__version__} ") and "SI-IQ" in load_live(root).agent
    assert altered("contact", "mail@example.org").agent.endswith(" contact: mail@example.org")


@pytest.mark.parametrize(("key", "value", "said"), [
    ("user_agent", "Mozilla/5.0 {version}", "no browser"), ("user_agent", "siiq {x}", "version"), ("user_agent", "siiq", "at least 5"), ("user_agent", "siiq/{version} {x}", "braces"),
    ("user_agent", "siiq/{version}\r\nX-Evil: 1", "printable"), ("contact", "a\nb", "printable"), ("contact", "ü", "printable"),
    ("timeouts.read", 0, "0.1"), ("timeouts.read", "20", "valid number"), ("timeouts.deadline", 1e9, "3600"), ("timeouts.wait", 5, "not permitted"), ("timeouts.connect", None, "add the key"),
    ("retries.attempts", 0, "1"), ("retries.attempts", 1.5, "valid integer"), ("retries.statuses", [200], "400"), ("redirects", -1, "redirects"),
    ("zip.members", 10**6, "60000"), ("zip.ratio", 1, "2"), ("archive.file_bytes", 10, "1000"),
    ("sources.epoch.hosts", [], "1 item"), ("sources.epoch.hosts", ["https://epoch.ai"], "host name"), ("sources.epoch.hosts", ["*.epoch.ai"], "host name"),
    ("sources.epoch.ask.kind", "torrent", "zip"), ("sources.epoch.ask.address", "ftp://epoch.ai/x", "https"), ("sources.epoch.ask.file", "a.csv", "name a file"),
    ("sources.aider.ask.file", "", "name a file"), ("sources.aider.ask.catalogue", "https://a.example/x", "catalogue"), ("sources.epoch.ask.address", None, "add the key"),
    ("sources.epoch.hosts", ["Epoch.ai"], "host name"), ("sources.epoch.max_bytes", 10, "1000"), ("sources.Epoch", {}, "sources"),
])
def test_what_is_out_of_range_is_refused_with_its_key(altered, key, value, said):
    with pytest.raises(ParameterError) as caught:
        altered(key, value)
    assert caught.value.file == "live.yml" and key.split(".")[0] in str(caught.value) and said in str(caught.value)


def test_no_host_is_a_loopback_or_an_address_or_has_a_port(root):
    for spec in load_live(root).sources.values():
        for host in spec.hosts:
            assert re.fullmatch(r"([a-z0-9-]+\.)+[a-z]{2,}", host)


def test_waits_grow_to_a_bound(root):
    retries = load_live(root).retries
    assert [retries.wait(n) for n in (1, 2, 3, 4, 9)] == [1, 3, 9, 20, 20]
