"""The files that change with every run, whether or not anything is published: status.json, its script form, the feeds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from siiq_core.files import canonical_bytes
from siiq_core.publish import feed, status


def standing_files(index: Mapping[str, Any], facts: Mapping[str, Any], site_url: str, generated_at: str | None = None) -> dict[str, bytes]:
    """Address inside the site → content.

    Parameters
    ----------
    index, facts, generated_at : as `status.build_status` takes them
    site_url : where the site stands; "" where that is not known
    """
    found = status.build_status(index, facts, generated_at)
    return {**feed.feeds(facts.get("gate"), index, site_url), f"data/{status.SCRIPT}": status.status_script(found), status.NAME: canonical_bytes(found)}


def site_url_of(root: Path) -> str:
    """The site's address as _config.yml has it; "" where it is not filled in."""
    return (yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8")).get("html") or {}).get("baseurl") or ""
