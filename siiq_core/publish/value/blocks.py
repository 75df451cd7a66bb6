"""The blocks of the value page, by the names that the page says."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from siiq_core.publish.site import Site
from siiq_core.publish.value.cards import value_cards
from siiq_core.publish.value.plot import value_plot
from siiq_core.publish.value.tables import value_rests, value_sources, value_table, value_waiting
from siiq_core.publish.value.tools import value_tools

BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (value_tools, value_cards, value_plot, value_table, value_waiting, value_rests, value_sources)}
