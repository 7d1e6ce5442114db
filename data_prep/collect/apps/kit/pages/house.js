import * as words from "../words.js";

export function house(ui, d) {
  const rooms = d.some(words.ROOMS, d.whole(3, 4)).map(name => ({ name, warm: d.whole(17, 23), lamps: d.some(words.LAMPS, d.whole(2, 3)).map(lamp => ({ name: lamp, on: d.chance(0.5), bright: d.whole(20, 100) })) }));
  const model = { rooms, room: d.whole(0, rooms.length - 1), devices: d.some(words.DEVICES, 6).map(([name, icon]) => ({ name, icon, on: d.chance(0.5) })), locked: d.chance(0.5), alarm: 0, away: false, guests: d.whole(0, 4), scene: "" };
  const step = d.pick([0.5, 1]);
  const lit = () => rooms.reduce((sum, room) => sum + room.lamps.filter(lamp => lamp.on).length, 0);
  const here = () => { const room = rooms[model.room]; return [ui.segment(rooms.map(r => r.name), model.room, i => { model.room = i; ui.redraw(); }),
    ui.card("Climate", ui.stepper("Temperature", room.warm, n => { room.warm = n; }, { least: 12, most: 28, step, unit: " °C" }), ui.toggle("Heating", room.heat ??= d.chance(0.5), on => { room.heat = on; })),
    ui.card("Lights", room.lamps.map(lamp => [ui.toggle(lamp.name, lamp.on, on => { lamp.on = on; ui.count(); }), ui.slider(`Brightness of ${lamp.name.toLowerCase()}`, lamp.bright, n => { lamp.bright = n; })]), ui.row(ui.button("All on", () => { room.lamps.forEach(lamp => { lamp.on = true; }); ui.redraw(); ui.count(); }, { icon: "sun" }), ui.button("All off", () => { room.lamps.forEach(lamp => { lamp.on = false; }); ui.redraw(); ui.count(); }, { icon: "moon" })))]; };
  const devices = () => [ui.heading("Devices"), ui.grid(model.devices.map(device => ui.card("", ui.icon(device.icon, { size: 32 }), ui.toggle(device.name, device.on, on => { device.on = on; }), ui.menu(`More for ${device.name}`, [["Rename", () => ui.prompt("Rename device", "Name", device.name, "Rename", name => { device.name = name; ui.redraw(); })], ["Restart", () => ui.toast(`${device.name} restarts`)], ["Remove", () => ui.ask(`Remove ${device.name}?`, "", "Remove", () => { model.devices.splice(model.devices.indexOf(device), 1); ui.redraw(); })]])))),
    ui.button("Add device", () => ui.prompt("Add device", "Name", "", "Add", name => { model.devices.push({ name, icon: "bulb", on: false }); ui.redraw(); }), { icon: "plus" })];
  const safety = () => [ui.heading("Security"), ui.card("Front door", ui.row(ui.iconButton(model.locked ? "lock" : "unlock", model.locked ? "Unlock the front door" : "Lock the front door", () => { model.locked = !model.locked; ui.redraw(); }), ui.text(model.locked ? "Locked" : "Unlocked"))),
    ui.card("Alarm", ui.segment(["Off", "Home", "Away"], model.alarm, i => { model.alarm = i; }), ui.check("Call me when it rings", model.call ??= true, on => { model.call = on; })), ui.stepper("Guests", model.guests, n => { model.guests = n; }, { most: 9 })];
  const scenes = () => [ui.heading("Scenes"), ui.grid(["Good morning", "Movie night", "Dinner", "Leave home", "Sleep"].map(name => ui.button(name, () => { model.scene = name; model.away = name === "Leave home"; ui.redraw(); }, { kind: model.scene === name ? "primary" : "plain", icon: "bulb" }))),
    ui.card("Rules", (model.rules ??= [["Lights on at sunset", true], ["Heating off when a window is open", false], ["Blinds down at night", true]]).map(rule => ui.check(rule[0], rule[1], on => { rule[1] = on; })))];
  return { title: d.pick(["Hearth", "My home", "Casa"]), model, sections: [{ icon: "home", label: "Rooms", count: lit, build: here }, { icon: "grid", label: "Devices", build: devices }, { icon: "lock", label: "Security", build: safety }, { icon: "bulb", label: "Scenes", build: scenes }] };
}
