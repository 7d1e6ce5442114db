import { h } from "../kit.js";
import * as words from "../words.js";

export function player(ui, d) {
  const songs = d.some(words.SONGS, d.whole(6, 10)).map((name, id) => ({ id, name, band: d.pick(words.BANDS), time: `${d.whole(2, 5)}:${String(d.whole(0, 59)).padStart(2, "0")}`, loved: d.chance(0.3), plays: d.whole(1, 60), hue: d.whole(0, 359) }));
  const model = { songs, now: d.whole(0, songs.length - 1), playing: d.chance(0.4), shuffle: d.chance(0.4), repeat: false, muted: false, volume: d.whole(20, 90), queue: d.some(songs, 3).map(song => song.id), lists: d.some(["Focus", "Running", "Sunday", "Road trip", "Kitchen"], 3), speed: 1 };
  const song = () => songs[model.now];
  const play = id => { model.now = id; model.playing = true; songs[id].plays += 1; ui.redraw(); };
  const skip = by => { model.now = (model.now + by + songs.length) % songs.length; ui.redraw(); };
  const love = s => ui.like("heart", `Like ${s.name}`, s.loved, on => { s.loved = on; });
  const now = () => [ui.card("", ui.picture(song().name[0], song().hue), ui.heading(song().name), ui.text(`${song().band} · ${song().time}`), ui.progress(0.37),
    ui.row(ui.like("shuffle", "Shuffle", model.shuffle, on => { model.shuffle = on; }), ui.iconButton("back", "Previous song", () => skip(-1)), ui.iconButton(model.playing ? "pause" : "play", model.playing ? "Pause" : "Play", () => { model.playing = !model.playing; ui.redraw(); }),
      ui.iconButton("next", "Next song", () => skip(1)), ui.like("repeat", "Repeat", model.repeat, on => { model.repeat = on; }), love(song())),
    ui.row(ui.iconButton(model.muted ? "mute" : "volume", model.muted ? "Unmute" : "Mute", () => { model.muted = !model.muted; ui.redraw(); }), ui.slider("Volume", model.volume, n => { model.volume = n; })), ui.segment(["0.5×", "1×", "1.5×", "2×"], model.speed, i => { model.speed = i; }))];
  const line = s => ({ lead: ui.iconButton(s.id === model.now && model.playing ? "pause" : "play", `Play ${s.name}`, () => play(s.id)), title: s.name, note: `${s.band} · ${s.time}`, strong: s.id === model.now,
    tail: [love(s), ui.menu(`More for ${s.name}`, [["Play next", () => { model.queue.unshift(s.id); ui.count(); ui.toast(`${s.name} plays next`); }], ["Add to queue", () => { model.queue.push(s.id); ui.count(); ui.toast("Added to the queue"); }], ["Hide", () => { s.hidden = true; ui.redraw(); }]])] });
  const library = () => [ui.row(ui.heading("Songs"), ui.segment(["All", "Liked"], model.filter ??= 0, i => { model.filter = i; ui.redraw(); })), ui.list(songs.filter(s => !s.hidden && (!model.filter || s.loved)).map(line))];
  const queue = () => [ui.heading("Up next"), model.queue.length ? ui.list(model.queue.map((id, i) => ({ title: songs[id].name, note: songs[id].band, tail: [ui.iconButton("up", `Move ${songs[id].name} up`, () => { if (i) { [model.queue[i - 1], model.queue[i]] = [model.queue[i], model.queue[i - 1]]; ui.redraw(); } }, { disabled: !i }), ui.iconButton("close", `Remove ${songs[id].name}`, () => { model.queue.splice(i, 1); ui.redraw(); ui.count(); })] }))) : ui.text("The queue is empty."),
    ui.button("Clear queue", () => ui.ask("Clear the queue?", "", "Clear", () => { model.queue = []; ui.redraw(); ui.count(); }), { disabled: !model.queue.length })];
  const lists = () => [ui.row(ui.heading("Playlists"), ui.button("New playlist", () => ui.prompt("New playlist", "Name", "", "Create", name => { model.lists.push(name); ui.redraw(); }), { icon: "plus", small: true })), ui.grid(model.lists.map((name, i) => ui.card(name, ui.picture("♪", i * 70), ui.row(ui.iconButton("play", `Play ${name}`, () => { model.playing = true; model.list = name; ui.toast(`Playing ${name}`); }), ui.iconButton("edit", `Rename ${name}`, () => ui.prompt("Rename playlist", "Name", name, "Rename", text => { model.lists[i] = text; ui.redraw(); })), ui.iconButton("trash", `Delete ${name}`, () => { model.lists.splice(i, 1); ui.redraw(); ui.toast(`${name} deleted`, () => { model.lists.splice(i, 0, name); ui.redraw(); }); }))))),
    h("div", {}, ["Crossfade", "Normalise volume", "Show lyrics"].map(label => ui.toggle(label, model[label] ??= d.chance(0.5), on => { model[label] = on; })))];
  return { title: d.pick(["Tonearm", "Wavebox", "Music", "Radio Luma"]), model, sections: [{ icon: "music", label: "Now playing", build: now }, { icon: "list", label: "Songs", build: library }, { icon: "clock", label: "Queue", count: () => model.queue.length, build: queue }, { icon: "heart", label: "Playlists", build: lists }] };
}
