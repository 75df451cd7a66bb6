"""What may be reached, and that nothing else is.

A name is resolved once, every address it leads to is judged, and the connection goes to an address that was judged:
there is no second look-up that could answer otherwise (DNS rebinding). TLS still checks the certificate against the name.

The environment has no say (no proxy, no certificate file, no .netrc): what is reached follows from params/live.yml alone.
Behind a proxy that must be used, live reading does not work; the shipped observations do.
"""

from __future__ import annotations

import functools
import ipaddress
import queue
import re
import socket
import ssl
import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpcore
import httpx

from siiq_core.evidence.live.refusals import AddressRefused
from siiq_core.evidence.live.waiting import Deadline

LONGEST_ADDRESS = 8_000  # characters; signed addresses of stores reach about 2,000
_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # how a network without IPv4 writes IPv4 addresses
Resolver = Callable[[str, int], Iterable[str]]


def system_resolver(host: str, port: int) -> tuple[str, ...]:
    """Addresses of a name, in the order in which the system would try them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True)
class Network:
    """The part of the network that may be reached. The default: public addresses, over TLS.

    Parameters
    ----------
    only_loopback : this machine's loopback and nothing else; for tests, which so cannot leave it
    plain_http : http as well as https; with `only_loopback` alone
    authorities : PEM file of the certificate authorities to trust instead of the public ones; for tests
    resolve : name and port → addresses
    """

    only_loopback: bool = False
    plain_http: bool = False
    authorities: Path | None = None
    resolve: Resolver = system_resolver

    def __post_init__(self) -> None:
        if self.plain_http and not self.only_loopback:
            raise ValueError("plain http is for publishers on loopback alone")

    def checked(self, url: str, hosts: Collection[str]) -> httpx.URL:
        """The address, parsed, without its fragment.

        Raises
        ------
        AddressRefused
            It is no plain address, not https, holds credentials, or its host (with a port other than the scheme's own)
            is not among `hosts`.
        """
        if len(url) > LONGEST_ADDRESS or not re.fullmatch(r"[!-~]+", url) or "\\" in url:
            raise AddressRefused(f"is no plain address of up to {LONGEST_ADDRESS} ASCII characters", url,
                                 "look at where it comes from: params/sources.yml, or the publisher's redirect")
        try:
            parsed = httpx.URL(url).copy_with(fragment=None)
            place = parsed.netloc.decode("ascii")
        except (httpx.InvalidURL, ValueError) as error:
            raise AddressRefused(f"is no address ({error})", url, "write https://host/path") from error
        if parsed.scheme != "https" and not (self.plain_http and parsed.scheme == "http"):
            raise AddressRefused("only https is read", url, "use the publisher's https address")
        if parsed.userinfo:
            raise AddressRefused("an address must not hold credentials", url, "take the user name and password out")
        if place not in hosts:
            raise AddressRefused(f"host {place[:200]!r} is not listed for this source", url,
                                 "if the publisher really moved there, add the host in params/live.yml")
        return parsed

    def addresses(self, host: str, port: int, seconds: float) -> tuple[str, ...]:
        """Where a name leads, each address judged.

        Raises
        ------
        AddressRefused
            One of them is not of the part of the network that may be reached; the whole name is refused then.
        httpcore.ConnectError, httpcore.ConnectTimeout
            The name is not known, or was not resolved within `seconds`.
        """
        try:
            found = tuple(_within(seconds, lambda: tuple(self.resolve(host, port))))
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(f"the name {host[:200]} does not resolve") from error
        if not found:
            raise httpcore.ConnectError(f"the name {host[:200]} has no address")
        for text in found:
            if not self._may_reach(text):
                raise AddressRefused(f"leads to {text[:60]}, which is {self._outside}", f"https://{host}/",
                                     "nothing was asked there; look at this machine's name resolution, or at the publisher's")
        return found

    @property
    def _outside(self) -> str:
        return "not on loopback" if self.only_loopback else "no public address"

    def _may_reach(self, text: str) -> bool:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            return False
        if isinstance(address, ipaddress.IPv6Address):
            if address in _NAT64:
                address = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
            elif address.ipv4_mapped:
                address = address.ipv4_mapped
            elif address.sixtofour or address.teredo or address.is_site_local:
                return False
        if self.only_loopback:
            return address.is_loopback
        return address.is_global and not (address.is_multicast or address.is_reserved or address.is_private)

    def transport(self, deadline: Deadline) -> httpx.BaseTransport:
        """The way to the network for one request: it connects through `addresses` and ends with `deadline`."""
        return _Transport(self, deadline)


def _within(seconds: float, call: Callable[[], Any]) -> Any:
    """`call()` in a thread of its own, since a name look-up knows no timeout; a late answer is dropped."""
    answer: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            answer.put((call(), None))
        except BaseException as error:  # handed over and raised by the caller
            answer.put((None, error))

    threading.Thread(target=run, daemon=True, name="resolve").start()
    try:
        value, error = answer.get(timeout=seconds)
    except queue.Empty:
        raise httpcore.ConnectTimeout("the name was not resolved in time") from None
    if error is not None:
        raise error
    return value


@functools.cache
def _tls(authorities: Path | None) -> ssl.SSLContext:
    """Certificates and host names are verified; there is no way to switch that off."""
    context = ssl.create_default_context(cafile=authorities) if authorities else httpx.create_ssl_context(trust_env=False)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


class _Transport(httpx.BaseTransport):
    """httpx's way to the sockets, with our own way of connecting."""

    def __init__(self, network: Network, deadline: Deadline) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=_tls(network.authorities), max_connections=1, max_keepalive_connections=0,
            network_backend=_Backend(network, deadline))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        answer = self._pool.handle_request(httpcore.Request(
            method=request.method, url=httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw, content=request.stream, extensions=request.extensions))
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer), extensions=answer.extensions)

    def close(self) -> None:
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Any:
        return iter(self._answer.stream)

    def close(self) -> None:
        self._answer.close()


class _Backend(httpcore.NetworkBackend):
    """Connects to judged addresses only, one after the other."""

    def __init__(self, network: Network, deadline: Deadline) -> None:
        self._network, self._deadline, self._sockets = network, deadline, httpcore.SyncBackend()

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
                    socket_options: Any = None) -> httpcore.NetworkStream:
        trouble: Exception = httpcore.ConnectError(f"no address of {host[:200]} answers")
        for address in self._network.addresses(host, port, self._deadline.cap(timeout)):
            try:
                return _Stream(self._sockets.connect_tcp(address, port, self._deadline.cap(timeout)), self._deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                trouble = error
        raise trouble


class _Stream(httpcore.NetworkStream):
    """A socket on which no single wait outlasts the deadline, so that a drip of bytes does not either."""

    def __init__(self, inner: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._inner, self._deadline = inner, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.cap(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._deadline.cap(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(self, ssl_context: ssl.SSLContext, server_hostname: str | None = None,
                  timeout: float | None = None) -> httpcore.NetworkStream:
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, self._deadline.cap(timeout)), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
