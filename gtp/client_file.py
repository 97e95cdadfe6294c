"""The client as one file, which Python runs under any name: its modules one after the other.

It is a `.txt`, because many mail providers block programs (.py, .pyz, .zip ...). Equal sources
give equal bytes.
"""

import ast
import re
from importlib import resources

MODULES = ("syntax", "connect", "resend", "relay", "options", "program")
"""The modules of `gtp.client`, each after its imports."""

_HEAD = """\
#!/usr/bin/env python3
# With this a Go program (Sabaki, GoGui, q5Go ...) plays in a game of a godaemon.
# It needs only Python 3.9 or newer, on Windows, macOS or Linux. The email with this file says
# how to start it. It is free software: GNU General Public License, 3 or later.

import sys

if sys.version_info < (3, 9):
    sys.exit("This needs Python 3.9 or newer (python.org has it).")

# The program is a string, because an older Python could not parse it.
PROGRAM = r'''
from __future__ import annotations

"""
_TAIL = """\
'''

exec(compile(PROGRAM, "godaemon-gtp", "exec"))
"""


def client_file() -> bytes:
    """The file, without the modules' imports of each other."""
    folder = resources.files("gtp.client")
    imports: set[str] = set()
    sources = [folder.joinpath(f"{name}.py").read_text(encoding="utf-8") for name in MODULES]
    bodies = [_body(source, imports) for source in sources]
    program = "\n\n\n".join([_HEAD + "\n".join(sorted(imports)), *bodies])
    return f"{program}\n{_TAIL}".encode("ascii")


def _body(source: str, imports: set[str]) -> str:
    """A module without its imports; those of the standard library are added to `imports`."""
    lines = source.splitlines()
    for node in reversed(ast.parse(source).body):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        del lines[node.lineno - 1 : node.end_lineno]
        statement = ast.unparse(node)
        if not statement.startswith(("from __future__ ", "from gtp.client.")):
            imports.add(statement)
    return re.sub(r"\n{4,}", "\n\n\n", "\n".join(lines).strip())
