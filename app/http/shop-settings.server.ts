import { type Db, oncePerClient, openDb } from "~/db/client.server";
import type { SettingGroup } from "~/db/settings.schema";
import { findEarlierSettings, findSettingGroups, type StoredGroup } from "~/db/shop-settings.server";
import { type CashRounding, CURRENCY_ROUNDING } from "~/domain/cash-rounding";
import type { BusinessNames } from "~/domain/enums";
import { hoursText, type OpeningHours, openingHours } from "~/domain/hours";
import { hoursLines, openingWeek } from "~/domain/opening-hours";
import { LOW_STOCK } from "~/domain/stock-levels";
import type { RequestContext } from "./request-context.server";
import { describeError } from "./request-log.server";

/** Settings of an engineer, from wrangler.toml's [vars] alone. */
export interface ShopVars {
  /** Origin of links in mails and of canonical links, without a trailing slash. */
  url: string;
  timezone: string;
  /** Domain at which the shop receives replies to its mails; "" where it receives none. */
  mailDomain: string;
  /** URL of the owner's spreadsheet; "" for none or an invalid one. */
  inventorySheetUrl: string;
}

/** Name, place and addresses of the shop. */
export interface ShopGroup {
  name: string;
  /** Names of the two businesses; "" for that of the shop, and for the usual one of the engraving. */
  goodsName: string;
  engravingName: string;
  /** Postal address in one line, on receipts; "" for none. */
  address: string;
  mapUrl: string;
  phone: string;
  /** The seller's number for sms: links. */
  sms: string;
  supportEmail: string;
  legalEmail: string;
  mailFrom: string;
  /** Place and time of collection, as in "It is ready at the counter, Tuesday to Saturday until 18:00." */
  pickup: string;
  /** Links of the footer; "" for none. */
  instagram: string;
  facebook: string;
  tiktok: string;
  /** Key of a picture in the bucket; "" for the shop's sign. */
  logo: string;
  /** Staff without a second factor have to set one up before they can work. */
  requiresFactor: boolean;
  /** Somebody has closed the list of a new shop's steps. */
  isSetUp: boolean;
}

export interface HoursGroup extends OpeningHours {
  /** The chat is online while the shop is open. */
  chatFollowsHours: boolean;
}

/** Texts and products of the home page; "" for those that the shop brings along. */
export interface HomeGroup {
  headline: string;
  introduction: string;
  /** Product of the hero; "" for the automatic choice. */
  heroProduct: string;
  /** Products below the hero in their order; none for the automatic choice. */
  featured: string[];
}

export interface SalesGroup {
  /** Pieces up to which a unit counts as low, where its product has no number of its own. */
  lowStock: number;
  /** Amount to whose multiples cash is rounded. */
  cashRounding: CashRounding;
  /** Days after which a hold ends, at closing time; 0 for the next closing time. */
  holdDays: number;
  /** Days that a quote is valid. */
  quoteDays: number;
  /** Dollars of one sale that sellers may pay back. */
  sellerCreditLimit: number;
  /** Text under every receipt. */
  receiptText: string;
  /** The opening hours stand under it. */
  receiptHours: boolean;
  /** Rules of returns; "" for the text that the shop brings along. */
  returns: string;
}

/** Groups of the owner's settings by name. */
export interface SettingGroups {
  shop: ShopGroup;
  hours: HoursGroup;
  home: HomeGroup;
  sales: SalesGroup;
}

/** Settings of the shop: what its owner has saved, else the defaults of a new shop. */
export interface ShopSettings extends ShopVars, Omit<ShopGroup, "instagram" | "facebook" | "tiktok"> {
  businesses: BusinessNames;
  social: Pick<ShopGroup, "instagram" | "facebook" | "tiktok">;
  hours: OpeningHours;
  chatFollowsHours: boolean;
  home: HomeGroup;
  sales: SalesGroup;
}

/** Sentence that says what the shop is. */
export const TAGLINE = "A small shop and a laser. Look round, write to us, collect at the counter.";

/** Name of the engraving business until the owner changes it. */
export const ENGRAVING_NAME = "Laser Craft";

const DEFAULT_HOURS = "Tuesday to Saturday: 10:00 to 18:00; Sunday and Monday: closed";

interface Defaults {
  vars: ShopVars;
  groups: SettingGroups;
}

const defaultsOf = new WeakMap<Env, Defaults>();

/** Reads the Worker's variables, once in an isolate. */
function defaults(env: Env): Defaults {
  const known = defaultsOf.get(env) ?? { vars: varsOf(env), groups: groupsOf(env) };
  defaultsOf.set(env, known);
  return known;
}

/** Returns what no owner sets. */
export const shopVars = (env: Env): ShopVars => defaults(env).vars;

const varsOf = (env: Env): ShopVars => ({
  url: (env.SHOP_URL || "http://localhost:8787").replace(/\/+$/, ""),
  timezone: env.SHOP_TIMEZONE || "America/Toronto",
  mailDomain: env.MAIL_DOMAIN?.trim() ?? domainOf(defaultSender(env)),
  inventorySheetUrl: webUrl(env.INVENTORY_SHEET_URL),
});

const groupsOf = (env: Env): SettingGroups => ({
  shop: {
    name: env.SHOP_NAME || "Emporia",
    goodsName: "",
    engravingName: "",
    address: env.SHOP_ADDRESS ?? "214 Queen Street West, Toronto",
    mapUrl: webUrl(env.SHOP_MAP_URL),
    phone: env.SHOP_PHONE || "+1 416 555 0142",
    sms: env.SELLER_SMS || "+14165550142",
    supportEmail: env.SUPPORT_EMAIL || "hello@emporia.example",
    legalEmail: env.LEGAL_EMAIL || "legal@emporia.example",
    mailFrom: defaultSender(env),
    pickup: env.SHOP_PICKUP || "at the counter",
    instagram: webUrl(env.SOCIAL_INSTAGRAM ?? "https://www.instagram.com/"),
    facebook: webUrl(env.SOCIAL_FACEBOOK ?? "https://www.facebook.com/"),
    tiktok: webUrl(env.SOCIAL_TIKTOK ?? "https://www.tiktok.com/"),
    logo: "",
    requiresFactor: false,
    isSetUp: false,
  },
  hours: {
    ...openingHours(openingWeek(hoursLines(env.SHOP_HOURS ?? DEFAULT_HOURS))),
    chatFollowsHours: false,
  },
  home: { headline: "", introduction: "", heroProduct: "", featured: [] },
  sales: {
    lowStock: LOW_STOCK,
    cashRounding: CURRENCY_ROUNDING,
    holdDays: 0,
    quoteDays: 14,
    sellerCreditLimit: 50,
    receiptText: "",
    receiptHours: false,
    returns: "",
  },
});

const defaultSender = (env: Env) => env.MAIL_FROM || "no-reply@emporia.example";

/** Returns the domain that the shop may send mails from: that of MAIL_FROM, which the deployed binding permits. */
export const senderDomain = (env: Env): string => domainOf(defaultSender(env)).toLowerCase();

/** Returns the part of an address after its last at sign. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

function webUrl(text = ""): string {
  const url = text.trim();
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : "";
}

type Reader = { db: Db; env: Env };

/** Reads the stored groups; begun beside another read, they cost no round trip. */
export const storedSettings = oncePerClient(({ db }: { db: Db }) => findSettingGroups(db));

/** Completes what is stored with the defaults of a new shop. */
export function settingGroups(env: Env, stored: Pick<StoredGroup, "name" | "content">[]): SettingGroups {
  const { groups } = defaults(env);
  const group = <Name extends SettingGroup>(name: Name): SettingGroups[Name] => {
    const row = stored.find((each) => each.name === name);
    return row ? { ...groups[name], ...JSON.parse(row.content) } : groups[name];
  };
  return { shop: group("shop"), hours: group("hours"), home: group("home"), sales: group("sales") };
}

/** Builds the settings that the shop works with. */
function completed(env: Env, { shop, hours, home, sales }: SettingGroups): ShopSettings {
  const { instagram, facebook, tiktok, ...rest } = shop;
  return {
    ...shopVars(env),
    ...rest,
    // An engineer may have changed the domain since, or an archive is of another shop.
    mailFrom:
      domainOf(shop.mailFrom).toLowerCase() === senderDomain(env) ? shop.mailFrom : defaultSender(env),
    businesses: { EMPORIA: shop.goodsName || shop.name, LASER: shop.engravingName || ENGRAVING_NAME },
    social: { instagram, facebook, tiktok },
    hours: { weekly: hours.weekly, days: hours.days },
    chatFollowsHours: hours.chatFollowsHours,
    home,
    sales,
  };
}

/** Reads the settings of the shop, at most once for a request; begun beside another read, they cost no round trip. */
export const shopSettings = oncePerClient(
  async ({ db, env }: Reader): Promise<ShopSettings> =>
    completed(env, settingGroups(env, await storedSettings({ db }))),
);

/**
 * Reads the settings that documents were issued under: a receipt states the shop as it was then.
 *
 * @param since when the first of them was issued, epoch seconds
 * @returns settings by the time at which a document was issued, epoch seconds
 */
export async function issuerSettings(
  { db, env }: Reader,
  since: Parameters<typeof findEarlierSettings>[1],
): Promise<(issuedAt: number) => ShopSettings> {
  const [stored, earlier] = await Promise.all([storedSettings({ db }), findEarlierSettings(db, since)]);
  return (issuedAt) => {
    const groups = stored.map(
      (row) => earlier.find(({ name, until }) => name === row.name && until > issuedAt) ?? row,
    );
    return completed(env, settingGroups(env, groups));
  };
}

/** Reads the settings of the shop for a task that has no request. */
export const settingsForTask = (env: Env): Promise<ShopSettings> =>
  shopSettings({ db: openDb(env.DB).db, env });

/** Reads the settings for a page; where they can't be read, it shows those of a new shop, and no cache keeps it. */
export const shownSettings = (
  context: Reader & Pick<RequestContext, "now" | "validUntil">,
): Promise<ShopSettings> =>
  shopSettings(context).catch((error: unknown) => {
    context.validUntil = context.now;
    console.warn(JSON.stringify({ level: "warn", kind: "settings", error: describeError(error) }));
    return initialSettings(context.env);
  });

/**
 * Puts the opening hours into words for a page, which no cache serves after they change.
 *
 * @returns `Open today until 18:00`
 */
export function showHours(
  context: Pick<RequestContext, "now" | "validUntil">,
  settings: ShopSettings,
): string {
  const { text, validUntil } = hoursText(context.now, settings);
  context.validUntil = Math.min(context.validUntil ?? validUntil, validUntil);
  return text;
}

/** Returns the settings of a new shop. */
export const initialSettings = (env: Env): ShopSettings => completed(env, defaults(env).groups);
