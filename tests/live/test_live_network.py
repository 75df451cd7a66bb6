"""What is reached and what is not: hosts, redirects, addresses behind names, certificates. Nothing here leaves loopback."""

import ipaddress
import shutil
import socket
import ssl
import subprocess

import pytest
from loopback import File, certificate, redirect

from siiq_core.evidence.live.client import Client
from siiq_core.evidence.live.network import Network
from siiq_core.evidence.live.refusals import AddressRefused, AnswerRefused, Unreachable
from siiq_core.evidence.live.validators import Validators

CSV = b"a,b\n1,2\n"


# --- addresses ----------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("url", [
    "http://epoch.ai/a", "ftp://epoch.ai/a", "file:///etc/passwd", "//epoch.ai/a", "epoch.ai/a", "", "https:///a", "data:text/csv,a",
    "https://epoch.ai:8443/a", "https://epoch.ai.evil.example/a", "https://evil.example/epoch.ai", "https://epoch.ai./a", "https://xepoch.ai/",
    "https://user:secret@epoch.ai/a", "https://user@epoch.ai/a", "https://epoch.ai@evil.example/a", "https://evil.example#@epoch.ai/",
    "https://evil.example\\@epoch.ai/a", "https://epoch.ai\\.evil.example/a", "https://epoch.ai /a", "https://epoch.ai/a\r\nX: 1", "https://epoch.ai/\x00",
    "https://[::1]/a", "https://127.0.0.1/a", "https://2130706433/", "https://0x7f.1/", "https://ｅpoch.ai/", "https://epoch.ai:99999/", "https://[epoch.ai/",
    "https://epoch.ai/" + "a" * 9_000,
])
def test_only_listed_hosts_over_https_without_credentials(url):
    with pytest.raises(AddressRefused) as caught:
        Network().checked(url, ["epoch.ai"])
    assert "secret" not in str(caught.value) and caught.value.remedy


@pytest.mark.parametrize(("url", "sent"), [
    ("https://epoch.ai/a b".replace(" ", "%20"), "https://epoch.ai/a%20b"), ("https://EPOCH.ai:443/a?x=1#part", "https://epoch.ai/a?x=1"), ("https://epoch.ai", "https://epoch.ai"),
])
def test_plain_addresses_pass(url, sent):
    assert str(Network().checked(url, ["epoch.ai"])).rstrip("/") == sent


OUTSIDE = ["127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.2.1", "198.18.0.1",
           "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%lo", "fc00::1", "fd12::1", "fec0::1", "ff02::1",
           "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1",
           "2002:7f00:1::", "2002:0808:0808::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "metadata", "", "127.1", "0177.0.0.1", "8.8.8.8 "]


@pytest.mark.parametrize("address", OUTSIDE)
def test_a_name_that_leads_inside_is_refused_whole(address):
    for found in ([address], ["8.8.8.8", address]):
        with pytest.raises(AddressRefused, match="no public address"):
            Network(resolve=lambda host, port, found=found: found).addresses("epoch.ai", 443, 1)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"])
def test_public_addresses_pass(address):
    assert Network(resolve=lambda host, port: [address]).addresses("epoch.ai", 443, 1) == (address,)


@pytest.mark.parametrize("address", ["8.8.8.8", "10.0.0.1", "169.254.169.254", "::ffff:8.8.8.8", "fe80::1"])
def test_a_network_for_tests_is_loopback_and_nothing_else(address):
    with pytest.raises(AddressRefused, match="not on loopback"):
        Network(only_loopback=True, resolve=lambda host, port: [address]).addresses("epoch.ai", 443, 1)
    assert Network(only_loopback=True, resolve=lambda host, port: ["127.0.0.1", "::1"]).addresses("x", 1, 1) == ("127.0.0.1", "::1")


def test_the_default_is_public_and_encrypted(monkeypatch):
    assert (Network().only_loopback, Network().plain_http, Network().authorities) == (False, False, None)
    with pytest.raises(ValueError, match="loopback"):
        Network(plain_http=True)


def test_loopback_is_refused_by_default_even_where_its_host_is_listed(publisher, params, pace):
    publisher.routes["/"] = File(CSV)
    port = publisher.server.server_port
    for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
        with pytest.raises(AddressRefused, match="no public address"):
            Client(params(hosts=[host]), Network(), pace.clock).fetch("demo", f"https://{host}/")
    assert publisher.asked == [] and pace.slept == []


def test_no_second_look_up_between_check_and_connection(publisher, params, pace, monkeypatch):
    """DNS rebinding: the second answer for the name would be another one. There is no second question."""
    asked, connected = [], []

    def once(host, port):
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

    real = socket.create_connection
    monkeypatch.setattr(socket, "create_connection", lambda address, *a, **k: connected.append(address) or real(address, *a, **k))
    publisher.routes["/"] = File(CSV)
    host = f"data.test:{publisher.server.server_port}"
    network = Network(only_loopback=True, plain_http=True, resolve=once)
    assert Client(params(hosts=[host]), network, pace.clock).fetch("demo", f"http://{host}/").content == CSV
    assert asked == ["data.test"] and connected == [("127.0.0.1", publisher.server.server_port)]
    assert publisher.asked[0][1]["host"] == host  # the name is still what the publisher is asked for
    with pytest.raises(AddressRefused, match="169.254.169.254"):  # the next request asks anew and judges anew
        Client(params(hosts=[host]), network, pace.clock).fetch("demo", f"http://{host}/")


def test_a_second_address_is_tried_where_the_first_is_silent(publisher, client):
    publisher.routes["/"] = File(CSV)
    reader = client(hosts=[f"data.test:{publisher.server.server_port}"], names={"data.test": ["::1", "127.0.0.1"]})
    assert reader.fetch("demo", publisher.url("/", "data.test")).content == CSV


def test_addresses_are_judged_by_the_library_not_by_their_spelling():
    assert not ipaddress.ip_address("100.64.0.1").is_global  # what the rule rests on, in every Python we run on
    assert not ipaddress.ip_address("192.0.2.1").is_global and not ipaddress.ip_address("2001:db8::1").is_global


# --- redirects -----------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_within_the_listed_hosts(publishers, publisher, client, code):
    store = publishers()
    publisher.routes["/a.csv"] = redirect(store.url("/b/c.csv"), code)
    store.routes["/b/c.csv"] = redirect("../d.csv?signed=1", code)
    store.routes["/d.csv?signed=1"] = File(CSV, '"a"')
    reader = client(hosts=[store.host])
    got = reader.fetch("demo", publisher.url("/a.csv"))
    assert (got.url, got.final_url, got.content) == (publisher.url("/a.csv"), store.url("/d.csv?signed=1"), CSV)
    assert reader.fetch("demo", publisher.url("/a.csv"), Validators('"a"')).unchanged  # the condition goes along


def test_a_redirect_to_an_unlisted_host_is_not_followed(publishers, publisher, client, pace):
    elsewhere = publishers()
    elsewhere.routes["/"] = File(CSV)
    publisher.routes["/a.csv"] = redirect(elsewhere.url("/"))
    with pytest.raises(AddressRefused, match="not listed"):
        client().fetch("demo", publisher.url("/a.csv"))
    assert elsewhere.asked == [] and pace.slept == []


@pytest.mark.parametrize("target", [
    "http://169.254.169.254/latest/meta-data/", "https://[::1]/", "http://10.0.0.1/", "https://192.168.0.1/", "http://127.0.0.1/", "http://localhost/",
    "file:///etc/passwd", "ftp://127.0.0.1/", "//evil.example/a", "https:evil", "javascript:alert(1)", "http://[bad/", "", "http://user:secret@HOST/b", "\u202e",
])
def test_a_redirect_to_what_must_not_be_reached(publisher, client, pace, target):
    target = target.replace("HOST", publisher.host).encode("utf-8").decode("latin-1")
    publisher.routes["/a.csv"] = redirect(target)
    with pytest.raises((AddressRefused, AnswerRefused)) as caught:
        client().fetch("demo", publisher.url("/a.csv"))
    assert pace.slept == [] and "secret" not in str(caught.value) and str(caught.value).isascii()


@pytest.mark.parametrize("inside", ["10.0.0.1", "169.254.169.254", "fe80::1", "8.8.8.8"])
def test_a_redirect_to_a_listed_name_that_leads_elsewhere(publisher, client, pace, inside):
    publisher.routes["/a.csv"] = redirect(publisher.url("/b.csv", "store.test"))
    reader = client(hosts=[f"store.test:{publisher.server.server_port}"], names={"store.test": [inside]})
    with pytest.raises(AddressRefused, match="not on loopback"):
        reader.fetch("demo", publisher.url("/a.csv"))
    assert pace.slept == []


def test_redirects_in_a_circle_and_without_end(publisher, client):
    publisher.routes["/a"], publisher.routes["/b"] = redirect("/b"), redirect("/a")
    with pytest.raises(AddressRefused, match="circle"):
        client().fetch("demo", publisher.url("/a"))
    publisher.routes["/self"] = redirect("#here")
    with pytest.raises(AddressRefused, match="circle"):
        client().fetch("demo", publisher.url("/self"))
    for number in range(10):
        publisher.routes[f"/{number}"] = redirect(f"/{number + 1}")
    publisher.routes["/5"] = File(CSV)
    with pytest.raises(AddressRefused, match="more than 4 times"):
        client().fetch("demo", publisher.url("/0"))
    assert client().fetch("demo", publisher.url("/1")).content == CSV
    with pytest.raises(AddressRefused, match="more than 0 times"):
        client(redirects=0).fetch("demo", publisher.url("/4"))


# --- certificates ----------------------------------------------------------------------------------------------------------

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not here to make a certificate")


@pytest.fixture
def secure(tmp_path, publishers):
    """A publisher over TLS with a certificate of its own for these names; and the certificate."""
    def make(subject):
        cert, key = certificate(tmp_path, subprocess.run, "publisher", subject)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(cert, key)
        publisher = publishers(context)
        publisher.routes["/a.csv"] = File(CSV)
        return publisher, cert

    return make


@needs_openssl
def test_a_certificate_nobody_vouches_for_is_refused(secure, params, pace):
    publisher, _ = secure("IP:127.0.0.1")
    with pytest.raises(AnswerRefused, match="certificate is not accepted"):
        Client(params(hosts=[publisher.host]), Network(only_loopback=True), pace.clock).fetch("demo", publisher.url("/a.csv"))
    assert publisher.asked == [] and pace.slept == []


@needs_openssl
def test_a_certificate_for_another_name_is_refused(secure, params, pace):
    publisher, cert = secure("DNS:other.test")
    network = Network(only_loopback=True, authorities=cert, resolve=lambda host, port: ["127.0.0.1"])
    port = publisher.server.server_port
    with pytest.raises(AnswerRefused, match="certificate is not accepted"):
        Client(params(hosts=[f"data.test:{port}"]), network, pace.clock).fetch("demo", f"https://data.test:{port}/a.csv")
    got = Client(params(hosts=[f"other.test:{port}"]), network, pace.clock).fetch("demo", f"https://other.test:{port}/a.csv")
    assert got.content == CSV  # the name is checked, though the connection went to an address


@needs_openssl
def test_no_redirect_from_tls_to_plain_text(secure, publisher, params, pace):
    encrypted, cert = secure("IP:127.0.0.1")
    encrypted.routes["/b.csv"] = redirect(publisher.url("/c.csv"))
    network = Network(only_loopback=True, authorities=cert)
    with pytest.raises(AddressRefused, match="only https"):
        Client(params(hosts=[encrypted.host, publisher.host]), network, pace.clock).fetch("demo", encrypted.url("/b.csv"))
    assert publisher.asked == []


def test_verification_is_on_and_cannot_be_switched_off():
    from siiq_core.evidence.live.network import _tls

    context = _tls(None)
    assert context.verify_mode is ssl.CERT_REQUIRED and context.check_hostname and context.minimum_version >= ssl.TLSVersion.TLSv1_2
    assert "verify" not in Network.__dataclass_fields__


def test_plain_text_where_tls_was_expected(publisher, params, pace):
    publisher.routes["/"] = File(CSV)
    with pytest.raises(Unreachable, match="connection fails"):
        Client(params(hosts=[publisher.host], attempts=1), Network(only_loopback=True), pace.clock).fetch("demo", f"https://{publisher.host}/")
