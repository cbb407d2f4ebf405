import { beforeAll, expect, it } from "vitest";
import { TABLES } from "~/layouts/admin/table-sizes";
import { admin } from "../support/people";
import { call } from "../support/shop";

let token: string;
beforeAll(async () => {
  ({ token } = await admin());
});

it.each(Object.entries(TABLES))("the skeleton of %s has the columns of its table", async (path, size) => {
  const html = await (await call(path, { token })).text();
  const [head] = /<thead>.*?<\/thead>/s.exec(html) ?? [""];
  expect(head.match(/<th[ >]/g)).toHaveLength(size.columns);
});
