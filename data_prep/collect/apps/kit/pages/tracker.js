import { h } from "../kit.js";
import * as words from "../words.js";

export function tracker(ui, d) {
  const states = ["To do", "Doing", "Done"];
  const issues = d.some(words.ISSUES, d.whole(6, 9)).map((title, id) => ({ id, number: 100 + 7 * id + d.whole(0, 5), title, state: d.whole(0, 2), votes: d.whole(0, 9), voted: false, labels: d.some(words.LABELS, d.whole(0, 2)), who: d.pick(words.FIRST), text: d.some(words.SENTENCES, 2).join(" ") }));
  const model = { issues, open: null, only: [], closed: d.chance(0.5), comments: {}, draft: "" };
  const vote = issue => { const node = ui.button(`▲ ${issue.votes}`, () => { issue.voted = !issue.voted; issue.votes += issue.voted ? 1 : -1; node.textContent = `▲ ${issue.votes}`; }, { small: true }); node.setAttribute("aria-label", `Vote for ${issue.title}`); return node; };
  const show = issue => { model.open = issue.id; model.draft = ""; ui.redraw(); };
  const detail = issue => {
    const field = ui.area("Comment", model.draft, text => { model.draft = text; });
    return [ui.button("All issues", () => { model.open = null; ui.redraw(); }, { icon: "left", small: true }), ui.card(`#${issue.number} ${issue.title}`, ui.text(issue.text), ui.row(vote(issue), issue.labels.map(label => ui.badge(label))), ui.select("Status", states, states[issue.state], value => { issue.state = states.indexOf(value); }), ui.select("Assignee", words.FIRST.slice(0, 8).includes(issue.who) ? words.FIRST.slice(0, 8) : [issue.who, ...words.FIRST.slice(0, 7)], issue.who, value => { issue.who = value; }),
      ui.toggle("Watch this issue", issue.watch || false, on => { issue.watch = on; }), ui.row(words.LABELS.map(label => ui.chip(label, issue.labels.includes(label), on => { issue.labels = on ? [...issue.labels, label] : issue.labels.filter(other => other !== label); })))),
    ...(model.comments[issue.id] || []).map(text => ui.card("You", ui.text(text))), ui.card("", field, ui.button("Comment", () => { if (!model.draft.trim()) return ui.reject(field, "The comment is empty"); (model.comments[issue.id] ??= []).push(model.draft.trim()); model.draft = ""; ui.redraw(); }, { kind: "primary" }))];
  };
  const list = () => model.open !== null ? detail(issues[model.open]) : [ui.heading("Issues"), ui.row(words.LABELS.slice(0, 4).map(label => ui.chip(label, model.only.includes(label), on => { model.only = on ? [...model.only, label] : model.only.filter(other => other !== label); ui.redraw(); })), ui.check("Show done", model.closed, on => { model.closed = on; ui.redraw(); })),
    ui.list(issues.filter(issue => (model.closed || issue.state < 2) && model.only.every(label => issue.labels.includes(label))).map(issue => ({ lead: vote(issue), title: issue.title, note: `#${issue.number} · ${states[issue.state]} · ${issue.who}`, open: () => show(issue), tail: issue.labels.map(label => ui.badge(label)) })))];
  const board = () => [ui.heading("Board"), h("div", { class: "k-columns" }, states.map((state, s) => ui.card(`${state} (${issues.filter(issue => issue.state === s).length})`, issues.filter(issue => issue.state === s).map(issue => ui.row(h("span", { style: "flex:1" }, issue.title), s > 0 && ui.iconButton("left", `Move '${issue.title}' to ${states[s - 1]}`, () => { issue.state -= 1; ui.redraw(); }), s < 2 && ui.iconButton("right", `Move '${issue.title}' to ${states[s + 1]}`, () => { issue.state += 1; ui.redraw(); }))))))];
  const create = () => {
    const title = ui.input("Title", model.title || "", text => { model.title = text; });
    return [ui.heading("New issue"), ui.card("", title, ui.area("Description", model.text || "", text => { model.text = text; }), ui.radios("Priority", ["Low", "Normal", "High"], model.priority ??= "Normal", value => { model.priority = value; }), ui.stepper("Estimate", model.estimate ??= d.whole(1, 8), n => { model.estimate = n; }, { unit: " h" }), ui.button("Create issue", () => {
      if (!(model.title || "").trim()) return ui.reject(title, "A title is required");
      issues.push({ id: issues.length, number: 200 + issues.length, title: model.title, state: 0, votes: 0, labels: [], who: "Ben", text: "" });
      model.title = "";
      ui.go(0);
      ui.toast("Issue created");
    }, { kind: "primary" }))];
  };
  return { title: d.pick(["Sprinter", "Issue desk", "Tickets"]), model, sections: [{ icon: "list", label: "Issues", build: list }, { icon: "grid", label: "Board", build: board }, { icon: "plus", label: "New issue", build: create }] };
}
