import * as words from "../words.js";

export function bank(ui, d) {
  const entries = d.some(words.SHOPS, d.whole(6, 10)).map((name, id) => ({ id, name, sum: -d.whole(2, 180) - d.pick([0, 0.5, 0.2]), day: d.whole(1, 28), checked: d.chance(0.2) }));
  const model = { entries, cards: [{ name: "Debit card", frozen: d.chance(0.3), limit: d.whole(2, 9) * 100 }, { name: "Credit card", frozen: false, limit: d.whole(5, 20) * 100 }], hidden: d.chance(0.3), balance: d.whole(200, 9000), who: "", sum: "", note: "", filter: 0, goals: [["Holiday", d.whole(2, 9) / 10], ["New bike", d.whole(1, 8) / 10]] };
  const money = value => `${value < 0 ? "−" : ""}€ ${Math.abs(value).toFixed(2)}`;
  const overview = () => [ui.card("Current account", ui.heading(model.hidden ? "€ •••" : money(model.balance)), ui.iconButton("eye", model.hidden ? "Show the balance" : "Hide the balance", () => { model.hidden = !model.hidden; ui.redraw(); })),
    ui.segment(["All", "Open", "Checked"], model.filter, i => { model.filter = i; ui.redraw(); }), ui.list(entries.filter(entry => !model.filter || (model.filter === 2) === entry.checked).map(entry => ({ lead: ui.check(`Checked: ${entry.name}`, entry.checked, on => { entry.checked = on; }, { bare: true }), title: entry.name, note: `${entry.day} May`, tail: money(entry.sum), open: () => ui.dialog({ title: entry.name, text: `${money(entry.sum)} on ${entry.day} May`, parts: [ui.select("Category", ["Food", "Home", "Travel", "Fun"], entry.kind || "Food", value => { entry.kind = value; })], buttons: [["Dispute", () => { entry.disputed = true; ui.toast("We will look into it"); }], ["Close", null, "primary"]] }) })))];
  const transfer = () => {
    const who = ui.input("Recipient", model.who, text => { model.who = text; }), sum = ui.input("Amount", model.sum, text => { model.sum = text; });
    return [ui.heading("Transfer money"), ui.card("", who, sum, ui.input("Reference", model.note, text => { model.note = text; }), ui.radios("When", ["Now", "Tomorrow", "First of next month"], model.when ??= "Now", value => { model.when = value; }), ui.check("Save as template", model.keep ??= false, on => { model.keep = on; }), ui.button("Send money", () => {
      ui.accept(who); ui.accept(sum);
      if (!model.who.trim()) return ui.reject(who, "Who gets the money?");
      if (!(parseFloat(model.sum) > 0)) return ui.reject(sum, "Enter an amount above 0");
      ui.ask("Confirm transfer", `${money(parseFloat(model.sum))} to ${model.who}`, "Confirm", () => { model.balance -= parseFloat(model.sum); Object.assign(model, { who: "", sum: "", note: "" }); ui.redraw(); ui.toast("Transfer sent"); });
    }, { kind: "primary" }))];
  };
  const cards = () => [ui.heading("Cards"), ui.grid(model.cards.map(card => ui.card(card.name, ui.icon("card", { size: 44 }), ui.toggle(`Freeze ${card.name.toLowerCase()}`, card.frozen, on => { card.frozen = on; }), ui.stepper("Limit", card.limit, n => { card.limit = n; }, { most: 5000, step: 100, unit: " €" }), ui.button("Show PIN", () => ui.dialog({ title: "Your PIN", text: "4 7 1 2", buttons: [["Hide", null, "primary"]] }), { small: true }))))];
  const goals = () => [ui.heading("Savings goals"), ...model.goals.map(goal => ui.card(goal[0], ui.progress(goal[1]), ui.row(`${Math.round(goal[1] * 100)} %`, ui.button("Add 10 %", () => { goal[1] = Math.min(1, goal[1] + 0.1); ui.redraw(); }, { small: true }), ui.iconButton("trash", `Delete ${goal[0]}`, () => { model.goals.splice(model.goals.indexOf(goal), 1); ui.redraw(); })))), ui.button("New goal", () => ui.prompt("New goal", "Name", "", "Create", name => { model.goals.push([name, 0]); ui.redraw(); }), { icon: "plus" }), ui.toggle("Round up purchases", model.round ??= false, on => { model.round = on; })];
  return { title: d.pick(["Penny Bank", "Fjord Bank", "Wallet"]), model, sections: [{ icon: "home", label: "Account", build: overview }, { icon: "swap", label: "Transfer", build: transfer }, { icon: "card", label: "Cards", build: cards }, { icon: "chart", label: "Savings", build: goals }] };
}
