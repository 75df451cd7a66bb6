"""Berkeley Function Calling Leaderboard: data_overall.csv of the gorilla project's pages.

One row a model and calling mode; "(FC)" and "(Prompt)" behind a name are settings (identity takes them off). Scores are
percent strings such as "77.47%". The files before version 4 show an older benchmark under the same headline column: the
filter "header has Web Search Acc" of params/benchmarks.csv refuses them (U6b). The column License is the model's own
licence and says nothing about the numbers (E2), so it is not even kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from siiq_core.evidence.sources.base import Adapter


@dataclass(frozen=True, slots=True)
class Bfcl(Adapter):
    """Everything that differs from a plain table is configuration: percent_sign, scale, filter."""
