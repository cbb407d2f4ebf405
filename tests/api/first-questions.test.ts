import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { admin, manager, person, problems, seller } from "../support/people";
import { addProduct, call } from "../support/shop";

const USUAL = ["Is it there today?", "Which size is it?", "Can you wrap it as a gift?"];
const OWN = ["Is it there today?", "Is it dishwasher safe?"];

let tokens: Record<"admin" | "manager" | "seller" | "customer", string>;
let mug = "";
let ring = "";
beforeAll(async () => {
  const people = await Promise.all([admin(), manager(), seller(), person()]);
  const [byAdmin = "", byManager = "", bySeller = "", byCustomer = ""] = people.map(({ token }) => token);
  tokens = { admin: byAdmin, manager: byManager, seller: bySeller, customer: byCustomer };
  mug = await addProduct({ category: "HOME_DECOR" });
  ring = await addProduct({ category: "JEWELRY", hasEngraving: true });
});
beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare("DELETE FROM chat_settings"),
    env.DB.prepare("DELETE FROM shop_settings"),
  ]);
});

const patch = (json: unknown, token = tokens.manager) =>
  call("/api/chat/settings", { method: "PATCH", json, token });
const patchAll = (json: unknown, token = tokens.admin) =>
  call("/api/settings", { method: "PATCH", json, token });
const stored = async () =>
  ((await (await call("/api/chat/settings")).json()) as { firstQuestions: Record<string, string[]> })
    .firstQuestions;
async function questionsOf(id: string, token?: string): Promise<string[] | undefined> {
  const answer = await call(`/chat/products?ids=${id}`, token ? { token } : {});
  const { products } = (await answer.json()) as { products: { questions?: string[] }[] };
  return products[0]?.questions;
}
const submit = (fields: Record<string, string>, token = tokens.manager) => {
  const body = new FormData();
  const shown = {
    isOnline: "on",
    autoResponseEnabled: "on",
    welcomeMessage: "Hello",
    offlineMessage: "Away",
  };
  for (const [name, value] of Object.entries({ intent: "chat", ...shown, ...fields }))
    body.append(name, value);
  return call("/admin/settings?group=chat", { body, token });
};
const audited = async () =>
  (
    await env.DB.prepare(
      "SELECT changes FROM audit_log WHERE object = 'chatSettings' ORDER BY seq DESC LIMIT 1",
    ).first<{
      changes: string;
    }>()
  )?.changes;

describe("first questions", () => {
  it("are those of the product's category, else those that the shop brings along", async () => {
    expect(await questionsOf(mug)).toEqual(USUAL);
    expect((await patch({ firstQuestions: { HOME_DECOR: OWN } })).status).toBe(200);
    expect(await questionsOf(mug)).toEqual(OWN);
    expect(await questionsOf(ring)).toEqual([USUAL[0], "How long does the engraving take?", USUAL[2]]);
    expect(await questionsOf(mug, tokens.manager)).toBeUndefined();
    const html = await (await call(`/chat?product=${mug}`)).text();
    expect(html).toMatch(/name="initialMessage"[^>]*value="Is it dishwasher safe\?"/);
    expect(html).not.toContain(USUAL[1]);
    expect(JSON.parse((await audited()) ?? "")).toEqual({ firstQuestions: true });
  });

  it("ask when a product is back in place of whether it is there", async () => {
    const soldOut = await addProduct({ category: "HOME_DECOR", stock: 0 });
    expect((await questionsOf(soldOut))?.[0]).toBe("When will it be back?");
    await patch({ firstQuestions: { HOME_DECOR: OWN } });
    expect(await questionsOf(soldOut)).toEqual(["When will it be back?", OWN[1]]);
  });

  it("keep the other categories; none of one gives back those of the shop", async () => {
    await patch({ firstQuestions: { HOME_DECOR: OWN, JEWELRY: ["Is it silver?"] } });
    await patch({ firstQuestions: { HOME_DECOR: [" ", ""] } });
    expect(await stored()).toEqual({ JEWELRY: ["Is it silver?"] });
    expect(await questionsOf(mug)).toEqual(USUAL);
    await patch({ welcomeMessage: "Hello" });
    expect(await stored()).toEqual({ JEWELRY: ["Is it silver?"] });
  });

  it("of two categories that are saved at once both stay", async () => {
    const both = [{ HOME_DECOR: ["One?"] }, { JEWELRY: ["Two?"] }];
    const answers = await Promise.all(both.map((firstQuestions) => patch({ firstQuestions })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await stored()).toEqual({ HOME_DECOR: ["One?"], JEWELRY: ["Two?"] });
  });

  it("of another category are no conflict", async () => {
    await patch({ firstQuestions: { JEWELRY: ["Theirs?"] } });
    for (const was of [{ firstQuestions: {} }, { firstQuestions: { HOME_DECOR: [] } }])
      expect((await patch({ firstQuestions: { HOME_DECOR: ["Mine?"] }, was })).status).toBe(200);
    const late = { firstQuestions: { JEWELRY: ["Late?"] }, was: { firstQuestions: {} } };
    expect((await patch(late)).status).toBe(409);
    expect(await stored()).toEqual({ HOME_DECOR: ["Mine?"], JEWELRY: ["Theirs?"] });
  });

  it.each([
    [["1?", "2?", "3?", "4?"], "At most 3 questions"],
    [["x".repeat(101)], "A question has at most 100 characters"],
    [["Bell\u0007?"], "Contains characters that are not allowed"],
    [["Two\nlines?"], "Contains characters that are not allowed"],
    [[7], "Must be text"],
    ["Which?", "Must be a list of questions"],
  ])("refuse %j", async (HOME_DECOR, message) => {
    const answer = await patch({ firstQuestions: { HOME_DECOR } });
    expect(answer.status).toBe(400);
    expect((await problems(answer))[0]).toContain(`firstQuestions.HOME_DECOR`);
    expect((await problems(await patch({ firstQuestions: { HOME_DECOR } })))[0]).toContain(message);
    expect(await stored()).toEqual({});
  });

  it("drop repeated questions and unknown categories", async () => {
    await patch({ firstQuestions: { HOME_DECOR: ["One?", "One?"], HATS: ["Two?"] } });
    expect(await stored()).toEqual({ HOME_DECOR: ["One?"] });
  });

  it.each(["seller", "customer"] as const)("are not saved by a %s", async (who) => {
    expect((await patch({ firstQuestions: { HOME_DECOR: OWN } }, tokens[who])).status).toBe(403);
    await submit({ "questions-HOME_DECOR": "Mine?" }, tokens[who]);
    expect(await stored()).toEqual({});
  });
});

describe("the form of the group Chat", () => {
  it("saves a question a line, and keeps those of a form without their fields", async () => {
    const answer = await submit({
      "questions-HOME_DECOR": `${OWN.join("\r\n")}\r\n\r\n`,
      "questions-JEWELRY": "",
    });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/admin/settings?group=chat"]);
    expect(await stored()).toEqual({ HOME_DECOR: OWN });
    expect((await submit({ welcomeMessage: "Good day" })).status).toBe(303);
    expect(await stored()).toEqual({ HOME_DECOR: OWN });
    const html = await (await call("/admin/settings?group=chat", { token: tokens.manager })).text();
    expect(html).toContain(`${OWN.join("\n")}</textarea>`);
    expect(html).toContain("Good day");
  });

  it("says beside the field what is wrong, and keeps what was typed", async () => {
    const answer = await submit({ "questions-JEWELRY": "1?\n2?\n3?\n4?" });
    const html = await answer.text();
    expect(answer.status).toBe(400);
    expect(html).toMatch(/id="settings-questions-JEWELRY-error"[^>]*>.*At most 3 questions/);
    expect(html).toContain("1?\n2?\n3?\n4?</textarea>");
  });

  it("tells the second of two people what the first changed, and saves when it is sent again", async () => {
    const was = JSON.stringify({ firstQuestions: {} });
    expect((await submit({ "questions-JEWELRY": "First?", was })).status).toBe(303);
    const second = { "questions-JEWELRY": "Second?", "questions-HOME_DECOR": "Other?", was };
    const late = await submit(second);
    const html = await late.text();
    expect(late.status).toBe(409);
    expect(html).toMatch(/id="settings-questions-JEWELRY-error"[^>]*>.*Now First\?/);
    expect(html).toMatch(/Changed: (?:<!-- -->)?First questions(?:<!-- -->)?\./);
    expect(html).toContain("Second?</textarea>");
    expect(await stored()).toEqual({ JEWELRY: ["First?"] });
    const opened = JSON.stringify({ firstQuestions: { JEWELRY: ["First?"] } });
    expect((await submit({ ...second, was: opened })).status).toBe(303);
    expect(await stored()).toEqual({ JEWELRY: ["Second?"], HOME_DECOR: ["Other?"] });
  });

  it("gives a category that this person left alone what somebody else saved", async () => {
    const was = JSON.stringify({ firstQuestions: {} });
    await submit({ "questions-JEWELRY": "Theirs?", was });
    const late = await submit({ "questions-JEWELRY": "", "questions-HOME_DECOR": "Mine?", was });
    const html = await late.text();
    expect([late.status, html.includes("Theirs?</textarea>"), html.includes("Mine?</textarea>")]).toEqual([
      409,
      true,
      true,
    ]);
  });
});

describe("settings of the API", () => {
  it("have those of the chat, and save both at once", async () => {
    const json = { firstQuestions: { JEWELRY: ["Is it silver?"] }, welcomeMessage: "Good day", quoteDays: 7 };
    const answer = await patchAll(json);
    expect(await answer.json()).toMatchObject({ ...json, name: "Emporia", isOnline: true });
    expect(await (await call("/api/settings", { token: tokens.manager })).json()).toMatchObject(json);
    expect((await patchAll(json, tokens.manager)).status).toBe(403);
  });

  it("switch the chat by the hours that they bring along", async () => {
    const closed = Object.fromEntries(
      ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((day) => [day, []]),
    );
    const hours = { weekly: closed, days: [] };
    const answer = await patchAll({ chatFollowsHours: true, hours });
    expect(await answer.json()).toMatchObject({ chatFollowsHours: true, isOnline: false });
    await patchAll({ chatFollowsHours: false });
  });

  it("store nothing of either when one is in conflict", async () => {
    await patchAll({ welcomeMessage: "First" });
    const was = { welcomeMessage: "", quoteDays: 14 };
    const late = await patchAll({ welcomeMessage: "Second", quoteDays: 3, was });
    expect(late.status).toBe(409);
    const stale = await patchAll({ welcomeMessage: "Second", quoteDays: 3, was: { quoteDays: 9 } });
    expect(stale.status).toBe(409);
    const now = await (await call("/api/settings", { token: tokens.admin })).json();
    expect(now).toMatchObject({ welcomeMessage: "First", quoteDays: 14 });
  });
});
