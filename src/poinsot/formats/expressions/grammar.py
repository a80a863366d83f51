"""The grammar of expressions, by recursive descent.

    choice      = either [ "if" either "else" choice ]
    either      = both { "or" both }
    both        = opposite { "and" opposite }
    opposite    = "not" opposite | comparison
    comparison  = sum { ("<" | "<=" | ">" | ">=" | "==" | "!=") sum }
    sum         = term { ("+" | "-") term }
    term        = factor { ("*" | "/") factor }
    factor      = ("+" | "-") factor | power
    power       = atom [ "**" factor ]
    atom        = number | name | name "(" choice { "," choice } ")" | name index { index } | "(" choice ")"
    index       = "[" digits [ "," digits ] "]"

It is the arithmetic of Python and nothing else: there are no attributes, texts, lists, calls of results,
assignments or keywords.  Length and depth are bounded, as a sum of n terms is n operations deep.
"""

import math
import re
from collections.abc import Callable
from typing import NamedTuple

LONGEST = 4000  # characters of an expression
DEEPEST = 60  # levels of nesting
TALLEST = 100  # operations, each of which waits for the one before
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?![A-Za-z_0-9.])"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<sign>\*\*|<=|>=|==|!=|[-+*/<>(),\[\]]))"
)
WORDS = ("if", "else", "and", "or", "not")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
HINTS = {
    "^": ": a power is written x ** 2",
    "=": ": a comparison is written ==",
    ".": ": there are no attributes",
}


class ExpressionError(ValueError):
    """What is wrong with an expression, and at which character."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class Token(NamedTuple):
    """A number, a name, a word or a sign; `kind` of the last two is their text."""

    kind: str
    text: str
    at: int


class Number(NamedTuple):
    """A number as it is written."""

    text: str
    at: int

    @property
    def value(self) -> float:
        """The number."""
        return float(self.text)


class Name(NamedTuple):
    """A name, with indices if it is an array."""

    name: str
    indices: tuple[int, ...]
    at: int


class FunctionCall(NamedTuple):
    """A function of its arguments."""

    function: str
    arguments: "tuple[Node, ...]"
    at: int


class Operation(NamedTuple):
    """An operator with its operands: + - * / ** < <= > >= == != and or not, unary + and -, if."""

    operator: str
    operands: "tuple[Node, ...]"
    at: int


Node = Number | Name | FunctionCall | Operation


def parse(text: str) -> Node:
    """Return the tree of an expression; raise an ExpressionError that says where it is wrong."""
    if len(text) > LONGEST:
        raise ExpressionError(f"an expression has at most {LONGEST} characters, this one {len(text)}", 0)
    found = _Parser(_tokens(text)).whole()
    level: list[Node] = [found]
    for _ in range(TALLEST):
        level = [part for one in level if isinstance(one, FunctionCall | Operation) for part in one[1]]
        if not level:
            return found
    raise ExpressionError(
        f"at most {TALLEST} operations may wait for each other (a sum of n terms has n): define parts of it",
        level[0].at,
    )


def _tokens(text: str) -> list[Token]:
    found, at, end = [], 0, len(text.rstrip())
    while at < end:
        match = TOKEN.match(text, at)
        if match is None:
            here = at + len(text[at:]) - len(text[at:].lstrip())
            sign = text[here]
            raise ExpressionError(f"{sign!r} is not part of an expression{HINTS.get(sign, '')}", here)
        kind = str(match.lastgroup)
        word = match[kind]
        found.append(Token(word if kind == "sign" or word in WORDS else kind, word, match.start(kind)))
        at = match.end()
    return [*found, Token("end", "the end", end)]


class _Parser:
    """The rules of the grammar, one method each."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.place, self.depth = tokens, 0, 0

    @property
    def here(self) -> Token:
        return self.tokens[self.place]

    def take(self, *kinds: str) -> Token | None:
        """Return the next token if it is one of these, and go on."""
        token = self.here
        if token.kind not in kinds:
            return None
        self.place += 1
        return token

    def need(self, kind: str) -> Token:
        token = self.take(kind)
        if token is None:
            raise ExpressionError(f"expected '{kind}', got {self.description()}", self.here.at)
        return token

    def description(self) -> str:
        return self.here.text if self.here.kind == "end" else f"'{self.here.text}'"

    def whole(self) -> Node:
        found = self.choice()
        if self.here.kind != "end":
            raise ExpressionError(f"expected an operator, got {self.description()}", self.here.at)
        return found

    def deeper(self, rule: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ExpressionError(f"an expression is nested at most {DEEPEST} levels deep", self.here.at)
        found = rule()
        self.depth -= 1
        return found

    def choice(self) -> Node:
        yes = self.chain(("or",), lambda: self.chain(("and",), self.opposite))
        token = self.take("if")
        if token is None:
            return yes
        condition = self.chain(("or",), lambda: self.chain(("and",), self.opposite))
        self.need("else")
        return Operation("if", (condition, yes, self.deeper(self.choice)), token.at)

    def chain(self, operators: tuple[str, ...], rule: Callable[[], Node]) -> Node:
        """Return operands between operators of one level, from the left."""
        found = rule()
        while (token := self.take(*operators)) is not None:
            found = Operation(token.kind, (found, rule()), token.at)
        return found

    def opposite(self) -> Node:
        token = self.take("not")
        if token is not None:
            return Operation("not", (self.deeper(self.opposite),), token.at)
        first = self.sum()
        token = self.take(*COMPARISONS)
        if token is None:
            return first
        found: Node = Operation(token.kind, (first, self.sum()), token.at)
        if self.here.kind in COMPARISONS:
            raise ExpressionError("join comparisons with 'and'", self.here.at)
        return found

    def sum(self) -> Node:
        return self.chain(("+", "-"), lambda: self.chain(("*", "/"), self.factor))

    def factor(self) -> Node:
        token = self.take("+", "-")
        if token is not None:
            return Operation(token.kind, (self.deeper(self.factor),), token.at)
        base = self.atom()
        token = self.take("**")
        return base if token is None else Operation("**", (base, self.deeper(self.factor)), token.at)

    def atom(self) -> Node:
        token = self.here
        if self.take("("):
            found = self.deeper(self.choice)
            self.need(")")
            return found
        if self.take("number"):
            if not math.isfinite(float(token.text)):
                raise ExpressionError(f"the number {token.text} is too large", token.at)
            return Number(token.text, token.at)
        if not self.take("name"):
            raise ExpressionError(f"expected a number or a name, got {self.description()}", token.at)
        if self.take("("):
            arguments = [self.deeper(self.choice)]
            while self.take(","):
                arguments.append(self.deeper(self.choice))
            self.need(")")
            return FunctionCall(token.text, tuple(arguments), token.at)
        return Name(token.text, self.indices(), token.at)

    def indices(self) -> tuple[int, ...]:
        found: list[int] = []
        while self.take("["):
            found.append(self.index())
            while self.take(","):
                found.append(self.index())
            self.need("]")
        return tuple(found)

    def index(self) -> int:
        token = self.need("number") if self.here.kind == "number" else None
        if token is None or not token.text.isdigit() or len(token.text) > 2:
            at = self.here.at if token is None else token.at
            raise ExpressionError("an index is a whole number from 0", at)
        return int(token.text)
