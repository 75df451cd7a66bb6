"""The second reader that params/checker.yml fits, ready to be asked; or why there is none, and what would mend it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from siiq_core.evidence.live.network import Network
from siiq_core.evidence.live.waiting import Clock
from siiq_core.gate.checker.ai import AiReader
from siiq_core.gate.checker.chat import Endpoint
from siiq_core.gate.checker.key import Key
from siiq_core.gate.checker.literal import LiteralReader
from siiq_core.gate.checker.prompt import choices
from siiq_core.gate.checker.records import Checker, CheckerUnreachable, Question, Verdict
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.checker import CheckerParams, checked_address, on_loopback
from siiq_core.params.sources import SourceSpec


@dataclass(frozen=True)
class StandIn:
    """One reader, and another where it is out of reach; whose verdict it is says each verdict."""

    first: Checker
    second: Checker

    def read(self, questions: Sequence[Question], now: datetime) -> tuple[Verdict, ...]:
        """All verdicts of one and the same reader, in the questions' order."""
        try:
            return self.first.read(questions, now)
        except CheckerUnreachable:
            return self.second.read(questions, now)


def open_checker(params: CheckerParams, environment: Mapping[str, str], *, benchmarks: Sequence[BenchmarkSpec],
                 sources: Mapping[str, SourceSpec], clock: Clock, network: Network | None = None) -> Checker:
    """The reader of this project. Nothing is asked yet.

    Parameters
    ----------
    params : params/checker.yml
    environment : where the key and, if params name none, the address stand; os.environ in a live run
    benchmarks, sources : as configured
    clock : the time; its `sleep` makes the waits between attempts
    network : what may be reached; None: the address's own part of it (public hosts, or this machine's loopback alone)

    Raises
    ------
    CheckerUnreachable
        None is fitted, or the AI model's address or key is missing and the literal re-reader may not stand in.
    """
    literal = LiteralReader({spec.id: spec for spec in benchmarks}, sources)
    if params.fitting == "literal":
        return literal
    if params.fitting == "none":
        raise CheckerUnreachable("U2: no second reader is fitted, so there is no live update", file="checker.yml", column="fitting", value="none",
                                 remedy='write "fitting: ai" and fill in the model, or "fitting: literal" for a re-reader without AI')
    try:
        reader = AiReader(_endpoint(params, environment, clock, network), choices(benchmarks))
    except CheckerUnreachable:
        if params.literal_stands_in:
            return literal
        raise
    return StandIn(reader, literal) if params.literal_stands_in else reader


def _endpoint(params: CheckerParams, environment: Mapping[str, str], clock: Clock, network: Network | None) -> Endpoint:
    ai = params.ai
    text = ai.base_url or environment.get(ai.address_variable, "")
    if not text:
        raise CheckerUnreachable("U2: the AI reader's address is not known", file="checker.yml", column="ai.base_url",
                                 remedy=f"fill it in, or set the environment variable {ai.address_variable or 'that ai.address_variable should name'}")
    try:
        base_url = checked_address(text)
    except ValueError as error:
        raise CheckerUnreachable(f"U2: the AI reader's address {error}", column=ai.address_variable, remedy="set it to an address such as https://ai.example.org/v1") from None
    if ai.key_variable and not environment.get(ai.key_variable):
        raise CheckerUnreachable("U2: the AI reader's key is not set", file="checker.yml", column="ai.key_variable", value=ai.key_variable,
                                 remedy=f'set the environment variable {ai.key_variable}, or write key_variable: "" for an endpoint without a key')
    try:
        key = Key(environment[ai.key_variable] if ai.key_variable else "")
    except ValueError as error:
        raise CheckerUnreachable(f"U2: the AI reader's key cannot be sent: {error}", column=ai.key_variable, remedy="set the variable to the key alone") from None
    near = on_loopback(urlsplit(base_url).hostname or "")
    return Endpoint(params, base_url, key, network or Network(only_loopback=near, plain_http=near), clock)
