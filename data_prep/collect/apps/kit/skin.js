// The widgets of the kit in plain HTML. A skin gives each of them the classes of a style sheet, or draws it anew.
import { h, icon } from "./kit.js";

let made = 0;
const newId = () => `k${++made}`;

export class Skin {
  sheets = [];      // style sheets below /lib/
  classes = {};     // name of a part -> classes of the style sheet
  active = "active";
  frame = "nav";    // what holds the sections' buttons
  drawn = false;    // whether a checkbox without words needs a label all the same

  constructor(random, { theme, dark, phone }) {
    Object.assign(this, { random, theme, dark, phone, at: 0 });
    this.nav = random.pick(phone ? ["bottom", "bottom", "top"] : ["side", "side", "top", "right"]);
    this.naming = random.pick(["both", "both", "text", "icon"]);
    this.stroke = random.pick([1.5, 2, 2, 2.5]);
    this.tips = random.chance(0.5);      // icons have a title of their own
    this.toasts = random.pick(["bottom", "bottom", "top", "corner"]);
    this.flash = random.chance(0.3);     // toasts that vanish at once
    this.fades = random.chance(0.5);     // dialogs fade in
  }

  async load() {
    await Promise.all(this.sheets.map(path => new Promise((done, fail) => {
      document.head.prepend(h("link", { rel: "stylesheet", href: `/lib/${path}`, onload: done, onerror: event => (event.target.sheet ? done() : fail(new Error(path))) }));
    })));
    document.documentElement.classList.toggle("k-dark", this.dark);
    await this.dress();
  }
  async dress() {}      // themes and schemes
  async ready() {}      // when all is drawn

  cls(...names) { return names.filter(Boolean).map(name => `k-${name} ${this.classes[name] || ""}`.trim()).join(" "); }
  icon(name, options = {}) { return icon(name, { width: this.stroke, ...options }); }
  mark(node, on) { node.classList.toggle(this.active, on); node.setAttribute("aria-current", on ? "page" : "false"); }

  // ---- the frame ----
  open(app) {
    this.app = app;
    this.items = app.sections.map((section, index) => this.navItem(section, index));
    this.content = h("main", { class: this.cls("content") });
    const tools = (app.tools || []).map(tool => this.iconButton(tool.icon, tool.label, tool.act));
    this.root = h("div", { class: this.cls("shell"), "data-nav": this.nav },
      h("header", { class: this.cls("bar") }, h("strong", { class: this.cls("brand") }, app.title), h("span", { class: "k-tools" }, tools)),
      h(this.frame, { class: this.cls("nav") }, this.items), this.content);
    document.body.append(this.root);
    this.go(Math.min(app.begin ?? this.random.whole(0, app.sections.length - 1), app.sections.length - 1));
  }
  navItem(section, index) {
    const named = this.naming === "icon" && !this.phone;
    const node = h("button", { type: "button", class: this.cls("nav-item"), "aria-label": named && section.label, title: named && this.tips && section.label, onclick: () => this.go(index) },
      this.naming !== "text" && this.icon(section.icon), !named && h("span", {}, section.label));
    node.badge = node.appendChild(h("span", { class: this.cls("badge", "count"), hidden: true }));
    return node;
  }
  go(index) { this.at = index; this.items.forEach((item, i) => this.mark(item, i === index)); this.redraw(); this.count(); }
  redraw() { this.content.replaceChildren(...[this.app.sections[this.at].build()].flat()); }
  count() {  // numbers beside the sections
    this.app.sections.forEach((section, index) => {
      const number = section.count ? section.count() : 0;
      this.badgeOn(this.items[index], number);
    });
  }
  badgeOn(item, number) { item.badge.textContent = number; item.badge.hidden = !number; }

  // ---- things to press ----
  button(label, act, { kind = "plain", icon: name, disabled, small, wide } = {}) {
    return h("button", { type: "button", class: this.cls("button", kind, small && "small", wide && "wide"), disabled, onclick: act }, name && this.icon(name, { size: 18 }), label);
  }
  iconButton(name, label, act, { pressed, disabled } = {}) {
    const node = h("button", { type: "button", class: this.cls("icon-button"), "aria-label": label, title: this.tips && label, disabled,
      "aria-pressed": pressed === undefined ? undefined : String(pressed), onclick: act }, this.icon(name, { filled: !!pressed }));
    node.press = on => { node.setAttribute("aria-pressed", String(on)); node.replaceChildren(this.icon(name, { filled: on })); };
    return node;
  }
  like(name, label, on, act) {  // an icon that is on or off
    let state = on;
    const node = this.iconButton(name, label, () => { state = !state; node.press(state); act(state); }, { pressed: on });
    return node;
  }
  link(label, act) { return h("a", { href: "#", class: this.cls("link"), onclick: event => { event.preventDefault(); act(); } }, label); }

  // ---- things to set ----
  tick(kind, label, on, act, { group, bare } = {}) {
    const id = newId();
    const input = h("input", { id, type: kind === "radio" ? "radio" : "checkbox", name: group, role: kind === "toggle" && "switch", class: this.cls(`${kind}-input`),
      "aria-label": bare && label, ".checked": on, onchange: event => act(event.target.checked) });
    return h("div", { class: this.cls(kind) }, input, (!bare || this.drawn) && h("label", { for: id, class: this.cls(`${kind}-label`) }, !bare && label));
  }
  check(label, on, act, options) { return this.tick("check", label, on, act, options); }
  toggle(label, on, act, options) { return this.tick("toggle", label, on, act, options); }
  radios(title, options, value, act) {
    const group = newId();
    return this.field(title, h("div", { class: this.cls("radios"), role: "radiogroup", "aria-label": title }, options.map(option => this.tick("radio", option, option === value, () => act(option), { group }))));
  }
  field(title, control, id) { return h("div", { class: this.cls("field") }, h(id ? "label" : "div", { for: id, class: this.cls("label") }, title), control, h("div", { class: `${this.cls("error")} field-error`, hidden: true })); }
  input(title, value, act, { type = "text", placeholder, bare, enter } = {}) {
    const id = newId();
    const input = h("input", { id, type, class: this.cls("input"), placeholder, "aria-label": bare && title, ".value": value, autocomplete: "off", spellcheck: "false",
      oninput: event => act(event.target.value), onkeydown: event => { if (event.key === "Enter" && enter) enter(); } });
    return bare ? input : this.field(title, input, id);
  }
  area(title, value, act) {
    const id = newId();
    return this.field(title, h("textarea", { id, rows: 4, class: this.cls("area"), ".value": value, spellcheck: "false", oninput: event => act(event.target.value) }), id);
  }
  select(title, options, value, act, { bare } = {}) {
    const id = newId();
    const list = h("select", { id, class: this.cls("select"), "aria-label": bare && title, onchange: event => act(event.target.value) }, options.map(option => h("option", { ".selected": option === value }, option)));
    return bare ? list : this.field(title, list, id);
  }
  slider(title, value, act, most = 100) {
    const id = newId(), shown = h("output", {}, String(value));
    return h("div", { class: this.cls("slide") }, h("label", { for: id, class: this.cls("label") }, title),
      h("input", { id, type: "range", min: 0, max: most, class: this.cls("slider"), ".value": value, oninput: event => { shown.textContent = event.target.value; act(+event.target.value); } }), shown);
  }
  stepper(title, value, act, { least = 0, most = 99, step = 1, unit = "", bare } = {}) {
    let now = value;
    const shown = h("output", { class: this.cls("number") }, `${now}${unit}`);
    const move = by => () => {
      now = Math.min(most, Math.max(least, Math.round((now + by) * 10) / 10));
      shown.textContent = `${now}${unit}`;
      act(now);
    };
    return h("div", { class: this.cls("stepper") }, !bare && h("span", { class: this.cls("step-title") }, title),
      this.iconButton("minus", `Less ${title.toLowerCase()}`, move(-step)), shown, this.iconButton("plus", `More ${title.toLowerCase()}`, move(step)));
  }
  stars(title, value, act) {
    let now = value;
    const buttons = [1, 2, 3, 4, 5].map(n => this.iconButton("star", `${n} star${n > 1 ? "s" : ""}`, () => { now = n; draw(); act(n); }, { pressed: n <= value }));
    const draw = () => buttons.forEach((button, i) => button.press(i < now));
    return h("div", { class: "k-stars", role: "group", "aria-label": title }, buttons);
  }
  segment(options, index, act) {
    const parts = options.map((option, i) => h("button", { type: "button", role: "tab", class: this.cls("part"), onclick: () => { draw(i); act(i); } }, option));
    const draw = now => parts.forEach((part, i) => { part.classList.toggle(this.active, i === now); part.setAttribute("aria-selected", String(i === now)); });
    draw(index);
    return h("div", { class: this.cls("segment"), role: "tablist" }, parts);
  }
  chip(label, on, act) {
    let state = on;
    const node = h("button", { type: "button", class: this.cls("chip"), onclick: () => { state = !state; draw(); act(state); } }, label);
    const draw = () => { node.setAttribute("aria-pressed", String(state)); node.classList.toggle(this.active, state); };
    draw();
    return node;
  }

  // ---- things to read ----
  heading(text) { return h("h2", { class: this.cls("heading") }, text); }
  text(words) { return h("p", { class: this.cls("text") }, words); }
  card(title, ...parts) { return h("section", { class: this.cls("card") }, title && h("h3", { class: this.cls("card-title") }, title), parts); }
  row(...parts) { return h("div", { class: this.cls("line") }, parts); }
  grid(...parts) { return h("div", { class: "k-grid" }, parts); }
  picture(sign, hue) { return h("div", { class: "k-picture", style: `background:hsl(${hue} 60% ${this.dark ? 28 : 82}%)`, "aria-hidden": "true" }, sign); }
  face(name) { return h("span", { class: "k-face", style: `background:hsl(${(name.length * 47 + name.charCodeAt(0) * 13) % 360} 45% 45%)`, "aria-hidden": "true" }, name[0]); }
  badge(text) { return h("span", { class: this.cls("badge") }, String(text)); }
  progress(share) { return h("div", { class: this.cls("progress") }, h("div", { class: this.cls("progress-bar"), style: `width:${Math.round(share * 100)}%` })); }
  list(items) {  // {lead, title, note, tail, open, strong}
    return h("ul", { class: this.cls("list") }, items.map(item => h("li", { class: this.cls("item") },
      item.lead, this.entry(item), h("span", { class: "k-tail" }, item.tail))));
  }
  entry({ title, note, open, strong }) {
    const words = [h(strong ? "b" : "span", { class: "k-title" }, title), note && h("small", { class: "k-note" }, note)];
    return open ? h("button", { type: "button", class: "k-entry", onclick: open }, words) : h("span", { class: "k-entry" }, words);
  }
  fold(title, open, ...parts) { return h("details", { class: this.cls("fold"), open }, h("summary", { class: this.cls("fold-title") }, title), parts); }
  table(heads, rows) {
    return h("table", { class: this.cls("table") }, h("thead", {}, h("tr", {}, heads.map(head => h("th", {}, head)))), h("tbody", {}, rows.map(row => h("tr", {}, row.map(cell => h("td", {}, cell))))));
  }
  alert(text) { return h("div", { class: this.cls("alert"), role: "alert" }, text); }

  // ---- things that come up ----
  dialog({ title, text, parts = [], buttons }) {
    const close = () => veil.remove();
    const box = h("div", { class: this.cls("dialog"), role: "dialog", "aria-label": title }, h("h3", { class: this.cls("card-title") }, title), text && this.text(text), parts,
      h("div", { class: this.cls("ends") }, buttons.map(([label, act, kind]) => this.button(label, () => { if (!act || act() !== false) close(); }, { kind }))));
    const veil = h("div", { class: `k-veil${this.fades ? " k-fades" : ""}` }, box);
    document.body.append(veil);
    return { close };
  }
  ask(title, text, yes, act) { return this.dialog({ title, text, buttons: [["Cancel", null], [yes, act, "danger"]] }); }
  prompt(title, label, value, yes, act) {
    let now = value;
    const field = this.input(label, value, text => { now = text; });
    return this.dialog({ title, parts: [field], buttons: [["Cancel", null], [yes, () => now.trim() ? act(now.trim()) : this.reject(field, `${label} must not be empty`), "primary"]] });
  }
  toast(text, undo) {
    document.querySelectorAll(".k-toast").forEach(old => old.remove());
    const node = h("div", { class: `${this.cls("toast")} k-${this.toasts}${this.flash && !undo ? " k-flash" : ""}`, role: "status" }, h("span", {}, text),
      undo && this.button("Undo", () => { node.remove(); undo(); }, { small: true }), !(this.flash && !undo) && this.iconButton("close", "Dismiss", () => node.remove()));
    node.addEventListener("animationend", () => node.remove());
    document.body.append(node);
  }
  menu(label, entries) {  // a button with three dots that opens a list
    const button = this.iconButton("more", label, () => {
      const box = button.getBoundingClientRect(), left = Math.max(4, Math.min(box.left, innerWidth - 190));
      const close = () => shade.remove();
      const shade = h("div", { class: "k-shade", onclick: event => { if (event.target === shade) close(); } },
        h("div", { class: this.cls("menu"), role: "menu", style: `left:${left}px;top:${Math.min(box.bottom + 2, innerHeight - 44 * entries.length)}px` },
          entries.map(([words, act]) => h("button", { type: "button", role: "menuitem", class: this.cls("menu-item"), onclick: () => { close(); act(); } }, words))));
      document.body.append(shade);
    });
    return button;
  }

  // A form that is not accepted says so beside the field; by the class whoever drives the page sees that it is refused.
  reject(field, message) {
    const line = field.querySelector(".k-error") || field.appendChild(h("div", { class: `${this.cls("error")} field-error` }));
    line.textContent = message;
    line.hidden = false;
    return false;
  }
  accept(field) { const line = field.querySelector(".k-error"); if (line) line.hidden = true; }
}
