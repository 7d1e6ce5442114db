"""Flows to begin with in Node-RED: small programs of a house, a shop and a weather station."""

from __future__ import annotations

from typing import Any, Final

Node = dict[str, Any]

# Tab -> rows of nodes that are wired in a line: (type, name, further properties).
_LINES: Final[dict[str, dict[str, tuple[tuple[tuple[str, str, Node], ...], ...]]]] = {
    "house": {
        "Lights": (
            (
                ("inject", "Evening", {"topic": "lamp"}),
                ("switch", "Dark enough?", {"property": "payload", "rules": [{"t": "true"}], "outputs": 1}),
                ("debug", "Lamp on", {}),
            ),
            (("inject", "Morning", {"topic": "lamp"}), ("change", "Set off", {"rules": []}), ("debug", "Lamp off", {})),
            (("comment", "The porch follows the hall", {}),),
        ),
        "Heating": (
            (
                ("inject", "Read thermostat", {}),
                ("function", "To Celsius", {"func": "msg.payload = 21;\nreturn msg;", "outputs": 1}),
                ("template", "Sentence", {"template": "It is {{payload}} degrees."}),
                ("debug", "Show", {}),
            ),
            (("link in", "From lights", {}), ("delay", "Wait 5 s", {"timeout": "5"}), ("debug", "Later", {})),
        ),
    },
    "shop": {
        "Orders": (
            (
                ("http in", "New order", {"url": "/order", "method": "post"}),
                ("json", "Read", {}),
                ("function", "Total", {"func": "return msg;", "outputs": 1}),
                ("http response", "Answer", {"statusCode": "200"}),
            ),
            (("inject", "Test order", {}), ("change", "Add tax", {"rules": []}), ("debug", "Order", {})),
            (("catch", "Any error", {}), ("debug", "Errors", {})),
        ),
        "Stock": (
            (("inject", "Count shelves", {}), ("split", "Each shelf", {}), ("join", "Sum", {}), ("debug", "Stock", {})),
            (("comment", "Reorder below 10", {}),),
        ),
    },
    "weather": {
        "Station": (
            (
                ("inject", "Take reading", {}),
                ("function", "Average", {"func": "return msg;", "outputs": 1}),
                ("range", "To percent", {"minin": "0", "maxin": "1023", "minout": "0", "maxout": "100"}),
                ("debug", "Humidity", {}),
            ),
            (("inject", "Wind gust", {}), ("filter", "Only changes", {}), ("debug", "Wind", {})),
        ),
        "Report": (
            (("inject", "Every day", {}), ("csv", "As table", {}), ("template", "Mail", {}), ("debug", "Sent", {})),
            (("status", "Watch", {}), ("debug", "States", {})),
        ),
    },
}
NAMES: Final = tuple(_LINES)
_TYPES: Final = {"filter": "rbe"}  # what the palette calls a node -> its type
_BASIC: Final[dict[str, Node]] = {
    "inject": {"props": [{"p": "payload"}], "repeat": "", "once": False, "payload": "21", "payloadType": "num"},
    "debug": {"active": True, "tosidebar": True, "complete": "payload", "targetType": "msg"},
    "delay": {"pauseType": "delay", "timeoutUnits": "seconds"},
    "split": {"splt": "\\n", "spltType": "str", "arraySplt": 1, "arraySpltType": "len", "stream": False},
    "join": {"mode": "auto"},
    "template": {"field": "payload", "fieldType": "msg", "syntax": "mustache", "output": "str"},
}


def flows_of(name: str) -> list[Node]:
    """The nodes of a set of flows, in the form of Node-RED's file; the same every time."""
    nodes: list[Node] = []
    for tab, (label, lines) in enumerate(_LINES[name].items()):
        nodes.append({"id": f"tab{tab}", "type": "tab", "label": label, "disabled": False, "info": ""})
        for row, line in enumerate(lines):
            for column, (kind, title, more) in enumerate(line):
                last = column == len(line) - 1
                node: Node = {
                    "id": f"n{tab}{row}{column}", "type": _TYPES.get(kind, kind), "z": f"tab{tab}", "name": title,
                    "x": 140 + 190 * column, "y": 80 + 90 * row,
                    "wires": [] if last else [[f"n{tab}{row}{column + 1}"]],
                }  # fmt: skip
                nodes.append(node | _BASIC.get(kind, {}) | more)
    return nodes
