// Opens one of the kit's applications in one of its skins: ?app=mail&skin=bulma&theme=...&seed=7&dark=1
import { dice } from "./kit.js";
import { SKINS } from "./skins.js";
import { APPS } from "./pages/all.js";

const wanted = new URLSearchParams(location.search);
const seed = +wanted.get("seed") || 1;
const random = dice(seed);
const ui = new (SKINS[wanted.get("skin")] || SKINS.plain)(random, {
  theme: wanted.get("theme") || "", dark: wanted.get("dark") === "1", phone: matchMedia("(pointer: coarse)").matches,
});
await ui.load();
const app = APPS[wanted.get("app")](ui, random);
document.title = app.title;
window.appState = () => JSON.parse(JSON.stringify({ at: ui.at, ...app.model }));
ui.open(app);
await ui.ready();
window.kitReady = true;
