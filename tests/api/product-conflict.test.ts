import { beforeAll, expect, it } from "vitest";
import { formWith } from "../support/forms";
import { manager } from "../support/people";
import { addProduct, call } from "../support/shop";

let token: string;
beforeAll(async () => {
  ({ token } = await manager());
});

const put = (id: string, json: Record<string, unknown>) =>
  call(`/api/product/${id}`, { method: "PUT", json, token });
const read = async (id: string) =>
  (await (await call(`/api/product/id/${id}`, { token })).json()) as { name: string; price: number };

it("tells the second of two who edit one field what the first has saved", async () => {
  const id = await addProduct({ name: "Walnut lamp", priceCents: 6400 });
  expect((await put(id, { price: "70.00", was: { price: "64.00" } })).status).toBe(200);
  const refused = await put(id, { price: "80.00", was: { price: "64.00" } });
  expect(refused.status).toBe(409);
  const { message, details } = (await refused.json()) as {
    message: string;
    details: { path: string; message: string }[];
  };
  expect(message).toBe(
    "Somebody else has just changed this product. Save again to put yours in its place, or close to leave theirs.",
  );
  expect(details).toEqual([
    { path: "price", message: "Now $70.00" },
    { path: "was", message: '{"price":"70.00"}' },
  ]);
  expect((await read(id)).price).toBe(70);
  expect((await put(id, { price: "80.00", was: { price: "70.00" } })).status).toBe(200);
  expect((await read(id)).price).toBe(80);
});

it("lets edits of other fields, the same value and callers without what they saw pass", async () => {
  const id = await addProduct({ name: "Oat balm", priceCents: 1000 });
  // The API answers dollars as a number.
  expect((await put(id, { price: 12, was: { price: 10 } })).status).toBe(200);
  expect((await put(id, { name: "Oat hand balm", was: { name: "Oat balm" } })).status).toBe(200);
  expect((await put(id, { price: "12.00", was: { price: "10.00" } })).status).toBe(200);
  expect((await put(id, { price: "13.00" })).status).toBe(200);
  expect(await read(id)).toMatchObject({ name: "Oat hand balm", price: 13 });
});

it("refuses a stock that has changed since the caller saw it, named among the other fields", async () => {
  const id = await addProduct({ name: "Fig soap", stock: 1 });
  const refused = await put(id, { stock: 9, was: { stock: 3 } });
  expect(refused.status).toBe(409);
  expect(((await refused.json()) as { details: object[] }).details).toEqual([
    { path: "stock", message: "Now 1. Save again to overwrite it." },
    { path: "stockWas", message: "1" },
  ]);
  const invalid = await put(id, { stock: 9, was: { stock: "x" } });
  expect(invalid.status).toBe(400);
  expect(await invalid.json()).toMatchObject({ details: [{ path: "was.stock" }] });
  expect(await read(id)).toMatchObject({ stock: 1 });
  expect((await put(id, { stock: 9, was: { stock: 1 } })).status).toBe(200);
  expect(await read(id)).toMatchObject({ stock: 9 });
  // Another one who counted the same agrees.
  expect((await put(id, { stock: 9, was: { stock: 1 } })).status).toBe(200);
});

it("asks in the form without JavaScript, which overwrites when it is sent again", async () => {
  const images = { imageUrls: ["https://images.example.com/vase.webp"] };
  const id = await addProduct({ name: "Clay vase", priceCents: 3000, ...images });
  const path = `/admin/products-management?edit=${id}`;
  const { fields } = formWith(await (await call(path, { token })).text(), /^Update Product$/);
  const send = (typed: Record<string, string>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...fields, ...typed, intent: "update" }))
      body.set(name, value);
    return call(path, { method: "POST", body, token });
  };
  expect((await put(id, { name: "Blue vase" })).status).toBe(200);
  const refused = await send({ name: "Green vase" });
  expect(refused.status).toBe(409);
  const html = (await refused.text()).replace(/<script.*?<\/script>/gs, "");
  expect(html.match(/Now Blue vase/g)).toHaveLength(1);
  expect(html).toMatch(/id="product-name-error"[^>]*>(?:<[^>]*>)*Now Blue vase/);
  expect(html).toMatch(/name="name"[^>]*aria-invalid="true"/);
  const again = formWith(html, /^Update Product$/).fields;
  expect(again.name).toBe("Green vase");
  const saved = await send({ ...again });
  expect(saved.status).toBe(303);
  expect((await read(id)).name).toBe("Green vase");
});

it("lets one of many who save a field at the same instant pass", async () => {
  const image = "https://images.example.com/vase.webp";
  const id = await addProduct({ name: "Clay vase", priceCents: 3000, colors: ["Clay"], imageUrls: [image] });
  const edits = [
    ...[1, 2, 3].map((n) => ({ price: `4${n}.00`, was: { price: "30.00" } })),
    ...[1, 2, 3].map((n) => ({ name: `Vase ${n}`, was: { name: "Clay vase" } })),
    ...[1, 2, 3].map((n) => ({ colors: [`Moss ${n}`, "Clay"], was: { colors: ["Clay"] } })),
  ];
  const statuses = await Promise.all(edits.map(async (edit) => (await put(id, edit)).status));
  const each = [statuses.slice(0, 3), statuses.slice(3, 6), statuses.slice(6)];
  expect(each.map((group) => group.toSorted())).toEqual(Array(3).fill([200, 409, 409]));
});
