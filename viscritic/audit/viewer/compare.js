// Two screens over one another: a slider between before and after, where the critic looked, where the action went.

const HEAT_FLOOR = 0.03; // of the largest weight; below it nothing is drawn
const HEAT_OPACITY = 0.68; // at the largest weight: the text under it can still be read

/** Bytes of base64 text. */
function readBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Grid of weights {shape, weights}, as a verdict has it, in a byte a cell. */
function levelsOf(attention) {
  const largest = Math.max(...attention.weights, 1e-12);
  const levels = Uint8Array.from(attention.weights, (weight) => Math.round((255 * weight) / largest));
  return { rows: attention.shape[0], columns: attention.shape[1], levels };
}

/** A widget that shows a step's screens; `show` sets them, `setHeat` the heat map, `setSplit` the slider. */
function createCompare() {
  const before = make("img", { class: "before", alt: "Screen before", draggable: "false" });
  const after = make("img", { class: "after", alt: "Screen after", draggable: "false" });
  const heat = make("canvas", { class: "heat", "aria-hidden": "true" });
  const marks = makeSvg("svg", { class: "marks", "aria-hidden": "true", preserveAspectRatio: "none" });
  const slider = make("input", {
    type: "range", min: 0, max: 100, value: 50, class: "split", "aria-label": "How much of the screen before is shown",
  });
  const stage = make(
    "div", { class: "stage" }, after, heat, before, marks, make("div", { class: "divider", "aria-hidden": "true" }),
    make("span", { class: "tag tag-before", "aria-hidden": "true" }, "Before"),
    make("span", { class: "tag tag-after", "aria-hidden": "true" }, "After"), slider,
  );
  const toggle = make("button", { type: "button", class: "toggle", "aria-pressed": "true" }, "Heat map");
  const choices = [["Before", 100], ["Split", 50], ["After", 0]].map(([word, value]) =>
    make("button", { type: "button", class: "choice", onclick: () => setSplit(value) }, word));
  const legend = make(
    "span", { class: "legend" }, "looked at little", createScale(), "much",
  );
  const missing = make("p", { class: "missing muted", hidden: true }, "There is no picture of this screen.");
  const tools = make(
    "div", { class: "tools" }, make("div", { class: "segmented", role: "group", "aria-label": "Which screen" }, ...choices),
    toggle, legend,
  );
  const node = make("div", { class: "compare" }, tools, stage, missing);

  function setSplit(value) {
    slider.value = value;
    slider.setAttribute("aria-valuetext", value >= 99 ? "before" : value <= 1 ? "after" : `${value} % before`);
    stage.style.setProperty("--split", `${value}%`);
    choices.forEach((choice, i) => choice.setAttribute("aria-pressed", String(i === (value >= 99 ? 0 : value <= 1 ? 2 : 1))));
  }

  function setHeat(on) {
    toggle.setAttribute("aria-pressed", String(on));
    stage.classList.toggle("heated", on && !toggle.disabled);
    legend.hidden = !on || toggle.disabled;
  }

  function show({ pre, post, size, actions, heat: grid }) {
    for (const [image, url] of [[before, pre], [after, post]]) {
      image.hidden = !url;
      if (url) image.src = url;
      else image.removeAttribute("src");
    }
    const both = Boolean(pre && post);
    stage.hidden = !pre && !post;
    missing.hidden = !stage.hidden && both;
    missing.textContent = stage.hidden ? "The screens are not part of this file." : `There is no screen ${pre ? "after" : "before"}.`;
    slider.disabled = !both;
    choices.forEach((choice) => { choice.disabled = !both; });
    stage.classList.toggle("single", !both);
    stage.style.setProperty("--ratio", String(size[0] / size[1]));
    setSplit(both ? firstSplit(size, actions) : pre ? 100 : 0);
    drawMarks(marks, size, actions);
    toggle.disabled = !grid || !post;
    if (grid && post) drawHeat(heat, grid);
    setHeat(toggle.getAttribute("aria-pressed") === "true");
  }

  slider.addEventListener("input", () => setSplit(Number(slider.value)));
  toggle.addEventListener("click", () => setHeat(toggle.getAttribute("aria-pressed") !== "true"));
  setSplit(50);
  return { node, show, setHeat, setSplit, toggleHeat: () => toggle.click() };
}

/** Where the slider stands at first: left of the last point, whose surroundings are then seen as they are after. */
function firstSplit([width], actions) {
  const at = actions.findLast(({ x }) => x != null)?.x ?? width;
  return Math.round(Math.min(50, Math.max(4, (100 * at) / width - 6)));
}

/** The colours from little to much, as a strip. */
function createScale() {
  const strip = make("canvas", { class: "scale", width: 256, height: 1, "aria-hidden": "true" });
  const pen = strip.getContext("2d");
  for (let level = 0; level < 256; level += 1) {
    pen.fillStyle = `#${HEAT_COLOURS.slice(6 * level, 6 * level + 6)}`;
    pen.fillRect(level, 0, 1, 1);
  }
  return strip;
}

/** A pixel a cell; the browser interpolates between them as it scales the canvas up. */
function drawHeat(canvas, { rows, columns, levels }) {
  const cells = typeof levels === "string" ? readBase64(levels) : levels;
  canvas.width = columns;
  canvas.height = rows;
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(columns, rows);
  for (let cell = 0; cell < rows * columns; cell += 1) {
    const level = cells[cell];
    const share = Math.max(0, (level / 255 - HEAT_FLOOR) / (1 - HEAT_FLOOR));
    for (let channel = 0; channel < 3; channel += 1) {
      const place = 6 * level + 2 * channel;
      image.data[4 * cell + channel] = parseInt(HEAT_COLOURS.slice(place, place + 2), 16);
    }
    image.data[4 * cell + 3] = Math.round(255 * HEAT_OPACITY * Math.sqrt(share));
  }
  pen.putImageData(image, 0, 0);
}

/** A ring where each action went, and an arrow to where it ended; seen on every background. */
function drawMarks(svg, [width, height], actions) {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  const radius = Math.max(9, Math.min(26, Math.min(width, height) / 40));
  for (const { x, y, x2, y2 } of actions.slice(-8)) {
    if (x == null) continue;
    const strokes = [["mark-dark", 0.62], ["mark-light", 0.44], ["mark-core", 0.24]];
    for (const [style, weight] of strokes) {
      const look = { class: style, "stroke-width": (radius * weight).toFixed(1) };
      svg.append(makeSvg("circle", { cx: x, cy: y, r: radius, ...look }));
      if (x2 != null) svg.append(makeSvg("path", { d: arrow(x, y, x2, y2, radius), ...look }));
    }
  }
}

function arrow(x, y, x2, y2, radius) {
  const length = Math.hypot(x2 - x, y2 - y);
  if (length <= radius) return "";
  const [dx, dy] = [(x2 - x) / length, (y2 - y) / length];
  const wing = (turn) => {
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    return `M${x2} ${y2}L${x2 - (dx * c - dy * s) * radius} ${y2 - (dx * s + dy * c) * radius}`;
  };
  return `M${x + dx * radius} ${y + dy * radius}L${x2} ${y2}${wing(0.5)}${wing(-0.5)}`;
}
