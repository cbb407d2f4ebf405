import { z } from "zod";
import { type Db, oncePerClient } from "~/db/client.server";
import { DAY_SECONDS } from "~/domain/durations";
import { MAX_FILE_BYTES } from "~/features/storage/files";
import { storeImages } from "~/features/storage/operations/upload.server";
import { isBlank } from "~/features/storage/schema";
import { rejectStaleEdit } from "~/http/edit-conflict.server";
import { flag, openedValues } from "~/http/fields";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { adminRoom } from "~/http/shop-objects.server";
import { ChatSettingsAnswer, SavedChatSettings } from "../answers";
import { findSettings, type SettingsRow, saveSettings } from "../queries.server";
import { SETTINGS } from "../records";
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
const settingsForm = settings.partial({ answererName: true, staffShownAs: true }).extend({
  /** New picture of the person who answers; `removesPicture` removes the stored one. */
  picture: picture.optional(),
  removesPicture: flag.default(false),
  was: openedValues(SeenSettings),
});

const SettingsForm = z.preprocess((raw) => {
  const { form, ...fields } = Object(raw) as Record<string, unknown>;
  return form instanceof FormData ? { ...Object.fromEntries(form), ...fields } : fields;
}, settingsForm);

/** Settings of a new shop. */
export const INITIAL_SETTINGS: ChatSettings = {
  welcomeMessage: "Hello! Tell us what you have your eye on, and we'll check the shelf for you.",
  offlineMessage: "We're away from the counter right now, and answer as soon as we're back.",
  isOnline: true,
  autoResponseEnabled: true,
  answererName: "",
  staffShownAs: "both",
};

/** Converts a row to settings, a missing one to the initial settings. */
export function settingsView(row: SettingsRow | null): ChatSettings {
  return SETTINGS.pick(row ?? INITIAL_SETTINGS);
}

/** Seconds after its last answer in which the measured reply time is displayed, and the longest that is. */
const MEASURED_SECONDS = 30 * DAY_SECONDS;
const MAX_REPLY_SECONDS = DAY_SECONDS;

/** Describes who answers. @param now epoch seconds */
function answererView(row: SettingsRow | null, now: number): Answerer {
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

/** Reads the settings, with the picture and the measured reply time of the person who answers. */
export const readSettings = operation({
  route: "GET chat/settings",
  summary: "Read the chat's settings",
  answer: ChatSettingsAnswer,
  access: "anyone",
  input: EmptyInput,
  async run({ db, now }) {
    const row = await findSettings(db);
    return { ...settingsView(row), ...answererView(row, now) };
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
  access: "staff",
  input: SettingsInput,
  run: (context) => save(context, context.input),
});

/**
 * Saves all settings by the console's form, with the picture; a replaced one is removed by the nightly sweep.
 *
 * @throws AppError conflict (409); tooLarge (413), unsupportedType (415) and invalid (400) for the picture
 */
export const updateSettingsByForm = operation({
  access: "staff",
  input: SettingsForm,
  accepts: "either",
  maxUploadBytes: async () => MAX_PICTURE_FORM_BYTES,
  async run({ input: { picture, removesPicture, ...input }, ...context }) {
    const [stored] = picture ? await storeImages(context, [picture], "") : [];
    const answererPicture = stored ?? (removesPicture ? "" : undefined);
    return save(context, input, answererPicture === undefined ? {} : { answererPicture });
  },
});

/** Bytes of the form with the largest picture. */
const MAX_PICTURE_FORM_BYTES = MAX_FILE_BYTES + 64 * 1024;

type Settings = { [K in keyof ChatSettings]?: ChatSettings[K] | undefined };
type Changes = Settings & { was?: z.infer<typeof SeenSettings> | undefined };

async function save(
  { db, env }: Pick<RequestContext, "db" | "env">,
  { was, ...changes }: Changes,
  more: Partial<Pick<SettingsRow, "answererPicture">> = {},
): Promise<ChatSettings> {
  const values = Object.entries({ ...changes, ...more });
  const defined = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  const stored = was && (await findSettings(db));
  if (was) rejectStaleEdit<ChatSettings>("these settings", was, settingsView(stored ?? null), changes);
  const row = await saveSettings(db, INITIAL_SETTINGS, defined, was && (stored?.version ?? 0));
  // The settings changed between the read and the write.
  if (!row) return save({ db, env }, { was, ...changes }, more);
  if (changes.isOnline !== undefined) await broadcastStatus(env, row);
  else await announceReplies(env);
  return settingsView(row);
}

/** Reads the settings for `authorNameFor`; begun beside another read, they cost no round trip. */
export const readAuthorSettings = oncePerClient(({ db }: { db: Db }) => findSettings(db));

/**
 * Returns the name under which visitors read what a member of staff writes; undefined for the team alone.
 *
 * @param firstName of the account
 */
export async function authorNameFor(db: Db, firstName: string): Promise<string | undefined> {
  const { staffShownAs } = settingsView(await readAuthorSettings({ db }));
  return staffShownAs === "team" ? undefined : firstName || undefined;
}

/** Saves isOnline and sends it to every connected client. */
export async function setOnline(env: Env, db: Db, isOnline: boolean): Promise<void> {
  const row = await saveSettings(db, INITIAL_SETTINGS, { isOnline });
  if (row) await broadcastStatus(env, row);
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
