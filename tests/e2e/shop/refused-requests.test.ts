import { request } from "node:http";
import { expect, test } from "../../support/browser";
import { fetchShop } from "../../support/running-shop";

/** Sends requests one after another, each on its own connection, and collects the responses. */
async function call(method: string, path: string, body: string) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetchShop(`/api/${path}`, { method, headers, body });
  return { status: answer.status, text: await answer.text() };
}

const filler = (length: number) => JSON.stringify({ message: "a".repeat(length) });

for (const [method, path, length, status] of [
  ["PATCH", "chat/settings", 5_000, 401],
  ["POST", "nowhere", 5_000, 404],
  ["PATCH", "auth/login", 5_000, 405],
  ["POST", "auth/login", 300_000, 413],
] as const)
  test(`a rejected ${method} ${path} of ${length} bytes (${status}) does not affect the next request`, async () => {
    for (let round = 0; round < 5; round++) {
      expect((await call(method, path, filler(length))).status).toBe(status);
      const next = await call("POST", "chat/message", "{}");
      expect(next.status, next.text).toBe(400);
    }
  });

for (const [method, headers, body] of [
  ["GET", { "Content-Length": "0" }, ""],
  ["GET", { "Content-Length": "3" }, "abc"],
  ["GET", { "Transfer-Encoding": "chunked" }, "abc"],
  ["HEAD", { "Content-Length": "0" }, ""],
] as const)
  test(`a ${method} with ${JSON.stringify(headers)} is answered as one without a body`, async ({ shop }) => {
    for (const path of ["/shop", "/api/product/categories", "/readyz"]) {
      const status = await new Promise((done, failed) => {
        const sent = request(shop.url + path, { method, headers, agent: false }, (answer) => {
          answer.resume().on("end", () => done(answer.statusCode));
        });
        sent.on("error", failed).end(body);
      });
      expect(status, path).toBe(200);
    }
  });
