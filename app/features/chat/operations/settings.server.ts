import type { Db } from "~/db/client.server";
import { rejectStaleEdit } from "~/http/edit-conflict.server";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { findSettings, type SettingsRow, saveSettings } from "../queries.server";
import type { ChatSettings } from "../rooms";
import { EmptyInput, SettingsForm, SettingsInput } from "../schema";

/** Settings of a new shop. */
const INITIAL: ChatSettings = {
  welcomeMessage: "Hello! Tell us what you have your eye on, and we'll check the shelf for you.",
  offlineMessage:
    "We're away from the counter right now. Leave your question, and we'll answer as soon as we're back.",
  isOnline: true,
  autoResponseEnabled: true,
};

/** Converts a row to settings, a missing one to the initial settings. */
export function settingsView(row: SettingsRow | null): ChatSettings {
  const { welcomeMessage, offlineMessage, isOnline, autoResponseEnabled } = row ?? INITIAL;
  return { welcomeMessage, offlineMessage, isOnline, autoResponseEnabled };
}

export const readSettings = operation({
  access: "anyone",
  input: EmptyInput,
  run: async ({ db }) => settingsView(await findSettings(db)),
});

/**
 * Saves settings and sends a change of isOnline to every connected client (docs/product.md, 7.3).
 *
 * @throws AppError conflict (409) when `was` is outdated
 */
export const updateSettings = operation({
  access: "staff",
  input: SettingsInput,
  run: (context) => save(context, context.input),
});

/** Saves all settings by the console's form. */
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
  const defined = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const stored = was && (await findSettings(db));
  if (was) rejectStaleEdit<ChatSettings>("these settings", was, settingsView(stored ?? null), changes);
  const row = await saveSettings(db, INITIAL, defined, was && (stored?.version ?? 0));
  // The settings changed between the read and the write.
  if (!row) return save({ db, env }, { was, ...changes });
  if (changes.isOnline !== undefined) await broadcastStatus(env, row);
  return settingsView(row);
}

/** Saves isOnline and sends it to every connected client. */
export async function setOnline(env: Env, db: Db, isOnline: boolean): Promise<void> {
  const row = await saveSettings(db, INITIAL, { isOnline });
  if (row) await broadcastStatus(env, row);
}

/** Sends the status; a failure does not undo the saved settings. */
async function broadcastStatus(env: Env, { isOnline, version }: SettingsRow): Promise<void> {
  try {
    await env.ADMIN_ROOM.getByName("admin").statusChanged(isOnline, version);
  } catch (error) {
    console.warn("chat-status-change could not be sent:", error);
  }
}
