import { beforeAll, describe, expect, inject, it } from "vitest";
import { API_PATHS } from "../support/api-routes";
import { admin } from "../support/people";
import { type RandomBody, randomBodies } from "../support/random-bodies";
import { FORM_PATHS } from "../support/routes";
import { addProduct, call } from "../support/shop";

declare module "vitest" {
  interface ProvidedContext {
    fuzzSeed: number;
    fuzzBodies: number;
  }
}

/** Few in `npm test`, 200 in `npm run test:fuzz`. */
const BODIES = inject("fuzzBodies");
const seed = inject("fuzzSeed");

let token = "";
beforeAll(async () => {
  token = (await admin()).token;
  await addProduct({ id: "x" });
});

/** Signing out would end the session that the other routes need. */
const as = (path: string) => (path.includes("logout") ? {} : { token });

async function expectNoFault(method: string, path: string, sent: Partial<RandomBody>): Promise<void> {
  const answer = await call(path, { method, ...sent, ...as(path) });
  await answer.body?.cancel();
  const shown =
    typeof sent.body === "string" ? sent.body.slice(0, 500) : sent.body && [...(sent.body as FormData)];
  expect(answer.status, `seed ${seed}: ${method} ${path} ${JSON.stringify(shown)}`).toBeLessThan(500);
}

/** Names of a page's fields and its intents, as its forms have them. */
async function fieldsOf(path: string): Promise<string[]> {
  const pages = [path, `${path}${path.includes("?") ? "&" : "?"}dialog=new`];
  const html = await Promise.all(pages.map(async (page) => (await call(page, as(path))).text()));
  const names = html.flatMap((text) => [...text.matchAll(/ name="([\w-]+)"/g)].map(([, name = ""]) => name));
  return [...new Set(["intent", "id", "redirectTo", ...names])];
}

describe(`no 5xx, seed ${seed} (FUZZ_SEED=${seed} repeats it)`, () => {
  it.each(FORM_PATHS)("form %s", { timeout: 120_000 }, async (path) => {
    const bodies = randomBodies(seed);
    const names = await fieldsOf(path);
    for (let at = 0; at < BODIES; at++) await expectNoFault("POST", path, bodies.form(names));
  });

  it.each(API_PATHS)("call %s", { timeout: 120_000 }, async (path) => {
    const bodies = randomBodies(seed);
    const allow = (await call(path, { method: "OPTIONS", ...as(path) })).headers.get("Allow") ?? "GET, POST";
    const methods = allow.split(", ").filter((method) => method !== "HEAD");
    for (let at = 0; at < BODIES; at++) {
      const method = methods[at % methods.length] ?? "GET";
      if (method === "GET") await expectNoFault(method, `${path}?${bodies.query()}`, {});
      else await expectNoFault(method, path, bodies.call());
    }
  });
});
