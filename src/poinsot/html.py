"""HTML for notebooks and reports: tables, text, figures.  Whatever comes from a model is escaped here."""

import html
from collections.abc import Iterable, Sequence

TABLE = "border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.4em 0"
CELL = "padding:.15em .7em;border-bottom:1px solid #8884;text-align:{align};white-space:nowrap"


def text(words: object) -> str:
    """Any words as HTML that says just these words."""
    return html.escape(str(words), quote=True)


def tag(name: str, inside: str, **attributes: str) -> str:
    """An element around HTML; attributes are plain text."""
    written = "".join(f' {key.rstrip("_")}="{text(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{inside}</{name}>"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """First column to the left, the others to the right."""

    def line(kind: str, cells: Sequence[object]) -> str:
        return (
            "<tr>"
            + "".join(
                tag(kind, text(cell), style=CELL.format(align="right" if i else "left"))
                for i, cell in enumerate(cells)
            )
            + "</tr>"
        )

    body = "".join(line("td", row) for row in rows)
    return tag("table", f"<thead>{line('th', head)}</thead><tbody>{body}</tbody>", style=TABLE)
