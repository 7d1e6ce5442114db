// An audit to look through: overview, filter, timeline, and the step that is chosen.

/** Show an audit (as `audit.schema.json` describes it) in a host element, in place of what stands there. */
function showAudit(host, audit) {
  const screens = audit.screens ?? {};
  const compare = createCompare();
  const state = { trajectory: audit.trajectories[0], shown: [], chosen: null, wanted: new Set(), words: "" };

  const head = make("header", { class: "audit-head" });
  const strip = make("div", { class: "strip", "aria-hidden": "true" });
  const chips = make("div", { class: "chips", role: "group", "aria-label": "Show only steps that are" });
  const search = make("input", { type: "search", placeholder: "Words, or a step's number", "aria-label": "Filter steps by words", class: "search" });
  const count = make("p", { class: "muted count", role: "status" });
  const timeline = make("div", { class: "timeline", role: "listbox", "aria-label": "Steps", tabindex: 0 });
  const said = make("div", { class: "said" });
  const figures = make("div", {});
  const detail = make("article", { class: "detail", "aria-label": "The chosen step" }, said, compare.node, figures);
  const next = make("button", { type: "button", class: "primary", onclick: () => chooseFailing() }, "Next failing step");
  const keys = make(
    "p", { class: "keys muted" }, ...[["↑ ↓", "step"], ["F", "next failing step"], ["H", "heat map"], ["B A S", "before, after, split"], ["/", "filter"]]
      .flatMap(([key, word]) => [make("kbd", {}, key), ` ${word}  `]),
  );
  const section = make(
    "section", { class: "audit", "aria-label": `Audit of ${audit.name}` }, head, strip,
    make("div", { class: "filters" }, chips, search, next), count,
    make("div", { class: "audit-body" }, timeline, detail), keys,
  );
  host.replaceChildren(section);

  const watcher = new IntersectionObserver(showThumbnails, { root: timeline, rootMargin: "300px 0px" });

  function showThumbnails(entries) {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      const screen = screens[target.dataset.screen];
      if (screen) target.src = screen.thumbnail;
      watcher.unobserve(target);
    }
  }

  function open(trajectory) {
    state.trajectory = trajectory;
    state.chosen = null;
    state.wanted.clear();
    fillHead();
    fillChips();
    fillTimeline();
    applyFilter();
    const odd = trajectory.steps.find((step) => step.findings.length > 0) ?? trajectory.steps[0];
    choose(trajectory.first_failing ?? odd.number);
  }

  function fillHead() {
    const { task, app, platform, first_failing: first, steps, notes, recorded_success: recorded } = state.trajectory;
    const several = audit.trajectories.length > 1;
    const picker = make("select", { "aria-label": "Trajectory", onchange: () => open(audit.trajectories[picker.selectedIndex]) },
      ...audit.trajectories.map((one) => make("option", { selected: one === state.trajectory }, `${one.id} (${one.steps.length} steps)`)));
    head.replaceChildren(
      make("h2", {}, task || audit.name), ...(several ? [picker] : []),
      make("p", { class: "muted" }, [
        `${steps.length} step${steps.length === 1 ? "" : "s"}`, app, platform, audit.format, `judged by ${audit.model}`, `threshold ${audit.threshold}`,
        recorded != null && `recorded as ${recorded ? "reached" : "not reached"}`,
      ].filter(Boolean).join(" · ")),
      make("p", { class: "first" }, first == null ? describeRest(steps) : `The first failing step is step ${first}.`),
    );
    if (notes.length) {
      head.append(make("details", {}, make("summary", {}, `${notes.length} note${notes.length === 1 ? "" : "s"} of the reader`),
        make("ul", {}, ...notes.map((note) => make("li", {}, note)))));
    }
    next.disabled = !steps.some((step) => step.state === "failed");
  }

  function fillChips() {
    const { steps } = state.trajectory;
    const tests = [
      ...Object.keys(STATES).map((name) => [name, STATES[name], (step) => step.state === name]),
      ...Object.keys(FINDINGS).map((name) => [name, FINDINGS[name], (step) => hasFinding(step, name)]),
    ];
    chips.replaceChildren(...tests.map(([name, { word, hint }, test]) => {
      const number = steps.filter(test).length;
      const chip = make("button", { type: "button", class: `chip chip-${name}`, "aria-pressed": "false", title: hint, disabled: number === 0 },
        STATES[name] && stateIcon(name), `${word} ${number}`);
      chip.addEventListener("click", () => {
        const on = chip.getAttribute("aria-pressed") !== "true";
        chip.setAttribute("aria-pressed", String(on));
        state.wanted[on ? "add" : "delete"](name);
        applyFilter();
      });
      return chip;
    }));
  }

  function fillTimeline() {
    watcher.disconnect();
    const rows = state.trajectory.steps.map((step) => {
      const image = make("img", { alt: "", "data-screen": step.pre ?? step.post, width: 96, height: 60, decoding: "async" });
      watcher.observe(image);
      return make(
        "div", { class: `row state-${step.state}`, role: "option", id: `step-${step.number}`, "aria-selected": "false", onclick: () => { choose(step.number); timeline.focus(); } },
        make("span", { class: "number" }, step.number), image,
        make("span", { class: "words" }, make("span", { class: "row-title" }, step.instruction || step.action),
          make("span", { class: "row-state" }, stateIcon(step.state), STATES[step.state].word,
            ...step.findings.map(({ kind }) => make("span", { class: "tagline" }, FINDINGS[kind].word)))),
      );
    });
    timeline.replaceChildren(...rows);
    strip.replaceChildren(...state.trajectory.steps.map((step) =>
      make("span", { class: `cell state-${step.state}`, title: `${step.number}: ${STATES[step.state].word}`, onclick: () => choose(step.number) })));
  }

  function applyFilter() {
    const { steps } = state.trajectory;
    state.shown = steps.filter((step) => isWanted(step, state.wanted) && isMeant(step, state.words)).map((step) => step.number);
    const shown = new Set(state.shown);
    steps.forEach((step, place) => {
      timeline.children[place].hidden = !shown.has(step.number);
      strip.children[place].classList.toggle("faint", !shown.has(step.number));
    });
    count.textContent = shown.size === steps.length ? `All ${steps.length} steps` : `${shown.size} of ${steps.length} steps`;
    if (shown.size && !shown.has(state.chosen)) choose(state.shown[0]);
  }

  function choose(number) {
    const step = state.trajectory.steps[number - 1];
    for (const old of section.querySelectorAll(".chosen")) {
      old.classList.remove("chosen");
      if (old.role === "option" || old.getAttribute("role") === "option") old.setAttribute("aria-selected", "false");
    }
    state.chosen = number;
    const row = timeline.children[number - 1];
    row.classList.add("chosen");
    row.setAttribute("aria-selected", "true");
    strip.children[number - 1].classList.add("chosen");
    timeline.setAttribute("aria-activedescendant", row.id);
    scrollInto(timeline, row);
    said.replaceChildren(...describeStep(step));
    figures.replaceChildren(...(step.verdict ? [describeFigures(step.verdict)] : []));
    compare.show({
      pre: screens[step.pre]?.image, post: screens[step.post]?.image, size: step.size, actions: step.actions, heat: step.heat,
    });
  }

  function describeStep(step) {
    const recorded = step.recorded_success;
    const body = step.verdict
      ? describeVerdict(step.verdict)
      : [make("p", { class: "headline" }, stateBadge("unjudged")), make("p", { class: "note" }, step.unjudged)];
    return [
      make("h3", {}, `Step ${step.number}: ${step.action}`),
      step.instruction && make("p", { class: "meant" }, "Meant: ", step.instruction),
      ...step.findings.map((found) => make("p", { class: "finding" }, make("strong", {}, `${FINDINGS[found.kind].word}. `), found.message, " ",
        ...(found.kind === "loop" ? found.steps : []).map((number) => make("button", { type: "button", class: "link", onclick: () => choose(number) }, `Show step ${number}`)))),
      ...body,
      recorded != null && make("p", { class: "muted" }, `The recording says: ${recorded ? "success" : "failure"}.`),
    ].filter(Boolean);
  }

  function move(by) {
    const place = state.shown.indexOf(state.chosen);
    const to = Math.min(state.shown.length - 1, Math.max(0, place + by));
    if (to >= 0 && state.shown[to] !== state.chosen) choose(state.shown[to]);
  }

  function chooseFailing() {
    const failing = state.shown.filter((number) => state.trajectory.steps[number - 1].state === "failed");
    const later = failing.find((number) => number > state.chosen) ?? failing[0];
    if (later) choose(later);
  }

  const MOVES = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
  timeline.addEventListener("keydown", (event) => {
    if (event.key in MOVES && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      move(MOVES[event.key]);
    }
  });
  section.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input[type=search], select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = {
      f: chooseFailing, h: compare.toggleHeat, b: () => compare.setSplit(100), a: () => compare.setSplit(0), s: () => compare.setSplit(50),
      "/": () => search.focus(),
    }[event.key.toLowerCase()];
    if (action) {
      event.preventDefault();
      action();
    }
  });
  search.addEventListener("input", () => { state.words = search.value.trim().toLowerCase(); applyFilter(); });
  search.addEventListener("keydown", (event) => { if (event.key === "Escape" || event.key === "Enter") timeline.focus(); });

  open(state.trajectory);
  return { focus: () => timeline.focus({ preventScroll: true }) };
}

/** What is true of steps of which none has failed: of how many nobody knows. */
function describeRest(steps) {
  const open = ["unsure", "pending", "unjudged"].map((name) => [name, steps.filter((step) => step.state === name).length]).filter(([, number]) => number > 0);
  if (open.length === 0) return "No step failed.";
  return `No step is known to have failed, but ${open.map(([name, number]) => `${number} ${STATES[name].word.toLowerCase()}`).join(", ")}.`;
}

function hasFinding(step, kind) {
  return step.findings.some((found) => found.kind === kind);
}

/** States and findings that were picked are joined by "or", the two kinds by "and". */
function isWanted(step, wanted) {
  const names = [...wanted];
  const states = names.filter((name) => name in STATES);
  const findings = names.filter((name) => name in FINDINGS);
  return (states.length === 0 || states.includes(step.state)) && (findings.length === 0 || findings.some((kind) => hasFinding(step, kind)));
}

function isMeant(step, words) {
  return !words || String(step.number) === words || `${step.instruction}\n${step.action}\n${step.verdict?.note ?? ""}`.toLowerCase().includes(words);
}

/** Scrolls the list alone, never the page. */
function scrollInto(list, row) {
  const [top, bottom] = [row.offsetTop - list.offsetTop, row.offsetTop - list.offsetTop + row.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/** Light, dark, or as the system has it; the choice is kept where the browser lets us keep one. */
function themeButton() {
  const read = () => { try { return localStorage.getItem("viscritic-theme"); } catch { return null; } };
  const dark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const button = make("button", { type: "button", class: "quiet" });
  const apply = (theme) => {
    if (theme) document.documentElement.dataset.theme = theme;
    button.textContent = dark() ? "Light" : "Dark";
    button.setAttribute("aria-label", dark() ? "Switch to light colours" : "Switch to dark colours");
  };
  button.addEventListener("click", () => {
    const theme = dark() ? "light" : "dark";
    try { localStorage.setItem("viscritic-theme", theme); } catch { /* a file opened from disk may keep nothing */ }
    apply(theme);
  });
  apply(read());
  return button;
}
