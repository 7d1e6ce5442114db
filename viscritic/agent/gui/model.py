"""Vision-language models: any command that prints one answer, or an endpoint that speaks OpenAI's chat completions."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final, Protocol

from PIL import Image

from viscritic.agent.adapters.computer_use import encode_png
from viscritic.errors import AgentError, ConfigError
from viscritic.screen import Screen

KEY_VARIABLE: Final = "OPENAI_API_KEY"
_LONGEST: Final = 1_000_000  # bytes of an answer


class VisionModel(Protocol):
    """Answers a prompt about a screen."""

    def ask(self, prompt: str, screen: Screen) -> str:
        """The answer's text.

        Raises:
            AgentError: there is none; the message says why.
        """


class CommandModel:
    """A command: the prompt on its standard input, the screen as a PNG file, the answer on its standard output.

    Args:
        command: as in a shell, but run without one; "{screen}" stands for the PNG's path, and without it the path is
            the last argument.
        timeout: seconds.
    """

    def __init__(self, command: str, timeout: float = 180.0) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise ConfigError(f"the model's command {command!r} cannot be read: {error}") from error
        if not self._words:
            raise ConfigError("the model's command is empty")
        if not any("{screen}" in word for word in self._words):
            self._words.append("{screen}")
        self._timeout = timeout

    def ask(self, prompt: str, screen: Screen) -> str:
        """Run it."""
        with tempfile.TemporaryDirectory(prefix="viscritic-") as folder:
            path = Path(folder) / "screen.png"
            Image.fromarray(screen).save(path, "PNG", compress_level=1)
            words = [word.replace("{screen}", str(path)) for word in self._words]
            try:
                done = subprocess.run(
                    words, input=prompt.encode(), capture_output=True, timeout=self._timeout, check=False
                )
            except subprocess.TimeoutExpired as error:
                raise AgentError(f"the model's command {words[0]!r} gave no answer in {self._timeout:g} s") from error
            except OSError as error:
                raise AgentError(f"the model's command {words[0]!r} cannot be run: {error}") from error
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            last = f": {said[-1][:300]}" if said else ""
            raise AgentError(f"the model's command {words[0]!r} ended with {done.returncode}{last}")
        return done.stdout[:_LONGEST].decode(errors="replace")


class EndpointModel:
    """An OpenAI-compatible endpoint.

    Args:
        url: up to and with the version ("http://127.0.0.1:8000/v1").
        name: of the model.
        timeout: seconds.

    The key is read from the environment variable OPENAI_API_KEY, if it is set.
    """

    def __init__(self, url: str, name: str, timeout: float = 180.0) -> None:
        if not url.startswith(("http://", "https://")):
            raise ConfigError(f"the model's endpoint must be an http(s) URL, got {url!r}")
        self._url, self._name, self._timeout = url.rstrip("/") + "/chat/completions", name, timeout

    def ask(self, prompt: str, screen: Screen) -> str:
        """Post a chat completion with the screen as an image."""
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{encode_png(screen)}"}}
        content = [{"type": "text", "text": prompt}, image]
        body = {"model": self._name, "messages": [{"role": "user", "content": content}], "temperature": 0}
        request = urllib.request.Request(self._url, json.dumps(body).encode(), {"Content-Type": "application/json"})
        if key := os.environ.get(KEY_VARIABLE):
            request.add_header("Authorization", f"Bearer {key}")
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                read = json.loads(answer.read(_LONGEST))
            return str(read["choices"][0]["message"]["content"] or "")
        except urllib.error.HTTPError as error:
            with error:
                said = error.read(300).decode(errors="replace")
            raise AgentError(f"the model's endpoint {self._url} answered {error.code}: {said}") from error
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            problem = f"{type(error).__name__}: {error}"
            raise AgentError(f"the model's endpoint {self._url} gave no usable answer ({problem})") from error
