import { z } from "zod";
import { instantAt, localDay } from "~/domain/days";
import { HOUR_SECONDS } from "~/domain/durations";
import { defaultHoldEnd, formatUntil } from "~/domain/hold-end";
import { USUAL_HEADLINE, USUAL_INTRODUCTION } from "~/domain/home-texts";
import { hoursText, openState, type ShopClock, weekLines } from "~/domain/hours";
import { authorLabel } from "~/features/audit/labels";
import { findLatestChange } from "~/features/audit/queries.server";
import { listResponses } from "~/features/chat/operations/responses.server";
import { chatView, statusText } from "~/features/chat/operations/settings.server";
import { placeValues } from "~/features/chat/place-values.server";
import { findSettings } from "~/features/chat/queries.server";
import { readPushSettings } from "~/features/push/operations.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";
import {
  ENGRAVING_NAME,
  type ShopSettings,
  settingGroups,
  storedSettings,
} from "~/http/shop-settings.server";
import { formatDate, formatDateTime } from "~/ui/format";
import { SETTING_FORMS, type SettingForm } from "./groups";
import type { HomeProducts } from "./home-draft";
import { productsOf } from "./home-products.server";
import { settingsValues } from "./operations.server";
import type { TaxSettings } from "./tax";
import { findTaxSettings } from "./tax.queries.server";

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
    const isChat = group === "chat";
    const [rows, chat, more] = await Promise.all([
      storedSettings({ db }),
      group === "hours" || isChat ? findSettings(db) : null,
      readMore(context, group),
    ]);
    const values = settingsValues(settingGroups(env, rows));
    const row = isChat ? more.savedChat : rows.find(({ name }) => name === group);
    const { timezone } = settings;
    return {
      heading: { title: "Settings", text: "Takes effect at once, for everybody" },
      group,
      ...more,
      chat: isChat ? chatView(chat, settings, now) : null,
      chatStatus: isChat || group === "hours" ? statusText(chat, settings, now) : "",
      values,
      saved: row ? `Saved ${formatDateTime(row.savedAt, timezone)} by ${row.savedBy}` : null,
      // As beside the conversations.
      mayEdit: user.isAdmin || isChat,
      businesses: settings.businesses,
      usual: { headline: USUAL_HEADLINE, introduction: USUAL_INTRODUCTION, engravingName: ENGRAVING_NAME },
      place: placeValues(settings, now),
      preview: previewOf(now, { timezone, hours: values.hours }, values.chatFollowsHours),
      ends: endsOf(now, settings, values),
    };
  },
});
export type SettingsPageData = ResultOf<typeof readSettingsPage>;

const NO_TAXES: TaxSettings[] = [];
const NO_PRODUCTS: HomeProducts = { chosen: [], automatic: [] };

/** Reads what the form of one group alone shows. */
async function readMore(context: StaffContext, group: SettingForm) {
  const { db, settings } = context;
  const [push, products, taxes, responses, change] = await Promise.all([
    group === "notifications" ? readPushSettings.execute(context, {}) : null,
    group === "home" ? productsOf(context, settings.home) : NO_PRODUCTS,
    group === "sales" ? findTaxSettings(db) : NO_TAXES,
    group === "chat" ? resultOrNull(listResponses.execute(context, {})) : null,
    group === "chat" ? findLatestChange(db, "chatSettings") : null,
  ]);
  const savedChat = change ? { savedAt: change.at, savedBy: authorLabel(change) } : null;
  return { push, products, taxes, responses: responses?.rows ?? null, savedChat };
}

/** Ends of a hold and of a quote that begin now. */
export interface PromiseEnds {
  hold: string;
  quote: string;
}

/** Says when a hold and a quote that begin now end. @param days of the settings, perhaps unsaved */
export function endsOf(
  now: number,
  settings: ShopSettings,
  days: Pick<ShopSettings["sales"], "holdDays" | "quoteDays">,
): PromiseEnds {
  const shop = { ...settings, sales: { ...settings.sales, ...days } };
  return {
    hold: formatUntil(defaultHoldEnd(now, shop), now, shop),
    quote: formatDate(now + days.quoteDays * 24 * HOUR_SECONDS, settings.timezone),
  };
}

/** Days whose own hours the preview shows. */
const MAX_PREVIEWED_DAYS = 3;

/** Puts hours into the words of the shop: now, after the next closing, and on the next days with hours of their own. */
export function previewOf(now: number, clock: ShopClock, isChatFollowing: boolean): HoursPreview {
  const { timezone, hours } = clock;
  const textAt = (at: number) => {
    const { text, back } = hoursText(at, clock);
    return back && isChatFollowing ? `${text}. Chat: ${back}` : text;
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
