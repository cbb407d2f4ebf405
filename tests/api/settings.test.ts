import { env } from "cloudflare:workers";
import { encode } from "fast-png";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { localDay } from "~/domain/days";
import { hugePng } from "../support/chat-files";
import { admin, manager, person, problems } from "../support/people";
import { call, cookiesOf } from "../support/shop";

let token = "";
let others: Record<"manager" | "customer", string>;
beforeAll(async () => {
  token = (await admin()).token;
  others = { manager: (await manager()).token, customer: (await person()).token };
});
beforeEach(async () => {
  await env.DB.prepare("DELETE FROM shop_settings").run();
});

const onePixel = () => encode({ width: 1, height: 1, data: new Uint8Array(3), channels: 3 });
const patch = (json: unknown, by = token) => call("/api/settings", { method: "PATCH", json, token: by });
const read = async () => (await (await call("/api/settings", { token })).json()) as Record<string, unknown>;
const submit = (group: string, fields: Record<string, string | File>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries({ intent: group, ...fields })) body.append(name, value);
  return call(`/admin/settings?group=${group === "redraw" ? "hours" : group}`, { body, token });
};
const page = async (path: string) => (await call(path)).text();
const closedWeek = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };

describe("settings", () => {
  it("are those of wrangler.toml until somebody saves a group, and the shop shows what is saved at once", async () => {
    expect(await read()).toMatchObject({
      name: "Emporia",
      quoteDays: 14,
      hours: { weekly: { mon: [], tue: [["10:00", "18:00"]] }, days: [] },
    });
    expect((await patch({ name: "Maple & Oak", phone: "+1 416 555 0999" })).status).toBe(200);
    expect(await read()).toMatchObject({ name: "Maple & Oak", supportEmail: "hello@emporia.example" });
    expect(await page("/terms")).toContain("Maple &amp; Oak");
    const log = await env.DB.prepare(
      "SELECT object_id, changes FROM audit_log WHERE object = 'shopSettings' ORDER BY seq DESC LIMIT 1",
    ).first<{ object_id: string; changes: string }>();
    expect(log?.object_id).toBe("shop");
    expect(JSON.parse(log?.changes ?? "")).toEqual({
      name: ["Emporia", "Maple & Oak"],
      phone: ["+1 416 555 0142", "+1 416 555 0999"],
    });
  });

  it.each([
    ["anybody", "", 401],
    ["a customer", "customer", 403],
    ["a manager", "manager", 403],
  ] as const)("are not changed by %s", async (_, who, status) => {
    const by = who ? others[who] : undefined;
    const answer = await call("/api/settings", {
      method: "PATCH",
      json: { name: "Mine" },
      ...(by && { token: by }),
    });
    expect(answer.status).toBe(status);
    expect((await read()).name).toBe("Emporia");
  });

  it("are read by managers, whose page has no button", async () => {
    expect((await call("/api/settings", { token: others.manager })).status).toBe(200);
    const html = await (await call("/admin/settings", { token: others.manager })).text();
    expect(html).toContain("Only an admin changes these.");
    expect(html).not.toContain('value="shop"');
  });

  it.each([
    [{ name: "" }, "name: Name is required"],
    [{ name: 7 }, "name: Must be text"],
    [{ name: "x".repeat(61) }, "name: Must be at most 60 characters"],
    [{ name: "Shop\u0007evil" }, "name: Contains characters that are not allowed"],
    [{ mapUrl: "javascript:alert(1)" }, "mapUrl: Must be a web address, such as https://example.com"],
    [{ phone: "call me" }, "phone: Must be a phone number, such as +1 416 555 0142"],
    [{ supportEmail: "nobody" }, "supportEmail: Please enter a valid email address"],
    [
      { mailFrom: "no-reply@emporia.test" },
      "mailFrom: This shop can't send from emporia.test. It can send from emporia.example.",
    ],
    [{ holdDays: -1 }, "holdDays: Must be a whole number from 0 to 60"],
    [{ quoteDays: 1.5 }, "quoteDays: Must be a whole number from 1 to 365"],
    [{ heroProduct: "nothing" }, "heroProduct: The shop has no such product"],
    [{ featured: ["nothing"] }, "featured.0: The shop has no such product"],
    [{ featured: Array.from({ length: 9 }, (_, i) => `p${i}`) }, "featured: At most 8 products"],
    [{ receiptText: "x\n".repeat(12).concat("x") }, "receiptText: Must be at most 12 lines"],
    [{ chatFollowsHours: "perhaps" }, "chatFollowsHours: Must be true or false"],
  ])("refuse %j", async (json, problem) => {
    const answer = await patch(json);
    expect([answer.status, await problems(answer)]).toEqual([400, [problem]]);
    expect((await read()).name).toBe("Emporia");
  });

  it.each([
    [
      [["18:00", "10:00"]],
      "Closes at 10:00, before it opens at 18:00. Past midnight is the next day: close at 00:00, which is midnight.",
    ],
    [
      [["22:00", "02:00"]],
      "Closes at 02:00, before it opens at 22:00. Past midnight is the next day: close at 00:00, which is midnight.",
    ],
    [
      [
        ["10:00", "00:00"],
        ["20:00", "22:00"],
      ],
      "The second time begins at 20:00, before the first has ended at 24:00",
    ],
    [[["10:00", "10:00"]], "Closes when it opens: leave the day empty when you are closed"],
    [
      [["00:00", "00:00"]],
      "Closes when it opens: leave the day empty when you are closed. A whole day is 00:00 to 23:59 in the form, 00:00 to 24:00 in the API.",
    ],
    [
      [
        ["10:00", "13:00"],
        ["12:00", "18:00"],
      ],
      "The second time begins at 12:00, before the first has ended at 13:00",
    ],
    [[["9:00", "24:00"]], "Enter a time, such as 10:00"],
    [[["24:00", "24:00"]], "Enter a time, such as 10:00"],
    [[["09:00", "24:01"]], "Enter a time, such as 18:00"],
    [[["09:00"]], "Must be a time to open and one to close"],
    [
      [
        ["08:00", "09:00"],
        ["10:00", "11:00"],
        ["12:00", "13:00"],
      ],
      "At most 2 times a day",
    ],
  ])("refuse the hours %j", async (mon, message) => {
    const answer = await patch({ hours: { weekly: { ...closedWeek, mon }, days: [] } });
    expect(answer.status).toBe(400);
    expect((await problems(answer))[0]).toContain(`: ${message}`);
  });

  it.each([
    [[{ day: "2027-02-29", spans: [] }], "hours.days.0.day: There is no such day"],
    [
      [
        { day: "2028-02-29", spans: [] },
        { day: "2028-02-29", spans: [["10:00", "12:00"]] },
      ],
      "hours.days.1.day: This day is in the list already",
    ],
  ])("refuse the days %j", async (days, problem) => {
    const answer = await patch({ hours: { weekly: closedWeek, days } });
    expect(answer.status).toBe(400);
    expect((await problems(answer)).join()).toContain(problem.split(":")[0]);
  });

  it("keep a leap day, and drop days that are over", async () => {
    const days = [
      { day: "2020-02-29", spans: [], note: "" },
      { day: "2028-02-29", spans: [["10:00", "12:00"]], note: "Leap day" },
    ];
    expect((await patch({ hours: { weekly: closedWeek, days } })).status).toBe(200);
    expect(await read()).toMatchObject({ hours: { days: [{ day: "2028-02-29", note: "Leap day" }] } });
  });

  it("of two admins who save one group, the second is told what the first changed; other groups are no conflict", async () => {
    const was = { name: "Emporia", phone: "+1 416 555 0142" };
    expect((await patch({ name: "First", was })).status).toBe(200);
    const second = await patch({ name: "Second", phone: "+1 416 555 0001", was });
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({
      message: "Somebody else has just changed these settings.",
    });
    expect((await patch({ quoteDays: 30, was: { quoteDays: 14 } })).status).toBe(200);
    expect(await read()).toMatchObject({ name: "First", quoteDays: 30, phone: "+1 416 555 0142" });
  });

  it("of many saves at the same time lose none", async () => {
    const fields = ["instagram", "facebook", "tiktok", "mapUrl", "address", "goodsName"];
    const answers = await Promise.all(
      fields.map((field) =>
        patch({ [field]: field.endsWith("e") ? "A name" : `https://${field.toLowerCase()}.example` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(fields.map(() => 200));
    const { version } = (await env.DB.prepare("SELECT version FROM shop_settings WHERE name = 'shop'").first<{
      version: number;
    }>()) ?? { version: 0 };
    expect(version).toBe(fields.length);
    expect(await read()).toMatchObject({ instagram: "https://instagram.example", goodsName: "A name" });
  });
});

const SHOP_FIELDS = {
  ...{ name: "Maple & Oak", pickup: "at the counter", supportEmail: "hello@emporia.example" },
  ...{ legalEmail: "legal@emporia.example", mailFrom: "no-reply@emporia.example" },
};

describe("the logo", () => {
  const LOGO = "products/logo.png";
  const setLogo = (logo: string) =>
    env.DB.prepare(
      "INSERT INTO shop_settings (name, content, version, saved_by, saved_at) VALUES ('shop', ?, 1, '', 1)",
    )
      .bind(JSON.stringify({ logo }))
      .run();

  it("stands in the head of the back office, and in mails by its address and the shop's name", async () => {
    const sent = vi.spyOn(env.MAIL, "send").mockReset().mockResolvedValue({ messageId: "1" });
    const mail = async () => {
      await call("/api/user/invite", {
        json: {
          email: `logo${sent.mock.calls.length}@mail.example`,
          firstName: "Jonas",
          lastName: "B",
          roles: ["seller"],
        },
        token,
      });
      const [message] = sent.mock.calls.at(-1) ?? [];
      return String((message as unknown as Record<string, unknown>)["EmailMessage::raw"]).replaceAll(
        "=\r\n",
        "",
      );
    };
    const admin = async () => (await call("/admin/settings", { token })).text();
    expect(await mail()).not.toContain("<img");
    expect(await admin()).toContain("#logo");
    await setLogo(LOGO);
    expect(await admin()).toContain(`src="/api/storage/object?key=${encodeURIComponent(LOGO)}"`);
    const raw = await mail();
    expect(raw).toContain(`http://localhost:8787/api/storage/object?key=${encodeURIComponent(LOGO)}`);
    expect(raw.match(/<img[^>]*>/)?.[0]).toMatch(/ alt="Emporia" height="40"/);
  });

  it("stands on receipts of its time, on the page and in the file, and is kept for them", async () => {
    await env.BUCKET.put(LOGO, onePixel(), { httpMetadata: { contentType: "image/png" } });
    await setLogo(LOGO);
    const sold = await call("/api/sale", {
      json: {
        paymentMode: "CARD",
        lines: [{ description: "Tray", quantity: 1, amount: 5, businessType: "EMPORIA" }],
      },
      token,
    });
    const { documents } = (await sold.json()) as { documents: [{ id: string }] };
    const [{ id }] = documents;
    const receipt = async () => (await call(`/receipts/${id}`, { token })).text();
    const pdf = async () =>
      Buffer.from(await (await call(`/receipts/${id}.pdf`, { token })).arrayBuffer()).toString("latin1");
    expect(await receipt()).toContain(encodeURIComponent(LOGO));
    expect(await pdf()).toContain("/Subtype /Image");
    await env.BUCKET.delete(LOGO);
    expect(await pdf()).not.toContain("/Subtype /Image");
  });
});

describe("forms of the settings, without JavaScript", () => {
  it("save a group and say so", async () => {
    const answer = await submit("shop", SHOP_FIELDS);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/admin/settings"]);
    expect(await page("/terms")).toContain("Maple &amp; Oak");
  });

  it.each([
    ["an SVG", new File(["<svg xmlns='http://www.w3.org/2000/svg'/>"], "logo.svg"), 415],
    ["50,000 × 50,000 pixels", new File([hugePng()], "logo.png"), 413],
    ["no picture", new File(["hello"], "logo.png"), 415],
  ])("refuse %s as a logo and keep what was typed", async (_, logo, status) => {
    const answer = await submit("shop", { ...SHOP_FIELDS, logo });
    expect([400, 413, 415]).toContain(answer.status);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain("Maple &amp; Oak");
    expect((await read()).logo).toBe("");
  });

  it("add and remove times and days without saving, and keep what was typed", async () => {
    const typed = { "mon-opens": "09:15", "mon-closes": "12:45" };
    const second = await (await submit("redraw", { ...typed, act: "second mon" })).text();
    expect(second).toContain('name="mon-opens2"');
    expect(second).toContain('value="09:15"');
    const added = await (await submit("redraw", { ...typed, act: "add" })).text();
    expect(added).toContain('name="day-0"');
    const removed = await submit("redraw", { ...typed, "day-0": "2030-01-01", act: "remove day-0" });
    expect(await removed.text()).not.toContain('name="day-0"');
    expect(await read()).toMatchObject({ hours: { weekly: { mon: [] } } });
  });

  it("preview unsaved hours as a shopper reads them", async () => {
    const html = await (
      await submit("redraw", { "mon-opens": "09:15", "mon-closes": "12:45", act: "preview" })
    ).text();
    expect(html).toContain("<dt>Monday</dt><dd>09:15 to 12:45</dd>");
    expect(html).toContain("These hours are not saved yet.");
  });

  it("say which days were over, and keep the others", async () => {
    const days = { "day-0": "2020-12-24", "day-1": "2099-12-24", "day-2": "2020-12-25" };
    const answer = await submit("hours", { "mon-opens": "10:00", "mon-closes": "18:00", ...days });
    expect(answer.status).toBe(303);
    const kept = (await read()).hours as { days: { day: string }[] };
    expect(kept.days.map(({ day }) => day)).toEqual(["2099-12-24"]);
    const cookie = cookiesOf(answer);
    expect(await (await call("/admin/settings?group=hours", { token, cookie })).text()).toContain(
      "Hours saved. 2 days that are over have left the list.",
    );
  });

  it("say until when the chat is switched by hand", async () => {
    const shown = async () => (await call("/admin/settings?group=hours", { token })).text();
    const always = Object.fromEntries(Object.keys(closedWeek).map((day) => [day, [["00:00", "24:00"]]]));
    const tomorrow = localDay(Math.floor(Date.now() / 1000) + 86_400, "America/Toronto");
    const days = [{ day: tomorrow, spans: [], note: "" }];
    const byHand = (isOnline: boolean) =>
      call("/api/chat/settings", { method: "PATCH", json: { isOnline }, token });
    await byHand(true);
    expect(await shown()).toContain("Online until somebody switches it");
    await patch({ hours: { weekly: always, days }, chatFollowsHours: true });
    await vi.waitFor(async () => expect(await shown()).toContain("Online by the hours until today 24:00"));
    await byHand(false);
    expect(await shown()).toContain("Away, switched by hand until today 24:00, then by the hours");
    await byHand(true);
  });

  it("say what is wrong with a time that is missing", async () => {
    const html = await (await submit("hours", { "mon-opens": "18:00", "mon-closes": "" })).text();
    expect(html).toContain("Enter a time, such as 18:00");
    expect(html).not.toContain("Closes at");
  });

  it("say that a new address leaves the old link to the map", async () => {
    const fields = { ...SHOP_FIELDS, mapUrl: "https://map.example/1" };
    const saved = async (more: object) => {
      const answer = await submit("shop", { ...fields, ...more });
      return (await call("/admin/settings", { token, cookie: cookiesOf(answer) })).text();
    };
    await saved({ address: "1 Old Street" });
    expect(await saved({ address: "2 New Street" })).toContain(
      "The address is new, the link to the map is not",
    );
    for (const more of [
      { address: "2 New Street" },
      { address: "3 Street", mapUrl: "https://map.example/3" },
      { mapUrl: "" },
    ])
      expect(await saved(more)).toContain("Shop saved<");
  });

  it("refuse wrong hours beside their day, with both values", async () => {
    const answer = await submit("hours", { "mon-opens": "18:00", "mon-closes": "10:00" });
    const html = await answer.text();
    expect(answer.status).toBe(400);
    expect(html).toContain("Closes at 10:00, before it opens at 18:00.");
    expect(html).toContain('value="18:00"');
  });

  it("tell the second of two admins, keep the typed fields and take over the others", async () => {
    const was = JSON.stringify({ headline: "", introduction: "", heroProduct: "", featured: [] });
    await patch({ headline: "Theirs", introduction: "Their text" });
    const answer = await submit("home", { headline: "Mine", was });
    const html = await answer.text();
    expect(answer.status).toBe(409);
    expect(html).toContain("Now Theirs");
    expect(html).toContain('value="Mine"');
  });
});
