import type { Db } from "~/db/client.server";
import { rejectStaleEdit } from "~/http/edit-conflict.server";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { findSettings, type SettingsRow, saveSettings } from "../queries.server";
import type { ChatSettings } from "../rooms";
import { Nothing, SettingsForm, SettingsInput } from "../schema";

/** What a shop says before its seller has chosen own words. */
const INITIAL: ChatSettings = {
  welcomeMessage: "Hello! Tell us what you have your eye on, and we'll check the shelf for you.",
  offlineMessage:
    "We're away from the counter right now. Leave your question, and we'll answer as soon as we're back.",
  isOnline: true,
  autoResponseEnabled: true,
};

/** A row of settings as rooms and the API know them; the initial ones for none. */
export function settingsView(row: SettingsRow | null): ChatSettings {
  const { welcomeMessage, offlineMessage, isOnline, autoResponseEnabled } = row ?? INITIAL;
  return { welcomeMessage, offlineMessage, isOnline, autoResponseEnabled };
}

/** The chat's settings. */
export const readSettings = operation({
  access: "anyone",
  input: Nothing,
  run: async ({ db }) => settingsView(await findSettings(db)),
});

/**
 * Saves settings; isOnline is told to every connected client (contract: PATCH chat/settings).
 *
 * @throws AppError conflict (409) when `was` is given and somebody else has changed what this one changes
 */
export const updateSettings = operation({
  access: "staff",
  input: SettingsInput,
  run: (context) => save(context, context.input),
});

/** The same from the console's form, which holds all four. */
export const updateSettingsByForm = operation({
  access: "staff",
  input: SettingsForm,
  run: (context) => save(context, context.input),
});

type Settings = { [K in keyof ChatSettings]?: ChatSettings[K] | undefined };
type Changes = Settings & { was?: Settings | undefined };

async function save(
  { db, env }: Pick<RequestContext, "db" | "env">,
  { was, ...changes }: Changes,
): Promise<ChatSettings> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const stored = was && (await findSettings(db));
  if (was) rejectStaleEdit<ChatSettings>("these settings", was, settingsView(stored ?? null), changes);
  const row = await saveSettings(db, INITIAL, given, was && (stored?.version ?? 0));
  // Changed once more between reading and writing.
  if (!row) return save({ db, env }, { was, ...changes });
  if (changes.isOnline !== undefined) await announce(env, row);
  return settingsView(row);
}

/** Saves isOnline alone and tells everybody. */
export async function setOnline(env: Env, db: Db, isOnline: boolean): Promise<void> {
  const row = await saveSettings(db, INITIAL, { isOnline });
  if (row) await announce(env, row);
}

/** What is saved stays saved when nobody can be told just now. */
async function announce(env: Env, { isOnline, version }: SettingsRow): Promise<void> {
  try {
    await env.ADMIN_ROOM.getByName("admin").statusChanged(isOnline, version);
  } catch (error) {
    console.warn("chat-status-change could not be sent:", error);
  }
}
