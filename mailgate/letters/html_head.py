"""The head of our letters' HTML: what mail programs may know of the page before its body. Pure.

Written as it is sent: in short lines of ASCII.
"""

from __future__ import annotations

_TOP = """\
<!DOCTYPE html>
<html lang="{}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
"""
_STYLES = """\
<style>
:root { color-scheme: light dark }
.w, .x { box-shadow: 0 0 1px #000 }
u + .body .gb a { color: transparent !important }
u + .body .gb td { color: transparent }
.gb { forced-color-adjust: none; -webkit-print-color-adjust: exact; print-color-adjust:
exact }
.b, .b a { color: #666 }
.w, .w a { color: #aaa }
.gb a:hover { background-color: #c08a3a; border-radius: 50% }
@media (prefers-color-scheme: dark) {
.gb, .gp { filter: brightness(0.9) }
}
"""
_REST = """\
@media (max-width:480px) {
.o { padding: 14px 0 !important }
.t, .gw p, .gw pre { padding: 0 12px !important }
.gb { margin: 0 auto }
}
@media (max-width:380px) { .k { font-size: 13px !important } }
@media (max-width:350px) { .k { font-size: 12px !important } }
</style>
<style>
.gb[style*="gradient"] a { color: transparent !important }
.gb[style*="gradient"] td { color: transparent }
[data-ogsb] .w, .w[data-ogsb], .w[data-ogab] { background-color: #fff !important
}
[data-ogsb] .b, .b[data-ogsb], .b[data-ogab] { background-color: #222 !important
}
</style>
</head>
"""
_BODY = """\
<body class="body" style="margin:0;padding:0">
<div class="o" lang="{}" style="max-width:640px;margin:0 auto;padding:14px
12px;font:16px/23px -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;\
word-break:{};overflow-wrap:break-word">
"""
"""What helps a page on a telephone, in the dark, and in programs that change its colours."""

_BREAKS = {"ko": "keep-all"}
"""How words of a language break, where not as usual: Korean has blanks between its words."""


def head(title: str, styles: str, language: str) -> str:
    """All up to the first heading: `title` an element, `styles` what this letter's boards need."""
    top, body = _TOP.format(language), _BODY.format(language, _BREAKS.get(language, "normal"))
    return f"{top}{title}\n{_STYLES}{styles}{_REST}{body}"
