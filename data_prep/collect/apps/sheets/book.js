// What stands in the spreadsheets: tables as offices have them, drawn from the seed. A cell is [row, column, value].
window.makeBook = seed => {
  let state = seed | 0;
  const roll = () => {
    state = (state + 0x6D2B79F5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const whole = (low, high) => low + Math.floor(roll() * (high - low + 1));
  const pick = list => list[whole(0, list.length - 1)];
  const some = (list, count) => { const left = [...list]; return Array.from({ length: Math.min(count, left.length) }, () => left.splice(whole(0, left.length - 1), 1)[0]); };
  const people = ["Amira", "Bjorn", "Chen", "Daria", "Emeka", "Flora", "Goran", "Hana", "Isak", "Joana", "Kofi", "Linh"];
  const towns = ["Aarhus", "Bilbao", "Cork", "Dresden", "Essen", "Faro", "Genoa", "Hull", "Izmir"];
  const goods = ["Paper", "Toner", "Chairs", "Desks", "Cables", "Screens", "Lamps", "Pens", "Folders", "Mugs"];
  const costs = ["Rent", "Heating", "Salaries", "Travel", "Insurance", "Repairs", "Software", "Training", "Postage"];
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"];
  const tables = {
    Budget: () => [["Item", ...months.slice(0, whole(3, 6))], costs, () => whole(40, 4000)],
    Stock: () => [["Article", "Shelf", "In stock", "Minimum", "Price"], goods, column => (column === 1 ? `${pick("ABCD")}${whole(1, 9)}` : column === 4 ? whole(10, 900) / 10 : whole(0, 60))],
    Shifts: () => [["Name", "Mon", "Tue", "Wed", "Thu", "Fri"], people, () => pick(["early", "late", "night", "off"])],
    Marks: () => [["Pupil", "Maths", "Biology", "History", "Art"], people, () => whole(1, 15)],
    Visitors: () => [["Town", "2022", "2023", "2024", "Change"], towns, column => (column === 4 ? `${whole(-9, 20)} %` : whole(120, 9900))],
    Tasks: () => [["Task", "Owner", "Hours", "State"], ["Draft", "Review", "Layout", "Print", "Send", "Archive", "Invoice"], column => (column === 1 ? pick(people) : column === 2 ? whole(1, 12) : pick(["open", "started", "done"]))],
  };
  return some(Object.keys(tables), whole(1, 3)).map(name => {
    const [heads, firsts, make] = tables[name](), top = whole(0, 2), left = whole(0, 1);
    const cells = heads.map((head, c) => [top, left + c, head, true]);
    some(firsts, whole(4, 9)).forEach((first, r) => {
      cells.push([top + 1 + r, left, first]);
      heads.slice(1).forEach((_, c) => { if (roll() < 0.92) cells.push([top + 1 + r, left + 1 + c, make(c + 1)]); });
    });
    return { name, cells, colour: pick(["#dbeafe", "#dcfce7", "#fef3c7", "#fce7f3", "#e5e7eb", ""]) };
  });
};
