// What the critic says, in words and bars.

/** The verdict in a word and a sentence. */
function describeVerdict(verdict) {
  return [
    make("p", { class: "headline" }, stateBadge(verdict.state), make("span", { class: "outcome" }, outcomeWords(verdict))),
    make("p", { class: "note" }, verdict.note),
  ];
}

/** Its numbers: what was judged, how likely, and what was measured. */
function describeFigures(verdict) {
  return make(
    "div", { class: "figures" },
    make(
      "dl", { class: "numbers" },
      ...fact("Success", verdict.success.toFixed(2), "calibrated probability that it did what was meant"),
      ...fact("Progress", `${verdict.progress < 0 ? "−" : "+"}${Math.abs(verdict.progress).toFixed(2)}`, "from −1 to 1: how far the task has come"),
      ...fact("Changed at the target", verdict.evidence.changed_at_target == null ? "no point" : percent(verdict.evidence.changed_at_target)),
      ...fact("Changed elsewhere", percent(verdict.evidence.changed_elsewhere)),
    ),
    describeChances(verdict),
    describeRemarks(verdict.evidence),
  );
}

/** What happened in two or three words; they agree with the largest of the bars. */
function outcomeWords({ state, outcome, outcome_probs: chances }) {
  if (state === "pending") return "look again";
  const likeliest = Object.keys(OUTCOMES).reduce((one, other) => (chances[other] > chances[one] ? other : one));
  if (state === "unsure") return `perhaps ${OUTCOMES[likeliest]}`;
  return state === "failed" && likeliest === "success" ? "success below the threshold" : OUTCOMES[outcome];
}

function fact(name, value, hint) {
  return [make("dt", { title: hint }, name), make("dd", {}, value)];
}

function describeChances(verdict) {
  const rows = Object.entries(OUTCOMES).map(([name, words]) => {
    const chance = verdict.outcome_probs[name];
    const fill = make("span", { class: "fill" });
    fill.style.width = `${100 * chance}%`;
    return make(
      "tr", {}, make("th", { scope: "row" }, words),
      make("td", { class: "bar", "aria-hidden": "true" }, fill), make("td", { class: "figure" }, chance.toFixed(2)),
    );
  });
  return make("table", { class: "chances" }, make("caption", { class: "hidden" }, "Probability of each outcome"), make("tbody", {}, ...rows));
}

function describeRemarks(evidence) {
  const remarks = [
    evidence.identical && "Both screens are the same, pixel for pixel.",
    evidence.off_screen && "The action's point lies outside the screen.",
    evidence.resized && "The screens differ in size: the later one was scaled to the earlier.",
    ...evidence.texts.slice(0, 6).map(({ before, after }) => `Text “${before}” became “${after}”.`),
    evidence.texts.length > 6 && `And ${evidence.texts.length - 6} more texts changed.`,
  ].filter(Boolean);
  return remarks.length > 0 && make("ul", { class: "remarks" }, ...remarks.map((text) => make("li", {}, text)));
}
