"""Writes the pages that are made at build into docs/, and links `ps.name` in all texts to the reference."""

import hashlib
import re
from pathlib import Path
from time import process_time
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from pages import api, bibliography, commands, gallery, methods, reproductions

MODULES: tuple[Any, ...] = (api, commands, methods, bibliography, reproductions, gallery)
NAME = re.compile(r"ps\.([A-Za-z_][\w.]*\w)")


def sources(home: Path) -> str:
    """Return a digest of what the pages are made from."""
    digest = hashlib.sha256()
    for folder in (home / "_ext", home.parent / "src", home.parent / "viewer" / "src"):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(home.parent)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def write(app: Sphinx) -> None:
    """Write pages, figures and interactive pages, unless they are those of these sources."""
    home, out = Path(app.srcdir), Path(app.outdir)
    stamp, made = home / "reference" / ".made", f"{sources(home)} {out}"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == made and (out / gallery.FOLDER).is_dir():
        return
    for module in MODULES:
        begin = process_time()
        for place, text in module.pages(home, out):
            path = home / place
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
        seconds = process_time() - begin
        logging.getLogger(__name__).info("%s: made in %.0f s of CPU", module.__name__, seconds)
    stamp.write_text(made, encoding="utf-8")


def link_names(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Make a link of each `ps.name` in backticks that the reference describes."""
    domain = app.env.domains["py"]
    for literal in list(doctree.findall(nodes.literal)):
        found = NAME.match(literal.astext())
        inside = isinstance(literal.parent, nodes.reference)
        if found is None or inside:
            continue
        target = f"poinsot.{found[1]}"
        entry = domain.objects.get(target)
        if entry is None:
            continue
        address = app.builder.get_relative_uri(page, entry.docname) + f"#{entry.node_id}"
        link = nodes.reference("", "", literal.deepcopy(), internal=True, refuri=address)
        literal.replace_self(link)


def setup(app: Sphinx) -> dict[str, bool]:
    """Write pages before Sphinx looks for them; link names when all are known."""
    app.connect("builder-inited", write)
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
