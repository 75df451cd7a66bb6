"""What the prose of the method chapter says in numbers, and its marks: rules, choices, links from one to the other.

`{{ rule_e1 }}` names a rule where it is explained (and is its address, #rule-e1), `{{ to_e1 }}` links to it from elsewhere,
`{{ choice_e2 }}` marks a choice of the method. Every rule, choice and number has to be used: the build refuses an unused one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from siiq_core.params.gate import load_gate
from siiq_core.params.sources import load_sources
from siiq_core.publish import format
from siiq_core.publish.method.frame import benchmark_name, model_name
from siiq_core.publish.site import Site
from siiq_core.publish.worked import top_model

# The page that explains each rule.
PAGE_OF = {
    **dict.fromkeys(("E1", "E2", "E3", "E4", "P1", "P2", "P3", "I1", "I2", "I3", "I4", "I5", "I6"), "method-results"),
    **dict.fromkeys(("T1", "T2", "T3", "T4"), "method-transform"),
    **dict.fromkeys(("C1", "C2", "C3", "C3a", "C3b", "C3c", "C4", "C6", "C11"), "method-calibration"),
    "C5": "method-identification", "C7": "method-kappa",
    **dict.fromkeys(("C8", "C9", "C10", "G1", "G2", "V1"), "method-frozen"),
    **dict.fromkeys(("S1", "S2", "S3", "A1"), "method-scores"),
    **dict.fromkeys(("K1", "K2", "K3"), "method-ranks"),
    **dict.fromkeys((*(f"U{k}" for k in range(13)), "V2", "V3", "V4", "V5"), "method-updates"),
}
# Choices of the method, by the rule they belong to; "confirmed" is the gate's word that U4, U5 and U9 rest on.
CHOICES = {"E2": "E2", "E3": "E3", "P1": "P1", "I5": "I5", "T3": "T3", "C4": "C4", "C5": "C5", "C7": "C7", "C9": "C9", "U0": "U0", "U3": "U3",
           "confirmed": "U4", "U4": "U4", "U11": "U11"}
_HOSTED = "openrouter"  # the source whose moving window U8 names, and whose providers P3 is about
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def marks(site: Site, lang: str) -> dict[str, str]:
    """Rule names and choice marks; each is an address, so each stands once."""
    label, title = site.words("method.choice", lang), site.words("method.choice_title", lang)
    rules = {f"rule_{rule.lower()}": f'<strong class="rule" id="rule-{rule.lower()}">{rule}</strong>' for rule in PAGE_OF}
    return rules | {f"choice_{x.lower()}": f'<span class="chosen" id="choice-{x.lower()}" title="{title}">{label}</span>' for x in CHOICES}


def links() -> dict[str, str]:
    """Links to rules, from any page of the book's first level; these need not be used."""
    return {f"to_{rule.lower()}": link(rule) for rule in PAGE_OF}


def link(rule: str) -> str:
    """A rule's name, as a link to where it is explained."""
    return f'<a class="rule" href="{PAGE_OF[rule]}.html#rule-{rule.lower()}">{rule}</a>'


def power_of_ten(value: float) -> str:
    """1e-10 as 10⁻¹⁰, 1 as 1; other numbers with their first digit in front."""
    exponent = math.floor(math.log10(value) + 1e-12)
    first = round(value / 10.0**exponent)
    if exponent == 0:
        return str(first)
    return ("" if first == 1 else f"{first}·") + "10" + str(exponent).translate(_SUPERSCRIPTS)


def facts(site: Site, lang: str) -> dict[str, str]:
    """What stands inside a line, as HTML: the method chapter's numbers and marks."""
    whole = {name: _data(value, format.whole(value, lang)) for name, value in _counts(site).items()}
    exact = {name: _data(value, format.number(value, places, lang)) for name, (value, places) in _numbers(site).items()}
    shares = {name: _data(value, format.percent(value, lang, places)) for name, (value, places) in _shares(site).items()}
    return marks(site, lang) | whole | exact | shares | _limits(site, lang) | _texts(site, lang)


def _data(value: float, shown: str) -> str:
    return f'<data value="{value:.12g}">{shown}</data>'


def _counts(site: Site) -> dict[str, int]:
    index, figures = site.index, site.method["figures"]
    constants, known = index["constants"], figures["identification"]
    inside = {b["id"] for b in index["benchmarks"] if b["in_index"]}
    flags = Counter(flag for m in index["models"] for r in m["results"] if r["benchmark"] in inside for flag in r.get("flags", ()))
    out = Counter(x["rule"] for x in site.facts["left_out"])
    halves, at = figures["halves"], figures["recalibration"]
    lowest = min((b["sigma2"] for b in index["benchmarks"] if b["in_index"]), default=None)
    names = ("max_rounds", "folds", "min_folds", "min_pairs", "min_results_held_out", "min_results_per_half", "min_families_area")
    return {
        **{name: int(constants[name]) for name in names},
        "at_variance_floor": sum(b["sigma2"] == lowest == constants["residual_variance_floor"] for b in index["benchmarks"] if b["in_index"]),
        "rows_other_setting": out["P1"], "waiting_names": len(site.facts["waiting_names"]), "waiting_rows": sum(x["rows"] for x in site.facts["waiting_names"]),
        "undated_models": sum(bool(m.get("undated_versions")) for m in index["models"]),
        "too_far_apart": sum(any(x["rule"] == "I5" for x in m["not_ranked_because"]) for m in index["models"]),
        "below_chance": flags["below chance"], "above_ceiling": flags["above ceiling"], "configured": len(index["benchmarks"]),
        "fit_results": known["results"], "fit_unknowns": known["parameters"], "weakest_models": known["weakest"]["models"],
        "half_inside": halves["inside"], "half_position": halves["position"],
        "wrong_way": figures["leverage"]["wrong_way"]["lower"], "wrong_way_of": figures["leverage"]["wrong_way"]["results"],
        "recal_ranked": len(at["models"]), "evidence_rows": len(site.evidence),
        "evidence_unchecked": sum(x["checker"]["who"] == "none" for x in site.evidence.values()),
        "evidence_read_again": sum(x["checker"]["who"] != "none" for x in site.evidence.values()),
    }


def _numbers(site: Site) -> dict[str, tuple[float, int]]:
    constants, figures = site.index["constants"], site.method["figures"]
    changes = [abs(x["change"]) for x in figures["recalibration"]["models"]] or [0.0]
    return {
        "lam": (constants["lam"], 1), "start_variance": (constants["start_residual_variance"], 2), "variance_floor": (constants["residual_variance_floor"], 2),
        "min_spearman": (constants["min_spearman"], 2), "half_q": (figures["halves"]["q"] or 0.0, 4), "half_ratio": (figures["halves"]["ratio"] or 0.0, 4),
        "weakest_share": (figures["identification"]["shares"][-1], 3), "recal_spearman": (figures["recalibration"]["spearman"] or 0.0, 4),
        "recal_max": (max(changes), 1), "d_leader": (top_model(site.index)["d"], 2),
    }


def _shares(site: Site) -> dict[str, tuple[float, int]]:
    constants = site.index["constants"]
    return {"half_quantile": (constants["kappa_quantile"], 0), 
            "bridge_limit": (site.method["figures"]["identification"]["bridge"], 0),
            "lam_share": (constants["lam"] / top_model(site.index)["d"], 1)}


def _limits(site: Site, lang: str) -> dict[str, str]:
    """Limits of rules P3 and U, which params/ has and no published file holds."""
    gate, sources = load_gate(site.root), load_sources(site.root)
    numbers = {
        "gate_hours": gate.confirm_hours, "gate_points": 100 * gate.hold_move, "gate_sd": gate.hold_z, "gate_within": 100 * gate.same_value, "gate_lead": gate.leader_points,
        "gate_near": gate.leader_drift, "gate_small_hours": gate.small_hours, "gate_values": gate.revision_results, "gate_days": gate.switch_report_days,
        "gate_report_days": gate.held_report_days, "gate_removed_hours": gate.remove_hours, "gate_stop_points": gate.stop_points, "gate_revised": 100 * gate.revision_move, "gate_runs": gate.stop_runs,
        "gate_window_days": sources[_HOSTED].window_days,
    }
    shares = {"gate_rows": (gate.lost_rows, 0), "gate_kept": (gate.stop_share, 0), "gate_share": (gate.revision_share, 0),
              "provider_coverage": (sources[_HOSTED].providers.coverage, 0)}
    return {name: _data(x, format.shortest(round(x, 9), lang)) for name, x in numbers.items()} | {name: _data(x, format.percent(x, lang, places)) for name, (x, places) in shares.items()}


def _texts(site: Site, lang: str) -> dict[str, str]:
    constants, figures = site.index["constants"], site.method["figures"]
    known, day = figures["identification"], figures["recalibration"]["from"]
    over = [model_name(x) for x in known["bridges"] if x["fall"] > known["bridge"]]
    return {
        "tolerance": power_of_ten(constants["convergence_tolerance"]), "null_tolerance": power_of_ten(constants["null_tolerance"]),
        "null_below": power_of_ten(known["null_below"]), "weakest_name": benchmark_name(known["weakest"]),
        "bridge_names": ", ".join(over) or "–",
        "recal_day": f'<time datetime="{format.plain(day)}">{format.day(day, lang)}</time>' if day else "–",
    }


def reference_members(index: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The models of the reference group, from the highest score to the lowest."""
    members = set(index["reference_group"]["members"])
    return sorted((m for m in index["models"] if m["slug"] in members), key=lambda m: (-m["siiq"], m["slug"]))
