// The looks: style sheets of npm packages, and one of the kit's own that is drawn from the seed.
import { h } from "./kit.js";
import { Skin } from "./skin.js";
import { Ionic } from "./ionic.js";

class Plain extends Skin {
  async dress() {
    const { pick, whole, chance } = this.random, hue = whole(0, 359), dark = this.dark;
    const grey = pick([0, 8, 20]), warm = pick([hue, 220, 40]);
    const looks = {
      "--main": `hsl(${hue} ${whole(45, 85)}% ${dark ? 66 : whole(32, 46)}%)`, "--on-main": dark ? "#111" : "#fff",
      "--soft": `hsl(${hue} 60% 50% / .16)`, "--page": `hsl(${warm} ${grey}% ${dark ? whole(7, 14) : whole(93, 99)}%)`,
      "--paper": `hsl(${warm} ${grey}% ${dark ? whole(15, 20) : 100}%)`, "--side": `hsl(${warm} ${grey}% ${dark ? 12 : whole(90, 97)}%)`,
      "--ink": dark ? "#e8e8ea" : pick(["#1b1f24", "#222", "#2b2320", "#14213d"]), "--edge": dark ? "#ffffff2e" : pick(["#00000022", "#0000003a", "#d6d9de"]),
      "--line": pick(["0px", "1px", "1px", "2px"]), "--shadow": pick(["none", "none", "0 1px 4px #0003", "0 6px 18px #0002", "4px 4px 0 #0004"]),
      "--round": pick(["0px", "4px", "8px", "14px"]), "--icon-round": pick(["50%", "4px", "8px"]), "--icon-line": pick(["0px", "0px", "1px"]),
      "--size": pick(["14px", "15px", "16px"]), "--pad": pick(["4px 9px", "7px 14px", "9px 18px"]), "--bold": pick(["500", "600", "700"]),
      "--font": pick(["system-ui, sans-serif", "Arial, sans-serif", "'Liberation Serif', serif", "'DejaVu Sans', sans-serif", "'Noto Sans', sans-serif", "'DejaVu Sans Mono', monospace"]),
    };
    const painted = chance(0.5);
    looks["--bar"] = painted ? looks["--main"] : looks["--paper"];
    looks["--on-bar"] = painted ? looks["--on-main"] : looks["--ink"];
    for (const [name, value] of Object.entries(looks)) document.body.style.setProperty(name, value);
    document.body.classList.add("k-plain");
  }
}

class Bootstrap extends Skin {  // with the 26 themes of Bootswatch
  load() { this.sheets = [`bootswatch/dist/${this.theme}/bootstrap.min.css`]; return super.load(); }
  classes = { bar: "navbar bg-primary text-white", nav: "nav nav-pills bg-body-tertiary", "nav-item": "nav-link", badge: "badge text-bg-info", button: "btn", plain: "btn-outline-secondary", primary: "btn-primary",
    danger: "btn-danger", small: "btn-sm", "icon-button": "btn btn-sm btn-outline-primary", check: "form-check ps-0", "check-input": "form-check-input m-0", toggle: "form-check form-switch", "toggle-input": "form-check-input",
    radio: "form-check ps-0", "radio-input": "form-check-input m-0", label: "form-label", input: "form-control", area: "form-control", select: "form-select", slider: "form-range", card: "card card-body",
    "card-title": "card-title", segment: "btn-group", part: "btn btn-outline-primary", chip: "btn btn-sm btn-outline-primary", list: "list-group", item: "list-group-item", table: "table table-striped", alert: "alert alert-warning",
    dialog: "modal-content bg-body border rounded", toast: "alert alert-dark", menu: "dropdown-menu show", "menu-item": "dropdown-item", progress: "progress", "progress-bar": "progress-bar", error: "text-danger",
    day: "btn btn-outline-secondary", seat: "btn btn-outline-success", fold: "card card-body", heading: "h4" };
  async dress() { if (this.dark) document.documentElement.setAttribute("data-bs-theme", "dark"); }
}

class Bulma extends Skin {
  sheets = ["bulma/css/bulma.min.css"];
  active = "is-active";
  classes = { bar: "has-background-primary has-text-white", nav: "has-background-light", "nav-item": "button is-ghost", badge: "tag is-info", button: "button", primary: "is-primary", danger: "is-danger", small: "is-small",
    "icon-button": "button is-small", check: "checkbox", radio: "radio", label: "label", input: "input", area: "textarea", select: "input", card: "box", "card-title": "title is-5", heading: "title is-4", segment: "buttons has-addons",
    part: "button", chip: "button is-rounded is-small", list: "box p-0", table: "table is-striped is-fullwidth", alert: "notification is-warning is-light", dialog: "box", toast: "notification is-dark", menu: "box", "menu-item": "button is-white",
    error: "help is-danger", day: "button", seat: "button is-small", fold: "box" };
  async dress() {
    document.documentElement.setAttribute("data-theme", this.dark ? "dark" : "light");
    this.classes.bar = `has-background-${this.theme} has-text-white`;
    this.classes.primary = `is-${this.theme}`;
    if (this.dark) this.classes.nav = "";
    document.head.append(h("style", {}, ".k-segment .is-active,.k-chip.is-active,.k-day.is-active,.k-seat.is-active{background:#485fc7!important;color:#fff!important}.k-item+.k-item{border-top:1px solid #8884}.k-nav-item.is-active{background:#fff5!important;font-weight:600}"));
  }
}

class Uikit extends Skin {
  sheets = ["uikit/dist/css/uikit.min.css"];
  active = "uk-active";
  classes = { bar: "uk-background-primary uk-light", nav: "uk-background-muted", "nav-item": "uk-button uk-button-text", badge: "uk-badge", button: "uk-button", plain: "uk-button-default", primary: "uk-button-primary", danger: "uk-button-danger",
    small: "uk-button-small", "icon-button": "uk-icon-button", "check-input": "uk-checkbox", "toggle-input": "uk-checkbox", "radio-input": "uk-radio", label: "uk-form-label", input: "uk-input", area: "uk-textarea", select: "uk-select",
    slider: "uk-range", card: "uk-card uk-card-default uk-card-body uk-card-small", "card-title": "uk-card-title", segment: "uk-button-group", part: "uk-button uk-button-default uk-button-small", chip: "uk-button uk-button-default uk-button-small",
    list: "uk-list uk-list-divider", table: "uk-table uk-table-divider uk-table-small", alert: "uk-alert uk-alert-warning", dialog: "uk-card uk-card-default", toast: "uk-alert uk-alert-success", menu: "uk-card uk-card-default",
    "menu-item": "uk-button uk-button-text", progress: "uk-progress", "progress-bar": "uk-background-primary", error: "uk-text-danger", day: "uk-button uk-button-default", seat: "uk-button uk-button-default uk-button-small", fold: "uk-card uk-card-default uk-card-body" };
  async dress() {
    if (this.dark) document.body.classList.add("uk-background-secondary", "uk-light");
    if (this.dark) Object.assign(this.classes, { nav: "", card: "uk-card uk-card-secondary uk-card-body uk-card-small", dialog: "uk-card uk-card-secondary", menu: "uk-card uk-card-secondary", fold: "uk-card uk-card-secondary uk-card-body" });
    document.head.append(h("style", {}, ".k-part.uk-active,.k-chip.uk-active,.k-day.uk-active,.k-seat.uk-active{background:#1e87f0;color:#fff}.k-nav-item.uk-active{font-weight:700;text-decoration:underline}.k-icon-button[aria-pressed=true]{background:#faa05a;color:#fff}.k-day,.k-seat{padding:0 4px;line-height:34px}"));
  }
}

class Fomantic extends Skin {
  drawn = true;   // a checkbox is drawn by its label
  sheets = ["fomantic-ui-css/semantic.min.css"];
  classes = { button: "ui button", primary: "primary", danger: "red", small: "small", "icon-button": "ui icon button", check: "ui checkbox", toggle: "ui toggle checkbox", radio: "ui radio checkbox", badge: "ui tiny label", card: "ui segment",
    "card-title": "ui header", heading: "ui dividing header", segment: "ui buttons", part: "ui button", chip: "ui tiny button", field: "field", table: "ui celled table", alert: "ui warning message", dialog: "ui segment", toast: "ui positive message",
    menu: "ui segment", "menu-item": "ui basic fluid button", list: "ui segment", nav: "ui secondary menu", "nav-item": "item", error: "ui red basic label", day: "ui basic button", seat: "ui tiny button", fold: "ui segment", content: "ui form" };
  async dress() {
    const colour = this.theme, dark = this.dark ? "inverted" : "";
    Object.assign(this.classes, { bar: `ui inverted ${colour} segment`, primary: colour });
    for (const name of ["card", "list", "dialog", "menu", "fold", "card-title", "heading", "content", "table", "nav"]) this.classes[name] += ` ${dark}`;
    document.head.append(h("style", {}, `body{${this.dark ? "background:#1b1c1d;color:#eee" : ""}}.k-bar.k-bar{border-radius:0}.k-nav.k-nav{display:flex}.k-part.active,.k-chip.active,.k-day.active,.k-seat.active{background:#2185d0!important;color:#fff!important}.k-check.ui,.k-toggle.ui,.k-radio.ui{display:block;min-height:26px}.k-icon-button[aria-pressed=true]{color:#db2828!important}.k-item+.k-item{border-top:1px solid #8884}.k-day.ui,.k-seat.ui{padding:4px;margin:0}.k-icon-button.ui.button{padding:.5em;margin:0}`));
  }
}

class Materialize extends Skin {
  frame = "div";  // it has a look of its own for <nav>
  sheets = ["materialize-css/dist/css/materialize.min.css"];
  classes = { button: "btn", plain: "grey lighten-2 black-text", primary: "teal", danger: "red darken-1", small: "btn-small", "icon-button": "btn-flat", badge: "badge-flat", card: "card-panel", "card-title": "", list: "collection", item: "collection-item",
    select: "browser-default", area: "materialize-textarea", segment: "", part: "btn-flat", chip: "chip", table: "striped", dialog: "card-panel", toast: "card-panel grey darken-4 white-text", menu: "card-panel", "menu-item": "btn-flat", nav: "grey lighten-4",
    "nav-item": "btn-flat", day: "btn-flat", seat: "btn-flat", alert: "card-panel amber lighten-4", fold: "card-panel" };
  tick(kind, label, on, act, { group, bare } = {}) {
    const input = h("input", { type: kind === "radio" ? "radio" : "checkbox", name: group, "aria-label": bare && label, class: kind === "check" && "filled-in", ".checked": on, onchange: event => act(event.target.checked) });
    if (kind === "toggle") return h("div", { class: "switch k-toggle" }, h("label", {}, input, h("span", { class: "lever" }), !bare && label));
    return h("div", { class: `k-${kind}` }, h("label", {}, input, h("span", {}, bare ? "" : label)));
  }
  async dress() {
    Object.assign(this.classes, { bar: `${this.theme} white-text`, primary: this.theme });
    if (this.dark) this.classes.nav = "";
    document.head.append(h("style", {}, `${this.dark ? "body{background:#212121;color:#eee}.card-panel,.collection .collection-item,.collection{background:#303030!important;color:#eee}.k-nav{background:#2a2a2a!important}.btn-flat,input,.k-title{color:#eee!important}" : ""}h2{font-size:1.7rem;margin:.4em 0}h3{font-size:1.25rem;margin:.3em 0}.k-part.active,.k-chip.active,.k-day.active,.k-seat.active,.k-nav-item.active{background:#26a69a;color:#fff}.badge-flat{background:#26a69a;color:#fff;border-radius:3px;padding:0 8px}.k-icon-button[aria-pressed=true]{color:#e91e63!important}.k-day,.k-seat,.k-icon-button{padding:0 6px!important}.k-menu .btn-flat,.btn{text-transform:none}.k-shell .k-nav .btn-flat{height:auto;line-height:1.5}`));
  }
}

class Daisy extends Skin {  // with the themes of daisyUI
  sheets = ["daisyui/themes.css", "daisyui/daisyui.css"];
  classes = { bar: "navbar bg-primary text-primary-content", nav: "menu bg-base-200", "nav-item": "btn btn-ghost", badge: "badge badge-secondary badge-sm", button: "btn", plain: "btn-outline", primary: "btn-primary", danger: "btn-error", small: "btn-sm",
    "icon-button": "btn btn-ghost btn-circle btn-sm", "check-input": "checkbox", "toggle-input": "toggle toggle-primary", "radio-input": "radio radio-primary", label: "label", input: "input", area: "textarea", select: "select", slider: "range range-primary",
    card: "card card-border card-body bg-base-100", "card-title": "card-title", segment: "tabs tabs-box", part: "tab", chip: "btn btn-sm btn-soft", list: "list bg-base-100", item: "", table: "table table-zebra", alert: "alert alert-warning", dialog: "modal-box",
    toast: "alert alert-info", menu: "menu bg-base-200", "menu-item": "btn btn-ghost btn-sm", progress: "", "progress-bar": "", error: "text-error", day: "btn btn-sm", seat: "btn btn-sm", fold: "card card-border card-body bg-base-100" };
  async dress() {
    document.documentElement.setAttribute("data-theme", this.theme);
    document.head.append(h("style", {}, `body{background:var(--color-base-200);color:var(--color-base-content);font-family:'Noto Sans',system-ui,sans-serif}.k-bar{background:var(--color-primary);color:var(--color-primary-content)}.k-card,.k-list,.k-fold,.k-dialog,.k-menu{background:var(--color-base-100)}.k-nav{background:var(--color-base-300)!important}.k-part.active,.k-chip.active,.k-day.active,.k-seat.active,.k-nav-item.active{background:var(--color-primary);color:var(--color-primary-content)}.k-icon-button[aria-pressed=true]{color:var(--color-accent)}.k-input,.k-select,.k-area{width:100%}.k-line .k-input,.k-line .k-select{width:auto;flex:1}.k-item+.k-item{border-top:1px solid #8883}h2{font-size:1.4em;margin:.2em 0}h3{font-size:1.1em;margin:.2em 0}.k-label{white-space:normal}.k-entry{color:inherit}.k-toast{width:max-content}`));
  }
}

class Windows98 extends Skin {  // a desktop of long ago
  sheets = ["98.css/dist/98.css"];
  classes = { card: "window", dialog: "window", menu: "window", toast: "window", bar: "title-bar", brand: "title-bar-text" };
  card(title, ...parts) { return h("fieldset", { class: "k-card" }, title && h("legend", {}, title), parts); }
  async dress() {
    this.fades = false;
    document.head.append(h("style", {}, `body{background:${this.theme};font:13px Arial}button{color:#222!important;text-shadow:none!important}button.active{color:#fff!important}.k-shell{background:silver;margin:10px;min-height:calc(100vh - 20px);box-shadow:inset -1px -1px #0a0a0a,inset 1px 1px #fff,inset -2px -2px grey,inset 2px 2px #dfdfdf}.k-bar.title-bar{margin:3px;min-height:30px}.k-list{background:#fff;box-shadow:inset 1px 1px grey;padding:2px}.k-nav-item.active,.k-part.active,.k-chip.active,.k-day.active,.k-seat.active{background:#000080!important;color:#fff!important}.k-nav-item{background:none;box-shadow:none;min-width:0}.k-icon-button{min-width:28px;padding:2px}.k-icon-button[aria-pressed=true]{background:#fff}.k-tools .k-icon-button{background:silver}.k-menu-item{background:silver;box-shadow:none}.k-menu-item:hover{background:#000080;color:#fff}.k-entry{min-width:0}.k-day,.k-seat{min-width:0;padding:2px}.k-shell[data-nav=bottom] .k-nav{background:silver;border-top:1px solid #fff}.k-badge{background:#800000;color:#fff;padding:0 5px}.k-input,.k-select{min-width:160px}`));
  }
}

class Windows7 extends Skin {  // a desktop of glass
  sheets = ["7.css/dist/7.css"];
  classes = { card: "window-body has-space", dialog: "window-body has-space", menu: "window-body", toast: "window-body", bar: "title-bar active", brand: "title-bar-text", content: "window-body has-space" };
  card(title, ...parts) { return h("fieldset", { class: "k-card" }, title && h("legend", {}, title), parts); }
  async dress() {
    document.head.append(h("style", {}, `body{background:linear-gradient(${this.theme},#eef4fb);font:9pt 'Noto Sans',Arial}.k-shell{background:#f0f0f0;margin:14px;min-height:calc(100vh - 28px);border:1px solid #5a6f86;border-radius:7px;box-shadow:0 6px 22px #0006;overflow:hidden}.k-shell>.k-bar{background:linear-gradient(#fffb,${this.theme}66)}.k-nav-item.active,.k-part.active,.k-chip.active,.k-day.active,.k-seat.active{background:#cbe5fb!important;border:1px solid #7da2ce!important}.k-nav-item{background:none;box-shadow:none;min-width:0}.k-nav-item::before,.k-nav-item::after{display:none}.k-list,.k-dialog,.k-menu,.k-toast{background:#fff;border:1px solid #b5c6d8}.k-item+.k-item{border-top:1px solid #e3e9f0}.k-icon-button{min-width:28px;padding:3px}.k-icon-button[aria-pressed=true]{color:#c60}.k-day,.k-seat,.k-menu-item{min-width:0}.k-badge{background:#2a6fb8;color:#fff;padding:0 6px;border-radius:3px}.k-entry::before,.k-entry::after{display:none}.k-shell[data-nav=bottom] .k-nav{background:#dfe8f2}`));
  }
}

class Pico extends Skin {  // hardly a class: the elements themselves are styled
  frame = "div";
  load() { this.sheets = [`@picocss/pico/css/pico.${this.theme}.min.css`]; return super.load(); }
  classes = { plain: "secondary outline", danger: "contrast", "icon-button": "outline", card: "k-article", dialog: "k-article", menu: "k-article", toast: "k-article", fold: "k-article", part: "outline", chip: "outline", day: "secondary outline", seat: "secondary outline" };
  async dress() {
    document.documentElement.setAttribute("data-theme", this.dark ? "dark" : "light");
    document.head.append(h("style", {}, `:root{--pico-font-size:${this.random.pick(["87%", "94%", "100%"])}}.k-shell>.k-bar{background:var(--pico-primary-background);color:var(--pico-primary-inverse)}.k-shell>.k-nav{background:var(--pico-card-sectioning-background-color)}.k-nav-item{background:none!important;color:var(--pico-color)!important}.k-nav-item.active,.k-part.active,.k-chip.active,.k-day.active,.k-seat.active{background:var(--pico-primary-background)!important;color:var(--pico-primary-inverse)!important}.k-article,.k-list{background:var(--pico-card-background-color);box-shadow:var(--pico-card-box-shadow);border-radius:var(--pico-border-radius);padding:14px}.k-item+.k-item{border-top:1px solid var(--pico-muted-border-color)}.k-icon-button{padding:5px;width:auto;margin:0;border-color:transparent}.k-bar .k-icon-button{color:inherit}.k-icon-button[aria-pressed=true]{color:var(--pico-del-color)}.k-button,.k-part,.k-chip,.k-day,.k-seat{width:auto;margin:0;padding:5px 12px}.k-entry,.k-entry:hover{background:none!important;color:inherit!important;border:0}.k-line .k-input,.k-line .k-select{width:auto;flex:1;margin:0}.k-badge{background:var(--pico-primary-background);color:var(--pico-primary-inverse);border-radius:8px;padding:0 8px}h2,h3{margin:0 0 8px}.k-check input,.k-toggle input,.k-radio input{margin:0}.k-menu-item{background:none;color:inherit}.k-shell>.k-content{padding-top:18px;margin:0}.k-list{padding:0}`));
  }
}

export const SKINS = { plain: Plain, bootstrap: Bootstrap, bulma: Bulma, uikit: Uikit, fomantic: Fomantic, materialize: Materialize, daisyui: Daisy, windows98: Windows98, windows7: Windows7, pico: Pico, ionic: Ionic };
