import { type HoursLine, hoursLines, type OpeningWeek, openingWeek } from "~/domain/opening-hours";

/** Settings of a shop from wrangler.toml's [vars], each with a working default. */
export interface ShopSettings {
  name: string;
  /** Origin of links in mails and of canonical links, without a trailing slash. */
  url: string;
  timezone: string;
  supportEmail: string;
  legalEmail: string;
  mailFrom: string;
  /** Domain at which the shop receives replies to its mails; "" where it receives none. */
  mailDomain: string;
  /** Postal address in one line, on receipts; empty for none. */
  address: string;
  phone: string;
  /** Place and time of collection, as in "It is ready at the counter, Tuesday to Saturday until 18:00." */
  pickup: string;
  /** Opening hours as they are displayed, and a map of the address; empty for none. */
  hours: HoursLine[];
  /** Opening hours as they are computed with. */
  week: OpeningWeek;
  mapUrl: string;
  /** The seller's number for sms: links. */
  sms: string;
  /** Links of the footer; "" for none. */
  social: { instagram: string; facebook: string; tiktok: string };
  /** URL of the owner's spreadsheet; "" for none or an invalid one. */
  inventorySheetUrl: string;
}

const settingsOf = new WeakMap<Env, ShopSettings>();

/** Returns the settings of the Worker's variables, which are read once. */
export function shopSettings(env: Env): ShopSettings {
  const existing = settingsOf.get(env);
  if (existing) return existing;
  const settings = readSettings(env);
  settingsOf.set(env, settings);
  return settings;
}

const DEFAULT_HOURS = "Tuesday to Saturday: 10:00 to 18:00; Sunday and Monday: closed";

function readSettings(env: Env): ShopSettings {
  const hours = hoursLines(env.SHOP_HOURS ?? DEFAULT_HOURS);
  const mailFrom = env.MAIL_FROM || "no-reply@emporia.example";
  return {
    name: env.SHOP_NAME || "Emporia",
    url: (env.SHOP_URL || "http://localhost:8787").replace(/\/+$/, ""),
    timezone: env.SHOP_TIMEZONE || "America/Toronto",
    supportEmail: env.SUPPORT_EMAIL || "hello@emporia.example",
    legalEmail: env.LEGAL_EMAIL || "legal@emporia.example",
    mailFrom,
    mailDomain: env.MAIL_DOMAIN?.trim() ?? domainOf(mailFrom),
    pickup: env.SHOP_PICKUP || "at the counter",
    address: env.SHOP_ADDRESS ?? "214 Queen Street West, Toronto",
    hours,
    week: openingWeek(hours),
    mapUrl: webUrl(env.SHOP_MAP_URL),
    phone: env.SHOP_PHONE || "+1 416 555 0142",
    sms: env.SELLER_SMS || "+14165550142",
    social: {
      instagram: webUrl(env.SOCIAL_INSTAGRAM ?? "https://www.instagram.com/"),
      facebook: webUrl(env.SOCIAL_FACEBOOK ?? "https://www.facebook.com/"),
      tiktok: webUrl(env.SOCIAL_TIKTOK ?? "https://www.tiktok.com/"),
    },
    inventorySheetUrl: webUrl(env.INVENTORY_SHEET_URL),
  };
}

/** Returns the part of an address after its last at sign. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

function webUrl(text = ""): string {
  const url = text.trim();
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : "";
}
