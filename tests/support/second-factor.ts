import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Secret, TOTP } from "otpauth";
import { expect, type MockInstance, vi } from "vitest";
import worker from "worker-under-test";
import { CookieJar } from "./cookie-jar";
import { submit } from "./forms";
import { from, type person } from "./people";
import { call, cookiesOf } from "./shop";

export const FACTOR_PATH = "/account?tab=factor";

/** Member of staff with an authenticator. */
export interface FactorPerson {
  id: string;
  email: string;
  password: string;
  token: string;
  secret: string;
  recovery: string[];
}

/** Returns the code that an authenticator shows. @param seconds ahead of its clock */
export const codeOf = (secret: string, seconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + seconds * 1000 });

/** Returns a code that is wrong now and in the minutes around. */
export function wrongCode(secret: string): string {
  const near = [-90, -60, -30, 0, 30, 60, 90].map((seconds) => codeOf(secret, seconds));
  return ["000000", "111111", "222222", "333333", "444444", "555555", "666666", "777777"].find(
    (code) => !near.includes(code),
  ) as string;
}

export const keyIn = (html: string) =>
  (/factor-key">([A-Z2-7 ]+)</.exec(html)?.[1] ?? "").replaceAll(" ", "");
export const recoveryIn = (html: string) => [
  ...new Set(
    [...html.matchAll(/<code>((?:[A-Z2-7]{4}-){3}[A-Z2-7]{4})<\/code>/g)].map(([, code = ""]) => code),
  ),
];

type Account = Awaited<ReturnType<typeof person>>;

/** Sends a form of the tab as its person, with the cookies of the page before. */
export const factorForm = (fields: Record<string, string>, { token }: { token: string }, cookie?: string) =>
  submit(FACTOR_PATH, fields, { token, ...(cookie && { cookie }) });

/** Sets up a second factor through the page, without JavaScript. */
export async function withFactor(account: Account): Promise<FactorPerson> {
  const jar = new CookieJar();
  const begun = await factorForm({ intent: "factorBegin", currentPassword: account.password }, account);
  expect([begun.status, begun.headers.get("Location")]).toEqual([303, FACTOR_PATH]);
  const cookie = cookiesOf(begun);
  jar.keep(begun);
  const secret = keyIn(await (await jar.call(FACTOR_PATH, { token: account.token })).text());
  const turned = await factorForm({ intent: "factorConfirm", code: codeOf(secret) }, account, cookie);
  expect(turned.status).toBe(200);
  const recovery = recoveryIn(await turned.text());
  expect(recovery).toHaveLength(10);
  return { ...account, secret, recovery };
}

/** Turns the requirement of a second factor on or off. */
export const requireFactors = (isOn: boolean) =>
  env.DB.prepare(
    `INSERT INTO shop_settings (name, content, version, saved_by, saved_at) VALUES ('shop', ?, 1, '', 1)
    ON CONFLICT (name) DO UPDATE SET content = json_set(content, '$.requiresFactor', json(?))`,
  )
    .bind(JSON.stringify({ requiresFactor: isOn }), String(isOn))
    .run();

/** Lets seconds pass. */
export const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
/** Text of a sent mail. */
export const mailText = (sending: unknown[] = []) =>
  String((sending[0] as Record<string, unknown> | undefined)?.["EmailMessage::raw"] ?? "")
    .replaceAll("=\r\n", "")
    .replaceAll("\r\n", "\n");
/** Tells that a mail with a text was sent. */
export const isTold = (sent: MockInstance, text: string) =>
  sent.mock.calls.some((sending) => mailText(sending).includes(text));

let addresses = 0;
/** Signs in through the API, from an address of its own. */
export const signIn = ({ email, password }: { email: string; password: string }, code?: string) =>
  call("/api/auth/login", {
    json: { email, password, ...(code !== undefined && { code }) },
    headers: from(`10.7.0.${++addresses}`),
  });

/** Signs in through a shop with another COOKIE_SECRET. */
export const signInUnder = (
  secret: string,
  { email, password }: { email: string; password: string },
  code: string,
): Promise<Response> =>
  worker.fetch(
    new Request("http://localhost:8787/api/auth/login", {
      method: "POST",
      headers: { "Content-Type": "application/json", ...from(`10.7.0.${++addresses}`) },
      body: JSON.stringify({ email, password, code }),
    }) as Parameters<typeof worker.fetch>[0],
    { ...env, COOKIE_SECRET: secret },
    createExecutionContext(),
  );

/** Entries of the audit log about an account. */
export const accountLog = async (id: string) =>
  (
    await env.DB.prepare(
      "SELECT action, author_kind AS kind, changes FROM audit_log WHERE object = 'user' AND object_id = ? ORDER BY seq",
    )
      .bind(id)
      .all<{ action: string; kind: string; changes: string }>()
  ).results;
export const storedFactor = (id: string) =>
  env.DB.prepare("SELECT * FROM second_factors WHERE user_id = ?").bind(id).first<Record<string, unknown>>();
export const codesOf = async (id: string) =>
  (await env.DB.prepare("SELECT code_hash FROM recovery_codes WHERE user_id = ?").bind(id).all()).results;
