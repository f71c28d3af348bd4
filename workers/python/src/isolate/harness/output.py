"""Turns what a tool returned into JSON that every reader understands the same way."""

import collections
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import json
import math
import pathlib
import uuid
from collections.abc import Mapping, Set

from .failure import Failure, cut

MAX_DEPTH = 200
TEXTUAL = (uuid.UUID, pathlib.PurePath, ipaddress.IPv4Address, ipaddress.IPv6Address)
DATED = (datetime.datetime, datetime.date, datetime.time)
LISTED = (list, tuple, collections.deque)


def to_json(value, max_bytes):
    """The JSON text of `value`; raises OUTPUT_NOT_JSON naming the place, or OUTPUT_TOO_LARGE."""
    text = json.dumps(Plain(max_bytes).of(value, "result", 0), ensure_ascii=False, separators=(",", ":"))
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        message = "the result holds text that is not valid Unicode (a lone surrogate)"
        raise Failure("OUTPUT_NOT_JSON", message) from None
    if size > max_bytes:
        raise too_large(max_bytes)
    return text


def default_json(value):
    """A default value as JSON data; raises Failure when it has none."""
    return json.loads(to_json(value, 64 * 1024))


def too_large(max_bytes):
    return Failure("OUTPUT_TOO_LARGE", f"the result is larger than {max_bytes} bytes of JSON")


class Plain:
    def __init__(self, max_bytes):
        self.max_bytes = max_bytes
        self.spent = 0
        self.open = set()

    def of(self, value, path, depth):
        self.spend(1)
        if value is None or value is True or value is False:
            return value
        if isinstance(value, enum.Enum):
            return self.of(value.value, path, depth)
        if isinstance(value, str):
            self.spend(len(value))
            return str(value)
        if isinstance(value, int):
            return whole(value, path)
        if isinstance(value, float):
            if not math.isfinite(value):
                raise refused(path, f"{value} is not a JSON number")
            return float(value)
        if isinstance(value, DATED):
            return value.isoformat()
        if isinstance(value, datetime.timedelta):
            return value.total_seconds()
        if isinstance(value, decimal.Decimal):
            if not value.is_finite():
                raise refused(path, f"{value} is not a JSON number")
            return str(value)
        if isinstance(value, TEXTUAL):
            return str(value)
        if isinstance(value, (bytes, bytearray, memoryview)):
            raise refused(path, "bytes have no JSON form; encode them, for example as base64 text")
        return self.container(value, path, depth)

    def container(self, value, path, depth):
        if isinstance(value, type):
            raise refused(path, "a class has no JSON form")
        if depth > MAX_DEPTH:
            raise refused(path, f"nested deeper than {MAX_DEPTH} levels")
        if id(value) in self.open:
            raise refused(path, "the value contains itself")
        self.open.add(id(value))
        try:
            if dataclasses.is_dataclass(value):
                names = [f.name for f in dataclasses.fields(value)]
                return {n: self.of(getattr(value, n), f"{path}.{n}", depth + 1) for n in names}
            if callable(getattr(value, "model_dump", None)):
                return self.of(value.model_dump(mode="json"), path, depth + 1)
            if hasattr(value, "__fields__") and callable(getattr(value, "dict", None)):
                return self.of(value.dict(), path, depth + 1)
            if isinstance(value, Mapping):
                return {self.key(k, path): self.of(v, f"{path}.{k}", depth + 1) for k, v in value.items()}
            if isinstance(value, LISTED):
                return [self.of(v, f"{path}[{i}]", depth + 1) for i, v in enumerate(value)]
            if isinstance(value, Set):
                return [self.of(v, f"{path}[{i}]", depth + 1) for i, v in enumerate(sorted(value, key=repr))]
        finally:
            self.open.discard(id(value))
        raise refused(path, f"{type(value).__name__} has no JSON form")

    def key(self, key, path):
        plain = self.of(key, path, 0) if not isinstance(key, (tuple, frozenset)) else key
        if isinstance(plain, str):
            return plain
        if plain is None or isinstance(plain, (bool, int, float)):
            return json.dumps(plain)
        raise refused(path, f"a key of type {type(key).__name__} has no JSON form")

    def spend(self, size):
        self.spent += size
        # Each value takes two bytes at least, so this bounds the work before the text is built.
        if self.spent > self.max_bytes:
            raise too_large(self.max_bytes)


def refused(path, why):
    return Failure("OUTPUT_NOT_JSON", f"the result cannot be written as JSON: {cut(path, 200)}: {why}")


def whole(value, path):
    """Integers that a double cannot hold would silently change in most JSON readers."""
    try:
        exact = int(float(value)) == value
    except OverflowError:
        exact = False
    if not exact:
        raise refused(path, "an integer this large loses digits in JSON; return it as text")
    return int(value)
