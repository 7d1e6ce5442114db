// Small pieces that everything else is put together from. Text of strangers is only ever set as text.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, listeners (onclick: ...) and children; false and null children are left out. */
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, String(value));
  }
  node.append(...children.filter((child) => child !== false && child != null));
  return node;
}

function makeSvg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

// Each state has a colour, a shape and a word: none of them is needed to tell it from the others.
const STATES = {
  confirmed: { word: "Confirmed", hint: "it worked", path: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.6 5.2-4.3 5a.9.9 0 0 1-1.3 0L4.3 9.4l1.2-1.2 1.2 1.2 3.6-4.3 1.3 1.1Z" },
  failed: { word: "Failed", hint: "it did not work", path: "M5 1h6l4 4v6l-4 4H5l-4-4V5l4-4Zm.9 3.8L4.8 5.9 6.9 8l-2.1 2.1 1.1 1.1L8 9.1l2.1 2.1 1.1-1.1L9.1 8l2.1-2.1-1.1-1.1L8 6.9 5.9 4.8Z" },
  unsure: { word: "Unsure", hint: "too close to call", path: "M8 .5 15.5 8 8 15.5.5 8 8 .5Zm0 2.4L2.9 8 8 13.1 13.1 8 8 2.9Zm0 3.6a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z" },
  pending: { word: "Pending", hint: "look again", path: "M3 1h10v2h-1v1.5L9.5 8l2.5 3.5V13h1v2H3v-2h1v-1.5L6.5 8 4 4.5V3H3V1Zm2.5 2v1l1.1 1.5h2.8L10.5 4V3h-5Z" },
  unjudged: { word: "Not judged", hint: "no verdict", path: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 1.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6ZM4.5 7.2v1.6h7V7.2h-7Z" },
};

const FINDINGS = {
  no_op: { word: "No-op", hint: "nothing on the screen changed" },
  loop: { word: "Loop", hint: "the same action on the same screen as before" },
  redundant: { word: "Redundant", hint: "led away from a screen and back to it" },
};

const OUTCOMES = {
  success: "success",
  no_op: "nothing happened",
  wrong_target: "wrong target",
  page_error: "error shown",
  timeout: "still loading",
};

function stateIcon(state) {
  const path = makeSvg("path", { d: STATES[state].path, "fill-rule": "evenodd" });
  return makeSvg("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true", focusable: "false" }, path);
}

function stateBadge(state) {
  return make("span", { class: `badge state-${state}` }, stateIcon(state), STATES[state].word);
}

function percent(fraction) {
  if (fraction === 0) return "none";
  return fraction < 0.001 ? "under 0.1 %" : `${(100 * fraction).toFixed(fraction < 0.1 ? 1 : 0)} %`;
}
