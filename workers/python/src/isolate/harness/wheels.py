"""Unpacks pure-Python wheels, whose bytes the worker has checked, into site-packages."""

import importlib
import os
import zipfile

from .failure import Failure


def install(site, wheels):
    for path, name in wheels:
        try:
            with zipfile.ZipFile(path) as archive:
                for item in archive.infolist():
                    if place(item, name):
                        archive.extract(item, site)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
            raise Failure("WHEEL_UNUSABLE", f"{name}: {error}") from None
        except OSError as error:
            raise Failure("WHEEL_UNUSABLE", f"{name}: cannot be unpacked: {error.strerror}") from None
        os.unlink(path)
    importlib.invalidate_caches()


def place(item, name):
    """Gives an entry its place below site-packages; false when it has none there."""
    parts = item.filename.split("/")
    if item.filename.startswith("/") or ".." in parts:
        raise Failure("WHEEL_UNUSABLE", f"{name}: unsafe path {item.filename!r}")
    if len(parts) > 2 and parts[0].endswith(".data"):
        if parts[1] not in ("purelib", "platlib"):
            return False
        item.filename = "/".join(parts[2:])
    return bool(item.filename) and not item.filename.endswith("/")
