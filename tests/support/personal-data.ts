import { env } from "cloudflare:workers";
import { unzipSync } from "fflate";
import { beforeAll, beforeEach, expect, vi } from "vitest";
import { DAY_MS } from "~/domain/durations";
import { press } from "./forms";
import { admin, manager, type person } from "./people";
import { json } from "./sales";
import { call } from "./shop";

export const PASSWORD = "Password1!";
/** Tab "Your data" of the account page. */
export const DATA_TAB = "/account?tab=data";

export type Person = Awaited<ReturnType<typeof person>>;

export const page = async (path: string, token?: string) =>
  (await call(path, token === undefined ? {} : { token })).text();

/** Presses a button of the account's data tab with a password, like a browser without JavaScript. */
export const pressWith = async (
  { token }: Pick<Person, "token">,
  button: RegExp,
  password = PASSWORD,
  path = DATA_TAB,
) => press(await page(path, token), button, { currentPassword: password }, { token });

export const requestDeletion = (who: Pick<Person, "token">, password = PASSWORD) =>
  pressWith(who, /^Delete my account$/, password, `${DATA_TAB}&delete=1`);

/** Unzips an archive. @returns its files' texts by name */
export async function unzipped(answer: Response): Promise<Record<string, string>> {
  expect(answer.headers.get("Content-Type")).toBe("application/zip");
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
  );
}

/** Deletions that are due or planned. */
export const plannedDeletions = () =>
  env.DB.prepare(
    "SELECT user_id, customer_id, chat_id, due_at, mailed_at FROM erasures WHERE done_at IS NULL",
  )
    .all<{
      user_id: string | null;
      customer_id: string | null;
      chat_id: string | null;
      due_at: number;
      mailed_at: number | null;
    }>()
    .then(({ results }) => results);

/** Attaches a chat to the account that its visitor signs in to. */
export const attach = (chatId: string, { id, email }: Pick<Person, "id" | "email">) =>
  env.CHAT_ROOM.getByName(chatId).attach({ userId: id, userName: "Ada Zzmoved", userEmail: email });

/** Lists the mails that were sent to a person. */
export const mailsTo = ({ email }: Pick<Person, "email">) =>
  vi
    .mocked(env.MAIL.send)
    .mock.calls.map(([message]) => message as unknown as { to: string; "EmailMessage::raw": string })
    .filter(({ to }) => to === email);

/**
 * Prepares a file's tests of planned deletions: each begins without plans, and mails are recorded but not sent.
 *
 * @returns `owner` and `seller` with tokens; `plan` of the owner, with a query such as "chat={id}"; `add` and `customer` of
 *   the seller, which create a customer
 */
export function deletionTests() {
  const [owner, seller] = [{ token: "" }, { token: "" }];
  beforeAll(async () => {
    owner.token = (await admin()).token;
    seller.token = (await manager()).token;
  });
  beforeEach(async () => {
    await env.DB.exec("DELETE FROM erasures");
    vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
  });
  const plan = async (subject: string) => {
    const form = await page(`/admin/personal-data?${subject}`, owner.token);
    expect((await press(form, /^Delete personal data$/, { confirmed: "on" }, owner)).status).toBe(303);
  };
  const add = (fields: object) => call("/api/customer", { ...seller, json: fields });
  const customer = async (name: string, fields: object = {}) =>
    (await json<{ id: string }>(add({ name, ...fields }))).id;
  return { owner, seller, plan, add, customer };
}

/** Time at which a deletion that is planned now is due, ms: the notice of a week has passed. */
export const afterNotice = () => Date.now() + 8 * DAY_MS;

export const rows = async (query: string) => (await env.DB.prepare(query).all()).results;
