"""`viscritic agent ...`: the critic in an agent's loop."""

from __future__ import annotations

import json
import signal
import sys
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from viscritic.errors import AgentError, ConfigError

if TYPE_CHECKING:
    from viscritic.agent.gui.desktop import Desktop
    from viscritic.agent.gui.macros import Macro, MacroStore
    from viscritic.agent.gui.model import VisionModel

app = typer.Typer(help="The critic in an agent's loop: run tasks, keep macros, serve MCP.", no_args_is_help=True)
macro = typer.Typer(help="Finished tasks, to be replayed without a model.", no_args_is_help=True)
app.add_typer(macro, name="macro")
QUESTION = "Is what was asked for done, and is there no error on the screen?"


class Driver(StrEnum):
    """What moves mouse and keyboard."""

    xtest = "xtest"
    pyautogui = "pyautogui"


_BUNDLE = typer.Option(help="A bundle's folder, zip or hub id; the shipped one if none.")
_COMMAND = typer.Option("--model", envvar="VISCRITIC_AGENT_MODEL", help="A command that reads a prompt and prints one "
                        "JSON action; {screen} in it is the path of the screen's PNG.")  # fmt: skip
_ENDPOINT = typer.Option(help="Instead of a command: an OpenAI-compatible endpoint, up to /v1.")
_NAME = typer.Option(help="The endpoint's model.")
_DRIVER = typer.Option(help="What moves mouse and keyboard.", show_default="xtest on Linux, else pyautogui")
_MACROS = typer.Option(help="The file of macros.", show_default="~/.local/share/viscritic/macros.json")
_LOG = typer.Option(help="A folder for the log: steps.jsonl and the screens.")
_REDACT = typer.Option(help="module:function that takes out of each screen what the log must not keep.")
_TASK = typer.Argument(help="The task, in the words of its run.", show_default=False)


@app.command(
    epilog='Example: viscritic agent run "Switch the calculator to scientific mode" --model "python my_model.py"'
)
def run(  # a command's options
    task: Annotated[str, typer.Argument(help="What to do, in words.", show_default=False)],
    model: Annotated[str | None, _COMMAND] = None,
    endpoint: Annotated[str | None, _ENDPOINT] = None,
    model_name: Annotated[str, _NAME] = "default",
    driver: Annotated[Driver | None, _DRIVER] = None,
    macros: Annotated[Path | None, _MACROS] = None,
    no_macro: Annotated[bool, typer.Option("--no-macro", help="Neither replay a macro nor save one.")] = False,
    verify_rate: Annotated[float, typer.Option(help="Share of the model's steps that are judged.", min=0, max=1)] = 1.0,
    max_steps: Annotated[int, typer.Option(help="A run's bound.", min=1)] = 50,
    log: Annotated[Path | None, _LOG] = None,
    redact: Annotated[str | None, _REDACT] = None,
    bundle: Annotated[str | None, _BUNDLE] = None,
) -> None:
    """Do a task on this screen: from its macro if there is one, else by asking the model for each step.

    \b
    Exit codes: 0 done, 1 not done (the note says why), 2 bad input. The last line is the result as JSON.
    """
    from viscritic.agent.gui.macros import MacroStore  # noqa: PLC0415

    store = None if no_macro else MacroStore(macros)
    known = store is not None and store.get(task) is not None
    chosen = _open_model(model, endpoint, model_name, needed=not known)
    with ExitStack() as stack:
        agent = _make_agent(stack, chosen, driver, store, log, redact, bundle, verify_rate, max_steps)
        result = agent.run(task)
    typer.echo(json.dumps(result.to_dict(), ensure_ascii=False))
    raise typer.Exit(0 if result.status == "done" else 1)


@app.command(epilog='Example: viscritic agent verify "Is the file saved?" --model "python my_model.py"')
def verify(
    question: Annotated[str, typer.Argument(help="What to look for.")] = QUESTION,
    model: Annotated[str | None, _COMMAND] = None,
    endpoint: Annotated[str | None, _ENDPOINT] = None,
    model_name: Annotated[str, _NAME] = "default",
    driver: Annotated[Driver | None, _DRIVER] = None,
) -> None:
    """Ask the model about the screen, do nothing, print {"ok": ..., "note": ...}.

    \b
    Exit codes: 0 ok, 1 not ok, 2 bad input or no usable answer.
    """
    from viscritic.agent.gui.protocol import ProtocolError, read_verdict, write_question  # noqa: PLC0415

    chosen = _open_model(model, endpoint, model_name, needed=True)
    assert chosen is not None
    with ExitStack() as stack:
        screen = _open_desktop(stack, driver).screen()
    try:
        verdict = read_verdict(chosen.ask(write_question(question, (screen.shape[1], screen.shape[0])), screen))
    except ProtocolError as error:
        raise AgentError(f"the model's answer was refused. {error}") from error
    typer.echo(json.dumps(verdict, ensure_ascii=False))
    raise typer.Exit(0 if verdict["ok"] else 1)


@macro.command("list", epilog="Example: viscritic agent macro list")
def list_macros(macros: Annotated[Path | None, _MACROS] = None) -> None:
    """Name the tasks that have a macro."""
    table = Table("task", "steps", "revision", "saved", box=None, pad_edge=False)
    for found in _store(macros).all():
        table.add_row(found.task, str(len(found.steps)), str(found.revision), found.saved)
    console = Console()
    console.print(table if table.rows else "No macros yet: a finished  viscritic agent run  saves one.")


@macro.command(epilog='Example: viscritic agent macro show "Open the settings"')
def show(task: Annotated[str, _TASK], macros: Annotated[Path | None, _MACROS] = None) -> None:
    """Print a macro's steps."""
    from viscritic.agent.gui.run import describe_steps  # noqa: PLC0415

    found = _find(macros, task)
    typer.echo(f"{found.task}  (revision {found.revision}, screen {found.size[0]} x {found.size[1]}, {found.saved})")
    for line in describe_steps(found.steps):
        typer.echo(line)


@macro.command(epilog='Example: viscritic agent macro replay "Open the settings"')
def replay(
    task: Annotated[str, _TASK],
    macros: Annotated[Path | None, _MACROS] = None,
    driver: Annotated[Driver | None, _DRIVER] = None,
    log: Annotated[Path | None, _LOG] = None,
    redact: Annotated[str | None, _REDACT] = None,
    bundle: Annotated[str | None, _BUNDLE] = None,
) -> None:
    """Replay a macro, each step guarded by the critic; stop at the first that fails. No model is asked.

    \b
    Exit codes: 0 all steps came through, 1 one did not, 2 bad input.
    """
    found = _find(macros, task)
    with ExitStack() as stack:
        result = _make_agent(stack, None, driver, None, log, redact, bundle, 1.0, 1).replay(found)
    typer.echo(json.dumps(result.to_dict(), ensure_ascii=False))
    raise typer.Exit(0 if result.status == "done" else 1)


@macro.command(epilog='Example: viscritic agent macro delete "Open the settings"')
def delete(task: Annotated[str, _TASK], macros: Annotated[Path | None, _MACROS] = None) -> None:
    """Forget a macro."""
    if not _store(macros).delete(task):
        raise AgentError(f"there is no macro of {task!r}; `viscritic agent macro list` names them")
    typer.echo(f"deleted: {task}")


@app.command(epilog="Example, in an MCP client's settings: {'command': 'viscritic', 'args': ['agent', 'mcp']}")
def mcp(bundle: Annotated[str | None, _BUNDLE] = None) -> None:
    """Serve the read-only tool `verify` over MCP, on standard input and output."""
    from viscritic.agent.adapters.mcp import make_server  # noqa: PLC0415  # help shall not wait for it
    from viscritic.runtime import Critic  # noqa: PLC0415

    make_server(Critic.load(bundle)).run()


def _open_model(command: str | None, endpoint: str | None, name: str, *, needed: bool) -> VisionModel | None:
    from viscritic.agent.gui.model import CommandModel, EndpointModel  # noqa: PLC0415

    if command and endpoint:
        raise ConfigError("give --model or --endpoint, not both")
    if command:
        return CommandModel(command)
    if endpoint:
        return EndpointModel(endpoint, name)
    if needed:
        raise ConfigError("no model: give --model COMMAND, or --endpoint URL, or set VISCRITIC_AGENT_MODEL")
    return None


def _open_desktop(stack: ExitStack, driver: Driver | None) -> Desktop:
    from viscritic.agent.gui.desktop import open_desktop  # noqa: PLC0415

    desktop = open_desktop(None if driver is None else driver.value)
    stack.callback(desktop.close)
    # Ended from outside, the program still lets go of what it holds pressed.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    return desktop


def _make_agent(
    stack: ExitStack,
    model: VisionModel | None,
    driver: Driver | None,
    store: MacroStore | None,
    log: Path | None,
    redact: str | None,
    bundle: str | None,
    verify_rate: float,
    max_steps: int,
) -> Any:
    from viscritic.agent import CriticGate, DesktopRollback, StepLog  # noqa: PLC0415
    from viscritic.agent.gui.run import GuiAgent  # noqa: PLC0415
    from viscritic.redaction import load_redaction  # noqa: PLC0415
    from viscritic.runtime import Critic  # noqa: PLC0415

    critic = Critic.load(bundle)
    desktop = _open_desktop(stack, driver)
    kept = stack.enter_context(StepLog(log, load_redaction(redact) if redact else None)) if log else None
    gate = CriticGate(critic, log=kept)
    return GuiAgent(
        desktop, model, gate, store, rollback=DesktopRollback(desktop), verify_rate=verify_rate, most_steps=max_steps
    )


def _store(path: Path | None) -> MacroStore:
    from viscritic.agent.gui.macros import MacroStore  # noqa: PLC0415

    return MacroStore(path)


def _find(path: Path | None, task: str) -> Macro:
    found = _store(path).get(task)
    if found is None:
        raise AgentError(f"there is no macro of {task!r}; `viscritic agent macro list` names them")
    return found
