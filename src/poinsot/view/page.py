"""A page: one HTML file with the script and the data, which needs nothing else.

The policy in its head allows the browser to run this one script and to fetch nothing.
"""

import base64
import hashlib
import html
from pathlib import Path
from typing import Any

from poinsot.formats.paths import PathLike, file_path, replaced, writing
from poinsot.view.bundle import script
from poinsot.view.payload import Payload

TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Poinsot">
<link rel="icon" href="data:,">
<title>{title}</title>
</head>
<body>
<main id="poinsot"><noscript>This page shows a motion and needs JavaScript.</noscript></main>
<script type="application/json" id="poinsot-header">{header}</script>
<script type="text/plain" id="poinsot-data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def page(payload: Payload) -> str:
    """Return the text of the file."""
    code = script()
    header, data = payload.text()
    proof = base64.b64encode(hashlib.sha256(code.encode("utf-8")).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src 'sha256-{proof}'; style-src 'unsafe-inline'; img-src data: blob:"
    )
    return TEMPLATE.format(
        policy=policy, title=html.escape(payload.header["title"]), header=header, data=data, script=code
    )


def write(path: PathLike, text: str) -> Path:
    """Write a text file and its folders; an existing file is replaced only when the new one is complete."""
    target = file_path(path)
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with replaced(target) as fresh:
            fresh.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    return target


def frame_of(text: str, height: int = 620) -> str:
    """Return the page in a frame for a notebook; the sandbox keeps it from its surroundings."""
    return (
        f'<iframe srcdoc="{html.escape(text, quote=True)}" sandbox="allow-scripts allow-downloads" '
        f'style="width:100%;height:{height}px;border:1px solid #ccc;border-radius:6px" '
        'allowfullscreen loading="lazy"></iframe>'
    )


def title_of(run: Any) -> str:
    """Return a heading for a run that was given none."""
    names = ", ".join(run.mechanism.names[:3]) + (" ..." if len(run.mechanism.names) > 3 else "")
    return f"{names}: {run.method.label}, step {run.step:g}"
