import { beforeAll, describe, expect, it } from "vitest";
import { startChat } from "../support/chat";
import { customersScreen, CUSTOMERS as PATH } from "../support/customers-screen";
import { formWith } from "../support/forms";
import { admin, manager, person } from "../support/people";
import { numberFrom, sold } from "../support/sales";
import { call } from "../support/shop";

let token: string;
const { names, html, send, add } = customersScreen(() => token);
beforeAll(async () => {
  ({ token } = await manager());
});

/** Adds a customer with an account. */
async function ofAccount() {
  const owner = await person();
  const { chatId } = await startChat({ initialMessage: "Hi" }, owner);
  return { owner, id: await add({ name: "Nilay Aksoy", chatId }) };
}

describe("two customers who are one person", () => {
  it("says of an account that is gone that there is none, and keeps the one that is there", async () => {
    const [gone, kept] = [await ofAccount(), await ofAccount()];
    const merge = () => call(`/api/customer/${gone.id}/merge`, { token, json: { id: kept.id } });
    expect(await html(`${PATH}/${gone.id}`)).toContain("Has an account");
    expect((await merge()).status).toBe(409);
    const boss = await admin();
    expect((await call(`/api/user/${gone.owner.id}`, { method: "DELETE", ...boss })).status).toBe(200);
    for (const path of [`${PATH}/${gone.id}`, `/admin/personal-data?customer=${gone.id}`]) {
      const shown = await (await call(path, boss)).text();
      expect(shown, path).toContain("No account");
      expect(shown, path).not.toContain("Has an account");
    }
    const merged = await merge();
    expect([merged.status, await merged.json()]).toEqual([
      200,
      expect.objectContaining({ userId: kept.owner.id }),
    ]);
    expect(await html(`${PATH}/${gone.id}`)).toContain("Has an account");
  });

  it("keeps its account when that of the merged one is gone", async () => {
    const [kept, gone] = [await ofAccount(), await ofAccount()];
    const deleted = await call(`/api/user/${gone.owner.id}`, { method: "DELETE", ...(await admin()) });
    expect(deleted.status).toBe(200);
    const merged = await call(`/api/customer/${kept.id}/merge`, { token, json: { id: gone.id } });
    expect([merged.status, await merged.json()]).toEqual([
      200,
      expect.objectContaining({ userId: kept.owner.id }),
    ]);
    expect(await html(`${PATH}/${kept.id}`)).toContain("Has an account");
  });

  it("compares two customers and merges them field by field at a person's word", async () => {
    const kept = await add({ name: "Elif Kaya", email: "elif@mail.example", notes: "Early" });
    const other = await add({
      name: "E. Kaya",
      email: "elif@mail.example",
      phoneNumber: "647 555 0100",
      notes: "Late",
    });
    await sold(token, { customerId: other, lines: [{ description: "Tray", quantity: 1, amount: 30 }] });
    const url = `${PATH}/${kept}`;
    expect(await html(url)).toContain(`?merge=${other}`);
    expect(await html(`${url}?merge=&q=kaya`)).toContain(`?merge=${other}`);
    const comparison = await html(`${url}?merge=${other}`);
    const { fields } = formWith(comparison, /^Merge both/);
    // The addresses are equal and one phone number stands alone: nothing to choose.
    expect(fields).toMatchObject({ name: "own", notes: "both" });
    expect(Object.keys(fields)).not.toContain("phoneNumber");
    const refused = await send(`${url}?merge=${other}`, { intent: "merge", ...fields, other: kept });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toMatch(/<textarea[^>]*name="notes"[^>]*>Early<\/textarea>/);
    const merged = await send(`${url}?merge=${other}`, { intent: "merge", ...fields, name: "other" });
    expect([merged.status, merged.headers.get("Location")]).toEqual([303, url]);
    const page = await html(url);
    for (const text of ["E. Kaya", "647", "Early\nLate", "$30.00"]) expect(page, text).toContain(text);
    expect(await names("q=e. kaya")).toEqual(["E. Kaya"]);
    expect((await call(`${PATH}/${other}`, { token })).status).toBe(404);
    expect((await send(url, { intent: "merge", other: kept })).status).toBe(409);
  });

  it("gets the sales and holds of a chat that is linked later", async () => {
    const { chatId } = await startChat({ userName: "Mateo", userEmail: "mateo@mail.example" });
    const [document] = await sold(token, {
      chatId,
      lines: [{ description: "Tray", quantity: 1, amount: 30 }],
    });
    const id = await add({ name: "Mateo Ruiz", email: "mateo@mail.example" });
    const column = await html(`/admin/chat?chat=${chatId}`);
    expect(column).toContain("Mateo Ruiz, same email");
    const { fields } = formWith(column, /^Link$/);
    expect((await send(`/admin/chat?chat=${chatId}`, { intent: "linkCustomer", ...fields })).status).toBe(
      303,
    );
    const page = await html(`${PATH}/${id}`);
    for (const text of [document?.number ?? "", "$30.00"]) expect(page, text).toContain(text);
    expect(await html(`/admin/chat?chat=${chatId}`)).toContain(`${PATH}/${id}`);
  });

  it("is added from its chat once for each form", async () => {
    const { chatId } = await startChat({ userName: "Elif", userEmail: "elif.new@mail.example" });
    const { fields } = formWith(await html(`/admin/chat?chat=${chatId}`), /^Add$/);
    expect(fields).toMatchObject({ name: "Elif", email: "elif.new@mail.example" });
    for (let i = 0; i < 2; i += 1)
      expect((await send(`/admin/chat?chat=${chatId}`, { intent: "addCustomer", ...fields })).status).toBe(
        303,
      );
    expect(await names("q=elif.new@")).toEqual(["Elif"]);
    const refused = await send(`/admin/chat?chat=${chatId}`, {
      intent: "addCustomer",
      ...fields,
      id: "x1",
      name: " ",
    });
    expect(refused.status).toBe(400);
    const unknown = { name: "Nobody", chatId: "unknown" };
    expect((await call("/api/customer", { json: unknown, token })).status).toBe(404);
    expect(await names("q=nobody")).toEqual([]);
  });

  it("takes each field from the chosen side, also at the API", async () => {
    const kept = await add({
      name: "Own",
      email: "own@mail.example",
      phoneNumber: "555 0101",
      notes: "Own notes",
    });
    const other = await add({
      name: "Other",
      email: "other@mail.example",
      phoneNumber: "555 0102",
      notes: "Other notes",
    });
    const fields = { name: "own", email: "other", phoneNumber: "other", notes: "own" };
    const answer = await call(`/api/customer/${kept}/merge`, { token, json: { id: other, fields } });
    expect(await answer.json()).toMatchObject({
      name: "Own",
      email: "other@mail.example",
      phoneNumber: "555 0102",
      notes: "Own notes",
    });
    expect(await names("q=other@mail")).toEqual(["Own"]);
    expect((await call(`/api/customer/${kept}/merge`, { token, json: { id: other, fields } })).status).toBe(
      404,
    );
  });

  it("two merges in opposite directions leave one customer with everything", async () => {
    const [left, right] = [await add({ name: "Left" }), await add({ name: "Right" })];
    for (const customerId of [left, right])
      await sold(token, { customerId, lines: [{ description: "Tray", quantity: 1, amount: 30 }] });
    const merge = (keep: string, drop: string) =>
      call(`/api/customer/${keep}/merge`, { token, json: { id: drop } });
    const answers = await Promise.all([merge(left, right), merge(right, left)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const total =
      "SELECT count(*) AS n FROM documents AS d JOIN customers AS c ON c.id = d.customer_id WHERE c.id IN (?, ?)";
    expect(await numberFrom(total, left, right)).toBe(2);
  });

  it("merges at once into one customer never join more notes than can be saved", async () => {
    const kept = await add({ name: "Kept", notes: "k".repeat(3000) });
    const others = [
      await add({ name: "One", notes: "o".repeat(1500) }),
      await add({ name: "Two", notes: "🙂".repeat(1500) }),
    ];
    const path = `/api/customer/${kept}`;
    const merges = others.map((id) => call(`${path}/merge`, { token, json: { id } }));
    const statuses = (await Promise.all(merges)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    const { notes } = (await (await call(path, { token })).json()) as { notes: string };
    expect((await call(path, { method: "PATCH", token, json: { notes } })).status).toBe(200);
  });

  it("joins notes up to 5,000 characters, counting an emoji as one", async () => {
    const notes = "🙂".repeat(2500);
    const kept = await add({ name: "Kept", notes });
    const merge = (id: string) => call(`/api/customer/${kept}/merge`, { token, json: { id } });
    const refused = await merge(await add({ name: "Longer", notes }));
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      {
        message:
          "The notes of both have 5,001 characters, and a customer's notes at most 5,000. Choose one side's notes or shorten them first.",
      },
    ]);
    const other = notes.slice(2);
    expect(await (await merge(await add({ name: "Shorter", notes: other }))).json()).toMatchObject({
      notes: `${notes}\n${other}`,
    });
  });
});
