// Messages stay until they are closed: what goes by itself would be an effect of no action.
(() => {
  const stay = () => {
    if (!window.RED || !RED.notify) return setTimeout(stay, 20);
    const tell = RED.notify;
    RED.notify = (text, kind, fixed, time) =>
      kind && typeof kind === "object" ? tell(text, { ...kind, timeout: 1e9 }) : tell(text, kind, fixed, 1e9);
  };
  stay();
})();
