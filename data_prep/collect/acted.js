// What the collector makes a page do: ask a server first, confirm, reject a form, lose a letter, move the
// focus, hang. Each waits for the next action and happens once.
(() => {
  const here = window.viscritic;
  if (!here || here.acted) return;
  here.acted = true;
  const { dice, unit, said, FONTS } = here.paint;

  // The next click on `target`, or the next Enter in it where `enters`, asks a server first, as pages do: waiting is
  // shown, then the click goes on or a failure is shown. An Enter does not go on. `address` is asked.
  here.ask = (target, address, seed, enters) => {
    let asked = false;
    here.guard(event => {
      const path = event.composedPath();
      const label = path.find(n => n.localName === "label");
      if (!asked && !path.includes(target) && !(label && label.control === target)) return;
      if (!asked && enters && event.key !== "Enter") return;  // what is typed before it arrives
      event.stopImmediatePropagation();
      if (event.cancelable && !event.type.startsWith("touch")) event.preventDefault();  // a touch must become a click
      if (asked || event.type !== (enters ? "keydown" : "click")) return;
      asked = true;
      const sign = here.waiting(seed, target);
      const fail = status => { sign.remove(); here.failing(seed + 1, status, target); };
      fetch(address).then(answer => {
        if (!answer.ok) return fail(answer.status);
        sign.remove();
        here.guard(null);
        target.click();
      }, () => fail(0));
    });
  };

  // Calls `then` at the first click on `target` in place of what the page would do.
  function instead(target, then) {
    let done = false;
    here.guard(event => {
      const path = event.composedPath(), label = path.find(n => n.localName === "label");
      if (!path.includes(target) && !(label && label.control === target)) return;
      event.stopImmediatePropagation();
      if (event.cancelable && !event.type.startsWith("touch")) event.preventDefault();
      if (event.type === "click" && !done) { done = true; then(); }
    });
  }

  const DONE = ["Saved", "Done", "Copied to clipboard", "Changes saved", "Added", "All set", "Request sent", "Updated"];
  // A click on `target` is carried out and confirmed: in the store for ever, in a message that goes (or stays).
  here.confirm = (target, seed, stays) => instead(target, () => {
    const { pick, roll } = dice(seed), u = unit(), key = "done " + here.pathOf(target);
    const [paper, ink] = pick([["#166534", "#fff"], ["#dcfce7", "#14532d"], ["#111827", "#f9fafb"], ["#fff", "#166534"], ["#1d4ed8", "#fff"]]);
    localStorage.setItem(key, 1 + Number(localStorage.getItem(key) || 0));
    const side = pick(["right:16px;top:16px", "right:16px;bottom:16px", "left:50%;bottom:24px;transform:translateX(-50%)", "left:50%;top:16px;transform:translateX(-50%)"]);
    const note = said(`✓&nbsp; ${pick(DONE)}`, `font:${Math.round(15 * u)}px/1.4 ${pick(FONTS)};position:fixed;${side};background:${paper};color:${ink};padding:${10 * u}px ${18 * u}px;border-radius:${pick([3, 8, 20])}px;box-shadow:0 4px 16px #0005`);
    if (!stays) setTimeout(() => note.remove(), 700 + 150 * roll());
  });

  const EMPTY = ["This field is required.", "Please fill out this field.", "Required", "This value should not be blank.", "Please enter a value.", "Can't be empty"];
  const REFUSED = ["Please correct the errors below.", "The form contains errors.", "Some fields are missing.", "Could not submit: check the marked fields."];
  // A click on `target` finds required `fields` empty: each says so beside it, and nothing is sent.
  here.reject = (target, fields, seed) => instead(target, () => {
    const { pick, roll } = dice(seed), u = unit(), red = pick(["#dc2626", "#b91c1c", "#e11d48"]), words = pick(EMPTY), font = `font:${Math.round(13 * u)}px/1.3 ${pick(FONTS)};`;
    const below = roll() < 0.75;
    for (const field of fields) {
      const box = field.getBoundingClientRect();
      field.style.outline = `2px solid ${red}`;
      if (below) said(words, `${font}position:fixed;left:${box.left}px;top:${Math.min(box.bottom + 2, innerHeight - 20)}px;color:${red};background:#fff;padding:0 3px`).setAttribute("data-vc-rejected", "");
    }
    if (!below || roll() < 0.4) said(pick(REFUSED), `${font}position:fixed;left:50%;top:12px;transform:translateX(-50%);background:#fee2e2;color:${red};border:1px solid ${red};padding:${8 * u}px ${16 * u}px;border-radius:4px`).setAttribute("data-vc-rejected", "");
  });

  // The `lost`-th letter that is typed from now on does not arrive.
  here.lose = lost => {
    let count = 0;
    here.guard(event => {
      if (event.type !== "keydown" || event.key.length !== 1 || event.ctrlKey) return;
      if (count++ === lost) { event.stopImmediatePropagation(); event.preventDefault(); }
    });
  };

  // When `field` gets a press, `thief` gets the focus a moment later.
  here.steal = (field, thief) => {
    window.addEventListener("mouseup", event => {
      if (event.composedPath().includes(field)) setTimeout(() => thief ? thief.focus() : field.blur(), 0);
    }, { capture: true, once: true });
  };

  // A click on `target` shows that the page works, and then the page stops: its only thread waits for `address`.
  here.hang = (target, address, seed) => instead(target, () => {
    here.waiting(seed, target);
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
      const request = new XMLHttpRequest();
      request.open("GET", address, false);
      try { request.send(); } catch (_) { /* released */ }
    }, 30)));
  });

  // Makes something look pale: what is pale may still work.
  here.fade = (target, seed) => { target.style.opacity = 0.5 + 0.15 * dice(seed).roll(); };
})();
