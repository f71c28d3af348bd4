"""The tool module: loading it, finding its entry function, and describing how to call it."""

import functools
import inspect
import linecache
import sys
import types
import typing

from . import docstrings
from .annotations import Annotations, hints_of
from .failure import Failure, cut
from .kinds import Book, Mismatch
from .records import Field, Record

TOOL_FILE = "tool.py"
FUNCTIONS = (types.FunctionType, functools._lru_cache_wrapper)
AWAITED = ("Awaitable", "Coroutine")


def load(source):
    """Runs the tool's source as the module `tool`, with line numbers and source lines for tracebacks."""
    source = source.removeprefix("\ufeff")  # as Python reads a file
    linecache.cache[TOOL_FILE] = (len(source), None, source.splitlines(True), TOOL_FILE)
    module = types.ModuleType("tool")
    module.__file__ = TOOL_FILE
    sys.modules["tool"] = module
    try:
        code = compile(source, TOOL_FILE, "exec", dont_inherit=True)
    except SyntaxError as error:
        error.filename = TOOL_FILE
        raise
    except (ValueError, RecursionError) as error:
        raise Failure("SYNTAX_ERROR", f"the source cannot be compiled: {error}") from None
    exec(code, module.__dict__)
    return module


def find(module):
    """The function named `handler`, else the only public function of the module."""
    handler = module.__dict__.get("handler")
    if handler is not None:
        if not isinstance(handler, FUNCTIONS) and not inspect.isroutine(handler):
            raise Failure("ENTRY_NOT_FOUND", f"`handler` is not a function but of type {type(handler).__name__}")
        return handler
    own = {}
    for name, value in module.__dict__.items():
        if isinstance(value, FUNCTIONS) and not name.startswith("_") and value.__module__ == "tool":
            own.setdefault(id(value), (name, value))
    if not own:
        raise Failure("ENTRY_NOT_FOUND", "the tool defines no public function: define one, named `handler`")
    if len(own) > 1:
        names = ", ".join(sorted(name for name, _ in own.values()))
        message = f"the tool defines {len(own)} public functions ({names}): name the one to call `handler`"
        raise Failure("ENTRY_AMBIGUOUS", message)
    return next(iter(own.values()))[1]


class Entry:
    """The entry function with the kinds of its parameters."""

    def __init__(self, module):
        self.function = find(module)
        self.annotations = Annotations()
        self.hints = hints_of(self.function)
        self.summary, self.described = docstrings.parse(inspect.getdoc(self.function))
        self.whole = self.input_parameter(module)
        self.arguments = self.annotations.kind(module.Input) if self.whole else self.parameters()

    @property
    def name(self):
        return getattr(self.function, "__name__", "handler")

    @property
    def is_async(self):
        return inspect.iscoroutinefunction(inspect.unwrap(self.function))

    def input_parameter(self, module):
        """The name of the one parameter that takes all arguments as the tool's `Input`, or None."""
        if not isinstance(module.__dict__.get("Input"), type):
            return None
        listed = list(self.signature().parameters.values())
        if len(listed) != 1 or listed[0].kind is listed[0].VAR_KEYWORD or listed[0].kind is listed[0].VAR_POSITIONAL:
            return None
        hint = self.hints.get(listed[0].name)
        return listed[0].name if hint is module.Input or (hint is None and listed[0].name == "input") else None

    def signature(self):
        try:
            return inspect.signature(self.function)
        except (TypeError, ValueError):
            raise Failure("UNSUPPORTED_PARAMETER", f"the parameters of {self.name} cannot be read") from None

    def parameters(self):
        fields, extra = {}, None
        for p in self.signature().parameters.values():
            if p.kind is p.VAR_KEYWORD:
                extra = self.extra(self.hints.get(p.name, p.empty), fields)
            elif p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL):
                raise Failure("UNSUPPORTED_PARAMETER", f"the parameter {p.name!r} cannot be passed by name")
            else:
                default = None if p.default is p.empty else (p.default,)
                kind = self.annotations.kind(self.hints.get(p.name, p.empty))
                fields[p.name] = Field(kind, default is None, default, self.described.get(p.name))
        return Record(dict, None, fields, extra=extra)

    def extra(self, hint, fields):
        if typing.get_origin(hint) is typing.Unpack:
            record = getattr(self.annotations.kind(typing.get_args(hint)[0]), "kind", None)
            if not isinstance(record, Record):
                raise Failure("UNSUPPORTED_ANNOTATION", "Unpack is for a TypedDict")
            fields.update(record.fields)
            return None
        return self.annotations.kind(hint)

    def bind(self, arguments):
        """Keyword arguments for the function; raises INVALID_ARGUMENTS naming the place."""
        try:
            converted = self.arguments.convert(arguments, "")
        except Mismatch as mismatch:
            fields = [{"path": cut(mismatch.path, 500), "message": mismatch.message}]
            raise Failure("INVALID_ARGUMENTS", cut(f"{mismatch.path}: {mismatch.message}", 1000), fields) from None
        return {self.whole: converted} if self.whole else converted

    def argument_schema(self):
        book = Book()
        schema = self.arguments.schema(book)
        return in_place(schema, book)

    def output_schema(self):
        """The schema of the return annotation, or None when it says nothing useful."""
        hint = self.hints.get("return", inspect.Parameter.empty)
        if getattr(typing.get_origin(hint), "__name__", "") in AWAITED:
            hint = typing.get_args(hint)[-1]
        book = Book(output=True)
        try:
            schema = self.annotations.kind(hint).schema(book)
        except Failure:
            return None
        if schema in ({}, {"type": "object"}, {"type": "array"}):
            return None
        return schema | ({"$defs": book.defs} if book.defs else {})


def in_place(schema, book):
    """A root that is only a reference becomes what it refers to, which stays in `$defs` when others refer to it."""
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    if name:
        schema = {k: v for k, v in schema.items() if k != "$ref"} | book.defs[name]
        if not refers_to(name, list(book.defs.values())):
            del book.defs[name]
    return schema | ({"$defs": book.defs} if book.defs else {})


def refers_to(name, node):
    if isinstance(node, dict):
        return node.get("$ref") == f"#/$defs/{name}" or any(refers_to(name, v) for v in node.values())
    return isinstance(node, list) and any(refers_to(name, v) for v in node)
