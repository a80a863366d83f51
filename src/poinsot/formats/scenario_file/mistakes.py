"""The mistakes of a scenario file, collected while it is read and told all at once."""

from poinsot.errors import ScenarioError
from poinsot.formats.scenario_file.places import Path, Place, Places

MOST = 50  # mistakes that are told
KEPT = 1000  # mistakes that are looked for


class Mistakes:
    """What is wrong with a file, in the order of its lines."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.places = file, Places(text)
        self.found: list[tuple[Place, str]] = []

    def add(self, path: Path, message: str, *, key: bool = False, offset: int = 0) -> None:
        """Note a mistake in the value at a path, or in its key."""
        if len(self.found) >= KEPT:
            return
        place = self.places.key(path) if key else self.places.value(path, offset)
        name = ".".join(str(part) for part in path)
        line = f"{name}: {message}" if name else message
        self.found.append((place, " ".join(line.split("\n"))))

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
        rest = len(told) - MOST
        return [*lines, f"{self.file}: and {rest} more mistakes"] if rest > 0 else lines

    def check(self) -> None:
        """Raise a ScenarioError with all mistakes, if there are any."""
        if self.found:
            raise ScenarioError("\n".join(self.lines()))
