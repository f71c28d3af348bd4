"""Kinds of values: each describes itself as JSON Schema 2020-12 and turns checked JSON into the Python value.

`schema(book)` puts named types into `book.defs`; `convert(value, path)` raises Mismatch when the JSON does not fit.
"""

import base64
import binascii
import datetime
import decimal
import ipaddress
import uuid

DECIMAL = r"^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$"
JSON_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


class Mismatch(Exception):
    """A JSON value that does not fit its kind."""

    def __init__(self, path, message):
        super().__init__(message)
        self.path = path
        self.message = message


class Book:
    """The `$defs` of one schema. `output` describes what a tool returns instead of what it takes."""

    def __init__(self, output=False):
        self.output = output
        self.defs = {}
        self.names = {}

    def name_of(self, key, wanted):
        if key not in self.names:
            taken, n = set(self.names.values()), 1
            name = wanted
            while name in taken:
                n += 1
                name = f"{wanted}_{n}"
            self.names[key] = name
        return self.names[key]


def type_name(value):
    return {dict: "object", list: "array"}.get(type(value)) or JSON_NAMES.get(type(value), type(value).__name__)


def expect(value, path, *types):
    if type(value) not in types:
        raise Mismatch(path, f"expected {' or '.join(type_name(t()) for t in types)}, got {type_name(value)}")


def below(path, key):
    return f"{path}.{key}" if path else str(key)


class Anything:
    def schema(self, book):
        return {}

    def convert(self, value, path):
        return value


class Scalar:
    def __init__(self, cls):
        self.cls = cls

    def schema(self, book):
        return {"type": JSON_NAMES[self.cls]}

    def convert(self, value, path):
        if self.cls is float and type(value) is int:
            return float(value)
        if self.cls is int and type(value) is float and value.is_integer():
            return int(value)
        expect(value, path, self.cls)
        return value


def timedelta(value):
    return datetime.timedelta(seconds=value)


def exact_decimal(value):
    number = decimal.Decimal(str(value))
    if not number.is_finite():
        raise ValueError("not a finite number")
    return number


def from_base64(value):
    return base64.b64decode(value, validate=True)


class Parsed:
    """A scalar of the standard library that travels as text or number."""

    KNOWN = {
        datetime.datetime: ({"type": "string", "format": "date-time"}, datetime.datetime.fromisoformat),
        datetime.date: ({"type": "string", "format": "date"}, datetime.date.fromisoformat),
        datetime.time: ({"type": "string", "format": "time"}, datetime.time.fromisoformat),
        datetime.timedelta: ({"type": "number", "description": "A duration in seconds."}, timedelta),
        uuid.UUID: ({"type": "string", "format": "uuid"}, uuid.UUID),
        decimal.Decimal: ({"type": ["string", "number"], "pattern": DECIMAL}, exact_decimal),
        ipaddress.IPv4Address: ({"type": "string", "format": "ipv4"}, ipaddress.IPv4Address),
        ipaddress.IPv6Address: ({"type": "string", "format": "ipv6"}, ipaddress.IPv6Address),
        bytes: ({"type": "string", "contentEncoding": "base64"}, from_base64),
        bytearray: ({"type": "string", "contentEncoding": "base64"}, lambda v: bytearray(from_base64(v))),
    }

    def __init__(self, cls):
        self.cls = cls
        self.described, self.parse = self.KNOWN[cls]

    def schema(self, book):
        return dict(self.described)

    def convert(self, value, path):
        numeric = self.described["type"] != "string"
        if self.cls is datetime.timedelta:
            expect(value, path, float, int)
        else:
            expect(value, path, str, *((float, int) if numeric else ()))
        try:
            return self.parse(value)
        except (ValueError, ArithmeticError, binascii.Error):
            raise Mismatch(path, f"not a {self.cls.__name__}") from None


class Choice:
    """Literal values and Enum members, by their JSON value."""

    def __init__(self, pairs):
        self.pairs = pairs  # [(JSON value, Python value)]

    def schema(self, book):
        values = [v for v, _ in self.pairs]
        names = {JSON_NAMES[type(v)] for v in values}
        return {"enum": values, "type": names.pop()} if len(names) == 1 else {"enum": values}

    def convert(self, value, path):
        for json_value, member in self.pairs:
            if json_value == value and isinstance(json_value, bool) == isinstance(value, bool):
                return member
        raise Mismatch(path, "not one of " + ", ".join(repr(v) for v, _ in self.pairs[:20]))


class OneOf:
    def __init__(self, kinds):
        self.kinds = kinds

    def schema(self, book):
        parts = [k.schema(book) for k in self.kinds]
        if all(set(p) == {"type"} and isinstance(p["type"], str) for p in parts):
            return {"type": [p["type"] for p in parts]}
        return {"anyOf": parts}

    def convert(self, value, path):
        # An exact scalar wins over a number that would have to change its type.
        for kind in self.kinds:
            if isinstance(kind, Scalar) and type(value) is kind.cls:
                return value
        for kind in self.kinds:
            try:
                return kind.convert(value, path)
            except Mismatch as mismatch:
                last = mismatch
        raise last if len(self.kinds) == 1 else Mismatch(path, "fits none of the allowed types")


class Described:
    """A kind with the keywords that Annotated adds."""

    def __init__(self, kind, keywords):
        self.kind = kind
        self.keywords = keywords

    def schema(self, book):
        schema = self.kind.schema(book)
        return schema | self.keywords(schema)

    def convert(self, value, path):
        return self.kind.convert(value, path)


class ListOf:
    def __init__(self, make, item, unique=False):
        self.make = make
        self.item = item
        self.unique = unique

    def schema(self, book):
        item = self.item.schema(book)
        return {"type": "array"} | ({"items": item} if item else {}) | ({"uniqueItems": True} if self.unique else {})

    def convert(self, value, path):
        expect(value, path, list)
        return self.make(self.item.convert(v, below(path, i)) for i, v in enumerate(value))


class TupleOf:
    def __init__(self, make, items):
        self.make = make
        self.items = items

    def schema(self, book):
        count = len(self.items)
        bounds = {"minItems": count, "maxItems": count}
        return {"type": "array", "prefixItems": [k.schema(book) for k in self.items]} | bounds

    def convert(self, value, path):
        expect(value, path, list)
        if len(value) != len(self.items):
            raise Mismatch(path, f"expected {len(self.items)} items, got {len(value)}")
        return self.make(k.convert(v, below(path, i)) for i, (k, v) in enumerate(zip(self.items, value)))


class MapOf:
    def __init__(self, make, key, value):
        self.make = make
        self.key = key
        self.value = value

    def schema(self, book):
        schema = {"type": "object"}
        if isinstance(self.key, Scalar) and self.key.cls is int:
            schema["propertyNames"] = {"pattern": r"^-?\d+$"}
        elif not isinstance(self.key, Anything) and (names := self.key.schema(book)) != {"type": "string"}:
            schema["propertyNames"] = names
        value = self.value.schema(book)
        return schema | ({"additionalProperties": value} if value else {})

    def convert(self, value, path):
        expect(value, path, dict)
        return self.make({self.name(k, path): self.value.convert(v, below(path, k)) for k, v in value.items()})

    def name(self, key, path):
        if isinstance(self.key, Scalar) and self.key.cls is int:
            try:
                return int(key)
            except ValueError:
                raise Mismatch(below(path, key), "the key is not an integer") from None
        return self.key.convert(key, below(path, key))
