"""What is known of each source of trajectories: how it is read, where it comes from, under which licence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from data_prep.marks import watch_for_marks
from data_prep.readers.agentrewardbench import is_agentrewardbench, read_agentrewardbench
from data_prep.readers.aitw import is_aitw, read_aitw
from data_prep.readers.aitz import is_aitz, read_aitz
from data_prep.readers.androidcontrol import is_androidcontrol, read_androidcontrol
from data_prep.readers.androidworld import is_androidworld, read_androidworld
from data_prep.readers.browsergym import is_browsergym, read_browsergym
from data_prep.readers.cradle import is_cradle, read_cradle
from data_prep.readers.droidbot import is_droidbot, read_droidbot
from data_prep.readers.guiodyssey import is_guiodyssey, read_guiodyssey
from data_prep.readers.mind2web import is_mind2web, read_mind2web
from data_prep.readers.multimodal_mind2web import is_multimodal_mind2web, read_multimodal_mind2web
from data_prep.readers.numbered import is_numbered, read_numbered
from data_prep.readers.osworld import is_osworld, read_osworld
from data_prep.readers.playwright import is_playwright, read_playwright
from data_prep.readers.samples import is_samples, read_samples
from data_prep.readers.screenagent import is_screenagent, read_screenagent
from data_prep.readers.webarena import is_webarena, read_webarena
from viscritic.trajectory import Trajectory


class Reader(Protocol):
    """Reads a data set: yields its trajectories one at a time."""

    def __call__(self, path: Path | str, /, *, strict: bool = False) -> Iterator[Trajectory]:
        """The trajectories under `path`; broken rows are left out and told of, or an error where `strict`."""


@dataclass(frozen=True, slots=True)
class Source:
    """A data set.

    Attributes:
        read: yields its trajectories from a folder or file. Where agents may have drawn on the screens, those are
            searched for marks (`data_prep.marks`).
        owns: whether a file is one by which the data set is known.
        layout: what its files look like, in a few words.
        home: where it comes from.
        licence: what its screens and texts may be used under.
        limits: what to mind, a sentence each.
    """

    read: Reader
    owns: Callable[[Path], bool]
    layout: str
    home: str
    licence: str
    limits: tuple[str, ...]


_DEMONSTRATIONS: Final = "All steps are people's demonstrations: what they did counts as a success."
_NO_STEPS: Final = "It says how whole runs ended, but nothing of single steps."
_OWN_RUNS: Final = "that of whoever recorded them; the screens show other people's programs and pages"

SOURCES: Final[dict[str, Source]] = {
    "mind2web": Source(
        read=read_mind2web,
        owns=is_mind2web,
        layout="task/<annotation_id>/processed/screenshot.json of the raw dump, beside JSON files of tasks",
        home="https://github.com/OSU-NLP-Group/Mind2Web and its raw dump",
        licence="CC BY 4.0 (the data set's README)",
        limits=(_DEMONSTRATIONS, "Screens show whole pages, not the part that a browser's window shows."),
    ),
    "multimodal-mind2web": Source(
        read=read_multimodal_mind2web,
        owns=is_multimodal_mind2web,
        layout="*.parquet with annotation_id, target_action_index and screenshot",
        home="https://huggingface.co/datasets/osunlp/Multimodal-Mind2Web",
        licence="OpenRAIL (the data set's card)",
        limits=(
            _DEMONSTRATIONS,
            "Screens show whole pages, not the part that a browser's window shows.",
            "A task's last action has no screen after.",
        ),
    ),
    "aitw": Source(
        read=read_aitw,
        owns=is_aitw,
        layout="TFRecord files with image/encoded and results/yx_touch, one Example a step",
        home="https://github.com/google-research/google-research/tree/master/android_in_the_wild",
        licence="CC BY 4.0 (the data set's README)",
        limits=(
            "Steps count as successes where the people marked the task as complete.",
            "There are no instructions of single steps.",
        ),
    ),
    "aitz": Source(
        read=read_aitz,
        owns=is_aitz,
        layout="*.json lists of steps with result_action_type, beside PNG images",
        home="https://github.com/IMNearth/CoAT",
        licence="Apache-2.0 (its repository)",
        limits=(
            "Steps count as successes where the people marked the task as complete.",
            "The instructions were written by a language model that saw the action.",
        ),
    ),
    "androidcontrol": Source(
        read=read_androidcontrol,
        owns=is_androidcontrol,
        layout="TFRecord files with screenshots and actions, one Example an episode",
        home="https://github.com/google-research/google-research/tree/master/android_control",
        licence="Apache-2.0 (its repository)",
        limits=(_DEMONSTRATIONS, "An instruction may need several actions; it is repeated for each of them."),
    ),
    "androidworld": Source(
        read=read_androidworld,
        owns=is_androidworld,
        layout="<task>_<n>.pkl.gz of AndroidWorld's checkpointer",
        home="https://github.com/google-research/android_world",
        licence=_OWN_RUNS,
        limits=(
            _NO_STEPS,
            "M3A and T3A draw a frame over the element that they are about to act on; such steps are told of as marked,"
            " and no samples are made of them.",
        ),
    ),
    "osworld": Source(
        read=watch_for_marks(read_osworld),
        owns=is_osworld,
        layout="<action space>/<observation>/<model>/<domain>/<id>/traj.jsonl beside screens",
        home="https://github.com/xlang-ai/OSWorld",
        licence=_OWN_RUNS,
        limits=(_NO_STEPS, "The screen before the first action of a run is mostly not stored: that step is left out."),
    ),
    "webarena": Source(
        read=watch_for_marks(read_webarena),
        owns=is_webarena,
        layout="render_<task>.html",
        home="https://github.com/web-arena-x/webarena",
        licence=_OWN_RUNS,
        limits=(_NO_STEPS, "Actions name elements; where on the screen they are is not stored."),
    ),
    "playwright": Source(
        read=read_playwright,
        owns=is_playwright,
        layout="*.zip traces of Playwright with screenshots",
        home="https://playwright.dev/python/docs/trace-viewer",
        licence=_OWN_RUNS,
        limits=(
            "Screens are JPEG frames of 800 pixels at most.",
            "Of steps it says only which ended in an error.",
        ),
    ),
    "browsergym": Source(
        read=watch_for_marks(read_browsergym),
        owns=is_browsergym,
        layout="step_<n>.pkl.gz and screenshot_step_<n>.png of BrowserGym or AgentLab",
        home="https://github.com/ServiceNow/BrowserGym",
        licence=_OWN_RUNS,
        limits=("Of steps it says only which ended in an error.",),
    ),
    "agentrewardbench": Source(
        read=watch_for_marks(read_agentrewardbench),
        owns=is_agentrewardbench,
        layout="cleaned/<benchmark>/<agent>/<experiment>/<task>.json, screenshots/ and data/annotations.csv",
        home="https://huggingface.co/datasets/McGill-NLP/agent-reward-bench",
        licence="see the data set's card",
        limits=("Experts judged whole runs; of steps it says only which ended in an error.",),
    ),
    "gui-odyssey": Source(
        read=read_guiodyssey,
        owns=is_guiodyssey,
        layout="annotations/<episode>.json and screenshots/",
        home="https://huggingface.co/datasets/OpenGVLab/GUI-Odyssey",
        licence="CC BY 4.0 (the data set's card)",
        limits=("Steps count as successes where the people marked the task as complete.",),
    ),
    "cradle": Source(
        read=watch_for_marks(read_cradle),
        owns=is_cradle,
        layout="runs/<time>/memory.json and screen_<time>.jpg",
        home="https://github.com/BAAI-Agents/Cradle",
        licence=_OWN_RUNS,
        limits=(
            "Whether a step succeeded is the agent's own opinion, unless it ended in an error.",
            "A run's memory keeps its last turns only, but for its checkpoints.",
        ),
    ),
    "screenagent": Source(
        read=read_screenagent,
        owns=is_screenagent,
        layout="train/<session>/<time>.json and images/",
        home="https://github.com/niuzaisheng/ScreenAgent, folder data/ScreenAgent/train (revision 2ebe97d)",
        licence="Apache-2.0 (the data set's README)",
        limits=(
            "All screens are 1024x768 JPEG of Linux and Windows desktops driven over VNC, with the mouse pointer drawn"
            " in: after a real click it stands on the target, after most made negatives it does not.",
            "The data set does not name applications: they were read by eye from the screens, one for each session.",
            "The people who recorded the sessions sometimes touched the machine between two steps.",
            "The instructions are machine translations from Chinese, with some mistakes; typed text is often Chinese.",
            "Only about 2 % of the steps are failures that a human saw; all other negatives are made.",
        ),
    ),
    "droidbot": Source(
        read=read_droidbot,
        owns=is_droidbot,
        layout="events/event_<time>.json and states/",
        home="https://github.com/honeynet/droidbot",
        licence=_OWN_RUNS,
        limits=(
            "Nothing was meant by its events; only that a state stayed as it was is known.",
            "A state's screen is stored once, so clocks and dimming may be of another time.",
        ),
    ),
    "viscritic": Source(
        read=read_samples,
        owns=is_samples,
        layout="samples.jsonl, manifest.json and screens/ of viscritic itself",
        home="a folder of samples, see its CARD.md",
        licence="see its CARD.md",
        limits=("Only the steps that really happened are read, not the samples that were made of them.",),
    ),
    "folder": Source(
        read=watch_for_marks(read_numbered),
        owns=is_numbered,
        layout="numbered images with actions.json or actions.jsonl",
        home="recorded by its owner (data_prep/readers/numbered.py tells the layout)",
        licence="that of its owner",
        limits=(),
    ),
}
