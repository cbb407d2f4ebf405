import { z } from "zod";
import { openDb } from "~/db/client.server";
import type { SettingGroup } from "~/db/settings.schema";
import { findSettingGroups } from "~/db/shop-settings.server";
import { localDay } from "~/domain/days";
import { hoursText } from "~/domain/hours";
import { findCardsById } from "~/features/catalogue/queries.server";
import {
  announceStatus,
  rejectStaleChat,
  saveChatSettings,
  settingsAt,
} from "~/features/chat/operations/settings.server";
import { findSettings } from "~/features/chat/queries.server";
import { SETTINGS as CHAT } from "~/features/chat/records";
import { EmptyInput } from "~/features/chat/schema";
import { editConflict } from "~/http/edit-conflict.server";
import { type ErrorDetail, validationError } from "~/http/errors";
import { operation, type StaffContext } from "~/http/operation.server";
import { logError } from "~/http/request-log.server";
import {
  type SettingGroups,
  senderDomain,
  settingGroups,
  shopSettings,
  storedSettings,
} from "~/http/shop-settings.server";
import { fullName } from "~/session/caller.server";
import { endLiveConnections } from "~/session/live-connections.server";
import {
  changedText,
  fieldText,
  GROUP_RULES,
  HOME,
  HoursAnswer,
  SALES,
  SETTING_GROUPS,
  SHOP,
} from "./groups";
import { findOwing, type GroupChange, saveGroups } from "./queries.server";
import { TaxAnswer, TaxInput, taxView } from "./tax";
import { findTaxSettings } from "./tax.queries.server";
import { changedTaxes, rejectStaleTax, saveTaxes } from "./tax-changes.server";

/** Settings as the API answers them. */
export const SettingsAnswer = z.object({
  ...SHOP.answers,
  logo: z.string().meta({ description: "Key of the stored picture; empty for none", examples: [""] }),
  isSetUp: z.boolean().meta({ description: "The list of a new shop's steps is closed" }),
  hours: HoursAnswer,
  chatFollowsHours: z.boolean(),
  ...HOME.answers,
  heroProduct: z
    .string()
    .meta({ description: "Product's id; empty for the automatic choice", examples: [""] }),
  featured: z.array(z.string()).meta({ description: "Products' ids; none for the automatic choice" }),
  ...SALES.answers,
});

export type SettingsValues = z.infer<typeof SettingsAnswer>;

/** Settings of all groups; those of the chat and of taxes have tables of their own. */
const AllSettings = SettingsAnswer.extend(CHAT.answers).extend({ tax: TaxAnswer });

/** Joins the groups. */
export function settingsValues({ shop, hours, home, sales }: SettingGroups): SettingsValues {
  const { chatFollowsHours, weekly, days } = hours;
  return { ...shop, hours: { weekly, days }, chatFollowsHours, ...home, ...sales };
}

const GroupsInput = z
  .object({ ...GROUP_RULES.shop, ...GROUP_RULES.hours, ...GROUP_RULES.home, ...GROUP_RULES.sales })
  .partial()
  .extend({ was: SettingsAnswer.partial().optional() });

/** Changes of settings; the logo is a picture of the form. */
export type SettingsChanges = z.infer<typeof GroupsInput> & { logo?: string | undefined };

const ChatInput = z
  .object(CHAT.rules)
  .partial()
  .extend({ was: z.object(CHAT.answers).partial().optional() });

const SettingsInput = GroupsInput.extend(ChatInput.shape).extend({
  tax: TaxInput.optional(),
  was: AllSettings.extend({ tax: TaxAnswer.partial() }).partial().optional(),
});

/** Reads the settings of the shop. */
export const readSettings = operation({
  route: "GET settings",
  summary: "Read the shop's settings",
  answer: AllSettings,
  access: "manager",
  input: EmptyInput,
  async run({ db, env, now, settings }) {
    const [rows, chat, taxes] = await Promise.all([
      storedSettings({ db }),
      findSettings(db),
      findTaxSettings(db),
    ]);
    const values = settingsValues(settingGroups(env, rows));
    return { ...values, ...settingsAt(chat, settings, now), tax: taxView(taxes) };
  },
});

/**
 * Saves settings of any groups; `was` detects edit conflicts. Those of the chat and of taxes are saved after the others, once
 * none is in conflict: what a failure in between leaves unsaved is saved when the same is sent again.
 *
 * @throws AppError invalid for another sender, an unknown product or an incomplete tax, conflict when `was` is outdated
 */
export const updateSettings = operation({
  route: "PATCH settings",
  summary: "Change the shop's settings",
  answer: AllSettings,
  errors: [409],
  access: "admin",
  input: SettingsInput,
  async run({ input, ...context }) {
    const { was: ofGroups, ...groups } = GroupsInput.parse(input);
    const { was, ...chat } = ChatInput.parse(input);
    const isOfChat = Object.keys(chat).length > 0;
    const { tax = {} } = input;
    const taxes = await findTaxSettings(context.db);
    const taxesAfter = changedTaxes(taxes, tax);
    rejectStaleTax(taxes, tax, input.was?.tax ?? {});
    if (was && isOfChat) rejectStaleChat(was, await chatNow(context), chat);
    const saved = await saveSettings(context, { ...groups, was: ofGroups });
    const { hours, chatFollowsHours } = saved;
    // The hours may have changed just now.
    const after = { ...context, settings: { ...context.settings, hours, chatFollowsHours } };
    const chatAfter = isOfChat ? await saveChatSettings(after, { ...chat, was }) : await chatNow(after);
    await saveTaxes(context.db, taxes, taxesAfter);
    return { ...saved, ...chatAfter, tax: taxView(taxesAfter) };
  },
});

/** Reads the chat's settings that hold now. */
const chatNow = async ({ db, settings, now }: Omit<StaffContext, "input">) =>
  settingsAt(await findSettings(db), settings, now);

const OpenAnswer = z.object({
  isOpen: z.boolean(),
  opens: z
    .int()
    .nullable()
    .meta({ description: "Next opening while closed, epoch seconds", examples: [null] }),
  closes: z
    .int()
    .nullable()
    .meta({ description: "Next closing while open, epoch seconds", examples: [1764111600] }),
  text: z.string().meta({ examples: ["Open today until 18:00"] }),
});

/** Tells whether the shop is open now. */
export const readHours = operation({
  route: "GET shop/hours",
  summary: "Tell whether the shop is open, and until when",
  answer: OpenAnswer,
  access: "anyone",
  input: EmptyInput,
  async run(context) {
    const { isOpen, opens, closes, text } = hoursText(context.now, await shopSettings(context));
    return { isOpen, opens, closes, text };
  },
});

/** Saves changes. @throws AppError as `updateSettings` */
export async function saveSettings(
  context: StaffContext,
  { was, ...changes }: SettingsChanges,
  read: typeof storedSettings = storedSettings,
): Promise<SettingsValues> {
  const { db, env, user, waitUntil } = context;
  const rows = await read({ db });
  const groups = settingGroups(env, rows);
  const before = settingsValues(groups);
  const edits = changed(before, withoutPastDays(context, changes));
  if (was) rejectStale(was, before, edits);
  await requireKnown(context, edits);
  const after: SettingsValues = { ...before, ...edits };
  const stored = SETTING_GROUPS.flatMap((name): GroupChange[] => {
    const own = Object.entries(edits).filter(([field]) => groupOf(field) === name);
    if (own.length === 0) return [];
    const differences = own.map(([field]) => [field, [logged(field, before), logged(field, after)]]);
    const row = rows.find((each) => each.name === name);
    const content = isMark(own) ? { ...JSON.parse(row?.content ?? "{}"), ...edits } : contentOf(name, after);
    return [{ name, content, version: row?.version ?? 0, changes: Object.fromEntries(differences) }];
  });
  if (stored.length === 0) return after;
  // Saved by somebody else between the read and the write.
  if (!(await saveGroups(db, stored, fullName(user))))
    return saveSettings(context, { was, ...changes }, () => findSettingGroups(db));
  if (stored.some(({ name }) => name === "hours")) waitUntil(announceStatus(env));
  if (edits.requiresFactor) waitUntil(endOwing(env).catch((error: unknown) => logError(error, "warn")));
  return after;
}

/** Closes the live connections of staff who owe the second factor that is required from now on. */
async function endOwing(env: Env): Promise<void> {
  // With a client of its own: a read that fails would fail those of the answer that share its round trip.
  const owing = await findOwing(openDb(env.DB).db);
  await endLiveConnections({ env }, ...owing.map(({ id }) => id));
}

/** Tells whether only the list of steps was closed, which leaves the fields that nobody has saved to their defaults. */
const isMark = (fields: [string, unknown][]): boolean =>
  fields.length === 1 && fields[0]?.[0] === ("isSetUp" satisfies keyof SettingsValues);

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Returns the fields that differ from what is stored. */
function changed(before: SettingsValues, changes: SettingsChanges): Partial<SettingsValues> {
  const fields = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && !isEqual(value, before[name as keyof SettingsValues]),
  );
  return Object.fromEntries(fields);
}

/** Drops the special days that are over. */
function withoutPastDays({ now, settings }: StaffContext, changes: SettingsChanges): SettingsChanges {
  if (!changes.hours) return changes;
  const today = localDay(now, settings.timezone);
  const days = changes.hours.days.filter(({ day }) => day >= today);
  return { ...changes, hours: { ...changes.hours, days } };
}

/** Groups of the fields beside the records. */
const OTHERS: Record<string, SettingGroup> = {
  logo: "shop",
  isSetUp: "shop",
  hours: "hours",
  chatFollowsHours: "hours",
  heroProduct: "home",
  featured: "home",
};

/** Returns the group that a field belongs to. */
function groupOf(field: string): SettingGroup {
  if (field in SHOP.fields) return "shop";
  return OTHERS[field] ?? (field in HOME.fields ? "home" : "sales");
}

/** Returns what the row of a group holds. */
function contentOf(group: SettingGroup, values: SettingsValues): object {
  const own = Object.entries(values).filter(([field]) => groupOf(field) === group);
  const { hours, ...fields } = Object.fromEntries(own) as Partial<SettingsValues>;
  return { ...fields, ...hours };
}

/** Returns a value as the audit log keeps it. */
function logged(field: string, values: SettingsValues): unknown {
  const value = values[field as keyof SettingsValues];
  return typeof value === "object" ? fieldText(field, value) : value;
}

/** Rejects a stale edit. @throws AppError conflict with the stored value of each field that somebody else changed */
function rejectStale(
  was: Partial<SettingsValues>,
  stored: SettingsValues,
  edits: Partial<SettingsValues>,
): void {
  const names = Object.keys(was) as (keyof SettingsValues)[];
  const differences = names
    .filter((name) => name in edits && !isEqual(was[name], stored[name]))
    .map((path) => ({
      path,
      displayedValue: changedText(path, stored[path], was[path]),
      formValue: formValue(stored[path]),
      isEditedHere: !isEqual(edits[path], was[path]),
    }));
  if (differences.length > 0) throw editConflict("these settings", differences);
}

function formValue(value: unknown): unknown {
  if (typeof value === "boolean") return value ? "on" : "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Rejects a sender of another domain, products that the shop does not have, and a second factor that the caller has not.
 *
 * @throws AppError invalid
 */
async function requireKnown({ db, env, user }: StaffContext, edits: Partial<SettingsValues>): Promise<void> {
  const problems: ErrorDetail[] = [];
  // Else the shop could have no admin who can take it back.
  if (edits.requiresFactor && !user.hasFactor)
    problems.push({
      path: "requiresFactor",
      message: "Set up your own second factor under My Account first",
    });
  const domain = edits.mailFrom?.split("@").at(-1)?.toLowerCase();
  if (domain !== undefined && domain !== senderDomain(env))
    problems.push({
      path: "mailFrom",
      message: `This shop can't send from ${domain}. It can send from ${senderDomain(env)}.`,
    });
  const ids = [edits.heroProduct, ...(edits.featured ?? [])].filter(
    (id) => id !== undefined && id !== "",
  ) as string[];
  const known = ids.length > 0 ? (await findCardsById(db, ids)).map(({ id }) => id) : [];
  if (edits.heroProduct && !known.includes(edits.heroProduct))
    problems.push({ path: "heroProduct", message: "The shop has no such product" });
  for (const [i, id] of (edits.featured ?? []).entries())
    if (!known.includes(id))
      problems.push({ path: `featured.${i}`, message: "The shop has no such product" });
  if (problems.length > 0) throw validationError(problems);
}
