import { h } from "../kit.js";
import * as words from "../words.js";

export function chat(ui, d) {
  const rooms = d.some(words.FIRST, d.whole(4, 6)).map((first, id) => ({ id, name: d.chance(0.7) ? `${first} ${d.pick(words.LAST)}` : `${first}'s team`, unread: d.pick([0, 0, 1, 2, 3, 7]), pinned: d.chance(0.2), muted: d.chance(0.2),
    messages: Array.from({ length: d.whole(2, 4) }, () => ({ text: d.pick(words.SENTENCES), mine: d.chance(0.4), thumbs: d.whole(0, 4), thumbed: false })) }));
  const model = { rooms, open: d.whole(0, rooms.length - 1), draft: "", status: "Available" };
  const unread = () => rooms.reduce((sum, room) => sum + room.unread, 0);
  const bubble = message => {
    const thumbs = ui.button(`👍 ${message.thumbs}`, () => { message.thumbed = !message.thumbed; message.thumbs += message.thumbed ? 1 : -1; thumbs.textContent = `👍 ${message.thumbs}`; }, { small: true });
    return h("div", { class: `k-bubble ${message.mine ? "k-mine" : ""}` }, h("div", {}, message.text), !message.mine && thumbs);
  };
  const talk = () => {
    const room = rooms[model.open];
    const field = ui.input(`Message to ${room.name}`, model.draft, text => { model.draft = text; }, { placeholder: "Write a message", bare: true, enter: () => send() });
    const send = () => { if (!model.draft.trim()) return; room.messages.push({ text: model.draft.trim(), mine: true, thumbs: 0 }); model.draft = ""; ui.redraw(); };
    return [ui.row(ui.face(room.name), ui.heading(room.name), ui.like("pin", "Pin this chat", room.pinned, on => { room.pinned = on; }), ui.like("bell", "Mute this chat", room.muted, on => { room.muted = on; }),
      ui.menu("Chat options", [["Clear history", () => { room.messages = []; ui.redraw(); }], ["Mark as unread", () => { room.unread = 1; ui.count(); }], ["Block", () => ui.ask(`Block ${room.name}?`, "You will get no more messages.", "Block", () => { room.blocked = true; ui.toast(`${room.name} is blocked`); })]])),
    h("div", { class: "k-bubbles" }, room.messages.map(bubble)), ui.row(ui.iconButton("image", "Attach a picture", () => ui.toast("No pictures on this device")), field, ui.iconButton("send", "Send", send))];
  };
  const list = () => [ui.row(ui.heading("Chats"), ui.button("New chat", () => ui.prompt("New chat", "Name", "", "Start", name => { rooms.push({ id: rooms.length, name, unread: 0, messages: [] }); model.open = rooms.length - 1; ui.go(1); }), { icon: "plus", small: true })),
    ui.list([...rooms].sort((a, b) => b.pinned - a.pinned).map(room => ({ lead: ui.face(room.name), title: room.name, note: room.messages.length ? room.messages[room.messages.length - 1].text : "No messages", strong: room.unread > 0, open: () => { model.open = room.id; room.unread = 0; model.draft = ""; ui.go(1); },
      tail: [room.unread ? ui.badge(room.unread) : "", ui.iconButton("check", `Mark ${room.name} as read`, () => { room.unread = 0; ui.redraw(); ui.count(); }, { disabled: !room.unread })] })))];
  const people = () => [ui.heading("People"), ui.list((model.people ??= d.some(words.FIRST, 6).map(name => ({ name: `${name} ${d.pick(words.LAST)}`, friend: d.chance(0.4) }))).map(one => ({ lead: ui.face(one.name), title: one.name, note: one.friend ? "Contact" : "Not in your contacts", tail: ui.button(one.friend ? "Remove" : "Add", () => { one.friend = !one.friend; ui.redraw(); }, { small: true, kind: one.friend ? "plain" : "primary" }) })))];
  const profile = () => [ui.heading("Profile"), ui.radios("Status", ["Available", "Busy", "Away", "Invisible"], model.status, value => { model.status = value; }), ui.card("", ui.input("Status message", model.motto ??= d.pick(["At the desk until 5", "On holiday", "Call me anytime"]), text => { model.motto = text; }), ["Read receipts", "Enter sends", "Previews"].map(label => ui.toggle(label, model[label] ??= d.chance(0.5), on => { model[label] = on; })))];
  return { title: d.pick(["Banter", "Talkline", "Messages"]), model, sections: [{ icon: "chat", label: "Chats", count: unread, build: list }, { icon: "send", label: "Conversation", build: talk }, { icon: "users", label: "People", build: people }, { icon: "user", label: "Profile", build: profile }] };
}
