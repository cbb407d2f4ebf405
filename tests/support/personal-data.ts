import { env } from "cloudflare:workers";
import { unzipSync } from "fflate";
import { expect, vi } from "vitest";
import { press } from "./forms";
import type { person } from "./people";
import { call } from "./shop";

export const DAY = 86_400_000;
export const PASSWORD = "Password1!";
/** Tab "Your data" of the account page. */
export const DATA = "/account?tab=data";

export type Person = Awaited<ReturnType<typeof person>>;

export const page = async (path: string, token?: string) =>
  (await call(path, token === undefined ? {} : { token })).text();

/** Presses a button of the account's data tab with a password, as a browser without JavaScript. */
export const pressWith = async ({ token }: Pick<Person, "token">, button: RegExp, password = PASSWORD) => {
  const path = /^Delete/.test(button.source.slice(1)) ? `${DATA}&delete=1` : DATA;
  return press(await page(path, token), button, { currentPassword: password }, { token });
};
export const requestDeletion = (who: Pick<Person, "token">) => pressWith(who, /^Delete my account$/);

/** Names and texts of the files of an archive. */
export async function unzipped(answer: Response): Promise<Record<string, string>> {
  expect(answer.headers.get("Content-Type")).toBe("application/zip");
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
  );
}

export const planned = () =>
  env.DB.prepare(
    "SELECT user_id, customer_id, chat_id, due_at, mailed_at FROM erasures WHERE done_at IS NULL",
  )
    .all<{ user_id: string; due_at: number; mailed_at: number | null }>()
    .then(({ results }) => results);

/** Attaches a visitor's chat to the account that the visitor signs in to. */
export const attach = (chatId: string, { id, email }: Pick<Person, "id" | "email">) =>
  env.CHAT_ROOM.getByName(chatId).attach({ userId: id, userName: "Ada Zzmoved", userEmail: email });

/** Mails to a person. */
export const mailsTo = ({ email }: Pick<Person, "email">) =>
  vi
    .mocked(env.MAIL.send)
    .mock.calls.map(([message]) => message as unknown as { to: string; "EmailMessage::raw": string })
    .filter(({ to }) => to === email);
