import { expect, it } from "vitest";
import { adminRoom, isValidRegion, lobby, nightlyBackup } from "./shop-objects.server";

/** Returns the placement of the shop's objects. Local engines have one region, so the calls are recorded. */
function placements(region?: string) {
  const calls: unknown[] = [];
  const namespace = { getByName: (...call: unknown[]) => calls.push(call) };
  const env = { ADMIN_ROOM: namespace, NIGHTLY_BACKUP: namespace, LOBBY: namespace, SHOP_REGION: region };
  for (const open of [adminRoom, nightlyBackup, (each: Env) => lobby(each, "3")]) open(env as unknown as Env);
  return calls;
}

it("places the shop's objects in its region", () => {
  const options = { locationHint: "weur" };
  expect(placements("weur")).toEqual([
    ["admin", options],
    ["nightly", options],
    ["3", options],
  ]);
});

it("asks for no placement without a region or with an unknown one", () => {
  const nowhere = [
    ["admin", {}],
    ["nightly", {}],
    ["3", {}],
  ];
  expect([placements(), placements(""), placements("toronto")]).toEqual([nowhere, nowhere, nowhere]);
  expect([undefined, "", "enam", "toronto"].map((SHOP_REGION) => isValidRegion({ SHOP_REGION }))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
