// Small things that every skin and every application of the kit uses.

export function dice(seed) {  // the same seed, the same application
  let state = seed | 0;
  const roll = () => {
    state = (state + 0x6D2B79F5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const whole = (low, high) => low + Math.floor(roll() * (high - low + 1));
  const pick = list => list[whole(0, list.length - 1)];
  const some = (list, count) => {
    const left = [...list];
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(whole(0, left.length - 1), 1)[0]);
  };
  return { roll, whole, pick, some, chance: share => roll() < share };
}

// An element: attributes, "on..." handlers, children (nodes, texts, lists of them; what is empty is left out).
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name.startsWith(".")) node[name.slice(1)] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(4).filter(child => child !== null && child !== undefined && child !== false && child !== ""));
  return node;
}

// Drawn by hand on a grid of 24: strokes only, so that a skin can choose width and colour.
const PATHS = {
  archive: "M3 4h18v5H3zM5 9v11h14V9M9 13h6", trash: "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6",
  star: "M12 3l2.8 5.8 6.2.9-4.5 4.4 1.1 6.3L12 17.4 6.4 20.4l1.1-6.3L3 9.7l6.2-.9z", heart: "M12 20S3 14.5 3 8.5A4.5 4.5 0 0 1 12 7a4.5 4.5 0 0 1 9 1.5C21 14.5 12 20 12 20z",
  mail: "M3 5h18v14H3zM3 6l9 7 9-7", send: "M3 11L21 3l-7 18-3-8z", inbox: "M3 13l3-9h12l3 9v7H3zM3 13h5l2 3h4l2-3h5", flag: "M5 21V4h13l-3 4 3 4H5",
  plus: "M12 5v14M5 12h14", minus: "M5 12h14", close: "M6 6l12 12M18 6L6 18", check: "M4 12l6 6L20 6", search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 2v4M12 18v4M2 12h4M18 12h4M5 5l2.8 2.8M16.2 16.2L19 19M19 5l-2.8 2.8M7.8 16.2L5 19", bell: "M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-5 4-7 8-7s8 2 8 7", users: "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2 20c0-4 3-6 7-6s7 2 7 6M16 5a3.5 3.5 0 0 1 0 7M18 14c3 1 4 3 4 6",
  home: "M3 11l9-8 9 8M5 10v11h14V10M10 21v-6h4v6", cart: "M2 4h3l3 11h10l3-8H6M9 19.5a1.2 1.2 0 1 0 .1 0M17 19.5a1.2 1.2 0 1 0 .1 0", tag: "M3 3h9l9 9-9 9-9-9zM7.5 7.5h.1",
  play: "M7 4l13 8-13 8z", pause: "M8 4v16M16 4v16", next: "M5 5l9 7-9 7zM18 5v14", back: "M19 5l-9 7 9 7zM6 5v14", shuffle: "M3 6h4l10 12h4M3 18h4L17 6h4M18 3l3 3-3 3M18 15l3 3-3 3", repeat: "M4 12V8h13M14 5l3 3-3 3M20 12v4H7M10 13l-3 3 3 3",
  volume: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11", mute: "M4 9v6h4l5 4V5L8 9zM16 9l5 6M21 9l-5 6", music: "M9 18V5l11-2v13M6.5 15.5a2.5 2.5 0 1 0 .1 0M17.5 13.5a2.5 2.5 0 1 0 .1 0", list: "M8 6h13M8 12h13M8 18h13M3.5 6h.1M3.5 12h.1M3.5 18h.1",
  calendar: "M3 5h18v16H3zM3 10h18M8 3v4M16 3v4", clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l4 2", left: "M15 5l-7 7 7 7", right: "M9 5l7 7-7 7", up: "M5 15l7-7 7 7", down: "M5 9l7 7 7-7",
  folder: "M3 5h7l2 3h9v12H3z", file: "M6 3h9l4 4v14H6zM14 3v5h5", image: "M3 4h18v16H3zM3 17l6-6 5 5 3-3 4 4M15.5 8.5h.1", grid: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z", download: "M12 3v12M7 10l5 5 5-5M4 20h16", share: "M6 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM18 3.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM18 15.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8.3 11l7.4-4M8.3 13l7.4 4",
  edit: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4", lock: "M5 11h14v10H5zM8 11V7a4 4 0 0 1 8 0v4", unlock: "M5 11h14v10H5zM8 11V7a4 4 0 0 1 7.5-2", sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2", moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  bulb: "M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0c-1 1-1 2-1 4H9c0-2 0-3-1-4z", phone: "M5 3h4l2 5-3 2a12 12 0 0 0 6 6l2-3 5 2v4c0 1-1 2-2 2A17 17 0 0 1 3 5c0-1 1-2 2-2z", pin: "M9 3h6l-1 6 4 4H6l4-4zM12 13v8", chat: "M3 4h18v13H10l-5 4v-4H3z", refresh: "M20 11a8 8 0 1 0-2 6M20 4v7h-7", more: "M5 12h.1M12 12h.1M19 12h.1", menu: "M3 6h18M3 12h18M3 18h18",
  thumb: "M3 11h4v10H3zM7 12l4-9c2 0 3 1 3 3v4h6c1 0 1 1 1 2l-2 7c0 1-1 2-2 2H7", card: "M2 5h20v14H2zM2 10h20M6 15h4", chart: "M4 20V10M10 20V4M16 20v-7M21 20H3", globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18", eye: "M2 12c5-9 15-9 20 0-5 9-15 9-20 0zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z", wifi: "M2 9a15 15 0 0 1 20 0M5 13a10 10 0 0 1 14 0M8.5 16.5a5 5 0 0 1 7 0M12 20h.1", save: "M4 4h13l3 3v13H4zM8 4v5h7V4M8 20v-6h8v6", swap: "M7 4L3 8l4 4M3 8h18M17 12l4 4-4 4M21 16H3",
  bookmark: "M6 3h12v18l-6-5-6 5z", filter: "M3 5h18l-7 8v7l-4-2v-5z", info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v6M12 7.5h.1", seat: "M7 4v9h10V4M5 13h14v4H5zM7 17v4M17 17v4", truck: "M2 6h12v11H2zM14 10h5l3 4v3h-8zM6 19.5a1.5 1.5 0 1 0 .1 0M17 19.5a1.5 1.5 0 1 0 .1 0",
};

export function icon(name, { width = 2, filled = false, size = 20 } = {}) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const looks = { viewBox: "0 0 24 24", width: size, height: size, fill: filled ? "currentColor" : "none", stroke: "currentColor",
    "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" };
  for (const [key, value] of Object.entries(looks)) svg.setAttribute(key, value);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name] || PATHS.info);
  svg.append(path);
  return svg;
}
