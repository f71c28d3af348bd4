"""What ends a run or a build on purpose, and how exceptions of the tool are reported."""

import json
import traceback

HARNESS = __file__.rpartition("/")[0] + "/"
# The worker cuts further once it has looked for secrets.
MAX_MESSAGE = 32_000
MAX_TRACEBACK = 48_000
MAX_LINE = 4_000
MAX_FRAMES = 50
# Shorter values are nothing that a part of could be told from other text.
MIN_SECRET = 6
MIN_SECRET_LINE = 16
REDACTED = "[redacted]"
secrets = []


class Failure(Exception):
    """A fault with a code of the contract. `fields` holds `{path, message}` of rejected arguments."""

    def __init__(self, code, message, fields=None):
        super().__init__(message)
        self.code = code
        self.fields = fields


def keep_secret(values):
    """Has `cut` hide these values, longest first, as they are and as Python and JSON quote them."""
    lines = (line.strip() for value in values for line in value.splitlines())
    whole = {value for value in values if len(value) >= MIN_SECRET} | {n for n in lines if len(n) >= MIN_SECRET_LINE}
    forms = {form for value in whole for form in (value, repr(value)[1:-1], json.dumps(value)[1:-1])}
    secrets[:] = sorted(forms, key=len, reverse=True)


def hide(text):
    for secret in secrets:
        text = text.replace(secret, REDACTED)
    return text


def cut(text, limit):
    """The beginning of a text. The worker finds secrets by the whole of them, so none may be cut in two."""
    return hide(text)[:limit]


def report(error):
    """The wire shape of whatever ended the tool."""
    if isinstance(error, Failure):
        shown = {"code": error.code, "message": cut(str(error), MAX_MESSAGE), "traceback": None}
        return shown | {"fields": error.fields} if error.fields else shown
    if isinstance(error, MemoryError):
        # The locals of the frames are what filled the memory; formatting needs some of it back.
        traceback.clear_frames(error.__traceback__)
    try:
        text = traceback_of(error)
    except BaseException:
        text = ""  # an exception whose own methods fail
    return {"code": code_of(error), "message": message_of(error), "traceback": text[-MAX_TRACEBACK:] or None}


def code_of(error):
    if isinstance(error, MemoryError):
        return "MEMORY_EXCEEDED"
    if isinstance(error, SystemExit):
        return "EXITED"
    if isinstance(error, SyntaxError) and error.filename == "tool.py":
        return "SYNTAX_ERROR"
    return "EXCEPTION"


def message_of(error):
    if isinstance(error, SystemExit):
        return f"the tool called sys.exit({cut(repr(error.code), 100)})"
    try:
        text = str(error)
    except BaseException:
        text = "<no message: str() of the exception failed>"
    name = type(error).__name__
    return cut(f"{name}: {text}" if text else name, MAX_MESSAGE)


def traceback_of(error):
    formatted = traceback.TracebackException.from_exception(error, limit=-MAX_FRAMES, compact=True)
    pending, seen = [formatted], set()
    while pending:
        part = pending.pop()
        if part is None or id(part) in seen:
            continue
        seen.add(id(part))
        part.stack = traceback.StackSummary.from_list([f for f in part.stack if not internal(f.filename)])
        pending += [part.__cause__, part.__context__, *(part.exceptions or ())]
    return "\n".join(line[:MAX_LINE] for line in hide("".join(formatted.format())).split("\n"))


def internal(filename):
    return filename.startswith((HARNESS, "<"))
