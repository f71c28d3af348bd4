"""Summary and parameter descriptions from Google, NumPy and reST docstrings."""

import inspect
import re

REST_PARAM = re.compile(r"^:param(?:\s+[^:]*?)?\s+\*{0,2}(\w+)\s*:\s*((?:.|\n(?=\s+\S))*)", re.M)
GOOGLE_SECTION = re.compile(r"^(Args|Arguments|Parameters|Attributes|Keyword Args)\s*:\s*$")
GOOGLE_ENTRY = re.compile(r"^\s{1,8}\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")
NUMPY_ENTRY = re.compile(r"^\*{0,2}(\w+(?:\s*,\s*\w+)*)\s*(?::.*)?$")
OTHER_SECTION = re.compile(r"^(Returns?|Raises|Yields?|Examples?|Notes?|Warns?|See Also)\s*:\s*$")


def parse(text):
    """`(summary, {name: description})`; the summary ends where the first section begins."""
    if not text:
        return "", {}
    lines = inspect.cleandoc(text).splitlines()
    described = {m[1]: " ".join(m[2].split()) for m in REST_PARAM.finditer("\n".join(lines))}
    summary, in_summary, i = [], True, 0
    while i < len(lines):
        line = lines[i]
        if GOOGLE_SECTION.match(line):
            in_summary = False
            i = google(lines, i + 1, described)
        elif line.strip() in ("Parameters", "Attributes", "Other Parameters") and underlined(lines, i):
            in_summary = False
            i = numpy(lines, i + 2, described)
        else:
            if OTHER_SECTION.match(line) or line.startswith(":") or underlined(lines, i):
                in_summary = False
            if in_summary:
                summary.append(line)
            i += 1
    return "\n".join(summary).strip(), described


def google(lines, i, described):
    name, indent = None, 0
    while i < len(lines) and (not lines[i].strip() or lines[i][0].isspace()):
        depth = len(lines[i]) - len(lines[i].lstrip())
        entry = GOOGLE_ENTRY.match(lines[i])
        if entry and (name is None or depth <= indent):
            name, indent = entry[1], depth
            described[name] = entry[2].strip()
        elif name and lines[i].strip():
            described[name] = f"{described[name]} {lines[i].strip()}".strip()
        i += 1
    return i


def numpy(lines, i, described):
    names = []
    while i < len(lines) and not underlined(lines, i):
        entry = NUMPY_ENTRY.match(lines[i])
        if entry:
            names = [n.strip() for n in entry[1].split(",")]
            described.update(dict.fromkeys(names, ""))
        elif lines[i].strip():
            for name in names:
                described[name] = f"{described[name]} {lines[i].strip()}".strip()
        i += 1
    return i


def underlined(lines, i):
    return bool(lines[i].strip()) and i + 1 < len(lines) and set(lines[i + 1].strip()) == {"-"}
