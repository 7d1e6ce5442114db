import { h } from "../kit.js";
import * as words from "../words.js";

export function calendar(ui, d) {
  const events = d.some(words.EVENTS, d.whole(6, 10)).map((name, id) => ({ id, name, day: d.whole(1, 28), hour: d.whole(8, 19), who: d.pick(["Work", "Family", "Sports"]), done: false }));
  const model = { events, month: d.whole(0, 11), day: d.whole(1, 28), mode: 0, shown: { Work: true, Family: true, Sports: d.chance(0.6) }, guests: d.whole(1, 5) };
  const on = day => events.filter(event => event.day === day && model.shown[event.who]).sort((a, b) => a.hour - b.hour);
  const length = () => [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][model.month];
  const turn = by => { model.month = (model.month + by + 12) % 12; model.day = Math.min(model.day, length()); ui.redraw(); };
  const line = event => ({ lead: ui.check(`Done: ${event.name}`, event.done, state => { event.done = state; }, { bare: true }), title: event.name, note: `${event.hour}:00 · ${event.who}`, open: () => show(event),
    tail: ui.menu(`More for ${event.name}`, [["Move to tomorrow", () => { event.day = Math.min(event.day + 1, 28); ui.redraw(); }], ["Duplicate", () => { events.push({ ...event, id: events.length, hour: event.hour + 1 }); ui.redraw(); }], ["Delete", () => { events.splice(events.indexOf(event), 1); ui.redraw(); ui.toast(`'${event.name}' deleted`); }]]) });
  const show = event => ui.dialog({ title: event.name, text: `${event.day} ${words.MONTHS[model.month]}, ${event.hour}:00`, parts: [ui.toggle("Reminder", event.reminder || false, state => { event.reminder = state; }), ui.stepper("Start", event.hour, n => { event.hour = n; }, { most: 23, unit: ":00" })], buttons: [["Close", () => { ui.redraw(); }, "primary"]] });
  const month = () => h("div", { class: "k-month" }, Array.from({ length: length() }, (_, i) => {
    const day = i + 1, mine = on(day);
    return h("button", { type: "button", class: `${ui.cls("day")} ${day === model.day ? ui.active : ""}`, "aria-label": `${day} ${words.MONTHS[model.month]}`, "aria-current": day === model.day ? "date" : "false", onclick: () => { model.day = day; ui.redraw(); } }, String(day), mine.length ? h("span", { class: ui.cls("badge") }, String(mine.length)) : "");
  }));
  const plan = () => { const today = on(model.day); return ui.card(`${model.day} ${words.MONTHS[model.month]}`, today.length ? ui.list(today.map(line)) : ui.text("No events."), ui.button("Add event", create, { icon: "plus", small: true })); };
  const create = () => {
    let name = "";
    const field = ui.input("Title", "", text => { name = text; });
    ui.dialog({ title: "New event", parts: [field, ui.stepper("Hour", model.hour = 9, n => { model.hour = n; }, { most: 23, unit: ":00" }), ui.check("All day", false, state => { model.whole = state; })],
      buttons: [["Cancel", null], ["Create", () => { if (!name.trim()) return ui.reject(field, "Give the event a title"); events.push({ id: events.length, name, day: model.day, hour: model.hour, who: "Work", done: false }); model.shown.Work = true; ui.redraw(); ui.toast("Event created"); }, "primary"]] });
  };
  const overview = () => [ui.row(ui.iconButton("left", "Previous month", () => turn(-1)), ui.heading(`${words.MONTHS[model.month]} 2025`), ui.iconButton("right", "Next month", () => turn(1)), ui.button("Today", () => { model.month = 4; model.day = 14; ui.redraw(); }, { small: true })),
    ui.segment(["Month", "Day", "List"], model.mode, i => { model.mode = i; ui.redraw(); }), model.mode === 0 && month(), model.mode < 2 ? plan() : ui.list(events.filter(event => model.shown[event.who]).sort((a, b) => a.day - b.day).map(event => ({ ...line(event), note: `Day ${event.day}, ${event.hour}:00` })))];
  const calendars = () => [ui.heading("My calendars"), ui.card("Show", Object.keys(model.shown).map(name => ui.check(name, model.shown[name], state => { model.shown[name] = state; }))), ui.card("Defaults", ui.stepper("Guests", model.guests, n => { model.guests = n; }, { least: 0 }), ui.select("Reminder", ["None", "10 minutes before", "1 hour before", "1 day before"], model.remind ??= "None", value => { model.remind = value; }), ui.toggle("Week numbers", model.weeks ??= false, state => { model.weeks = state; }))];
  const calls = () => [ui.heading("Invitations"), ui.list((model.calls ??= d.some(words.EVENTS, 4).map(name => ({ name, from: d.pick(words.FIRST), answer: "" }))).map(call => ({ title: call.name, note: call.answer ? `You answered: ${call.answer}` : `From ${call.from}`, tail: ["Yes", "No"].map(answer => ui.button(answer, () => { call.answer = answer; ui.redraw(); }, { small: true, kind: call.answer === answer ? "primary" : "plain" })) })))];
  return { title: d.pick(["Calendar", "Dayplan", "Agenda"]), model, begin: d.pick([0, 0, 0, 1, 2]), sections: [{ icon: "calendar", label: "Calendar", build: () => overview().filter(Boolean) }, { icon: "list", label: "Calendars", build: calendars }, { icon: "mail", label: "Invitations", build: calls }] };
}
