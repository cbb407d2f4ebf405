import { z } from "zod";
import type { SettingGroup } from "~/db/settings.schema";
import { SETTING_GROUPS } from "~/db/settings.schema";
import { isDay, noSuchDay, UNSUPPORTED_DATE } from "~/domain/calendar-day";
import { CASH_ROUNDINGS, cashStepCents } from "~/domain/cash-rounding";
import { CURRENCY_SHORT_NAME } from "~/domain/currency";
import {
  DAY_END,
  DAY_START,
  type HoursSpan,
  MAX_SPANS,
  type OpeningHours,
  type SpecialDay,
  spansText,
  WEEKDAY_NAMES,
  WEEKDAYS,
  type Weekday,
  weekText,
} from "~/domain/hours";
import { dollars } from "~/domain/money";
import { MAX_SHOP_LOW_STOCK } from "~/domain/stock-levels";
import { email, flag, id, optionalLines, optionalText } from "~/http/fields";
import { choiceField, flagField, numberField, textField } from "~/records/fields";
import { recordOf } from "~/records/record";

export { SETTING_GROUPS, type SettingGroup };

const SETTINGS_PATH = "/admin/settings";

/** Forms of the page: of each group, of the chat, whose settings have a table of their own, and of what the reader is told. */
export const SETTING_FORMS = [...SETTING_GROUPS, "chat", "notifications"] as const;
export type SettingForm = (typeof SETTING_FORMS)[number];

export const GROUP_TITLES: Record<SettingForm, string> = {
  shop: "Shop",
  hours: "Hours",
  home: "Home page",
  sales: "Sales",
  chat: "Chat",
  notifications: "Notifications",
};

/** Builds the address of a group's form. */
export const groupUrl = (group: SettingForm): string =>
  group === "shop" ? SETTINGS_PATH : `${SETTINGS_PATH}?group=${group}`;

const isWebUrl = (text: string) => text === "" || (/^https?:\/\//i.test(text) && URL.canParse(text));

/** Creates the field of a link; blank for none. */
const linkField = (label: string, example: string) =>
  textField({
    label,
    audit: "value",
    input: { type: "url" },
    isMarkedOptional: true,
    rule: optionalText(500).refine(isWebUrl, "Must be a web address, such as https://example.com"),
    example,
  });

const mailField = (label: string, hint?: string) =>
  textField({
    label,
    audit: "value",
    input: { type: "email" },
    rule: email(`${label} is required`),
    example: "hello@emporia.example",
    ...(hint && { hint }),
  });

/** Number that a phone can dial: digits with spaces, brackets, points and hyphens between them. */
const PHONE = /^\+?[\d\s().-]*$/;

const phoneField = (label: string, hint: string) =>
  textField({
    label,
    hint,
    audit: "value",
    input: { type: "tel" },
    isMarkedOptional: true,
    rule: optionalText(40).refine(
      (text) => text === "" || (PHONE.test(text) && /\d{3}/.test(text)),
      "Must be a phone number, such as +1 416 555 0142",
    ),
    example: "+1 416 555 0142",
  });

/** Name, place and addresses of the shop; its logo is a file beside them. */
export const SHOP = recordOf({
  name: textField({
    label: "Name",
    max: 60,
    required: "Name is required",
    audit: "value",
    example: "Emporia",
    width: 6,
  }),
  address: textField({
    label: "Address",
    max: 200,
    audit: "value",
    hint: "In one line. Leave it empty to show none.",
    example: "214 Queen Street West, Toronto",
  }),
  mapUrl: linkField("Link to the map", "https://www.openstreetmap.org/"),
  pickup: textField({
    label: "Pick-up",
    max: 200,
    required: "Pick-up is required",
    audit: "value",
    hint: "Reads on from “It is ready”, in {pickup} of responses",
    example: "at the counter",
  }),
  goodsName: textField({
    label: "Name of the goods' business",
    max: 60,
    audit: "value",
    isMarkedOptional: true,
    hint: "Documents E-…. Empty: the shop's name.",
  }),
  engravingName: textField({
    label: "Name of the engraving business",
    max: 60,
    audit: "value",
    isMarkedOptional: true,
    hint: "Documents L-…. Empty: Laser Craft.",
  }),
  phone: phoneField("Phone", "Shown in the shop"),
  sms: phoneField("Number for messages", "Opens a message from the cart"),
  supportEmail: mailField("Support e-mail"),
  legalEmail: mailField("Legal e-mail"),
  mailFrom: mailField("Sender of mails", "Its domain has to be one that the shop may send from"),
  instagram: linkField("Instagram", "https://www.instagram.com/"),
  facebook: linkField("Facebook", "https://www.facebook.com/"),
  tiktok: linkField("TikTok", "https://www.tiktok.com/"),
  requiresFactor: flagField({ label: "Staff have to sign in with a second factor" }),
});

/** Texts of the home page; its products stand beside them. */
export const HOME = recordOf({
  headline: textField({
    label: "Headline",
    max: 60,
    audit: "value",
    isMarkedOptional: true,
    hint: "Empty: Have a look round, then ask.",
    width: 6,
  }),
  introduction: textField({
    label: "Text",
    max: 300,
    audit: "value",
    isMarkedOptional: true,
    input: { rows: 4, maxLength: 300 },
    hint: "Empty: the text that the shop brings along",
  }),
});

/** Lines of the text under a receipt, which has to end on its last page. */
const MAX_RECEIPT_LINES = 12;

export const SALES = recordOf({
  lowStock: numberField({
    label: "Low stock",
    min: 0,
    max: MAX_SHOP_LOW_STOCK,
    hint: "Counts as low at so many pieces or fewer. A product may have a number of its own.",
  }),
  cashRounding: choiceField(CASH_ROUNDINGS, {
    label: "Cash is rounded to",
    nameOf: (rounding) =>
      rounding === "none" ? "The cent" : `Multiples of ${dollars(cashStepCents(rounding))}`,
    hint: "Of what is paid from now on",
  }),
  holdDays: numberField({
    label: "A hold ends after days, at closing time",
    min: 0,
    max: 60,
    hint: "0: at the next closing time",
  }),
  quoteDays: numberField({ label: "Quotes are valid for days", min: 1, max: 365 }),
  sellerCreditLimit: numberField({
    label: `Sellers may pay back, ${CURRENCY_SHORT_NAME}`,
    min: 0,
    max: 1_000_000,
    hint: "Of one sale, by credit notes and corrections, or of a quote's deposit",
  }),
  receiptText: textField({
    label: "Text under every receipt",
    max: 500,
    audit: "value",
    isMarkedOptional: true,
    input: { rows: 3, maxLength: 500 },
    rule: optionalLines(500).refine(
      (text) => text.split("\n").length <= MAX_RECEIPT_LINES,
      `Must be at most ${MAX_RECEIPT_LINES} lines`,
    ),
  }),
  receiptHours: flagField({ label: "Opening hours under it" }),
  returns: textField({
    label: "Returns",
    max: 1000,
    audit: "value",
    isMarkedOptional: true,
    input: { rows: 4, maxLength: 1000 },
    hint: "On the page How buying works. Empty: the text that the shop brings along",
  }),
});

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
/** Time at which the shop opens, or closes. */
const time = z
  .string({ error: "Enter a time, such as 10:00" })
  .regex(TIME, "Enter a time, such as 10:00")
  .meta({ examples: ["10:00"] });

/** Time at which the shop closes. */
const closing = z
  .string({ error: "Enter a time, such as 18:00" })
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, "Enter a time, such as 18:00")
  .meta({ examples: ["18:00"] });

/** Ways to a day on which the shop never closes: fields for times have no 24:00. */
const WHOLE_DAY = "A whole day is 00:00 to 23:59 in the form, 00:00 to 24:00 in the API.";

/** Reads a closing time: midnight ends the day, whether it is written 24:00 or, as fields for times have it, 00:00. */
const closingTime = (text: string) => (text === DAY_START ? DAY_END : text);

/** Finds what is wrong with the spans of a day, as a sentence; null for none. */
function spansProblem(spans: readonly (readonly string[])[]): string | null {
  for (const [i, [opens = "", sent = ""]] of spans.entries()) {
    const closes = closingTime(sent);
    // Each time says itself what is wrong with it.
    if (!TIME.test(opens) || !(closes === DAY_END || TIME.test(closes))) return null;
    if (sent === opens) {
      const isEmpty = "Closes when it opens: leave the day empty when you are closed";
      return opens === DAY_START ? `${isEmpty}. ${WHOLE_DAY}` : isEmpty;
    }
    if (closes < opens)
      return `Closes at ${closes}, before it opens at ${opens}. Past midnight is the next day: close at 00:00, which is midnight.`;
    const before = closingTime(spans[i - 1]?.[1] ?? "");
    if (opens <= before) return `The second time begins at ${opens}, before the first has ended at ${before}`;
  }
  return null;
}

const SPANS_EXAMPLE = { examples: [[["10:00", "18:00"]]] };

const spans: z.ZodType<HoursSpan[]> = z
  .array(z.tuple([time, closing], { error: "Must be a time to open and one to close" }))
  .max(MAX_SPANS, `At most ${MAX_SPANS} times a day`)
  .superRefine((list, context) => {
    const message = spansProblem(list);
    if (message) context.addIssue({ code: "custom", message });
  })
  .overwrite((list) => list.map(([opens, closes]): HoursSpan => [opens, closingTime(closes)]))
  .meta(SPANS_EXAMPLE);

/** Special days that the shop keeps: past ones are dropped when the hours are saved. */
export const MAX_SPECIAL_DAYS = 60;

const specialDay: z.ZodType<SpecialDay> = z.object({
  day: z
    .string({ error: "Choose a day" })
    .min(1, "Choose a day")
    .refine((day) => day === "" || isDay(day), { error: ({ input }) => noSuchDay(input) ?? UNSUPPORTED_DATE })
    .meta({ examples: ["2026-12-24"] }),
  spans,
  note: optionalText(60).default(""),
});

/** Opening hours: of each weekday, and of days that go before it. */
const Hours = z.object({
  weekly: z.object(Object.fromEntries(WEEKDAYS.map((day) => [day, spans])) as Record<Weekday, typeof spans>),
  days: z
    .array(specialDay)
    .max(MAX_SPECIAL_DAYS, `At most ${MAX_SPECIAL_DAYS} days`)
    .superRefine((days, context) => {
      for (const [i, { day }] of days.entries())
        if (days.findIndex((one) => one.day === day) < i)
          context.addIssue({
            code: "custom",
            path: [i, "day"],
            message: "This day is in the list already",
          });
    })
    .transform((days) => days.toSorted((a, b) => a.day.localeCompare(b.day))),
});

const answeredSpans = z.array(z.tuple([time, z.string().meta({ examples: ["18:00"] })])).meta(SPANS_EXAMPLE);

/** Opening hours as the API answers them. */
export const HoursAnswer = z.object({
  weekly: z.object(
    Object.fromEntries(WEEKDAYS.map((day) => [day, answeredSpans])) as Record<Weekday, typeof answeredSpans>,
  ),
  days: z.array(
    z.object({
      day: z.string().meta({ examples: ["2026-12-24"] }),
      spans: answeredSpans,
      note: z.string(),
    }),
  ),
});

/** Products below the hero that an owner can choose. */
export const MAX_FEATURED = 8;

/** Rules of all fields by group; the API takes any of them. */
export const GROUP_RULES = {
  shop: { ...SHOP.rules, isSetUp: flag },
  hours: { hours: Hours, chatFollowsHours: flag },
  home: {
    ...HOME.rules,
    heroProduct: z.union([z.literal(""), id]),
    featured: z.array(id).max(MAX_FEATURED, `At most ${MAX_FEATURED} products`),
  },
  sales: SALES.rules,
};

/** Writes the value of a field for readers, of a conflict or the audit log. */
export function fieldText(name: string, value: unknown): string {
  if (name === "hours") return hoursSummary(value as OpeningHours);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

/** Writes what of a setting differs from another value of it, for readers of a conflict: of hours, the days. */
export function changedText(name: string, value: unknown, from: unknown): string {
  if (name !== "hours") return fieldText(name, value);
  const [now, before] = [value, from] as [OpeningHours, OpeningHours];
  const week = WEEKDAYS.filter((day) => spansText(now.weekly[day]) !== spansText(before.weekly[day])).map(
    (day) => `${WEEKDAY_NAMES[day]} ${spansText(now.weekly[day])}`,
  );
  const days = dayTexts(now).filter((text) => !dayTexts(before).includes(text));
  const gone = before.days.filter(({ day }) => now.days.every((one) => one.day !== day));
  return [...week, ...days, ...gone.map(({ day }) => `${day}: as in the week`)].join("; ");
}

/** Writes the days with hours of their own. */
const dayTexts = ({ days }: OpeningHours) =>
  days.map(({ day, spans: list, note }) => `${day}: ${spansText(list)}${note && ` (${note})`}`);

/** Writes hours in one line: the week, then the days that differ from it. */
function hoursSummary(hours: OpeningHours): string {
  return [weekText(hours), ...dayTexts(hours)].join("; ");
}

/** Names of the fields of the featured products. */
export const FEATURED_FIELDS = Array.from({ length: MAX_FEATURED }, (_, i) => `featured${i + 1}`);

/** Names the weekdays with their fields, in the order of the form. */
export const WEEK = WEEKDAYS.map((day) => ({ day, name: WEEKDAY_NAMES[day] }));
