"""XML as elements with their lines, on expat: no entities, and bounds on size, depth and number of elements.

A document type with entities is refused where it is declared, so that nothing is ever expanded or fetched.
Blanks before the declaration and zero bytes after the document, which other readers pass over, are dropped.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from poinsot.errors import ModelError

LARGEST = 64_000_000  # bytes of a file
MOST = 1_000_000  # elements
DEEPEST = 200  # elements inside each other
BLANKS = b" \t\r\n"


@dataclass(eq=False)
class Element:
    """An element of a document: its name, attributes and children, and the line on which it begins."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> Iterator["Element"]:
        """Yield the children of this name."""
        return (one for one in self.children if one.name == name)

    def first(self, name: str) -> "Element | None":
        """Return the first child of this name, or None."""
        return next(self.all(name), None)


def file_bytes(path: Path) -> bytes:
    """Return the bytes of a regular file of bounded size, or raise a ModelError."""
    try:
        if path.exists() and not path.is_file() and not path.is_dir():  # a FIFO would wait for ever
            raise OSError(22, "not a regular file")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: cannot be read, {getattr(error, 'strerror', error)}") from None
    if len(data) > LARGEST:
        raise ModelError(f"{path}: larger than {LARGEST // 1_000_000} million bytes, which is no robot")
    return data


def parse(path: Path, data: bytes) -> tuple[Element, list[str]]:
    """Return the root of a document, and what was dropped around it; a ModelError has the line."""
    remarks = []
    mark = b"\xef\xbb\xbf"
    body = data[len(mark) :] if data.startswith(mark) else data
    start = body.lstrip(BLANKS)
    skipped = body[: len(body) - len(start)].count(b"\n")
    if len(start) < len(body) and start.startswith(b"<?xml"):
        remarks.append("blanks before the XML declaration, which other readers refuse")
    if b"\0" in start and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        end = start.rstrip(b"\0" + BLANKS)
        if b"\0" not in end:
            remarks.append("zero bytes after the document")
            start = end
    target = _Builder(path, skipped)
    try:
        target.parser.Parse(start, True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code) or "not well-formed"
        raise ModelError(f"{path}:{error.lineno + skipped}: not XML: {what}") from None
    except (ValueError, LookupError) as error:  # an encoding that expat does not know
        raise ModelError(f"{path}:1: not XML: {' '.join(str(error).split())}") from None
    assert target.root is not None, "expat refuses a document without an element"
    return target.root, remarks


class _Builder:
    """What expat calls: it makes the tree of elements."""

    def __init__(self, path: Path, skipped: int) -> None:
        self.path, self.skipped, self.count = path, skipped, 0
        self.root: Element | None = None
        self.open: list[Element] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.EntityDeclHandler = self.refuse
        self.parser.ExternalEntityRefHandler = self.refuse

    def start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber + self.skipped
        self.count += 1
        if self.count > MOST or len(self.open) >= DEEPEST:
            what = f"{MOST} elements" if self.count > MOST else f"{DEEPEST} elements inside each other"
            raise ModelError(f"{self.path}:{line}: more than {what}, which is no robot")
        made = Element(name, attributes, line)
        if self.open:
            self.open[-1].children.append(made)
        else:
            self.root = made
        self.open.append(made)

    def end(self, name: str) -> None:
        self.open.pop()

    def text(self, text: str) -> None:
        self.open[-1].text += text

    def refuse(self, *_: Any) -> Any:
        line = self.parser.CurrentLineNumber + self.skipped
        raise ModelError(f"{self.path}:{line}: entities are not read: write the text where it is used")
