// The kit's applications as phone applications of Ionic: its own components, with shadow trees, in both of its looks.
import { h } from "./kit.js";
import { Skin } from "./skin.js";

const READY = 8000;  // milliseconds after which a component that is not ready is left alone

function part(tag, props, ...children) {  // properties of components are set as such
  const node = h(tag, {}, ...children);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name.includes("-") || name === "slot" || name === "class" || name === "role") node.setAttribute(name, value);
    else node[name] = value;
  }
  return node;
}

export class Ionic extends Skin {
  sheets = ["@ionic/core/css/ionic.bundle.css"];

  async load() {
    const { pick, chance } = this.random, mode = this.theme || "md";
    this.nav = pick(["bottom", "bottom", "top"]);
    this.inset = chance(0.4);
    this.fill = mode === "md" ? pick(["outline", "solid", undefined]) : undefined;
    this.colour = pick(["primary", "secondary", "tertiary", "success", "danger", "warning"]);
    this.painted = chance(0.4);
    this.lists = pick(["popover", "alert", "action-sheet"]);
    this.sheet = chance(0.5);
    if (this.dark) this.sheets.push("@ionic/core/css/palettes/dark.always.css");
    document.documentElement.setAttribute("mode", mode);
    window.Ionic = { config: { mode, animated: chance(0.6) } };
    await super.load();
    await new Promise(done => document.head.append(h("script", { type: "module", src: "/lib/@ionic/core/dist/ionic/ionic.esm.js", onload: done })));
    await customElements.whenDefined("ion-app");
  }
  async ready() {
    const drawn = [...document.querySelectorAll("*")].filter(node => node.componentOnReady).map(node => node.componentOnReady());
    await Promise.race([Promise.all(drawn), new Promise(done => setTimeout(done, READY))]);
  }

  open(app) {
    this.app = app;
    this.items = app.sections.map((section, index) => this.navItem(section, index));
    this.content = h("div", { class: "k-inner" });
    const tools = h("ion-buttons", { slot: "end" }, (app.tools || []).map(tool => this.iconButton(tool.icon, tool.label, tool.act)));
    const bar = part("ion-toolbar", { color: this.painted ? this.colour : undefined }, h("ion-title", {}, app.title), tools);
    const tabs = this.nav === "bottom" ? h("ion-footer", {}, this.tabs = part("ion-tab-bar", { color: undefined }, this.items)) : null;
    const head = this.nav === "top" ? h("ion-toolbar", {}, this.tabs = part("ion-segment", { scrollable: true, onionChange: event => this.go(+event.detail.value) }, this.items)) : null;
    this.body = part("ion-content", { class: "ion-padding" }, this.content);
    this.root = h("ion-app", {}, h("ion-header", {}, bar, head), this.body, tabs);
    document.head.append(h("style", {}, ".k-grid ion-item{--padding-start:0;--inner-padding-end:0}ion-toggle::part(label),ion-checkbox::part(label){white-space:normal}.k-grid ion-card-content{padding:10px}.k-inner>*+*{margin-top:12px}.k-face{margin-inline-end:12px}ion-item .k-stepper,ion-item .k-stars{margin-inline-start:8px}ion-button.k-icon{--padding-start:6px;--padding-end:6px;height:34px;margin:0}.k-number{min-width:2.4em;text-align:center}ion-chip.active{--background:var(--ion-color-primary);--color:#fff}.k-day.active,.k-seat.active{background:var(--ion-color-primary);color:#fff}.k-day,.k-seat{border:1px solid #8886;border-radius:6px;background:none;color:inherit;font:inherit}.k-day .k-badge{margin-left:2px}.k-table{font-size:14px}.k-field ion-input,.k-field ion-textarea,.k-field ion-select{margin-bottom:2px}"));
    document.body.append(this.root);
    this.go(this.random.whole(0, app.sections.length - 1));
  }
  navItem(section, index) {
    const badge = h("ion-badge", { hidden: true }), label = h("ion-label", {}, section.label);
    const node = this.nav === "bottom" ? part("ion-tab-button", { role: "tab", tab: String(index), onclick: () => this.go(index) }, this.icon(section.icon, { size: 24 }), label, badge)
      : part("ion-segment-button", { role: "tab", value: String(index) }, label, badge);
    return Object.assign(node, { badge });
  }
  go(index) {
    this.at = index;
    if (this.nav === "bottom") this.tabs.selectedTab = String(index); else this.tabs.value = String(index);
    this.redraw();
    this.count();
    if (this.body.scrollToTop) this.body.scrollToTop(0);
  }

  button(label, act, { kind = "plain", icon: name, disabled, small } = {}) {
    return part("ion-button", { fill: kind === "plain" ? "outline" : "solid", color: kind === "danger" ? "danger" : this.colour, size: small ? "small" : undefined, disabled: !!disabled, onclick: act }, name && this.slotted(name, "start"), h("span", {}, label));
  }
  slotted(name, slot, options = {}) { const svg = this.icon(name, { size: 18, ...options }); svg.setAttribute("slot", slot); return svg; }
  iconButton(name, label, act, { pressed, disabled } = {}) {
    const node = part("ion-button", { fill: "clear", class: "k-icon", "aria-label": label, disabled: !!disabled, onclick: act }, this.slotted(name, "icon-only", { size: 22, filled: !!pressed }));
    node.press = on => node.replaceChildren(this.slotted(name, "icon-only", { size: 22, filled: on }));
    return node;
  }

  tick(kind, label, on, act, { bare } = {}) {
    const tag = kind === "toggle" ? "ion-toggle" : "ion-checkbox";
    const node = part(tag, { checked: on, "aria-label": bare ? label : undefined, justify: bare ? undefined : kind === "toggle" ? "space-between" : "start", labelPlacement: kind === "toggle" ? "start" : "end", onionChange: event => act(event.detail.checked) }, !bare && label);
    return bare ? node : part("ion-item", { lines: "none" }, node);
  }
  radios(title, options, value, act) {
    return h("div", { class: "k-field" }, h("ion-list-header", {}, h("ion-label", {}, title)), part("ion-radio-group", { value, onionChange: event => act(event.detail.value) },
      options.map(option => h("ion-item", {}, part("ion-radio", { value: option, justify: "space-between" }, option)))));
  }
  input(title, value, act, { type = "text", placeholder, bare, enter } = {}) {
    const node = part("ion-input", { type, value, placeholder, fill: this.fill, label: bare ? undefined : title, "aria-label": bare ? title : undefined, labelPlacement: bare ? undefined : "stacked", onionInput: event => act(event.detail.value || ""), onkeydown: event => { if (event.key === "Enter" && enter) enter(); } });
    return bare ? node : h("div", { class: "k-field" }, node);
  }
  area(title, value, act) { return h("div", { class: "k-field" }, part("ion-textarea", { label: title, labelPlacement: "stacked", value, rows: 4, fill: this.fill, onionInput: event => act(event.detail.value || "") })); }
  select(title, options, value, act, { bare } = {}) {
    const node = part("ion-select", { label: bare ? undefined : title, "aria-label": bare ? title : undefined, labelPlacement: bare ? undefined : "stacked", value, fill: this.fill, interface: this.lists, onionChange: event => act(event.detail.value) },
      options.map(option => part("ion-select-option", { value: option }, option)));
    return bare ? node : h("div", { class: "k-field" }, node);
  }
  slider(title, value, act, most = 100) { return h("ion-item", { lines: "none" }, part("ion-range", { min: 0, max: most, value, label: title, labelPlacement: "stacked", onionInput: event => act(event.detail.value) })); }
  segment(options, index, act) { return part("ion-segment", { value: String(index), onionChange: event => act(+event.detail.value) }, options.map((option, i) => part("ion-segment-button", { role: "tab", value: String(i) }, h("ion-label", {}, option)))); }
  chip(label, on, act) {
    let state = on;
    const node = part("ion-chip", { role: "button", outline: !on, onclick: () => { state = !state; draw(); act(state); } }, label);
    const draw = () => { node.outline = !state; node.setAttribute("aria-pressed", String(state)); node.classList.toggle("active", state); };
    draw();
    return node;
  }
  link(label, act) { return this.button(label, act, { small: true }); }

  card(title, ...parts) { return h("ion-card", {}, title && h("ion-card-header", {}, h("ion-card-title", {}, title)), h("ion-card-content", {}, parts)); }
  badge(text) { return part("ion-badge", { color: this.colour }, String(text)); }
  progress(share) { return part("ion-progress-bar", { value: share }); }
  list(items) {
    return part("ion-list", { inset: this.inset }, items.map(item => {
      const words = h("ion-label", {}, h("h2", {}, item.strong ? h("b", {}, item.title) : item.title), item.note && h("p", {}, item.note));
      const tail = h("div", { slot: "end", class: "k-tail" }, item.tail);
      const lead = item.lead && h("div", { slot: "start" }, item.lead);
      const plain = !item.lead && !item.tail;
      if (item.open && plain) return part("ion-item", { button: true, detail: true, onclick: item.open }, words);
      return part("ion-item", {}, lead, item.open ? h("button", { type: "button", class: "k-entry", onclick: item.open }, h("span", { class: "k-title" }, item.strong ? h("b", {}, item.title) : item.title), item.note && h("small", { class: "k-note" }, item.note)) : words, tail);
    }));
  }
  fold(title, open, ...parts) {
    return part("ion-accordion-group", { value: open ? "open" : undefined }, part("ion-accordion", { value: "open" }, part("ion-item", { slot: "header" }, h("ion-label", {}, title)), h("div", { slot: "content", class: "ion-padding" }, parts)));
  }

  show(tag, props, ...children) {  // something of Ionic's that comes over the page
    const node = Object.assign(document.createElement(tag), props);
    node.append(...children);
    this.root.append(node);
    node.present();
    return node;
  }
  dialog({ title, text, parts = [], buttons }) {
    if (!parts.length) {
      const node = this.show("ion-alert", { header: title, message: text, buttons: buttons.map(([label, act, kind]) => ({ text: label, role: kind === "danger" ? "destructive" : act ? "confirm" : "cancel", handler: () => (act ? act() : true) })) });
      return { close: () => node.dismiss() };
    }
    const close = () => node.dismiss();
    const ends = buttons.map(([label, act, kind]) => part("ion-button", { fill: kind ? "solid" : "clear", color: kind === "danger" ? "danger" : undefined, onclick: () => { if (!act || act() !== false) close(); } }, h("span", {}, label)));
    const node = this.show("ion-modal", { breakpoints: [0, 1], initialBreakpoint: 1, handle: true, cssClass: "auto-height" }, h("div", { class: "ion-padding", style: "padding-bottom:28px" }, h("h2", {}, title), text && this.text(text), parts, h("div", { class: "k-ends" }, ends)));
    node.style.setProperty("--height", "auto");
    return { close };
  }
  prompt(title, label, value, yes, act) {
    const node = this.show("ion-alert", { header: title, inputs: [{ name: "text", type: "text", placeholder: label, value }], buttons: [{ text: "Cancel", role: "cancel" }, { text: yes, handler: ({ text }) => {
      if (text && text.trim()) return act(text.trim());
      node.message = `${label} must not be empty`;
      node.classList.add("field-error");
      return false;
    } }] });
    return { close: () => node.dismiss() };
  }
  toast(text, undo) {
    document.querySelectorAll("ion-toast").forEach(old => old.remove());
    this.show("ion-toast", { message: text, position: this.toasts === "top" ? "top" : "bottom", color: this.painted ? "dark" : undefined, positionAnchor: this.toasts !== "top" && this.nav === "bottom" ? this.tabs.parentElement : undefined,
      buttons: [...(undo ? [{ text: "Undo", handler: undo }] : []), { text: "Close", role: "cancel" }] });
  }
  menu(label, entries) {
    const button = this.iconButton("more", label, event => {
      if (this.sheet) return this.show("ion-action-sheet", { header: label, buttons: [...entries.map(([text, act]) => ({ text, handler: () => { act(); } })), { text: "Cancel", role: "cancel" }] });
      const node = this.show("ion-popover", { event, dismissOnSelect: true }, h("ion-list", {}, entries.map(([text, act]) => part("ion-item", { button: true, detail: false, onclick: () => { node.dismiss(); act(); } }, text))));
      return node;
    });
    return button;
  }
}
