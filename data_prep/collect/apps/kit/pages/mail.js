import * as words from "../words.js";

export function mail(ui, d) {
  const person = () => `${d.pick(words.FIRST)} ${d.pick(words.LAST)}`;
  const letters = d.some(words.SUBJECTS, d.whole(5, 8)).map((subject, id) => ({ id, subject, from: person(), body: d.some(words.SENTENCES, 3).join(" "),
    unread: d.chance(0.5), star: d.chance(0.3), picked: false, box: d.pick(["Inbox", "Inbox", "Inbox", "Inbox", "Archive"]) }));
  const model = { letters, open: null, sent: [], draft: "", to: "", subject: "", text: "" };
  const unread = () => letters.filter(letter => letter.box === "Inbox" && letter.unread).length;
  const redraw = () => { ui.redraw(); ui.count(); };
  const move = (chosen, box) => {
    if (!chosen.length) return;
    const before = chosen.map(letter => letter.box);
    for (const letter of chosen) Object.assign(letter, { box, picked: false });
    model.open = null;
    redraw();
    ui.toast(`${chosen.length} message${chosen.length > 1 ? "s" : ""} moved to ${box}`, () => { chosen.forEach((letter, i) => { letter.box = before[i]; }); redraw(); });
  };
  const reading = letter => [
    ui.row(ui.iconButton("left", "Back to the list", () => { model.open = null; redraw(); }), ui.iconButton("archive", "Archive", () => move([letter], "Archive")),
      ui.iconButton("trash", "Delete", () => ui.ask("Delete message?", `'${letter.subject}' will be moved to the bin.`, "Delete", () => move([letter], "Bin"))),
      ui.like("star", "Star", letter.star, on => { letter.star = on; }), ui.button("Mark as unread", () => { letter.unread = true; model.open = null; redraw(); }, { small: true })),
    ui.card(letter.subject, ui.row(ui.face(letter.from), ui.text(`From ${letter.from}`)), ui.text(letter.body)), answer(letter),
  ];
  const answer = letter => {
    const field = ui.area(`Reply to ${letter.from}`, model.draft, text => { model.draft = text; });
    return ui.card("", field, ui.row(ui.button("Send reply", () => {
      if (!model.draft.trim()) return ui.reject(field, "Write something first");
      model.sent.push({ subject: `Re: ${letter.subject}`, to: letter.from });
      model.draft = "";
      redraw();
      ui.toast("Reply sent");
    }, { kind: "primary", icon: "send" }), ui.button("Discard", () => { model.draft = ""; redraw(); })));
  };
  const box = (name, keep) => ({ icon: { Inbox: "inbox", Starred: "star", Archive: "archive" }[name], label: name, count: name === "Inbox" ? unread : undefined, build: () => {
    if (model.open !== null) return reading(letters[model.open]);
    const shown = letters.filter(keep), picked = () => shown.filter(letter => letter.picked);
    return [ui.heading(name), ui.row(ui.iconButton("archive", "Archive selected", () => move(picked(), "Archive")), ui.iconButton("trash", "Delete selected", () => move(picked(), "Bin")),
      ui.iconButton("mail", "Mark all as read", () => { shown.forEach(letter => { letter.unread = false; }); redraw(); }), ui.button("Select all", () => { shown.forEach(letter => { letter.picked = true; }); redraw(); }, { small: true })),
    shown.length ? ui.list(shown.map(letter => ({ lead: ui.check(`Select ${letter.subject}`, letter.picked, on => { letter.picked = on; }, { bare: true }), title: letter.subject, note: `${letter.from} — ${letter.body}`, strong: letter.unread,
      open: () => { letter.unread = false; model.open = letter.id; redraw(); }, tail: ui.like("star", `Star ${letter.subject}`, letter.star, on => { letter.star = on; }) }))) : ui.text("Nothing here.")];
  } });
  const write = { icon: "edit", label: "Compose", build: () => {
    const to = ui.input("To", model.to, text => { model.to = text; }, { type: "email" }), subject = ui.input("Subject", model.subject, text => { model.subject = text; });
    return [ui.heading("New message"), ui.card("", to, subject, ui.area("Text", model.text, text => { model.text = text; }), ui.check("Ask for a receipt", false, on => { model.receipt = on; }),
      ui.row(ui.button("Send", () => {
        if (!model.to.includes("@")) return ui.reject(to, "Enter a valid address");
        if (!model.subject.trim()) return ui.reject(subject, "The subject is missing");
        model.sent.push({ subject: model.subject, to: model.to });
        Object.assign(model, { to: "", subject: "", text: "" });
        ui.redraw();
        ui.toast("Message sent");
      }, { kind: "primary", icon: "send" }), ui.button("Save draft", () => { model.saved = true; ui.toast("Draft saved"); }, { icon: "save" })))];
  } };
  const sections = [box("Inbox", l => l.box === "Inbox"), box("Starred", l => l.star && l.box !== "Bin"), box("Archive", l => l.box === "Archive"), write];
  for (const section of sections) { const build = section.build; section.build = () => { if (model.at !== section.label) { model.at = section.label; model.open = null; } return build(); }; }
  return { title: d.pick(["Postbox", "Letterfly", "Quick Mail", "Northmail"]), model, sections, begin: d.pick([0, 0, 0, 1, 3]),
    tools: [{ icon: "refresh", label: "Check for mail", act: () => ui.toast("No new messages") }, { icon: "bell", label: "Notifications", act: () => ui.ask("Notifications", "You have read everything.", "Mute", () => { model.muted = true; }) }] };
}
