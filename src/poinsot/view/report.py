"""Reports: one HTML file with headings, tables, figures and a list of contents, without a script."""

import base64
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from poinsot.html import tag, text

STYLE = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


class Section(NamedTuple):
    """A section of a report; `body` is HTML, the rest plain text."""

    anchor: str
    title: str
    body: str
    mark: str = ""  # class of the colored dot in the list of contents


def document(title: str, introduction: str, sections: Sequence[Section]) -> str:
    """Return the text of the file; `introduction` is HTML."""
    entries = "".join(
        tag(
            "a",
            (tag("span", "", class_=f"dot {one.mark}") if one.mark else "") + text(one.title),
            href=f"#{one.anchor}",
        )
        for one in sections
    )
    parts = "".join(tag("section", tag("h2", text(one.title), id=one.anchor) + one.body) for one in sections)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<nav>{tag('b', text(title))}{entries}</nav>\n"
        f"<main><h1>{text(title)}</h1>{introduction}{parts}</main>\n</body>\n</html>\n"
    )


def picture(figure: Any, alternative: str) -> str:
    """Return a matplotlib figure as an image inside the page."""
    from matplotlib import rc_context

    buffer = io.BytesIO()
    with rc_context({"svg.hashsalt": "poinsot", "svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    data = base64.b64encode(buffer.getvalue()).decode("ascii")  # no script runs in an image
    return tag("figure", f'<img alt="{text(alternative)}" src="data:image/svg+xml;base64,{data}">')
