"""What comes in: transitions as JSON, their screens as base64. Nothing that a client names is opened or fetched."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from viscritic.actions import Action
from viscritic.errors import ScreenError
from viscritic.runtime import Transition
from viscritic.screen import Screen, load_screen

_MOST_SCREENS: Final = 16  # of a burst, and of idle screens
_LONGEST_TEXT: Final = 10_000  # characters; the encoder reads far less
_HEADER: Final = 64  # a data-URL's header is shorter

ScreenText = Annotated[
    str,
    Field(
        description="An image (PNG, JPEG, WebP, GIF, BMP) in base64, or as a data-URL. Paths and URLs are refused.",
        examples=["data:image/png;base64,iVBORw0KGgo..."],
    ),
]
Text = Annotated[str, Field(max_length=_LONGEST_TEXT)]


class TransitionBody(BaseModel):
    """One transition: the screens before and after an action, and the action."""

    model_config = ConfigDict(extra="forbid")

    pre: ScreenText
    post: ScreenText
    action: Annotated[
        dict[str, Any] | list[Any] | str,
        Field(
            description="The action in any dialect: an object, the text of a call, or a list of several in order.",
            examples=[{"action": "click", "x": 334, "y": 363}],
        ),
    ]
    dialect: Annotated[str | None, Field(description="The action's dialect, where it cannot be told.")] = None
    instruction: Annotated[Text, Field(description="The step's intent in words.")] = ""
    task: Annotated[Text, Field(description="The whole goal in words.")] = ""
    burst: Annotated[
        list[ScreenText],
        Field(max_length=_MOST_SCREENS, description="Screens between the action and post, oldest first."),
    ] = []
    idle: Annotated[
        list[ScreenText],
        Field(max_length=_MOST_SCREENS, description="Screens before the action, while nothing was done."),
    ] = []

    def transition(self, max_pixels: int) -> Transition:
        """The transition with its screens decoded.

        Raises:
            ScreenError: a screen that is no base64 image, or too large.
            ActionError: an action that cannot be understood.
        """
        pre, post = (_decode(getattr(self, name), name, max_pixels) for name in ("pre", "post"))
        burst = [_decode(text, f"burst[{i}]", max_pixels) for i, text in enumerate(self.burst)]
        idle = [_decode(text, f"idle[{i}]", max_pixels) for i, text in enumerate(self.idle)]
        actions = Action.parse_batch(self.action, dialect=self.dialect, size=(pre.shape[1], pre.shape[0]))
        return Transition(pre, post, actions, self.instruction, self.task, burst, idle)


class ManyBody(BaseModel):
    """Several transitions."""

    model_config = ConfigDict(extra="forbid")

    transitions: Annotated[list[TransitionBody], Field(min_length=1)]


def _decode(text: str, name: str, max_pixels: int) -> Screen:
    """The screen that base64 text holds; the text itself never reaches anything that opens files."""
    header, comma, payload = text[:_HEADER].partition(",")
    if comma and header[:5].lower() == "data:" and header.lower().endswith(";base64"):
        text = payload + text[_HEADER:]
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:  # a ValueError is text that is not ASCII
        raise ScreenError(
            f"{name}: not base64. A server opens no paths and fetches no URLs; send the image itself, in base64 or as "
            f"data:image/png;base64,..."
        ) from error
    return load_screen(data, max_pixels=max_pixels, name=name)
