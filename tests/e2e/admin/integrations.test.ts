import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import { build } from "esbuild";
import { Webhook } from "standardwebhooks";
import { test as base, expect, expectAccessible, NO_SCRIPT, type Open } from "../../support/browser";
import { fetchShop, OWN_CONNECTION, startShop } from "../../support/running-shop";
import { asStaff, staffCall } from "../../support/staff";

interface Receiver {
  origin: string;
  requests: { path: string; headers: IncomingHttpHeaders; body: string }[];
  /** Bytes that /large could send. */
  sent: number;
}

/** Answers by path: a redirect, 10 MB, none at all, else 204. */
const BEHAVIOURS: Record<string, (response: ServerResponse, receiver: Receiver) => void> = {
  "/redirect": (response) => response.writeHead(302, { Location: "/trap" }).end(),
  "/hang": () => {},
  "/large": (response, receiver) => {
    const chunk = Buffer.alloc(65_536);
    const write = () => {
      if (receiver.sent >= 10_000_000 || response.destroyed) return response.end();
      receiver.sent += chunk.byteLength;
      if (response.write(chunk)) setImmediate(write);
      else response.once("drain", write);
    };
    response.writeHead(200);
    write();
  },
};

/** Shop whose webhooks reach a receiver on this machine. */
const test = base.extend<object, { receiver: Receiver }>({
  receiver: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that one needs from this pattern.
    async ({}, use) => {
      const receiver: Receiver = { origin: "", requests: [], sent: 0 };
      const server: Server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const path = request.url ?? "";
        receiver.requests.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() });
        (BEHAVIOURS[path] ?? ((answer) => answer.writeHead(204).end()))(response, receiver);
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      receiver.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await use(receiver);
      server.closeAllConnections();
      server.close();
    },
    { scope: "worker" },
  ],
  shop: [
    async ({ receiver }, use) => {
      const shop = await startShop({ WEBHOOK_TEST_ORIGIN: receiver.origin });
      await use(shop);
      await shop.stop();
    },
    // Playwright demands the `auto` of the overridden fixture, which its type lacks.
    { scope: "worker", auto: true, timeout: 120_000 } as { scope: "worker"; timeout: number },
  ],
});

const PATH = "/admin/integrations";

/** Makes a key on the page without JavaScript. */
async function newKey(open: Open, name: string): Promise<string> {
  const page = await asStaff(open, "manager", PATH, NO_SCRIPT);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Read and write").check();
  await page.locator("#key-password").fill("Manager#2026!");
  await page.getByRole("button", { name: "Make key" }).click();
  const key = await page.locator("code", { hasText: "emp_" }).textContent();
  return key ?? "";
}

/** Operations of the generated client that the test calls. */
interface GeneratedClient {
  client: { setConfig(config: { baseUrl: string; auth: string; headers: object }): void };
  getProductAll(call: object): Promise<{ data: { id: string; name: string; stock: number }[] }>;
  postSale(call: object): Promise<{ data: { documents: { id: string; number: string }[] } }>;
  getSaleId(
    call: object,
  ): Promise<{ data: { number: string; total: number; lines: { description: string }[] } }>;
}

/** Generates a client from the shop's OpenAPI document and loads it. */
async function generatedClient(folder: string): Promise<GeneratedClient> {
  const input = (await (await fetchShop("/api/openapi.json")).json()) as object;
  await createClient({
    input: { ...input },
    output: { path: join(folder, "client") },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent" },
  });
  const outfile = join(folder, "client.mjs");
  const contents = 'export * from "./sdk.gen"; export { client } from "./client.gen";';
  await build({
    stdin: { contents, resolveDir: join(folder, "client") },
    bundle: true,
    format: "esm",
    outfile,
    logLevel: "error",
  });
  return (await import(pathToFileURL(outfile).href)) as GeneratedClient;
}

test("a client generated from the OpenAPI document lists products, records a sale and reads it", async ({
  open,
  shop,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "emporia-client-"));
  try {
    const api = await generatedClient(folder);
    const auth = await newKey(open, "Till");
    api.client.setConfig({ baseUrl: `${shop.url}/api`, auth, headers: OWN_CONNECTION });
    const { data: products } = await api.getProductAll({ query: { limit: 50 }, throwOnError: true });
    const product = products.find(({ stock }) => stock > 5);
    const lines = [{ productId: product?.id, quantity: 1, amount: 20 }];
    const { data: sale } = await api.postSale({ body: { paymentMode: "CASH", lines }, throwOnError: true });
    const [document] = sale.documents;
    const { data: read } = await api.getSaleId({ path: { id: document?.id }, throwOnError: true });
    expect(read).toMatchObject({ number: document?.number, lines: [{ description: product?.name }] });
  } finally {
    rmSync(folder, { recursive: true });
  }
  const page = await asStaff(open, "manager", PATH);
  await expect(page.getByRole("row", { name: /^Till Read and write You/ })).not.toContainText("Never");
});

test("events arrive signed; a receiver that redirects, hangs or sends 10 MB does no harm", async ({
  open,
  receiver,
}) => {
  const page = await asStaff(open, "admin", PATH, NO_SCRIPT);
  const add = async (path: string) => {
    await page.getByLabel("Address").fill(`https://hooks.example.com${path}`);
    await page.getByLabel("product.changed").check();
    await page.locator("#webhook-password").fill("Admin#2026!");
    await page.getByRole("button", { name: "Add webhook" }).click();
    // The page before has the secret of the webhook before.
    await page
      .getByRole("heading", { name: `hooks.example.com${path}` })
      .first()
      .waitFor();
    return (await page.locator("code", { hasText: "whsec_" }).textContent()) ?? "";
  };
  const secret = await add("/ok");
  for (const path of ["/redirect", "/hang", "/large"]) await add(path);
  const [product] = (await (await fetchShop("/api/product/all?limit=1")).json()) as { id: string }[];
  await staffCall("admin", `product/${product?.id}`, { stock: 17 }, "PUT");
  const got = (path: string) => receiver.requests.filter((request) => request.path === path);
  await expect.poll(() => got("/ok").length).toBeGreaterThan(0);
  const [event] = got("/ok");
  const verified = new Webhook(secret).verify(event?.body ?? "", event?.headers as Record<string, string>);
  expect(verified).toMatchObject({ type: "product.changed", data: { product: { stock: 17 } } });
  await expect(async () => {
    await page.goto(page.url());
    for (const [path, text] of [
      ["/ok", "Delivered HTTP 204"],
      ["/redirect", "redirects are not followed"],
      ["/hang", "Waiting"],
      ["/large", "Delivered HTTP 200"],
    ])
      await expect(page.getByRole("row", { name: `hooks.example.com${path} ` }).first()).toContainText(
        text ?? "",
      );
  }).toPass({ timeout: 60_000 });
  expect(got("/trap")).toEqual([]);
  expect(receiver.sent).toBeLessThan(10_000_000);
});

test("the page of keys and webhooks is accessible and fits, with a log of several webhooks", async ({
  open,
}) => {
  const page = await asStaff(open, "admin", PATH);
  await page.getByLabel("Name").fill("Sheet");
  await page.locator("#key-password").fill("Admin#2026!");
  await page.getByRole("button", { name: "Make key" }).click();
  await expect(page.getByText("shown once")).toBeVisible();
  for (const path of ["in", `webhook/${"8f2c6a19".repeat(8)}`]) {
    await expect(page.getByLabel("Address")).toHaveValue("");
    await page.getByLabel("Address").fill(`https://automation.example.com/${path}`);
    await page.getByLabel("product.changed").check();
    await page.locator("#webhook-password").fill("Admin#2026!");
    await page.getByRole("button", { name: "Add webhook" }).click();
    await expect(page.getByRole("heading", { name: `automation.example.com/${path}` }).first()).toBeVisible();
  }
  const products = (await (await fetchShop("/api/product/all?limit=9")).json()) as {
    id: string;
    name: string;
  }[];
  for (const { id } of products) await staffCall("admin", `product/${id}`, { stock: 21 }, "PUT");
  const log = page.getByRole("region", { name: "Deliveries" });
  // The page is not live, and each delivery is tried in its time.
  await expect(async () => {
    await page.goto(PATH);
    await expect(log.getByRole("button", { name: /^Resend/ })).toHaveCount(12, { timeout: 1000 });
  }).toPass();
  await expect(log.getByRole("link", { name: products[8]?.name ?? "", exact: true }).first()).toBeVisible();
  await expectAccessible(page);
  await log.getByRole("link", { name: "Older" }).click();
  await expect(log.getByRole("link", { name: "Newest" })).toBeVisible();
});

test("all filters and changes of the audit log are on the screen of a phone", async ({ open }) => {
  const page = await asStaff(open, "admin", "/admin/audit");
  await page.setViewportSize({ width: 390, height: 844 });
  const filters = page.locator(".filters > :is(button, select):visible");
  await expect(filters).toHaveCount(3);
  for (const filter of await filters.all()) {
    const box = await filter.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 1000)).toBeLessThanOrEqual(390);
  }
  const changes = page.locator(".audit-table tbody tr");
  await expect(changes.first()).toBeVisible();
  for (const cell of await changes.first().locator("td").all()) await expect(cell).toBeVisible();
  await expectAccessible(page);
});
