"""Bytes made a little wrong, in the ways that matter to readers: a cell, a value, a line, a byte. The same seed gives the same bytes."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

ODD = ("", " ", "0", "-0", "1", "-1", "0.5", "1e-200", "1e308", "1e400", "1e-400", "1E999", "9" * 5_000, "0x" + "f" * 5_000, "NaN", "Infinity", "0,71", "71%", "½", "²", "٣",
       "null", "true", "~", "-", "=1+1", "../../x", "/etc/passwd", "a\\u0000b", "\\ud800", "\u202e", "\u2028", "\ufeff", "\r", "\n", "\t", "\x1b[2J", "\x00", '"', "'", ";0", "{", "[", "]", "}",
       "&a", "*a", "!!python/none", "<<", "n" * 21_000, " (high)" * 40, "2026-13-45", "0000-01-01", "9999-12-31", "2026-01-02T25:00:00+99:99", "<img src=x onerror=alert(1)>")
VALUES = (None, True, False, [], {}, [[]], {"": ""}, "", "\ud800", "\u202e", "x" * 21_000, -1, 0, 10**30, 1e308, 1e-200, "9" * 5_000, "1e-200", [1, 2], "../../x", "=1+1", "0", "-1", "NaN")
_TOKEN = re.compile(r"[^\s,:\"{}\[\]=]+")


def mutated(content: bytes, random: Random) -> bytes:
    """`content` with one to three changes, by its form where it has one."""
    for _ in range(random.randint(1, 3)):
        content = _one(content, random)
    return content


def _one(content: bytes, random: Random) -> bytes:
    way = random.random()
    if way < 0.55:
        try:
            value = json.loads(content)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, (dict, list)) and value:
            return json.dumps(tree(value, random), ensure_ascii=True).encode()
    if way < 0.85:
        return text(content.decode("utf-8", "replace"), random).encode("utf-8", "replace")
    return raw(content, random)


def tree(value: Any, random: Random) -> Any:
    """A JSON value with one of its values exchanged, gone, doubled or renamed."""
    places: list[tuple[Any, Any]] = []

    def walk(inner: Any, depth: int) -> None:
        for key in inner if isinstance(inner, dict) else range(len(inner)):
            places.append((inner, key))
            if isinstance(inner[key], (dict, list)) and depth < 12:
                walk(inner[key], depth + 1)

    walk(value, 0)
    inside, key = random.choice(places)
    way = random.random()
    if way < 0.6:
        inside[key] = random.choice(VALUES)
    elif way < 0.7:
        del inside[key]
    elif way < 0.85:
        other, at = random.choice(places)
        inside[key] = json.loads(json.dumps(other[at])) if at in other or isinstance(other, list) and at < len(other) else None
    elif isinstance(inside, dict):
        inside[random.choice(ODD)] = inside.pop(key)
    else:
        inside.insert(key, random.choice(VALUES))
    return value


def text(content: str, random: Random) -> str:
    """A text with a word exchanged, or a line gone, doubled or moved."""
    way = random.random()
    if way < 0.65:
        found = list(_TOKEN.finditer(content))
        if found:
            at = random.choice(found)
            return content[:at.start()] + random.choice(ODD) + content[at.end():]
    lines = content.split("\n")
    at = random.randrange(len(lines))
    if way < 0.75:
        del lines[at]
    elif way < 0.85:
        lines.insert(at, lines[at])
    elif way < 0.92:
        lines.append(lines.pop(at))
    else:
        lines[at] = lines[at] + random.choice(ODD)
    return "\n".join(lines)


def raw(content: bytes, random: Random) -> bytes:
    """Bytes with one exchanged, or a part gone, doubled or cut off."""
    if not content:
        return bytes([random.randrange(256)])
    at, way = random.randrange(len(content)), random.random()
    if way < 0.4:
        return content[:at] + bytes([random.choice((0, 0x22, 0x2C, 0x0A, 0x0D, 0xFF, 0x7B, 0x5B, random.randrange(256)))]) + content[at + 1:]
    end = min(len(content), at + random.randint(1, 40))
    if way < 0.6:
        return content[:at] + content[end:]
    return content[:end] + content[at:end] * random.randint(1, 3) + content[end:] if way < 0.85 else content[:at]
