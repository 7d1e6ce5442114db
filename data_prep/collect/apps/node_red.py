"""Node-RED: flows of nodes on a canvas, for testing only. npm package `node-red`."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final, cast
from urllib.parse import urlsplit

from data_prep.collect.application import Application, Element, Fault, Intent
from data_prep.collect.apps.node_red_flows import NAMES, flows_of
from data_prep.collect.server import ProcessServer
from data_prep.collect.server_application import ServerApplication
from data_prep.collect.server_faults import ServerFault
from data_prep.collect.sites import SITES
from data_prep.collect.view import View
from data_prep.collect.web_intents import point_in
from viscritic.actions import Action
from viscritic.errors import DataError

_DRAWN: Final = """(async () => {
  const wait = () => new Promise(done => setTimeout(done, 50));
  for (let i = 0; i < 200 && !document.querySelector('.red-ui-flow-node-group'); i++) await wait();
  for (let i = 0; i < 40 && document.querySelector('#red-ui-loading-progress')?.checkVisibility(); i++) await wait();
})()"""
# The words on a node of the canvas that an element is a part of, "" for every other element.
_LABELS: Final = """keys => keys.map(key => {
  const node = viscritic.find(key), group = node && node.closest('.red-ui-flow-node-group');
  return group ? (group.querySelector('.red-ui-flow-node-label') || group).textContent.trim() : '';
})"""
_SETTINGS: Final = {"editor": {"view": {"view-show-tips": False, "view-show-welcome-tours": False}}}


class NodeRed(ServerApplication):
    """The editor; a seed chooses the flows and the tab."""

    name = "node-red"
    family = "node-red"
    split = "test"
    folder = "node/node-red"
    views = (View(), View(), View(1366, 768), View(1440, 900), View(1100, 760), View(960, 640, scale=2.0))
    refusals = ".red-ui-notification-error"
    waiting = ".red-ui-deploy-button-spinner"
    left_out = ("Node-RED", "Export", "Import")
    purposes: ClassVar[Mapping[str, str]] = {
        "Deploy": "put the changed flows to work", "Done": "keep the node's new settings",
        "Cancel": "leave the node as it was", "Delete": "remove the node",
    }  # fmt: skip

    def launch(self, root: Path, folder: Path) -> ProcessServer:
        """Serve an empty user folder."""
        node = shutil.which("node")
        if node is None:
            raise DataError("node is not here: install Node.js (Debian: apt-get install nodejs)")
        self._file = folder / "flows.json"
        self._file.write_text(json.dumps(flows_of(NAMES[0])), "utf-8")
        (folder / ".config.users.json").write_text(json.dumps({"_": _SETTINGS}), "utf-8")
        red, settings = root / "node_modules" / "node-red" / "red.js", SITES / "node_red_site" / "settings.js"
        command = [node, str(red), "--userDir", str(folder), "--settings", str(settings)]
        home = {"HOME": str(folder), "PATH": os.environ["PATH"]}
        return ProcessServer(lambda port: ["env", f"PORT={port}", *command], folder, home)

    def restore(self, seed: int) -> None:
        """Put the seed's flows to work."""
        self.chosen = Random(f"flows {seed}").choice(NAMES)
        self.deploy(flows_of(self.chosen))
        self._send("/settings/user", _SETTINGS)

    def deploy(self, flows: list[dict[str, Any]]) -> None:
        """Replace the flows, as another editor would."""
        self._send("/flows", flows)

    def _send(self, path: str, body: object) -> None:
        connection = HTTPConnection(urlsplit(self.server.url).netloc, timeout=20)
        try:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            connection.getresponse().read()
        finally:
            connection.close()

    def kept(self) -> Any:
        """The flows that are at work, as they lie in the server's file."""
        return json.loads(self._file.read_text("utf-8"))

    def address(self, seed: int) -> str:
        """The editor, at one of the tabs."""
        return f"/#flow/tab{Random(f'tab {seed}').randrange(2)}"

    def prepare(self, seed: int) -> None:
        """Wait for the canvas."""
        self.run(_DRAWN)

    def asks(self, intent: Intent) -> tuple[str, str]:
        """Only `Deploy` asks the server."""
        return ("data", "/flows") if intent.target.name == "Deploy" else ("", "")

    def elements(self) -> list[Element]:
        """What every page lists; parts of a node of the canvas have its name."""
        found = super().elements()
        labels = self.run(f"({_LABELS})({json.dumps([element.key for element in found])})")
        return [
            replace(element, role="node", name=str(label)) if label else element
            for element, label in zip(found, labels, strict=True)
        ]

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Nodes are opened, chosen and moved, new ones brought from the palette; else what every page offers."""
        found = [i for i in super().intents(elements, random) if i.target.role not in ("shape", "picture")]
        nodes = [e for e in elements if e.role == "node" and e.box[2] > 60]
        if nodes:
            node = random.choice(nodes)
            x, y = point_in(node, random)
            opening = Intent(
                "double_click", node, (Action("double_click", x=x, y=y),), purpose=f"open the settings of '{node.name}'"
            )
            way = (float(random.choice((-60, 60, 100))), float(random.choice((60, 90, 120))))
            moving = Intent(
                "drag", node, (Action("drag", x=x, y=y, x2=x + way[0], y2=y + way[1]),),
                purpose=f"move '{node.name}' {'down and to the right' if way[0] > 0 else 'down and to the left'}",
            )  # fmt: skip
            found = random.sample([opening, opening, moving], 3)[:2] + found
        deploying = [i for i in found if i.target.name == "Deploy"]
        rest = [i for i in found if i.target.name != "Deploy"]
        return deploying + rest if random.random() < 0.35 else rest + deploying

    def faults(self) -> Sequence[Fault]:
        """Those of a server, and a change by somebody else."""
        return (*super().faults(), Overtaken())


class Overtaken(ServerFault):
    """Somebody else has put other flows to work meanwhile. Evidence: the answer's status, 409, and a dialog."""

    cause = "overtaken"

    def arm(self, app: Application) -> None:
        """Put the flows to work with another name."""
        red = cast("NodeRed", app)
        flows = flows_of(red.chosen)
        red.deploy([node | {"info": "changed"} if node["type"] == "tab" else node for node in flows])


NODE_RED: Final[dict[str, Callable[[], NodeRed]]] = {"node-red": NodeRed}
