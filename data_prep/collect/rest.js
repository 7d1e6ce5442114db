// Tells when a page has come to rest: nothing changes, nothing moves, and no short timer is about to go off.
// A timer's own timers count too, but only a few times over: what goes on for ever is no effect of an action.
(() => {
  if (window.viscriticRest) return;
  const LONGEST = 900;  // ms; a timer that waits longer is not waited for
  const DEEPEST = 4;
  const later = window.setTimeout, forget = window.clearTimeout;
  const due = new Set();
  let changed = performance.now(), changes = 0, depth = 0;
  window.setTimeout = function (work, delay, ...rest) {
    if (typeof work !== "function") return later(work, delay, ...rest);
    const mine = depth + 1;
    const id = later(function (...args) {
      const outer = depth;
      due.delete(id);
      depth = mine;
      try { return work.apply(this, args); } finally { depth = outer; }
    }, delay, ...rest);
    if (!(delay > LONGEST) && mine <= DEEPEST) due.add(id);
    return id;
  };
  window.clearTimeout = id => { due.delete(id); forget(id); };

  const touch = () => { changed = performance.now(); changes += 1; };
  new MutationObserver(touch).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (const type of ["input", "scroll", "load"]) window.addEventListener(type, touch, { capture: true, passive: true });

  const moves = animation => {
    const effect = animation.effect;
    return animation.playState === "running" && effect && isFinite(effect.getComputedTiming().endTime);
  };
  // How many tabs the page has opened: each comes in front a moment later.
  let opened = 0;
  const open = window.open;
  window.open = function (...args) { opened += 1; return open.apply(this, args); };
  window.addEventListener("click", event => {
    const link = event.target.closest && event.target.closest("a[href][target=_blank]");
    if (link && !event.defaultPrevented) opened += 1;
  });

  // How often anything has changed; one page begins where another ends in no other number.
  const born = performance.timeOrigin;
  window.viscriticChanges = () => [born, changes];
  // Resolves to {quiet, opened, at}: at is `viscriticChanges`, quiet is true when nothing has happened for `least` ms and all is painted, and false
  // when `limit` ms were not enough.
  window.viscriticRest = (least, limit) => new Promise(done => {
    const end = performance.now() + limit;
    const look = () => {
      const now = performance.now();
      if (now >= end) return done({ quiet: false, opened, at: [born, changes] });
      if (now - changed < least || document.readyState !== "complete" || due.size || document.getAnimations().some(moves)) return later(look, 12);
      requestAnimationFrame(() => later(() => done({ quiet: true, opened, at: [born, changes] }), 0));
    };
    look();
  });
})();
