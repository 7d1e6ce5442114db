"""A verdict as one HTML page: the card's contents as text that can be searched and read aloud, in one file.

It asks no host for anything, and follows the reader's choice of a light or a dark page.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from html import escape
from typing import Final

from PIL import Image

from viscritic.actions import Action, describe_batch
from viscritic.card import OUTCOME_WORDS, STATE_COLOURS, draw_screens, list_facts, outcome_words
from viscritic.heatmap import heat_colours
from viscritic.screen import ScreenSource
from viscritic.trajectory import OUTCOMES
from viscritic.verdict import Verdict

_STYLE: Final = """
:root { color-scheme: light dark; --paper: #fafaf8; --ink: #1c2028; --faint: #5c636e; --rule: #d6d9de; --bar: #0068a0 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181d; --ink: #eceef1; --faint: #a3abb8; --rule: #3a404b; --bar: #58b3e6 }
}
body { font: 16px/1.45 system-ui, sans-serif; background: var(--paper); color: var(--ink); margin: 0 auto;
  padding: 1.5rem; max-width: 118rem }
h1 { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; font-size: 1.5rem; font-weight: 500;
  margin: 0 }
h1 b { color: #fff; padding: .15em .6em; border-radius: .4em; text-transform: uppercase; font-weight: 600 }
h1 small { font-size: 1rem; margin-left: auto }
p { margin: .5rem 0; overflow-wrap: anywhere } .faint { color: var(--faint) }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem 1.5rem }
@media (max-width: 48rem) { .two { grid-template-columns: 1fr } }
figure { margin: 0; position: relative } figcaption { color: var(--faint); margin-bottom: .25rem; min-height: 1.6rem }
img { max-width: 100%; height: auto; display: block; outline: 1px solid var(--rule) }
.over { position: relative } .over .heat { position: absolute; inset: 0 }
:root:has(#heat:not(:checked)) .heat { visibility: hidden }
.scale { display: inline-block; width: 6rem; height: .8rem; vertical-align: middle }
table { border-collapse: collapse; width: 100% }
th { text-align: left; font-weight: normal; padding-right: 1rem; white-space: nowrap }
td { width: 100% } td + td { width: auto; padding-left: .75rem; font-variant-numeric: tabular-nums }
td div { background: var(--rule); height: .9rem } td i { display: block; background: var(--bar); height: 100% }
ul { margin: 0; padding-left: 1.2rem; overflow-wrap: anywhere }
"""


def verdict_page(
    pre: ScreenSource, post: ScreenSource, verdict: Verdict, actions: Sequence[Action] = (), *, instruction: str = ""
) -> str:
    """The transition and its verdict as HTML; the arguments are those of `viscritic.card.draw_verdict`.

    Raises:
        ScreenError: a screen is not usable.
    """
    size, (before, heated) = draw_screens(pre, post, verdict, actions)
    _, (_, after) = draw_screens(pre, post, verdict, actions, heat=False)
    said = [f"<p>{escape(verdict.note)}</p>"]
    if instruction:
        said.append(f'<p class="faint">Meant: {escape(instruction)}</p>')
    if actions:
        said.append(f'<p class="faint">Done: {escape(describe_batch(actions, size))}</p>')
    scale = _data_url(Image.fromarray(heat_colours()[None]).resize((128, 12)))
    facts = "".join(f"<li>{escape(fact)}</li>" for fact in list_facts(verdict.evidence))
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{escape(verdict.state)}: {escape(instruction or outcome_words(verdict))}</title>
<style>{_STYLE}</style>
{_headline(verdict)}
{"".join(said)}
<div class="two">
<figure><figcaption>Before</figcaption><img src="{_data_url(before)}" alt="The screen before the action"></figure>
<figure><figcaption>After, with <label><input type="checkbox" id="heat" checked> attention</label> from little
<img class="scale" src="{scale}" alt=""> to much</figcaption>
<div class="over"><img src="{_data_url(after)}" alt="The screen after the action">
<img class="heat" src="{_data_url(heated)}" alt="Where the critic looked"></div></figure>
<ul>{facts}</ul>
{_chances(verdict)}
</div>
<p class="faint">{escape(verdict.model)}, {verdict.elapsed_ms:.0f} ms</p>
</html>
"""


def _headline(verdict: Verdict) -> str:
    colour = "#{:02x}{:02x}{:02x}".format(*STATE_COLOURS[verdict.state])
    return (
        f'<h1><b style="background: {colour}">{verdict.state}</b> {escape(outcome_words(verdict))}'
        f"<small>success {verdict.success:.2f} &nbsp; progress {verdict.progress:+.2f}</small></h1>"
    )


def _chances(verdict: Verdict) -> str:
    rows = (
        f'<tr><th scope="row">{OUTCOME_WORDS[name]}</th>'
        f'<td><div><i style="width: {100 * verdict.outcome_probs[name]:.1f}%"></i></div></td>'
        f"<td>{verdict.outcome_probs[name]:.2f}</td></tr>"
        for name in OUTCOMES
    )
    return f"<table>{''.join(rows)}</table>"


def _data_url(picture: Image.Image) -> str:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"
