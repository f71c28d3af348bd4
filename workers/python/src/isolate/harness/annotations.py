"""From Python annotations to kinds."""

import collections
import collections.abc
import dataclasses
import enum
import functools
import inspect
import types
import typing

from . import docstrings
from .failure import Failure
from .kinds import JSON_NAMES, Anything, Choice, Described, ListOf, MapOf, OneOf, Parsed, Scalar, TupleOf
from .records import Field, Model, Record

KEYWORDS = frozenset(
    "title description examples default deprecated readOnly writeOnly const enum format pattern multipleOf"
    " minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems uniqueItems"
    " minProperties maxProperties contentEncoding contentMediaType".split()
)
# Attributes of the constraint objects of annotated-types and pydantic.
NUMERIC = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "lt": "exclusiveMaximum",
    "le": "maximum",
    "multiple_of": "multipleOf",
}
CONSTRAINTS = {"integer": NUMERIC, "number": NUMERIC, "string": {"pattern": "pattern"}}
SIZES = {"string": "Length", "array": "Items", "object": "Properties"}
CONCRETE = (dict, list, set, frozenset, collections.deque)
CONTAINERS = (
    (collections.abc.Mapping, dict),
    (collections.abc.Set, set),
    (collections.abc.Sequence, list),
    (collections.abc.Collection, list),
    (collections.abc.Iterable, list),
)
WRAPPERS = (typing.Required, typing.NotRequired, typing.ReadOnly, typing.ClassVar, typing.Final)


class Annotations:
    """Kinds of one tool. Named types are looked up once, so that a type may contain itself."""

    def __init__(self):
        self.records = {}

    def kind(self, t):
        if t is inspect.Parameter.empty or t is typing.Any or t is object or isinstance(t, typing.TypeVar):
            return Anything()
        if t is None:
            t = type(None)
        if isinstance(t, typing.TypeAliasType):
            return self.named(t, lambda: self.kind(t.__value__))
        if isinstance(t, typing.NewType):
            return self.kind(t.__supertype__)
        origin, args = typing.get_origin(t), typing.get_args(t)
        if isinstance(origin, typing.TypeAliasType):
            return self.named(t, lambda: self.kind(origin.__value__[args]))
        if origin is typing.Annotated:
            return Described(self.kind(args[0]), functools.partial(keywords, args[1:]))
        if origin is typing.Literal:
            return Choice([(literal(a, t), a) for a in args])
        if origin in (typing.Union, types.UnionType):
            return OneOf([self.kind(a) for a in args])
        if origin in WRAPPERS:
            return self.kind(args[0])
        base = origin or t
        if isinstance(base, type):
            return self.of_class(base, args, t)
        raise unsupported(t)

    def of_class(self, base, args, t):
        if base in JSON_NAMES:
            return Scalar(base)
        if base in Parsed.KNOWN:
            return Parsed(base)
        if issubclass(base, enum.Enum):
            return Choice([(literal(m.value, base), m) for m in base])
        if dataclasses.is_dataclass(base):
            return self.named(base, lambda: self.dataclass(base))
        if typing.is_typeddict(base):
            return self.named(base, lambda: self.typed_dict(base))
        if hasattr(base, "model_json_schema") or hasattr(base, "parse_obj"):
            return Model(base)
        if issubclass(base, tuple):
            return self.tuple(base, args)
        for family, plain in CONTAINERS:
            if not issubclass(base, family) or issubclass(base, collections.abc.Iterator):
                continue
            if not (issubclass(base, CONCRETE) or base.__module__ == "collections.abc"):
                continue
            if plain is dict:
                key, value = map(self.kind, args) if len(args) == 2 else (Anything(), Anything())
                return MapOf(maker(base, dict), key, value)
            return ListOf(maker(base, plain), self.kind(args[0]) if args else Anything(), unique=plain is set)
        raise unsupported(t)

    def named(self, key, build):
        if key not in self.records:
            self.records[key] = kind = Later(key.__name__)
            kind.kind = build()
        return self.records[key]

    def dataclass(self, cls):
        hints, (summary, described) = hints_of(cls), class_doc(cls)
        fields = {}
        for name, f in cls.__dataclass_fields__.items():
            if f._field_type is dataclasses._FIELD_CLASSVAR:
                continue
            hint = hints[name].type if isinstance(hints[name], dataclasses.InitVar) else hints[name]
            default = None if f.default is dataclasses.MISSING else (f.default,)
            fields[name] = Field(
                self.kind(hint),
                required=default is None and f.default_factory is dataclasses.MISSING,
                default=default,
                description=f.metadata.get("description") or described.get(name),
                in_input=f.init,
                in_output=f._field_type is not dataclasses._FIELD_INITVAR,
            )
        return Record(lambda values: cls(**values), cls.__name__, fields, description=summary, complete=True)

    def typed_dict(self, cls):
        summary, described = class_doc(cls)
        fields = {}
        for name, hint in hints_of(cls).items():
            # With string annotations __required_keys__ ignores NotRequired, so the hint itself decides.
            origin = typing.get_origin(hint)
            listed = name in cls.__required_keys__ and origin is not typing.NotRequired
            required = origin is typing.Required or listed
            fields[name] = Field(self.kind(hint), required, description=described.get(name))
        return Record(dict, cls.__name__, fields, description=summary)

    def tuple(self, base, args):
        if hasattr(base, "_fields"):
            hints = hints_of(base)
            return TupleOf(lambda values: base(*values), [self.kind(hints.get(n, typing.Any)) for n in base._fields])
        if len(args) == 2 and args[1] is Ellipsis:
            return ListOf(tuple, self.kind(args[0]))
        if args:
            return TupleOf(tuple, [self.kind(a) for a in args if a != ()])
        return ListOf(tuple, Anything())


class Later:
    """A kind that may refer to itself while it is being built."""

    def __init__(self, name):
        self.name = name
        self.kind = None

    def schema(self, book):
        if isinstance(self.kind, Record):
            return self.kind.schema(book)
        # A recursive alias has no class to be named after.
        if id(self) in book.names:
            name = book.names[id(self)]
            book.defs.setdefault(name, None)
            return {"$ref": f"#/$defs/{name}"}
        name = book.name_of(id(self), self.name)
        schema = self.kind.schema(book)
        if name in book.defs:
            book.defs[name] = schema
            return {"$ref": f"#/$defs/{name}"}
        del book.names[id(self)]
        return schema

    def convert(self, value, path):
        return self.kind.convert(value, path)


def hints_of(owner):
    try:
        return typing.get_type_hints(owner, include_extras=True)
    except Exception as error:
        # Annotations are evaluated here for the first time, so any fault in them shows here.
        message = f"an annotation of {owner.__name__} cannot be resolved: {type(error).__name__}: {error}"
        raise Failure("UNSUPPORTED_ANNOTATION", message) from None


def class_doc(cls):
    text = cls.__doc__ if "__doc__" in cls.__dict__ else None
    generated = bool(text) and text.startswith(f"{cls.__name__}(")
    return docstrings.parse(None if generated else text)


def literal(value, owner):
    if isinstance(value, enum.Enum):
        value = value.value
    if type(value) not in JSON_NAMES:
        for cls in (str, bool, int, float):
            if isinstance(value, cls):
                return cls(value)
        raise unsupported(owner)
    return value


def maker(base, plain):
    """How to build `base` from converted items; abstract types get the plain one."""
    if base.__module__ == "collections.abc":
        return plain
    if issubclass(base, collections.defaultdict):
        return lambda items: base(None, items)
    return base


def keywords(metadata, schema):
    """JSON Schema keywords of the extras of `Annotated[...]`."""
    found = {}
    for extra in metadata:
        if isinstance(extra, str):
            found["description"] = extra
        elif isinstance(extra, dict):
            for key in extra:
                if key not in KEYWORDS and not str(key).startswith("x-"):
                    raise Failure("UNSUPPORTED_ANNOTATION", f"Annotated: the schema keyword {key!r} is not supported")
            found |= extra
        else:
            found |= of_object(extra, schema)
    return found


def of_object(extra, schema):
    found = {}
    for attribute in ("description", "documentation", "title"):
        if isinstance(getattr(extra, attribute, None), str):
            found["title" if attribute == "title" else "description"] = getattr(extra, attribute)
    described = schema.get("type") if isinstance(schema.get("type"), str) else None
    for attribute, keyword in CONSTRAINTS.get(described, {}).items():
        if isinstance(getattr(extra, attribute, None), (int, float, str)):
            found[keyword] = getattr(extra, attribute)
    size = SIZES.get(described)
    for bound in ("min", "max"):
        if size and isinstance(getattr(extra, f"{bound}_length", None), int):
            found[f"{bound}{size}"] = getattr(extra, f"{bound}_length")
    for inner in getattr(extra, "metadata", None) or ():
        if inner is not extra:
            found |= of_object(inner, schema)
    return found


def unsupported(t):
    shown = f"the class {t.__qualname__}" if isinstance(t, type) else repr(t)
    return Failure("UNSUPPORTED_ANNOTATION", f"cannot describe {shown} as JSON Schema")
