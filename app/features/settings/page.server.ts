import { z } from "zod";
import { instantAt, localDay } from "~/domain/days";
import { HOUR_SECONDS } from "~/domain/durations";
import { defaultHoldEnd, formatUntil } from "~/domain/hold-end";
import { hoursText, openState, type ShopClock, weekLines } from "~/domain/hours";
import { findCardsById } from "~/features/catalogue/queries.server";
import { chatView, statusText, updateSettingsByForm } from "~/features/chat/operations/settings.server";
import { findSettings } from "~/features/chat/queries.server";
import { readPushSettings, savePushPreferences } from "~/features/push/operations.server";
import { MAX_FILE_BYTES } from "~/features/storage/files";
import { storeImages } from "~/features/storage/operations/upload.server";
import { isBlank } from "~/features/storage/schema";
import { flag, openedValues } from "~/http/fields";
import { type FormIntents, failureMessage, intent } from "~/http/form-action.server";
import { operation, type ResultOf } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { settingGroups, storedSettings } from "~/http/shop-settings.server";
import { formatDate, formatDateTime } from "~/ui/format";
import {
  FEATURED_FIELDS,
  GROUP_RULES,
  GROUP_TITLES,
  groupUrl,
  HOME,
  SALES,
  SETTING_FORMS,
  SHOP,
} from "./groups";
import {
  changeRows,
  HOURS_FIELDS,
  type HoursDraft,
  hoursInput,
  MAX_HOURS_FIELDS,
  readDraft,
} from "./hours-draft";
import { SettingsAnswer, saveSettings, settingsValues } from "./operations.server";

/** Moment at which the shop is looked at, with what a shopper reads then. */
export interface Moment {
  when: string;
  text: string;
}

/** Words of hours as a shopper reads them. */
export interface HoursPreview {
  moments: Moment[];
  lines: { days: string; times: string }[];
}

const Search = z.object({ group: z.enum(SETTING_FORMS).catch("shop") });

/** Reads the form of a group of settings. */
export const readSettingsPage = operation({
  access: "manager",
  input: PageInput,
  async run({ input, ...context }) {
    const { db, env, now, settings, user } = context;
    const { group } = Search.parse(Object.fromEntries(new URL(input.url).searchParams));
    const [rows, chat, push] = await Promise.all([
      storedSettings({ db }),
      group === "hours" || group === "chat" ? findSettings(db) : null,
      group === "notifications" ? readPushSettings.execute(context, {}) : null,
    ]);
    const values = settingsValues(settingGroups(env, rows));
    const row = rows.find(({ name }) => name === group);
    const chosen = [values.heroProduct, ...values.featured].filter(Boolean);
    const products = group === "home" && chosen.length > 0 ? await findCardsById(db, chosen) : [];
    const { timezone } = settings;
    const isChat = group === "chat";
    const status = isChat || group === "hours" ? statusText(chat, settings, now) : "";
    const saved = row ? `Saved ${formatDateTime(row.savedAt, timezone)} by ${row.savedBy}` : null;
    return {
      heading: { title: "Settings", text: "Takes effect at once, for everybody" },
      group,
      push,
      chat: isChat ? chatView(chat, settings, now) : null,
      chatStatus: status,
      values,
      version: row?.version ?? 0,
      saved: isChat ? `Now: ${status}` : saved,
      // As beside the conversations.
      mayEdit: user.isAdmin || isChat,
      names: Object.fromEntries(products.map(({ id, name }) => [id, name])),
      preview: previewOf(now, { timezone, hours: values.hours }),
      ends: {
        hold: formatUntil(defaultHoldEnd(now, settings), now, settings),
        quote: formatDate(now + values.quoteDays * 24 * HOUR_SECONDS, timezone),
      },
    };
  },
});
export type SettingsPageData = ResultOf<typeof readSettingsPage>;

/** Days whose own hours the preview shows. */
const MAX_PREVIEWED_DAYS = 3;

/** Puts hours into the words of the shop: now, after the next closing, and on the next days with hours of their own. */
function previewOf(now: number, clock: ShopClock): HoursPreview {
  const { timezone, hours } = clock;
  const textAt = (at: number) => {
    const { text, back } = hoursText(at, clock);
    return back ? `${text}. Chat: ${back}` : text;
  };
  const moments: Moment[] = [{ when: `Now, ${formatDateTime(now, timezone)}`, text: textAt(now) }];
  const { isOpen, change } = openState(now, clock);
  if (isOpen && change) {
    const after = change.at + HOUR_SECONDS / 2;
    moments.push({ when: `After closing, ${formatDateTime(after, timezone)}`, text: textAt(after) });
  }
  const today = localDay(now, timezone);
  for (const { day } of hours.days.filter((one) => one.day > today).slice(0, MAX_PREVIEWED_DAYS)) {
    const noon = instantAt(`${day}T12:00:00`, timezone);
    moments.push({ when: formatDateTime(noon, timezone), text: textAt(noon) });
  }
  return { moments, lines: weekLines(hours) };
}

/** Picture of a form; the nameless file that an empty field sends counts as missing. */
const picture = z.unknown().transform((file) => (file instanceof File && !isBlank(file) ? file : undefined));

/** Values that the form showed when it was opened. */
const was = openedValues(SettingsAnswer.partial());

const ShopForm = z.object({ ...SHOP.rules, logo: picture.optional(), removesLogo: flag.default(false), was });

/** Bounds of the stored logo, px: mails and PDF files contain it as it is, in at most a third of this size. */
const LOGO_BOUNDS = { width: 480, height: 160 };

/** Bytes of the form with the largest picture. */
const MAX_SHOP_FORM_BYTES = MAX_FILE_BYTES + 64 * 1024;

/** Leaves out a tick that the form did not have: one of a page that was opened before the shop had the setting. */
function asShown<Changes extends { was?: object | undefined; requiresFactor: boolean }>(changes: Changes) {
  const { requiresFactor, ...others } = changes;
  return changes.was && !("requiresFactor" in changes.was) ? others : { ...others, requiresFactor };
}

/** Saves the group of the shop. @throws AppError of `saveSettings`; tooLarge, unsupportedType and invalid for the logo */
const saveShop = operation({
  access: "admin",
  input: z.preprocess((raw) => {
    const { form } = Object(raw) as { form?: unknown };
    return form instanceof FormData ? Object.fromEntries(form) : raw;
  }, ShopForm),
  form: ShopForm,
  accepts: "either",
  maxUploadBytes: async () => MAX_SHOP_FORM_BYTES,
  async run({ input: { logo, removesLogo, ...changes }, ...context }) {
    const [stored] = logo ? await storeImages(context, [logo], "", LOGO_BOUNDS) : [];
    const key = stored ?? (removesLogo ? "" : undefined);
    return saveSettings(context, { ...asShown(changes), ...(key !== undefined && { logo: key }) });
  },
});

const hoursNames = Object.fromEntries(HOURS_FIELDS.map((name) => [name, z.string().optional()]));
const HoursForm = z.object({
  ...hoursNames,
  chatFollowsHours: z.string().optional(),
  act: z.string().optional(),
  was: z.string().optional(),
});

const saveHours = operation({
  access: "admin",
  input: z.preprocess(
    (raw) => {
      const values = Object(raw) as Record<string, unknown>;
      const draft = readDraft(values);
      return { hours: hoursInput(draft), chatFollowsHours: draft.chatFollowsHours, was: values.was };
    },
    z.object({ ...GROUP_RULES.hours, was }),
  ),
  form: HoursForm,
  maxFields: MAX_HOURS_FIELDS,
  async run(context) {
    const { now, settings, input } = context;
    await saveSettings(context, input);
    const today = localDay(now, settings.timezone);
    return { past: input.hours.days.filter(({ day }) => day < today).length };
  },
});

/** Says that hours are saved, and which days were not. @param past days that are over */
const hoursSaved = (past: number): string =>
  past === 0
    ? "Hours saved"
    : `Hours saved. ${past === 1 ? "A day that is over has" : `${past} days that are over have`} left the list.`;

/** Hours of a form that is not saved, with what a shopper would read. */
export interface UnsavedHours {
  draft: HoursDraft;
  /** Null while a time is missing or wrong. */
  preview: HoursPreview | null;
}

/** Adds and removes rows of the hours, or shows how they read; nothing is stored. */
const redrawHours = operation({
  access: "admin",
  input: z.record(z.string(), z.unknown()).transform((values) => {
    const { act } = values;
    return changeRows(readDraft(values), typeof act === "string" ? act : "");
  }),
  form: HoursForm,
  maxFields: MAX_HOURS_FIELDS,
  async run({ input: draft, now, settings: { timezone } }): Promise<UnsavedHours> {
    const parsed = GROUP_RULES.hours.hours.safeParse(hoursInput(draft));
    return { draft, preview: parsed.success ? previewOf(now, { timezone, hours: parsed.data }) : null };
  },
});

/** Reads a product from the address of its page, or its id. */
const productId = (text: string) => /\/products\/([\w-]{1,64})/.exec(text)?.[1] ?? text.trim();

const HomeForm = z.object({
  ...HOME.rules,
  heroProduct: z.string().optional(),
  ...Object.fromEntries(FEATURED_FIELDS.map((name) => [name, z.string().optional()])),
  was,
});

const saveHome = operation({
  access: "admin",
  input: z.preprocess(
    (raw) => {
      const values = Object(raw) as Record<string, unknown>;
      const product = (name: string) => (typeof values[name] === "string" ? productId(values[name]) : "");
      const featured = FEATURED_FIELDS.map(product).filter(Boolean);
      return { ...values, heroProduct: product("heroProduct"), featured: [...new Set(featured)] };
    },
    z.object({ ...GROUP_RULES.home, was }),
  ),
  form: HomeForm,
  run: (context) => saveSettings(context, context.input),
});

const saveSales = operation({
  access: "admin",
  input: z.object({ ...SALES.rules, was }),
  run: (context) => saveSettings(context, context.input),
});

const SAVERS = { shop: saveShop, home: saveHome, sales: saveSales };

/** Forms of the settings; the rows of the hours are redrawn by buttons without an intent. */
export const SETTINGS_FORMS: FormIntents = {
  redraw: intent(redrawHours, { done: (page) => ({ page }) }),
  notifications: intent(savePushPreferences, {
    done: () => ({ to: groupUrl("notifications"), toast: "Notification settings updated successfully" }),
    failed: () => "Failed to update notification settings",
  }),
  chat: intent(updateSettingsByForm, {
    done: () => ({ to: groupUrl("chat"), toast: `${GROUP_TITLES.chat} saved` }),
    failed: failureMessage("Not saved. "),
  }),
  hours: intent(saveHours, {
    done: ({ past }) => ({ to: groupUrl("hours"), toast: hoursSaved(past) }),
    failed: failureMessage("Not saved. "),
  }),
  ...Object.fromEntries(
    (["shop", "home", "sales"] as const).map((group) => [
      group,
      intent(SAVERS[group], {
        done: () => ({ to: groupUrl(group), toast: `${GROUP_TITLES[group]} saved` }),
        failed: failureMessage("Not saved. "),
      }),
    ]),
  ),
};
