"""An MCP server with one tool, `verify`, that only reads: any agent that speaks MCP can ask it.

viscritic agent mcp        # over standard input and output
"""

from __future__ import annotations

from typing import Any, TypedDict

from viscritic.actions import Action
from viscritic.agent.environment import Scorer
from viscritic.agent.safety import judge_safety
from viscritic.errors import MissingExtraError, VisCriticError
from viscritic.screen import load_screen


class Answer(TypedDict):
    """What `verify` answers.

    `state` is confirmed, failed, unsure (neither a success nor a failure) or pending (look again before you repeat
    anything). `success` is a probability; `progress` lies in [-1, 1]. `safe_to_repeat` says whether doing the action
    once more is known to do no harm, and `repeat_note` why.
    """

    state: str
    ok: bool
    success: float
    progress: float
    outcome: str
    note: str
    safe_to_repeat: bool
    repeat_note: str
    elapsed_ms: float
    model: str


def make_server(critic: Scorer) -> Any:
    """The server: an `mcp.server.mcpserver.MCPServer`.

    Raises:
        MissingExtraError: mcp 2 is not installed.
    """
    try:
        from mcp.server.mcpserver import MCPServer  # noqa: PLC0415
        from mcp.server.mcpserver.exceptions import ToolError  # noqa: PLC0415
        from mcp_types import ToolAnnotations  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("The MCP server", "agent", "mcp") from error

    server = MCPServer("viscritic", instructions="Ask `verify` after each GUI action whether it worked.")

    @server.tool(
        title="Did the GUI action work?",
        annotations=ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
        structured_output=True,
    )
    def verify(
        pre: str,
        post: str,
        action: dict[str, Any] | str,
        instruction: str = "",
        task: str = "",
        burst: list[str] | None = None,
    ) -> Answer:
        """Judge one GUI action from the screens before and after it. Reads the images, changes nothing.

        Args:
            pre: The screen before the action: a path, or a base64 data-URL of a PNG, JPEG or WebP.
            post: The screen after it.
            action: What was done, e.g. {"action": "click", "x": 960, "y": 540}; most agents' dialects are read.
            instruction: What the step was meant to do, in words.
            task: The whole goal in words.
            burst: Screens between the action and post, oldest first.
        """
        try:
            return _verify(critic, pre, post, action, instruction, task, burst or [])
        except VisCriticError as error:
            raise ToolError(str(error)) from error

    return server


def _verify(critic: Scorer, pre: str, post: str, action: Any, instruction: str, task: str, burst: list[str]) -> Answer:
    before = load_screen(pre, name="pre")
    actions = Action.parse_batch(action, size=(before.shape[1], before.shape[0]))
    said: Any = critic.score(before, load_screen(post, name="post"), actions, instruction, task, burst)
    safety = judge_safety(actions, instruction)
    return Answer(
        state=said.state, ok=bool(said.ok), success=round(float(said.success), 4), progress=round(said.progress, 4),
        outcome=said.outcome, note=said.note, safe_to_repeat=safety.repeatable, repeat_note=safety.why,
        elapsed_ms=round(said.elapsed_ms, 1), model=said.model,
    )  # fmt: skip
