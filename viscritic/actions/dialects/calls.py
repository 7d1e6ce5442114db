"""Actions written as Python calls, read from the syntax tree and never executed."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from viscritic.actions.dialects.fields import Fields
from viscritic.actions.jsontext import LONGEST
from viscritic.actions.shown import shown
from viscritic.errors import ActionError

_MOST_CALLS: Final = 1000
_LONGEST_NAME: Final = 100  # characters
_DEEPEST: Final = 3  # lists in lists in lists
_FENCE: Final = re.compile(r"\A```[a-zA-Z]*\n(.*?)\n?```\Z", re.DOTALL)
_FIRST_CALL: Final = re.compile(r"\A\s*([A-Za-z_][\w.]*)\s*\(\s*(?:([A-Za-z_]\w*)\s*=(?!=)|(\)))?")


@dataclass(frozen=True, slots=True)
class Call:
    """One call: `click('a51', button='right')` has the name "click".

    Attributes:
        dialect: for messages.
        source: the call as text.
    """

    name: str
    args: tuple[Any, ...]
    keywords: dict[str, Any]
    dialect: str
    source: str

    def bind(self, *parameters: str) -> Fields:
        """The arguments by the names of the parameters.

        Raises:
            ActionError: too many arguments, an unknown one, or one given twice.
        """
        if len(self.args) > len(parameters):
            raise ActionError(
                f"{self.dialect}: {self.name} takes at most {len(parameters)} arguments: {shown(self.source)}"
            )
        bound = dict(zip(parameters, self.args, strict=False))
        for name, value in self.keywords.items():
            if name not in parameters or name in bound:
                known = ", ".join(parameters) or "no arguments"
                raise ActionError(
                    f"{self.dialect}: {self.name} takes {known}; got {name[:50]} = {shown(value)}", field=name[:50]
                )
            bound[name] = value
        return Fields(bound, self.dialect)


def seems_to_call(text: Any, parameters: Mapping[str, tuple[str, ...]], *, by_keyword: bool = False) -> bool:
    """Whether a text starts with a call of one of the functions; a cheap test that never raises.

    Args:
        parameters: of each function.
        by_keyword: whether the dialect names its first argument; else it may.
    """
    match = _FIRST_CALL.match(text[:1000]) if isinstance(text, str) else None
    if match is None or match[1] not in parameters:
        return False
    return match[2] in parameters[match[1]] if match[2] else not by_keyword or match[3] is not None


def read_calls(text: Any, dialect: str, *, is_script: bool = False) -> list[Call]:
    """The calls of a text, one a statement. A fence of backticks around it is dropped.

    Args:
        text: Python calls with literal arguments.
        dialect: for messages.
        is_script: whether imports, `pass` and strings between the calls may stand there, and are skipped.

    Raises:
        ActionError: not text, not Python, too long, or anything but calls with literal arguments.
    """
    if not isinstance(text, str):
        raise ActionError(f"{dialect} actions are text, got {shown(text)}")
    text = text.strip()
    if len(text) > LONGEST:
        raise ActionError(f"an action's text has at most {LONGEST} characters, got {len(text)}")
    if fenced := _FENCE.match(text):
        text = fenced[1].strip()
    statements = _parse(text, dialect)
    if is_script:
        statements = [statement for statement in statements if not _is_idle(statement)]
    if not 0 < len(statements) <= _MOST_CALLS:
        raise ActionError(f"{dialect}: expected 1 to {_MOST_CALLS} calls, got {len(statements)} in {shown(text)}")
    return [_read_call(statement, dialect, text if len(statements) == 1 else None) for statement in statements]


def _parse(text: str, dialect: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:  # the latter two: nested too deeply
        reason = str(error) or "nested too deeply"
        raise ActionError(f"{dialect}: cannot be read as Python calls ({reason}): {shown(text)}") from None


def _is_idle(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Import | ast.ImportFrom | ast.Pass)


def _read_call(statement: ast.stmt, dialect: str, text: str | None) -> Call:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        what = type(statement.value if isinstance(statement, ast.Expr) else statement).__name__
        raise ActionError(f"{dialect}: only plain calls can be read, line {statement.lineno} holds a {what}")
    call = statement.value
    name = _dotted(call.func)
    if not name:
        raise ActionError(f"{dialect}: line {call.lineno} calls what has no plain name")
    if len(name) > _LONGEST_NAME:
        raise ActionError(f"{dialect}: line {call.lineno} calls a name of {len(name)} characters")
    args = tuple(_literal(arg, f"{dialect}: {name}") for arg in call.args)
    keywords = {}
    for keyword in call.keywords:
        if keyword.arg is None:
            raise ActionError(f"{dialect}: {name} is called with **, whose names are not in the text")
        keywords[keyword.arg] = _literal(keyword.value, f"{dialect}: {name}")
    return Call(name, args, keywords, dialect, text or _source(call, name))


def _dotted(node: ast.expr) -> str:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ""


def _literal(node: ast.expr, where: str, depth: int = 0) -> Any:
    match node:
        case ast.Constant(value=str() | int() | float() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.List(elts=items) | ast.Tuple(elts=items) if depth < _DEEPEST:
            return [_literal(item, where, depth + 1) for item in items]
    raise ActionError(f"{where} needs numbers, text or lists written out, got a {type(node).__name__}")


def _source(call: ast.Call, name: str) -> str:
    try:
        return ast.unparse(call)
    except (ValueError, RecursionError):  # an int of more digits than Python writes, a name of a thousand parts
        return name
