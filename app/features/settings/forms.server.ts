import { z } from "zod";
import { localDay } from "~/domain/days";
import { updateSettingsByForm } from "~/features/chat/operations/settings.server";
import { savePushPreferences } from "~/features/push/operations.server";
import { MAX_FILE_BYTES } from "~/features/storage/files";
import { storeImages } from "~/features/storage/operations/upload.server";
import { isBlank } from "~/features/storage/schema";
import { flag, openedValues } from "~/http/fields";
import { chosenFiles, type FormIntents, failureMessage, intent } from "~/http/form-action.server";
import { operation, type StaffContext } from "~/http/operation.server";
import { FEATURED_FIELDS, GROUP_RULES, GROUP_TITLES, groupUrl, HOME, SALES, SHOP } from "./groups";
import {
  changeProducts,
  type FoundProducts,
  type HomeDraft,
  type HomeProducts,
  readHomeDraft,
} from "./home-draft";
import { findProducts, productsOf } from "./home-products.server";
import {
  changeRows,
  HOURS_FIELDS,
  type HoursDraft,
  hoursInput,
  MAX_HOURS_FIELDS,
  readDraft,
} from "./hours-draft";
import { SettingsAnswer, saveSettings } from "./operations.server";
import { endsOf, type HoursPreview, type PromiseEnds, previewOf } from "./page.server";
import { TaxSettingsInput } from "./tax";
import { saveTax } from "./tax-changes.server";

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
    const { address, mapUrl } = context.settings;
    const saved = await saveSettings(context, {
      ...asShown(changes),
      ...(key !== undefined && { logo: key }),
    });
    return { hasOldMap: saved.mapUrl !== "" && saved.mapUrl === mapUrl && saved.address !== address };
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
interface UnsavedHours {
  draft: HoursDraft;
  /** Null while a time is missing or wrong. */
  preview: HoursPreview | null;
}

/** Home page of a form that is not saved, with its products and those that a search has found. */
export interface UnsavedHome {
  draft: HomeDraft;
  products: HomeProducts;
  found: FoundProducts | null;
}

/** Form that is not saved, as it is drawn again. */
export interface Unsaved {
  /** Values that it showed when it was opened, as the form sends them. */
  was: string;
  /** Typed values. */
  values: Record<string, string>;
  /** Names of the fields with a chosen file, which is not kept. */
  files: string[];
  hours: UnsavedHours | null;
  home: UnsavedHome | null;
  ends: PromiseEnds | null;
}

type Values = Record<string, unknown>;
const textOf = (values: Values, name: string) => (typeof values[name] === "string" ? values[name] : "");

function redrawnHours({ now, settings: { timezone } }: StaffContext, values: Values): UnsavedHours {
  const draft = changeRows(readDraft(values), textOf(values, "act"));
  const parsed = GROUP_RULES.hours.hours.safeParse(hoursInput(draft));
  const clock = parsed.success ? { timezone, hours: parsed.data } : null;
  return { draft, preview: clock && previewOf(now, clock, draft.chatFollowsHours) };
}

async function redrawnHome(context: StaffContext, values: Values): Promise<UnsavedHome> {
  const draft = changeProducts(readHomeDraft(values), textOf(values, "act"));
  const [products, found] = await Promise.all([
    productsOf(context, draft),
    findProducts(context, textOf(values, "find")),
  ]);
  return { draft, products, found };
}

/** Says when a hold and a quote of the typed days would end; null while they are wrong. */
function redrawnEnds({ now, settings }: StaffContext, values: Values): PromiseEnds | null {
  const parsed = z.object(SALES.rules).pick({ holdDays: true, quoteDays: true }).safeParse(values);
  return parsed.success ? endsOf(now, settings, parsed.data) : null;
}

/** Draws a form again with what was typed. @param group of the form */
async function redrawn(context: StaffContext, group: string, values: Values): Promise<Unsaved> {
  const typed = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return {
    was: textOf(values, "was"),
    values: Object.fromEntries(typed),
    files: chosenFiles(values),
    hours: group === "hours" ? redrawnHours(context, values) : null,
    home: group === "home" ? await redrawnHome(context, values) : null,
    ends: group === "sales" ? redrawnEnds(context, values) : null,
  };
}

/** Changes the rows and products of a form, or shows how it reads; nothing is stored. */
const redraw = operation({
  // Of the chat's form managers are the authors too.
  access: "manager",
  input: z.record(z.string(), z.unknown()),
  form: HoursForm.extend({ group: z.string().optional() }),
  maxFields: MAX_HOURS_FIELDS,
  run: ({ input, ...context }) => redrawn(context, textOf(input, "group") || "hours", input),
});

const text = z.string().optional();
const HomeForm = z.object({
  ...HOME.rules,
  ...Object.fromEntries(
    ["heroProduct", ...FEATURED_FIELDS].flatMap((name) => [
      [name, text],
      [`${name}-name`, text],
    ]),
  ),
  find: text,
  was,
});

/** Saves the home page. @returns the form drawn again for Enter in the field of the search; null once it is saved */
const saveHome = operation({
  access: "admin",
  input: z.preprocess(
    (raw) => {
      const values = Object(raw) as Values;
      return { ...values, ...readHomeDraft(values), sent: values };
    },
    z.object({ ...GROUP_RULES.home, was, sent: z.record(z.string(), z.unknown()) }),
  ),
  form: HomeForm,
  async run({ input: { sent, ...changes }, ...context }) {
    if (textOf(sent, "find").trim() !== "") return redrawn(context, "home", sent);
    await saveSettings(context, changes);
    return null;
  },
});

const saveSales = operation({
  access: "admin",
  input: z.object({ ...SALES.rules, was }),
  run: (context) => saveSettings(context, context.input),
});

const saveTaxForm = operation({
  access: "admin",
  input: TaxSettingsInput,
  async run({ db, input }) {
    await saveTax(db, input);
    return { business: input.business };
  },
});

/** Says that the address has moved away from the link to its map, which may be right: a typing error was mended. */
const OLD_MAP =
  "Shop saved. The address is new, the link to the map is not: look whether it still leads there.";

/** Outcome of a group that is saved. */
const saved = (group: keyof typeof GROUP_TITLES) => ({
  to: groupUrl(group),
  toast: `${GROUP_TITLES[group]} saved`,
});

/** Forms of the settings; buttons without an intent draw one again. */
export const SETTINGS_FORMS: FormIntents = {
  redraw: intent(redraw, { done: (page) => ({ page }) }),
  notifications: intent(savePushPreferences, {
    done: () => ({ to: groupUrl("notifications"), toast: "Notification settings updated successfully" }),
    failed: () => "Failed to update notification settings",
  }),
  chat: intent(updateSettingsByForm, {
    done: () => saved("chat"),
    failed: failureMessage("Not saved. "),
  }),
  hours: intent(saveHours, {
    done: ({ past }) => ({ to: groupUrl("hours"), toast: hoursSaved(past) }),
    failed: failureMessage("Not saved. "),
  }),
  shop: intent(saveShop, {
    done: ({ hasOldMap }) => (hasOldMap ? { ...saved("shop"), toast: OLD_MAP } : saved("shop")),
    failed: failureMessage("Not saved. "),
  }),
  sales: intent(saveSales, { done: () => saved("sales"), failed: failureMessage("Not saved. ") }),
  home: intent(saveHome, {
    done: (unsaved) => (unsaved ? { page: unsaved } : saved("home")),
    failed: failureMessage("Not saved. "),
  }),
  tax: intent(saveTaxForm, { done: () => ({ to: groupUrl("sales"), toast: "Tax settings saved" }) }),
};
