import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { staffToken } from "../support/chat";
import { readAnswer } from "../support/people";
import { call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = await staffToken();
});

const post = (path: string, fields: Record<string, string>) =>
  call(path, {
    body: new URLSearchParams(fields),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    token,
  });
const patch = (path: string, json: unknown) => call(`/api/chat/${path}`, { method: "PATCH", json, token });

const ENTITIES: Record<string, string> = { quot: '"', amp: "&", lt: "<", gt: ">", "#x27": "'" };
const decoded = (html: string) => html.replace(/&([#\w]+);/g, (_, name: string) => ENTITIES[name] ?? "");

/** A form as a browser without JavaScript would send it, by the intent of its button. */
function formOf(html: string, intent: string): Record<string, string> {
  const form = html.split("<form").find((part) => part.includes(`value="${intent}"`)) ?? "";
  expect(form, `a form for ${intent}`).not.toBe("");
  const fields: Record<string, string> = { intent };
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    const isUnticked = tag.includes('type="checkbox"') && !tag.includes("checked");
    if (name && !isUnticked) fields[name] = decoded(/ value="([^"]*)"/.exec(tag)?.[1] ?? "on");
  }
  for (const [, tag = "", text = ""] of form.matchAll(/<textarea([^>]*)>([^<]*)<\/textarea>/g))
    fields[/name="([^"]*)"/.exec(tag)?.[1] ?? ""] = decoded(text).replace(/^\n/, "");
  return fields;
}

const opened = async (path: string, intent: string) =>
  formOf(await (await call(path, { token })).text(), intent);

describe("concurrent edits of a response", () => {
  const PATH = "/api/chat/responses";
  interface Response {
    id: string;
    trigger: string;
    response: string;
    category: string;
    isActive: boolean;
  }
  let id = "";
  let path = "";
  const stored = async () =>
    ((await (await call(PATH, { token })).json()) as Response[]).find((row) => row.id === id);

  beforeEach(async () => {
    const json = { trigger: "hours", response: "9 to 5\n“daily”", category: "Visit" };
    id = ((await (await call(PATH, { json, token })).json()) as Response).id;
    path = `/admin/chat?tab=responses&edit=${id}`;
  });

  it("by form: reports the conflict, keeps the submitted values, and overwrites on resubmission", async () => {
    const [first, second] = [await opened(path, "updateResponse"), await opened(path, "updateResponse")];
    expect((await post(path, { ...first, response: "10 to 6" })).status).toBe(303);
    const late = await post(path, { ...second, response: "8 to 4", trigger: "open" });
    const html = await late.text();
    expect(late.status).toBe(409);
    expect(html).toContain("Failed to update response: Somebody else has just changed this response.");
    expect(html).toMatch(/id="response-response-error">.*Now 10 to 6<\/p>/);
    expect(await stored()).toMatchObject({ response: "10 to 6", trigger: "hours" });
    const again = formOf(html, "updateResponse");
    expect(again).toMatchObject({ response: "8 to 4", trigger: "open" });
    expect((await post(path, again)).status).toBe(303);
    expect(await stored()).toMatchObject({ response: "8 to 4", trigger: "open" });
  });

  it("by form: an unchanged field takes the stored value", async () => {
    const [first, second] = [await opened(path, "updateResponse"), await opened(path, "updateResponse")];
    await post(path, { ...first, response: "10 to 6" });
    const late = await post(path, { ...second, category: "Shop" });
    const html = await late.text();
    expect([late.status, html.includes("Changed to 10 to 6 meanwhile")]).toEqual([409, true]);
    expect((await post(path, formOf(html, "updateResponse"))).status).toBe(303);
    expect(await stored()).toMatchObject({ response: "10 to 6", category: "Shop", trigger: "hours" });
  });

  it("by form: equal values are no conflict, whatever their line ends", async () => {
    const [first, second] = [await opened(path, "updateResponse"), await opened(path, "updateResponse")];
    await post(path, { ...first, response: "10\r\n6" });
    expect((await post(path, { ...second, response: "10\r\n6" })).status).toBe(303);
  });

  it("by form: an edit does not change isActive", async () => {
    const form = await opened(path, "updateResponse");
    await patch(`responses/${id}`, { isActive: false });
    expect((await post(path, { ...form, trigger: "open" })).status).toBe(303);
    expect(await stored()).toMatchObject({ isActive: false, trigger: "open" });
  });

  it("by form: the submitted values of a deleted response can be added as a new one", async () => {
    const form = await opened(path, "updateResponse");
    await call(`${PATH}/${id}`, { method: "DELETE", token });
    const late = await post(path, { ...form, response: "8 to 4" });
    const html = await late.text();
    expect(late.status).toBe(404);
    expect(html).toContain("Failed to update response: Somebody else has deleted this response.");
    const again = formOf(html, "addResponse");
    expect(again).toMatchObject({ trigger: "hours", response: "8 to 4", category: "Visit" });
    expect((await post(path, again)).status).toBe(303);
  });

  it("by API: an outdated `was` is rejected, a change without `was` is saved", async () => {
    const was = { response: "9 to 5\n“daily”", isActive: true };
    expect((await patch(`responses/${id}`, { response: "10 to 6", was })).status).toBe(200);
    const late = await patch(`responses/${id}`, { response: "8 to 4", was });
    expect([late.status, (await readAnswer(late)).message]).toEqual([
      409,
      "Somebody else has just changed this response.",
    ]);
    expect(await stored()).toMatchObject({ response: "10 to 6" });
    expect((await patch(`responses/${id}`, { response: "8 to 4" })).status).toBe(200);
    expect(await stored()).toMatchObject({ response: "8 to 4", trigger: "hours", category: "Visit" });
  });

  it("by API: an outdated toggle is rejected", async () => {
    await patch(`responses/${id}`, { isActive: false });
    const off = await patch(`responses/${id}`, { isActive: false, was: { isActive: true } });
    expect(off.status).toBe(200);
    const on = await patch(`responses/${id}`, { isActive: true, was: { isActive: true } });
    expect(on.status).toBe(409);
    expect(await stored()).toMatchObject({ isActive: false });
  });

  it("at the same time: one is saved, the other rejected", async () => {
    const was = { response: "9 to 5\n“daily”" };
    const both = await Promise.all(
      ["one", "two"].map((response) => patch(`responses/${id}`, { response, was })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it("rejects the deletion of a changed response, and accepts it on confirmation", async () => {
    const asked = `/admin/chat?tab=responses&delete=${id}`;
    const form = await opened(asked, "deleteResponse");
    await patch(`responses/${id}`, { response: "10 to 6" });
    const late = await post(asked, form);
    expect(late.status).toBe(409);
    expect(await late.text()).toContain(
      "Failed to delete response: Somebody else has just changed this response. Look at it and delete it again.",
    );
    expect(await stored()).toMatchObject({ response: "10 to 6" });
    expect((await post(asked, await opened(asked, "deleteResponse"))).status).toBe(303);
    expect(await stored()).toBeUndefined();
  });

  it("reports that a response was already deleted", async () => {
    const asked = `/admin/chat?tab=responses&delete=${id}`;
    const form = await opened(asked, "deleteResponse");
    await call(`${PATH}/${id}`, { method: "DELETE", token });
    const late = await post(asked, form);
    const html = await late.text();
    expect(late.status).toBe(404);
    expect(html).toContain("Failed to delete response: Somebody else has deleted this response.");
    expect(html).not.toContain("Are you sure");
  });
});

describe("concurrent edits of the settings", () => {
  const PATH = "/admin/chat?tab=settings";
  const START = {
    welcomeMessage: "Welcome.\nCome in.",
    offlineMessage: "Away.",
    isOnline: true,
    autoResponseEnabled: true,
    answererName: "Maren",
  };
  const stored = async () => (await call("/api/chat/settings")).json();
  const unticked = (fields: Record<string, string>, name: string) =>
    Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));

  beforeEach(async () => {
    await patch("settings", START);
  });

  it("by form: reports the conflict, keeps the submitted values, and overwrites on resubmission", async () => {
    const [first, second] = [await opened(PATH, "settings"), await opened(PATH, "settings")];
    expect((await post(PATH, { ...first, welcomeMessage: "Hello." })).status).toBe(303);
    const late = await post(PATH, { ...second, welcomeMessage: "Good day." });
    const html = await late.text();
    expect(late.status).toBe(409);
    expect(html).toContain("Failed to update chat settings: Somebody else has just changed these settings.");
    expect(html).toMatch(/id="settings-welcomeMessage-error">.*Now Hello\.<\/p>/);
    expect(await stored()).toMatchObject({ welcomeMessage: "Hello." });
    const again = formOf(html, "settings");
    expect(again).toMatchObject({ welcomeMessage: "Good day." });
    expect((await post(PATH, again)).status).toBe(303);
    expect(await stored()).toMatchObject({ ...START, welcomeMessage: "Good day." });
  });

  it.each(["isOnline", "autoResponseEnabled"])(
    "by form: %s that a colleague turned off stays off",
    async (name) => {
      const [first, second] = [await opened(PATH, "settings"), await opened(PATH, "settings")];
      expect((await post(PATH, unticked(first, name))).status).toBe(303);
      const late = await post(PATH, { ...second, offlineMessage: "Gone home." });
      const html = await late.text();
      expect([late.status, html.includes("Changed to not ticked meanwhile")]).toEqual([409, true]);
      expect(await stored()).toMatchObject({ [name]: false, offlineMessage: "Away." });
      expect((await post(PATH, formOf(html, "settings"))).status).toBe(303);
      expect(await stored()).toMatchObject({ ...START, [name]: false, offlineMessage: "Gone home." });
    },
  );

  it("by form: two saves in a row are no conflict", async () => {
    for (const welcomeMessage of ["One.", "Two."])
      expect((await post(PATH, { ...(await opened(PATH, "settings")), welcomeMessage })).status).toBe(303);
    expect(await stored()).toMatchObject({ welcomeMessage: "Two." });
  });

  it("by API: an outdated `was` is rejected; a missing key stays unchanged", async () => {
    const was = { welcomeMessage: START.welcomeMessage, isOnline: true };
    expect((await patch("settings", { isOnline: false, was })).status).toBe(200);
    expect((await patch("settings", { welcomeMessage: "Hello.", was })).status).toBe(200);
    const late = await patch("settings", { welcomeMessage: "Good day.", was });
    expect([late.status, (await readAnswer(late)).message]).toEqual([
      409,
      "Somebody else has just changed these settings.",
    ]);
    expect(await stored()).toMatchObject({ ...START, isOnline: false, welcomeMessage: "Hello." });
    expect((await patch("settings", { offlineMessage: "Gone." })).status).toBe(200);
    expect(await stored()).toMatchObject({
      isOnline: false,
      welcomeMessage: "Hello.",
      offlineMessage: "Gone.",
    });
  });

  it("at the same time: one is saved, the other rejected", async () => {
    const was = { welcomeMessage: START.welcomeMessage };
    const both = await Promise.all(
      ["one", "two"].map((welcomeMessage) => patch("settings", { welcomeMessage, was })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it("an invalid `was` is rejected", async () => {
    expect((await patch("settings", { isOnline: false, was: { isOnline: "perhaps" } })).status).toBe(400);
    expect((await patch("settings", { isOnline: false, was: "{}" })).status).toBe(400);
  });
});
