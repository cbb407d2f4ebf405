import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, expectAccessible, test } from "../../support/browser";
import { fetchShop } from "../../support/running-shop";

test("the OpenAPI document passes Redocly's recommended rules", async () => {
  const source = await (await fetchShop("/api/openapi.json")).text();
  // The routes of docs/product.md, 3.4, hold both product/id/{id} and product/{id}/movements.
  const config = await createConfig({ extends: ["recommended"], rules: { "no-ambiguous-paths": "off" } });
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
  ).toEqual([]);
});

test("the API's page shows each call with an example", async ({ open }) => {
  const page = await open("/api");
  await page.getByText("POST /sale Record a sale").click();
  await expect(page.locator("details[open]")).toContainText('"paymentMode": "CASH"');
  await expectAccessible(page);
});
