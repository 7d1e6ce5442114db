import { bank } from "./bank.js";
import { calendar } from "./calendar.js";
import { chat } from "./chat.js";
import { feed } from "./feed.js";
import { files } from "./files.js";
import { house } from "./house.js";
import { mail } from "./mail.js";
import { player } from "./player.js";
import { settings } from "./settings.js";
import { shop } from "./shop.js";
import { tracker } from "./tracker.js";
import { travel } from "./travel.js";

export const APPS = { bank, calendar, chat, feed, files, house, mail, player, settings, shop, tracker, travel };
