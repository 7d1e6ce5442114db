"""browser-use itself, with a scripted language model, on a real page."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from agent_parts import CONFIRMED, PAGE, Said, Scripted

from viscritic.agent import GatePolicy

browser_use = pytest.importorskip("browser_use", reason="needs browser-use: pip install browser-use")
pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("default")]  # its own warnings are not ours
WRONG = Said("failed", "wrong_target", 0.05, "Something else happened.")


class ScriptedModel:
    """A chat model that answers with one prepared step after the other, and keeps what it was told."""

    model = name = provider = model_name = "scripted"
    _verified_api_keys = True

    def __init__(self, *steps):
        self.steps, self.told = list(steps), []

    async def ainvoke(self, messages, output_format=None, **options):
        from browser_use.llm.views import ChatInvokeCompletion

        self.told.append("\n".join(str(message.content) for message in messages))
        action = self.steps.pop(0)
        action = action(self.told[-1]) if callable(action) else action
        text = json.dumps({"evaluation_previous_goal": "", "memory": "", "next_goal": "Press", "action": action})
        answer = text if output_format is None else output_format.model_validate_json(text)
        return ChatInvokeCompletion(completion=answer, usage=None)


def click_add(told):
    """The index that browser-use gave the button."""
    return [{"click": {"index": int(re.search(r"\[(\d+)\]<button id=add", told)[1])}}]


@pytest.fixture
def url(tmp_path):
    """The page, served: browser-use opens no files."""
    (tmp_path / "index.html").write_text(PAGE)
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
        server.shutdown()


def run_agent(verifier, model):
    async def run():
        session = browser_use.BrowserSession(
            executable_path=shutil.which("chromium"), headless=True, chromium_sandbox=False, user_data_dir=None,
            highlight_elements=False, viewport={"width": 640, "height": 560}, enable_default_extensions=False,
        )  # fmt: skip
        agent = browser_use.Agent(
            "Add to cart", llm=model, browser_session=session, use_vision=False, use_judge=False,
            directly_open_url=False,
        )  # fmt: skip
        try:
            return await agent.run(max_steps=4, on_step_start=verifier.on_step_start, on_step_end=verifier.on_step_end)
        finally:
            await session.kill()

    return asyncio.run(run())


def test_a_failed_step_is_told_to_the_model_in_its_next_turn(url, monkeypatch):
    from viscritic.agent.adapters.browser_use import BrowserUseVerifier

    monkeypatch.setenv("ANONYMIZED_TELEMETRY", "false")
    model = ScriptedModel(
        [{"navigate": {"url": url}}],
        click_add,
        [{"done": {"text": "done", "success": True}}],
    )
    critic = Scripted([CONFIRMED, WRONG])
    verifier = BrowserUseVerifier(critic, policy=GatePolicy(waits=(0.1,), patience=0.0), task="Add to cart")
    run_agent(verifier, model)
    kinds = [d and d.actions[0].kind for d in verifier.decisions]
    assert kinds == ["navigate", "click", None]
    assert verifier.decisions[1].actions[0].point is not None
    assert "Something else happened." in model.told[2]
    assert "Something else happened." not in model.told[1]
