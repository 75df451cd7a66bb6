"""U8: what is no longer listed. An archived source and a moving window keep the last value; elsewhere it leaves after six hours."""

from __future__ import annotations

from siiq_core.gate.rules import Rules
from siiq_core.gate.state import Key, State
from siiq_core.gate.times import at_least


def leaving(state: State, now: str, rules: Rules) -> tuple[Key, ...]:
    """Published pairs that leave now."""
    out = [key for key in (*state.retracted, *state.withdrawn) if key in state.published]
    for name, source in state.sources.items():
        if name in rules.keeps or source.failure is not None:
            continue
        out += [key for key, since in source.missing.items()
                if key in state.published and key[1] not in state.frozen and at_least(since, now, hours=rules.limits.remove_hours)]
    return tuple(sorted(set(out)))
