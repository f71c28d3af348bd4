"""The calls that the worker makes into the sandbox: `introspect`, `run`, and `prepare` ahead of a run. They take and give text."""

import inspect
import json
import os
import sys
import types

from . import entry, failure, output


def seal():
    """Takes the JavaScript bridge away from the tool; asyncio still needs one setting of it."""
    for name in [n for n in sys.modules if n.partition(".")[0] in ("js", "pyodide_js")]:
        del sys.modules[name]
    bridge, api = types.ModuleType("pyodide_js"), types.ModuleType("pyodide_js._api")
    api.config = types.SimpleNamespace(enableRunUntilComplete=True)
    bridge._api, bridge.__path__ = api, []
    sys.modules["pyodide_js"], sys.modules["pyodide_js._api"] = bridge, api
    for name in [n for n in sys.modules if n.partition(".")[0] in ("pyodide", "_pyodide", "_pyodide_core")]:
        for attribute in ("to_js", "create_proxy", "run_js"):
            sys.modules[name].__dict__.pop(attribute, None)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace", line_buffering=True)


prepared = None


def prepare(payload):
    """Unpacks the wheels and imports the tool, if its source is given, ahead of the one `run` that follows."""
    global prepared
    p = json.loads(payload)
    unpack(p["site"], p["wheels"])
    os.environ.clear()
    if p["source"] is not None:
        prepared = entry.Entry(entry.load(p["source"]))
    return "ready"


def unpack(site, wheels):
    if wheels:
        from . import wheels as unpacker

        unpacker.install(site, wheels)


def set_environment(environment):
    """Leaves exactly `environment` in the process environment."""
    os.environ.clear()
    for name, value in environment.items():
        try:
            os.environ[name] = value
        except ValueError:
            message = f"the secret {name} cannot be an environment variable: its value holds a NUL or invalid Unicode"
            raise failure.Failure("SECRET_UNUSABLE", message) from None


def introspect(payload):
    p = json.loads(payload)
    try:
        unpack(p["site"], p["wheels"])
        set_environment(p["environment"])
        found = entry.Entry(entry.load(p["source"]))
        return finish(
            {
                "ok": True,
                "entry": found.name,
                "description": found.summary,
                "is_async": found.is_async,
                "arg_schema": json_text(found.argument_schema()),
                "output_schema": json_text(found.output_schema()),
            }
        )
    except BaseException as error:
        return finish({"ok": False, "error": failure.report(error)})


def run(payload):
    p = json.loads(payload)

    def done(value):
        return finish({"ok": True, "output": output.to_json(value, p["max_output_bytes"])})

    def failed(error):
        return finish({"ok": False, "error": failure.report(error)})

    try:
        failure.keep_secret(p["environment"].values())
        unpack(p["site"], p["wheels"])
        if prepared is None:
            set_environment(p["environment"])
        found = prepared or entry.Entry(entry.load(p["source"]))
        value = found.function(**found.bind(p["arguments"]))
        if not inspect.isawaitable(value):
            return done(value)
    except BaseException as error:
        return failed(error)

    async def rest():
        try:
            return done(await value)
        except BaseException as error:
            return failed(error)

    return rest()


def json_text(schema):
    try:
        return json.loads(json.dumps(schema, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise failure.Failure("UNSUPPORTED_ANNOTATION", f"the schema cannot be written as JSON: {error}") from None


def finish(result):
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass  # a tool that closed or replaced a stream loses what it had not written
    return json.dumps(result)
