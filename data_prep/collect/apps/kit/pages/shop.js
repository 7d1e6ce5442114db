import * as words from "../words.js";

export function shop(ui, d) {
  const goods = d.some(words.GOODS, d.whole(6, 9)).map(([name, sign], id) => ({ id, name, sign, price: d.whole(3, 90) + d.pick([0, 0.5, 0.99]), hue: d.whole(0, 359), stars: d.whole(2, 5), stock: d.whole(0, 12) }));
  const model = { cart: {}, loved: goods.filter(() => d.chance(0.25)).map(good => good.id), coupon: "", off: 0, sort: "Featured", ordered: 0, open: null };
  for (const good of d.some(goods, d.whole(1, 3))) model.cart[good.id] = d.whole(1, 4);
  const money = value => `€ ${value.toFixed(2)}`;
  const inCart = () => Object.values(model.cart).reduce((sum, n) => sum + n, 0);
  const total = () => goods.reduce((sum, good) => sum + good.price * (model.cart[good.id] || 0), 0) * (1 - model.off);
  const add = good => { model.cart[good.id] = (model.cart[good.id] || 0) + 1; ui.count(); if (ui.loud) ui.toast(`${good.name} added`); };
  ui.loud = d.chance(0.5);
  const drawn = d.chance(0.4);
  const love = good => ui.like("heart", `Add ${good.name} to wish list`, model.loved.includes(good.id), on => { model.loved = on ? [...model.loved, good.id] : model.loved.filter(id => id !== good.id); ui.count(); });
  const tile = good => ui.card("", ui.picture(good.sign, good.hue), ui.link(good.name, () => { model.open = good.id; ui.redraw(); }), ui.row(ui.badge(money(good.price)), love(good)), ui.button("Add to cart", () => add(good), { kind: "primary", small: true, icon: drawn && "cart" }));
  const detail = good => [ui.button("Back to all products", () => { model.open = null; ui.redraw(); }, { icon: "left" }), ui.card(good.name, ui.picture(good.sign, good.hue), ui.text(`${money(good.price)} — ${good.stock ? `${good.stock} in stock` : "Sold out"}`),
    ui.radios("Colour", ["Black", "White", "Green"], model.colour ??= "Black", value => { model.colour = value; }), ui.row(ui.button("Add to cart", () => add(good), { kind: "primary", disabled: !good.stock }), love(good)), ui.stars("Your rating", good.stars, n => { good.stars = n; }))];
  const sorted = () => [...goods].sort({ Featured: (a, b) => a.id - b.id, "Price: low to high": (a, b) => a.price - b.price, "Name": (a, b) => a.name.localeCompare(b.name) }[model.sort]);
  const browse = () => model.open !== null ? detail(goods[model.open]) : [ui.row(ui.heading("New arrivals"), ui.select("Sort by", ["Featured", "Price: low to high", "Name"], model.sort, value => { model.sort = value; ui.redraw(); }, { bare: true })), ui.grid(sorted().map(tile))];
  const cart = () => {
    const lines = goods.filter(good => model.cart[good.id]);
    if (!lines.length) return [ui.heading("Cart"), ui.text("Your cart is empty."), ui.button("Go shopping", () => ui.go(0), { kind: "primary" })];
    const sum = ui.text(""), draw = () => { sum.textContent = `Total: ${money(total())}${model.off ? " (coupon applied)" : ""}`; };
    draw();
    const coupon = ui.input("Coupon code", model.coupon, text => { model.coupon = text; });
    return [ui.heading("Cart"), ui.list(lines.map(good => ({ lead: ui.picture(good.sign, good.hue), title: good.name, note: money(good.price), tail: [ui.stepper(good.name, model.cart[good.id], n => { model.cart[good.id] = n; draw(); ui.count(); }, { least: 1, bare: true }),
      ui.iconButton("trash", `Remove ${good.name}`, () => { const n = model.cart[good.id]; delete model.cart[good.id]; ui.redraw(); ui.count(); ui.toast(`${good.name} removed`, () => { model.cart[good.id] = n; ui.redraw(); ui.count(); }); })] }))),
    ui.card("", coupon, ui.button("Apply", () => { if (model.coupon !== "SPRING") return ui.reject(coupon, "This code is not valid"); model.off = 0.1; ui.accept(coupon); draw(); }, { small: true })),
    ui.card("", sum, ui.check("Wrap as a gift", model.gift ??= false, on => { model.gift = on; }), ui.radios("Delivery", ["Standard", "Express", "Pick up"], model.delivery ??= "Standard", value => { model.delivery = value; }), ui.button("Checkout", () => ui.go(3), { kind: "primary" }))];
  };
  const wishes = () => { const loved = goods.filter(good => model.loved.includes(good.id)); return [ui.heading("Wish list"), loved.length ? ui.list(loved.map(good => ({ title: good.name, note: money(good.price), tail: [ui.button("Move to cart", () => { add(good); model.loved = model.loved.filter(id => id !== good.id); ui.redraw(); ui.count(); }, { small: true }), love(good)] }))) : ui.text("Nothing saved yet.")]; };
  const checkout = () => {
    const fields = ["Full name", "Street", "City"].map(label => [label, ui.input(label, model[label] || "", text => { model[label] = text; })]);
    const terms = ui.check("I accept the terms", model.terms ??= false, on => { model.terms = on; });
    return [ui.heading("Checkout"), ui.card("Address", fields.map(([, field]) => field), ui.select("Country", ["Austria", "Denmark", "Ireland", "Portugal", "Spain"], model.country ??= "Denmark", value => { model.country = value; })), ui.card("", terms, ui.button("Place order", () => {
      for (const [label, field] of fields) { ui.accept(field); if (!(model[label] || "").trim()) return ui.reject(field, `${label} is required`); }
      if (!model.terms) return ui.reject(terms, "Please accept the terms");
      model.ordered += 1;
      model.cart = {};
      ui.count();
      ui.dialog({ title: "Thank you!", text: "Your order has been placed.", buttons: [["Close", null, "primary"]] });
    }, { kind: "primary" }))];
  };
  return { title: d.pick(["Corner Store", "Lumen & Oak", "Market 21", "Pebble"]), model, begin: d.pick([0, 0, 1, 1, 2, 3]), tools: [{ icon: "search", label: "Search products", act: () => ui.prompt("Search products", "Product", "", "Search", word => { model.word = word; ui.toast(`No result for '${word}'`); }) }],
    sections: [{ icon: "tag", label: "Products", build: () => browse() }, { icon: "cart", label: "Cart", count: inCart, build: cart }, { icon: "heart", label: "Wish list", count: () => model.loved.length, build: wishes }, { icon: "truck", label: "Checkout", build: checkout }] };
}
