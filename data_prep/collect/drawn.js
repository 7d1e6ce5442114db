// What the collector draws into a page: overlays, waiting, failures and noise, each in several looks. What the page is
// made to do with them is in acted.js.
(() => {
  const here = window.viscritic;
  if (!here || here.drawn) return;
  here.drawn = true;

  function dice(seed) {  // the same seed, the same look
    let state = seed | 0 || 1;
    const roll = () => {
      state = (state + 0x6D2B79F5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    const pick = list => list[Math.floor(roll() * list.length)];
    return { roll, pick };
  }

  const FONTS = ["system-ui, sans-serif", "Arial, sans-serif", "Georgia, serif", "'DejaVu Sans', sans-serif", "Verdana, sans-serif"];
  const ACCENTS = ["#2563eb", "#0f766e", "#b91c1c", "#7c3aed", "#c2410c", "#111827", "#15803d", "#be185d"];
  const PAPERS = [["#ffffff", "#1f2937"], ["#f8fafc", "#0f172a"], ["#1f2937", "#f9fafb"], ["#fffbeb", "#422006"], ["#eef2ff", "#1e1b4b"]];
  const unit = () =>  // tiny pages get small things, phones do not
    matchMedia("(pointer: coarse)").matches ? 0.95 : Math.max(0.5, Math.min(1, Math.min(innerWidth, innerHeight) / 700));

  function element(html, style) {
    const node = document.createElement("div");
    node.innerHTML = html;
    node.style.cssText = style;
    return node;
  }

  // ---- overlays -----------------------------------------------------------------------------------------------
  const COOKIES = ["We value your privacy", "This site uses cookies", "Your choices about cookies", "Cookies help us improve"];
  const COOKIE_TEXT = ["We and our partners store information on your device to measure visits and show relevant offers.",
    "By continuing you agree to our use of cookies for statistics and marketing.", "Choose which cookies we may set. You can change this at any time."];
  const MODALS = [["Subscribe to our newsletter", "Get 10 % off your first order.", "Subscribe"], ["Session about to expire", "Do you want to stay signed in?", "Stay signed in"],
    ["What's new", "We have refreshed the look of your dashboard.", "Take the tour"], ["Rate your experience", "How likely are you to recommend us?", "Send"],
    ["Update available", "A new version is ready to be installed.", "Update now"], ["Enable notifications?", "Never miss a message again.", "Allow"]];
  const CHATS = ["Hi! Can I help you?", "We are online. Ask us anything.", "Need a hand with your order?", "Our team typically replies in minutes."];

  // Draws an overlay; `cover` is the box [x, y, w, h] in CSS pixels that it must cover, or null; `through`: it is seen
  // through and takes no click; returns whether it could.
  here.overlay = (kind, seed, cover, avoid, through = false) => {
    const { roll, pick } = dice(seed), u = unit();
    const [paper, ink] = pick(PAPERS), accent = pick(ACCENTS), radius = pick([0, 4, 8, 16]);
    const font = `font:${Math.round(15 * u)}px/1.4 ${pick(FONTS)};color:${ink};box-sizing:border-box;`;
    const button = (text, plain) => `<button style="font:inherit;padding:${6 * u}px ${14 * u}px;border-radius:${radius}px;margin:${4 * u}px;cursor:pointer;` +
      (plain ? `background:transparent;color:${ink};border:1px solid ${ink}66` : `background:${accent};color:#fff;border:0`) + `">${text}</button>`;
    const shadow = "box-shadow:0 8px 30px #0005;";
    let node, back = null;
    const width = Math.round(Math.min(innerWidth * 0.92, (260 + 200 * roll()) * u));
    const put = (height, corner) => {  // beside the target, or over it
      let left, top;
      if (cover) {
        left = Math.min(Math.max(cover[0] + cover[2] / 2 - width * (0.25 + 0.5 * roll()), 0), innerWidth - width);
        top = Math.min(Math.max(cover[1] + cover[3] / 2 - height * (0.25 + 0.5 * roll()), 0), innerHeight - height);
      } else [left, top] = corner;
      return `position:fixed;left:${left}px;top:${top}px;width:${width}px;min-height:${height}px;`;
    };
    if (kind === "cookies") {
      const atTop = cover ? cover[1] + cover[3] / 2 < innerHeight / 2 : !!avoid && avoid[1] > innerHeight / 2;
      const height = cover ? Math.max(70 * u, (atTop ? cover[1] + cover[3] : innerHeight - cover[1]) + 14 * u) : (64 + 40 * roll()) * u;
      if (height > innerHeight * 0.8) return false;
      node = element(`<b>${pick(COOKIES)}</b><div>${pick(COOKIE_TEXT)}</div><div>${button("Accept all")}${roll() < 0.7 ? button(pick(["Reject", "Settings", "Only necessary"]), true) : ""}</div>`,
        `${font}position:fixed;left:0;right:0;${atTop ? "top" : "bottom"}:0;height:${height}px;overflow:hidden;background:${paper};padding:${10 * u}px ${20 * u}px;${shadow}`);
    } else if (kind === "modal") {
      const [title, text, yes] = pick(MODALS), height = (130 + 60 * roll()) * u;
      back = element("", `position:fixed;inset:0;background:${pick(["#0008", "#0006", "#fff9", "#111c"])};`);
      node = element(`<div style="font-weight:bold;font-size:1.2em;margin-bottom:.4em">${title}</div><div>${text}</div><div style="margin-top:.8em;text-align:right">${button(pick(["Not now", "Cancel", "Close"]), true)}${button(yes)}</div>`,
        `${font}position:fixed;left:${(innerWidth - width) / 2}px;top:${(innerHeight - height) / 2 * (0.6 + 0.7 * roll())}px;width:${width}px;min-height:${height}px;background:${paper};padding:${18 * u}px;border-radius:${radius}px;${shadow}`);
    } else if (kind === "chat") {
      const height = (120 + 120 * roll()) * u;
      const corner = [innerWidth - width - 12 * u, avoid && avoid[1] > innerHeight / 2 ? 12 * u : innerHeight - height - 12 * u];
      node = element(`<div style="background:${accent};color:#fff;padding:${8 * u}px ${12 * u}px;border-radius:${radius}px ${radius}px 0 0"><b>${pick(["Support", "Live chat", "Ask us", "Assistant"])}</b><span style="float:right">×</span></div><div style="padding:${12 * u}px"><div style="background:${accent}22;padding:${8 * u}px;border-radius:8px">${pick(CHATS)}</div></div>`,
        `${font}${put(height, corner)}background:${paper};border-radius:${radius}px;${shadow}`);
    } else {  // a sheet of glass that nobody sees
      node = element("", cover ? `position:fixed;left:${cover[0] - 6}px;top:${cover[1] - 6}px;width:${cover[2] + 12}px;height:${cover[3] + 12}px;` : "display:none;");
    }
    const host = element("", "position:fixed;left:0;top:0;width:0;height:0;z-index:2147483600;");
    if (through) for (const part of [node, back].filter(Boolean)) part.style.cssText += `pointer-events:none;opacity:${0.55 + 0.25 * roll()};`;
    if (back) host.append(back);
    host.append(node);
    here.touched = 0;
    const touch = gone => event => { event.stopPropagation(); if (gone) { here.touched += 1; host.remove(); } };
    for (const part of host.querySelectorAll("button")) {
      part.onclick = touch(true);
      if (through) part.style.pointerEvents = "none";
    }
    if (kind === "modal" && roll() < 0.5) back.onclick = touch(true);
    here.layer().append(host);
    const box = node.getBoundingClientRect();
    const meets = other => other && other[0] < box.right && other[0] + other[2] > box.left && other[1] < box.bottom && other[1] + other[3] > box.top;
    if (!cover && (back || meets(avoid))) { host.remove(); return false; }
    return true;
  };

  // ---- waiting and failing -----------------------------------------------------------------------------------------
  const WAITS = ["Loading…", "Please wait…", "Saving…", "Just a moment…", "Working on it…", "Processing your request…", "Loading"];
  const FAILS = {
    500: ["Something went wrong. Please try again.", "Internal server error (500)", "Error: the server could not complete the request.", "Oops! An unexpected error occurred.", "Could not save your changes. Server error."],
    404: ["Not found (404)", "The requested item no longer exists.", "Error 404: resource not found", "We could not find what you were looking for."],
    401: ["Please sign in to continue.", "Your session has expired. Sign in again.", "You must be logged in to do this.", "Authentication required (401)"],
    0: ["You appear to be offline.", "Network error: failed to fetch", "No connection. Check your network and try again.", "The server could not be reached."],
  };
  const spin = (size, colour) => `<span style="display:inline-block;width:${size}px;height:${size}px;border:${Math.max(2, size / 8)}px solid ${colour}44;border-top-color:${colour};border-radius:50%;box-sizing:border-box;animation:vc-turn .8s linear infinite;vertical-align:middle"></span>`;

  function keyframes(root) {
    if (root.querySelector("style")) return;
    const style = document.createElement("style");
    style.textContent = "@keyframes vc-turn{to{transform:rotate(360deg)}}@keyframes vc-slide{from{left:-40%}to{left:100%}}@keyframes vc-pulse{50%{opacity:.35}}";
    root.append(style);
  }

  // These are the application's own words, so state sees them: they stand in the page, not in the layer.
  function said(html, style, waiting) {
    const node = element(html, style + ";z-index:2147483000;");
    if (waiting) node.setAttribute("data-vc-loading", "");
    keyframes(document.documentElement);
    document.body.append(node);
    return node;
  }

  here.waiting = (seed, target) => {
    const { roll, pick } = dice(seed), u = unit(), accent = pick(ACCENTS), [paper, ink] = pick(PAPERS);
    const font = `font:${Math.round(15 * u)}px/1.4 ${pick(FONTS)};`;
    const look = pick(["bar", "middle", "middle", "veil", "veil", "button", "corner", "dots"]);
    const box = target && target.getBoundingClientRect();
    if (look === "bar") return said(`<div style="position:absolute;top:0;width:40%;height:100%;background:${accent};animation:vc-slide 1.1s linear infinite"></div>`,
      `position:fixed;left:0;top:0;width:100%;height:${Math.max(3, 4 * u)}px;background:${accent}33;overflow:hidden`, true);
    if (look === "button" && box) return said(spin(Math.max(12, Math.min(box.height * 0.6, 28)), accent),
      `position:fixed;left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px;display:flex;align-items:center;justify-content:center;background:${paper}cc`, true);
    if (look === "corner") return said(`${spin(18 * u, accent)} <span>${pick(WAITS)}</span>`,
      `${font}position:fixed;right:${16 * u}px;${pick(["top", "bottom"])}:${16 * u}px;background:${paper};color:${ink};padding:${10 * u}px ${16 * u}px;border-radius:6px;box-shadow:0 3px 12px #0004`, true);
    if (look === "dots") return said([0, 1, 2].map(i => `<i style="display:inline-block;width:${12 * u}px;height:${12 * u}px;margin:${4 * u}px;border-radius:50%;background:${accent};animation:vc-pulse 1s ${i * 0.2}s infinite"></i>`).join(""),
      `position:fixed;left:50%;top:50%;transform:translate(-50%,-50%)`, true);
    const middle = `<div style="${font}display:flex;gap:${10 * u}px;align-items:center;background:${paper};color:${ink};padding:${14 * u}px ${20 * u}px;border-radius:8px;box-shadow:0 6px 20px #0003">${spin(24 * u, accent)}<span>${pick(WAITS)}</span></div>`;
    if (look === "middle") return said(middle, "position:fixed;left:50%;top:45%;transform:translate(-50%,-50%)", true);
    return said(roll() < 0.5 ? middle : spin(46 * u, accent), `position:fixed;inset:0;display:flex;align-items:center;justify-content:center;background:${pick(["#fffb", "#0006", "#ffffffd0"])}`, true);
  };

  here.failing = (seed, status, target) => {
    const { pick } = dice(seed), u = unit();
    const text = pick(FAILS[status] || FAILS[500]);
    const font = `font:${Math.round(15 * u)}px/1.4 ${pick(FONTS)};`;
    const [paper, ink, edge] = pick([["#fee2e2", "#7f1d1d", "#ef4444"], ["#b91c1c", "#fff", "#7f1d1d"], ["#1f2937", "#fecaca", "#f87171"], ["#fff", "#b91c1c", "#fca5a5"], ["#fff7ed", "#7c2d12", "#f97316"]]);
    const box = target && target.getBoundingClientRect();
    const skin = `${font}background:${paper};color:${ink};border:1px solid ${edge};padding:${10 * u}px ${16 * u}px;`;
    const look = pick(status === 401 ? ["login", "login", "login", "bar", "dialog"] : ["toast", "bar", "dialog", "inline", "toast"]);
    const entry = (label, secret) => `<label style="display:block;margin:.5em 0">${label}<input type="${secret ? "password" : "text"}" style="display:block;width:100%;box-sizing:border-box;padding:5px;border:1px solid #94a3b8;border-radius:4px"></label>`;
    if (look === "login") return said(`<b style="font-size:1.2em">${pick(["Sign in", "Log in", "Welcome back"])}</b><div style="margin:.4em 0">${text}</div>${entry(pick(["E-mail", "Username"]))}${entry("Password", true)}<button style="font:inherit;width:100%;padding:6px;background:${edge};color:#fff;border:0;border-radius:4px">${pick(["Sign in", "Log in", "Continue"])}</button>`,
      `${font}background:#fff;color:#111827;padding:${18 * u}px;width:${Math.min(320 * u, innerWidth * 0.8)}px;position:fixed;left:50%;top:45%;transform:translate(-50%,-50%);box-shadow:0 10px 50px #0008;border-radius:8px`);
    if (look === "bar") return said(`<b>⚠</b> ${text}`, `${skin}position:fixed;left:0;right:0;top:0;border-width:0 0 2px`);
    if (look === "dialog") return said(`<div style="font-weight:bold;margin-bottom:.5em">${pick(["Error", "Request failed", "Problem"])}</div><div>${text}</div><div style="text-align:right;margin-top:.8em"><button style="font:inherit;padding:3px 14px">${pick(["OK", "Close", "Retry"])}</button></div>`,
      `${skin}position:fixed;left:50%;top:42%;transform:translate(-50%,-50%);min-width:${Math.min(300 * u, innerWidth * 0.8)}px;box-shadow:0 10px 40px #0006;border-radius:6px`);
    if (look === "inline" && box && box.bottom + 50 * u < innerHeight) return said(text,
      `${font}color:${pick(["#b91c1c", "#dc2626"])};background:#fff;padding:${3 * u}px ${6 * u}px;position:fixed;left:${Math.min(box.left, innerWidth - 220 * u)}px;top:${box.bottom + 4}px;max-width:${240 * u}px`);
    return said(`✕&nbsp; ${text}`, `${skin}position:fixed;${pick(["right", "left"])}:${16 * u}px;${pick(["top", "bottom"])}:${16 * u}px;max-width:${Math.min(340 * u, innerWidth * 0.8)}px;border-radius:6px;box-shadow:0 4px 16px #0004`);
  };

  // ---- noise ---------------------------------------------------------------------------------------------------
  const WORLDS = ["Markets open higher", "Rain expected in the north", "New trains from June", "Cup final tonight", "Museum night returns", "Harvest begins early"];
  function place(roll, width, height, avoid) {  // a spot that covers no listed element, where there is one
    let best = null;
    for (let i = 0; i < 40; i++) {
      const left = Math.round(roll() * Math.max(innerWidth - width, 0)), top = Math.round(roll() * Math.max(innerHeight - height, 0));
      const met = avoid.filter(b => b[0] < left + width + 4 && b[0] + b[2] > left - 4 && b[1] < top + height + 4 && b[1] + b[3] > top - 4).length;
      if (!best || met < best[2]) best = [left, top, met];
      if (!met) break;
    }
    return best[2] === 0 ? best : null;
  }

  const POINTERS = ["M1 1v15l4-4 3 6 2-1-3-6h5z", "M2 1l13 8-6 1-3 6z"];
  // A mark where each press lands, as some harnesses leave it, and a mouse pointer as others record it.
  function follow(kind, seed) {
    const { roll, pick } = dice(seed), root = here.layer(), colour = pick(["#ef4444", "#2563eb", "#f59e0b", "#22c55e", "#d946ef"]), size = Math.round(10 + 12 * roll());
    const skin = "position:fixed;pointer-events:none;z-index:2147483646;box-sizing:border-box;";
    if (kind === "marks") {
      const ring = roll() < 0.5;
      window.addEventListener("pointerdown", event => root.append(element("", `${skin}left:${event.clientX - size / 2}px;top:${event.clientY - size / 2}px;width:${size}px;height:${size}px;` +
        `border-radius:50%;${ring ? `border:2px solid ${colour}` : `background:${colour}aa`}`)), { capture: true });
      return;
    }
    const arrow = element(`<svg width="17" height="20"><path d="${pick(POINTERS)}" fill="#fff" stroke="#000"/></svg>`, `${skin}left:0;top:0;`);
    root.append(arrow);
    window.addEventListener("mousemove", event => { arrow.style.left = event.clientX + "px"; arrow.style.top = event.clientY + "px"; }, { capture: true });
  }

  // Draws an ambient change beside everything in `avoid` and beside all texts and pictures; returns its box [x, y, w, h], or null where it finds no room.
  here.noise = (kind, seed, avoid) => {
    if (kind === "caret") here.blink(true);
    if (kind === "marks" || kind === "cursor") follow(kind, seed);
    if (kind === "caret" || kind === "marks" || kind === "cursor") return [0, 0, 0, 0];
    const { roll, pick } = dice(seed), u = unit(), accent = pick(ACCENTS), [paper, ink] = pick(PAPERS);
    const sizes = { clock: [110, 30], spinner: [34, 34], gif: [90, 60], carousel: [260, 120], toast: [240, 54], video: [220, 130], ad: [250, 100] };
    const [width, height] = sizes[kind].map(side => Math.round(side * u * (0.8 + 0.5 * roll())));
    const spot = place(roll, width, height, [...avoid, ...here.texts()]);
    if (!spot) return null;
    const box = element("", `position:fixed;left:${spot[0]}px;top:${spot[1]}px;width:${width}px;height:${height}px;overflow:hidden;pointer-events:none;box-sizing:border-box;` +
      `z-index:2147483500;font:${Math.round(14 * u)}px/1.3 ${pick(FONTS)};color:${ink};background:${kind === "spinner" ? "transparent" : paper};border-radius:${pick([0, 4, 8])}px`);
    const root = here.layer();
    keyframes(root);
    const rate = 150 + 450 * roll();
    let count = Math.floor(roll() * 1000);
    const every = (ms, draw) => { draw(count); setInterval(() => draw(++count), ms); };
    const two = n => String(n % 60).padStart(2, "0");
    if (kind === "clock") { box.style.textAlign = "center"; every(rate, n => { box.textContent = `${9 + Math.floor(n / 3600) % 12}:${two(Math.floor(n / 60))}:${two(n)}`; }); }
    if (kind === "spinner") box.innerHTML = spin(Math.min(width, height), accent);
    if (kind === "gif") every(rate / 2, n => { box.style.background = `linear-gradient(${(n * 40) % 360}deg, ${accent}, ${paper})`; box.textContent = "★".repeat(1 + n % 4); });
    if (kind === "carousel") every(rate * 2, n => { box.style.background = ACCENTS[n % ACCENTS.length]; box.style.color = "#fff"; box.innerHTML = `<b style="font-size:1.3em;padding:1em;display:block">${WORLDS[n % WORLDS.length]}</b>`; });
    if (kind === "video") every(90, n => { box.style.background = `radial-gradient(circle at ${50 + 40 * Math.sin(n / 5)}% ${50 + 30 * Math.cos(n / 7)}%, ${accent} 0 20%, #222 60%)`; });
    if (kind === "toast" || kind === "ad") {  // comes or goes once, about when the action is sent
      box.style.boxShadow = "0 3px 12px #0004";
      box.innerHTML = kind === "toast" ? `<div style="padding:.7em">${pick(["New message from Kim", "Backup complete", "Anna joined the call", "2 updates are ready", "Copied 3 files"])}</div>` :
        `<div style="padding:.6em;background:${accent};color:#fff;height:100%"><small>Ad</small><br><b>${pick(["Summer sale", "Try Pro for free", "Fly for 49"])}</b></div>`;
      const visible = roll() < 0.5;
      box.style.visibility = visible ? "visible" : "hidden";
      here.onAction = () => setTimeout(() => { box.style.visibility = visible ? "hidden" : "visible"; }, 60 * roll());
    }
    root.append(box);
    return [spot[0], spot[1], width, height];
  };

  here.paint = { dice, unit, said, FONTS };

  const still = new CSSStyleSheet();
  still.replaceSync("* { caret-animation: manual }");
  here.blink = on => { document.adoptedStyleSheets = on ? [] : [still]; };
  here.blink(false);
})();
