import { z } from "zod";
import { type Db, oncePerClient, openDb } from "~/db/client.server";
import { CATEGORIES } from "~/domain/categories";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import type { FirstQuestions } from "~/domain/first-questions";
import { formatEnd } from "~/domain/hold-end";
import { hoursText, openState } from "~/domain/hours";
import { MAX_FILE_BYTES } from "~/features/storage/files";
import { storeImages } from "~/features/storage/operations/upload.server";
import { isBlank } from "~/features/storage/schema";
import { rejectStaleEdit } from "~/http/edit-conflict.server";
import { flag, openedValues } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import { adminRoom } from "~/http/shop-objects.server";
import { type ShopSettings, shopSettings } from "~/http/shop-settings.server";
import { ChatSettingsAnswer, SavedChatSettings } from "../answers";
import { findSettings, type SettingsRow, saveSettings } from "../queries.server";
import { questionsName, questionsPath, SETTINGS } from "../records";
import type { Answerer, ChatSettings } from "../rooms";
import { EmptyInput } from "../schema";

const settings = z.object(SETTINGS.rules);

/** Settings that the caller read; missing fields are not compared. */
const SeenSettings = z.object(SETTINGS.answers).partial();

/** Changed settings; `was` detects an edit conflict. */
const SettingsInput = settings.partial().extend({ was: SeenSettings.optional() });

/** Picture of a form; the nameless file that an empty field sends counts as missing. */
const picture = z.unknown().transform((file) => (file instanceof File && !isBlank(file) ? file : undefined));

/** Form with all settings; browsers do not send an unticked box. */
const settingsForm = settings
  .partial({ answererName: true, staffShownAs: true, firstQuestions: true })
  .extend({
    /** New picture of the person who answers; `removesPicture` removes the stored one. */
    picture: picture.optional(),
    removesPicture: flag.default(false),
    was: openedValues(SeenSettings),
  });

const SettingsForm = z.preprocess((raw) => {
  const { form, ...fields } = Object(raw) as Record<string, unknown>;
  return form instanceof FormData ? { ...withQuestions(Object.fromEntries(form)), ...fields } : fields;
}, settingsForm);

/** Collects the first questions of a form, one a line; a form without their fields leaves them as they are. */
function withQuestions(values: Record<string, unknown>) {
  const sent = CATEGORIES.flatMap((category) => {
    const text = values[questionsName(category)];
    return typeof text === "string" ? [[category, text.split(/\r\n?|\n/)]] : [];
  });
  return sent.length > 0 ? { ...values, firstQuestions: Object.fromEntries(sent) } : values;
}

/** Settings of a new shop. */
export const INITIAL_SETTINGS: ChatSettings = {
  welcomeMessage: "Hello! Tell us what you have your eye on, and we'll check the shelf for you.",
  offlineMessage: "We're away from the counter right now, and answer as soon as we're back.",
  isOnline: true,
  autoResponseEnabled: true,
  answererName: "",
  staffShownAs: "both",
  firstQuestions: {},
};

/** Converts a row to settings, a missing one to the initial settings. */
export function settingsView(row: SettingsRow | null): ChatSettings {
  return SETTINGS.pick(row ?? INITIAL_SETTINGS);
}

/** Tells whether the chat is online: as it was switched, or as the hours say that it follows. @param now epoch seconds */
function isOnlineAt(
  row: SettingsRow | null,
  shop: Pick<ShopSettings, "chatFollowsHours" | "hours" | "timezone">,
  now: number,
) {
  const { isOnline, switchedUntil } = row ?? { ...INITIAL_SETTINGS, switchedUntil: null };
  const isSwitched = switchedUntil !== null && now < switchedUntil;
  return shop.chatFollowsHours && !isSwitched ? openState(now, shop).isOpen : isOnline;
}

/** Converts a row to the settings that hold at a moment. @param now epoch seconds */
export const settingsAt = (row: SettingsRow | null, shop: ShopSettings, now: number): ChatSettings => ({
  ...settingsView(row),
  isOnline: isOnlineAt(row, shop, now),
});

/**
 * Puts into words whether the chat is online, and until when.
 *
 * @param row stored settings; null for none
 * @returns `Online until 18:00, then by the hours`
 */
export function statusText(row: SettingsRow | null, shop: ShopSettings, now: number): string {
  const state = isOnlineAt(row, shop, now) ? "Online" : "Away";
  if (!shop.chatFollowsHours) return `${state} until somebody switches it`;
  const next = openState(now, shop).change;
  const switchedUntil = row?.switchedUntil ?? 0;
  if (switchedUntil > now && !next) return `${state}, switched by hand`;
  if (switchedUntil > now)
    return `${state}, switched by hand until ${formatEnd(switchedUntil, now, shop)}, then by the hours`;
  return next ? `${state} by the hours until ${formatEnd(next.at, now, shop)}` : `${state} by the hours`;
}

/** Seconds after its last answer in which the measured reply time is displayed, and the longest that is. */
const MEASURED_SECONDS = 30 * DAY_SECONDS;
const MAX_REPLY_SECONDS = DAY_SECONDS;

/** Describes who answers. @param now epoch seconds */
function answererView(row: SettingsRow | null, now: number): Omit<Answerer, keyof HoursView> {
  const { answererPicture, replySeconds, replyMeasuredAt } = row ?? {};
  const { answererName, staffShownAs } = row ?? INITIAL_SETTINGS;
  const isCurrent = (replyMeasuredAt ?? 0) > now - MEASURED_SECONDS;
  const isKnown = isCurrent && replySeconds != null && replySeconds <= MAX_REPLY_SECONDS;
  return {
    answererName,
    staffShownAs,
    answererPicture: answererPicture ? `minio:${answererPicture}` : null,
    replySeconds: isKnown ? replySeconds : null,
  };
}

type HoursView = Pick<Answerer, "back" | "hours" | "hoursFor">;

/** Says when the shop is open; that it is closed is no answer of somebody who is online by hand. @param now epoch seconds */
function hoursView(shop: ShopSettings, isOnline: boolean, now: number): HoursView {
  const words = hoursText(now, shop);
  const back = shop.chatFollowsHours && !isOnline ? words.back : "";
  const hours = words.isOpen ? words.text : words.opensText && `The shop opens ${words.opensText}`;
  return { back, hours: back ? "" : hours, hoursFor: words.validUntil - now };
}

/** Reads the stored settings, at most once for a request; begun beside another read, they cost no round trip. */
export const readStoredSettings = oncePerClient(({ db }: { db: Db }) => findSettings(db));

/** Converts a row to the settings of a moment with the person who answers. @param now epoch seconds */
export function chatView(row: SettingsRow | null, shop: ShopSettings, now: number): ChatSettings & Answerer {
  const settings = settingsAt(row, shop, now);
  return { ...settings, ...answererView(row, now), ...hoursView(shop, settings.isOnline, now) };
}

/** Reads the settings, with the picture and the measured reply time of the person who answers. */
export const readSettings = operation({
  route: "GET chat/settings",
  summary: "Read the chat's settings",
  answer: ChatSettingsAnswer,
  access: "anyone",
  input: EmptyInput,
  async run(context) {
    const { db, now } = context;
    const [row, shop] = await Promise.all([readStoredSettings({ db }), shopSettings(context)]);
    return chatView(row, shop, now);
  },
});

/**
 * Saves settings and sends a change of isOnline to every connected client (docs/product.md, 7.3).
 *
 * @throws AppError conflict (409) when `was` is outdated
 */
export const updateSettings = operation({
  route: "PATCH chat/settings",
  summary: "Change the chat's settings",
  answer: SavedChatSettings,
  errors: [409],
  access: "manager",
  input: SettingsInput,
  run: (context) => saveChatSettings(context, context.input),
});

/**
 * Saves all settings by the console's form, with the picture; a replaced one is removed by the nightly sweep.
 *
 * @throws AppError conflict (409); tooLarge (413), unsupportedType (415) and invalid (400) for the picture
 */
export const updateSettingsByForm = operation({
  access: "manager",
  input: SettingsForm,
  form: settingsForm.extend(Object.fromEntries(CATEGORIES.map((name) => [questionsName(name), z.unknown()]))),
  accepts: "either",
  maxUploadBytes: async () => MAX_PICTURE_FORM_BYTES,
  async run({ input: { picture, removesPicture, ...input }, ...context }) {
    const [stored] = picture ? await storeImages(context, [picture], "") : [];
    const answererPicture = stored ?? (removesPicture ? "" : undefined);
    return saveChatSettings(context, input, answererPicture === undefined ? {} : { answererPicture });
  },
});

/** Bytes of the form with the largest picture. */
const MAX_PICTURE_FORM_BYTES = MAX_FILE_BYTES + 64 * 1024;

type Settings = { [K in keyof ChatSettings]?: ChatSettings[K] | undefined };
type Changes = Settings & { was?: z.infer<typeof SeenSettings> | undefined };

/** Rejects a stale edit. @throws AppError conflict (409) */
export const rejectStaleChat = (was: Settings, stored: ChatSettings, changes: Settings): void =>
  rejectStaleEdit<ReturnType<typeof comparable>>(
    "these settings",
    comparable(was, ""),
    comparable(stored, ""),
    comparable(changes, undefined),
  );

/**
 * Spreads the first questions to a text for each category, as their form has them.
 *
 * @param missing text of a category that is not there: a change leaves it as it is
 */
function comparable(
  { firstQuestions, ...others }: Settings,
  missing: string | undefined,
): Record<string, string | boolean | undefined> {
  const texts = CATEGORIES.map((category) => [
    questionsPath(category),
    firstQuestions && (firstQuestions[category]?.join("\n") ?? missing),
  ]);
  return { ...others, ...Object.fromEntries(texts) };
}

/** Returns the first questions after a change; a category without any has those that the shop brings along. */
const merged = (stored: FirstQuestions, changes: FirstQuestions): FirstQuestions =>
  Object.fromEntries(
    Object.entries({ ...stored, ...changes }).filter(([, questions]) => questions && questions.length > 0),
  );

/** Saves changes. @throws AppError conflict (409) when `was` is outdated */
export async function saveChatSettings(
  context: Pick<StaffContext, "db" | "env" | "now" | "settings">,
  { was, ...changes }: Changes,
  more: Partial<Pick<SettingsRow, "answererPicture">> = {},
): Promise<ChatSettings> {
  const values = Object.entries({ ...changes, ...more });
  const defined = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  const { db, env, now, settings } = context;
  const { firstQuestions } = changes;
  const isCompared = was !== undefined || firstQuestions !== undefined;
  const stored = isCompared || settings.chatFollowsHours ? await findSettings(db) : null;
  const shown = settingsAt(stored, settings, now);
  if (was) rejectStaleChat(was, shown, changes);
  if (firstQuestions) defined.firstQuestions = merged(shown.firstQuestions, firstQuestions);
  // A form sends what it showed, which is no switch by hand.
  if (settings.chatFollowsHours && changes.isOnline === shown.isOnline) delete defined.isOnline;
  const isSwitched = defined.isOnline !== undefined;
  const switched = isSwitched ? { switchedUntil: untilNextChange(settings, now) } : {};
  const version = isCompared ? (stored?.version ?? 0) : undefined;
  const row = await saveSettings(db, INITIAL_SETTINGS, { ...defined, ...switched }, version);
  // The settings changed between the read and the write.
  if (!row) return saveChatSettings(context, { was, ...changes }, more);
  if (isSwitched) await broadcastStatus(env, row);
  else await announceReplies(env);
  return settingsAt(row, settings, now);
}

/**
 * Returns the name under which visitors read what a member of staff writes; undefined for the team alone.
 *
 * @param firstName of the account
 */
export async function authorNameFor(db: Db, firstName: string): Promise<string | undefined> {
  const { staffShownAs } = settingsView(await readStoredSettings({ db }));
  return staffShownAs === "team" ? undefined : firstName || undefined;
}

/** Seconds for which a switch by hand holds where the hours never change. */
const FOR_GOOD = 10 * 365 * DAY_SECONDS;

/** Returns the time until which a switch by hand holds; null where the chat follows no hours. */
const untilNextChange = (shop: ShopSettings, now: number): number | null =>
  shop.chatFollowsHours ? (openState(now, shop).change?.at ?? now + FOR_GOOD) : null;

/** Saves isOnline and sends it to every connected client. */
export async function setOnline(env: Env, db: Db, isOnline: boolean): Promise<void> {
  const switchedUntil = untilNextChange(await shopSettings({ db, env }), epochSeconds());
  const row = await saveSettings(db, INITIAL_SETTINGS, { isOnline, switchedUntil });
  if (row) await broadcastStatus(env, row);
}

/**
 * Ends a switch by hand and sends the status to every connected client, after the hours, or whether the chat follows them, have
 * changed. Never rejects.
 */
export const announceStatus = (env: Env): Promise<void> =>
  sendStatus(env).catch((error: unknown) => console.warn("chat-status-change could not be sent:", error));

async function sendStatus(env: Env): Promise<void> {
  const { db } = openDb(env.DB);
  const [shop, row] = await Promise.all([
    shopSettings({ db, env }),
    // The next version: the latest announcement wins.
    saveSettings(db, INITIAL_SETTINGS, { switchedUntil: null }),
  ]);
  if (row) await broadcastStatus(env, { ...row, isOnline: isOnlineAt(row, shop, epochSeconds()) });
}

/** Announces that the shop has opened or closed in the last seconds, to a chat that follows its hours. @param seconds */
export async function announceHours(env: Env, seconds: number): Promise<void> {
  const { db } = openDb(env.DB);
  const [shop, row] = await Promise.all([shopSettings({ db, env }), findSettings(db)]);
  const now = epochSeconds();
  const hasChanged = isOnlineAt(row, shop, now) !== isOnlineAt(row, shop, now - seconds);
  if (shop.chatFollowsHours && hasChanged) await announceStatus(env);
}

/** Tells the rooms of saved automatic replies, which they keep for a few seconds; a failure does not undo the change. */
export async function announceReplies(env: Env): Promise<void> {
  await adminRoom(env)
    .repliesChanged()
    .catch((error: unknown) => console.warn("A change of the automatic replies could not be sent:", error));
}

/** Sends the status; a failure does not undo the saved settings. */
async function broadcastStatus(env: Env, { isOnline, version }: SettingsRow): Promise<void> {
  try {
    await adminRoom(env).statusChanged(isOnline, version);
  } catch (error) {
    console.warn("chat-status-change could not be sent:", error);
  }
}
