"""Runs inside the interpreter while the runtime is built: /lib/python3X.zip and /harness to /out.zip."""

import importlib.util
import marshal
import os
import sys
import zipfile

FLAGS = (1).to_bytes(4, "little")  # checked by source hash, never by date
DATE = (2020, 1, 1, 0, 0, 0)


def sources(library):
    with zipfile.ZipFile(library) as archive:
        for item in archive.infolist():
            if not item.is_dir():
                yield item.filename, archive.read(item), 2
    for name in sorted(os.listdir("/harness")):
        with open(f"/harness/{name}", "rb") as file:
            yield f"_parley/{name}", file.read(), 0


def compiled(library, name, data, optimise):
    code = compile(data, f"{library}/{name}", "exec", dont_inherit=True, optimize=optimise)
    return importlib.util.MAGIC_NUMBER + FLAGS + importlib.util.source_hash(data) + marshal.dumps(code)


def main():
    library = f"/lib/python{sys.version_info.major}{sys.version_info.minor}.zip"
    with zipfile.ZipFile("/out.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name, data, optimise in sources(library):
            if name.endswith(".py"):
                name, data = f"{name}c", compiled(library, name, data, optimise)
            item = zipfile.ZipInfo(name, DATE)
            item.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(item, data, compresslevel=9)


main()
