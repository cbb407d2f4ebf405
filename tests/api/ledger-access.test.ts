import { beforeAll, describe, expect, it } from "vitest";
import { LEDGER_CALLS } from "../support/api-routes";
import { admin, manager, person } from "../support/people";
import { PARAMETER } from "../support/route-paths";
import { call } from "../support/shop";

let token: string;
const people: Record<string, string | undefined> = {};

beforeAll(async () => {
  token = (await admin()).token;
  people.anonymous = undefined;
  people.customer = (await person()).token;
  people.manager = (await manager()).token;
  people.admin = token;
});

describe("access to ledger routes", () => {
  /** Status for staff who send an empty request. */
  const forStaff = (method: string, path: string) => {
    if (path === "/api/expense/file") return 404;
    if (path.endsWith("/file")) return 415;
    return method === "GET" ? 200 : path.endsWith(`/${PARAMETER}`) ? 404 : 400;
  };

  it.each([...LEDGER_CALLS, { method: "POST", path: "/api/invoice/" }])(
    "$method $path",
    async ({ method, path }) => {
      const body = method === "POST" || method === "PUT" ? { json: {} } : {};
      const statuses: Record<string, number> = {};
      for (const [who, own] of Object.entries(people)) {
        const answer = await call(path, {
          method,
          ...body,
          ...(own ? { token: own } : {}),
        });
        statuses[who] = answer.status;
        await answer.text();
      }
      const staff = forStaff(method, path);
      expect(statuses).toEqual({ anonymous: 401, customer: 403, manager: staff, admin: staff });
    },
  );

  it.each(["/api/invoice/all", "/api/sale/all", "/api/expense/x", "/api/invoice"])(
    "rejects another method of %s with 405 and Allow",
    async (path) => {
      const answer = await call(path, { method: "PATCH", json: {}, token });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("Allow")).toBeTruthy();
    },
  );
});
