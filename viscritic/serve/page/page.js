// The page: two screens, an action, a verdict; and audits.
"use strict";

(() => {
  const { make, makeSvg, createCompare, levelsOf, describeVerdict, describeFigures, drawMarks, showAudit, themeButton } = VisCritic;
  const $ = (id) => document.getElementById(id);
  const say = (text) => { $("live").textContent = text; };

  // What each kind of action is described by. The last one is no kind: the action as an agent wrote it.
  const POINT = ["point"];
  const KINDS = {
    click: POINT, double_click: POINT, triple_click: POINT, right_click: POINT, middle_click: POINT,
    long_press: ["point", "seconds"], move: POINT, drag: ["point", "end"], swipe: ["point", "end"], scroll: ["point", "scroll"],
    type: ["text", "point"], key: ["keys"], select: ["text", "point"], navigate: ["url"], back: [], home: [], open_app: ["text"],
    wait: ["seconds"], done: ["text"], other: ["text"], raw: ["raw"],
  };
  const TEXT_LABELS = { type: "Text that was typed", select: "Option that was selected", open_app: "App", done: "Answer", other: "What was done, in words" };
  const FIELDS = ["point", "end", "text", "keys", "scroll", "url", "seconds", "raw"];

  // ---- requests

  async function ask(path, options = {}) {
    const token = sessionStorage.getItem("viscritic-token");
    const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    let answer;
    try {
      answer = await fetch(path, { ...options, headers });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Error("The server does not answer. Is it still running?");
    }
    if (answer.ok) return answer;
    const told = (await answer.json().catch(() => ({}))).error ?? { message: `The server answered with status ${answer.status}.` };
    if (answer.status === 401) askForToken();
    const wait = answer.headers.get("retry-after");
    throw new Error(wait ? `The server is busy: try again in ${wait} s.` : told.message);
  }

  function askForToken() {
    $("token-form").hidden = false;
    $("token").focus();
  }

  $("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem("viscritic-token", $("token").value.trim());
    $("token").value = "";
    $("token-form").hidden = true;
    showProblem("problem", "");
    showProblem("audit-problem", "");
    $("judge-button").focus();
  });

  function showProblem(id, text) {
    $(id).textContent = text;
  }

  async function showServer() {
    try {
      const state = await (await fetch("healthz")).json();
      $("server").textContent = state.ready ? `model ${state.model}` : "the server is busy";
    } catch {
      $("server").textContent = "no connection";
    }
  }

  // ---- tabs

  const tabs = [...document.querySelectorAll("[role=tab]")];

  function openTab(tab, focus = false) {
    for (const one of tabs) {
      const on = one === tab;
      one.setAttribute("aria-selected", String(on));
      one.tabIndex = on ? 0 : -1;
      $(one.getAttribute("aria-controls")).hidden = !on;
    }
    if (focus) tab.focus();
  }

  tabs.forEach((tab, place) => {
    tab.addEventListener("click", () => openTab(tab));
    tab.addEventListener("keydown", (event) => {
      const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      openTab(tabs.at(to % tabs.length), true);
    });
  });

  // ---- where files come in

  function uploadIcon() {
    return makeSvg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
      makeSvg("path", { d: "M4 16v3a1.5 1.5 0 0 0 1.5 1.5h13A1.5 1.5 0 0 0 20 19v-3M12 15.5V4m0 0L7.5 8.5M12 4l4.5 4.5", "stroke-linecap": "round" }));
  }

  /** A place to drop a file on, or to choose one from; `take` gets it. */
  function fileChooser(words, hint, accept, id, take) {
    const input = make("input", { type: "file", accept, class: "hidden", id });
    input.addEventListener("change", () => { if (input.files[0]) take(input.files[0]); input.value = ""; });
    return make("label", { class: "choose", for: id }, uploadIcon(), make("strong", {}, words), make("span", { class: "muted" }, hint), input);
  }

  function acceptDrops(node, take) {
    let depth = 0;
    const over = (by) => { depth = Math.max(0, depth + by); node.classList.toggle("over", depth > 0); };
    node.addEventListener("dragenter", (event) => { event.preventDefault(); over(1); });
    node.addEventListener("dragover", (event) => event.preventDefault());
    node.addEventListener("dragleave", () => over(-1));
    node.addEventListener("drop", (event) => {
      event.preventDefault();
      depth = 0;
      over(0);
      if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
    });
  }
  for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault()); // a miss must not leave the page

  const readUrl = (file) => new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });

  // ---- the two screens

  const screens = { pre: null, post: null }; // {url, name, width, height}
  const TITLES = { pre: "Before", post: "After" };
  const cross = { x: 0, y: 0 };
  let marks = null;
  let crossMark = null;

  async function takeScreen(slot, file) {
    showProblem("problem", "");
    try {
      const url = await readUrl(file);
      const image = new Image();
      image.src = url;
      await image.decode().catch(() => { throw new Error(`${file.name || "That"} is no picture that can be shown. PNG, JPEG, WebP, GIF and BMP can.`); });
      screens[slot] = { url, name: file.name || "pasted picture", width: image.naturalWidth, height: image.naturalHeight };
      if (slot === "pre") Object.assign(cross, { x: Math.round(image.naturalWidth / 2), y: Math.round(image.naturalHeight / 2) });
      showSlot(slot);
      say(`${TITLES[slot]}: ${screens[slot].name}, ${image.naturalWidth} by ${image.naturalHeight} pixels.`);
      ($(`picture-${slot}`).tabIndex === 0 ? $(`picture-${slot}`) : $(`remove-${slot}`)).focus({ preventScroll: true });
    } catch (error) {
      showProblem("problem", error.message);
    }
  }

  function showSlot(slot) {
    const node = $(`slot-${slot}`);
    const screen = screens[slot];
    const title = make("h2", {}, TITLES[slot]);
    if (!screen) {
      if (slot === "pre") marks = crossMark = null;
      node.replaceChildren(make("div", { class: "slot-head" }, title),
        fileChooser(`Choose the screen ${slot === "pre" ? "before" : "after"}`, "or drop it here, or paste it", "image/png,image/jpeg,image/webp,image/gif,image/bmp", `file-${slot}`, (file) => takeScreen(slot, file)));
      return;
    }
    const remove = make("button", { type: "button", id: `remove-${slot}`, "aria-label": `Remove the screen ${TITLES[slot].toLowerCase()}` }, "Remove");
    remove.addEventListener("click", () => {
      screens[slot] = null;
      showSlot(slot);
      $(`file-${slot}`).focus();
    });
    node.replaceChildren(
      make("div", { class: "slot-head" }, title, make("span", { class: "about" }, `${screen.width} × ${screen.height}, ${screen.name}`), remove),
      slot === "pre" ? picker(screen) : make("div", { class: "picture", id: "picture-post" }, make("img", { src: screen.url, alt: "Screen after" })),
    );
    if (slot === "pre") showPoint();
  }

  // ---- the action's point

  function picker(screen) {
    marks = makeSvg("svg", { class: "marks", "aria-hidden": "true", preserveAspectRatio: "none" });
    crossMark = makeSvg("svg", { "aria-hidden": "true", class: "cross", viewBox: `0 0 ${screen.width} ${screen.height}`, preserveAspectRatio: "none" });
    const image = make("img", { src: screen.url, alt: "", draggable: "false" });
    const node = make("div", {
      class: "picture picker", id: "picture-pre", tabindex: 0, role: "application", "aria-roledescription": "point picker",
      "aria-label": "Screen before: the action's point", "aria-describedby": "point-help",
    }, image, marks, crossMark);
    node.addEventListener("click", (event) => {
      const box = image.getBoundingClientRect();
      moveCross((event.clientX - box.left) * screen.width / box.width, (event.clientY - box.top) * screen.height / box.height);
      setPoint();
    });
    node.addEventListener("keydown", (event) => {
      const by = event.shiftKey ? 1 : Math.max(2, Math.round(screen.width / 100));
      const [dx, dy] = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[event.key] ?? [];
      if (dx !== undefined) {
        moveCross(cross.x + dx, cross.y + dy);
        say(`${cross.x}, ${cross.y}`);
      } else if (event.key === "Enter") setPoint();
      else if (event.key === "Escape") clearPoint();
      else return;
      event.preventDefault();
    });
    return node;
  }

  function moveCross(x, y) {
    const { width, height } = screens.pre;
    cross.x = Math.round(Math.min(width - 1, Math.max(0, x)));
    cross.y = Math.round(Math.min(height - 1, Math.max(0, y)));
    drawCross();
  }

  function drawCross() {
    const { width, height } = screens.pre;
    const lines = `M${cross.x} 0V${height}M0 ${cross.y}H${width}`;
    crossMark.replaceChildren(makeSvg("path", { d: lines, class: "under" }), makeSvg("path", { d: lines }));
  }

  /** The first point, or where there is an end as well and the start is set, the end. */
  function setPoint() {
    const fields = KINDS[$("kind").value];
    if (!fields.includes("point")) return say("This kind of action has no point.");
    const end = fields.includes("end") && $("x").value !== "" && $("x2").value === "";
    if (fields.includes("end") && !end) { $("x2").value = ""; $("y2").value = ""; }
    $(end ? "x2" : "x").value = cross.x;
    $(end ? "y2" : "y").value = cross.y;
    showPoint();
    say(`${end ? "End" : "Point"} set at ${cross.x}, ${cross.y}.${fields.includes("end") && !end ? " Now set where it ends." : ""}`);
  }

  function clearPoint() {
    for (const id of ["x", "y", "x2", "y2"]) $(id).value = "";
    showPoint();
    say("Point cleared.");
  }

  function showPoint() {
    if (!marks) return;
    drawCross();
    const action = readAction();
    drawMarks(marks, [screens.pre.width, screens.pre.height], typeof action === "string" || action.x === undefined ? [] : [action]);
  }

  // ---- the action

  function readAction() {
    const kind = $("kind").value;
    if (kind === "raw") return $("raw").value;
    const number = (id) => ($(id).value.trim() === "" ? undefined : Number($(id).value));
    const read = {
      point: () => (number("x") === undefined || number("y") === undefined ? {} : { x: number("x"), y: number("y") }),
      end: () => (number("x2") === undefined || number("y2") === undefined ? {} : { x2: number("x2"), y2: number("y2") }),
      text: () => ({ text: $("text").value }),
      keys: () => ({ keys: $("keys").value.split("+").map((key) => key.trim()).filter(Boolean) }),
      scroll: () => ({ dx: number("dx"), dy: number("dy") }),
      url: () => ({ url: $("url").value.trim() }),
      seconds: () => ({ seconds: number("seconds") }),
    };
    return Object.assign({ kind }, ...KINDS[kind].map((field) => read[field]()));
  }

  function showFields() {
    const kind = $("kind").value;
    for (const field of FIELDS) $(`field-${field}`).hidden = !KINDS[kind].includes(field);
    $("text-label").textContent = TEXT_LABELS[kind] ?? "Text";
    $("point-help").hidden = !KINDS[kind].includes("point");
    showPoint();
  }

  $("kind").append(...Object.keys(KINDS).map((kind) => make("option", { value: kind }, kind === "raw" ? "as your agent writes it" : kind.replaceAll("_", " "))));
  $("kind").addEventListener("change", showFields);
  for (const id of ["x", "y", "x2", "y2"]) $(id).addEventListener("input", showPoint);

  // ---- the verdict

  const compare = createCompare();
  $("result-screens").append(compare.node);

  $("step").addEventListener("submit", async (event) => {
    event.preventDefault();
    showProblem("problem", "");
    const lacking = ["pre", "post"].filter((slot) => !screens[slot]);
    if (lacking.length) {
      showProblem("problem", `The screen ${lacking.map((slot) => TITLES[slot].toLowerCase()).join(" and the one ")} is missing.`);
      $(`file-${lacking[0]}`).focus();
      return;
    }
    const action = readAction();
    const body = { pre: screens.pre.url, post: screens.post.url, action, instruction: $("instruction").value, task: $("task").value };
    const button = $("judge-button");
    button.disabled = true;
    button.classList.add("busy");
    say("Judging.");
    try {
      const answer = await ask("v1/score", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
      showVerdict(await answer.json(), typeof action === "string" ? [] : [action]);
    } catch (error) {
      $("result").hidden = true;
      showProblem("problem", error.message);
    } finally {
      button.disabled = false;
      button.classList.remove("busy");
    }
  });

  function showVerdict(verdict, actions) {
    const save = make("button", { type: "button", onclick: () => saveJson("verdict.json", verdict) }, "Save as JSON");
    $("result-words").replaceChildren(
      ...describeVerdict(verdict), describeFigures(verdict), make("p", { class: "muted small" }, `${verdict.model}, ${Math.round(verdict.elapsed_ms)} ms`), make("p", {}, save),
    );
    $("result").hidden = false;
    compare.show({ pre: screens.pre.url, post: screens.post.url, size: [screens.pre.width, screens.pre.height], actions, heat: levelsOf(verdict.attention) });
    $("result").focus({ preventScroll: true });
    $("result").scrollIntoView({ block: "nearest" });
    say(`Verdict: ${verdict.state}. ${verdict.note}`);
  }

  function saveJson(name, value) {
    const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: "application/json" }));
    make("a", { href: url, download: name }).click();
    URL.revokeObjectURL(url);
  }

  $("example").addEventListener("click", async () => {
    for (const slot of ["pre", "post"]) {
      const file = await (await fetch(`assets/example-${slot}.webp`)).blob();
      await takeScreen(slot, new File([file], `example-${slot}.webp`, { type: "image/webp" }));
    }
    $("kind").value = "click";
    Object.entries({ x: 334, y: 363, instruction: "Tick 'Buy oat milk'", task: "Cross off the oat milk, it is bought" }).forEach(([id, value]) => { $(id).value = value; });
    showFields();
    $("judge-button").focus();
  });

  // ---- audits

  let running = null;
  let shown = null;

  async function takeAudit(file) {
    showProblem("audit-problem", "");
    running?.abort();
    try {
      const name = file.name.toLowerCase();
      if (name.endsWith(".json")) openAudit(readReport(await file.text()));
      else if (name.endsWith(".zip")) await judgeArchive(file);
      else throw new Error(`${file.name} is neither an audit (.json) nor a trajectory (.zip).`);
    } catch (error) {
      if (error.name !== "AbortError") showProblem("audit-problem", error.message);
    }
  }

  function readReport(text) {
    let audit;
    try {
      audit = JSON.parse(text);
    } catch {
      throw new Error("This file is not JSON.");
    }
    if (audit?.schema_version !== 1 || !audit.trajectories?.[0]?.steps?.length) throw new Error("This is no audit of this release: make one with  viscritic audit TRAJECTORY --report OUT.html");
    return audit;
  }

  async function judgeArchive(file) {
    running = new AbortController();
    showProgress({ words: "Sending the trajectory" });
    try {
      const path = `v1/audit?${new URLSearchParams({ screens: "true", name: file.name.slice(0, 200) })}`;
      const headers = { "Content-Type": "application/zip", Accept: "application/x-ndjson" };
      const answer = await ask(path, { method: "POST", headers, body: file, signal: running.signal });
      for await (const line of readLines(answer.body)) {
        if (line.error) throw new Error(line.error.message);
        if (line.audit) openAudit(line.audit);
        else showProgress({ words: `Judged ${line.done} of ${line.steps} steps`, value: line.done, max: line.steps });
      }
    } finally {
      running = null;
      $("audit-progress").hidden = true;
    }
  }

  async function* readLines(stream) {
    let rest = "";
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line) yield JSON.parse(line);
    }
  }

  function showProgress({ words, value, max }) {
    $("audit-progress").hidden = false;
    $("audit-words").textContent = words;
    const bar = $("audit-bar");
    if (max) Object.assign(bar, { max, value });
    else bar.removeAttribute("value");
  }

  function openAudit(audit) {
    shown = audit;
    $("audit-tools").hidden = false;
    $("slot-audit").hidden = true;
    showAudit($("audit-view"), audit).focus();
    const { steps, states } = audit.summary;
    say(`Audit of ${audit.name}: ${steps} steps, ${states.failed} failed.`);
  }

  $("audit-stop").addEventListener("click", () => running?.abort());
  $("audit-save").addEventListener("click", () => saveJson("audit.json", shown));
  $("audit-close").addEventListener("click", () => {
    shown = null;
    $("audit-view").replaceChildren();
    $("audit-tools").hidden = true;
    $("slot-audit").hidden = false;
    $("file-audit").focus();
  });

  // ---- to begin with

  document.addEventListener("paste", (event) => {
    const file = [...(event.clipboardData?.files ?? [])][0];
    if (!file) return;
    event.preventDefault();
    if (!$("audit").hidden) return void takeAudit(file);
    const focused = ["pre", "post"].find((slot) => $(`slot-${slot}`).contains(document.activeElement));
    takeScreen(focused ?? ["pre", "post"].find((slot) => !screens[slot]) ?? "post", file);
  });

  for (const slot of ["pre", "post"]) {
    showSlot(slot);
    acceptDrops($(`slot-${slot}`), (file) => takeScreen(slot, file));
  }
  $("slot-audit").append(fileChooser("Choose an audit or a trajectory", "an audit's .json, or a .zip of a trajectory to be judged; or drop it here", ".json,.zip", "file-audit", takeAudit));
  acceptDrops($("audit"), takeAudit);
  document.querySelector(".top").append(themeButton());
  showFields();
  showServer();
})();
