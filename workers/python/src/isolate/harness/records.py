"""Kinds with named members: dataclasses, TypedDicts, the parameters of a function, and pydantic models."""

from .failure import Failure, cut
from .kinds import Mismatch, below, expect
from .output import default_json


class Field:
    """One member of a record. `in_input` and `in_output` say on which side it exists."""

    def __init__(self, kind, required, default=None, description=None, in_input=True, in_output=True):
        self.kind = kind
        self.required = required
        self.default = default  # a one-element tuple, or None
        self.description = description
        self.in_input = in_input
        self.in_output = in_output


class Record:
    """A dataclass, a TypedDict or the parameters of a function: named members, each with a kind."""

    def __init__(self, make, name, fields, extra=None, description=None, complete=False):
        self.make = make
        self.name = name  # None: written in place instead of into $defs
        self.fields = fields
        self.extra = extra
        self.description = description
        self.complete = complete  # every member is present in what a tool returns

    def schema(self, book):
        if self.name is None:
            return self.body(book)
        known = id(self) in book.names
        name = book.name_of(id(self), self.name)
        if not known:
            book.defs[name] = {}
            book.defs[name] = self.body(book)
        return {"$ref": f"#/$defs/{name}"}

    def body(self, book):
        members = {n: f for n, f in self.fields.items() if (f.in_output if book.output else f.in_input)}
        required = [n for n, f in members.items() if (f.required or book.output and self.complete)]
        schema = {"type": "object", "properties": {n: self.member(f, book) for n, f in members.items()}}
        if self.description:
            schema["description"] = self.description
        if required:
            schema["required"] = required
        if not book.output:
            schema["additionalProperties"] = self.extra.schema(book) or True if self.extra else False
        return schema

    def member(self, field, book):
        schema = field.kind.schema(book)
        if field.description and "description" not in schema:
            schema = schema | {"description": field.description}
        if field.default is not None and not book.output:
            try:
                schema = schema | {"default": default_json(field.default[0])}
            except Failure:
                pass  # a default that JSON cannot hold stays inside Python
        return schema

    def convert(self, value, path):
        expect(value, path, dict)
        members = {n: f for n, f in self.fields.items() if f.in_input}
        for name, field in members.items():
            if field.required and name not in value:
                raise Mismatch(below(path, name), "is required")
        converted = {}
        for name, item in value.items():
            kind = members[name].kind if name in members else self.extra
            if kind is None:
                raise Mismatch(below(path, name), "is not known")
            converted[name] = kind.convert(item, below(path, name))
        return self.make(converted)


class Model:
    """A pydantic model (either generation), which describes and builds itself."""

    def __init__(self, cls):
        self.cls = cls

    def schema(self, book):
        reference = "#/$defs/{model}"
        if hasattr(self.cls, "model_json_schema"):
            mode = "serialization" if book.output else "validation"
            schema = self.cls.model_json_schema(ref_template=reference, mode=mode)
        else:
            schema = self.cls.schema(ref_template=reference)
        book.defs.update(schema.pop("$defs", schema.pop("definitions", {})))
        return schema

    def convert(self, value, path):
        build = getattr(self.cls, "model_validate", None) or self.cls.parse_obj
        try:
            return build(value)
        except ValueError as error:
            listed = error.errors() if callable(getattr(error, "errors", None)) else []
            if not listed:
                raise Mismatch(path, cut(str(error), 500)) from None
            at = ".".join(str(part) for part in listed[0].get("loc", ()))
            raise Mismatch(below(path, at) if at else path, cut(str(listed[0].get("msg", error)), 500)) from None
