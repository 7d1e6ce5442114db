// What the collector knows of a page from the inside. Runs before the page's own scripts, in every frame.
// Everything the collector itself draws lives in one <vc-layer> element, which elements, state and hits leave out.
(() => {
  if (window.viscritic) return;
  const START = Date.UTC(2025, 4, 14, 9, 41, 0);  // the same day and the same dice on every replay
  const RealDate = Date, begun = RealDate.now();
  const now = () => START + RealDate.now() - begun;
  window.Date = new Proxy(RealDate, {
    construct: (target, args, self) => Reflect.construct(target, args.length ? args : [now()], self),
    apply: () => new RealDate(now()).toString(),
    get: (target, key) => key === "now" ? now : Reflect.get(target, key),
  });
  let dice = 20250514;
  Math.random = () => {
    dice = (dice + 0x6D2B79F5) | 0;
    let t = Math.imul(dice ^ (dice >>> 15), 1 | dice);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };

  // Faults that swallow: the first listeners of the window see every event before the page does.
  const POINTER = ["pointerdown", "pointerup", "mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu",
    "touchstart", "touchend", "touchmove", "wheel", "dragstart"];
  const KEYBOARD = ["keydown", "keypress", "keyup", "beforeinput", "paste"];
  let swallowing = false, guard = null;
  for (const type of [...POINTER, ...KEYBOARD]) {
    window.addEventListener(type, event => {
      if (swallowing) { event.stopImmediatePropagation(); if (event.cancelable) event.preventDefault(); }
      else if (guard && event.isTrusted) guard(event);
    }, { capture: true, passive: false });
  }

  let copied = "";  // what was last copied: on no screen, but true
  window.addEventListener("copy", () => {
    const field = document.activeElement;
    const marked = field && "selectionStart" in field ? field.value.slice(field.selectionStart, field.selectionEnd) : String(getSelection());
    if (!swallowing) copied = squeeze(marked);
  }, { capture: true });

  // Elements with listeners of their own can be acted on, whatever they look like.
  const ACTS = new Set(["click", "mousedown", "mouseup", "pointerdown", "touchstart", "dblclick"]);
  const listening = new WeakSet();
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (ACTS.has(type) && this instanceof Element) listening.add(this);
    return add.call(this, type, ...rest);
  };

  const isOurs = node => node.localName === "vc-layer";
  // The flat tree: what a component is given lies where it shows, in the component's slot.
  const realChildren = Object.getOwnPropertyDescriptor(Element.prototype, "children").get;  // some frameworks replace it
  const given = node => node.localName === "slot" ? node.assignedNodes() : [];
  const childrenOf = node => {
    const slotted = given(node).filter(child => child.nodeType === 1);
    const own = node.shadowRoot ? node.shadowRoot.children : realChildren.call(node);
    return [...(slotted.length ? slotted : own)].filter(child => !isOurs(child));
  };
  const parentOf = node => node.assignedSlot || node.parentElement ||
    (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);

  function pathOf(node) {
    const steps = [];
    for (let here = node; here && here !== document.documentElement; here = parentOf(here)) {
      const parent = parentOf(here);
      steps.push(parent ? childrenOf(parent).indexOf(here) : 0);
    }
    return steps.reverse().join("/") || "root";
  }

  const find = path => path === "root" ? document.documentElement :
    path.split("/").reduce((node, index) => node && childrenOf(node)[+index], document.documentElement);

  function at(x, y) {
    let node = document.elementFromPoint(x, y);
    while (node && node.shadowRoot && !isOurs(node)) {
      const inner = node.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === node) break;
      node = inner;
    }
    return node;
  }

  const squeeze = text => (text || "").replace(/\s+/g, " ").trim();
  const ownText = node => squeeze([...node.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join(" "));
  function textIn(node) {  // innerText knows nothing of slots
    if (!node.shadowRoot && !node.querySelector("slot")) return squeeze(node.innerText);
    const inside = node => given(node).length ? given(node) : [...(node.shadowRoot || node).childNodes];
    const hidden = node => node.localName !== "slot" && !node.checkVisibility({ visibilityProperty: true });
    const read = node => node.nodeType === 3 ? node.data : node.nodeType !== 1 || node.localName === "style" || hidden(node) ? "" :
      inside(node).map(read).join(" ");
    return squeeze(read(node));
  }
  const isTick = node => node.localName === "input" && (node.type === "checkbox" || node.type === "radio");
  const TYPED = new Set(["text", "search", "email", "password", "url", "tel", "number", "date", "time", "month", "week",
    "datetime-local", "color", "range"]);
  const isField = node => node.localName === "textarea" || node.isContentEditable && node.getAttribute("contenteditable") !== null ||
    node.localName === "input" && TYPED.has(node.type);

  function clip(node) {
    let { left, top, right, bottom } = node.getBoundingClientRect();
    for (let up = parentOf(node); up && up !== document.body; up = parentOf(up)) {
      if (getComputedStyle(up).overflow === "visible") continue;
      const box = up.getBoundingClientRect();
      left = Math.max(left, box.left); top = Math.max(top, box.top);
      right = Math.min(right, box.right); bottom = Math.min(bottom, box.bottom);
    }
    left = Math.max(left, 0); top = Math.max(top, 0);
    right = Math.min(right, innerWidth); bottom = Math.min(bottom, innerHeight);
    return [left, top, right - left, bottom - top];
  }

  const ROLES = { a: "link", button: "button", select: "drop-down list", textarea: "text area", summary: "section header",
    option: "option", label: "label", th: "column header", img: "picture", svg: "picture", video: "video" };
  const INPUTS = { checkbox: "checkbox", radio: "radio button", submit: "button", button: "button", reset: "button",
    image: "button", range: "slider", search: "search field", password: "password field", file: "file button",
    number: "number field", date: "date field", color: "colour field" };
  const ARIA = { button: "button", link: "link", checkbox: "checkbox", radio: "radio button", switch: "switch", tab: "tab",
    menuitem: "menu item", menuitemcheckbox: "menu item", menuitemradio: "menu item", option: "option",
    treeitem: "tree item", combobox: "drop-down list", textbox: "text field", searchbox: "search field",
    slider: "slider", spinbutton: "number field", row: "row", gridcell: "cell", columnheader: "column header" };

  function roleOf(node) {
    const aria = ARIA[node.getAttribute("role")];
    if (aria) return aria;
    if (node.localName === "input") return INPUTS[node.type] || "text field";
    if (isField(node)) return node.localName === "textarea" ? "text area" : "text field";
    if (ROLES[node.localName]) return ROLES[node.localName];
    if (node instanceof SVGElement) return "shape";
    return childrenOf(node).some(c => c.localName === "img" || c.localName === "svg") && !squeeze(node.innerText) ? "icon" : "item";
  }

  function labelOf(node) {
    const by = (node.getAttribute("aria-labelledby") || "").split(" ").map(id => id && document.getElementById(id));
    const texts = by.filter(Boolean).map(textIn).filter(Boolean);
    if (!texts.length) for (const label of node.labels || []) texts.push(textIn(label));
    return squeeze(texts.join(" "));
  }

  function wordsBefore(node) {
    for (let before = node.previousSibling; before; before = before.previousSibling) {  // the words in front of it
      const words = squeeze(before.textContent);
      if (words) return words.length <= 30 && !(before.matches && before.matches("h1,h2,h3,input,select,textarea,button,script,style")) ? words : "";
    }
    return "";
  }

  function nameOf(node) {
    if (isTick(node) && !labelOf(node)) {  // the words beside it
      const next = node.nextSibling && squeeze(node.nextSibling.textContent) || node.nextElementSibling && squeeze(node.nextElementSibling.innerText);
      return squeeze(node.getAttribute("aria-label") || next).slice(0, 60);
    }
    const typed = isField(node) || node.localName === "select";
    const words = [
      typed || isTick(node) ? labelOf(node) : "", node.localName === "input" && !typed && !isTick(node) ? node.value : "",
      node.getAttribute("aria-label"), node.getAttribute("placeholder"),
      typed ? wordsBefore(node) : "",
      typed ? "" : textIn(node), typed ? "" : (node.querySelector("img[alt]") || node).getAttribute("alt"),
      node.getAttribute("title"), (node.querySelector("title") || {}).textContent,
    ];
    return squeeze(words.find(word => squeeze(word))).slice(0, 60);
  }

  // What stands beside an element in its row, card or list item, and tells it from its like: "Buy milk" of its checkbox.
  const ROWS = "li,tr,[role=row],[role=listitem],[role=option],dd,fieldset,.card,.item,.row,.form-group";
  function nearOf(node, name) {
    const row = (parentOf(node) || node).closest(ROWS);
    if (!row || row.contains(document.querySelector("h1"))) return "";
    const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(), tries = 0; text && tries < 12; text = walker.nextNode(), tries++) {
      const words = squeeze(text.data), holder = text.parentElement;
      if (words.length < 2 || words === name || node.contains(text) || !holder.checkVisibility({ visibilityProperty: true })) continue;
      if (holder.closest("button,select,script,style")) continue;
      return words.length <= 40 ? words : "";
    }
    return "";
  }

  const TICKED = ["aria-checked", "aria-pressed"];
  function tickOf(node) {
    if (isTick(node)) return node.checked;
    const role = node.getAttribute("role");
    for (const name of TICKED) if (node.hasAttribute(name) && role !== "tab") return node.getAttribute(name) === "true";
    return null;
  }

  const NATIVE = "a[href],button,input:not([type=hidden]),select,textarea,summary,[role],[onclick],[contenteditable='true'],[contenteditable='']";
  const isDisabled = node => node.disabled === true || !!node.closest("fieldset:disabled") || node.getAttribute("aria-disabled") === "true";
  let listed = new Map();

  function canAct(node) {
    if (node.matches(NATIVE)) return !node.hasAttribute("role") || !!ARIA[node.getAttribute("role")] || node.matches("a[href],button,input,[onclick]");
    if (listening.has(node) || node.onclick || node.onmousedown || isDraggable(node)) return true;
    const parent = parentOf(node);
    return getComputedStyle(node).cursor === "pointer" && parent && getComputedStyle(parent).cursor !== "pointer";
  }

  const DRAGGED = ".ui-draggable,.ui-slider-handle,.ui-sortable > *,.noUi-handle,[data-draggable]";
  const isDraggable = node => node.localName !== "a" && node.localName !== "img" && (node.draggable === true || node.matches(DRAGGED));

  // Boxes inside the page that scroll by themselves: key, box, and how far there is to go up and down.
  function scrollers() {
    const found = [];
    for (const node of document.querySelectorAll("*")) {
      const below = node.scrollHeight - node.clientHeight;
      if (below < 40 || node === document.documentElement || node === document.body || isOurs(node)) continue;
      if (!/auto|scroll/.test(getComputedStyle(node).overflowY) && node.localName !== "textarea") continue;
      const [left, top, width, height] = clip(node);
      if (width < 60 || height < 60) continue;
      const middle = at(left + width / 2, top + height / 2);
      if (!middle || !(node === middle || node.contains(middle))) continue;
      found.push({ key: pathOf(node), box: [left, top, width, height], above: node.scrollTop, below: below - node.scrollTop,
        name: squeeze(node.getAttribute("aria-label") || labelOf(node)).slice(0, 40), list: /^(ul|ol)$/.test(node.localName) || !!node.querySelector("li,tr") });
    }
    return found;
  }

  function listedAt(x, y) {
    for (let node = at(x, y); node; node = parentOf(node)) {
      if (isOurs(node)) return null;
      if (listed.has(node)) return node;
      if (node.localName === "label" && node.control && listed.has(node.control)) return node.control;
    }
    return null;
  }

  function elements(least) {
    const found = [];
    const walk = node => {
      if (node.localName === "script" || node.localName === "style") return;
      if (node !== document.documentElement && node !== document.body && !(node.localName === "label" && node.control) &&
          node.checkVisibility({ visibilityProperty: true }) && canAct(node)) found.push(node);
      childrenOf(node).forEach(walk);
    };
    walk(document.documentElement);
    listed = new Map();
    const boxes = new Map();
    for (const node of found) {
      let box = clip(node);
      const label = isTick(node) && node.labels && node.labels[0];
      if (label && getComputedStyle(node).opacity === "0") box = clip(label);
      if (box[2] < least || box[3] < least || box[2] * box[3] > innerWidth * innerHeight * 0.4) continue;
      listed.set(node, pathOf(node));
      boxes.set(node, box);
    }
    return [...listed].filter(([node]) => {
      const box = boxes.get(node);
      return listedAt(box[0] + box[2] / 2, box[1] + box[3] / 2) === node;
    }).map(([node, key]) => ({
      key, role: roleOf(node), name: nameOf(node), box: boxes.get(node), enabled: !isDisabled(node), checked: tickOf(node),
      value: node.localName === "select" ? squeeze((node.selectedOptions[0] || {}).text) :
        isField(node) ? ("value" in node ? node.value : node.innerText) : "",
      options: node.localName === "select" ? [...node.options].filter(o => !o.disabled).map(o => squeeze(o.text)) : [],
      tag: node.localName, leaves: node.localName === "a" && (node.target === "_blank" || node.hasAttribute("download")),
      link: node.localName === "a" ? node.href : "", type: node.type || "", limit: node.maxLength > 0 ? node.maxLength : 0,
      readonly: !!node.readOnly, draggable: isDraggable(node), near: nearOf(node, nameOf(node)),
      range: node.type === "range" ? [+node.min || 0, +(node.max || 100), +node.value] : null,
    }));
  }

  const TEXTUAL = new Set(["text", "search", "password", "url", "tel", "textarea"]);  // only these tell what is marked in them
  const MEANING = ["aria-checked", "aria-selected", "aria-pressed", "aria-expanded", "aria-hidden", "aria-disabled",
    "aria-current", "aria-invalid", "open", "disabled"];
  const PASSING = /hover|focus|ripple|waves|pressed/i;  // classes that come with the pointer, not with an effect
  function meaningOf(node) {
    const parts = MEANING.filter(name => node.hasAttribute(name)).map(name => name + "=" + node.getAttribute(name));
    if (isTick(node)) parts.push(node.checked ? "ticked" : "not ticked");
    if (node.localName === "select") parts.push("chosen=" + node.selectedIndex);
    if (node === document.activeElement && TEXTUAL.has(node.type) && node.selectionEnd > node.selectionStart) parts.push(`marked=${node.selectionStart}-${node.selectionEnd}`);
    return parts.join(" ");
  }

  function lookOf(node, box) {
    const classes = [...node.classList].filter(name => !PASSING.test(name)).join(" ");
    const drawn = node instanceof SVGElement ? [...node.attributes].filter(a => a.name !== "class" && !a.name.startsWith("data-")).map(a => a.name + "=" + a.value).join(" ") : node.getAttribute("style") || "";
    return [classes, drawn, box.map(Math.round).join(",")].join("|");
  }

  // What a person could see, a row a node: [path, tag, text, meaning, look].
  function shown() {
    const rows = [];
    const walk = (node, path) => {
      if (node.localName === "script" || node.localName === "style" || !node.checkVisibility({ visibilityProperty: true, opacityProperty: false })) {
        if (getComputedStyle(node).display !== "contents") return;
      }
      const { left, top, width, height } = node.getBoundingClientRect();
      const inView = width > 0 && height > 0 && left < innerWidth && top < innerHeight && left + width > 0 && top + height > 0;
      if (inView) {
        const text = !(isField(node) && "value" in node) ? ownText(node) : node.type === "password" ? "•".repeat(node.value.length) : node.value;
        rows.push([path, node.localName, text, meaningOf(node), lookOf(node, [left, top, width, height])]);
      }
      childrenOf(node).forEach((child, index) => walk(child, path + "/" + index));
    };
    walk(document.body, pathOf(document.body));
    const marked = getSelection();
    if (marked.rangeCount && !marked.isCollapsed) rows.push(["selection", "", "", "", squeeze(String(marked))]);
    return rows;
  }

  const PASSING_IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}|\d{10,}/gi;  // made from the time or from dice
  function truth() {
    const form = [...document.querySelectorAll("input,textarea,select")].map(n => isTick(n) ? n.checked : n.value);
    const store = {};
    try { for (const key of Object.keys(localStorage).sort()) store[key] = localStorage.getItem(key).replace(PASSING_IDS, "#"); } catch (_) { /* opaque origin */ }
    const scrolled = { page: Math.round(scrollY) };
    for (const node of document.querySelectorAll("*")) if (node.scrollTop && node !== document.documentElement) scrolled[pathOf(node)] = Math.round(node.scrollTop);
    return { url: location.href, form, store, scrolled, copied, text: squeeze(document.body ? document.body.innerText : "") };
  }

  // What a person reads as "please wait" and "this was not accepted".
  const seen = selector => [...document.querySelectorAll(selector)].filter(node => !isOurs(node) && node.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  const WAITS = "[data-vc-loading],[aria-busy=true],.spinner,.loading,.spinner-border";
  const REJECTS = "[data-vc-rejected],[aria-invalid=true],.is-invalid,.invalid-feedback,.field-error,.errorlist,.help-block.error,.parsley-errors-list.filled li,.just-validate-error-label";
  const signs = () => ({ loading: seen(WAITS).length > 0, rejected: seen(REJECTS).map(node => squeeze(node.innerText || node.value || node.name).slice(0, 60)) });

  function focus() {
    let node = document.activeElement;
    while (node && node.shadowRoot && node.shadowRoot.activeElement) node = node.shadowRoot.activeElement;
    return node && node !== document.body && node !== document.documentElement ? pathOf(node) : "";
  }

  function layer() {
    let host = document.querySelector("vc-layer");
    if (!host) {
      host = document.createElement("vc-layer");
      host.attachShadow({ mode: "open" });
      document.documentElement.append(host);
    }
    return host.shadowRoot;
  }

  window.viscritic = {
    elements, find, at, layer, pathOf, listedAt, scrollers, signs,
    swallow: on => { swallowing = on; },
    guard: handler => { guard = handler; },
    state: extra => ({ shown: shown(), truth: truth(), focus: focus(), extra }),
    texts: () => [...document.body.querySelectorAll("*")].filter(node => ownText(node) || /^(img|svg|canvas)$/.test(node.localName)).
      map(node => node.getBoundingClientRect()).filter(box => box.width * box.height > 0).map(box => [box.x, box.y, box.width, box.height]),
    hit: (x, y) => {
      const node = at(x, y);
      if (node && isOurs(node)) return "?";
      const found = listedAt(x, y);
      return found ? listed.get(found) : "";
    },
    select: (x, y, text) => {
      let node = at(x, y);
      if (swallowing) return false;
      while (node && node.localName !== "select") node = parentOf(node);
      const option = node && !node.disabled && [...node.options].find(o => squeeze(o.text) === text);
      if (!option) return false;
      node.focus();
      node.value = option.value;
      node.dispatchEvent(new Event("input", { bubbles: true }));
      node.dispatchEvent(new Event("change", { bubbles: true }));
      return true;
    },
  };
})();
