"""A page: one HTML file with the script, the data and nothing from anywhere else.

The policy in its head lets the browser run this one script and fetch nothing at all.
"""

import base64
import hashlib
import html
import os
from pathlib import Path
from typing import Any

from poinsot.errors import ScenarioError
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
    """The text of the file."""
    code = script()
    header, data = payload.text()
    proof = base64.b64encode(hashlib.sha256(code.encode("utf-8")).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src 'sha256-{proof}'; style-src 'unsafe-inline'; img-src data: blob:"
    )
    return TEMPLATE.format(
        policy=policy, title=html.escape(payload.header["title"]), header=header, data=data, script=code
    )


def write(path: str | os.PathLike[str], text: str) -> Path:
    """All or nothing: an old file is replaced at the end."""
    target = Path(path)
    fresh = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(text, encoding="utf-8", newline="\n")
        os.replace(fresh, target)
    except OSError as error:
        raise ScenarioError(f"{target}: cannot be written: {error.strerror}") from None
    finally:
        fresh.unlink(missing_ok=True)
    return target


def frame_of(text: str, height: int = 620) -> str:
    """The page inside another one, as a notebook shows it: in a frame that can reach nothing around it."""
    return (
        f'<iframe srcdoc="{html.escape(text, quote=True)}" sandbox="allow-scripts allow-downloads" '
        f'style="width:100%;height:{height}px;border:1px solid #ccc;border-radius:6px" '
        'allowfullscreen loading="lazy"></iframe>'
    )


def title_of(run: Any) -> str:
    """A heading for a run that has no name of its own."""
    names = ", ".join(run.mechanism.names[:3]) + (" ..." if len(run.mechanism.names) > 3 else "")
    return f"{names}: {run.method.name}, step {run.step:g}"
