import * as words from "../words.js";

export function settings(ui, d) {
  const name = `${d.pick(words.FIRST)} ${d.pick(words.LAST)}`;
  const model = { name, city: d.pick(words.CITIES), mail: `${name.split(" ")[0].toLowerCase()}@example.org`, language: "English", size: d.whole(12, 18), volume: d.whole(10, 90), quality: "Medium", devices: d.whole(2, 4), old: "", fresh: "" };
  const unfolded = d.chance(0.5);
  const switches = (title, names) => ui.card(title, names.map(label => ui.toggle(label, model[label] ??= d.chance(0.5), on => { model[label] = on; })));
  const ticks = (title, names) => ui.card(title, names.map(label => ui.check(label, model[label] ??= d.chance(0.5), on => { model[label] = on; })));
  const languages = ["English", "Deutsch", "Français", "Español", "Polski", "Italiano"];
  const general = () => [ui.heading("General"),
    ui.card("Language and region", ui.select("Language", languages, model.language, value => { model.language = value; }), ui.select("Time zone", ["London", "Paris", "Athens", "New York", "Tokyo"], model.zone ??= "Paris", value => { model.zone = value; }),
      ui.radios("First day of the week", ["Monday", "Sunday"], model.first ??= "Monday", value => { model.first = value; })),
    switches("Start", ["Open at login", "Check for updates", "Send usage data"]),
    ui.row(ui.button("Save changes", () => { model.saves = (model.saves || 0) + 1; ui.toast("Settings saved"); }, { kind: "primary" }),
      ui.button("Restore defaults", () => ui.ask("Restore defaults?", "All settings of this page will be lost.", "Restore", () => { model.language = "English"; model.first = "Monday"; ui.redraw(); ui.toast("Defaults restored"); })))];
  const look = () => [ui.heading("Appearance"), ui.segment(["Light", "Dark", "System"], model.scheme ??= 2, i => { model.scheme = i; }),
    ui.card("Text", ui.stepper("Font size", model.size, n => { model.size = n; }, { least: 8, most: 30, unit: " px" }), ui.slider("Line height", model.height ??= 40, n => { model.height = n; }),
      ui.select("Font", ["Sans", "Serif", "Mono"], model.font ??= "Sans", value => { model.font = value; })), switches("Motion", ["Animations", "Smooth scrolling", "Large pointer"])];
  const notices = () => [ui.heading("Notifications"), switches("Channels", ["Email", "Desktop", "Sound", "Badges"]), ticks("Tell me about", ["New messages", "Mentions", "Invitations", "Weekly summary"]),
    ui.card("Quiet hours", ui.toggle("Do not disturb", model.quiet ??= false, on => { model.quiet = on; }), ui.stepper("From", model.from ??= 22, n => { model.from = n; }, { most: 23, unit: ":00" }), ui.stepper("Until", model.until ??= 7, n => { model.until = n; }, { most: 23, unit: ":00" }))];
  const account = () => {
    const mail = ui.input("Email", model.mail, text => { model.mail = text; }, { type: "email" }), shown = ui.input("Display name", model.name, text => { model.name = text; });
    const fresh = ui.input("New password", "", text => { model.fresh = text; }, { type: "password" });
    return [ui.heading("Account"), ui.card("Profile", shown, mail, ui.input("City", model.city, text => { model.city = text; }), ui.button("Update profile", () => {
      if (!model.name.trim()) return ui.reject(shown, "A name is needed");
      if (!/^\S+@\S+\.\S+$/.test(model.mail)) return ui.reject(mail, "This is not an email address");
      model.kept = [model.name, model.mail];
      ui.toast("Profile updated");
    }, { kind: "primary" })),
    ui.card("Password", fresh, ui.button("Change password", () => (model.fresh.length < 8 ? ui.reject(fresh, "At least 8 characters") : (model.changed = true, ui.redraw(), ui.toast("Password changed"))))),
    ui.row(ui.button("Sign out of other devices", () => { model.devices = 1; ui.toast("Signed out everywhere else"); }), ui.button("Delete account", () => ui.ask("Delete your account?", "This cannot be undone.", "Delete", () => { model.gone = true; ui.toast("Account scheduled for deletion"); }), { kind: "danger" }))];
  };
  const privacy = () => [ui.heading("Privacy"), ui.fold("Location", unfolded, ui.toggle("Use my location", model.where ??= true, on => { model.where = on; }), ui.text("Needed for the weather and for maps.")),
    ui.fold("History", false, ui.check("Remember what I searched", model.history ??= true, on => { model.history = on; }), ui.button("Clear history", () => ui.toast("History cleared"))),
    ui.fold("Contacts", false, ui.check("Sync contacts", model.sync ??= false, on => { model.sync = on; })), ui.radios("Who can see my profile", ["Everyone", "Friends", "Nobody"], model.seen ??= "Friends", value => { model.seen = value; })];
  const sound = () => [ui.heading("Sound"), ui.card("Output", ui.slider("Volume", model.volume, n => { model.volume = n; }), ui.slider("Balance", model.balance ??= 50, n => { model.balance = n; }), ui.toggle("Mute all", model.mute ??= false, on => { model.mute = on; })),
    ui.card("Quality", ui.segment(["Low", "Medium", "High"], 1, i => { model.quality = i; }), ui.check("Mono", model.mono ??= false, on => { model.mono = on; }))];
  return { title: d.pick(["Settings", "Preferences", "System settings", "Control centre"]), model, tools: [{ icon: "search", label: "Search settings", act: () => ui.prompt("Search settings", "Word", "", "Search", word => { model.search = word; ui.toast(`No setting is called '${word}'`); }) }],
    sections: [["gear", "General", general], ["eye", "Appearance", look], ["bell", "Notifications", notices], ["user", "Account", account], ["lock", "Privacy", privacy], ["volume", "Sound", sound]].slice(0, ui.phone ? 5 : 6).map(([icon, label, build]) => ({ icon, label, build })) };
}
