import { beforeAll, expect, it } from "vitest";
import { TABLE_COLUMNS } from "~/layouts/admin/table-columns.server";
import { admin } from "../support/people";
import { call } from "../support/shop";

let token: string;
beforeAll(async () => {
  ({ token } = await admin());
});

it.each(Object.entries(TABLE_COLUMNS))(
  "the skeleton of %s has the columns of its table",
  async (path, columns) => {
    const html = await (await call(path, { token })).text();
    const [head] = /<thead>.*?<\/thead>/s.exec(html) ?? [""];
    expect(head.match(/<th[ >]/g)).toHaveLength(columns);
  },
);
