"""BrowserGym (MiniWoB++, WebArena, ...): its action strings, its observations, its error field.

env = VerifiedBrowserGym(gymnasium.make("browsergym/miniwob.click-test"), critic)
obs, reward, terminated, truncated, info = env.step("click('13')")
obs["last_action_error"]        # what the gate says, where the step was not confirmed
"""

from __future__ import annotations

import re
from typing import Any, Final

from viscritic.actions import Action
from viscritic.agent.adapters.gymnasium import VerifiedEnv
from viscritic.agent.environment import Scorer
from viscritic.agent.gate import GateDecision
from viscritic.agent.log import StepLog
from viscritic.agent.policy import GatePolicy
from viscritic.screen import ScreenSource

_BID: Final = re.compile(r"^\s*\w+\(\s*(?:bid\s*=\s*)?['\"]([^'\"]+)['\"]")
_VERBS: Final = {"click": "Click", "double_click": "Double-click", "type": "Type into", "select": "Choose in"}


class VerifiedBrowserGym(VerifiedEnv):
    """A BrowserGym environment whose steps are judged.

    An action on a bid gets the centre of the element's box as its point, and the words of its role and name as
    instruction.
    """

    def __init__(
        self,
        env: Any,
        critic: Scorer,
        *,
        policy: GatePolicy | None = None,
        rollback: bool = True,
        log: StepLog | None = None,
    ) -> None:
        super().__init__(
            env, critic, look=_look, to_action=_to_actions, instruction=_instruction, element=_element,
            task=lambda obs: str(obs.get("goal", "")), policy=policy, rollback=rollback, log=log,
        )  # fmt: skip

    def report(self, decision: GateDecision, obs: Any) -> Any:
        """The observation with the advice as `last_action_error`, where the step was not confirmed."""
        if decision.worked or not isinstance(obs, dict):
            return obs
        told = "\n".join(part for part in (obs.get("last_action_error") or "", decision.advice) if part)
        return obs | {"last_action_error": told}


def _look(env: Any, obs: Any) -> ScreenSource:
    page = getattr(env.unwrapped, "page", None)
    if page is None:
        screenshot: ScreenSource = obs["screenshot"]
        return screenshot
    return bytes(page.screenshot(timeout=10_000, animations="allow", caret="initial"))


def _to_actions(action: str, obs: Any) -> tuple[Action, ...]:
    actions = Action.parse_batch(action, "browsergym")
    box = (obs.get("extra_element_properties") or {}).get(_bid(action) or "", {}).get("bbox")
    if len(actions) != 1 or box is None or actions[0].point is not None:
        return actions
    x, y, width, height = box
    changed = actions[0].to_dict() | {"x": x + width / 2, "y": y + height / 2}
    return (Action(**{**changed, "keys": tuple(changed.get("keys", ()))}, raw=action),)


def _bid(action: str) -> str | None:
    match = _BID.match(action)
    return match[1] if match else None


def _element(action: str, obs: Any) -> str:
    bid = _bid(action)
    for node in (obs.get("axtree_object") or {}).get("nodes", ()) if bid else ():
        if node.get("browsergym_id") == bid:
            role, name = (str(node.get(key, {}).get("value", "")) for key in ("role", "name"))
            return f"{role} '{name}'" if name else role
    return ""


def _instruction(action: str, obs: Any) -> str:
    element = _element(action, obs)
    verb = _VERBS.get(Action.parse_batch(action, "browsergym")[0].kind)
    return f"{verb} the {element}" if element and verb else ""
