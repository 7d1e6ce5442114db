"""A small made-up data set: drawn screens, every kind of step."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

from viscritic.actions import Action
from viscritic.trajectory import Step, Trajectory

SIZE = (320, 240)
COLOURS = {"calc": "#d8f0d8", "paint": "#f0d8d8", "web": "#d8d8f0"}


def draw_desktop(path: Path) -> Path:
    image = Image.new("RGB", SIZE, "#205080")
    ImageDraw.Draw(image).ellipse((140, 80, 220, 160), fill="#80c0f0")
    image.save(path)
    return path


def draw_state(path: Path, app: str, name: str, state: int, *, clock: int = 0) -> Path:
    """A window whose contents depend on all arguments; the clock alone changes a few pixels in the corner."""
    image = Image.new("RGB", SIZE, COLOURS[app])
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, SIZE[0], 20), fill="#404040")
    pattern = sum(map(ord, app + name)) * 7919 + state * 104729
    for cell in range(48):
        if pattern >> (cell % 23) & 1:
            x, y = cell % 8 * 40, 30 + cell // 8 * 32
            draw.rectangle((x, y, x + 30, y + 22), fill=f"#{pattern * (cell + 3) % 0xFFFFFF:06x}")
    draw.rectangle((300 + clock, 6, 303 + clock, 9), fill="white")
    image.save(path)
    return path


def make_trajectory(folder: Path, app: str, name: str, *, first: Path | None = None, size: int = 6) -> Trajectory:
    """Six steps: click, type, save, wait, scroll, failed click; with idle screens in which only the clock moves."""
    actions = [
        (Action("click", x=60, y=60), "Open the list"),
        (Action("type", text=f"words of {name}"), "Enter the words"),
        (Action("key", keys=("ctrl", "s")), "Keep the result"),
        (Action("wait", seconds=1), "Be patient"),
        (Action("scroll", dy=300), "Look further down"),
        (Action("right_click", x=200, y=120), "Open the menu"),
    ][:size]
    steps = []
    for index, (action, instruction) in enumerate(actions):
        state = {3: 2, 4: 2, 5: 3, 6: 4}.get(index, index)  # saving and waiting show nothing but the clock
        after = {2: 2, 3: 2, 4: 3, 5: 4}.get(index, index + 1)
        pre = draw_state(folder / f"{name}-{index}.png", app, name, state, clock=2 * index)
        steps.append(
            Step(
                index=index,
                pre=first if first and index == 0 else pre,
                post=draw_state(folder / f"{name}-{index}-post.png", app, name, after, clock=2 * index + 1),
                size=SIZE,
                actions=(action,),
                instruction=instruction,
                success=index != 5,
                idle=(draw_state(folder / f"{name}-{index}-idle.png", app, name, state, clock=2 * index + 8),),
            )
        )
    return Trajectory(name, "made", app, "desktop", f"Task of {name}", tuple(steps))


def make_trajectories(folder: Path) -> list[Trajectory]:
    """Nine trajectories in three applications; "calc0" and "web0" begin at the same desktop."""
    desktop = draw_desktop(folder / "desktop.png")
    return [
        make_trajectory(folder, app, f"{app}{number}", first=desktop if number == 0 and app != "paint" else None)
        for app in COLOURS
        for number in range(3)
    ]
