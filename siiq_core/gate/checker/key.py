"""The key of a chat endpoint: used in one header, shown nowhere."""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Iterator
from typing import NoReturn

_HIDDEN = "(key)"
_LOGGERS = tuple(map(logging.getLogger, ("httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy", "httpcore.socks")))


class Key:
    """A secret that has no printed, stored or copied form.

    Parameters
    ----------
    value : the key; "" where the endpoint asks for none

    Raises
    ------
    ValueError
        It holds what a header cannot carry. The message does not show it.
    """

    __slots__ = ("__value",)

    def __init__(self, value: str) -> None:
        if value and not re.fullmatch(r"[!-~]{8,4000}", value):  # a shorter one could not be told from what a row says
            raise ValueError("a key is 8 to 4000 printable ASCII characters without blanks")
        self.__value = value

    def headers(self) -> list[tuple[str, str]]:
        """The header that carries it; none without a key."""
        return [("Authorization", f"Bearer {self.__value}")] if self.__value else []

    def out_of(self, text: str) -> str:
        """`text` without the key, for whatever an endpoint may have echoed."""
        return text.replace(self.__value, _HIDDEN) if self.__value else text

    @contextlib.contextmanager
    def unlogged(self) -> Iterator[None]:
        """While a request runs: the network library's debug log drops what holds the key, such as an echo of it in an answer."""
        def without(record: logging.LogRecord) -> bool:
            return not self.__value or self.__value not in record.getMessage()

        for logger in _LOGGERS:
            logger.addFilter(without)
        try:
            yield
        finally:
            for logger in _LOGGERS:
                logger.removeFilter(without)

    def __repr__(self) -> str:
        return _HIDDEN if self.__value else "(no key)"

    __str__ = __repr__

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is neither stored nor copied")
