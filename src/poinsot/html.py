"""HTML for notebooks and reports: tables and text.  All text of a model is escaped here."""

import html
from collections.abc import Iterable, Sequence

TABLE = "border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.4em 0"
CELL = "padding:.15em .7em;border-bottom:1px solid #8884;text-align:{align};white-space:nowrap"


def text(value: object) -> str:
    """Escape text for HTML."""
    return html.escape(str(value), quote=True)


def tag(name: str, inside: str, **attributes: str) -> str:
    """Return an element around HTML; attributes are plain text."""
    written = "".join(f' {key.rstrip("_")}="{text(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{inside}</{name}>"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table with the first column aligned left and the others right."""

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
