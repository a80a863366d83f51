"""The mistakes of a scenario file, told all at once, and where the keys and values of a TOML text stand.

`tomllib` reads the values but keeps no places.  The text is valid TOML: only its structure is followed, by
recursive descent over the characters.
"""

from functools import cached_property
from typing import Any, NamedTuple

from poinsot.errors import ScenarioError

Path = tuple[str | int, ...]

MOST = 50  # mistakes that are told
MOST_SOUGHT = 200  # mistakes after which the file is given up
WRONG: Any = object()  # the place of a value with a mistake
DEEPEST = 20  # parts of a key that are told apart
BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


class Place(NamedTuple):
    """Line and column, both from 1."""

    line: int
    column: int


class Places:
    """The places of the keys and of the values, by path."""

    def __init__(self, text: str) -> None:
        self.keys: dict[Path, int] = {}
        self.values: dict[Path, int] = {}
        self.text = text
        _Scanner(text, self).document()

    def key(self, path: Path) -> Place:
        """Return where a key stands; of something missing, where its table stands."""
        while path and path not in self.keys and path not in self.values:
            path = path[:-1]
        return self.place(self.keys.get(path, self.values.get(path, 0)))

    def value(self, path: Path, offset: int = 0) -> Place:
        """Return where a value stands; `offset` counts characters inside a text."""
        if path not in self.values:
            return self.key(path)
        at = self.values[path]
        simple = self.text[at] in "\"'" and self.text[at : at + 3] not in ('"""', "'''")
        return self.place(at + 1 + offset if offset and simple else at)

    def place(self, at: int) -> Place:
        """Return the place of a character."""
        return Place(self.text.count("\n", 0, at) + 1, at - (self.text.rfind("\n", 0, at) + 1) + 1)


class _Scanner:
    """Follows the structure of the text; `at` is the next character."""

    def __init__(self, text: str, places: Places) -> None:
        self.text, self.places, self.at = text + "\n", places, 0
        self.counts: dict[Path, int] = {}  # tables in arrays of tables

    def document(self) -> None:
        table: Path = ()
        while self.blank() < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)

    def blank(self, lines: bool = True) -> int:
        """Skip spaces and comments, and new lines; return the place of what follows."""
        while self.at < len(self.text):
            one = self.text[self.at]
            if one == "#":
                self.at = self.text.index("\n", self.at)
            elif one in " \t" or (lines and one in "\r\n"):
                self.at += 1
            else:
                break
        return self.at

    def header(self) -> Path:
        """Read [a.b] or [[a.b]]; return the path of the table."""
        begin, many = self.at, self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        *way, last = self.key()
        self.at += 2 if many else 1
        path: Path = ()
        for part in way[:DEEPEST]:
            path = self.inside((*path, part), begin)
        path = (*path, last)
        if many:
            self.counts[path] = self.counts.get(path, 0) + 1
        return self.inside(path, begin)

    def inside(self, path: Path, begin: int) -> Path:
        """Return the path of the table, or of the last one in an array of tables."""
        self.places.keys.setdefault(path, begin)
        found = (*path, self.counts[path] - 1) if path in self.counts else path
        self.places.keys.setdefault(found, begin)
        return found

    def key(self) -> list[str]:
        """Read a key with dots; return its parts."""
        parts = []
        while True:
            self.blank(lines=False)
            parts.append(self.string() if self.text[self.at] in "\"'" else self.bare())
            self.blank(lines=False)
            if self.text[self.at] != ".":
                return parts
            self.at += 1

    def bare(self) -> str:
        begin = self.at
        while self.text[self.at] in BARE:
            self.at += 1
        return self.text[begin : self.at]

    def pair(self, table: Path) -> None:
        """Read key = value in a table."""
        begin, path = self.blank(), table
        for part in self.key()[:DEEPEST]:
            path = (*path, part)
            self.places.keys.setdefault(path, begin)
        self.at += 1  # the equals sign
        self.blank(lines=False)
        self.value(path)

    def value(self, path: Path) -> None:
        self.places.values[path] = self.at
        one = self.text[self.at]
        if one in "\"'":
            self.string()
        elif one == "[":
            self.items("]", path)
        elif one == "{":
            self.items("}", path)
        else:
            while self.text[self.at] not in ",]}#\n\r":
                self.at += 1

    def items(self, end: str, path: Path) -> None:
        """Read an array or an inline table."""
        self.at += 1
        count = 0
        while self.text[self.blank()] != end:
            if end == "]":
                self.value((*path, count))
            else:
                self.pair(path)
            count += 1
            if self.text[self.blank()] == ",":
                self.at += 1
        self.at += 1

    def string(self) -> str:
        """Read a text in any quotes; return what is between them, escapes undone in keys of one line."""
        quote = self.text[self.at]
        long = self.text.startswith(3 * quote, self.at)
        close = 3 * quote if long else quote
        self.at += len(close)
        begin = self.at
        while not self.text.startswith(close, self.at):
            self.at += 2 if quote == '"' and self.text[self.at] == "\\" else 1
        while long and self.text.startswith(quote, self.at + len(close)):
            self.at += 1  # quotes just before the end belong to the text
        inner = self.text[begin : self.at]
        self.at += len(close)
        if "\\" in inner and quote == '"' and not long:
            import tomllib

            return str(tomllib.loads(f'x = "{inner}"')["x"])
        return inner


class Mistakes:
    """What is wrong with a file, in the order of its lines."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.found: list[tuple[Place, str]] = []

    @cached_property
    def places(self) -> Places:
        """Where keys and values stand; a file without mistakes does without."""
        return Places(self.text)

    def add(self, path: Path, message: str, *, key: bool = False, offset: int = 0) -> Any:
        """Note a mistake in the value at a path, or in its key; return WRONG.  Too many are told at once."""
        if len(self.found) >= MOST_SOUGHT:
            self.check()
        place = self.places.key(path) if key else self.places.value(path, offset)
        name = ".".join(str(part) for part in path)
        line = f"{name}: {message}" if name else message
        self.found.append((place, " ".join(line.split("\n"))))
        return WRONG

    def __len__(self) -> int:
        return len(self.found)

    def below(self, path: Path) -> bool:
        """Return whether a mistake was noted for this path or for one inside it."""
        name = ".".join(str(part) for part in path)
        return any(line.startswith((f"{name}:", f"{name}.")) for _, line in self.found)

    def lines(self) -> list[str]:
        """Return one line for each mistake: "file:line:column: path: what"."""
        told = sorted(set(self.found))
        lines = [f"{self.file}:{place.line}:{place.column}: {text}" for place, text in told[:MOST]]
        rest, given_up = len(told) - MOST, len(self.found) >= MOST_SOUGHT
        more = f"{self.file}: and {'many' if given_up else rest} more mistakes"
        return [*lines, more] if rest > 0 or given_up else lines

    def check(self) -> None:
        """Raise a ScenarioError with all mistakes, if there are any."""
        if self.found:
            raise ScenarioError("\n".join(self.lines()))
