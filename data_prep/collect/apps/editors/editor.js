// A page around a rich text editor (mail, blog, wiki, ticket), its document, and what a collector must know of it.
// The library's own page calls `frame(seed)`, starts the library on #text, and then `ready({ html, select })`.
const query = new URLSearchParams(location.search), dark = query.get("dark") === "1";
let state = (+query.get("seed") || 1) | 0;
const roll = () => {
  state = (state + 0x6D2B79F5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const whole = (low, high) => low + Math.floor(roll() * (high - low + 1));
const pick = list => list[whole(0, list.length - 1)];
const some = (list, count) => { const left = [...list]; return Array.from({ length: Math.min(count, left.length) }, () => left.splice(whole(0, left.length - 1), 1)[0]); };

const HEADS = ["Plan for the autumn", "How we store samples", "Minutes of the board", "Moving to the new office", "A week in Madeira", "Caring for tomatoes", "Release notes", "House rules", "Travel costs", "Our first year"];
const LINES = ["The new rooms will be ready in October, a month later than planned.", "Every parcel gets a label with the date and the initials of the packer.", "Please tell the front desk when you expect guests.", "The harbour is a short walk from the hotel.", "Water them in the morning, never at noon.", "Forty people signed up within two days.", "Receipts must be handed in before the end of the month.", "The old printer will be collected on Friday.", "We changed the colours of the map and made the letters larger.", "Nobody has to work on the last Monday of the year.", "Take the second exit and follow the river.", "Prices include breakfast and a map of the town."];
const POINTS = ["Bring a pen", "Two copies of the form", "Check the list twice", "Ask Rosa for the key", "Close the windows", "Bread, butter, olives", "Train at 8:40", "Call the museum"];
const NAMES = ["Rosa Lind", "Timo Hahn", "Ayla Demir", "Pavel Novy", "Greta Moss"];

function documentOf() {
  const parts = [`<h2>${pick(HEADS)}</h2>`, ...some(LINES, whole(1, 3)).map(line => `<p>${line}</p>`)];
  if (roll() < 0.6) parts.splice(whole(1, parts.length), 0, `<${pick(["ul", "ul", "ol"])}>${some(POINTS, whole(2, 4)).map(point => `<li>${point}</li>`).join("")}</ul>`);
  if (roll() < 0.3) parts.push(`<table border="1"><tbody>${some(POINTS, 2).map(point => `<tr><td>${point}</td><td>${whole(1, 60)}</td></tr>`).join("")}</tbody></table>`);
  return parts.join("");
}

let made = 0;
const field = (label, value) => `<div class="field"><label for="f${++made}">${label}</label><input id="f${made}" value="${value}" autocomplete="off"></div>`;
const tick = (label, on) => `<label class="tick"><input type="checkbox" ${on ? "checked" : ""}> ${label}</label>`;
const list = (label, options) => `<div class="field"><label for="f${++made}">${label}</label><select id="f${made}">${options.map(option => `<option>${option}</option>`).join("")}</select></div>`;
const buttons = names => names.map(([name, words]) => `<button type="button" data-says="${words || ""}">${name}</button>`).join("");
const FRAMES = {
  mail: () => [`New message`, field("To", `${pick(NAMES).split(" ")[0].toLowerCase()}@example.org`) + field("Subject", pick([pick(HEADS), ""])), buttons([["Send", "Message sent"], ["Save draft", "Draft saved"], ["Discard", "Draft discarded"]]) + tick("Ask for a receipt", roll() < 0.3)],
  blog: () => [`Edit post`, field("Title", pick(HEADS)) + list("Category", some(["Travel", "Garden", "Work", "News", "Food"], 4)), tick("Published", roll() < 0.5) + tick("Allow comments", roll() < 0.5) + buttons([["Update", "Post updated"], ["Preview", "The preview is open in another window"]])],
  wiki: () => [`Team handbook`, "", buttons([["Save page", "Page saved"], ["Cancel", "Changes discarded"]]) + tick("Minor edit", roll() < 0.3) + tick("Watch this page", roll() < 0.5)],
  ticket: () => [`Ticket ${whole(1000, 9999)}`, list("Status", ["Open", "Waiting", "Solved"]) + list("Assignee", NAMES), buttons([["Reply", "Reply added"], ["Internal note", "Note added"]]) + tick("Close the ticket", false)],
};

function frame() {
  const [title, above, below] = FRAMES[pick(Object.keys(FRAMES))]();
  const hue = whole(0, 359), wide = pick([720, 860, 1000]);
  document.body.classList.toggle("dark", dark);
  document.body.style.cssText = `--main:hsl(${hue} 60% ${dark ? 65 : 38}%);--paper:${dark ? "#222" : "#fff"};--page:${dark ? "#151618" : pick(["#f3f4f6", "#fff", "#faf7f2", "#eef2f7"])};--ink:${dark ? "#e6e6e6" : "#222"};font-family:${pick(["Arial", "'Noto Sans'", "'Liberation Serif'", "'DejaVu Sans'"])},sans-serif`;
  document.body.innerHTML = `<header><b>${title}</b><span id="said" role="status"></span></header><main style="max-width:${wide}px"><div class="above">${above}</div><div id="bar"></div><div id="text">${documentOf()}</div><div class="below">${below}</div></main>`;
  document.title = title;
  let count = 0;
  for (const button of document.querySelectorAll("[data-says]")) button.addEventListener("click", () => { count += 1; said.textContent = `${button.dataset.says} (${count})`; });
}

const BLOCKS = "h1,h2,h3,h4,p,li,td,pre,blockquote";
const inner = block => !block.querySelector(BLOCKS) && block.innerText.trim();
const clean = text => text.replace(/\s+/g, " ").trim();
const ROLE = { LI: "list item", TD: "table cell", P: "paragraph", PRE: "paragraph", BLOCKQUOTE: "quotation" };

function ready({ html, select }) {
  const text = () => document.querySelector("#text") && document.querySelector("#text").isContentEditable ? document.querySelector("#text") : document.querySelector("[contenteditable=true]");
  const blocks = () => [...text().querySelectorAll(BLOCKS)].filter(inner);
  const seen = box => box.width > 4 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
  const free = (box, block) => { const top = viscritic.at(box.left + box.width / 2, box.top + box.height / 2); return !!top && (top === block || block.contains(top)); };
  window.editor = {
    blocks: () => blocks().map(block => { const range = document.createRange(); range.selectNodeContents(block); return [block, range.getClientRects()[0]]; }).filter(([block, box]) => box && seen(box) && free(box, block))
      .map(([block, box]) => [viscritic.pathOf(block), ROLE[block.tagName] || "heading", clean(block.innerText), [box.x, box.y, box.width, box.height], block.getClientRects().length === 1 && block.getBoundingClientRect().height < box.height * 2]),
    words: () => blocks().flatMap(block => {
      const found = [], walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) for (const match of node.data.matchAll(/[A-Za-z]{4,}/g)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const box = range.getBoundingClientRect();
        if (seen(box) && free(box, block)) found.push([viscritic.pathOf(block), match[0], [box.x, box.y, box.width, box.height]]);
      }
      return found;
    }),
    hit: (x, y) => { const top = viscritic.at(x, y), block = top && text().contains(top) && top.closest(BLOCKS); return block && inner(block) ? viscritic.pathOf(block) : ""; },
    mark: number => { const found = editor.words(); if (found.length) select(found[number % found.length]); },
    state: () => ({ html: html(), said: said.textContent }),
  };
  window.editorReady = true;
}
// Marks a word; a library has its own way to give the text the focus first.
const markWord = ([path, word]) => {
  const walker = document.createTreeWalker(viscritic.find(path), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.data.indexOf(word);
    if (at >= 0) return getSelection().setBaseAndExtent(node, at, node, at + word.length);
  }
};
