import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pictureFile } from "../support/chat-files";
import { formsIn, press, submit } from "../support/forms";
import { manager, person, problems, seller } from "../support/people";
import { sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

let owner: { token: string };
let boss: { token: string };
beforeAll(async () => {
  [owner, boss] = [await person({ isAdmin: true, firstName: "Maren", lastName: "Okafor" }), await manager()];
});
beforeEach(async () => {
  await env.DB.batch(
    ["shop_settings", "business_settings"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
});

const patch = (json: unknown, by = owner) => call("/api/settings", { method: "PATCH", json, ...by });
const read = async () => (await (await call("/api/settings", owner)).json()) as Record<string, unknown>;
const page = async (group: string, by = owner) => (await call(`/admin/settings?group=${group}`, by)).text();
const text = async (answer: Promise<Response>) => (await answer).text();
/** Values of the form with a field. */
const fieldsWith = (html: string, name: string) =>
  formsIn(html).find(({ fields }) => name in fields)?.fields ?? {};

describe("the home page's products", () => {
  it("are found by name, put into the hero and below it, ordered and taken out, and saved at last", async () => {
    const mug = await addProduct({ name: "Speckled stoneware mug", stock: 3 });
    const pen = await addProduct({ name: "Walnut rollerball pen", stock: 3 });
    const act = (html: string, button: RegExp, typed = {}) => text(press(html, button, typed, owner));
    let html = await act(await page("home"), /^Search of products/, { find: "stoneware", headline: "Gifts" });
    expect(html).toContain("For “stoneware”:");
    html = await act(html, /^Into the hero of Speckled/);
    html = await act(html, /^Search of products/, { find: "stoneware" });
    html = await act(html, /^Add below of Speckled/);
    html = await act(html, /^Search of products/, { find: "rollerball" });
    html = await act(html, /^Add below of Walnut/);
    expect(html).not.toContain("Add below of Walnut");
    html = await act(html, /^One up of Walnut/);
    expect(fieldsWith(html, "featured1")).toMatchObject({
      ...{ headline: "Gifts", heroProduct: mug, featured1: pen, featured2: mug },
    });
    expect(await read()).toMatchObject({ headline: "", heroProduct: "", featured: [] });
    const saved = await press(html, /^Save$/, {}, owner);
    expect(saved.status).toBe(303);
    expect(await read()).toMatchObject({ headline: "Gifts", heroProduct: mug, featured: [pen, mug] });
    html = await act(await page("home"), /^Remove of Speckled/);
    html = await act(html, /^Take out of Speckled/);
    await press(html, /^Save$/, {}, owner);
    expect(await read()).toMatchObject({ heroProduct: "", featured: [pen] });
  });

  it("are searched for by Enter, which presses Save, and nothing is saved", async () => {
    await addProduct({ name: "Copper kettle", stock: 1 });
    const answer = await press(await page("home"), /^Save$/, { headline: "New", find: "copper" }, owner);
    const html = await answer.text();
    expect([answer.status, html.includes("These changes are not saved yet.")]).toEqual([200, true]);
    expect(html).toContain("Copper kettle");
    expect((await read()).headline).toBe("");
  });

  it("are none where nothing matches, and never hidden ones", async () => {
    const id = await addProduct({ name: "Secret samovar", stock: 1 });
    await env.DB.prepare("UPDATE products SET is_hidden = 1 WHERE id = ?").bind(id).run();
    for (const find of ["samovar", "x", "%", "<b>"]) {
      const html = await text(press(await page("home"), /^Search of products/, { find }, owner));
      expect(html, find).toContain("No product matches “");
      expect(html).not.toContain("<b></b>");
    }
  });

  it("are at most eight, and keep their names when the form is refused", async () => {
    const id = await addProduct({ name: "Brass compass", stock: 1 });
    const nine = Object.fromEntries(
      Array.from({ length: 8 }, (_, i) => [`featured${i + 1}`, i === 0 ? id : `p${i}`]),
    );
    const redraw = { group: "home", act: "add another", ...nine };
    const html = await text(submit("/admin/settings?group=home", redraw, owner));
    expect(html).toContain("Brass compass");
    expect(html).not.toContain('value="another"');
    const refused = await submit(
      "/admin/settings?group=home",
      { intent: "home", headline: "x".repeat(61), featured1: id, "featured1-name": "Brass compass" },
      owner,
    );
    expect([refused.status, (await refused.text()).includes("Brass compass")]).toEqual([400, true]);
  });
});

describe("a form that is drawn again before it is saved", () => {
  it.each([
    ["shop", { name: "Maple & Oak", address: "1 Elm Street", engravingName: "" }, "Laser Craft (L-…)"],
    ["sales", { receiptText: "Bring it back", cashRounding: "0.10" }, "-$0.02"],
    ["chat", { answererName: "Theo", welcomeMessage: "Good day!" }, '<p class="bubble">Good day!</p>'],
    ["home", { headline: "Gifts with a name" }, "<b>Gifts with a name</b>"],
  ])(
    "shows %s as a shopper will read it, keeps what was typed and stores nothing",
    async (group, typed, words) => {
      const before = await read();
      const html = await text(press(await page(group), /^Preview/, typed, owner));
      expect(html.replaceAll("<!-- -->", "").replaceAll("−", "-")).toContain(words);
      expect(fieldsWith(html, "group")).toMatchObject(typed);
      expect(await read()).toEqual(before);
    },
  );

  it("shows what visitors read while the shop is away, and the greeting as it is sent", async () => {
    const typed = { welcomeMessage: "Hi {name}!", offlineMessage: "Back soon, {name}. Collect {pickup}." };
    const html = await text(press(await page("chat"), /^Preview/, typed, owner));
    expect(html).toContain('<p class="bubble">Hi {name}!</p>');
    expect(html).toMatch(/<p class="bubble">Back soon, there. Collect [^<{]+\.<\/p>/);
  });

  it.each([
    ["shop", "logo", "removesLogo"],
    ["chat", "picture", "removesPicture"],
  ])(
    "asks for the picture of %s again, and keeps the box that removes the stored one",
    async (group, file, box) => {
      await patch({ name: "Emporia", phone: "+1 416 555 0177", answererName: "Maren" });
      await env.DB.batch([
        env.DB.prepare(
          "UPDATE shop_settings SET content = json_set(content, '$.logo', 'products/logo.png') WHERE name = 'shop'",
        ),
        env.DB.prepare("UPDATE chat_settings SET answerer_picture = 'products/me.png'"),
      ]);
      const redraw = async (picture: File, fields: object) => {
        const body = new FormData();
        const stored = { ...fieldsWith(await page(group), "group"), act: "preview", ...fields };
        for (const [name, value] of Object.entries(stored)) body.append(name, value);
        body.append(file, picture);
        return text(call(`/admin/settings?group=${group}`, { body, ...owner }));
      };
      const again = await redraw(pictureFile("opaquePng", "new.png"), { [box]: "on" });
      expect(again).toContain("Choose the picture again");
      expect(fieldsWith(again, "group")).toHaveProperty(box);
      const without = await redraw(new File([], ""), {});
      expect(without).not.toContain("Choose the picture again");
      expect(fieldsWith(without, "group")).not.toHaveProperty(box);
    },
  );

  it.each([
    ["shop", "logo", { name: "" }],
    ["chat", "picture", { welcomeMessage: "x".repeat(5000) }],
  ])("asks for the picture of %s again when Save is refused", async (group, file, wrong) => {
    const save = async (picture: File) => {
      const body = new FormData();
      const sent = { ...fieldsWith(await page(group), "group"), ...wrong, intent: group };
      for (const [name, value] of Object.entries(sent)) body.append(name, value);
      body.append(file, picture);
      const answer = await call(`/admin/settings?group=${group}`, { body, ...owner });
      expect(answer.status).toBe(400);
      return answer.text();
    };
    expect(await save(pictureFile("opaquePng", "new.png"))).toContain("Choose the picture again");
    expect(await save(new File([], ""))).not.toContain("Choose the picture again");
  });

  it("says when holds and quotes of the typed days end", async () => {
    const html = await text(
      press(await page("sales"), /^Preview/, { quoteDays: "365", holdDays: "x" }, owner),
    );
    expect(html).toContain("Now: until");
    const inAYear = new Date(Date.now() + 365 * 86_400_000).getUTCFullYear();
    expect(await text(press(await page("sales"), /^Preview/, { quoteDays: "365" }, owner))).toContain(
      String(inAYear),
    );
  });

  it("still tells of what somebody else has saved since it was opened", async () => {
    const opened = await page("home");
    await patch({ headline: "Theirs" });
    const redrawn = await text(press(opened, /^Preview/, { headline: "Mine" }, owner));
    const saved = await press(redrawn, /^Save$/, {}, owner);
    expect([saved.status, (await saved.text()).includes("Now Theirs")]).toEqual([409, true]);
    const hours = await page("hours");
    await patch({ chatFollowsHours: true });
    const second = await text(
      press(hours, /^Second time of Monday/, { "mon-opens": "09:00", "mon-closes": "12:00" }, owner),
    );
    const refused = await press(second, /^Save$/, { chatFollowsHours: "" }, owner);
    expect(refused.status).toBe(409);
  });

  it("still tells of it when another field was refused in between", async () => {
    const opened = await page("shop");
    await patch({ phone: "+1 416 555 0777" });
    const typed = { phone: "+1 416 555 0888", supportEmail: "nobody" };
    const refused = await press(opened, /^Save$/, typed, owner);
    expect(refused.status).toBe(400);
    const saved = await press(await refused.text(), /^Save$/, { supportEmail: "ask@emporia.example" }, owner);
    expect([saved.status, (await saved.text()).includes("Now +1 416 555 0777")]).toEqual([409, true]);
    expect((await read()).phone).toBe("+1 416 555 0777");
  });

  it("says when the chat is back only while it follows the hours", async () => {
    const never = Object.fromEntries(
      ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].flatMap((day) => [
        [`${day}-opens`, ""],
        [`${day}-closes`, ""],
      ]),
    );
    const preview = async (typed: object) =>
      text(press(await page("hours"), /^Preview/, { ...never, ...typed }, owner));
    expect(await preview({})).not.toContain("Chat: ");
    expect(await preview({ chatFollowsHours: "on" })).toContain("Closed. Chat: Closed");
  });

  it("names the days whose hours somebody else has changed", async () => {
    const opened = await page("hours");
    const weekly = {
      ...Object(((await read()).hours as { weekly: object }).weekly),
      sat: [["08:00", "09:30"]],
    };

    await patch({ hours: { weekly, days: [{ day: "2099-12-24", spans: [], note: "Eve" }] } });
    const refused = await press(opened, /^Save$/, { "sat-opens": "11:00", "sat-closes": "12:00" }, owner);
    const html = (await refused.text()).replaceAll("<!-- -->", "");
    expect(refused.status).toBe(409);
    expect(html).toContain("Changed: Hours. Save again overwrites their change.");
    expect(html).toContain("Now Saturday 08:00 to 09:30; 2099-12-24: closed (Eve)");
  });

  it("is a seller's and a customer's as little as the page, and a manager's where they save", async () => {
    const redraw = { group: "home", headline: "x", act: "preview" };
    for (const who of [await seller(), await person()])
      expect((await submit("/admin/settings?group=home", redraw, who)).headers.get("Location")).toContain(
        "/unauthorized",
      );
    expect(await page("home", boss)).not.toContain('value="preview"');
    expect(await text(press(await page("chat", boss), /^Preview/, { answererName: "Theo" }, boss))).toContain(
      "<b>Theo</b>",
    );
  });
});

describe("taxes", () => {
  const SALES = "/admin/settings?group=sales";
  const FIELDS = { number: "987", name: "HST", rate: "13", isIncluded: "on" };
  const save = (fields: object, by = owner) =>
    submit(SALES, { intent: "tax", business: "LASER", version: "0", ...FIELDS, ...fields }, by);

  it("are saved by an admin alone, and apply to sales", async () => {
    expect((await save({}, boss)).headers.get("Location")).toContain("/unauthorized");
    const answer = await save({});
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, SALES]);
    const [document] = await sold(boss.token, {
      lines: [{ description: "Tag", businessType: "LASER", quantity: 1, amount: 113 }],
    });
    expect(document).toMatchObject({ taxName: "HST", taxAmount: 13 });
    expect(await page("sales")).toContain('value="987"');
    expect((await save({})).status).toBe(409);
  });

  it("need a name and a rate for a number, and a rate below 100 %", async () => {
    const empty = await save({ rate: "" });
    expect([empty.status, await empty.text()]).toEqual([
      400,
      expect.stringContaining("Enter the rate, or 0"),
    ]);
    for (const wrong of [{ name: "" }, { rate: "100" }]) expect((await save(wrong)).status).toBe(400);
    expect((await save({ rate: "0" })).status).toBe(303);
    expect((await save({ number: "", name: "", rate: "", version: "1" })).status).toBe(303);
  });

  it("are read and changed by the API, each as it was seen", async () => {
    const none = { number: "", name: "", rate: 0, isIncluded: true };
    expect((await read()).tax).toEqual({ EMPORIA: none, LASER: none });
    const hst = { number: "987", name: "HST", rate: 13.5, isIncluded: false };
    const changed = await patch({ tax: { EMPORIA: hst }, was: { tax: { EMPORIA: none } } });
    expect([changed.status, ((await changed.json()) as { tax: unknown }).tax]).toEqual([
      ...[200, { EMPORIA: hst, LASER: none }],
    ]);
    const stale = await patch({ tax: { EMPORIA: none }, quoteDays: 3, was: { tax: { EMPORIA: none } } });
    expect(stale.status).toBe(409);
    expect(await read()).toMatchObject({ quoteDays: 14, tax: { EMPORIA: hst, LASER: none } });
    expect(await problems(await patch({ tax: { LASER: { ...hst, name: "" } } }))).toEqual([
      "tax.LASER.name: Enter the name of the tax, such as HST",
    ]);
    expect((await patch({ tax: { LASER: hst } }, boss)).status).toBe(403);
    const log = await env.DB.prepare(
      "SELECT object_id FROM audit_log WHERE object = 'taxSettings' ORDER BY seq DESC LIMIT 1",
    ).first("object_id");
    expect(log).toBe("EMPORIA");
  });

  it("keep what a change of the API does not name, and have to be complete with it", async () => {
    const none = { number: "", name: "", rate: 0, isIncluded: true };
    const hst = { number: "987", name: "HST", rate: 13, isIncluded: true };
    await patch({ tax: { EMPORIA: hst } });
    expect((await patch({ tax: { EMPORIA: { rate: 15 } } })).status).toBe(200);
    expect((await read()).tax).toEqual({ EMPORIA: { ...hst, rate: 15 }, LASER: none });
    expect((await patch({ tax: { EMPORIA: { isIncluded: false }, LASER: {} } })).status).toBe(200);
    const stored = { EMPORIA: { ...hst, rate: 15, isIncluded: false }, LASER: none };
    expect(await problems(await patch({ tax: { EMPORIA: { name: "" } }, quoteDays: 3 }))).toEqual([
      "tax.EMPORIA.name: Enter the name of the tax, such as HST",
    ]);
    expect(await problems(await patch({ tax: { LASER: { number: "1", name: "HST" } } }))).toEqual([
      "tax.LASER.rate: Enter the rate, or 0 where none is charged",
    ]);
    expect(await read()).toMatchObject({ quoteDays: 14, tax: stored });
  });

  it("do not include the tax once the box is unticked, also in a form that is refused", async () => {
    const { isIncluded: _, ...unticked } = FIELDS;
    const send = (fields: object) =>
      submit(SALES, { intent: "tax", business: "LASER", version: "0", ...unticked, ...fields }, owner);
    const refused = formsIn(await text(send({ rate: "100" }))).find(
      ({ fields }) => fields.business === "LASER",
    );
    expect(refused?.fields).toMatchObject({ number: "987", rate: "100" });
    expect(refused?.fields).not.toHaveProperty("isIncluded");
    expect((await send({})).status).toBe(303);
    expect((await read()).tax).toMatchObject({ LASER: { number: "987", isIncluded: false } });
  });

  it.each([
    [true, ["Before tax $21.26", "HST 13%, included $2.76", "Rounding, cash −$0.02", "Total, cash $24.00"]],
    [false, ["Before tax $24.02", "HST 13% $3.12", "Rounding, cash +$0.01", "Total, cash $27.15"]],
  ])("stand on the sample of a receipt as on a real one, included: %s", async (isIncluded, rows) => {
    await patch({
      cashRounding: "0.05",
      tax: { EMPORIA: { number: "987", name: "HST", rate: 13, isIncluded } },
    });
    const html = (await page("sales")).replaceAll("<!-- -->", "");
    for (const row of rows) {
      const [, label, amount] = /^(.*) (\S+)$/.exec(row) ?? [];
      expect(html).toContain(`<dt>${label}</dt><dd>${amount}</dd>`);
    }
    expect(html).toContain("<p>HST 987</p>");
    await patch({ tax: { EMPORIA: { number: "" } } });
    expect(await page("sales")).not.toContain("Before tax");
  });

  it("are no longer a form of Bookkeeping, which leads to them", async () => {
    const html = await (await call("/admin/bookkeeping", owner)).text();
    expect(html).toContain("/admin/settings?group=sales#tax");
    expect(html).not.toContain("Registration number");
  });
});

describe("the chat among the settings", () => {
  it("says who saved last, as the other groups do", async () => {
    await env.DB.prepare("DELETE FROM audit_log WHERE object = 'chatSettings'")
      .run()
      .catch(() => null);
    await call("/api/chat/settings", {
      method: "PATCH",
      json: { welcomeMessage: `Hi ${Date.now()}` },
      ...owner,
    });
    expect(await page("chat")).toMatch(/Saved [^<]+ by Maren Okafor/);
    await call("/api/chat/settings", {
      method: "PATCH",
      json: { offlineMessage: `Bye ${Date.now()}` },
      ...boss,
    });
    expect(await page("chat")).not.toMatch(/Saved [^<]+ by Maren Okafor/);
  });

  it("lists the responses, each with the way to its form", async () => {
    const added = await call("/api/chat/responses", {
      json: { trigger: "parking", response: "Behind the shop.", category: "Place" },
      ...boss,
    });
    const { id } = (await added.json()) as { id: string };
    const html = await page("chat");
    expect(html).toContain("Behind the shop.");
    expect(html).toContain(`edit=${id}`);
    expect(html.match(/<nav class="view-switch".*?<\/nav>/s)?.[0]).not.toContain("Responses");
  });

  it("is where the audit log leads for its changes", async () => {
    await call("/api/chat/settings", {
      method: "PATCH",
      json: { answererName: `Theo ${Date.now()}` },
      ...owner,
    });
    expect(await (await call("/admin/audit", owner)).text()).toContain('href="/admin/settings?group=chat"');
  });
});
