"""Plain text, tables and docstrings as Markdown (MyST)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from inspect import cleandoc

SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}$", re.MULTILINE)
ITEM = re.compile(r"^(\S.*?) : (.*)$")
COLUMNS = re.compile(r"\S {3,}\S")  # text that was aligned by hand
SPECIAL = re.compile(r"([\\*_<>\[\]$|#~^{}])")


def escape(text: str) -> str:
    """Return a text whose characters mean nothing to Markdown, but for `code` in backticks."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(one if i % 2 else SPECIAL.sub(r"\\\1", one) for i, one in enumerate(parts))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(" ".join(cell.split()) for cell in row) + " |" for row in lines)


def fence(text: str, language: str = "text") -> str:
    """Return a block of code."""
    return f"```{language}\n{text}\n```"


def indent(text: str, by: str = "  ") -> str:
    """Return a text with all but its first line indented."""
    return text.replace("\n", f"\n{by}")


def docstring(text: str) -> str:
    """Return a docstring by the rules of docs/api-rules.md as Markdown."""
    first, *sections = SECTION.split(cleandoc(text))
    parts = [prose(first)]
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        described, _, rest = body.strip("\n").partition("\n\n")
        if title in ("Examples", "Notes") or not ITEM.match(described.split("\n")[0]):
            parts += [f"**{title}**", prose(body)]
        else:
            parts += [f"**{title}**", "\n".join(items(described)), prose(rest)]
    return "\n\n".join(part for part in parts if part)


def items(text: str) -> Iterator[str]:
    """Yield a line of a list for each argument: "a, b : Text", and the lines that go on with it."""
    for one in re.split(r"\n(?=\S)", text):
        found = ITEM.match(one.split("\n")[0])
        names, line = found.groups() if found else (one.split("\n")[0], "")
        more = one.split("\n")[1:]
        named = ", ".join(f"`{name.strip()}`" for name in names.split(","))
        aligned = [i for i, other in enumerate(more) if COLUMNS.search(other.strip())]
        start = aligned[0] if aligned else len(more)
        said = escape(" ".join([line, *(other.strip() for other in more[:start])]).strip())
        block = "\n" + fence(cleandoc("\n" + "\n".join(more[start:]))) if aligned else ""
        yield indent(f"- {named}: {said}{block}")


def prose(text: str) -> str:
    """Return paragraphs, examples and what is indented."""
    blocks = [block.strip("\n") for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]
    found: list[str] = []
    for block in blocks:
        if block.lstrip().startswith(">>>"):
            found.append(fence(cleandoc(block), "pycon"))
        elif all(line.startswith(" ") for line in block.split("\n")):
            found.append(fence(cleandoc("\n" + block)))
        else:
            found += list(_paragraphs(block))
    return "\n\n".join(found)


def _paragraphs(block: str) -> Iterator[str]:
    """Yield a paragraph, and what is indented or aligned or an example in it as blocks of their own."""

    def kind(line: str) -> str:
        if line.startswith((">>>", "...")):
            return "pycon"
        return "text" if line.startswith("    ") or COLUMNS.search(line) else ""

    lines = block.split("\n")
    start = 0
    while start < len(lines):
        here, end = kind(lines[start]), start + 1
        while end < len(lines) and (kind(lines[end]) == here or here == "pycon"):
            end += 1
        part = "\n".join(lines[start:end])
        yield fence(cleandoc("\n" + part), here) if here else escape(part)
        start = end
